/* stream.c - streams and events: order, overlap, callbacks, many threads.
 *
 * Kernels that wait for a word of page-locked memory hold a stream until the
 * host opens it: what must not have happened by then is told from what may.
 */
#include "check.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

/* hold: until *gate is n; put: *p = n; move: *to = *from */
static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .entry hold(.param .u64 gate, .param .u32 n)\n"
	"{ .reg .u64 a; .reg .u32 v, w; .reg .pred p; ld.param.u64 a, [gate];\n"
	"  ld.param.u32 w, [n];\n"
	"L: ld.volatile.global.u32 v, [a]; setp.ne.u32 p, v, w; @p bra L;\n"
	"  ret; }\n"
	".visible .entry put(.param .u64 p, .param .u32 n)\n"
	"{ .reg .u64 a; .reg .u32 v; ld.param.u64 a, [p];\n"
	"  ld.param.u32 v, [n]; st.volatile.global.u32 [a], v; ret; }\n"
	".visible .entry move(.param .u64 to, .param .u64 from)\n"
	"{ .reg .u64 a, b; .reg .u32 v; ld.param.u64 a, [to];\n"
	"  ld.param.u64 b, [from]; ld.volatile.global.u32 v, [b];\n"
	"  st.volatile.global.u32 [a], v; ret; }\n"
	".visible .entry stop() { trap; }\n";

static CUcontext context;
static CUfunction hold, put, move;
static volatile uint32_t *word; /* page-locked: gate, and results */

static void
launch2(CUfunction f, CUstream s, volatile uint32_t *a, uint64_t b)
{
	void *param[] = { &a, &b };

	OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, param, 0));
}

static void
close_gate(CUstream s)
{
	word[0] = 0;
	launch2(hold, s, &word[0], 1);
}

static void
open_gate(void)
{
	__atomic_store_n((uint32_t *)&word[0], 1, __ATOMIC_RELEASE);
}

static void
nap(void)
{
	struct timespec t = { 0, 20000000 };

	nanosleep(&t, 0);
}

static uint32_t
see(int k)
{
	return __atomic_load_n((uint32_t *)&word[k], __ATOMIC_ACQUIRE);
}

static void
clear(void)
{
	int k;

	for (k = 0; k < 8; k++)
		__atomic_store_n((uint32_t *)&word[k], 0, __ATOMIC_RELEASE);
}

/* is what is put into b held up by what holds a? */
static void
follows(CUstream a, CUstream b, bool yes)
{
	clear();
	close_gate(a);
	launch2(put, b, &word[1], 7);
	nap();
	if (yes)
		IS(see(1), 0);
	else
		OK(cuStreamSynchronize(b));
	IS(cuStreamQuery(a), CUDA_ERROR_NOT_READY);
	if (!yes)
		IS(see(1), 7);
	open_gate();
	OK(cuCtxSynchronize());
	IS(see(1), 7);
	OK(cuStreamQuery(a));
	OK(cuStreamQuery(b));
}

static void
order(void)
{
	CUstream a, b, free1, free2;

	OK(cuStreamCreate(&a, CU_STREAM_DEFAULT));
	OK(cuStreamCreate(&b, CU_STREAM_DEFAULT));
	OK(cuStreamCreate(&free1, CU_STREAM_NON_BLOCKING));
	OK(cuStreamCreateWithPriority(&free2, CU_STREAM_NON_BLOCKING, -3));
	follows(a, a, true);
	follows(a, b, false);
	follows(0, a, true);
	follows(a, 0, true);
	follows(a, CU_STREAM_LEGACY, true);
	follows(CU_STREAM_LEGACY, b, true);
	follows(0, free1, false);
	follows(free1, 0, false);
	follows(free1, free2, false);
	follows(CU_STREAM_PER_THREAD, 0, true);
	follows(0, CU_STREAM_PER_THREAD, true);
	follows(CU_STREAM_PER_THREAD, a, false);
	follows(CU_STREAM_PER_THREAD, CU_STREAM_PER_THREAD, true);
	OK(cuStreamDestroy_v2(a));
	OK(cuStreamDestroy_v2(b));
	OK(cuStreamDestroy_v2(free1));
	OK(cuStreamDestroy_v2(free2));
}

static void *
open_later(void *arg)
{
	nap();
	open_gate();
	return arg;
}

/* a, then the legacy stream, then b: b waits for a through it */
static void
chain(void)
{
	CUstream a, b;
	pthread_t t;

	OK(cuStreamCreate(&a, 0));
	OK(cuStreamCreate(&b, 0));
	clear();
	close_gate(a);
	launch2(put, 0, &word[1], 5);
	launch2(move, b, &word[2], (uintptr_t)&word[1]);
	nap();
	IS(see(1) + see(2), 0);
	open_gate();
	OK(cuStreamSynchronize(b));
	IS(see(2), 5);
	/* a synchronous copy is the legacy stream's */
	clear();
	close_gate(a);
	launch2(put, a, &word[1], 6);
	pthread_create(&t, 0, open_later, 0);
	OK(cuMemcpyDtoH_v2((void *)&word[3], (CUdeviceptr)(uintptr_t)&word[1],
		4));
	IS(see(3), 6);
	pthread_join(t, 0);
	OK(cuStreamDestroy_v2(a));
	OK(cuStreamDestroy_v2(b));
}

/* the _ptsz forms take the thread's stream for 0 */
static void
per_thread(void)
{
	CUstream a;
	uint32_t one = 1;
	CUdeviceptr gate = (uintptr_t)&word[0];
	void *param[] = { &gate, &one };

	OK(cuStreamCreate(&a, 0));
	clear();
	OK(cuLaunchKernel_ptsz(hold, 1, 1, 1, 1, 1, 1, 0, 0, param, 0));
	launch2(put, a, &word[1], 9);
	OK(cuStreamSynchronize(a));
	IS(see(1), 9);
	IS(cuStreamQuery_ptsz(0), CUDA_ERROR_NOT_READY);
	open_gate();
	OK(cuStreamSynchronize_ptsz(0));
	OK(cuStreamDestroy_v2(a));
}

/* callbacks */

static atomic_int seen;
static CUresult inside, status;

static void
note(void *arg)
{
	atomic_store(&seen, 10 * atomic_load(&seen) + (int)(intptr_t)arg);
	inside = cuCtxSynchronize();
}

static void
note_stream(CUstream s, CUresult r, void *arg)
{
	(void)s;
	status = r;
	note(arg);
}

static void
callbacks(void)
{
	CUstream s;

	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	clear();
	close_gate(s);
	OK(cuLaunchHostFunc(s, note, (void *)1));
	OK(cuStreamAddCallback(s, note_stream, (void *)2, 0));
	launch2(put, s, &word[1], 3);
	nap();
	IS(atomic_load(&seen), 0);
	IS(see(1), 0);
	open_gate();
	OK(cuStreamSynchronize(s));
	IS(atomic_load(&seen), 12);
	IS(see(1), 3);
	IS(status, 0);
	TRUE(inside != CUDA_SUCCESS);
	IS(cuLaunchHostFunc(s, 0, 0), CUDA_ERROR_INVALID_VALUE);
	IS(cuStreamAddCallback(s, note_stream, 0, 1),
		CUDA_ERROR_INVALID_VALUE);
	OK(cuStreamDestroy_v2(s));
}

/* events */

static void
events(void)
{
	CUevent e, f, plain;
	CUstream a, b;
	float ms = -1;
	int k;

	OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
	OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
	OK(cuEventCreate(&e, 0));
	OK(cuEventCreate(&f, CU_EVENT_BLOCKING_SYNC));
	OK(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING));
	OK(cuEventQuery(e));
	OK(cuEventSynchronize(e));
	OK(cuStreamWaitEvent(b, e, 0));
	IS(cuEventElapsedTime(&ms, e, f), CUDA_ERROR_INVALID_HANDLE);
	clear();
	OK(cuEventRecord(e, a));
	close_gate(a);
	OK(cuEventRecordWithFlags(f, a, CU_EVENT_RECORD_DEFAULT));
	OK(cuEventRecord(plain, a));
	OK(cuStreamWaitEvent(b, f, 0));
	launch2(put, b, &word[1], 4);
	nap();
	IS(cuEventQuery(f), CUDA_ERROR_NOT_READY);
	OK(cuEventQuery(e));
	IS(cuEventElapsedTime(&ms, e, f), CUDA_ERROR_NOT_READY);
	IS(see(1), 0);
	open_gate();
	OK(cuEventSynchronize(f));
	OK(cuStreamSynchronize(b));
	IS(see(1), 4);
	for (k = 0; k < 200; k++) {
		launch2(put, a, &word[2], (uint64_t)k);
		OK(cuEventRecord(f, a));
		OK(cuEventSynchronize(f));
		OK(cuStreamQuery(a));
	}
	OK(cuEventElapsedTime(&ms, e, f));
	TRUE(ms >= 19 && ms < 10000);
	OK(cuEventElapsedTime_v2(&ms, e, e));
	TRUE(ms == 0);
	IS(cuEventElapsedTime(&ms, e, plain), CUDA_ERROR_INVALID_HANDLE);
	IS(cuEventCreate(&e, 0x10), CUDA_ERROR_INVALID_VALUE);
	/* destroyed while it is on its way */
	clear();
	close_gate(a);
	OK(cuEventRecord(plain, a));
	OK(cuStreamWaitEvent(b, plain, 0));
	OK(cuEventDestroy_v2(plain));
	IS(cuEventQuery(plain), CUDA_ERROR_INVALID_HANDLE);
	open_gate();
	OK(cuStreamSynchronize(b));
	OK(cuEventDestroy_v2(e));
	OK(cuEventDestroy_v2(f));
	OK(cuStreamDestroy_v2(a));
	OK(cuStreamDestroy_v2(b));
	IS(cuStreamQuery(a), CUDA_ERROR_INVALID_HANDLE);
}

/* a stream that is destroyed does what it has to do, and nobody waits */
static void
destroyed(void)
{
	CUstream a, b;
	int k;

	for (k = 0; k < 3; k++) {
		OK(cuStreamCreate(&a, k ? 0 : CU_STREAM_NON_BLOCKING));
		clear();
		close_gate(a);
		launch2(put, a, &word[1], 8);
		OK(cuStreamDestroy_v2(a));
		IS(cuStreamQuery(a), CUDA_ERROR_INVALID_HANDLE);
		IS(see(1), 0);
		OK(cuStreamCreate(&b, 0));
		launch2(put, k ? 0 : b, &word[2], 9);
		if (!k)
			OK(cuStreamSynchronize(b));
		else
			nap();
		IS(see(2), k ? 0 : 9);
		open_gate();
		OK(k == 1 ? cuStreamSynchronize(0) : cuCtxSynchronize());
		IS(see(1), 8);
		OK(cuStreamDestroy_v2(b));
	}
	/* … and the end of the context waits for it */
	OK(cuStreamCreate(&a, 0));
	launch2(put, a, &word[1], 10);
	OK(cuStreamDestroy_v2(a));
}

static void
questions(void)
{
	CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_ACTIVE;
	CUstreamAttrValue v = { .priority = 0 };
	unsigned long long id, id2;
	unsigned flags;
	CUstream a, b;
	CUcontext c;
	CUdevice d;
	int n;

	OK(cuStreamCreateWithPriority(&a, CU_STREAM_NON_BLOCKING, -100));
	OK(cuStreamCreate(&b, 0));
	OK(cuStreamGetPriority(a, &n));
	IS(n, -5);
	OK(cuStreamGetFlags(a, &flags));
	IS(flags, CU_STREAM_NON_BLOCKING);
	OK(cuStreamGetCtx(a, &c));
	TRUE(c == context);
	OK(cuStreamGetDevice(a, &d));
	IS(d, 0);
	OK(cuStreamGetId(a, &id));
	OK(cuStreamGetId(b, &id2));
	TRUE(id != id2);
	OK(cuStreamGetId(0, &id));
	OK(cuStreamGetId(CU_STREAM_LEGACY, &id2));
	TRUE(id == id2);
	OK(cuStreamIsCapturing(a, &capture));
	IS(capture, CU_STREAM_CAPTURE_STATUS_NONE);
	v.syncPolicy = CU_SYNC_POLICY_YIELD;
	OK(cuStreamSetAttribute(a, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
		&v));
	OK(cuStreamCopyAttributes(b, a));
	memset(&v, 0, sizeof v);
	OK(cuStreamGetAttribute(b, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
		&v));
	IS(v.syncPolicy, CU_SYNC_POLICY_YIELD);
	IS(cuStreamGetAttribute(b, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuStreamCreate(&a, 8), CUDA_ERROR_INVALID_VALUE);
	IS(cuStreamDestroy_v2(0), CUDA_ERROR_INVALID_HANDLE);
	OK(cuStreamDestroy_v2(b));
}

/* A fault is the answer from then on, in all streams of its context: callbacks
 * are told, host functions left out.  Other contexts go on. */
static void
fault(void)
{
	CUcontext other;
	CUfunction f, stop;
	CUmodule m;
	CUstream s, t;
	CUevent e;
	CUdevice d;

	OK(cuCtxGetDevice(&d));
	OK(cuCtxCreate_v2(&other, 0, d));
	OK(cuModuleLoadData(&m, text));
	OK(cuModuleGetFunction(&f, m, "hold"));
	OK(cuModuleGetFunction(&stop, m, "stop"));
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	OK(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING));
	OK(cuEventCreate(&e, 0));
	atomic_store(&seen, 0);
	clear();
	launch2(f, s, &word[0], 1);
	OK(cuLaunchKernel(stop, 1, 1, 1, 1, 1, 1, 0, s, 0, 0));
	OK(cuLaunchHostFunc(s, note, (void *)5));
	OK(cuStreamAddCallback(s, note_stream, (void *)6, 0));
	OK(cuEventRecord(e, s));
	open_gate();
	IS(cuStreamSynchronize(s), CUDA_ERROR_LAUNCH_FAILED);
	IS(atomic_load(&seen), 6);
	IS(status, CUDA_ERROR_LAUNCH_FAILED);
	IS(cuEventQuery(e), CUDA_ERROR_LAUNCH_FAILED);
	IS(cuEventSynchronize(e), CUDA_ERROR_LAUNCH_FAILED);
	IS(cuStreamQuery(t), CUDA_ERROR_LAUNCH_FAILED);
	IS(cuLaunchKernel(stop, 1, 1, 1, 1, 1, 1, 0, t, 0, 0),
		CUDA_ERROR_LAUNCH_FAILED);
	IS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
	OK(cuCtxSetCurrent(context));
	launch2(put, 0, &word[1], 11);
	OK(cuCtxSynchronize());
	IS(see(1), 11);
	IS(cuStreamSynchronize(t), CUDA_ERROR_LAUNCH_FAILED);
	OK(cuCtxDestroy_v2(other));
	IS(cuStreamQuery(t), CUDA_ERROR_INVALID_HANDLE);
}

/* many threads, each with streams and events of its own, and all on the
 * legacy stream and on one that they share */

enum { THREADS = 6, ROUNDS = 60 };

static CUstream common;

static void *
worker(void *arg)
{
	uint32_t *mine = (uint32_t *)word + 64 + 16 * (intptr_t)arg;
	CUstream s;
	CUevent e;
	int k;

	OK(cuCtxSetCurrent(context));
	OK(cuStreamCreate(&s, (intptr_t)arg % 2 ? CU_STREAM_NON_BLOCKING : 0));
	OK(cuEventCreate(&e, 0));
	for (k = 1; k <= ROUNDS; k++) {
		launch2(put, s, &mine[0], (uint64_t)k);
		OK(cuEventRecord(e, s));
		OK(cuStreamWaitEvent(common, e, 0));
		launch2(move, common, &mine[1], (uintptr_t)&mine[0]);
		OK(cuEventRecord(e, common));
		OK(cuStreamWaitEvent(CU_STREAM_PER_THREAD, e, 0));
		launch2(move, CU_STREAM_PER_THREAD, &mine[2],
			(uintptr_t)&mine[1]);
		if (k % 8 == 0)
			launch2(put, 0, &mine[4], (uint64_t)k);
		OK(cuStreamSynchronize(CU_STREAM_PER_THREAD));
		IS(__atomic_load_n(&mine[2], __ATOMIC_ACQUIRE), k);
	}
	OK(cuEventDestroy_v2(e));
	OK(cuStreamDestroy_v2(s));
	OK(cuStreamSynchronize(0));
	IS(__atomic_load_n(&mine[4], __ATOMIC_ACQUIRE), ROUNDS / 8 * 8);
	return 0;
}

static void
threads(void)
{
	pthread_t t[THREADS];
	intptr_t k;

	OK(cuStreamCreate(&common, CU_STREAM_NON_BLOCKING));
	for (k = 0; k < THREADS; k++)
		pthread_create(&t[k], 0, worker, (void *)k);
	for (k = 0; k < THREADS; k++)
		pthread_join(t[k], 0);
	OK(cuStreamDestroy_v2(common));
}

int
main(void)
{
	CUmodule m;
	CUdevice d;

	OK(cuInit(0));
	OK(cuDeviceGet(&d, 0));
	OK(cuCtxCreate_v2(&context, 0, d));
	OK(cuModuleLoadData(&m, text));
	OK(cuModuleGetFunction(&hold, m, "hold"));
	OK(cuModuleGetFunction(&put, m, "put"));
	OK(cuModuleGetFunction(&move, m, "move"));
	OK(cuMemHostAlloc((void **)&word, 4096,
		CU_MEMHOSTALLOC_PORTABLE));
	order();
	chain();
	per_thread();
	callbacks();
	events();
	questions();
	destroyed();
	fault();
	threads();
	OK(cuCtxDestroy_v2(context));
	return check_end();
}
