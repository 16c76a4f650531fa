/* redux.c - redux.sync: one value of all members of a warp (PTX 9.7.13.15).
 *
 * A whole warp folds in five steps, each with the lane whose number differs
 * in one bit.  Else the lanes that are here are gone through one by one, and
 * each takes what its own members have: two parts of a warp may be here, each
 * with a membermask of its own.
 * Floats compare as integers once each is mapped to its rank, so that -0 is
 * below +0 and NaN is above or below all, whichever .NaN asks for.
 */
#include "emit_int.h"

#include <string.h>

struct redux {
	const char *op;
	bool sign;
	LLVMOpcode code;   /* or 0: the intrinsic */
	const char *name;
	int64_t none;      /* what changes nothing */
};

static const struct redux table[] = {
	{ "add", false, LLVMAdd, 0, 0 },
	{ "add", true, LLVMAdd, 0, 0 },
	{ "and", false, LLVMAnd, 0, -1 },
	{ "or", false, LLVMOr, 0, 0 },
	{ "xor", false, LLVMXor, 0, 0 },
	{ "min", false, 0, "llvm.umin", -1 },
	{ "min", true, 0, "llvm.smin", INT32_MAX },
	{ "max", false, 0, "llvm.umax", 0 },
	{ "max", true, 0, "llvm.smax", INT32_MIN },
	{ 0, false, 0, 0, 0 },
};

static const struct redux *
find(const char *op, bool sign)
{
	const struct redux *r;

	for (r = table; r->op; r++)
		if (!strcmp(r->op, op) && r->sign == sign)
			return r;
	return 0;
}

static LLVMValueRef
k32(struct emit *e, int64_t v)
{
	return emit_k(e, emit_ity(e, 32), v);
}

static LLVMValueRef
fold(struct emit *e, const struct redux *r, LLVMValueRef a, LLVMValueRef b)
{
	if (r->name)
		return emit_call2(e, r->name, a, b);
	return LLVMBuildBinOp(e->b, r->code, a, b, "");
}

/* all 32 lanes are here and members */
static LLVMValueRef
whole(struct emit *e, const struct redux *r, LLVMValueRef v)
{
	unsigned k;

	for (k = 1; k < 32; k *= 2)
		v = fold(e, r, v, emit_bfly(e, v, k));
	return v;
}

/* v of lane l where that is one of members, else what changes nothing */
static LLVMValueRef
of_member(struct emit *e, const struct redux *r, LLVMValueRef v,
	LLVMValueRef members, LLVMValueRef l)
{
	LLVMValueRef bit = LLVMBuildLShr(e->b, members, l, "");

	return LLVMBuildSelect(e->b, LLVMBuildTrunc(e->b, bit,
		emit_ity(e, 1), ""), e->t->broadcast(e, v, l),
		k32(e, r->none), "");
}

/* a loop over lanes; goes to done */
static LLVMValueRef
part(struct emit *e, const struct redux *r, LLVMValueRef v,
	LLVMValueRef members, LLVMBasicBlockRef done)
{
	LLVMBasicBlockRef block[2];
	LLVMValueRef left[2], sum[2], now, acc;

	left[0] = emit_members(e, 0);
	block[0] = LLVMGetInsertBlock(e->b);
	block[1] = emit_block(e, "redux");
	LLVMBuildBr(e->b, block[1]);
	LLVMPositionBuilderAtEnd(e->b, block[1]);
	now = LLVMBuildPhi(e->b, emit_ity(e, 32), "");
	acc = LLVMBuildPhi(e->b, emit_ity(e, 32), "");
	sum[0] = k32(e, r->none);
	left[1] = LLVMBuildAnd(e->b, now,
		LLVMBuildSub(e->b, now, k32(e, 1), ""), "");
	sum[1] = fold(e, r, acc, of_member(e, r, v, members,
		emit_call2(e, "llvm.cttz", now, emit_k(e, emit_ity(e, 1), 1))));
	LLVMAddIncoming(now, left, block, 2);
	LLVMAddIncoming(acc, sum, block, 2);
	LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntNE, left[1],
		k32(e, 0), ""), block[1], done);
	return sum[1];
}

static LLVMValueRef
reduce(struct emit *e, const struct redux *r, LLVMValueRef v,
	LLVMValueRef members)
{
	LLVMBasicBlockRef all, some, done, block[2];
	LLVMValueRef sum[2], d;

	if (e->t->reduce)
		return e->t->reduce(e, r->name ? r->name + strlen("llvm.")
			: r->op, v, members);
	all = emit_block(e, "");
	some = emit_block(e, "");
	done = emit_block(e, "");
	LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, members,
		k32(e, -1), ""), all, some);
	LLVMPositionBuilderAtEnd(e->b, all);
	sum[0] = whole(e, r, v);
	block[0] = LLVMGetInsertBlock(e->b);
	LLVMBuildBr(e->b, done);
	LLVMPositionBuilderAtEnd(e->b, some);
	sum[1] = part(e, r, v, members, done);
	block[1] = LLVMGetInsertBlock(e->b);
	LLVMPositionBuilderAtEnd(e->b, done);
	d = LLVMBuildPhi(e->b, emit_ity(e, 32), "");
	LLVMAddIncoming(d, sum, block, 2);
	return d;
}

/* a float's bits to a signed integer that orders like it, and back */
static LLVMValueRef
rank(struct emit *e, LLVMValueRef bits)
{
	LLVMValueRef sign;

	sign = LLVMBuildAShr(e->b, bits, k32(e, 31), "");
	return LLVMBuildXor(e->b, bits, LLVMBuildAnd(e->b, sign,
		k32(e, INT32_MAX), ""), "");
}

static LLVMValueRef
is_nan(struct emit *e, LLVMValueRef bits)
{
	return LLVMBuildICmp(e->b, LLVMIntUGT, LLVMBuildAnd(e->b, bits,
		k32(e, INT32_MAX), ""), k32(e, 0x7f800000), "");
}

static LLVMValueRef
floats(struct emit *e, const struct insn *i, const struct redux *r,
	LLVMValueRef v, LLVMValueRef members)
{
	LLVMValueRef nan;
	int64_t as;

	if (insn_has(i, "abs"))
		v = LLVMBuildAnd(e->b, v, k32(e, INT32_MAX), "");
	as = r->none;
	if (insn_has(i, "NaN"))
		as = as == INT32_MAX ? INT32_MIN : INT32_MAX;
	nan = is_nan(e, v);
	v = LLVMBuildSelect(e->b, nan, k32(e, as), rank(e, v), "");
	v = rank(e, reduce(e, r, v, members));
	return LLVMBuildSelect(e->b, is_nan(e, v), k32(e, INT32_MAX), v, "");
}

void
emit_redux(struct emit *e, const struct insn *i, int with)
{
	const struct redux *r;
	LLVMValueRef v, members;
	enum type t;
	char kind;

	(void)with;
	t = insn_type(i, 0);
	kind = type_info[t].kind;
	r = find(insn_word(i, "op"), kind == 's' || kind == 'f');
	if (!r) {
		emit_refuse(e, "no such reduction of this type");
		return;
	}
	v = emit_read(e, &i->u.opnd[1], t);
	members = emit_members(e, &i->u.opnd[2]);
	v = kind == 'f' ? floats(e, i, r, v, members)
		: reduce(e, r, v, members);
	emit_write(e, &i->u.opnd[0], t, v);
}
