/* progress.c - a line on a terminal while compiling takes long.
 *
 * The line is there only while something is compiled, so that it does not mix
 * with what the program writes.  Compilations that follow each other closely
 * count as one wait.
 */
#include "progress.h"
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TICK_MS = 200, PAUSE_MS = 1000 };

static struct {
	pthread_mutex_t lock;
	bool on, watched;        /* there is a thread that looks */
	bool shown;
	uint64_t after;          /* ms of waiting before the line */
	uint64_t since, last;    /* ms: the wait began; something was done */
	long active, done, expected;
} p = { .lock = PTHREAD_MUTEX_INITIALIZER };

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void
put(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		p.on = false;
}

static void
erase(void)
{
	if (p.shown)
		put("\r\033[K");
	p.shown = false;
}

static void
show(void)
{
	char line[100];

	if (!p.active || now() - p.since < p.after)
		return;
	snprintf(line, sizeof line, "\r\033[Kptx-amd: compiling kernels: %ld "
		"of %ld", p.done, p.done + p.active + p.expected);
	put(line);
	p.shown = true;
}

/* until nothing was compiled for a while */
static void *
watch(void *arg)
{
	const struct timespec tick = { 0, TICK_MS * 1000000 };

	(void)arg;
	pthread_mutex_lock(&p.lock);
	while (p.active || now() - p.last < PAUSE_MS) {
		show();
		pthread_mutex_unlock(&p.lock);
		nanosleep(&tick, 0);
		pthread_mutex_lock(&p.lock);
	}
	p.watched = false;
	pthread_mutex_unlock(&p.lock);
	return 0;
}

/* a thread that takes none of the program's signals */
static void
start_watch(void)
{
	sigset_t all, before;
	pthread_t t;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	p.watched = !pthread_create(&t, 0, watch, 0);
	pthread_sigmask(SIG_SETMASK, &before, 0);
	if (p.watched)
		pthread_detach(t);
}

static void
before_fork(void)
{
	pthread_mutex_lock(&p.lock);
}

static void
after_fork(void)
{
	pthread_mutex_unlock(&p.lock);
}

static void
in_child(void)
{
	pthread_mutex_init(&p.lock, 0);
	p.watched = p.shown = false;
	p.active = p.expected = 0;
}

void
progress_enable(void)
{
	const char *quiet = getenv("PTXAMD_QUIET");
	const char *after = getenv("PTXAMD_PROGRESS");

	if ((quiet && *quiet && strcmp(quiet, "0") != 0) ||
	    !isatty(STDERR_FILENO))
		return;
	pthread_atfork(before_fork, after_fork, in_child);
	p.after = after && *after ? (uint64_t)(atof(after) * 1e3) : 2000;
	p.on = true;
}

void
progress_begin(void)
{
	if (!p.on)
		return;
	pthread_mutex_lock(&p.lock);
	if (!p.watched && !p.active) {
		p.since = now();
		p.done = 0;
	}
	p.active++;
	if (!p.watched)
		start_watch();
	show();
	pthread_mutex_unlock(&p.lock);
}

void
progress_end(void)
{
	if (!p.on)
		return;
	pthread_mutex_lock(&p.lock);
	p.active--;
	p.done++;
	p.last = now();
	if (p.active || p.expected > 0)
		show();
	else
		erase();
	pthread_mutex_unlock(&p.lock);
}

void
progress_expect(long n)
{
	if (!p.on)
		return;
	pthread_mutex_lock(&p.lock);
	p.expected += n;
	if (!p.active && p.expected <= 0)
		erase();
	pthread_mutex_unlock(&p.lock);
}
