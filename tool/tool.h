/* tool.h - what ptxas-amd and ptx-link have in common.
 *
 * It prints, so it is no part of the library.  How a tool differs from the
 * other in its messages is said in struct report.
 */
#ifndef TOOL_H
#define TOOL_H

#include "emit.h"
#include "link.h"
#include "option.h"

/* report.c - messages on standard error, in the form of NVIDIA's tools */

struct report {
	const char *tool;   /* "ptxas": how every message begins */
	bool capitals;      /* and then a sentence, as ptxas has it */
	bool no_infos, no_warnings;
	const char *mute;   /* no warnings that begin like this; 0: all */
	bool werror;
	bool carets;        /* show the line that a message is about */
	bool fatal;         /* what goes wrong now ends the program */
	bool lenient;       /* an error is a warning */
	const char *arch;   /* the processor it is about; 0: there is one */
	bool failed;        /* an error was reported */
	bool warned;        /* it was a warning, but for werror */
	bool aborted;       /* it was fatal */
};

void report_diag(void *report, const struct diag *);
/* what is wrong with the command line; an error is fatal */
void report_say(void *report, enum severity, const char *text);
void report_fatal(struct report *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void report_text(struct report *, enum severity, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
#define report_info(r, ...) report_text(r, NOTE, __VA_ARGS__)
#define report_warning(r, ...) report_text(r, WARNING, __VA_ARGS__)
#define report_error(r, ...) report_text(r, ERROR, __VA_ARGS__)

/* the value of an option of the tool, whose struct options is o */
#define opt(o, id) ((const struct option_value *)&(o)->command.value[id])

/* what is compiled for whom */
struct build {
	struct report *report;
	struct emit_options emit; /* but for the processor */
	const char **gfx;   /* the processors to compile for */
	size_t ngfx;
	unsigned sm;        /* 80 for sm_80; 0: AMD GPUs are named */
	int jobs;
	const char *text;   /* what images keep of the options */
};

/* command.c - values of options, and answers to questions */

/* 80 for "sm_80" or "sm_80a" if prefix is "sm_"; 0: no GPU of NVIDIA's */
unsigned command_sm(const char *name, const char *prefix);
/* the AMD GPUs in list, comma between, each once; false: one is none */
bool command_gfx(struct build *, struct arena *, const char *list);
/* PTXAMD_ARCH, or 0 where it is empty */
const char *command_environment(void);
int command_jobs(long n);
void command_help(const struct option *, const char *usage);
void command_version(const char *tool, const char *model);
void command_list(const struct option *, const char *form);

/* build.c - code for each processor, and the file that is made of it */

struct product {
	const char *arch;   /* 0: nothing was compiled */
	struct blob code;
	struct kernel_stats *stats;
	size_t nstats;
	double ms;          /* that it took */
};

/* lines "name=value": the options that change the code */
const char *build_text(struct arena *, const struct emit_options *);
/* for each processor of the build, and then one whose arch is 0 */
struct product *build_start(const struct build *);
void build_code(const struct build *, struct ptx *, struct product *);
void build_free(struct product *);
/* a code object, a bundle of several, or a portable image that holds ptx */
struct blob build_image(const struct build *, const struct product *,
	struct bytes ptx);

#endif
