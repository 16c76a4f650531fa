/* insn_diag.c - why an instruction fits no form, in ptxas's terms.
 *
 * Among the forms of its name the one that came furthest is taken: the one
 * that takes its types and leaves the fewest words over.  What that form
 * lacks or does not take is what the message names.
 */
#include "form.h"
#include <string.h>

struct spelling {
	struct ptx *x;
	struct loc loc;
	struct name *root;
	struct name *word[MAX_WORD];
	int n;
};

/* how a form stands to a spelling */
struct near {
	const struct form *form;
	int types;           /* of the spelling's types, how many it takes */
	int left;            /* the first word it does not take, or -1 */
	int nleft;
	const struct form_part *lacks;
	int score;
};

static bool
is_type(const struct name *w)
{
	return type_find(w->text, w->len) != T_NONE;
}

static bool
is_rounding(const struct name *w)
{
	static const char *const word[] = {
		"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", "rs",
	};
	size_t k;

	for (k = 0; k < sizeof word / sizeof *word; k++)
		if (!strcmp(w->text, word[k]))
			return true;
	return false;
}

/* the part still free that takes w, types in order; -1: none */
static int
free_part(const struct form *f, uint32_t used, int typed, const struct name *w)
{
	int p;

	for (p = 0; p < f->npart; p++)
		if (!(used >> p & 1) && form_takes(&f->part[p], w)
		&& !(f->part[p].order == ORDER_TYPE && p < typed))
			return p;
	return -1;
}

/* each word in turn to the first free part; without: a word left aside */
static struct near
measure(const struct spelling *s, const struct form *f, int without)
{
	struct near m = { .form = f, .left = -1 };
	uint32_t used;
	int k, p, typed, lack;

	for (used = 0, typed = -1, k = 0; k < s->n; k++) {
		if (k == without)
			continue;
		p = free_part(f, used, typed, s->word[k]);
		if (p < 0) {
			m.left = m.left < 0 ? k : m.left;
			m.nleft++;
			continue;
		}
		used |= 1u << p;
		typed = f->part[p].order == ORDER_TYPE ? p : typed;
		m.types += is_type(s->word[k]);
	}
	for (lack = p = 0; p < f->npart; p++)
		if (!(used >> p & 1) && !f->part[p].group) {
			m.lacks = m.lacks ? m.lacks : &f->part[p];
			lack++;
		}
	m.score = 16 * m.types - 2 * m.nleft - 2 * lack - !!m.lacks;
	return m;
}

static struct near
nearest(const struct spelling *s, int without)
{
	struct near best = { .score = -10000 }, m;
	struct form *f;
	int id;

	for (id = INSN_NONE; (f = form_next(s->x, s->root, &id));) {
		m = measure(s, f, without);
		if (m.score > best.score)
			best = m;
	}
	return best;
}

static bool
known_word(const struct spelling *s, const struct name *w)
{
	struct form *f;
	int id, p;

	for (id = INSN_NONE; (f = form_next(s->x, s->root, &id));)
		for (p = 0; p < f->npart; p++)
			if (form_takes(&f->part[p], w))
				return true;
	return false;
}

/* "'.f32', '.s32'" */
static const char *
types(const struct spelling *s, char *buf, size_t cap)
{
	size_t at;
	int k;

	for (at = 0, buf[0] = 0, k = 0; k < s->n; k++)
		if (is_type(s->word[k]) && at < cap)
			at += (size_t)snprintf(buf + at, cap - at, "%s'.%s'",
				at ? ", " : "", s->word[k]->text);
	return buf;
}

static void
wrong_types(const struct spelling *s)
{
	char list[160];

	if (!*types(s, list, sizeof list))
		diag(s->x, ERROR, s->loc, "instruction type required for "
			"instruction '%s'", s->root->text);
	else
		diag(s->x, ERROR, s->loc, "unexpected instruction types "
			"specified for '%s': %s", s->root->text, list);
}

/* "'.hi', '.lo'" */
static const char *
choices(const struct form_part *p, char *buf, size_t cap)
{
	size_t at;
	int k;

	for (at = 0, k = 0; k < p->nword && at < cap; k++)
		at += (size_t)snprintf(buf + at, cap - at, "%s'.%s'",
			k ? ", " : "", p->word[k]->text);
	return buf;
}

static void
lacking(const struct spelling *s, const struct form_part *p)
{
	char buf[200];

	if (p->order == ORDER_TYPE)
		wrong_types(s);
	else if (is_rounding(p->word[0]))
		diag(s->x, ERROR, s->loc, "rounding modifier required for "
			"instruction '%s', expected one of %s", s->root->text,
			choices(p, buf, sizeof buf));
	else
		diag(s->x, ERROR, s->loc, "modifier required for instruction "
			"'%s', expected %s%s", s->root->text,
			p->nword > 1 ? "one of " : "",
			choices(p, buf, sizeof buf));
}

/* the word without which word k fits; -1: none */
static int
rival(const struct spelling *s, int k)
{
	struct near m;
	int j;

	for (j = 0; j < s->n; j++) {
		if (j == k || is_type(s->word[j]))
			continue;
		m = nearest(s, j);
		if (m.left < 0 && !m.lacks)
			return j;
	}
	return -1;
}

static void
left_over(const struct spelling *s, int k)
{
	const char *w, *root;
	char list[160];
	int j;

	w = s->word[k]->text;
	root = s->root->text;
	types(s, list, sizeof list);
	if (!known_word(s, s->word[k])) {
		diag(s->x, ERROR, s->loc,
			"illegal modifier '.%s' for instruction '%s'", w, root);
		return;
	}
	j = rival(s, k);
	if (j >= 0 && nearest(s, k).left < 0)
		diag(s->x, ERROR, s->loc, "modifier '.%s' cannot be combined "
			"with modifier '.%s'", w, s->word[j]->text);
	else
		diag(s->x, ERROR, s->loc, "illegal %s '.%s' for instruction "
			"'%s'%s%s", is_rounding(s->word[k]) ?
			"rounding modifier" : "modifier", w, root,
			*list ? " of " : "", list);
}

static int
type_count(const struct spelling *s)
{
	int k, n;

	for (n = k = 0; k < s->n; k++)
		n += is_type(s->word[k]);
	return n;
}

static bool
is_word(const char *w, const char *s, size_t n)
{
	return !strncmp(w, s, n) && !w[n];
}

/* the words of a list that are spelled: "'.v4', '.b64'" */
static const char *
spelled(const struct op *op, const char *words, char *buf, size_t cap)
{
	size_t at, n;
	int k;

	buf[0] = 0;
	for (at = 0; *words && at < cap; words += n + !!words[n]) {
		n = strcspn(words, " =+!");
		for (k = 0; n && k < op->nword; k++)
			if (is_word(op->word[k].word, words, n)
			|| is_word(op->word[k].slot, words, n))
				at += (size_t)snprintf(buf + at, cap - at,
					"%s'.%s'", at ? ", " : "",
					op->word[k].word);
	}
	return buf;
}

/* what a rule asks for, for a person: "'.global', no '.space'" */
static const char *
wanted(const char *words, char *buf, size_t cap)
{
	const char *eq;
	size_t at, n;

	for (at = 0; *words && at < cap; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		eq = memchr(words, '=', n);
		if (eq) {
			n -= (size_t)(eq + 1 - words);
			words = eq + 1;
		}
		at += (size_t)snprintf(buf + at, cap - at, "%s%s'.%.*s'",
			at ? ", " : "", *words == '!' ? "no " : "",
			(int)n - (*words == '!'), words + (*words == '!'));
	}
	return buf;
}

/* a form fits but for one of its rules */
static void
broken_rule(struct ptx *x, const struct op *op, struct loc loc)
{
	const struct form_rule *r;
	const char *root;
	char when[80], then[200];
	int n;

	r = op_rule(op);
	root = op->name->text;
	n = (int)strcspn(root, ".");
	spelled(op, r->when, when, sizeof when);
	if (strstr(r->when, " = "))
		diag(x, ERROR, loc, "unexpected instruction types specified "
			"for '%.*s', expected .%.5s to be .%s", n, root,
			r->when, strstr(r->when, " = ") + 3);
	else if (!strncmp(r->then, "not ", 4))
		diag(x, ERROR, loc, "modifier %s cannot be combined with "
			"modifier %s for instruction '%.*s'", when,
			spelled(op, r->then + 4, then, sizeof then), n, root);
	else
		diag(x, ERROR, loc, "modifier %s of instruction '%.*s' "
			"requires one of %s", when, n, root,
			wanted(r->then, then, sizeof then));
}

void
insn_no_form(struct ptx *x, struct name *name, const struct op *broken,
	struct loc loc)
{
	struct spelling s = { .x = x, .loc = loc };
	struct near m;
	int id;

	if (broken) {
		broken_rule(x, broken, loc);
		return;
	}
	s.root = form_root(x, name);
	s.n = form_split(x, name, s.word);
	id = INSN_NONE;
	if (!form_next(x, s.root, &id)) {
		diag(x, ERROR, loc, "not a name of any known instruction: "
			"'%s'", s.root->text);
		return;
	}
	if (s.n < 0) {
		diag(x, ERROR, loc, "too many modifiers for instruction '%s'",
			s.root->text);
		return;
	}
	m = nearest(&s, -1);
	if (m.types < type_count(&s))
		wrong_types(&s);
	else if (m.left >= 0)
		left_over(&s, m.left);
	else if (m.lacks)
		lacking(&s, m.lacks);
	else
		diag(x, ERROR, loc, "modifiers of '%s' cannot be combined",
			name->text);
}

/* how many operands op takes before it and i part */
static int
agree(const struct op *op, const struct insn *i)
{
	int k;

	for (k = 0; k < op->nopnd && k < i->nopnd; k++)
		if (!op_takes(&op->opnd[k], &i->u.opnd[k]))
			break;
	return k;
}

void
insn_no_match(struct ptx *x, const struct op *op, const struct insn *i)
{
	const struct op *at, *best;
	const char *s;
	int k, most;

	for (best = at = op, most = -1; at; at = at->next) {
		k = agree(at, i) + (at->nopnd == i->nopnd);
		if (k > most) {
			most = k;
			best = at;
		}
	}
	k = agree(best, i);
	if (best->nopnd == i->nopnd && k < best->nopnd
	&& best->opnd[k].kinds >> i->u.opnd[k].kind & 1) {
		diag(x, ERROR, i->loc, "operand '%s' of instruction '%.*s' has "
			"%u elements, expected %d", best->opnd[k].name,
			(int)strcspn(op->name->text, "."), op->name->text,
			i->u.opnd[k].n, best->opnd[k].min);
		return;
	}
	s = strchr(insn_info[best->id].syntax, ' ');
	diag(x, ERROR, i->loc, "arguments mismatch for instruction '%.*s', "
		"expected '%s'", (int)strcspn(op->name->text, "."),
		op->name->text, s ? s + 1 : "");
}
