/* table.c - what a libcudart.so exports, made from cudart.def.
 *
 * This file is compiled once for each library, with CUDART_MAJOR the CUDA it
 * is of; all others are the same for all.  An exported function sees to what
 * its row needs, calls the plain one, whose symbol is rt_NAME (see rt.h), and
 * remembers the error.  Forms of the per-thread default stream tell the plain
 * one so by rt_thread.per_thread.
 */
#define RT_ROWS_ONLY
#include "rt.h"
#include "trace_row.h"

#define EXPORT __attribute__((visibility("default")))

#if CUDART_MAJOR == 11
const int rt_version = 11080;
#define IN_UPTO11(...) __VA_ARGS__
#define IN_UPTO12(...) __VA_ARGS__
#define IN_FROM12(...)
#define IN_ONLY12(...)
#define IN_FROM13(...)
#elif CUDART_MAJOR == 12
const int rt_version = 12090;
#define IN_UPTO11(...)
#define IN_UPTO12(...) __VA_ARGS__
#define IN_FROM12(...) __VA_ARGS__
#define IN_ONLY12(...) __VA_ARGS__
#define IN_FROM13(...)
#elif CUDART_MAJOR == 13
const int rt_version = 13000;
#define IN_UPTO11(...)
#define IN_UPTO12(...)
#define IN_FROM12(...) __VA_ARGS__
#define IN_ONLY12(...)
#define IN_FROM13(...) __VA_ARGS__
#endif
#define IN_ALL(...) __VA_ARGS__

#define PLAIN_DONE(does, params) cudaError_t rt_##does(ROW_DECLARE params);
#define PLAIN_DRIVER(does, params)
#define PLAIN_STUB(does, params)

#define WRAP(needs, call) \
	cudaError_t r = need_##needs(); \
	\
	if (!r) \
		r = (cudaError_t)call; \
	if (r) \
		error_set(r);

/* what a function does: the value of its answer is r */
#define CALL_DONE(name, needs, does, params) \
	WRAP(needs, rt_##does(ROW_NAMES params))
#define CALL_DRIVER(name, needs, does, params) \
	WRAP(needs, does(ROW_NAMES params))
#define CALL_STUB(name, needs, does, params) \
	static atomic_bool told; \
	cudaError_t r = error_set(error_refuse(#name, &told));

#define THREAD_DONE(name, form, needs, does, params) \
	bool was = rt_thread.per_thread; \
	cudaError_t r = need_##needs(); \
	\
	if (!r) { \
		rt_thread.per_thread = true; \
		r = rt_##does(ROW_NAMES params); \
		rt_thread.per_thread = was; \
	} \
	if (r) \
		error_set(r);
#define THREAD_DRIVER(name, form, needs, does, params) \
	WRAP(needs, does##form(ROW_NAMES params))
#define THREAD_STUB(name, form, needs, does, params) \
	CALL_STUB(name##form, needs, does, params)

/* the exported function, and the way it goes where there is a trace */
#define FUNCTION(symbol, params, ...) \
	static TRACE_COLD cudaError_t \
	traced_##symbol(ROW_DECLARE params) \
	{ \
		TRACE_BEGIN(rt_trace, #symbol, params) \
		__VA_ARGS__ \
		return (cudaError_t)trace_result(&trace_call, (int)r); \
	} \
	EXPORT cudaError_t symbol(ROW_DECLARE params); \
	cudaError_t symbol(ROW_DECLARE params) \
	{ \
		if (trace_on()) \
			return traced_##symbol(ROW_NAMES params); \
		__VA_ARGS__ \
		return r; \
	}

#define STREAM_NONE(name, needs, status, does, params)
#define STREAM_PTDS(name, needs, status, does, params) \
	STREAM_FORM(name, _ptds, needs, status, does, params)
#define STREAM_PTSZ(name, needs, status, does, params) \
	STREAM_FORM(name, _ptsz, needs, status, does, params)
#define STREAM_FORM(name, form, needs, status, does, params) \
	FUNCTION(name##form, params, \
		THREAD_##status(name, form, needs, does, params))

#define RT(libs, name, streams, needs, status, does, params) \
	IN_##libs( \
	PLAIN_##status(does, params) \
	FUNCTION(name, params, CALL_##status(name, needs, does, params)) \
	STREAM_##streams(name, needs, status, does, params))

/* v, or nothing where type is void */
#define IS_VOID(type) __builtin_types_compatible_p(type, void)
#define VALUE_OF(type, v) __builtin_choose_expr(IS_VOID(type), (v, 0), v)
#define RETURN(type, v) return __builtin_choose_expr(IS_VOID(type), (void)0, v)

#pragma GCC diagnostic ignored "-Wpedantic" /* return f() of void */
#define RT_OTHER(libs, name, type, params) \
	IN_##libs( \
	type rt_##name(ROW_DECLARE params); \
	static TRACE_COLD type \
	traced_##name(ROW_DECLARE params) \
	{ \
		TRACE_BEGIN(rt_trace, #name, params) \
		__auto_type r = VALUE_OF(type, rt_##name(ROW_NAMES params)); \
		\
		trace_call.result_type = IS_VOID(type) ? 0 : #type; \
		trace_call.result = &r; \
		trace_call.result_size = sizeof r; \
		ptxamd_trace_end(&trace_call, false); \
		RETURN(type, r); \
	} \
	EXPORT type name(ROW_DECLARE params); \
	type name(ROW_DECLARE params) \
	{ \
		if (trace_on()) \
			return traced_##name(ROW_NAMES params); \
		return rt_##name(ROW_NAMES params); \
	})
#include "cudart.def"
