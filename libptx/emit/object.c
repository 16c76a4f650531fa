/* object.c - LLVM's code generator: a module to an object or to assembly.
 *
 * LLVM reports some errors through the context's diagnostic handler and goes
 * on, and others through report_fatal_error, which would abort the program:
 * a handler jumps back to the thread that is compiling.  The context is then
 * lost, on purpose.  Both kinds of text become diagnostics of the unit.
 */
#include "emit_int.h"

#include <llvm-c/ErrorHandling.h>
#include <llvm-c/TargetMachine.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* LLVM calls its fatal error handler without an argument of ours: what a
 * thread is doing can only be found through the thread */
struct guard {
	jmp_buf back;
	char text[512];
};

static _Thread_local struct guard *guarded;

static void
fatal(const char *text)
{
	if (!guarded)
		return;
	snprintf(guarded->text, sizeof guarded->text, "%s", text);
	longjmp(guarded->back, 1);
}

static void
init(void)
{
	emit_avoid_sdwa();
	LLVMInitializeAMDGPUTargetInfo();
	LLVMInitializeAMDGPUTarget();
	LLVMInitializeAMDGPUTargetMC();
	LLVMInitializeAMDGPUAsmPrinter();
	LLVMInitializeNativeTarget();
	LLVMInitializeNativeAsmPrinter();
	LLVMInstallFatalErrorHandler(fatal);
}

static const LLVMCodeGenOptLevel level[] = {
	LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
	LLVMCodeGenLevelDefault, LLVMCodeGenLevelAggressive,
};

LLVMTargetMachineRef
emit_machine(const struct emit_options *o)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	LLVMTargetRef t;
	const char *cpu;
	char *why;

	pthread_once(&once, init);
	if (LLVMGetTargetFromTriple(o->target->triple, &t, &why)) {
		LLVMDisposeMessage(why);
		return 0;
	}
	cpu = o->target->cpu ? o->target->cpu(o->arch) : o->arch;
	return LLVMCreateTargetMachine(t, o->target->triple, cpu,
		o->target->features(o->arch), level[o->level & 3],
		LLVMRelocPIC, LLVMCodeModelDefault);
}

LLVMTargetDataRef
emit_layout(const struct emit_options *o)
{
	LLVMTargetMachineRef m;
	LLVMTargetDataRef layout;

	m = emit_machine(o);
	layout = LLVMCreateTargetDataLayout(m);
	LLVMDisposeTargetMachine(m);
	return layout;
}

struct report {
	struct ptx *x;
	LLVMModuleRef m;
	int nerror;
};

/* LLVM said text about some kernel of m: name the first.  It prefixes what
 * it has no place for. */
static void
complain(struct report *r, const char *text)
{
	static const char unplaced[] = "<unknown>:0:0: ";
	struct loc nowhere = { 0, 0 };
	LLVMValueRef fn;
	size_t n;

	r->nerror++;
	if (!strncmp(text, unplaced, sizeof unplaced - 1))
		text += sizeof unplaced - 1;
	for (fn = LLVMGetFirstFunction(r->m); fn; fn = LLVMGetNextFunction(fn))
		if (!LLVMIsDeclaration(fn)
		&& LLVMGetLinkage(fn) == LLVMExternalLinkage)
			break;
	diag(r->x, ERROR, nowhere, "\"%s\": %s",
		fn ? LLVMGetValueName2(fn, &n) : "data", text);
}

static void
listen(LLVMDiagnosticInfoRef d, void *arg)
{
	char *text;

	if (LLVMGetDiagInfoSeverity(d) != LLVMDSError)
		return;
	text = LLVMGetDiagInfoDescription(d);
	complain(arg, text);
	LLVMDisposeMessage(text);
}

/* work(arg) under the handlers; false: an error was reported */
bool
emit_guarded(struct ptx *x, LLVMModuleRef m, bool (*work)(void *), void *arg)
{
	struct report r = { x, m, 0 };
	struct guard g;
	LLVMContextRef c;
	volatile bool ok;

	c = LLVMGetModuleContext(m);
	LLVMContextSetDiagnosticHandler(c, listen, &r);
	guarded = &g;
	ok = false;
	if (!setjmp(g.back))
		ok = work(arg);
	else
		complain(&r, g.text);
	guarded = 0;
	LLVMContextSetDiagnosticHandler(c, 0, 0);
	return ok && !r.nerror;
}

struct job {
	LLVMModuleRef m;
	const struct emit_options *o;
	LLVMCodeGenFileType kind;
	LLVMMemoryBufferRef out;
};

static bool
generate(void *arg)
{
	struct job *j = arg;
	LLVMTargetMachineRef tm;
	char *why;

	tm = emit_machine(j->o);
	why = 0;
	if (LLVMTargetMachineEmitToMemoryBuffer(tm, j->m, j->kind, &why,
		&j->out)) {
		LLVMDisposeMessage(why);
		j->out = 0;
	}
	LLVMDisposeTargetMachine(tm);
	return j->out != 0;
}

struct blob
emit_object(struct ptx *x, LLVMModuleRef m, const struct emit_options *o,
	bool assembly)
{
	struct job j = { m, o, assembly ? LLVMAssemblyFile : LLVMObjectFile,
		0 };
	struct blob b = { 0, 0 };

	if (emit_guarded(x, m, generate, &j)) {
		b.size = LLVMGetBufferSize(j.out);
		b.data = malloc(b.size + 1);
		memcpy(b.data, LLVMGetBufferStart(j.out), b.size);
		((char *)b.data)[b.size] = 0;
	}
	if (j.out)
		LLVMDisposeMemoryBuffer(j.out);
	return b;
}
