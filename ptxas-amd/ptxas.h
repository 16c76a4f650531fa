/* ptxas.h - the parts of ptxas-amd, in the order in which main() calls them */
#ifndef PTXAS_H
#define PTXAS_H

#include "emit.h"
#include "option.h"

/* report.c - messages on standard error, in the form of ptxas */

struct report {
	bool carets;        /* show the line that a message is about */
	bool no_warnings;
	bool werror;
	bool lenient;       /* an error is a warning */
	bool failed;        /* an error was reported */
	bool aborted;       /* it was fatal: no summary follows */
};

void report_diag(void *report, const struct diag *);
/* what is wrong with the command line; an error is fatal */
void report_say(void *report, enum severity, const char *text);
void report_fatal(struct report *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void report_error(struct report *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void report_warning(struct report *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* the last line, and the exit status */
int report_end(struct report *);

/* options.c */

enum option_id {
#define OPTION(id, ...) OPT_##id,
#include "options.def"
#undef OPTION
	NOPTION
};

/* the PTX, as a portable image holds it */
struct input {
	const char *text;
	size_t size;
	char *own;          /* to be freed at the end */
};

enum mode {
	MODE_CHECK,         /* -arch=compute_80: write nothing */
	MODE_CODE,          /* -arch=gfx1100: a code object, or a bundle */
	MODE_PORTABLE,      /* -arch=sm_80, or -c */
};

struct options {
	struct command command;
	struct report *report;
	enum mode mode;
	const char *arch;   /* as spelled */
	unsigned sm;        /* 80; 0: an AMD GPU is named */
	const char **gfx;   /* the processors to compile for */
	size_t ngfx;
	struct emit_options emit; /* but for the processor */
	bool compile_only;
	int jobs;
	const char *listing; /* "ptx", "llvm", "asm", "obj"; 0: the image */
	const char *passes; /* names, comma between; 0: all */
	const char *output;
	const char *text;   /* lines "name=value": what changes the code */
	struct input input;
};

static inline const struct option_value *
opt(const struct options *o, enum option_id id)
{
	return &o->command.value[id];
}

/* false: something is wrong and has been reported */
bool options_read(struct options *, struct report *, int argc, char *argv[]);
void options_free(struct options *);
/* --help and the like: prints the answer; false: there was no question */
bool options_answer(const struct options *);

/* input.c: all inputs, parsed into one module */
void input_read(struct ptx *, struct options *);

/* externs.c: is all there that kernels need?  With -c it need not be. */
void externs_check(struct ptx *, const struct options *);

/* directives.c: options that stand for something in the PTX */
void directives_apply(struct ptx *, struct options *);

/* product.c: code for each processor */

struct product {
	const char *arch;
	struct blob code;
	struct kernel_stats *stats;
	size_t nstats;
	double ms;          /* that it took */
};

struct product *product_make(struct ptx *, struct options *);
void product_write(struct ptx *, struct options *, const struct product *);
void product_free(struct product *, const struct options *);

/* listing.c: PTX, LLVM's language, assembly or an object of all kernels */
struct blob listing(struct ptx *, const struct options *);

/* usage.c: what the kernels use, as -v, --stats and the warnings tell */
void usage_doubles(struct ptx *, const struct options *);
void usage_report(const struct ptx *, const struct options *,
	const struct product *);

#endif
