/* form.c - the notation of grammar/ptx.def.
 *
 * A row is the manual's line; here it is taken apart into the words of its
 * name and its operands.  That happens once for each instruction that a
 * module uses, so a kernel of ten instructions does not pay for five hundred.
 */
#include "form.h"
#include <ctype.h>
#include <string.h>

const struct insn_info insn_info[NINSN] = {
	[INSN_NONE] = { "NONE", "", "", 0 },
#define INSN(id, syntax, slots, flags) \
	[INSN_##id] = { #id, syntax, slots, flags },
#include "../grammar/ptx.def"
#undef INSN
};

static const struct { const char *name, *words; } slot_info[] = {
#define SLOT(name, words) { #name, words },
#include "../grammar/slot.def"
#undef SLOT
};

static const struct { const char *name, *what, *with; } opnd_info[] = {
#define OPND(name, what, with) { #name, what, with },
#include "../grammar/opnd.def"
#undef OPND
};

#define COUNT(a) (sizeof (a) / sizeof *(a))

/* letters, digits, _ and ::; of a slot's words also * and # */
static size_t
wordlen(const char *s)
{
	size_t n;

	for (n = 0; isalnum((unsigned char)s[n]) || s[n] == '_'
	|| s[n] == ':' || s[n] == '*' || s[n] == '#'; n++)
		if (s[n] == ':' && s[n + 1] != ':' && (!n || s[n - 1] != ':'))
			break;
	return n;
}

static struct name *
intern(struct ptx *x, const char *s, size_t n)
{
	return name_intern(&x->names, &x->arena, s, n);
}

/* what the row's slots column says of name; 0: nothing */
static const char *
narrowed(const struct insn_info *f, const char *name, size_t n)
{
	const char *s;

	for (s = f->slots; *s; s += strcspn(s, ";"), s += *s == ';') {
		while (*s == ' ')
			s++;
		if (!strncmp(s, name, n) && s[n] == ':' && s[n + 1] == ' ')
			return s + n + 2;
	}
	return 0;
}

static const char *
slot_words(const struct insn_info *f, const char *name, size_t n)
{
	const char *words;
	size_t i;

	words = narrowed(f, name, n);
	if (words)
		return words;
	for (i = 0; i < COUNT(slot_info); i++)
		if (!strncmp(slot_info[i].name, name, n)
		&& !slot_info[i].name[n])
			return slot_info[i].words;
	return 0;
}

/* the words of a list to word[]; how many.  m64n*k16 is written out: 8 to 256
 * in steps of 8; m64n#k32 in steps of 16 from 32 on. */
static uint16_t
take_words(struct ptx *x, const char *s, struct name **word)
{
	const char *star;
	char buf[32];
	size_t n;
	uint16_t count;
	int k;

	for (count = 0; *s && *s != ';'; s += n) {
		while (*s == ' ')
			s++;
		n = wordlen(s);
		star = memchr(s, '*', n);
		star = star ? star : memchr(s, '#', n);
		for (k = 8; star && k <= 256;
		k += *star == '#' && k >= 32 ? 16 : 8) {
			snprintf(buf, sizeof buf, "%.*s%d%.*s",
				(int)(star - s), s, k,
				(int)(s + n - star - 1), star + 1);
			word[count++] = intern(x, buf, strlen(buf));
		}
		if (!star)
			word[count++] = intern(x, s, n);
		s += s[n] == ' ';
	}
	return count;
}

static void
read_part(struct ptx *x, struct form *f, const char *s, size_t n, int group)
{
	struct name *word[64];
	struct form_part *p;
	const char *words;
	uint16_t i;

	p = &f->part[f->npart++];
	p->slot = intern(x, s, n);
	p->group = (uint8_t)group;
	words = slot_words(f->info, s, n);
	if (words) {
		p->nword = take_words(x, words, word);
	} else {
		word[0] = p->slot;
		p->nword = 1;
	}
	p->word = NEWN(&x->arena, p->nword, struct name *);
	memcpy(p->word, word, p->nword * sizeof *word);
	for (i = 0; i < p->nword; i++)
		if (type_find(word[i]->text, word[i]->len) != T_NONE)
			p->order = ORDER_TYPE;
		else if (space_find(word[i]->text, word[i]->len) != GENERIC)
			p->order = ORDER_SPACE;
		else if (!strcmp(word[i]->text, "row")
		|| !strcmp(word[i]->text, "col"))
			p->order = ORDER_LAYOUT;
}

/* the name part after its first word; returns where the operands start */
static const char *
read_name(struct ptx *x, struct form *f)
{
	const char *s;
	size_t n;
	int group, open;

	f->part = NEWN(&x->arena, MAX_PART, struct form_part);
	s = f->info->syntax + wordlen(f->info->syntax);
	for (group = open = 0; *s && *s != ' '; s++)
		if (*s == '{') {
			open = ++group;
		} else if (*s == '}') {
			open = 0;
		} else if (*s == '.') {
			n = wordlen(s + 1);
			read_part(x, f, s + 1, n, open);
			s += n;
		}
	return s;
}

static void
read_what(struct form *f, struct form_opnd *o, const char *s, size_t n)
{
	size_t i;

	o->with = "";
	for (i = 0; i < COUNT(opnd_info); i++)
		if (!strncmp(opnd_info[i].name, s, n)
		&& !opnd_info[i].name[n]) {
			o->what = opnd_info[i].what;
			o->with = opnd_info[i].with;
		}
	if (narrowed(f->info, s, n))
		o->what = narrowed(f->info, s, n);
}

static const char *
read_mark(const char *s, struct op_opnd *o)
{
	if (!strncmp(s, "{!}", 3))
		o->flags |= OPND_NOT;
	else if (!strncmp(s, "{-}", 3))
		o->flags |= OPND_NEG;
	else
		return s;
	return s + 3;
}

/* one operand at s: [a, c], <a>, (a), p{|q}, d{.sel}; returns its end */
static const char *
read_opnd(struct ptx *x, struct form *f, const char *s, int group)
{
	struct form_opnd *o;
	size_t n;

	o = &f->opnd[f->nopnd++];
	o->group = (uint8_t)group;
	s = read_mark(s, &o->o);
	o->o.shape = *s == '[' ? SHAPE_ADDR : *s == '<' ? SHAPE_VEC
		: *s == '(' ? SHAPE_LIST : SHAPE_SCALAR;
	s += o->o.shape != SHAPE_SCALAR;
	n = wordlen(s);
	o->o.name = intern(x, s, n)->text;
	read_what(f, o, s, n);
	s += n;
	for (o->o.min = 1; o->o.shape == SHAPE_ADDR && *s == ',';
	s += 2 + wordlen(s + 2))
		o->o.min++;
	s += *s == ']' || *s == '>' || *s == ')';
	if (!strncmp(s, "{.unified}", 10)) {
		o->o.flags |= OPND_UNIFIED;
		s += 10;
	}
	if (!strncmp(s, "{.sel}", 6) || !strncmp(s, "{.mask}", 7)) {
		o->o.flags |= OPND_SEL;
		s += strcspn(s, "}") + 1;
	}
	if (*s == '|' || (*s == '{' && s[1] == '|')) {
		o->o.flags |= OPND_PAIR | (*s == '{' ? OPND_OPT : 0);
		s += strcspn(s, "pq") + 1;
		s += *s == '}';
	}
	return s;
}

static void
read_opnds(struct ptx *x, struct form *f, const char *s)
{
	int group, open;

	f->opnd = NEWN(&x->arena, 16, struct form_opnd);
	for (group = open = 0; *s;)
		if (*s == ' ' || *s == ',') {
			s++;
		} else if (*s == '}') {
			open = 0;
			s++;
		} else if (*s == '{' && s[1] == ',') {
			open = ++group;
			s++;
		} else {
			s = read_opnd(x, f, s, open);
		}
}

static struct forms *
forms(struct ptx *x)
{
	const char *s;
	int k;

	if (x->forms)
		return x->forms;
	x->forms = NEW(&x->arena, struct forms);
	for (k = INSN_NONE + 1; k < NINSN; k++) {
		s = insn_info[k].syntax;
		x->forms->root[k] = intern(x, s, wordlen(s));
	}
	return x->forms;
}

struct form *
form_get(struct ptx *x, enum insn_id id)
{
	struct form **f;

	f = &forms(x)->form[id];
	if (!*f) {
		*f = NEW(&x->arena, struct form);
		(*f)->info = &insn_info[id];
		read_opnds(x, *f, read_name(x, *f));
	}
	return *f;
}

struct form *
form_next(struct ptx *x, struct name *root, int *id)
{
	struct forms *t;

	t = forms(x);
	do
		if (++*id >= NINSN)
			return 0;
	while (t->root[*id] != root);
	return form_get(x, (enum insn_id)*id);
}

struct name *
form_root(struct ptx *x, const struct name *name)
{
	return intern(x, name->text, strcspn(name->text, "."));
}

int
form_split(struct ptx *x, const struct name *name, struct name **word)
{
	const char *s;
	size_t k;
	int n;

	s = name->text + strcspn(name->text, ".");
	for (n = 0; *s == '.'; s += k) {
		k = strcspn(++s, ".");
		if (n == MAX_WORD)
			return -1;
		word[n++] = intern(x, s, k);
	}
	return n;
}

bool
form_takes(const struct form_part *p, const struct name *word)
{
	uint16_t i;

	for (i = 0; i < p->nword; i++)
		if (p->word[i] == word)
			return true;
	return false;
}

/* required parts taken, and of each group all or none? */
static bool
is_complete(const struct form *f, uint32_t used)
{
	int p, q;

	for (p = 0; p < f->npart; p++) {
		if (used >> p & 1)
			continue;
		if (!f->part[p].group)
			return false;
		for (q = 0; q < f->npart; q++)
			if (used >> q & 1 && f->part[q].group
			== f->part[p].group)
				return false;
	}
	return true;
}

static bool
overlap(const struct form_part *a, const struct form_part *b)
{
	uint16_t i;

	if (a->order && a->order == b->order)
		return true;
	for (i = 0; i < a->nword; i++)
		if (form_takes(b, a->word[i]))
			return true;
	return false;
}

/* may part p come after the parts used?  What could be mistaken for one
 * another keeps the order of the row: types, spaces, .row.col */
static bool
keeps_order(const struct form *f, uint32_t used, int p)
{
	int q;

	for (q = p + 1; q < f->npart; q++)
		if (used >> q & 1 && overlap(&f->part[p], &f->part[q]))
			return false;
	return true;
}

static bool
fit(const struct form *f, struct name **word, int n, uint32_t used,
	uint8_t *pick)
{
	int p;

	if (!n)
		return is_complete(f, used);
	for (p = 0; p < f->npart; p++) {
		if (used >> p & 1 || !form_takes(&f->part[p], *word)
		|| !keeps_order(f, used, p))
			continue;
		*pick = (uint8_t)p;
		if (fit(f, word + 1, n - 1, used | 1u << p, pick + 1))
			return true;
	}
	return false;
}

bool
form_fit(const struct form *f, struct name **word, int n, uint8_t *pick)
{
	return n <= f->npart && fit(f, word, n, 0, pick);
}
