/* edit.c - changing statements.
 *
 * Whatever goes is marked and stays in the list until pass.c sweeps it, so
 * that a pass may walk blocks while it kills.
 */
#include "pass/pass.h"
#include <string.h>

void
insn_kill(struct insn *i)
{
	i->kind = STMT_DECL;
	i->u.sym = 0;
}

bool
insn_is_dead(const struct insn *i)
{
	return i->kind == STMT_DECL && !i->u.sym;
}

void
insn_respell(struct ptx *x, struct insn *i, const char *spelling)
{
	struct name *n;
	struct op *op;

	n = name_intern(&x->names, &x->arena, spelling, strlen(spelling));
	op = insn_ops(x, n, i->loc);
	i->op = op ? insn_match(x, op, i) : 0;
	if (!i->op)
		insn_kill(i); /* a diagnostic has been given */
}

void
insn_become(struct ptx *x, struct insn *i, const char *spelling,
	const struct opnd *opnd, int n)
{
	struct opnd *to;

	to = NEWN(&x->arena, n, struct opnd);
	memcpy(to, opnd, n * sizeof *to);
	i->u.opnd = to;
	i->nopnd = n;
	insn_respell(x, i, spelling);
}

struct insn *
insn_after(struct ptx *x, struct insn *i)
{
	struct insn *n;

	n = NEW(&x->arena, struct insn);
	n->kind = STMT_INSN;
	n->loc = i->loc;
	n->next = i->next;
	i->next = n;
	return n;
}

void
func_sweep(struct func *f)
{
	struct insn **at;

	for (at = &f->first; *at;)
		if (insn_is_dead(*at))
			*at = (*at)->next;
		else
			at = &(*at)->next;
	f->last = at;
}
