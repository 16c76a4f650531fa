/* valu_cmp.c - comparisons, of which isa/valu_cmp.def is the list: masks. */
#include "valu_expr.h"

/* v_cmpx writes exec, on gfx9 also a mask */
static void
put_exec(struct wave *w, const struct op *o, struct valu *x, uint64_t mask)
{
	if (o->ndst)
		put_mask(w, &o->dst[0], mask & x->on);
	EXEC(w) = mask & x->on;
}

static void
put_result(struct wave *w, const struct op *o, struct valu *x, uint64_t mask)
{
	valu_end_mask(w, &o->dst[0], x, mask);
}

#define COMPARE(name, t0, t1, expr, put) \
op_run valu_##name; \
void \
valu_##name(struct wave *w, const struct op *o) \
{ \
	struct valu x; \
	valu_array buf0, buf1; \
	const a_##t0 *s0; \
	const a_##t1 *s1; \
	uint64_t mask = 0; \
\
	valu_begin(w, o, &x, ROUND_NONE); \
	s0 = valu_src(w, o, &x, 0, buf0); \
	s1 = valu_src(w, o, &x, 1, buf1); \
	ALL_LANES(w, l) { \
		const c_##t0 S0 = s0[l]; \
		const c_##t1 S1 = s1[l]; \
\
		(void)S0, (void)S1; \
		mask |= (uint64_t)(expr) << l; \
	} \
	put(w, o, &x, mask); \
}
#define BOTH(name, t0, t1, expr) \
	COMPARE(v_cmp_##name, t0, t1, expr, put_result) \
	COMPARE(v_cmpx_##name, t0, t1, expr, put_exec)
#define CMP(cond, type, expr) BOTH(cond##_##type, type, type, expr)
#define CLASS(type, bits, expr) BOTH(class_##type, bits, b32, expr)
#define ALIAS(name, row)

#include "isa/valu_cmp.def"
