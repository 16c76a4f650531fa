/* nvlink.h - the parts of ptx-link, in the order in which main() calls them */
#ifndef NVLINK_H
#define NVLINK_H

#include "emit.h"
#include "link.h"
#include "option.h"

/* report.c - messages on standard error, in the form of nvlink */

struct report {
	bool no_infos, no_warnings, no_arch_warning, werror;
	bool fatal;         /* what goes wrong now ends the program */
	bool merged;        /* messages are about the merged text: show it */
	bool lenient;       /* an error is a warning */
	bool failed;
	size_t nundefined;  /* names */
};

void report_diag(void *report, const struct diag *);
void report_say(void *report, enum severity, const char *text);
void report_fatal(struct report *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void report_info(struct report *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* the exit status */
int report_end(struct report *);

/* options.c */

enum option_id {
#define OPTION(id, ...) OPT_##id,
#include "options.def"
#undef OPTION
	NOPTION
};

struct options {
	struct command command;
	struct report *report;
	unsigned sm;        /* 80 for -arch=sm_80; 0: an AMD GPU is named */
	const char *arch;   /* as spelled */
	const char **gfx;   /* the processors to compile for */
	size_t ngfx;
	int level;          /* -1: what the objects ask for */
	bool line_info;
	int jobs;
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

/* input.c: the files and libraries of the command line */
void input_read(struct link *, const struct options *);
/* the names of host objects that register what was linked */
void input_register(const struct link *, const struct options *);

/* product.c: the merged module, compiled, as a file */
void product_write(struct link *, struct ptx *merged,
	const struct options *);

#endif
