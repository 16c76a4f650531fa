/* cpu_info.c - what this machine is: name, memory, caches. */
#include "cpu_int.h"
#include "cpu_info.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* the value of a "key : value" line of a file; false: none */
static bool
read_line(const char *file, const char *key, char *value, size_t size)
{
	char line[512], *colon, *from;
	FILE *f = fopen(file, "r");
	bool found = false;

	if (!f)
		return false;
	while (!found && fgets(line, sizeof line, f)) {
		colon = strchr(line, ':');
		if (strncmp(line, key, strlen(key)) != 0 || !colon)
			continue;
		from = colon + 1 + strspn(colon + 1, " \t");
		from[strcspn(from, "\n")] = 0;
		snprintf(value, size, "%s", from);
		found = true;
	}
	fclose(f);
	return found;
}

/* the number that a file begins with; 0: there is none */
static uint64_t
read_number(const char *file)
{
	char line[64] = "";
	FILE *f = fopen(file, "r");

	if (!f)
		return 0;
	if (!fgets(line, sizeof line, f))
		line[0] = 0;
	fclose(f);
	return strtoull(line, 0, 10);
}

/* what this process may have: physical memory, or what its control group
 * allows, or PTXAMD_CPU_MEMORY */
uint64_t
info_memory(void)
{
	const char *s = getenv("PTXAMD_CPU_MEMORY");
	uint64_t n = s ? strtoull(s, 0, 10) : 0, group;

	if (n)
		return n;
	n = (uint64_t)sysconf(_SC_PHYS_PAGES) *
		(uint64_t)sysconf(_SC_PAGESIZE);
	group = read_number("/sys/fs/cgroup/memory.max");
	return group && group < n ? group : n;
}

/* of the core's clock */
static unsigned
clock_khz(void)
{
	uint64_t n = read_number("/sys/devices/system/cpu/cpu0/cpufreq/"
		"cpuinfo_max_freq");
	char mhz[32];

	if (!n && read_line("/proc/cpuinfo", "cpu MHz", mhz, sizeof mhz))
		n = (uint64_t)(strtod(mhz, 0) * 1000);
	return n ? (unsigned)n : 1000000;
}

static unsigned
l2_bytes(void)
{
	uint64_t n = read_number("/sys/devices/system/cpu/cpu0/cache/index2/"
		"size");

	return n ? (unsigned)n << 10 : 1 << 20;
}

/* the same from run to run: of the machine, if it has an id */
static void
set_uuid(uint8_t uuid[16], int index, const char *name)
{
	uint64_t h[2] = { 0x6c62272e07bb0142u, 0xcbf29ce484222325u };
	char id[64] = "";
	const char *p;
	FILE *f = fopen("/etc/machine-id", "r");

	if (f) {
		if (!fgets(id, sizeof id, f))
			id[0] = 0;
		fclose(f);
	}
	for (p = id; *p; p++)
		h[0] = (h[0] ^ (uint8_t)*p) * 0x100000001b3u;
	for (p = name; *p; p++)
		h[1] = (h[1] ^ (uint8_t)*p) * 0x100000001b3u;
	h[1] = (h[1] ^ (uint64_t)(index + 1)) * 0x100000001b3u;
	memcpy(uuid, h, 16);
	uuid[6] = (uint8_t)((uuid[6] & 0x0f) | 0x80);
	uuid[8] = (uint8_t)((uuid[8] & 0x3f) | 0x80);
}

void
info_fill(struct dev_info *i, int index, uint64_t memory)
{
	char name[64];

	memset(i, 0, sizeof *i);
	if (!read_line("/proc/cpuinfo", "model name", name, sizeof name))
		snprintf(name, sizeof name, "CPU");
	snprintf(i->name, sizeof i->name, "%s", name);
	snprintf(i->arch, sizeof i->arch, "host");
	set_uuid(i->uuid, index, name);
	/* a bus that has no other devices */
	i->pci_bus = 0xc0 + index;
	i->memory = memory;
	i->warp = HOST_LANES;
	i->units = pool_cpus();
	i->clock_khz = clock_khz();
	i->memory_clock_khz = 1600000;
	i->bus_width = 128;
	i->l2 = l2_bytes();
	i->shared_per_block = 227 << 10;
	i->shared_per_unit = 228 << 10;
	i->registers_per_block = 65536;
	i->threads_per_unit = 2048;
	i->host_visible = true;
	i->integrated = true;
	i->cooperative = true;
	i->coherent = true;
}
