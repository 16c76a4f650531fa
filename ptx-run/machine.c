/* machine.c - which devices there are, or why not, and how the cache is.
 *
 * Devices are asked as programs ask, through libcuda.so.1, in a process of
 * its own for each kind: drivers may crash, and are started once.
 */
#include "doctor.h"
#include "cache.h"
#include "cuda_api.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct driver {
	CUresult (*init)(unsigned);
	CUresult (*count)(int *);
	CUresult (*name)(char *, int, CUdevice);
	CUresult (*memory)(size_t *, CUdevice);
	CUresult (*attribute)(int *, CUdevice_attribute, CUdevice);
};

static bool
load(const char *libraries, struct driver *d)
{
	char path[PATH_SIZE + 32];
	void *h;

	snprintf(path, sizeof path, "%slibcuda.so.1", libraries);
	h = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!h) {
		printf("%s\n", dlerror());
		return false;
	}
#define FIND(member, name) *(void **)(void *)&d->member = dlsym(h, name)
	FIND(init, "cuInit");
	FIND(count, "cuDeviceGetCount");
	FIND(name, "cuDeviceGetName");
	FIND(memory, "cuDeviceTotalMem_v2");
	FIND(attribute, "cuDeviceGetAttribute");
#undef FIND
	return d->init && d->count && d->name && d->memory && d->attribute;
}

static void
print(const struct driver *d, CUdevice i)
{
	char name[128] = "?";
	size_t memory = 0;
	int units = 0;

	d->name(name, sizeof name, i);
	d->memory(&memory, i);
	d->attribute(&units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, i);
	printf("=%s, %.1f GiB, %d units\n", name,
		(double)memory / (1 << 30), units);
}

/* a line a device, which begins with "="; others are messages */
static void
ask(const char *libraries, const char *kind)
{
	struct driver d;
	CUresult err;
	int i, n = 0;

	setenv("PTXAMD_DEVICE", kind, 1);
	setenv("PTXAMD_LOG", "1", 1);
	unsetenv("PTXAMD_TRACE");
	unsetenv("PTXAMD_CHECK");
	if (!load(libraries, &d))
		return;
	err = d.init(0);
	if (!err)
		err = d.count(&n);
	if (err && err != CUDA_ERROR_NO_DEVICE)
		printf("cuInit answers %d\n", (int)err);
	for (i = 0; i < n; i++)
		print(&d, i);
}

/* what the child prints, or 0 */
static FILE *
ask_child(const char *libraries, const char *kind, pid_t *child)
{
	int end[2];

	fflush(stdout);
	if (pipe(end))
		return 0;
	*child = fork();
	if (*child == 0) {
		dup2(end[1], STDOUT_FILENO);
		dup2(end[1], STDERR_FILENO);
		close(end[0]);
		close(end[1]);
		ask(libraries, kind);
		fflush(stdout);
		_exit(0);
	}
	close(end[1]);
	if (*child > 0)
		return fdopen(end[0], "r");
	close(end[0]);
	return 0;
}

/* the devices of a kind; how many */
static unsigned
devices(struct report *r, const char *libraries, const char *kind,
	char gfx[32])
{
	char line[1024], why[1024] = "there is none";
	const char *p, *q;
	unsigned n = 0;
	int status = 0;
	pid_t child;
	FILE *f;

	f = ask_child(libraries, kind, &child);
	while (f && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		if (*line != '=') {
			p = !strncmp(line, "ptx-amd: ", 9) ? line + 9 : line;
			q = strstr(p, "device: "); /* "no hip device: …" */
			snprintf(why, sizeof why, "%s", q ? q + 8 : p);
			continue;
		}
		n++;
		report_line(r, "%s: %s", kind, line + 1);
		p = strstr(line, "gfx");
		if (p && !*gfx)
			snprintf(gfx, 32, "%.*s", (int)strspn(p,
				"abcdefgx0123456789"), p);
	}
	if (!f)
		return 0;
	fclose(f);
	waitpid(child, &status, 0);
	if (WIFSIGNALED(status))
		snprintf(why, sizeof why, "its driver crashes");
	if (!n)
		report_line(r, "%s: none: %s", kind, why);
	return n;
}

struct totals {
	size_t n, bad;
	uint64_t bytes;
};

static bool
count(void *arg, const struct cache_entry *e)
{
	struct totals *t = arg;

	t->n++;
	t->bad += !e->good;
	t->bytes += e->size;
	return false;
}

static void
cache_report(struct report *r)
{
	struct cache c = cache_open();
	struct totals t = { 0 };

	report_section(r, "cache");
	if (!c.dir) {
		report_line(r, "none: %s: every start compiles anew", c.why);
		return;
	}
	cache_walk(&c, CACHE_HEAD, count, &t);
	report_line(r, "%s: %zu entries, %.1f MB of %.0f MB%s", c.dir, t.n,
		(double)t.bytes / 1e6, (double)c.limit / 1e6,
		t.bad ? ", some damaged: ptx-cache verify" : "");
	if (access(c.dir, W_OK))
		report_line(r, "it cannot be written: what is missing is "
			"compiled at every start");
	cache_close(&c);
}

void
machine_report(struct report *r, const char *libraries, char gfx[32])
{
	unsigned n;

	gfx[0] = 0;
	report_section(r, "devices");
	n = devices(r, libraries, "hip", gfx);
	n += devices(r, libraries, "cpu", gfx);
	if (!n)
		report_problem(r, "there is no device");
	cache_report(r);
}
