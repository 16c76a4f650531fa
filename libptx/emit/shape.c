/* shape.c - types and values of one shape, read and written.
 *
 * What the chapters on arithmetic say once for a scalar, for the halves of a
 * packed register and for the lanes of a warp.
 */
#include "arith.h"

LLVMTypeRef
emit_like(LLVMTypeRef shape, LLVMTypeRef elem)
{
	if (LLVMGetTypeKind(shape) != LLVMVectorTypeKind)
		return elem;
	return LLVMVectorType(elem, LLVMGetVectorSize(shape));
}

static LLVMTypeRef
element(LLVMValueRef v)
{
	LLVMTypeRef ty;

	ty = LLVMTypeOf(v);
	if (LLVMGetTypeKind(ty) == LLVMVectorTypeKind)
		return LLVMGetElementType(ty);
	return ty;
}

unsigned
emit_width(LLVMValueRef v)
{
	LLVMTypeRef ty;

	ty = element(v);
	switch (LLVMGetTypeKind(ty)) {
	case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(ty);
	case LLVMHalfTypeKind:    return 16;
	case LLVMFloatTypeKind:   return 32;
	default:                  return 64;
	}
}

LLVMTypeRef
emit_ilike(struct emit *e, LLVMValueRef v, unsigned bits)
{
	return emit_like(LLVMTypeOf(v), LLVMIntTypeInContext(e->c, bits));
}

LLVMTypeRef
emit_flike(struct emit *e, LLVMValueRef v, unsigned bits)
{
	LLVMTypeRef elem;

	elem = bits == 16 ? LLVMHalfTypeInContext(e->c)
		: bits == 32 ? LLVMFloatTypeInContext(e->c)
		: LLVMDoubleTypeInContext(e->c);
	return emit_like(LLVMTypeOf(v), elem);
}

LLVMValueRef
emit_klike(struct emit *e, LLVMValueRef v, int64_t k)
{
	return emit_k(e, LLVMTypeOf(v), k);
}

LLVMValueRef
emit_kflike(struct emit *e, LLVMValueRef v, double k)
{
	return emit_kf(e, LLVMTypeOf(v), k);
}

LLVMValueRef
emit_int(struct emit *e, LLVMValueRef v)
{
	return emit_bits(e, v, emit_ilike(e, v, emit_width(v)));
}

LLVMValueRef
emit_flt(struct emit *e, LLVMValueRef v)
{
	return emit_bits(e, v, emit_flike(e, v, emit_width(v)));
}

LLVMValueRef
emit_select(struct emit *e, LLVMValueRef c, LLVMValueRef yes, LLVMValueRef no)
{
	return LLVMBuildSelect(e->b, c, yes, no, "");
}

LLVMValueRef
emit_fcmp(struct emit *e, LLVMRealPredicate p, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildFCmp(e->b, p, a, b, "");
}

LLVMValueRef
emit_isnan(struct emit *e, LLVMValueRef v)
{
	return emit_fcmp(e, LLVMRealUNO, v, v);
}

/* the mask of a shuffle whose element k is from + k * step */
static LLVMValueRef
mask(struct emit *e, unsigned len, unsigned from, unsigned step)
{
	LLVMTypeRef i32;
	LLVMValueRef k[256];
	unsigned n;

	i32 = LLVMInt32TypeInContext(e->c);
	for (n = 0; n < len; n++)
		k[n] = LLVMConstInt(i32, from + n * step, 0);
	return LLVMConstVector(k, len);
}

LLVMValueRef
emit_part(struct emit *e, LLVMValueRef v, unsigned parts, unsigned part)
{
	LLVMTypeRef i32;

	if (e->lanes > 1)
		return LLVMBuildShuffleVector(e->b, v,
			LLVMGetPoison(LLVMTypeOf(v)),
			mask(e, e->lanes, part, parts), "");
	i32 = LLVMInt32TypeInContext(e->c);
	return LLVMBuildExtractElement(e->b, v,
		LLVMConstInt(i32, part, 0), "");
}

/* a and b, of na and nb parts a lane, interleaved lane by lane */
static LLVMValueRef
zip(struct emit *e, LLVMValueRef a, LLVMValueRef b, unsigned n)
{
	LLVMTypeRef i32;
	LLVMValueRef k[256];
	unsigned lane, part, len;

	i32 = LLVMInt32TypeInContext(e->c);
	len = 0;
	for (lane = 0; lane < e->lanes; lane++)
		for (part = 0; part < 2 * n; part++)
			k[len++] = LLVMConstInt(i32, part < n
				? lane * n + part
				: (e->lanes + lane) * n + part - n, 0);
	return LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(k, len), "");
}

LLVMValueRef
emit_parts(struct emit *e, LLVMValueRef *part, unsigned n)
{
	LLVMValueRef v;
	LLVMTypeRef i32;
	unsigned k;

	if (e->lanes > 1 && n == 2)
		return zip(e, part[0], part[1], 1);
	if (e->lanes > 1)
		return zip(e, emit_parts(e, part, n / 2),
			emit_parts(e, part + n / 2, n / 2), n / 2);
	i32 = LLVMInt32TypeInContext(e->c);
	v = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(part[0]), n));
	for (k = 0; k < n; k++)
		v = LLVMBuildInsertElement(e->b, v, part[k],
			LLVMConstInt(i32, k, 0), "");
	return v;
}

/* all bits but the sign are set */
LLVMValueRef
emit_nan(struct emit *e, LLVMValueRef like)
{
	unsigned bits;

	bits = emit_width(like);
	return emit_flt(e, emit_k(e, emit_ilike(e, like, bits),
		(int64_t)(UINT64_MAX >> (65 - bits))));
}

bool
emit_is_bf16(enum type t)
{
	return t == T_BF16 || t == T_BF16X2;
}

LLVMValueRef
emit_unpack(struct emit *e, LLVMValueRef v, enum type t)
{
	unsigned n;

	n = e->lanes * type_info[t].lanes;
	if (n == e->lanes)
		return v;
	return emit_bits(e, v, LLVMVectorType(LLVMIntTypeInContext(e->c,
		type_info[t].bits / type_info[t].lanes), n));
}

LLVMValueRef
emit_iread(struct emit *e, const struct insn *i, int k, enum type t)
{
	return emit_unpack(e, emit_read(e, &i->u.opnd[k], t), t);
}

bool
emit_flushes(struct emit *e, const struct insn *i, enum type t)
{
	return insn_has(i, "ftz")
		&& !(e->ftz_mode && (t == T_F32 || t == T_F32X2));
}

LLVMValueRef
emit_operand(struct emit *e, const struct insn *i, int k, enum type t)
{
	LLVMValueRef v;

	if (emit_is_bf16(t))
		return emit_from_bf16(e, emit_iread(e, i, k, t));
	v = emit_readf(e, &i->u.opnd[k], t);
	return emit_flushes(e, i, t) ? emit_flush(e, v) : v;
}

/* the larger of v and +0; a NaN stays */
static LLVMValueRef
relu(struct emit *e, LLVMValueRef v)
{
	return emit_select(e,
		emit_fcmp(e, LLVMRealUGT, v, emit_kflike(e, v, 0)),
		v, emit_kflike(e, v, 0));
}

void
emit_result(struct emit *e, const struct insn *i, enum type t, LLVMValueRef v)
{
	if (emit_flushes(e, i, t))
		v = emit_flush(e, v);
	if (insn_has(i, "sat"))
		v = emit_saturate(e, v);
	if (insn_has(i, "relu"))
		v = relu(e, v);
	if (emit_is_bf16(t))
		v = emit_bf16(e, ROUND_RN, v);
	emit_write(e, &i->u.opnd[0], t, v);
}
