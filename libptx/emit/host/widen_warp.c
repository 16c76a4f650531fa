/* widen_warp.c - what lanes of a warp do together: ballots, shuffles,
 * reductions.
 *
 * Lanes that are not here hold any value, also poison: freeze it before a lane
 * that is here can get it.
 */
#include "target_host.h"
#include "widen_int.h"

#include <string.h>

/* operand k in all lanes, as a value that may go to other lanes */
static LLVMValueRef
operand(struct widen *w, LLVMValueRef insn, unsigned k)
{
	return LLVMBuildFreeze(w->b, widen_wide(w, LLVMGetOperand(insn, k), 0),
		"");
}

/* operand 0, also of lanes at other places that met those here */
static LLVMValueRef
exchanged(struct widen *w, LLVMValueRef insn)
{
	return widen_brought(w, operand(w, insn, 0));
}

static bool
is_uniform(struct widen *w, LLVMValueRef insn, unsigned k)
{
	return widen_is_uniform(w, LLVMGetOperand(insn, k), 0);
}

/* is operand 0 the same in all lanes, here and at other places? */
static bool
is_same(struct widen *w, LLVMValueRef insn)
{
	return !w->dispatched && is_uniform(w, insn, 0);
}

static LLVMValueRef
scalar(struct widen *w, LLVMValueRef insn, unsigned k)
{
	return widen_scalar(w, LLVMGetOperand(insn, k), 0);
}

/* those at other places that met the lanes here, and came with true */
static LLVMValueRef
ballot_elsewhere(struct widen *w, LLVMValueRef p)
{
	LLVMTypeRef wide = widen_wide_type(w->i32);
	LLVMValueRef v;

	if (LLVMIsAConstantInt(p))
		return LLVMConstIntGetZExtValue(p) ? widen_peers(w)
			: widen_k32(w, 0);
	v = widen_brought(w, LLVMConstNull(wide));
	v = LLVMBuildICmp(w->b, LLVMIntNE, v, LLVMConstNull(wide), "");
	return LLVMBuildAnd(w->b, widen_bits(w, v), widen_peers(w), "");
}

void
widen_ballot(struct widen *w, LLVMValueRef insn)
{
	LLVMValueRef v;

	if (is_uniform(w, insn, 0))
		v = LLVMBuildSelect(w->b, scalar(w, insn, 0),
			widen_bits(w, w->mask), widen_k32(w, 0), "");
	else
		v = widen_bits(w, widen_and(w, w->mask, widen_wide(w,
			LLVMGetOperand(insn, 0), 0)));
	v = LLVMBuildOr(w->b, v, ballot_elsewhere(w, LLVMGetOperand(insn, 0)),
		"");
	widen_set_scalar(w, insn, 0, v);
}

/* half k (0, 1) of v, quarter k of it where parts is 4 */
static LLVMValueRef
piece(struct widen *w, LLVMValueRef v, unsigned k, unsigned parts)
{
	unsigned l, n = LANES / parts;
	LLVMValueRef from[LANES];

	for (l = 0; l < n; l++)
		from[l] = widen_k32(w, k * n + l);
	return LLVMBuildShuffleVector(w->b, v, LLVMGetUndef(LLVMTypeOf(v)),
		LLVMConstVector(from, n), "");
}

/* a and b, of n elements each, one behind the other */
static LLVMValueRef
concat(struct widen *w, LLVMValueRef a, LLVMValueRef b, unsigned n)
{
	LLVMValueRef from[LANES];
	unsigned l;

	for (l = 0; l < 2 * n; l++)
		from[l] = widen_k32(w, l);
	return LLVMBuildShuffleVector(w->b, a, b, LLVMConstVector(from, 2 * n),
		"");
}

/* two of AVX-512's shuffles, each of 16 lanes of any of 32 */
static LLVMValueRef
shuffle_512(struct widen *w, LLVMValueRef v, LLVMValueRef from)
{
	LLVMValueRef arg[3], d[2];
	int k;

	arg[0] = piece(w, v, 0, 2);
	arg[2] = piece(w, v, 1, 2);
	for (k = 0; k < 2; k++) {
		arg[1] = piece(w, from, (unsigned)k, 2);
		d[k] = widen_intrinsic(w, "llvm.x86.avx512.vpermi2var.d.512",
			0, 0, arg, 3);
	}
	return concat(w, d[0], d[1], 16);
}

/* the 8 lanes of from, of any of 32: a shuffle of 8 for each quarter of v */
static LLVMValueRef
shuffle_8(struct widen *w, LLVMValueRef v[4], LLVMValueRef from)
{
	LLVMValueRef k[8], q, d, arg[2] = { 0, from };
	unsigned i, l;

	for (l = 0; l < 8; l++)
		k[l] = widen_k32(w, 3);
	q = LLVMBuildLShr(w->b, from, LLVMConstVector(k, 8), "");
	for (d = 0, i = 0; i < 4; i++) {
		arg[0] = v[i];
		arg[0] = widen_intrinsic(w, "llvm.x86.avx2.permd", 0, 0, arg,
			2);
		for (l = 0; l < 8; l++)
			k[l] = widen_k32(w, i);
		d = d ? LLVMBuildSelect(w->b, LLVMBuildICmp(w->b, LLVMIntEQ, q,
			LLVMConstVector(k, 8), ""), arg[0], d, "") : arg[0];
	}
	return d;
}

static LLVMValueRef
shuffle_256(struct widen *w, LLVMValueRef v, LLVMValueRef from)
{
	LLVMValueRef q[4], d[4];
	unsigned i;

	for (i = 0; i < 4; i++)
		q[i] = piece(w, v, i, 4);
	for (i = 0; i < 4; i++)
		d[i] = shuffle_8(w, q, piece(w, from, i, 4));
	return concat(w, concat(w, d[0], d[1], 8), concat(w, d[2], d[3], 8),
		16);
}

/* through memory */
static LLVMValueRef
shuffle_any(struct widen *w, LLVMValueRef v, LLVMValueRef from)
{
	LLVMValueRef slot = widen_slot(w, LLVMTypeOf(v), ""), at, d;
	unsigned l;

	LLVMBuildStore(w->b, v, slot);
	d = LLVMGetUndef(LLVMTypeOf(v));
	for (l = 0; l < LANES; l++) {
		at = LLVMBuildExtractElement(w->b, from, widen_k32(w, l), "");
		at = LLVMBuildZExt(w->b, at, w->i64, "");
		at = LLVMBuildGEP2(w->b, w->i32, slot, &at, 1, "");
		d = LLVMBuildInsertElement(w->b, d, LLVMBuildLoad2(w->b,
			w->i32, at, ""), widen_k32(w, l), "");
	}
	return d;
}

struct shape
shape_shuffle(struct widen *w, LLVMValueRef insn, unsigned part)
{
	(void)part;
	return is_same(w, insn) || is_uniform(w, insn, 1) ? UNIFORM : VARYING;
}

void
widen_shuffle(struct widen *w, LLVMValueRef insn)
{
	LLVMValueRef v, from;
	enum host_isa isa = host_isa(w->o->arch);

	if (is_same(w, insn)) {
		widen_set_scalar(w, insn, 0, scalar(w, insn, 0));
		return;
	}
	v = exchanged(w, insn);
	if (is_uniform(w, insn, 1)) {
		from = LLVMBuildAnd(w->b, scalar(w, insn, 1), widen_k32(w,
			LANES - 1), "");
		widen_set_scalar(w, insn, 0, widen_extract(w, v, from));
		return;
	}
	from = LLVMBuildAnd(w->b, operand(w, insn, 1), widen_splat(w,
		widen_k32(w, LANES - 1)), "");
	v = isa == ISA_AVX512 ? shuffle_512(w, v, from)
		: isa == ISA_AVX2 ? shuffle_256(w, v, from)
		: shuffle_any(w, v, from);
	widen_set_wide(w, insn, 0, v);
}

void
widen_broadcast(struct widen *w, LLVMValueRef insn)
{
	LLVMValueRef from;

	if (is_uniform(w, insn, 0)) {
		widen_set_scalar(w, insn, 0, scalar(w, insn, 0));
		return;
	}
	from = is_uniform(w, insn, 1) ? scalar(w, insn, 1)
		: widen_extract(w, operand(w, insn, 1), widen_first(w));
	from = LLVMBuildAnd(w->b, from, widen_k32(w, LANES - 1), "");
	widen_set_scalar(w, insn, 0, widen_extract(w, operand(w, insn, 0),
		from));
}

struct shape
shape_permute(struct widen *w, LLVMValueRef insn, unsigned part)
{
	(void)part;
	return is_same(w, insn) ? UNIFORM : VARYING;
}

void
widen_permute(struct widen *w, LLVMValueRef insn)
{
	LLVMValueRef v, from[LANES];
	const char *name;
	unsigned l;
	size_t n;

	if (is_same(w, insn)) {
		widen_set_scalar(w, insn, 0, scalar(w, insn, 0));
		return;
	}
	v = exchanged(w, insn);
	name = LLVMGetValueName2(LLVMGetCalledValue(insn), &n);
	name += strlen("ptx.permute.");
	for (l = 0; l < LANES; l++)
		from[l] = widen_k32(w, (uint32_t)(name[l] - 'A'));
	v = LLVMBuildShuffleVector(w->b, v, LLVMGetUndef(LLVMTypeOf(v)),
		LLVMConstVector(from, LANES), "");
	widen_set_wide(w, insn, 0, v);
}

/* by the end of the marker's name */
static const struct redux {
	enum marker marker;
	const char *reduce;     /* the intrinsic */
	uint32_t none;          /* what changes nothing */
	bool repeats;           /* twice the same counts twice */
} redux[] = {
	{ MARKER_REDUX_ADD,  "llvm.vector.reduce.add",  0,         true },
	{ MARKER_REDUX_AND,  "llvm.vector.reduce.and",  ~0u,       false },
	{ MARKER_REDUX_OR,   "llvm.vector.reduce.or",   0,         false },
	{ MARKER_REDUX_XOR,  "llvm.vector.reduce.xor",  0,         true },
	{ MARKER_REDUX_UMIN, "llvm.vector.reduce.umin", ~0u,       false },
	{ MARKER_REDUX_SMIN, "llvm.vector.reduce.smin", INT32_MAX, false },
	{ MARKER_REDUX_UMAX, "llvm.vector.reduce.umax", 0,         false },
	{ MARKER_REDUX_SMAX, "llvm.vector.reduce.smax", 1u << 31,  false },
};

static const struct redux *
redux_of(LLVMValueRef insn)
{
	const struct redux *r = redux;
	enum marker m;
	size_t n;

	m = marker_of(LLVMGetValueName2(LLVMGetCalledValue(insn), &n));
	while (r->marker != m)
		r++;
	return r;
}

/* v, a vector, of the members: i32 bits */
static LLVMValueRef
fold(struct widen *w, const struct redux *r, LLVMValueRef v,
	LLVMValueRef members)
{
	v = LLVMBuildSelect(w->b, widen_unbits(w, members), v,
		widen_splat(w, widen_k32(w, r->none)), "");
	return widen_call1(w, r->reduce, v);
}

/* the lanes here come in groups, each with its members: its first lane does
 * the work for it */
static LLVMValueRef
fold_groups(struct widen *w, const struct redux *r, LLVMValueRef v,
	LLVMValueRef members)
{
	LLVMValueRef slot, mine, here, sum;
	struct widen_loop each;
	struct widen_if first;

	slot = widen_slot(w, LLVMTypeOf(v), "redux");
	LLVMBuildStore(w->b, v, slot);
	here = widen_bits(w, w->mask);
	widen_each(w, &each, here);
	mine = widen_extract(w, members, each.lane);
	sum = LLVMBuildShl(w->b, widen_k32(w, 1), each.lane, "");
	mine = LLVMBuildOr(w->b, mine, sum, "");
	sum = LLVMBuildSub(w->b, sum, widen_k32(w, 1), "");
	sum = LLVMBuildAnd(w->b, sum, here, "");
	widen_if(w, &first, LLVMBuildICmp(w->b, LLVMIntEQ,
		LLVMBuildAnd(w->b, mine, sum, ""), widen_k32(w, 0), ""));
	sum = widen_splat(w, fold(w, r, v, mine));
	LLVMBuildStore(w->b, LLVMBuildSelect(w->b, widen_unbits(w, mine), sum,
		LLVMBuildLoad2(w->b, LLVMTypeOf(v), slot, ""), ""), slot);
	widen_endif(w, &first);
	widen_endeach(w, &each);
	return LLVMBuildLoad2(w->b, LLVMTypeOf(v), slot, "");
}

struct shape
shape_redux(struct widen *w, LLVMValueRef insn, unsigned part)
{
	(void)part;
	return is_uniform(w, insn, 1) ? UNIFORM : VARYING;
}

void
widen_redux(struct widen *w, LLVMValueRef insn)
{
	const struct redux *r = redux_of(insn);

	if (!is_uniform(w, insn, 1))
		widen_set_wide(w, insn, 0, fold_groups(w, r, exchanged(w, insn),
			operand(w, insn, 1)));
	else if (is_same(w, insn) && !r->repeats)
		widen_set_scalar(w, insn, 0, scalar(w, insn, 0));
	else
		widen_set_scalar(w, insn, 0, fold(w, r, exchanged(w, insn),
			scalar(w, insn, 1)));
}
