/* where.c - where our libraries and tools are, seen from this one. */
#include "run.h"

#include <string.h>
#include <unistd.h>

/* the folder of this program, with a slash; false: unknown */
static bool
here(char folder[PATH_SIZE])
{
	ssize_t n = readlink("/proc/self/exe", folder, PATH_SIZE - 1);
	char *end;

	if (n <= 0)
		return false;
	folder[n] = 0;
	end = strrchr(folder, '/');
	if (!end)
		return false;
	end[1] = 0;
	return true;
}

/* "/a/b/bin/" to "/a/b/": what is shown to people has no ".." in it */
static void
parent(char *folder)
{
	size_t n = strlen(folder);

	while (n > 1 && folder[n - 2] != '/')
		n--;
	folder[n > 1 ? n - 1 : n] = 0;
}

static bool
holds(char folder[PATH_SIZE], const char *base, const char *sub)
{
	char file[PATH_SIZE + 32];

	if (snprintf(folder, PATH_SIZE, "%s%s", base, sub) >= PATH_SIZE)
		return false;
	snprintf(file, sizeof file, "%slibcuda.so.1", folder);
	return access(file, R_OK) == 0;
}

bool
where_libraries(char folder[PATH_SIZE])
{
	char tool[PATH_SIZE], up[PATH_SIZE];

	if (!here(tool)) {
		complain("/proc is needed, to find our libraries");
		return false;
	}
	strcpy(up, tool);
	parent(up);
	if (!holds(folder, up, "lib/ptx-amd/") && !holds(folder, up, "lib/") &&
	    !holds(folder, tool, "")) {
		complain("no libcuda.so.1 of ours in %slib/ptx-amd, %slib or "
			"%s", up, up, tool);
		return false;
	}
	if (strpbrk(folder, ": ;$")) {
		complain("%s: the loader takes no folder with a colon, "
			"semicolon, dollar or blank in its name", folder);
		return false;
	}
	return true;
}

void
where_tool(const char *name, char path[PATH_SIZE])
{
	char folder[PATH_SIZE];

	if (!here(folder) ||
	    snprintf(path, PATH_SIZE, "%s%s", folder, name) >= PATH_SIZE)
		snprintf(path, PATH_SIZE, "%s", name);
}
