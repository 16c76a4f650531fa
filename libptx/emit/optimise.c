/* optimise.c - LLVM's passes over a unit.
 *
 * PTX's registers are memory and its addresses integers.  First SROA makes
 * values of the registers, then address.c makes pointers of the integers,
 * and only then LLVM's own pipeline sees it.  At -O0 the code generator gets
 * what was emitted, with the registers made values: AMDGPU's fast register
 * allocator would otherwise spill every one of them.
 */
#include "emit_int.h"

#include <llvm-c/Error.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

static const char *const pipeline[] = {
	"mem2reg", "default<O1>", "default<O2>", "default<O3>",
};

struct job {
	LLVMModuleRef m;
	const struct emit_options *o;
	LLVMTargetMachineRef tm;
};

static bool
run(struct job *j, const char *list)
{
	LLVMPassBuilderOptionsRef po;
	LLVMErrorRef err;

	po = LLVMCreatePassBuilderOptions();
	err = LLVMRunPasses(j->m, list, j->tm, po);
	LLVMDisposePassBuilderOptions(po);
	if (err)
		LLVMConsumeError(err);
	return !err;
}

static bool
optimise(void *arg)
{
	struct job *j = arg;

	if (j->o->level == 0)
		return run(j, pipeline[0]);
	if (!strncmp(LLVMGetTarget(j->m), "amdgcn", 6))
		emit_turns(j->m);
	if (!run(j, "function(sroa,early-cse,simplifycfg)"))
		return false;
	emit_addresses(j->m, j->o);
	return run(j, pipeline[j->o->level & 3]);
}

bool
emit_optimise(struct ptx *x, LLVMModuleRef m, const struct emit_options *o)
{
	struct job j = { m, o, emit_machine(o) };
	bool ok;

	ok = emit_guarded(x, m, optimise, &j);
	LLVMDisposeTargetMachine(j.tm);
	return ok;
}
