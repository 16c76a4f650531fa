/* elf.c - the sections of a 64-bit little-endian ELF file.
 *
 * Every offset comes from the file and is checked before it is used; the
 * reader says "damaged" and never looks outside the bytes it was given.
 */
#include "link.h"
#include "elf_format.h"
#include <string.h>

bool
elf_is(struct bytes b)
{
	return b.n >= sizeof(struct elf_header) &&
		!memcmp(b.p, "\177ELF\2\1", 6);
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
header(const struct elf *e, size_t i, struct elf_section_header *h)
{
	if (i >= e->nsection)
		return false;
	memcpy(h, e->headers.p + i * sizeof *h, sizeof *h);
	return true;
}

bool
elf_open(struct elf *e, struct bytes file)
{
	struct elf_header h;
	struct elf_section_header s;

	*e = (struct elf){ .file = file };
	memcpy(&h, file.p, sizeof h);
	e->type = h.type;
	e->machine = h.machine;
	if (!h.shnum)
		return h.shoff == 0;
	if (h.shentsize != sizeof s || !part(file, h.shoff,
	    (uint64_t)h.shnum * sizeof s, &e->headers))
		return false;
	e->nsection = h.shnum;
	return header(e, h.shstrndx, &s) &&
		part(file, s.offset, s.size, &e->names) &&
		e->names.n && !e->names.p[e->names.n - 1];
}

bool
elf_section(const struct elf *e, size_t i, struct elf_section *out)
{
	struct elf_section_header s;

	if (!header(e, i, &s) || s.name >= e->names.n)
		return false;
	*out = (struct elf_section){
		.name = (const char *)e->names.p + s.name,
		.type = s.type,
		.flags = s.flags,
	};
	return s.type == ELF_NOBITS || s.type == ELF_NULL ||
		part(e->file, s.offset, s.size, &out->data);
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
