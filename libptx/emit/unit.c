/* unit.c - which functions are compiled together, in one LLVM module.
 *
 * A kernel and what it calls make a unit: functions are internal to it, are
 * inlined freely, and LLVM counts registers exactly.  Kernels that take the
 * address of a function, or call one, share one unit with every function
 * whose address is taken, since LLVM bounds the registers of an indirect call
 * by the functions of the module.  Variables are defined in that unit or, if
 * there are more and it is not there, in one of their own.
 */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

/* a set of functions, in the order in which they came */
struct set {
	const struct func **f;
	size_t n, cap;
	struct arena *a;
};

