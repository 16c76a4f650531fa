/* jit_log.c - options of the JIT compiler, and its logs.
 *
 * Values stand in void pointers: numbers in their low bits, results in their
 * place.  Most options are hints that change no result; they are taken and
 * need no act.
 */
#include "jit_log.h"
#include "api.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static unsigned
number(void *const *value)
{
	return (unsigned)(uintptr_t)*value;
}

/* CUDA's levels end at 4, which is our 3 */
static int
level(unsigned n)
{
	return n < 3 ? (int)n : 3;
}

/* options that tell of the log; false: it is none of them */
static bool
read_log(struct jit_log *l, CUjit_option o, void **value)
{
	switch ((int)o) {
	case CU_JIT_WALL_TIME:
		l->wall_time = value;
		return true;
	case CU_JIT_INFO_LOG_BUFFER:
		l->info.data = *value;
		return true;
	case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
		l->info.size = number(value);
		l->info.filled = value;
		return true;
	case CU_JIT_ERROR_LOG_BUFFER:
		l->error.data = *value;
		return true;
	case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
		l->error.size = number(value);
		l->error.filled = value;
		return true;
	case CU_JIT_LOG_VERBOSE:
		l->verbose = number(value) != 0;
		return true;
	}
	return false;
}

static CUresult
read_code(struct program *p, CUjit_option o, void **value)
{
	switch ((int)o) {
	case CU_JIT_MAX_REGISTERS:
		p->max_registers = number(value);
		break;
	case CU_JIT_OPTIMIZATION_LEVEL:
		if (number(value) > 4)
			return CUDA_ERROR_INVALID_VALUE;
		p->level = level(number(value));
		break;
	case CU_JIT_GENERATE_DEBUG_INFO:
	case CU_JIT_GENERATE_LINE_INFO:
		p->line_info |= number(value) != 0;
		break;
	case CU_JIT_FMA:
		p->fmad = number(value) != 0;
		break;
	case CU_JIT_MIN_CTA_PER_SM:
		p->min_blocks = number(value);
		break;
	case CU_JIT_MAX_THREADS_PER_BLOCK:
		p->max_threads = number(value);
		break;
	case CU_JIT_OVERRIDE_DIRECTIVE_VALUES:
		p->override = number(value) != 0;
		break;
	case CU_JIT_GLOBAL_SYMBOL_COUNT:
		/* variables of the host as variables of the module */
		if (number(value))
			return CUDA_ERROR_NOT_SUPPORTED;
		break;
	default: /* a hint, or for LTO-IR, which nobody can load any more */
		if ((unsigned)o >= CU_JIT_NUM_OPTIONS)
			return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

CUresult
jit_options(struct jit_log *l, struct program *p, unsigned n,
	const CUjit_option *option, void **value)
{
	CUresult err;
	unsigned i;

	*l = (struct jit_log){ .start = now_ms() };
	if (n && (!option || !value))
		return CUDA_ERROR_INVALID_VALUE;
	for (i = 0; i < n; i++) {
		if (read_log(l, option[i], &value[i]))
			continue;
		err = read_code(p, option[i], &value[i]);
		if (err)
			return err;
	}
	return CUDA_SUCCESS;
}

CUresult
jit_file(const char *name, struct file_data *f)
{
	struct ptx x = {0};

	if (access(name, F_OK))
		return CUDA_ERROR_FILE_NOT_FOUND;
	f->data = file_read(&x, name, &f->size);
	ptx_free(&x);
	return f->data ? CUDA_SUCCESS : CUDA_ERROR_FILE_NOT_FOUND;
}

/* as much as fits, NUL-ended; the count leaves the NUL out */
static void
fill(struct jit_buffer *b, const struct text *t)
{
	size_t n = 0;

	if (b->data && b->size) {
		n = t->size < b->size ? t->size : b->size - 1;
		if (n)
			memcpy(b->data, t->data, n);
		b->data[n] = 0;
	}
	if (b->filled)
		*b->filled = (void *)(uintptr_t)n;
}

void
jit_say(const struct text *t)
{
	if (t->size)
		fwrite(t->data, 1, t->size, stderr);
}

void
jit_log_end(struct jit_log *l, CUresult err)
{
	static const struct text nothing;
	struct jit_buffer *to = err ? &l->error : &l->info;
	float ms = (float)(now_ms() - l->start);

	if (env_flag("PTXAMD_LOG") || (err && !(to->data && to->size)))
		jit_say(&l->text);
	fill(&l->error, err ? &l->text : &nothing);
	fill(&l->info, err ? &nothing : &l->text);
	if (l->wall_time)
		memcpy(l->wall_time, &ms, sizeof ms);
	text_free(&l->text);
}
