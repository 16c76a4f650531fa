/* host.c - a kernel for this CPU: from PTX to an object.
 *
 * The emitter's scalar code is cleaned up a little, so that its values and
 * loops are in the form that widening wants, widened, and cleaned up again.
 * Both lists of passes are short on purpose: a kernel is compiled when it is
 * first launched.
 */
#include "widen_int.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdlib.h>
#include <string.h>

static const char first[] = "function(sroa),always-inline,"
	"function(sroa,early-cse,simplifycfg)";
static const char before[] = "function(early-cse,"
	"instcombine<no-verify-fixpoint>,simplifycfg,early-cse,loop-simplify,"
	"lcssa)";
static const char after[] = "function(sroa,early-cse,"
	"instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(licm),gvn,"
	"instcombine<no-verify-fixpoint>,simplifycfg,adce)";

struct job {
	struct ptx *x;
	const struct emit_options *o;
	LLVMModuleRef m;
	struct widen *w;
	const char *kernel;
	const struct unit *u;
	enum host_output want;
	LLVMTargetMachineRef tm;
	struct blob out;
};

static bool
run(struct job *j, const char *list)
{
	LLVMPassBuilderOptionsRef po = LLVMCreatePassBuilderOptions();
	LLVMErrorRef err;

	err = LLVMRunPasses(j->m, list, j->tm, po);
	LLVMDisposePassBuilderOptions(po);
	if (err)
		LLVMConsumeError(err);
	return !err;
}

/* functions that cannot call themselves go where they are called, but for
 * those that are too large for that */
static void
inline_all(struct job *j)
{
	unsigned attr = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
	unsigned norecurse = LLVMGetEnumAttributeKindForName("norecurse", 9);
	unsigned never = LLVMGetEnumAttributeKindForName("noinline", 8);
	LLVMContextRef c = LLVMGetModuleContext(j->m);
	LLVMValueRef fn;

	for (fn = LLVMGetFirstFunction(j->m); fn; fn = LLVMGetNextFunction(fn))
		if (LLVMGetLinkage(fn) == LLVMInternalLinkage
		&& !LLVMIsDeclaration(fn)
		&& LLVMGetEnumAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
			norecurse)
		&& !LLVMGetEnumAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
			never))
			LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(c, attr, 0));
}

/* what was inlined everywhere goes */
static void
drop_unused(struct job *j)
{
	LLVMValueRef fn, next;

	for (fn = LLVMGetFirstFunction(j->m); fn; fn = next) {
		next = LLVMGetNextFunction(fn);
		if (LLVMGetLinkage(fn) == LLVMInternalLinkage
		&& !LLVMGetFirstUse(fn))
			LLVMDeleteFunction(fn);
	}
}

static void
open_widen(struct job *j, struct widen *w)
{
	w->x = j->x;
	w->o = j->o;
	w->m = j->m;
	w->c = LLVMGetModuleContext(j->m);
	w->layout = LLVMGetModuleDataLayout(j->m);
	w->b = LLVMCreateBuilderInContext(w->c);
	w->i1 = LLVMInt1TypeInContext(w->c);
	w->i8 = LLVMInt8TypeInContext(w->c);
	w->i32 = LLVMInt32TypeInContext(w->c);
	w->i64 = LLVMInt64TypeInContext(w->c);
	w->ptr = LLVMPointerTypeInContext(w->c, 0);
	w->mask_type = LLVMVectorType(w->i1, LANES);
}

static LLVMValueRef
declare_run(struct widen *w, LLVMValueRef fn)
{
	LLVMTypeRef ty = LLVMFunctionType(LLVMVoidTypeInContext(w->c), &w->ptr,
		1, false);

	return widen_named(w, fn, "run", ty);
}

/* everything that has a body, from the list fn of n */
static void
widen_list(struct widen *w, LLVMValueRef *fn, size_t n, LLVMValueRef *run_)
{
	LLVMValueRef to;
	size_t i;

	for (i = 0; i < n && !w->refused; i++) {
		to = LLVMGetLinkage(fn[i]) == LLVMExternalLinkage
			? (*run_ = declare_run(w, fn[i]))
			: widen_declare(w, fn[i]);
		widen_function(w, fn[i], to);
	}
	for (i = 0; i < n && !w->refused; i++)
		LLVMReplaceAllUsesWith(fn[i],
			LLVMGetLinkage(fn[i]) == LLVMExternalLinkage
			? declare_run(w, fn[i]) : widen_declare(w, fn[i]));
	for (i = 0; i < n && !w->refused; i++)
		LLVMDeleteFunction(fn[i]);
}

static LLVMValueRef
describe(struct widen *w, LLVMValueRef run_)
{
	struct host_kernel *k = w->info;
	LLVMValueRef v[] = {
		widen_k32(w, HOST_VERSION), widen_k32(w, w->flags),
		widen_k32(w, k->shared), widen_k32(w, k->dynamic),
		widen_k32(w, (uint32_t)w->local), widen_k32(w, 0), run_,
	};

	return LLVMConstStructInContext(w->c, v, sizeof v / sizeof *v, false);
}

static void
define_kernel(struct widen *w, const char *kernel, LLVMValueRef run_)
{
	struct arena a = { 0 };
	LLVMValueRef v, g;

	v = describe(w, run_);
	g = LLVMAddGlobal(w->m, LLVMTypeOf(v), arena_printf(&a, "%s.host",
		kernel));
	LLVMSetInitializer(g, v);
	LLVMSetGlobalConstant(g, true);
	arena_free(&a);
}

static bool
widen_module(struct job *j)
{
	struct host_kernel info = { 0 };
	struct widen_map map = { 0 };
	struct widen *w = j->w;
	LLVMValueRef *list, fn, run_ = 0;
	size_t n = 0;

	w->info = &info;
	w->value = &map;
	open_widen(j, w);
	widen_shared(w);
	for (fn = LLVMGetFirstFunction(j->m); fn; fn = LLVMGetNextFunction(fn))
		n++;
	list = calloc(n + 1, sizeof(LLVMValueRef));
	n = 0;
	for (fn = LLVMGetFirstFunction(j->m); fn; fn = LLVMGetNextFunction(fn))
		if (!LLVMIsDeclaration(fn))
			list[n++] = fn;
	widen_list(w, list, n, &run_);
	if (run_ && !w->refused)
		define_kernel(w, j->kernel, run_);
	free(list);
	LLVMDisposeBuilder(w->b);
	return !w->refused;
}

static void
keep(struct blob *out, const char *data, size_t size)
{
	out->size = size;
	out->data = malloc(size + 1);
	memcpy(out->data, data, size);
	((char *)out->data)[size] = 0;
}

static bool
print(struct job *j)
{
	char *text = LLVMPrintModuleToString(j->m);

	keep(&j->out, text, strlen(text));
	LLVMDisposeMessage(text);
	return true;
}

static bool
is_sound(struct job *j)
{
	struct loc nowhere = { 0, 0 };
	char *why;
	bool broken;

	broken = LLVMVerifyModule(j->m, LLVMReturnStatusAction, &why);
	if (broken)
		diag(j->x, ERROR, nowhere, "\"%s\": %s", j->kernel ? j->kernel
			: "data", why);
	LLVMDisposeMessage(why);
	return !broken;
}

static bool
generate(struct job *j)
{
	LLVMMemoryBufferRef b;
	char *why;

	if (LLVMTargetMachineEmitToMemoryBuffer(j->tm, j->m,
	    j->want == HOST_ASSEMBLY ? LLVMAssemblyFile : LLVMObjectFile, &why,
	    &b)) {
		LLVMDisposeMessage(why);
		return false;
	}
	keep(&j->out, LLVMGetBufferStart(b), LLVMGetBufferSize(b));
	LLVMDisposeMemoryBuffer(b);
	return true;
}

static bool
compile(void *arg)
{
	struct job *j = arg;

	inline_all(j);
	if (!run(j, first))
		return false;
	drop_unused(j);
	emit_addresses(j->m, j->o);
	if (!run(j, before))
		return false;
	if (j->want == HOST_SCALAR)
		return print(j);
	if (!widen_module(j))
		return false;
	if (j->want == HOST_WIDENED)
		return print(j);
	if (!is_sound(j) || !run(j, after))
		return false;
	return j->want == HOST_IR ? print(j) : generate(j);
}

static const struct func *
find_kernel(const struct ptx *x, const char *name)
{
	const struct func *f;

	for (f = x->func; f; f = f->next)
		if (f->entry && f->has_body && !strcmp(f->sym->name->text,
		name))
			return f;
	return 0;
}

static const struct unit *
unit(struct ptx *x, struct arena *a, const char *kernel)
{
	struct loc nowhere = { 0, 0 };
	const struct func *f;

	if (!kernel)
		return unit_data(x, a);
	f = find_kernel(x, kernel);
	if (!f) {
		diag(x, ERROR, nowhere, "there is no kernel \"%s\"", kernel);
		return 0;
	}
	return unit_kernel(x, a, f);
}

struct blob
host_compile(struct ptx *x, const struct emit_options *o, const char *kernel,
	struct host_shape form, enum host_output want)
{
	struct widen w = { .form = form };
	struct job j = { .x = x, .o = o, .w = &w, .kernel = kernel,
		.want = want };
	LLVMContextRef c = LLVMContextCreate();
	struct arena a = { 0 };
	const struct unit *u = unit(x, &a, kernel);
	bool ok;

	if (u && kernel)
		w.launch = (u->kernel[0]->param_size + 7) & ~(uint64_t)7;
	j.m = u ? emit_unit(x, u, o, c) : 0;
	if (j.m) {
		j.tm = emit_machine(o);
		ok = emit_guarded(x, j.m, compile, &j);
		LLVMDisposeTargetMachine(j.tm);
		if (!ok && j.out.data) {
			free(j.out.data);
			j.out = (struct blob){ 0, 0 };
		}
		if (!ok) /* LLVM may be in the middle of things */
			return j.out;
		LLVMDisposeModule(j.m);
	}
	LLVMContextDispose(c);
	arena_free(&a);
	return j.out;
}
