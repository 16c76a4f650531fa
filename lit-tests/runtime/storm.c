/* storm.c - many threads at once: each with contexts of its own, kernels of
 * blocks of any size in three streams, and now and then a fault.
 *
 *	storm THREADS ROUNDS
 */
#include "check.h"
#include <pthread.h>

static const char ptx[] =
".version 8.0\n.target sm_80\n.address_size 64\n"
/* adds 1 to each of n words */
".visible .entry add(.param .u64 p, .param .u32 n)\n{\n"
"	.reg .b32 t, b, d, x, m;\n	.reg .b64 a, o;\n	.reg .pred q;\n"
"	ld.param.u64 a, [p];\n	ld.param.u32 m, [n];\n"
"	mov.u32 t, %tid.x;\n	mov.u32 b, %ctaid.x;\n"
"	mov.u32 d, %ntid.x;\n	mad.lo.u32 t, b, d, t;\n"
"	setp.ge.u32 q, t, m;\n	@q ret;\n"
"	mul.wide.u32 o, t, 4;\n	add.u64 a, a, o;\n"
"	ld.global.u32 x, [a];\n	add.u32 x, x, 1;\n"
"	st.global.u32 [a], x;\n	ret;\n}\n"
/* each thread adds the numbers of the block's first and last thread */
".visible .entry ends(.param .u64 p, .param .u32 n)\n{\n"
"	.reg .b32 t, x, y, s, k;\n	.reg .b64 a;\n"
"	.shared .align 4 .b8 sh[4096];\n"
"	mov.u32 t, %tid.x;\n	mov.u32 s, sh;\n"
"	mad.lo.u32 s, t, 4, s;\n"
"	st.shared.u32 [s], t;\n	bar.sync 0;\n	ld.shared.u32 x, [sh];\n"
"	mov.u32 y, %ntid.x;\n	sub.u32 y, y, 1;\n	mul.lo.u32 y, y, 4;\n"
"	mov.u32 k, sh;\n	add.u32 k, k, y;\n	ld.shared.u32 y, [k];\n"
"	add.u32 x, x, y;\n	ld.param.u64 a, [p];\n"
"	red.global.add.u32 [a], x;\n	ret;\n}\n"
".visible .entry wild(.param .u64 p, .param .u32 n)\n{\n"
"	.reg .b64 a;\n	mov.u64 a, 4096;\n	st.global.u64 [a], a;\n"
"	ret;\n}\n";

enum { STREAMS = 3, LAUNCHES = 30, WORDS = 100000 };

static int rounds = 3;

/* what one thread has in a round */
struct mine {
	CUcontext c;
	CUfunction add, ends, wild;
	CUstream s[STREAMS];
	CUdeviceptr words, sum;
	unsigned want;           /* in sum */
};

static void
begin(struct mine *m)
{
	CUmodule module;
	int i;

	OK(cuCtxCreate_v2(&m->c, 0, 0));
	OK(cuModuleLoadData(&module, ptx));
	OK(cuModuleGetFunction(&m->add, module, "add"));
	OK(cuModuleGetFunction(&m->ends, module, "ends"));
	OK(cuModuleGetFunction(&m->wild, module, "wild"));
	OK(cuMemAlloc_v2(&m->words, WORDS * 4));
	OK(cuMemAlloc_v2(&m->sum, 4));
	OK(cuMemsetD32_v2(m->words, 0, WORDS));
	OK(cuMemsetD32_v2(m->sum, 0, 1));
	for (i = 0; i < STREAMS; i++)
		OK(cuStreamCreate(&m->s[i], CU_STREAM_NON_BLOCKING));
	OK(cuCtxSynchronize());
	m->want = 0;
}

static void
launch(struct mine *m, int i, unsigned *seed)
{
	unsigned n = WORDS, b = 1 + (unsigned)rand_r(seed) % 1024;
	unsigned g = 1 + (unsigned)rand_r(seed) % 50;
	void *words[] = { &m->words, &n }, *sum[] = { &m->sum, &n };

	OK(cuLaunchKernel(m->add, (n + b - 1) / b, 1, 1, b, 1, 1, 0, m->s[0],
		words, 0));
	OK(cuLaunchKernel(m->ends, g, 1, 1, b, 1, 1, 0, m->s[1 + i % 2], sum,
		0));
	m->want += g * b * (b - 1);
}

static void
end(struct mine *m, bool fault)
{
	static _Thread_local unsigned host[WORDS];
	unsigned sum, n = WORDS, i, wrong = 0;
	void *arg[] = { &m->words, &n };

	for (i = 0; i < STREAMS; i++)
		OK(cuStreamSynchronize(m->s[i]));
	OK(cuMemcpyDtoH_v2(host, m->words, sizeof host));
	OK(cuMemcpyDtoH_v2(&sum, m->sum, sizeof sum));
	for (i = 0; i < WORDS; i++)
		wrong += host[i] != LAUNCHES;
	IS(wrong, 0);
	IS(sum, m->want);
	if (fault) {
		OK(cuLaunchKernel(m->wild, 100, 1, 1, 64, 1, 1, 0, m->s[0],
			arg, 0));
		IS(cuStreamSynchronize(m->s[0]), CUDA_ERROR_ILLEGAL_ADDRESS);
	}
	cuCtxDestroy_v2(m->c);
}

static void *
work(void *number)
{
	unsigned seed = *(unsigned *)number;
	struct mine m;
	int r, i;

	for (r = 0; r < rounds; r++) {
		begin(&m);
		for (i = 0; i < LAUNCHES; i++)
			launch(&m, i, &seed);
		end(&m, r % 3 == 0);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 4, i;
	pthread_t t[64];
	unsigned number[64];

	if (argc > 2)
		rounds = atoi(argv[2]);
	OK(cuInit(0));
	for (i = 0; i < threads && i < 64; i++) {
		number[i] = (unsigned)i;
		pthread_create(&t[i], 0, work, &number[i]);
	}
	while (i--)
		pthread_join(t[i], 0);
	return check_end();
}
