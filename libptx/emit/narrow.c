/* narrow.c - floats to formats with fewer bits, rounded once.
 *
 * f64 reaches the 16-bit formats through f32 rounded to odd.  Conversions of
 * integers and sums that f64 does not hold come here as f64 rounded to odd.
 */
#include "arith.h"

LLVMValueRef
emit_wide(struct emit *e, LLVMValueRef v, unsigned bits)
{
	if (emit_width(v) == bits)
		return v;
	return LLVMBuildFPExt(e->b, v, emit_flike(e, v, bits), "");
}

/* v to nearest in a float type of so many bits, and what that leaves out */
static LLVMValueRef
nearest(struct emit *e, LLVMValueRef v, unsigned bits, LLVMValueRef *err)
{
	LLVMValueRef near;

	near = LLVMBuildFPTrunc(e->b, v, emit_flike(e, v, bits), "");
	*err = LLVMBuildFSub(e->b, v, emit_wide(e, near, emit_width(v)), "");
	return near;
}

/* f64 to f32, rounded to odd */
LLVMValueRef
emit_odd32(struct emit *e, LLVMValueRef v)
{
	LLVMValueRef near, err;

	if (emit_width(v) == 32)
		return v;
	near = nearest(e, v, 32, &err);
	return emit_odd(e, near, err);
}

LLVMValueRef
emit_narrow(struct emit *e, enum round r, LLVMValueRef v, unsigned bits)
{
	LLVMValueRef near, err;

	if (emit_width(v) == bits)
		return v;
	if (bits == 16)
		v = emit_odd32(e, v);
	near = nearest(e, v, bits, &err);
	return emit_nudge(e, r, near, err);
}

/* what to add to the bits of an f32 so that cutting the lower 16 rounds */
static LLVMValueRef
bias16(struct emit *e, enum round r, LLVMValueRef u)
{
	LLVMValueRef neg, odd, up, none;

	none = emit_klike(e, u, 0);
	up = emit_klike(e, u, 0xffff);
	neg = LLVMBuildICmp(e->b, LLVMIntSLT, u, none, "");
	switch (r) {
	case ROUND_RZ:
		return none;
	case ROUND_RM:
		return emit_select(e, neg, up, none);
	case ROUND_RP:
		return emit_select(e, neg, none, up);
	default:
		odd = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, u,
			emit_klike(e, u, 16), ""), emit_klike(e, u, 1), "");
		return LLVMBuildAdd(e->b, odd, emit_klike(e, u, 0x7fff), "");
	}
}

/* f32 to the 16 bits of a bf16; a NaN becomes 0x7fff */
LLVMValueRef
emit_bf16(struct emit *e, enum round r, LLVMValueRef v)
{
	LLVMValueRef u;

	u = emit_int(e, v);
	u = LLVMBuildAdd(e->b, u, bias16(e, r, u), "");
	u = LLVMBuildLShr(e->b, u, emit_klike(e, u, 16), "");
	u = emit_select(e, emit_isnan(e, v), emit_klike(e, u, 0x7fff), u);
	return LLVMBuildTrunc(e->b, u, emit_ilike(e, u, 16), "");
}

LLVMValueRef
emit_from_bf16(struct emit *e, LLVMValueRef h)
{
	LLVMValueRef u;

	u = LLVMBuildZExt(e->b, h, emit_ilike(e, h, 32), "");
	return emit_flt(e, LLVMBuildShl(e->b, u, emit_klike(e, u, 16), ""));
}
