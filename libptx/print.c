/* print.c - a module as PTX text that parses back to itself. */
#include "ptx.h"
#include <inttypes.h>
#include <string.h>

static void print_opnd(const struct opnd *, FILE *);

static void
list(const struct opnd *o, uint32_t n, const char *brackets, FILE *f)
{
	uint32_t k;

	fputc(brackets[0], f);
	for (k = 0; k < n; k++) {
		if (k)
			fputs(", ", f);
		print_opnd(&o[k], f);
	}
	fputc(brackets[1], f);
}

/* .x, .b0, .h10 (PTX 9.7.18) */
static void
part(const struct opnd *o, FILE *f)
{
	unsigned k;

	if (o->comp)
		fprintf(f, ".%c", "xyzw"[o->comp - 1]);
	if (!o->sel)
		return;
	if (o->sel < 7) {
		fprintf(f, ".%c%d", o->sel < 5 ? 'b' : 'h', (o->sel - 1) & 3);
		return;
	}
	fputs(o->sel == 7 ? ".h" : ".b", f);
	for (k = o->n >> 24; k--;)
		fprintf(f, "%u", o->n >> 4 * k & 15);
}

static void
symbol(const struct opnd *o, FILE *f)
{
	if (o->flags & OPF_NOT)
		fputc('!', f);
	if (o->flags & OPF_NEG)
		fputc('-', f);
	fputs(o->u.sym ? o->u.sym->name->text : "?", f);
	part(o, f);
	if (o->off)
		fprintf(f, "+%" PRId64, o->off);
}

static void
print_opnd(const struct opnd *o, FILE *f)
{
	switch (o->kind) {
	case OP_SYM:
		symbol(o, f);
		break;
	case OP_INT:
		if (o->flags & OPF_U)
			fprintf(f, "%" PRIu64 "U", (uint64_t)o->u.i);
		else
			fprintf(f, "%" PRId64, o->u.i);
		break;
	case OP_FLT:
		if (o->flags & OPF_F32)
			fprintf(f, "0f%08" PRIX32, (uint32_t)o->off);
		else
			fprintf(f, "0d%016" PRIX64, (uint64_t)o->off);
		break;
	case OP_SINK:
		fputc('_', f);
		break;
	case OP_ADDR:
		list(o->u.list, o->n, "[]", f);
		if (o->flags & OPF_UNIFIED)
			fputs(".unified", f);
		break;
	case OP_VEC:
		list(o->u.list, o->n, "{}", f);
		break;
	case OP_LIST:
		list(o->u.list, o->n, "()", f);
		break;
	case OP_PAIR:
		print_opnd(o->u.list, f);
		fputc('|', f);
		print_opnd(o->u.list + 1, f);
		break;
	}
}

static void
linkage(unsigned bits, FILE *f)
{
	static const char *const word[] = {
		".extern ", ".visible ", ".weak ", ".common ",
	};
	unsigned k;

	for (k = 0; k < 4; k++)
		if (bits >> k & 1)
			fputs(word[k], f);
}

static void
attributes(const struct var *v, FILE *f)
{
	if (!v->managed && !v->unified)
		return;
	fputs(" .attribute(", f);
	if (v->managed)
		fputs(".managed", f);
	if (v->unified)
		fprintf(f, "%s.unified(%" PRIu64 "U, %" PRIu64 "U)",
			v->managed ? ", " : "", v->unified_id[0],
			v->unified_id[1]);
	fputc(')', f);
}

/* bytes of an element, to which it is aligned unless told otherwise */
static uint32_t
natural(const struct sym *y)
{
	return type_info[y->type].bits / 8u * (y->vec ? y->vec : 1u);
}

/* space, alignment and type: what a declaration's symbols share */
static void
kind(const struct sym *y, FILE *f)
{
	const struct var *v;

	fprintf(f, ".%s", space_name[y->space]);
	v = y->kind == SYM_VAR ? y->u.var : 0;
	if (v) {
		attributes(v, f);
		if (v->align != natural(y))
			fprintf(f, " .align %" PRIu32, v->align);
	}
	if (y->vec)
		fprintf(f, " .v%d", y->vec);
	fprintf(f, " .%s", type_info[y->type].name);
	if (v && v->ptr) {
		fputs(" .ptr", f);
		if (v->ptr_space)
			fprintf(f, " .%s", space_name[v->ptr_space]);
		if (v->ptr_align)
			fprintf(f, " .align %" PRIu32, v->ptr_align);
	}
}

static void
reloc(const struct reloc *r, FILE *f)
{
	if (r->bytes == 1)
		fprintf(f, "0x%llX(", 0xffull << r->shift);
	if (r->generic)
		fputs("generic(", f);
	fputs(r->sym->name->text, f);
	if (r->generic)
		fputc(')', f);
	if (r->bytes == 1)
		fputc(')', f);
	if (r->add)
		fprintf(f, "+%" PRId64, r->add);
}

static void
scalar(const struct sym *y, uint64_t at, FILE *f)
{
	const struct var *v = y->u.var;
	unsigned width, k;
	uint64_t w;

	width = type_info[y->type].bits / 8u;
	w = 0;
	for (k = 0; k < width && at + k < v->ndata; k++)
		w |= (uint64_t)v->data[at + k] << 8 * k;
	if (type_info[y->type].kind == 'f')
		fprintf(f, width == 8 ? "0d%016" PRIX64 : "0f%08" PRIX64, w);
	else if (type_info[y->type].kind == 's')
		fprintf(f, "%" PRId64, (int64_t)(w << (64 - 8 * width))
			>> (64 - 8 * width));
	else if (w > INT64_MAX)
		fprintf(f, "%" PRIu64 "U", w);
	else
		fprintf(f, "%" PRIu64, w);
}

struct values {
	const struct sym *y;
	uint64_t at;        /* bytes printed */
	size_t reloc;
};

static void
value(struct values *s, FILE *f)
{
	const struct var *v = s->y->u.var;

	if (s->reloc < v->nreloc && v->reloc[s->reloc].offset == s->at)
		reloc(&v->reloc[s->reloc++], f);
	else
		scalar(s->y, s->at, f);
	s->at += type_info[s->y->type].bits / 8u;
}

/* the braces of dimension k; a vector is one more */
static void
braces(struct values *s, unsigned k, FILE *f)
{
	const struct var *v = s->y->u.var;
	uint64_t n, i;

	if (k == v->ndim + (s->y->vec != 0)) {
		value(s, f);
		return;
	}
	n = k == v->ndim ? s->y->vec : v->dim[k];
	fputc('{', f);
	for (i = 0; i < n && s->at < v->ndata; i++) {
		if (i)
			fputs(", ", f);
		braces(s, k + 1, f);
	}
	fputc('}', f);
}

static void
declarator(const struct sym *y, FILE *f)
{
	struct values s = { y, 0, 0 };
	unsigned k;

	fprintf(f, " %s", y->name->text);
	if (y->kind == SYM_FAMILY)
		fprintf(f, "<%" PRIu32 ">", y->u.count);
	if (y->kind != SYM_VAR)
		return;
	for (k = 0; k < y->u.var->ndim; k++)
		if (y->u.var->dim[k])
			fprintf(f, "[%" PRIu64 "]", y->u.var->dim[k]);
		else
			fputs("[]", f);
	if (y->u.var->has_init) {
		fputs(" = ", f);
		braces(&s, 0, f);
	}
}

static void
declaration(const struct sym *y, FILE *f)
{
	linkage(y->linkage, f);
	kind(y, f);
	for (; y; y = y->next) {
		declarator(y, f);
		if (y->next)
			fputc(',', f);
	}
	fputs(";\n", f);
}

static void
params(const struct sym *y, FILE *f)
{
	fputc('(', f);
	for (; y; y = y->next) {
		kind(y, f);
		declarator(y, f);
		if (y->next)
			fputs(", ", f);
	}
	fputc(')', f);
}

static void
launch(const struct attr *a, FILE *f)
{
	int k;

	for (; a; a = a->next) {
		fprintf(f, "\n.%s", a->name);
		if (a->text)
			fprintf(f, " %s;", a->text);
		for (k = 0; k < a->n; k++)
			fprintf(f, "%s%" PRId64, k ? ", " : " ", a->v[k]);
	}
}

static void
prototype(const struct sym *y, FILE *f)
{
	const struct func *p = y->u.func;

	fprintf(f, "%s:\t.callprototype ", y->name->text);
	if (p->ret)
		params(p->ret, f);
	fputs(" _ ", f);
	params(p->param, f);
	launch(p->attr, f);
	fputs(";\n", f);
}

static void
targets(const struct targets *t, FILE *f)
{
	uint32_t k;

	fprintf(f, "%s:\t.%stargets", t->sym->name->text,
		t->call ? "call" : "branch");
	for (k = 0; k < t->list.n; k++) {
		fputs(k ? ", " : " ", f);
		print_opnd(&t->list.u.list[k], f);
	}
	fputs(";\n", f);
}

static void
instruction(const struct insn *i, FILE *f)
{
	int k;

	fputc('\t', f);
	if (i->guard)
		fprintf(f, "@%s%s ", i->guard_not ? "!" : "",
			i->guard->name->text);
	fputs(i->op ? i->op->name->text : "?", f);
	for (k = 0; k < i->nopnd; k++) {
		fputs(k ? ", " : " ", f);
		print_opnd(&i->u.opnd[k], f);
	}
	fputs(";\n", f);
}

void
insn_print(const struct insn *i, FILE *f)
{
	switch ((enum stmt)i->kind) {
	case STMT_INSN:
		instruction(i, f);
		break;
	case STMT_LABEL:
		fprintf(f, "%s:\n", i->u.sym->name->text);
		break;
	case STMT_OPEN:
		fputs("\t{\n", f);
		break;
	case STMT_CLOSE:
		fputs("\t}\n", f);
		break;
	case STMT_DECL:
		fputc('\t', f);
		declaration(i->u.sym, f);
		break;
	case STMT_LOC:
		fprintf(f, "\t%s\n", i->u.text);
		break;
	case STMT_PRAGMA:
		fprintf(f, "\t.pragma %s;\n", i->u.text);
		break;
	case STMT_TARGETS:
		targets(i->u.targets, f);
		break;
	case STMT_PROTO:
		prototype(i->u.sym, f);
		break;
	}
}

void
func_print(const struct func *fn, FILE *f)
{
	const struct insn *i;

	linkage(fn->linkage, f);
	fputs(fn->entry ? ".entry " : ".func ", f);
	if (fn->ret) {
		params(fn->ret, f);
		fputc(' ', f);
	}
	fputs(fn->sym->name->text, f);
	params(fn->param, f);
	launch(fn->attr, f);
	if (!fn->has_body) {
		fputs(";\n", f);
		return;
	}
	fputs("\n{\n", f);
	for (i = fn->first; i; i = i->next)
		insn_print(i, f);
	fputs("}\n", f);
}

static void
item(const struct item *i, FILE *f)
{
	switch (i->kind) {
	case ITEM_VAR:
		declaration(i->sym, f);
		break;
	case ITEM_FUNC:
		func_print(i->func, f);
		break;
	case ITEM_FILE:
	case ITEM_SECTION:
	case ITEM_LOC:
		fprintf(f, "%s\n", i->text);
		break;
	case ITEM_PRAGMA:
		fprintf(f, ".pragma %s;\n", i->text);
		break;
	case ITEM_ALIAS:
		fprintf(f, ".alias %s, %s;\n", i->sym->name->text,
			i->target->name->text);
		break;
	}
}

void
ptx_print(const struct ptx *x, FILE *f)
{
	const struct item *i;

	fprintf(f, ".version %d.%d\n.target %s\n", x->version / 10,
		x->version % 10, x->target ? x->target : "sm_75");
	if (x->address_size)
		fprintf(f, ".address_size %d\n", x->address_size);
	for (i = x->item; i; i = i->next)
		item(i, f);
}
