/* rule.c - the rules of grammar/rule.def, applied to a spelling. */
#include "form.h"
#include <string.h>

static const struct form_rule rules[] = {
#define RULE(form, when, then) { INSN_##form, when, then },
#include "../grammar/rule.def"
#undef RULE
};

static bool
op_spells(const struct op *op, const char *word, size_t n)
{
	int k;

	for (k = 0; k < op->nword; k++)
		if (!strncmp(op->word[k].word, word, n)
		&& !op->word[k].word[n])
			return true;
	return false;
}

const char *
op_word(const struct op *op, const char *slot, size_t n)
{
	int k;

	for (k = 0; k < op->nword; k++)
		if (!strncmp(op->word[k].slot, slot, n)
		&& !op->word[k].slot[n])
			return op->word[k].word;
	return 0;
}

/* slot=word */
static bool
has_word(const struct op *op, const char *slot, size_t n, const char *word,
	size_t len)
{
	const char *w;

	w = op_word(op, slot, n);
	return w && !strncmp(w, word, len) && !w[len];
}

/* one item of a list: word, !slot, slot=word, a+b */
static bool
holds(const struct op *op, const char *s, size_t n)
{
	const char *mark;

	if (*s == '!')
		return !op_word(op, s + 1, n - 1);
	mark = memchr(s, '=', n);
	if (mark)
		return has_word(op, s, (size_t)(mark - s), mark + 1,
			n - (size_t)(mark + 1 - s));
	mark = memchr(s, '+', n);
	if (mark)
		return op_spells(op, s, (size_t)(mark - s))
			&& op_spells(op, mark + 1, n - (size_t)(mark + 1 - s));
	return op_spells(op, s, n);
}

bool
op_spells_any(const struct op *op, const char *words)
{
	size_t n;

	for (; *words; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		if (holds(op, words, n))
			return true;
	}
	return false;
}

static bool
spells_none(const struct op *op, const char *words)
{
	size_t n;

	for (; *words; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		if (op_word(op, words, n) || op_spells(op, words, n))
			return false;
	}
	return true;
}

static bool
breaks(const struct op *op, const struct form_rule *r)
{
	const char *eq, *a, *b;

	eq = strstr(r->when, " = ");
	if (eq) {
		a = op_word(op, r->when, (size_t)(eq - r->when));
		b = op_word(op, eq + 3, strlen(eq + 3));
		return strcmp(a, b) && !op_spells_any(op, r->then);
	}
	if (!op_spells_any(op, r->when))
		return false;
	if (!strncmp(r->then, "not ", 4))
		return !spells_none(op, r->then + 4);
	return !op_spells_any(op, r->then);
}

const struct form_rule *
op_rule(const struct op *op)
{
	size_t k;

	for (k = 0; k < sizeof rules / sizeof *rules; k++)
		if (rules[k].id == op->id && breaks(op, &rules[k]))
			return &rules[k];
	return 0;
}
