/* product.c - the merged module, compiled, as a file.
 *
 * What it becomes is what ptxas-amd makes of a module: a code object for one
 * AMD GPU, a bundle for several, a portable image for a GPU of NVIDIA's.
 */
#include "nvlink.h"
#include <stdlib.h>
#include <string.h>

/* for one processor */
struct code {
	struct blob blob;
	struct kernel_stats *stats;
	size_t nkernel;
};

static void
usage(const struct options *o, const struct code *c)
{
	const struct kernel_stats *s;

	for (s = c->stats; s < c->stats + c->nkernel; s++) {
		report_info(o->report, "Function properties for '%s':",
			s->name);
		report_info(o->report, "used %u registers, used 0 barriers, "
			"%u stack, %u bytes smem, %u bytes cmem[0], "
			"0 bytes lmem", s->vgpr, s->scratch, s->lds,
			s->kernarg);
	}
}

/* A portable image holds the PTX: code that it lacks is worth a warning */
static struct code *
compile(const struct link *l, struct ptx *x, const struct options *o)
{
	struct emit_options e = {
		.target = &target_amdgpu,
		.level = o->level < 0 ? l->level : o->level,
		.fmad = !l->no_fmad,
		.line_info = o->line_info || l->line_info,
	};
	struct code *c;
	size_t k;

	c = calloc(o->ngfx + 1, sizeof *c);
	if (!c)
		abort();
	pass_run(x, 0, 0);
	o->report->lenient = o->sm != 0;
	for (k = 0; k < o->ngfx; k++) {
		x->nerror = 0;
		e.arch = o->gfx[k];
		c[k].blob = compile_image(x, &e, o->jobs, &c[k].stats,
			&c[k].nkernel);
		if (opt(o, OPT_VERBOSE)->given)
			usage(o, &c[k]);
	}
	o->report->lenient = false;
	return c;
}

/* the options that ptx-link of an object made with -r has to know */
static char *
options_text(const struct link *l, struct arena *a)
{
	return arena_printf(a, "opt-level=%d\n%s%s", l->level,
		l->no_fmad ? "fmad=false\n" : "",
		l->line_info ? "generate-line-info=\n" : "");
}

static struct blob
relocatable(const struct link *l, struct ptx *x, const struct options *o)
{
	struct object obj = {
		.sm = o->sm,
		.options = options_text(l, &x->arena),
		.ptx = { (const unsigned char *)x->text, x->size },
	};

	return object_make(x, &obj);
}

static struct blob
copy(const void *data, size_t n)
{
	struct blob b = { malloc(n + 1), n };

	if (b.data)
		memcpy(b.data, data, n);
	return b;
}

static struct blob
pack(const struct link *l, struct ptx *x, const struct options *o,
	const struct code *c)
{
	struct image i = { .sm = o->sm, .ptx = x->text, .ptx_size = x->size };
	struct image_code *code;
	struct blob b;
	size_t k;

	if (!o->sm && o->ngfx == 1)
		return copy(c->blob.data, c->blob.size);
	code = calloc(o->ngfx + 1, sizeof *code);
	if (!code)
		abort();
	for (k = 0; k < o->ngfx; k++) {
		if (!c[k].blob.data)
			continue;
		strcpy(code[i.ncode].arch, o->gfx[k]);
		code[i.ncode].data = c[k].blob.data;
		code[i.ncode++].size = c[k].blob.size;
	}
	i.options = options_text(l, &x->arena);
	i.options_size = strlen(i.options);
	i.code = code;
	b = o->sm ? image_portable(&i) : image_bundle(code, o->ngfx);
	free(code);
	return b;
}

static struct blob
code(const struct link *l, struct ptx *x, const struct options *o)
{
	struct blob b = {0};
	struct code *c;
	size_t k;

	c = compile(l, x, o);
	if (!o->report->failed)
		b = pack(l, x, o, c);
	for (k = 0; k < o->ngfx; k++)
		free(c[k].blob.data);
	free(c);
	return b;
}

void
product_write(struct link *l, struct ptx *x, const struct options *o)
{
	struct blob b;

	if (l->x->nerror || x->nerror || o->report->failed)
		return;
	b = opt(o, OPT_EMIT_PTX)->given ? copy(x->text, x->size) :
		l->partial ? relocatable(l, x, o) : code(l, x, o);
	if (!b.data)
		return;
	x->diag = 0;
	if (!file_write(x, o->output, b.data, b.size))
		report_fatal(o->report, "Could not open output file '%s'",
			o->output);
	free(b.data);
}
