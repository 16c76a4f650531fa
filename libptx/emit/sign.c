/* sign.c - floats as patterns of bits (PTX 9.7.3): abs, neg, copysign,
 * testp. */
#include "arith.h"
#include <string.h>

/* operand 1 as integers, flushed if i says so */
static LLVMValueRef
bits(struct emit *e, const struct insn *i, enum type t)
{
	LLVMValueRef v;

	v = emit_iread(e, i, 1, t);
	if (!insn_has(i, "ftz"))
		return v;
	return emit_int(e, emit_flush(e, emit_flt(e, v)));
}

/* with: is the sign cleared, or turned? */
void
emit_sign(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v, sign;
	enum type t;

	t = insn_type(i, 0);
	v = bits(e, i, t);
	sign = emit_klike(e, v, (int64_t)(UINT64_C(1)
		<< (emit_width(v) - 1)));
	if (with)
		v = LLVMBuildAnd(e->b, v, LLVMBuildNot(e->b, sign, ""), "");
	else
		v = LLVMBuildXor(e->b, v, sign, "");
	emit_write(e, &i->u.opnd[0], t, v);
}

/* the value of b with the sign of a */
void
emit_copysign(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	emit_write(e, &i->u.opnd[0], t, emit_call2(e, "llvm.copysign",
		emit_readf(e, &i->u.opnd[2], t),
		emit_readf(e, &i->u.opnd[1], t)));
}

/* LLVM's classes of floats, as llvm.is.fpclass and v_cmp_class number them */
enum {
	NANS = 0x003, INFINITIES = 0x204, NORMALS = 0x108,
	SUBNORMALS = 0x090, ZEROS = 0x060,
	FINITE = NORMALS | SUBNORMALS | ZEROS,
};

static const struct {
	const char *word;
	unsigned classes;
} test[] = {
	{ "finite",     FINITE },
	{ "infinite",   INFINITIES },
	{ "number",     FINITE | INFINITIES },
	{ "notanumber", NANS },
	{ "normal",     NORMALS | ZEROS },
	{ "subnormal",  SUBNORMALS },
};

void
emit_testp(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef arg[2];
	LLVMTypeRef ty;
	const char *word;
	int k;

	(void)with;
	word = insn_word(i, "op");
	for (k = 0; strcmp(test[k].word, word); k++)
		;
	arg[0] = emit_readf(e, &i->u.opnd[1], insn_type(i, 0));
	arg[1] = LLVMConstInt(LLVMInt32TypeInContext(e->c),
		test[k].classes, 0);
	ty = LLVMTypeOf(arg[0]);
	emit_write(e, &i->u.opnd[0], T_PRED,
		emit_intrinsic(e, "llvm.is.fpclass", &ty, 1, arg, 2));
}
