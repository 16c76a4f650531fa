/* value.c - types, constants, operands: from PTX's registers to LLVM's values.
 *
 * A register is an alloca of an integer as wide as its type (a predicate:
 * i1), of e->lanes of them where a value holds several threads.  SROA makes
 * SSA of it.  Floats live there as their bits.
 */
#include "texture_int.h"

#include <string.h>

static LLVMTypeRef
widen(struct emit *e, LLVMTypeRef scalar, unsigned n)
{
	n *= e->lanes;
	return n == 1 ? scalar : LLVMVectorType(scalar, n);
}

LLVMTypeRef
emit_ity(struct emit *e, unsigned bits)
{
	return widen(e, LLVMIntTypeInContext(e->c, bits), 1);
}

LLVMTypeRef
emit_tty(struct emit *e, enum type t)
{
	return emit_ity(e, type_info[t].bits);
}

LLVMTypeRef
emit_fty(struct emit *e, enum type t)
{
	switch (t) {
	case T_F16:
	case T_F16X2:
		return widen(e, LLVMHalfTypeInContext(e->c),
			type_info[t].lanes);
	case T_BF16:
	case T_BF16X2:
		return widen(e, LLVMBFloatTypeInContext(e->c),
			type_info[t].lanes);
	case T_F64:
		return widen(e, LLVMDoubleTypeInContext(e->c), 1);
	default:
		return widen(e, LLVMFloatTypeInContext(e->c),
			t == T_F32X2 ? 2 : 1);
	}
}

/* the constant k in every element of ty */
static LLVMValueRef
splat(LLVMTypeRef ty, LLVMValueRef k)
{
	LLVMValueRef all[128];
	unsigned i, n;

	if (LLVMGetTypeKind(ty) != LLVMVectorTypeKind)
		return k;
	n = LLVMGetVectorSize(ty);
	for (i = 0; i < n && i < 128; i++)
		all[i] = k;
	return LLVMConstVector(all, i);
}

static LLVMTypeRef
element(LLVMTypeRef ty)
{
	if (LLVMGetTypeKind(ty) == LLVMVectorTypeKind)
		return LLVMGetElementType(ty);
	return ty;
}

LLVMValueRef
emit_k(struct emit *e, LLVMTypeRef ty, int64_t v)
{
	(void)e;
	return splat(ty, LLVMConstInt(element(ty), (uint64_t)v, true));
}

LLVMValueRef
emit_kf(struct emit *e, LLVMTypeRef ty, double v)
{
	(void)e;
	return splat(ty, LLVMConstReal(element(ty), v));
}

LLVMValueRef
emit_bits(struct emit *e, LLVMValueRef v, LLVMTypeRef ty)
{
	if (LLVMTypeOf(v) == ty)
		return v;
	return LLVMBuildBitCast(e->b, v, ty, "");
}

/* v, an integer, cut or extended to ty */
static LLVMValueRef
resize(struct emit *e, LLVMValueRef v, LLVMTypeRef ty, bool sign)
{
	unsigned from, to;

	from = LLVMGetIntTypeWidth(element(LLVMTypeOf(v)));
	to = LLVMGetIntTypeWidth(element(ty));
	if (from == to)
		return v;
	if (from > to)
		return LLVMBuildTrunc(e->b, v, ty, "");
	if (sign)
		return LLVMBuildSExt(e->b, v, ty, "");
	return LLVMBuildZExt(e->b, v, ty, "");
}

/* where the register or the component of a vector register lives */
static LLVMValueRef
slot(struct emit *e, const struct opnd *o)
{
	struct sym *s;
	LLVMValueRef home, i[2];

	s = o->u.sym;
	home = emit_reg(e, s);
	if (!s->vec)
		return home;
	i[0] = LLVMConstInt(LLVMInt32TypeInContext(e->c), 0, false);
	i[1] = LLVMConstInt(LLVMInt32TypeInContext(e->c),
		o->comp ? o->comp - 1 : 0, false);
	return LLVMBuildGEP2(e->b, LLVMArrayType2(emit_tty(e, s->type),
		s->vec), home, i, 2, "");
}

/* the bits of a literal that stands for a float of type t, or for bits */
static LLVMValueRef
float_bits(struct emit *e, const struct opnd *o, enum type t)
{
	float f;
	uint32_t half;
	uint64_t bits;

	if (type_info[t].bits == 64) {
		memcpy(&bits, &o->u.f, sizeof bits);
		return emit_k(e, emit_tty(e, t), (int64_t)bits);
	}
	if (t != T_F16 && t != T_BF16) {
		f = (float)o->u.f;
		memcpy(&half, &f, sizeof half);
		if (o->flags & OPF_F32)
			half = (uint32_t)o->off;
		return emit_k(e, emit_tty(e, t), half);
	}
	return LLVMConstBitCast(emit_kf(e, emit_fty(e, t), o->u.f),
		emit_tty(e, t));
}

/* the address of the variable or function that a mov names, the handle of a
 * texture */
static LLVMValueRef
address_of(struct emit *e, const struct opnd *o)
{
	LLVMTypeRef ty;
	LLVMValueRef p;

	if (type_info[o->u.sym->type].kind == 'o')
		return texture_handle(e, o);
	p = emit_sym(e, o->u.sym);
	if (!p)
		return emit_k(e, emit_ity(e, 64), 0);
	ty = LLVMIntPtrTypeForASInContext(e->c, e->layout,
		LLVMGetPointerAddressSpace(LLVMTypeOf(p)));
	p = LLVMBuildPtrToInt(e->b, p, ty, "");
	if (!o->off)
		return p;
	return LLVMBuildAdd(e->b, p, emit_k(e, ty, o->off), "");
}

static LLVMValueRef
read_sym(struct emit *e, const struct opnd *o, enum type t)
{
	struct sym *s;

	s = o->u.sym;
	switch (s->kind) {
	case SYM_REG:
		return LLVMBuildLoad2(e->b, emit_tty(e, s->type), slot(e, o),
			"");
	case SYM_SREG:
		return emit_sreg(e, s->u.sreg->id, o->comp ? o->comp - 1 : 0);
	case SYM_VAR:
	case SYM_FUNC:
		return address_of(e, o);
	default:
		emit_refuse(e, "this operand has no value");
		return emit_k(e, emit_tty(e, t), 0);
	}
}

LLVMValueRef
emit_read(struct emit *e, const struct opnd *o, enum type t)
{
	LLVMTypeRef ty;
	LLVMValueRef v;

	ty = emit_tty(e, t);
	switch (o->kind) {
	case OP_INT:
		return emit_k(e, ty, o->u.i);
	case OP_FLT:
		return float_bits(e, o, t);
	case OP_SYM:
		v = read_sym(e, o, t);
		break;
	default:
		emit_refuse(e, "this operand has no value");
		return emit_k(e, ty, 0);
	}
	v = resize(e, v, ty, type_info[t].kind == 's');
	if (o->flags & OPF_NOT)
		v = LLVMBuildNot(e->b, v, "");
	if (o->flags & OPF_NEG)
		v = LLVMBuildNeg(e->b, v, "");
	return v;
}

LLVMValueRef
emit_readf(struct emit *e, const struct opnd *o, enum type t)
{
	return emit_bits(e, emit_read(e, o, t), emit_fty(e, t));
}

void
emit_write(struct emit *e, const struct opnd *o, enum type t, LLVMValueRef v)
{
	struct sym *s;

	if (o->kind == OP_SINK)
		return;
	if (o->kind != OP_SYM || o->u.sym->kind != SYM_REG) {
		emit_refuse(e, "this operand cannot be written");
		return;
	}
	s = o->u.sym;
	v = emit_bits(e, v, emit_tty(e, t));
	v = resize(e, v, emit_tty(e, s->type), type_info[t].kind == 's');
	LLVMBuildStore(e->b, v, slot(e, o));
}

/* LLVM's address space of an address that stands in a register; the
 * parameters of a kernel are constants, those of a function its locals */
static unsigned
space_of(struct emit *e, enum space space)
{
	if (space == PARAM)
		space = e->f->entry ? CONST : LOCAL;
	return e->t->space[space];
}

/* p, a pointer, in the address space that the target has for space */
static LLVMValueRef
in_space(struct emit *e, LLVMValueRef p, enum space space)
{
	unsigned as;

	if (space == PARAM)
		return p;
	as = e->t->space[space];
	if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == as)
		return p;
	return LLVMBuildAddrSpaceCast(e->b, p,
		LLVMPointerTypeInContext(e->c, as), "");
}

/* the register or literal base as a pointer into space */
static LLVMValueRef
based(struct emit *e, const struct opnd *base, enum space space)
{
	unsigned as;
	enum type t;

	as = space_of(e, space);
	t = LLVMPointerSizeForAS(e->layout, as) == 4 ? T_U32 : T_U64;
	return LLVMBuildIntToPtr(e->b, emit_read(e, base, t),
		LLVMPointerTypeInContext(e->c, as), "");
}

LLVMValueRef
emit_addr(struct emit *e, const struct opnd *o, enum space space)
{
	const struct opnd *base;
	LLVMValueRef p, off;

	base = o->kind == OP_ADDR ? &o->u.list[0] : o;
	if (base->kind == OP_SYM && (base->u.sym->kind == SYM_VAR
	|| base->u.sym->kind == SYM_FUNC)) {
		p = emit_sym(e, base->u.sym);
		if (!p)
			return LLVMGetUndef(LLVMPointerTypeInContext(e->c,
				space_of(e, space)));
		p = in_space(e, p, space);
	} else {
		p = based(e, base, space);
	}
	if (base->kind != OP_SYM || !base->off)
		return p;
	off = emit_k(e, LLVMInt64TypeInContext(e->c), base->off);
	return LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c), p, &off, 1,
		"");
}
