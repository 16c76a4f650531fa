/* program_size.c - how long is what cuModuleLoadData is given?
 *
 * The caller passes an address alone.  Whoever damaged the headers there
 * makes us read beyond the end, so what they say is at least plausible
 * before it is followed.
 */
#include "program_int.h"
#include "image_int.h"
#include <elf.h>
#include <string.h>

static const uint64_t max_size = (uint64_t)1 << 32;

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
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
	    (h.e_shnum && h.e_shentsize != sizeof s))
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
begins(const void *data, const char *magic, size_t n)
{
	/* byte by byte: text may end before the magic does */
	return !strncmp(data, magic, n);
}

size_t
program_size(const void *data)
{
	const unsigned char *p = data;

	if (begins(data, "\x50\xed\x55\xba", 4))
		return fatbin_size(p);
	if (begins(data, ELFMAG, SELFMAG))
		return p[EI_CLASS] == ELFCLASS64 ? elf_size(p) : 0;
	if (begins(data, BUNDLE_MAGIC, MAGIC_SIZE))
		return bundle_size(p);
	return strlen(data);
}
