/* sem.c - compute pure integer operations: grammar/sem.def made to run. */
#include "form.h"
#include "pass/pass.h"
#include <string.h>

struct args {
	uint64_t u[4];      /* a, b, c, e */
	int64_t s[4];
	unsigned bits;      /* of a's type */
	bool is_signed;
};

static uint64_t
low(uint64_t v, unsigned bits)
{
	return bits < 64 ? v & (((uint64_t)1 << bits) - 1) : v;
}

static int64_t
extend(uint64_t v, unsigned bits)
{
	return bits && bits < 64 ? (int64_t)(v << (64 - bits)) >> (64 - bits)
		: (int64_t)v;
}

static int64_t
clamp(int64_t v)
{
	return v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v;
}

/* the upper half of a * b */
static uint64_t
high(uint64_t a, uint64_t b, unsigned n, bool s)
{
	uint64_t al, ah, bl, bh, mid, hi;

	if (n < 64)
		return s ? (uint64_t)(extend(a, n) * extend(b, n)) >> n
			: a * b >> n;
	al = low(a, 32);
	bl = low(b, 32);
	ah = a >> 32;
	bh = b >> 32;
	mid = ah * bl + (al * bl >> 32);
	hi = ah * bh + (mid >> 32) + ((al * bh + low(mid, 32)) >> 32);
	if (s && (int64_t)a < 0)
		hi -= b;
	if (s && (int64_t)b < 0)
		hi -= a;
	return hi;
}

static int64_t
product24(int64_t a, int64_t b, bool s)
{
	if (s)
		return extend((uint64_t)a, 24) * extend((uint64_t)b, 24);
	return (int64_t)(low((uint64_t)a, 24) * low((uint64_t)b, 24));
}

static bool
less(uint64_t a, uint64_t b, unsigned n, bool s)
{
	return s ? extend(a, n) < extend(b, n) : a < b;
}

static uint64_t
quotient(int64_t a, int64_t b)
{
	return b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}

static int64_t
relu(int64_t v, bool on)
{
	return on && v < 0 ? 0 : v;
}

static uint64_t
ones(uint64_t v)
{
	unsigned n;

	for (n = 0; v; v &= v - 1)
		n++;
	return n;
}

/* bits from the lowest up to the highest that is set */
static unsigned
length(uint64_t v)
{
	unsigned n;

	for (n = 0; v; v >>= 1)
		n++;
	return n;
}

static uint64_t
find(uint64_t v, unsigned n, bool shiftamt)
{
	unsigned len;

	len = length(v);
	return !len ? ~0ull : shiftamt ? n - len : len - 1;
}

static uint64_t
reverse(uint64_t v, unsigned n)
{
	uint64_t r;

	for (r = 0; n--; v >>= 1)
		r = r << 1 | (v & 1);
	return r;
}

static uint64_t
shift(uint64_t v, uint64_t by)
{
	return by < 64 ? v << by : 0;
}

static uint64_t
ones_below(uint64_t bit)
{
	return shift(1, bit) - 1;
}

/* a bit's place or a field's length: of 8 bits, says PTX 9.7.1; NVIDIA's
 * hardware takes all 32 of them for 64-bit types */
static uint64_t
place(uint64_t v, unsigned n)
{
	return n == 64 ? v : v & 255;
}

/* beyond the top, a signed field goes on with the sign (PTX 9.7.1) */
static uint64_t
extract(uint64_t v, uint64_t pos, uint64_t len, unsigned n, bool s)
{
	uint64_t r, top;

	if (!len)
		return 0;
	top = pos + len - 1 < n ? pos + len - 1 : n - 1;
	r = pos < n ? low(v, n) >> pos : 0;
	r &= ones_below(len);
	if (s && v >> top & 1)
		r |= ~ones_below(top >= pos ? top - pos : 0);
	return r;
}

static uint64_t
insert(uint64_t v, uint64_t into, uint64_t pos, uint64_t len, unsigned n)
{
	uint64_t field;

	field = pos < n ? shift(ones_below(len), pos) : 0;
	return (into & ~field) | (shift(v, pos) & field);
}

static uint64_t
lookup(uint64_t a, uint64_t b, uint64_t c, uint64_t table)
{
	uint64_t r;
	unsigned k;

	for (r = 0, k = 0; k < 8; k++)
		if (table >> k & 1)
			r |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) &
				(k & 1 ? c : ~c);
	return r;
}

static uint64_t
funnel(uint64_t v, uint64_t by, bool left)
{
	if (by > 32)
		by = 32;
	return left ? v << by >> 32 : v >> by;
}

static bool
compare(const struct insn *i, uint64_t a, uint64_t b, int64_t sa, int64_t sb,
	bool s)
{
	static const struct { const char *word; bool lt, eq, gt; } row[] = {
		{ "eq", 0, 1, 0 }, { "ne", 1, 0, 1 }, { "lt", 1, 0, 0 },
		{ "le", 1, 1, 0 }, { "gt", 0, 0, 1 }, { "ge", 0, 1, 1 },
		{ "lo", 1, 0, 0 }, { "ls", 1, 1, 0 }, { "hi", 0, 0, 1 },
		{ "hs", 0, 1, 1 },
	};
	size_t k;

	for (k = 0; strcmp(row[k].word, insn_word(i, "cmp")); k++)
		;
	if (a == b)
		return row[k].eq;
	return (s ? sa < sb : a < b) ? row[k].lt : row[k].gt;
}

/* to the nearest value of the type converted to */
static uint64_t
saturate(const struct insn *i, uint64_t a, int64_t sa, bool s)
{
	const struct type_info *t;
	uint64_t max;

	t = &type_info[insn_type(i, 0)];
	max = ones_below(t->bits - (t->kind == 's'));
	if (s && sa < 0) {
		if (t->kind != 's')
			return 0;
		return (uint64_t)(sa < -(int64_t)max - 1 ? -(int64_t)max - 1
			: sa);
	}
	return a > max ? max : a;
}

#define HAS(word)  insn_has(i, #word)
#define UNDEFINED  (*ok = false, (uint64_t)0)
#define SEM(form, value) \
static uint64_t \
calc_##form(const struct insn *i, const struct args *v, bool *ok) \
{ \
	uint64_t a = v->u[0], b = v->u[1], c = v->u[2], e = v->u[3]; \
	int64_t sa = v->s[0], sb = v->s[1], sc = v->s[2]; \
	unsigned n = v->bits; \
	bool s = v->is_signed; \
\
	(void)i, (void)ok, (void)a, (void)b, (void)c, (void)e; \
	(void)sa, (void)sb, (void)sc, (void)n, (void)s; \
	return (uint64_t)(value); \
}
#define SAME(form, word, operand, value, result)
#include "../grammar/sem.def"
#undef SEM
#undef SAME

typedef uint64_t calc_fn(const struct insn *, const struct args *, bool *);

static calc_fn *const calc[NINSN] = {
#define SEM(form, value) [INSN_##form] = calc_##form,
#define SAME(form, word, operand, value, result)
#include "../grammar/sem.def"
#undef SEM
#undef SAME
};

static bool
is_integer(enum type t)
{
	return t != T_NONE && strchr("busp", type_info[t].kind) &&
		type_info[t].bits <= 64;
}

bool
sem_knows(const struct insn *i)
{
	int k;

	if (!calc[i->op->id] || i->nopnd > 5)
		return false;
	for (k = 0; k < i->nopnd; k++)
		if (i->op->opnd[k].shape != SHAPE_IMM &&
		    !is_integer(i->op->opnd[k].type))
			return false;
	return true;
}

/* part number lane of operand k */
static void
take(const struct insn *i, struct args *v, int k, uint64_t raw, int lane)
{
	const struct type_info *t;
	unsigned bits;

	t = &type_info[i->op->opnd[k].type];
	bits = t->lanes > 1 ? t->bits / t->lanes : t->bits;
	if (i->op->opnd[k].shape == SHAPE_IMM)
		bits = 64;
	v->u[k - 1] = low(raw >> (bits < 64 ? lane * bits : 0), bits);
	v->s[k - 1] = extend(v->u[k - 1], bits);
	if (k == 1) {
		v->bits = bits;
		v->is_signed = t->kind == 's';
	}
}

bool
sem_compute(const struct insn *i, const uint64_t *in, uint64_t *out)
{
	const struct type_info *t;
	struct args v = {0};
	unsigned bits;
	bool ok;
	int k, lane;

	t = &type_info[i->op->opnd[0].type];
	bits = t->bits / (t->lanes ? t->lanes : 1);
	*out = 0;
	ok = true;
	for (lane = 0; lane < t->lanes; lane++) {
		for (k = 1; k < i->nopnd; k++)
			take(i, &v, k, in[k], lane);
		*out |= low(calc[i->op->id](i, &v, &ok), bits)
			<< (unsigned)lane * bits;
	}
	return ok;
}

enum { a = 1, b, c };

static const struct same {
	uint16_t id;
	const char *word;
	int operand;
	int64_t value;
	int result;
} same[] = {
#define SEM(form, value)
#define SAME(form, word, operand, value, result) \
	{ INSN_##form, word, operand, value, result },
#include "../grammar/sem.def"
#undef SEM
#undef SAME
};

static bool
fits(const struct insn *i, const struct same *r, int operand,
	const uint64_t *in, const bool *known)
{
	unsigned bits;

	bits = type_info[i->op->opnd[operand].type].bits;
	return known[operand] && (!r->word || insn_has(i, r->word)) &&
		low(in[operand], bits) == low((uint64_t)r->value, bits);
}

int
sem_same(const struct insn *i, const uint64_t *in, const bool *known)
{
	const struct same *r;

	if (i->nopnd > 5 || type_info[i->op->opnd[1].type].lanes > 1)
		return 0;
	for (r = same; r < same + sizeof same / sizeof *same; r++) {
		if (r->id != i->op->id)
			continue;
		if (fits(i, r, r->operand, in, known))
			return r->result;
		if (i->op->flags & COMM && r->operand <= b &&
		    fits(i, r, 3 - r->operand, in, known))
			return r->result <= b ? 3 - r->result : r->result;
	}
	return 0;
}
