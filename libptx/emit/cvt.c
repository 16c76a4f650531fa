/* cvt.c - conversions of and to integers (PTX 9.7.9.21). */
#include "arith.h"

/* the largest value of an integer type */
static uint64_t
greatest(enum type t)
{
	return UINT64_MAX >> (64 - type_info[t].bits + emit_is_signed(t));
}

/* v of type s, held in its own width, brought into the range of type d */
static LLVMValueRef
clamp(struct emit *e, LLVMValueRef v, enum type d, enum type s)
{
	bool sign;

	sign = emit_is_signed(s);
	if (sign && !emit_is_signed(d))
		v = emit_imax(e, true, v, emit_klike(e, v, 0));
	else if (sign && greatest(d) < greatest(s))
		v = emit_imax(e, true, v,
			emit_klike(e, v, -(int64_t)greatest(d) - 1));
	if (greatest(d) < greatest(s))
		v = emit_imin(e, sign, v,
			emit_klike(e, v, (int64_t)greatest(d)));
	return v;
}

void
emit_cvt_int(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v;
	enum type d, s;

	(void)with;
	d = insn_type(i, 0);
	s = insn_type(i, 1);
	v = emit_iread(e, i, 1, s);
	if (insn_has(i, "sat"))
		v = clamp(e, v, d, s);
	v = emit_resize(e, v, type_info[d].bits, emit_is_signed(s));
	emit_write(e, &i->u.opnd[0], d, v);
}

/* v rounded to an integer as i's .irnd says */
LLVMValueRef
emit_irnd(struct emit *e, const struct insn *i, LLVMValueRef v)
{
	if (insn_has(i, "rni"))
		return emit_call1(e, "llvm.rint", v);
	if (insn_has(i, "rzi"))
		return emit_call1(e, "llvm.trunc", v);
	if (insn_has(i, "rmi"))
		return emit_call1(e, "llvm.floor", v);
	if (insn_has(i, "rpi"))
		return emit_call1(e, "llvm.ceil", v);
	return v;
}

static LLVMValueRef
saturating(struct emit *e, LLVMValueRef v, unsigned bits, bool is_signed)
{
	LLVMTypeRef ty[2];
	LLVMValueRef r;

	r = bits == 32 ? e->t->to_int(e, v, is_signed) : 0;
	if (r)
		return r;
	ty[0] = emit_ilike(e, v, bits);
	ty[1] = LLVMTypeOf(v);
	return emit_intrinsic(e, is_signed ? "llvm.fptosi.sat"
		: "llvm.fptoui.sat", ty, 2, &v, 1);
}

/* what a NaN becomes: zero, or where f64 or 64 bits take part, the integer
 * with the highest bit alone */
static LLVMValueRef
of_nan(struct emit *e, LLVMValueRef f, LLVMValueRef v, bool wide)
{
	unsigned bits;

	if (!wide)
		return v;
	bits = emit_width(v);
	return emit_select(e, emit_isnan(e, f), emit_klike(e, v,
		(int64_t)(UINT64_C(1) << (bits - 1))), v);
}

/* float to integer saturates with or without .sat */
void
emit_cvt_f2i(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef f, v;
	enum type d, s, w;

	(void)with;
	d = insn_type(i, 0);
	s = insn_type(i, 1);
	f = emit_source(e, i, 1, s);
	if (emit_width(f) == 16)
		f = emit_wide(e, f, 32);
	w = type_info[d].bits == 64 ? d : emit_is_signed(d) ? T_S32 : T_U32;
	v = insn_has(i, "rzi") ? f : emit_irnd(e, i, f);
	v = saturating(e, v, type_info[w].bits, emit_is_signed(d));
	v = emit_resize(e, clamp(e, v, d, w), type_info[d].bits, false);
	v = of_nan(e, f, v, s == T_F64 || type_info[d].bits == 64);
	emit_write(e, &i->u.opnd[0], d, v);
}

static LLVMValueRef
to_float(struct emit *e, LLVMValueRef v, bool is_signed, unsigned bits)
{
	LLVMTypeRef ty;

	ty = emit_flike(e, v, bits);
	return is_signed ? LLVMBuildSIToFP(e->b, v, ty, "")
		: LLVMBuildUIToFP(e->b, v, ty, "");
}

/* the halves of a 64-bit integer as f64, which sum up to it */
static void
halves(struct emit *e, LLVMValueRef v, bool is_signed, LLVMValueRef f[2])
{
	LLVMValueRef hi, lo;

	hi = LLVMBuildLShr(e->b, v, emit_klike(e, v, 32), "");
	hi = to_float(e, emit_resize(e, hi, 32, false), is_signed, 64);
	lo = to_float(e, emit_resize(e, v, 32, false), false, 64);
	f[0] = LLVMBuildFMul(e->b, hi, emit_kflike(e, hi, 0x1p32), "");
	f[1] = lo;
}

/* v as f64, exact or rounded to odd */
static LLVMValueRef
to_f64_odd(struct emit *e, LLVMValueRef v, bool is_signed)
{
	LLVMValueRef f[2];

	if (emit_width(v) < 64)
		return to_float(e, v, is_signed, 64);
	halves(e, v, is_signed, f);
	return emit_add_odd(e, ROUND_RN, f[0], f[1]);
}

static LLVMValueRef
to_f64(struct emit *e, enum round r, LLVMValueRef v, bool is_signed)
{
	LLVMValueRef f[2];

	if (emit_width(v) < 64 || r == ROUND_RN)
		return to_float(e, v, is_signed, 64);
	halves(e, v, is_signed, f);
	return emit_eft_add(e, r, f[0], f[1]);
}

/* f16: what f32 cannot hold lies beyond its range and rounds as it should
 * whichever neighbour f32 chose */
void
emit_cvt_i2f(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v;
	enum type d, s;
	enum round r;
	bool sign;

	(void)with;
	d = insn_type(i, 0);
	s = insn_type(i, 1);
	v = emit_iread(e, i, 1, s);
	sign = emit_is_signed(s);
	r = emit_round(i, ROUND_RN);
	if (d == T_F64)
		v = to_f64(e, r, v, sign);
	else if (d == T_F16)
		v = emit_narrow(e, r, to_float(e, v, sign, 32), 16);
	else if (d == T_F32 && (r == ROUND_RN || type_info[s].bits <= 16))
		v = to_float(e, v, sign, 32);
	else if (d == T_F32)
		v = emit_narrow(e, r, to_f64_odd(e, v, sign), 32);
	else
		v = emit_bf16(e, r, emit_odd32(e, to_f64_odd(e, v, sign)));
	if (insn_has(i, "sat"))
		v = emit_saturate(e, v);
	emit_write(e, &i->u.opnd[0], d, v);
}
