/* doctor.h - the report, section by section. */
#ifndef DOCTOR_H
#define DOCTOR_H

#include "search.h"

struct report {
	const char *section;    /* that the next line begins */
	unsigned problems;      /* what keeps the program from running */
};

/* report.c: lines of the report, on standard output */
void report_section(struct report *, const char *name);
void report_line(struct report *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* … and the program will not run */
void report_problem(struct report *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* api.c: the functions that our libraries have */

enum { CUDA_11 = 1, CUDA_12 = 2, CUDA_13 = 4, DRIVER = 8 };

struct api_function {
	const char *name;
	unsigned libs;          /* a bit for each that exports it */
	bool done;              /* false: it answers that it is not there */
};

/* as one of those libraries has it; 0: none has */
const struct api_function *api_find(const char *name, unsigned libs);
/* is it known, but in no version done? */
bool api_is_missing(const char *name);
/* is it a name as NVIDIA's driver and runtime have them? */
bool api_is_name(const char *name);

/* which.c: what a library is to us, by its name */

enum lib_kind { LIB_OTHER, LIB_OURS, LIB_OLD, LIB_NEEDED, LIB_HARMLESS };

/* *text: of a companion, or the name of our library */
enum lib_kind which(const char *name, const char **text);

/* needs.c, code.c: parts of the report */
void needs_libraries(struct report *, struct lib *all,
	const char *library_path);
void needs_functions(struct report *, struct lib *all);
/* gfx: the processor of an AMD GPU, or "" */
void code_report(struct report *, const struct run_options *, const char *path,
	const char *gfx);
/* machine.c: devices, cache, versions; gfx becomes the processor of the first
 * AMD GPU, or "" */
void machine_report(struct report *, const char *libraries, char gfx[32]);

/* runtime.c: a runtime of CUDA's that is linked into a file */

enum runtime_kind { RUNTIME_NONE, RUNTIME_KNOWN, RUNTIME_STRIPPED };

/* *major: 11, 12, 13 */
enum runtime_kind runtime_inside(const struct binary *, int *major);
/* the functions of it that the rest of the file calls, each once */
void runtime_calls(const struct binary *, symbol_fn *, void *arg);

#endif
