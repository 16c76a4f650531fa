/* isa_sample.c - random uses of an instruction form, from its row.
 *
 * What comes out is a module that parses and verifies, and whose instructions
 * match the row they were made from before any other.  Optional words and
 * operands come and go, every slot takes any of its words.
 */
#include "form.h"
#include <stdlib.h>
#include <string.h>

struct sample {
	struct ptx *x;
	uint32_t seed;
	FILE *out;
};

/* registers by the type of what they hold */
static const struct { uint8_t kind, bits; char letter; } file[] = {
	{ 'b',   8, 'c' }, { 'b',  16, 'h' }, { 'b',  32, 'r' },
	{ 'b',  64, 'd' }, { 'b', 128, 'q' }, { 'u',   8, 'c' },
	{ 'u',  16, 'w' }, { 'u',  32, 'u' }, { 'u',  64, 'v' },
	{ 's',   8, 'c' }, { 's',  16, 'z' }, { 's',  32, 's' },
	{ 's',  64, 't' }, { 'f',  32, 'f' }, { 'f',  64, 'g' },
	{ 'p',   1, 'p' },
};

static const char header[] =
	".version 9.0\n.target sm_100a\n.address_size 64\n"
	".global .texref tx;\n.global .surfref sf;\n"
	".func (.reg .b32 a) callee(.reg .b32 b);\n"
	".visible .entry sample()\n{\n"
	"\t.reg .pred p<10>;\n\t.reg .b8 c<10>;\n\t.reg .b16 h<10>;\n"
	"\t.reg .u16 w<10>;\n\t.reg .s16 z<10>;\n\t.reg .b32 r<10>;\n"
	"\t.reg .u32 u<10>;\n\t.reg .s32 s<10>;\n\t.reg .f32 f<10>;\n"
	"\t.reg .b64 d<10>;\n\t.reg .u64 v<10>;\n\t.reg .s64 t<10>;\n"
	"\t.reg .f64 g<10>;\n\t.reg .b128 q<10>;\n"
	"targets: .branchtargets sample_end;\n";

static const char footer[] = "sample_end:\n\tret;\n}\n";

static unsigned
roll(struct sample *s, unsigned n)
{
	s->seed = s->seed * 1664525u + 1013904223u;
	return (s->seed >> 8) % n;
}

/* a register that type t may stand in: its own, or an untyped one */
static char
letter(struct sample *s, enum type t)
{
	const struct type_info *y;
	char kind;
	size_t k;

	y = &type_info[t];
	kind = y->kind;
	if (y->lanes > 1 || (kind == 'f' && t != T_F32 && t != T_F64))
		kind = 'b';
	if (kind != 'p' && kind != 'b' && !roll(s, 2))
		kind = 'b';
	for (k = 0; k < sizeof file / sizeof *file; k++)
		if (file[k].kind == kind && file[k].bits >= y->bits)
			return file[k].letter;
	return 'r';
}

static void
put_register(struct sample *s, enum type t)
{
	fprintf(s->out, "%c%u", letter(s, t ? t : T_B32), roll(s, 8));
}

static bool
takes_literal(const struct op_opnd *w)
{
	return w->kinds >> OP_INT & 1 && w->shape == SHAPE_SCALAR
		&& type_info[w->type].kind != 'p'
		&& type_info[w->type].lanes == 1
		&& (type_info[w->type].kind != 'f' || w->type == T_F32
		|| w->type == T_F64);
}

/* a number that in values allows */
static void
put_integer(struct sample *s, const struct op_opnd *w)
{
	const char *v;
	int n;

	v = w->values ? w->values : "0 1 2 3";
	if (*v == '*')
		v++;
	if (!w->values)
		v += 2 * roll(s, 4);
	if (sscanf(v, "%*d%n", &n) == 0)
		fprintf(s->out, "%.*s", n, v);
}

static void
put_scalar(struct sample *s, const struct op_opnd *w)
{
	if (takes_literal(w) && !roll(s, 6)) {
		if (type_info[w->type].kind == 'f')
			fputs("0.5", s->out);
		else
			put_integer(s, w);
	} else
		put_register(s, (enum type)w->type);
}

/* {r0, r1}: registers of one kind */
static void
put_vector(struct sample *s, const struct op_opnd *w)
{
	static const enum type part[] = { T_B8, T_B16, T_B32, T_B64 };
	enum type t;
	unsigned n, k;
	char c;

	t = (enum type)w->type;
	n = w->min + (w->max == UINT8_MAX ? roll(s, 4) : 0);
	if (w->flags & OPND_ANY) {
		n = type_info[t].bits >= 32 ? 2 + 2 * roll(s, 2) : 2;
		for (k = 0; type_info[part[k]].bits * n < type_info[t].bits;)
			k++;
		t = part[k];
	}
	c = letter(s, t ? t : T_B32);
	for (k = 0; k < n; k++)
		fprintf(s->out, "%s%c%u", k ? ", " : "{", c, roll(s, 8));
	fputs("}", s->out);
}

/* a geometry's or a tensor's dimensions: "2d", "a1d", "tile::gather4" */
static int
dimensions(const struct op *op, bool tensor)
{
	const char *w;
	int k, n;

	for (n = 1, k = 0; k < op->nword; k++) {
		w = op->word[k].word;
		if (strstr(w, "er4"))
			n = 5;
		else if (w[1] == 'd' && !w[2])
			n = tensor || *w < '3' ? *w - '0' : 4;
		else if (!tensor && !strcmp(op->word[k].slot, "geom"))
			n = strcmp(w, "a1d") ? 4 : 2;
	}
	return n;
}

static void
put_coordinates(struct sample *s, int n)
{
	int k;

	for (k = 0; k < n; k++)
		fprintf(s->out, "%sr%u", k ? ", " : "{", roll(s, 8));
	fputs("}", s->out);
}

static void
put_address(struct sample *s, const struct op *op, const struct op_opnd *w)
{
	bool surface;

	surface = !strncmp(op->name->text, "su", 2);
	if (w->space == TEX)
		fputs(surface ? "[sf" : "[tx", s->out);
	else if (w->space == SPACE_TENSOR)
		fprintf(s->out, "[r%u", roll(s, 8));
	else
		fprintf(s->out, "[d%u%s", roll(s, 8),
			w->min > 1 || roll(s, 3) ? "" : "+16");
	if (w->min > 1) {
		fputs(", ", s->out);
		put_coordinates(s, dimensions(op, w->space != TEX));
	}
	fputs("]", s->out);
}

static void
put_operand(struct sample *s, const struct op *op, const struct op_opnd *w)
{
	if (w->shape == SHAPE_ADDR)
		put_address(s, op, w);
	else if (w->shape == SHAPE_VEC)
		put_vector(s, w);
	else if (w->shape == SHAPE_IMM)
		put_integer(s, w);
	else if (w->shape == SHAPE_SCALAR)
		put_scalar(s, w);
	else if (w->shape == SHAPE_FUNC)
		fputs("callee", s->out);
	else if (w->shape == SHAPE_TARGETS)
		fputs("targets", s->out);
	else if (w->shape == SHAPE_LIST)
		fprintf(s->out, "(r%u)", roll(s, 8));
	else
		fputs("sample_end", s->out);
	if (w->flags & OPND_PAIR && (!(w->flags & OPND_OPT) || !roll(s, 2)))
		fprintf(s->out, "|p%u", roll(s, 8));
}

/* a name with a choice of every slot; the interned spelling */
static struct name *
spell(struct sample *s, const struct form *f)
{
	uint32_t absent;
	char buf[256];
	size_t at;
	int p;

	at = (size_t)snprintf(buf, sizeof buf, "%.*s",
		(int)strcspn(f->info->syntax, ".{ "), f->info->syntax);
	absent = roll(s, 1u << 16);
	for (p = 0; p < f->npart; p++) {
		if (f->part[p].group && absent >> f->part[p].group & 1)
			continue;
		at += (size_t)snprintf(buf + at, sizeof buf - at, ".%s",
			f->part[p].word[roll(s, f->part[p].nword)]->text);
	}
	return name_intern(&s->x->names, &s->x->arena, buf, at);
}

/* one of the variants of id among the candidates; 0: there is none */
static const struct op *
variant(struct sample *s, const struct op *op, enum insn_id id)
{
	const struct op *found;
	unsigned n;

	for (found = 0, n = 0; op; op = op->next)
		if (op->id == id && !roll(s, ++n))
			found = op;
	return found;
}

static void
put_insn(struct sample *s, const struct op *op)
{
	int k;

	fprintf(s->out, "\t%s", op->name->text);
	for (k = 0; k < op->nopnd; k++) {
		fputs(k ? ", " : " ", s->out);
		put_operand(s, op, &op->opnd[k]);
	}
	fputs(";\n", s->out);
}

/* is line alone a legal use of the form? */
static bool
is_legal(const char *line, enum insn_id id)
{
	struct ptx x = {0};
	const struct insn *i;
	char *text;
	size_t size;
	bool ok;
	FILE *f;

	text = 0;
	f = open_memstream(&text, &size);
	if (!f)
		abort();
	fprintf(f, "%s%s%s", header, line, footer);
	if (fclose(f))
		abort();
	ptx_parse(&x, "sample", text, size);
	ptx_verify(&x);
	ok = !x.nerror;
	for (i = x.func ? x.func->first : 0; ok && i; i = i->next)
		if (i->kind == STMT_INSN) {
			ok = i->op->id == id;
			break;
		}
	ptx_free(&x);
	free(text);
	return ok;
}

/* tries one use; false: what came out is not legal, or of another row */
static bool
try_one(struct sample *s, const struct form *f, enum insn_id id, FILE *out)
{
	const struct loc none = { 0, 0 };
	const struct op *op;
	char *line;
	size_t size;
	bool ok;

	op = variant(s, insn_ops(s->x, spell(s, f), none), id);
	if (!op)
		return false;
	line = 0;
	s->out = open_memstream(&line, &size);
	if (!s->out)
		abort();
	put_insn(s, op);
	if (fclose(s->out))
		abort();
	ok = is_legal(line, id);
	if (ok)
		fputs(line, out);
	free(line);
	return ok;
}

int
isa_sample(enum insn_id id, int n, uint32_t seed, FILE *out)
{
	struct ptx x = {0};
	struct sample s = { .x = &x, .seed = seed * 2654435761u + id };
	const struct form *f;
	int tries, done;

	fputs(header, out);
	f = form_get(&x, id);
	for (tries = done = 0; done < n && tries < 500 + 50 * n; tries++)
		done += try_one(&s, f, id, out);
	fputs(footer, out);
	ptx_free(&x);
	return done;
}
