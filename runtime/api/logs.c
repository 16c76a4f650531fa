/* logs.c - what went wrong, as text that programs may read: cuLogs*.
 *
 * Every answer of the API that is an error is an entry, and so is what
 * rt_log tells.  The last ones are kept.  CUDA_LOG_FILE names a file for all
 * of them, or stdout or stderr.
 */
#include "logs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEPT = 100, LENGTH = 400 };

struct CUlogsCallbackEntry_st {
	CUlogsCallbackHandle next;
	CUlogsCallback fn;
	void *data;
};

static struct {
	pthread_mutex_t lock;
	char (*line)[LENGTH];    /* KEPT of them, or 0 */
	unsigned count;          /* entries there ever were */
	CUlogsCallbackHandle callbacks;
	FILE *file;
	bool asked;              /* for CUDA_LOG_FILE */
} logs = { .lock = PTHREAD_MUTEX_INITIALIZER };

static FILE *
log_file(void)
{
	const char *name = env_text("CUDA_LOG_FILE");

	if (!name)
		return 0;
	if (strcmp(name, "stdout") == 0)
		return stdout;
	if (strcmp(name, "stderr") == 0)
		return stderr;
	return fopen(name, "ae");
}

static int
head(char *out, size_t size, CUlogLevel level)
{
	struct timespec now;
	struct tm t;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &t);
	return snprintf(out, size, "[%02d:%02d:%02d.%03ld][%lu][CUDA][%c] ",
		t.tm_hour, t.tm_min, t.tm_sec, now.tv_nsec / 1000000,
		(unsigned long)pthread_self(),
		level == CU_LOG_LEVEL_ERROR ? 'E' : 'W');
}

/* locked; what does not fit is cut off */
static void
keep(const char *line)
{
	if (!logs.asked) {
		logs.asked = true;
		logs.file = log_file();
		logs.line = calloc(KEPT, sizeof *logs.line);
	}
	if (logs.file) {
		fprintf(logs.file, "%s\n", line);
		fflush(logs.file);
	}
	if (logs.line)
		strcpy(logs.line[logs.count++ % KEPT], line);
}

/* a callback may call the API, but not end or begin callbacks */
static void
tell(CUlogLevel level, char *text)
{
	static _Thread_local bool telling;
	CUlogsCallbackHandle c;

	if (telling)
		return;
	telling = true;
	for (c = logs.callbacks; c; c = c->next)
		c->fn(c->data, level, text, strlen(text));
	telling = false;
}

void
logs_add(CUlogLevel level, const char *fmt, va_list ap)
{
	char line[LENGTH];
	int n = head(line, sizeof line, level);

	if (n > 0 && n < LENGTH)
		vsnprintf(line + n, sizeof line - (size_t)n, fmt, ap);
	pthread_mutex_lock(&logs.lock);
	keep(line);
	pthread_mutex_unlock(&logs.lock);
	if (logs.callbacks)
		tell(level, line);
}

static void
add(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	logs_add(CU_LOG_LEVEL_ERROR, fmt, ap);
	va_end(ap);
}

/* what is not ready yet is no error */
void
logs_answer(const char *function, CUresult r)
{
	const char *name;

	if (r == CUDA_ERROR_NOT_READY || cuGetErrorName(r, &name))
		return;
	add("Returning %d (%s) from %s", (int)r, name, function);
}

CUresult
cuLogsRegisterCallback(CUlogsCallback fn, void *data,
	CUlogsCallbackHandle *out)
{
	CUlogsCallbackHandle c;

	if (!fn)
		return CUDA_ERROR_INVALID_VALUE;
	c = malloc(sizeof *c);
	if (!c)
		return CUDA_ERROR_OUT_OF_MEMORY;
	c->fn = fn;
	c->data = data;
	pthread_mutex_lock(&logs.lock);
	c->next = logs.callbacks;
	logs.callbacks = c;
	pthread_mutex_unlock(&logs.lock);
	if (out)
		*out = c;
	return CUDA_SUCCESS;
}

CUresult
cuLogsUnregisterCallback(CUlogsCallbackHandle c)
{
	CUlogsCallbackHandle *at;

	pthread_mutex_lock(&logs.lock);
	for (at = &logs.callbacks; *at && *at != c; at = &(*at)->next)
		;
	c = *at;
	if (c)
		*at = c->next;
	pthread_mutex_unlock(&logs.lock);
	free(c);
	return c ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* an iterator is how many entries there were */
CUresult
cuLogsCurrent(CUlogIterator *out, unsigned flags)
{
	(void)flags;
	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&logs.lock);
	*out = logs.count;
	pthread_mutex_unlock(&logs.lock);
	return CUDA_SUCCESS;
}

/* the first entry that is asked for and kept; at 0: all */
static unsigned
first(const CUlogIterator *at)
{
	unsigned oldest = logs.count > KEPT ? logs.count - KEPT : 0;

	return at && *at > oldest ? *at : oldest;
}

CUresult
cuLogsDumpToFile(CUlogIterator *at, const char *path, unsigned flags)
{
	FILE *f = path ? fopen(path, "we") : 0;
	unsigned i;

	(void)flags;
	if (!f)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&logs.lock);
	for (i = first(at); i < logs.count; i++)
		fprintf(f, "%s\n", logs.line[i % KEPT]);
	if (at)
		*at = logs.count;
	pthread_mutex_unlock(&logs.lock);
	return fclose(f) ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_SUCCESS;
}

/* the newest that fit, with a 0 behind them; that fails if none does */
static CUresult
dump(unsigned i, char *out, size_t room, size_t *size)
{
	size_t need = 1;
	unsigned k = logs.count;

	while (k > i && need + strlen(logs.line[(k - 1) % KEPT]) + 1 <= room)
		need += strlen(logs.line[--k % KEPT]) + 1;
	*size = 0;
	if (!room || (k == logs.count && i < logs.count))
		return CUDA_ERROR_INVALID_VALUE;
	*out = 0;
	for (; k < logs.count; k++)
		*size += (size_t)sprintf(out + *size, "%s\n",
			logs.line[k % KEPT]);
	return CUDA_SUCCESS;
}

CUresult
cuLogsDumpToMemory(CUlogIterator *at, char *out, size_t *size, unsigned flags)
{
	CUresult err;

	(void)flags;
	if (!out || !size)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&logs.lock);
	err = dump(first(at), out, *size, size);
	if (!err && at)
		*at = logs.count;
	pthread_mutex_unlock(&logs.lock);
	return err;
}
