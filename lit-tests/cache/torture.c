/* torture.c - the cache under many processes that write, read, damage and die.
 *
 *	torture [-s SECONDS] [-p PROCESSES]
 *
 * Workers put and get entries whose contents follow from their keys, so that
 * any answer can be checked.  Meanwhile workers are killed and started again,
 * and a vandal cuts, changes and removes files in the folder of
 * CUDA_CACHE_PATH.  A wrong answer or a crash is a failure.
 */
#include "cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEYS = 200, MAX_WORKERS = 200, SIZE = 20000 };

static struct shared {
	volatile long hits, misses, wrong;
} *sum;

static unsigned
next(unsigned *seed)
{
	return *seed = *seed * 1664525 + 1013904223;
}

static size_t
make(unsigned n, char *data)
{
	unsigned seed = n + 1;
	size_t i, size = next(&seed) % SIZE;

	for (i = 0; i < size; i++)
		data[i] = (char)(next(&seed) >> 16);
	return size;
}

static struct cache_key
key_of(unsigned n)
{
	struct cache_hash h;

	cache_hash_begin(&h);
	cache_hash_text(&h, "torture");
	cache_hash_add(&h, &n, sizeof n);
	return cache_hash_end(&h);
}

static void
work(unsigned seed)
{
	struct cache c = cache_open();
	char want[SIZE];
	struct blob got;
	unsigned n;
	size_t size;

	for (;;) {
		n = (next(&seed) >> 8) % KEYS;
		size = make(n, want);
		got = cache_get(&c, key_of(n));
		if (!got.data) {
			__sync_fetch_and_add(&sum->misses, 1);
			cache_put(&c, key_of(n), want, size, "torture");
			continue;
		}
		if (got.size != size || memcmp(got.data, want, size))
			__sync_fetch_and_add(&sum->wrong, 1);
		__sync_fetch_and_add(&sum->hits, 1);
		free(got.data);
	}
}

/* one file of the folder at random: cut off, a bit changed, or removed */
static void
damage(int folder, const char *name, unsigned *seed)
{
	unsigned how = next(seed) >> 16;
	off_t size;
	char c;
	int fd;

	if (how % 3 == 0) {
		unlinkat(folder, name, 0);
		return;
	}
	fd = openat(folder, name, O_RDWR);
	if (fd < 0)
		return;
	size = lseek(fd, 0, SEEK_END);
	if (how % 3 == 1 && size > 0) {
		if (ftruncate(fd, (off_t)(next(seed) >> 8) % size))
			abort();
	} else if (size > 0) {
		off_t at = (off_t)(next(seed) >> 8) % size;

		if (pread(fd, &c, 1, at) == 1) {
			c ^= (char)(1 << how % 8);
			if (pwrite(fd, &c, 1, at) != 1)
				abort();
		}
	}
	close(fd);
}

static void
vandal(unsigned seed)
{
	const char *path = getenv("CUDA_CACHE_PATH");
	struct dirent *f;
	DIR *d;

	for (;; usleep(2000)) {
		d = opendir(path);
		while (d && (f = readdir(d)))
			if (*f->d_name != '.' && (next(&seed) >> 16) % 50 == 0)
				damage(dirfd(d), f->d_name, &seed);
		if (d)
			closedir(d);
	}
}

static pid_t
start(void (*fn)(unsigned), unsigned seed)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	fn(seed);
	_exit(0);
}

int
main(int argc, char *argv[])
{
	pid_t pid[MAX_WORKERS + 1];
	unsigned seed = 1, kills = 0;
	int seconds = 5, n = 50, c, i, status;
	time_t end;

	while ((c = getopt(argc, argv, "s:p:")) != -1)
		*(c == 's' ? &seconds : &n) = atoi(optarg);
	if (n < 1 || n > MAX_WORKERS || !getenv("CUDA_CACHE_PATH"))
		return 2;
	sum = mmap(0, sizeof *sum, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < n; i++)
		pid[i] = start(work, (unsigned)i);
	pid[n] = start(vandal, 1);
	for (end = time(0) + seconds; time(0) < end; usleep(5000)) {
		i = (int)(next(&seed) >> 8) % n;
		kill(pid[i], SIGKILL);
		waitpid(pid[i], &status, 0);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
			printf("a worker ended with status %#x\n",
				(unsigned)status);
			sum->wrong++;
		}
		pid[i] = start(work, next(&seed));
		kills++;
	}
	for (i = 0; i <= n; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], &status, 0);
	}
	printf("%ld hits, %ld misses, %u kills: %ld wrong\n", sum->hits,
		sum->misses, kills, sum->wrong);
	return sum->wrong || !sum->hits || !sum->misses;
}
