/* library.c - functions of ours that are written in PTX.
 *
 * Their text is part of the library (see the Makefile's %.inc), is parsed when
 * a unit needs one of them, and lives as long as the unit is emitted.
 */
#include "emit_int.h"

#include <stdlib.h>
#include <string.h>

struct library {
	struct ptx x;
	char *text;
};

static size_t
join(char *to, const char *const *line, size_t n)
{
	size_t i, k, size;

	for (size = 0, i = 0; i < n; i++) {
		k = strlen(line[i]);
		if (to)
			memcpy(to + size, line[i], k + 1);
		size += k;
	}
	return size;
}

struct library *
library_parse(struct emit *e, const char *name, const char *const *line,
	size_t n)
{
	struct library *l;
	size_t size;

	l = calloc(1, sizeof *l);
	size = join(0, line, n);
	l->text = malloc(size + 1);
	join(l->text, line, n);
	l->x.diag = e->x->diag;
	l->x.diag_arg = e->x->diag_arg;
	ptx_parse(&l->x, name, l->text, size);
	return l;
}

void
library_free(struct library *l)
{
	if (!l)
		return;
	ptx_free(&l->x);
	free(l->text);
	free(l);
}

const struct func *
library_first(const struct library *l)
{
	return l->x.func;
}

const struct func *
library_func(const struct library *l, const char *name)
{
	return l->x.nerror ? 0 : ptx_func(&l->x, name);
}

void
library_define(struct emit *e, const struct library *l)
{
	const struct item *i;
	const struct sym *s;
	LLVMValueRef g;

	for (i = l->x.item; i; i = i->next) {
		if (i->kind != ITEM_VAR)
			continue;
		for (s = i->sym; s; s = s->next) {
			g = LLVMGetNamedGlobal(e->m, s->name->text);
			if (g && LLVMIsDeclaration(g))
				emit_constant(e, s, g);
		}
	}
}
