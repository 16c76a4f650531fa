/* option_list.c - a table of options as text: --help, Markdown, mdoc.
 *
 * The layout of --help is that of NVIDIA's tools, since scripts look for an
 * option there: the long name, what follows it, the short name in
 * parentheses, and the explanation below, indented.
 */
#include "option.h"
#include <string.h>

enum { WIDTH = 79, INDENT = 8, BRIEF_COLUMN = 52 };

static const char *const status_note[] = {
	[STATUS_DONE]    = "",
	[STATUS_OWN]     = "",
	[STATUS_INERT]   = "Accepted, without effect here.",
	[STATUS_REFUSED] = "Not supported: an error.",
};

static const char *const status_word[] = {
	[STATUS_DONE]    = "yes",
	[STATUS_OWN]     = "yes, our own",
	[STATUS_INERT]   = "accepted, no effect",
	[STATUS_REFUSED] = "refused",
};

/* words of s, from column col on; returns the column behind them */
static int
fill(FILE *f, const char *s, int col)
{
	int n;

	for (; *s; s += n + strspn(s + n, " ")) {
		n = strcspn(s, " ");
		if (col > INDENT && col + 1 + n > WIDTH)
			col = 0;
		if (col == 0)
			col = fprintf(f, "\n%*s", INDENT, "") - 1;
		else if (col > INDENT)
			col += fprintf(f, " ");
		col += fprintf(f, "%.*s", n, s);
	}
	return col;
}

static void
help_heading(const struct option *o, FILE *f)
{
	int n;

	n = fprintf(f, "\n--%s%s%s", o->name, *o->arg_name ? " " : "",
		o->arg_name);
	if (*o->brief)
		fprintf(f, "%*s(-%s)", n < BRIEF_COLUMN ? BRIEF_COLUMN - n : 1,
			"", o->brief);
}

static void
help_row(const struct option *o, FILE *f)
{
	int col;

	help_heading(o, f);
	col = fill(f, o->help, 0);
	fill(f, status_note[o->status], col);
	if (o->allowed)
		fprintf(f, "\n%*sAllowed values: %s.", INDENT, "", o->allowed);
	if (o->preset)
		fprintf(f, "\n%*sDefault value: '%s'.", INDENT, "", o->preset);
	fprintf(f, "\n");
}

void
option_help(const struct option *table, FILE *f)
{
	const struct option *o;

	fprintf(f, "Options\n=======\n");
	for (o = table; o->name; o++)
		if (o->status != STATUS_OWN)
			help_row(o, f);
	fprintf(f, "\nOptions that NVIDIA's tool does not have\n"
		"========================================\n");
	for (o = table; o->name; o++)
		if (o->status == STATUS_OWN)
			help_row(o, f);
}

/* a bar would end the cell, even in code */
static void
cell(const char *s, FILE *f)
{
	for (; *s; s++)
		fprintf(f, *s == '|' ? "\\|" : "%c", *s);
}

static void
table_row(const struct option *o, FILE *f)
{
	fprintf(f, "| `--%s%s", o->name, *o->arg_name ? " " : "");
	cell(o->arg_name, f);
	fprintf(f, "` | ");
	if (*o->brief)
		fprintf(f, "`-%s`", o->brief);
	fprintf(f, " | %s | ", status_word[o->status]);
	cell(o->help, f);
	fprintf(f, " |\n");
}

void
option_markdown(const struct option *table, FILE *f)
{
	const struct option *o;

	fprintf(f, "| option | short | supported | what it does |\n"
		"|---|---|---|---|\n");
	for (o = table; o->name; o++)
		table_row(o, f);
}

/* the values of an argument named "<a|b>" or "<file>,..." */
static void
mdoc_argument(const char *s, FILE *f)
{
	if (!*s)
		return;
	fprintf(f, " Ar ");
	for (; *s; s++)
		if (!strchr("<>", *s))
			putc(*s, f);
}

/* each sentence begins a line, as mdoc wants it, and is no request */
static void
mdoc_text(const char *s, FILE *f)
{
	bool start = true;

	for (; *s; s++) {
		if (start && strchr(".'", *s))
			fprintf(f, "\\&");
		putc(*s, f);
		start = s[0] == '.' && s[1] == ' ';
		if (start) {
			putc('\n', f);
			s++;
		}
	}
	putc('\n', f);
}

static void
mdoc_row(const struct option *o, FILE *f)
{
	fprintf(f, ".It Fl -%s", o->name);
	mdoc_argument(o->arg_name, f);
	if (*o->brief)
		fprintf(f, " , Fl %s", o->brief);
	fprintf(f, "\n");
	mdoc_text(o->help, f);
	if (*status_note[o->status])
		fprintf(f, "%s\n", status_note[o->status]);
	if (o->preset)
		fprintf(f, "The default is\n.Ql %s .\n", o->preset);
}

void
option_mdoc(const struct option *table, FILE *f)
{
	const struct option *o;

	fprintf(f, ".Bl -tag -width Ds\n");
	for (o = table; o->name; o++)
		mdoc_row(o, f);
	fprintf(f, ".El\n");
}
