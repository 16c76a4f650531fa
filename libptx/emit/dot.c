/* dot.c - dot products of small integers packed in words.
 *
 * Machines differ in which widths and signs they multiply; what is missing
 * is made from what is there.
 */
#include "emit_int.h"

/* v's byte i as an i32 */
static LLVMValueRef
byte(struct emit *e, LLVMValueRef v, int i, bool is_signed)
{
	LLVMTypeRef i32 = emit_ity(e, 32);

	if (is_signed) {
		v = LLVMBuildShl(e->b, v, emit_k(e, i32, 24 - 8 * i), "");
		return LLVMBuildAShr(e->b, v, emit_k(e, i32, 24), "");
	}
	v = LLVMBuildLShr(e->b, v, emit_k(e, i32, 8 * i), "");
	return LLVMBuildAnd(e->b, v, emit_k(e, i32, 0xff), "");
}

static LLVMValueRef
spell_out(struct emit *e, bool asigned, bool bsigned, LLVMValueRef a,
	LLVMValueRef b, LLVMValueRef c)
{
	LLVMValueRef x;
	int i;

	for (i = 0; i < 4; i++) {
		x = LLVMBuildMul(e->b, byte(e, a, i, asigned),
			byte(e, b, i, bsigned), "");
		c = LLVMBuildAdd(e->b, c, x, "");
	}
	return c;
}

/* a unsigned, b signed, from products of signed ones: (a - 128) b + 128 b */
static LLVMValueRef
mixed(struct emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
	LLVMTypeRef i32 = emit_ity(e, 32);
	LLVMValueRef sum;

	sum = e->t->dot(e, 8, true, true, b, emit_k(e, i32, 0x01010101),
		emit_k(e, i32, 0));
	if (!sum)
		return spell_out(e, false, true, a, b, c);
	sum = LLVMBuildShl(e->b, sum, emit_k(e, i32, 7), "");
	c = LLVMBuildAdd(e->b, c, sum, "");
	a = LLVMBuildXor(e->b, a, emit_k(e, i32, 0x80808080), "");
	return e->t->dot(e, 8, true, true, a, b, c);
}

static LLVMValueRef
bytes(struct emit *e, bool asigned, bool bsigned, LLVMValueRef a,
	LLVMValueRef b, LLVMValueRef c)
{
	LLVMValueRef d;

	if (!e->t->dot)
		return spell_out(e, asigned, bsigned, a, b, c);
	d = e->t->dot(e, 8, asigned, bsigned, a, b, c);
	if (d)
		return d;
	if (asigned == bsigned)
		return spell_out(e, asigned, bsigned, a, b, c);
	return asigned ? mixed(e, b, a, c) : mixed(e, a, b, c);
}

/* nibbles as the upper halves of bytes: each product is 256 times as large,
 * and the sum of eight still fits */
static LLVMValueRef
nibbles(struct emit *e, bool asigned, bool bsigned, LLVMValueRef a,
	LLVMValueRef b, LLVMValueRef c)
{
	LLVMTypeRef i32 = emit_ity(e, 32);
	LLVMValueRef upper = emit_k(e, i32, 0xf0f0f0f0), four, sum;

	four = emit_k(e, i32, 4);
	sum = bytes(e, asigned, bsigned, LLVMBuildAnd(e->b, a, upper, ""),
		LLVMBuildAnd(e->b, b, upper, ""), emit_k(e, i32, 0));
	a = LLVMBuildShl(e->b, a, four, "");
	b = LLVMBuildShl(e->b, b, four, "");
	sum = bytes(e, asigned, bsigned, LLVMBuildAnd(e->b, a, upper, ""),
		LLVMBuildAnd(e->b, b, upper, ""), sum);
	sum = LLVMBuildAShr(e->b, sum, emit_k(e, i32, 8), "");
	return LLVMBuildAdd(e->b, c, sum, "");
}

LLVMValueRef
emit_dot(struct emit *e, unsigned bits, bool asigned, bool bsigned,
	LLVMValueRef a, LLVMValueRef b, LLVMValueRef c)
{
	LLVMValueRef d;

	if (bits == 8)
		return bytes(e, asigned, bsigned, a, b, c);
	d = e->t->dot ? e->t->dot(e, bits, asigned, bsigned, a, b, c) : 0;
	return d ? d : nibbles(e, asigned, bsigned, a, b, c);
}
