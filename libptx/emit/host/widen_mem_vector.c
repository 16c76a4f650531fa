/* widen_mem_vector.c - lanes side by side: vectors and shuffles.
 *
 * A run of len lanes, with K elements from one lane's first to the next one's
 * of which each lane accesses n, covers (len-1)*K + n elements.  They are
 * loaded as vectors of len, the last one so that it does not reach beyond, and
 * picked apart.  Gaps are read too: they are within a page of what is read
 * anyway.  They are not written.  Stride -size is K = 1 with lanes reversed.
 */
#include "widen_mem.h"

enum { STEP = 4 };              /* K of one element, at most */

static unsigned
step(const struct mem *a)
{
	int64_t stride;

	stride = a->s.stride < 0 ? -a->s.stride : a->s.stride;
	return (unsigned)(stride / a->size);
}

static bool
is_reversed(const struct mem *a)
{
	return a->s.stride < 0;
}

bool
widen_is_vector(const struct mem *a)
{
	int64_t most;

	if (!a->s.seg || a->s.stride % a->size || !a->s.stride)
		return false;
	if (is_reversed(a))
		return a->n == 1 && a->s.stride == -(int64_t)a->size;
	most = a->n > STEP ? a->n : STEP;
	if (a->is_volatile)
		most = a->n; /* gaps are not ours */
	return a->s.stride >= a->n * a->size
		&& a->s.stride <= most * a->size;
}

static bool
is_plain(const struct mem *a)
{
	return a->n == 1 && step(a) == 1 && !is_reversed(a);
}

bool
widen_needs_all(struct widen *w, const struct mem *a)
{
	return !w->full && (!is_plain(a) || a->is_volatile
		|| !widen_has_masks(w));
}

static LLVMValueRef
shuffle(struct widen *w, LLVMValueRef x, LLVMValueRef y, const int *e,
	unsigned len)
{
	LLVMValueRef k[LANES * ELEMENTS];
	unsigned i;

	for (i = 0; i < len; i++)
		k[i] = e[i] < 0 ? LLVMGetPoison(w->i32)
			: widen_k32(w, (uint32_t)e[i]);
	return LLVMBuildShuffleVector(w->b, x, y, LLVMConstVector(k, len),
		"");
}

/* those of e that lie in nsrc sources from first on, counted from there */
static bool
within(const int *e, unsigned len, unsigned first, unsigned nsrc, int *sub)
{
	bool any;
	unsigned i;
	int k;

	any = false;
	for (i = 0; i < len; i++) {
		k = e[i] - (int)(first * len);
		sub[i] = e[i] >= 0 && k >= 0 && k < (int)(nsrc * len) ? k : -1;
		any |= sub[i] >= 0;
	}
	return any;
}

LLVMValueRef
widen_pick(struct widen *w, const LLVMValueRef *src, unsigned nsrc,
	unsigned len, const int *e)
{
	LLVMValueRef half[2];
	int sub[2][LANES], blend[LANES];
	unsigned i, mid;

	if (nsrc <= 2)
		return shuffle(w, src[0], nsrc == 2 ? src[1]
			: LLVMGetPoison(LLVMTypeOf(src[0])), e, len);
	mid = (nsrc + 1) / 2;
	if (!within(e, len, 0, mid, sub[0])) {
		within(e, len, mid, nsrc - mid, sub[1]);
		return widen_pick(w, src + mid, nsrc - mid, len, sub[1]);
	}
	half[0] = widen_pick(w, src, mid, len, sub[0]);
	if (!within(e, len, mid, nsrc - mid, sub[1]))
		return half[0];
	half[1] = widen_pick(w, src + mid, nsrc - mid, len, sub[1]);
	for (i = 0; i < len; i++)
		blend[i] = sub[1][i] >= 0 ? (int)(len + i) : (int)i;
	return shuffle(w, half[0], half[1], blend, len);
}

LLVMValueRef
widen_merge(struct widen *w, const LLVMValueRef *v, unsigned q)
{
	LLVMTypeRef ty;
	LLVMValueRef piece[8];
	unsigned j, i, n;
	int e[LANES * 8];

	ty = LLVMGetElementType(LLVMTypeOf(v[0]));
	for (j = 0; j < q; j++) {
		for (i = 0; i < LANES; i++)
			e[i] = (int)((j * LANES + i) % q * LANES
				+ (j * LANES + i) / q);
		piece[j] = widen_pick(w, v, q, LANES, e);
	}
	for (n = q; n > 1; n /= 2)
		for (j = 0; j < n / 2; j++) {
			unsigned len = LANES * q / n;

			for (i = 0; i < 2 * len; i++)
				e[i] = (int)i;
			piece[j] = shuffle(w, piece[2 * j], piece[2 * j + 1],
				e, 2 * len);
		}
	return LLVMBuildBitCast(w->b, piece[0], widen_wide_type(
		LLVMIntTypeInContext(w->c, LLVMGetIntTypeWidth(ty) * q)), "");
}

void
widen_split(struct widen *w, LLVMValueRef wide, LLVMTypeRef ty, unsigned q,
	LLVMValueRef *v)
{
	LLVMTypeRef all;
	unsigned j, i;
	int e[LANES];

	all = LLVMVectorType(ty, LANES * q);
	wide = LLVMBuildBitCast(w->b, wide, all, "");
	for (j = 0; j < q; j++) {
		for (i = 0; i < LANES; i++)
			e[i] = (int)(i * q + j);
		v[j] = shuffle(w, wide, LLVMGetPoison(all), e, LANES);
	}
}

/* one vector of len elements at element off of p */
struct piece {
	LLVMTypeRef type;
	LLVMValueRef p, mask;   /* mask 0: all of it */
};

static struct piece
piece(struct widen *w, const struct mem *a, LLVMValueRef p, unsigned len,
	unsigned off)
{
	struct piece at;
	LLVMValueRef by;

	at.type = LLVMVectorType(a->type, len);
	by = widen_k64(w, (uint64_t)off * a->size);
	at.p = off ? LLVMBuildGEP2(w->b, w->i8, p, &by, 1, "") : p;
	at.mask = 0;
	return at;
}

/* lanes of run r that are here; 0: all */
static LLVMValueRef
run_mask(struct widen *w, const struct mem *a, unsigned r, unsigned len)
{
	int e[LANES];
	unsigned i;

	if (w->full || widen_needs_all(w, a))
		return 0;
	for (i = 0; i < len; i++)
		e[i] = (int)(r * len + i);
	return len == LANES ? w->mask : shuffle(w, w->mask,
		LLVMGetPoison(w->mask_type), e, len);
}

static LLVMValueRef
load(struct widen *w, const struct mem *a, const struct piece *at)
{
	LLVMTypeRef over[2];
	LLVMValueRef arg[4], v;

	if (!at->mask) {
		v = LLVMBuildLoad2(w->b, at->type, at->p, "");
		LLVMSetAlignment(v, a->size < a->align ? a->size : a->align);
		LLVMSetVolatile(v, a->is_volatile);
		return v;
	}
	over[0] = at->type;
	over[1] = w->ptr;
	arg[0] = at->p;
	arg[1] = widen_k32(w, a->size < a->align ? a->size : a->align);
	arg[2] = at->mask;
	arg[3] = LLVMGetPoison(at->type);
	return widen_intrinsic(w, "llvm.masked.load", over, 2, arg, 4);
}

static void
store(struct widen *w, const struct mem *a, const struct piece *at,
	LLVMValueRef v)
{
	LLVMTypeRef over[2];
	LLVMValueRef arg[4];

	if (!at->mask) {
		v = LLVMBuildStore(w->b, v, at->p);
		LLVMSetAlignment(v, a->size < a->align ? a->size : a->align);
		LLVMSetVolatile(v, a->is_volatile);
		return;
	}
	over[0] = at->type;
	over[1] = w->ptr;
	arg[0] = v;
	arg[1] = at->p;
	arg[2] = widen_k32(w, a->size < a->align ? a->size : a->align);
	arg[3] = at->mask;
	widen_intrinsic(w, "llvm.masked.store", over, 2, arg, 4);
}

/* element e of the run, counted through its vectors */
static int
where(const struct mem *a, unsigned len, unsigned e)
{
	unsigned last, j;

	last = step(a) - 1;
	j = e / len < last ? e / len : last;
	if (j == last)
		e -= (len - 1) * step(a) + a->n - len;
	else
		e -= j * len;
	return (int)(j * len + e);
}

/* components of the lanes of one run, v[k] a <len x T> each */
static void
load_run(struct widen *w, const struct mem *a, LLVMValueRef p, unsigned r,
	LLVMValueRef *v)
{
	LLVMValueRef src[ELEMENTS];
	struct piece at;
	unsigned j, i, k, len, off;
	int e[LANES];

	len = LANES / a->s.seg;
	for (j = 0; j < step(a); j++) {
		off = j + 1 < step(a) ? j * len
			: (len - 1) * step(a) + a->n - len;
		at = piece(w, a, p, len, off);
		at.mask = run_mask(w, a, r, len);
		src[j] = load(w, a, &at);
	}
	for (k = 0; k < a->n; k++) {
		for (i = 0; i < len; i++)
			e[i] = where(a, len, i * step(a) + k);
		v[k] = step(a) == 1 ? src[0]
			: widen_pick(w, src, step(a), len, e);
	}
}

/* seg vectors to one; n a power of two */
static LLVMValueRef
join(struct widen *w, LLVMValueRef *v, unsigned n)
{
	int e[LANES];
	unsigned len, k, i;

	for (; n > 1; n /= 2) {
		len = LLVMGetVectorSize(LLVMTypeOf(v[0]));
		for (i = 0; i < 2 * len; i++)
			e[i] = (int)i;
		for (k = 0; k < n / 2; k++)
			v[k] = shuffle(w, v[2 * k], v[2 * k + 1], e, 2 * len);
	}
	return v[0];
}

/* the lowest address of a run, and of its lanes the other way round */
static LLVMValueRef
lowest(struct widen *w, const struct mem *a, LLVMValueRef p)
{
	LLVMValueRef by;

	by = widen_k64(w, (uint64_t)a->s.stride * (LANES / a->s.seg - 1));
	return is_reversed(a) ? LLVMBuildGEP2(w->b, w->i8, p, &by, 1, "") : p;
}

static LLVMValueRef
reverse(struct widen *w, const struct mem *a, LLVMValueRef v)
{
	int e[LANES];
	unsigned i, len;

	if (!is_reversed(a))
		return v;
	len = LANES / a->s.seg;
	for (i = 0; i < len; i++)
		e[i] = (int)(len - 1 - i);
	return shuffle(w, v, LLVMGetPoison(LLVMTypeOf(v)), e, len);
}

void
widen_vector_load(struct widen *w, const struct mem *a, LLVMValueRef *v)
{
	LLVMValueRef run[RUNS], part[RUNS][ELEMENTS], all[RUNS];
	unsigned r, k;

	widen_flat_runs(w, a, a->s.seg, run);
	for (r = 0; r < a->s.seg; r++)
		load_run(w, a, lowest(w, a, run[r]), r, part[r]);
	for (k = 0; k < a->n; k++) {
		for (r = 0; r < a->s.seg; r++)
			all[r] = reverse(w, a, part[r][k]);
		v[k] = join(w, all, a->s.seg);
	}
}

/* the constant mask of what a lane writes, from element first on */
static LLVMValueRef
gaps(struct widen *w, const struct mem *a, unsigned first, unsigned len)
{
	LLVMValueRef k[LANES];
	unsigned i;

	for (i = 0; i < len; i++)
		k[i] = LLVMConstInt(w->i1, (first + i) % step(a) < a->n,
			false);
	return LLVMConstVector(k, len);
}

static void
store_run(struct widen *w, const struct mem *a, LLVMValueRef p, unsigned r,
	const LLVMValueRef *v)
{
	struct piece at;
	unsigned i, j, k, len;
	int e[LANES];

	len = LANES / a->s.seg;
	for (j = 0; j < step(a); j++) {
		at = piece(w, a, p, len, j * len);
		at.mask = step(a) == a->n ? run_mask(w, a, r, len)
			: gaps(w, a, j * len, len);
		for (i = 0; i < len; i++) {
			k = (j * len + i) % step(a);
			e[i] = k < a->n ? (int)(k * len + (j * len + i)
				/ step(a)) : -1;
		}
		store(w, a, &at, widen_pick(w, v, a->n, len, e));
	}
}

void
widen_vector_store(struct widen *w, const struct mem *a,
	const LLVMValueRef *v)
{
	LLVMValueRef run[RUNS], part[ELEMENTS];
	unsigned r, k, i, len;
	int e[LANES];

	len = LANES / a->s.seg;
	widen_flat_runs(w, a, a->s.seg, run);
	for (r = 0; r < a->s.seg; r++) {
		for (k = 0; k < a->n; k++) {
			for (i = 0; i < len; i++)
				e[i] = (int)(r * len + i);
			part[k] = shuffle(w, v[k],
				LLVMGetPoison(LLVMTypeOf(v[k])), e, len);
			part[k] = reverse(w, a, part[k]);
		}
		store_run(w, a, lowest(w, a, run[r]), r, part);
	}
}
