/* compile.c - a program's code for a machine: from the cache, else compiled.
 *
 * The key of an entry holds all that decides the code: the program (its PTX
 * and what was changed in it), kernel, machine, shape of blocks, options, and
 * the compiler, by its build and by the file that it is.
 */
#include "compile.h"
#include "cache.h"
#include "compiler.h"

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

static struct cache_key
amdgpu_key(const struct program *p, const char *arch)
{
	struct cache_hash h;

	hash_program(&h, p, 0);
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
amdgpu_mark(const struct program *p, const char *arch)
{
	return mark(p, "*", hash_text(arch), (struct host_shape){ 0 });
}

struct cache_key
compile_key_host(const struct program *p, const char *kernel,
	struct host_shape s, struct mark *m)
{
	*m = host_mark(p, kernel, s);
	return host_key(p, kernel, s);
}

struct cache_key
compile_key_amdgpu(const struct program *p, const char *arch, struct mark *m)
{
	*m = amdgpu_mark(p, arch);
	return amdgpu_key(p, arch);
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
compile_has_amdgpu(const struct program *p, const char *arch)
{
	return cache_has(&cache, amdgpu_key(p, arch));
}

static struct jit_options
options(const struct program *p, struct text *log)
{
	return (struct jit_options){ p->level, p->fmad, p->line_info,
		text_diag, log };
}

struct blob
compile_host(const struct program *p, const char *kernel,
	struct host_shape shape, struct text *log, CUresult *err)
{
	const struct mark m = host_mark(p, kernel, shape);
	const struct cache_key key = host_key(p, kernel, shape);
	const struct jit_options o = options(p, log);
	struct compile_event e = { .program = p, .kernel = kernel };
	uint64_t begin = now();
	const struct ptx *x;
	const struct jit *jit;
	struct blob b;
	char what[112];

	*err = CUDA_SUCCESS;
	b = cache_get(&cache, key);
	e.cached = b.data != 0;
	if (b.data) {
		tell(&e, b, begin);
		return b;
	}
	*err = CUDA_ERROR_OUT_OF_MEMORY;
	x = program_whole(p);
	if (!x)
		return b;
	*err = CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
	jit = jit_find(log);
	if (!jit)
		return b;
	jit_enter();
	b = jit->host((struct ptx *)x, &o, kernel, shape);
	jit_leave();
	tell(&e, b, begin);
	*err = b.data ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
	snprintf(what, sizeof what, "%.80s for this CPU",
		kernel ? kernel : "variables");
	if (b.data)
		keep(key, b, what, &m);
	return b;
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

/* An image that lacks kernels is not kept, so that whoever asks for one of
 * those hears why. */
struct blob
compile_amdgpu(const struct program *p, const char *arch, struct text *log,
	CUresult *err)
{
	const struct mark m = amdgpu_mark(p, arch);
	const struct cache_key key = amdgpu_key(p, arch);
	const struct jit_options o = options(p, log);
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	struct compile_event e = { .program = p, .arch = arch };
	uint64_t begin = now();
	const struct ptx *x;
	const struct jit *jit;
	size_t n = 0;
	struct blob b;
	char what[112];

	*err = CUDA_SUCCESS;
	b = cache_get(&cache, key);
	e.cached = b.data != 0;
	if (b.data) {
		tell(&e, b, begin);
		return b;
	}
	*err = CUDA_ERROR_OUT_OF_MEMORY;
	x = program_whole(p);
	if (!x)
		return b;
	*err = CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
	jit = jit_find(log);
	if (!jit)
		return b;
	jit_enter();
	b = jit->amdgpu((struct ptx *)x, &o, arch,
		cores > 0 ? (int)cores : 1, &n);
	jit_leave();
	tell(&e, b, begin);
	*err = b.data ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
	snprintf(what, sizeof what, "%zu kernels for %.32s", n, arch);
	if (b.data && n == count_kernels(p))
		keep(key, b, what, &m);
	return b;
}
