/* widen_divide.c - integer division of vectors, for which CPUs have nothing.
 *
 * A quotient of numbers below 2^52 is that of doubles, cut off: what rounding
 * adds is less than what is missing to the next whole number.  Of numbers
 * below 2^50 it is also the product of the dividend and a half with the
 * reciprocal, of which there is only one where all lanes have one divisor.
 * Longer numbers go lane by lane.  Divisors that are constants LLVM makes
 * products of, but for vectors of 64 bits.
 *
 * In lanes that are not here a divisor may be anything; that must not trap.
 */
#include "widen.h"

/* LLVM's opcode taken apart */
struct division {
	bool sign, remainder;
};

static struct division
division(LLVMValueRef insn)
{
	LLVMOpcode o = LLVMGetInstructionOpcode(insn);

	return (struct division){ o == LLVMSDiv || o == LLVMSRem,
		o == LLVMURem || o == LLVMSRem };
}

static unsigned
width(LLVMValueRef v)
{
	LLVMTypeRef ty = LLVMTypeOf(v);

	if (LLVMGetTypeKind(ty) == LLVMVectorTypeKind)
		ty = LLVMGetElementType(ty);
	return LLVMGetIntTypeWidth(ty);
}

static LLVMValueRef
k(LLVMValueRef like, uint64_t v)
{
	LLVMTypeRef ty = LLVMTypeOf(like);
	LLVMValueRef s, all[LANES];
	unsigned l;

	if (LLVMGetTypeKind(ty) != LLVMVectorTypeKind)
		return LLVMConstInt(ty, v, false);
	s = LLVMConstInt(LLVMGetElementType(ty), v, false);
	for (l = 0; l < LANES; l++)
		all[l] = s;
	return LLVMConstVector(all, LANES);
}

/* the operation on scalars, where b may be poison or what traps only if this
 * is not asked for */
static LLVMValueRef
scalar(struct widen *w, LLVMOpcode op, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef bad, ok;

	if (LLVMIsAConstantInt(b))
		return LLVMBuildBinOp(w->b, op, a, b, "");
	a = LLVMBuildFreeze(w->b, a, "");
	b = LLVMBuildFreeze(w->b, b, "");
	bad = LLVMBuildICmp(w->b, LLVMIntEQ, b, k(b, 0), "");
	if (op == LLVMSDiv || op == LLVMSRem) {
		ok = LLVMConstInt(LLVMTypeOf(a), (uint64_t)1 << (width(a) - 1),
			false);
		ok = LLVMBuildICmp(w->b, LLVMIntEQ, a, ok, "");
		bad = LLVMBuildOr(w->b, bad, LLVMBuildAnd(w->b, ok,
			LLVMBuildICmp(w->b, LLVMIntEQ, b, LLVMConstAllOnes(
			LLVMTypeOf(b)), ""), ""), "");
	}
	return LLVMBuildBinOp(w->b, op, a, LLVMBuildSelect(w->b, bad, k(b, 1),
		b, ""), "");
}

static LLVMTypeRef
doubles(struct widen *w)
{
	return widen_wide_type(LLVMDoubleTypeInContext(w->c));
}

static LLVMTypeRef
longs(struct widen *w)
{
	return widen_wide_type(w->i64);
}

static const uint64_t two52 = 0x4330000000000000; /* the double's bits */

/* <32 x i64> below 2^52 as doubles: their bits are those of 2^52 + v */
static LLVMValueRef
to_double(struct widen *w, LLVMValueRef v)
{
	LLVMValueRef top = LLVMBuildBitCast(w->b, k(v, two52), doubles(w), "");

	v = LLVMBuildOr(w->b, v, k(v, two52), "");
	v = LLVMBuildBitCast(w->b, v, doubles(w), "");
	return LLVMBuildFSub(w->b, v, top, "");
}

/* and back, cut off */
static LLVMValueRef
from_double(struct widen *w, LLVMValueRef v)
{
	LLVMValueRef bits = k(LLVMConstNull(longs(w)), two52);

	v = widen_call1(w, "llvm.floor", v);
	v = LLVMBuildFAdd(w->b, v, LLVMBuildBitCast(w->b, bits, doubles(w),
		""), "");
	v = LLVMBuildBitCast(w->b, v, longs(w), "");
	return LLVMBuildXor(w->b, v, bits, "");
}

/* a / b, doubles that are whole numbers, before it is cut off; same: b as a
 * scalar, if it is one for all lanes */
static LLVMValueRef
divide_doubles(struct widen *w, LLVMValueRef a, LLVMValueRef b,
	LLVMValueRef same)
{
	LLVMTypeRef f64 = LLVMDoubleTypeInContext(w->c);
	LLVMValueRef half = widen_splat(w, LLVMConstReal(f64, 0.5));

	if (!same)
		return LLVMBuildFDiv(w->b, a, b, "");
	same = LLVMBuildUIToFP(w->b, same, f64, "");
	same = LLVMBuildFDiv(w->b, LLVMConstReal(f64, 1), same, "");
	return LLVMBuildFMul(w->b, LLVMBuildFAdd(w->b, a, half, ""),
		widen_splat(w, same), "");
}

static LLVMValueRef
by_doubles(struct widen *w, LLVMValueRef a, LLVMValueRef b, LLVMValueRef same)
{
	return from_double(w, divide_doubles(w, to_double(w, a),
		to_double(w, b), same));
}

/* the same of numbers of 32 bits, which machines convert */
static LLVMValueRef
short_by_doubles(struct widen *w, LLVMValueRef a, LLVMValueRef b,
	LLVMValueRef same)
{
	a = LLVMBuildUIToFP(w->b, a, doubles(w), "");
	b = LLVMBuildUIToFP(w->b, b, doubles(w), "");
	return LLVMBuildFPToUI(w->b, divide_doubles(w, a, b, same),
		widen_wide_type(w->i32), "");
}

/* a / b of 64 bits, lane by lane, of the lanes that are here */
static LLVMValueRef
by_lanes(struct widen *w, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef slot = widen_slot(w, longs(w), "quotient"), q, at;
	struct widen_loop each;

	widen_each(w, &each, widen_bits(w, w->mask));
	q = scalar(w, LLVMUDiv, widen_extract(w, a, each.lane),
		widen_extract(w, b, each.lane));
	at = LLVMBuildZExt(w->b, each.lane, w->i64, "");
	LLVMBuildStore(w->b, q, LLVMBuildGEP2(w->b, w->i64, slot, &at, 1, ""));
	widen_endeach(w, &each);
	return LLVMBuildLoad2(w->b, longs(w), slot, "");
}

/* a / b of 64 bits: by doubles if all are short enough */
static LLVMValueRef
long_division(struct widen *w, LLVMValueRef a, LLVMValueRef b,
	LLVMValueRef same)
{
	LLVMValueRef high, from[2], q;
	LLVMBasicBlockRef block[2];
	struct widen_if c;

	a = widen_safe(w, a, widen_k64(w, 1));
	b = widen_safe(w, b, widen_k64(w, 1));
	from[0] = by_doubles(w, a, b, same);
	high = widen_call1(w, "llvm.vector.reduce.or", LLVMBuildOr(w->b, a, b,
		""));
	high = LLVMBuildICmp(w->b, LLVMIntUGE, high, widen_k64(w, (uint64_t)1
		<< (same ? 50 : 52)), "");
	block[0] = LLVMGetInsertBlock(w->b);
	widen_if(w, &c, high);
	from[1] = by_lanes(w, a, b);
	block[1] = LLVMGetInsertBlock(w->b);
	widen_endif(w, &c);
	q = LLVMBuildPhi(w->b, longs(w), "");
	LLVMAddIncoming(q, from, block, 2);
	return q;
}

/* a / b of any width, unsigned */
static LLVMValueRef
quotient(struct widen *w, LLVMValueRef a, LLVMValueRef b, LLVMValueRef same)
{
	unsigned n = width(a);
	LLVMTypeRef ty = LLVMTypeOf(a), i32 = widen_wide_type(w->i32);

	if (n > 32)
		return long_division(w, a, b, same);
	a = LLVMBuildZExt(w->b, a, i32, "");
	b = LLVMBuildZExt(w->b, b, i32, "");
	return LLVMBuildTrunc(w->b, short_by_doubles(w, a, b, same), ty, "");
}

static LLVMValueRef
is_negative(struct widen *w, LLVMValueRef v)
{
	return LLVMBuildICmp(w->b, LLVMIntSLT, v, k(v, 0), "");
}

static LLVMValueRef
negate_if(struct widen *w, LLVMValueRef c, LLVMValueRef v)
{
	return LLVMBuildSelect(w->b, c, LLVMBuildNeg(w->b, v, ""), v, "");
}

/* by magnitudes where signed; the remainder has a's sign */
static LLVMValueRef
divide(struct widen *w, struct division d, LLVMValueRef a, LLVMValueRef b,
	LLVMValueRef same)
{
	LLVMValueRef q, x = a, y = b;

	if (d.sign) {
		x = negate_if(w, is_negative(w, a), a);
		y = negate_if(w, is_negative(w, b), b);
		if (same)
			same = negate_if(w, is_negative(w, same), same);
	}
	q = quotient(w, x, y, same);
	if (d.sign)
		q = negate_if(w, is_negative(w, LLVMBuildXor(w->b, a, b, "")),
			q);
	if (!d.remainder)
		return q;
	return LLVMBuildSub(w->b, a, LLVMBuildMul(w->b, q, b, ""), "");
}

/* does LLVM know better than to divide? */
static bool
is_easy(LLVMValueRef b)
{
	uint64_t v;

	if (!LLVMIsAConstantInt(b))
		return false;
	v = LLVMConstIntGetZExtValue(b);
	return width(b) <= 32 || (v & (v - 1)) == 0;
}

static void
by_runs(struct widen *w, LLVMValueRef insn, struct shape s)
{
	LLVMValueRef a[RUNS], b[RUNS];
	unsigned r;

	widen_runs(w, LLVMGetOperand(insn, 0), 0, s.seg, a);
	widen_runs(w, LLVMGetOperand(insn, 1), 0, s.seg, b);
	for (r = 0; r < s.seg; r++)
		a[r] = scalar(w, LLVMGetInstructionOpcode(insn), a[r], b[r]);
	widen_set_runs(w, insn, 0, s, a);
}

static void
whole(struct widen *w, LLVMValueRef insn, unsigned part)
{
	LLVMValueRef b = LLVMGetOperand(insn, 1), x, y, same;

	x = widen_wide(w, LLVMGetOperand(insn, 0), part);
	y = widen_wide(w, b, part);
	same = widen_is_uniform(w, b, part) ? widen_scalar(w, b, part) : 0;
	widen_set_wide(w, insn, part, is_easy(b) ? LLVMBuildBinOp(w->b,
		LLVMGetInstructionOpcode(insn), x, y, "")
		: divide(w, division(insn), x, y, same));
}

void
widen_divide(struct widen *w, LLVMValueRef insn)
{
	unsigned part, n = widen_parts(w, LLVMTypeOf(insn));
	struct shape s = widen_shape(w, insn, 0);

	if (width(insn) > 64) {
		widen_refuse(w, insn, "division of %u bits", width(insn));
		return;
	}
	if (n == 1 && s.seg && s.stride == 0) {
		by_runs(w, insn, s);
		return;
	}
	for (part = 0; part < n; part++)
		whole(w, insn, part);
}
