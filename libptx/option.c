/* option.c - a command line, read by a table of options.
 *
 * NVIDIA's tools spell "-opt value", "-opt=value", "--option value" and
 * "--option=value"; they take short names behind one dash and long ones
 * behind two, and we take either behind both.  "-O3" and "-m64" are one
 * word.  What is no option is an input, and so is a lone dash.  The wording
 * of each message is matched by scripts and by other compilers.
 */
#include "option.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 32 };    /* of options files that name options files */

struct words {
	char **word;
	size_t n, next;
	int depth;
};

static bool read_words(struct command *, struct words *);

static bool
fatal(struct command *c, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	c->say(c->say_arg, ERROR, text);
	return false;
}

static bool
redefined(struct command *c, const struct option *o, struct option_value *v,
	const char *text)
{
	if (v->given && strcmp(v->text, text))
		c->say(c->say_arg, WARNING, arena_printf(&c->arena,
			"incompatible redefinition for option '%s', "
			"the last value of this option was used", o->name));
	v->given = true;
	v->text = text;
	return true;
}

/* list[n] = text, where the capacity is always a power of two */
static void
append(struct command *c, const char ***list, size_t *n, const char *text)
{
	const char **wider;

	if ((*n & (*n - 1)) == 0) {
		wider = NEWN(&c->arena, *n ? 2 * *n : 1, const char *);
		if (*n)
			memcpy(wider, *list, *n * sizeof *wider);
		*list = wider;
	}
	(*list)[(*n)++] = text;
}

static char *
copy(struct command *c, const char *s, size_t n)
{
	return arena_printf(&c->arena, "%.*s", (int)n, s);
}

static void
append_parts(struct command *c, struct option_value *v, const char *s)
{
	size_t n;

	for (;; s += n + 1) {
		n = strcspn(s, ",");
		if (n)
			append(c, &v->list, &v->n, copy(c, s, n));
		if (!s[n])
			return;
	}
}

static bool
in_list(const char *list, const char *word)
{
	size_t n;

	for (;; list += n + 1) {
		n = strcspn(list, ",");
		if (strlen(word) == n && !memcmp(list, word, n))
			return true;
		if (!list[n])
			return false;
	}
}

static bool
set_bool(struct command *c, struct option_value *v, const char *text)
{
	if (strcmp(text, "true") && strcmp(text, "false"))
		return fatal(c, "'%s': expected true or false", text);
	v->num = *text == 't';
	return true;
}

static bool
set_num(struct command *c, struct option_value *v, const char *text)
{
	char *end;

	errno = 0;
	v->num = strtol(text, &end, 0);
	if (*end || errno)
		return fatal(c, "'%s': expected a number", text);
	return true;
}

/* white space separates; quotes and backslashes keep it */
static char *
next_word(struct command *c, char **at)
{
	char *s = *at, *word, *d;
	bool quoted = false;

	*at = s += strspn(s, " \t\r\n\f\v");
	if (!*s)
		return 0;
	for (word = d = s; *s; s++) {
		if (*s == '"')
			quoted = !quoted;
		else if (*s == '\\' && s[1])
			*d++ = *++s;
		else if (!quoted && strchr(" \t\r\n\f\v", *s))
			break;
		else
			*d++ = *s;
	}
	if (quoted) {
		fatal(c, "Stray '\"' character");
		return 0;
	}
	*at = *s ? s + 1 : s;
	*d = 0;
	return word;
}

static char *
read_text(struct command *c, const char *name)
{
	char *text = 0, *wider;
	size_t n = 0, cap = 0;
	FILE *f;

	f = fopen(name, "r");
	if (!f)
		return 0;
	do {
		if (n + 1 >= cap) {
			cap = cap ? 2 * cap : 4096;
			wider = NEWN(&c->arena, cap, char);
			if (n)
				memcpy(wider, text, n);
			text = wider;
		}
		n += fread(text + n, 1, cap - 1 - n, f);
	} while (!feof(f) && !ferror(f));
	text[n] = 0;
	fclose(f);
	return text;
}

static bool
read_file(struct command *c, const char *name, int depth)
{
	struct words w = { .depth = depth + 1 };
	const char **list = 0;
	char *text, *word;

	if (depth == MAX_DEPTH)
		return fatal(c, "Too many options file opened '%s'", name);
	text = read_text(c, name);
	if (!text)
		return fatal(c, "Could not open options file '%s'", name);
	while ((word = next_word(c, &text)))
		append(c, &list, &w.n, word);
	if (*text)
		return false;
	w.word = (char **)list;
	return read_words(c, &w);
}

static bool
read_files(struct command *c, const char *s, int depth)
{
	size_t n;

	for (;; s += n + 1) {
		n = strcspn(s, ",");
		if (!read_file(c, copy(c, s, n), depth))
			return false;
		if (!s[n])
			return true;
	}
}

static bool
set(struct command *c, const struct option *o, const char *text, int depth)
{
	struct option_value *v = &c->value[o - c->table];

	if (o->status == STATUS_REFUSED &&
	    (!o->preset || strcmp(text, o->preset)))
		return fatal(c, "Option '%s' is not supported", o->name);
	if (o->allowed && !in_list(o->allowed, text))
		return fatal(c, "Value '%s' is not defined for option '%s'",
			text, o->name);
	switch (o->arg & ARG_KIND) {
	case ARG_NONE:
		v->num = 1;
		return redefined(c, o, v, text);
	case ARG_BOOL:
		return set_bool(c, v, text) && redefined(c, o, v, text);
	case ARG_NUM:
		return set_num(c, v, text) && redefined(c, o, v, text);
	case ARG_WORD:
		return redefined(c, o, v, text);
	case ARG_LIST:
		append_parts(c, v, text);
		break;
	case ARG_TEXT:
		append(c, &v->list, &v->n, text);
		break;
	case ARG_FILE:
		return read_files(c, text, depth);
	}
	v->given = true;
	v->text = text;
	return true;
}

static bool
spells(const char *name, const char *s, size_t n)
{
	return *name && strlen(name) == n && !memcmp(name, s, n);
}

/* the option that s spells; dashes 1 prefers short names, 2 long ones */
static const struct option *
find(const struct command *c, const char *s, int dashes)
{
	size_t n = strcspn(s, "=");
	const struct option *o;
	int round;

	for (round = 0; round < 2; round++)
		for (o = c->table; o->name; o++)
			if (spells((dashes == 1) ^ round ? o->brief : o->name,
			    s, n))
				return o;
	return 0;
}

/* the option whose short name begins s, as in "O3" */
static const struct option *
find_joined(const struct command *c, const char *s)
{
	const struct option *o;

	for (o = c->table; o->name; o++)
		if (o->arg & ARG_JOINED &&
		    !strncmp(o->brief, s, strlen(o->brief)))
			return o;
	return 0;
}

/* the value that belongs to o: behind "=", or else the next word */
static const char *
value(struct command *c, const struct option *o, const char *spelled,
	struct words *w)
{
	const char *eq = strchr(spelled, '=');

	if ((o->arg & ARG_KIND) == ARG_NONE) {
		if (!eq)
			return "";
		fatal(c, "no argument expected after '%.*s'",
			(int)(eq - spelled), spelled);
		return 0;
	}
	if (eq)
		return eq + 1;
	if (o->arg & ARG_STUCK && !strcmp(spelled + 1, o->brief))
		return "";
	if (w->next < w->n)
		return w->word[w->next++];
	fatal(c, "argument expected after '%s'", spelled);
	return 0;
}

static bool
read_option(struct command *c, const char *s, struct words *w)
{
	int dashes = s[1] == '-' ? 2 : 1;
	const struct option *o;
	const char *text;

	o = find(c, s + dashes, dashes);
	if (o) {
		text = value(c, o, s, w);
		return text && set(c, o, text, w->depth);
	}
	if (dashes == 1)
		o = find_joined(c, s + 1);
	if (o)
		return set(c, o, s + 1 + strlen(o->brief), w->depth);
	return fatal(c, "Unknown option '%.*s'", (int)strcspn(s + 1, "="),
		s + 1);
}

static bool
read_words(struct command *c, struct words *w)
{
	const char *s;

	while (w->next < w->n) {
		s = w->word[w->next++];
		if (s[0] != '-' || !s[1])
			append(c, &c->input, &c->ninput, s);
		else if (!read_option(c, s, w))
			return false;
	}
	return true;
}

static void
preset(struct command *c, const struct option *o, struct option_value *v)
{
	v->text = o->preset;
	if (!o->preset)
		return;
	if ((o->arg & ARG_KIND) == ARG_NUM)
		set_num(c, v, o->preset);
	if ((o->arg & ARG_KIND) == ARG_BOOL)
		set_bool(c, v, o->preset);
}

bool
option_read(struct command *c, int argc, char *argv[])
{
	struct words w = { .word = argv + 1, .n = argc > 0 ? argc - 1 : 0 };
	size_t n;

	for (n = 0; c->table[n].name; n++)
		;
	c->value = NEWN(&c->arena, n, struct option_value);
	while (n--)
		preset(c, &c->table[n], &c->value[n]);
	return read_words(c, &w);
}

void
option_free(struct command *c)
{
	arena_free(&c->arena);
}
