/* config.c - configurations of launches: what <<<>>> pushes and the kernel's
 * stub pops.  Between the two the arguments are computed, which may launch, or
 * throw: then a configuration is left behind, and goes when the stack is full.
 */
#include "rt.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIG_DEPTH = 16 };

struct config {
	struct dim3 grid, block;
	size_t shared;
	CUstream stream;
};

struct config_stack {
	unsigned depth;
	struct config config[CONFIG_DEPTH];
};

static pthread_key_t key;        /* its value goes with the thread */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
drop(void *s)
{
	rt_thread.configs = 0;
	free(s);
}

static void
make_key(void)
{
	pthread_key_create(&key, drop);
}

/* 0: out of memory */
static struct config_stack *
stack_new(void)
{
	struct config_stack *s = calloc(1, sizeof *s);

	pthread_once(&once, make_key);
	if (s)
		pthread_setspecific(key, s);
	return rt_thread.configs = s;
}

unsigned
__cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
	CUstream stream)
{
	struct config_stack *s = rt_thread.configs;

	if (!s && !(s = stack_new()))
		return error_set(cudaErrorMemoryAllocation);
	if (s->depth == CONFIG_DEPTH)
		memmove(s->config, s->config + 1,
			--s->depth * sizeof *s->config);
	s->config[s->depth++] = (struct config){
		grid, block, shared, stream
	};
	return 0;
}

cudaError_t
__cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block,
	size_t *shared, CUstream *stream)
{
	struct config_stack *s = rt_thread.configs;
	const struct config *c;

	if (!s || !s->depth)
		return error_set(cudaErrorMissingConfiguration);
	c = &s->config[--s->depth];
	*grid = c->grid;
	*block = c->block;
	*shared = c->shared;
	*stream = c->stream;
	return 0;
}
