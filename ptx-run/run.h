/* run.h - ptx-run: a program started with our CUDA libraries, or examined. */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PATH_SIZE = 4096 };

/* exit codes, as env(1) has them */
enum { EXIT_USAGE = 125, EXIT_CANNOT = 126, EXIT_NOT_FOUND = 127 };

struct run_options {
	const char *device, *arch, *level;  /* 0: not given */
	const char *trace;                  /* "": on stderr; 0: none */
	bool check, quiet, no_cache, doctor, env;
};

/* on standard error, behind "ptx-run: " */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* where.c: the folder that holds our libraries, with a slash at its end;
 * false: there is none, and that was told */
bool where_libraries(char folder[PATH_SIZE]);
/* a tool of ours, which lies beside this one */
void where_tool(const char *name, char path[PATH_SIZE]);

/* app.c: what is it that is to be run? */

enum app_kind {
	APP_DYNAMIC,            /* the loader reads what we set */
	APP_STATIC,             /* there is no loader */
	APP_SECURE,             /* setuid and the like: it does not listen */
	APP_FOREIGN,            /* of 32 bits, or for another machine */
	APP_SCRIPT,             /* and nothing to be said of its interpreter */
	APP_LIBRARY,            /* ELF, but nothing that runs */
	APP_OTHER,              /* no program */
	APP_MISSING, APP_FORBIDDEN
};

struct app {
	enum app_kind kind;
	char path[PATH_SIZE];        /* of the file itself */
	char interpreter[PATH_SIZE]; /* of a script; else "" */
	const char *why;             /* it cannot be run, in words */
};

/* name as execvp(3) would find it */
void app_find(struct app *, const char *name);

/* setting.c: what the program finds in its environment */

/* that it finds our libraries */
void setting_libraries(const char *libraries);
/* what the options ask for; false: it cannot be, and that was told */
bool setting_options(const struct run_options *, const char *libraries);
/* … as lines that a shell reads */
void setting_print(FILE *);

/* doctor.c: the report about an app, or about the machine alone (0); the exit
 * code */
int doctor(const struct run_options *, const char *libraries,
	const char *app);

#endif
