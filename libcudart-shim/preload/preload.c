/* preload.c - takes over CUDA runtimes that are linked into programs.
 *
 * nvcc links its runtime library statically unless told otherwise, and that
 * library works with NVIDIA's driver alone.  With this library preloaded
 * (LD_PRELOAD), every public function of such a runtime, in the program and
 * in the libraries that it is started with, becomes a jump to ours: its first
 * bytes are overwritten before any constructor of theirs has run (-z
 * initfirst).  Where they are, the symbol table of the file says.  Without
 * one there is nothing to be done but to say so.
 *
 * What has no fat binary is left alone, and our runtime is not even loaded.
 */
#include "elf_file.h"
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* jmp *0(%rip), and the address behind it */
enum { JUMP_SIZE = 14, ALIGNED = 16 };

struct object {
	const char *path;
	char *base;              /* what the file's addresses count from */
	void *runtime;           /* ours */
	size_t taken;
};

static void
say(const char *path, const char *what)
{
	fprintf(stderr, "ptx-amd: %s: %s\n", path, what);
}

/* our library of that name, which lies beside this one */
static void *
open_runtime(const char *name)
{
	char path[4096];
	Dl_info self;
	const char *end;
	void *h;

	if (!dladdr((void *)(uintptr_t)open_runtime, &self))
		return 0;
	end = strrchr(self.dli_fname, '/');
	snprintf(path, sizeof path, "%.*s%s",
		end ? (int)(end - self.dli_fname) + 1 : 0, self.dli_fname,
		name);
	h = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!h)
		say(path, dlerror());
	return h;
}

/* pages of code, writable while they are changed */
static bool
protect(char *at, int how)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = (uintptr_t)at & ~(page - 1);
	uintptr_t to = ((uintptr_t)at + JUMP_SIZE + page - 1) & ~(page - 1);

	return mprotect((void *)from, to - from, how) == 0;
}

static bool
jump(char *at, const void *to)
{
	static const unsigned char code[] = { 0xff, 0x25, 0, 0, 0, 0 };

	if (!protect(at, PROT_READ | PROT_WRITE | PROT_EXEC))
		return false;
	memcpy(at, code, sizeof code);
	memcpy(at + sizeof code, &to, sizeof to);
	return protect(at, PROT_READ | PROT_EXEC);
}

/* functions are aligned, so that a short one has room behind it */
static void
take(void *arg, const char *name, uint64_t address, uint64_t size)
{
	struct object *o = arg;
	const void *ours;

	if (strncmp(name, "cuda", 4) && strncmp(name, "__cuda", 6))
		return;
	if (size < JUMP_SIZE && address % ALIGNED)
		return;
	ours = dlsym(o->runtime, name);
	if (ours && jump(o->base + address, ours))
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

static void
take_over(struct object *o, const struct elf_file *f)
{
	struct version v = {0};

	elf_functions(f, look, &v);
	if (!v.registers) {
		say(o->path, "its CUDA runtime cannot be taken over, since it"
			" has no symbols: do not strip it, or link it with"
			" -cudart shared");
		return;
	}
	o->runtime = open_runtime(v.is_12 ? "libcudart.so.12" : v.is_11 ?
		"libcudart.so.11.0" : "libcudart.so.13");
	if (!o->runtime)
		return;
	elf_functions(f, take, o);
	if (!o->taken)
		say(o->path, "its CUDA runtime cannot be taken over: its code"
			" may not be changed");
}

static int
object(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct object o = { info->dlpi_name, 0, 0, 0 };
	struct elf_file f;
	char self[4096];
	ssize_t n;

	(void)size, (void)arg;
	o.base = (char *)(uintptr_t)info->dlpi_addr;
	if (!*o.path) {
		n = readlink("/proc/self/exe", self, sizeof self - 1);
		self[n < 0 ? 0 : n] = 0;
		o.path = self;
	}
	if (!elf_open(&f, o.path))
		return 0;
	if (elf_section(&f, ".nvFatBinSegment") &&
	    !elf_needs(&f, "libcudart.so"))
		take_over(&o, &f);
	elf_close(&f);
	return 0;
}

static __attribute__((constructor)) void
start(void)
{
	dl_iterate_phdr(object, 0);
}
