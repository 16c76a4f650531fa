/* trace_handle.c - handles as "stream#2": what they are, and a number.
 *
 * Numbers count what the trace has met, so that two runs of a program look
 * alike.  Kernels and functions are told with their names.
 */
#include "trace.h"
#include "module.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct known {
	const void *handle;      /* 0: free */
	const char *type;
	unsigned number;
};

/* of all handles: a table of 1 << log2 places, at most half full */
static struct {
	struct known *place;
	unsigned log2;
	size_t n;
} table;

/* how many of each type there were */
static struct {
	const char *type;
	unsigned n;
} count[64];

static struct known *
place_of(struct known *p, unsigned log2, const void *handle)
{
	size_t mask = ((size_t)1 << log2) - 1;
	size_t i = (size_t)((uintptr_t)handle * 0x9e3779b97f4a7c15u >> 32);

	for (;; i++)
		if (!p[i & mask].handle || p[i & mask].handle == handle)
			return &p[i & mask];
}

static bool
grow(void)
{
	unsigned log2 = table.place ? table.log2 + 1 : 8;
	struct known *p = calloc((size_t)1 << log2, sizeof *p);
	size_t i;

	if (!p)
		return false;
	for (i = 0; table.place && i < (size_t)1 << table.log2; i++)
		if (table.place[i].handle)
			*place_of(p, log2, table.place[i].handle) =
				table.place[i];
	free(table.place);
	table.place = p;
	table.log2 = log2;
	return true;
}

static unsigned
next_number(const char *type)
{
	size_t i, most = sizeof count / sizeof *count;

	for (i = 0; i + 1 < most && count[i].type; i++)
		if (!strcmp(count[i].type, type))
			break;
	count[i].type = type;
	return ++count[i].n;
}

/* a handle of a new type is another one; 0: out of memory */
static unsigned
number_of(const char *type, const void *handle)
{
	struct known *k;

	if ((!table.place || table.n * 2 >= (size_t)1 << table.log2) &&
	    !grow())
		return 0;
	k = place_of(table.place, table.log2, handle);
	if (!k->handle || !k->type || strcmp(k->type, type)) {
		table.n += !k->handle;
		*k = (struct known){ handle, type, next_number(type) };
	}
	return k->number;
}

void
trace_new_handle(const void *handle)
{
	struct known *k;

	trace_lock();
	if (table.place) {
		k = place_of(table.place, table.log2, handle);
		k->type = 0;
	}
	trace_unlock();
}

/* calls take kernels for functions */
static const char *
true_type(const char *type, const void *handle, const char **name)
{
	if (handle_is(HANDLE_KERNEL, handle)) {
		*name = ((const struct CUkern_st *)handle)->name;
		return "CUkernel";
	}
	if (handle_is(HANDLE_FUNCTION, handle)) {
		*name = ((const struct CUfunc_st *)handle)->name;
		return "CUfunction";
	}
	return type;
}

void
trace_handle(struct line *l, const char *type, const void *handle)
{
	const char *name = 0;
	unsigned number;

	if (!strcmp(type, "CUstream") &&
	    (uintptr_t)handle <= (uintptr_t)CU_STREAM_PER_THREAD) {
		line_add(l, "%s", (const char *[]){ "0", "CU_STREAM_LEGACY",
			"CU_STREAM_PER_THREAD" }[(uintptr_t)handle]);
		return;
	}
	if (!handle) {
		line_add(l, "0");
		return;
	}
	type = true_type(type, handle, &name);
	trace_lock();
	number = number_of(type, handle);
	trace_unlock();
	line_add(l, "%c%s#%u", tolower((unsigned char)type[2]), type + 3,
		number);
	if (name)
		line_add(l, " \"%.200s\"", name);
}
