/* product.c - code for each processor, and the file that is made of it.
 *
 * Nothing is written when an error was reported, so that an older output
 * stays: unless --keep-going is given, which leaves out the kernels that
 * cannot be compiled.  A portable image lacks nothing when it lacks code, for
 * it has the PTX: what cannot be compiled there is worth a warning.
 */
#include "ptxas.h"
#include "link.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
compile(struct ptx *x, struct options *o, struct product *p)
{
	struct emit_options e = o->emit;
	int nerror = x->nerror;
	double start = now_ms();

	x->nerror = 0;
	e.arch = p->arch;
	p->code = compile_image(x, &e, o->jobs, &p->stats, &p->nstats);
	p->ms = now_ms() - start;
	x->nerror += nerror;
}

struct product *
product_make(struct ptx *x, struct options *o)
{
	struct product *p;
	size_t i;

	p = calloc(o->ngfx + 1, sizeof *p);
	if (!p)
		abort();
	if (o->report->failed || o->compile_only || o->listing)
		return p;
	o->report->lenient = o->mode == MODE_PORTABLE;
	for (i = 0; i < o->ngfx; i++) {
		p[i].arch = o->gfx[i];
		compile(x, o, &p[i]);
	}
	o->report->lenient = false;
	return p;
}

static size_t
collect(const struct options *o, const struct product *p,
	struct image_code *code)
{
	size_t i, n = 0;

	for (i = 0; i < o->ngfx; i++) {
		if (!p[i].code.data)
			continue;
		strcpy(code[n].arch, p[i].arch);
		code[n].data = p[i].code.data;
		code[n++].size = p[i].code.size;
	}
	return n;
}

static struct blob
copy(const struct blob *b)
{
	struct blob c = { malloc(b->size + 1), b->size };

	if (c.data)
		memcpy(c.data, b->data, b->size);
	return c;
}

static unsigned
target_sm(const struct ptx *x)
{
	unsigned sm = 0;

	if (x->target)
		sscanf(x->target, "sm_%3u", &sm);
	return sm;
}

static struct blob
relocatable(struct ptx *x, const struct options *o)
{
	struct object obj = {
		.sm = o->sm ? o->sm : target_sm(x),
		.options = o->text,
		.ptx = { (const unsigned char *)o->input.text, o->input.size },
	};

	return object_make(x, &obj);
}

static struct blob
portable(const struct options *o, struct image_code *code, size_t n)
{
	struct image i = {
		.sm = o->sm,
		.ptx = o->input.text, .ptx_size = o->input.size,
		.options = o->text, .options_size = strlen(o->text),
		.code = code, .ncode = n,
	};

	return image_portable(&i);
}

static struct blob
assemble(struct ptx *x, struct options *o, const struct product *p)
{
	struct blob b = { 0 };
	struct image_code *code;
	size_t n;

	if (o->listing)
		return listing(x, o);
	if (o->compile_only)
		return relocatable(x, o);
	code = calloc(o->ngfx + 1, sizeof *code);
	if (!code)
		abort();
	n = collect(o, p, code);
	if (o->sm)
		b = portable(o, code, n);
	else if (o->ngfx == 1 && n == 1)
		b = copy(&p->code);
	else if (n)
		b = image_bundle(code, n);
	free(code);
	return b;
}

/* did an error spoil the output? */
static bool
is_spoilt(const struct options *o, const struct product *p)
{
	size_t i, n = 0;

	if (!opt(o, OPT_KEEP_GOING)->given || o->report->aborted)
		return o->report->failed;
	for (i = 0; i < o->ngfx; i++)
		n += p[i].nstats;
	return o->report->failed && !n;
}

void
product_write(struct ptx *x, struct options *o, const struct product *p)
{
	struct blob b;
	bool written;

	if (o->mode == MODE_CHECK || is_spoilt(o, p))
		return;
	b = assemble(x, o, p);
	if (!b.data && !o->report->failed)
		report_fatal(o->report, "Out of memory");
	if (!b.data)
		return;
	x->diag = 0;
	written = file_write(x, o->output, b.data, b.size);
	free(b.data);
	if (!written)
		report_fatal(o->report, "Output file '%s' could not be opened",
			o->output);
	else
		o->report->failed = false;
}

void
product_free(struct product *p, const struct options *o)
{
	size_t i;

	for (i = 0; i < o->ngfx; i++)
		free(p[i].code.data);
	free(p);
}
