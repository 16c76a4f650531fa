/* table.c - what libcuda.so.1 exports, made from cuda.def.
 *
 * An exported function checks what its row says is needed and calls the plain
 * one, whose symbol is rt_NAME (see api.h), or refuses.  Forms of the
 * per-thread default stream tell the plain one so by rt_thread.per_thread.
 */
#define API_ROWS_ONLY
#include "logs.h"
#include "trace.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define EXPORT __attribute__((visibility("default")))

#define PLAIN_DONE(name, params) CUresult rt_##name(ROW_DECLARE params);
#define PLAIN_STUB(name, params)

/* what a function does: the value of its answer is r */
#define CALL_DONE(name, needs, params) \
	CUresult r = need_##needs(); \
	\
	if (!r) \
		r = rt_##name(ROW_NAMES params);
#define CALL_STUB(name, needs, params) \
	static atomic_bool told; \
	CUresult r = rt_refuse(#name, &told);

#define THREAD_DONE(name, needs, params) \
	CUresult r = need_##needs(); \
	bool was = rt_thread.per_thread; \
	\
	if (!r) { \
		rt_thread.per_thread = true; \
		r = rt_##name(ROW_NAMES params); \
		rt_thread.per_thread = was; \
	}
#define THREAD_STUB CALL_STUB

#define LOGGED(symbol) \
	if (__builtin_expect(r != CUDA_SUCCESS, 0)) \
		logs_answer(#symbol, r);

/* the exported function, and the way it goes where there is a trace */
#define FUNCTION(symbol, params, ...) \
	static TRACE_COLD CUresult \
	traced_##symbol(ROW_DECLARE params) \
	{ \
		TRACE_BEGIN(trace_driver, #symbol, params) \
		__VA_ARGS__ \
		LOGGED(symbol) \
		return (CUresult)trace_result(&trace_call, (int)r); \
	} \
	EXPORT CUresult symbol(ROW_DECLARE params); \
	CUresult symbol(ROW_DECLARE params) \
	{ \
		if (trace_on()) \
			return traced_##symbol(ROW_NAMES params); \
		__VA_ARGS__ \
		LOGGED(symbol) \
		return r; \
	}

#define STREAM_NONE(name, needs, status, params)
#define STREAM_PTDS(name, needs, status, params) \
	FUNCTION(name##_ptds, params, THREAD_##status(name, needs, params))
#define STREAM_PTSZ(name, needs, status, params) \
	FUNCTION(name##_ptsz, params, THREAD_##status(name, needs, params))

#define CU(name, suffix, version, streams, needs, status, params) \
	PLAIN_##status(name##suffix, params) \
	FUNCTION(name##suffix, params, \
		CALL_##status(name##suffix, needs, params)) \
	STREAM_##streams(name##suffix, needs, status, params)
#include "cuda.def"
#undef CU

#define IS_DONE true
#define IS_STUB false
#define OTHER_NONE(name) 0
#define OTHER_PTDS(name) (any_fn *)name##_ptds
#define OTHER_PTSZ(name) (any_fn *)name##_ptsz

const struct row row_list[] = {
#define CU(name, suffix, version, streams, needs, status, params) \
	{ #name, version, (any_fn *)name##suffix, \
		OTHER_##streams(name##suffix), IS_##status },
#include "cuda.def"
#undef CU
};
const size_t row_count = sizeof row_list / sizeof *row_list;
