/* jit.c - a module's units compiled for this CPU and kept in this process. */
#include "simt.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>

struct simt_code {
	struct ptx *x;
	LLVMOrcLLJITRef jit;
	LLVMOrcThreadSafeContextRef context;
	uint32_t shared;        /* bytes of static shared memory */
	unsigned place;
};

/* diagnoses err and takes it away; true: there was one */
static bool
failed(struct ptx *x, LLVMErrorRef err)
{
	struct loc nowhere = { 0, 0 };
	char *text;

	if (!err)
		return false;
	text = LLVMGetErrorMessage(err);
	diag(x, ERROR, nowhere, "%s", text);
	LLVMDisposeErrorMessage(text);
	return true;
}

static LLVMOrcJITTargetMachineBuilderRef
machine(const struct emit_options *o)
{
	LLVMTargetRef t;
	char *why;

	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	if (LLVMGetTargetFromTriple(o->target->triple, &t, &why))
		return 0;
	return LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(
		LLVMCreateTargetMachine(t, o->target->triple, o->arch, "",
			LLVMCodeGenLevelNone, LLVMRelocPIC,
			LLVMCodeModelJITDefault));
}

/* what compiled code calls: ours and the C library's */
static bool
provide(struct simt_code *c)
{
	LLVMJITSymbolFlags flags = { LLVMJITSymbolGenericFlagsExported |
		LLVMJITSymbolGenericFlagsCallable, 0 };
	LLVMOrcJITDylibRef d = LLVMOrcLLJITGetMainJITDylib(c->jit);
	LLVMOrcDefinitionGeneratorRef process;
	LLVMOrcCSymbolMapPair ours[] = {
		{ LLVMOrcLLJITMangleAndIntern(c->jit, "simt_stop"),
			{ (uintptr_t)simt_stop, flags } },
		{ LLVMOrcLLJITMangleAndIntern(c->jit, "simt_sreg"),
			{ (uintptr_t)simt_sreg, flags } },
	};

	if (failed(c->x, LLVMOrcJITDylibDefine(d,
	    LLVMOrcAbsoluteSymbols(ours, 2))))
		return false;
	if (failed(c->x, LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
	    &process, LLVMOrcLLJITGetGlobalPrefix(c->jit), 0, 0)))
		return false;
	LLVMOrcJITDylibAddGenerator(d, process);
	return true;
}

/* a shared variable becomes its address; those of no size start where the
 * others end */
static void
place(struct simt_code *c, LLVMTargetDataRef layout, LLVMValueRef v)
{
	LLVMTypeRef ty = LLVMGlobalGetValueType(v);
	LLVMContextRef ctx = LLVMOrcThreadSafeContextGetContext(c->context);
	uint32_t align = LLVMGetAlignment(v) ? LLVMGetAlignment(v) : 16;

	c->shared = (c->shared + align - 1) / align * align;
	LLVMReplaceAllUsesWith(v, LLVMConstIntToPtr(LLVMConstInt(
		LLVMInt64TypeInContext(ctx), SIMT_SHARED + c->shared, false),
		LLVMTypeOf(v)));
	c->shared += LLVMABISizeOfType(layout, ty);
}

static void
place_all(struct simt_code *c, LLVMModuleRef m)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m);
	LLVMValueRef v, next;
	bool open;

	c->shared = 0;
	for (open = false;; open = true) {
		for (v = LLVMGetFirstGlobal(m); v; v = next) {
			next = LLVMGetNextGlobal(v);
			if (LLVMGetPointerAddressSpace(LLVMTypeOf(v)) !=
			    SIMT_SHARED_AS || LLVMIsDeclaration(v) != open)
				continue;
			place(c, layout, v);
			LLVMDeleteGlobal(v);
		}
		if (open)
			return;
	}
}

static bool
is_sound(struct simt_code *c, LLVMModuleRef m)
{
	struct loc nowhere = { 0, 0 };
	bool broken;
	char *why;

	broken = LLVMVerifyModule(m, LLVMReturnStatusAction, &why);
	if (broken)
		diag(c->x, ERROR, nowhere, "%s", why);
	LLVMDisposeMessage(why);
	return !broken;
}

static bool
add(struct simt_code *c, const struct unit *u, const struct emit_options *o)
{
	LLVMModuleRef m;

	m = emit_unit(c->x, u, o,
		LLVMOrcThreadSafeContextGetContext(c->context));
	if (!m || !emit_optimise(c->x, m, o))
		return false;
	place_all(c, m);
	if (LLVMGetNamedFunction(m, "simt_stop"))
		c->place = simt_prepare(m, c->place);
	return is_sound(c, m) && !failed(c->x, LLVMOrcLLJITAddLLVMIRModule(
		c->jit, LLVMOrcLLJITGetMainJITDylib(c->jit),
		LLVMOrcCreateNewThreadSafeModule(m, c->context)));
}

struct simt_code *
simt_compile(struct ptx *x, int level)
{
	struct emit_options o = { .target = &simt_target,
		.arch = "x86-64-v3", .level = level, .fmad = true };
	struct simt_code *c = calloc(1, sizeof *c);
	LLVMOrcLLJITBuilderRef b = LLVMOrcCreateLLJITBuilder();
	struct unit *u;
	size_t n, i;

	c->x = x;
	c->place = 1;
	LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(b, machine(&o));
	c->context = LLVMOrcCreateNewThreadSafeContext();
	if (failed(x, LLVMOrcCreateLLJIT(&c->jit, b)) || !provide(c))
		goto no;
	u = unit_split(x, &x->arena, &n);
	for (i = 0; i < n; i++)
		if (!add(c, &u[i], &o))
			goto no;
	return c;
no:
	simt_free(c);
	return 0;
}

void
simt_free(struct simt_code *c)
{
	struct loc nowhere = { 0, 0 };

	if (c->jit && LLVMOrcDisposeLLJIT(c->jit))
		diag(c->x, ERROR, nowhere, "the compiler does not end");
	LLVMOrcDisposeThreadSafeContext(c->context);
	free(c);
}

/* the compiler gives a number */
union entry {
	uintptr_t address;
	void (*kernel)(void *);
};

const char *
simt_launch(struct simt_code *c, const char *kernel, const void *param,
	size_t nparam, uint32_t nctaid, uint32_t ntid, uint32_t dynamic)
{
	struct launch l = { .ntid = { ntid, 1, 1 }, .nctaid = { nctaid, 1, 1 },
		.shared_dynamic = dynamic,
		.shared_total = c->shared + dynamic };
	LLVMOrcExecutorAddress at;
	union entry entry;
	size_t size = (nparam + 7) / 8 * 8;
	char *block;
	const char *why;

	if (failed(c->x, LLVMOrcLLJITLookup(c->jit, &at, kernel)))
		return "it was not compiled";
	entry.address = (uintptr_t)at;
	block = calloc(1, size + sizeof l);
	memcpy(block, param, nparam);
	memcpy(block + size, &l, sizeof l);
	why = simt_run(entry.kernel, block, &l);
	free(block);
	return why;
}
