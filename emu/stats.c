/* stats.c - instructions by class and kernel.
 *
 * With PTXAMD_EMU_STATS=1 they are printed when the process ends; what a
 * kernel executed last is there for hsaco-run in any case.
 */
#include "launch.h"
#include "hip.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const class_name[] = {
	[OP_SALU] = "SALU", [OP_VALU] = "VALU", [OP_MATRIX] = "MATRIX",
	[OP_SMEM] = "SMEM", [OP_VMEM] = "VMEM", [OP_LDS] = "LDS",
	[OP_BRANCH] = "branch", [OP_WAIT] = "wait",
};

struct kernel {
	struct kernel *next;
	uint64_t launches, count[OP_CLASSES], lanes;
	char name[];
};

static struct {
	pthread_mutex_t lock;
	struct kernel *kernel;
	char text[256];         /* of the last launch */
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

static size_t
line(char *out, size_t size, const uint64_t *count, uint64_t lanes)
{
	uint64_t sum = 0;
	size_t n = 0;
	unsigned i;

	for (i = 0; i < OP_CLASSES; i++) {
		n += (size_t)snprintf(out + n, size - n, "%s %llu ",
			class_name[i], (unsigned long long)count[i]);
		sum += count[i];
	}
	return n + (size_t)snprintf(out + n, size - n,
		"all %llu lanes %llu", (unsigned long long)sum,
		(unsigned long long)lanes);
}

static void
print(void)
{
	struct kernel *k;
	char text[256];

	for (k = all.kernel; k; k = k->next) {
		line(text, sizeof text, k->count, k->lanes);
		fprintf(stderr, "%s: launches %llu %s\n", k->name,
			(unsigned long long)k->launches, text);
	}
}

static struct kernel *
find(const char *name)
{
	struct kernel *k;

	for (k = all.kernel; k; k = k->next)
		if (!strcmp(k->name, name))
			return k;
	k = calloc(1, sizeof *k + strlen(name) + 1);
	if (!k)
		return 0;
	if (!all.kernel && getenv("PTXAMD_EMU_STATS"))
		atexit(print);
	strcpy(k->name, name);
	k->next = all.kernel;
	all.kernel = k;
	return k;
}

void
stats_add(const struct launch_state *s)
{
	uint64_t count[OP_CLASSES];
	struct kernel *k;
	unsigned i;

	for (i = 0; i < OP_CLASSES; i++)
		count[i] = s->count[i];
	pthread_mutex_lock(&all.lock);
	line(all.text, sizeof all.text, count, s->lanes);
	k = find(s->note->name ? s->note->name : "");
	if (k) {
		k->launches++;
		k->lanes += s->lanes;
		for (i = 0; i < OP_CLASSES; i++)
			k->count[i] += count[i];
	}
	pthread_mutex_unlock(&all.lock);
}

/* "SALU 12 VALU 34 …" of the launch that ended last; n: room in out */
EXPORT void
emu_last_stats(char *out, size_t n)
{
	pthread_mutex_lock(&all.lock);
	snprintf(out, n, "%s", all.text);
	pthread_mutex_unlock(&all.lock);
}
