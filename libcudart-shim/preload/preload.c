/* preload.c - takes over CUDA runtimes that are linked into programs.
 *
 * nvcc links its runtime library statically unless told otherwise, and that
 * library works with NVIDIA's driver alone.  With this library preloaded
 * (LD_PRELOAD), every public function of such a runtime, in the program and
 * in the libraries that it is started with or opens later, becomes a jump to
 * ours: its first bytes are overwritten before any constructor of theirs has
 * run (-z initfirst; late.c).  Where they are, the symbol table of the file
 * says.  Without one there is nothing to be done but to say so.
 *
 * What has no fat binary is left alone, and our runtime is not even loaded.
 */
#include "elf_file.h"
#include "late.h"
#include "patch.h"
#include "stub.h"
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIGNED = 16 };

struct object {
	const char *path;
	char *base;              /* what the file's addresses count from */
	int major;               /* of its CUDA */
	size_t taken;
};

/* functions are aligned, so that a short one has room behind it */
static void
take(void *arg, const char *name, uint64_t address, uint64_t size)
{
	struct object *o = arg;
	const void *ours;

	if (strncmp(name, "cuda", 4) && strncmp(name, "__cuda", 6))
		return;
	if (size < PATCH_SIZE && address % ALIGNED)
		return;
	ours = stub_of(o->major, name);
	if (ours && patch(o->base + address, ours))
		o->taken++;
}

/* which CUDA a runtime is of: by functions that one has and no other */
struct version {
	bool registers, is_11, is_12;
};

static void
look(void *arg, const char *name, uint64_t address, uint64_t size)
{
	struct version *v = arg;

	(void)address, (void)size;
	if (strcmp(name, "__cudaRegisterFatBinary") == 0)
		v->registers = true;
	else if (strcmp(name, "cudaGetDeviceProperties_v2") == 0)
		v->is_12 = true;
	else if (strcmp(name, "cudaThreadExit") == 0)
		v->is_11 = true;
}

/* A library may be opened again and again: one message is enough. */
static void
say_once(const char *path, const char *what)
{
	static char *said[64];
	size_t i;

	for (i = 0; i < sizeof said / sizeof *said && said[i]; i++)
		if (strcmp(said[i], path) == 0)
			return;
	if (i < sizeof said / sizeof *said)
		said[i] = strdup(path);
	say(path, what);
}

static void
take_over(struct object *o, const struct elf_file *f)
{
	struct version v = {0};

	elf_functions(f, look, &v);
	if (!v.registers) {
		say_once(o->path, "its CUDA runtime cannot be taken "
			"over, since it"
			" has no symbols: do not strip it, or link it with"
			" -cudart shared");
		return;
	}
	o->major = v.is_12 ? 12 : v.is_11 ? 11 : 13;
	elf_functions(f, take, o);
	if (!o->taken)
		say_once(o->path, "its CUDA runtime cannot be taken "
			"over: its code"
			" may not be changed");
}

/* Libraries may also leave that to another one's runtime. */
static bool
has_runtime(const struct elf_file *f)
{
	return elf_section(f, ".nvFatBinSegment") &&
		!elf_needs(f, "libcudart.so") &&
		!elf_imports(f, "__cudaRegisterFatBinary");
}

static void
look_at(const struct dl_phdr_info *info)
{
	struct object o = { .path = info->dlpi_name };
	struct elf_file f;
	char self[4096];
	ssize_t n;

	o.base = (char *)(uintptr_t)info->dlpi_addr;
	if (!*o.path) {
		n = readlink("/proc/self/exe", self, sizeof self - 1);
		self[n < 0 ? 0 : n] = 0;
		o.path = self;
	}
	if (!elf_open(&f, o.path))
		return;
	if (has_runtime(&f))
		take_over(&o, &f);
	elf_close(&f);
}

/* what is mapped, and was looked at */
static struct known {
	const void *headers;     /* at an address of its own */
	unsigned walk;           /* that last saw it */
} *known;
static size_t nknown;
static unsigned walk;

static bool
is_known(const void *headers)
{
	size_t i;

	for (i = 0; i < nknown; i++)
		if (known[i].headers == headers) {
			known[i].walk = walk;
			return true;
		}
	return false;
}

static void
learn(const void *headers)
{
	struct known *more = realloc(known, (nknown + 1) * sizeof *known);

	if (!more)
		return;
	known = more;
	known[nknown++] = (struct known){ headers, walk };
}

static int
object(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size, (void)arg;
	if (!is_known(info->dlpi_phdr)) {
		learn(info->dlpi_phdr);
		look_at(info);
	}
	return 0;
}

/* all objects there are; called with the dynamic linker's lock */
static void
objects(void)
{
	int was = errno;
	size_t i, n = 0;

	walk++;
	dl_iterate_phdr(object, 0);
	for (i = 0; i < nknown; i++)
		if (known[i].walk == walk)
			known[n++] = known[i];
	nknown = n;
	errno = was;
}

static __attribute__((constructor)) void
start(void)
{
	objects();
	late_watch(objects);
}
