/* options.h - what the command line of ptxas-amd asks for.
 *
 * The parts of the tool, in the order in which main() calls them.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "emit.h"
#include "option.h"

/* report.c - messages on standard error, in the form of ptxas */

struct report {
	bool carets;        /* show the line that a message is about */
	bool no_warnings;
	bool werror;
	bool failed;        /* an error was reported */
	bool aborted;       /* it needs no summary: it was fatal */
};

void report_diag(void *report, const struct diag *);
/* what is wrong with the command line or a file: error is fatal */
void report_say(void *report, enum severity, const char *text);
void report_fatal(struct report *, const char *fmt, ...)
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
	const char *emit_form; /* "ptx", "llvm", "asm", "obj", "code" */
	const char *output;
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

#endif
