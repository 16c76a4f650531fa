/* exec.c - runs a kernel of a PTX file and compares what it wrote.
 *
 *	exec [-r libcudart.so] file.ptx
 *
 * With -r by the runtime library of that path (registered.h), else by the
 * driver's functions.
 *
 * Comment lines of the file say how:
 *
 *	// KERNEL k            the entry; "k" if there is no such line
 *	// IN u32 1 2 3        a parameter: the address of these numbers
 *	// OUT u32 6*0 5       ... of memory of zeros, where these will be
 *	// VALUE u32 7         a parameter that is a number
 *	// SYMBOL v u32 1 2 3  a variable of the module, set before
 *	// GRID 2 1 BLOCK 64 1 2 SHARED 1024
 *	// ERROR CUDA_ERROR_LAUNCH_FAILED
 *	// COOPERATIVE
 *
 * Types are those of PTX from u8 to f64.  n*v is n times v, a..b counts up
 * or down.  Each GRID line is a launch of its own, on each device of the
 * driver.  With ERROR the launch has to fail so, and a new context must then
 * work.  Prints what is wrong, and exits with 1 if anything is.
 */
#include "cuda_fn.h"
#include "registered.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMS = 16, LINE = 1 << 16 };

struct param {
	char kind;              /* 'i' IN, 'o' OUT, 'v' VALUE, 's' SYMBOL */
	char name[64];          /* of a symbol */
	char type[8];
	size_t size, n;         /* bytes of a number; numbers */
	unsigned char *data;
	CUdeviceptr at;
};

struct test {
	const char *file, *text;
	char kernel[256], error[64];
	struct param param[PARAMS];
	size_t nparam;
	bool cooperative;
	struct runtime *runtime; /* of -r, or 0 */
	int launches, failures;
};

struct shape {
	unsigned grid[3], block[3], shared;
};

static void
die(const char *what, const char *why)
{
	fprintf(stderr, "exec: %s: %s\n", what, why);
	exit(2);
}

static void
wrong(struct test *t, const struct shape *s, const char *what)
{
	t->failures++;
	printf("%s: %s on %u %u %u blocks of %u %u %u\n", t->file, what,
		s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1],
		s->block[2]);
}

static const char *
name_of(CUresult r)
{
	const char *name = 0;

	cuGetErrorName(r, &name);
	return name ? name : "an error without a name";
}

static void
must(const char *what, CUresult r)
{
	if (r)
		die(what, name_of(r));
}

/* the number that *word begins with, as p's type has it */
static void
number(struct param *p, char **word)
{
	unsigned char *to;
	double d;
	float f;
	long long i;

	p->data = realloc(p->data, (p->n + 1) * p->size);
	to = p->data + p->n++ * p->size;
	if (p->type[0] == 'f') {
		d = strtod(*word, word);
		f = (float)d;
		memcpy(to, p->size == 4 ? (void *)&f : (void *)&d, p->size);
		return;
	}
	i = **word == '-' ? strtoll(*word, word, 0)
		: (long long)strtoull(*word, word, 0);
	memcpy(to, &i, p->size);
}

/* 3, 5*3, 1..9 */
static void
numbers(struct param *p, char *word)
{
	char *end = word + strcspn(word, "*."), text[32];
	long a, b;

	if (*end == '*') {
		for (a = strtol(word, 0, 10); a > 0; a--) {
			word = end + 1;
			number(p, &word);
		}
	} else if (!strncmp(end, "..", 2)) {
		b = strtol(end + 2, 0, 10);
		for (a = strtol(word, 0, 10);; a += a < b ? 1 : -1) {
			snprintf(text, sizeof text, "%ld", a);
			word = text;
			number(p, &word);
			if (a == b)
				break;
		}
	} else {
		number(p, &word);
	}
}

static void
param(struct test *t, char kind, char *rest)
{
	struct param *p = &t->param[t->nparam++];
	char *word = strtok(rest, " \t");

	if (kind == 's' && word) {
		snprintf(p->name, sizeof p->name, "%s", word);
		word = strtok(0, " \t");
	}
	if (t->nparam > PARAMS || !word || strlen(word) > 3)
		die(t->file, "bad parameter");
	strcpy(p->type, word);
	p->kind = kind;
	p->size = (size_t)atoi(word + 1) / 8;
	while ((word = strtok(0, " \t")))
		numbers(p, word);
}

/* the line after "// word ", or 0 */
static char *
line_of(char *line, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(line, "// ", 3) || strncmp(line + 3, word, n))
		return 0;
	line += 3 + n;
	return !*line || *line == ' ' ? line + strspn(line, " ") : 0;
}

static void
directive(struct test *t, char *line)
{
	char *rest;

	if ((rest = line_of(line, "IN")))
		param(t, 'i', rest);
	else if ((rest = line_of(line, "OUT")))
		param(t, 'o', rest);
	else if ((rest = line_of(line, "VALUE")))
		param(t, 'v', rest);
	else if ((rest = line_of(line, "SYMBOL")))
		param(t, 's', rest);
	else if ((rest = line_of(line, "KERNEL")))
		snprintf(t->kernel, sizeof t->kernel, "%s", rest);
	else if ((rest = line_of(line, "ERROR")))
		snprintf(t->error, sizeof t->error, "%s", rest);
	else if (line_of(line, "COOPERATIVE"))
		t->cooperative = true;
}

/* calls f(t, line) for each line of the text */
static void
each_line(struct test *t, void (*f)(struct test *, char *))
{
	const char *s, *end;
	char line[LINE];

	for (s = t->text; *s; s = *end ? end + 1 : end) {
		end = s + strcspn(s, "\n");
		snprintf(line, sizeof line, "%.*s", (int)(end - s), s);
		f(t, line);
	}
}

/* up to three numbers, the rest 1 */
static char *
dimensions(char *s, unsigned d[3])
{
	int k;

	for (k = 0; k < 3; k++) {
		s += strspn(s, " ");
		d[k] = 1;
		if (*s >= '0' && *s <= '9')
			d[k] = (unsigned)strtoul(s, &s, 10);
	}
	return s + strspn(s, " ");
}

static struct shape
shape(char *s)
{
	struct shape g = { .shared = 0 };

	s = dimensions(s, g.grid);
	if (!strncmp(s, "BLOCK", 5))
		s = dimensions(s + 5, g.block);
	if (!strncmp(s, "SHARED", 6))
		g.shared = (unsigned)strtoul(s + 6, 0, 10);
	return g;
}

static void
fill(struct test *t)
{
	struct param *p;

	for (p = t->param; p < t->param + t->nparam; p++) {
		if (p->kind == 'v' || p->kind == 's')
			continue;
		must("cuMemAlloc", cuMemAlloc_v2(&p->at, p->n * p->size));
		must("cuMemset", cuMemsetD8_v2(p->at, 0, p->n * p->size));
		if (p->kind == 'i')
			must("cuMemcpy", cuMemcpyHtoD_v2(p->at, p->data,
				p->n * p->size));
	}
}

static void
compare(struct test *t, const struct shape *s, struct param *p)
{
	unsigned char *got = malloc(p->n * p->size + 1);
	char what[128];
	size_t i;

	must("cuMemcpy", cuMemcpyDtoH_v2(got, p->at, p->n * p->size));
	for (i = 0; i < p->n; i++)
		if (memcmp(got + i * p->size, p->data + i * p->size, p->size))
			break;
	if (i < p->n) {
		snprintf(what, sizeof what, "number %zu of parameter %td is "
			"0x%x, not 0x%x,", i, p - t->param,
			*(unsigned *)(got + i * p->size),
			*(unsigned *)(p->data + i * p->size));
		wrong(t, s, what);
	}
	free(got);
}

static CUresult
launch(struct test *t, CUfunction f, const struct shape *s)
{
	const unsigned *g = s->grid, *b = s->block;
	void *arg[PARAMS];
	CUresult r;
	size_t k, n = 0;

	for (k = 0; k < t->nparam; k++)
		if (t->param[k].kind != 's')
			arg[n++] = t->param[k].kind == 'v'
				? (void *)t->param[k].data
				: (void *)&t->param[k].at;
	if (t->runtime)
		return runtime_launch(t->runtime, g, b, s->shared, arg,
			t->cooperative);
	if (s->shared > 48 << 10)
		must("cuFuncSetAttribute", cuFuncSetAttribute(f,
			CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
			(int)s->shared));
	r = t->cooperative ? cuLaunchCooperativeKernel(f, g[0], g[1], g[2],
			b[0], b[1], b[2], s->shared, 0, arg)
		: cuLaunchKernel(f, g[0], g[1], g[2], b[0], b[1], b[2],
			s->shared, 0, arg, 0);
	return r ? r : cuCtxSynchronize();
}

static void
set_symbol(struct test *t, CUmodule m, struct param *p)
{
	struct runtime *r = t->runtime;
	CUdeviceptr at;
	size_t size;

	if (r) {
		r->__cudaRegisterVar(r->handle, p->name, p->name, p->name, 0,
			p->n * p->size, 0, 0);
		must(p->name, r->cudaMemcpyToSymbol(p->name, p->data,
			p->n * p->size, 0, 1));
		return;
	}
	must(p->name, cuModuleGetGlobal_v2(&at, &size, m, p->name));
	must(p->name, cuMemcpyHtoD_v2(at, p->data, p->n * p->size));
}

static CUfunction
load(struct test *t, CUmodule *m)
{
	static char log[8192];
	CUjit_option option[] = { CU_JIT_ERROR_LOG_BUFFER,
		CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
	void *value[] = { log, (void *)sizeof log };
	CUfunction f = 0;

	if (t->runtime) {
		if (!runtime_register(t->runtime, t->text, t->kernel))
			die(t->file, "cannot be registered");
		return 0;
	}
	if (cuModuleLoadDataEx(m, t->text, 2, option, value))
		die(t->file, log);
	must(t->kernel, cuModuleGetFunction(&f, *m, t->kernel));
	return f;
}

/* the runtime has the primary context, and loads code when it is first used */
static CUcontext
begin(struct test *t, CUdevice dev)
{
	CUcontext c = 0;

	if (t->runtime) {
		must("cudaSetDevice", t->runtime->cudaSetDevice(dev));
		must("cudaFree", t->runtime->cudaFree(0));
	} else {
		must("cuCtxCreate", cuCtxCreate_v2(&c, 0, dev));
	}
	must("cuCtxSetLimit", cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 64 << 10));
	return c;
}

static void
run(struct test *t, const struct shape *s, CUdevice dev)
{
	CUcontext c = begin(t, dev);
	CUmodule m = 0;
	CUfunction f;
	const char *end;
	size_t k;
	CUresult r;

	fill(t);
	f = load(t, &m);
	for (k = 0; k < t->nparam; k++)
		if (t->param[k].kind == 's')
			set_symbol(t, m, &t->param[k]);
	r = launch(t, f, s);
	end = r ? name_of(r) : "";
	if (strcmp(end, t->error))
		wrong(t, s, r ? end : "no error");
	for (k = 0; k < t->nparam && !r; k++)
		if (t->param[k].kind == 'o')
			compare(t, s, &t->param[k]);
	if (t->runtime) {
		runtime_unregister(t->runtime);
		t->runtime->cudaDeviceReset();
	} else {
		cuCtxDestroy_v2(c);
	}
	t->launches++;
}

/* is the device as good as new for others? */
static void
again(struct test *t, CUdevice dev)
{
	CUcontext c;
	CUdeviceptr p;
	uint32_t v = 0;

	(void)t;
	must("a new context", cuCtxCreate_v2(&c, 0, dev));
	must("its memory", cuMemAlloc_v2(&p, 4));
	must("a copy", cuMemcpyHtoD_v2(p, &v, 4));
	must("its end", cuCtxSynchronize());
	cuCtxDestroy_v2(c);
}

static void
grid(struct test *t, char *line)
{
	char *rest = line_of(line, "GRID");
	struct shape s;
	CUdevice dev;
	int n, i;

	if (!rest)
		return;
	s = shape(rest);
	must("cuDeviceGetCount", cuDeviceGetCount(&n));
	for (i = 0; i < n; i++) {
		must("cuDeviceGet", cuDeviceGet(&dev, i));
		run(t, &s, dev);
		if (t->error[0])
			again(t, dev);
	}
}

static char *
read_all(const char *name)
{
	FILE *f = fopen(name, "rb");
	char *text = calloc(1, 1 << 20);

	if (!f || !fread(text, 1, (1 << 20) - 1, f))
		die(name, "cannot be read");
	fclose(f);
	return text;
}

int
main(int argc, char *argv[])
{
	static struct test t = { .kernel = "k" };
	static struct runtime runtime;
	const char *why;

	if (argc == 4 && !strcmp(argv[1], "-r")) {
		if (!runtime_open(&runtime, argv[2], &why))
			die(argv[2], why);
		t.runtime = &runtime;
	} else if (argc != 2) {
		die("usage", "exec [-r libcudart.so] file.ptx");
	}
	t.file = argv[argc - 1];
	t.text = read_all(t.file);
	each_line(&t, directive);
	must("cuInit", cuInit(0));
	each_line(&t, grid);
	if (!t.launches)
		die(t.file, "no launch");
	return t.failures != 0;
}
