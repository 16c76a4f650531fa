/* cvt_pack.c - cvt.pack, and ue8m0, which is an exponent alone
 * (PTX 9.7.9.21, .22). */
#include "arith.h"

/* s32 operand k brought into the range of type d, cut to its bits */
static LLVMValueRef
clamped(struct emit *e, const struct insn *i, int k, enum type d)
{
	LLVMValueRef v;
	int64_t max, min;
	bool sign;

	sign = emit_is_signed(d);
	max = ((int64_t)1 << (type_info[d].bits - sign)) - 1;
	min = sign ? -max - 1 : 0;
	v = emit_iread(e, i, k, T_S32);
	v = emit_imax(e, true, v, emit_klike(e, v, min));
	v = emit_imin(e, true, v, emit_klike(e, v, max));
	if (!sign)
		return v;
	return LLVMBuildAnd(e->b, v,
		emit_klike(e, v, (1 << type_info[d].bits) - 1), "");
}

/* a and b side by side at the bottom, c above them */
void
emit_cvt_pack(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, c;
	enum type d;
	int bits;

	(void)with;
	d = insn_type(i, 0);
	bits = type_info[d].bits;
	v = clamped(e, i, 1, d);
	v = LLVMBuildShl(e->b, v, emit_klike(e, v, bits), "");
	v = LLVMBuildOr(e->b, v, clamped(e, i, 2, d), "");
	if (i->nopnd == 4) {
		c = emit_iread(e, i, 3, T_B32);
		c = LLVMBuildShl(e->b, c, emit_klike(e, c, 2 * bits), "");
		v = LLVMBuildOr(e->b, v, c, "");
	}
	emit_write(e, &i->u.opnd[0], T_B32, v);
}

/* the exponent of |v|, an f32, as ue8m0; .rp rounds up.  The exponent field
 * is it but for numbers below 2^-126, of which 2^-127 is the least ue8m0. */
static LLVMValueRef
exponent(struct emit *e, const struct insn *i, LLVMValueRef v)
{
	LLVMValueRef u, x, up, tiny;

	u = emit_int(e, emit_call1(e, "llvm.fabs", v));
	x = LLVMBuildLShr(e->b, u, emit_klike(e, u, 23), "");
	if (insn_has(i, "rp")) {
		up = LLVMBuildAnd(e->b, u, emit_klike(e, u, 0x7fffff), "");
		tiny = emit_icmp(e, LLVMIntEQ, x, emit_klike(e, x, 0));
		tiny = emit_select(e, tiny, emit_klike(e, x, 0x400000),
			emit_klike(e, x, 0));
		up = emit_icmp(e, LLVMIntUGT, up, tiny);
		x = LLVMBuildAdd(e->b, x,
			LLVMBuildZExt(e->b, up, LLVMTypeOf(x), ""), "");
	}
	if (insn_has(i, "satfinite"))
		x = emit_imin(e, false, x, emit_klike(e, x, 0xfe));
	x = emit_imin(e, false, x, emit_klike(e, x, 0xff));
	return emit_select(e, emit_isnan(e, v), emit_klike(e, x, 0xff), x);
}

static void
write_pair(struct emit *e, const struct insn *i, LLVMValueRef hi,
	LLVMValueRef lo)
{
	LLVMValueRef v;

	v = exponent(e, i, hi);
	v = LLVMBuildShl(e->b, v, emit_klike(e, v, 8), "");
	v = LLVMBuildOr(e->b, v, exponent(e, i, lo), "");
	emit_write(e, &i->u.opnd[0], T_UE8M0X2, emit_resize(e, v, 16, false));
}

void
emit_cvt_ue8m0(struct emit *e, const struct insn *i, int with)
{
	(void)with;
	write_pair(e, i, emit_readf(e, &i->u.opnd[1], T_F32),
		emit_readf(e, &i->u.opnd[2], T_F32));
}

void
emit_cvt_ue8m0_bf16x2(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v;

	(void)with;
	v = emit_from_bf16(e, emit_iread(e, i, 1, T_BF16X2));
	write_pair(e, i, emit_part(e, v, 2, 1), emit_part(e, v, 2, 0));
}

/* x, an exponent, as a bf16: 2^-127 is subnormal there, 0xff a NaN */
static LLVMValueRef
decode(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef v;

	v = LLVMBuildShl(e->b, x, emit_klike(e, x, 7), "");
	v = emit_select(e, emit_icmp(e, LLVMIntEQ, x, emit_klike(e, x, 0)),
		emit_klike(e, x, 0x40), v);
	return emit_select(e, emit_icmp(e, LLVMIntEQ, x,
		emit_klike(e, x, 0xff)), emit_klike(e, x, 0x7fff), v);
}

void
emit_cvt_from_ue8m0(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, part[2];

	(void)with;
	v = emit_read(e, &i->u.opnd[1], T_UE8M0X2);
	part[0] = decode(e, LLVMBuildAnd(e->b, v, emit_klike(e, v, 0xff), ""));
	part[1] = decode(e, LLVMBuildLShr(e->b, v, emit_klike(e, v, 8), ""));
	emit_write(e, &i->u.opnd[0], T_BF16X2, emit_bits(e,
		emit_parts(e, part, 2), emit_tty(e, T_BF16X2)));
}
