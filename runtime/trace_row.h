/* trace_row.h - what the trace is told of a call: made from a row.
 *
 * libcuda.so.1 keeps the trace.  The functions that it and libcudart.so
 * export look at one number, and if a trace is wanted, go another way:
 *
 *	static TRACE_COLD CUresult
 *	traced_cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize)
 *	{
 *		TRACE_BEGIN(driver, "cuMemAlloc_v2", (CUdeviceptr *, …))
 *		r = …;
 *		return TRACE_END(r);
 *	}
 *
 * Types are known by their spelling; what a spelling means is found in tables
 * that trace_type.awk makes of the headers.
 */
#ifndef TRACE_ROW_H
#define TRACE_ROW_H

#include "row.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trace_what {
	TRACE_ENUM, TRACE_STRUCT, TRACE_HANDLE, TRACE_ALIAS,
	TRACE_SIGNED, TRACE_UNSIGNED, TRACE_HEX, TRACE_FLOAT
};

struct trace_name {
	long long value;
	const char *name;
};

struct trace_field {
	const char *name, *type;
	size_t offset, size;
};

struct trace_type {
	const char *name;
	enum trace_what what;
	size_t size;
	size_t n;                         /* names or fields */
	const struct trace_name *names;
	const struct trace_field *fields; /* those that can be told */
	const char *alias;
};

/* of each library that tells of calls */
struct trace_lib {
	const char *name;                 /* "driver", "runtime" */
	const struct trace_type *type;
	size_t ntype;
	const char *result;               /* type of what calls answer */
	const char *(*error)(int);        /* its name; 0: by the type */
	/* the name of what is at an address of the host, or 0; may be 0 */
	const char *(*symbol)(const void *);
	int not_ready;                    /* an answer that is no failure */
};

struct trace_arg {
	const char *name, *type;
	size_t size;
};

/* a function, and what the summary tells of it */
struct trace_row {
	const char *name;
	const struct trace_lib *lib;
	const struct trace_arg *arg;      /* ends in a name of 0 */
	struct trace_row *next;           /* of those that were called */
	uint64_t calls, failed, ns;
	bool listed;
};

/* a call under way */
struct trace_call {
	struct trace_row *row;
	const void *const *value;         /* of each argument */
	struct trace_call *outer;
	uint64_t begin;                   /* ns */
	bool told;                        /* that it has begun */
	const char *result_type;          /* 0: none */
	const void *result;
	size_t result_size;
};

#define TRACE_API __attribute__((visibility("default")))
#define TRACE_COLD __attribute__((cold, noinline))

/* trace.c: 0: not known yet, 1: no trace is wanted, 2: it is */
TRACE_API extern atomic_int ptxamd_trace_state;
/* looks at the environment, once */
TRACE_API bool ptxamd_trace_wanted(void);
TRACE_API void ptxamd_trace_begin(struct trace_call *, struct trace_row *,
	const void *const *value);
/* tells of it; failed: what it answered is an error */
TRACE_API void ptxamd_trace_end(struct trace_call *, bool failed);

static inline bool
trace_on(void)
{
	int s = atomic_load_explicit(&ptxamd_trace_state,
		memory_order_relaxed);

	return __builtin_expect(s != 1, 0) &&
		(s == 2 || ptxamd_trace_wanted());
}

/* the end of a call that answers an error of the library */
static inline int
trace_result(struct trace_call *t, int r)
{
	t->result_type = t->row->lib->result;
	t->result = &r;
	t->result_size = sizeof r;
	ptxamd_trace_end(t, r && r != t->row->lib->not_ready);
	return r;
}

#define TRACE_ARG(type, name) { #name, #type, sizeof(name) },
#define TRACE_VALUE(type, name) &name,

#define TRACE_BEGIN(library, function, params) \
	static const struct trace_arg trace_arg[] = { \
		ROW_EACH(TRACE_ARG, params) { 0, 0, 0 } \
	}; \
	static struct trace_row trace_row = { .name = function, \
		.lib = &library, .arg = trace_arg }; \
	const void *const trace_value[] = { \
		ROW_EACH(TRACE_VALUE, params) 0 \
	}; \
	struct trace_call trace_call; \
	\
	ptxamd_trace_begin(&trace_call, &trace_row, trace_value);

#endif
