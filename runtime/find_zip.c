/* find_zip.c - zip files (APPNOTE 6.3), with the members' sizes of ZIP64.
 *
 * The central directory at the end counts; members are stored or deflated.
 */
#include "find.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
	ZIP_LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50,
	END64 = 0x06064b50, LOCATOR64 = 0x07064b50,
	END_SIZE = 22, CENTRAL_SIZE = 46, ZIP_LOCAL_SIZE = 30,
	STORED = 0, DEFLATED = 8, ENCRYPTED = 1, EXTRA64 = 1,
};

static uint64_t
get(const unsigned char *p, int n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

/* n bytes at offset, or 0 */
static const unsigned char *
at(struct bytes b, uint64_t offset, uint64_t n)
{
	return offset <= b.n && n <= b.n - offset ? b.p + offset : 0;
}

bool
zip_is(struct bytes b)
{
	return b.n >= 4 && (get(b.p, 4) == ZIP_LOCAL
		|| (b.n >= END_SIZE && get(b.p, 4) == END));
}

/* where the central directory is, and how many members it has */
static bool
directory(struct bytes b, uint64_t *offset, uint64_t *n)
{
	const unsigned char *p, *q;
	size_t k;

	for (k = END_SIZE; k <= b.n && k < END_SIZE + 65536; k++) {
		p = b.p + b.n - k;
		if (get(p, 4) != END)
			continue;
		*n = get(p + 10, 2);
		*offset = get(p + 16, 4);
		q = b.n - k >= 20 ? p - 20 : 0;
		if (q && get(q, 4) == LOCATOR64) {
			p = at(b, get(q + 8, 8), 56);
			if (!p || get(p, 4) != END64)
				return false;
			*n = get(p + 32, 8);
			*offset = get(p + 48, 8);
		}
		return true;
	}
	return false;
}

struct entry {
	unsigned flags, method;
	uint64_t packed, size, offset;
	char *name;
};

/* sizes of 32 bits that are all ones stand in the extra field */
static void
wide(struct entry *e, const unsigned char *p, size_t n)
{
	const unsigned char *end;
	size_t size;

	for (; n >= 4; p += 4 + size, n -= 4 + size) {
		size = (size_t)get(p + 2, 2);
		if (size > n - 4)
			return;
		if (get(p, 2) != EXTRA64)
			continue;
		end = p + 4 + size;
		p += 4;
		if (e->size == UINT32_MAX && end - p >= 8) {
			e->size = get(p, 8);
			p += 8;
		}
		if (e->packed == UINT32_MAX && end - p >= 8) {
			e->packed = get(p, 8);
			p += 8;
		}
		if (e->offset == UINT32_MAX && end - p >= 8)
			e->offset = get(p, 8);
		return;
	}
}

/* the entry at *offset of the directory, which then is that of the next */
static bool
entry(struct bytes b, uint64_t *offset, struct entry *e)
{
	const unsigned char *p, *rest;
	size_t name, extra, comment;

	p = at(b, *offset, CENTRAL_SIZE);
	if (!p || get(p, 4) != CENTRAL)
		return false;
	name = (size_t)get(p + 28, 2);
	extra = (size_t)get(p + 30, 2);
	comment = (size_t)get(p + 32, 2);
	rest = at(b, *offset + CENTRAL_SIZE, name + extra + comment);
	if (!rest)
		return false;
	*e = (struct entry){ (unsigned)get(p + 8, 2), (unsigned)get(p + 10, 2),
		get(p + 20, 4), get(p + 24, 4), get(p + 42, 4), 0 };
	wide(e, rest + name, extra);
	e->name = calloc(1, name + 1);
	if (e->name)
		memcpy(e->name, rest, name);
	*offset += CENTRAL_SIZE + name + extra + comment;
	return e->name != 0;
}

/* malloc'ed; 0: damaged */
static unsigned char *
inflated(const unsigned char *p, const struct entry *e)
{
	z_stream z = { 0 };
	unsigned char *out = malloc((size_t)e->size + 1);
	bool ok;

	if (!out || inflateInit2(&z, -MAX_WBITS) != Z_OK) {
		free(out);
		return 0;
	}
	z.next_in = (unsigned char *)p;
	z.avail_in = (unsigned)e->packed;
	z.next_out = out;
	z.avail_out = (unsigned)e->size;
	ok = inflate(&z, Z_FINISH) == Z_STREAM_END && !z.avail_out;
	inflateEnd(&z);
	if (ok)
		return out;
	free(out);
	return 0;
}

static void
member(struct bytes b, const struct entry *e, zip_fn *fn, void *arg)
{
	const unsigned char *p = at(b, e->offset, ZIP_LOCAL_SIZE);
	struct bytes none = { 0, 0 };
	unsigned char *data;

	if (p)
		p = at(b, e->offset + ZIP_LOCAL_SIZE + get(p + 26, 2)
			+ get(p + 28, 2), e->packed);
	if (!p) {
		fn(arg, e->name, none, "damaged zip file");
	} else if (e->flags & ENCRYPTED) {
		fn(arg, e->name, none, "encrypted");
	} else if (e->size > FIND_LIMIT || e->packed > FIND_LIMIT) {
		fn(arg, e->name, none, "more than 2 GB");
	} else if (e->method == STORED) {
		fn(arg, e->name, (struct bytes){ p, (size_t)e->packed }, 0);
	} else if (e->method != DEFLATED) {
		fn(arg, e->name, none, "an unknown compression");
	} else {
		data = inflated(p, e);
		fn(arg, e->name, (struct bytes){ data,
			data ? (size_t)e->size : 0 },
			data ? 0 : "damaged zip file");
		free(data);
	}
}

void
zip_read(struct bytes b, zip_fn *fn, void *arg)
{
	uint64_t offset, n;
	struct entry e;

	if (!directory(b, &offset, &n)) {
		fn(arg, "", (struct bytes){ 0, 0 }, "damaged zip file");
		return;
	}
	for (; n; n--) {
		if (!entry(b, &offset, &e)) {
			fn(arg, "", (struct bytes){ 0, 0 },
				"damaged zip file");
			return;
		}
		if (e.size || e.packed)
			member(b, &e, fn, arg);
		free(e.name);
	}
}
