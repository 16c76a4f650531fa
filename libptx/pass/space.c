/* space.c - generic accesses to addresses of a known space name that space.
 *
 * Hardware reaches a named space faster than through a generic address.
 * A generic address of global memory is the same number as its address in
 * .global; of other spaces, "cvta.to" makes one from the other, or a cvta
 * that led here is passed by.  Conversions there and back disappear.
 * Needs the uses of registers; keeps the blocks, as it only adds statements
 * inside of them.
 */
#include "form.h"
#include "pass.h"
#include <string.h>

struct spaces {
	struct ptx *x;
	struct func *f;
	struct arena *a;
	const struct reg_uses *uses;
	uint8_t *point;     /* enum point, by register */
	const char *prefix; /* of the registers that we add */
	struct sym *family; /* of them, or 0 */
	bool changed;
};

/* "ld.relaxed.gpu.f32" with ".global" where the manual has it */
static void
spell_space(struct spaces *l, struct insn *i, const char *space)
{
	const struct op_word *w;
	const char *name, *syntax, *at;
	char slot[64];
	char *s;
	bool done;
	int k;

	name = i->op->name->text;
	syntax = insn_row(i)->syntax;
	at = strstr(syntax, "{.space}");
	s = arena_printf(l->a, "%.*s", (int)strcspn(name, "."), name);
	done = false;
	for (k = 0; k < i->op->nword; k++) {
		w = &i->op->word[k];
		snprintf(slot, sizeof slot, ".%s", w->slot);
		if (!done && strstr(syntax, slot) > at) {
			s = arena_printf(l->a, "%s.%s", s, space);
			done = true;
		}
		s = arena_printf(l->a, "%s.%s", s, w->word);
	}
	insn_respell(l->x, i, s);
	l->changed = true;
}

/* can i be spelled with that space? */
static bool
takes_space(const struct insn *i, enum space space)
{
	static const char *const root[] = { "ld", "st", "atom", "red", "wmma" };
	const char *name;
	size_t k, n;

	if (!strstr(insn_row(i)->syntax, "{.space}") || insn_word(i, "space"))
		return false;
	if (space == CONST)
		return i->op->id == INSN_LD;
	if (space == LOCAL)
		return i->op->id == INSN_LD || i->op->id == INSN_ST;
	name = i->op->name->text;
	for (k = 0; k < sizeof root / sizeof *root; k++) {
		n = strlen(root[k]);
		if (!strncmp(root[k], name, n) && name[n] == '.')
			return space == GLOBAL || space == SHARED;
	}
	return false;
}

/* the base register of i's only address, or 0 */
static struct opnd *
base_of(const struct insn *i)
{
	struct opnd *base;
	int k;

	base = 0;
	for (k = 0; k < i->nopnd; k++)
		if (i->op->opnd[k].shape == SHAPE_ADDR) {
			if (base)
				return 0;
			base = i->u.opnd[k].u.list;
		}
	return base && base->kind == OP_SYM && base->u.sym->kind == SYM_REG &&
		!base->comp ? base : 0;
}

/* what was converted to give the value of s: its "cvta.space s, a" */
static const struct opnd *
before_cvta(const struct spaces *l, const struct sym *s, enum insn_id id,
	enum space space)
{
	const struct insn *def;
	const struct opnd *o;

	if (s->kind != SYM_REG || !l->uses[s->id].ssa)
		return 0;
	def = l->uses[s->id].def;
	if (!def || def->op->id != id || insn_space(def) != space ||
	    def->u.opnd[0].u.sym != s)
		return 0;
	o = &def->u.opnd[1];
	if (o->kind != OP_SYM || o->comp)
		return 0;
	if (o->u.sym->kind == SYM_REG && !l->uses[o->u.sym->id].ssa)
		return 0;
	return o->u.sym->kind == SYM_REG || o->u.sym->kind == SYM_VAR ? o : 0;
}

/* does the function declare a register whose name starts with prefix? */
static bool
is_used(const struct func *f, const char *prefix)
{
	const struct insn *i;
	const struct sym *s;

	for (i = f->first; i; i = i->next)
		for (s = i->kind == STMT_DECL ? i->u.sym : 0; s; s = s->next)
			if (!strncmp(s->name->text, prefix, strlen(prefix)))
				return true;
	return false;
}

static struct sym *
new_sym(struct spaces *l, const char *name, enum sym_kind kind)
{
	struct sym *s;

	s = NEW(&l->x->arena, struct sym);
	s->name = name_intern(&l->x->names, &l->x->arena, name, strlen(name));
	s->kind = (uint8_t)kind;
	s->type = T_B64;
	s->space = REG;
	s->depth = 1;
	s->id = l->f->nreg;
	return s;
}

/* declares the family of our registers behind the first declaration */
static void
open_family(struct spaces *l)
{
	struct insn *decl;

	for (l->prefix = "%space"; is_used(l->f, l->prefix);)
		l->prefix = arena_printf(l->a, "%s_", l->prefix);
	l->family = new_sym(l, l->prefix, SYM_FAMILY);
	decl = insn_after(l->x, l->f->first);
	decl->kind = STMT_DECL;
	decl->u.sym = l->family;
}

static struct sym *
new_reg(struct spaces *l)
{
	struct sym *s;

	if (!l->family)
		open_family(l);
	s = new_sym(l, arena_printf(l->a, "%s%u", l->prefix,
		l->family->u.count++), SYM_REG);
	l->f->nreg++;
	return s;
}

/* puts "cvta.to.space t, base" before i and t into its address */
static struct insn *
convert(struct spaces *l, struct insn *i, struct opnd *base, enum space space)
{
	struct opnd o[2] = { { .kind = OP_SYM }, { .kind = OP_SYM } };
	struct insn *access, *next;

	o[0].u.sym = new_reg(l);
	o[1].u.sym = base->u.sym;
	access = insn_after(l->x, i);
	next = access->next;
	*access = *i;
	access->next = next;
	i->guard = 0;
	insn_become(l->x, i, arena_printf(l->a, "cvta.to.%s.u64",
		space_name[space]), o, 2);
	base->u.sym = o[0].u.sym;
	return access;
}

/* returns the last statement that i became */
static struct insn *
name_space(struct spaces *l, struct insn *i, struct opnd *base)
{
	const struct opnd *from;
	enum space space;

	space = point_space((enum point)l->point[base->u.sym->id]);
	if (space == GENERIC || !takes_space(i, space))
		return i;
	if (space != GLOBAL) {
		from = before_cvta(l, base->u.sym, INSN_CVTA, space);
		if (!from && l->f->first->kind != STMT_DECL)
			return i;
		if (from) {
			base->u.sym = from->u.sym;
			base->off += from->off;
		} else {
			i = convert(l, i, base, space);
		}
	}
	spell_space(l, i, space_name[space]);
	return i;
}

static void
become_move(struct spaces *l, struct insn *i, const struct opnd *from)
{
	struct opnd o[2] = { i->u.opnd[0], *from };

	insn_become(l->x, i, from->u.sym->kind == SYM_VAR ? "mov.u64"
		: "mov.b64", o, 2);
	l->changed = true;
}

static void
drop_cvta(struct spaces *l, struct insn *i)
{
	const struct opnd *a, *from;
	enum insn_id other;

	a = &i->u.opnd[1];
	if (a->kind != OP_SYM || insn_type(i, 0) != T_U64)
		return;
	other = i->op->id == INSN_CVTA ? INSN_CVTA_TO : INSN_CVTA;
	from = insn_space(i) == GLOBAL ? a
		: before_cvta(l, a->u.sym, other, insn_space(i));
	if (from && (from->u.sym->kind != SYM_REG || !from->off))
		become_move(l, i, from);
}

static void
answer_isspacep(struct spaces *l, struct insn *i)
{
	struct opnd o[2] = { i->u.opnd[0], { .kind = OP_INT } };
	const struct opnd *a;
	enum space space;

	a = &i->u.opnd[1];
	if (a->kind != OP_SYM || a->u.sym->kind != SYM_REG || a->comp ||
	    strchr(insn_word(i, "space"), ':'))
		return;
	space = point_space((enum point)l->point[a->u.sym->id]);
	if (space == GENERIC)
		return;
	o[1].u.i = insn_space(i) == space;
	insn_become(l->x, i, "mov.pred", o, 2);
	l->changed = true;
}

bool
pass_space(struct work *w)
{
	struct spaces l = { .x = w->x, .f = w->f, .a = w->a, .uses = w->uses };
	struct insn *i;
	struct opnd *base;

	l.point = point_build(w->a, w->f);
	for (i = w->f->first; i; i = i->next) {
		if (i->kind != STMT_INSN)
			continue;
		base = base_of(i);
		if (base)
			i = name_space(&l, i, base);
		else if (i->op->id == INSN_CVTA || i->op->id == INSN_CVTA_TO)
			drop_cvta(&l, i);
		else if (i->op->id == INSN_ISSPACEP)
			answer_isspacep(&l, i);
	}
	return l.changed;
}
