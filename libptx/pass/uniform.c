/* uniform.c - mark the branches that all threads of a warp take together.
 *
 * "bra.uni" promises just that (PTX 9.7.12); code generation may then leave
 * out what only threads that part need.  Keeps all, for only a spelling
 * changes.
 */
#include "pass.h"

static bool
mark(struct work *w, struct insn *i)
{
	const char *spelling;

	if (i->kind != STMT_INSN || insn_has(i, "uni") ||
	    (i->op->id == INSN_BRA && !i->guard))
		return false;
	spelling = i->op->id == INSN_BRA ? "bra.uni"
		: i->op->id == INSN_BRX ? "brx.idx.uni" : 0;
	if (!spelling || uniform_jump(w->uniform, i) > UNI_WARP)
		return false;
	insn_respell(w->x, i, spelling);
	return true;
}

bool
pass_uniform(struct work *w)
{
	struct insn *i;
	bool changed;

	changed = false;
	for (i = w->f->first; i; i = i->next)
		changed |= mark(w, i);
	return changed;
}
