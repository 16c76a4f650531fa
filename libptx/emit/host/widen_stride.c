/* widen_stride.c - shapes of integer and address arithmetic.
 *
 * The first lane of a result is always the operation on the operands' first
 * lanes; what remains to be said is how it goes on from there.
 */
#include "widen_int.h"

/* bits of an integer or pointer; 0: something else */
static unsigned
width(struct widen *w, LLVMTypeRef ty)
{
	if (LLVMGetTypeKind(ty) == LLVMIntegerTypeKind)
		return LLVMGetIntTypeWidth(ty);
	if (LLVMGetTypeKind(ty) == LLVMPointerTypeKind)
		return (unsigned)LLVMSizeOfTypeInBits(w->layout, ty);
	return 0;
}

/* s in a type of that many bits */
static struct shape
fit(struct shape s, unsigned bits)
{
	unsigned up = 64 - bits;

	if (bits > 64 || (s.maybe && !s.stride))
		return s.stride || s.maybe ? VARYING : s;
	s.stride = (int64_t)((uint64_t)s.stride << up) >> up;
	if (s.zeros >= bits)
		s.zeros = (uint8_t)(bits - 1);
	return s;
}

/* s of 32 bits as 64: its lanes may wrap, which they do at most once */
static struct shape
wrapping(struct shape s)
{
	enum { MOST = 1 << 20 };

	if (s.stride > MOST || s.stride < -MOST)
		return VARYING;
	s.maybe = true;
	s.jump = s.stride > 0 ? -(INT64_C(1) << 32) : INT64_C(1) << 32;
	return s;
}

/* s of 64 bits as 32: what jumps stays where it is */
static struct shape
settled(struct shape s)
{
	s.maybe = false;
	s.jump = 0;
	return s;
}

static struct shape
operand(struct widen *w, LLVMValueRef insn, unsigned k, unsigned part)
{
	return widen_shape(w, LLVMGetOperand(insn, k), part);
}

static unsigned
bits_of(struct widen *w, LLVMValueRef insn, unsigned part)
{
	return width(w, widen_part_type(w, LLVMTypeOf(insn), part));
}

/* what lanes add to the first one */
static uint64_t
reach(struct shape s)
{
	return (uint64_t)s.stride * (LANES / s.seg - 1);
}

/* do the lanes of a run only fill the zeros of the first? */
static bool
is_contained(struct shape s)
{
	return s.seg && !s.maybe && s.stride >= 0
		&& reach(s) < UINT64_C(1) << s.zeros;
}

/* a + sign * b */
static struct shape
sum(struct shape a, struct shape b, int sign)
{
	unsigned seg = a.seg > b.seg ? a.seg : b.seg;

	if (!a.seg || !b.seg || (a.maybe && b.maybe))
		return VARYING;
	a = shape_cut(a, seg);
	b = shape_cut(b, seg);
	a.stride += sign * b.stride;
	a.jump += sign * b.jump;
	a.maybe |= b.maybe;
	if (b.zeros < a.zeros)
		a.zeros = b.zeros;
	return a;
}

static bool
constant(LLVMValueRef v, unsigned bits, int64_t *c)
{
	if (!LLVMIsAConstantInt(v) || bits > 64)
		return false;
	*c = LLVMConstIntGetSExtValue(v);
	return true;
}

static struct shape
scaled(struct shape s, int64_t by)
{
	unsigned z = s.zeros + (by ? (unsigned)__builtin_ctzll((uint64_t)by)
		: 63);

	s.stride = (int64_t)((uint64_t)s.stride * (uint64_t)by);
	s.jump = (int64_t)((uint64_t)s.jump * (uint64_t)by);
	s.maybe = s.jump != 0;
	s.zeros = (uint8_t)(z > 63 ? 63 : z);
	return s;
}

struct shape
shape_add(struct widen *w, LLVMValueRef insn, unsigned part)
{
	return fit(sum(operand(w, insn, 0, part), operand(w, insn, 1, part),
		1), bits_of(w, insn, part));
}

struct shape
shape_sub(struct widen *w, LLVMValueRef insn, unsigned part)
{
	return fit(sum(operand(w, insn, 0, part), operand(w, insn, 1, part),
		-1), bits_of(w, insn, part));
}

struct shape
shape_mul(struct widen *w, LLVMValueRef insn, unsigned part)
{
	unsigned bits = bits_of(w, insn, part), z;
	struct shape a, b;
	int64_t c;

	a = operand(w, insn, 0, part);
	b = operand(w, insn, 1, part);
	if (constant(LLVMGetOperand(insn, 1), bits, &c))
		return fit(scaled(a, c), bits);
	if (!a.seg || !b.seg || a.stride || b.stride)
		return VARYING;
	z = a.zeros + b.zeros;
	a = shape_join(a, b);
	a.zeros = (uint8_t)(z > 63 ? 63 : z);
	return fit(a, bits);
}

/* the same in runs, with no stride */
static struct shape
flat(struct shape a, struct shape b)
{
	if (!a.seg || !b.seg || a.stride || b.stride)
		return VARYING;
	return shape_join(a, b);
}

struct shape
shape_shl(struct widen *w, LLVMValueRef insn, unsigned part)
{
	unsigned bits = bits_of(w, insn, part);
	struct shape a = operand(w, insn, 0, part);
	int64_t c;

	if (constant(LLVMGetOperand(insn, 1), bits, &c) && c >= 0 && c < 63)
		return fit(scaled(a, INT64_C(1) << c), bits);
	a = flat(a, operand(w, insn, 1, part));
	a.zeros = 0;
	return a;
}

/* a shift right by c of runs that are contained: it keeps the stride, or
 * takes it away, perhaps of shorter runs */
static struct shape
shifted(struct shape a, unsigned c)
{
	unsigned seg;
	struct shape s;

	for (seg = a.seg; seg && seg <= RUNS; seg *= 2) {
		s = shape_cut(a, seg);
		if (!is_contained(s))
			break;
		if (reach(s) >> c && s.stride & ((INT64_C(1) << c) - 1))
			continue;
		s.stride = reach(s) >> c ? s.stride >> c : 0;
		s.zeros = (uint8_t)(s.zeros > c ? s.zeros - c : 0);
		return s;
	}
	return VARYING;
}

struct shape
shape_shr(struct widen *w, LLVMValueRef insn, unsigned part)
{
	unsigned bits = bits_of(w, insn, part);
	struct shape a = operand(w, insn, 0, part);
	int64_t c;

	if (constant(LLVMGetOperand(insn, 1), bits, &c) && c >= 0
	&& c < bits)
		return shifted(a, (unsigned)c);
	a = flat(a, operand(w, insn, 1, part));
	a.zeros = 0;
	return a;
}

/* the bits that lanes of a run differ in are all in c, or none of them is */
static struct shape
masked(struct shape a, uint64_t c)
{
	uint64_t differ;
	unsigned seg, z = c ? (unsigned)__builtin_ctzll(c) : 63;
	struct shape s;

	for (seg = a.seg; seg && seg <= RUNS; seg *= 2) {
		s = shape_cut(a, seg);
		if (!is_contained(s))
			break;
		differ = 0;
		if (s.stride)
			differ = (UINT64_C(2) << (63 - __builtin_clzll(
				reach(s)))) - (s.stride & -s.stride);
		if ((c & differ) != differ && (c & differ))
			continue;
		if (!(c & differ))
			s.stride = 0;
		if (s.zeros < z)
			s.zeros = (uint8_t)z;
		return s;
	}
	return VARYING;
}

struct shape
shape_and(struct widen *w, LLVMValueRef insn, unsigned part)
{
	struct shape a = operand(w, insn, 0, part), b;
	unsigned bits = bits_of(w, insn, part);
	int64_t c;

	if (bits > 1 && constant(LLVMGetOperand(insn, 1), bits, &c))
		return fit(masked(a, (uint64_t)c), bits);
	b = operand(w, insn, 1, part);
	return flat(a, b);
}

/* lanes of a fill bits that are 0 in its first lane and in all of b: there
 * or and xor are sums */
static struct shape
filled(struct shape a, struct shape b)
{
	unsigned seg = a.seg > b.seg ? a.seg : b.seg;

	if (!a.seg || !b.seg)
		return VARYING;
	a = shape_cut(a, seg);
	b = shape_cut(b, seg);
	if (b.stride || !is_contained(a)
	|| reach(a) >= UINT64_C(1) << b.zeros)
		return VARYING;
	if (b.zeros < a.zeros)
		a.zeros = b.zeros;
	return a;
}

struct shape
shape_xor(struct widen *w, LLVMValueRef insn, unsigned part)
{
	struct shape a = operand(w, insn, 0, part), s;
	struct shape b = operand(w, insn, 1, part);

	s = flat(a, b);
	if (!s.seg)
		s = filled(a, b);
	return s.seg ? s : filled(b, a);
}

struct shape
shape_or(struct widen *w, LLVMValueRef insn, unsigned part)
{
	if (LLVMGetIsDisjoint(insn))
		return shape_add(w, insn, part);
	return shape_xor(w, insn, part);
}

struct shape
shape_trunc(struct widen *w, LLVMValueRef insn, unsigned part)
{
	struct shape s = operand(w, insn, 0, part);
	unsigned bits = bits_of(w, insn, part);

	if (s.maybe && bits > 32)
		return VARYING;
	s = settled(s);
	s = fit(s, bits);
	return bits == 1 && s.stride ? VARYING : s;
}

/* an extension, which may find that the narrow one wrapped */
struct shape
shape_extend(struct widen *w, LLVMValueRef insn, unsigned part)
{
	struct shape s = operand(w, insn, 0, part);
	unsigned from = width(w, widen_part_type(w,
		LLVMTypeOf(LLVMGetOperand(insn, 0)), part));

	if (!s.seg || !s.stride || is_contained(s))
		return s;
	if (from != 32 || bits_of(w, insn, part) != 64)
		return VARYING;
	return wrapping(s);
}

/* between integers and pointers of the same size */
struct shape
shape_pointer(struct widen *w, LLVMValueRef insn, unsigned part)
{
	struct shape s = operand(w, insn, 0, part);

	if (width(w, LLVMTypeOf(insn)) != width(w,
		LLVMTypeOf(LLVMGetOperand(insn, 0))) && s.stride)
		return VARYING;
	return widen_is_shared(LLVMTypeOf(insn)) ? shape_in_shared(s) : s;
}

/* index k of a gep into ty, in bytes of bits-wide pointers */
static struct shape
index_shape(struct widen *w, LLVMValueRef insn, unsigned k, LLVMTypeRef ty,
	unsigned bits)
{
	struct shape s = operand(w, insn, k, 0);
	unsigned from = width(w, LLVMTypeOf(LLVMGetOperand(insn, k)));

	if (s.stride && from < bits && !is_contained(s)) {
		if (from != 32 || bits != 64)
			return VARYING;
		s = wrapping(s);
	}
	if (from > bits)
		s = settled(s);
	return scaled(s, (int64_t)LLVMABISizeOfType(w->layout, ty));
}

/* a struct's member is at a constant distance */
static struct shape
member_shape(struct widen *w, LLVMValueRef insn, unsigned k, LLVMTypeRef ty)
{
	uint64_t off = LLVMOffsetOfElement(w->layout, ty, (unsigned)
		LLVMConstIntGetZExtValue(LLVMGetOperand(insn, k)));
	struct shape s = UNIFORM;

	s.zeros = (uint8_t)(off ? __builtin_ctzll(off) : 63);
	return s;
}

struct shape
shape_gep(struct widen *w, LLVMValueRef insn, unsigned part)
{
	LLVMTypeRef ty = LLVMGetGEPSourceElementType(insn);
	struct shape s = operand(w, insn, 0, 0);
	unsigned k, n = (unsigned)LLVMGetNumOperands(insn);
	unsigned bits = width(w, LLVMTypeOf(insn));

	(void)part;
	if (LLVMGetTypeKind(LLVMTypeOf(insn)) == LLVMVectorTypeKind)
		return VARYING;
	for (k = 1; k < n; k++) {
		if (k > 1 && LLVMGetTypeKind(ty) == LLVMStructTypeKind) {
			s = sum(s, member_shape(w, insn, k, ty), 1);
			ty = LLVMStructGetTypeAtIndex(ty, (unsigned)
				LLVMConstIntGetZExtValue(
					LLVMGetOperand(insn, k)));
			continue;
		}
		if (k > 1)
			ty = LLVMGetElementType(ty);
		s = sum(s, index_shape(w, insn, k, ty, bits), 1);
	}
	return fit(s, bits);
}

/* lanes that fill the zeros of a are below b, or not, as the first is, where
 * b has these zeros too */
static bool
is_flat_order(struct shape a, struct shape b)
{
	return is_contained(a) && b.seg && !b.stride
		&& reach(a) < UINT64_C(1) << b.zeros;
}

/* constant b plus 1: what is not above b is below that */
static struct shape
next(struct shape b, LLVMValueRef v)
{
	int64_t c;

	b.zeros = 0;
	if (LLVMIsAConstantInt(v) && constant(v, LLVMGetIntTypeWidth(
		LLVMTypeOf(v)), &c))
		b.zeros = (uint8_t)(c + 1
			? __builtin_ctzll((uint64_t)c + 1) : 0);
	return b;
}

struct shape
shape_icmp(struct widen *w, LLVMValueRef insn, unsigned part)
{
	struct shape a = operand(w, insn, 0, part), s, t;
	struct shape b = operand(w, insn, 1, part);
	bool flat_order = false;

	switch (LLVMGetICmpPredicate(insn)) {
	case LLVMIntULT: case LLVMIntUGE: case LLVMIntSLT: case LLVMIntSGE:
		flat_order = is_flat_order(a, b);
		break;
	case LLVMIntUGT: case LLVMIntULE: case LLVMIntSGT: case LLVMIntSLE:
		flat_order = is_flat_order(b, a) || is_flat_order(a,
			next(b, LLVMGetOperand(insn, 1)));
		break;
	default:
		break;
	}
	s = (struct shape){ a.seg, 0, false, flat_order ? 0 : a.stride };
	t = (struct shape){ b.seg, 0, false, flat_order ? 0 : b.stride };
	return flat(s, t);
}

struct shape
shape_select(struct widen *w, LLVMValueRef insn, unsigned part)
{
	LLVMValueRef cond = LLVMGetOperand(insn, 0);
	struct shape c, s;

	c = widen_shape(w, cond, widen_parts(w, LLVMTypeOf(cond)) > 1
		? part : 0);
	if (!c.seg)
		return VARYING;
	s = shape_join(operand(w, insn, 1, part), operand(w, insn, 2, part));
	return shape_cut(s, c.seg);
}

struct shape
shape_same_as(struct widen *w, LLVMValueRef insn, unsigned part)
{
	return operand(w, insn, 0, part);
}
