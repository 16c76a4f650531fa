/* trace_value.c - arguments, by the spelling of their types.
 *
 * Programs hand over what they like; so memory of theirs is read by way of
 * the kernel, which says where there is none.
 */
#define _GNU_SOURCE /* process_vm_readv */
#include "trace.h"
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { TEXT_MOST = 60 };

/* size bytes that may lie in two pages; how many could be read */
static size_t
peek(void *to, const void *from, size_t size)
{
	uintptr_t at = (uintptr_t)from;
	size_t first = 4096 - at % 4096;
	struct iovec mine = { to, size }, theirs[2];
	ssize_t n;

	if (first > size)
		first = size;
	theirs[0] = (struct iovec){ (void *)at, first };
	theirs[1] = (struct iovec){ (void *)(at + first), size - first };
	n = process_vm_readv(getpid(), &mine, 1, theirs, 2, 0);
	if (n < 0 && (errno == ENOSYS || errno == EPERM)) {
		/* nobody asks for us: as good as it gets */
		memcpy(to, from, size);
		return size;
	}
	return n > 0 ? (size_t)n : 0;
}

bool
trace_peek(void *to, const void *from, size_t size)
{
	return peek(to, from, size) == size;
}

static const struct trace_type base_list[] = {
	{ "int", TRACE_SIGNED, sizeof(int), 0, 0, 0, 0 },
	{ "long", TRACE_SIGNED, sizeof(long), 0, 0, 0, 0 },
	{ "long long", TRACE_SIGNED, sizeof(long long), 0, 0, 0, 0 },
	{ "char", TRACE_SIGNED, sizeof(char), 0, 0, 0, 0 },
	{ "unsigned", TRACE_UNSIGNED, sizeof(int), 0, 0, 0, 0 },
	{ "unsigned int", TRACE_UNSIGNED, sizeof(int), 0, 0, 0, 0 },
	{ "unsigned char", TRACE_UNSIGNED, 1, 0, 0, 0, 0 },
	{ "unsigned short", TRACE_UNSIGNED, sizeof(short), 0, 0, 0, 0 },
	{ "unsigned long", TRACE_UNSIGNED, sizeof(long), 0, 0, 0, 0 },
	{ "unsigned long long", TRACE_UNSIGNED, 8, 0, 0, 0, 0 },
	{ "size_t", TRACE_UNSIGNED, sizeof(size_t), 0, 0, 0, 0 },
	{ "uint32_t", TRACE_UNSIGNED, 4, 0, 0, 0, 0 },
	{ "uint64_t", TRACE_UNSIGNED, 8, 0, 0, 0, 0 },
	{ "float", TRACE_FLOAT, sizeof(float), 0, 0, 0, 0 },
	{ "double", TRACE_FLOAT, sizeof(double), 0, 0, 0, 0 },
	/* before what the header says it is */
	{ "CUdeviceptr", TRACE_HEX, 8, 0, 0, 0, 0 },
};

static const struct trace_type *
find(const struct trace_type *list, size_t n, const char *name)
{
	for (; n--; list++)
		if (!strcmp(list->name, name))
			return list;
	return 0;
}

/* of a name without "const" and stars; 0: nobody knows it */
static const struct trace_type *
type_of(const struct trace_lib *lib, const char *name)
{
	const struct trace_type *t;
	int turns;

	for (turns = 0; name && turns < 8; turns++) {
		t = find(base_list, sizeof base_list / sizeof *base_list,
			name);
		if (!t)
			t = find(lib->type, lib->ntype, name);
		if (!t || t->what != TRACE_ALIAS)
			return t;
		name = t->alias;
	}
	return 0;
}

/* a spelling taken apart: "const char **" */
struct spelling {
	char base[100];
	int stars;
	bool is_const;       /* what the last star leads to */
};

static struct spelling
spell(const char *type)
{
	struct spelling s = { .stars = 0 };
	const char *star, *end;
	size_t n;

	s.is_const = !strncmp(type, "const ", 6);
	if (s.is_const)
		type += 6;
	end = strchr(type, '*');
	for (star = end; star && *star; star++)
		s.stars += *star == '*';
	n = end ? (size_t)(end - type) : strlen(type);
	while (n && type[n - 1] == ' ')
		n--;
	if (n >= sizeof s.base)
		n = sizeof s.base - 1;
	memcpy(s.base, type, n);
	s.is_const &= s.stars == 1;
	return s;
}

static long long
number(const void *value, size_t size, bool is_signed)
{
	long long v = 0;

	memcpy(&v, value, size < sizeof v ? size : sizeof v);
	if (is_signed && size < sizeof v)
		v = (long long)((unsigned long long)v << (64 - 8 * size)) >>
			(64 - 8 * size);
	return v;
}

static void
add_enum(struct line *l, const struct trace_type *t, const void *value)
{
	long long v = number(value, t->size, false);
	size_t i;

	for (i = 0; i < t->n; i++)
		if ((unsigned)t->names[i].value == (unsigned)v) {
			line_add(l, "%s", t->names[i].name);
			return;
		}
	line_add(l, "%lld", number(value, t->size, true));
}

/* members that are zero need no words */
static bool
is_zero(const void *p, size_t size)
{
	const char *s = p;

	while (size && !*s)
		s++, size--;
	return size == 0;
}

static void
add_struct(struct line *l, const struct trace_lib *lib,
	const struct trace_type *t, const void *value)
{
	const struct trace_field *f = t->fields;
	bool first = true;
	const char *p;

	if (!t->n) {
		line_add(l, "{%zu bytes}", t->size);
		return;
	}
	line_add(l, "{");
	for (; f->name; f++) {
		p = (const char *)value + f->offset;
		if (is_zero(p, f->size))
			continue;
		line_add(l, "%s%s = ", first ? "" : ", ", f->name);
		trace_value(l, lib, f->type, p, f->size, false);
		first = false;
	}
	line_add(l, "}");
}

static void
add_float(struct line *l, const void *value, size_t size)
{
	double d;
	float f;

	if (size == sizeof d)
		memcpy(&d, value, sizeof d);
	else
		d = (memcpy(&f, value, sizeof f), f);
	line_add(l, "%g", d);
}

static void
add_known(struct line *l, const struct trace_lib *lib,
	const struct trace_type *t, const void *value)
{
	const void *p;

	switch (t->what) {
	case TRACE_ENUM:
		add_enum(l, t, value);
		break;
	case TRACE_STRUCT:
		add_struct(l, lib, t, value);
		break;
	case TRACE_HANDLE:
		memcpy(&p, value, sizeof p);
		trace_handle(l, t->name, p);
		break;
	case TRACE_SIGNED:
		line_add(l, "%lld", number(value, t->size, true));
		break;
	case TRACE_UNSIGNED:
		line_add(l, "%llu", (unsigned long long)number(value, t->size,
			false));
		break;
	case TRACE_FLOAT:
		add_float(l, value, t->size);
		break;
	case TRACE_HEX:
	case TRACE_ALIAS:
		line_add(l, number(value, t->size, false) ? "%#llx" : "0",
			(unsigned long long)number(value, t->size, false));
		break;
	}
}

/* a pointer as such; what it leads to may have a name */
static void
add_address(struct line *l, const struct trace_lib *lib, const void *p)
{
	const char *name = p && lib->symbol ? lib->symbol(p) : 0;

	line_add(l, p ? "%p" : "0", p);
	if (name)
		line_add(l, " \"%.200s\"", name);
}

/* does s look like text?  n: bytes up to its end, or to where it is cut */
static bool
is_text(const char *s, size_t *n)
{
	for (*n = 0; *n < TEXT_MOST && s[*n]; ++*n)
		if ((unsigned char)s[*n] < 0x20 && !strchr("\t\n\r", s[*n]))
			return false;
	return true;
}

/* up to the end of its first line */
static void
add_text(struct line *l, const struct trace_lib *lib, const char *p)
{
	char s[TEXT_MOST + 1] = "";
	size_t got = p ? peek(s, p, TEXT_MOST) : 0, n, line;

	s[got] = 0;
	if (!got || !is_text(s, &n)) {
		add_address(l, lib, p);
		return;
	}
	line = strcspn(s, "\r\n");
	line_add(l, "\"%.*s\"%s", (int)(line < n ? line : n), s,
		line < n || n == TEXT_MOST ? "..." : "");
}

/* what p leads to, if that can be told */
static bool
add_target(struct line *l, const struct trace_lib *lib,
	const struct spelling *s, const void *p)
{
	_Alignas(16) char copy[1024];
	const struct trace_type *t = s->stars > 1 ? 0 : type_of(lib, s->base);
	const char *q;

	if (s->stars == 2 && trace_peek(&q, p, sizeof q)) {
		line_add(l, "&");
		if (!strcmp(s->base, "char"))
			add_text(l, lib, q);
		else
			line_add(l, q ? "%p" : "0", (const void *)q);
		return true;
	}
	if (!t || t->size > sizeof copy || !trace_peek(copy, p, t->size))
		return false;
	line_add(l, "&");
	add_known(l, lib, t, copy);
	return true;
}

static void
add_pointer(struct line *l, const struct trace_lib *lib,
	const struct spelling *s, const void *p, bool follow)
{
	follow |= s->is_const;
	if (!p)
		line_add(l, "0");
	else if (follow && s->stars == 1 && !strcmp(s->base, "char"))
		add_text(l, lib, p);
	else if (!follow || !add_target(l, lib, s, p))
		add_address(l, lib, p);
}

/* "cudaErrorInvalidValue", where that is what it is */
static bool
add_error(struct line *l, const struct trace_lib *lib, const char *type,
	const void *value, size_t size)
{
	const char *name;
	int r;

	if (size != sizeof r || !lib->error || strcmp(type, lib->result))
		return false;
	memcpy(&r, value, sizeof r);
	name = lib->error(r);
	if (name)
		line_add(l, "%s", name);
	return name != 0;
}

void
trace_value(struct line *l, const struct trace_lib *lib, const char *type,
	const void *value, size_t size, bool follow)
{
	struct spelling s = spell(type);
	const struct trace_type *t = s.stars ? 0 : type_of(lib, s.base);
	const void *p;

	if (add_error(l, lib, type, value, size))
		return;
	if (s.stars) {
		memcpy(&p, value, sizeof p);
		add_pointer(l, lib, &s, p, follow);
	} else if (t && t->size == size) {
		add_known(l, lib, t, value);
	} else if (size == sizeof p) {
		memcpy(&p, value, sizeof p);
		line_add(l, p ? "%p" : "0", p);
	} else if (size < sizeof p) {
		line_add(l, "%lld", number(value, size, true));
	} else {
		line_add(l, "{%zu bytes}", size);
	}
}
