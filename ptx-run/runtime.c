/* runtime.c - a runtime of CUDA's that is linked into a file.
 *
 * Which of its functions the rest of the file needs is seen from the calls:
 * an instruction whose target is exactly the address of one, outside of the
 * runtime itself.
 */
#include "doctor.h"

#include <stdlib.h>
#include <string.h>

struct function {
	const char *name;
	uint64_t address, size;
	bool called;
};

struct functions {
	struct function *f;
	size_t n, cap;
};

static void
look(void *arg, const char *name, uint64_t address, uint64_t size)
{
	int *major = arg;

	(void)address, (void)size;
	if (!strcmp(name, "__cudaRegisterFatBinary") && !*major)
		*major = 13;
	else if (!strcmp(name, "cudaGetDeviceProperties_v2"))
		*major = 12;
	else if (!strcmp(name, "cudaThreadExit"))
		*major = 11;
}

enum runtime_kind
runtime_inside(const struct binary *b, int *major)
{
	size_t i;

	*major = 0;
	if (!binary_has_section(b, ".nvFatBinSegment"))
		return RUNTIME_NONE;
	for (i = 0; i < b->nneeded; i++)
		if (!strncmp(b->needed[i], "libcudart", 9))
			return RUNTIME_NONE;
	binary_functions(b, look, major);
	return *major ? RUNTIME_KNOWN : RUNTIME_STRIPPED;
}

static void
keep(void *arg, const char *name, uint64_t address, uint64_t size)
{
	struct functions *all = arg;
	struct function *more;

	if (strncmp(name, "cuda", 4) && strncmp(name, "__cuda", 6) &&
	    !strstr(name, "cudart"))
		return; /* nor one of the runtime's own */
	if (all->n == all->cap) {
		all->cap = all->cap ? 2 * all->cap : 512;
		more = realloc(all->f, all->cap * sizeof *more);
		if (!more) {
			all->cap = all->n;
			return;
		}
		all->f = more;
	}
	all->f[all->n++] = (struct function){ name, address, size, false };
}

static int
by_address(const void *a, const void *b)
{
	const struct function *f = a, *g = b;

	return f->address < g->address ? -1 : f->address > g->address;
}

/* the last that begins at or before an address */
static struct function *
before(const struct functions *all, uint64_t address)
{
	size_t low = 0, high = all->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (all->f[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &all->f[low - 1] : 0;
}

static bool
is_inside(const struct functions *all, uint64_t address)
{
	const struct function *f = before(all, address);

	return f && address - f->address < f->size;
}

/* call and jmp with a distance of 32 bits */
static void
scan(const struct functions *all, struct bytes code, uint64_t address)
{
	struct function *f;
	uint64_t to;
	int32_t far;
	size_t i;

	for (i = 0; code.n >= 5 && i <= code.n - 5; i++) {
		if (code.p[i] != 0xe8 && code.p[i] != 0xe9)
			continue;
		memcpy(&far, code.p + i + 1, sizeof far);
		to = address + i + 5 + (uint64_t)(int64_t)far;
		f = before(all, to);
		if (f && f->address == to && !is_inside(all, address + i))
			f->called = true;
	}
}

static void
scan_all(const struct functions *all, const struct binary *b)
{
	Elf64_Phdr h;
	unsigned i;

	for (i = 0; i < b->nheader; i++) {
		if ((i + (size_t)1) * sizeof h > b->headers.n)
			break;
		memcpy(&h, b->headers.p + i * sizeof h, sizeof h);
		if (h.p_type == PT_LOAD && h.p_flags & PF_X &&
		    h.p_offset < b->file.n)
			scan(all, (struct bytes){ b->file.p + h.p_offset,
				h.p_filesz < b->file.n - h.p_offset ?
				h.p_filesz : b->file.n - h.p_offset },
				h.p_vaddr);
	}
}

void
runtime_calls(const struct binary *b, symbol_fn *fn, void *arg)
{
	struct functions all = { 0 };
	size_t i;

	binary_functions(b, keep, &all);
	if (all.n)
		qsort(all.f, all.n, sizeof *all.f, by_address);
	scan_all(&all, b);
	for (i = 0; i < all.n; i++)
		if (all.f[i].called && !strstr(all.f[i].name, "cudart"))
			fn(arg, all.f[i].name, all.f[i].address,
				all.f[i].size);
	free(all.f);
}
