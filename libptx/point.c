/* point.c - which state space a register's generic address points into.
 *
 * A lattice over registers, whatever the control flow: what all writes of a
 * register agree on holds wherever it is read.  It starts from "no write
 * seen" and only goes up, so that p = p + 4 in a loop keeps what p has.
 *
 * Grounds: the result of cvta; the address of a global variable; a kernel's
 * parameter, for a host can only pass addresses of global memory.  Adding an
 * integer does not leave the space, but the difference of two pointers is
 * not just an integer unless both are of one space.
 */
#include "pass/pass.h"
#include <string.h>

struct points {
	const struct func *f;
	uint8_t *reg;       /* enum point */
	enum point value;   /* what the instruction at hand writes */
	bool changed;
};

static bool
is_pointer(enum point p)
{
	return p >= POINT_ARG && p < POINT_ANY;
}

static bool
is_global(enum point p)
{
	return p == POINT_ARG || p == POINT_GLOBAL;
}

static enum point
join(enum point a, enum point b)
{
	if (a == b || b == POINT_NONE || (b == POINT_NULL && is_pointer(a)))
		return a;
	if (a == POINT_NONE || (a == POINT_NULL && is_pointer(b)))
		return b;
	if (is_global(a) && is_global(b))
		return POINT_GLOBAL;
	if (a <= POINT_INT && b <= POINT_INT)
		return POINT_INT;
	return POINT_ANY;
}

static enum point
sum(enum point a, enum point b)
{
	if (a == POINT_ANY || b == POINT_ANY)
		return POINT_ANY;
	if (a == POINT_NONE || b == POINT_NONE)
		return POINT_NONE;
	if (a <= POINT_INT)
		return b == POINT_NULL ? POINT_INT : b;
	if (b <= POINT_INT || b == POINT_ARG)
		return a;
	return a == POINT_ARG ? b : POINT_ANY;
}

static enum point
difference(enum point a, enum point b)
{
	if (a == POINT_ANY || b == POINT_ANY)
		return POINT_ANY;
	if (a == POINT_NONE || b == POINT_NONE)
		return POINT_NONE;
	if (b <= POINT_INT)
		return a == POINT_NULL ? POINT_INT : a;
	if (a == b || (is_global(a) && is_global(b)))
		return POINT_INT;
	return is_pointer(a) && b == POINT_ARG ? a : POINT_ANY;
}

static enum point
of_space(enum space s)
{
	static const uint8_t point[NSPACE] = {
		[GLOBAL] = POINT_GLOBAL, [SHARED] = POINT_SHARED,
		[LOCAL] = POINT_LOCAL, [CONST] = POINT_CONST,
	};

	return point[s] ? (enum point)point[s] : POINT_ANY;
}

enum space
point_space(enum point p)
{
	static const uint8_t space[] = {
		[POINT_ARG] = GLOBAL, [POINT_GLOBAL] = GLOBAL,
		[POINT_SHARED] = SHARED, [POINT_LOCAL] = LOCAL,
		[POINT_CONST] = CONST, [POINT_ANY] = GENERIC,
	};

	return (enum space)space[p];
}

static enum point
of_opnd(const struct points *s, const struct opnd *o)
{
	if (o->kind == OP_INT)
		return o->u.i ? POINT_INT : POINT_NULL;
	if (o->kind != OP_SYM || o->comp)
		return POINT_ANY;
	if (o->u.sym->kind == SYM_REG)
		return (enum point)s->reg[o->u.sym->id];
	if (o->u.sym->kind == SYM_VAR && o->u.sym->space == GLOBAL)
		return POINT_GLOBAL;
	return POINT_ANY;
}

enum space
insn_space(const struct insn *i)
{
	const char *w;
	int s;

	w = insn_word(i, "space");
	for (s = CONST; w && s < NSPACE; s++)
		if (!strcmp(w, space_name[s]))
			return (enum space)s;
	return GENERIC;
}

bool
is_kernel_param(const struct func *f, const struct sym *y)
{
	const struct sym *p;

	for (p = f->entry ? f->param : 0; p && p != y; p = p->next)
		;
	return p;
}

/* a load: only of a kernel's parameters do we know what they hold */
static enum point
of_load(const struct points *s, const struct insn *i)
{
	const struct opnd *base;
	enum space declared;

	base = i->u.opnd[1].u.list;
	if (insn_space(i) != PARAM || base->kind != OP_SYM ||
	    base->u.sym->kind != SYM_VAR ||
	    !is_kernel_param(s->f, base->u.sym))
		return POINT_ANY;
	declared = (enum space)base->u.sym->u.var->ptr_space;
	return declared && declared != GLOBAL ? POINT_ANY : POINT_ARG;
}

/* an and or an or with a literal stays near its pointer */
static enum point
of_mask(const struct points *s, const struct opnd *o)
{
	return o[2].kind == OP_INT ? of_opnd(s, &o[1]) : POINT_ANY;
}

/* a negative factor may turn a pointer into the difference to one */
static enum point
product(const struct points *s, const struct opnd *a, const struct opnd *b)
{
	if ((b->kind == OP_INT && b->u.i < 0 && of_opnd(s, a) > POINT_INT) ||
	    (a->kind == OP_INT && a->u.i < 0 && of_opnd(s, b) > POINT_INT))
		return POINT_ANY;
	return POINT_INT;
}

static enum point
of_insn(const struct points *s, const struct insn *i)
{
	const struct opnd *o;

	o = i->u.opnd;
	switch (i->op->id) {
	case INSN_MOV:
		return of_opnd(s, &o[1]);
	case INSN_CVTA:
		return of_space(insn_space(i));
	case INSN_CVTA_TO:
		return insn_space(i) == GLOBAL ? POINT_GLOBAL : POINT_ANY;
	case INSN_LD:
		return of_load(s, i);
	case INSN_ADD_INT:
		return sum(of_opnd(s, &o[1]), of_opnd(s, &o[2]));
	case INSN_SUB_INT:
		return difference(of_opnd(s, &o[1]), of_opnd(s, &o[2]));
	case INSN_MAD_INT:
	case INSN_MAD_WIDE:
		return sum(product(s, &o[1], &o[2]), of_opnd(s, &o[3]));
	case INSN_SELP:
		return join(of_opnd(s, &o[1]), of_opnd(s, &o[2]));
	case INSN_AND:
	case INSN_OR:
		return of_mask(s, o);
	case INSN_SHL: /* by 32, it may be half of an address */
		return o[2].kind == OP_INT && o[2].u.i < 16 ? POINT_INT
			: POINT_ANY;
	case INSN_MUL_INT:
	case INSN_MUL_WIDE:
		return product(s, &o[1], &o[2]);
	case INSN_NEG_INT:
		return of_opnd(s, &o[1]) > POINT_INT ? POINT_ANY : POINT_INT;
	case INSN_SHR:
		return POINT_INT;
	case INSN_CVT_INT:
		return type_info[insn_type(i, 1)].bits < 64 ? POINT_INT
			: of_opnd(s, &o[1]);
	}
	return POINT_ANY;
}

static void
raise(void *arg, struct sym *y, struct opnd *o, enum access access)
{
	struct points *s = arg;
	enum point p;

	(void)o;
	if (y->kind != SYM_REG || !(access & ACCESS_WRITE))
		return;
	p = join((enum point)s->reg[y->id],
		type_info[y->type].bits == 64 ? s->value : POINT_INT);
	if (p == s->reg[y->id])
		return;
	s->reg[y->id] = (uint8_t)p;
	s->changed = true;
}

uint8_t *
point_build(struct arena *a, const struct func *f)
{
	struct points s = { .f = f };
	struct sym *y;
	struct insn *i;

	s.reg = NEWN(a, f->nreg + 1, uint8_t);
	for (y = f->param; y; y = y->next)
		if (y->kind == SYM_REG)
			s.reg[y->id] = POINT_ANY;
	do {
		s.changed = false;
		for (i = f->first; i; i = i->next)
			if (i->kind == STMT_INSN) {
				s.value = of_insn(&s, i);
				insn_regs(i, raise, &s);
			}
	} while (s.changed);
	return s.reg;
}
