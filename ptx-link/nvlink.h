/* nvlink.h - the parts of ptx-link, in the order in which main() calls them */
#ifndef NVLINK_H
#define NVLINK_H

#include "../tool/tool.h"

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
	struct build build; /* but for the options of the code */
	const char *arch;   /* as spelled */
	int level;          /* -1: what the objects ask for */
	bool line_info;
	const char *output;
};

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
