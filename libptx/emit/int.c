/* int.c - integer arithmetic (PTX 9.7.1): sums, products, quotients.
 *
 * Each form becomes the shape of IR that LLVM's instruction selection knows:
 * mul.wide and mad.wide are v_mad_u64_u32, sad is v_sad, mul24 v_mul_u32_u24.
 */
#include "arith.h"

bool
emit_is_signed(enum type t)
{
	return type_info[t].kind == 's';
}

LLVMValueRef
emit_resize(struct emit *e, LLVMValueRef v, unsigned bits, bool is_signed)
{
	LLVMTypeRef ty;

	if (emit_width(v) == bits)
		return v;
	ty = emit_ilike(e, v, bits);
	if (emit_width(v) > bits)
		return LLVMBuildTrunc(e->b, v, ty, "");
	if (is_signed)
		return LLVMBuildSExt(e->b, v, ty, "");
	return LLVMBuildZExt(e->b, v, ty, "");
}

LLVMValueRef
emit_icmp(struct emit *e, LLVMIntPredicate p, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildICmp(e->b, p, a, b, "");
}

LLVMValueRef
emit_imin(struct emit *e, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
	return emit_call2(e, is_signed ? "llvm.smin" : "llvm.umin", a, b);
}

LLVMValueRef
emit_imax(struct emit *e, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
	return emit_call2(e, is_signed ? "llvm.smax" : "llvm.umax", a, b);
}

static LLVMValueRef
wide(struct emit *e, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
	unsigned bits;

	bits = 2 * emit_width(a);
	return LLVMBuildMul(e->b, emit_resize(e, a, bits, is_signed),
		emit_resize(e, b, bits, is_signed), "");
}

LLVMValueRef
emit_mulhi(struct emit *e, bool is_signed, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef v;

	v = wide(e, is_signed, a, b);
	v = LLVMBuildLShr(e->b, v, emit_klike(e, v, emit_width(a)), "");
	return emit_resize(e, v, emit_width(a), false);
}

void
emit_binary(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	t = insn_type(i, 0);
	emit_write(e, &i->u.opnd[0], t, LLVMBuildBinOp(e->b, with,
		emit_iread(e, i, 1, t), emit_iread(e, i, 2, t), ""));
}

/* with: LLVMAdd or LLVMSub */
void
emit_binary_sat(struct emit *e, const struct insn *i, int with)
{
	emit_write(e, &i->u.opnd[0], T_S32, emit_call2(e, with == LLVMAdd
		? "llvm.sadd.sat" : "llvm.ssub.sat",
		emit_iread(e, i, 1, T_S32), emit_iread(e, i, 2, T_S32)));
}

/* with: is it max? */
void
emit_minmax_int(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef a, b, v;
	enum type t;

	t = insn_type(i, 0);
	a = emit_iread(e, i, 1, t);
	b = emit_iread(e, i, 2, t);
	v = with ? emit_imax(e, emit_is_signed(t), a, b)
		: emit_imin(e, emit_is_signed(t), a, b);
	if (insn_has(i, "relu"))
		v = emit_imax(e, true, v, emit_klike(e, v, 0));
	emit_write(e, &i->u.opnd[0], t, v);
}

/* the type of .wide results */
static enum type
twice(enum type t)
{
	switch (t) {
	case T_U16: return T_U32;
	case T_S16: return T_S32;
	case T_U32: return T_U64;
	default:    return T_S64;
	}
}

/* the product that i's .lo, .hi or .wide names; *t becomes its type */
static LLVMValueRef
product(struct emit *e, const struct insn *i, enum type *t)
{
	LLVMValueRef a, b;
	bool sign;

	sign = emit_is_signed(*t);
	a = emit_iread(e, i, 1, *t);
	b = emit_iread(e, i, 2, *t);
	if (insn_has(i, "hi"))
		return emit_mulhi(e, sign, a, b);
	if (!insn_has(i, "wide"))
		return LLVMBuildMul(e->b, a, b, "");
	*t = twice(*t);
	return wide(e, sign, a, b);
}

/* plus the addend c, saturated if i says so */
static void
accumulate(struct emit *e, const struct insn *i, enum type t, LLVMValueRef v)
{
	LLVMValueRef c;

	c = emit_iread(e, i, 3, t);
	if (insn_has(i, "sat"))
		v = emit_call2(e, "llvm.sadd.sat", v, c);
	else
		v = LLVMBuildAdd(e->b, v, c, "");
	emit_write(e, &i->u.opnd[0], t, v);
}

void
emit_mul_int(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	v = product(e, i, &t);
	emit_write(e, &i->u.opnd[0], t, v);
}

void
emit_mad_int(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	v = product(e, i, &t);
	accumulate(e, i, t, v);
}

/* the lower 24 bits of operand k, extended to 32 */
static LLVMValueRef
low24(struct emit *e, const struct insn *i, int k, enum type t)
{
	LLVMValueRef v;

	v = emit_iread(e, i, k, t);
	if (!emit_is_signed(t))
		return LLVMBuildAnd(e->b, v, emit_klike(e, v, 0xffffff), "");
	v = LLVMBuildShl(e->b, v, emit_klike(e, v, 8), "");
	return LLVMBuildAShr(e->b, v, emit_klike(e, v, 8), "");
}

static LLVMValueRef
product24(struct emit *e, const struct insn *i, enum type t)
{
	LLVMValueRef a, b, v;

	a = low24(e, i, 1, t);
	b = low24(e, i, 2, t);
	if (!insn_has(i, "hi"))
		return LLVMBuildMul(e->b, a, b, "");
	v = wide(e, emit_is_signed(t), a, b);
	v = LLVMBuildLShr(e->b, v, emit_klike(e, v, 16), "");
	return emit_resize(e, v, 32, false);
}

void
emit_mul24(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	emit_write(e, &i->u.opnd[0], t, product24(e, i, t));
}

void
emit_mad24(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	accumulate(e, i, t, product24(e, i, t));
}

void
emit_sad(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef a, b;
	enum type t;
	bool sign;

	(void)with;
	t = insn_type(i, 0);
	sign = emit_is_signed(t);
	a = emit_iread(e, i, 1, t);
	b = emit_iread(e, i, 2, t);
	accumulate(e, i, t, LLVMBuildSub(e->b, emit_imax(e, sign, a, b),
		emit_imin(e, sign, a, b), ""));
}

void
emit_abs_int(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, zero;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	v = emit_iread(e, i, 1, t);
	zero = emit_klike(e, v, 0);
	v = emit_select(e, emit_icmp(e, LLVMIntSLT, v, zero),
		LLVMBuildNeg(e->b, v, ""), v);
	emit_write(e, &i->u.opnd[0], t, v);
}

void
emit_neg_int(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	emit_write(e, &i->u.opnd[0], t,
		LLVMBuildNeg(e->b, emit_iread(e, i, 1, t), ""));
}

void
emit_dp4a(struct emit *e, const struct insn *i, int with)
{
	enum type a, b, d;

	(void)with;
	a = insn_type(i, 0);
	b = insn_type(i, 1);
	d = emit_is_signed(a) || emit_is_signed(b) ? T_S32 : T_U32;
	emit_write(e, &i->u.opnd[0], d, emit_dot(e, 8, emit_is_signed(a),
		emit_is_signed(b), emit_iread(e, i, 1, T_B32),
		emit_iread(e, i, 2, T_B32), emit_iread(e, i, 3, d)));
}

/* bits from bit at of v, extended to 32 */
static LLVMValueRef
field(struct emit *e, LLVMValueRef v, unsigned at, unsigned bits, enum type t)
{
	v = LLVMBuildLShr(e->b, v, emit_klike(e, v, at), "");
	v = emit_resize(e, v, bits, false);
	return emit_resize(e, v, 32, emit_is_signed(t));
}

void
emit_dp2a(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef a, b, v;
	enum type ta, tb;
	unsigned from, k;

	(void)with;
	ta = insn_type(i, 0);
	tb = insn_type(i, 1);
	from = insn_has(i, "hi") ? 16 : 0;
	a = emit_iread(e, i, 1, T_B32);
	b = emit_iread(e, i, 2, T_B32);
	v = emit_iread(e, i, 3, T_B32);
	for (k = 0; k < 2; k++)
		v = LLVMBuildAdd(e->b, v, LLVMBuildMul(e->b,
			field(e, a, 16 * k, 16, ta),
			field(e, b, from + 8 * k, 8, tb), ""), "");
	emit_write(e, &i->u.opnd[0], T_B32, v);
}
