/* number.c - number a function's symbols as the parser would.
 *
 * Passes add, move and drop declarations.  Code generation goes by the
 * numbers, so a module that went through passes and one that was printed and
 * read again between them must have the same ones.
 */
#include "pass/pass.h"

struct table {
	uint32_t n;         /* numbers given */
	uint32_t *now;      /* by old number */
	struct sym **sym;   /* by old number: whose it is */
};

struct numbers {
	struct table reg, var;
};

static struct table *
table_of(struct numbers *m, const struct sym *s)
{
	return s->space == REG ? &m->reg : &m->var;
}

static void
declare(struct numbers *m, struct sym *list)
{
	struct table *t;
	struct sym *s;
	uint32_t k, n, first;

	for (s = list; s; s = s->next) {
		t = table_of(m, s);
		n = s->kind == SYM_FAMILY ? s->u.count : 1;
		first = t->n;
		for (k = 0; k < n; k++)
			t->now[s->id + k] = t->n++;
		if (s->kind == SYM_FAMILY)
			s->id = first;
		else
			t->sym[s->id] = s;
	}
}

static void
meet(struct numbers *m, struct sym *s)
{
	if (s && s->depth && (s->kind == SYM_REG || s->kind == SYM_VAR))
		table_of(m, s)->sym[s->id] = s;
}

static void
meet_opnds(struct numbers *m, const struct opnd *o, uint32_t n)
{
	for (; n--; o++)
		if (o->kind == OP_SYM)
			meet(m, o->u.sym);
		else if (o->kind >= OP_ADDR)
			meet_opnds(m, o->u.list, o->n);
}

static uint32_t
settle(struct table *t, uint32_t n)
{
	uint32_t k;

	for (k = 0; k < n; k++)
		if (t->sym[k])
			t->sym[k]->id = t->now[k];
	return t->n;
}

static void
make(struct arena *a, struct table *t, uint32_t n)
{
	*t = (struct table){ 0 };
	t->now = NEWN(a, n + 1, uint32_t);
	t->sym = NEWN(a, n + 1, struct sym *);
}

void
func_number(struct arena *a, struct func *f)
{
	struct numbers m;
	struct insn *i;

	make(a, &m.reg, f->nreg);
	make(a, &m.var, f->nvar);
	declare(&m, f->ret);
	declare(&m, f->param);
	f->nlabel = 0;
	for (i = f->first; i; i = i->next)
		if (i->kind == STMT_DECL) {
			declare(&m, i->u.sym);
		} else if (i->kind == STMT_LABEL) {
			i->u.sym->id = f->nlabel++;
		} else if (i->kind == STMT_INSN) {
			meet(&m, i->guard);
			meet_opnds(&m, i->u.opnd, i->nopnd);
		}
	f->nreg = settle(&m.reg, f->nreg);
	f->nvar = settle(&m.var, f->nvar);
}
