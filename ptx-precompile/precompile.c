/* precompile.c - modules in, entries of the cache out.
 *
 * One thread looks for modules and parses them; others compile.  A module is
 * freed with its last kernel, and the line of kernels that wait is short, so
 * memory does not grow with what is found.
 */
#include "precompile.h"
#include "cache.h"
#include "compile.h"
#include "compiler.h"
#include "find.h"
#include "preset.h"
#include "program.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 256 };

struct found_module {
	struct program *p;
	char *where;
	atomic_uint refs;
};

/* a kernel (0: the variables) for the CPU, or a module for a GPU */
struct job {
	struct found_module *m;
	const struct func *kernel;
	const char *arch;
};

struct work {
	const struct options *o;
	struct totals *t;
	bool shows;             /* progress, on a terminal */
	pthread_mutex_t lock;   /* of all below, of *t, and of printing */
	pthread_cond_t more, less;
	struct job line[LINE];
	size_t first, n;
	size_t found, done;     /* jobs */
	bool end;
};

static void
drop(struct found_module *m)
{
	if (atomic_fetch_sub(&m->refs, 1) != 1)
		return;
	program_free(m->p);
	free(m->where);
	free(m);
}

static void
erase(struct work *w)
{
	if (w->shows)
		fputs("\r\033[K", stderr);
}

static void
progress(struct work *w)
{
	enum { WIDTH = 30 };
	size_t full = w->found ? WIDTH * w->done / w->found : 0;
	char bar[WIDTH + 1];

	if (!w->shows)
		return;
	memset(bar, '.', WIDTH);
	memset(bar, '#', full);
	bar[WIDTH] = 0;
	fprintf(stderr, "\r[%s] %zu of %zu kernels", bar, w->done, w->found);
	fflush(stderr);
}

/* where, what, and the first line of why, which may begin with where itself;
 * with the lock held */
static void
skipped(struct work *w, const char *where, const char *what, const char *why)
{
	if (w->o->quiet)
		return;
	erase(w);
	fputs(w->o->indent ? w->o->indent : "", stdout);
	if (strncmp(why, where, strlen(where)))
		printf("%s: %s%s", where, what, *what ? ": " : "");
	printf("%.*s\n", (int)strcspn(why, "\n"), why);
	fflush(stdout);
	progress(w);
}

/* true: it had to be compiled */
static bool
compile(const struct job *j, struct text *log, CUresult *err)
{
	const struct program *p = j->m->p;
	const char *name = j->kernel ? j->kernel->sym->name->text : 0;
	struct host_shape shape = { HOST_ANY, 0, false };
	struct blob b;
	bool there;

	if (strcmp(j->arch, "host")) {
		there = compile_has_amdgpu(p, name, j->arch);
		b = compile_amdgpu(p, name, j->arch, log, err);
	} else {
		if (j->kernel)
			shape = compile_shape(j->kernel);
		there = compile_has_host(p, name, shape);
		b = compile_host(p, name, shape, log, err);
	}
	free(b.data);
	return !there;
}

static void
run(struct work *w, const struct job *j)
{
	const char *name = j->kernel ? j->kernel->sym->name->text : j->arch;
	struct text log = { 0 };
	CUresult err;
	bool new;

	new = compile(j, &log, &err);
	pthread_mutex_lock(&w->lock);
	if (err) {
		w->t->skipped++;
		skipped(w, j->m->where, name, log.data ? log.data
			: "the compiler gave no reason");
	} else if (new) {
		w->t->compiled++;
	} else {
		w->t->there++;
	}
	w->done++;
	progress(w);
	pthread_mutex_unlock(&w->lock);
	text_free(&log);
	drop(j->m);
}

static void *
worker(void *arg)
{
	struct work *w = arg;
	struct job j;

	for (;;) {
		pthread_mutex_lock(&w->lock);
		while (!w->n && !w->end)
			pthread_cond_wait(&w->more, &w->lock);
		if (!w->n) {
			pthread_mutex_unlock(&w->lock);
			return 0;
		}
		j = w->line[w->first++ % LINE];
		w->n--;
		pthread_cond_signal(&w->less);
		pthread_mutex_unlock(&w->lock);
		run(w, &j);
	}
}

static void
add(struct work *w, struct found_module *m, const struct func *kernel,
	const char *arch)
{
	pthread_mutex_lock(&w->lock);
	while (w->n == LINE)
		pthread_cond_wait(&w->less, &w->lock);
	atomic_fetch_add(&m->refs, 1);
	w->line[(w->first + w->n++) % LINE] = (struct job){ m, kernel, arch };
	w->found++;
	pthread_cond_signal(&w->more);
	pthread_mutex_unlock(&w->lock);
}

static void
add_all(struct work *w, struct found_module *m, const char *arch)
{
	const struct func *f;

	if (strcmp(arch, "host") && m->p->pointers) {
		add(w, m, 0, arch);
		return;
	}
	if (compile_has_data(&m->p->x))
		add(w, m, 0, arch);
	for (f = m->p->x.func; f; f = f->next)
		if (f->entry && f->has_body)
			add(w, m, f, arch);
}

static void
refused(struct work *w, const struct find *f, CUresult err,
	const struct text *log)
{
	pthread_mutex_lock(&w->lock);
	if (err == CUDA_ERROR_NO_BINARY_FOR_GPU)
		w->t->sass++;
	else
		w->t->skipped++;
	skipped(w, f->where, "", err == CUDA_ERROR_NO_BINARY_FOR_GPU
		? "code for NVIDIA's machines alone, no PTX"
		: log->data ? log->data : "damaged");
	pthread_mutex_unlock(&w->lock);
}

static void
found(void *arg, const struct find *f)
{
	struct work *w = arg;
	struct program o = preset_program();
	struct text log = { 0 };
	struct found_module *m;
	CUresult err;
	int i;

	if (f->kind == FIND_SKIPPED) {
		pthread_mutex_lock(&w->lock);
		w->t->skipped++;
		skipped(w, f->where, "", f->why);
		pthread_mutex_unlock(&w->lock);
		return;
	}
	m = calloc(1, sizeof *m);
	if (!m)
		return;
	o.file = f->where;
	w->t->modules++;
	err = program_load(&m->p, f->data.p, f->data.n, &o, &log);
	if (!err && !m->p->has_ptx)
		err = CUDA_ERROR_NO_BINARY_FOR_GPU;
	if (err) {
		refused(w, f, err, &log);
		program_free(m->p);
		free(m);
	} else {
		if (w->o->verbose)
			skipped(w, f->where, "", "module");
		m->where = strdup(f->where);
		m->refs = 1;
		for (i = 0; i < w->o->narch; i++)
			add_all(w, m, w->o->arch[i]);
		drop(m);
	}
	text_free(&log);
}

/* without a compiler or a cache there is nothing to be done */
static bool
can_begin(void)
{
	struct cache c = cache_open();
	struct text log = { 0 };
	bool ok = true;

	if (!c.dir) {
		fprintf(stderr, "ptx-precompile: no cache: %s\n", c.why);
		ok = false;
	} else if (!jit_find(&log)) {
		fprintf(stderr, "ptx-precompile: %s", log.data);
		ok = false;
	}
	cache_close(&c);
	text_free(&log);
	return ok;
}

bool
precompile(const struct options *o, char *const *path, struct totals *t)
{
	struct work w = {
		.o = o, .t = t, .shows = !o->quiet && isatty(STDERR_FILENO),
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.more = PTHREAD_COND_INITIALIZER,
		.less = PTHREAD_COND_INITIALIZER,
	};
	pthread_t id[MAX_JOBS];
	int i, n;

	if (!can_begin())
		return false;
	for (n = 0; n < o->jobs && n < MAX_JOBS; n++)
		if (pthread_create(&id[n], 0, worker, &w))
			break;
	if (!n) {
		fprintf(stderr, "ptx-precompile: no thread can be started\n");
		return false;
	}
	for (; *path; path++)
		t->missing += !find_path(*path, found, &w);
	pthread_mutex_lock(&w.lock);
	w.end = true;
	pthread_cond_broadcast(&w.more);
	pthread_mutex_unlock(&w.lock);
	for (i = 0; i < n; i++)
		pthread_join(id[i], 0);
	erase(&w);
	return true;
}
