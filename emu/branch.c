/* branch.c - instructions that do not compute: control, barriers, waits,
 * modes; isa/branch.def. */
#include "emu_int.h"

#include <stdlib.h>
#include <string.h>

static uint64_t
vcc(const struct wave *w)
{
	return w->size == 64 ? VCC(w) : w->s[VCC_REG];
}

static void
jump(struct wave *w, uint64_t addr)
{
	w->next = code_at(w, addr);
	if (!w->next)
		wave_fault(w, FAULT_ADDRESS, -1, "jump to 0x%llx, where there "
			"is no code", (unsigned long long)addr);
}

/* o->target is set once; whoever comes first looks it up */
static void
branch(struct wave *w, const struct op *o)
{
	struct op *const *at = &o->target;
	const struct op *t = __atomic_load_n(at, __ATOMIC_ACQUIRE);

	if (t) {
		w->next = t;
		return;
	}
	jump(w, o->addr + 4 + (uint64_t)((int64_t)(int16_t)o->imm * 4));
	if (w->next)
		__atomic_store_n(&((struct op *)o)->target,
			(struct op *)w->next, __ATOMIC_RELEASE);
}

/* all that are there have come to the barrier */
static void
pass_barrier(struct block *b)
{
	b->signalled = 0;
	b->phase++;
}

void
wave_end(struct wave *w)
{
	struct block *b = w->block;

	if (w->state == WAVE_ENDED)
		return;
	w->state = WAVE_ENDED;
	w->stop = true;
	b->alive--;
	if (b->signalled && b->signalled == b->alive)
		pass_barrier(b);
}

static void
end(struct wave *w, const struct op *o)
{
	(void)o;
	wave_end(w);
}

static void
getpc(struct wave *w, const struct op *o)
{
	put64(w, &o->dst[0], o->addr + o->size);
}

static void
setpc(struct wave *w, const struct op *o)
{
	jump(w, get64(w, &o->src[0]));
}

static void
swappc(struct wave *w, const struct op *o)
{
	uint64_t to = get64(w, &o->src[0]);

	put64(w, &o->dst[0], o->addr + o->size);
	jump(w, to);
}

static void
call(struct wave *w, const struct op *o)
{
	put64(w, &o->dst[0], o->addr + o->size);
	jump(w, o->addr + 4 +
		(uint64_t)((int64_t)(int16_t)o->src[0].value * 4));
}

/* the workgroup's barrier: block.c lets waves go on when all have signalled */
static void
barrier_wait(struct wave *w, const struct op *o)
{
	(void)o;
	if (w->phase != w->block->phase)
		return;
	w->state = WAVE_WAITS;
	w->stop = true;
}

static void
arrive(struct wave *w, const struct op *o)
{
	struct block *b = w->block;

	(void)o;
	w->phase = b->phase;
	if (++b->signalled == b->alive)
		pass_barrier(b);
}

static void
arrive_first(struct wave *w, const struct op *o)
{
	w->scc = w->block->signalled == 0;
	arrive(w, o);
}

static void
barrier(struct wave *w, const struct op *o)
{
	arrive(w, o);
	barrier_wait(w, o);
}

static void
trap(struct wave *w, const struct op *o)
{
	if (o->imm != 3) /* a breakpoint where there is no debugger */
		wave_fault(w, FAULT_TRAP, -1, "trap");
}

static void
halt(struct wave *w, const struct op *o)
{
	if (o->imm)
		wave_fault(w, FAULT_TRAP, -1, "trap");
}

static void
yield(struct wave *w, const struct op *o)
{
	(void)o;
	w->stop = true;
}

/* where a wave is, for who asks the hardware: one unit for each block */
static uint32_t
place(const struct wave *w)
{
	return (w->block->id[0] & 15) << 8 | (w->index & 3) << 4;
}

enum hwreg {
#define HWREG(name, get, set) HW_AT_##name,
#include "isa/hwreg.def"
#undef HWREG
};
static const char *const hwreg_name[] = {
#define HWREG(name, get, set) "HW_REG_" #name,
#include "isa/hwreg.def"
#undef HWREG
};

static uint32_t
hwreg_get(const struct wave *w, unsigned reg)
{
	switch (reg) {
#define HWREG(name, get, set) case HW_AT_##name: return get;
#include "isa/hwreg.def"
#undef HWREG
	}
	return 0;
}

static void
hwreg_set(struct wave *w, unsigned reg, uint32_t v)
{
	switch (reg) {
#define HWREG(name, get, set) case HW_AT_##name: set; break;
#include "isa/hwreg.def"
#undef HWREG
	}
}

/* imm of getreg and setreg: enum hwreg | first bit << 8 | bits << 16 */
static void
getreg(struct wave *w, const struct op *o)
{
	unsigned at = o->imm >> 8 & 31, n = o->imm >> 16;

	w->s[o->dst[0].reg] = hwreg_get(w, o->imm & 255) >> at &
		(uint32_t)((1ull << n) - 1);
}

static void
setreg(struct wave *w, const struct op *o)
{
	unsigned at = o->imm >> 8 & 31, n = o->imm >> 16;
	uint32_t mask = (uint32_t)((1ull << n) - 1) << at;
	uint32_t v = get32(w, &o->src[0]) << at;

	hwreg_set(w, o->imm & 255, (v & mask) |
		(hwreg_get(w, o->imm & 255) & ~mask));
}

static void
round_mode(struct wave *w, const struct op *o)
{
	w->mode = (w->mode & ~0xfu) | (o->imm & 0xf);
}

static void
denorm_mode(struct wave *w, const struct op *o)
{
	w->mode = (w->mode & ~0xf0u) | (o->imm & 0xf) << 4;
}

static void
gpr_idx_on(struct wave *w, const struct op *o)
{
	w->gpr_idx = (get32(w, &o->src[0]) & 0xff) | o->imm << 12 | 1u << 31;
	w->s[M0_REG] = (w->s[M0_REG] & 0xffff0f00) | (w->gpr_idx & 0xf0ff);
}

static void
gpr_idx_mode(struct wave *w, const struct op *o)
{
	w->gpr_idx = (w->gpr_idx & 0xff) | o->imm << 12 | 1u << 31;
}

static void
gpr_idx_idx(struct wave *w, const struct op *o)
{
	w->gpr_idx = (w->gpr_idx & ~0xffu) | (get32(w, &o->src[0]) & 0xff);
}

static void
gpr_idx_off(struct wave *w, const struct op *o)
{
	(void)o;
	w->gpr_idx = 0;
}

/* interrupts reach nobody; registers need not be given back */
static void
message(struct wave *w, const struct op *o)
{
	(void)w;
	(void)o;
}

static void
message_answer(struct wave *w, const struct op *o)
{
	uint64_t v = o->imm ? emu_time() / 10 : 0;

	w->s[o->dst[0].reg] = (uint32_t)v;
	if (o->dst[0].width == 2)
		w->s[o->dst[0].reg + 1] = (uint32_t)(v >> 32);
}

static void
memtime(struct wave *w, const struct op *o)
{
	put64(w, &o->dst[0], emu_time());
}

static void
realtime(struct wave *w, const struct op *o)
{
	put64(w, &o->dst[0], emu_time() / 10); /* 100 MHz */
}

static void
nothing(struct wave *w, const struct op *o)
{
	(void)w;
	(void)o;
}

/* operands that do not matter; nor do words */
static bool
read_any(struct op *o, struct line *l)
{
	(void)o;
	l->nwords = 0;
	return true;
}

/* the number of a barrier: those with names of their own are not known */
static bool
read_barrier(struct op *o, struct line *l)
{
	(void)o;
	l->nwords = 0;
	return l->nparts == 1 && !strcmp(l->part[0], "-1");
}

static bool
read_number(struct op *o, struct line *l)
{
	if (l->nparts != 1)
		return false;
	o->imm = (uint32_t)strtoll(l->part[0], 0, 0);
	l->nwords = 0;
	return true;
}

/* "hwreg(HW_REG_MODE, 4, 2)" */
static bool
hwreg(struct op *o, char *s)
{
	size_t n, i, count = sizeof hwreg_name / sizeof *hwreg_name;
	unsigned long at = 0, bits = 32;

	if (strncmp(s, "hwreg(", 6))
		return false;
	s += 6;
	n = strcspn(s, ",)");
	for (i = 0; i < count; i++)
		if (strlen(hwreg_name[i]) == n &&
				!strncmp(s, hwreg_name[i], n))
			break;
	if (s[n] == ',') {
		at = strtoul(s + n + 1, &s, 0);
		bits = strtoul(s + 1, 0, 0);
	}
	o->imm = (uint32_t)(i | (at & 31) << 8 | bits << 16);
	return i < count && bits <= 32;
}

static bool
read_getreg(struct op *o, struct line *l)
{
	o->ndst = 1;
	o->dst[0].type = T_b32;
	return l->nparts == 2 && operand_read(&o->dst[0], l->part[0]) &&
		hwreg(o, l->part[1]);
}

static bool
read_setreg(struct op *o, struct line *l)
{
	o->src[0].type = T_b32;
	return l->nparts == 2 && hwreg(o, l->part[0]) &&
		operand_read(&o->src[0], l->part[1]);
}

/* "s4, gpr_idx(SRC0,DST)" */
static bool
read_gpr_idx(struct op *o, struct line *l)
{
	static const char *const what[] = { "SRC0", "SRC1", "SRC2", "DST" };
	const char *list = l->part[l->nparts ? l->nparts - 1 : 0];
	unsigned i;

	if (!list || strncmp(list, "gpr_idx(", 8))
		return false;
	for (i = 0; i < 4; i++)
		if (strstr(list, what[i]))
			o->imm |= 1u << i;
	o->src[0].type = T_b32;
	return l->nparts == 1 || operand_read(&o->src[0], l->part[0]);
}

/* imm: the answer is the time */
static bool
read_message(struct op *o, struct line *l)
{
	o->imm = l->nparts && strstr(l->part[l->nparts - 1], "REALTIME");
	o->dst[0].type = T_b32;
	return l->nparts < 2 || operand_read(&o->dst[0], l->part[0]);
}

#define read_0 0
#define BRANCH(name, condition) \
static void name(struct wave *w, const struct op *o) \
{ if (condition) branch(w, o); }
#define ROW(name, run, class, read, td, ts)
#define NOP(name)
#include "isa/branch.def"
#undef BRANCH
#undef ROW
#undef NOP

#define ROW(name, run, class, read, td, ts) \
	{ #name, run, OP_##class, T_##td != T_none, T_##ts != T_none, \
		{ T_##td }, { T_##ts }, read_##read, 0, 0 },
#define BRANCH(name, condition) ROW(name, name, BRANCH, number, none, none)
#define NOP(name) ROW(name, nothing, WAIT, any, none, none)
const struct op_row rows_branch[] = {
#include "isa/branch.def"
	{ 0 },
};
