/* hip_patch.c - addresses of variables, written into a kernel's image.
 *
 * A kernel's image has a word for each variable that it uses, of the name
 * EMIT_AT and the variable's (include/emit.h), which says where that is.  The
 * image comes from a file, so that every offset is checked.
 */
#include "hip_int.h"

#include <elf.h>
#include <string.h>

static const char at[] = "ptxamd.at.";

struct image {
	uint8_t *data;
	size_t size;
	const Elf64_Shdr *section;
	size_t n;
};

static bool
inside(const struct image *i, uint64_t from, uint64_t n)
{
	return from <= i->size && n <= i->size - from;
}

static bool
open_image(struct image *i)
{
	const Elf64_Ehdr *h = (const void *)i->data;

	if (i->size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 ||
	    h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_shoff % 8 ||
	    h->e_shentsize != sizeof(Elf64_Shdr) ||
	    !inside(i, h->e_shoff, (uint64_t)h->e_shnum * sizeof *i->section))
		return false;
	i->section = (const void *)(i->data + h->e_shoff);
	i->n = h->e_shnum;
	return true;
}

/* where a symbol's word is in the file; 0: nowhere */
static uint8_t *
word(const struct image *i, const Elf64_Sym *s)
{
	const Elf64_Shdr *to;
	uint64_t off;

	if (s->st_shndx >= i->n || s->st_size != 8)
		return 0;
	to = &i->section[s->st_shndx];
	off = s->st_value - to->sh_addr;
	if (to->sh_type != SHT_PROGBITS || s->st_value < to->sh_addr ||
	    off > to->sh_size || to->sh_size - off < 8 ||
	    !inside(i, to->sh_offset, to->sh_size))
		return 0;
	return i->data + to->sh_offset + off;
}

static bool
patch(const struct image *i, const Elf64_Sym *s, const char *name,
	uint64_t (*find)(void *, const char *), void *arg)
{
	uint64_t v;
	uint8_t *p;

	if (strncmp(name, at, sizeof at - 1) != 0)
		return true;
	p = word(i, s);
	v = p ? find(arg, name + sizeof at - 1) : 0;
	if (v)
		memcpy(p, &v, sizeof v);
	return v != 0;
}

static bool
patch_table(const struct image *i, const Elf64_Shdr *t,
	uint64_t (*find)(void *, const char *), void *arg)
{
	const Elf64_Shdr *names;
	const Elf64_Sym *s;
	const char *text;
	size_t k;

	if (t->sh_link >= i->n || t->sh_offset % 8 ||
	    t->sh_entsize != sizeof *s || !inside(i, t->sh_offset, t->sh_size))
		return false;
	names = &i->section[t->sh_link];
	if (!inside(i, names->sh_offset, names->sh_size) || !names->sh_size)
		return false;
	text = (const char *)i->data + names->sh_offset;
	if (text[names->sh_size - 1])
		return false;
	s = (const void *)(i->data + t->sh_offset);
	for (k = 0; k < t->sh_size / sizeof *s; k++)
		if (s[k].st_name >= names->sh_size ||
		    !patch(i, &s[k], text + s[k].st_name, find, arg))
			return false;
	return true;
}

bool
hip_patch(void *data, size_t size, uint64_t (*find)(void *, const char *),
	void *arg)
{
	struct image i = { .data = data, .size = size };
	size_t k;

	if (!open_image(&i))
		return false;
	for (k = 0; k < i.n; k++)
		if (i.section[k].sh_type == SHT_DYNSYM)
			return patch_table(&i, &i.section[k], find, arg);
	return false;
}
