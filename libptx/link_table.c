/* link_table.c - names that modules share, and who defines them.
 *
 * Each module has names of its own, so entries compare by spelling.
 */
#include "link.h"
#include <stdlib.h>
#include <string.h>

static struct global *
slot(const struct globals *t, const struct name *n)
{
	struct global *g;
	size_t i;

	for (i = n->hash & (t->cap - 1);; i = (i + 1) & (t->cap - 1)) {
		g = &t->slot[i];
		if (!g->name || (g->name->hash == n->hash &&
		    !strcmp(g->name->text, n->text)))
			return g;
	}
}

static void
grow(struct globals *t)
{
	struct globals wider = { .cap = t->cap ? 2 * t->cap : 64 };
	size_t i;

	wider.len = t->len;
	wider.slot = calloc(wider.cap, sizeof *wider.slot);
	if (!wider.slot)
		abort();
	for (i = 0; i < t->cap; i++)
		if (t->slot[i].name)
			*slot(&wider, t->slot[i].name) = t->slot[i];
	free(t->slot);
	*t = wider;
}

struct global *
globals_find(const struct globals *t, const struct name *n)
{
	struct global *g;

	g = t->cap ? slot(t, n) : 0;
	return g && g->name ? g : 0;
}

struct global *
globals_at(struct globals *t, const struct name *n)
{
	struct global *g;

	if (2 * t->len >= t->cap)
		grow(t);
	g = slot(t, n);
	if (!g->name) {
		g->name = n;
		t->len++;
	}
	return g;
}

void
globals_free(struct globals *t)
{
	free(t->slot);
	*t = (struct globals){0};
}
