#define _GNU_SOURCE /* memmem */
/* binary.c - an ELF program or library, read as it is on disk. */
#include "binary.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined __x86_64__
enum { MACHINE = EM_X86_64 };
#elif defined __aarch64__
enum { MACHINE = EM_AARCH64 };
#else
enum { MACHINE = EM_NONE };
#endif

/* n bytes of b from offset at; fewer or none: what there is */
static struct bytes
part(struct bytes b, uint64_t at, uint64_t n)
{
	if (at >= b.n)
		return (struct bytes){ 0, 0 };
	return (struct bytes){ b.p + at, n < b.n - at ? n : b.n - at };
}

static bool
header(const struct binary *o, unsigned i, Elf64_Phdr *h)
{
	struct bytes b = part(o->headers, (uint64_t)i * sizeof *h, sizeof *h);

	if (b.n < sizeof *h)
		return false;
	memcpy(h, b.p, sizeof *h);
	return true;
}

/* what is in the file for an address, up to the end of its segment */
static struct bytes
loaded(const struct binary *o, uint64_t address)
{
	Elf64_Phdr h;
	unsigned i;

	for (i = 0; i < o->nheader && header(o, i, &h); i++)
		if (h.p_type == PT_LOAD && address >= h.p_vaddr &&
		    address - h.p_vaddr < h.p_filesz)
			return part(part(o->file, h.p_offset, h.p_filesz),
				address - h.p_vaddr, h.p_filesz);
	return (struct bytes){ 0, 0 };
}

/* is all there that the loader maps? */
static bool
is_whole(const struct binary *o)
{
	Elf64_Phdr h;
	unsigned i;

	for (i = 0; i < o->nheader; i++)
		if (!header(o, i, &h) || (h.p_type == PT_LOAD &&
		    (h.p_offset > o->file.n ||
		    h.p_filesz > o->file.n - h.p_offset)))
			return false;
	return true;
}

/* 0: there is none there, or its end is missing */
static const char *
text(struct bytes table, uint64_t at)
{
	if (at >= table.n || !memchr(table.p + at, 0, table.n - at))
		return 0;
	return (const char *)table.p + at;
}

static struct bytes
dynamic(const struct binary *o)
{
	Elf64_Phdr h;
	unsigned i;

	for (i = 0; i < o->nheader && header(o, i, &h); i++)
		if (h.p_type == PT_DYNAMIC)
			return part(o->file, h.p_offset, h.p_filesz);
	return (struct bytes){ 0, 0 };
}

/* the i-th entry; false: the end */
static bool
entry(struct bytes table, size_t i, Elf64_Dyn *d)
{
	struct bytes b = part(table, i * sizeof *d, sizeof *d);

	if (b.n < sizeof *d)
		return false;
	memcpy(d, b.p, sizeof *d);
	return d->d_tag != DT_NULL;
}

/* The loader needs no number of symbols.  The section headers have it; else
 * the names usually come behind the symbols. */
static void
find_symbols(struct binary *o, uint64_t symbols, uint64_t names)
{
	struct elf_section s;
	struct bytes b;

	if (o->sections && elf_find(&o->elf, ".dynsym", &s)) {
		o->symbols = s.data;
		return;
	}
	b = loaded(o, symbols);
	if (names > symbols)
		o->symbols = part(b, 0, names - symbols);
}

static void
read_dynamic(struct binary *o)
{
	uint64_t names = 0, size = 0, symbols = 0;
	struct bytes table = dynamic(o);
	const char *s;
	Elf64_Dyn d;
	size_t i;

	for (i = 0; entry(table, i, &d); i++)
		if (d.d_tag == DT_STRTAB)
			names = d.d_un.d_ptr;
		else if (d.d_tag == DT_STRSZ)
			size = d.d_un.d_val;
		else if (d.d_tag == DT_SYMTAB)
			symbols = d.d_un.d_ptr;
	o->names = part(loaded(o, names), 0, size);
	for (i = 0; entry(table, i, &d); i++) {
		s = text(o->names, d.d_un.d_val);
		if (!s)
			continue;
		if (d.d_tag == DT_SONAME)
			o->soname = s;
		else if (d.d_tag == DT_RPATH)
			o->rpath = s;
		else if (d.d_tag == DT_RUNPATH)
			o->runpath = s;
		else if (d.d_tag == DT_NEEDED && o->nneeded < BINARY_NEEDED)
			o->needed[o->nneeded++] = s;
	}
	find_symbols(o, symbols, names);
}

static const char *
map(struct binary *o, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *p;

	if (fd < 0)
		return strerror(errno);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		p = MAP_FAILED;
	else
		p = mmap(0, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return "it cannot be read";
	o->file = (struct bytes){ p, (size_t)st.st_size };
	return 0;
}

const char *
binary_open(struct binary *o, const char *path)
{
	const char *why;
	Elf64_Ehdr e;

	memset(o, 0, sizeof *o);
	why = map(o, path);
	if (why)
		return why;
	if (!elf_is(o->file)) {
		binary_close(o);
		return "it is no ELF file of 64 bits";
	}
	o->sections = elf_open(&o->elf, o->file);
	memcpy(&e, o->file.p, sizeof e);
	if (e.e_phentsize == sizeof(Elf64_Phdr)) {
		o->headers = part(o->file, e.e_phoff,
			(uint64_t)e.e_phnum * e.e_phentsize);
		o->nheader = e.e_phnum;
	}
	if (!is_whole(o)) {
		binary_close(o);
		return "its end is missing";
	}
	read_dynamic(o);
	return 0;
}

void
binary_close(struct binary *o)
{
	if (o->file.p)
		munmap((void *)(uintptr_t)o->file.p, o->file.n);
	o->file.p = 0;
}

bool
binary_suits(const struct binary *o)
{
	Elf64_Ehdr e;

	memcpy(&e, o->file.p, sizeof e);
	return e.e_machine == MACHINE;
}

static void
symbols(struct bytes table, struct bytes names, bool defined, symbol_fn *fn,
	void *arg)
{
	const char *name;
	Elf64_Sym s;
	size_t at;

	for (at = sizeof s; at + sizeof s <= table.n; at += sizeof s) {
		memcpy(&s, table.p + at, sizeof s);
		if ((s.st_shndx != SHN_UNDEF) != defined)
			continue;
		if (defined && ELF64_ST_TYPE(s.st_info) != STT_FUNC)
			continue;
		name = text(names, s.st_name);
		if (name && *name)
			fn(arg, name, s.st_value, s.st_size);
	}
}

void
binary_undefined(const struct binary *o, symbol_fn *fn, void *arg)
{
	symbols(o->symbols, o->names, false, fn, arg);
}

void
binary_functions(const struct binary *o, symbol_fn *fn, void *arg)
{
	struct elf_section table, names;

	symbols(o->symbols, o->names, true, fn, arg);
	if (o->sections && elf_find(&o->elf, ".symtab", &table) &&
	    elf_find(&o->elf, ".strtab", &names))
		symbols(table.data, names.data, true, fn, arg);
}

struct search {
	const char *name;
	bool found;
};

static void
compare(void *arg, const char *name, uint64_t address, uint64_t size)
{
	struct search *s = arg;

	(void)address, (void)size;
	s->found |= strcmp(name, s->name) == 0;
}

bool
binary_defines(const struct binary *o, const char *name)
{
	struct search s = { name, false };

	binary_functions(o, compare, &s);
	return s.found;
}

bool
binary_has_section(const struct binary *o, const char *name)
{
	struct elf_section s;

	return o->sections && elf_find(&o->elf, name, &s);
}

static bool
is_word(unsigned char c)
{
	return isalnum(c) || c == '_' || c == '.' || c == '-';
}

void
binary_words(const struct binary *o, const char *prefix,
	void (*fn)(void *, const char *), void *arg)
{
	const unsigned char *p = o->file.p, *end = p + o->file.n, *q;
	size_t n = strlen(prefix);

	for (; (p = memmem(p, (size_t)(end - p), prefix, n)); p = q) {
		for (q = p + n; q < end && is_word(*q); q++)
			;
		if (q < end && !*q && (p == o->file.p || !p[-1]))
			fn(arg, (const char *)p);
	}
}
