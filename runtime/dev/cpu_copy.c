/* cpu_copy.c - boxes of bytes copied, and rows filled.
 *
 * Both run under fault_try: an address may be anything.
 */
#include "cpu_int.h"
#include <string.h>

static void *
at(uint64_t addr)
{
	return (void *)(uintptr_t)addr;
}

void
cpu_copy_box(void *arg)
{
	const struct copy *c = arg;
	size_t width = c->width, height = c->height, depth = c->depth, y, z;
	size_t dst_pitch = c->dst.pitch, src_pitch = c->src.pitch;

	/* rows without gaps are one row, and so are slices */
	if (dst_pitch == width && src_pitch == width &&
	    (depth <= 1 || (c->dst.slice == width * height &&
	    c->src.slice == width * height))) {
		width *= height * (depth ? depth : 1);
		height = depth = 1;
	}
	for (z = 0; z < (depth ? depth : 1); z++)
		for (y = 0; y < (height ? height : 1); y++)
			memmove(at(c->dst.addr + z * c->dst.slice +
				y * dst_pitch), at(c->src.addr +
				z * c->src.slice + y * src_pitch), width);
}

static void
fill_row(uint64_t addr, uint32_t value, unsigned element, size_t n)
{
	uint8_t bytes[4];
	char *p = at(addr);
	size_t done, more;

	memcpy(bytes, &value, 4);
	if (element == 1 || (element == 2 && bytes[0] == bytes[1]) ||
	    (element == 4 && value == bytes[0] * 0x01010101u)) {
		memset(p, bytes[0], n * element);
		return;
	}
	/* what is filled fills the rest, in steps that stay in the cache */
	n *= element;
	memcpy(p, bytes, n < element ? n : element);
	for (done = element; done < n; done += more) {
		more = done < 1 << 14 ? done : 1 << 14;
		if (more > n - done)
			more = n - done;
		memcpy(p + done, p, more);
	}
}

void
cpu_fill_box(void *arg)
{
	const struct fill *f = arg;
	size_t y;

	for (y = 0; y < f->height && f->width; y++)
		fill_row(f->addr + y * f->pitch, f->value, f->element,
			f->width);
}
