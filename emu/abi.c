/* abi.c - the registers of a wave when it begins, as the HSA ABI says.
 *
 * What the ABI leaves undefined is set to what no program expects.
 */
#include "launch.h"

#include <string.h>

enum { UNDEFINED = 0x7fa1dead };

/* the next of the SGPRs that are filled in order */
static void
push(struct wave *w, unsigned *at, uint32_t v)
{
	if (*at < VCC_REG)
		w->s[(*at)++] = v;
}

static void
push64(struct wave *w, unsigned *at, uint64_t v)
{
	push(w, at, (uint32_t)v);
	push(w, at, (uint32_t)(v >> 32));
}

/* the V# of scratch: swizzled by lane; see vmem.c */
static void
push_scratch(struct wave *w, unsigned *at)
{
	uint64_t base = (uint64_t)(uintptr_t)w->scratch;

	push(w, at, (uint32_t)base);
	push(w, at, (uint32_t)(base >> 32 & 0xffff) | 1u << 31);
	push(w, at, w->scratch_size * w->size);
	push(w, at, w->gpu->generation == 9 ? 0x00ea4fac :
		0x31814fac | (w->size == 64 ? 3u : 2u) << 21);
}

static unsigned
user_sgprs(struct wave *w)
{
	const struct launch_state *s = w->block->launch;
	unsigned p = s->kd->properties, at = 0, i, n, from;
	uint32_t v;

	if (p & HAS_SCRATCH_V)
		push_scratch(w, &at);
	if (p & HAS_DISPATCH)
		push64(w, &at, (uint64_t)(uintptr_t)s->packet);
	if (p & HAS_QUEUE)
		push64(w, &at, (uint64_t)(uintptr_t)(s->packet + 64));
	if (p & HAS_KERNARG)
		push64(w, &at, (uint64_t)(uintptr_t)s->kernarg);
	if (p & HAS_DISPATCH_ID)
		push64(w, &at, 0);
	if (p & HAS_SCRATCH_INIT)
		push64(w, &at, (uint64_t)(uintptr_t)w->scratch);
	if (p & HAS_SCRATCH_SIZE)
		push(w, &at, w->scratch_size);
	n = s->kd->preload & 127;
	from = s->kd->preload >> 7;
	for (i = 0; i < n; i++) {
		memcpy(&v, (const uint8_t *)s->kernarg + 4 * (from + i), 4);
		push(w, &at, v);
	}
	return s->kd->rsrc2 >> 1 & 31;
}

static void
workgroup_ids(struct wave *w, unsigned at)
{
	const struct launch_state *s = w->block->launch;
	const uint32_t *id = w->block->id;
	unsigned i;

	if (w->gpu->ids_in_ttmp) {
		w->s[TTMP_REG + 9] = id[0];
		w->s[TTMP_REG + 7] = (id[1] & 0xffff) | id[2] << 16;
		w->s[TTMP_REG + 8] = w->index << 25;
	} else {
		for (i = 0; i < 3; i++)
			if (s->kd->rsrc2 >> (7 + i) & 1)
				push(w, &at, id[i]);
	}
	if (s->kd->rsrc2 >> 10 & 1)
		push(w, &at, 0);
	if (s->kd->rsrc2 & 1 && !w->gpu->flat_scratch)
		push(w, &at, 0); /* the V# points to the wave's own already */
}

/* work-item ids of the lanes; exec has those that exist */
static void
workitem_ids(struct wave *w)
{
	const struct launch_state *s = w->block->launch;
	unsigned l, flat, enable = s->kd->rsrc2 >> 11 & 3;
	uint32_t x, y, z;

	EXEC(w) = 0;
	for (l = 0; l < w->size; l++) {
		flat = w->index * w->size + l;
		if (flat >= s->threads)
			break;
		EXEC(w) |= (uint64_t)1 << l;
		x = flat % s->block[0];
		y = enable > 0 ? flat / s->block[0] % s->block[1] : 0;
		z = enable > 1 ? flat / s->block[0] / s->block[1] : 0;
		if (w->gpu->packed_ids) {
			w->v[0][l] = x | y << 10 | z << 20;
			continue;
		}
		w->v[0][l] = x;
		if (enable > 0)
			w->v[1][l] = y;
		if (enable > 1)
			w->v[2][l] = z;
	}
}

void
wave_start(struct wave *w)
{
	const struct launch_state *s = w->block->launch;
	unsigned i, l, agprs;

	for (i = 0; i < SGPRS; i++)
		w->s[i] = UNDEFINED;
	agprs = w->gpu->generation == 9 ? s->vgprs : 0;
	for (i = 0; i < s->vgprs; i++)
		for (l = 0; l < w->size; l++)
			w->v[i][l] = UNDEFINED;
	for (i = 0; i < agprs; i++)
		for (l = 0; l < w->size; l++)
			w->v[AGPR_REG + i][l] = UNDEFINED;
	if (w->size == 32)
		w->s[VCC_REG + 1] = 0;
	w->full = w->size == 64 ? ~(uint64_t)0 : 0xffffffff;
	w->scc = 0;
	w->mode = (s->kd->rsrc1 >> 12 & 0xff);
	if (w->gpu->generation < 12)
		w->mode |= (s->kd->rsrc1 >> 21 & 1) << 8 |
			(s->kd->rsrc1 >> 23 & 1) << 9;
	w->gpr_idx = 0;
	w->phase = 0;
	w->near = w->near_size = 0;
	w->op = 0;
	w->state = WAVE_RUNS;
	workgroup_ids(w, user_sgprs(w));
	workitem_ids(w);
	w->next = decode_at(s->code->decoder, s->entry, w->size);
}
