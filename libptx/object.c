/* object.c - relocatable objects: ELF files that carry checked PTX.
 *
 * The sections .ptxamd.* are those of a portable image (image.h).  Beside
 * them stands a symbol table, so that nm, ar and readelf show what a module
 * defines and what it lacks; its symbols lie in empty sections of the usual
 * names.  NVIDIA's fatbinary takes an ELF file for a cubin by machine, OS ABI
 * and the bits 8 to 15 of the flags.
 */
#include "link.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	OSABI_AMDHSA = 64, OSABI_CUDA = 0x41,
	MACHINE_CUDA = 190, MACHINE_AMDGPU = 224,
};

enum {
	SEC_NULL, SEC_TEXT, SEC_DATA, SEC_RODATA, SEC_SHARED, SEC_VERSION,
	SEC_OPTIONS, SEC_PTX, SEC_SYMTAB, SEC_STRTAB, SEC_NAMES, NSEC
};

static const struct section_row {
	const char *name;
	uint32_t type;
	uint64_t flags, align;
} section_row[NSEC] = {
	[SEC_NULL]    = { "", SHT_NULL, 0, 0 },
	[SEC_TEXT]    = { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 1 },
	[SEC_DATA]    = { ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 1 },
	[SEC_RODATA]  = { ".rodata", SHT_PROGBITS, SHF_ALLOC, 1 },
	[SEC_SHARED]  = { ".shared", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 1 },
	[SEC_VERSION] = { ".ptxamd.version", SHT_PROGBITS, 0, 1 },
	[SEC_OPTIONS] = { ".ptxamd.options", SHT_PROGBITS, 0, 1 },
	[SEC_PTX]     = { ".ptxamd.ptx", SHT_PROGBITS, 0, 1 },
	[SEC_SYMTAB]  = { ".symtab", SHT_SYMTAB, 0, 8 },
	[SEC_STRTAB]  = { ".strtab", SHT_STRTAB, 0, 1 },
	[SEC_NAMES]   = { ".shstrtab", SHT_STRTAB, 0, 1 },
};

/* the symbols of a module */

struct symbols {
	struct globals table;
	Elf64_Sym *sym;
	size_t n;
	FILE *names;
};

static unsigned
binding(const struct sym *s)
{
	if (s->linkage & LINK_WEAK)
		return STB_WEAK;
	return s->linkage ? STB_GLOBAL : STB_LOCAL;
}

static uint16_t
home(const struct sym *s)
{
	if (s->kind == SYM_FUNC)
		return SEC_TEXT;
	if (s->linkage & LINK_COMMON)
		return SHN_COMMON;
	return s->space == CONST ? SEC_RODATA :
		s->space == SHARED ? SEC_SHARED : SEC_DATA;
}

static void
symbol(struct symbols *t, const struct sym *s, bool defined, unsigned bind)
{
	unsigned type = s->kind == SYM_FUNC ? STT_FUNC : STT_OBJECT;
	Elf64_Sym *e;

	if (bind != (defined ? binding(s) : STB_GLOBAL))
		return;
	e = &t->sym[t->n++];
	e->st_name = ftell(t->names);
	e->st_info = ELF64_ST_INFO(bind, type);
	e->st_shndx = defined ? home(s) : SHN_UNDEF;
	if (s->kind == SYM_VAR)
		e->st_size = s->u.var->size;
	if (e->st_shndx == SHN_COMMON)
		e->st_value = s->u.var->align ? s->u.var->align : 1;
	fprintf(t->names, "%s%c", s->name->text, 0);
}

static size_t
note_names(struct globals *t, const struct ptx *x)
{
	struct link_walk w = { .item = x->item };
	struct sym *s;

	while ((s = link_walk(&w)))
		if (w.defined)
			globals_at(t, s->name)->def = s;
		else
			globals_at(t, s->name)->decl = s;
	return t->len;
}

/* those of one binding, each name once, in the order of the text */
static void
add_symbols(struct symbols *t, const struct ptx *x, unsigned bind)
{
	struct link_walk w = { .item = x->item };
	struct global *g;
	struct sym *s;

	while ((s = link_walk(&w))) {
		g = globals_find(&t->table, s->name);
		if (w.defined || !g->def)
			symbol(t, s, w.defined, bind);
	}
}
