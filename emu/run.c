/* run.c - runs a wave: one op after the other. */
#include "launch.h"

#include <stdio.h>
#include <stdlib.h>

const struct op *
code_at(struct wave *w, uint64_t addr)
{
	return decode_at(w->block->launch->code->decoder, addr, w->size);
}

static bool
lost(struct wave *w)
{
	if (w->next)
		return false;
	wave_fault(w, FAULT_ADDRESS, -1, "control leaves the code");
	return true;
}

static void
trace(const struct wave *w, const struct op *o)
{
	fprintf(stderr, "%u:%u %08llx exec %0*llx scc %u  %s\n",
		w->block->id[0], w->index, (unsigned long long)(o->addr -
		(uintptr_t)w->block->launch->code->memory),
		(int)w->size / 4, (unsigned long long)EXEC(w), w->scc,
		o->text);
}

void
wave_run(struct wave *w, uint64_t budget)
{
	static int traced = -1;
	const struct op *o;

	if (traced < 0)
		traced = getenv("PTXAMD_EMU_TRACE") != 0;
	for (w->stop = false; !w->stop && budget--;) {
		o = w->next;
		if (!o) {
			lost(w);
			return;
		}
		if (traced)
			trace(w, o);
		w->op = o;
		w->next = o->next;
		w->count[o->class]++;
		if ((1 << o->class) & (1 << OP_VALU | 1 << OP_VMEM |
				1 << OP_LDS | 1 << OP_MATRIX))
			w->lanes += (unsigned)__builtin_popcountll(EXEC(w));
		o->run(w, o);
	}
}
