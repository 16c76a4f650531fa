/* codes.h - for programs that print what a driver answers, a line a case: its
 * name and the CUresult, and for some what was given back.
 *
 * Every function is looked up by name in a library that is named on the
 * command line, so that any driver can be asked.
 */
#ifndef CODES_H
#define CODES_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t address;
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
typedef int function(); /* of any arguments */

static void *lib;

static inline function *
f(const char *name)
{
	function *p;

	*(void **)&p = dlsym(lib, name);
	if (!p) {
		printf("%s is missing\n", name);
		exit(1);
	}
	return p;
}

#define CASE(name, call) printf("%-44s %d\n", name, (call))
#define VALUE(name, v) printf("%-44s = %lld\n", name, (long long)(v))

static const char ptx[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".global .u32 word = 7;\n.const .u32 table[4] = {1, 2, 3, 4};\n"
	".visible .entry empty() { ret; }\n"
	".visible .entry store(.param .u64 p, .param .u32 v)\n"
	"{ .reg .u64 a; .reg .u32 b; ld.param.u64 a, [p];\n"
	"  ld.param.u32 b, [v]; st.global.u32 [a], b; ret; }\n"
	".visible .entry small() .maxntid 64, 1, 1 { ret; }\n"
	".visible .entry spin(.param .u64 n)\n"
	"{ .reg .u64 a, b, e; .reg .pred q; ld.param.u64 e, [n];\n"
	"  mov.u64 a, %globaltimer;\nL: mov.u64 b, %globaltimer;\n"
	"  sub.u64 b, b, a; setp.lt.u64 q, b, e; @q bra L; ret; }\n"
	".visible .entry stop() { trap; }\n";

static inline int
open_driver(const char *name)
{
	lib = dlopen(name ? name : "libcuda.so.1", RTLD_NOW);
	if (!lib)
		printf("%s\n", dlerror());
	setvbuf(stdout, 0, _IOLBF, 0);
	return lib != 0;
}

#endif
