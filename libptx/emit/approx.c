/* approx.c - the .approx instructions (PTX 9.7.3, 9.7.4.10, .11).
 *
 * target->approx() gives the machine's own estimates, which may flush
 * subnormals: v_rcp_f32, v_rsq_f32, v_log_f32, v_exp_f32 and so on.  Where PTX
 * has no .ftz, operands and results are scaled by powers of two so that they
 * are right at both ends of the range.  With .ftz nothing is scaled.
 */
#include "arith.h"
#include <string.h>

static LLVMValueRef
mul(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildFMul(e->b, a, b, "");
}

/* yes or no, floats like v, by |v| < limit */
static LLVMValueRef
by_size(struct emit *e, LLVMValueRef v, double limit, LLVMValueRef yes,
	LLVMValueRef no)
{
	return emit_select(e, emit_fcmp(e, LLVMRealOLT,
		emit_call1(e, "llvm.fabs", v), emit_kflike(e, v, limit)),
		yes, no);
}

static LLVMValueRef
k(struct emit *e, LLVMValueRef like, double v)
{
	return emit_kflike(e, like, v);
}

static LLVMValueRef
rcp(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef s;

	s = by_size(e, x, 0x1p-100, k(e, x, 0x1p24),
		by_size(e, x, 0x1p100, k(e, x, 1), k(e, x, 0x1p-24)));
	return mul(e, e->t->approx(e, "rcp", mul(e, x, s)), s);
}

/* x scaled up where it is subnormal; *undo becomes what takes it back */
static LLVMValueRef
raise(struct emit *e, LLVMValueRef x, double done, LLVMValueRef *undo)
{
	*undo = by_size(e, x, 0x1p-126, k(e, x, done), k(e, x, 1));
	return mul(e, x, by_size(e, x, 0x1p-126, k(e, x, 0x1p24),
		k(e, x, 1)));
}

static LLVMValueRef
rsqrt(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef undo;

	x = raise(e, x, 0x1p12, &undo);
	return mul(e, e->t->approx(e, "rsqrt", x), undo);
}

static LLVMValueRef
square_root(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef undo;

	x = raise(e, x, 0x1p-12, &undo);
	return mul(e, e->t->approx(e, "sqrt", x), undo);
}

static LLVMValueRef
lg2(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef less;

	less = by_size(e, x, 0x1p-126, k(e, x, 24), k(e, x, 0));
	x = mul(e, x, by_size(e, x, 0x1p-126, k(e, x, 0x1p24), k(e, x, 1)));
	return LLVMBuildFSub(e->b, e->t->approx(e, "lg2", x), less, "");
}

static LLVMValueRef
ex2(struct emit *e, LLVMValueRef x)
{
	LLVMValueRef low, up;

	low = emit_fcmp(e, LLVMRealOLT, x, k(e, x, -126));
	up = emit_select(e, low, k(e, x, 64), k(e, x, 0));
	x = e->t->approx(e, "ex2", LLVMBuildFAdd(e->b, x, up, ""));
	return mul(e, x, emit_select(e, low, k(e, x, 0x1p-64), k(e, x, 1)));
}

static LLVMValueRef
sine(struct emit *e, LLVMValueRef x)
{
	return e->t->approx(e, "sin", x);
}

static LLVMValueRef
cosine(struct emit *e, LLVMValueRef x)
{
	return e->t->approx(e, "cos", x);
}

static const struct op_info {
	const char *name;
	LLVMValueRef (*full)(struct emit *, LLVMValueRef);
	bool normal;        /* its results are never subnormal */
} op[NINSN] = {
	[INSN_RCP_APPROX]  = { "rcp",   rcp,         false },
	[INSN_RSQRT]       = { "rsqrt", rsqrt,       true },
	[INSN_SQRT_APPROX] = { "sqrt",  square_root, true },
	[INSN_LG2]         = { "lg2",   lg2,         true },
	[INSN_EX2]         = { "ex2",   ex2,         false },
	[INSN_SIN]         = { "sin",   sine,        false },
	[INSN_COS]         = { "cos",   cosine,      false },
};

static bool
is_in(const char *const *list, const char *name)
{
	for (; list && *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

/* does the machine's estimate flush of its own accord? */
static bool
is_flushed(struct emit *e, const char *name)
{
	return is_in(e->t->approx_ftz, name);
}

static void
approx_ftz(struct emit *e, const struct insn *i, const struct op_info *o)
{
	LLVMValueRef x;

	x = is_flushed(e, o->name) ? emit_readf(e, &i->u.opnd[1], T_F32)
		: emit_operand(e, i, 1, T_F32);
	x = e->t->approx(e, o->name, x);
	if (o->normal || is_flushed(e, o->name))
		emit_write(e, &i->u.opnd[0], T_F32, x);
	else
		emit_result(e, i, T_F32, x);
}

void
emit_approx(struct emit *e, const struct insn *i, int with)
{
	const struct op_info *o = &op[i->op->id];
	LLVMValueRef x;

	(void)with;
	if (insn_has(i, "ftz")) {
		approx_ftz(e, i, o);
		return;
	}
	x = emit_operand(e, i, 1, T_F32);
	x = is_in(e->t->approx_full, o->name) ? e->t->approx(e, o->name, x)
		: o->full(e, x);
	emit_result(e, i, T_F32, x);
}

/* a / b as a times an estimate of 1 / b: zero, as PTX has it, where b is
 * above 2^126 and the estimate is flushed */
static LLVMValueRef
divide(struct emit *e, const struct insn *i, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef s;

	if (!insn_has(i, "ftz")) {
		s = by_size(e, b, 0x1p-126, k(e, b, 0x1p24), k(e, b, 1));
		a = mul(e, a, s);
		b = mul(e, b, s);
	}
	return mul(e, a, e->t->approx(e, "rcp", b));
}

/* a / b to the 2 ulp of div.full, which LLVM takes as permission */
static LLVMValueRef
divide_full(struct emit *e, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef v;
	LLVMMetadataRef ulp;

	v = LLVMBuildFDiv(e->b, a, b, "");
	if (!LLVMIsAInstruction(v))
		return v;
	ulp = LLVMValueAsMetadata(LLVMConstReal(
		LLVMFloatTypeInContext(e->c), 2));
	ulp = LLVMMDNodeInContext2(e->c, &ulp, 1);
	LLVMSetMetadata(v, LLVMGetMDKindIDInContext(e->c, "fpmath", 6),
		LLVMMetadataAsValue(e->c, ulp));
	return v;
}

void
emit_div_approx(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef a, b;

	(void)with;
	a = emit_operand(e, i, 1, T_F32);
	b = insn_is(i, "how", "approx") && is_flushed(e, "rcp")
		? emit_readf(e, &i->u.opnd[2], T_F32)
		: emit_operand(e, i, 2, T_F32);
	emit_result(e, i, T_F32, insn_is(i, "how", "full")
		? divide_full(e, a, b) : divide(e, i, a, b));
}
