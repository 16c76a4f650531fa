/* judge.c - what clang's code for AMD GPUs computes in the emulator against
 * what the same sources compute as C on this machine.
 *
 *	judge FILE.hsaco...
 *
 * Every kernel of hip/kernels.def runs with the same inputs in both.  The
 * files hold the kernels of hip/all.c for the processor that PTXAMD_EMU_ARCH
 * names.
 */
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hip/all.c"

enum { BLOCKS = 6, THREADS = BLOCKS * BLOCK, WORDS = THREADS * 4 };

/* the host's threads */
_Thread_local u32 thread_id, block_id;
static pthread_barrier_t meeting;
static u32 exchanged[BLOCK];

void
host_sync(void)
{
	pthread_barrier_wait(&meeting);
}

u32
host_exchange(u32 v, int lane)
{
	u32 r;

	exchanged[thread_id] = v;
	host_sync();
	r = lane < 0 ? 0 : exchanged[(thread_id & 32) | (u32)lane];
	host_sync();
	return r;
}

enum need { ALONE, TOGETHER };
enum rule { EXACT, NEAR };

static const struct kernel {
	const char *name;
	void (*run)(const u64 *, u64 *);
	enum need need;
	enum rule rule;
} kernels[] = {
#define K(name, need, rule) { #name, name, need, rule },
#include "hip/kernels.def"
#undef K
};

struct thread {
	const struct kernel *k;
	const u64 *in;
	u64 *out;
	u32 id, block;
};

static void *
run_thread(void *arg)
{
	struct thread *t = arg;

	thread_id = t->id;
	block_id = t->block;
	t->k->run(t->in, t->out);
	return 0;
}

static void
run_together(const struct kernel *k, const u64 *in, u64 *out, u32 block)
{
	struct thread t[BLOCK];
	pthread_t id[BLOCK];
	u32 i;

	pthread_barrier_init(&meeting, 0, BLOCK);
	for (i = 0; i < BLOCK; i++) {
		t[i] = (struct thread){ k, in, out, i, block };
		if (pthread_create(&id[i], 0, run_thread, &t[i]))
			abort();
	}
	for (i = 0; i < BLOCK; i++)
		pthread_join(id[i], 0);
	pthread_barrier_destroy(&meeting);
}

static void
run_host(const struct kernel *k, const u64 *in, u64 *out)
{
	struct thread t = { k, in, out, 0, 0 };

	memset(out, 0, WORDS * sizeof *out);
	for (t.block = 0; t.block < BLOCKS; t.block++)
		if (k->need == TOGETHER)
			run_together(k, in, out, t.block);
		else
			for (t.id = 0; t.id < BLOCK; t.id++)
				run_thread(&t);
}

/* the part of HIP that this needs */
enum { TO_DEVICE = 1, TO_HOST = 2 };

static struct {
	int (*init)(unsigned), (*malloc)(void **, size_t);
	int (*copy)(void *, const void *, size_t, int kind);
	int (*load)(void **, const void *), (*unload)(void *);
	int (*function)(void **, void *, const char *);
	int (*launch)(void *, unsigned, unsigned, unsigned, unsigned,
		unsigned, unsigned, unsigned, void *, void **, void **);
	int (*sync)(void);
} hip;

static void *
symbol(void *so, const char *name)
{
	void *p = dlsym(so, name);

	if (!p) {
		fprintf(stderr, "judge: no %s\n", name);
		exit(2);
	}
	return p;
}

static void
open_hip(void)
{
	const char *path = getenv("PTXAMD_HIP_LIBRARY");
	void *so = dlopen(path ? path : "libamdhip64.so.6", RTLD_NOW);

	if (!so) {
		fprintf(stderr, "judge: %s\n", dlerror());
		exit(2);
	}
	*(void **)&hip.init = symbol(so, "hipInit");
	*(void **)&hip.malloc = symbol(so, "hipMalloc");
	*(void **)&hip.copy = symbol(so, "hipMemcpy");
	*(void **)&hip.load = symbol(so, "hipModuleLoadData");
	*(void **)&hip.unload = symbol(so, "hipModuleUnload");
	*(void **)&hip.function = symbol(so, "hipModuleGetFunction");
	*(void **)&hip.launch = symbol(so, "hipModuleLaunchKernel");
	*(void **)&hip.sync = symbol(so, "hipDeviceSynchronize");
}

static int
check(int err, const char *what)
{
	if (err) {
		fprintf(stderr, "judge: %s: error %d\n", what, err);
		exit(1);
	}
	return err;
}

static bool
run_gpu(const struct kernel *k, void *module, void *in, void *out, u64 *got)
{
	void *f, *arg[] = { &in, &out };
	int err;

	check(hip.function(&f, module, k->name), k->name);
	memset(got, 0, WORDS * sizeof *got);
	check(hip.copy(out, got, WORDS * sizeof *got, TO_DEVICE), "copy");
	err = hip.launch(f, BLOCKS, 1, 1, BLOCK, 1, 1, 0, 0, arg, 0);
	if (!err)
		err = hip.sync();
	if (err) {
		printf("%s: not run, error %d\n", k->name, err);
		return false;
	}
	check(hip.copy(got, out, WORDS * sizeof *got, TO_HOST), "copy");
	return true;
}

/* as floats they differ by 4 units of the last place, or 2^-20 */
static bool
is_near(u64 a, u64 b)
{
	float x = f32(a), y = f32(b), d = fabsf(x - y);

	return d <= fabsf(y) * 0x4p-23f || (fabsf(y) < 4 && d < 0x1p-20f);
}

static bool
agrees(const struct kernel *k, const u64 *got, const u64 *want)
{
	unsigned i, bad = 0;

	for (i = 0; i < WORDS; i++) {
		if (got[i] == want[i] || (k->rule == NEAR &&
				is_near(got[i], want[i])))
			continue;
		if (bad++ < 4)
			printf("%s: thread %u word %u: %016llx, not %016llx\n",
				k->name, i / 4, i % 4, got[i], want[i]);
	}
	if (bad)
		printf("%s: %u words differ\n", k->name, bad);
	return !bad;
}

/* numbers at random, of all sizes, and with what is at the edges */
static void
fill(u64 *in)
{
	static const u64 edge[] = { 0, 1, ~(u64)0, 0x80000000, 0x7fffffff,
		(u64)1 << 63, ((u64)1 << 63) - 1, 0x3f800000, 0xbf800000,
		0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x00800000,
		0x7f7fffff, 0x3ff0000000000000, 0x7ff0000000000000,
		0x7ff8000000000000, 0x0010000000000000, 0x000fffffffffffff,
		0x3c003c00bc003800, 0x7c00fc007e000001, 0x7bff040003ff8000 };
	u64 s = 88172645463325252u;
	unsigned i, n = sizeof edge / sizeof *edge;

	for (i = 0; i < WORDS; i++) {
		s ^= s << 13;
		s ^= s >> 7;
		s ^= s << 17;
		in[i] = s;
		switch (s >> 60) {
		case 0: in[i] = edge[s % n]; break;
		case 1: in[i] = s & 0xff; break;
		case 2: in[i] = s & 0xffff; break;
		case 3: in[i] = (u64)(i64)(i16)s; break;
		case 4: in[i] = (s & 0x000fffff80ffffff) | 0x3ff000003f000000;
			break;
		case 5: in[i] = b64((double)(i32)s / 1000); break;
		case 6: in[i] = b32((float)(i16)s / 16); break;
		}
	}
}

static void *
load(const char *path)
{
	FILE *f = fopen(path, "rb");
	void *module;
	char *data;
	long n;

	if (!f || fseek(f, 0, SEEK_END) || (n = ftell(f)) < 0) {
		perror(path);
		exit(2);
	}
	rewind(f);
	data = malloc((size_t)n);
	if (fread(data, 1, (size_t)n, f) != (size_t)n)
		abort();
	fclose(f);
	check(hip.load(&module, data), path);
	free(data);
	return module;
}

int
main(int argc, char *argv[])
{
	static u64 in[WORDS], got[WORDS], want[sizeof kernels /
		sizeof *kernels][WORDS];
	void *din, *dout, *module;
	unsigned k, pass = 0, fail = 0;
	int a;

	open_hip();
	fill(in);
	check(hip.init(0), "hipInit");
	check(hip.malloc(&din, sizeof in), "malloc");
	check(hip.malloc(&dout, sizeof got), "malloc");
	check(hip.copy(din, in, sizeof in, TO_DEVICE), "copy");
	for (k = 0; k < sizeof kernels / sizeof *kernels; k++)
		run_host(&kernels[k], in, want[k]);
	for (a = 1; a < argc; a++) {
		module = load(argv[a]);
		for (k = 0; k < sizeof kernels / sizeof *kernels; k++) {
			if (run_gpu(&kernels[k], module, din, dout, got) &&
					agrees(&kernels[k], got, want[k])) {
				pass++;
			} else {
				printf("%s: wrong in %s\n", kernels[k].name,
					argv[a]);
				fail++;
			}
		}
		hip.unload(module);
	}
	printf("%u kernels agree, %u do not\n", pass, fail);
	return fail != 0;
}
