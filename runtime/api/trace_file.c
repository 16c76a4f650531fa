/* trace_file.c - where a trace goes.
 *
 *	PTXAMD_TRACE=1        text and summary on stderr
 *	PTXAMD_TRACE=summary  the summary alone
 *	PTXAMD_TRACE=FILE     text at the end of the file, or, if its name ends
 *	                      in .json or PTXAMD_TRACE_FORMAT=chrome, events of
 *	                      a Chrome trace
 *	PTXAMD_TRACE=DIR/     both, with modules and kernels
 *
 * A line of text is one write, so that threads and processes do not mix.  A
 * Chrome trace is an array that is closed after every event, by the write
 * that the event is part of: the file is sound JSON whenever the program is
 * killed, and processes add to it in turns.
 */
#include "trace.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int text = -1, chrome = -1;
static char folder[4096];      /* "": none */

/* of the end of a Chrome trace; no other lock is taken within it */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

bool
trace_has_text(void)
{
	return atomic_load_explicit(&text, memory_order_relaxed) >= 0;
}

bool
trace_has_chrome(void)
{
	return atomic_load_explicit(&chrome, memory_order_relaxed) >= 0;
}

const char *
trace_folder(void)
{
	return *folder ? folder : 0;
}

/* one message, and the program goes on */
static void
give_up(atomic_int *file, const char *what)
{
	int e = errno;

	if (atomic_exchange(file, -1) >= 0)
		rt_warn("the trace ends: %s: %s", what, strerror(e));
}

static void
write_text(const struct line *l)
{
	int file = atomic_load(&text);

	if (file >= 0 && write(file, l->data, l->size) < 0 &&
	    file != STDERR_FILENO)
		give_up(&text, "PTXAMD_TRACE");
}

void
trace_text(struct line *l)
{
	size_t end = l->size < sizeof l->data ? l->size : sizeof l->data - 1;

	if (!trace_has_text())
		return;
	l->data[end] = '\n';
	l->size = end + 1;
	write_text(l);
	l->size = end;
	l->data[end] = 0;
}

/* Chrome */

static const char tail[] = "\n]\n";
enum { TAIL = sizeof tail - 1 };

static void
lock_file(int file, short how)
{
	struct flock f = { .l_type = how, .l_whence = SEEK_SET };

	while (fcntl(file, F_SETLKW, &f) < 0 && errno == EINTR)
		;
}

/* behind the last event, over the end of the array */
static bool
put(int file, const struct line *l)
{
	char out[sizeof l->data + 64];
	struct stat s;
	off_t at = 0;
	int n;

	if (fstat(file, &s))
		return false;
	if (s.st_size > TAIL)
		at = s.st_size - TAIL;
	n = snprintf(out, sizeof out, "%s{%.*s}%s", at ? ",\n" : "[\n",
		(int)l->size, l->data, tail);
	return n > 0 && pwrite(file, out, (size_t)n, at) == n;
}

void
trace_chrome(const struct line *l)
{
	int file = atomic_load(&chrome);
	bool ok;

	if (file < 0)
		return;
	pthread_mutex_lock(&turn);
	lock_file(file, F_WRLCK);
	ok = put(file, l);
	lock_file(file, F_UNLCK);
	pthread_mutex_unlock(&turn);
	if (!ok)
		give_up(&chrome, "PTXAMD_TRACE");
}

/* one that is not ours is left alone */
static bool
is_ours(int file)
{
	char end[TAIL];
	struct stat s;

	if (fstat(file, &s))
		return false;
	errno = EEXIST;
	return s.st_size == 0 || (s.st_size > TAIL &&
		pread(file, end, TAIL, s.st_size - TAIL) == TAIL &&
		!memcmp(end, tail, TAIL));
}

static void
before_fork(void)
{
	pthread_mutex_lock(&turn);
}

static void
after_fork(void)
{
	pthread_mutex_unlock(&turn);
}

static void
in_child(void)
{
	pthread_mutex_init(&turn, 0);
}

/* opening */

static void
tell_process(void)
{
	struct line l = { .size = 0 };
	char name[256] = "";
	int f = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);

	if (f >= 0) {
		if (read(f, name, sizeof name - 1) < 0)
			*name = 0;
		close(f);
	}
	line_add(&l, "\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%ld,"
		"\"tid\":%ld,\"args\":{\"name\":\"", (long)getpid(),
		(long)getpid());
	line_json(&l, name, 1000);
	line_add(&l, "\"}");
	trace_chrome(&l);
}

static void
cannot(const char *path)
{
	rt_warn("no trace: %s: %s", path, strerror(errno));
}

static void
open_text(const char *path)
{
	int f = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);

	if (f < 0)
		cannot(path);
	atomic_store(&text, f);
}

static void
open_chrome(const char *path)
{
	int f = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	if (f >= 0 && !is_ours(f)) {
		close(f);
		f = -1;
		errno = EEXIST;
	}
	if (f < 0) {
		cannot(path);
		return;
	}
	pthread_atfork(before_fork, after_fork, in_child);
	atomic_store(&chrome, f);
	tell_process();
}

static bool
make_folder(const char *path)
{
	struct stat s;

	return !mkdir(path, 0777) ||
		(errno == EEXIST && !stat(path, &s) && S_ISDIR(s.st_mode));
}

static void
open_folder(const char *path)
{
	char file[sizeof folder + 32];

	/* programs change their folder */
	if (!make_folder(path) || !realpath(path, folder)) {
		cannot(path);
		*folder = 0;
		return;
	}
	snprintf(file, sizeof file, "%s/modules", folder);
	make_folder(file);
	snprintf(file, sizeof file, "%s/kernels", folder);
	make_folder(file);
	snprintf(file, sizeof file, "%s/trace.txt", folder);
	open_text(file);
	snprintf(file, sizeof file, "%s/trace.json", folder);
	open_chrome(file);
}

static bool
ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	return n >= k && !strcmp(s + n - k, end);
}

static bool
is_folder(const char *path)
{
	struct stat s;

	return ends_in(path, "/") || (!stat(path, &s) && S_ISDIR(s.st_mode));
}

static bool
is_chrome(const char *path)
{
	const char *format = env_text("PTXAMD_TRACE_FORMAT");

	if (!format)
		return ends_in(path, ".json");
	if (strcmp(format, "chrome") != 0 && strcmp(format, "text") != 0)
		rt_warn("PTXAMD_TRACE_FORMAT: \"%s\" is neither text nor "
			"chrome", format);
	return !strcmp(format, "chrome");
}

/* a trace that cannot be written is none, but for the summary */
bool
trace_open(void)
{
	const char *where = env_text("PTXAMD_TRACE");

	if (!where || !strcmp(where, "0"))
		return false;
	if (!strcmp(where, "1"))
		atomic_store(&text, STDERR_FILENO);
	else if (is_folder(where))
		open_folder(where);
	else if (strcmp(where, "summary") != 0 && is_chrome(where))
		open_chrome(where);
	else if (strcmp(where, "summary") != 0)
		open_text(where);
	return true;
}

/* files of their own */

static bool
holds(const char *path, const void *data, size_t size)
{
	char part[4096];
	int f = open(path, O_RDONLY | O_CLOEXEC);
	const char *p = data;
	ssize_t n = 0;

	if (f < 0)
		return false;
	while ((n = read(f, part, sizeof part)) > 0) {
		if ((size_t)n > size || memcmp(p, part, (size_t)n) != 0)
			break;
		p += n;
		size -= (size_t)n;
	}
	close(f);
	return n == 0 && size == 0;
}

/* all of it, at once or not at all as far as others see */
static bool
write_file(const char *path, const void *data, size_t size)
{
	int f = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	const char *p = data;
	ssize_t n;

	if (f < 0)
		return false;
	for (; size; p += n, size -= (size_t)n) {
		n = write(f, p, size);
		if (n <= 0) {
			close(f);
			unlink(path);
			errno = n ? errno : ENOSPC;
			return false;
		}
	}
	return close(f) == 0;
}

bool
trace_save(const char *kind, const char *stem, const char *suffix,
	const void *data, size_t size, char path[512])
{
	enum { MOST = 1000 };
	char full[sizeof folder + 512];
	int i;

	for (i = 0; trace_folder() && i < MOST; i++) {
		if (i)
			snprintf(path, 512, "%s/%.200s.%d.%s", kind, stem, i,
				suffix);
		else
			snprintf(path, 512, "%s/%.200s.%s", kind, stem,
				suffix);
		snprintf(full, sizeof full, "%s/%s", folder, path);
		if (holds(full, data, size) || write_file(full, data, size))
			return true;
		if (errno != EEXIST)
			return false;
	}
	return false;
}
