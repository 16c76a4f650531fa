/* ptxas.h - the parts of ptxas-amd, in the order in which main() calls them */
#ifndef PTXAS_H
#define PTXAS_H

#include "../tool/tool.h"

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
	struct build build;
	bool compile_only;
	const char *listing; /* "ptx", "llvm", "asm", "obj"; 0: the image */
	const char *passes; /* names, comma between; 0: all */
	const char *output;
	struct input input;
};

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

/* product.c: code for each processor, and the file that is made of it */
struct product *product_make(struct ptx *, struct options *);
void product_write(struct ptx *, struct options *, const struct product *);

/* listing.c: PTX, LLVM's language, assembly or an object of all kernels */
struct blob listing(struct ptx *, const struct options *);

/* usage.c: what the kernels use, as -v, --stats and the warnings tell */
void usage_doubles(struct ptx *, const struct options *);
void usage_report(const struct ptx *, const struct options *,
	const struct product *);

#endif
