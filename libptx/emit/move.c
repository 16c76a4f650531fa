/* move.c - mov, and addresses from one space to another (PTX 9.7.9).
 *
 * An address in .global or .const is the same number as a generic address on
 * every target; those in .shared and .local, and of a function's .param, are
 * cast.
 */
#include "emit_int.h"

void
emit_mov(struct emit *e, const struct insn *i, int with)
{
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	emit_write(e, &i->u.opnd[0], t, emit_read(e, &i->u.opnd[1], t));
}

/* the type of one of n equal parts of t */
static enum type
part_type(enum type t, unsigned n)
{
	switch (type_info[t].bits / n) {
	case 8:
		return T_B8;
	case 16:
		return T_B16;
	case 32:
		return T_B32;
	default:
		return T_B64;
	}
}

static LLVMValueRef
shift_by(struct emit *e, LLVMTypeRef ty, unsigned k, enum type part)
{
	return emit_k(e, ty, (int64_t)k * type_info[part].bits);
}

/* mov.b64 d, {a, b}: a is the lower half */
void
emit_mov_pack(struct emit *e, const struct insn *i, int with)
{
	const struct opnd *a;
	LLVMTypeRef ty;
	LLVMValueRef v, all;
	enum type t, part;
	unsigned k;

	(void)with;
	t = insn_type(i, 0);
	a = &i->u.opnd[1];
	part = part_type(t, a->n);
	ty = emit_tty(e, t);
	all = 0;
	for (k = 0; k < a->n; k++) {
		v = LLVMBuildZExt(e->b, emit_read(e, &a->u.list[k], part), ty,
			"");
		if (!k)
			all = v;
		else
			all = LLVMBuildOr(e->b, all, LLVMBuildShl(e->b, v,
				shift_by(e, ty, k, part), ""), "");
	}
	emit_write(e, &i->u.opnd[0], t, all);
}

void
emit_mov_unpack(struct emit *e, const struct insn *i, int with)
{
	const struct opnd *d;
	LLVMTypeRef ty;
	LLVMValueRef v, all;
	enum type t, part;
	unsigned k;

	(void)with;
	t = insn_type(i, 0);
	d = &i->u.opnd[0];
	part = part_type(t, d->n);
	ty = emit_tty(e, t);
	all = emit_read(e, &i->u.opnd[1], t);
	for (k = 0; k < d->n; k++) {
		v = LLVMBuildLShr(e->b, all, shift_by(e, ty, k, part), "");
		emit_write(e, &d->u.list[k], part,
			LLVMBuildTrunc(e->b, v, emit_tty(e, part), ""));
	}
}

/* member k of a vector: in braces, or of %tid */
static struct opnd
member(const struct opnd *o, unsigned k)
{
	struct opnd m;

	if (o->kind == OP_VEC)
		return o->u.list[k];
	m = *o;
	m.comp = (uint8_t)(k + 1);
	return m;
}

void
emit_mov_vec(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef v[4];
	struct opnd o;
	enum type t;
	unsigned k, n;

	(void)with;
	t = insn_type(i, 0);
	n = insn_is(i, "vec", "v2") ? 2 : 4;
	for (k = 0; k < n; k++) {
		o = member(&i->u.opnd[1], k);
		v[k] = emit_read(e, &o, t);
	}
	for (k = 0; k < n; k++) {
		o = member(&i->u.opnd[0], k);
		emit_write(e, &o, t, v[k]);
	}
}

/* is an address in space the same number as the generic address? */
static bool
is_generic(struct emit *e, enum space space)
{
	return space == GENERIC || space == GLOBAL || space == CONST
		|| (space == PARAM && e->f->entry);
}

static LLVMTypeRef
pointer(struct emit *e, enum space space)
{
	if (space == PARAM)
		space = e->f->entry ? CONST : LOCAL;
	return LLVMPointerTypeInContext(e->c, e->t->space[space]);
}

/* cvta (to: false) and cvta.to */
void
emit_cvta(struct emit *e, const struct insn *i, int to)
{
	enum space space;
	enum type t;
	LLVMTypeRef from_ty, to_ty;
	LLVMValueRef v;

	t = insn_type(i, 0);
	space = emit_space(i);
	v = emit_read(e, &i->u.opnd[1], t);
	if (!is_generic(e, space)) {
		from_ty = pointer(e, to ? GENERIC : space);
		to_ty = pointer(e, to ? space : GENERIC);
		v = LLVMBuildIntToPtr(e->b, v, from_ty, "");
		if (from_ty != to_ty)
			v = LLVMBuildAddrSpaceCast(e->b, v, to_ty, "");
		v = LLVMBuildPtrToInt(e->b, v, emit_tty(e, t), "");
	}
	emit_write(e, &i->u.opnd[0], t, v);
}

void
emit_isspacep(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef p;

	(void)with;
	p = LLVMBuildIntToPtr(e->b, emit_read(e, &i->u.opnd[1], T_U64),
		pointer(e, GENERIC), "");
	p = e->t->within ? e->t->within(e, p, emit_space(i)) : 0;
	if (p)
		emit_write(e, &i->u.opnd[0], T_PRED, p);
	else
		emit_refuse(e, "no range of addresses belongs to .%s",
			space_name[emit_space(i)]);
}

/* the same address in block b of the cluster: there is only this block */
void
emit_mapa(struct emit *e, const struct insn *i, int with)
{
	emit_mov(e, i, with);
}

void
emit_getctarank(struct emit *e, const struct insn *i, int with)
{
	(void)with;
	emit_write(e, &i->u.opnd[0], T_U32, emit_k(e, emit_ity(e, 32), 0));
}

/* cache policies are hints that no load of ours looks at */
void
emit_createpolicy(struct emit *e, const struct insn *i, int with)
{
	(void)with;
	emit_write(e, &i->u.opnd[0], T_B64, emit_k(e, emit_ity(e, 64), 0));
}

/* LLVM takes sizes that are constant once it has optimised, and says so of
 * others */
void
emit_stack_alloca(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef p;
	int64_t align;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	align = i->nopnd > 2 ? i->u.opnd[2].u.i : 8;
	p = LLVMBuildArrayAlloca(e->b, LLVMInt8TypeInContext(e->c),
		emit_read(e, &i->u.opnd[1], T_U32), "");
	LLVMSetAlignment(p, (unsigned)align);
	emit_write(e, &i->u.opnd[0], t,
		LLVMBuildPtrToInt(e->b, p, emit_tty(e, t), ""));
}

void
emit_stacksave(struct emit *e, const struct insn *i, int with)
{
	LLVMTypeRef ty;
	LLVMValueRef p;
	enum type t;

	(void)with;
	t = insn_type(i, 0);
	ty = pointer(e, LOCAL);
	p = emit_intrinsic(e, "llvm.stacksave", &ty, 1, 0, 0);
	emit_write(e, &i->u.opnd[0], t,
		LLVMBuildPtrToInt(e->b, p, emit_tty(e, t), ""));
}

void
emit_stackrestore(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef p;

	(void)with;
	p = LLVMBuildIntToPtr(e->b,
		emit_read(e, &i->u.opnd[0], insn_type(i, 0)),
		pointer(e, LOCAL), "");
	emit_call1(e, "llvm.stackrestore", p);
}
