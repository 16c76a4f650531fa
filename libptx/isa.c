/* isa.c - the instruction table as a reference: doc/isa.md.
 *
 * For each form the manual's line, how it becomes code, and what tests it:
 * the first of the modules given that holds it.  All of it is computed.
 */
#include "form.h"
#include <ctype.h>
#include <string.h>

static const char *const emitted[NINSN] = {
#define EMIT(form, how, with) [INSN_##form] = "emit_" #how,
#include "emit/emit.def"
#undef EMIT
};

enum insn_id
isa_find(const char *name)
{
	int k;

	for (k = INSN_NONE + 1; k < NINSN; k++)
		if (!strcmp(insn_info[k].id, name))
			return (enum insn_id)k;
	return INSN_NONE;
}

void
isa_mark(const struct ptx *x, const char **used)
{
	const struct func *f;
	const struct insn *i;

	for (f = x->func; f; f = f->next)
		for (i = f->first; i; i = i->next)
			if (i->kind == STMT_INSN && i->op && !used[i->op->id])
				used[i->op->id] = x->file;
}

/* | ends a table's cell */
static void
put_cell(FILE *f, const char *s)
{
	for (; *s; s++)
		fprintf(f, *s == '|' ? "\\%c" : "%c", *s);
}

static void
put_row(FILE *f, const struct insn_info *r, const char *how, const char *test)
{
	fprintf(f, "| %s | `", r->id);
	put_cell(f, r->syntax);
	fprintf(f, "`%s", *r->slots ? "<br>" : "");
	put_cell(f, r->slots);
	fprintf(f, " | %s | %s |\n", how ? how : "not translated",
		test ? test : "");
}

void
isa_print(FILE *f, const char *const *used)
{
	int k, translated, tested;

	fputs("# Instruction forms\n\nWritten by `ptx-opt -i` from "
		"`grammar/ptx.def` and `libptx/emit/emit.def`.\n\n"
		"| form | syntax | emitted by | tested by |\n"
		"| --- | --- | --- | --- |\n", f);
	translated = tested = 0;
	for (k = INSN_NONE + 1; k < NINSN; k++) {
		put_row(f, &insn_info[k], emitted[k], used[k]);
		translated += emitted[k] != 0;
		tested += used[k] != 0;
	}
	fprintf(f, "\n%d forms, %d translated, %d tested.\n", NINSN - 1,
		translated, tested);
}
