/* stats.c - what each kernel of a code object needs.
 *
 * The numbers stand in the note that LLVM writes (amdhsa.kernels), the size
 * of the code in the symbol table.  Occupancy is what registers and static
 * shared memory leave of a SIMD's waves.
 */
#include "amdgpu.h"
#include "link.h"
#include "msgpack.h"

#include <elf.h>
#include <string.h>

/* keys of a kernel in the note, and where their values go */
static const struct {
	const char *key;
	size_t at;
} fields[] = {
	{ ".vgpr_count", offsetof(struct kernel_stats, vgpr) },
	{ ".sgpr_count", offsetof(struct kernel_stats, sgpr) },
	{ ".agpr_count", offsetof(struct kernel_stats, agpr) },
	{ ".vgpr_spill_count", offsetof(struct kernel_stats, vgpr_spill) },
	{ ".sgpr_spill_count", offsetof(struct kernel_stats, sgpr_spill) },
	{ ".group_segment_fixed_size", offsetof(struct kernel_stats, lds) },
	{ ".private_segment_fixed_size",
		offsetof(struct kernel_stats, scratch) },
	{ ".kernarg_segment_size", offsetof(struct kernel_stats, kernarg) },
	{ ".wavefront_size", offsetof(struct kernel_stats, wave) },
	{ ".max_flat_workgroup_size",
		offsetof(struct kernel_stats, max_threads) },
};

static void
set(struct kernel_stats *s, struct msgpack_value key, struct msgpack_value v,
	struct arena *a)
{
	size_t i;

	if (v.kind == MSGPACK_TEXT && msgpack_is(key, ".name"))
		s->name = arena_printf(a, "%.*s", (int)v.n, v.text);
	if (v.kind != MSGPACK_INT)
		return;
	if (msgpack_is(key, ".uses_dynamic_stack"))
		s->dynamic_stack = v.n != 0;
	for (i = 0; i < sizeof fields / sizeof *fields; i++)
		if (msgpack_is(key, fields[i].key))
			*(unsigned *)((char *)s + fields[i].at)
				= (unsigned)v.n;
}

static void
read_kernel(struct msgpack *m, struct kernel_stats *s, struct arena *a)
{
	struct msgpack_value map, key;
	struct msgpack peek;

	map = msgpack_read(m);
	if (map.kind != MSGPACK_MAP)
		return;
	for (; map.n && m->p < m->end; map.n--) {
		key = msgpack_read(m);
		peek = *m;
		set(s, key, msgpack_read(&peek), a);
		msgpack_skip(m);
	}
}

/* the value of key in the map at m, for reading */
static struct msgpack
lookup(struct msgpack m, const char *key)
{
	struct msgpack_value map;

	map = msgpack_read(&m);
	if (map.kind == MSGPACK_MAP)
		for (; map.n && m.p < m.end; map.n--) {
			if (msgpack_is(msgpack_read(&m), key))
				return m;
			msgpack_skip(&m);
		}
	m.p = m.end;
	return m;
}

/* the text of the note of type 32 ("AMDGPU") */
static struct msgpack
note(struct bytes section)
{
	struct msgpack m = { 0, 0 };
	Elf64_Nhdr h;
	size_t name;

	if (section.n < sizeof h)
		return m;
	memcpy(&h, section.p, sizeof h);
	name = sizeof h + ((h.n_namesz + 3u) & ~3u);
	if (h.n_type != 32 || name > section.n
	|| h.n_descsz > section.n - name)
		return m;
	m.p = section.p + name;
	m.end = m.p + h.n_descsz;
	return m;
}

/* the size of the function called name */
static unsigned
code_size(const struct elf *e, const char *name)
{
	struct elf_section symbols, names;
	Elf64_Sym s;
	size_t at;

	if (!elf_find(e, ".dynsym", &symbols) || !elf_find(e, ".dynstr",
		&names) || !names.data.n || names.data.p[names.data.n - 1])
		return 0;
	for (at = 0; at + sizeof s <= symbols.data.n; at += sizeof s) {
		memcpy(&s, symbols.data.p + at, sizeof s);
		if (ELF64_ST_TYPE(s.st_info) == STT_FUNC
		&& s.st_name < names.data.n
		&& !strcmp((const char *)names.data.p + s.st_name, name))
			return (unsigned)s.st_size;
	}
	return 0;
}

static unsigned
round_up(unsigned n, unsigned to)
{
	return (n + to - 1) / to * to;
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* the registers of a SIMD, in the unit in which they are given out */
struct simd {
	unsigned waves, vgprs, granule;
};

static struct simd
simd(unsigned flags, unsigned wave)
{
	unsigned half;

	half = wave == 64 && !(flags & GFX9) ? 2 : 1;
	if (flags & UNIFIED)
		return (struct simd){ 8, 512, 8 };
	if (flags & GFX9)
		return (struct simd){ 10, 256, 4 };
	if (flags & GFX10)
		return (struct simd){ flags & ROW20 ? 20 : 16, 1024 / half,
			(flags & ROW20 ? 8 : 16) / half };
	if (flags & BIGFILE)
		return (struct simd){ 16, 1536 / half, 24 / half };
	return (struct simd){ 16, 1024 / half, 16 / half };
}

/* blocks that fit into the 64 KiB that two SIMDs (gfx9: four) share */
static unsigned
by_shared(const struct kernel_stats *s, unsigned flags)
{
	unsigned waves;

	if (!s->lds || !s->wave)
		return 32;
	waves = (s->max_threads + s->wave - 1) / s->wave;
	waves = 65536 / s->lds * waves / (flags & GFX9 ? 4 : 2);
	return waves ? waves : 1;
}

static unsigned
occupancy(const struct kernel_stats *s, unsigned flags)
{
	struct simd d;
	unsigned n;

	d = simd(flags, s->wave);
	n = flags & UNIFIED ? round_up(s->vgpr - s->agpr, 4) + s->agpr
		: s->vgpr > s->agpr ? s->vgpr : s->agpr;
	n = least(d.waves, d.vgprs / round_up(n ? n : 1, d.granule));
	return least(n, by_shared(s, flags));
}

static unsigned
target_flags(struct msgpack root)
{
	struct msgpack_value v;
	struct msgpack m;
	char arch[32];
	size_t n;

	m = lookup(root, "amdhsa.target");
	v = msgpack_read(&m);
	if (v.kind != MSGPACK_TEXT || v.n < sizeof "amdgcn-amd-amdhsa--")
		return 0;
	v.text += sizeof "amdgcn-amd-amdhsa--" - 1;
	v.n -= sizeof "amdgcn-amd-amdhsa--" - 1;
	for (n = 0; n < v.n && n + 1 < sizeof arch && v.text[n] != ':'; n++)
		arch[n] = v.text[n];
	arch[n] = 0;
	return amdgpu_flags(arch);
}

size_t
image_stats(const struct blob *image, struct arena *a,
	struct kernel_stats **out)
{
	struct bytes file = { image->data, image->size };
	struct elf_section s;
	struct elf e;
	struct msgpack root, m;
	struct msgpack_value list;
	unsigned flags;
	size_t i;

	if (!elf_is(file) || !elf_open(&e, file)
	|| !elf_find(&e, ".note", &s))
		return 0;
	root = note(s.data);
	flags = target_flags(root);
	m = lookup(root, "amdhsa.kernels");
	list = msgpack_read(&m);
	if (list.kind != MSGPACK_ARRAY || list.n > image->size)
		return 0;
	*out = NEWN(a, list.n + 1, struct kernel_stats);
	for (i = 0; i < list.n; i++) {
		read_kernel(&m, &(*out)[i], a);
		if (!(*out)[i].name)
			(*out)[i].name = "";
		(*out)[i].code = code_size(&e, (*out)[i].name);
		(*out)[i].occupancy = occupancy(&(*out)[i], flags);
	}
	return list.n;
}
