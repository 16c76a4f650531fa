/* compile.c - a program's code for a machine: from the cache, else compiled.
 *
 * The key of an entry holds all that decides the code: the program (its PTX
 * and what was changed in it), kernel, machine, shape of blocks, options, and
 * the compiler, by its build and by the file that it is.
 */
#include "compile.h"
#include "cache.h"
#include "compiler.h"
#include "progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* opened when it is first asked for, once for the process */
static struct cache cache;
static struct cache_key this_compiler, this_cpu;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* lines of /proc/cpuinfo that tell what code a processor can run */
static bool
tells(const char *line)
{
	static const char *const key[] = {
		"vendor_id", "cpu family", "model", "stepping", "flags",
		"CPU implementer", "CPU part", "Features",
	};
	size_t i;

	for (i = 0; i < sizeof key / sizeof *key; i++)
		if (!strncmp(line, key[i], strlen(key[i])))
			return true;
	return false;
}

/* what the process may use, which under valgrind is less than there is */
static void
hash_usable(struct cache_hash *h)
{
#if defined(__x86_64__)
	const bool has[] = {
		__builtin_cpu_supports("avx2") != 0,
		__builtin_cpu_supports("avx512f") != 0,
		__builtin_cpu_supports("avx512vl") != 0,
	};

	cache_hash_add(h, has, sizeof has);
#else
	(void)h;
#endif
}

/* of the first processor; the others are like it */
static struct cache_key
identify_cpu(void)
{
	FILE *f = fopen("/proc/cpuinfo", "r");
	struct cache_hash h;
	char line[16384];

	cache_hash_begin(&h);
	hash_usable(&h);
	while (f && fgets(line, sizeof line, f) && *line != '\n')
		if (tells(line))
			cache_hash_text(&h, line);
	if (f)
		fclose(f);
	return cache_hash_end(&h);
}

static struct cache_key
identify_compiler(void)
{
	char path[4096];
	struct cache_hash h;
	struct stat s;

	cache_hash_begin(&h);
	cache_hash_text(&h, PTXAMD_BUILD);
	compiler_path(path, sizeof path);
	if (!stat(path, &s)) {
		cache_hash_add(&h, &s.st_size, sizeof s.st_size);
		cache_hash_add(&h, &s.st_mtim.tv_sec, sizeof s.st_mtim.tv_sec);
	}
	return cache_hash_end(&h);
}

static void
begin(void)
{
	cache = cache_open();
	this_compiler = identify_compiler();
	this_cpu = identify_cpu();
}

static void
hash_program(struct cache_hash *h, const struct program *p, const char *kernel)
{
	const int number[] = { p->level, p->fmad, p->line_info };

	pthread_once(&once, begin);
	cache_hash_begin(h);
	cache_hash_add(h, &this_compiler, sizeof this_compiler);
	cache_hash_add(h, &p->id, sizeof p->id);
	cache_hash_add(h, number, sizeof number);
	cache_hash_text(h, kernel ? kernel : "");
}

/* outlines of modules */

static struct cache_key
outline_key(const struct program *p)
{
	struct cache_hash h;

	pthread_once(&once, begin);
	cache_hash_begin(&h);
	cache_hash_text(&h, "outline");
	cache_hash_add(&h, &this_compiler, sizeof this_compiler);
	cache_hash_add(&h, &p->id, sizeof p->id);
	return cache_hash_end(&h);
}

static struct blob
outline_get(const struct program *p)
{
	return cache_get(&cache, outline_key(p));
}

static void
outline_put(const struct program *p, const void *data, size_t size)
{
	cache_put(&cache, outline_key(p), data, size, "outline of a module");
}

const struct outline_store compile_outlines = { outline_get, outline_put };

/* code */

static struct cache_key
host_key(const struct program *p, const char *kernel, struct host_shape s)
{
	const uint8_t shape[] = { s.form, s.log2x, s.full };
	struct cache_hash h;

	hash_program(&h, p, kernel);
	cache_hash_text(&h, "host");
	cache_hash_add(&h, &this_cpu, sizeof this_cpu);
	cache_hash_add(&h, shape, sizeof shape);
	return cache_hash_end(&h);
}

/* the key of all that arch has of p, or of a part of it */
static struct cache_key
amdgpu_key(const struct program *p, const char *kernel, const char *arch)
{
	struct cache_hash h;

	hash_program(&h, p, p->pointers ? 0 : kernel);
	cache_hash_text(&h, p->pointers ? "whole" : "part");
	cache_hash_text(&h, arch);
	return cache_hash_end(&h);
}

/* the same in parts */

static uint64_t
hash_text(const char *text)
{
	struct cache_hash h;

	cache_hash_begin(&h);
	cache_hash_text(&h, text ? text : "");
	return cache_hash_end(&h).h[0];
}

static struct mark
mark(const struct program *p, const char *kernel, uint64_t machine,
	struct host_shape s)
{
	pthread_once(&once, begin);
	return (struct mark){ p->id.h[0], hash_text(kernel),
		this_compiler.h[0], machine,
		(uint64_t)p->level | (uint64_t)p->fmad << 4 |
		(uint64_t)p->line_info << 5 | (uint64_t)s.form << 8 |
		(uint64_t)s.log2x << 16 | (uint64_t)s.full << 24 };
}

static struct mark
host_mark(const struct program *p, const char *kernel, struct host_shape s)
{
	pthread_once(&once, begin);
	return mark(p, kernel, this_cpu.h[0], s);
}

static struct mark
amdgpu_mark(const struct program *p, const char *kernel, const char *arch)
{
	return mark(p, p->pointers ? "*" : kernel, hash_text(arch),
		(struct host_shape){ 0 });
}

struct cache_key
compile_key_host(const struct program *p, const char *kernel,
	struct host_shape s, struct mark *m)
{
	*m = host_mark(p, kernel, s);
	return host_key(p, kernel, s);
}

struct cache_key
compile_key_amdgpu(const struct program *p, const char *kernel,
	const char *arch, struct mark *m)
{
	*m = amdgpu_mark(p, kernel, arch);
	return amdgpu_key(p, kernel, arch);
}

/* an entry with a line for people and a mark */
static void
keep(struct cache_key key, struct blob b, const char *line,
	const struct mark *m)
{
	char what[192], text[MARK_TEXT];

	mark_write(m, text);
	snprintf(what, sizeof what, "%.94s\n%s", line, text);
	cache_put(&cache, key, b.data, b.size, what);
}

/* whoever wants to hear of what is compiled */

static void (*_Atomic watcher)(const struct compile_event *);

void
compile_watch(void (*fn)(const struct compile_event *))
{
	atomic_store(&watcher, fn);
}

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void
tell(struct compile_event *e, struct blob b, uint64_t begin)
{
	void (*fn)(const struct compile_event *) = atomic_load(&watcher);

	if (!fn)
		return;
	e->code = b.data;
	e->size = b.size;
	e->ns = now() - begin;
	fn(e);
}

bool
compile_has_host(const struct program *p, const char *kernel,
	struct host_shape shape)
{
	return cache_has(&cache, host_key(p, kernel, shape));
}

bool
compile_has_amdgpu(const struct program *p, const char *kernel,
	const char *arch)
{
	return cache_has(&cache, amdgpu_key(p, kernel, arch));
}

static struct jit_options
options(const struct program *p, struct text *log)
{
	return (struct jit_options){ p->level, p->fmad, p->line_info,
		text_diag, log };
}

bool
compile_demands(const struct func *f, const char *directive, uint32_t n[3])
{
	const struct attr *a = func_attr(f, directive);
	int i;

	for (i = 0; i < 3; i++)
		n[i] = a && i < a->n && a->v[i] > 0 ? (uint32_t)a->v[i] : 1;
	return a != 0;
}

struct host_shape
compile_shape(const struct func *f)
{
	static const struct host_shape rows = { HOST_ROWS, 0, true };
	uint32_t n[3];

	return compile_demands(f, "reqntid", n) ? host_shape(n) : rows;
}

bool
compile_has_data(const struct ptx *x)
{
	const struct item *i;

	for (i = x->item; i; i = i->next)
		if (i->kind == ITEM_VAR && i->sym &&
		    i->sym->space != SHARED)
			return true;
	return false;
}

static size_t
count_kernels(const struct program *p)
{
	const struct func *f;
	size_t n;

	for (n = 0, f = p->x.func; f; f = f->next)
		n += f->entry && f->has_body;
	return n;
}

/* what is to be compiled */
struct want {
	const struct program *p;
	const char *kernel;
	const char *arch;        /* 0: this CPU */
	struct host_shape shape;
};

/* *complete: it is what anyone may expect of it */
static struct blob
make(const struct want *w, const struct jit *jit, const struct ptx *x,
	const struct jit_options *o, bool *complete)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	struct blob b;
	size_t n = 0;

	*complete = true;
	if (!w->arch)
		return jit->host((struct ptx *)x, o, w->kernel, w->shape);
	if (!w->p->pointers)
		return jit->amdgpu_part((struct ptx *)x, o, w->arch,
			w->kernel);
	b = jit->amdgpu((struct ptx *)x, o, w->arch,
		cores > 0 ? (int)cores : 1, &n);
	*complete = n == count_kernels(w->p);
	return b;
}

static void
keep_wanted(const struct want *w, struct cache_key key, struct blob b)
{
	bool all = w->arch && w->p->pointers;
	struct mark m;
	char what[112];

	snprintf(what, sizeof what, "%.70s for %.32s", all ? "all kernels" :
		w->kernel ? w->kernel : "variables",
		w->arch ? w->arch : "this CPU");
	m = w->arch ? amdgpu_mark(w->p, w->kernel, w->arch) :
		host_mark(w->p, w->kernel, w->shape);
	keep(key, b, what, &m);
}

/* An image that lacks kernels is not kept, so that whoever asks for one of
 * those hears why. */
static struct blob
compile(const struct want *w, struct cache_key key, struct text *log,
	CUresult *err)
{
	const struct jit_options o = options(w->p, log);
	const struct ptx *x = program_whole(w->p);
	struct blob b = { 0, 0 };
	const struct jit *jit;
	bool complete;

	*err = CUDA_ERROR_OUT_OF_MEMORY;
	if (!x)
		return b;
	*err = CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
	jit = jit_find(log);
	if (!jit)
		return b;
	progress_begin();
	jit_enter();
	b = make(w, jit, x, &o, &complete);
	jit_leave();
	progress_end();
	*err = b.data ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
	if (b.data && complete)
		keep_wanted(w, key, b);
	return b;
}

static struct blob
obtain(const struct want *w, struct cache_key key, struct text *log,
	CUresult *err)
{
	struct compile_event e = { .program = w->p, .kernel = w->kernel,
		.arch = w->arch };
	uint64_t begin = now();
	struct blob b;

	*err = CUDA_SUCCESS;
	b = cache_get(&cache, key);
	e.cached = b.data != 0;
	if (!b.data)
		b = compile(w, key, log, err);
	tell(&e, b, begin);
	return b;
}

struct blob
compile_host(const struct program *p, const char *kernel,
	struct host_shape shape, struct text *log, CUresult *err)
{
	const struct want w = { p, kernel, 0, shape };

	return obtain(&w, host_key(p, kernel, shape), log, err);
}

struct blob
compile_amdgpu(const struct program *p, const char *kernel, const char *arch,
	struct text *log, CUresult *err)
{
	const struct want w = { .p = p, .kernel = kernel, .arch = arch };

	return obtain(&w, amdgpu_key(p, kernel, arch), log, err);
}
