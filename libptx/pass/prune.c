/* prune.c - drop functions that nothing refers to.
 *
 * Kernels stay, and what other modules may call or replace: visible and weak
 * functions.  From them, and from initialisers and aliases, every mention of
 * a function is followed: calls, addresses, lists of targets.  Declarations
 * go with the function that they declare.  Variables all stay, since a host
 * finds them by name.
 */
#include "pass.h"

struct prune {
	struct sym **stack; /* functions needed, their bodies not yet read */
	uint32_t depth;
	bool *needed;       /* by id, which the pass gives to functions */
};

static void
need(struct prune *p, struct sym *s)
{
	if (!s || s->kind != SYM_FUNC || p->needed[s->id])
		return;
	p->needed[s->id] = true;
	p->stack[p->depth++] = s;
}

static void
read_opnds(struct prune *p, const struct opnd *o, uint32_t n)
{
	for (; n--; o++)
		if (o->kind == OP_SYM)
			need(p, o->u.sym);
		else if (o->kind >= OP_ADDR)
			read_opnds(p, o->u.list, o->n);
}

static void
read_decl(struct prune *p, const struct sym *s)
{
	size_t k;

	for (; s; s = s->next)
		for (k = 0; s->kind == SYM_VAR && k < s->u.var->nreloc; k++)
			need(p, s->u.var->reloc[k].sym);
}

static void
read_body(struct prune *p, const struct func *f)
{
	const struct insn *i;

	for (i = f->first; i; i = i->next)
		if (i->kind == STMT_INSN)
			read_opnds(p, i->u.opnd, i->nopnd);
		else if (i->kind == STMT_TARGETS)
			read_opnds(p, &i->u.targets->list, 1);
		else if (i->kind == STMT_DECL)
			read_decl(p, i->u.sym);
}

static void
read_items(struct prune *p, const struct ptx *x)
{
	const struct item *t;

	for (t = x->item; t; t = t->next)
		if (t->kind == ITEM_VAR) {
			read_decl(p, t->sym);
		} else if (t->kind == ITEM_ALIAS) {
			need(p, t->sym);
			need(p, t->target);
		} else if (t->kind == ITEM_FUNC && (t->func->entry ||
		    t->func->linkage & (LINK_VISIBLE | LINK_WEAK))) {
			need(p, t->func->sym);
		}
}

/* unlinks what is not needed; true: there was something */
static bool
drop(const struct prune *p, struct ptx *x)
{
	struct item **at;
	struct func **f;
	bool changed;

	changed = false;
	for (f = &x->func; *f;)
		if (p->needed[(*f)->sym->id]) {
			f = &(*f)->next;
		} else {
			*f = (*f)->next;
			changed = true;
		}
	x->func_last = f;
	for (at = &x->item; *at;)
		if ((*at)->kind == ITEM_FUNC &&
		    !p->needed[(*at)->func->sym->id])
			*at = (*at)->next;
		else
			at = &(*at)->next;
	x->item_last = at;
	return changed;
}

bool
pass_prune(struct work *w)
{
	struct prune p = {0};
	struct func *f;
	uint32_t n;

	n = 0;
	for (f = w->x->func; f; f = f->next)
		f->sym->id = n++;
	p.stack = NEWN(w->a, n + 1, struct sym *);
	p.needed = NEWN(w->a, n + 1, bool);
	read_items(&p, w->x);
	while (p.depth) {
		f = p.stack[--p.depth]->u.func;
		read_body(&p, f);
	}
	return drop(&p, w->x);
}
