/* ldmatrix.c - ldmatrix, stmatrix and movmatrix: 8 by 8 elements of 16 bits.
 *
 * Lane 8i + r has the address of row r of the i-th matrix; the lanes that
 * hold parts of the row ask it for that.  Transposed means that a fragment's
 * rows are the columns in memory, whose elements are not neighbours.
 */
#include "matrix.h"

/* the matrices of one instruction */
struct rows {
	struct emit *e;
	const struct frag *frag;
	const char *row, *col;  /* places in memory's sense */
	bool trans;
	LLVMValueRef lane, base;
};

/* a generic address is one of shared memory, too (PTX 9.7.14.5.15) */
static void
start(struct rows *m, struct emit *e, const struct insn *i, int n)
{
	enum space space = emit_space(i);
	LLVMTypeRef shared;

	m->e = e;
	m->frag = frag_find("m8n8", FRAG_C, 16, 0);
	m->trans = insn_has(i, "trans");
	m->row = m->trans ? m->frag->cols : m->frag->rows;
	m->col = m->trans ? m->frag->rows : m->frag->cols;
	m->lane = e->t->laneid(e);
	m->base = emit_addr(e, &i->u.opnd[n], space);
	if (space != GENERIC || e->t->space[SHARED] == e->t->space[GENERIC])
		return;
	shared = LLVMPointerTypeInContext(e->c, e->t->space[SHARED]);
	m->base = LLVMBuildAddrSpaceCast(e->b, m->base, shared, "");
}

/* the address of this lane's element j of matrix i */
static LLVMValueRef
address(struct rows *m, unsigned i, unsigned j)
{
	struct emit *e = m->e;
	struct coord row = frag_coord(m->row, j), col = frag_coord(m->col, j);
	LLVMValueRef off;

	row.bit[3] = i & 1 ? COORD_1 : COORD_0;
	row.bit[4] = i & 2 ? COORD_1 : COORD_0;
	off = lane_number(e, m->lane, col.bit, FRAG_BITS);
	off = LLVMBuildShl(e->b, off, emit_k(e, emit_ity(e, 32), 1), "");
	off = LLVMBuildZExt(e->b, off, emit_ity(e, 64), "");
	return LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c),
		lane_fetch(e, m->lane, row.bit, m->base), &off, 1, "");
}

static LLVMValueRef
load(struct rows *m, unsigned i)
{
	struct emit *e = m->e;
	LLVMTypeRef i16 = emit_ity(e, 16), i32 = emit_ity(e, 32);
	LLVMValueRef lo, hi;

	if (!m->trans)
		return LLVMBuildLoad2(e->b, i32, address(m, i, 0), "");
	lo = LLVMBuildLoad2(e->b, i16, address(m, i, 0), "");
	hi = LLVMBuildLoad2(e->b, i16, address(m, i, 1), "");
	hi = LLVMBuildShl(e->b, LLVMBuildZExt(e->b, hi, i32, ""),
		emit_k(e, i32, 16), "");
	return LLVMBuildOr(e->b, LLVMBuildZExt(e->b, lo, i32, ""), hi, "");
}

static void
store(struct rows *m, unsigned i, LLVMValueRef v)
{
	struct emit *e = m->e;
	LLVMTypeRef i16 = emit_ity(e, 16);
	LLVMValueRef hi;

	if (!m->trans) {
		LLVMBuildStore(e->b, v, address(m, i, 0));
		return;
	}
	LLVMBuildStore(e->b, LLVMBuildTrunc(e->b, v, i16, ""),
		address(m, i, 0));
	hi = LLVMBuildLShr(e->b, v, emit_k(e, emit_ity(e, 32), 16), "");
	LLVMBuildStore(e->b, LLVMBuildTrunc(e->b, hi, i16, ""),
		address(m, i, 1));
}

/* loads only after all addresses are known: d may hold the address */
void
emit_ldmatrix(struct emit *e, const struct insn *i, int with)
{
	struct rows m;
	LLVMValueRef v[4];
	unsigned r, n;

	(void)with;
	start(&m, e, i, 1);
	n = matrix_count(&i->u.opnd[0]);
	for (r = 0; r < n && r < 4; r++)
		v[r] = load(&m, r);
	for (r = 0; r < n && r < 4; r++)
		matrix_write(e, &i->u.opnd[0], r, 16, v[r]);
}

void
emit_stmatrix(struct emit *e, const struct insn *i, int with)
{
	struct rows m;
	unsigned r;

	(void)with;
	start(&m, e, i, 0);
	for (r = 0; r < matrix_count(&i->u.opnd[1]) && r < 4; r++)
		store(&m, r, matrix_read(e, &i->u.opnd[1], r, 16));
}

/* element j of the transposed matrix, in the low bits */
static LLVMValueRef
transposed(struct gather *g, unsigned j)
{
	const struct frag *f = g->frag[FRAG_C];

	return gather(g, FRAG_C, frag_coord(f->cols, j),
		frag_coord(f->rows, j));
}

void
emit_movmatrix(struct emit *e, const struct insn *i, int with)
{
	struct gather g = { .e = e, .bits[FRAG_C] = 16 };
	LLVMTypeRef i32 = emit_ity(e, 32);
	LLVMValueRef lo, hi;

	(void)with;
	g.lane = e->t->laneid(e);
	g.frag[FRAG_C] = frag_find("m8n8", FRAG_C, 16, 0);
	g.reg[FRAG_C][0] = matrix_read(e, &i->u.opnd[1], 0, 16);
	lo = LLVMBuildAnd(e->b, transposed(&g, 0), emit_k(e, i32, 0xffff), "");
	hi = LLVMBuildShl(e->b, transposed(&g, 1), emit_k(e, i32, 16), "");
	matrix_write(e, &i->u.opnd[0], 0, 16, LLVMBuildOr(e->b, lo, hi, ""));
}
