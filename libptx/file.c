/* file.c - whole files, in and out.
 *
 * Output goes to a temporary file beside its place and is renamed, so that
 * no reader ever sees half of it and a failure leaves the old file.  What is
 * no regular file (a terminal, /dev/null, a pipe) is written in place.
 */
#include "ptx.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *
read_all(FILE *f, size_t *size)
{
	char *buf, *more;
	size_t cap, n;

	cap = 64 << 10;
	*size = 0;
	buf = malloc(cap);
	while (buf && (n = fread(buf + *size, 1, cap - 1 - *size, f))) {
		*size += n;
		if (*size < cap - 1)
			continue;
		cap *= 2;
		more = realloc(buf, cap);
		if (!more)
			free(buf);
		buf = more;
	}
	if (buf)
		buf[*size] = 0;
	return buf;
}

char *
file_read(struct ptx *x, const char *name, size_t *size)
{
	char *buf;
	FILE *f;

	f = strcmp(name, "-") ? fopen(name, "rb") : stdin;
	if (!f) {
		diag(x, ERROR, (struct loc){0}, "input file '%s' could not be "
			"opened: %s", name, strerror(errno));
		return 0;
	}
	buf = read_all(f, size);
	if (!buf || ferror(f)) {
		diag(x, ERROR, (struct loc){0}, "input file '%s' could not be "
			"read: %s", name, strerror(buf ? errno : ENOMEM));
		free(buf);
		buf = 0;
	}
	if (f != stdin)
		fclose(f);
	return buf;
}

static bool
fail(struct ptx *x, const char *name)
{
	diag(x, ERROR, (struct loc){0}, "output file '%s' could not be "
		"written: %s", name, strerror(errno));
	return false;
}

static bool
put(FILE *f, const void *data, size_t size)
{
	bool ok;

	ok = fwrite(data, 1, size, f) == size && !fflush(f);
	return !fclose(f) && ok;
}

static bool
in_place(const char *name)
{
	struct stat s;

	return !stat(name, &s) && !S_ISREG(s.st_mode);
}

/* the mode that a new file would get */
static mode_t
new_mode(void)
{
	mode_t mask;

	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

bool
file_write(struct ptx *x, const char *name, const void *data, size_t size)
{
	size_t n;
	char *tmp;
	FILE *f;
	int fd;
	bool ok;

	if (!strcmp(name, "-") || in_place(name)) {
		fflush(stdout);
		f = strcmp(name, "-") ? fopen(name, "wb") :
			fdopen(dup(STDOUT_FILENO), "wb");
		return (f && put(f, data, size)) || fail(x, name);
	}
	n = strlen(name) + sizeof ".XXXXXX";
	tmp = malloc(n);
	if (!tmp)
		return fail(x, name);
	snprintf(tmp, n, "%s.XXXXXX", name);
	fd = mkstemp(tmp);
	f = fd < 0 ? 0 : fdopen(fd, "wb");
	ok = f && !fchmod(fd, new_mode()) && put(f, data, size)
		&& !rename(tmp, name);
	if (!ok) {
		fail(x, name);
		if (fd >= 0)
			unlink(tmp);
	}
	free(tmp);
	return ok;
}
