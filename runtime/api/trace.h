/* trace.h - PTXAMD_TRACE: every call of the API as a line of text.
 *
 *	12345 cuMemAlloc_v2(dptr = &0x7f3c80000000, bytesize = 1024) = 0
 *
 * What a pointer to a number or handle points to is told as it is after the
 * call, and only if that went well.
 */
#ifndef TRACE_H
#define TRACE_H

#include "api.h"

enum trace_kind {
	TRACE_NUMBER,   /* signed, of the size that is given */
	TRACE_HEX,      /* an address */
	TRACE_POINTER,
	TRACE_TEXT,     /* const char * */
	TRACE_TO_INT, TRACE_TO_SIZE, TRACE_TO_HEX,  /* pointers to those */
	TRACE_OTHER,    /* by its size: a pointer, a number, or a structure */
};

struct trace {
	char line[1024];
	size_t size;
	bool first;
};

/* is a trace wanted?  Looks at the environment once. */
bool trace_wanted(void);
extern atomic_int trace_state;  /* 0: not known yet, 1: no, 2: yes */

static inline bool
trace_on(void)
{
	int s = atomic_load_explicit(&trace_state, memory_order_relaxed);

	return s != 1 && (s == 2 || trace_wanted());
}

void trace_begin(struct trace *, const char *function);
void trace_value(struct trace *, const char *name, enum trace_kind,
	const void *value, size_t size, CUresult);
void trace_end(struct trace *, CUresult);

#define TRACE_KIND(n) _Generic((n), \
	int: TRACE_NUMBER, \
	unsigned: TRACE_NUMBER, \
	size_t: TRACE_NUMBER, \
	CUdeviceptr: TRACE_HEX, \
	const char *: TRACE_TEXT, \
	int *: TRACE_TO_INT, \
	unsigned *: TRACE_TO_INT, \
	size_t *: TRACE_TO_SIZE, \
	CUdeviceptr *: TRACE_TO_HEX, \
	CUcontext *: TRACE_TO_HEX, \
	CUmodule *: TRACE_TO_HEX, \
	CUlibrary *: TRACE_TO_HEX, \
	CUkernel *: TRACE_TO_HEX, \
	CUfunction *: TRACE_TO_HEX, \
	CUstream *: TRACE_TO_HEX, \
	CUevent *: TRACE_TO_HEX, \
	default: TRACE_OTHER)

#endif
