/* access.c - what lanes do where their addresses point; isa/access.def. */
#include "access.h"
#include "alu.h"

static uint32_t
add_halves(uint32_t m, uint32_t s)
{
	uint16_t lo, hi;

	lo = f16_round((double)f16_value((uint16_t)m) +
		f16_value((uint16_t)s), 0);
	hi = f16_round((double)f16_value((uint16_t)(m >> 16)) +
		f16_value((uint16_t)(s >> 16)), 0);
	return lo | (uint32_t)hi << 16;
}

static uint32_t
add_bfloats(uint32_t m, uint32_t s)
{
	uint16_t lo, hi;

	lo = bf16_round(bf16_value((uint16_t)m) + bf16_value((uint16_t)s), 0);
	hi = bf16_round(bf16_value((uint16_t)(m >> 16)) +
		bf16_value((uint16_t)(s >> 16)), 0);
	return lo | (uint32_t)hi << 16;
}

static uint32_t
add_in_memory(const struct wave *w, uint32_t m, uint32_t s)
{
	float a = float32(m), b = float32(s), r;

	if (w->gpu->fadd_flushes) {
		a = flush32(a);
		b = flush32(b);
	}
	r = nan32(a + b, a, b, 0);
	return bits32(w->gpu->fadd_flushes ? flush32(r) : r);
}

/* an address that is not aligned */
#define UNALIGNED(type) \
	struct unaligned_##type { type v; } __attribute__((packed, may_alias));
UNALIGNED(uint8_t)
UNALIGNED(int8_t)
UNALIGNED(uint16_t)
UNALIGNED(int16_t)
UNALIGNED(uint32_t)
UNALIGNED(uint64_t)

#define R(i) (r[i][l])
#define S(i) (s0[i][l])
#define S2(i) (s1[i][l])
#define PAIR(which, i) (which(i) | (uint64_t)which((i) + 1) << 32)
#define PI(type, i) (((struct unaligned_##type *)(void *)p[l])[i].v)
#define P(type) PI(type, 0)
#define ROWS \
	uint32_t (*r)[64] = w->v + o->dst[0].reg; \
	uint32_t (*s0)[64] = w->v + o->src[1].reg; \
	uint32_t (*s1)[64] = w->v + o->src[2].reg; \
	(void)r; (void)s0; (void)s1;

#define ACCESS(name, bytes, ...) \
void access_##name(struct wave *w, const struct op *o, uint8_t *const p[64]) \
{ ROWS EACH_LANE(w, l) { __VA_ARGS__; } }

#define get_uint32_t S(0)
#define get_uint64_t PAIR(S, 0)
#define put_uint32_t R(0) = old
#define put_uint64_t R(0) = (uint32_t)old; R(1) = (uint32_t)(old >> 32)
#define ATOMIC(name, type, ...) \
void access_##name(struct wave *w, const struct op *o, uint8_t *const p[64]) \
{ ROWS EACH_LANE(w, l) { \
	type *at = (type *)(void *)p[l], s = get_##type, m, old; \
	(void)s; \
	if ((uintptr_t)at % sizeof *at) { \
		wave_fault(w, FAULT_ADDRESS, (int)l, \
			"misaligned atomic access at 0x%llx", \
			(unsigned long long)(uintptr_t)at); \
		return; \
	} \
	m = __atomic_load_n(at, __ATOMIC_RELAXED); \
	do \
		old = m; \
	while (!__atomic_compare_exchange_n(at, &m, __VA_ARGS__, 0, \
			__ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); \
	if (o->ndst) { put_##type; } \
} }
#include "isa/access.def"
