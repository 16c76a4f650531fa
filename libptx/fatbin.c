/* fatbin.c - fat binaries, as nvcc embeds them in host objects.
 *
 * A header of 16 bytes, then entries: each a header of its own and an image,
 * PTX or ELF, for one architecture; stored plain, as an LZ4 block or as a
 * zstd frame.  A linked program's section holds several fat binaries.
 */
#include "link.h"
#include <lz4.h>
#include <string.h>
#include <zstd.h>

struct fatbin_header {
	uint32_t magic;
	uint16_t version, header_size;
	uint64_t size;
};

struct entry_header {
	uint16_t kind, version;
	uint32_t header_size;
	uint64_t padded_size;
	uint32_t packed_size, options_offset;
	uint16_t minor, major;
	uint32_t sm, name_offset, name_size;
	uint64_t flags, reserved, size;
};

_Static_assert(sizeof(struct fatbin_header) == 16, "fat binary header");
_Static_assert(sizeof(struct entry_header) == 64, "fat binary entry");

enum { MAGIC_LEN = 4, PACKED_LZ4 = 0x2000, PACKED_ZSTD = 0x8000 };

static const uint64_t max_size = 1 << 30; /* of an image, unpacked */

bool
fatbin_is(struct bytes b)
{
	return b.n >= sizeof(struct fatbin_header) &&
		!memcmp(b.p, "\x50\xed\x55\xba", MAGIC_LEN);
}

void
fatbin_open(struct fatbin *f, struct bytes b)
{
	*f = (struct fatbin){ .rest = b };
}

static void
skip(struct fatbin *f, size_t n)
{
	f->rest.p += n;
	f->rest.n -= n;
}

/* to the entries of the next fat binary; zeroes pad between two */
static enum found
next_header(struct fatbin *f)
{
	struct fatbin_header h;

	while (f->rest.n && !*f->rest.p)
		skip(f, 1);
	if (!f->rest.n)
		return FOUND_END;
	if (!fatbin_is(f->rest))
		return FOUND_DAMAGED;
	memcpy(&h, f->rest.p, sizeof h);
	if (h.header_size < sizeof h || h.header_size > f->rest.n ||
	    h.size > f->rest.n - h.header_size)
		return FOUND_DAMAGED;
	skip(f, h.header_size);
	f->left = h.size;
	return FOUND_ONE;
}

static bool
fits(const struct entry_header *h, size_t left)
{
	return h->header_size >= sizeof *h && h->header_size <= left &&
		h->padded_size <= left - h->header_size &&
		h->packed_size <= h->padded_size && h->size <= max_size;
}

enum found
fatbin_next(struct fatbin *f, struct fatbin_entry *e)
{
	struct entry_header h;
	enum found found;
	bool first;

	for (first = false; !f->left; first = true)
		if ((found = next_header(f)) != FOUND_ONE)
			return found;
	if (f->left < sizeof h)
		return FOUND_DAMAGED;
	memcpy(&h, f->rest.p, sizeof h);
	if (!fits(&h, f->left))
		return FOUND_DAMAGED;
	*e = (struct fatbin_entry){
		.kind = h.kind == 1 ? FATBIN_PTX :
			h.kind == 2 ? FATBIN_ELF : FATBIN_OTHER,
		.first = first,
		.sm = h.sm,
		.flags = h.flags,
		.stored = { f->rest.p + h.header_size, h.packed_size ?
			h.packed_size : h.padded_size },
		.size = h.size,
	};
	skip(f, h.header_size + h.padded_size);
	f->left -= h.header_size + h.padded_size;
	return FOUND_ONE;
}

static bool
unpack(const struct fatbin_entry *e, char *to)
{
	int n;

	if (e->flags & PACKED_ZSTD)
		return ZSTD_decompress(to, e->size, e->stored.p, e->stored.n)
			== e->size;
	n = LZ4_decompress_safe((const char *)e->stored.p, to, e->stored.n,
		e->size);
	return n >= 0 && (uint64_t)n == e->size;
}

struct bytes
fatbin_unpack(const struct fatbin_entry *e, struct arena *a)
{
	bool packed = e->flags & (PACKED_LZ4 | PACKED_ZSTD);
	size_t n = packed ? e->size : e->stored.n;
	char *to;

	to = NEWN(a, n + 1, char);
	if (!packed)
		memcpy(to, e->stored.p, n);
	else if (!unpack(e, to))
		return (struct bytes){0};
	return (struct bytes){ (unsigned char *)to, n };
}
