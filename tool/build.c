/* build.c - code for each processor, and the file that is made of it.
 *
 * A portable image lacks nothing when it lacks code, for it has the PTX: what
 * cannot be compiled there is worth a warning.
 */
#include "tool.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *
build_text(struct arena *a, const struct emit_options *e)
{
	return arena_printf(a, "opt-level=%d\n%s%s", e->level,
		e->fmad ? "" : "fmad=false\n",
		e->line_info ? "generate-line-info=\n" : "");
}

struct product *
build_start(const struct build *b)
{
	struct product *p = calloc(b->ngfx + 1, sizeof *p);

	if (!p)
		abort();
	return p;
}

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* code of all kernels that can be compiled; errors of one processor do not
 * keep another from being compiled for */
static void
compile(const struct build *b, struct ptx *x, struct product *p)
{
	struct emit_options e = b->emit;
	int nerror = x->nerror;
	double start = now_ms();

	x->nerror = 0;
	e.arch = p->arch;
	p->code = compile_image(x, &e, b->jobs, &p->stats, &p->nstats);
	p->ms = now_ms() - start;
	x->nerror += nerror;
}

void
build_code(const struct build *b, struct ptx *x, struct product *p)
{
	struct report *r = b->report;
	size_t i;

	r->lenient = b->sm != 0;
	for (i = 0; i < b->ngfx; i++) {
		p[i].arch = b->gfx[i];
		r->arch = b->ngfx > 1 ? p[i].arch : 0;
		compile(b, x, &p[i]);
	}
	r->arch = 0;
	r->lenient = false;
}

void
build_free(struct product *p)
{
	struct product *i;

	for (i = p; i->arch; i++)
		free(i->code.data);
	free(p);
}

/* the code that there is */
static size_t
collect(const struct product *p, struct image_code *code)
{
	size_t n = 0;

	for (; p->arch; p++) {
		if (!p->code.data)
			continue;
		strcpy(code[n].arch, p->arch);
		code[n].data = p->code.data;
		code[n++].size = p->code.size;
	}
	return n;
}

static struct blob
copy(const struct image_code *code)
{
	struct blob b = { malloc(code->size + 1), code->size };

	if (b.data)
		memcpy(b.data, code->data, code->size);
	return b;
}

static struct blob
portable(const struct build *b, struct image_code *code, size_t n,
	struct bytes ptx)
{
	struct image i = {
		.sm = b->sm,
		.ptx = (const char *)ptx.p, .ptx_size = ptx.n,
		.options = b->text, .options_size = strlen(b->text),
		.code = code, .ncode = n,
	};

	return image_portable(&i);
}

struct blob
build_image(const struct build *b, const struct product *p, struct bytes ptx)
{
	struct blob blob = { 0 };
	struct image_code *code;
	size_t n;

	code = calloc(b->ngfx + 1, sizeof *code);
	if (!code)
		abort();
	n = collect(p, code);
	if (b->sm)
		blob = portable(b, code, n, ptx);
	else if (b->ngfx == 1 && n == 1)
		blob = copy(code);
	else if (n)
		blob = image_bundle(code, n);
	free(code);
	return blob;
}
