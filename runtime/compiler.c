#define _GNU_SOURCE /* dladdr */
/* compiler.c - where the compiler is: libptxjit.so, loaded when needed. */
#include "compiler.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* a library is loaded once for the process */
static struct {
	pthread_mutex_t lock;
	const struct jit *jit;
	pthread_rwlock_t use;
} found = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.use = PTHREAD_RWLOCK_INITIALIZER,
};

/* the file that this code is in; a program may have been found by PATH */
static bool
this_file(char *path, size_t size)
{
	Dl_info info;
	ssize_t n;

	if (!dladdr(&found, &info) || !info.dli_fname)
		return false;
	if (strchr(info.dli_fname, '/'))
		return snprintf(path, size, "%s", info.dli_fname) < (int)size;
	n = readlink("/proc/self/exe", path, size - 1);
	if (n > 0)
		path[n] = 0;
	return n > 0;
}

/* The library in the folder of that file, or, if it is a tool, where
 * libraries lie from there; else whichever dlopen finds. */
static void
beside(char *path, size_t size)
{
	static const char *const place[] = {
		"", "../lib/", "../lib/ptx-amd/",
	};
	char here[4096];
	size_t i;

	for (i = 0; this_file(here, sizeof here)
	&& i < sizeof place / sizeof *place; i++) {
		*(strrchr(here, '/') + 1) = 0;
		snprintf(path, size, "%s%slibptxjit.so", here, place[i]);
		if (!access(path, R_OK))
			return;
	}
	snprintf(path, size, "libptxjit.so");
}

static void
at_exit(void)
{
	/* for ever: threads of ours may still run */
	pthread_rwlock_wrlock(&found.use);
}

/* a child has no threads but its own in the compiler */
static void
in_child(void)
{
	pthread_mutex_init(&found.lock, 0);
	pthread_rwlock_init(&found.use, 0);
}

void
compiler_path(char *path, size_t size)
{
	const char *from = getenv("PTXAMD_JIT_LIBRARY");

	if (from && *from)
		snprintf(path, size, "%s", from);
	else
		beside(path, size);
}

static const struct jit *
load(struct text *log)
{
	const struct jit *jit;
	char from[4096];
	void *lib;

	compiler_path(from, sizeof from);
	lib = dlopen(from, RTLD_NOW | RTLD_LOCAL);
	if (!lib) {
		text_add(log, "no compiler: %s\n", dlerror());
		return 0;
	}
	jit = dlsym(lib, "ptxjit");
	if (!jit || jit->size != sizeof *jit ||
	    strcmp(jit->build, PTXAMD_BUILD) != 0) {
		text_add(log, "%s is of another build than this library\n",
			from);
		dlclose(lib);
		return 0;
	}
	pthread_atfork(0, 0, in_child);
	/* later than what the compiler registered, and so run before it */
	atexit(at_exit);
	return jit;
}

const struct jit *
jit_find(struct text *log)
{
	const struct jit *jit;

	pthread_mutex_lock(&found.lock);
	if (!found.jit)
		found.jit = load(log);
	jit = found.jit;
	pthread_mutex_unlock(&found.lock);
	return jit;
}

void
jit_enter(void)
{
	pthread_rwlock_rdlock(&found.use);
}

void
jit_leave(void)
{
	pthread_rwlock_unlock(&found.use);
}
