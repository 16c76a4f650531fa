/* block.c - a workgroup: its waves take turns.
 *
 * A wave runs until it ends, waits, sleeps, or has had its turn; so waves may
 * wait for each other by spinning too.  Frames are kept from block to block.
 */
#include "launch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { TURN = 20000 }; /* instructions, while others wait */

struct frame {
	struct block block;
	uint8_t *memory;
	size_t size;
};

/* where the parts of a block's memory lie */
struct layout {
	size_t waves, registers, scratch, lds, all;
};

static size_t
up(size_t n)
{
	return (n + 4095) & ~(size_t)4095;
}

static void
lay_out(const struct launch_state *s, struct layout *l)
{
	l->waves = 0;
	l->registers = up(s->nwaves * sizeof(struct wave));
	l->scratch = l->registers + up(s->nwaves * VGPRS * 256ull);
	l->lds = l->scratch + up((size_t)s->nwaves * s->size * s->scratch);
	l->all = l->lds + up(s->lds + 16);
}

struct block *
block_new(struct launch_state *s)
{
	struct frame *f = calloc(1, sizeof *f);
	struct layout l;
	struct wave *w;
	unsigned i;

	if (!f)
		return 0;
	lay_out(s, &l);
	f->size = l.all;
	f->memory = mmap(0, l.all, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (f->memory == MAP_FAILED) {
		free(f);
		return 0;
	}
	f->block.launch = s;
	f->block.wave = (struct wave *)(void *)f->memory;
	f->block.nwaves = s->nwaves;
	f->block.lds = f->memory + l.lds;
	f->block.lds_size = s->lds;
	for (i = 0; i < s->nwaves; i++) {
		w = &f->block.wave[i];
		w->index = i;
		w->block = &f->block;
		w->gpu = s->code->gpu;
		w->size = s->size;
		w->v = (void *)(f->memory + l.registers + i * VGPRS * 256ull);
		w->scratch = f->memory + l.scratch +
			(size_t)i * s->size * s->scratch;
		w->scratch_size = s->scratch;
	}
	return &f->block;
}

void
block_start(struct block *b, uint64_t number)
{
	const struct launch_state *s = b->launch;
	unsigned i;

	b->id[0] = (uint32_t)(number % s->grid[0]);
	b->id[1] = (uint32_t)(number / s->grid[0] % s->grid[1]);
	b->id[2] = (uint32_t)(number / s->grid[0] / s->grid[1]);
	b->alive = b->nwaves;
	b->signalled = 0;
	b->phase = 1;
	memset(b->lds, 0xa5, b->lds_size);
	for (i = 0; i < b->nwaves; i++)
		wave_start(&b->wave[i]);
}

static void
count_wave(struct launch_state *s, struct wave *w)
{
	unsigned i;

	for (i = 0; i < OP_CLASSES; i++) {
		atomic_fetch_add_explicit(&s->count[i], w->count[i],
			memory_order_relaxed);
		w->count[i] = 0;
	}
	atomic_fetch_add_explicit(&s->lanes, w->lanes, memory_order_relaxed);
	w->lanes = 0;
}

static void
finish(struct block *b)
{
	unsigned i;

	for (i = 0; i < b->nwaves; i++)
		count_wave(b->launch, &b->wave[i]);
}

/* gives each wave that can go on its turn; false: none could */
static bool
round_of_turns(struct block *b)
{
	uint64_t turn = b->alive > 1 ? TURN : 50 * TURN;
	bool any = false;
	struct wave *w;
	unsigned i;

	for (i = 0; i < b->nwaves && !atomic_load(&b->launch->failed); i++) {
		w = &b->wave[i];
		if (w->state == WAVE_WAITS && w->phase != b->phase)
			w->state = WAVE_RUNS;
		if (w->state != WAVE_RUNS)
			continue;
		any = true;
		wave_run(w, turn);
	}
	return any;
}

bool
block_run(struct block *b, uint64_t rounds)
{
	while (rounds--) {
		if (!b->alive || atomic_load(&b->launch->failed)) {
			finish(b);
			return true;
		}
		if (!round_of_turns(b) && b->alive &&
				!atomic_load(&b->launch->failed))
			wave_fault(&b->wave[0], FAULT_RESOURCE, -1,
				"all waves wait at barriers of which none can "
				"be passed");
	}
	return false;
}

void
block_free(struct block *b)
{
	struct frame *f = (struct frame *)(void *)b;

	munmap(f->memory, f->size);
	free(f);
}
