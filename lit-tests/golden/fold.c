/* fold.c - grammar/sem.def against golden kernels.
 *
 *	fold DIR GROUP...
 *
 * A kernel's loads become moves of one thread's inputs.  What is stored
 * then, if it folds to a literal, must be what the hardware stored.
 */
#include "golden.h"
#include "pass/pass.h"
#include <stdlib.h>
#include <string.h>

struct count {
	unsigned folded, wrong;
};

static bool
is_scalar(const struct insn *i, enum insn_id id)
{
	return i->kind == STMT_INSN && i->op->id == id &&
		insn_space(i) == GLOBAL && !insn_word(i, "vec") &&
		type_info[insn_type(i, 0)].bits <= 64;
}

static unsigned
bits_of(const struct insn *i)
{
	return type_info[insn_type(i, 0)].bits;
}

static uint64_t
low(uint64_t v, unsigned bits)
{
	return bits < 64 ? v & (((uint64_t)1 << bits) - 1) : v;
}

/* "ld.global d, [a+off]" of thread t becomes "mov d, literal" */
static void
load(struct ptx *x, struct insn *i, const uint64_t *in)
{
	struct opnd o[2] = { i->u.opnd[0], { .kind = OP_INT } };
	unsigned bits;

	bits = bits_of(i);
	if (bits < 16)
		return;
	o[1].u.i = (int64_t)low(in[i->u.opnd[1].u.list->off / 8], bits);
	insn_become(x, i, bits == 16 ? "mov.b16" : bits == 32 ? "mov.b32"
		: "mov.b64", o, 2);
}

static void
compare(const struct golden_kernel *k, const struct insn *i, unsigned t,
	struct count *c)
{
	const struct opnd *a, *v;
	uint64_t want;

	a = i->u.opnd[0].u.list;
	v = &i->u.opnd[1];
	if (v->kind != OP_INT || a->off % 8)
		return;
	c->folded++;
	want = k->out[(size_t)t * k->nout + (size_t)a->off / 8];
	if (low(want ^ (uint64_t)v->u.i, bits_of(i)))
		if (!c->wrong++)
			printf("%s: thread %u: folded to %#llx, not %#llx\n",
				k->name, t, (unsigned long long)v->u.i,
				(unsigned long long)want);
}

/* the kernel once for each thread, in one module, malloc'ed */
static char *
text_of(const struct golden_kernel *k, size_t *size)
{
	const char *body, *name;
	char *text;
	unsigned t;
	FILE *f;

	body = strstr(k->ptx, ".visible");
	name = body ? strstr(body, k->name) : 0;
	f = name ? open_memstream(&text, size) : 0;
	if (!f)
		return 0;
	fprintf(f, "%.*s", (int)(body - k->ptx), k->ptx);
	for (t = 0; t < k->n; t++)
		fprintf(f, "%.*sthread%u%s", (int)(name - body), body, t,
			name + strlen(k->name));
	fclose(f);
	return text;
}

static void
kernel(const struct golden_kernel *k, struct count *c)
{
	struct ptx x = { .diag = diag_print, .diag_arg = stdout };
	struct func *f;
	struct insn *i;
	char *text;
	size_t size;
	unsigned t;

	text = text_of(k, &size);
	if (!text)
		return;
	ptx_parse(&x, k->name, text, size);
	for (f = x.func, t = 0; f && !x.nerror; f = f->next, t++)
		for (i = f->first; i; i = i->next)
			if (is_scalar(i, INSN_LD))
				load(&x, i, k->in + (size_t)t * k->nin);
	pass_run(&x, "fold", 0);
	for (f = x.func, t = 0; f && !x.nerror; f = f->next, t++)
		for (i = f->first; i; i = i->next)
			if (is_scalar(i, INSN_ST))
				compare(k, i, t, c);
	c->wrong += (unsigned)x.nerror;
	ptx_free(&x);
	free(text);
}

int
main(int argc, char *argv[])
{
	struct count c = {0};
	struct golden *g;
	size_t k;
	int n;

	for (n = 2; n < argc; n++) {
		g = golden_load(argv[1], argv[n]);
		for (k = 0; k < g->n; k++)
			kernel(&g->kernel[k], &c);
	}
	printf("%u values right, %u wrong\n", c.folded - c.wrong, c.wrong);
	return c.wrong > 0;
}
