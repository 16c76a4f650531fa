/* emit.c - one unit to one LLVM module.
 *
 * Functions are declared first and filled in after, so that calls and tables
 * may name any of them.  Every function's first parameter is the address of
 * struct launch (of a kernel: of its parameter block, which struct launch
 * follows); see launch.h.  The entry block holds nothing but allocas and what
 * comes in; a branch to the body ends it.
 */
#include "emit_int.h"
#include "launch.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	emit_fn *how;
	int with;
} row[NINSN] = {
#define EMIT(form, how, with) [INSN_##form] = { emit_##how, with },
#include "emit.def"
#undef EMIT
};

/* a predicate that nothing has written is false: to branch on what is not
 * defined is undefined behaviour to LLVM, which would drop both ways */
static void
clear(struct emit *e, LLVMValueRef home, LLVMTypeRef ty)
{
	LLVMBasicBlockRef here;
	LLVMMetadataRef place;

	here = LLVMGetInsertBlock(e->b);
	place = LLVMGetCurrentDebugLocation2(e->b);
	LLVMPositionBuilder(e->b, LLVMGetEntryBasicBlock(e->fn),
		LLVMGetNextInstruction(home));
	LLVMBuildStore(e->b, emit_k(e, ty, 0), home);
	LLVMPositionBuilderAtEnd(e->b, here);
	LLVMSetCurrentDebugLocation2(e->b, place);
}

LLVMValueRef
emit_reg(struct emit *e, const struct sym *s)
{
	LLVMTypeRef ty;

	if (e->reg[s->id])
		return e->reg[s->id];
	ty = emit_tty(e, s->type);
	if (s->vec)
		ty = LLVMArrayType2(ty, s->vec);
	e->reg[s->id] = emit_alloca(e, ty, "");
	if (s->type == T_PRED)
		clear(e, e->reg[s->id], ty);
	return e->reg[s->id];
}

LLVMBasicBlockRef
emit_label(struct emit *e, const struct sym *s)
{
	if (!e->label[s->id])
		e->label[s->id] = emit_block(e, s->name->text);
	return e->label[s->id];
}

/* does the block that is being built still lack its end? */
static bool
is_open(struct emit *e)
{
	return !LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->b));
}

static void
go(struct emit *e, LLVMBasicBlockRef to)
{
	if (is_open(e))
		LLVMBuildBr(e->b, to);
	LLVMPositionBuilderAtEnd(e->b, to);
}

/* the guard of i as an i1 that says: do it */
static LLVMValueRef
guard(struct emit *e, const struct insn *i)
{
	struct opnd p = { .kind = OP_SYM, .u.sym = i->guard };

	if (i->guard_not)
		p.flags = OPF_NOT;
	return emit_read(e, &p, T_PRED);
}

/* only threads whose guard holds do it: a branch around; LLVM turns what is
 * cheap into selects */
static void
guarded(struct emit *e, const struct insn *i)
{
	LLVMBasicBlockRef then, rest;

	if (i->op->id == INSN_BRA) {
		rest = emit_block(e, "");
		LLVMBuildCondBr(e->b, guard(e, i),
			emit_label(e, i->u.opnd[0].u.sym), rest);
		LLVMPositionBuilderAtEnd(e->b, rest);
		return;
	}
	then = emit_block(e, "");
	rest = emit_block(e, "");
	LLVMBuildCondBr(e->b, guard(e, i), then, rest);
	LLVMPositionBuilderAtEnd(e->b, then);
	row[i->op->id].how(e, i, row[i->op->id].with);
	go(e, rest);
}

static void
instruction(struct emit *e, const struct insn *i)
{
	e->at = i;
	if (!row[i->op->id].how) {
		emit_refuse(e, "is not translated");
		return;
	}
	if (!is_open(e)) /* nothing jumps here */
		LLVMPositionBuilderAtEnd(e->b, emit_block(e, ""));
	if (i->guard)
		guarded(e, i);
	else
		row[i->op->id].how(e, i, row[i->op->id].with);
}

static void
body(struct emit *e, const struct func *f)
{
	const struct insn *i;

	for (i = f->first; i && !e->refused; i = i->next)
		if (i->kind == STMT_INSN)
			instruction(e, i);
		else if (i->kind == STMT_LABEL)
			go(e, emit_label(e, i->u.sym));
		else if (i->kind == STMT_LOC)
			emit_debug_loc(e, i->u.text);
	if (is_open(e))
		emit_return(e);
}

/* the address of struct launch in a kernel: behind its parameters */
static LLVMValueRef
launch(struct emit *e, const struct func *f)
{
	LLVMValueRef off;

	off = emit_k(e, LLVMInt64TypeInContext(e->c),
		(int64_t)((f->param_size + 7) & ~(uint64_t)7));
	return LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c),
		LLVMGetParam(e->fn, 0), &off, 1, "launch");
}

/* … and in a function, which gets it as its first argument */
static LLVMValueRef
passed_launch(struct emit *e)
{
	LLVMValueRef p = LLVMGetParam(e->fn, 0);

	return emit_spoils_scalars(e) ? e->t->scalar(e, p) : p;
}

void
emit_function(struct emit *e, const struct func *f)
{
	LLVMBasicBlockRef entry, start;

	e->f = e->kernel = f;
	e->at = 0;
	e->fn = emit_declare(e, f);
	if (!e->fn)
		return;
	emit_debug_function(e, f);
	e->reg = calloc(f->nreg + 1, sizeof *e->reg);
	e->label = calloc(f->nlabel + 1, sizeof *e->label);
	e->var = calloc(f->nvar + 1, sizeof *e->var);
	e->carry = 0;
	e->end = 0;
	entry = emit_block(e, "entry");
	start = emit_block(e, "");
	LLVMPositionBuilderAtEnd(e->b, entry);
	e->launch = f->entry ? launch(e, f) : passed_launch(e);
	emit_params(e, f);
	LLVMPositionBuilderAtEnd(e->b, start);
	if (f->entry)
		emit_barrier_begin(e);
	body(e, f);
	LLVMPositionBuilderAtEnd(e->b, entry);
	LLVMBuildBr(e->b, start);
	free(e->reg);
	free(e->label);
	free(e->var);
}

static void
module(struct emit *e)
{
	char *layout;

	e->m = LLVMModuleCreateWithNameInContext("ptx", e->c);
	LLVMSetTarget(e->m, e->t->triple);
	e->layout = emit_layout(e->o);
	layout = LLVMCopyStringRepOfTargetData(e->layout);
	LLVMSetDataLayout(e->m, layout);
	LLVMDisposeMessage(layout);
}

static void
fill(struct emit *e, const struct unit *u)
{
	size_t i;

	emit_debug_begin(e);
	emit_globals(e, u);
	emit_barriers(e);
	for (i = 0; i < u->nkernel && !e->refused; i++)
		emit_function(e, u->kernel[i]);
	for (i = 0; i < u->nfunc && !e->refused; i++)
		emit_function(e, u->func[i]);
	emit_services(e);
	emit_textures(e);
	emit_debug_end(e);
}

LLVMModuleRef
emit_unit(struct ptx *x, const struct unit *u, const struct emit_options *o,
	LLVMContextRef c)
{
	struct emit e = {
		.x = x, .o = o, .t = o->target, .c = c, .u = u,
		.lanes = o->target->lanes,
		.ftz_mode = o->target->flushes_f32 && unit_flushes(u),
	};

	e.b = LLVMCreateBuilderInContext(c);
	module(&e);
	fill(&e, u);
	LLVMDisposeBuilder(e.b);
	LLVMDisposeTargetData(e.layout);
	library_free(e.services);
	library_free(e.textures);
	if (!e.refused)
		return e.m;
	LLVMDisposeModule(e.m);
	return 0;
}
