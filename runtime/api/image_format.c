/* image_format.c - what an element of an array or texture is. */
#include "array.h"

enum { ANY = 0, REFUSE = -1 };

struct format_row {
	int id;                  /* CUarray_format, CUresourceViewFormat */
	const char *name;
	int component;           /* enum texture_format, or REFUSE */
	unsigned channels;
	bool normalized;
};

static const struct format_row format_list[] = {
#define FORMAT(name, component, channels, normalized) \
	{ CU_AD_FORMAT_##name, #name, TEXTURE_##component, channels, \
		normalized },
#define REFUSED(name) { CU_AD_FORMAT_##name, #name, REFUSE, 0, false },
#define VIEW(name, component)
#include "image_format.def"
};

static const struct format_row view_list[] = {
#define FORMAT(name, component, channels, normalized)
#define REFUSED(name)
#define VIEW(name, component) \
	{ CU_RES_VIEW_FORMAT_##name, #name, TEXTURE_##component, ANY, false },
#include "image_format.def"
};

#define COUNT(list) (sizeof (list) / sizeof *(list))

/* by enum texture_format: bytes, and what OpenCL calls it (PTX ISA 5.3.2),
 * as it is and read as 0..1 or -1..1 */
static const struct {
	uint8_t size;
	uint16_t type, normalized;
} component_list[] = {
	[TEXTURE_U8] = { 1, 0x10da, 0x10d2 },
	[TEXTURE_S8] = { 1, 0x10d7, 0x10d0 },
	[TEXTURE_U16] = { 2, 0x10db, 0x10d3 },
	[TEXTURE_S16] = { 2, 0x10d8, 0x10d1 },
	[TEXTURE_U32] = { 4, 0x10dc, 0x10dc },
	[TEXTURE_S32] = { 4, 0x10d9, 0x10d9 },
	[TEXTURE_F16] = { 2, 0x10dd, 0x10dd },
	[TEXTURE_F32] = { 4, 0x10de, 0x10de },
};

static void
enter(struct image_format *f, int component, unsigned channels)
{
	f->component = (enum texture_format)component;
	f->channels = channels;
	f->texel = component_list[component].size * channels;
}

CUresult
image_format(CUarray_format id, unsigned channels, struct image_format *f)
{
	const struct format_row *r;

	for (r = format_list; r->id != (int)id; r++)
		if (r + 1 == format_list + COUNT(format_list))
			return CUDA_ERROR_INVALID_VALUE;
	if (r->component == REFUSE) {
		rt_log("arrays of CU_AD_FORMAT_%s are not supported", r->name);
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (channels != 1 && channels != 2 && channels != 4)
		return CUDA_ERROR_INVALID_VALUE;
	if (r->channels != ANY && r->channels != channels)
		return CUDA_ERROR_INVALID_VALUE;
	enter(f, r->component, channels);
	f->normalized = r->normalized;
	return 0;
}

CUresult
image_view_format(CUresourceViewFormat id, struct image_format *f)
{
	static const uint8_t channels[] = { 1, 2, 4 };
	size_t i;

	for (i = 0; i < COUNT(view_list); i++) {
		int k = (int)id - view_list[i].id;

		if (k >= 0 && k < 3) {
			enter(f, view_list[i].component, channels[k]);
			f->normalized = false;
			return 0;
		}
	}
	if (id >= CU_RES_VIEW_FORMAT_UNSIGNED_BC1
		&& id <= CU_RES_VIEW_FORMAT_UNSIGNED_BC7) {
		rt_log("views of compressed formats are not supported");
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

/* of a texture that is filled in */
void
image_format_enter(const struct image_format *f, struct texture *t)
{
	static const uint16_t order[] = { 0, 0x10b0, 0x10b2, 0, 0x10b5 };

	t->format = f->component;
	t->channels = f->channels;
	t->texel = f->texel;
	t->order = order[f->channels];
	t->data_type = f->normalized ? component_list[f->component].normalized
		: component_list[f->component].type;
	if (f->normalized)
		t->flags |= TEXTURE_UNORM;
}
