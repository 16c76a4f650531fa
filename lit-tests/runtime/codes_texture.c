/* codes_texture.c - what the driver answers of textures and surfaces.
 *
 *	codes_texture textures|surfaces [LIBRARY]
 *
 * codes.test holds what NVIDIA's driver 580 answers on an H200.
 */
#include "codes_image.h"

static const CUDA_TEXTURE_DESC plain = {
	.addressMode = { CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP,
		CU_TR_ADDRESS_MODE_CLAMP },
};

static address mem;

/* what became of an attempt; the object goes */
static int
try(const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *s,
	const CUDA_RESOURCE_VIEW_DESC *v)
{
	CUtexObject t = 0;
	int err = f("cuTexObjectCreate")(&t, r, s, v);

	if (!err)
		f("cuTexObjectDestroy")(t);
	return err;
}

/* textures */

static void
sampler(const char *name, const CUDA_RESOURCE_DESC *r, CUDA_TEXTURE_DESC s)
{
	CASE(name, try(r, &s, 0));
}

static CUDA_TEXTURE_DESC
mode(int address, int filter, unsigned flags)
{
	CUDA_TEXTURE_DESC s = plain;
	int i;

	for (i = 0; i < 3; i++)
		s.addressMode[i] = (CUaddress_mode)address;
	s.filterMode = (CUfilter_mode)filter;
	s.flags = flags;
	return s;
}

/* each format with each way to read it */
static void
formats(void)
{
	static const int format[][2] = { { U8, 1 }, { S8, 1 }, { U16, 2 },
		{ S16, 4 }, { U32, 1 }, { S32, 2 }, { F16, 4 }, { F32, 1 },
		{ 0xc0, 1 }, { 0xc2, 4 }, { 0xcb, 4 }, { 0xc6, 1 } };
	static const unsigned flags[] = { 0, 1, 2, 3, 0x10, 0x11, 0x12, 0x13,
		0x40, 0x42 };
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY };
	char name[64];
	unsigned i, k, filter;

	for (i = 0; i < sizeof format / sizeof *format; i++) {
		r.res.array.hArray = make(8, 8, 0, format[i][0],
			(unsigned)format[i][1], 0);
		for (k = 0; k < sizeof flags / sizeof *flags; k++)
			for (filter = 0; filter < 2; filter++) {
				snprintf(name, sizeof name, "format %#x, "
					"flags %#x, filter %u",
					(unsigned)format[i][0], flags[k],
					filter);
				sampler(name, &r, mode(1, (int)filter,
					flags[k]));
			}
		f("cuArrayDestroy")(r.res.array.hArray);
	}
}

static void
samplers(void)
{
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY };
	CUDA_TEXTURE_DESC s = plain;

	r.res.array.hArray = make(8, 8, 0, F32, 1, 0);
	sampler("plain", &r, plain);
	sampler("wrap", &r, mode(0, 0, 0));
	sampler("mirror", &r, mode(2, 1, 0));
	sampler("border", &r, mode(3, 1, 0));
	sampler("address 4", &r, mode(4, 0, 0));
	sampler("address -1", &r, mode(-1, 0, 0));
	sampler("filter 2", &r, mode(1, 2, 0));
	sampler("flag 4", &r, mode(1, 0, 4));
	sampler("flag 8", &r, mode(1, 0, 8));
	sampler("flag 0x20", &r, mode(1, 0, 0x20));
	sampler("flag 0x80", &r, mode(1, 0, 0x80));
	sampler("flag 0x100", &r, mode(1, 0, 0x100));
	s.addressMode[2] = (CUaddress_mode)9;
	sampler("address of z 9", &r, s);
	s = plain;
	s.mipmapFilterMode = (CUfilter_mode)2;
	sampler("mipmap filter 2", &r, s);
	s = plain;
	s.mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR;
	sampler("mipmap filter without levels", &r, s);
	s = plain;
	s.maxAnisotropy = 16;
	sampler("anisotropy 16", &r, s);
	s.maxAnisotropy = 17;
	sampler("anisotropy 17", &r, s);
	s.maxAnisotropy = 1000;
	sampler("anisotropy 1000", &r, s);
	s = plain;
	s.minMipmapLevelClamp = 3;
	s.maxMipmapLevelClamp = 1;
	sampler("clamp 3 to 1", &r, s);
	s.minMipmapLevelClamp = -1;
	sampler("clamp from -1", &r, s);
	s = plain;
	s.mipmapLevelBias = 100;
	sampler("bias 100", &r, s);
	s = plain;
	s.reserved[3] = 7;
	sampler("reserved", &r, s);
	r.flags = 1;
	sampler("flags of the resource", &r, plain);
	r.flags = 0;
	f("cuArrayDestroy")(r.res.array.hArray);
	r.res.array.hArray = make(8, 8, 6, F32, 1, CUBE);
	sampler("cube, unnormalized", &r, plain);
	sampler("cube, normalized", &r, mode(1, 0, 2));
	sampler("cube, seamless", &r, mode(1, 1, 0x42));
	sampler("cube, wrap", &r, mode(0, 1, 2));
	f("cuArrayDestroy")(r.res.array.hArray);
}

static void
linear(const char *name, address a, int format, unsigned channels,
	size_t size, CUDA_TEXTURE_DESC s)
{
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_LINEAR };

	r.res.linear.devPtr = a;
	r.res.linear.format = (CUarray_format)format;
	r.res.linear.numChannels = channels;
	r.res.linear.sizeInBytes = size;
	CASE(name, try(&r, &s, 0));
}

static void
linears(void)
{
	address big = 0;

	linear("linear", mem, F32, 1, 256, plain);
	linear("linear, 0 bytes", mem, F32, 1, 0, plain);
	linear("linear, 3 bytes", mem, F32, 1, 3, plain);
	linear("linear, 7 bytes", mem, F32, 1, 7, plain);
	linear("linear, more than there is", mem, F32, 1, 8 << 20, plain);
	linear("linear at 4", mem + 4, F32, 1, 256, plain);
	linear("linear at 16", mem + 16, F32, 1, 256, plain);
	linear("linear at 32", mem + 32, F32, 1, 256, plain);
	linear("linear at 256", mem + 256, F32, 1, 256, plain);
	linear("linear at 512", mem + 512, F32, 1, 256, plain);
	linear("linear, null", 0, F32, 1, 256, plain);
	linear("linear, wild", 0x1000000, F32, 1, 256, plain);
	linear("linear, 3 channels", mem, F32, 3, 256, plain);
	linear("linear, 0 channels", mem, F32, 0, 256, plain);
	linear("linear, format 0", mem, 0, 1, 256, plain);
	linear("linear, format 0xc2", mem, 0xc2, 4, 256, plain);
	linear("linear, integers", mem, U32, 4, 256, mode(1, 0, 1));
	linear("linear, filter", mem, F32, 1, 256, mode(1, 1, 0));
	linear("linear, filter of integers", mem, U8, 1, 256, mode(1, 1, 1));
	linear("linear, normalized", mem, F32, 1, 256, mode(1, 0, 2));
	linear("linear, wrap", mem, F32, 1, 256, mode(0, 0, 0));
	linear("linear, srgb", mem, U8, 4, 256, mode(0, 0, 0x10));
	f("cuMemAlloc_v2")(&big, ((size_t)1 << 28) + 4096);
	linear("linear, 2^28", big, U8, 1, 1 << 28, plain);
	linear("linear, 2^28 + 1", big, U8, 1, (1 << 28) + 1, plain);
	f("cuMemFree_v2")(big);
}

static void
pitched(const char *name, address a, size_t w, size_t h, size_t pitch,
	int format, unsigned channels, CUDA_TEXTURE_DESC s)
{
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_PITCH2D };

	r.res.pitch2D.devPtr = a;
	r.res.pitch2D.format = (CUarray_format)format;
	r.res.pitch2D.numChannels = channels;
	r.res.pitch2D.width = w;
	r.res.pitch2D.height = h;
	r.res.pitch2D.pitchInBytes = pitch;
	CASE(name, try(&r, &s, 0));
}

static void
pitcheds(void)
{
	pitched("pitch", mem, 16, 8, 512, F32, 1, plain);
	pitched("pitch 32", mem, 8, 8, 32, F32, 1, plain);
	pitched("pitch 48", mem, 8, 8, 48, F32, 1, plain);
	pitched("pitch 16", mem, 8, 8, 16, F32, 1, plain);
	pitched("pitch 0", mem, 8, 8, 0, F32, 1, plain);
	pitched("pitch, one row", mem, 8, 1, 0, F32, 1, plain);
	pitched("pitch, width 0", mem, 0, 8, 512, F32, 1, plain);
	pitched("pitch, height 0", mem, 8, 0, 512, F32, 1, plain);
	pitched("pitch at 4", mem + 4, 16, 8, 512, F32, 1, plain);
	pitched("pitch at 32", mem + 32, 16, 8, 512, F32, 1, plain);
	pitched("pitch at 256", mem + 256, 16, 8, 512, F32, 1, plain);
	pitched("pitch, null", 0, 16, 8, 512, F32, 1, plain);
	pitched("pitch, wild", 0x1000000, 16, 8, 512, F32, 1, plain);
	pitched("pitch, more than there is", mem, 16, 60000, 512, F32, 1,
		plain);
	pitched("pitch, height 65001", mem, 1, 65001, 32, U8, 1, plain);
	pitched("pitch, width 131073", mem, 131073, 1, 131104, U8, 1, plain);
	pitched("pitch 2097152", mem, 8, 1, 2097152, U8, 1, plain);
	pitched("pitch, 3 channels", mem, 16, 8, 512, F32, 3, plain);
	pitched("pitch, filter", mem, 16, 8, 512, F32, 1, mode(1, 1, 0));
	pitched("pitch, filter of integers", mem, 16, 8, 512, U8, 1,
		mode(1, 1, 1));
	pitched("pitch, normalized, wrap", mem, 16, 8, 512, F32, 1,
		mode(0, 0, 2));
	pitched("pitch, mirror", mem, 16, 8, 512, F32, 1, mode(2, 0, 2));
}

static void
view(const char *name, const CUDA_RESOURCE_DESC *r, int format, size_t w,
	size_t h, size_t d, unsigned first, unsigned last, unsigned layer,
	unsigned last_layer)
{
	CUDA_RESOURCE_VIEW_DESC v = { .format = (CUresourceViewFormat)format,
		.width = w, .height = h, .depth = d,
		.firstMipmapLevel = first, .lastMipmapLevel = last,
		.firstLayer = layer, .lastLayer = last_layer };

	CASE(name, try(r, &plain, &v));
}

static void
views(void)
{
	CUDA_ARRAY3D_DESCRIPTOR d = { 16, 8, 0, F32, 1, 0 };
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY };
	CUDA_RESOURCE_DESC m = { .resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY };
	CUDA_RESOURCE_DESC l = { .resType = CU_RESOURCE_TYPE_LINEAR };

	r.res.array.hArray = make(16, 8, 0, F32, 1, 0);
	view("view", &r, 0x16, 16, 8, 0, 0, 0, 0, 0);
	view("view, no format", &r, 0, 16, 8, 0, 0, 0, 0, 0);
	view("view as u32", &r, 0xd, 16, 8, 0, 0, 0, 0, 0);
	view("view as 4 u8", &r, 3, 16, 8, 0, 0, 0, 0, 0);
	view("view as 2 f16", &r, 0x14, 16, 8, 0, 0, 0, 0, 0);
	view("view as u8", &r, 1, 16, 8, 0, 0, 0, 0, 0);
	view("view as 2 f32", &r, 0x17, 8, 8, 0, 0, 0, 0, 0);
	view("view, format 0x23", &r, 0x23, 16, 8, 0, 0, 0, 0, 0);
	view("view, width 8", &r, 0x16, 8, 8, 0, 0, 0, 0, 0);
	view("view, width 0", &r, 0x16, 0, 8, 0, 0, 0, 0, 0);
	view("view, height 4", &r, 0x16, 16, 4, 0, 0, 0, 0, 0);
	view("view, height 0", &r, 0x16, 16, 0, 0, 0, 0, 0, 0);
	view("view, depth 1", &r, 0x16, 16, 8, 1, 0, 0, 0, 0);
	view("view, level 1", &r, 0x16, 16, 8, 0, 1, 1, 0, 0);
	view("view, layer 1", &r, 0x16, 16, 8, 0, 0, 0, 1, 1);
	view("view, layers 0 to 1", &r, 0x16, 16, 8, 0, 0, 0, 0, 1);
	f("cuArrayDestroy")(r.res.array.hArray);
	r.res.array.hArray = make(16, 8, 3, F32, 1, LAYERED);
	view("view of layers", &r, 0x16, 16, 8, 3, 0, 0, 0, 2);
	view("view of layers 1 to 2", &r, 0x16, 16, 8, 3, 0, 0, 1, 2);
	view("view of layers 1 to 2, depth 2", &r, 0x16, 16, 8, 2, 0, 0, 1, 2);
	view("view of layers, depth 0", &r, 0x16, 16, 8, 0, 0, 0, 0, 2);
	view("view of layers 0 to 0", &r, 0x16, 16, 8, 3, 0, 0, 0, 0);
	view("view of layers 1 to 3", &r, 0x16, 16, 8, 3, 0, 0, 1, 3);
	view("view of layers 2 to 1", &r, 0x16, 16, 8, 3, 0, 0, 2, 1);
	f("cuArrayDestroy")(r.res.array.hArray);
	r.res.array.hArray = make(16, 8, 4, F32, 1, 0);
	view("view of a box", &r, 0x16, 16, 8, 4, 0, 0, 0, 0);
	view("view of a box, depth 2", &r, 0x16, 16, 8, 2, 0, 0, 0, 0);
	view("view of a box, depth 0", &r, 0x16, 16, 8, 0, 0, 0, 0, 0);
	f("cuArrayDestroy")(r.res.array.hArray);
	f("cuMipmappedArrayCreate")(&m.res.mipmap.hMipmappedArray, &d, 4);
	view("view of levels", &m, 0x16, 16, 8, 0, 0, 3, 0, 0);
	view("view of levels 1 to 2", &m, 0x16, 16, 8, 0, 1, 2, 0, 0);
	view("view of levels 1 to 2, by extent", &m, 0x16, 8, 4, 0, 1, 2, 0, 0);
	view("view of levels 2 to 4", &m, 0x16, 16, 8, 0, 2, 4, 0, 0);
	view("view of levels 2 to 1", &m, 0x16, 16, 8, 0, 2, 1, 0, 0);
	f("cuMipmappedArrayDestroy")(m.res.mipmap.hMipmappedArray);
	l.res.linear.devPtr = mem;
	l.res.linear.format = F32;
	l.res.linear.numChannels = 1;
	l.res.linear.sizeInBytes = 64;
	view("view of memory", &l, 0x16, 16, 0, 0, 0, 0, 0, 0);
}

static void
asked(void)
{
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY }, r2;
	CUDA_TEXTURE_DESC s = plain, s2;
	CUDA_RESOURCE_VIEW_DESC v2;
	CUtexObject t = 0;

	r.res.array.hArray = make(16, 8, 0, F32, 1, 0);
	CASE("create, null", f("cuTexObjectCreate")((void *)0, &r, &s,
		(void *)0));
	CASE("create of null", f("cuTexObjectCreate")(&t, (void *)0, &s,
		(void *)0));
	CASE("create, no sampler", f("cuTexObjectCreate")(&t, &r, (void *)0,
		(void *)0));
	r.resType = (CUresourcetype)4;
	CASE("create, type 4", f("cuTexObjectCreate")(&t, &r, &s, (void *)0));
	r.resType = CU_RESOURCE_TYPE_ARRAY;
	s.maxAnisotropy = 3;
	s.borderColor[2] = .5f;
	s.flags = 2;
	CASE("create", f("cuTexObjectCreate")(&t, &r, &s, (void *)0));
	memset(&r2, 0x55, sizeof r2);
	CASE("resource", f("cuTexObjectGetResourceDesc")(&r2, t));
	VALUE("… is the same", r2.resType == r.resType
		&& r2.res.array.hArray == r.res.array.hArray);
	VALUE("… flags", r2.flags);
	CASE("sampler", f("cuTexObjectGetTextureDesc")(&s2, t));
	CASE("view, none", f("cuTexObjectGetResourceViewDesc")(&v2, t));
	CASE("resource, null", f("cuTexObjectGetResourceDesc")((void *)0, t));
	CASE("resource of a surface",
		f("cuSurfObjectGetResourceDesc")(&r2, t));
	CASE("destroyed", f("cuTexObjectDestroy")(t));
	CASE("destroyed again", f("cuTexObjectDestroy")(t));
	CASE("resource, destroyed", f("cuTexObjectGetResourceDesc")(&r2, t));
	CASE("0 destroyed", f("cuTexObjectDestroy")((CUtexObject)0));
	CASE("resource of 0", f("cuTexObjectGetResourceDesc")(&r2,
		(CUtexObject)0));
	CASE("12345 destroyed", f("cuTexObjectDestroy")((CUtexObject)12345));
	f("cuArrayDestroy")(r.res.array.hArray);
}

static void
textures(void)
{
	f("cuMemAlloc_v2")(&mem, (size_t)4 << 20);
	formats();
	samplers();
	linears();
	pitcheds();
	views();
	asked();
}

/* surfaces */

static void
surface(const char *name, size_t w, size_t h, size_t d, int format,
	unsigned channels, unsigned flags)
{
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY };
	CUsurfObject s = 0;
	int err;

	r.res.array.hArray = make(w, h, d, format, channels, flags);
	err = f("cuSurfObjectCreate")(&s, &r);
	CASE(name, err);
	if (!err)
		f("cuSurfObjectDestroy")(s);
	f("cuArrayDestroy")(r.res.array.hArray);
}

static void
surfaces(void)
{
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_LINEAR };
	CUDA_ARRAY3D_DESCRIPTOR d = { 16, 8, 0, F32, 1, SURFACE };
	CUsurfObject s = 0;

	surface("surface", 8, 8, 0, F32, 1, SURFACE);
	surface("surface, no flag", 8, 8, 0, F32, 1, 0);
	surface("surface of unorm", 8, 8, 0, 0xc2, 4, SURFACE);
	surface("surface 3d", 8, 8, 8, U8, 4, SURFACE);
	surface("surface of layers", 8, 8, 2, U8, 4, SURFACE | LAYERED);
	surface("surface of a cube", 8, 8, 6, U8, 4, SURFACE | CUBE);
	f("cuMemAlloc_v2")(&mem, (size_t)4096);
	r.res.linear.devPtr = mem;
	r.res.linear.format = F32;
	r.res.linear.numChannels = 1;
	r.res.linear.sizeInBytes = 64;
	CASE("surface of memory", f("cuSurfObjectCreate")(&s, &r));
	r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
	f("cuMipmappedArrayCreate")(&r.res.mipmap.hMipmappedArray, &d, 4);
	CASE("surface of a mipmap", f("cuSurfObjectCreate")(&s, &r));
	r.resType = CU_RESOURCE_TYPE_ARRAY;
	f("cuMipmappedArrayGetLevel")(&r.res.array.hArray,
		r.res.mipmap.hMipmappedArray, 1);
	CASE("surface of a level", f("cuSurfObjectCreate")(&s, &r));
	r.flags = 1;
	CASE("surface, flags", f("cuSurfObjectCreate")(&s, &r));
	r.flags = 0;
	r.res.array.hArray = make(16, 8, 0, F32, 1, SURFACE);
	CASE("surface", f("cuSurfObjectCreate")(&s, &r));
	CASE("resource", f("cuSurfObjectGetResourceDesc")(&r, s));
	CASE("resource of a texture", f("cuTexObjectGetResourceDesc")(&r, s));
	CASE("destroyed as texture", f("cuTexObjectDestroy")(s));
	CASE("destroyed", f("cuSurfObjectDestroy")(s));
	CASE("destroyed again", f("cuSurfObjectDestroy")(s));
	CASE("0 destroyed", f("cuSurfObjectDestroy")((CUsurfObject)0));
}

int
main(int argc, char *argv[])
{
	static const struct section list[] = {
		{ "textures", textures }, { "surfaces", surfaces },
		{ 0, 0 }
	};

	return run_section(argc, argv, list);
}
