/* control.c - branches, returns, exits.
 *
 * exit ends the thread, also from a function: threads of one wave part here,
 * so a function that may exit returns one more value that says so, and its
 * caller goes on to its own end.  See may_exit() of unit.c.
 */
#include "emit_int.h"

void
emit_bra(struct emit *e, const struct insn *i, int with)
{
	(void)with;
	LLVMBuildBr(e->b, emit_label(e, i->u.opnd[0].u.sym));
}

/* an index beyond the list is undefined (PTX 9.7.12.3) */
void
emit_brx(struct emit *e, const struct insn *i, int with)
{
	const struct opnd *to;
	LLVMBasicBlockRef no;
	LLVMValueRef index, s;
	uint32_t k;

	(void)with;
	to = &i->u.opnd[1].u.sym->u.at->u.targets->list;
	index = emit_read(e, &i->u.opnd[0], T_U32);
	no = emit_block(e, "");
	s = LLVMBuildSwitch(e->b, index, no, to->n);
	for (k = 0; k < to->n; k++)
		LLVMAddCase(s, emit_k(e, emit_ity(e, 32), k),
			emit_label(e, to->u.list[k].u.sym));
	LLVMPositionBuilderAtEnd(e->b, no);
	LLVMBuildUnreachable(e->b);
}

void
emit_ret(struct emit *e, const struct insn *i, int with)
{
	(void)i;
	(void)with;
	emit_return(e);
}

void
emit_exit(struct emit *e, const struct insn *i, int with)
{
	(void)i;
	(void)with;
	emit_leave(e);
}

void
emit_trap(struct emit *e, const struct insn *i, int with)
{
	(void)i;
	(void)with;
	e->t->trap(e);
	if (!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->b)))
		LLVMBuildUnreachable(e->b);
}

void
emit_nanosleep(struct emit *e, const struct insn *i, int with)
{
	(void)with;
	e->t->sleep(e, emit_read(e, &i->u.opnd[0], T_U32));
}

/* what has no effect that a program could see */
void
emit_nothing(struct emit *e, const struct insn *i, int with)
{
	(void)e;
	(void)i;
	(void)with;
}
