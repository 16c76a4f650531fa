/* option_list.c - a table of options as text: for --help and for doc/.
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
option_table(const struct option *table, FILE *f)
{
	const struct option *o;

	fprintf(f, "| option | short | supported | what it does |\n"
		"|---|---|---|---|\n");
	for (o = table; o->name; o++)
		table_row(o, f);
}
