/* usage.c - what the kernels use, as -v, --stats and the warnings tell it.
 *
 * The sentences of -v are those of ptxas, which programs take apart: the
 * registers are VGPRs, smem is LDS, the stack frame is scratch memory of one
 * thread, and cmem[0] is the block of parameters.  What an AMD GPU has
 * besides stands in a line of its own.
 */
#include "ptxas.h"
#include <inttypes.h>
#include <string.h>

enum { SPILL_BYTES = 4, NBARRIER = 16 };

static bool
is_barrier(const char *op)
{
	return !strncmp(op, "barrier.", 8) ? strncmp(op, "barrier.cluster", 15)
		: !strncmp(op, "bar.", 4) && strncmp(op, "bar.warp", 8);
}

/* how many of the barriers of a block it names; all, where it computes them */
static unsigned
count_barriers(const struct func *f)
{
	const struct insn *i;
	unsigned used = 0, n = 0;

	for (i = f->first; i; i = i->next) {
		if (i->kind != STMT_INSN || !is_barrier(i->op->name->text))
			continue;
		if (i->nopnd && i->u.opnd[0].kind == OP_INT)
			used |= 1u << (i->u.opnd[0].u.i % NBARRIER);
		else
			used = (1u << NBARRIER) - 1;
	}
	for (; used; used &= used - 1)
		n++;
	return n;
}

static uint64_t
variables_size(const struct ptx *x, enum space space)
{
	const struct item *i;
	const struct sym *s;
	uint64_t n = 0;

	for (i = x->item; i; i = i->next)
		for (s = i->kind == ITEM_VAR ? i->sym : 0; s; s = s->next)
			if (s->space == space && !(s->linkage & LINK_EXTERN))
				n += s->u.var->size;
	return n;
}

static void
print_variables(const struct ptx *x)
{
	uint64_t constant = variables_size(x, CONST);

	fprintf(stderr, "ptxas info    : %" PRIu64 " bytes gmem",
		variables_size(x, GLOBAL));
	if (constant)
		fprintf(stderr, ", %" PRIu64 " bytes cmem[3]", constant);
	fprintf(stderr, "\n");
}

static void
print_kernel(const struct ptx *x, const struct product *p,
	const struct kernel_stats *s)
{
	const struct func *f = ptx_func(x, s->name);
	unsigned spill = SPILL_BYTES * s->vgpr_spill;

	fprintf(stderr,
		"ptxas info    : Compiling entry function '%s' for '%s'\n"
		"ptxas info    : Function properties for %s\n"
		"    %u bytes stack frame, %u bytes spill stores, "
		"%u bytes spill loads\n"
		"ptxas info    : Used %u registers, used %u barriers, ",
		s->name, p->arch, s->name, s->scratch, spill, spill, s->vgpr,
		f ? count_barriers(f) : 0);
	if (s->lds)
		fprintf(stderr, "%u bytes smem, ", s->lds);
	fprintf(stderr, "%u bytes cmem[0]\n"
		"ptxas info    : Used %u VGPRs, %u SGPRs, %u AGPRs, "
		"%u bytes of code, wave%u, %u waves per SIMD\n",
		s->kernarg, s->vgpr, s->sgpr, s->agpr, s->code, s->wave,
		s->occupancy);
}

static void
print_product(const struct ptx *x, const struct product *p)
{
	size_t i;

	for (i = 0; i < p->nstats; i++)
		print_kernel(x, p, &p->stats[i]);
	fprintf(stderr, "ptxas info    : Compile time = %.3f ms\n", p->ms);
}

static void
print_json(FILE *f, const struct product *p, const struct kernel_stats *s)
{
	fprintf(f, "{\"name\": \"%s\", \"arch\": \"%s\", \"vgprs\": %u, "
		"\"sgprs\": %u, \"agprs\": %u, \"vgpr_spills\": %u, "
		"\"sgpr_spills\": %u, \"lds_bytes\": %u, "
		"\"scratch_bytes\": %u, \"kernarg_bytes\": %u, "
		"\"code_bytes\": %u, \"waves_per_simd\": %u, "
		"\"wave_size\": %u, \"dynamic_stack\": %s}",
		s->name, p->arch, s->vgpr, s->sgpr, s->agpr, s->vgpr_spill,
		s->sgpr_spill, s->lds, s->scratch, s->kernarg, s->code,
		s->occupancy, s->wave, s->dynamic_stack ? "true" : "false");
}

static bool
has_stats(const struct product *p, const char *kernel)
{
	size_t i;

	for (i = 0; i < p->nstats; i++)
		if (!strcmp(p->stats[i].name, kernel))
			return true;
	return false;
}

/* the kernels of which there is no code */
static void
print_refused(FILE *f, const struct ptx *x, const struct product *p,
	const char **comma)
{
	const struct func *k;

	for (k = x->func; k; k = k->next) {
		if (!k->entry || !k->has_body ||
		    has_stats(p, k->sym->name->text))
			continue;
		fprintf(f, "%s\n\t{\"name\": \"%s\", \"arch\": \"%s\"}",
			*comma, k->sym->name->text, p->arch);
		*comma = ",";
	}
}

/* on standard output, unless the code goes there */
static void
print_stats(const struct ptx *x, const struct options *o,
	const struct product *p)
{
	FILE *f = strcmp(o->output, "-") ? stdout : stderr;
	const char *comma = "";
	size_t i, k;

	fprintf(f, "{\"kernels\": [");
	for (i = 0; p[i].arch; i++)
		for (k = 0; k < p[i].nstats; k++) {
			fprintf(f, "%s\n\t", comma);
			print_json(f, &p[i], &p[i].stats[k]);
			comma = ",";
		}
	fprintf(f, "\n], \"refused\": [");
	for (comma = "", i = 0; p[i].arch; i++)
		print_refused(f, x, &p[i], &comma);
	fprintf(f, "\n]}\n");
}

static void
warn(const struct options *o, const struct kernel_stats *s)
{
	unsigned spill = SPILL_BYTES * s->vgpr_spill;

	if (opt(o, OPT_WARN_LOCAL)->given && s->scratch)
		report_warning(o->report, "Local memory used for function "
			"'%s', size of stack frame: %u bytes", s->name,
			s->scratch);
	if (opt(o, OPT_WARN_SPILLS)->given && spill)
		report_warning(o->report, "Registers are spilled to local "
			"memory in function '%s', %u bytes spill stores, "
			"%u bytes spill loads", s->name, spill, spill);
	if (s->dynamic_stack && !opt(o, OPT_NO_STACK_WARNING)->given)
		report_warning(o->report, "Stack size for entry function '%s' "
			"cannot be statically determined", s->name);
}

void
usage_report(const struct ptx *x, const struct options *o,
	const struct product *p)
{
	bool verbose = opt(o, OPT_VERBOSE)->given && o->mode != MODE_CHECK;
	size_t i, k;

	if (verbose)
		print_variables(x);
	for (i = 0; p[i].arch; i++) {
		for (k = 0; k < p[i].nstats; k++)
			warn(o, &p[i].stats[k]);
		if (verbose)
			print_product(x, &p[i]);
	}
	if (opt(o, OPT_STATS)->given)
		print_stats(x, o, p);
}

static bool
has_double(const struct insn *i)
{
	int k;

	for (k = 0; insn_type(i, k); k++)
		if (insn_type(i, k) == T_F64)
			return true;
	return false;
}

void
usage_doubles(struct ptx *x, const struct options *o)
{
	const struct func *f;
	const struct insn *i;

	if (!opt(o, OPT_WARN_DOUBLE)->given)
		return;
	for (f = x->func; f; f = f->next)
		for (i = f->first; i; i = i->next)
			if (i->kind == STMT_INSN && has_double(i))
				diag(x, WARNING, i->loc, "Program is doing "
					"double precision computations.");
}
