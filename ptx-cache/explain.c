/* explain.c - for each kernel of a program: is it in the cache, and if not,
 * why would it be a miss? */
#include "cache_tool.h"
#include "compile.h"
#include "find.h"
#include "preset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* what the cache has */
struct marks {
	struct mark *mark;
	size_t n, cap;
};

struct explain {
	struct cache *c;
	const char *why;        /* there is no cache */
	const char *arch;
	struct marks marks;
	size_t there, missing, refused;
};

static bool
collect(void *arg, const struct cache_entry *e)
{
	struct marks *all = arg;
	struct mark m, *more;

	if (!e->good || !mark_read(&m, e->more))
		return false;
	if (all->n == all->cap) {
		all->cap = all->cap ? 2 * all->cap : 256;
		more = realloc(all->mark, all->cap * sizeof *more);
		if (!more) {
			all->cap = all->n;
			return false;
		}
		all->mark = more;
	}
	all->mark[all->n++] = m;
	return false;
}

/* reasons, the nearer a miss was to a hit the later */
enum reason {
	NEVER, OTHER_TEXT, OTHER_MACHINE, OTHER_OPTIONS, OTHER_BUILD
};

static const char *const reason[] = {
	[NEVER] = "it was never compiled, or is gone again",
	[OTHER_TEXT] = "a kernel of this name was compiled, of another text",
	[OTHER_MACHINE] = "it was compiled for another processor",
	[OTHER_OPTIONS] = "it was compiled with other options, or for blocks "
		"of another shape",
	[OTHER_BUILD] = "it was compiled by another build of ptx-amd",
};

static enum reason
compare(const struct mark *want, const struct mark *have)
{
	if (want->kernel != have->kernel)
		return NEVER;
	if (want->program != have->program)
		return OTHER_TEXT;
	if (want->machine != have->machine)
		return OTHER_MACHINE;
	if (want->compiler != have->compiler)
		return OTHER_BUILD;
	return want->options != have->options ? OTHER_OPTIONS : NEVER;
}

/* the variables of a module, or all its kernels, have no name of their own:
 * that another module's were compiled tells nothing */
static const char *
nearest(const struct explain *x, const struct mark *want, bool named)
{
	enum reason best = NEVER, is;
	size_t i;

	for (i = 0; i < x->marks.n; i++) {
		is = compare(want, &x->marks.mark[i]);
		if (is > best && (named || is != OTHER_TEXT))
			best = is;
	}
	return reason[best];
}

/* there is a file of that name, and it is not taken */
static const char *
file_why(const struct cache *c, struct cache_key key)
{
	static const char *const why[] = {
		"its entry is no file",
		"others may write its entry, so that it is not used",
		"its entry is damaged",
	};
	char path[4096];
	struct stat s;

	if (snprintf(path, sizeof path, "%s/%016llx%016llx.code", c->dir,
	    (unsigned long long)key.h[1], (unsigned long long)key.h[0]) >=
	    (int)sizeof path || lstat(path, &s))
		return 0;
	return !S_ISREG(s.st_mode) ? why[0] :
		!cache_is_private(&s) ? why[1] : why[2];
}

static void
tell(struct explain *x, const char *where, const char *name,
	struct cache_key key, const struct mark *m, bool named)
{
	const char *why = x->why;
	struct blob b = { 0 };

	if (x->c) {
		b = cache_get(x->c, key);
		why = b.data ? "in the cache" : file_why(x->c, key);
		if (!why)
			why = nearest(x, m, named);
	}
	printf("%s: %s: %s%s\n", where, name, b.data ? "" : "a miss: ", why);
	x->there += b.data != 0;
	x->missing += !b.data;
	free(b.data);
}

static struct cache_key
key_of(const struct explain *x, const struct program *p, const char *kernel,
	struct host_shape shape, struct mark *m)
{
	return strcmp(x->arch, "host") ?
		compile_key_amdgpu(p, kernel, x->arch, m) :
		compile_key_host(p, kernel, shape, m);
}

static void
kernels(struct explain *x, const char *where, const struct program *p)
{
	static const struct host_shape any = { HOST_ANY, 0, false };
	struct cache_key key;
	const struct func *f;
	const char *name;
	struct mark m;

	if (strcmp(x->arch, "host") && p->pointers) {
		key = compile_key_amdgpu(p, 0, x->arch, &m);
		tell(x, where, "its kernels", key, &m, false);
		return;
	}
	if (compile_has_data(&p->x)) {
		key = key_of(x, p, 0, any, &m);
		tell(x, where, "its variables", key, &m, false);
	}
	for (f = p->x.func; f; f = f->next)
		if (f->entry && f->has_body) {
			name = f->sym->name->text;
			key = key_of(x, p, name, compile_shape(f), &m);
			tell(x, where, name, key, &m, true);
		}
}

static void
found(void *arg, const struct find *f)
{
	struct program o = preset_program(), *p = 0;
	struct explain *x = arg;
	struct text log = { 0 };
	CUresult err;

	if (f->kind == FIND_SKIPPED) {
		printf("%s: %s\n", f->where, f->why);
		x->refused++;
		return;
	}
	o.file = f->where;
	o.outlines = 0; /* nothing is written here */
	err = program_load(&p, f->data.p, f->data.n, &o, &log);
	if (!err && p->has_ptx) {
		kernels(x, f->where, p);
	} else if (err && err != CUDA_ERROR_NO_BINARY_FOR_GPU) {
		printf("%s: does not compile: %.*s\n", f->where,
			log.data ? (int)strcspn(log.data, "\n") : 0,
			log.data ? log.data : "");
		x->refused++;
	} else {
		printf("%s: needs no compiler: no PTX\n", f->where);
	}
	program_free(p);
	text_free(&log);
}

int
explain(struct cache *c, const char *app, const char *arch)
{
	struct explain x = { .c = c->dir ? c : 0, .why = c->why,
		.arch = arch ? arch : "host" };
	bool there;

	if (strcmp(x.arch, "host") && strncmp(x.arch, "gfx", 3)) {
		fprintf(stderr, "ptx-cache: unknown processor '%s'\n", arch);
		return 2;
	}
	if (x.c)
		cache_walk(c, CACHE_HEAD, collect, &x.marks);
	there = find_path(app, found, &x);
	printf("%zu in the cache, %zu missing, "
		"%zu cannot be read or compiled\n",
		x.there, x.missing, x.refused);
	free(x.marks.mark);
	return !there || x.missing || x.refused;
}
