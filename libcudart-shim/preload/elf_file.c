/* elf_file.c - sections, symbols and needed libraries of an ELF file.
 *
 * Everything that the file says of itself is checked before it is used.
 */
#include "elf_file.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* count records of size bytes at offset, or 0 */
static const void *
at(const struct elf_file *f, uint64_t offset, uint64_t count, uint64_t size)
{
	if (offset > f->size || offset % 8 ||
	    count > (f->size - offset) / (size ? size : 1))
		return 0;
	return f->data + offset;
}

static bool
read_sections(struct elf_file *f)
{
	const Elf64_Ehdr *e = at(f, 0, 1, sizeof *e);

	if (!e || memcmp(e->e_ident, ELFMAG, SELFMAG) ||
	    e->e_ident[EI_CLASS] != ELFCLASS64 || e->e_machine != EM_X86_64 ||
	    e->e_shentsize != sizeof *f->section)
		return false;
	f->nsection = e->e_shnum;
	f->section = at(f, e->e_shoff, f->nsection, sizeof *f->section);
	return f->section && e->e_shstrndx < f->nsection;
}

bool
elf_open(struct elf_file *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		p = MAP_FAILED;
	else
		p = mmap(0, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return false;
	f->data = p;
	f->size = (size_t)st.st_size;
	if (read_sections(f))
		return true;
	elf_close(f);
	return false;
}

void
elf_close(struct elf_file *f)
{
	munmap((void *)(uintptr_t)f->data, f->size);
}

/* a string of a table of strings; "": there is none */
static const char *
text(const struct elf_file *f, size_t table, uint64_t offset)
{
	const Elf64_Shdr *s = &f->section[table];

	if (table >= f->nsection || s->sh_type != SHT_STRTAB ||
	    s->sh_offset > f->size || s->sh_size > f->size - s->sh_offset ||
	    offset >= s->sh_size ||
	    f->data[s->sh_offset + s->sh_size - 1] != 0)
		return "";
	return f->data + s->sh_offset + offset;
}

const Elf64_Shdr *
elf_section(const struct elf_file *f, const char *name)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)f->data;
	size_t i;

	for (i = 1; i < f->nsection; i++)
		if (!strcmp(text(f, e->e_shstrndx, f->section[i].sh_name),
		    name))
			return &f->section[i];
	return 0;
}

bool
elf_needs(const struct elf_file *f, const char *library)
{
	const Elf64_Shdr *s = elf_section(f, ".dynamic");
	const Elf64_Dyn *d;
	size_t i, n;

	if (!s)
		return false;
	n = s->sh_size / sizeof *d;
	d = at(f, s->sh_offset, n, sizeof *d);
	for (i = 0; d && i < n; i++)
		if (d[i].d_tag == DT_NEEDED && !strncmp(text(f, s->sh_link,
		    d[i].d_un.d_val), library, strlen(library)))
			return true;
	return false;
}

static void
table_functions(const struct elf_file *f, const Elf64_Shdr *s,
	void (*call)(void *, const char *, uint64_t, uint64_t), void *arg)
{
	const size_t n = s->sh_size / sizeof(Elf64_Sym);
	const Elf64_Sym *y = at(f, s->sh_offset, n, sizeof *y);
	size_t i;

	for (i = 0; y && i < n; i++)
		if (ELF64_ST_TYPE(y[i].st_info) == STT_FUNC &&
		    y[i].st_shndx != SHN_UNDEF && y[i].st_value)
			call(arg, text(f, s->sh_link, y[i].st_name),
				y[i].st_value, y[i].st_size);
}

void
elf_functions(const struct elf_file *f,
	void (*call)(void *, const char *, uint64_t, uint64_t), void *arg)
{
	size_t i;

	for (i = 1; i < f->nsection; i++)
		if (f->section[i].sh_type == SHT_SYMTAB ||
		    f->section[i].sh_type == SHT_DYNSYM)
			table_functions(f, &f->section[i], call, arg);
}

static bool
table_imports(const struct elf_file *f, const Elf64_Shdr *s, const char *name)
{
	const size_t n = s->sh_size / sizeof(Elf64_Sym);
	const Elf64_Sym *y = at(f, s->sh_offset, n, sizeof *y);
	size_t i;

	for (i = 1; y && i < n; i++)
		if (y[i].st_shndx == SHN_UNDEF &&
		    !strcmp(text(f, s->sh_link, y[i].st_name), name))
			return true;
	return false;
}

bool
elf_imports(const struct elf_file *f, const char *name)
{
	size_t i;

	for (i = 1; i < f->nsection; i++)
		if (f->section[i].sh_type == SHT_DYNSYM &&
		    table_imports(f, &f->section[i], name))
			return true;
	return false;
}
