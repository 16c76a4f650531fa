/* compile.c - a module to an image: units in parallel, then one link.
 *
 * Each unit has an LLVM context of its own, so threads share nothing.  What
 * they report is kept and passed on in the order of the units: the number of
 * jobs changes neither the image nor the messages.
 */
#include "emit_int.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* a diagnostic that waits for its turn */
struct said {
	struct said *next;
	enum severity severity;
	struct loc loc;
	char text[];
};

struct result {
	struct blob object;
	size_t nkernel;
	struct said *said, **last;
};

struct pool {
	struct ptx *x;
	const struct emit_options *o;
	struct unit *unit;
	struct result *result;
	size_t n, next;
	pthread_mutex_t lock;
};

static void
keep(void *arg, const struct diag *d)
{
	struct result *r = arg;
	struct said *s;
	size_t n;

	n = strlen(d->text) + 1;
	s = malloc(sizeof *s + n);
	if (!s)
		return;
	s->next = 0;
	s->severity = d->severity;
	s->loc = d->loc;
	memcpy(s->text, d->text, n);
	*r->last = s;
	r->last = &s->next;
}

static void
forget(struct result *r)
{
	struct said *s;

	while ((s = r->said)) {
		r->said = s->next;
		free(s);
	}
	r->last = &r->said;
}

/* a context is not disposed of after an error: LLVM may have been left in
 * the middle of things */
static struct blob
compile(struct ptx *x, const struct emit_options *o, const struct unit *u)
{
	struct blob b = { 0, 0 };
	LLVMContextRef c;
	LLVMModuleRef m;

	c = LLVMContextCreate();
	m = emit_unit(x, u, o, c);
	if (m) {
		if (!emit_optimise(x, m, o))
			return b;
		b = emit_object(x, m, o, false);
		if (!b.data)
			return b;
		LLVMDisposeModule(m);
	}
	LLVMContextDispose(c);
	return b;
}

/* is u translated?  Only LLVM IR is made. */
static bool
is_translated(struct ptx *x, const struct emit_options *o,
	const struct unit *u)
{
	LLVMContextRef c;
	LLVMModuleRef m;

	c = LLVMContextCreate();
	m = emit_unit(x, u, o, c);
	if (m)
		LLVMDisposeModule(m);
	LLVMContextDispose(c);
	return m != 0;
}

/* drops the kernels of u that are refused; those left are worth a try */
static void
drop_refused(struct ptx *x, const struct emit_options *o, struct unit *u)
{
	struct unit one;
	size_t i, n;

	one = *u;
	one.data = false;
	one.nkernel = 0;
	if (!is_translated(x, o, &one)) {
		u->nkernel = u->nfunc = 0;
		return;
	}
	one.nfunc = 0;
	one.nkernel = 1;
	for (i = n = 0; i < u->nkernel; i++) {
		one.kernel = &u->kernel[i];
		if (is_translated(x, o, &one))
			u->kernel[n++] = u->kernel[i];
	}
	u->nkernel = n;
}

/* A unit that is refused is tried again without the kernels that caused it,
 * since others may share it or need its variables. */
static void
work(struct pool *p, size_t i)
{
	struct result *r;
	struct unit *u;
	struct ptx x;

	r = &p->result[i];
	u = &p->unit[i];
	r->last = &r->said;
	x = *p->x;
	x.text = 0;
	x.diag = keep;
	x.diag_arg = r;
	pthread_mutex_init(&x.lock, 0);
	r->object = compile(&x, p->o, u);
	if (!r->object.data && (u->nkernel > 1 || u->data)) {
		forget(r);
		drop_refused(&x, p->o, u);
		r->object = compile(&x, p->o, u);
	}
	r->nkernel = r->object.data ? u->nkernel : 0;
	pthread_mutex_destroy(&x.lock);
}

static void *
thread(void *arg)
{
	struct pool *p = arg;
	size_t i;

	for (;;) {
		pthread_mutex_lock(&p->lock);
		i = p->next++;
		pthread_mutex_unlock(&p->lock);
		if (i >= p->n)
			return 0;
		work(p, i);
	}
}

static void
run(struct pool *p, int jobs)
{
	pthread_t id[256];
	int i, n;

	pthread_mutex_init(&p->lock, 0);
	for (n = 0; n < jobs - 1 && n < 256 && (size_t)n + 1 < p->n; n++)
		if (pthread_create(&id[n], 0, thread, p))
			break;
	thread(p);
	for (i = 0; i < n; i++)
		pthread_join(id[i], 0);
	pthread_mutex_destroy(&p->lock);
}

/* passes on what the units said; the objects that there are come first */
static size_t
collect(struct pool *p, struct blob *obj, size_t *nkernel)
{
	struct said *s;
	size_t i, n;

	for (i = n = 0; i < p->n; i++) {
		for (s = p->result[i].said; s; s = s->next)
			diag(p->x, s->severity, s->loc, "%s", s->text);
		forget(&p->result[i]);
		*nkernel += p->result[i].nkernel;
		if (p->result[i].object.data)
			obj[n++] = p->result[i].object;
	}
	return n;
}

struct blob
compile_image(struct ptx *x, const struct emit_options *o, int jobs,
	struct kernel_stats **stats, size_t *nkernel)
{
	struct pool p = { .x = x, .o = o };
	struct arena a = { 0 };
	struct blob image = { 0, 0 }, *obj;
	size_t i, n;

	*nkernel = 0;
	p.unit = unit_split(x, &a, &p.n);
	p.result = NEWN(&a, p.n + 1, struct result);
	obj = NEWN(&a, p.n + 1, struct blob);
	run(&p, jobs);
	n = collect(&p, obj, nkernel);
	if (n)
		image = link_image(x, obj, n);
	if (image.data)
		note_merge(&image);
	if (stats)
		*nkernel = image.data ? image_stats(&image, &x->arena, stats)
			: 0;
	for (i = 0; i < n; i++)
		free(obj[i].data);
	arena_free(&a);
	return image;
}

struct blob
compile_part(struct ptx *x, const struct emit_options *o, const char *kernel)
{
	struct emit_options mine = *o;
	struct blob image = { 0, 0 }, object;
	const struct func *f = kernel ? ptx_func(x, kernel) : 0;
	struct arena a = { 0 };

	if (f && f->def)
		f = f->def;
	if (kernel && (!f || !f->entry || !f->has_body))
		return image;
	mine.apart = f != 0;
	object = compile(x, &mine, f ? unit_kernel(x, &a, f) :
		unit_data(x, &a));
	if (object.data)
		image = link_image(x, &object, 1);
	if (image.data)
		note_merge(&image);
	free(object.data);
	arena_free(&a);
	return image;
}
