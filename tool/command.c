/* command.c - values of options, and answers to questions.
 *
 * How an option is spelled is in libptx/option.c; here is what the tools
 * mean by its value.
 */
#include "tool.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* the release of NVIDIA's tools that the command lines are modelled on */
#define RELEASE "13.0"
#define BUILD   "V13.0.88"

enum { MAX_JOBS = 256 };

unsigned
command_sm(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);
	unsigned long sm;
	char *end;

	if (strncmp(name, prefix, n) || name[n] < '1' || name[n] > '9')
		return 0;
	sm = strtoul(name + n, &end, 10);
	if (*end == 'a' || *end == 'f')
		end++;
	return *end || sm < 10 || sm > 199 ? 0 : (unsigned)sm;
}

static bool
is_known(const struct build *b, const char *name)
{
	size_t i;

	for (i = 0; i < b->ngfx; i++)
		if (!strcmp(b->gfx[i], name))
			return true;
	return false;
}

bool
command_gfx(struct build *b, struct arena *a, const char *list)
{
	const char *name;
	size_t n;

	b->gfx = NEWN(a, strlen(list) / 2 + 1, const char *);
	for (b->ngfx = 0; ; list += n + 1) {
		n = strcspn(list, ",");
		name = arena_printf(a, "%.*s", (int)n, list);
		if (!target_amdgpu.has_arch(name))
			return false;
		if (!is_known(b, name))
			b->gfx[b->ngfx++] = name;
		if (!list[n])
			return true;
	}
}

const char *
command_environment(void)
{
	const char *list = getenv("PTXAMD_ARCH");

	return list && *list ? list : 0;
}

int
command_jobs(long n)
{
	if (n == 0)
		n = sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : n > MAX_JOBS ? MAX_JOBS : (int)n;
}

void
command_help(const struct option *table, const char *usage)
{
	printf("\nUsage  : %s\n\n", usage);
	option_help(table, stdout);
}

void
command_version(const char *tool, const char *model)
{
	printf("%s, of ptx-amd %s\n"
		"Takes the command line of %s, release %s, %s\n",
		tool, PTXAMD_VERSION, model, RELEASE, BUILD);
}

void
command_list(const struct option *table, const char *form)
{
	if (!strcmp(form, "mdoc"))
		option_mdoc(table, stdout);
	else
		option_markdown(table, stdout);
}
