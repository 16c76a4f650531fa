/* texture.c - tex, tld4 (PTX 9.7.10.3, 9.7.10.4).
 *
 * texture*.ptx gives four components, 32 bits each: floats where the texture
 * is read as such, else integers.  Coordinates that a geometry has not are 0;
 * a texture without a sampler and one with a sampler of its own are the same:
 * the descriptor is the texture's, and refused is what differs.
 */
#include "texture_int.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ARGS = 16 };

/* one tex or tld4, taken apart */
struct sample {
	const struct insn *i;
	const struct opnd *d, *p, *addr; /* p: residency, or 0 */
	const struct opnd *rest;    /* operands behind the address … */
	unsigned nrest;
	const struct texture_geometry *g;
	LLVMValueRef arg[MAX_ARGS];
	unsigned n;
};

static LLVMValueRef
k32(struct emit *e, int64_t v)
{
	return emit_k(e, emit_ity(e, 32), v);
}

static void
push(struct sample *s, LLVMValueRef v)
{
	s->arg[s->n++] = v;
}

/* the operands, handle and coordinates; the last nmore operands have to be
 * these, neither offsets nor a depth to compare with */
static bool
take_apart(struct emit *e, struct sample *s, const struct insn *i,
	unsigned nmore)
{
	const struct opnd *c;
	unsigned k = 0;

	memset(s, 0, sizeof *s);
	s->i = i;
	s->d = &i->u.opnd[k++];
	if (s->d->kind == OP_PAIR) {
		s->p = &s->d->u.list[1];
		s->d = &s->d->u.list[0];
	}
	s->addr = &i->u.opnd[k++];
	s->rest = &i->u.opnd[k];
	s->nrest = i->nopnd - k;
	s->g = texture_geometry(e, i);
	if (!s->g)
		return false;
	if (s->nrest != nmore) {
		emit_refuse(e, "offsets and depth comparison are not "
			"translated");
		return false;
	}
	if (s->addr->n == 3) {
		emit_refuse(e, "a sampler of its own is not translated");
		return false;
	}
	c = &s->addr->u.list[1];
	push(s, texture_handle(e, &s->addr->u.list[0]));
	push(s, texture_coord(e, c, s->g->x));
	push(s, texture_coord(e, c, s->g->y));
	push(s, texture_coord(e, c, s->g->z));
	push(s, texture_coord(e, c, s->g->layer));
	return true;
}

/* component k of what the library gave, as PTX wants it */
static LLVMValueRef
component(struct emit *e, LLVMValueRef all, unsigned k, enum type t)
{
	LLVMValueRef v = LLVMBuildExtractValue(e->b, all, k, "");

	if (t != T_F16)
		return v;
	v = LLVMBuildFPTrunc(e->b, emit_bits(e, v, emit_fty(e, T_F32)),
		emit_fty(e, T_F16), "");
	return emit_bits(e, v, emit_ity(e, 16));
}

/* components k and k + 1 as a pair of halves */
static LLVMValueRef
pair(struct emit *e, LLVMValueRef all, unsigned k)
{
	LLVMTypeRef ty = emit_ity(e, 32);
	LLVMValueRef lo, hi;

	lo = LLVMBuildZExt(e->b, component(e, all, k, T_F16), ty, "");
	hi = LLVMBuildZExt(e->b, component(e, all, k + 1, T_F16), ty, "");
	return LLVMBuildOr(e->b, lo, LLVMBuildShl(e->b, hi, k32(e, 16), ""),
		"");
}

static void
finish(struct emit *e, const struct sample *s, LLVMValueRef all)
{
	enum type t = insn_type(s->i, 0);
	unsigned k, n = t == T_F16X2 ? 2 : 4;

	if (e->refused)
		return;
	for (k = 0; k < n && k < s->d->n; k++)
		emit_write(e, &s->d->u.list[k], t, t == T_F16X2
			? pair(e, all, 2 * k) : component(e, all, k, t));
	if (s->p)
		emit_write(e, s->p, T_PRED, emit_k(e, emit_ity(e, 1), 1));
}

/* does i count texels, in integers? */
static bool
is_integer(const struct insn *i)
{
	return i->op->type[i->op->ntype - 1] == T_S32;
}

/* the library has a function for each number of coordinates, and cubes */
static LLVMValueRef
call(struct emit *e, struct sample *s, const char *kind)
{
	const char *shape = strstr(s->g->word, "cube") ? "cube"
		: s->g->z != 15 ? "3d" : s->g->y != 15 ? "2d" : "1d";
	char buf[64];

	snprintf(buf, sizeof buf, "__ptxamd_%s_%s", kind, shape);
	return texture_call(e, buf, s->arg, s->n);
}

static void
sample(struct emit *e, struct sample *s)
{
	finish(e, s, call(e, s, is_integer(s->i) ? "fetch" : "tex"));
}

void
emit_tex(struct emit *e, const struct insn *i, int with)
{
	struct sample s;

	(void)with;
	if (!take_apart(e, &s, i, 0))
		return;
	/* below every limit: there are no derivatives */
	push(&s, k32(e, is_integer(i) ? 0 : -(1 << 18)));
	sample(e, &s);
}

void
emit_tex_level(struct emit *e, const struct insn *i, int with)
{
	struct sample s;
	LLVMValueRef v;

	(void)with;
	if (!take_apart(e, &s, i, 1))
		return;
	v = emit_read(e, s.rest, T_B32);
	push(&s, is_integer(i) ? v : texture_inline(e, "__ptxamd_lod", &v, 1));
	sample(e, &s);
}

/* the level that the derivatives ask for; of a cube in direction x, y, z */
static LLVMValueRef
gradient(struct emit *e, const struct sample *s)
{
	bool cube = strstr(s->g->word, "cube");
	LLVMValueRef arg[MAX_ARGS];
	unsigned k, i, n = 0;

	arg[n++] = s->arg[0];
	for (k = 1; cube && k <= 3; k++)
		arg[n++] = s->arg[k];
	for (i = 0; i < 2; i++)
		for (k = 0; k < 3; k++)
			arg[n++] = texture_coord(e, &s->rest[i], k);
	return texture_call(e, cube ? "__ptxamd_gradient_cube"
		: "__ptxamd_gradient", arg, n);
}

void
emit_tex_grad(struct emit *e, const struct insn *i, int with)
{
	struct sample s;

	(void)with;
	if (!take_apart(e, &s, i, 2))
		return;
	push(&s, gradient(e, &s));
	sample(e, &s);
}

void
emit_tld4(struct emit *e, const struct insn *i, int with)
{
	static const char comp[] = "rgba";
	struct sample s;

	(void)with;
	if (!take_apart(e, &s, i, 0))
		return;
	push(&s, k32(e, strchr(comp, *insn_word(i, "comp")) - comp));
	finish(e, &s, call(e, &s, "tld4"));
}
