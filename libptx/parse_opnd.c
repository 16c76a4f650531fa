/* parse_opnd.c - operands, on the parser's stack.
 *
 * Every operand of the statement being read is one struct opnd on a stack;
 * a group moves its members into the arena and stands for them.
 */
#include "parse.h"
#include <errno.h>
#include <locale.h>
#include <stdlib.h>

static struct opnd *
push(struct parser *p, enum opnd_kind kind)
{
	struct opnd *o;

	if (p->nstack == p->cap) {
		p->cap = p->cap ? 2 * p->cap : 64;
		p->stack = realloc(p->stack, p->cap * sizeof *p->stack);
		if (!p->stack)
			abort();
	}
	o = &p->stack[p->nstack++];
	*o = (struct opnd){ .kind = (uint8_t)kind };
	return o;
}

struct opnd *
opnd_pop(struct parser *p, int n)
{
	p->nstack -= (size_t)n;
	return n ? &p->stack[p->nstack] : 0;
}

struct opnd *
opnd_keep(struct parser *p, int n)
{
	struct opnd *o;

	if (!n)
		return 0;
	o = NEWN(&p->x->arena, (size_t)n, struct opnd);
	return memcpy(o, opnd_pop(p, n), (size_t)n * sizeof *o);
}

static void
push_name(struct parser *p, struct name *n)
{
	struct opnd *o;
	const struct sym *y;

	o = push(p, OP_SYM);
	y = n->sym;
	o->u.sym = n->sym;
	if (y && (y->kind == SYM_REG || y->kind == SYM_VAR
	|| y->kind == SYM_SREG))
		return;
	o->u.sym = (struct sym *)n;
	o->flags = UNRESOLVED;
	p->unresolved = true;
}

void
opnd_name(struct parser *p, struct token t)
{
	push_name(p, intern(p, t));
}

/* the lanes of SIMD video operands: .h10, .b3210 (PTX 9.7.18) */
static bool
take_lanes(struct opnd *o, const char *what, size_t n)
{
	size_t k;

	if ((*what != 'h' || n != 3) && (*what != 'b' || n < 3 || n > 5))
		return false;
	for (k = 1; k < n; k++) {
		if (what[k] < '0' || what[k] > (*what == 'h' ? '3' : '7'))
			return false;
		o->n = o->n << 4 | (uint32_t)(what[k] - '0');
	}
	o->n |= (uint32_t)(n - 1) << 24;
	o->sel = *what == 'h' ? 7 : 8;
	return true;
}

/* the component or the part that "name.what" takes; false: none such */
static bool
take_part(struct opnd *o, const char *what, size_t n)
{
	static const char comp[] = "xyzw", rgba[] = "rgba";
	const char *c;

	if (n == 1 && (c = strchr(comp, *what)))
		o->comp = (uint8_t)(c - comp + 1);
	else if (n == 1 && (c = strchr(rgba, *what)))
		o->comp = (uint8_t)(c - rgba + 1);
	else if (n == 2 && *what == 'b' && what[1] >= '0' && what[1] <= '3')
		o->sel = (uint8_t)(what[1] - '0' + 1);
	else if (n == 2 && *what == 'h' && (what[1] | 1) == '1')
		o->sel = (uint8_t)(what[1] - '0' + 5);
	else
		return take_lanes(o, what, n);
	return true;
}

/* %tid.x, %v.y, and in video instructions %r.b0, %r.h1, %r.b3210 */
void
opnd_dotted(struct parser *p, struct token t)
{
	struct token base;
	struct opnd *o;
	const char *dot;

	dot = memchr(t.text, '.', t.len);
	base = t;
	base.len = (uint32_t)(dot - t.text);
	opnd_name(p, base);
	o = &p->stack[p->nstack - 1];
	if (!take_part(o, dot + 1, t.len - base.len - 1))
		diag(p->x, ERROR, t.loc, "no such part of '%.*s': '%.*s'",
			(int)base.len, base.text, (int)(t.len - base.len), dot);
}

void
opnd_push_int(struct parser *p, int64_t v)
{
	push(p, OP_INT)->u.i = v;
}

void
opnd_int(struct parser *p, struct token t)
{
	struct opnd *o;
	uint64_t v, before;
	unsigned base, digit;
	const char *s, *end;

	s = t.text;
	end = s + t.len - (t.text[t.len - 1] == 'U');
	base = 10;
	if (*s == '0' && end - s > 1) {
		base = (s[1] | 32) == 'x' ? 16 : (s[1] | 32) == 'b' ? 2 : 8;
		s += base == 8 ? 1 : 2;
	}
	for (v = 0; s < end; s++) {
		digit = (unsigned)(*s <= '9' ? *s - '0' : (*s | 32) - 'a' + 10);
		before = v;
		v = v * base + digit;
		if (digit >= base || v / base != before) {
			diag(p->x, ERROR, t.loc, digit >= base
				? "malformed number '%.*s'"
				: "'%.*s' does not fit in 64 bits",
				(int)(t.len < 40 ? t.len : 40), t.text);
			break;
		}
	}
	o = push(p, OP_INT);
	o->u.i = (int64_t)v;
	if (end < t.text + t.len || v > INT64_MAX)
		o->flags = OPF_U;
}

/* the bits of a decimal double, whatever the program's locale is */
static int64_t
decimal_bits(struct parser *p, struct token t)
{
	locale_t c, old;
	int64_t bits;
	double d;

	c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	old = uselocale(c);
	errno = 0;
	d = strtod(arena_printf(&p->x->arena, "%.*s", (int)t.len, t.text), 0);
	if (errno == ERANGE)
		diag(p->x, ERROR, t.loc, "constant overflow: '%.*s' does not "
			"fit in a double", t.len < 40 ? (int)t.len : 40,
			t.text);
	uselocale(old);
	freelocale(c);
	memcpy(&bits, &d, sizeof bits);
	return bits;
}

void
opnd_float(struct parser *p, struct token t)
{
	struct opnd *o;
	char buf[32];
	uint32_t w;
	float f;

	o = push(p, OP_FLT);
	memcpy(buf, t.text, t.len < sizeof buf ? t.len : sizeof buf - 1);
	buf[t.len < sizeof buf ? t.len : sizeof buf - 1] = 0;
	if (t.text[0] == '0' && (t.text[1] | 32) == 'f') {
		w = (uint32_t)strtoul(buf + 2, 0, 16);
		memcpy(&f, &w, sizeof f);
		o->flags = OPF_F32;
		o->off = (int64_t)w;
		o->u.f = f;
		return;
	}
	if (t.text[0] == '0' && (t.text[1] | 32) == 'd')
		o->off = (int64_t)strtoull(buf + 2, 0, 16);
	else
		o->off = decimal_bits(p, t);
	memcpy(&o->u.f, &o->off, sizeof o->u.f);
}

void
opnd_sink(struct parser *p)
{
	push(p, OP_SINK);
}

void
opnd_group(struct parser *p, enum opnd_kind kind, int n)
{
	struct opnd *list, *o;

	list = opnd_keep(p, n);
	o = push(p, kind);
	o->n = (uint32_t)n;
	o->u.list = list;
}

/* generic(sym), in initialisers */
void
opnd_generic(struct parser *p, struct token t)
{
	struct opnd *o;

	o = &p->stack[p->nstack - 1];
	if (t.len != 7 || memcmp(t.text, "generic", 7) || o->kind != OP_SYM)
		diag(p->x, ERROR, t.loc, "'%.*s' is no function of constants, "
			"expected 'generic'", (int)t.len, t.text);
	o->flags |= OPF_GENERIC;
}

/* 0xFF00(sym): one byte of an address, in initialisers */
void
opnd_mask(struct parser *p, struct token t)
{
	struct opnd mask;
	struct opnd *o;
	int k;

	opnd_int(p, t);
	mask = *opnd_pop(p, 1);
	o = &p->stack[p->nstack - 1];
	for (k = 0; k < 8; k++)
		if ((uint64_t)mask.u.i == 0xffull << 8 * k)
			break;
	if (k == 8 || o->kind != OP_SYM)
		diag(p->x, ERROR, t.loc, "expected a mask of one byte before "
			"'(', such as 0xFF00");
	o->sel = (uint8_t)(k + 1);
}

/* [a].unified: the address may lie in unified memory (PTX 9.7.9.8) */
void
opnd_unified(struct parser *p, struct token t)
{
	if (t.len != 8 || memcmp(t.text, ".unified", 8))
		diag(p->x, ERROR, t.loc, "expected '.unified' after an "
			"address, not '%.*s'", (int)t.len, t.text);
	p->stack[p->nstack - 1].flags |= OPF_UNIFIED;
}
