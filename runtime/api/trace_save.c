/* trace_save.c - PTXAMD_TRACE=DIR/: modules as they are loaded, and kernels
 * as they are compiled, as files.
 */
#include "trace.h"
#include "compile.h"
#include <stdio.h>
#include <string.h>

static void
say(const char *what, const char *name, uint64_t ns, const char *path)
{
	struct line l = { .size = 0 };

	line_add(&l, "%11.6f %s %s", (double)(trace_now() - trace_start()) /
		1e9, what, name);
	if (ns)
		line_add(&l, " <%.3f us>", (double)ns / 1e3);
	if (path)
		line_add(&l, ": %s", path);
	trace_text(&l);
}

void
trace_program(const struct program *p)
{
	static atomic_uint count;
	char path[512], name[16];
	bool saved;

	if (!p->text)
		return;
	snprintf(name, sizeof name, "%u", atomic_fetch_add(&count, 1) + 1);
	saved = trace_folder() && trace_save("modules", name, "ptx", p->text,
		strlen(p->text), path);
	say("module", name, 0, saved ? path : 0);
}

/* names of kernels as names of files */
static void
clean(char *name)
{
	for (; *name; name++)
		if (*name == '/')
			*name = '_';
}

void
trace_compiled(const struct compile_event *e)
{
	char path[512], name[201];
	bool saved;

	trace_lock();
	trace_sum_compile(e->cached, e->ns);
	trace_unlock();
	snprintf(name, sizeof name, "%.200s", e->arch && e->program->pointers ?
		"all kernels" : e->kernel ? e->kernel : "variables");
	clean(name);
	saved = trace_folder() && e->code && trace_save("kernels", name,
		e->arch ? "hsaco" : "o", e->code, e->size, path);
	say(e->cached ? "from the cache" : e->code ? "compiled" : "refused",
		name, e->ns, saved ? path : 0);
}
