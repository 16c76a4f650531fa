/* parse_const.c - operators of constant expressions (PTX 4.5), folded as
 * they are read; and the three of them that operands use as well:
 * -r and !p, r+8, p|q.
 */
#include "parse.h"
#include "gram.h"

static bool
is_const(const struct opnd *o)
{
	return o->kind == OP_INT || o->kind == OP_FLT;
}

/* (4) is a list of one until an operator wants it */
static void
unwrap(struct opnd *o)
{
	while (o->kind == OP_LIST && o->n == 1 && is_const(o->u.list))
		*o = *o->u.list;
}

static void
set_float(struct opnd *o, double f)
{
	o->kind = OP_FLT;
	o->flags = 0;
	o->u.f = f;
	memcpy(&o->off, &f, sizeof f);
}

static double
as_float(const struct opnd *o)
{
	if (o->kind == OP_FLT)
		return o->u.f;
	return o->flags & OPF_U ? (double)(uint64_t)o->u.i : (double)o->u.i;
}

void
opnd_cast(struct parser *p, struct token type)
{
	struct opnd *o;

	o = &p->stack[p->nstack - 1];
	unwrap(o);
	if (o->kind != OP_INT || type.len != 4
	|| (memcmp(type.text, ".s64", 4) && memcmp(type.text, ".u64", 4)))
		diag(p->x, ERROR, type.loc, "expected (.s64) or (.u64) and "
			"an integer, not '(%.*s)'", (int)type.len, type.text);
	o->flags = type.text[1] == 'u' ? OPF_U : 0;
}

static void
unary_int(struct opnd *o, int token)
{
	if (token == MINUS)
		o->u.i = (int64_t)(0 - (uint64_t)o->u.i);
	else if (token == TILDE)
		o->u.i = ~o->u.i;
	else if (token == NOT)
		o->u.i = !o->u.i;
	if (token == MINUS || token == NOT)
		o->flags = 0;
}

void
opnd_unary(struct parser *p, int token, struct loc loc)
{
	struct opnd *o;

	o = &p->stack[p->nstack - 1];
	unwrap(o);
	if (o->kind == OP_INT)
		unary_int(o, token);
	else if (o->kind == OP_FLT && token == MINUS && o->flags & OPF_F32) {
		o->off ^= INT64_C(1) << 31;
		o->u.f = -o->u.f;
	} else if (o->kind == OP_FLT && token == MINUS)
		set_float(o, -o->u.f);
	else if (o->kind == OP_SYM && token == NOT)
		o->flags ^= OPF_NOT;
	else if (o->kind == OP_SYM && token == MINUS)
		o->flags ^= OPF_NEG;
	else if (token != PLUS || !is_const(o))
		diag(p->x, ERROR, loc, "operator needs a constant");
}

/* a op b of integers; the result is unsigned if one of them is */
static int64_t
fold(int token, int64_t a, int64_t b, bool u)
{
	uint64_t x, y;

	x = (uint64_t)a;
	y = (uint64_t)b;
	switch (token) {
	case PLUS:    return (int64_t)(x + y);
	case MINUS:   return (int64_t)(x - y);
	case STAR:    return (int64_t)(x * y);
	case AND:     return a & b;
	case BAR:     return a | b;
	case CARET:   return a ^ b;
	case SHL:     return y < 64 ? (int64_t)(x << y) : 0;
	case SHR:     return u ? (y < 64 ? (int64_t)(x >> y) : 0)
		: a >> (y < 64 ? y : 63);
	case LT:      return u ? x < y : a < b;
	case GT:      return u ? x > y : a > b;
	case LE:      return u ? x <= y : a <= b;
	case GE:      return u ? x >= y : a >= b;
	case EQEQ:    return a == b;
	case NE:      return a != b;
	case ANDAND:  return a && b;
	case OROR:    return a || b;
	case SLASH:   return u ? (int64_t)(x / y)
		: b == -1 ? (int64_t)(0 - x) : a / b;
	default:      return u ? (int64_t)(x % y) : b == -1 ? 0 : a % b;
	}
}

static bool
fold_float(struct opnd *a, const struct opnd *b, int token)
{
	double x, y;

	x = as_float(a);
	y = as_float(b);
	if (token == PLUS)
		set_float(a, x + y);
	else if (token == MINUS)
		set_float(a, x - y);
	else if (token == STAR)
		set_float(a, x * y);
	else if (token == SLASH)
		set_float(a, x / y);
	else
		return false;
	return true;
}

/* a|b of two predicates, or a destination and its predicate */
static bool
pair(struct parser *p, struct opnd *a, const struct opnd *b, int token)
{
	struct opnd *list;

	if (token != BAR || (a->kind != OP_SYM && a->kind != OP_SINK)
	|| (b->kind != OP_SYM && b->kind != OP_SINK))
		return false;
	list = NEWN(&p->x->arena, 2, struct opnd);
	list[0] = *a;
	list[1] = *b;
	*a = (struct opnd){ .kind = OP_PAIR, .n = 2, .u.list = list };
	return true;
}

/* sym + constant; the sign of the constant stands behind the plus */
static bool
displace(struct opnd *a, const struct opnd *b, int token)
{
	if (a->kind != OP_SYM || b->kind != OP_INT || token != PLUS)
		return false;
	a->off += b->u.i;
	return true;
}

/* WARP_SZ is a name that stands for a number */
static void
number(struct opnd *o)
{
	if (o->kind == OP_SYM && !(o->flags & UNRESOLVED) && o->u.sym
	&& o->u.sym->kind == SYM_SREG
	&& o->u.sym->u.sreg->id == SREG_WARP_SZ)
		*o = (struct opnd){ .kind = OP_INT, .u.i = 32 };
}

void
opnd_binary(struct parser *p, int token, struct loc loc)
{
	struct opnd *a, *b;
	bool u;

	b = opnd_pop(p, 1);
	a = b - 1;
	unwrap(a);
	unwrap(b);
	number(a);
	number(b);
	if (pair(p, a, b, token) || displace(a, b, token))
		return;
	if (a->kind == OP_SYM && b->kind == OP_INT && token == MINUS) {
		diag(p->x, ERROR, loc, "syntax error at '-', expected "
			"'+' and a negative constant");
		return;
	}
	if (!is_const(a) || !is_const(b)
	|| ((a->kind == OP_FLT || b->kind == OP_FLT)
	&& !fold_float(a, b, token))) {
		diag(p->x, ERROR, loc, "operator needs constants");
		return;
	}
	if (a->kind == OP_FLT)
		return;
	if ((token == SLASH || token == PERCENT) && !b->u.i) {
		diag(p->x, ERROR, loc, "division by zero in a constant");
		return;
	}
	u = (a->flags | b->flags) & OPF_U;
	a->u.i = fold(token, a->u.i, b->u.i, u);
	a->flags = u && token != LT && token != GT && token != LE
		&& token != GE && token != EQEQ && token != NE
		&& token != ANDAND && token != OROR ? OPF_U : 0;
}

/* a ? b : c */
void
opnd_select(struct parser *p, struct loc loc)
{
	struct opnd *a, *o;

	o = opnd_pop(p, 2);
	a = o - 1;
	unwrap(a);
	unwrap(o);
	unwrap(o + 1);
	if (a->kind != OP_INT || !is_const(o) || !is_const(o + 1)) {
		diag(p->x, ERROR, loc, "operator needs constants");
		return;
	}
	*a = a->u.i ? o[0] : o[1];
}
