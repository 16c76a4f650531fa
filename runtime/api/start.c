/* start.c - cuInit: which devices programs see, and in what order.
 *
 * PTXAMD_DEVICE says which kind (auto: the first of dev.def that has any),
 * CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER pick and order them, and
 * NVIDIA_VISIBLE_DEVICES, which container runtimes set, may forbid all.
 */
#include "api.h"
#include "progress.h"
#include "preset.h"
#include "trace.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct driver rt = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct device *
device_of(CUdevice d)
{
	return d >= 0 && d < rt.ndevice ? &rt.device[d] : 0;
}

static void
set_capability(struct device *d)
{
	if (!preset_capability(&d->major, &d->minor))
		rt_warn("PTXAMD_COMPUTE_CAPABILITY: \"%s\" is not like 8.6",
			env_text("PTXAMD_COMPUTE_CAPABILITY"));
}

static void
set_name(struct device *d)
{
	const char *s = env_text("PTXAMD_DEVICE_NAME");

	snprintf(d->name, sizeof d->name, "%s", s ? s : d->info.name);
}

/* PTXAMD_DEVICE_MEMORY: bytes, or with K, M, G */
static void
set_memory(struct device *d)
{
	const char *s = env_text("PTXAMD_DEVICE_MEMORY");
	char *end;
	unsigned long long n;

	if (!s)
		return;
	n = strtoull(s, &end, 0);
	if (*end == 'K')
		n <<= 10, end++;
	else if (*end == 'M')
		n <<= 20, end++;
	else if (*end == 'G')
		n <<= 30, end++;
	if (*end || !n)
		rt_warn("PTXAMD_DEVICE_MEMORY: \"%s\" is no size", s);
	else
		d->info.memory = n;
}

/* all devices of one kind */
static CUresult
open_all(const struct dev_ops *ops, int n)
{
	int i;

	rt.device = calloc((size_t)n, sizeof *rt.device);
	if (!rt.device)
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (i = 0; i < n; i++) {
		struct device *d = &rt.device[rt.ndevice];
		CUresult r = ops->open(i, &d->dev, &d->info);

		if (r) {
			rt_log("%s device %d: error %d", ops->name, i, (int)r);
			continue;
		}
		d->ops = trace_ops(ops);
		set_capability(d);
		set_name(d);
		set_memory(d);
		heap_limit(d, HEAP_DEFAULT);
		rt.ndevice++;
	}
	return 0;
}

static int
by_bus(const void *a, const void *b)
{
	const struct dev_info *x = &((const struct device *)a)->info;
	const struct dev_info *y = &((const struct device *)b)->info;

	if (x->pci_domain != y->pci_domain)
		return x->pci_domain < y->pci_domain ? -1 : 1;
	if (x->pci_bus != y->pci_bus)
		return x->pci_bus < y->pci_bus ? -1 : 1;
	return x->pci_device < y->pci_device ? -1
		: x->pci_device > y->pci_device;
}

/* "GPU-" and hexadecimal digits, dashes wherever: how much of the UUID s
 * spells; 0: not this device's */
static bool
spells_uuid(const char *s, size_t size, const uint8_t uuid[16])
{
	static const char digit[] = "0123456789abcdef";
	size_t i, n = 0;

	if (size < 4 || strncasecmp(s, "GPU-", 4) != 0)
		return false;
	for (i = 4; i < size; i++) {
		int want;

		if (s[i] == '-')
			continue;
		if (n == 32)
			return false;
		want = digit[n % 2 ? uuid[n / 2] & 15 : uuid[n / 2] >> 4];
		if ((s[i] | 0x20) != want && s[i] != want)
			return false;
		n++;
	}
	return n > 0;
}

/* the device that one word of CUDA_VISIBLE_DEVICES means; -1: none, or more
 * than one */
static int
meant(const char *s, size_t size)
{
	char *end;
	long n;
	int i, found = -1;

	n = strtol(s, &end, 10);
	if (end == s + size && size)
		return n >= 0 && n < rt.ndevice ? (int)n : -1;
	for (i = 0; i < rt.ndevice; i++) {
		if (!spells_uuid(s, size, rt.device[i].info.uuid))
			continue;
		if (found >= 0)
			return -1;
		found = i;
	}
	return found;
}

/* Keeps the devices that the list names, in its order, up to the first word
 * that is none of them.  One that is named twice is an error. */
static CUresult
pick(const char *list)
{
	struct device *out;
	const char *s = list;
	int n = 0, i;
	CUresult r = 0;

	out = calloc((size_t)rt.ndevice + 1, sizeof *out);
	if (!out)
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (;;) {
		size_t size;

		s += strspn(s, " \t");
		size = strcspn(s, ",");
		while (size && (s[size - 1] == ' ' || s[size - 1] == '\t'))
			size--;
		i = meant(s, size);
		if (i < 0)
			break;
		if (!rt.device[i].ops) { /* named twice */
			for (; n; n--)
				out[n - 1].ops->close(out[n - 1].dev);
			r = CUDA_ERROR_INVALID_DEVICE;
			break;
		}
		out[n++] = rt.device[i];
		rt.device[i].ops = 0;
		s += strcspn(s, ",");
		if (!*s++)
			break;
	}
	for (i = 0; i < rt.ndevice; i++)
		if (rt.device[i].ops)
			rt.device[i].ops->close(rt.device[i].dev);
	free(rt.device);
	rt.device = out;
	rt.ndevice = n;
	return r;
}

/* NVIDIA_VISIBLE_DEVICES=none or void: a container without devices */
static bool
forbidden(void)
{
	const char *s = getenv("NVIDIA_VISIBLE_DEVICES");

	return s && (strcmp(s, "none") == 0 || strcmp(s, "void") == 0);
}

static CUresult
find_devices(const char *want)
{
	const struct dev_ops *const *p;
	bool known = false;
	CUresult r;

	for (p = dev_list; *p && !rt.ndevice; p++) {
		const char *why = 0;
		int n;

		if (strcmp(want, "auto") != 0 && strcmp(want, (*p)->name) != 0)
			continue;
		known = true;
		n = (*p)->count(&why);
		if (n <= 0) {
			why = why ? why : "none found";
			if (strcmp(want, "auto") != 0)
				rt_warn("no %s device: %s", want, why);
			else
				rt_log("no %s device: %s", (*p)->name, why);
			continue;
		}
		r = open_all(*p, n);
		if (r)
			return r;
	}
	if (!known)
		rt_warn("PTXAMD_DEVICE: there are no devices of the kind "
			"\"%s\"", want);
	return 0;
}

static CUresult
start(void)
{
	const char *want = env_text("PTXAMD_DEVICE");
	const char *order = env_text("CUDA_DEVICE_ORDER");
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");
	CUresult r = 0;
	int i;

	if (!want)
		want = "auto";
	if (strcmp(want, "none") != 0 && !forbidden())
		r = find_devices(want);
	if (rt.ndevice && order && strcmp(order, "PCI_BUS_ID") == 0)
		qsort(rt.device, (size_t)rt.ndevice, sizeof *rt.device, by_bus);
	if (!r && visible)
		r = pick(visible);
	for (i = 0; i < rt.ndevice; i++)
		rt.device[i].index = i;
	if (!rt.ndevice) {
		free(rt.device);
		rt.device = 0;
	}
	return r ? r : rt.ndevice ? 0 : CUDA_ERROR_NO_DEVICE;
}

/* A process that comes from a fork of one that used CUDA cannot: the threads
 * that did the work are not in it.  So has NVIDIA's driver it, too. */
static void
forget(void)
{
	rt.forked = true;
	atomic_store(&rt.started, false);
	rt_thread.depth = 0;
}

CUresult
cuInit(unsigned flags)
{
	CUresult r = 0;

	if (rt.forked)
		return CUDA_ERROR_NOT_INITIALIZED;
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&rt.lock);
	if (!atomic_load(&rt.started)) {
		r = start();
		if (!r && pthread_atfork(0, 0, forget) != 0)
			r = CUDA_ERROR_OUT_OF_MEMORY;
		if (!r)
			progress_enable();
		if (!r)
			atomic_store_explicit(&rt.started, true,
				memory_order_release);
	}
	pthread_mutex_unlock(&rt.lock);
	return r;
}

CUresult
cuDriverGetVersion(int *version)
{
	enum { VERSION = 13000 };

	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	*version = VERSION;
	return 0;
}
