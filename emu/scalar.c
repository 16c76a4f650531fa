/* scalar.c - SALU instructions that compute; isa/scalar.def. */
#include "emu_int.h"

#include <math.h>
#include <string.h>

/* a bit for each four that are not all zero, at the lowest of the four */
static uint64_t
quads(uint64_t v)
{
	v |= v >> 1;
	v |= v >> 2;
	return v & 0x1111111111111111;
}

static uint64_t
reverse(uint64_t v)
{
	uint64_t r = 0;
	int i;

	for (i = 0; i < 64; i++, v >>= 1)
		r = r << 1 | (v & 1);
	return r;
}

static uint32_t
count(uint64_t v)
{
	return (uint32_t)__builtin_popcountll(v);
}

/* the number of the lowest bit that is set; -1: none is */
static int32_t
lowest(uint64_t v)
{
	return v ? __builtin_ctzll(v) : -1;
}

/* how many zeros stand above the highest bit of bits; -1: all are zeros */
static int32_t
highest(uint64_t v, int bits)
{
	return v ? __builtin_clzll(v) - (64 - bits) : -1;
}

/* bit i goes to bit 2i */
static uint64_t
spread(uint32_t v)
{
	uint64_t r = 0;
	int i;

	for (i = 0; i < 32; i++)
		r |= (uint64_t)(v >> i & 1) << 2 * i;
	return r;
}

/* bit i says whether any of bits 4i to 4i+3 is set */
static uint64_t
gather(uint64_t v)
{
	uint64_t r = 0;
	int i;

	for (i = 0; i < 16; i++)
		r |= (uint64_t)((v >> 4 * i & 15) != 0) << i;
	return r;
}

static uint64_t
pair(const struct wave *w, uint32_t reg)
{
	reg &= 126;
	return w->s[reg] | (uint64_t)w->s[reg + 1] << 32;
}

static uint64_t
field(uint64_t v, unsigned at, unsigned width, unsigned bits)
{
	v = at < bits ? v >> at : 0;
	return width >= 64 ? v : v & ((1ull << width) - 1);
}

/* bits that are not there are those of the sign */
static int64_t
signed_field(int64_t v, unsigned at, unsigned width, unsigned bits)
{
	if (!width)
		return 0;
	v = (int64_t)((uint64_t)v << (64 - bits)) >> (64 - bits);
	v >>= at;
	if (width >= 64)
		return v;
	return (int64_t)((uint64_t)v << (64 - width)) >> (64 - width);
}

static float
min_num(float a, float b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return a < b || (a == b && signbit(a)) ? a : b;
}

static float
max_num(float a, float b)
{
	return -min_num(-a, -b);
}

static int32_t
to_i32(float f)
{
	return isnan(f) ? 0 : f >= 0x1p31f ? INT32_MAX :
		f <= -0x1p31f ? INT32_MIN : (int32_t)f;
}

static uint32_t
to_u32(float f)
{
	return f >= 0x1p32f ? UINT32_MAX : f > 0 ? (uint32_t)f : 0;
}

static float
get_f32(const struct wave *w, const struct opnd *o)
{
	uint32_t v = get32(w, o);
	float f;

	memcpy(&f, &v, sizeof f);
	if (o->mods & MOD_ABS)
		f = fabsf(f);
	return o->mods & MOD_NEG ? -f : f;
}

static void
put_f32(struct wave *w, const struct opnd *o, float f)
{
	memcpy(&w->s[o->reg], &f, sizeof f);
}

static void
put32(struct wave *w, const struct opnd *o, uint32_t v)
{
	w->s[o->reg] = v;
}

#define get_b32 get32
#define get_u32 get32
#define get_i32 (int32_t)get32
#define get_b64 get64
#define get_u64 get64
#define get_i64 (int64_t)get64
#define put_b32 put32
#define put_u32 put32
#define put_i32(w, o, v) put32(w, o, (uint32_t)(v))
#define put_b64 put64
#define put_u64 put64
#define put_i64(w, o, v) put64(w, o, (uint64_t)(v))

#define SCC (w->scc)
#define NZ (SCC = D != 0)
#define SRC(i, t) c_##t S##i = (c_##t)get_##t(w, &o->src[i])
#define FUNC(name) static void name(struct wave *w, const struct op *o)
/* D as it was, for those that change it */
#define DST(t) c_##t D = (c_##t)get_##t(w, &o->dst[0])

#define S1(name, td, t0, ...) FUNC(name) \
	{ DST(td); SRC(0, t0); __VA_ARGS__; put_##td(w, &o->dst[0], D); }
#define S2(name, td, t0, t1, ...) FUNC(name) \
	{ DST(td); SRC(0, t0); SRC(1, t1); __VA_ARGS__; \
	  put_##td(w, &o->dst[0], D); }
#define S3(name, td, t0, t1, t2, ...) FUNC(name) \
	{ DST(td); SRC(0, t0); SRC(1, t1); SRC(2, t2); __VA_ARGS__; \
	  put_##td(w, &o->dst[0], D); }
#define SK S1
#define SC(name, t0, t1, ...) FUNC(name) \
	{ SRC(0, t0); SRC(1, t1); SCC = (__VA_ARGS__) ? 1 : 0; }
/* D gets what EXEC was, or (SW) what it becomes */
#define EXECS(name, old, ...) \
FUNC(s_##name##_b32) \
	{ SRC(0, b32); uint32_t E = w->s[EXEC_REG]; uint32_t R = __VA_ARGS__; \
	  w->s[EXEC_REG] = R; SCC = R != 0; \
	  put32(w, &o->dst[0], old ? E : R); } \
FUNC(s_##name##_b64) \
	{ SRC(0, b64); uint64_t E = EXEC(w); uint64_t R = __VA_ARGS__; \
	  EXEC(w) = R; SCC = R != 0; put64(w, &o->dst[0], old ? E : R); }
#define SX(name, ...) EXECS(name, 1, __VA_ARGS__)
#define SW(name, ...) EXECS(name, 0, __VA_ARGS__)
#include "isa/scalar.def"
#include "isa/salu_float.def"
#undef S1
#undef S2
#undef S3
#undef SK
#undef SC
#undef SX
#undef SW

#define ROW(name, nd, td, ns, ...) \
	{ #name, name, OP_SALU, nd, ns, { T_##td }, { __VA_ARGS__ }, 0, 0, 0 },
const struct op_row rows_scalar[] = {
#define S1(name, td, t0, ...) ROW(name, 1, td, 1, T_##t0)
#define S2(name, td, t0, t1, ...) ROW(name, 1, td, 2, T_##t0, T_##t1)
#define S3(name, td, t0, t1, t2, ...) \
	ROW(name, 1, td, 3, T_##t0, T_##t1, T_##t2)
#define SK S1
#define SC(name, t0, t1, ...) ROW(name, 0, none, 2, T_##t0, T_##t1)
#define SX(name, ...) ROW(s_##name##_b32, 1, b32, 1, T_b32) \
	ROW(s_##name##_b64, 1, b64, 1, T_b64)
#define SW SX
#include "isa/scalar.def"
#include "isa/salu_float.def"
	{ 0 },
};
