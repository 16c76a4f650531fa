/* widen_op.c - operations of each lane alone, on runs or on whole warps. */
#include "widen_int.h"

#include <string.h>

enum { MAX_OPERANDS = 16 };

/* part of operand k, or its only one */
static void
get(struct widen *w, LLVMValueRef insn, unsigned k, unsigned part,
	struct shape as, struct widen_forms *f)
{
	LLVMValueRef v = LLVMGetOperand(insn, k);

	if (widen_parts(w, LLVMTypeOf(v)) == 1)
		part = 0;
	widen_get(w, v, part, as, f);
}

/* what an operand must be for a result of shape s: runs as many, and the
 * same care */
static struct shape
wanted(struct widen *w, LLVMValueRef insn, unsigned k, unsigned part,
	struct shape s)
{
	LLVMValueRef v = LLVMGetOperand(insn, k);
	struct shape o;

	if (!s.seg)
		return s;
	o = widen_shape(w, v, widen_parts(w, LLVMTypeOf(v)) == 1 ? 0 : part);
	o = shape_cut(o, s.seg);
	o.maybe |= s.maybe;
	return o;
}

/* lanes of a run with stride that come before its 32 bits wrap */
static LLVMValueRef
first_turn(struct widen *w, LLVMValueRef run, int64_t stride, bool is_signed)
{
	uint32_t by = (uint32_t)(stride < 0 ? -stride : stride);
	LLVMValueRef room;

	if (stride > 0)
		room = LLVMBuildSub(w->b, widen_k32(w, is_signed ? INT32_MAX
			: UINT32_MAX), run, "");
	else
		room = is_signed ? LLVMBuildAdd(w->b, run, widen_k32(w,
			(uint32_t)INT32_MIN), "") : run;
	room = widen_call2(w, "llvm.umin", room, widen_k32(w, LANES * by));
	room = LLVMBuildUDiv(w->b, room, widen_k32(w, by), "");
	return LLVMBuildAdd(w->b, room, widen_k32(w, 1), "");
}

static struct shape
shape_of(struct widen *w, LLVMValueRef insn, unsigned k, unsigned part)
{
	LLVMValueRef v = LLVMGetOperand(insn, k);

	return widen_shape(w, v, widen_parts(w, LLVMTypeOf(v)) == 1 ? 0
		: part);
}

/* the same of run k of a result that is maybe: an operand's that is, or where
 * an index becomes wide here, its own */
static LLVMValueRef
turn(struct widen *w, LLVMValueRef insn, unsigned nop, unsigned part,
	const struct widen_forms *in, unsigned k)
{
	LLVMTypeRef ty;
	unsigned j;

	if (LLVMIsASelectInst(insn))
		return LLVMBuildSelect(w->b, in[0].run[k], in[1].turn[k],
			in[2].turn[k], "");
	for (j = 0; j < nop; j++)
		if (shape_of(w, insn, j, part).maybe)
			return in[j].turn[k];
	for (j = 0; j < nop; j++) {
		ty = LLVMTypeOf(in[j].run[k]);
		if (ty == w->i32 && shape_of(w, insn, j, part).stride)
			return first_turn(w, in[j].run[k], shape_of(w, insn,
				j, part).stride, !LLVMIsAZExtInst(insn));
	}
	return widen_k32(w, 0);
}

/* one part, of shape s */
static void
lanewise(struct widen *w, LLVMValueRef insn, unsigned nop, unsigned part,
	build_fn *build)
{
	struct shape s = widen_shape(w, insn, part);
	struct widen_forms in[MAX_OPERANDS], out;
	LLVMValueRef op[MAX_OPERANDS];
	unsigned k, j;

	for (j = 0; j < nop; j++)
		get(w, insn, j, part, wanted(w, insn, j, part, s), &in[j]);
	for (k = 0; k < s.seg; k++) {
		for (j = 0; j < nop; j++)
			op[j] = in[j].run[k];
		out.run[k] = build(w, insn, op);
		if (s.maybe)
			out.turn[k] = turn(w, insn, nop, part, in, k);
	}
	for (j = 0; j < nop; j++)
		op[j] = in[j].wide;
	if (!s.seg)
		out.wide = build(w, insn, op);
	widen_put(w, insn, part, &out);
}

void
widen_lanewise(struct widen *w, LLVMValueRef insn, unsigned nop,
	build_fn *build)
{
	unsigned i, n = widen_parts(w, LLVMTypeOf(insn));

	for (i = 0; i < n; i++)
		lanewise(w, insn, nop, i, build);
}

static bool
is_wide(LLVMValueRef v)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

/* ty, or a vector of it where v is one */
static LLVMTypeRef
as_wide_as(LLVMValueRef v, LLVMTypeRef ty)
{
	if (LLVMGetTypeKind(ty) == LLVMVectorTypeKind)
		ty = LLVMGetElementType(ty);
	return is_wide(v) ? widen_wide_type(ty) : ty;
}

/* What the scalar instruction promises holds in lanes that are here; the
 * first lane of a run that has a stride may not be. */
static void
copy_flags(struct widen *w, LLVMValueRef from, LLVMValueRef to)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(from);

	if (!LLVMIsAInstruction(to))
		return;
	if (LLVMCanValueUseFastMathFlags(from))
		LLVMSetFastMathFlags(to, LLVMGetFastMathFlags(from));
	if (!is_wide(to) && widen_shape(w, from, 0).stride)
		return;
	if (op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl) {
		LLVMSetNSW(to, LLVMGetNSW(from));
		LLVMSetNUW(to, LLVMGetNUW(from));
	}
	if (op == LLVMLShr || op == LLVMAShr)
		LLVMSetExact(to, LLVMGetExact(from));
}

static LLVMValueRef
build_binary(struct widen *w, LLVMValueRef insn, LLVMValueRef op[])
{
	LLVMOpcode code = LLVMGetInstructionOpcode(insn);
	LLVMValueRef v;

	if (code == LLVMOr && !is_wide(op[0])
	&& widen_shape(w, insn, 0).stride)
		return LLVMBuildAdd(w->b, op[0], op[1], "");
	v = LLVMBuildBinOp(w->b, code, op[0], op[1], "");
	copy_flags(w, insn, v);
	return v;
}

void
widen_binary(struct widen *w, LLVMValueRef insn)
{
	widen_lanewise(w, insn, 2, build_binary);
}

static LLVMValueRef
build_unary(struct widen *w, LLVMValueRef insn, LLVMValueRef op[])
{
	LLVMValueRef v;

	if (LLVMIsAFreezeInst(insn))
		return LLVMBuildFreeze(w->b, op[0], "");
	v = LLVMBuildFNeg(w->b, op[0], "");
	copy_flags(w, insn, v);
	return v;
}

void
widen_unary(struct widen *w, LLVMValueRef insn)
{
	widen_lanewise(w, insn, 1, build_unary);
}

static LLVMValueRef
build_compare(struct widen *w, LLVMValueRef insn, LLVMValueRef op[])
{
	LLVMValueRef v;

	if (LLVMIsAICmpInst(insn))
		return LLVMBuildICmp(w->b, LLVMGetICmpPredicate(insn), op[0],
			op[1], "");
	v = LLVMBuildFCmp(w->b, LLVMGetFCmpPredicate(insn), op[0], op[1], "");
	copy_flags(w, insn, v);
	return v;
}

void
widen_compare(struct widen *w, LLVMValueRef insn)
{
	widen_lanewise(w, insn, 2, build_compare);
}

static LLVMValueRef
build_select(struct widen *w, LLVMValueRef insn, LLVMValueRef op[])
{
	(void)insn;
	return LLVMBuildSelect(w->b, op[0], op[1], op[2], "");
}

/* a condition that is the same in all lanes chooses between vectors whole */
static void
select_part(struct widen *w, LLVMValueRef insn, unsigned part)
{
	LLVMValueRef c = LLVMGetOperand(insn, 0), v;
	struct shape s = widen_shape(w, insn, part);
	unsigned from = widen_parts(w, LLVMTypeOf(c)) == 1 ? 0 : part;

	if (s.seg || !widen_is_uniform(w, c, from)) {
		lanewise(w, insn, 3, part, build_select);
		return;
	}
	v = LLVMBuildSelect(w->b, widen_scalar(w, c, from),
		widen_wide(w, LLVMGetOperand(insn, 1), part),
		widen_wide(w, LLVMGetOperand(insn, 2), part), "");
	widen_set_wide(w, insn, part, v);
}

void
widen_select(struct widen *w, LLVMValueRef insn)
{
	unsigned i, n = widen_parts(w, LLVMTypeOf(insn));

	for (i = 0; i < n; i++)
		select_part(w, insn, i);
}

/* between shared pointers and integers */
static LLVMValueRef
build_shared(struct widen *w, LLVMValueRef insn, LLVMValueRef v)
{
	LLVMTypeRef i32 = as_wide_as(v, w->i32);

	if (widen_is_shared(LLVMTypeOf(insn)))
		return widen_shared_pointer(w, LLVMBuildIntCast2(w->b, v, i32,
			false, ""));
	return LLVMBuildIntCast2(w->b, widen_shared_offset(w, v),
		as_wide_as(v, LLVMTypeOf(insn)), false, "");
}

static LLVMValueRef
build_cast(struct widen *w, LLVMValueRef insn, LLVMValueRef op[])
{
	if (widen_is_shared(LLVMTypeOf(insn))
	|| widen_is_shared(LLVMTypeOf(LLVMGetOperand(insn, 0))))
		return build_shared(w, insn, op[0]);
	return LLVMBuildCast(w->b, LLVMGetInstructionOpcode(insn), op[0],
		as_wide_as(op[0], LLVMTypeOf(insn)), "");
}

void
widen_cast(struct widen *w, LLVMValueRef insn)
{
	widen_lanewise(w, insn, 1, build_cast);
}

static LLVMValueRef
build_gep(struct widen *w, LLVMValueRef insn, LLVMValueRef op[])
{
	unsigned k, n = (unsigned)LLVMGetNumOperands(insn);

	for (k = 1; widen_is_shared(LLVMTypeOf(insn)) && k < n; k++)
		op[k] = LLVMBuildIntCast2(w->b, op[k],
			as_wide_as(op[k], w->i32), true, "");
	return LLVMBuildGEP2(w->b, LLVMGetGEPSourceElementType(insn), op[0],
		op + 1, n - 1, "");
}

void
widen_gep(struct widen *w, LLVMValueRef insn)
{
	if (LLVMGetNumOperands(insn) > MAX_OPERANDS)
		widen_refuse(w, insn, "an address of many indices");
	else
		widen_lanewise(w, insn, (unsigned)LLVMGetNumOperands(insn),
			build_gep);
}

static const char *
callee(LLVMValueRef insn, unsigned *id)
{
	*id = LLVMGetIntrinsicID(LLVMGetCalledValue(insn));
	return LLVMIntrinsicGetName(*id, &(size_t){ 0 });
}

/* the intrinsic that insn calls, overloaded on over; operands that are
 * constants to it stay as they are */
static LLVMValueRef
build_overloaded(struct widen *w, LLVMValueRef insn, LLVMTypeRef *over,
	unsigned nover, LLVMValueRef op[])
{
	unsigned id, k, n = LLVMGetNumArgOperands(insn);
	LLVMTypeRef ty, arg[MAX_OPERANDS];
	LLVMValueRef v;

	callee(insn, &id);
	ty = LLVMIntrinsicGetType(w->c, id, over, nover);
	LLVMGetParamTypes(ty, arg);
	for (k = 0; k < n; k++)
		if (LLVMTypeOf(op[k]) != arg[k])
			op[k] = LLVMGetOperand(insn, k);
	v = LLVMBuildCall2(w->b, ty, LLVMGetIntrinsicDeclaration(w->m, id,
		over, nover), op, n, "");
	if (LLVMCanValueUseFastMathFlags(insn))
		LLVMSetFastMathFlags(v, LLVMGetFastMathFlags(insn));
	return v;
}

static LLVMValueRef
build_intrinsic(struct widen *w, LLVMValueRef insn, LLVMValueRef op[])
{
	LLVMTypeRef over[] = { LLVMTypeOf(op[0]) };

	return build_overloaded(w, insn, over, 1, op);
}

void
widen_intrinsic_op(struct widen *w, LLVMValueRef insn)
{
	widen_lanewise(w, insn, LLVMGetNumArgOperands(insn), build_intrinsic);
}

static LLVMValueRef
build_conversion(struct widen *w, LLVMValueRef insn, LLVMValueRef op[])
{
	LLVMTypeRef over[] = { as_wide_as(op[0], LLVMTypeOf(insn)),
		LLVMTypeOf(op[0]) };

	return build_overloaded(w, insn, over, 2, op);
}

void
widen_conversion(struct widen *w, LLVMValueRef insn)
{
	widen_lanewise(w, insn, LLVMGetNumArgOperands(insn),
		build_conversion);
}

static LLVMValueRef
build_intrinsic2(struct widen *w, LLVMValueRef insn, LLVMValueRef op[])
{
	LLVMTypeRef over[] = { LLVMTypeOf(op[0]), LLVMTypeOf(op[1]) };

	return build_overloaded(w, insn, over, 2, op);
}

void
widen_intrinsic2(struct widen *w, LLVMValueRef insn)
{
	widen_lanewise(w, insn, LLVMGetNumArgOperands(insn),
		build_intrinsic2);
}

/* both parts at once */
void
widen_overflow(struct widen *w, LLVMValueRef insn)
{
	struct shape s = widen_shape(w, insn, 0);
	struct widen_forms a, b, out[2];
	LLVMValueRef op[2], v;
	unsigned k;

	get(w, insn, 0, 0, s, &a);
	get(w, insn, 1, 0, s, &b);
	for (k = 0; k < (s.seg ? s.seg : 1); k++) {
		op[0] = s.seg ? a.run[k] : a.wide;
		op[1] = s.seg ? b.run[k] : b.wide;
		v = build_intrinsic(w, insn, op);
		out[0].wide = out[0].run[k]
			= LLVMBuildExtractValue(w->b, v, 0, "");
		out[1].wide = out[1].run[k]
			= LLVMBuildExtractValue(w->b, v, 1, "");
	}
	widen_put(w, insn, 0, &out[0]);
	widen_put(w, insn, 1, &out[1]);
}
