/* archive.c - the members of an ar archive: GNU, BSD and thin ones.
 *
 * Names of 16 characters and more stand in a member "//" (GNU) or in front
 * of the data (BSD, "#1/LEN").  A thin archive holds only names.  Symbol
 * indexes are skipped: device symbols are not in them.
 */
#include "link.h"
#include <string.h>

struct ar_header {
	char name[16], date[12], uid[6], gid[6], mode[8], size[10], end[2];
};

enum { MAGIC_LEN = 8 };

bool
archive_is(struct bytes b)
{
	return b.n >= MAGIC_LEN && (!memcmp(b.p, "!<arch>\n", MAGIC_LEN) ||
		!memcmp(b.p, "!<thin>\n", MAGIC_LEN));
}

void
archive_open(struct archive *a, struct bytes b)
{
	*a = (struct archive){
		.rest = { b.p + MAGIC_LEN, b.n - MAGIC_LEN },
		.thin = b.p[2] == 't',
	};
}

static struct bytes
take(struct bytes *from, size_t n)
{
	struct bytes b = { from->p, n };

	from->p += n;
	from->n -= n;
	return b;
}

/* a decimal field, padded with blanks; false: it is none */
static bool
number(const char *s, size_t n, size_t *v)
{
	*v = 0;
	for (; n && *s >= '0' && *s <= '9'; s++, n--)
		*v = 10 * *v + (*s - '0');
	return !n || *s == ' ';
}

static const char *
copy(struct arena *a, const void *p, size_t n)
{
	return memcpy(NEWN(a, n + 1, char), p, n);
}

/* "/123": a name of the member "//", up to a slash and a line end */
static const char *
long_name(const struct archive *ar, struct arena *a, size_t at)
{
	const unsigned char *s, *end;

	if (at >= ar->names.n)
		return 0;
	s = ar->names.p + at;
	end = memchr(s, '\n', ar->names.n - at);
	if (!end)
		return 0;
	if (end > s && end[-1] == '/')
		end--;
	return copy(a, s, end - s);
}

static size_t
short_length(const struct ar_header *h)
{
	size_t n = sizeof h->name;

	while (n && h->name[n - 1] == ' ')
		n--;
	return n > 1 && h->name[n - 1] == '/' ? n - 1 : n;
}

static bool
is_index(const struct ar_header *h)
{
	return !memcmp(h->name, "/ ", 2) || !memcmp(h->name, "/SYM64/", 7);
}

/* the name of a member; BSD takes it off the data */
static bool
name_member(const struct archive *ar, struct arena *a,
	const struct ar_header *h, struct member *m)
{
	size_t n;

	if (h->name[0] == '/') {
		if (!number(h->name + 1, sizeof h->name - 1, &n))
			return false;
		m->name = long_name(ar, a, n);
		return m->name;
	}
	if (memcmp(h->name, "#1/", 3)) {
		m->name = copy(a, h->name, short_length(h));
		return true;
	}
	if (!number(h->name + 3, sizeof h->name - 3, &n) || n > m->data.n)
		return false;
	m->name = copy(a, take(&m->data, n).p, n);
	return true;
}

enum found
archive_next(struct archive *ar, struct arena *a, struct member *m)
{
	struct ar_header h;
	bool names, inside;
	size_t n;

	for (;;) {
		if (ar->rest.n < sizeof h)
			return ar->rest.n ? FOUND_DAMAGED : FOUND_END;
		memcpy(&h, take(&ar->rest, sizeof h).p, sizeof h);
		if (memcmp(h.end, "`\n", 2) ||
		    !number(h.size, sizeof h.size, &n))
			return FOUND_DAMAGED;
		names = !memcmp(h.name, "// ", 3);
		inside = !ar->thin || names || is_index(&h);
		if (inside && n > ar->rest.n)
			return FOUND_DAMAGED;
		*m = (struct member){ .outside = !inside };
		if (inside)
			m->data = take(&ar->rest, n);
		if (inside && n & 1 && ar->rest.n)
			take(&ar->rest, 1);
		if (names)
			ar->names = m->data;
		if (names || is_index(&h))
			continue;
		if (!name_member(ar, a, &h, m))
			return FOUND_DAMAGED;
		if (strncmp(m->name, "__.SYMDEF", 9))
			return FOUND_ONE;
	}
}
