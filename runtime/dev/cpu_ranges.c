/* cpu_ranges.c - one file of memory, handed out in ranges.
 *
 * A process may have few files open, but thousands of pieces of physical
 * memory.  Those that nobody exports share this file.  What is given back
 * holds no memory any more, and is handed out again.
 */
#define _GNU_SOURCE /* fallocate */
#include "cpu_int.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* free, by offset; no two touch */
struct range {
	struct range *next;
	uint64_t offset, size;
};

void
ranges_open(struct ranges *r)
{
	pthread_mutex_init(&r->lock, 0);
	r->fd = -1;
	r->free = 0;
	r->end = 0;
}

void
ranges_close(struct ranges *r)
{
	struct range *f;

	while ((f = r->free)) {
		r->free = f->next;
		free(f);
	}
	if (r->fd >= 0)
		close(r->fd);
	pthread_mutex_destroy(&r->lock);
}

/* the first that is large enough */
static bool
reuse(struct ranges *r, uint64_t size, uint64_t *offset)
{
	struct range **at, *f;

	for (at = &r->free; (f = *at); at = &f->next)
		if (f->size >= size)
			break;
	if (!f)
		return false;
	*offset = f->offset;
	f->offset += size;
	f->size -= size;
	if (!f->size) {
		*at = f->next;
		free(f);
	}
	return true;
}

static bool
grow(struct ranges *r, uint64_t size, uint64_t *offset)
{
	if (r->fd < 0)
		r->fd = memory_file(0);
	if (r->fd < 0 || !memory_file_grow(r->fd, r->end + size))
		return false;
	*offset = r->end;
	r->end += size;
	return true;
}

bool
ranges_take(struct ranges *r, uint64_t size, uint64_t *offset)
{
	bool done;

	pthread_mutex_lock(&r->lock);
	done = reuse(r, size, offset) || grow(r, size, offset);
	pthread_mutex_unlock(&r->lock);
	return done;
}

/* f takes in the one behind it, if they touch */
static void
merge(struct range *f)
{
	struct range *n = f->next;

	if (!n || f->offset + f->size != n->offset)
		return;
	f->size += n->size;
	f->next = n->next;
	free(n);
}

/* without memory for the note the range is lost, its memory is not */
static void
give(struct ranges *r, uint64_t offset, uint64_t size)
{
	struct range **at, *before = 0, *f = malloc(sizeof *f);

	if (!f)
		return;
	for (at = &r->free; *at && (*at)->offset < offset; at = &(*at)->next)
		before = *at;
	f->offset = offset;
	f->size = size;
	f->next = *at;
	*at = f;
	merge(f);
	if (before)
		merge(before);
}

void
ranges_give(struct ranges *r, uint64_t offset, uint64_t size)
{
	pthread_mutex_lock(&r->lock);
	if (!fallocate(r->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
	    (off_t)offset, (off_t)size))
		give(r, offset, size);
	pthread_mutex_unlock(&r->lock);
}
