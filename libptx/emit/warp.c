/* warp.c - what lanes of a warp do together: shuffles, matches, reductions.
 *
 * A warp is 32 lanes on every machine; where a wave holds two, the target's
 * hooks work on the half that the thread belongs to, so that loops over
 * members may run a different number of times in the two halves.  All that
 * depends on who is here is built from ballots and shuffles, which LLVM does
 * not move across branches.
 */
#include "arith.h"

#include <string.h>

LLVMValueRef
emit_members(struct emit *e, const struct opnd *o)
{
	LLVMValueRef here;

	emit_gather(e, o, 0);
	here = e->t->ballot(e, emit_k(e, emit_ity(e, 1), 1));
	if (!o)
		return here;
	return LLVMBuildAnd(e->b, here, emit_read(e, o, T_B32), "");
}

void
emit_gather(struct emit *e, const struct opnd *o, LLVMValueRef v)
{
	if (o && e->t->gather)
		e->t->gather(e, emit_read(e, o, T_B32), v ? emit_resize(e, v,
			32, false) : emit_k(e, emit_ity(e, 32), 0));
}

static LLVMValueRef
k32(struct emit *e, int64_t v)
{
	return emit_k(e, emit_ity(e, 32), v);
}

/* the number of the lowest bit that is set in mask; 32: none */
static LLVMValueRef
lowest(struct emit *e, LLVMValueRef mask)
{
	return emit_call2(e, "llvm.cttz", mask,
		emit_k(e, emit_ity(e, 1), 0));
}

/* d of "d|p" and of "d", p of "d|p" or 0 */
static const struct opnd *
half(const struct insn *i, unsigned k)
{
	const struct opnd *o;

	o = &i->u.opnd[0];
	if (o->kind == OP_PAIR)
		return &o->u.list[k];
	return k ? 0 : o;
}

/* PTX 9.7.9.6, word by word, for one lane */
static bool
source(const char *mode, int lane, int b, int c, uint8_t *from)
{
	int seg, max, j;
	bool in;

	seg = c >> 8 & 31;
	max = (lane & seg) | (c & 31 & ~seg);
	b &= 31;
	if (!strcmp(mode, "up"))
		j = lane - b;
	else if (!strcmp(mode, "down"))
		j = lane + b;
	else if (!strcmp(mode, "bfly"))
		j = lane ^ b;
	else
		j = (lane & seg) | (b & ~seg);
	in = strcmp(mode, "up") ? j <= max : j >= max;
	*from = (uint8_t)(in ? j : lane);
	return in;
}

/* the same as code; returns the source lane */
static LLVMValueRef
source_code(struct emit *e, const char *mode, LLVMValueRef b, LLVMValueRef c,
	LLVMValueRef *in)
{
	LLVMValueRef lane, seg, own, max, j;

	lane = e->t->laneid(e);
	b = LLVMBuildAnd(e->b, b, k32(e, 31), "");
	seg = LLVMBuildLShr(e->b, c, k32(e, 8), "");
	seg = LLVMBuildAnd(e->b, seg, k32(e, 31), "");
	own = LLVMBuildAnd(e->b, lane, seg, "");
	seg = LLVMBuildNot(e->b, seg, "");
	max = LLVMBuildAnd(e->b, c, k32(e, 31), "");
	max = LLVMBuildOr(e->b, own, LLVMBuildAnd(e->b, max, seg, ""), "");
	if (!strcmp(mode, "up"))
		j = LLVMBuildSub(e->b, lane, b, "");
	else if (!strcmp(mode, "down"))
		j = LLVMBuildAdd(e->b, lane, b, "");
	else if (!strcmp(mode, "bfly"))
		j = LLVMBuildXor(e->b, lane, b, "");
	else
		j = LLVMBuildOr(e->b, own, LLVMBuildAnd(e->b, b, seg, ""), "");
	*in = LLVMBuildICmp(e->b, strcmp(mode, "up") ? LLVMIntSLE : LLVMIntSGE,
		j, max, "");
	return LLVMBuildSelect(e->b, *in, j, lane, "");
}

/* b and c are constants: v by a fixed pattern or 0, and *in where that is
 * the same for all lanes */
static LLVMValueRef
fixed(struct emit *e, const char *mode, int b, int c, LLVMValueRef v,
	LLVMValueRef *in)
{
	uint8_t from[32];
	int lane, nin;

	for (lane = nin = 0; lane < 32; lane++)
		nin += source(mode, lane, b, c, &from[lane]);
	if (nin == 0 || nin == 32)
		*in = emit_k(e, emit_ity(e, 1), nin != 0);
	return e->t->permute(e, v, from);
}

static LLVMValueRef
shuffle(struct emit *e, const char *mode, LLVMValueRef v, LLVMValueRef b,
	LLVMValueRef c, LLVMValueRef *in)
{
	LLVMValueRef from, d, same;

	from = source_code(e, mode, b, c, in);
	same = d = 0;
	if (LLVMIsAConstantInt(b) && LLVMIsAConstantInt(c))
		d = fixed(e, mode, (int)LLVMConstIntGetZExtValue(b),
			(int)LLVMConstIntGetZExtValue(c), v, &same);
	if (same)
		*in = same;
	return d ? d : e->t->shuffle(e, v, from);
}

void
emit_shfl(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, b, c, in;

	(void)with;
	v = emit_read(e, &i->u.opnd[1], T_B32);
	b = emit_read(e, &i->u.opnd[2], T_B32);
	c = emit_read(e, &i->u.opnd[3], T_B32);
	emit_gather(e, i->nopnd > 4 ? &i->u.opnd[4] : 0, v);
	v = shuffle(e, insn_word(i, "mode"), v, b, c, &in);
	emit_write(e, half(i, 0), T_B32, v);
	if (half(i, 1))
		emit_write(e, half(i, 1), T_PRED, in);
}

LLVMValueRef
emit_bfly(struct emit *e, LLVMValueRef v, unsigned k)
{
	uint8_t from[32];
	unsigned lane;
	LLVMValueRef d;

	for (lane = 0; lane < 32; lane++)
		from[lane] = (uint8_t)(lane ^ k);
	d = e->t->permute(e, v, from);
	if (d)
		return d;
	return e->t->shuffle(e, v,
		LLVMBuildXor(e->b, e->t->laneid(e), k32(e, k), ""));
}

/* i32 v of lane l: one of the target's hooks */
typedef LLVMValueRef from_lane(struct emit *, LLVMValueRef v, LLVMValueRef l);

/* i1: v, of 32 or 64 bits, is what it is in lane l */
static LLVMValueRef
same_as(struct emit *e, LLVMValueRef v, LLVMValueRef l, from_lane *get)
{
	LLVMTypeRef i32 = emit_ity(e, 32);
	LLVMValueRef hi;

	if (LLVMTypeOf(v) == i32)
		return LLVMBuildICmp(e->b, LLVMIntEQ, v, get(e, v, l), "");
	hi = LLVMBuildLShr(e->b, v, emit_k(e, emit_ity(e, 64), 32), "");
	return LLVMBuildAnd(e->b,
		same_as(e, LLVMBuildTrunc(e->b, v, i32, ""), l, get),
		same_as(e, LLVMBuildTrunc(e->b, hi, i32, ""), l, get), "");
}

/* one value a round: the lowest lane left and all who have what it has, in
 * the same membermask, as two parts of a warp may be here */
void
emit_match_any(struct emit *e, const struct insn *i, int with)
{
	LLVMBasicBlockRef from, loop, done;
	LLVMValueRef v, members, here, left, d, same, who, next[2];

	(void)with;
	v = emit_read(e, &i->u.opnd[1], insn_type(i, 0));
	members = emit_members(e, &i->u.opnd[2]);
	here = emit_members(e, 0);
	from = LLVMGetInsertBlock(e->b);
	loop = emit_block(e, "match");
	done = emit_block(e, "matched");
	LLVMBuildBr(e->b, loop);
	LLVMPositionBuilderAtEnd(e->b, loop);
	left = LLVMBuildPhi(e->b, emit_ity(e, 32), "");
	d = LLVMBuildPhi(e->b, emit_ity(e, 32), "");
	who = lowest(e, left);
	same = LLVMBuildAnd(e->b, same_as(e, v, who, e->t->broadcast),
		same_as(e, members, who, e->t->broadcast), "");
	who = e->t->ballot(e, same);
	next[0] = LLVMBuildAnd(e->b, left, LLVMBuildNot(e->b, who, ""), "");
	next[1] = LLVMBuildSelect(e->b, same, LLVMBuildAnd(e->b, who, members,
		""), d, "");
	LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, next[0],
		k32(e, 0), ""), done, loop);
	LLVMAddIncoming(left, (LLVMValueRef[]){ here, next[0] },
		(LLVMBasicBlockRef[]){ from, loop }, 2);
	LLVMAddIncoming(d, (LLVMValueRef[]){ k32(e, 0), next[1] },
		(LLVMBasicBlockRef[]){ from, loop }, 2);
	LLVMPositionBuilderAtEnd(e->b, done);
	emit_write(e, half(i, 0), T_B32, next[1]);
}

/* the lowest member need not be the same in all lanes that are here */
void
emit_match_all(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, members, same, all;

	(void)with;
	v = emit_read(e, &i->u.opnd[1], insn_type(i, 0));
	members = emit_members(e, &i->u.opnd[2]);
	same = e->t->ballot(e, same_as(e, v, lowest(e, members),
		e->t->shuffle));
	same = LLVMBuildAnd(e->b, same, members, "");
	all = LLVMBuildICmp(e->b, LLVMIntEQ, same, members, "");
	emit_write(e, half(i, 0), T_B32,
		LLVMBuildSelect(e->b, all, members, k32(e, 0), ""));
	if (half(i, 1))
		emit_write(e, half(i, 1), T_PRED, all);
}

/* the lowest member leads, as NVIDIA's hardware has it */
void
emit_elect(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef leader;

	(void)with;
	leader = lowest(e, emit_members(e, &i->u.opnd[1]));
	emit_write(e, half(i, 0), T_B32, leader);
	if (half(i, 1))
		emit_write(e, half(i, 1), T_PRED, LLVMBuildICmp(e->b,
			LLVMIntEQ, e->t->laneid(e), leader, ""));
}

void
emit_activemask(struct emit *e, const struct insn *i, int with)
{
	(void)with;
	emit_write(e, &i->u.opnd[0], T_B32, emit_members(e, 0));
}

void
emit_bar_warp(struct emit *e, const struct insn *i, int with)
{
	(void)with;
	emit_gather(e, &i->u.opnd[0], 0);
	e->t->converge(e);
}
