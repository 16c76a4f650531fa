/* widen_aggregate.c - values of several parts: moving parts about. */
#include "widen_int.h"

/* the number of the first part of the element that insn's indices name */
static unsigned
first_part(struct widen *w, LLVMValueRef insn, LLVMTypeRef ty)
{
	const unsigned *index = LLVMGetIndices(insn);
	unsigned i, k, part = 0;

	for (k = 0; k < LLVMGetNumIndices(insn); k++)
		if (LLVMGetTypeKind(ty) == LLVMStructTypeKind) {
			for (i = 0; i < index[k]; i++)
				part += widen_parts(w,
					LLVMStructGetTypeAtIndex(ty, i));
			ty = LLVMStructGetTypeAtIndex(ty, index[k]);
		} else {
			ty = LLVMGetElementType(ty);
			part += index[k] * widen_parts(w, ty);
		}
	return part;
}

/* where a part of insn's result comes from: *part of the operand given; 0:
 * from several */
static LLVMValueRef
extract_from(struct widen *w, LLVMValueRef insn, unsigned *part)
{
	LLVMValueRef v = LLVMGetOperand(insn, 0);

	*part += first_part(w, insn, LLVMTypeOf(v));
	return v;
}

static LLVMValueRef
insert_from(struct widen *w, LLVMValueRef insn, unsigned *part)
{
	LLVMValueRef v = LLVMGetOperand(insn, 1);
	unsigned first = first_part(w, insn, LLVMTypeOf(insn));

	if (*part < first
	|| *part - first >= widen_parts(w, LLVMTypeOf(v)))
		return LLVMGetOperand(insn, 0);
	*part -= first;
	return v;
}

static LLVMValueRef
element_from(struct widen *w, LLVMValueRef insn, unsigned *part)
{
	LLVMValueRef k = LLVMGetOperand(insn, 1);

	(void)w;
	if (!LLVMIsAConstantInt(k))
		return 0;
	*part = (unsigned)LLVMConstIntGetZExtValue(k);
	return LLVMGetOperand(insn, 0);
}

static LLVMValueRef
replace_from(struct widen *w, LLVMValueRef insn, unsigned *part)
{
	LLVMValueRef k = LLVMGetOperand(insn, 2);

	(void)w;
	if (!LLVMIsAConstantInt(k))
		return 0;
	if (*part != LLVMConstIntGetZExtValue(k))
		return LLVMGetOperand(insn, 0);
	*part = 0;
	return LLVMGetOperand(insn, 1);
}

static LLVMValueRef
shuffle_from(struct widen *w, LLVMValueRef insn, unsigned *part)
{
	int k = LLVMGetMaskValue(insn, *part);
	unsigned n = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(insn, 0)));

	(void)w;
	*part = k < 0 ? 0 : (unsigned)k % n;
	return k < 0 ? LLVMGetPoison(LLVMTypeOf(LLVMGetOperand(insn, 0)))
		: LLVMGetOperand(insn, (unsigned)k >= n);
}

typedef LLVMValueRef from_fn(struct widen *, LLVMValueRef, unsigned *);

static struct shape
moved_shape(struct widen *w, LLVMValueRef insn, unsigned part, from_fn *from)
{
	LLVMValueRef v = from(w, insn, &part);

	return v ? widen_shape(w, v, part) : VARYING;
}

static void
move(struct widen *w, LLVMValueRef insn, from_fn *from)
{
	unsigned i, k, n = widen_parts(w, LLVMTypeOf(insn));
	LLVMValueRef v;

	for (i = 0; i < n; i++) {
		k = i;
		v = from(w, insn, &k);
		widen_move(w, insn, i, v, k);
	}
}

struct shape
shape_extract(struct widen *w, LLVMValueRef insn, unsigned part)
{
	return moved_shape(w, insn, part, extract_from);
}

void
widen_extract_value(struct widen *w, LLVMValueRef insn)
{
	move(w, insn, extract_from);
}

struct shape
shape_insert(struct widen *w, LLVMValueRef insn, unsigned part)
{
	return moved_shape(w, insn, part, insert_from);
}

void
widen_insert(struct widen *w, LLVMValueRef insn)
{
	move(w, insn, insert_from);
}

struct shape
shape_shuffle_of(struct widen *w, LLVMValueRef insn, unsigned part)
{
	return moved_shape(w, insn, part, shuffle_from);
}

void
widen_shuffle_of(struct widen *w, LLVMValueRef insn)
{
	move(w, insn, shuffle_from);
}

struct shape
shape_element(struct widen *w, LLVMValueRef insn, unsigned part)
{
	return moved_shape(w, insn, part, element_from);
}

/* <32 x i1>: index is k */
static LLVMValueRef
is_index(struct widen *w, LLVMValueRef index, unsigned k)
{
	LLVMValueRef v = widen_wide(w, index, 0);

	return LLVMBuildICmp(w->b, LLVMIntEQ, v, widen_splat(w,
		LLVMConstInt(LLVMTypeOf(index), k, false)), "");
}

void
widen_element(struct widen *w, LLVMValueRef insn)
{
	LLVMValueRef from = LLVMGetOperand(insn, 0), v;
	unsigned k, n = widen_parts(w, LLVMTypeOf(from));

	if (LLVMIsAConstantInt(LLVMGetOperand(insn, 1))) {
		move(w, insn, element_from);
		return;
	}
	v = widen_wide(w, from, 0);
	for (k = 1; k < n; k++)
		v = LLVMBuildSelect(w->b, is_index(w, LLVMGetOperand(insn, 1),
			k), widen_wide(w, from, k), v, "");
	widen_set_wide(w, insn, 0, v);
}

struct shape
shape_replace(struct widen *w, LLVMValueRef insn, unsigned part)
{
	return moved_shape(w, insn, part, replace_from);
}

void
widen_replace(struct widen *w, LLVMValueRef insn)
{
	unsigned k, n = widen_parts(w, LLVMTypeOf(insn));

	if (LLVMIsAConstantInt(LLVMGetOperand(insn, 2))) {
		move(w, insn, replace_from);
		return;
	}
	for (k = 0; k < n; k++)
		widen_set_wide(w, insn, k, LLVMBuildSelect(w->b,
			is_index(w, LLVMGetOperand(insn, 2), k),
			widen_wide(w, LLVMGetOperand(insn, 1), 0),
			widen_wide(w, LLVMGetOperand(insn, 0), k), ""));
}

/* bits of v, a part or its vector, as integers of n bits a lane */
static LLVMValueRef
as_int(struct widen *w, LLVMValueRef v, unsigned n)
{
	LLVMTypeRef ty = LLVMIntTypeInContext(w->c, n);

	if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind)
		ty = widen_wide_type(ty);
	return LLVMBuildBitCast(w->b, v, ty, "");
}

static LLVMTypeRef
like(LLVMValueRef v, LLVMTypeRef ty)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind
		? widen_wide_type(ty) : ty;
}

static LLVMValueRef
constant_like(struct widen *w, LLVMValueRef v, uint64_t k)
{
	LLVMTypeRef ty = LLVMTypeOf(v);

	if (LLVMGetTypeKind(ty) != LLVMVectorTypeKind)
		return LLVMConstInt(ty, k, false);
	return widen_splat(w, LLVMConstInt(LLVMGetElementType(ty), k, false));
}

static unsigned
part_bits(struct widen *w, LLVMTypeRef ty)
{
	return (unsigned)LLVMSizeOfTypeInBits(w->layout,
		widen_part_type(w, ty, 0));
}

/* n parts of from bits, first the lowest, to parts of to bits */
static void
recast(struct widen *w, LLVMValueRef in[], unsigned n, unsigned from,
	LLVMValueRef out[], unsigned nout, unsigned to)
{
	LLVMTypeRef ty = LLVMIntTypeInContext(w->c, n * from);
	LLVMValueRef all = 0, v;
	unsigned k;

	for (k = 0; k < n; k++) {
		v = as_int(w, in[k], from);
		v = LLVMBuildZExt(w->b, v, like(v, ty), "");
		if (k)
			v = LLVMBuildShl(w->b, v, constant_like(w, v,
				k * from), "");
		all = all ? LLVMBuildOr(w->b, all, v, "") : v;
	}
	ty = LLVMIntTypeInContext(w->c, to);
	for (k = 0; k < nout; k++) {
		v = k ? LLVMBuildLShr(w->b, all, constant_like(w, all,
			k * to), "") : all;
		out[k] = LLVMBuildTrunc(w->b, v, like(v, ty), "");
	}
}

enum { MAX_PARTS = 32 };

/* the same number of bits in as few steps as there are groups: 4 parts to 2
 * go two by two */
static void
regroup(struct widen *w, LLVMValueRef in[], unsigned n, unsigned from,
	LLVMValueRef out[], unsigned nout, unsigned to)
{
	unsigned k, groups = n < nout ? n : nout;

	if (n % groups || nout % groups)
		groups = 1;
	for (k = 0; k < groups; k++)
		recast(w, in + k * (n / groups), n / groups, from,
			out + k * (nout / groups), nout / groups, to);
}

void
widen_bitcast(struct widen *w, LLVMValueRef insn)
{
	LLVMValueRef v = LLVMGetOperand(insn, 0), in[MAX_PARTS];
	LLVMValueRef result[RUNS][MAX_PARTS];
	LLVMTypeRef from = LLVMTypeOf(v), to = LLVMTypeOf(insn);
	unsigned n = widen_parts(w, from), nout = widen_parts(w, to), k, j;
	struct shape s = widen_shape(w, insn, 0);
	struct widen_forms f;

	if (n > MAX_PARTS || nout > MAX_PARTS) {
		widen_refuse(w, insn, "a vector of many parts");
		return;
	}
	for (k = 0; k < (s.seg ? s.seg : 1); k++) {
		for (j = 0; j < n; j++) {
			widen_get(w, v, j, s, &f);
			in[j] = s.seg ? f.run[k] : f.wide;
		}
		regroup(w, in, n, part_bits(w, from), result[k], nout,
			part_bits(w, to));
	}
	for (j = 0; j < nout; j++) {
		for (k = 0; k < (s.seg ? s.seg : 1); k++) {
			f.wide = LLVMBuildBitCast(w->b, result[k][j],
				like(result[k][j], widen_part_type(w, to, j)),
				"");
			f.run[k] = f.wide;
		}
		widen_put(w, insn, j, &f);
	}
}
