/* launch.c - a launch: blocks run on all cores.
 *
 * A worker finishes one block and takes the next.  A block that does not end
 * may wait for another: then the worker sets it aside, begins one more, and
 * gives them turns.
 */
#include "launch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 64, ASIDE = 256 };

struct worker {
	struct launch_state *s;
	struct block *running, *idle; /* by block->next */
	unsigned nrunning;
};

static void
no_memory(struct launch_state *s)
{
	if (!atomic_flag_test_and_set(&s->told)) {
		s->fault = FAULT_RESOURCE;
		strcpy(s->message, "no memory for the launch");
	}
	atomic_store(&s->failed, true);
}

/* begins one more block; false: there is none left */
static bool
begin(struct worker *k)
{
	struct launch_state *s = k->s;
	uint64_t number = atomic_fetch_add(&s->next, 1);
	struct block *b = k->idle;

	if (number >= s->nblocks)
		return false;
	if (b)
		k->idle = b->next;
	else
		b = block_new(s);
	if (!b) {
		no_memory(s);
		return false;
	}
	block_start(b, number);
	b->next = k->running;
	k->running = b;
	k->nrunning++;
	return true;
}

static void
turns(struct worker *k)
{
	struct block **at = &k->running, *b;

	while ((b = *at))
		if (block_run(b, k->nrunning > 1 ? 4 : ROUNDS)) {
			*at = b->next;
			b->next = k->idle;
			k->idle = b;
			k->nrunning--;
		} else {
			at = &b->next;
		}
}

static void *
work(void *arg)
{
	struct worker *k = arg;
	struct launch_state *s = k->s;
	struct block *b;

	while (s->cooperative && begin(k))
		;
	for (;;) {
		if (k->nrunning < ASIDE && !atomic_load(&s->failed))
			begin(k);
		if (!k->running)
			break;
		turns(k);
	}
	while ((b = k->idle)) {
		k->idle = b->next;
		block_free(b);
	}
	return 0;
}

static void
run_workers(struct launch_state *s)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	struct worker worker[64] = { { 0 } };
	pthread_t thread[64];
	bool started[64] = { false };
	long i;

	if (n > 64)
		n = 64;
	if ((uint64_t)n > s->nblocks)
		n = (long)s->nblocks;
	for (i = 0; i < n; i++)
		worker[i].s = s;
	for (i = 1; i < n; i++)
		started[i] = !pthread_create(&thread[i], 0, work, &worker[i]);
	work(&worker[0]);
	for (i = 1; i < n; i++)
		if (started[i])
			pthread_join(thread[i], 0);
}

/* the AQL packet of the launch and, behind it, what stands for a queue */
static bool
make_packet(struct launch_state *s)
{
	uint16_t *h;
	uint32_t *d;
	unsigned i;

	s->packet = calloc(1, 1024);
	if (!s->packet)
		return false;
	region_add((uint64_t)(uintptr_t)s->packet, 1024);
	h = (uint16_t *)(void *)s->packet;
	d = (uint32_t *)(void *)s->packet;
	h[0] = 2;
	h[1] = 3;
	for (i = 0; i < 3; i++) {
		h[2 + i] = (uint16_t)s->block[i];
		d[3 + i] = s->grid[i] * s->block[i];
	}
	d[6] = s->scratch;
	d[7] = s->lds;
	memcpy(d + 8, &s->kd, 8);
	memcpy(d + 10, &s->kernarg, 8);
	return true;
}

static void
measure(struct launch_state *s)
{
	const struct gpu *g = s->code->gpu;
	unsigned granule = s->kd->rsrc1 & 63;

	s->size = g->wave32 && s->kd->properties & IS_WAVE32 ? 32 : 64;
	s->threads = s->block[0] * s->block[1] * s->block[2];
	s->nwaves = (s->threads + s->size - 1) / s->size;
	s->nblocks = (uint64_t)s->grid[0] * s->grid[1] * s->grid[2];
	s->vgprs = (granule + 1) * 8;
	if (s->vgprs > 256)
		s->vgprs = 256;
	s->lds = s->kd->lds + s->dynamic;
	s->scratch = s->kd->scratch;
	if (s->kd->properties & IS_DYNAMIC && s->scratch < 16384)
		s->scratch = 16384;
	s->scratch = (s->scratch + 15) & ~15u;
	s->entry = (uint64_t)(uintptr_t)s->kd + (uint64_t)s->kd->entry;
	if (s->kd->preload & 127)
		s->entry += 256;
}

bool
launch_run(struct launch_state *s)
{
	measure(s);
	if (!make_packet(s)) {
		no_memory(s);
		return false;
	}
	if (s->nblocks)
		run_workers(s);
	stats_add(s);
	region_remove((uint64_t)(uintptr_t)s->packet);
	free(s->packet);
	return !atomic_load(&s->failed);
}
