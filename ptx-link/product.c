/* product.c - the merged module, compiled, as a file.
 *
 * What it becomes is what ptxas-amd makes of a module: a code object for one
 * AMD GPU, a bundle for several, a portable image for a GPU of NVIDIA's.
 */
#include "nvlink.h"
#include <stdlib.h>

static void
usage(const struct options *o, const struct product *p)
{
	const struct kernel_stats *s;

	for (s = p->stats; s < p->stats + p->nstats; s++) {
		report_info(o->report, "Function properties for '%s':",
			s->name);
		report_info(o->report, "used %u registers, used 0 barriers, "
			"%u stack, %u bytes smem, %u bytes cmem[0], "
			"0 bytes lmem", s->vgpr, s->scratch, s->lds,
			s->kernarg);
	}
}

/* how the objects were compiled; ptx-link of what is made now knows it, too */
static void
take_options(struct build *b, const struct link *l, struct arena *a)
{
	b->emit.target = &target_amdgpu;
	b->emit.level = l->level;
	b->emit.fmad = !l->no_fmad;
	b->emit.line_info = l->line_info;
	b->text = build_text(a, &b->emit);
}

static struct blob
relocatable(const struct build *b, struct ptx *x, struct bytes ptx)
{
	struct object obj = { .sm = b->sm, .options = b->text, .ptx = ptx };

	return object_make(x, &obj);
}

static struct blob
code(struct build *b, struct ptx *x, const struct options *o,
	struct bytes ptx)
{
	struct product *p = build_start(b), *i;
	struct blob blob = { 0 };

	if (o->level >= 0)
		b->emit.level = o->level;
	b->emit.line_info |= o->line_info;
	pass_run(x, 0, 0);
	build_code(b, x, p);
	for (i = p; i->arch && opt(o, OPT_VERBOSE)->given; i++)
		usage(o, i);
	if (!o->report->failed)
		blob = build_image(b, p, ptx);
	build_free(p);
	return blob;
}

static void
write_file(struct ptx *x, const struct options *o, const void *p, size_t n)
{
	x->diag = 0;
	if (!file_write(x, o->output, p, n))
		report_fatal(o->report, "Could not open output file '%s'",
			o->output);
}

void
product_write(struct link *l, struct ptx *x, const struct options *o)
{
	struct bytes ptx = { (const unsigned char *)x->text, x->size };
	struct build build = o->build;
	struct blob b;

	if (l->x->nerror || x->nerror || o->report->failed)
		return;
	if (opt(o, OPT_EMIT_PTX)->given) {
		write_file(x, o, x->text, x->size);
		return;
	}
	take_options(&build, l, &x->arena);
	b = l->partial ? relocatable(&build, x, ptx) :
		code(&build, x, o, ptx);
	if (b.data)
		write_file(x, o, b.data, b.size);
	free(b.data);
}
