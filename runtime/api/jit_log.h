/* jit_log.h - the options of cuModuleLoadDataEx, cuLinkCreate and their like,
 * and where what the compiler says goes. */
#ifndef JIT_LOG_H
#define JIT_LOG_H

#include "cuda_api.h"
#include "program.h"

struct jit_buffer {
	char *data;         /* the caller's, or 0 */
	size_t size;
	void **filled;      /* gets the number of bytes used, or 0 */
};

struct jit_log {
	struct jit_buffer info, error;
	void **wall_time;   /* gets a float: milliseconds */
	bool verbose;
	double start;       /* of what is timed, ms */
	struct text text;
};

/* reads n options; options gets what they say of the program.  Unknown ones
 * are CUDA_ERROR_INVALID_VALUE. */
CUresult jit_options(struct jit_log *, struct program *options, unsigned n,
	const CUjit_option *, void **value);
/* sends the text to the buffer for errors or that for information, or to
 * stderr if there is none (errors alone) or PTXAMD_LOG=1; frees it */
void jit_log_end(struct jit_log *, CUresult);
/* a whole file, for free(); FILE_NOT_FOUND, OUT_OF_MEMORY … */
struct file_data {
	char *data; /* a NUL follows */
	size_t size;
};

CUresult jit_file(const char *name, struct file_data *);
/* what goes to stderr without options */
void jit_say(const struct text *);

#endif
