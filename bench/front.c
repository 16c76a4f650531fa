/* front.c - where the time of a -O3 compile goes, module by module.
 *
 *	front ARCH file.ptx...
 *
 * Parsing and checking are the best of five; the rest is run once.  Front
 * end is all from the first byte to the end of LLVM IR construction.
 */
#include "emit.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct times {
	size_t bytes;
	double parse, pass, build, optimise, object, link;
};

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void
parse(struct ptx *x, const char *file, struct times *t)
{
	char *text;
	double start, took;
	size_t n;
	int k;

	text = file_read(x, file, &n);
	if (!text)
		exit(1);
	t->bytes = n;
	for (k = 0; k < 5; k++) {
		ptx_free(x);
		x->diag = diag_print;
		x->diag_arg = stderr;
		start = now();
		ptx_parse(x, file, text, n);
		ptx_verify(x);
		took = now() - start;
		if (!k || took < t->parse)
			t->parse = took;
	}
	start = now();
	pass_run(x, 0, 0);
	t->pass = now() - start;
}

/* one unit's way; adds to t */
static struct blob
compile(struct ptx *x, const struct unit *u, const struct emit_options *o,
	struct times *t)
{
	struct blob b = { 0, 0 };
	LLVMContextRef c;
	LLVMModuleRef m;
	double start, built, optimised;

	c = LLVMContextCreate();
	start = now();
	m = emit_unit(x, u, o, c);
	built = now();
	t->build += built - start;
	if (m && emit_optimise(x, m, o)) {
		optimised = now();
		t->optimise += optimised - built;
		b = emit_object(x, m, o, false);
		t->object += now() - optimised;
	}
	if (m)
		LLVMDisposeModule(m);
	LLVMContextDispose(c);
	return b;
}

static void
measure(const char *file, const struct emit_options *o, struct times *t)
{
	struct ptx x = { .diag = diag_print, .diag_arg = stderr };
	struct blob *obj;
	struct unit *u;
	double start;
	size_t n, k, nobj;

	parse(&x, file, t);
	u = unit_split(&x, &x.arena, &n);
	obj = calloc(n + 1, sizeof *obj);
	if (!obj)
		exit(1);
	for (k = nobj = 0; k < n; k++) {
		obj[nobj] = compile(&x, &u[k], o, t);
		nobj += obj[nobj].data != 0;
	}
	start = now();
	free(link_image(&x, obj, nobj).data);
	t->link = now() - start;
	while (nobj)
		free(obj[--nobj].data);
	free(obj);
	ptx_free(&x);
}

static void
print(const char *name, const struct times *t)
{
	double front, all;

	front = t->parse + t->pass + t->build;
	all = front + t->optimise + t->object + t->link;
	printf("| %-16s | %6.2f | %5.1f | %6.3f | %6.3f | %6.3f | %7.2f | "
		"%7.2f | %6.3f | %5.2f%% |\n", name, (double)t->bytes / 1e6,
		(double)t->bytes / 1e6 / t->parse, t->parse, t->pass,
		t->build, t->optimise, t->object, t->link,
		100 * front / all);
	fflush(stdout);
}

int
main(int argc, char *argv[])
{
	struct emit_options o = {
		.target = &target_amdgpu, .level = 3, .fmad = true,
	};
	struct times sum = {0}, t;
	const char *name;
	int k;

	if (argc < 3)
		return 2;
	o.arch = argv[1];
	puts("| module | MB | MB/s | parse, check | passes | IR | optimise "
		"| code | link | front end |\n"
		"|---|---|---|---|---|---|---|---|---|---|");
	for (k = 2; k < argc; k++) {
		t = (struct times){0};
		measure(argv[k], &o, &t);
		name = strrchr(argv[k], '/');
		print(name ? name + 1 : argv[k], &t);
		sum.bytes += t.bytes;
		sum.parse += t.parse;
		sum.pass += t.pass;
		sum.build += t.build;
		sum.optimise += t.optimise;
		sum.object += t.object;
		sum.link += t.link;
	}
	print("all", &sum);
	return 0;
}
