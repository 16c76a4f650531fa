/* vote.c - votes of a warp (PTX 9.7.13.10).
 *
 * Forms with and without .sync, in both orders of the words.  Only members
 * that are here vote.
 */
#include "emit_int.h"

/* the members among the threads here for which p holds */
static LLVMValueRef
count(struct emit *e, LLVMValueRef p, const struct opnd *members)
{
	LLVMValueRef who;

	who = e->t->ballot(e, p);
	if (!members)
		return who;
	return LLVMBuildAnd(e->b, who, emit_read(e, members, T_B32), "");
}

static LLVMValueRef
is_zero(struct emit *e, LLVMValueRef v)
{
	return LLVMBuildICmp(e->b, LLVMIntEQ, v,
		emit_k(e, emit_ity(e, 32), 0), "");
}

/* those for which it does not hold, where members are at several places and
 * came with p: all that came without those that are true */
static LLVMValueRef
falses(struct emit *e, LLVMValueRef p, const struct opnd *members)
{
	return LLVMBuildXor(e->b, count(e, emit_k(e, emit_ity(e, 1), 1),
		members), count(e, p, members), "");
}

static const struct opnd *
members_of(const struct insn *i)
{
	return i->nopnd > 2 ? &i->u.opnd[2] : 0;
}

void
emit_ballot(struct emit *e, const struct insn *i, int with)
{
	LLVMValueRef p;

	(void)with;
	p = emit_read(e, &i->u.opnd[1], T_PRED);
	emit_gather(e, members_of(i), p);
	emit_write(e, &i->u.opnd[0], T_B32, count(e, p, members_of(i)));
}

void
emit_vote(struct emit *e, const struct insn *i, int with)
{
	const struct opnd *members;
	LLVMValueRef p, none, all, d;

	(void)with;
	members = members_of(i);
	p = emit_read(e, &i->u.opnd[1], T_PRED);
	emit_gather(e, members, p);
	none = all = 0;
	if (!insn_has(i, "all"))
		none = is_zero(e, count(e, p, members));
	if (!insn_has(i, "any"))
		all = is_zero(e, e->t->gather ? falses(e, p, members)
			: count(e, LLVMBuildNot(e->b, p, ""), members));
	if (none && all)
		d = LLVMBuildOr(e->b, none, all, "");
	else
		d = all ? all : LLVMBuildNot(e->b, none, "");
	emit_write(e, &i->u.opnd[0], T_PRED, d);
}
