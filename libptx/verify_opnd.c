/* verify_opnd.c - one operand against what the row asks for.
 *
 * Register and type agree (PTX 9.4.1) when their sizes do and
 *	an untyped one stands on either side, or both are integers, or both
 *	are the same float type.
 * ld, st and cvt take a wider register (PTX 9.4.2).  bf16 has no registers of
 * its own: only untyped ones hold it.
 */
#include "verify_int.h"
#include <stdlib.h>
#include <string.h>

static bool
is_bfloat(enum type t)
{
	return t == T_BF16 || t == T_BF16X2;
}

bool
type_accepts(enum type want, enum type reg, bool wider)
{
	const struct type_info *w, *r;

	if (want == reg)
		return !is_bfloat(reg);
	w = &type_info[want];
	r = &type_info[reg];
	if (wider && !is_bfloat(want) ? r->bits < w->bits : r->bits != w->bits)
		return false;
	if (w->kind == 'p' || r->kind == 'p' || r->kind == 'o')
		return false;
	if (w->kind == 'b' || r->kind == 'b')
		return true;
	if (w->lanes > 1)
		return reg == T_F16X2 && !is_bfloat(want);
	return w->kind != 'f' && (r->kind != 'f' || reg == T_F16X2);
}

static void
mismatch(const struct check *c, const char *what, const struct opnd *o,
	const struct op_opnd *want)
{
	const struct sym *y;
	char root[32];

	check_root(c, root, sizeof root);
	y = o->kind == OP_SYM ? o->u.sym : 0;
	if (y)
		check_fail(c, "arguments mismatch for instruction '%s': "
			"operand '%s' is '.%s', not %s '%s' of '.%s'", root,
			want->name, type_info[want->type].name, what,
			y->name->text, type_info[y->type].name);
	else
		check_fail(c, "arguments mismatch for instruction '%s': "
			"operand '%s' is '.%s', not %s", root, want->name,
			type_info[want->type].name, what);
}

static void
check_sreg(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	const struct sreg_info *s;
	char root[32];
	unsigned bits, need;

	s = o->u.sym->u.sreg;
	if (s->id == SREG_WARP_SZ && !(want->access & ACCESS_WRITE)
	&& type_info[want->type].kind != 'f'
	&& type_info[want->type].lanes == 1)
		return;
	if (want->access & ACCESS_WRITE) {
		check_fail(c, "read-only special register '%s' cannot be a "
			"destination", s->name);
		return;
	}
	if (!(want->flags & OPND_SREG) || type_info[want->type].kind == 'f') {
		check_fail(c, "special register '%s' not allowed as argument "
			"of instruction '%s'", s->name,
			check_root(c, root, sizeof root));
		return;
	}
	bits = type_info[s->type].bits;
	need = type_info[want->type].bits;
	if (want->flags & OPND_ANY || bits == need
	|| (need == 16 && s->id <= SREG_NCTAID && s->vec)
	|| (need == 32 && s->id == SREG_GRIDID))
		return;
	mismatch(c, "special register", o, want);
}

static void
check_reg(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	const struct sym *y;

	y = o->u.sym;
	if (want->flags & OPND_ANY || want->type == T_NONE
	|| type_accepts((enum type)want->type, (enum type)y->type,
	want->flags & OPND_DATA))
		return;
	mismatch(c, "register", o, want);
}

static void
check_sym(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	const struct sym *y;
	char root[32];
	char kind;

	y = o->u.sym;
	if (y && y->kind == SYM_REG) {
		check_reg(c, o, want);
		return;
	}
	if (y && y->kind == SYM_SREG) {
		check_sreg(c, o, want);
		return;
	}
	if (y && want->flags & OPND_VAR
	&& (y->kind == SYM_VAR || y->kind == SYM_FUNC)) {
		kind = type_info[want->type].kind;
		if (kind == 'f' || kind == 'p')
			mismatch(c, "address", o, want);
		return;
	}
	if (y)
		check_fail(c, "operand '%s' of instruction '%s' must be a "
			"register, not '%s'", want->name,
			check_root(c, root, sizeof root), y->name->text);
}

/* "4 8 24..256 *8": is v one of these, and a multiple of what * says? */
static bool
in_values(const char *s, int64_t v)
{
	long long lo, hi;
	bool listed, found, multiple;
	char *end;

	for (listed = found = false;; s = end) {
		while (*s == ' ')
			s++;
		multiple = *s == '*';
		lo = hi = strtoll(s + multiple, &end, 10);
		if (end == s + multiple)
			return !listed || found;
		if (!strncmp(end, "..", 2))
			hi = strtoll(end + 2, &end, 10);
		if (multiple && v % lo)
			return false;
		listed |= !multiple;
		found |= !multiple && lo <= v && v <= hi;
	}
}

static void
check_range(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	char root[32];

	if (!want->values || in_values(want->values, o->u.i))
		return;
	check_fail(c, "unexpected value '%lld' for operand '%s' of instruction "
		"'%s', expected %.*s", (long long)o->u.i, want->name,
		check_root(c, root, sizeof root),
		(int)strcspn(want->values, ";"), want->values);
}

/* literals: integers for integers, floats for what holds one (PTX 4.5) */
static void
check_literal(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	const struct type_info *t;
	bool ok;

	t = &type_info[want->type];
	if (want->flags & OPND_ANY || want->type == T_NONE)
		return;
	if (o->kind == OP_INT)
		ok = t->kind != 'f' && t->lanes == 1;
	else if (t->kind == 'f')
		ok = want->type == T_F32 || want->type == T_F64;
	else
		ok = t->kind == 'b'
			&& t->bits == (o->flags & OPF_F32 ? 32 : 64);
	if (!ok)
		mismatch(c, o->kind == OP_INT ? "an integer literal"
			: "a float literal", o, want);
	else if (o->kind == OP_INT)
		check_range(c, o, want);
}

static bool
check_marks(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	char root[32];

	check_root(c, root, sizeof root);
	if (o->flags & OPF_NOT && want->type != T_PRED)
		check_fail(c, "logical negation not allowed for operand '%s' "
			"of instruction '%s'", want->name, root);
	else if (o->flags & OPF_NOT && want->access & ACCESS_WRITE)
		check_fail(c, "result register required for instruction '%s'",
			root);
	else if (o->flags & OPF_NEG && !(want->flags & OPND_NEG))
		check_fail(c, "operand negation not allowed for instruction "
			"'%s'", root);
	else if (o->sel && !(want->flags & OPND_SEL))
		check_fail(c, "video selector not allowed for operand '%s' of "
			"instruction '%s'", want->name, root);
	else
		return true;
	return false;
}

static void
check_value(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	char root[32];

	switch (o->kind) {
	case OP_SYM:
		if ((!(o->flags & (OPF_NOT | OPF_NEG)) && !o->sel)
		|| check_marks(c, o, want))
			check_sym(c, o, want);
		break;
	case OP_INT:
	case OP_FLT:
		if (want->access & ACCESS_WRITE)
			check_fail(c, "result register required for "
				"instruction '%s'",
				check_root(c, root, sizeof root));
		else
			check_literal(c, o, want);
		break;
	case OP_SINK:
		if (!(want->access & ACCESS_WRITE))
			check_fail(c, "sink '_' not allowed as a source "
				"operand");
		else if (!(want->flags & OPND_SINK))
			check_fail(c, "result discard mode is not allowed for "
				"instruction '%s'",
				check_root(c, root, sizeof root));
		break;
	default:
		check_mismatch(c);
	}
}

/* the elements of a vector are registers of one type, or literals */
static void
check_alike(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	const struct sym *first, *y;
	uint32_t k, sinks;

	for (first = 0, sinks = 0, k = 0; k < o->n; k++) {
		sinks += o->u.list[k].kind == OP_SINK;
		y = o->u.list[k].kind == OP_SYM ? o->u.list[k].u.sym : 0;
		if (!y)
			continue;
		if (first && type_info[first->type].bits
		!= type_info[y->type].bits) {
			check_fail(c, "incompatible elements of vector "
				"expression: '%s' and '%s'", first->name->text,
				y->name->text);
			return;
		}
		first = first ? first : y;
	}
	if (sinks == o->n)
		check_fail(c, "type of the elements of vector '%s' cannot be "
			"told", want->name);
}

/* a name that stands for n elements, or _ for all of them */
static bool
is_vector(const struct opnd *o, unsigned n)
{
	const struct sym *y;

	y = o->kind == OP_SYM && !o->comp ? o->u.sym : 0;
	return o->kind == OP_SINK || (y && (y->vec == n
		|| (y->kind == SYM_SREG && y->u.sreg->vec)));
}

static void
check_vec(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	struct op_opnd element;
	char root[32];
	int before;
	uint32_t k;

	before = c->x->nerror;
	element = *want;
	element.flags |= OPND_SINK;
	if (o->kind != OP_VEC) {
		element.flags = want->flags;
		if (want->min > 1 && !is_vector(o, want->min))
			check_fail(c, "vector of %d expected for operand '%s' "
				"of instruction '%s'", want->min, want->name,
				check_root(c, root, sizeof root));
		check_value(c, o, &element);
		return;
	}
	for (k = 0; k < o->n && c->x->nerror == before; k++)
		check_value(c, &o->u.list[k], &element);
	if (c->x->nerror == before)
		check_alike(c, o, want);
}

static void
check_name(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	static const struct { uint16_t kinds; const char *what; } name[] = {
		[SHAPE_LABEL]   = { 1 << SYM_LABEL, "label" },
		[SHAPE_FUNC]    = { 1 << SYM_FUNC | 1 << SYM_REG, "function" },
		[SHAPE_TARGETS] = { 1 << SYM_TARGETS, "list of labels" },
		[SHAPE_PROTO]   = { 1 << SYM_TARGETS | 1 << SYM_PROTO,
			"call prototype" },
	};
	const struct sym *y;
	char root[32];

	y = o->u.sym;
	if (y && !(name[want->shape].kinds >> y->kind & 1))
		check_fail(c, "%s expected for operand '%s' of instruction "
			"'%s'", name[want->shape].what, want->name,
			check_root(c, root, sizeof root));
}

static void
check_imm(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	char root[32];

	if (o->kind != OP_INT && !(o->kind == OP_SYM && o->u.sym
	&& o->u.sym->kind == SYM_SREG && o->u.sym->u.sreg->id == SREG_WARP_SZ))
		check_fail(c, "operand '%s' of instruction '%s' must be an "
			"integer literal", want->name,
			check_root(c, root, sizeof root));
	else if (o->kind == OP_INT)
		check_range(c, o, want);
}

static void
check_pair(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	struct op_opnd second;

	if (want->shape == SHAPE_VEC)
		check_vec(c, &o->u.list[0], want);
	else
		check_value(c, &o->u.list[0], want);
	second = *want;
	second.type = T_PRED;
	second.name = "p";
	second.flags &= (uint16_t)~OPND_SINK;
	if (want->flags & OPND_OPT && o->u.list[0].kind != OP_SINK)
		second.flags |= OPND_SINK;
	check_value(c, &o->u.list[1], &second);
}

void
check_opnd(const struct check *c, const struct opnd *o,
	const struct op_opnd *want)
{
	if (o->kind == OP_PAIR) {
		check_pair(c, o, want);
		return;
	}
	switch (want->shape) {
	case SHAPE_SCALAR:
		check_value(c, o, want);
		break;
	case SHAPE_IMM:
		check_imm(c, o, want);
		break;
	case SHAPE_VEC:
		check_vec(c, o, want);
		break;
	case SHAPE_ADDR:
		check_addr(c, o, want);
		break;
	case SHAPE_LIST:
		break;
	default:
		check_name(c, o, want);
	}
}
