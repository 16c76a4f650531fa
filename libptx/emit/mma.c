/* mma.c - mma and wmma.mma: a product of matrices held by a warp.
 *
 * A target may have an instruction for it; else each lane fetches the rows
 * and columns that its elements of d need and multiplies them out, in a
 * function a form that all uses of it in a unit share.
 *
 * How exact: products of f16, bf16, tf32 and smaller are exact in f32 and are
 * added to c in f32, k upwards, each sum rounded to nearest; an f16
 * result is rounded once, at the end.  NVIDIA leaves order and precision
 * open and keeps fewer bits.  f64 is a chain of fused multiply-adds, k
 * upwards, in the rounding of the instruction.
 */
#include "matrix.h"

/* a product being spelled out */
struct work {
	struct mma m;
	struct gather g;
	/* LLVM would make pairs of sums of f16 products, which the pairwise
	 * instruction wants converted, where a single one takes f16 */
	bool unpaired;
};

/* the float that stands lowest in v */
static LLVMValueRef
as_float(struct emit *e, LLVMValueRef v, enum type t)
{
	LLVMTypeRef f32 = emit_fty(e, T_F32);

	switch (t) {
	case T_BF16:
		v = LLVMBuildShl(e->b, v, emit_k(e, emit_ity(e, 32), 16), "");
		return emit_bits(e, v, f32);
	case T_TF32: /* PTX 9.7.14.5.2: the lower 13 bits are ignored */
		v = LLVMBuildAnd(e->b, v,
			emit_k(e, emit_ity(e, 32), 0xffffe000), "");
		return emit_bits(e, v, f32);
	case T_F32:
	case T_F64:
		return emit_bits(e, v, emit_fty(e, t));
	default: /* f16, or widened to it */
		v = LLVMBuildTrunc(e->b, v, emit_ity(e, 16), "");
		v = emit_bits(e, v, emit_fty(e, T_F16));
		return LLVMBuildFPExt(e->b, v, f32, "");
	}
}

/* an element of a or b as what multiply() takes; fixed: which of the rows
 * or columns that this lane needs */
static LLVMValueRef
factor(struct work *w, enum frag_operand which, unsigned fixed,
	struct coord row, struct coord col, unsigned k)
{
	uint64_t key = (uint64_t)1 << 63 | (uint64_t)which << 40 |
		(uint64_t)fixed << 16 | k;
	LLVMValueRef v;

	if (kept_find(&w->g, key, &v))
		return v;
	v = gather(&w->g, which, row, col);
	if (w->m.way == MMA_FLOAT || w->m.way == MMA_DOUBLE)
		v = as_float(w->g.e, v, w->m.type[which]);
	return kept_add(&w->g, key, v);
}

/* the body of a fused multiply-add in the rounding of the instruction */
static void
build_fma(struct emit *e, LLVMValueRef fn)
{
	/* where lanes become a vector, a function of one lane must not stay */
	if (!e->t->service)
		emit_flag(e, fn, "noinline");
	LLVMBuildRet(e->b, emit_ffma(e, emit_round(e->at, ROUND_RN),
		LLVMGetParam(fn, 0), LLVMGetParam(fn, 1),
		LLVMGetParam(fn, 2)));
}

/* directed roundings of f64 are so long that 64 of them want a function */
static LLVMValueRef
fma_f64(struct emit *e, enum round r, LLVMValueRef a, LLVMValueRef b,
	LLVMValueRef c)
{
	static const char *const name[] = {
		[ROUND_RZ] = "mma.fma.rz.f64", [ROUND_RM] = "mma.fma.rm.f64",
		[ROUND_RP] = "mma.fma.rp.f64",
	};
	LLVMTypeRef f64 = LLVMTypeOf(a), ty[] = { f64, f64, f64 };
	LLVMValueRef arg[] = { a, b, c };

	if (r == ROUND_RN)
		return emit_ffma(e, r, a, b, c);
	return emit_helper(e, name[r], LLVMFunctionType(f64, ty, 3, false),
		build_fma, arg, 3);
}

/* sum + a b; of integers as many as a register holds */
static LLVMValueRef
multiply(struct work *w, LLVMValueRef a, LLVMValueRef b, LLVMValueRef sum)
{
	struct emit *e = w->g.e;

	switch (w->m.way) {
	case MMA_INTEGER:
		return emit_dot(e, w->m.bits[FRAG_A],
			type_info[w->m.type[FRAG_A]].kind == 's',
			type_info[w->m.type[FRAG_B]].kind == 's', a, b, sum);
	case MMA_BITS:
		a = w->m.both ? LLVMBuildAnd(e->b, a, b, "")
			: LLVMBuildXor(e->b, a, b, "");
		a = emit_call1(e, "llvm.ctpop", a);
		return LLVMBuildAdd(e->b, sum, a, "");
	case MMA_DOUBLE:
		return fma_f64(e, w->m.round, a, b, sum);
	default:
		sum = emit_ffma(e, ROUND_RN, a, b, sum);
		return w->unpaired ? emit_call1(e, "llvm.arithmetic.fence",
			sum) : sum;
	}
}

/* element j of this lane's d, as bits */
static LLVMValueRef
element(struct work *w, unsigned j)
{
	const struct frag *d = w->m.frag[FRAG_D];
	struct coord row = frag_coord(d->rows, j), at;
	struct coord col = frag_coord(d->cols, j);
	struct emit *e = w->g.e;
	LLVMValueRef sum, a, b, c;
	enum type t = w->m.type[FRAG_D];
	bool integer = w->m.way >= MMA_INTEGER;
	unsigned k, step;

	step = integer ? 32 / w->m.bits[FRAG_A] : 1;
	c = gather(&w->g, FRAG_C, row, col);
	if (!integer)
		c = as_float(e, c, w->m.type[FRAG_C]);
	sum = w->m.saturate ? emit_k(e, emit_ity(e, 32), 0) : c;
	for (k = 0; k < w->m.k; k += step) {
		at = coord_const(k);
		a = factor(w, FRAG_A, frag_static(d->rows, j), row, at, k);
		b = factor(w, FRAG_B, frag_static(d->cols, j), at, col, k);
		sum = multiply(w, a, b, sum);
	}
	if (integer)
		return w->m.saturate ? emit_call2(e, "llvm.sadd.sat", sum, c)
			: sum;
	if (t == T_F16)
		sum = LLVMBuildFPTrunc(e->b, sum, emit_fty(e, t), "");
	return emit_bits(e, sum, emit_tty(e, t));
}

/* parameters of fn, in the order a, b, c, to w; narrow floats to f16 */
static void
receive(struct work *w, LLVMValueRef fn)
{
	struct emit *e = w->g.e;
	LLVMValueRef *reg;
	unsigned op, i, at;

	for (op = 0, at = 0; op < FRAG_D; op++) {
		reg = w->g.reg[op];
		w->g.frag[op] = w->m.frag[op];
		w->g.bits[op] = w->m.bits[op];
		for (i = 0; i < w->m.nreg[op]; i++)
			reg[i] = LLVMGetParam(fn, at++);
		if (w->m.bits[op] != 8 || w->m.way != MMA_FLOAT)
			continue;
		while (i-- > 0)
			mma_widen(e, w->m.type[op], reg[i], reg + 2 * i);
		w->g.bits[op] = 16;
	}
}

/* a register of the elements from v on */
static LLVMValueRef
pack(struct emit *e, LLVMValueRef *v, unsigned bits)
{
	LLVMTypeRef i32 = emit_ity(e, 32);
	LLVMValueRef hi;

	if (bits != 16)
		return v[0];
	hi = LLVMBuildZExt(e->b, v[1], i32, "");
	hi = LLVMBuildShl(e->b, hi, emit_k(e, i32, 16), "");
	return LLVMBuildOr(e->b, LLVMBuildZExt(e->b, v[0], i32, ""), hi, "");
}

/* the body of a form's function */
static void
expand(struct emit *e, LLVMValueRef fn)
{
	struct work w = { .g.e = e };
	LLVMTypeRef ret;
	LLVMValueRef v[2 * FRAG_REGS], all;
	unsigned i, n, per;

	mma_form(e, &w.m, e->at);
	w.g.lane = e->t->laneid(e);
	receive(&w, fn);
	w.unpaired = w.m.type[FRAG_A] != T_BF16 && w.m.type[FRAG_A] != T_TF32;
	n = frag_elems(w.m.frag[FRAG_D]);
	for (i = 0; i < n; i++)
		v[i] = element(&w, i);
	per = w.m.bits[FRAG_D] == 16 ? 2 : 1;
	ret = LLVMGetReturnType(LLVMGlobalGetValueType(fn));
	all = LLVMGetUndef(ret);
	for (i = 0; i < n / per; i++)
		all = LLVMBuildInsertValue(e->b, all,
			pack(e, v + i * per, w.m.bits[FRAG_D]), i, "");
	LLVMBuildRet(e->b, all);
}

static LLVMTypeRef
reg_type(struct emit *e, unsigned bits)
{
	return emit_ity(e, bits == 64 ? 64 : 32);
}

static LLVMTypeRef
signature(struct emit *e, const struct mma *m)
{
	LLVMTypeRef p[FRAG_D * FRAG_REGS], r[FRAG_REGS];
	unsigned op, i, n;

	for (op = 0, n = 0; op < FRAG_D; op++)
		for (i = 0; i < m->nreg[op]; i++)
			p[n++] = reg_type(e, m->bits[op]);
	for (i = 0; i < m->nreg[FRAG_D]; i++)
		r[i] = reg_type(e, m->bits[FRAG_D]);
	return LLVMFunctionType(LLVMStructTypeInContext(e->c, r, i, false),
		p, n, false);
}

/* has each operand the registers of its fragment? */
static bool
is_complete(const struct mma *m, const struct insn *i)
{
	int op;

	for (op = 0; op < FRAG_D; op++)
		if (matrix_count(&i->u.opnd[op + 1]) < m->nreg[op])
			return false;
	return matrix_count(&i->u.opnd[0]) == m->nreg[FRAG_D];
}

/* a call of the form's function */
static void
spell_out(struct emit *e, const struct mma *m,
	LLVMValueRef reg[][FRAG_REGS])
{
	LLVMValueRef arg[FRAG_D * FRAG_REGS], all;
	unsigned op, r, n;

	for (op = 0, n = 0; op < FRAG_D; op++)
		for (r = 0; r < m->nreg[op]; r++)
			arg[n++] = reg[op][r];
	all = emit_helper(e, e->at->op->name->text, signature(e, m), expand,
		arg, n);
	for (r = 0; r < m->nreg[FRAG_D]; r++)
		reg[FRAG_D][r] = LLVMBuildExtractValue(e->b, all, r, "");
}

void
emit_mma(struct emit *e, const struct insn *i, int with)
{
	struct mma m;
	LLVMValueRef reg[NFRAG][FRAG_REGS];
	unsigned op, r;

	(void)with;
	if (!mma_form(e, &m, i) || !is_complete(&m, i)) {
		emit_refuse(e, "no such product of these types");
		return;
	}
	if (m.saturate && m.way != MMA_INTEGER) {
		emit_refuse(e, ".satfinite on floats is not translated");
		return;
	}
	for (op = 0; op < FRAG_D; op++)
		for (r = 0; r < m.nreg[op]; r++)
			reg[op][r] = matrix_read(e, &i->u.opnd[op + 1], r,
				m.bits[op]);
	if (!e->t->mma(e, &m, reg))
		spell_out(e, &m, reg);
	for (r = 0; r < m.nreg[FRAG_D]; r++)
		matrix_write(e, &i->u.opnd[0], r, m.bits[FRAG_D],
			reg[FRAG_D][r]);
}
