/* elf.c - the sections of a 64-bit little-endian ELF file.
 *
 * Every offset comes from the file and is checked before it is used; the
 * reader says "damaged" and never looks outside the bytes it was given.
 */
#include "link.h"
#include <elf.h>
#include <string.h>

bool
elf_is(struct bytes b)
{
	return b.n >= sizeof(Elf64_Ehdr) && !memcmp(b.p, ELFMAG, SELFMAG) &&
		b.p[EI_CLASS] == ELFCLASS64 && b.p[EI_DATA] == ELFDATA2LSB;
}

/* n bytes of b from offset at */
static bool
part(struct bytes b, uint64_t at, uint64_t n, struct bytes *out)
{
	if (at > b.n || n > b.n - at)
		return false;
	*out = (struct bytes){ b.p + at, n };
	return true;
}

static bool
header(const struct elf *e, size_t i, Elf64_Shdr *h)
{
	if (i >= e->nsection)
		return false;
	memcpy(h, e->headers.p + i * sizeof *h, sizeof *h);
	return true;
}

bool
elf_open(struct elf *e, struct bytes file)
{
	Elf64_Ehdr h;
	Elf64_Shdr s;

	*e = (struct elf){ .file = file };
	memcpy(&h, file.p, sizeof h);
	e->type = h.e_type;
	e->machine = h.e_machine;
	e->flags = h.e_flags;
	if (!h.e_shnum)
		return h.e_shoff == 0;
	if (h.e_shentsize != sizeof s || !part(file, h.e_shoff,
	    (uint64_t)h.e_shnum * sizeof s, &e->headers))
		return false;
	e->nsection = h.e_shnum;
	return header(e, h.e_shstrndx, &s) &&
		part(file, s.sh_offset, s.sh_size, &e->names) &&
		e->names.n && !e->names.p[e->names.n - 1];
}

bool
elf_section(const struct elf *e, size_t i, struct elf_section *out)
{
	Elf64_Shdr s;

	if (!header(e, i, &s) || s.sh_name >= e->names.n)
		return false;
	*out = (struct elf_section){
		.name = (const char *)e->names.p + s.sh_name,
	};
	return s.sh_type == SHT_NOBITS || s.sh_type == SHT_NULL ||
		part(e->file, s.sh_offset, s.sh_size, &out->data);
}

bool
elf_find(const struct elf *e, const char *name, struct elf_section *s)
{
	size_t i;

	for (i = 0; i < e->nsection && elf_section(e, i, s); i++)
		if (!strcmp(s->name, name))
			return true;
	return false;
}
