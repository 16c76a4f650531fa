/* surface.c - suld, sust, sured (PTX 9.7.11).
 *
 * texture_surface.ptx finds where an element lies; what is read or written
 * there is bytes as they are, but for sust.p.
 */
#include "texture_int.h"

#include <string.h>

/* an access to a surface, taken apart */
struct surface_access {
	enum type type;
	unsigned n;                 /* elements */
	const struct opnd *reg;     /* n of them */
	LLVMValueRef p;             /* i64; 0: there is no such place */
	bool zero;                  /* … which may be */
};

static LLVMValueRef
k32(struct emit *e, int64_t v)
{
	return emit_k(e, emit_ity(e, 32), v);
}

/* as texture_surface.ptx numbers them */
static int
clamp_mode(const struct insn *i)
{
	return insn_is(i, "clamp", "clamp") ? 1 : insn_is(i, "clamp", "zero")
		? 2 : 0;
}

/* where operand addr = [a, c] lies; function takes size, in bytes, or 0: it
 * is an element */
static LLVMValueRef
place(struct emit *e, const struct insn *i, const struct opnd *addr,
	unsigned size)
{
	const struct texture_geometry *g = texture_geometry(e, i);
	const struct opnd *c = &addr->u.list[1];
	LLVMValueRef arg[6];
	unsigned n = 0;

	if (!g)
		return emit_k(e, emit_ity(e, 64), 0);
	arg[n++] = texture_handle(e, &addr->u.list[0]);
	arg[n++] = texture_coord(e, c, g->x);
	arg[n++] = texture_coord(e, c, g->y);
	arg[n++] = texture_coord(e, c, g->layer == 15 ? g->z : g->layer);
	if (size)
		arg[n++] = k32(e, size);
	arg[n++] = k32(e, clamp_mode(i));
	return texture_inline(e, size ? "__ptxamd_surface_byte"
		: "__ptxamd_surface_element", arg, n);
}

static void
take_apart(struct emit *e, struct surface_access *a, const struct insn *i,
	const struct opnd *reg, const struct opnd *addr)
{
	a->type = insn_type(i, 0);
	a->n = reg->kind == OP_VEC ? reg->n : 1;
	a->reg = reg->kind == OP_VEC ? reg->u.list : reg;
	a->zero = insn_is(i, "clamp", "zero");
	a->p = place(e, i, addr, a->n * type_info[a->type].bits / 8);
}

static LLVMTypeRef
memory_type(struct emit *e, const struct surface_access *a)
{
	LLVMTypeRef ty = emit_tty(e, a->type);

	return a->n > 1 ? LLVMVectorType(ty, a->n) : ty;
}

static LLVMValueRef
pointer(struct emit *e, const struct surface_access *a)
{
	return LLVMBuildIntToPtr(e->b, a->p, LLVMPointerTypeInContext(e->c,
		e->t->space[GLOBAL]), "");
}

/* what follows is for threads that have a place; gives the block after it */
static LLVMBasicBlockRef
begin(struct emit *e, const struct surface_access *a)
{
	LLVMBasicBlockRef then, after;

	if (!a->zero)
		return 0;
	then = emit_block(e, "");
	after = emit_block(e, "");
	LLVMBuildCondBr(e->b, LLVMBuildIsNull(e->b, a->p, ""), after, then);
	LLVMPositionBuilderAtEnd(e->b, then);
	return after;
}

static void
end(struct emit *e, LLVMBasicBlockRef after)
{
	if (!after)
		return;
	LLVMBuildBr(e->b, after);
	LLVMPositionBuilderAtEnd(e->b, after);
}

void
emit_suld(struct emit *e, const struct insn *i, int with)
{
	LLVMBasicBlockRef after;
	LLVMValueRef v, slot;
	struct surface_access a;
	unsigned k;

	(void)with;
	take_apart(e, &a, i, &i->u.opnd[0], &i->u.opnd[1]);
	slot = emit_alloca(e, memory_type(e, &a), "");
	LLVMBuildStore(e->b, LLVMConstNull(memory_type(e, &a)), slot);
	after = begin(e, &a);
	v = LLVMBuildLoad2(e->b, memory_type(e, &a), pointer(e, &a), "");
	LLVMSetAlignment(v, a.n * type_info[a.type].bits / 8);
	LLVMBuildStore(e->b, v, slot);
	end(e, after);
	v = LLVMBuildLoad2(e->b, memory_type(e, &a), slot, "");
	for (k = 0; k < a.n; k++)
		emit_write(e, &a.reg[k], a.type, a.n == 1 ? v
			: LLVMBuildExtractElement(e->b, v, k32(e, k), ""));
}

void
emit_sust(struct emit *e, const struct insn *i, int with)
{
	LLVMBasicBlockRef after;
	LLVMValueRef v, one;
	struct surface_access a;
	unsigned k;

	(void)with;
	take_apart(e, &a, i, &i->u.opnd[1], &i->u.opnd[0]);
	v = LLVMGetPoison(memory_type(e, &a));
	for (k = 0; k < a.n; k++) {
		one = emit_read(e, &a.reg[k], a.type);
		v = a.n == 1 ? one : LLVMBuildInsertElement(e->b, v, one,
			k32(e, k), "");
	}
	after = begin(e, &a);
	v = LLVMBuildStore(e->b, v, pointer(e, &a));
	LLVMSetAlignment(v, a.n * type_info[a.type].bits / 8);
	end(e, after);
}

/* components become what the surface's format says */
void
emit_sust_p(struct emit *e, const struct insn *i, int with)
{
	const struct opnd *reg = &i->u.opnd[1];
	unsigned k, n = reg->kind == OP_VEC ? reg->n : 1;
	LLVMValueRef arg[6];

	(void)with;
	arg[0] = texture_handle(e, &i->u.opnd[0].u.list[0]);
	arg[1] = place(e, i, &i->u.opnd[0], 0);
	for (k = 0; k < 4; k++)
		arg[2 + k] = k >= n ? k32(e, 0) : emit_read(e,
			reg->kind == OP_VEC ? &reg->u.list[k] : reg, T_B32);
	texture_inline(e, "__ptxamd_surface_put", arg, 6);
}

static LLVMAtomicRMWBinOp
operation(const struct insn *i)
{
	static const struct {
		const char *op;
		LLVMAtomicRMWBinOp bits, is_signed;
	} row[] = {
		{ "add", LLVMAtomicRMWBinOpAdd,  LLVMAtomicRMWBinOpAdd },
		{ "min", LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpMin },
		{ "max", LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpMax },
		{ "and", LLVMAtomicRMWBinOpAnd,  LLVMAtomicRMWBinOpAnd },
		{ "or",  LLVMAtomicRMWBinOpOr,   LLVMAtomicRMWBinOpOr },
	};
	size_t k = 0;

	while (!insn_is(i, "op", row[k].op))
		k++;
	return type_info[insn_type(i, 0)].kind == 's' ? row[k].is_signed
		: row[k].bits;
}

/* formatted (with): the coordinate counts elements, of 32 bits */
void
emit_sured(struct emit *e, const struct insn *i, int with)
{
	LLVMBasicBlockRef after;
	struct atomic at;
	struct surface_access a;
	LLVMValueRef v;

	if (with && (insn_is(i, "op", "min") || insn_is(i, "op", "max"))) {
		emit_refuse(e, "is not translated: its sign is the surface's");
		return;
	}
	take_apart(e, &a, i, &i->u.opnd[1], &i->u.opnd[0]);
	if (with)
		a.p = place(e, i, &i->u.opnd[0], 0);
	v = emit_read(e, a.reg, a.type);
	after = begin(e, &a);
	at.p = pointer(e, &a);
	at.order = LLVMAtomicOrderingMonotonic;
	at.scope = "gpu";
	emit_rmw(e, &at, operation(i), v);
	end(e, after);
}
