/* trace.h - PTXAMD_TRACE: what happens, told as it happens.
 *
 *	0.004130 12345 cuMemAlloc_v2(dptr = &0x7f3c80000000, bytesize = 1024)
 *		= CUDA_SUCCESS <1.204 us>
 *
 * Calls come from the rows (trace_row.h); what devices do comes through
 * struct dev_ops, which the trace stands before (trace_device.c).  It goes to
 * any of a text, a Chrome trace (trace_file.c) and the summary at the end
 * (trace_summary.c).  What a pointer leads to is told as it is after the
 * call; what it leads to nowhere is told as an address.
 */
#ifndef TRACE_H
#define TRACE_H

#include "api.h"
#include "trace_row.h"

struct compile_event;

/* a line that is being made; what does not fit is left out */
struct line {
	char data[4096];
	size_t size;
};

void line_add(struct line *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* as the inside of a string of JSON, of at most so many bytes */
void line_json(struct line *, const char *text, size_t most);

/* trace.c */
/* of all that the trace keeps; held by nobody across a fork */
void trace_lock(void);
void trace_unlock(void);
uint64_t trace_now(void);           /* ns of CLOCK_MONOTONIC */
long trace_thread(void);            /* this thread's number */
uint64_t trace_start(void);         /* when the trace began */
extern const struct trace_lib trace_driver;
/* a function that a stream calls, on this thread */
void trace_callback(void (*fn)(void *), void *arg, const char *stream);

/* trace_file.c: where it goes */
/* opens what PTXAMD_TRACE asks for; false: it asks for nothing */
bool trace_open(void);
/* one line, and one event without its braces */
void trace_text(struct line *);
void trace_chrome(const struct line *);
bool trace_has_text(void);
bool trace_has_chrome(void);
const char *trace_folder(void);
/* KIND/STEM.SUFFIX in that folder, or, where that is something else,
 * KIND/STEM.N.SUFFIX; the path that it has there; false: not written */
bool trace_save(const char *kind, const char *stem, const char *suffix,
	const void *data, size_t size, char path[512]);

/* trace_value.c: size bytes at value, of a type that lib knows.  follow: also
 * what a pointer to something that is not const leads to */
void trace_value(struct line *, const struct trace_lib *, const char *type,
	const void *value, size_t size, bool follow);
/* copies what is there; false: it cannot be read */
bool trace_peek(void *to, const void *from, size_t size);

/* trace_handle.c: handles are told by what they are and a number */
void trace_handle(struct line *, const char *type, const void *handle);
void trace_new_handle(const void *);  /* it stands for something new */

/* trace_device.c */
/* ops, or those that tell of it */
const struct dev_ops *trace_ops(const struct dev_ops *);
/* q is the one of that stream */
void trace_stream(struct queue *, CUstream, bool legacy);

/* trace_save.c: what is compiled, and how it comes out */
struct program;
void trace_program(const struct program *);
void trace_compiled(const struct compile_event *);

/* trace_summary.c; all but the last with the lock held */
enum trace_copy {
	TRACE_TO_DEVICE, TRACE_TO_HOST, TRACE_ON_DEVICE, TRACE_ON_HOST,
	TRACE_FILL, TRACE_COPIES
};

struct trace_sum {
	const char *name;
	struct trace_sum *next;
	uint64_t n, ns, most;
};

struct trace_sum *trace_kernel(const char *name); /* 0: out of memory */
void trace_sum_kernel(struct trace_sum *, uint64_t ns);
void trace_sum_copy(enum trace_copy, uint64_t bytes, uint64_t ns);
void trace_sum_compile(bool cached, uint64_t ns);
void trace_sum_call(struct trace_row *, uint64_t ns, bool failed);
void trace_sum_failure(const struct line *); /* the first of them counts */
void trace_sum_forget(void);                 /* in the child of a fork */
void trace_summary(void);

#endif
