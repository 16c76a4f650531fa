/* program_outline.c - modules known from an earlier run, without their code.
 *
 * Where all kernels that are wanted are in the cache, parsing what they were
 * made from is most of what a start takes.  So the cache also has an outline
 * of each module: its own text with empty functions.  That a module has one
 * says, too, that it was sound.  Whoever compiles asks for the whole, which
 * is parsed then.
 */
#define _POSIX_C_SOURCE 200809L
#include "program_int.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* the first line of the outline of a program that has them */
static const char pointers[] = "// addresses of functions\n";

/* what parsing needs, when it comes to that */
struct whole {
	pthread_mutex_t lock;    /* of x */
	bool parsed;
	struct ptx x;
	struct program options;
	char *file;
	struct blob outline;     /* the text of program.x */
};

void
whole_free(struct whole *w)
{
	if (!w)
		return;
	ptx_free(&w->x);
	pthread_mutex_destroy(&w->lock);
	free(w->outline.data);
	free(w->file);
	free(w);
}

static struct whole *
whole_new(const struct program *o, struct blob outline)
{
	struct whole *w = calloc(1, sizeof *w);

	if (!w || !(w->file = strdup(o->file))) {
		free(w);
		free(outline.data);
		return 0;
	}
	pthread_mutex_init(&w->lock, 0);
	w->options = *o;
	w->options.file = w->file;
	w->outline = outline;
	return w;
}

const struct ptx *
program_whole(const struct program *p)
{
	struct whole *w = p->whole;

	if (!w)
		return &p->x;
	pthread_mutex_lock(&w->lock);
	if (!w->parsed)
		program_parse(&w->x, &w->options, p->text, strlen(p->text), 0);
	w->parsed = true;
	pthread_mutex_unlock(&w->lock);
	return w->x.nerror ? 0 : &w->x;
}

/* what cannot be parsed is as good as none */
bool
outline_read(struct program *p, const struct program *o)
{
	struct blob b = { 0, 0 };

	if (o->outlines)
		b = o->outlines->get(p);
	if (!b.data || !b.size || ((char *)b.data)[b.size - 1]) {
		free(b.data);
		return false;
	}
	p->whole = whole_new(o, b);
	if (!p->whole)
		return false;
	ptx_parse(&p->x, p->whole->file, b.data, b.size - 1);
	p->pointers = !strncmp(b.data, pointers, sizeof pointers - 1);
	if (!p->x.nerror)
		return true;
	ptx_free(&p->x);
	p->x = (struct ptx){0};
	whole_free(p->whole);
	p->whole = 0;
	return false;
}

/* a variable of the module's that a function declares */
static bool
has_variables(const struct func *f)
{
	const struct insn *i;
	const struct sym *s;

	for (i = f->first; i; i = i->next)
		for (s = i->kind == STMT_DECL ? i->u.sym : 0; s; s = s->next)
			if (s->kind == SYM_VAR && (s->space == GLOBAL ||
			    s->space == CONST))
				return true;
	return false;
}

/* the functions' instructions, put aside; 0: there can be no outline */
static struct insn **
empty(const struct ptx *x)
{
	struct insn **first;
	struct func *f;
	size_t n = 1, i;

	for (f = x->func; f; f = f->next, n++)
		if (has_variables(f))
			return 0;
	first = calloc(n, sizeof *first);
	for (i = 0, f = x->func; first && f; f = f->next) {
		first[i++] = f->first;
		f->first = 0;
	}
	return first;
}

static void
fill(const struct ptx *x, struct insn **first)
{
	struct func *f;
	size_t i;

	for (i = 0, f = x->func; f; f = f->next)
		f->first = first[i++];
	free(first);
}

void
outline_write(const struct program *p, const struct program *o)
{
	struct insn **first;
	char *text = 0;
	size_t size;
	FILE *f;

	if (!o->outlines || !(first = empty(&p->x)))
		return;
	f = open_memstream(&text, &size);
	if (f && p->pointers)
		fputs(pointers, f);
	if (f)
		ptx_print(&p->x, f);
	fill(&p->x, first);
	if (f && !fclose(f))
		o->outlines->put(p, text, size + 1); /* with its NUL */
	free(text);
}
