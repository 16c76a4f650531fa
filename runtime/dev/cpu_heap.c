/* cpu_heap.c - memory of the CPU device: pages of this process.
 *
 * Pages that were never handed out are zero.  Pieces below 16 KB lie in a file
 * of memory, if there is one: two of them may lie in one page, so that the page
 * cannot become shared when one of them does (cpu_share.c).
 */
#include "cpu_int.h"
#include "extent.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGN = 512, CHUNK = 4 << 20, HUGE = 2 << 20 };

void
heap_file_open(struct heap_file *f)
{
	pthread_mutex_init(&f->lock, 0);
	f->fd = memory_file(0);
}

void
heap_file_close(struct heap_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->chunk);
	pthread_mutex_destroy(&f->lock);
}

bool
heap_file_find(struct heap_file *f, uint64_t addr, uint64_t *offset)
{
	size_t i;

	pthread_mutex_lock(&f->lock);
	for (i = 0; i < f->n && addr - f->chunk[i] >= CHUNK; i++)
		;
	*offset = i * CHUNK + (i < f->n ? addr - f->chunk[i] : 0);
	i = i < f->n;
	pthread_mutex_unlock(&f->lock);
	return i;
}

/* the next chunk of the file; false: there is none */
static bool
chunk_new(struct heap_file *f, uint64_t *addr)
{
	uint64_t *p = f->chunk;
	void *at;

	if (f->n == f->cap) {
		p = realloc(p, (f->cap ? 2 * f->cap : 16) * sizeof *p);
		if (!p)
			return false;
		f->chunk = p;
		f->cap = f->cap ? 2 * f->cap : 16;
	}
	if (!memory_file_grow(f->fd, (f->n + 1) * CHUNK))
		return false;
	at = mmap(0, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd,
		(off_t)(f->n * CHUNK));
	if (at == MAP_FAILED)
		return false;
	*addr = p[f->n++] = (uint64_t)(uintptr_t)at;
	return true;
}

static bool
in_file(struct heap_file *f, size_t size, uint64_t *addr)
{
	bool done;

	if (!f || f->fd < 0 || size != CHUNK)
		return false;
	pthread_mutex_lock(&f->lock);
	done = chunk_new(f, addr);
	pthread_mutex_unlock(&f->lock);
	return done;
}

/* at a multiple of a huge page if it is large */
static CUresult
pages(size_t size, uint64_t *addr)
{
	size_t slack = size >= HUGE ? HUGE : 0, before, after;
	uint8_t *p;

	p = mmap(0, size + slack, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (slack) {
		before = -(uintptr_t)p & (HUGE - 1);
		after = slack - before;
		if (before)
			munmap(p, before);
		p += before;
		if (after)
			munmap(p + size, after);
		madvise(p, size, MADV_HUGEPAGE);
	}
	*addr = (uint64_t)(uintptr_t)p;
	return CUDA_SUCCESS;
}

static CUresult
more(void *file, size_t size, uint64_t *addr)
{
	return in_file(file, size, addr) ? CUDA_SUCCESS : pages(size, addr);
}

static void
less(void *arg, uint64_t addr, size_t size)
{
	(void)arg;
	munmap((void *)(uintptr_t)addr, size);
}

struct extents *
heap_new(uint64_t limit, struct heap_file *file)
{
	const struct extent_source s = {
		.more = more, .less = less, .arg = file, .align = ALIGN,
		.chunk = CHUNK, .kept = limit / 16, .limit = limit,
	};

	return extents_new(&s);
}
