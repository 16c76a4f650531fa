/* code.c - code objects are loaded: segments, relocations, symbols.
 *
 * Every number comes from the file and is checked before it is used.
 */
#include "launch.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, MACHINE_AMDGPU = 224 };

static const struct { const char *name; uint8_t mach; } mach[] = {
#define GFX(name, number) { #name, number },
#include "gfx.def"
#undef GFX
};

struct file {
	const uint8_t *p;
	size_t size;
	Elf64_Ehdr h;
};

static bool
is_code(struct file *f)
{
	if (f->size < sizeof f->h)
		return false;
	memcpy(&f->h, f->p, sizeof f->h);
	return !memcmp(f->h.e_ident, ELFMAG, SELFMAG) &&
		f->h.e_machine == MACHINE_AMDGPU && f->h.e_type == ET_DYN &&
		f->h.e_phentsize == sizeof(Elf64_Phdr) &&
		f->h.e_phoff <= f->size && f->h.e_phnum <=
			(f->size - f->h.e_phoff) / sizeof(Elf64_Phdr);
}

static bool
is_for(const struct file *f, const struct gpu *g)
{
	size_t i;

	for (i = 0; i < sizeof mach / sizeof *mach; i++)
		if (!strcmp(mach[i].name, g->name))
			return mach[i].mach == (f->h.e_flags & 0xff);
	return false;
}

/* the i-th program header; false: it lies outside of the file */
static bool
segment(const struct file *f, size_t i, Elf64_Phdr *h)
{
	memcpy(h, f->p + f->h.e_phoff + i * sizeof *h, sizeof *h);
	return h->p_offset <= f->size && h->p_filesz <= f->size - h->p_offset &&
		h->p_filesz <= h->p_memsz && h->p_memsz < (1ull << 40) &&
		h->p_vaddr < (1ull << 40);
}

static bool
load_segments(struct code *c, const struct file *f)
{
	uint64_t end = 0;
	Elf64_Phdr h;
	size_t i;

	for (i = 0; i < f->h.e_phnum; i++) {
		if (!segment(f, i, &h))
			return false;
		if (h.p_type == PT_LOAD && h.p_vaddr + h.p_memsz > end)
			end = h.p_vaddr + h.p_memsz;
	}
	c->size = (size_t)(end + PAGE - 1) / PAGE * PAGE;
	c->memory = c->size ? aligned_alloc(PAGE, c->size) : 0;
	if (!c->memory)
		return false;
	memset(c->memory, 0, c->size);
	for (i = 0; i < f->h.e_phnum; i++) {
		segment(f, i, &h);
		if (h.p_type != PT_LOAD)
			continue;
		memcpy(c->memory + h.p_vaddr, f->p + h.p_offset, h.p_filesz);
		if (h.p_flags & PF_X && !c->decoder)
			c->decoder = decoder_new(c->gpu,
				(uint64_t)(uintptr_t)c->memory + h.p_vaddr,
				h.p_memsz);
	}
	return true;
}

/* n bytes at a virtual address, or 0 */
static void *
at(const struct code *c, uint64_t addr, uint64_t n)
{
	return addr <= c->size && n <= c->size - addr ? c->memory + addr : 0;
}

struct dynamic {
	uint64_t symbols, strings, string_size, hash, rela, rela_size;
};

static void
read_dynamic(const struct code *c, const struct file *f, struct dynamic *d)
{
	const Elf64_Dyn *e;
	Elf64_Phdr h;
	size_t i;

	memset(d, 0, sizeof *d);
	for (i = 0; i < f->h.e_phnum; i++) {
		segment(f, i, &h);
		if (h.p_type != PT_DYNAMIC || !at(c, h.p_vaddr, h.p_filesz))
			continue;
		e = at(c, h.p_vaddr, h.p_filesz);
		for (; h.p_filesz >= sizeof *e && e->d_tag;
				e++, h.p_filesz -= sizeof *e)
			switch (e->d_tag) {
			case DT_SYMTAB: d->symbols = e->d_un.d_ptr; break;
			case DT_STRTAB: d->strings = e->d_un.d_ptr; break;
			case DT_STRSZ: d->string_size = e->d_un.d_val; break;
			case DT_HASH: d->hash = e->d_un.d_ptr; break;
			case DT_RELA: d->rela = e->d_un.d_ptr; break;
			case DT_RELASZ: d->rela_size = e->d_un.d_val; break;
			}
	}
}

static bool
read_symbols(struct code *c, const struct dynamic *d)
{
	const uint32_t *hash = at(c, d->hash, 8);
	const char *names = at(c, d->strings, d->string_size);
	const Elf64_Sym *s;
	size_t i, n = hash ? hash[1] : 0;

	s = at(c, d->symbols, (uint64_t)n * sizeof *s);
	if (!n || !s || !names || !d->string_size ||
			names[d->string_size - 1])
		return false;
	c->symbol = calloc(n, sizeof *c->symbol);
	if (!c->symbol)
		return false;
	for (i = 0; i < n; i++) {
		c->symbol[i].name = s[i].st_name < d->string_size ?
			names + s[i].st_name : "";
		c->symbol[i].addr = s[i].st_shndx == SHN_UNDEF ? 0 :
			(uint64_t)(uintptr_t)c->memory + s[i].st_value;
		c->symbol[i].size = s[i].st_size;
		c->symbol[i].is_object =
			ELF64_ST_TYPE(s[i].st_info) == STT_OBJECT;
		if (s[i].st_shndx != SHN_UNDEF && s[i].st_value > c->size)
			return false;
	}
	c->nsymbols = n;
	return true;
}

/* R_AMDGPU_… that a loader must know */
static bool
relocate(struct code *c, const Elf64_Rela *r)
{
	enum { ABS32_LO = 1, ABS32_HI, ABS64, ABS32 = 6, RELATIVE64 = 13 };
	uint64_t symbol = ELF64_R_SYM(r->r_info), v;
	unsigned type = (unsigned)ELF64_R_TYPE(r->r_info);
	uint8_t *p = at(c, r->r_offset,
		type == ABS64 || type == RELATIVE64 ? 8 : 4);

	if (!p || symbol >= c->nsymbols)
		return false;
	v = c->symbol[symbol].addr + (uint64_t)r->r_addend;
	switch (type) {
	case RELATIVE64:
		v = (uint64_t)(uintptr_t)c->memory + (uint64_t)r->r_addend;
		memcpy(p, &v, 8);
		return true;
	case ABS64:
		memcpy(p, &v, 8);
		return true;
	case ABS32_HI:
		v >>= 32;
		memcpy(p, &v, 4);
		return true;
	case ABS32_LO:
	case ABS32:
		memcpy(p, &v, 4);
		return true;
	}
	return false;
}

static bool
relocate_all(struct code *c, const struct dynamic *d)
{
	const Elf64_Rela *r = at(c, d->rela, d->rela_size);
	uint64_t i;

	if (!r)
		return false;
	for (i = 0; i < d->rela_size / sizeof *r; i++)
		if (!relocate(c, &r[i]))
			return false;
	return true;
}

enum code_error
code_load(struct code **out, const struct gpu *g, const void *data,
	size_t size)
{
	struct file f = { .p = data, .size = size };
	struct dynamic d;
	struct code *c;

	if (!is_code(&f))
		return CODE_DAMAGED;
	if (!is_for(&f, g))
		return CODE_OTHER_GPU;
	c = calloc(1, sizeof *c);
	if (!c)
		return CODE_NO_MEMORY;
	c->gpu = g;
	if (!load_segments(c, &f) ||
			!kernel_notes_read(&c->notes, data, size))
		goto damaged;
	read_dynamic(c, &f, &d);
	if (!read_symbols(c, &d) || !relocate_all(c, &d))
		goto damaged;
	region_add((uint64_t)(uintptr_t)c->memory, c->size);
	*out = c;
	return CODE_OK;
damaged:
	code_free(c);
	return CODE_DAMAGED;
}

void
code_free(struct code *c)
{
	if (!c)
		return;
	region_remove((uint64_t)(uintptr_t)c->memory);
	decoder_free(c->decoder);
	kernel_notes_free(&c->notes);
	free(c->symbol);
	free(c->memory);
	free(c);
}

const struct symbol *
code_symbol(const struct code *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->nsymbols; i++)
		if (c->symbol[i].addr && !strcmp(c->symbol[i].name, name))
			return &c->symbol[i];
	return 0;
}
