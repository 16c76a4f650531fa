/* stub.c - functions that become our runtime's when they are first called.
 *
 * The functions of a runtime have a page or more of stubs, made together.  A
 * stub jumps to where its slot says: at first, to its own second half, which
 * pushes its number and has the runtime opened and the slot set.  All of them
 * get there through one jump at the head of the stubs.
 */
#include "stub.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STUB_SIZE = 32, IN_11 = 1, IN_12 = 2, IN_13 = 4 };

/* what table.c exports, by the same rows */
struct name {
	const char *name;
	int in;
};

static const struct name names[] = {
#define IN_ALL    (IN_11 | IN_12 | IN_13)
#define IN_UPTO11 IN_11
#define IN_UPTO12 (IN_11 | IN_12)
#define IN_FROM12 (IN_12 | IN_13)
#define IN_ONLY12 IN_12
#define IN_FROM13 IN_13
#define STREAM_NONE(name, in)
#define STREAM_PTDS(name, in) { #name "_ptds", in },
#define STREAM_PTSZ(name, in) { #name "_ptsz", in },
#define RT(libs, name, streams, needs, status, does, params) \
	{ #name, IN_##libs }, STREAM_##streams(name, IN_##libs)
#define RT_OTHER(libs, name, type, params) { #name, IN_##libs },
#include "../cudart.def"
};

enum { NAMES = sizeof names / sizeof *names };

struct runtime {
	const char *library;
	int in;
	unsigned char *head;     /* and a stub for each of names; 0: not yet */
	_Atomic(const void *) *slot;
	_Atomic(void *) handle;
};

static struct runtime runtimes[] = {
	{ .library = "libcudart.so.11.0", .in = IN_11 },
	{ .library = "libcudart.so.12", .in = IN_12 },
	{ .library = "libcudart.so.13", .in = IN_13 },
};

void
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

/* in the place of all functions if the runtime cannot be opened */
static int
no_runtime(void)
{
	return 3;                /* cudaErrorInitializationError */
}

/* The function that a stub stands for.  Threads may come here at once, and
 * all find the same. */
__attribute__((used)) static const void *
stub_bind(uint64_t number)
{
	struct runtime *r = &runtimes[number / NAMES];
	size_t i = number % NAMES;
	void *h = atomic_load(&r->handle);
	const void *f = 0;

	if (!h) {
		h = open_runtime(r->library);
		atomic_store(&r->handle, h);
	}
	if (h)
		f = dlsym(h, names[i].name);
	if (!f)
		f = (const void *)(uintptr_t)no_runtime;
	atomic_store(&r->slot[i], f);
	return f;
}

/* Entered with a stub's number pushed above the arguments of the function:
 * all registers that may hold arguments are as they were when it leaves. */
void stub_enter(void);
__asm__(
	".text\n"
	".type stub_enter, @function\n"
	".hidden stub_enter\n"
	".globl stub_enter\n"
	"stub_enter:\n"
	"	push %rax; push %rdi; push %rsi; push %rdx\n"
	"	push %rcx; push %r8; push %r9; push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	sub $128, %rsp\n"
	"	and $-16, %rsp\n"
	"	movaps %xmm0, (%rsp); movaps %xmm1, 16(%rsp)\n"
	"	movaps %xmm2, 32(%rsp); movaps %xmm3, 48(%rsp)\n"
	"	movaps %xmm4, 64(%rsp); movaps %xmm5, 80(%rsp)\n"
	"	movaps %xmm6, 96(%rsp); movaps %xmm7, 112(%rsp)\n"
	"	mov 64(%rbp), %rdi\n"
	"	call stub_bind\n"
	"	mov %rax, %r11\n"
	"	movaps (%rsp), %xmm0; movaps 16(%rsp), %xmm1\n"
	"	movaps 32(%rsp), %xmm2; movaps 48(%rsp), %xmm3\n"
	"	movaps 64(%rsp), %xmm4; movaps 80(%rsp), %xmm5\n"
	"	movaps 96(%rsp), %xmm6; movaps 112(%rsp), %xmm7\n"
	"	mov %rbp, %rsp\n"
	"	pop %rbp; pop %r9; pop %r8; pop %rcx\n"
	"	pop %rdx; pop %rsi; pop %rdi; pop %rax\n"
	"	add $8, %rsp\n"
	"	jmp *%r11\n"
	".size stub_enter, . - stub_enter\n");

/* v at p, as what is added to the address behind it */
static void
put_relative(unsigned char *p, const void *v)
{
	int32_t d = (int32_t)((intptr_t)v - (intptr_t)(p + sizeof d));

	memcpy(p, &d, sizeof d);
}

static void
make_stub(struct runtime *r, size_t i)
{
	static const unsigned char code[STUB_SIZE] = {
		0xf3, 0x0f, 0x1e, 0xfa,         /* endbr64 */
		0xff, 0x25, 0, 0, 0, 0,         /* jmp *slot(%rip) */
		0x68, 0, 0, 0, 0,               /* push $number */
		0xe9, 0, 0, 0, 0                /* jmp head */
	};
	unsigned char *p = r->head + (i + 1) * STUB_SIZE;
	uint32_t number = (uint32_t)((size_t)(r - runtimes) * NAMES + i);

	memcpy(p, code, sizeof code);
	put_relative(p + 6, &r->slot[i]);
	memcpy(p + 11, &number, sizeof number);
	put_relative(p + 16, r->head);
	atomic_store(&r->slot[i], p + 10);
}

/* head, stubs, and, on pages that stay writable, slots */
static bool
make_stubs(struct runtime *r)
{
	static const unsigned char jump[] = { 0xff, 0x25, 0, 0, 0, 0 };
	void (*const enter)(void) = stub_enter;
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i;
	size_t code = ((NAMES + 1) * STUB_SIZE + page - 1) / page * page;
	unsigned char *p = mmap(0, code + NAMES * sizeof *r->slot,
		PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return false;
	r->head = p;
	r->slot = (void *)(p + code);
	memcpy(p, jump, sizeof jump);
	memcpy(p + sizeof jump, &enter, sizeof enter);
	for (i = 0; i < NAMES; i++)
		make_stub(r, i);
	if (mprotect(p, code, PROT_READ | PROT_EXEC) == 0)
		return true;
	r->head = 0;
	munmap(p, code + NAMES * sizeof *r->slot);
	return false;
}

const void *
stub_of(int major, const char *name)
{
	struct runtime *r = &runtimes[major - 11];
	size_t i;

	for (i = 0; i < NAMES; i++)
		if (names[i].in & r->in && !strcmp(names[i].name, name))
			return r->head || make_stubs(r) ?
				r->head + (i + 1) * STUB_SIZE : 0;
	return 0;
}
