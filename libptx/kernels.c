/* kernels.c - what a code object's note says of its kernels.
 *
 * The note is of type 32 and name AMDGPU in a PT_NOTE segment; its text is
 * MessagePack.  Nothing outside of the file is looked at.
 */
#include "kernels.h"
#include "msgpack.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static char *
text(struct msgpack_value v)
{
	char *s = v.kind == MSGPACK_TEXT ? calloc(1, (size_t)v.n + 1) : 0;

	if (s)
		memcpy(s, v.text, (size_t)v.n);
	return s;
}

/* a key and where its value goes: a number of 32 bits, or a text */
struct field {
	const char *key;
	size_t at;
	bool text;
};

#define AT(type, member) offsetof(struct type, member)
static const struct field arg_field[] = {
	{ ".name", AT(kernel_arg, name), true },
	{ ".value_kind", AT(kernel_arg, kind), true },
	{ ".offset", AT(kernel_arg, offset), false },
	{ ".size", AT(kernel_arg, size), false },
	{ 0 },
};
static const struct field kernel_field[] = {
	{ ".name", AT(kernel_note, name), true },
	{ ".symbol", AT(kernel_note, symbol), true },
	{ ".kernarg_segment_size", AT(kernel_note, kernarg), false },
	{ ".group_segment_fixed_size", AT(kernel_note, lds), false },
	{ ".private_segment_fixed_size", AT(kernel_note, scratch), false },
	{ ".wavefront_size", AT(kernel_note, wave), false },
	{ ".vgpr_count", AT(kernel_note, vgprs), false },
	{ ".agpr_count", AT(kernel_note, agprs), false },
	{ ".sgpr_count", AT(kernel_note, sgprs), false },
	{ ".max_flat_workgroup_size", AT(kernel_note, max_threads), false },
	{ 0 },
};

static void
set(void *to, const struct field *f, struct msgpack_value key,
	struct msgpack_value v)
{
	for (; f->key; f++)
		if (msgpack_is(key, f->key)) {
			if (!f->text)
				*(uint32_t *)((char *)to + f->at)
					= (uint32_t)v.n;
			else if (!*(char **)((char *)to + f->at))
				*(char **)((char *)to + f->at) = text(v);
		}
}

static void
read_arg(struct msgpack *m, struct kernel_arg *a)
{
	struct msgpack_value map = msgpack_read(m), key;
	struct msgpack peek;

	if (map.kind != MSGPACK_MAP)
		return;
	for (; map.n && m->p < m->end; map.n--) {
		key = msgpack_read(m);
		peek = *m;
		set(a, arg_field, key, msgpack_read(&peek));
		msgpack_skip(m);
	}
}

static void
read_args(struct msgpack m, struct kernel_note *k)
{
	struct msgpack_value list = msgpack_read(&m);

	if (list.kind != MSGPACK_ARRAY || list.n > (size_t)(m.end - m.p))
		return;
	k->arg = calloc((size_t)list.n + 1, sizeof *k->arg);
	if (k->arg)
		for (; k->nargs < list.n; k->nargs++)
			read_arg(&m, &k->arg[k->nargs]);
}

static void
read_kernel(struct msgpack *m, struct kernel_note *k)
{
	struct msgpack_value map = msgpack_read(m), key, v;
	struct msgpack peek;

	if (map.kind != MSGPACK_MAP)
		return;
	for (; map.n && m->p < m->end; map.n--) {
		key = msgpack_read(m);
		peek = *m;
		v = msgpack_read(&peek);
		if (msgpack_is(key, ".args") && !k->arg)
			read_args(*m, k);
		else if (msgpack_is(key, ".uses_dynamic_stack"))
			k->dynamic_stack = v.n != 0;
		else
			set(k, kernel_field, key, v);
		msgpack_skip(m);
	}
}

static void
read_kernels(struct msgpack m, struct kernel_notes *n)
{
	struct msgpack_value list = msgpack_read(&m);

	if (list.kind != MSGPACK_ARRAY || list.n > (size_t)(m.end - m.p))
		return;
	n->kernel = calloc((size_t)list.n + 1, sizeof *n->kernel);
	if (n->kernel)
		for (; n->n < list.n; n->n++)
			read_kernel(&m, &n->kernel[n->n]);
}

static bool
read_root(struct msgpack m, struct kernel_notes *n)
{
	struct msgpack_value map = msgpack_read(&m), key;
	struct msgpack peek;

	if (map.kind != MSGPACK_MAP)
		return false;
	for (; map.n && m.p < m.end; map.n--) {
		key = msgpack_read(&m);
		peek = m;
		if (msgpack_is(key, "amdhsa.kernels") && !n->kernel)
			read_kernels(m, n);
		else if (msgpack_is(key, "amdhsa.target") && !n->target)
			n->target = text(msgpack_read(&peek));
		msgpack_skip(&m);
	}
	return true;
}

/* the notes of a segment, of which each is padded to 4 bytes */
static bool
read_segment(const uint8_t *p, size_t size, struct kernel_notes *n)
{
	struct msgpack m;
	Elf64_Nhdr h;
	size_t name, all;

	for (; size >= sizeof h; p += all, size -= all) {
		memcpy(&h, p, sizeof h);
		name = sizeof h + ((h.n_namesz + (size_t)3) & ~(size_t)3);
		all = name + ((h.n_descsz + (size_t)3) & ~(size_t)3);
		if (name > size || h.n_descsz > size - name)
			return false;
		if (h.n_type == 32) {
			m.p = p + name;
			m.end = m.p + h.n_descsz;
			return read_root(m, n);
		}
		if (all > size)
			break;
	}
	return false;
}

bool
kernel_notes_read(struct kernel_notes *n, const void *data, size_t size)
{
	const uint8_t *p = data;
	Elf64_Ehdr e;
	Elf64_Phdr h;
	size_t i;

	memset(n, 0, sizeof *n);
	if (size < sizeof e)
		return false;
	memcpy(&e, p, sizeof e);
	if (memcmp(e.e_ident, ELFMAG, SELFMAG) || e.e_phentsize != sizeof h ||
			e.e_phoff > size ||
			e.e_phnum > (size - e.e_phoff) / sizeof h)
		return false;
	for (i = 0; i < e.e_phnum; i++) {
		memcpy(&h, p + e.e_phoff + i * sizeof h, sizeof h);
		if (h.p_type == PT_NOTE && h.p_offset <= size &&
				h.p_filesz <= size - h.p_offset &&
				read_segment(p + h.p_offset, h.p_filesz, n))
			return true;
	}
	return false;
}

void
kernel_notes_free(struct kernel_notes *n)
{
	size_t i, j;

	for (i = 0; i < n->n; i++) {
		for (j = 0; j < n->kernel[i].nargs; j++) {
			free(n->kernel[i].arg[j].name);
			free(n->kernel[i].arg[j].kind);
		}
		free(n->kernel[i].arg);
		free(n->kernel[i].name);
		free(n->kernel[i].symbol);
	}
	free(n->kernel);
	free(n->target);
	memset(n, 0, sizeof *n);
}
