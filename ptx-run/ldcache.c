#define _GNU_SOURCE /* memmem */
/* ldcache.c - /etc/ld.so.cache, which ldconfig(8) makes.
 *
 * The format of glibc 2.2 and later, alone or behind the older one: a head,
 * records with offsets of strings, and the strings; offsets count from the
 * head.
 */
#include "search.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "glibc-ld.so.cache1.1"

struct head {
	char magic[20];
	uint32_t nlibs, strings, flags[5];
};

struct record {
	int32_t flags;
	uint32_t key, value, version;
	uint64_t capabilities;
};

_Static_assert(sizeof(struct head) == 48, "as in the file");
_Static_assert(sizeof(struct record) == 24, "as in the file");

static const char *
text(struct bytes b, uint32_t at)
{
	if (at >= b.n || !memchr(b.p + at, 0, b.n - at))
		return 0;
	return (const char *)b.p + at;
}

/* b begins at the head; records come sorted, the best of a name first */
static bool
look(struct bytes b, const char *name, bool (*fn)(const char *),
	char path[PATH_SIZE])
{
	const char *key, *value;
	struct record r;
	struct head h;
	uint32_t i;

	memcpy(&h, b.p, sizeof h);
	for (i = 0; i < h.nlibs &&
	    sizeof h + (i + (uint64_t)1) * sizeof r <= b.n; i++) {
		memcpy(&r, b.p + sizeof h + i * sizeof r, sizeof r);
		key = text(b, r.key);
		value = text(b, r.value);
		if (!key || !value || strcmp(key, name) != 0 ||
		    strlen(value) >= PATH_SIZE || !fn(value))
			continue;
		strcpy(path, value);
		return true;
	}
	return false;
}

bool
ldcache_find(const char *name, bool (*fn)(const char *), char path[PATH_SIZE])
{
	int fd = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
	const unsigned char *p, *at;
	bool found = false;
	struct stat st;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) || (size_t)st.st_size < sizeof(struct head)) {
		close(fd);
		return false;
	}
	p = mmap(0, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return false;
	at = memmem(p, (size_t)st.st_size, MAGIC, sizeof MAGIC - 1);
	if (at && p + st.st_size - at >= (ptrdiff_t)sizeof(struct head))
		found = look((struct bytes){ at,
			(size_t)(p + st.st_size - at) }, name, fn, path);
	munmap((void *)(uintptr_t)p, (size_t)st.st_size);
	return found;
}
