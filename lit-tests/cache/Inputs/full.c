/* full.c - preloaded: a disk that is full after FULL_AFTER bytes, or, with
 * READ_ONLY set, one on which no file can be made. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static size_t written;

ssize_t
write(int fd, const void *data, size_t n)
{
	const char *after = getenv("FULL_AFTER");
	size_t left, most;
	struct stat s;

	if (after && !fstat(fd, &s) && S_ISREG(s.st_mode)) {
		most = strtoul(after, 0, 10);
		left = most > written ? most - written : 0;
		if (!left) {
			errno = ENOSPC;
			return -1;
		}
		n = n < left ? n : left;
		written += n;
	}
	return syscall(SYS_write, fd, data, n);
}

int
openat(int folder, const char *name, int flags, ...)
{
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, int) : 0;
	va_end(ap);
	if (flags & O_CREAT && getenv("READ_ONLY")) {
		errno = EROFS;
		return -1;
	}
	return (int)syscall(SYS_openat, folder, name, flags, mode);
}
