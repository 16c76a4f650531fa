/* listing.c - what --emit shows: PTX, LLVM's language, assembly, an object.
 *
 * The code of a real image is made unit by unit; here the units become one
 * module, so that the text is whole and can be assembled.
 */
#include "ptxas.h"
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>

static struct blob
print_ptx(const struct ptx *x)
{
	char *text = 0;
	struct blob b = { 0 };
	FILE *f;

	f = open_memstream(&text, &b.size);
	if (!f)
		return b;
	ptx_print(x, f);
	fclose(f);
	b.data = text;
	return b;
}

static struct blob
print_llvm(LLVMModuleRef m)
{
	char *text = LLVMPrintModuleToString(m);
	struct blob b = { strdup(text), strlen(text) };

	LLVMDisposeMessage(text);
	return b;
}

/* all units in one module, each optimised as in an image */
static LLVMModuleRef
all_units(struct ptx *x, const struct emit_options *e, LLVMContextRef c,
	struct arena *a)
{
	LLVMModuleRef all = 0, m;
	struct unit *u;
	size_t n;

	u = unit_split(x, a, &n);
	for (; n--; u++) {
		m = emit_unit(x, u, e, c);
		if (!m)
			continue;
		emit_optimise(x, m, e);
		if (!all)
			all = m;
		else if (LLVMLinkModules2(all, m))
			diag(x, ERROR, (struct loc){ 0 },
				"units do not fit together");
	}
	return all;
}

static struct blob
print_code(struct ptx *x, const struct options *o)
{
	struct emit_options e = o->build.emit;
	struct arena a = { 0 };
	struct blob b = { 0 };
	LLVMContextRef c = LLVMContextCreate();
	LLVMModuleRef m;

	e.arch = o->build.gfx[0];
	m = all_units(x, &e, c, &a);
	if (m && !x->nerror && !strcmp(o->listing, "llvm"))
		b = print_llvm(m);
	else if (m && !x->nerror)
		b = emit_object(x, m, &e, !strcmp(o->listing, "asm"));
	if (m)
		LLVMDisposeModule(m);
	LLVMContextDispose(c);
	arena_free(&a);
	return b;
}

struct blob
listing(struct ptx *x, const struct options *o)
{
	if (!strcmp(o->listing, "ptx"))
		return print_ptx(x);
	return print_code(x, o);
}
