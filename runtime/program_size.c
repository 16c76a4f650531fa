/* program_size.c - how long is what cuModuleLoadData is given?
 *
 * The caller passes an address alone.  Whoever damaged the headers there
 * makes us read beyond the end, so what they say is at least plausible, and
 * there is memory where they point, before it is followed.
 */
#include "program_int.h"
#include "image_int.h"
#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const uint64_t max_size = (uint64_t)1 << 32;

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* is there memory from at on? */
static bool
is_mapped(const unsigned char *at, uint64_t size)
{
	unsigned char page[1024]; /* of a MB or more */
	uintptr_t unit = (uintptr_t)sysconf(_SC_PAGESIZE), p, n;
	uintptr_t end = (uintptr_t)at + size;

	for (p = (uintptr_t)at & ~(unit - 1); p < end; p += n) {
		n = end - p < sizeof page * unit ? end - p :
			sizeof page * unit;
		if (mincore((void *)p, n, page))
			return false;
	}
	return true;
}

static uint64_t
elf_size(const unsigned char *p)
{
	uint64_t size, end;
	Elf64_Ehdr h;
	Elf64_Shdr s;
	unsigned i;

	memcpy(&h, p, sizeof h);
	if (h.e_shoff > max_size || h.e_phoff > max_size ||
	    (h.e_shnum && h.e_shentsize != sizeof s) ||
	    !is_mapped(p + h.e_shoff, h.e_shnum * sizeof s))
		return 0;
	size = larger(sizeof h, h.e_shoff +
		(uint64_t)h.e_shnum * h.e_shentsize);
	size = larger(size, h.e_phoff + (uint64_t)h.e_phnum * h.e_phentsize);
	for (i = 0; i < h.e_shnum; i++) {
		memcpy(&s, p + h.e_shoff + i * sizeof s, sizeof s);
		end = s.sh_offset + s.sh_size;
		if (s.sh_type == SHT_NOBITS || s.sh_type == SHT_NULL)
			continue;
		if (end < s.sh_size || end > max_size)
			return 0;
		size = larger(size, end);
	}
	return size;
}

static uint64_t
bundle_size(const unsigned char *p)
{
	uint64_t n, v[3], size, at = MAGIC_SIZE + sizeof n;

	memcpy(&n, p + MAGIC_SIZE, sizeof n);
	if (n > 1024)
		return 0;
	for (size = at; n--; at += sizeof v + v[2]) {
		if (!is_mapped(p + at, sizeof v))
			return 0;
		memcpy(v, p + at, sizeof v);
		if (v[0] > max_size || v[1] > max_size || v[2] > 1024)
			return 0;
		size = larger(size, v[0] + v[1]);
	}
	return larger(size, at);
}

static uint64_t
fatbin_size(const unsigned char *p)
{
	uint16_t head;
	uint64_t size;

	memcpy(&head, p + 6, sizeof head);
	memcpy(&size, p + 8, sizeof size);
	return size > max_size ? 0 : head + size;
}

static bool
begins(const unsigned char *data, const char *magic, size_t n)
{
	/* byte by byte: text may end before the magic does */
	return !strncmp((const char *)data, magic, n);
}

/* what the headers say; 0: they cannot be */
static uint64_t
stated_size(const unsigned char *p)
{
	if (begins(p, "\x50\xed\x55\xba", 4))
		return fatbin_size(p);
	if (begins(p, ELFMAG, SELFMAG))
		return p[EI_CLASS] == ELFCLASS64 ? elf_size(p) : 0;
	if (begins(p, BUNDLE_MAGIC, MAGIC_SIZE))
		return bundle_size(p);
	return strlen((const char *)p);
}

size_t
program_size(const void *data)
{
	uint64_t size = stated_size(data);

	return is_mapped(data, size) ? size : 0;
}
