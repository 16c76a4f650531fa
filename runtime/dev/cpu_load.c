/* cpu_load.c - a relocatable object, laid out and bound in this process.
 *
 * One mapping: code with the stubs behind it, then constants with the table of
 * addresses (GOT), then data.  The object may come from a file that anyone
 * wrote: every offset is checked before it is followed.
 */
#include "cpu_object.h"
#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum part { CODE, CONSTANT, DATA, NPART };

struct symbol {
	const char *name;
	uint64_t value, size; /* value: an address */
	bool defined;
};

struct object {
	uint8_t *base;
	size_t size;
	char *names;          /* the object's string table, ended by a zero */
	struct symbol *symbol;
	size_t nsymbol;
};

/* an object on its way in */
struct load {
	struct object *o;
	const uint8_t *data;
	size_t size;
	const Elf64_Ehdr *head;
	const Elf64_Shdr *section;
	size_t nsection;
	const Elf64_Shdr *symtab;
	uint64_t *offset;     /* of each section in its part, or NOWHERE */
	size_t length[NPART], start[NPART];
	uint64_t stubs, got;  /* offsets in CODE and CONSTANT */
	char *why;
};

static const uint64_t nowhere = UINT64_MAX;

static bool __attribute__((format(printf, 2, 3)))
fail(struct load *l, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(l->why, 128, fmt, ap);
	va_end(ap);
	return false;
}

/* are n bytes at offset from inside the file? */
static bool
inside(const struct load *l, uint64_t from, uint64_t n)
{
	return from <= l->size && n <= l->size - from;
}

static bool
read_head(struct load *l)
{
	const Elf64_Ehdr *h = l->head;

	if (l->size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 ||
	    h->e_ident[EI_CLASS] != ELFCLASS64 ||
	    h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_type != ET_REL)
		return fail(l, "not a relocatable object");
	if (h->e_machine != reloc_machine)
		return fail(l, "for machine %u", h->e_machine);
	if (h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shoff % 8 ||
	    !inside(l, h->e_shoff, (uint64_t)h->e_shnum * sizeof *l->section))
		return fail(l, "section headers beyond its end");
	l->section = (const Elf64_Shdr *)(l->data + h->e_shoff);
	l->nsection = h->e_shnum;
	return true;
}

static enum part
part_of(const Elf64_Shdr *s)
{
	if (s->sh_flags & SHF_EXECINSTR)
		return CODE;
	return s->sh_flags & SHF_WRITE ? DATA : CONSTANT;
}

/* a place of n bytes in a part; false: absurd */
static bool
place(struct load *l, enum part p, uint64_t n, uint64_t align, uint64_t *at)
{
	if (!align)
		align = 1;
	if ((align & (align - 1)) || align > 1 << 16 || n > 1ull << 40)
		return fail(l, "a section of absurd size or alignment");
	l->length[p] = (l->length[p] + align - 1) & ~(align - 1);
	*at = l->length[p];
	l->length[p] += n;
	return true;
}

static bool
place_sections(struct load *l)
{
	const Elf64_Shdr *s;
	size_t i;

	l->offset = calloc(l->nsection + 1, sizeof *l->offset);
	if (!l->offset)
		return fail(l, "out of memory");
	for (i = 0; i < l->nsection; i++) {
		s = &l->section[i];
		l->offset[i] = nowhere;
		if (s->sh_type != SHT_NOBITS && s->sh_type != SHT_NULL &&
		    !inside(l, s->sh_offset, s->sh_size))
			return fail(l, "a section beyond its end");
		if (s->sh_type == SHT_SYMTAB)
			l->symtab = s;
		if (!(s->sh_flags & SHF_ALLOC))
			continue;
		if (s->sh_flags & SHF_TLS)
			return fail(l, "thread-local variables");
		if (!place(l, part_of(s), s->sh_size, s->sh_addralign,
		    &l->offset[i]))
			return false;
	}
	return true;
}

/* the symbol table's own memory, and the names */
static bool
read_symbols(struct load *l)
{
	const Elf64_Shdr *s = l->symtab, *names;
	struct object *o = l->o;

	if (!s || s->sh_entsize != sizeof(Elf64_Sym) || s->sh_offset % 8 ||
	    s->sh_link >= l->nsection)
		return fail(l, "no symbol table");
	names = &l->section[s->sh_link];
	if (names->sh_type != SHT_STRTAB)
		return fail(l, "no names of symbols");
	o->nsymbol = s->sh_size / sizeof(Elf64_Sym);
	o->symbol = calloc(o->nsymbol + 1, sizeof *o->symbol);
	o->names = malloc(names->sh_size + 1);
	if (!o->symbol || !o->names)
		return fail(l, "out of memory");
	memcpy(o->names, l->data + names->sh_offset, names->sh_size);
	o->names[names->sh_size] = 0;
	return true;
}

static const Elf64_Sym *
symbols(const struct load *l)
{
	return (const Elf64_Sym *)(l->data + l->symtab->sh_offset);
}

/* names of symbols, places of the common ones, the stubs and the GOT */
static bool
place_symbols(struct load *l)
{
	const Elf64_Sym *s = symbols(l);
	size_t i, names = l->section[l->symtab->sh_link].sh_size;
	struct symbol *d = l->o->symbol;

	for (i = 0; i < l->o->nsymbol; i++) {
		if (s[i].st_name > names)
			return fail(l, "a name beyond its end");
		d[i].name = l->o->names + s[i].st_name;
		d[i].size = s[i].st_size;
		if (s[i].st_shndx == SHN_COMMON &&
		    !place(l, DATA, s[i].st_size, s[i].st_value, &d[i].value))
			return false;
	}
	return place(l, CODE, i * RELOC_STUB, 16, &l->stubs) &&
		place(l, CONSTANT, i * 8, 8, &l->got);
}

static bool
map(struct load *l)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int p;

	for (p = 0; p < NPART; p++) {
		l->start[p] = l->o->size;
		l->o->size += (l->length[p] + page - 1) & ~(page - 1);
	}
	if (!l->o->size)
		return fail(l, "empty");
	l->o->base = mmap(0, l->o->size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (l->o->base == MAP_FAILED) {
		l->o->base = 0;
		return fail(l, "out of memory");
	}
	return true;
}

static uint8_t *
at(const struct load *l, size_t section)
{
	return l->o->base + l->start[part_of(&l->section[section])] +
		l->offset[section];
}

static void
copy_sections(struct load *l)
{
	const Elf64_Shdr *s;
	size_t i;

	for (i = 0; i < l->nsection; i++) {
		s = &l->section[i];
		if (l->offset[i] != nowhere && s->sh_type != SHT_NOBITS)
			memcpy(at(l, i), l->data + s->sh_offset, s->sh_size);
	}
}

/* the address of symbol i, or false */
static bool
bind(struct load *l, size_t i, object_resolve *resolve, void *arg)
{
	const Elf64_Sym *s = &symbols(l)[i];
	struct symbol *d = &l->o->symbol[i];

	d->defined = true;
	if (s->st_shndx == SHN_ABS) {
		d->value = s->st_value;
	} else if (s->st_shndx == SHN_COMMON) {
		d->value += (uint64_t)(uintptr_t)l->o->base + l->start[DATA];
	} else if (s->st_shndx == SHN_UNDEF) {
		d->defined = false;
		if (!*d->name)
			return true;
		if (strcmp(d->name, "_GLOBAL_OFFSET_TABLE_") == 0)
			d->value = (uint64_t)(uintptr_t)l->o->base +
				l->start[CONSTANT] + l->got;
		else
			d->value = (uint64_t)(uintptr_t)resolve(arg, d->name);
		if (!d->value && ELF64_ST_BIND(s->st_info) != STB_WEAK)
			return fail(l, "\"%.90s\" is undefined", d->name);
	} else if (s->st_shndx >= l->nsection) {
		return fail(l, "a symbol in no section");
	} else if (l->offset[s->st_shndx] != nowhere) {
		if (s->st_value > l->section[s->st_shndx].sh_size ||
		    s->st_size > l->section[s->st_shndx].sh_size - s->st_value)
			return fail(l, "a symbol beyond its section");
		d->value = (uint64_t)(uintptr_t)at(l, s->st_shndx) +
			s->st_value;
	}
	return true;
}

static bool
bind_symbols(struct load *l, object_resolve *resolve, void *arg)
{
	uint8_t *got = l->o->base + l->start[CONSTANT] + l->got;
	uint8_t *stub = l->o->base + l->start[CODE] + l->stubs;
	size_t i;

	for (i = 0; i < l->o->nsymbol; i++) {
		if (!bind(l, i, resolve, arg))
			return false;
		memcpy(got + i * 8, &l->o->symbol[i].value, 8);
		reloc_stub(stub + i * RELOC_STUB, l->o->symbol[i].value);
	}
	return true;
}

static bool
relocate_one(struct load *l, const Elf64_Rela *r, size_t section)
{
	const struct reloc_info *info = reloc_find(ELF64_R_TYPE(r->r_info));
	size_t i = ELF64_R_SYM(r->r_info), n = l->section[section].sh_size;

	if (!info)
		return fail(l, "relocation of kind %u",
			(unsigned)ELF64_R_TYPE(r->r_info));
	if (i >= l->o->nsymbol || r->r_offset > n ||
	    info->bytes > n - r->r_offset)
		return fail(l, "a relocation beyond its section");
	if (!reloc_write(info, at(l, section) + r->r_offset,
	    l->o->symbol[i].value, r->r_addend, (uint64_t)(uintptr_t)
	    (l->o->base + l->start[CONSTANT] + l->got + i * 8),
	    (uint64_t)(uintptr_t)
	    (l->o->base + l->start[CODE] + l->stubs + i * RELOC_STUB)))
		return fail(l, "\"%.90s\" is too far away",
			l->o->symbol[i].name);
	return true;
}

static bool
relocate(struct load *l)
{
	const Elf64_Shdr *s;
	const Elf64_Rela *r;
	size_t i, k;

	for (i = 0; i < l->nsection; i++) {
		s = &l->section[i];
		if (s->sh_type == SHT_REL)
			return fail(l, "relocations without addends");
		if (s->sh_type != SHT_RELA)
			continue;
		if (s->sh_info >= l->nsection || s->sh_offset % 8)
			return fail(l, "relocations of no section");
		if (l->offset[s->sh_info] == nowhere ||
		    l->section[s->sh_info].sh_type == SHT_NOBITS)
			continue;
		r = (const Elf64_Rela *)(l->data + s->sh_offset);
		for (k = 0; k < s->sh_size / sizeof *r; k++)
			if (!relocate_one(l, &r[k], s->sh_info))
				return false;
	}
	return true;
}

static bool
protect(struct load *l)
{
	uint8_t *code = l->o->base + l->start[CODE];
	size_t ncode = l->start[CONSTANT] - l->start[CODE];
	size_t nconst = l->start[DATA] - l->start[CONSTANT];

	__builtin___clear_cache((char *)code, (char *)code + ncode);
	if ((ncode && mprotect(code, ncode, PROT_READ | PROT_EXEC)) ||
	    (nconst && mprotect(code + ncode, nconst, PROT_READ)))
		return fail(l, "its memory cannot be made executable");
	return true;
}

struct object *
object_load(const void *data, size_t size, object_resolve *resolve, void *arg,
	char why[128])
{
	struct load l = { .data = data, .size = size, .head = data,
		.why = why };
	bool ok;

	l.o = calloc(1, sizeof *l.o);
	if (!l.o) {
		fail(&l, "out of memory");
		return 0;
	}
	ok = read_head(&l) && place_sections(&l) && read_symbols(&l) &&
		place_symbols(&l) && map(&l);
	if (ok)
		copy_sections(&l);
	ok = ok && bind_symbols(&l, resolve, arg) && relocate(&l) &&
		protect(&l);
	free(l.offset);
	if (ok)
		return l.o;
	object_free(l.o);
	return 0;
}

void
object_free(struct object *o)
{
	if (!o)
		return;
	if (o->base)
		munmap(o->base, o->size);
	free(o->names);
	free(o->symbol);
	free(o);
}

void *
object_symbol(const struct object *o, const char *name, size_t *size)
{
	size_t i;

	for (i = 0; i < o->nsymbol; i++) {
		if (!o->symbol[i].defined || strcmp(o->symbol[i].name, name))
			continue;
		if (size)
			*size = o->symbol[i].size;
		return (void *)(uintptr_t)o->symbol[i].value;
	}
	return 0;
}
