/* widen_value.c - the parts of scalar values, and what stands for them.
 *
 * A block takes what other blocks have made from slots in the entry block,
 * which LLVM turns into values again: blocks of the vector function dominate
 * each other in other ways than those of the scalar one.
 */
#include "widen_int.h"

#include <stdlib.h>

static size_t
hash(LLVMValueRef v, size_t size)
{
	return ((uintptr_t)v >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20
		& (size - 1);
}

unsigned
widen_parts(struct widen *w, LLVMTypeRef ty)
{
	unsigned i, n;

	switch (LLVMGetTypeKind(ty)) {
	case LLVMVoidTypeKind:
		return 0;
	case LLVMVectorTypeKind:
		return LLVMGetVectorSize(ty);
	case LLVMArrayTypeKind:
		return (unsigned)LLVMGetArrayLength2(ty)
			* widen_parts(w, LLVMGetElementType(ty));
	case LLVMStructTypeKind:
		for (i = n = 0; i < LLVMCountStructElementTypes(ty); i++)
			n += widen_parts(w, LLVMStructGetTypeAtIndex(ty, i));
		return n;
	default:
		return 1;
	}
}

/* the element of ty in which part number *part is; *part is then counted
 * in that element, whose index is given */
static LLVMTypeRef
element(struct widen *w, LLVMTypeRef ty, unsigned *part, unsigned *index)
{
	LLVMTypeRef e;
	unsigned i, n;

	if (LLVMGetTypeKind(ty) != LLVMStructTypeKind) {
		e = LLVMGetElementType(ty);
		n = widen_parts(w, e);
		*index = *part / n;
		*part %= n;
		return e;
	}
	for (i = 0;; i++) {
		e = LLVMStructGetTypeAtIndex(ty, i);
		n = widen_parts(w, e);
		if (*part < n)
			break;
		*part -= n;
	}
	*index = i;
	return e;
}

static bool
is_compound(LLVMTypeRef ty)
{
	LLVMTypeKind k = LLVMGetTypeKind(ty);

	return k == LLVMVectorTypeKind || k == LLVMArrayTypeKind
		|| k == LLVMStructTypeKind;
}

LLVMTypeRef
widen_part_type(struct widen *w, LLVMTypeRef ty, unsigned part)
{
	unsigned index;

	while (is_compound(ty))
		ty = element(w, ty, &part, &index);
	return widen_is_shared(ty) ? w->ptr : ty;
}

bool
widen_is_shared(LLVMTypeRef ty)
{
	return LLVMGetTypeKind(ty) == LLVMPointerTypeKind
		&& LLVMGetPointerAddressSpace(ty) == SHARED_AS;
}

LLVMTypeRef
widen_wide_type(LLVMTypeRef ty)
{
	return LLVMVectorType(ty, LANES);
}

/* does v hold the address of a shared variable, as a flat one? */
static bool
has_shared(LLVMValueRef v)
{
	int k, n = LLVMIsAConstantExpr(v) ? LLVMGetNumOperands(v) : 0;
	LLVMValueRef op;

	for (k = 0; k < n; k++) {
		op = LLVMGetOperand(v, (unsigned)k);
		if (LLVMGetConstOpcode(v) == LLVMAddrSpaceCast
		? widen_is_shared(LLVMTypeOf(op)) : has_shared(op))
			return true;
	}
	return false;
}

enum { FEW = 8 };

/* … which is a constant in scalar code alone: only the block knows it */
static LLVMValueRef
flat_shared(struct widen *w, LLVMValueRef v)
{
	LLVMOpcode code = LLVMGetConstOpcode(v);
	LLVMValueRef op[FEW];
	int k, n = LLVMGetNumOperands(v);

	if (n > FEW)
		return v;
	for (k = 0; k < n; k++) {
		op[k] = LLVMGetOperand(v, (unsigned)k);
		if (widen_is_shared(LLVMTypeOf(op[k])))
			op[k] = widen_shared_pointer(w, LLVMConstPtrToInt(
				op[k], w->i32));
		else if (has_shared(op[k]))
			op[k] = flat_shared(w, op[k]);
	}
	if (code == LLVMAddrSpaceCast)
		return op[0];
	if (code == LLVMGetElementPtr)
		return LLVMBuildGEP2(w->b, LLVMGetGEPSourceElementType(v),
			op[0], op + 1, (unsigned)n - 1, "");
	return n == 1 ? LLVMBuildCast(w->b, code, op[0], LLVMTypeOf(v), "")
		: LLVMBuildBinOp(w->b, code, op[0], op[1], "");
}

/* a part of constant v */
static LLVMValueRef
constant(struct widen *w, LLVMValueRef v, unsigned part)
{
	LLVMTypeRef ty, e;
	LLVMValueRef c;
	unsigned index;

	for (ty = LLVMTypeOf(v); is_compound(ty); ty = e, v = c) {
		e = element(w, ty, &part, &index);
		c = LLVMGetAggregateElement(v, index);
		if (!c && LLVMGetTypeKind(ty) == LLVMVectorTypeKind)
			c = LLVMBuildExtractElement(w->b, v,
				widen_k32(w, index), "");
		else if (!c)
			c = LLVMBuildExtractValue(w->b, v, index, "");
	}
	if (widen_is_shared(LLVMTypeOf(v)))
		return widen_shared_pointer(w, LLVMConstPtrToInt(v, w->i32));
	return has_shared(v) ? flat_shared(w, v) : v;
}

static struct widen_block *
home(struct widen *w, LLVMValueRef v)
{
	return LLVMIsAInstruction(v)
		? widen_block(w, LLVMGetInstructionParent(v)) : 0;
}

static void
grow(struct widen_map *m)
{
	struct widen_value **old = m->slot, *v, *next;
	size_t n = m->size, i, h;

	m->size = n ? 4 * n : 1024;
	m->slot = calloc(m->size, sizeof(struct widen_value *));
	for (i = 0; i < n; i++)
		for (v = old[i]; v; v = next) {
			next = v->next;
			h = hash(v->scalar, m->size);
			v->next = m->slot[h];
			m->slot[h] = v;
		}
	free(old);
}

struct widen_value *
widen_value(struct widen *w, LLVMValueRef scalar)
{
	struct widen_map *m = w->value;
	struct widen_value *v;
	LLVMTypeRef ty;
	unsigned i;
	size_t h;

	h = m->size ? hash(scalar, m->size) : 0;
	for (v = m->size ? m->slot[h] : 0; v; v = v->next)
		if (v->scalar == scalar)
			return v;
	if (m->count++ >= 2 * m->size) {
		grow(m);
		h = hash(scalar, m->size);
	}
	v = NEW(&m->a, struct widen_value);
	v->scalar = scalar;
	v->home = home(w, scalar);
	v->next = m->slot[h];
	m->slot[h] = v;
	ty = LLVMTypeOf(scalar);
	v->nparts = widen_parts(w, ty);
	v->part = NEWN(&m->a, v->nparts + 1, struct widen_part);
	for (i = 0; i < v->nparts; i++)
		v->part[i].ty = widen_part_type(w, ty, i);
	return v;
}

void
widen_map_free(struct widen *w)
{
	free(w->value->slot);
	arena_free(&w->value->a);
	*w->value = (struct widen_map){ 0 };
}

/* low bits of constant c known to be 0 */
static uint8_t
constant_zeros(LLVMValueRef c)
{
	uint64_t v;

	if (!LLVMIsAConstantInt(c)
	|| LLVMGetIntTypeWidth(LLVMTypeOf(c)) > 64)
		return 0;
	v = LLVMConstIntGetZExtValue(c);
	return v ? (uint8_t)__builtin_ctzll(v) : 63;
}

struct shape
widen_shape(struct widen *w, LLVMValueRef v, unsigned part)
{
	struct shape s = UNIFORM;

	if (!LLVMIsConstant(v))
		return widen_value(w, v)->part[part].shape;
	if (widen_is_shared(LLVMTypeOf(v))) {
		s.zeros = constant_zeros(LLVMConstPtrToInt(v, w->i32));
		return shape_in_shared(s);
	}
	if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind)
		s.zeros = constant_zeros(v);
	return s;
}

bool
widen_is_uniform(struct widen *w, LLVMValueRef v, unsigned part)
{
	struct shape s = widen_shape(w, v, part);

	return s.seg == 1 && s.stride == 0;
}

/* v in which lane k of a run is v + k * stride */
static LLVMValueRef
step(struct widen *w, LLVMValueRef v, int64_t by)
{
	LLVMTypeRef ty = LLVMTypeOf(v);
	LLVMValueRef k;

	if (!by)
		return v;
	if (LLVMGetTypeKind(ty) == LLVMPointerTypeKind) {
		k = widen_k64(w, (uint64_t)by);
		return LLVMBuildGEP2(w->b, w->i8, v, &k, 1, "");
	}
	return LLVMBuildAdd(w->b, v, LLVMConstInt(ty, (uint64_t)by, true), "");
}

static LLVMValueRef
load(struct widen *w, LLVMTypeRef ty, LLVMValueRef slot)
{
	return LLVMBuildLoad2(w->b, ty, slot, "");
}

/* p in the forms of its own shape, where w->at can take them */
static void
own(struct widen *w, struct widen_value *v, struct widen_part *p,
	struct widen_forms *f)
{
	struct shape s = p->shape;
	bool here = !v->home || v->home == w->at;
	unsigned k;

	for (k = 0; k < s.seg; k++) {
		f->run[k] = here ? p->run[k] : load(w, p->ty, p->run_slot[k]);
		if (s.maybe)
			f->turn[k] = here ? p->turn[k]
				: load(w, w->i32, p->turn_slot[k]);
	}
	if (!s.seg)
		f->wide = here ? p->wide
			: load(w, widen_wide_type(p->ty), p->wide_slot);
}

/* all lanes of runs of shape s; those behind a wrap jump */
static LLVMValueRef
expand(struct widen *w, struct shape s, const struct widen_forms *f)
{
	LLVMValueRef v = widen_expand(w, s, f->run), lane[LANES], by;
	LLVMTypeRef wide = widen_wide_type(w->i64);
	unsigned l;

	if (!s.maybe)
		return v;
	for (l = 0; l < LANES; l++)
		lane[l] = widen_k32(w, l % (LANES / s.seg));
	by = widen_expand(w, (struct shape){ .seg = s.seg }, f->turn);
	by = LLVMBuildICmp(w->b, LLVMIntUGE, LLVMConstVector(lane, LANES), by,
		"");
	by = LLVMBuildSelect(w->b, by, widen_splat(w, widen_k64(w,
		(uint64_t)s.jump)), LLVMConstNull(wide), "");
	if (LLVMTypeOf(v) == wide)
		return LLVMBuildAdd(w->b, v, by, "");
	return LLVMBuildGEP2(w->b, w->i8, v, &by, 1, "");
}

/* f, a run k of shape s, from lane off on */
static void
cut(struct widen *w, struct shape s, struct widen_forms *f, unsigned k,
	unsigned off)
{
	LLVMValueRef past, left;

	f->run[k] = step(w, f->run[k], s.stride * off);
	if (!s.maybe || !off)
		return;
	past = LLVMBuildICmp(w->b, LLVMIntULE, f->turn[k], widen_k32(w, off),
		"");
	f->run[k] = LLVMBuildSelect(w->b, past, step(w, f->run[k], s.jump),
		f->run[k], "");
	left = LLVMBuildSub(w->b, f->turn[k], widen_k32(w, off), "");
	f->turn[k] = LLVMBuildSelect(w->b, past, widen_k32(w, LANES), left,
		"");
}

/* forms of shape s as those of shape as, of which s says more */
static void
weaken(struct widen *w, struct shape s, struct shape as,
	struct widen_forms *f)
{
	struct widen_forms g = *f;
	unsigned k, from, len = as.seg ? LANES / as.seg : LANES;

	if (!as.seg) {
		if (s.seg)
			f->wide = expand(w, s, &g);
		return;
	}
	for (k = 0; k < as.seg; k++) {
		from = k * s.seg / as.seg;
		f->run[k] = g.run[from];
		f->turn[k] = s.maybe ? g.turn[from] : widen_k32(w, LANES);
		cut(w, s, f, k, k * len - from * (LANES / s.seg));
	}
}

void
widen_get(struct widen *w, LLVMValueRef scalar, unsigned part,
	struct shape as, struct widen_forms *f)
{
	struct widen_value *v;
	struct shape s = UNIFORM;

	if (LLVMIsConstant(scalar)) {
		f->run[0] = constant(w, scalar, part);
	} else {
		v = widen_value(w, scalar);
		s = v->part[part].shape;
		own(w, v, &v->part[part], f);
	}
	weaken(w, s, as, f);
}

LLVMValueRef
widen_wide(struct widen *w, LLVMValueRef v, unsigned part)
{
	struct widen_forms f;

	widen_get(w, v, part, VARYING, &f);
	return f.wide;
}

LLVMValueRef
widen_scalar(struct widen *w, LLVMValueRef v, unsigned part)
{
	struct widen_forms f;

	widen_get(w, v, part, widen_shape(w, v, part), &f);
	return f.run[0];
}

void
widen_runs(struct widen *w, LLVMValueRef v, unsigned part, unsigned seg,
	LLVMValueRef run[])
{
	struct shape s = shape_cut(widen_shape(w, v, part), seg);
	struct widen_forms f;
	unsigned k;

	widen_get(w, v, part, s, &f);
	for (k = 0; k < seg; k++)
		run[k] = f.run[k];
}

LLVMValueRef
widen_exact(struct widen *w, LLVMValueRef v, unsigned part)
{
	struct shape s = widen_shape(w, v, part);
	struct widen_forms f;
	LLVMValueRef all, ok;
	unsigned k;

	all = LLVMConstInt(w->i1, 1, false);
	if (!s.maybe)
		return all;
	widen_get(w, v, part, s, &f);
	for (k = 0; k < s.seg; k++) {
		ok = LLVMBuildICmp(w->b, LLVMIntUGE, f.turn[k],
			widen_k32(w, LANES / s.seg), "");
		all = LLVMBuildAnd(w->b, all, ok, "");
	}
	return all;
}

/* v goes to *slot, which is made on first use, in the lanes of mask */
static void
keep(struct widen *w, LLVMValueRef *slot, LLVMValueRef v, LLVMValueRef mask)
{
	LLVMTypeRef ty = LLVMTypeOf(v);

	if (!*slot)
		*slot = widen_slot(w, ty, "");
	if (mask)
		v = LLVMBuildSelect(w->b, mask, v, load(w, ty, *slot), "");
	LLVMBuildStore(w->b, v, *slot);
}

void
widen_store(struct widen *w, struct widen_part *p,
	const struct widen_forms *f, LLVMValueRef mask)
{
	unsigned k;

	for (k = 0; k < p->shape.seg; k++) {
		keep(w, &p->run_slot[k], f->run[k], 0);
		if (p->shape.maybe)
			keep(w, &p->turn_slot[k], f->turn[k], 0);
	}
	if (p->shape.seg == 0)
		keep(w, &p->wide_slot, f->wide, mask);
}

void
widen_put(struct widen *w, LLVMValueRef insn, unsigned part,
	const struct widen_forms *f)
{
	struct widen_value *v = widen_value(w, insn);
	struct widen_part *p = &v->part[part];
	unsigned k;

	for (k = 0; k < p->shape.seg; k++) {
		p->run[k] = f->run[k];
		p->turn[k] = p->shape.maybe ? f->turn[k] : 0;
	}
	p->wide = p->shape.seg ? 0 : f->wide;
	if (v->crosses)
		widen_store(w, p, f, w->dispatched && !p->shape.seg
			? w->mask : 0);
}

static LLVMValueRef *
slot_of(struct widen *w, LLVMValueRef *slot, LLVMTypeRef ty)
{
	if (!*slot)
		*slot = widen_slot(w, ty, "");
	return slot;
}

void
widen_load_phi(struct widen *w, struct widen_value *v)
{
	struct widen_part *p;
	unsigned k;

	for (p = v->part; p < v->part + v->nparts; p++) {
		for (k = 0; k < p->shape.seg; k++) {
			p->run[k] = load(w, p->ty,
				*slot_of(w, &p->run_slot[k], p->ty));
			if (p->shape.maybe)
				p->turn[k] = load(w, w->i32,
					*slot_of(w, &p->turn_slot[k], w->i32));
		}
		if (!p->shape.seg)
			p->wide = load(w, widen_wide_type(p->ty),
				*slot_of(w, &p->wide_slot,
					widen_wide_type(p->ty)));
	}
}

/* as the part's shape asks, from s that says at least as much */
static void
put_as(struct widen *w, LLVMValueRef insn, unsigned part, struct shape s,
	struct widen_forms *f)
{
	weaken(w, s, widen_shape(w, insn, part), f);
	widen_put(w, insn, part, f);
}

void
widen_move(struct widen *w, LLVMValueRef insn, unsigned part,
	LLVMValueRef v, unsigned from)
{
	struct widen_forms f;

	widen_get(w, v, from, widen_shape(w, insn, part), &f);
	widen_put(w, insn, part, &f);
}

/* a handler made all lanes where the runs would have done */
static void
narrow(struct widen *w, struct shape s, struct widen_forms *f)
{
	unsigned k, len = LANES / s.seg;

	for (k = 0; k < s.seg; k++)
		f->run[k] = widen_extract(w, f->wide, s.seg == 1 && !s.stride
			? widen_first(w) : widen_k32(w, k * len));
}

void
widen_set_wide(struct widen *w, LLVMValueRef insn, unsigned part,
	LLVMValueRef wide)
{
	struct shape s = widen_shape(w, insn, part);
	struct widen_forms f = { .wide = wide };

	if (s.seg)
		narrow(w, s, &f);
	widen_put(w, insn, part, &f);
}

void
widen_set_scalar(struct widen *w, LLVMValueRef insn, unsigned part,
	LLVMValueRef v)
{
	struct widen_forms f = { .run = { v } };

	put_as(w, insn, part, UNIFORM, &f);
}

void
widen_set_runs(struct widen *w, LLVMValueRef insn, unsigned part,
	struct shape s, const LLVMValueRef run[])
{
	struct widen_forms f;
	unsigned k;

	for (k = 0; k < s.seg; k++)
		f.run[k] = run[k];
	s.maybe = false;
	s.jump = 0;
	put_as(w, insn, part, s, &f);
}
