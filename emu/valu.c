/* valu.c - vector instructions that an expression says: a loop over the
 * lanes for each row of isa/valu1.def to valu3.def.
 */
#include "valu_expr.h"

#define PROTO(name) op_run valu_##name;

/* opens the function of a row: d has room for results of type td */
#define OPEN(name, td) \
PROTO(name) \
void \
valu_##name(struct wave *w, const struct op *o) \
{ \
	struct valu x; \
	valu_array dbuf; \
	a_##td *d = (a_##td *)dbuf; \
\
	valu_begin(w, o, &x, R_##td);
#define CLOSE(keep) \
	valu_end(w, o, &x, dbuf, keep); \
}
/* source i, of type t: an array sI, and SI of each lane */
#define SOURCE(i, t) \
	valu_array buf##i; \
	const a_##t *s##i = valu_src(w, o, &x, i, buf##i);
#define EACH(i, t) const c_##t S##i = s##i[l];
#define OLD(t) \
	valu_array oldbuf; \
	const a_##t *old = valu_old(w, o, oldbuf);

#define V1(name, td, t0, expr) \
OPEN(name, td) \
	SOURCE(0, t0) \
	ALL_LANES(w, l) { \
		EACH(0, t0) \
		d[l] = (c_##td)(expr); \
	} \
CLOSE(false)

#define V2(name, td, t0, t1, expr) \
OPEN(name, td) \
	SOURCE(0, t0) SOURCE(1, t1) \
	ALL_LANES(w, l) { \
		EACH(0, t0) EACH(1, t1) \
		d[l] = (c_##td)(expr); \
	} \
CLOSE(false)

#define V3_KEEP(name, td, t0, t1, t2, expr, keep) \
OPEN(name, td) \
	SOURCE(0, t0) SOURCE(1, t1) SOURCE(2, t2) \
	ALL_LANES(w, l) { \
		EACH(0, t0) EACH(1, t1) EACH(2, t2) \
		d[l] = (c_##td)(expr); \
	} \
CLOSE(keep)
#define V3(name, td, t0, t1, t2, expr) \
	V3_KEEP(name, td, t0, t1, t2, expr, false)
#define K3(name, td, t0, t1, t2, expr) \
	V3_KEEP(name, td, t0, t1, t2, expr, true)

#define T1(name, td, t0, expr) \
OPEN(name, td) \
	SOURCE(0, t0) \
	ON_LANES(&x, l) { \
		EACH(0, t0) \
		d[l] = (c_##td)(expr); \
	} \
CLOSE(false)

#define T2(name, td, t0, t1, expr) \
OPEN(name, td) \
	SOURCE(0, t0) SOURCE(1, t1) \
	ON_LANES(&x, l) { \
		EACH(0, t0) EACH(1, t1) \
		d[l] = (c_##td)(expr); \
	} \
CLOSE(false)

#define T3(name, td, t0, t1, t2, expr) \
OPEN(name, td) \
	SOURCE(0, t0) SOURCE(1, t1) SOURCE(2, t2) \
	ON_LANES(&x, l) { \
		EACH(0, t0) EACH(1, t1) EACH(2, t2) \
		d[l] = (c_##td)(expr); \
	} \
CLOSE(false)

#define A2(name, td, t0, t1, expr) \
OPEN(name, td) \
	SOURCE(0, t0) SOURCE(1, t1) OLD(td) \
	ALL_LANES(w, l) { \
		EACH(0, t0) EACH(1, t1) \
		const c_##td D = old[l]; \
		d[l] = (c_##td)(expr); \
	} \
CLOSE(true)

/* into a half, or a byte, of the destination */
#define HALF2(name, t0, t1, expr) \
OPEN(name, b16) \
	SOURCE(0, t0) SOURCE(1, t1) \
	ALL_LANES(w, l) { \
		EACH(0, t0) EACH(1, t1) \
		d[l] = (c_b16)(expr); \
	} \
CLOSE(true)
#define BYTE2(name, t0, t1, expr) A2(name, b32, t0, t1, PUT_BYTE(D, expr))

#define CO(name, a, b, sum) \
OPEN(name, u32) \
	uint64_t carry = 0; \
	SOURCE(0, u32) SOURCE(1, u32) \
	ALL_LANES(w, l) { \
		EACH(0, u32) EACH(1, u32) \
		const uint64_t r = sum; \
		d[l] = (uint32_t)r; \
		carry |= (r >> 32 & 1) << l; \
	} \
	valu_end_mask(w, &o->dst[1], &x, carry); \
CLOSE(false)

#define CI(name, a, b, sum) \
OPEN(name, u32) \
	uint64_t carry = 0, in = valu_mask(w, &o->src[2]); \
	SOURCE(0, u32) SOURCE(1, u32) \
	ALL_LANES(w, l) { \
		EACH(0, u32) EACH(1, u32) \
		const uint64_t C = in >> l & 1, r = sum; \
		d[l] = (uint32_t)r; \
		carry |= (r >> 32 & 1) << l; \
	} \
	valu_end_mask(w, &o->dst[1], &x, carry); \
CLOSE(false)

#define ALIAS(name, row)

#include "isa/valu1.def"
#include "isa/valu2.def"
#include "isa/valu3.def"
