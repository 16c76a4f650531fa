/* service.c - what CUDA's device library has the host do: vprintf, malloc,
 * free, __assertfail.
 *
 * The device's side is PTX, service.ptx.  It is parsed when a unit calls one
 * of them that the module does not define, and emitted behind the unit's own
 * functions.
 */
#include "emit_int.h"
#include "launch.h"
#include "arith.h"

#include <string.h>

/* as service.ptx has them */
_Static_assert(offsetof(struct service, ring) == 8, "service.ptx");
_Static_assert(offsetof(struct service, shift) == 16, "service.ptx");
_Static_assert(offsetof(struct service, entry) == 20, "service.ptx");
_Static_assert(offsetof(struct service_entry, function) == 8, "service.ptx");
_Static_assert(offsetof(struct service_entry, size) == 12, "service.ptx");
_Static_assert(offsetof(struct service_entry, argument) == 16, "service.ptx");
_Static_assert(offsetof(struct service_entry, result) == 48, "service.ptx");
_Static_assert(offsetof(struct service_entry, data) == 56, "service.ptx");

/* the lines of service.ptx */
static const char *const lines[] = {
#include "emit/service.inc"
};

enum { NLINES = sizeof lines / sizeof *lines };

static const char *const names[] = {
	"vprintf", "malloc", "free", "__assertfail",
};

static bool
is_service(const struct func *f)
{
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], f->sym->name->text))
			return true;
	return false;
}

const struct func *
emit_service(struct emit *e, const struct func *f)
{
	if (!is_service(f))
		return 0;
	if (!e->services)
		e->services = library_parse(e, "service.ptx", lines, NLINES);
	return library_func(e->services, f->sym->name->text);
}

static unsigned
function_of(const struct func *f)
{
	static const struct {
		const char *name;
		enum service_function function;
	} row[] = {
		{ "vprintf", SERVICE_PRINTF }, { "malloc", SERVICE_MALLOC },
		{ "free", SERVICE_FREE }, { "__assertfail", SERVICE_ASSERT },
	};
	size_t i;

	for (i = 0; i < sizeof row / sizeof *row; i++)
		if (!strcmp(row[i].name, f->sym->name->text))
			return row[i].function;
	return 0;
}

/* the body of fn is one question to the host; its parameters are the launch
 * block, the ring, and what the host is asked */
static void
ask(struct emit *e, LLVMValueRef fn, const struct func *f)
{
	LLVMTypeRef to = LLVMGetReturnType(LLVMGlobalGetValueType(fn));
	LLVMValueRef v, arg[4];
	unsigned k, n = LLVMCountParams(fn);

	e->f = f;
	LLVMPositionBuilderAtEnd(e->b, LLVMAppendBasicBlockInContext(e->c, fn,
		""));
	for (k = 0; k < 4; k++)
		arg[k] = k + 2 < n ? emit_resize(e, LLVMGetParam(fn, k + 2),
			64, false) : emit_k(e, emit_ity(e, 64), 0);
	v = e->t->service(e, function_of(f), arg);
	if (function_of(f) == SERVICE_ASSERT)
		e->t->trap(e);
	if (LLVMGetTypeKind(to) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(e->b);
	else
		LLVMBuildRet(e->b, LLVMBuildTrunc(e->b, v, to, ""));
}

/* A service calls others: round until nothing is missing.  They are long and
 * rarely run, so they are not inlined into kernels. */
void
emit_services(struct emit *e)
{
	const struct func *f;
	LLVMValueRef fn;
	bool more;

	do {
		more = false;
		f = e->services ? library_first(e->services) : 0;
		for (; f; f = f->next) {
			fn = LLVMGetNamedFunction(e->m, f->sym->name->text);
			if (!fn || !LLVMIsDeclaration(fn))
				continue;
			if (e->t->service)
				ask(e, fn, f);
			else
				emit_function(e, f);
			if (is_service(f) && !e->t->service)
				emit_flag(e, fn, "noinline");
			more = true;
		}
	} while (more && !e->refused);
}
