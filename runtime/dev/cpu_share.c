/* cpu_share.c - memory of the CPU device, shared with other processes.
 *
 * The name of memory says in which file of which process it lies; another
 * process of the same user opens that by /proc.  Small pieces lie in a file
 * from the beginning (cpu_heap.c).  A large one has its own pages: they move
 * to a file when it is shared, at the same address, and back to pages of this
 * process alone when it is freed.
 */
#include "cpu_int.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* what the 64 bytes hold */
struct name {
	char magic[8];
	int32_t pid, fd;
	uint64_t dev, inode;     /* of the file */
	uint64_t offset, size;   /* of the memory in it */
};

_Static_assert(sizeof(struct name) <= 64, "it is a handle of CUDA's");

static const char magic[8] = "ptxamd1";

struct share {
	struct share *next;
	uint64_t addr, size;     /* of whole pages */
	uint64_t given;          /* the address that is known */
	int fd;                  /* -1: of another process, and mapped */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint64_t
page_mask(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE) - 1;
}

static struct share **
find(struct dev *d, uint64_t given)
{
	struct share **at = &d->shares;

	while (*at && (*at)->given != given)
		at = &(*at)->next;
	return at;
}

static struct share *
add(struct dev *d, uint64_t given, uint64_t addr, uint64_t size, int fd)
{
	struct share *s = malloc(sizeof *s);

	if (!s)
		return 0;
	*s = (struct share){ d->shares, addr, size, given, fd };
	__atomic_store_n(&d->shares, s, __ATOMIC_RELAXED);
	return s;
}

static CUresult
write_name(char out[64], int fd, uint64_t offset, uint64_t size)
{
	struct name n = { .pid = (int32_t)getpid(), .fd = fd,
		.offset = offset, .size = size };
	struct stat st;

	if (fstat(fd, &st))
		return CUDA_ERROR_OPERATING_SYSTEM;
	memcpy(n.magic, magic, sizeof magic);
	n.dev = st.st_dev;
	n.inode = st.st_ino;
	memset(out, 0, 64);
	memcpy(out, &n, sizeof n);
	return CUDA_SUCCESS;
}

static bool
is_zero(const uint8_t *p, size_t n)
{
	return !p[0] && !memcmp(p, p + 1, n - 1);
}

/* pages of zeros stay holes */
static void
copy_pages(uint8_t *to, const uint8_t *from, uint64_t size)
{
	uint64_t page = page_mask() + 1, i;

	for (i = 0; i < size; i += page)
		if (!is_zero(from + i, page))
			memcpy(to + i, from + i, page);
}

static bool
move(int fd, uint64_t addr, uint64_t size)
{
	void *p = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	void *to = (void *)(uintptr_t)addr;

	if (p == MAP_FAILED)
		return false;
	copy_pages(p, to, size);
	munmap(p, size);
	return mmap(to, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		fd, 0) != MAP_FAILED;
}

/* a piece of whole pages moves into a file */
static struct share *
move_out(struct dev *d, uint64_t addr, uint64_t size)
{
	uint64_t all = (size + page_mask()) & ~page_mask();
	int fd = memory_file(all);
	struct share *s = fd < 0 ? 0 : add(d, addr, addr, all, fd);

	if (s && move(fd, addr, all))
		return s;
	if (s) {
		d->shares = s->next;
		free(s);
	}
	if (fd >= 0)
		close(fd);
	return 0;
}

CUresult
cpu_share(struct dev *d, const struct slice *p, char name[64])
{
	struct share *s;
	uint64_t offset;
	CUresult err;

	if (heap_file_find(&d->file, p->addr, &offset))
		return write_name(name, d->file.fd, offset + p->offset,
			p->size);
	if (p->addr & page_mask())
		return CUDA_ERROR_NOT_SUPPORTED;
	pthread_mutex_lock(&lock);
	s = *find(d, p->addr);
	if (!s)
		s = move_out(d, p->addr, p->all);
	err = s ? write_name(name, s->fd, p->offset, p->size) :
		CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_unlock(&lock);
	return err;
}

void
share_end(struct dev *d, uint64_t addr)
{
	struct share **at, *s;

	if (!__atomic_load_n(&d->shares, __ATOMIC_RELAXED))
		return;
	pthread_mutex_lock(&lock);
	at = find(d, addr);
	s = *at;
	if (s && s->fd >= 0) {
		*at = s->next;
		mmap((void *)(uintptr_t)addr, s->size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
			MAP_FIXED, -1, 0);
		close(s->fd);
		free(s);
	}
	pthread_mutex_unlock(&lock);
}

/* the file of a name: that process's, and still the same; -1: not there */
static int
open_file(const struct name *n)
{
	char path[64];
	struct stat st;
	int fd;

	if (memcmp(n->magic, magic, sizeof magic) != 0 || !n->size)
		return -1;
	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)n->pid,
		(int)n->fd);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || st.st_dev != n->dev || st.st_ino != n->inode ||
	    n->size > (uint64_t)st.st_size ||
	    n->offset > (uint64_t)st.st_size - n->size) {
		close(fd);
		return -1;
	}
	return fd;
}

CUresult
cpu_shared_open(struct dev *d, const char name[64], uint64_t *addr,
	size_t *size)
{
	uint64_t head, all;
	struct name n;
	bool added;
	void *p;
	int fd;

	memcpy(&n, name, sizeof n);
	if (n.pid == getpid())
		return CUDA_ERROR_INVALID_CONTEXT;
	fd = open_file(&n);
	if (fd < 0)
		return CUDA_ERROR_INVALID_VALUE;
	head = n.offset & page_mask();
	all = (head + n.size + page_mask()) & ~page_mask();
	p = mmap(0, all, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		(off_t)(n.offset - head));
	close(fd);
	if (p == MAP_FAILED)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*addr = (uint64_t)(uintptr_t)p + head;
	*size = (size_t)n.size;
	pthread_mutex_lock(&lock);
	added = add(d, *addr, *addr - head, all, -1) != 0;
	pthread_mutex_unlock(&lock);
	if (!added)
		munmap(p, all);
	return added ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult
cpu_shared_close(struct dev *d, uint64_t addr)
{
	struct share **at, *s;

	pthread_mutex_lock(&lock);
	at = find(d, addr);
	s = *at;
	if (s && s->fd < 0)
		*at = s->next;
	else
		s = 0;
	pthread_mutex_unlock(&lock);
	if (!s)
		return CUDA_ERROR_INVALID_VALUE;
	munmap((void *)(uintptr_t)s->addr, s->size);
	free(s);
	return CUDA_SUCCESS;
}
