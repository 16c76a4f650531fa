/* opnd.c - what each operand of an instruction is: role, type, space.
 *
 * All of it comes from the row: the operand's letter, the slots column,
 * opnd.def and the words spelled.  It is worked out once for a spelling.
 */
#include "form.h"
#include <ctype.h>
#include <string.h>

#define K(kind) (1u << OP_##kind)

/* the operands that a shape takes; a vector of one may stand bare */
static const uint16_t kinds[] = {
	[SHAPE_SCALAR]  = K(SYM) | K(INT) | K(FLT) | K(SINK),
	[SHAPE_IMM]     = K(INT) | K(SYM),
	[SHAPE_VEC]     = K(VEC) | K(SYM) | K(INT) | K(FLT) | K(SINK),
	[SHAPE_ADDR]    = K(ADDR),
	[SHAPE_LIST]    = K(LIST),
	[SHAPE_LABEL]   = K(SYM),
	[SHAPE_FUNC]    = K(SYM),
	[SHAPE_TARGETS] = K(SYM),
	[SHAPE_PROTO]   = K(SYM),
};

static const struct { const char *what; enum shape shape; } names[] = {
	{ "imm", SHAPE_IMM }, { "label", SHAPE_LABEL }, { "func", SHAPE_FUNC },
	{ "targets", SHAPE_TARGETS }, { "proto", SHAPE_PROTO },
};

static const struct { const char *what; uint16_t flag; } marks[] = {
	{ "any", OPND_ANY }, { "var", OPND_VAR }, { "sreg", OPND_SREG },
	{ "sink", OPND_SINK }, { "data", OPND_DATA }, { "reg", OPND_REG },
	{ "one", OPND_ONE },
};

/* the first state space spelled, for an address that names none */
static enum space
spelled_space(const struct op *op)
{
	enum space s;
	int k;

	for (k = 0; k < op->nword; k++) {
		s = space_find(op->word[k].word, strlen(op->word[k].word));
		if (s != GENERIC)
			return s;
	}
	return GENERIC;
}

static enum type
twice(enum type t)
{
	switch (t) {
	case T_U16: return T_U32;
	case T_S16: return T_S32;
	case T_U32: return T_U64;
	case T_S32: return T_S64;
	default:    return T_NONE;
	}
}

/* the type of an operand that neither the row nor opnd.def names */
static enum type
letter_type(const struct op *op, const char *letter)
{
	char slot[8];
	const char *w;

	if (!op->ntype)
		return T_NONE;
	snprintf(slot, sizeof slot, "%.1stype", letter);
	w = letter[1] ? 0 : op_word(op, slot, strlen(slot));
	if (w)
		return type_find(w, strlen(w));
	return op->type[*letter == 'd' ? 0 : op->ntype - 1];
}

/* one word of what an operand is */
static void
set_what(const struct op *op, struct op_opnd *o, const char *s, size_t n)
{
	const char *w;
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (!strncmp(names[i].what, s, n) && !names[i].what[n]) {
			o->shape = (uint8_t)names[i].shape;
			o->type = T_NONE;
			return;
		}
	for (i = 0; i < sizeof marks / sizeof *marks; i++)
		if (!strncmp(marks[i].what, s, n) && !marks[i].what[n]) {
			o->flags |= marks[i].flag;
			return;
		}
	if (isdigit((unsigned char)*s) || *s == '*' || *s == '-') {
		o->values = o->values ? o->values : s;
		return;
	}
	w = op_word(op, s, n);
	if (*s == '@')
		o->space = n == 7 && !memcmp(s, "@tensor", n) ? SPACE_TENSOR
			: (uint8_t)space_find(s + 1, n - 1);
	else if (n == 2 && !memcmp(s, "rw", n))
		o->access |= ACCESS_READ;
	else if (n == 4 && !memcmp(s, "wide", n))
		o->type = (uint8_t)twice(op->type[0]);
	else if (w)
		o->type = (uint8_t)type_find(w, strlen(w));
	else
		o->type = (uint8_t)type_find(s, n);
}

static int
vector_length(const struct op *op)
{
	int k;

	for (k = 0; k < op->nword; k++)
		if (op->word[k].word[0] == 'v'
		&& isdigit((unsigned char)op->word[k].word[1])
		&& !op->word[k].word[2])
			return op->word[k].word[1] - '0';
	return 0;
}

/* fragments of matrices are registers of 32 bits unless the element is more */
static void
set_fragment(const struct op *op, struct op_opnd *o)
{
	const char *s;

	s = insn_info[op->id].syntax;
	if (!strstr(s, "mma") || o->name[1])
		return;
	if (o->type == T_F16 || o->type == T_BF16)
		o->type = o->type == T_F16 ? T_F16X2 : T_BF16X2;
	else if (type_info[o->type].bits < 32)
		o->type = T_B32;
}

static void
set_shape(const struct op *op, struct op_opnd *o)
{
	int vec;

	vec = vector_length(op);
	if (o->shape == SHAPE_SCALAR && vec && !o->name[1]
	&& (*o->name == 'd' || *o->name == 'b'))
		o->shape = SHAPE_VEC;
	if (o->shape == SHAPE_VEC) {
		if (!vec || o->name[1] || !strchr("db", *o->name))
			vec = op_length(op, o->name, (enum type)o->type);
		o->min = vec ? (uint8_t)vec : 1;
		o->max = vec ? (uint8_t)vec : UINT8_MAX;
		set_fragment(op, o);
	} else if (o->shape == SHAPE_ADDR) {
		o->max = o->min;
		if (o->space == TEX && o->min == 2)
			o->max = 3;
	}
	o->kinds = kinds[o->shape];
	if (o->shape == SHAPE_SCALAR && o->flags & (OPND_DATA | OPND_ONE)) {
		o->kinds |= K(VEC);
		o->min = o->max = 1;
	}
	if (o->shape == SHAPE_VEC && o->flags & OPND_ANY)
		o->kinds = K(VEC);
	if (o->flags & OPND_PAIR)
		o->kinds = K(PAIR) | (o->flags & OPND_OPT ? o->kinds : 0);
	if ((o->access & ACCESS_WRITE || o->flags & OPND_REG)
	&& o->shape != SHAPE_LIST)
		o->kinds &= (uint16_t)~(K(INT) | K(FLT));
}

/* is root the first word of syntax? */
static bool
is_root(const char *syntax, const char *root)
{
	size_t n;

	n = strlen(root);
	return !strncmp(syntax, root, n) && strchr(".{ ", syntax[n]);
}

static bool
is_texture(const char *syntax)
{
	static const char *const root[] = {
		"tex", "tld4", "txq", "suld", "sust", "sured", "suq",
	};
	size_t i;

	for (i = 0; i < sizeof root / sizeof *root; i++)
		if (is_root(syntax, root[i]))
			return true;
	return false;
}

/* ld, st, cvt and their like take registers wider than the type */
static bool
is_data(const char *syntax)
{
	static const char *const root[] = {
		"ld", "ldu", "st", "cvt", "suld", "sust", "sured",
	};
	size_t i;

	for (i = 0; i < sizeof root / sizeof *root; i++)
		if (is_root(syntax, root[i]))
			return true;
	return false;
}

/* conversions from and to more than one value take no wider register */
static bool
is_packed(const struct op *op)
{
	int k;

	for (k = 0; k < op->ntype; k++)
		if (type_info[op->type[k]].lanes > 1)
			return true;
	return false;
}

static void
set_opnd(const struct op *op, const struct form_opnd *f, struct op_opnd *o,
	bool first)
{
	const char *s, *syntax;
	size_t n;

	*o = f->o;
	syntax = insn_info[op->id].syntax;
	o->access = ACCESS_READ;
	if (o->shape == SHAPE_LIST ? !strcmp(o->name, "ret")
	: first && o->shape != SHAPE_ADDR
	&& (!strcmp(o->name, "d") || !strcmp(o->name, "p")))
		o->access = ACCESS_WRITE;
	if (o->shape == SHAPE_ADDR)
		o->space = is_texture(syntax) ? TEX
			: (uint8_t)spelled_space(op);
	else if (o->shape != SHAPE_LIST)
		o->type = (uint8_t)letter_type(op, o->name);
	if (is_data(syntax) && !o->name[1] && strchr("dab", *o->name)
	&& !op_spells_any(op, "async bf16") && !is_packed(op))
		o->flags |= OPND_DATA;
	for (s = f->what ? f->what : ""; *s && *s != ';'; s += n) {
		while (*s == ' ')
			s++;
		n = strcspn(s, " ;");
		set_what(op, o, s, n);
	}
	set_shape(op, o);
}

int
op_groups(const struct form *f, uint8_t *group)
{
	int k, n;

	for (n = k = 0; k < f->nopnd; k++)
		if (f->opnd[k].group && !*f->opnd[k].with
		&& (!n || group[n - 1] != f->opnd[k].group))
			group[n++] = f->opnd[k].group;
	return n;
}

void
op_opnds(struct ptx *x, struct op *op, const struct form *f, unsigned mask)
{
	const struct form_opnd *o;
	struct op_opnd *out;
	int k;

	out = NEWN(&x->arena, f->nopnd + 1u, struct op_opnd);
	op->opnd = out;
	for (k = 0; k < f->nopnd; k++) {
		o = &f->opnd[k];
		if (o->group && (*o->with ? !op_spells_any(op, o->with)
		: mask >> o->group & 1))
			continue;
		set_opnd(op, o, &out[op->nopnd++], !k);
	}
}

/* insn_regs */

struct walk {
	void (*fn)(void *, struct sym *, struct opnd *, enum access);
	void *arg;
};

static void
visit(const struct walk *w, struct opnd *o, enum access a)
{
	uint32_t k;

	switch (o->kind) {
	case OP_SYM:
		if (o->u.sym && (o->u.sym->kind == SYM_REG
		|| o->u.sym->kind == SYM_SREG))
			w->fn(w->arg, o->u.sym, o, a);
		break;
	case OP_ADDR:
		a = ACCESS_READ;
		/* fallthrough */
	case OP_VEC:
	case OP_LIST:
	case OP_PAIR:
		for (k = 0; k < o->n; k++)
			visit(w, &o->u.list[k], a);
		break;
	}
}

void
insn_regs(const struct insn *i,
	void (*fn)(void *, struct sym *, struct opnd *, enum access), void *arg)
{
	struct walk w = { fn, arg };
	int k;

	if (i->kind != STMT_INSN)
		return;
	if (i->guard)
		fn(arg, i->guard, 0, ACCESS_READ);
	for (k = 0; k < i->nopnd; k++)
		visit(&w, &i->u.opnd[k],
			(enum access)i->op->opnd[k].access);
}
