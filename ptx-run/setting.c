/* setting.c - what a program that we start finds in its environment.
 *
 * LD_LIBRARY_PATH lets it find our libraries, LD_AUDIT where it would look
 * for others first (audit/audit.c), and LD_PRELOAD takes over a runtime that
 * is linked into it (libcudart-shim/preload/).  What it starts itself
 * inherits all that.
 */
#include "run.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* names of what was set, for setting_print */
static const char *const known[] = {
	"LD_LIBRARY_PATH", "LD_AUDIT", "LD_PRELOAD", "PTXAMD_DEVICE",
	"PTXAMD_HIP_LIBRARY", "PTXAMD_EMU_ARCH", "PTXAMD_COMPUTE_CAPABILITY",
	"PTXAMD_OPT_LEVEL", "PTXAMD_TRACE", "PTXAMD_CHECK", "PTXAMD_QUIET",
	"CUDA_CACHE_DISABLE", "CUDA_LAUNCH_BLOCKING",
};

enum { NKNOWN = sizeof known / sizeof *known };

static void
set(const char *name, const char *value)
{
	if (setenv(name, value, 1))
		complain("%s: %s", name, strerror(errno));
}

/* is it one of the words that a colon or a blank parts? */
static bool
holds(const char *list, const char *word)
{
	size_t n = strlen(word);
	const char *p;

	for (p = list; (p = strstr(p, word)); p += n)
		if ((p == list || strchr(": ", p[-1])) &&
		    (!p[n] || strchr(": ", p[n])))
			return true;
	return false;
}

/* folder and name before what is there, unless it is there */
static void
put_first(const char *variable, const char *folder, const char *name)
{
	const char *was = getenv(variable);
	char ours[PATH_SIZE + 64], *all;

	snprintf(ours, sizeof ours, "%s%s", folder, name);
	if (!*name)
		ours[strlen(ours) - 1] = 0; /* the slash */
	if (!was || !*was) {
		set(variable, ours);
		return;
	}
	if (holds(was, ours))
		return;
	all = malloc(strlen(ours) + strlen(was) + 2);
	if (!all)
		return;
	sprintf(all, "%s:%s", ours, was);
	set(variable, all);
	free(all);
}

/* "sm_90", "compute_90", "9.0": what programs are told, "9.0"; false: none of
 * these */
static bool
capability(const char *arch, char text[16])
{
	static const char *const prefix[] = { "sm_", "compute_", "" };
	size_t i, n = 0;
	char *end;
	unsigned long v;

	for (i = 0; i < sizeof prefix / sizeof *prefix; i++) {
		n = strlen(prefix[i]);
		if (!strncmp(arch, prefix[i], n))
			break;
	}
	v = strtoul(arch + n, &end, 10);
	if (!isdigit((unsigned char)arch[n]) || !v || v > 999)
		return false;
	if (*prefix[i] == 0)
		return *end == '.' && isdigit((unsigned char)end[1]) &&
			!end[2] && snprintf(text, 16, "%s", arch) < 16;
	if (v < 20 || (*end && (!strchr("af", *end) || end[1])))
		return false;
	snprintf(text, 16, "%lu.%lu", v / 10, v % 10);
	return true;
}

static bool
set_emulator(const char *libraries, const char *arch)
{
	char path[PATH_SIZE + 64];

	snprintf(path, sizeof path, "%semu/libamdhip64.so", libraries);
	set("PTXAMD_DEVICE", "hip");
	set("PTXAMD_HIP_LIBRARY", path);
	if (arch)
		set("PTXAMD_EMU_ARCH", arch);
	return true;
}

static bool
set_device(const struct run_options *o, const char *libraries)
{
	static const char *const device[] = { "auto", "hip", "cpu", "none",
		"emu", 0 };
	bool gfx = o->arch && !strncmp(o->arch, "gfx", 3);
	const char *name = o->device ? o->device : gfx ? "emu" : 0;
	char told[16];
	int i;

	if (o->arch && !gfx) {
		if (!capability(o->arch, told)) {
			complain("'%s' is neither sm_NN, N.N nor gfxNNNN",
				o->arch);
			return false;
		}
		set("PTXAMD_COMPUTE_CAPABILITY", told);
	}
	if (!name)
		return true;
	for (i = 0; device[i] && strcmp(device[i], name) != 0; i++)
		;
	if (!device[i]) {
		complain("unknown device '%s'", name);
		return false;
	}
	if (!strcmp(name, "emu"))
		return set_emulator(libraries, gfx ? o->arch : 0);
	if (gfx) {
		complain("--arch=%s is for --device=emu: a GPU is what it is",
			o->arch);
		return false;
	}
	set("PTXAMD_DEVICE", name);
	return true;
}

/* a folder makes the trace go to files in it: runtime/api/trace.h */
static bool
set_trace(const char *folder)
{
	char path[PATH_SIZE + 2], full[PATH_SIZE];

	if (!*folder) {
		set("PTXAMD_TRACE", "1");
		return true;
	}
	if (mkdir(folder, 0777) && errno != EEXIST) {
		complain("%s: %s", folder, strerror(errno));
		return false;
	}
	/* the program may change its folder */
	if (!realpath(folder, full)) {
		complain("%s: %s", folder, strerror(errno));
		return false;
	}
	snprintf(path, sizeof path, "%s/", full);
	set("PTXAMD_TRACE", path);
	return true;
}

static bool
set_level(const char *level)
{
	if (strlen(level) != 1 || *level < '0' || *level > '3') {
		complain("'%s' is no level of optimisation: 0 to 3", level);
		return false;
	}
	set("PTXAMD_OPT_LEVEL", level);
	return true;
}

void
setting_libraries(const char *libraries)
{
	put_first("LD_LIBRARY_PATH", libraries, "");
	put_first("LD_AUDIT", libraries, "libptxamd-audit.so");
	put_first("LD_PRELOAD", libraries, "libptxamd-preload.so");
}

bool
setting_options(const struct run_options *o, const char *libraries)
{
	if (!set_device(o, libraries) || (o->level && !set_level(o->level)) ||
	    (o->trace && !set_trace(o->trace)))
		return false;
	if (o->check) {
		/* a fault is then told by the launch that made it */
		set("PTXAMD_CHECK", "1");
		set("CUDA_LAUNCH_BLOCKING", "1");
	}
	if (o->quiet)
		set("PTXAMD_QUIET", "1");
	if (o->no_cache)
		set("CUDA_CACHE_DISABLE", "1");
	return true;
}

void
setting_print(FILE *f)
{
	const char *v;
	int i;

	for (i = 0; i < NKNOWN; i++) {
		v = getenv(known[i]);
		if (!v)
			continue;
		fprintf(f, "export %s='", known[i]);
		for (; *v; v++)
			if (*v == '\'')
				fputs("'\\''", f);
			else
				putc(*v, f);
		fputs("'\n", f);
	}
}
