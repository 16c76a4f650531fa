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
		if (g->wanted || (g->def && !w.defined) ||
		    bind != (w.defined ? binding(s) : STB_GLOBAL))
			continue;
		g->wanted = true;
		symbol(t, s, w.defined, bind);
	}
}

/* the file */

struct writer {
	FILE *f;
	Elf64_Shdr header[NSEC];
};

static void
section(struct writer *w, unsigned k, const void *data, size_t n)
{
	Elf64_Shdr *h = &w->header[k];

	while (ftell(w->f) % section_row[k].align)
		putc(0, w->f);
	h->sh_offset = ftell(w->f);
	h->sh_size = n;
	fwrite(data, 1, n, w->f);
}

static void
symbols(struct writer *w, const struct ptx *x)
{
	struct symbols t = {0};
	char *names;
	size_t n;

	t.sym = calloc(note_names(&t.table, x) + 1, sizeof *t.sym);
	t.names = open_memstream(&names, &n);
	if (!t.sym || !t.names)
		abort();
	t.n = 1;
	putc(0, t.names);
	add_symbols(&t, x, STB_LOCAL);
	w->header[SEC_SYMTAB].sh_info = t.n;
	add_symbols(&t, x, STB_GLOBAL);
	add_symbols(&t, x, STB_WEAK);
	if (fclose(t.names))
		abort();
	section(w, SEC_SYMTAB, t.sym, t.n * sizeof *t.sym);
	section(w, SEC_STRTAB, names, n);
	w->header[SEC_SYMTAB].sh_link = SEC_STRTAB;
	w->header[SEC_SYMTAB].sh_entsize = sizeof *t.sym;
	globals_free(&t.table);
	free(t.sym);
	free(names);
}

static void
section_headers(struct writer *w)
{
	Elf64_Shdr *h;
	size_t k;

	h = &w->header[SEC_NAMES];
	h->sh_offset = ftell(w->f);
	for (k = 0; k < NSEC; k++) {
		w->header[k].sh_name = ftell(w->f) - h->sh_offset;
		w->header[k].sh_type = section_row[k].type;
		w->header[k].sh_flags = section_row[k].flags;
		w->header[k].sh_addralign = section_row[k].align;
		fprintf(w->f, "%s%c", section_row[k].name, 0);
	}
	h->sh_size = ftell(w->f) - h->sh_offset;
	while (ftell(w->f) % sizeof(Elf64_Xword))
		putc(0, w->f);
	fwrite(w->header, sizeof w->header, 1, w->f);
}

static Elf64_Ehdr
file_header(unsigned sm, size_t size)
{
	Elf64_Ehdr h = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			ELFDATA2LSB, EV_CURRENT, sm ? OSABI_CUDA :
			OSABI_AMDHSA },
		.e_type = ET_REL,
		.e_machine = sm ? MACHINE_CUDA : MACHINE_AMDGPU,
		.e_version = EV_CURRENT,
		.e_shoff = size - NSEC * sizeof(Elf64_Shdr),
		.e_flags = sm << 8,
		.e_ehsize = sizeof h,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = NSEC,
		.e_shstrndx = SEC_NAMES,
	};

	return h;
}

struct blob
object_make(const struct ptx *x, const struct object *o)
{
	struct writer w = {0};
	struct blob b = {0};
	char *data = 0;
	Elf64_Ehdr h = {0};

	w.f = open_memstream(&data, &b.size);
	if (!w.f)
		return b;
	fwrite(&h, sizeof h, 1, w.f);
	section(&w, SEC_VERSION, "1", 1);
	section(&w, SEC_OPTIONS, o->options, strlen(o->options));
	putc(0, w.f);
	section(&w, SEC_PTX, o->ptx.p, o->ptx.n);
	putc(0, w.f);
	symbols(&w, x);
	section_headers(&w);
	if (fclose(w.f)) {
		free(data);
		return (struct blob){0};
	}
	h = file_header(o->sm, b.size);
	memcpy(data, &h, sizeof h);
	b.data = data;
	return b;
}

/* a section that a zero byte follows */
static bool
text_section(const struct elf *e, unsigned k, struct bytes *text)
{
	const unsigned char *end;
	struct elf_section s;

	if (!elf_find(e, section_row[k].name, &s) || !s.data.p)
		return false;
	*text = s.data;
	end = s.data.p + s.data.n;
	return end < e->file.p + e->file.n && !*end;
}

bool
object_read(const struct elf *e, struct object *o)
{
	struct bytes options;

	*o = (struct object){ .options = "" };
	if (!text_section(e, SEC_PTX, &o->ptx))
		return false;
	if (text_section(e, SEC_OPTIONS, &options))
		o->options = (const char *)options.p;
	if (e->machine == MACHINE_CUDA)
		o->sm = e->flags >> 8 & 0xff;
	return true;
}
