/* audit.c - libptxamd-audit.so: CUDA's libraries are ours, wherever a program
 * looks for them.
 *
 * The loader asks an auditing library (LD_AUDIT, rtld-audit(7)) for each name
 * before it searches.  So a program with an RPATH, which comes before
 * LD_LIBRARY_PATH, and one that opens a library by its path, as Python wheels
 * do, get ours as well.  Of libcudart the copies that wheels carry under
 * names like libcudart-d0da41ae.so.11.0 are known, too.
 *
 * It lives in a name space of its own, with a libc of its own, and keeps to
 * what needs neither memory nor locks.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* of the loader, which calls under its lock */
static char folder[PATH_SIZE];
static char answer[PATH_SIZE];

#define EXPORT __attribute__((visibility("default")))

EXPORT unsigned la_version(unsigned version);
EXPORT char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag);

unsigned
la_version(unsigned version)
{
	Dl_info self;
	char *end;

	if (dladdr((void *)(uintptr_t)la_version, &self) &&
	    strlen(self.dli_fname) < sizeof folder) {
		strcpy(folder, self.dli_fname);
		end = strrchr(folder, '/');
		*(end ? end + 1 : folder) = 0;
	}
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

static const char *
last_part(const char *path)
{
	const char *end = strrchr(path, '/');

	return end ? end + 1 : path;
}

/* "12.4.99" of "libcudart.so.12.4.99" and "libcudart-0a1b2c3d.so.12.4.99";
 * "" of "libcudart.so"; 0: another library */
static const char *
version_of(const char *name, const char *stem)
{
	size_t n = strlen(stem);

	if (strncmp(name, stem, n) != 0)
		return 0;
	name += n;
	if (*name == '-')
		name += 1 + strspn(name + 1, "0123456789abcdef");
	if (strncmp(name, ".so", 3) != 0)
		return 0;
	name += 3;
	return *name == '.' ? name + 1 : *name ? 0 : name;
}

/* the library of ours that stands for a name; 0: none */
static const char *
ours(const char *name)
{
	const char *v = version_of(name, "libcuda");

	if (v)
		return "libcuda.so.1";
	v = version_of(name, "libcudart");
	if (!v)
		return 0;
	if (strncmp(v, "11", 2) == 0)
		return "libcudart.so.11.0";
	if (strncmp(v, "12", 2) == 0)
		return "libcudart.so.12";
	return strncmp(v, "13", 2) == 0 || !*v ? "libcudart.so.13" : 0;
}

/* "/usr/local/cuda-12.4/lib64/libcudart.so" leads to a name that tells more */
static const char *
led_to(const char *path, char to[PATH_SIZE])
{
	return strchr(path, '/') && realpath(path, to) ? to : path;
}

char *
la_objsearch(const char *name, uintptr_t *cookie, unsigned flag)
{
	char real[PATH_SIZE];
	const char *lib;

	(void)cookie;
	if (flag != LA_SER_ORIG || strncmp(last_part(name), "libcud", 6) != 0)
		return (char *)(uintptr_t)name;
	lib = ours(last_part(led_to(name, real)));
	if (!lib)
		lib = ours(last_part(name));
	if (!lib || (size_t)snprintf(answer, sizeof answer, "%s%s", folder,
	    lib) >= sizeof answer || access(answer, R_OK) != 0)
		return (char *)(uintptr_t)name;
	return answer;
}
