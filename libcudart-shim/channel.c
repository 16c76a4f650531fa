/* channel.c - what elements of arrays and textures are. */
#include "image.h"

struct channel {
	int kind, bits;
	unsigned channels;       /* 0: 1, 2 or 4 */
	CUarray_format format;
};

static const struct channel list[] = {
#define CHANNELS(kind, bits, format) { kind, bits, 0, CU_AD_FORMAT_##format },
#define PACKED(kind, channels, bits, format) \
	{ kind, bits, channels, CU_AD_FORMAT_##format },
#include "channel.def"
};

enum { COUNT = sizeof list / sizeof *list };

struct channel_desc
cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
	return (struct channel_desc){ x, y, z, w, kind };
}

/* how many channels of one size there are; 0: they have gaps, or several */
static unsigned
count(const struct channel_desc *d)
{
	const int bits[] = { d->x, d->y, d->z, d->w };
	unsigned n = 0, i;

	while (n < 4 && bits[n] && bits[n] == bits[0])
		n++;
	for (i = n; i < 4; i++)
		if (bits[i])
			return 0;
	return n;
}

cudaError_t
channel_format(const struct channel_desc *d, CUarray_format *format,
	unsigned *channels)
{
	unsigned n = count(d);
	int i;

	for (i = 0; i < COUNT; i++)
		if (list[i].kind == d->kind && list[i].bits == d->x &&
		    (list[i].channels ? n == list[i].channels :
		    n == 1 || n == 2 || n == 4)) {
			*format = list[i].format;
			*channels = n;
			return 0;
		}
	return cudaErrorInvalidChannelDescriptor;
}

static const struct channel *
find(CUarray_format format)
{
	int i;

	for (i = 0; i < COUNT; i++)
		if (list[i].format == format)
			return &list[i];
	return 0;
}

struct channel_desc
channel_desc(CUarray_format format, unsigned n)
{
	const struct channel *c = find(format);
	struct channel_desc d = {0};

	if (!c)
		return d;
	d.kind = c->kind;
	d.x = c->bits;
	d.y = n > 1 ? c->bits : 0;
	d.z = n > 2 ? c->bits : 0;
	d.w = n > 3 ? c->bits : 0;
	return d;
}

size_t
channel_size(CUarray_format format, unsigned n)
{
	const struct channel *c = find(format);

	return c ? (size_t)c->bits / 8 * n : 0;
}
