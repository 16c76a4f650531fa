/* vector.c - golden kernels of arithmetic with 32 threads in every value.
 *
 *	vector [-k KERNEL] DIR GROUP...
 *
 * The emitter's chapters on arithmetic serve targets whose values hold a
 * whole warp.  No such target is here, so this calls their functions itself,
 * instruction by instruction, between loads and stores of its own that gather
 * and scatter the lanes.  Prints "N right, N wrong, N skipped"; skipped are
 * kernels with other instructions.
 */
#include "golden.h"
#include "pass/pass.h"
#include "simt.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LANES = 32 };

static const struct {
	emit_fn *how;
	int with;
} row[NINSN] = {
#define EMIT(form, how, with) [INSN_##form] = { emit_##how, with },
#include "emit/int.def"
#include "emit/float.def"
#include "emit/cvt.def"
#include "emit/video.def"
EMIT(MOV, mov, 0)
EMIT(MOV_PACK, mov_pack, 0)
EMIT(MOV_UNPACK, mov_unpack, 0)
#undef EMIT
};

/* the address of lane's slot in array, whose slots lie n to a thread */
static LLVMValueRef
slot(struct emit *e, LLVMValueRef array, unsigned n, int lane, int64_t off)
{
	LLVMValueRef at;

	at = LLVMConstInt(LLVMInt64TypeInContext(e->c),
		(uint64_t)(lane * (int)n * 8 + off), false);
	return LLVMBuildGEP2(e->b, LLVMInt8TypeInContext(e->c), array, &at, 1,
		"");
}

static LLVMValueRef
lane_number(struct emit *e, int lane)
{
	return LLVMConstInt(LLVMInt32TypeInContext(e->c), (unsigned)lane,
		false);
}

/* ld.global into operand 0 for all lanes */
static void
gather(struct emit *e, const struct insn *i, unsigned n)
{
	const struct opnd *from = &i->u.opnd[1].u.list[0];
	enum type t = insn_type(i, 0);
	LLVMValueRef v = LLVMGetUndef(emit_tty(e, t)), one;
	int lane;

	for (lane = 0; lane < LANES; lane++) {
		one = LLVMBuildLoad2(e->b,
			LLVMIntTypeInContext(e->c, type_info[t].bits),
			slot(e, LLVMGetParam(e->fn, 0), n, lane, from->off),
			"");
		v = LLVMBuildInsertElement(e->b, v, one,
			lane_number(e, lane), "");
	}
	emit_write(e, &i->u.opnd[0], t, v);
}

static void
scatter(struct emit *e, const struct insn *i, unsigned n)
{
	const struct opnd *to = &i->u.opnd[0].u.list[0];
	LLVMValueRef v = emit_read(e, &i->u.opnd[1], insn_type(i, 0));
	int lane;

	for (lane = 0; lane < LANES; lane++)
		LLVMBuildStore(e->b, LLVMBuildExtractElement(e->b, v,
			lane_number(e, lane), ""),
			slot(e, LLVMGetParam(e->fn, 1), n, lane, to->off));
}

/* does i only find out where the operands are, or end the kernel? */
static bool
is_frame(const struct insn *i)
{
	int id = i->op->id;

	return id == INSN_CVTA_TO || id == INSN_RET
		|| (id == INSN_LD && insn_space(i) == PARAM)
		|| (id == INSN_MOV && i->u.opnd[1].kind == OP_SYM
			&& i->u.opnd[1].u.sym->kind == SYM_SREG);
}

/* false: i is none of ours */
static bool
instruction(struct emit *e, const struct insn *i,
	const struct golden_kernel *k)
{
	int id = i->op->id;

	e->at = i;
	if (is_frame(i))
		return true;
	if (i->guard || insn_word(i, "vec"))
		return false;
	if (id == INSN_LD && insn_space(i) == GLOBAL)
		gather(e, i, k->nin);
	else if (id == INSN_ST && insn_space(i) == GLOBAL)
		scatter(e, i, k->nout);
	else if (row[id].how)
		row[id].how(e, i, row[id].with);
	else
		return false;
	return true;
}

/* void name(const void *in, void *out): all of f for LANES threads */
static bool
body(struct emit *e, const struct func *f, const struct golden_kernel *k)
{
	LLVMTypeRef pointer = LLVMPointerTypeInContext(e->c, 0);
	LLVMTypeRef arg[2] = { pointer, pointer };
	LLVMBasicBlockRef entry, start;
	const struct insn *i;
	bool ok = true;

	e->f = e->kernel = f;
	e->fn = LLVMAddFunction(e->m, k->name, LLVMFunctionType(
		LLVMVoidTypeInContext(e->c), arg, 2, false));
	e->reg = calloc(f->nreg + 1, sizeof *e->reg);
	entry = emit_block(e, "entry");
	start = emit_block(e, "");
	LLVMPositionBuilderAtEnd(e->b, start);
	for (i = f->first; i && ok; i = i->next)
		if (i->kind == STMT_INSN)
			ok = instruction(e, i, k);
	LLVMBuildRetVoid(e->b);
	LLVMPositionBuilderAtEnd(e->b, entry);
	LLVMBuildBr(e->b, start);
	free(e->reg);
	return ok && !e->refused
		&& !LLVMVerifyModule(e->m, LLVMPrintMessageAction, 0);
}

/* k's only kernel as a module of vectors; 0: it has other instructions */
static LLVMModuleRef
build(struct ptx *x, const struct golden_kernel *k,
	const struct emit_options *o, LLVMContextRef c)
{
	struct emit e = { .x = x, .o = o, .t = o->target, .c = c,
		.lanes = LANES };
	bool ok;

	e.m = LLVMModuleCreateWithNameInContext(k->name, c);
	e.b = LLVMCreateBuilderInContext(c);
	LLVMSetTarget(e.m, o->target->triple);
	ok = x->func && !x->func->next && body(&e, x->func, k);
	LLVMDisposeBuilder(e.b);
	if (ok)
		return e.m;
	LLVMDisposeModule(e.m);
	return 0;
}

static bool
run(struct blob b, const struct golden_kernel *k)
{
	LLVMOrcLLJITRef jit;
	LLVMOrcJITDylibRef lib;
	LLVMOrcDefinitionGeneratorRef process;
	LLVMOrcExecutorAddress at = 0;
	uint64_t *out = calloc((size_t)k->n * k->nout, sizeof *out);
	unsigned i;
	bool ok;

	if (LLVMOrcCreateLLJIT(&jit, 0))
		return false;
	lib = LLVMOrcLLJITGetMainJITDylib(jit);
	ok = !LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&process,
		LLVMOrcLLJITGetGlobalPrefix(jit), 0, 0);
	LLVMOrcJITDylibAddGenerator(lib, process);
	ok = ok && !LLVMOrcLLJITAddObjectFile(jit, lib,
		LLVMCreateMemoryBufferWithMemoryRangeCopy(b.data, b.size, ""))
		&& !LLVMOrcLLJITLookup(jit, &at, k->name);
	for (i = 0; ok && i < k->n; i += LANES)
		((void (*)(const uint64_t *, uint64_t *))(uintptr_t)at)(
			k->in + i * k->nin, out + i * k->nout);
	ok = ok && golden_check(k, out);
	LLVMOrcDisposeLLJIT(jit);
	free(out);
	return ok;
}

/* 0 right, 1 wrong, 2 skipped */
static int
check(const struct golden_kernel *k, const struct emit_options *o)
{
	struct ptx x = { .diag = diag_print, .diag_arg = stderr };
	LLVMContextRef c = LLVMContextCreate();
	LLVMModuleRef m;
	struct blob b = { 0, 0 };
	int result = 2;

	ptx_parse(&x, k->name, k->ptx, k->ptx_size);
	m = build(&x, k, o, c);
	if (m) {
		if (emit_optimise(&x, m, o))
			b = emit_object(&x, m, o, false);
		result = !(b.data && run(b, k));
		free(b.data);
		LLVMDisposeModule(m);
	}
	LLVMContextDispose(c);
	ptx_free(&x);
	return result;
}

int
main(int argc, char *argv[])
{
	struct target t = simt_target;
	struct emit_options o = { .target = &t, .level = 0, .fmad = true };
	const char *only = 0;
	char *cpu;
	unsigned count[3] = { 0, 0, 0 };
	struct golden *g;
	size_t n;
	int i, c, r;

	t.lanes = LANES;
	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	o.arch = cpu = LLVMGetHostCPUName();
	while ((c = getopt(argc, argv, "k:")) == 'k')
		only = optarg;
	for (i = optind + 1; i < argc; i++)
		for (g = golden_load(argv[optind], argv[i]), n = 0; n < g->n;
			n++) {
			if (only && strcmp(only, g->kernel[n].name))
				continue;
			r = check(&g->kernel[n], &o);
			count[r]++;
			if (r == 1)
				printf("%s: wrong\n", g->kernel[n].name);
		}
	printf("%u right, %u wrong, %u skipped\n", count[0], count[1],
		count[2]);
	LLVMDisposeMessage(cpu);
	return count[1] > 0;
}
