/* codes_capture.c - what the driver answers while streams are captured.
 *
 *	codes_capture states|events|legacy|threads [LIBRARY]
 *
 * codes_graph.test holds what NVIDIA's driver 580 answers on an H200.
 */
#include "codes_capture.h"
#include <pthread.h>

static void *blocking;           /* a stream, unlike a and b */

/* ends it; tells what came of it */
static void
end(const char *name, void *stream)
{
	void *graph = (void *)1;
	size_t n = 77;
	int e = f("cuStreamEndCapture")(stream, &graph);

	printf("%-44s %d%s\n", name, e, graph ? "" : ", no graph");
	if (graph && graph != (void *)1) {
		f("cuGraphGetNodes")(graph, (void *)0, &n);
		VALUE("… nodes", n);
		f("cuGraphDestroy")(graph);
	}
	f("cuStreamSynchronize")(stream);
}

static void
count(void *p)
{
	(void)p;
}

static void
tell(void *stream, int e, void *p)
{
	(void)stream;
	(void)e;
	(void)p;
}

static void
info(void *stream)
{
	const void **deps = 0;
	void *graph = 0;
	size_t n = 99;
	uint64_t id = 0;
	int s = -1;

	CASE("info", f("cuStreamGetCaptureInfo_v2")(stream, &s, &id, &graph,
		&deps, &n));
	VALUE("… status", s);
	VALUE("… has an id", id != 0);
	VALUE("… has a graph", graph != 0);
	VALUE("… dependencies", n);
	n = 99;
	CASE("info v3", f("cuStreamGetCaptureInfo_v3")(stream, &s, &id, &graph,
		&deps, (void *)0, &n));
	VALUE("… dependencies", n);
	CASE("info, status alone", f("cuStreamGetCaptureInfo_v2")(stream, &s,
		(void *)0, (void *)0, (void *)0, (void *)0));
	CASE("info, no status", f("cuStreamGetCaptureInfo_v2")(stream,
		(void *)0, &id, (void *)0, (void *)0, (void *)0));
}

static void
dependencies(void)
{
	void *graph, *node = 0, *nodes[4];
	const void **deps = 0;
	size_t n;
	int s;

	CASE("begin", begin(a, GLOBAL));
	CASE("launch", launch(a));
	CASE("graph", f("cuStreamGetCaptureInfo_v2")(a, &s, (void *)0, &graph,
		(void *)0, (void *)0));
	CASE("a node besides", f("cuGraphAddEmptyNode")(&node, graph,
		(void *)0, (size_t)0));
	CASE("add it", f("cuStreamUpdateCaptureDependencies")(a, &node,
		(size_t)1, 0));
	info(a);
	CASE("add it again", f("cuStreamUpdateCaptureDependencies")(a, &node,
		(size_t)1, 0));
	info(a);
	CASE("set it", f("cuStreamUpdateCaptureDependencies")(a, &node,
		(size_t)1, 1));
	info(a);
	CASE("set none", f("cuStreamUpdateCaptureDependencies")(a, (void *)0,
		(size_t)0, 1));
	info(a);
	CASE("flags 2", f("cuStreamUpdateCaptureDependencies")(a, &node,
		(size_t)1, 2));
	CASE("launch", launch(a));
	CASE("get", f("cuStreamGetCaptureInfo_v2")(a, &s, (void *)0,
		(void *)0, &deps, &n));
	n = 4;
	CASE("nodes", f("cuGraphGetNodes")(graph, nodes, &n));
	VALUE("…", n);
	CASE("destroy the last", f("cuGraphDestroyNode")((void *)deps[0]));
	VALUE("… status", status(a));
	end("end", a);
	CASE("not capturing", f("cuStreamUpdateCaptureDependencies")(a, &node,
		(size_t)1, 0));
}

static void
to_graph(void)
{
	void *graph = 0, *p;

	CASE("graph", f("cuGraphCreate")(&graph, 0));
	CASE("begin to graph", f("cuStreamBeginCaptureToGraph")(a, graph,
		(void *)0, (void *)0, (size_t)0, GLOBAL));
	CASE("launch", launch(a));
	p = 0;
	CASE("end", f("cuStreamEndCapture")(a, &p));
	VALUE("… the same", p == graph);
	CASE("begin to graph", f("cuStreamBeginCaptureToGraph")(a, graph,
		(void *)0, (void *)0, (size_t)0, GLOBAL));
	CASE("launch", launch(a));
	CASE("synchronize", f("cuStreamSynchronize")(a));
	p = (void *)1;
	CASE("end", f("cuStreamEndCapture")(a, &p));
	VALUE("… graph", p == graph ? 2 : p != 0);
}

static void
waits(void)
{
	CASE("begin", begin(a, GLOBAL));
	CASE("synchronize", f("cuStreamSynchronize")(a));
	VALUE("… status", status(a));
	info(a);
	CASE("launch", launch(a));
	CASE("begin again", begin(a, GLOBAL));
	end("end", a);
	CASE("begin", begin(a, GLOBAL));
	CASE("query", f("cuStreamQuery")(a));
	VALUE("… status", status(a));
	end("end", a);
	CASE("begin", begin(a, RELAXED));
	CASE("context synchronize", f("cuCtxSynchronize")());
	VALUE("… status", status(a));
	end("end", a);
	CASE("begin", begin(a, GLOBAL));
	CASE("priority", f("cuStreamGetPriority")(a, (int *)host));
	VALUE("… status", status(a));
	end("end", a);
}

static void
states(void)
{
	void *s, *graph = 0, *p;

	VALUE("status", status(a));
	VALUE("status of legacy", status(0));
	info(a);
	CASE("begin legacy", begin(0, GLOBAL));
	CASE("begin legacy handle", begin((void *)1, GLOBAL));
	CASE("begin per thread", begin((void *)2, GLOBAL));
	VALUE("… status", status((void *)2));
	end("end per thread", (void *)2);
	CASE("mode 3", begin(a, 3));
	CASE("end, none", f("cuStreamEndCapture")(a, &graph));
	CASE("begin", begin(a, GLOBAL));
	info(a);
	CASE("begin again", begin(a, GLOBAL));
	VALUE("… status", status(a));
	CASE("launch", launch(a));
	CASE("memset", f("cuMemsetD8Async")(memory, 0, (size_t)16, a));
	CASE("memset none", f("cuMemsetD8Async")(memory, 0, (size_t)0, a));
	CASE("copy", f("cuMemcpyHtoDAsync_v2")(memory, host, (size_t)16, a));
	CASE("copy none", f("cuMemcpyHtoDAsync_v2")(memory, host, (size_t)0,
		a));
	CASE("host function", f("cuLaunchHostFunc")(a, count, (void *)0));
	info(a);
	end("end", a);
	CASE("begin", begin(a, GLOBAL));
	CASE("callback", f("cuStreamAddCallback")(a, tell, (void *)0, 0));
	VALUE("… status", status(a));
	end("end", a);
	waits();
	CASE("stream", f("cuStreamCreate")(&s, 1));
	CASE("begin", begin(s, GLOBAL));
	CASE("destroy", f("cuStreamDestroy_v2")(s));
	CASE("alloc", f("cuMemAlloc_v2")(&p, (size_t)16));
	CASE("begin", begin(a, GLOBAL));
	CASE("cooperative", f("cuLaunchCooperativeKernel")(empty, 1, 1, 1, 1,
		1, 1, 0, a, (void *)0));
	end("end", a);
	to_graph();
	dependencies();
}

static void
forks(void *e, void *g)
{
	puts("fork and join");
	CASE("begin", begin(a, GLOBAL));
	CASE("launch", launch(a));
	CASE("record", f("cuEventRecord")(e, a));
	CASE("wait", f("cuStreamWaitEvent")(b, e, 0));
	VALUE("… status", status(b));
	info(b);
	CASE("launch", launch(b));
	CASE("record", f("cuEventRecord")(g, b));
	CASE("wait", f("cuStreamWaitEvent")(a, g, 0));
	info(a);
	end("end", a);
	VALUE("… status", status(b));
	puts("fork alone");
	CASE("begin", begin(a, GLOBAL));
	CASE("record", f("cuEventRecord")(e, a));
	CASE("wait", f("cuStreamWaitEvent")(b, e, 0));
	end("end", a);
	VALUE("… status", status(b));
	puts("fork and launch");
	CASE("begin", begin(a, GLOBAL));
	CASE("record", f("cuEventRecord")(e, a));
	CASE("wait", f("cuStreamWaitEvent")(b, e, 0));
	CASE("launch", launch(b));
	end("end", a);
	VALUE("… status", status(a));
	VALUE("… status", status(b));
	puts("end of the other");
	CASE("begin", begin(a, GLOBAL));
	CASE("record", f("cuEventRecord")(e, a));
	CASE("wait", f("cuStreamWaitEvent")(b, e, 0));
	end("end", b);
	VALUE("… status", status(a));
	VALUE("… status", status(b));
	end("end", a);
}

static void
external(void *e, void *out)
{
	puts("external");
	CASE("record, not capturing", f("cuEventRecordWithFlags")(e, a, 1));
	CASE("wait, not capturing", f("cuStreamWaitEvent")(a, out, 1));
	CASE("begin", begin(a, RELAXED));
	CASE("record", f("cuEventRecordWithFlags")(e, a, 1));
	CASE("wait", f("cuStreamWaitEvent")(a, out, 1));
	CASE("query", f("cuEventQuery")(e));
	end("end", a);
}

static void
events(void)
{
	void *e = event(), *g = event(), *never = event(), *out = event();
	float ms;

	f("cuEventRecord")(out, b);
	f("cuStreamSynchronize")(b);
	CASE("begin", begin(a, RELAXED));
	CASE("wait for one never recorded",
		f("cuStreamWaitEvent")(a, never, 0));
	VALUE("… status", status(a));
	CASE("wait for one from outside", f("cuStreamWaitEvent")(a, out, 0));
	VALUE("… status", status(a));
	end("end", a);
	CASE("begin", begin(a, RELAXED));
	CASE("record", f("cuEventRecord")(e, a));
	CASE("query it", f("cuEventQuery")(e));
	VALUE("… status", status(a));
	CASE("synchronize it", f("cuEventSynchronize")(e));
	VALUE("… status", status(a));
	CASE("elapsed", f("cuEventElapsedTime")(&ms, e, e));
	VALUE("… status", status(a));
	end("end", a);
	CASE("query it", f("cuEventQuery")(e));
	CASE("synchronize it", f("cuEventSynchronize")(e));
	CASE("wait for it", f("cuStreamWaitEvent")(a, e, 0));
	CASE("elapsed", f("cuEventElapsedTime")(&ms, e, e));
	CASE("record anew", f("cuEventRecord")(e, a));
	CASE("synchronize it", f("cuEventSynchronize")(e));
	forks(e, g);
	puts("merge");
	CASE("begin", begin(a, RELAXED));
	CASE("begin", begin(b, RELAXED));
	CASE("record", f("cuEventRecord")(e, a));
	CASE("wait", f("cuStreamWaitEvent")(b, e, 0));
	VALUE("… status", status(a));
	VALUE("… status", status(b));
	end("end", a);
	end("end", b);
	external(e, out);
	puts("destroyed");
	CASE("begin", begin(a, RELAXED));
	CASE("record", f("cuEventRecord")(g, a));
	CASE("destroy", f("cuEventDestroy_v2")(g));
	end("end", a);
	puts("after an invalidation");
	CASE("begin", begin(a, RELAXED));
	CASE("record", f("cuEventRecord")(e, a));
	CASE("wait", f("cuStreamWaitEvent")(b, e, 0));
	CASE("synchronize", f("cuStreamSynchronize")(b));
	VALUE("… status", status(a));
	VALUE("… status", status(b));
	CASE("record", f("cuEventRecord")(e, a));
	CASE("wait", f("cuStreamWaitEvent")(blocking, e, 0));
	end("end", b);
	end("end", a);
	VALUE("… status", status(b));
}

static void
legacy(void)
{
	void *graph = 0, *e = event();

	CASE("begin", begin(blocking, RELAXED));
	CASE("launch to legacy", launch(0));
	VALUE("… status", status(blocking));
	CASE("launch", launch(blocking));
	end("end", blocking);
	CASE("begin", begin(blocking, RELAXED));
	CASE("status of legacy", f("cuStreamIsCapturing")((void *)0,
		(int *)host));
	VALUE("… status", status(blocking));
	CASE("info of legacy", f("cuStreamGetCaptureInfo_v2")((void *)0,
		(int *)host, (void *)0, (void *)0, (void *)0, (void *)0));
	CASE("query legacy", f("cuStreamQuery")((void *)0));
	VALUE("… status", status(blocking));
	end("end", blocking);
	CASE("begin", begin(blocking, RELAXED));
	CASE("synchronize legacy", f("cuStreamSynchronize")((void *)0));
	VALUE("… status", status(blocking));
	end("end", blocking);
	CASE("begin", begin(blocking, RELAXED));
	CASE("copy", f("cuMemcpyHtoD_v2")(memory, host, (size_t)16));
	VALUE("… status", status(blocking));
	end("end", blocking);
	CASE("begin", begin(blocking, RELAXED));
	CASE("memset", f("cuMemsetD8_v2")(memory, 0, (size_t)16));
	VALUE("… status", status(blocking));
	end("end", blocking);
	CASE("begin", begin(blocking, RELAXED));
	CASE("record", f("cuEventRecord")(e, blocking));
	CASE("legacy waits", f("cuStreamWaitEvent")((void *)0, e, 0));
	VALUE("… status", status(blocking));
	end("end", blocking);
	CASE("begin", begin(a, RELAXED));
	CASE("record", f("cuEventRecord")(e, a));
	CASE("legacy waits", f("cuStreamWaitEvent")((void *)0, e, 0));
	VALUE("… status", status(a));
	end("end", a);
	CASE("begin", begin(a, RELAXED));
	CASE("launch to legacy", launch(0));
	CASE("copy", f("cuMemcpyHtoD_v2")(memory, host, (size_t)16));
	VALUE("… status", status(a));
	CASE("another blocking one", launch(blocking));
	end("end", a);
	CASE("end of legacy", f("cuStreamEndCapture")((void *)0, &graph));
	CASE("begin", begin((void *)2, RELAXED));
	CASE("copy per thread", f("cuMemcpyHtoD_v2_ptds")(memory, host,
		(size_t)16));
	VALUE("… status", status((void *)2));
	end("end", (void *)2);
}

/* what another thread may do */

static void *work;

static void *
thread(void *arg)
{
	const char *what = arg;
	address p;
	int mode = LOCAL;

	f("cuCtxSetCurrent")(context);
	if (!strcmp(what, "end"))
		end(what, a);
	if (!strcmp(what, "launch"))
		CASE(what, launch(a));
	if (!strcmp(what, "alloc"))
		CASE(what, f("cuMemAlloc_v2")(&p, (size_t)16));
	if (!strcmp(what, "alloc local")) {
		CASE("exchange", f("cuThreadExchangeStreamCaptureMode")
			(&mode));
		VALUE("… was", mode);
		CASE(what, f("cuMemAlloc_v2")(&p, (size_t)16));
	}
	if (!strcmp(what, "query"))
		CASE(what, f("cuEventQuery")(work));
	VALUE("… status", status(a));
	return 0;
}

static void
other(const char *what, int mode)
{
	pthread_t t;

	printf("mode %d, the other thread: %s\n", mode, what);
	CASE("begin", begin(a, mode));
	pthread_create(&t, 0, thread, (void *)(uintptr_t)what);
	pthread_join(t, 0);
	end("end", a);
}

static void
threads(void)
{
	int m;

	work = event();
	f("cuEventRecord")(work, b);
	for (m = GLOBAL; m <= RELAXED; m++) {
		other("end", m);
		other("launch", m);
		other("alloc", m);
		other("alloc local", m);
		other("query", m);
	}
}

int
main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {
		{ "states", states }, { "events", events },
		{ "legacy", legacy }, { "threads", threads },
	};
	size_t k;

	if (argc < 2 || !open_all(argv[2]) ||
	    f("cuStreamCreate")(&blocking, 0))
		return 2;
	for (k = 0; k < sizeof parts / sizeof *parts; k++)
		if (!strcmp(parts[k].name, argv[1]))
			parts[k].run();
	return 0;
}
