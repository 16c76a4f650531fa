/* wmma.c - wmma.load and wmma.store: fragments from and to memory.
 *
 * Each lane moves its own elements.  A row or column number is a part that
 * the lane gives and a part that the element gives (fragment.def), so the
 * address is a base per lane and a constant multiple of the stride per
 * element.  Elements of one register that are neighbours in memory move
 * together.
 */
#include "matrix.h"
#include <stdlib.h>
#include <string.h>

/* one fragment, and where it is in memory */
struct tile {
	struct emit *e;
	const struct frag *frag;
	unsigned bits;
	bool packed;            /* registers move whole */
	unsigned nreg;          /* of the operand: may be copies */
	const char *major, *minor; /* of frag: across, along a line */
	LLVMValueRef base;      /* of this lane */
	LLVMValueRef stride;    /* i64: bytes from line to line, or 0 … */
	unsigned line;          /* … if it is this many bytes */
};

static LLVMValueRef
k64(struct emit *e, uint64_t n)
{
	return emit_k(e, emit_ity(e, 64), (int64_t)n);
}

static LLVMValueRef
advance(struct emit *e, LLVMValueRef p, LLVMValueRef off)
{
	return LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c), p, &off, 1,
		"");
}

/* n lines down, col elements along */
static LLVMValueRef
offset(struct tile *t, LLVMValueRef n, LLVMValueRef col)
{
	struct emit *e = t->e;

	n = LLVMBuildMul(e->b, n,
		t->stride ? t->stride : k64(e, t->line), "");
	col = LLVMBuildMul(e->b, col, k64(e, t->bits), "");
	col = LLVMBuildLShr(e->b, col, k64(e, 3), "");
	return LLVMBuildAdd(e->b, n, col, "");
}

/* the number that this lane gives */
static LLVMValueRef
lane_part(struct emit *e, LLVMValueRef lane, const char *place)
{
	struct coord c = frag_coord(place, 0);

	return LLVMBuildZExt(e->b, lane_number(e, lane, c.bit, FRAG_BITS),
		emit_ity(e, 64), "");
}

/* the shape's extent that follows this letter: m16n8k4, 'k' is 4 */
static unsigned
extent(const char *shape, char which)
{
	return (unsigned)atoi(strchr(shape, which) + 1);
}

/* bits from line to line where no stride is spelled: lines are full */
static unsigned
full_line(const struct frag *f, bool by_rows, unsigned bits)
{
	static const char extents[][3] = {
		[FRAG_A] = "mk", [FRAG_B] = "kn", [FRAG_C] = "mn",
	};

	return bits * extent(f->shape, extents[f->operand][by_rows]);
}

/* which matrix i moves */
static enum frag_operand
operand(const struct insn *i)
{
	return insn_has(i, "a") ? FRAG_A : insn_has(i, "b") ? FRAG_B : FRAG_C;
}

static bool
layout(struct tile *t, const struct insn *i, const struct opnd *regs)
{
	bool by_rows = insn_has(i, "row");

	t->bits = type_info[insn_type(i, 0)].bits;
	t->frag = mma_frag(t->e, matrix_shape(i), operand(i), insn_type(i, 0),
		by_rows ? 'r' : 'c');
	if (!t->frag)
		return false;
	t->nreg = matrix_count(regs);
	t->major = by_rows ? t->frag->rows : t->frag->cols;
	t->minor = by_rows ? t->frag->cols : t->frag->rows;
	t->packed = frag_packed(t->minor, t->bits);
	t->line = full_line(t->frag, by_rows, t->bits) / 8;
	return t->nreg >= frag_regs(t->frag, t->bits) &&
		(t->packed || t->bits >= 8);
}

/* the address and stride operands of i; address is the n-th operand, the
 * stride the third */
static void
place(struct tile *t, const struct insn *i, int n)
{
	struct emit *e = t->e;
	LLVMValueRef lane = e->t->laneid(e), v;

	if (i->nopnd > 2) {
		v = emit_read(e, &i->u.opnd[2], T_U32);
		v = LLVMBuildZExt(e->b, v, emit_ity(e, 64), "");
		v = LLVMBuildMul(e->b, v, k64(e, t->bits), "");
		t->stride = LLVMBuildLShr(e->b, v, k64(e, 3), "");
	}
	t->base = emit_addr(e, &i->u.opnd[n], emit_space(i));
	t->base = advance(e, t->base, offset(t, lane_part(e, lane, t->major),
		lane_part(e, lane, t->minor)));
}

/* the address of element j of this lane */
static LLVMValueRef
address(struct tile *t, unsigned j)
{
	return advance(t->e, t->base, offset(t,
		k64(t->e, frag_static(t->major, j)),
		k64(t->e, frag_static(t->minor, j))));
}

static unsigned
per_register(const struct tile *t)
{
	return t->bits < 32 ? 32 / t->bits : 1;
}

/* a register from element j on, loaded at once or element by element */
static LLVMValueRef
load(struct tile *t, unsigned j)
{
	struct emit *e = t->e;
	LLVMTypeRef i32 = emit_ity(e, 32), small = emit_ity(e, t->bits);
	LLVMValueRef sum = emit_k(e, i32, 0), v;
	unsigned i;

	if (t->packed)
		return LLVMBuildLoad2(e->b, emit_ity(e,
			t->bits == 64 ? 64 : 32), address(t, j), "");
	for (i = 0; i < per_register(t); i++) {
		v = LLVMBuildLoad2(e->b, small, address(t, j + i), "");
		v = LLVMBuildZExt(e->b, v, i32, "");
		v = LLVMBuildShl(e->b, v, emit_k(e, i32, t->bits * i), "");
		sum = LLVMBuildOr(e->b, sum, v, "");
	}
	return sum;
}

static void
store(struct tile *t, unsigned j, LLVMValueRef v)
{
	struct emit *e = t->e;
	LLVMTypeRef i32 = emit_ity(e, 32), small = emit_ity(e, t->bits);
	LLVMValueRef part;
	unsigned i;

	if (t->packed) {
		LLVMBuildStore(e->b, v, address(t, j));
		return;
	}
	for (i = 0; i < per_register(t); i++) {
		part = LLVMBuildLShr(e->b, v,
			emit_k(e, i32, t->bits * i), "");
		part = LLVMBuildTrunc(e->b, part, small, "");
		LLVMBuildStore(e->b, part, address(t, j + i));
	}
}

/* where a fragment has more registers than elements, they are copies */
void
emit_wmma_load(struct emit *e, const struct insn *i, int with)
{
	struct tile t = { .e = e };
	LLVMValueRef v[FRAG_REGS];
	unsigned r, n;

	(void)with;
	if (!layout(&t, i, &i->u.opnd[0])) {
		emit_refuse(e, "no such fragment of this type");
		return;
	}
	place(&t, i, 1);
	n = frag_regs(t.frag, t.bits);
	for (r = 0; r < n; r++)
		v[r] = load(&t, r * per_register(&t));
	for (r = 0; r < t.nreg; r++)
		matrix_write(e, &i->u.opnd[0], r, t.bits, v[r % n]);
}

void
emit_wmma_store(struct emit *e, const struct insn *i, int with)
{
	struct tile t = { .e = e };
	unsigned r;

	(void)with;
	if (!layout(&t, i, &i->u.opnd[1])) {
		emit_refuse(e, "no such fragment of this type");
		return;
	}
	place(&t, i, 0);
	for (r = 0; r < frag_regs(t.frag, t.bits); r++)
		store(&t, r * per_register(&t),
			matrix_read(e, &i->u.opnd[1], r, t.bits));
}
