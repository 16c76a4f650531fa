/* target_host.h - this CPU as a target, and the markers that it leaves.
 *
 * The emitter makes scalar code, one value of one thread.  Where a thread
 * depends on other lanes, on its block or on the device, that code calls a
 * marker: a function that is declared and nowhere defined, which widening
 * replaces.  See marker.def for what there is.
 */
#ifndef TARGET_HOST_H
#define TARGET_HOST_H

#include "emit/emit_int.h"

/* how threads come to a barrier: an operand of ptx.barrier */
enum host_meeting { HOST_SYNC, HOST_ARRIVE, HOST_REDUCE };

enum marker {
#define MARKER(id, ...) MARKER_##id,
#include "marker.def"
#undef MARKER
	NMARKER
};

struct marker_info {
	const char *name;   /* of the function: "ptx.ballot" */
	const char *type;   /* the result, then the operands: see marker.def */
	const char *flags;
};

extern const struct marker_info marker_info[NMARKER];

/* the marker that name is; NMARKER: none.  ptx.permute has longer names. */
enum marker marker_of(const char *name);

extern const struct target target_host;

/* approx_host.c: target_host.approx */
LLVMValueRef host_approx(struct emit *, const char *op, LLVMValueRef);

/* cpu_host.c - LLVM's names */
const char *host_cpu(const char *arch);      /* "host": of this CPU */
const char *host_features(const char *arch); /* "+avx512f,…"; static */
bool host_has_arch(const char *arch);

/* what matters to us of a CPU's instructions */
enum host_isa { ISA_BASE, ISA_AVX2, ISA_AVX512 };
enum host_isa host_isa(const char *arch);

#endif
