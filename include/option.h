/* option.h - a command line read by a table, spelled as NVIDIA's tools do.
 *
 * A tool has an options.def with one row an option; the parser, --help, the
 * list of the man page and the table in doc/ come from it.  Nothing here
 * prints an error or exits: messages go to a function of the tool.
 */
#ifndef OPTION_H
#define OPTION_H

#include "ptx.h"

/* what follows an option, and how it is attached */
enum option_arg {
	ARG_NONE,           /* nothing */
	ARG_BOOL,           /* true or false */
	ARG_NUM,            /* a number as in C; nothing counts as 0 */
	ARG_WORD,           /* anything; the last one is used */
	ARG_LIST,           /* a,b,c; repeating the option adds to the list */
	ARG_TEXT,           /* anything, whole; repeating adds to the list */
	ARG_FILE,           /* files that hold more of the command line */
	ARG_KIND = 7,
	ARG_JOINED = 8,     /* the short name and the value may be one word */
	ARG_STUCK = 16,     /* the value is never the word that follows */
};

enum option_status {
	STATUS_DONE,        /* does what its help says */
	STATUS_OWN,         /* likewise, and no tool of NVIDIA's has it */
	STATUS_INERT,       /* accepted, without effect */
	STATUS_REFUSED,     /* known, and an error when it is used */
};

struct option {
	const char *name;   /* long, without dashes */
	const char *brief;  /* short, without the dash; "": none */
	unsigned arg;       /* enum option_arg */
	const char *arg_name; /* "<N>", "": none */
	const char *allowed;  /* the values it takes, comma between; 0: any */
	const char *preset; /* the value where it is not given; 0: none */
	enum option_status status;
	const char *help;
};

struct option_value {
	bool given;
	long num;           /* ARG_NUM; ARG_NONE, ARG_BOOL: 0 or 1 */
	const char *text;   /* as spelled, or the preset */
	const char **list;  /* ARG_LIST, ARG_TEXT */
	size_t n;
};

/* severity ERROR: the command line is of no use */
typedef void option_fn(void *arg, enum severity, const char *text);

struct command {
	const struct option *table;   /* ends with name 0 */
	option_fn *say;
	void *say_arg;
	struct arena arena;           /* of all below */
	struct option_value *value;   /* one for each row of the table */
	const char **input;           /* what is no option, in order */
	size_t ninput;
};

/* option.c: false at the first mistake, which has been said */
bool option_read(struct command *, int argc, char *argv[]);
void option_free(struct command *);

/* option_list.c: the table as --help shows it, in Markdown, in mdoc */
void option_help(const struct option *, FILE *);
void option_markdown(const struct option *, FILE *);
void option_mdoc(const struct option *, FILE *);

#endif
