/* codes_texture.c - what the driver answers of textures, surfaces and
 * references to them.
 *
 *	codes_texture textures|surfaces|references [LIBRARY]
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

/* references */

static const char text[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".global .texref tr;\n.global .surfref sr;\n.global .u32 word;\n"
	".visible .entry look(.param .u64 p, .param .f32 a, .param .f32 b)\n"
	"{ .reg .u64 to; .reg .f32 u, v, x, y, z, w; ld.param.u64 to, [p];\n"
	"  ld.param.f32 u, [a]; ld.param.f32 v, [b];\n"
	"  tex.2d.v4.f32.f32 {x, y, z, w}, [tr, {u, v}];\n"
	"  st.global.v4.f32 [to], {x, y, z, w}; ret; }\n"
	".visible .entry at(.param .u64 p, .param .u32 a)\n"
	"{ .reg .u64 to; .reg .s32 i; .reg .f32 x, y, z, w;\n"
	"  ld.param.u64 to, [p]; ld.param.s32 i, [a];\n"
	"  tex.1d.v4.f32.s32 {x, y, z, w}, [tr, {i}];\n"
	"  st.global.v4.f32 [to], {x, y, z, w}; ret; }\n"
	".visible .entry put(.param .u32 a, .param .u32 b)\n"
	"{ .reg .b32 x, y, v; ld.param.b32 x, [a]; ld.param.b32 v, [b];\n"
	"  mov.b32 y, 1; sust.b.2d.b32.trap [sr, {x, y}], {v}; ret; }\n";

static void *module, *look_at, *at, *put, *reference;
static CUarray pixels, bytes;

static void
look(const char *name, float u, float v)
{
	float out[4] = { -1, -1, -1, -1 };
	void *args[] = { &mem, &u, &v };
	int r = f("cuLaunchKernel")(look_at, 1, 1, 1, 1, 1, 1, 0, (void *)0,
		args, (void *)0);

	if (!r)
		r = f("cuMemcpyDtoH_v2")(out, mem, sizeof out);
	CASE(name, r);
	printf("… %.4f %.4f %.4f %.4f\n", out[0], out[1], out[2], out[3]);
}

static void
look_line(const char *name, int i)
{
	float out[4] = { -1, -1, -1, -1 };
	void *args[] = { &mem, &i };
	int r = f("cuLaunchKernel")(at, 1, 1, 1, 1, 1, 1, 0, (void *)0, args,
		(void *)0);

	if (!r)
		r = f("cuMemcpyDtoH_v2")(out, mem, sizeof out);
	CASE(name, r);
	printf("… %.4f %.4f %.4f %.4f\n", out[0], out[1], out[2], out[3]);
}

static void
load(void)
{
	float texel[32];
	unsigned char small[32];
	int i, r;

	for (i = 0; i < 32; i++) {
		texel[i] = (float)i;
		small[i] = (unsigned char)(8 * i);
	}
	f("cuMemAlloc_v2")(&mem, (size_t)1 << 16);
	r = f("cuModuleLoadData")(&module, text);
	CASE("module", r);
	if (r)
		exit(0);
	CASE("function", f("cuModuleGetFunction")(&look_at, module, "look"));
	CASE("function", f("cuModuleGetFunction")(&at, module, "at"));
	CASE("function", f("cuModuleGetFunction")(&put, module, "put"));
	pixels = make(8, 4, 0, F32, 1, SURFACE);
	bytes = make(8, 4, 0, U8, 1, 0);
	CUDA_MEMCPY2D c = { .srcMemoryType = HOST, .srcHost = texel,
		.srcPitch = 32, .dstMemoryType = ARRAY, .dstArray = pixels,
		.WidthInBytes = 32, .Height = 4 };
	f("cuMemcpy2D_v2")(&c);
	c.srcHost = small;
	c.srcPitch = 8;
	c.dstArray = bytes;
	c.WidthInBytes = 8;
	f("cuMemcpy2D_v2")(&c);
	f("cuMemcpyHtoD_v2")(mem + 4096, texel, sizeof texel);
	f("cuMemcpyHtoD_v2")(mem + 8192, small, sizeof small);
}

static void
told(void *t)
{
	CUaddress_mode am[3] = { 9, 9, 9 };
	CUfilter_mode fm = 9, mfm = 9;
	CUarray_format format = 9;
	CUarray a = 0;
	CUmipmappedArray m = 0;
	unsigned flags = 99;
	int channels = 9, aniso = 99, r, i;
	float bias = 9, min = 9, max = 9, border[4] = { 9, 9, 9, 9 };
	address p = 99;

	for (i = 0; i < 3; i++)
		CASE("address mode", f("cuTexRefGetAddressMode")(&am[i], t,
			i));
	printf("… %d %d %d\n", am[0], am[1], am[2]);
	CASE("address mode 3", f("cuTexRefGetAddressMode")(&am[0], t, 3));
	CASE("filter", f("cuTexRefGetFilterMode")(&fm, t));
	CASE("mipmap filter", f("cuTexRefGetMipmapFilterMode")(&mfm, t));
	CASE("flags", f("cuTexRefGetFlags")(&flags, t));
	CASE("format", f("cuTexRefGetFormat")(&format, &channels, t));
	CASE("anisotropy", f("cuTexRefGetMaxAnisotropy")(&aniso, t));
	CASE("bias", f("cuTexRefGetMipmapLevelBias")(&bias, t));
	CASE("clamp", f("cuTexRefGetMipmapLevelClamp")(&min, &max, t));
	CASE("border", f("cuTexRefGetBorderColor")(border, t));
	printf("… %d %d %#x %#x %d %d, %g %g %g, %g %g %g %g\n", fm, mfm,
		flags, format, channels, aniso, bias, min, max, border[0],
		border[1], border[2], border[3]);
	r = f("cuTexRefGetArray")(&a, t);
	CASE("array", r);
	if (!r)
		VALUE("… is pixels", a == pixels);
	CASE("mipmapped array", f("cuTexRefGetMipmappedArray")(&m, t));
	r = f("cuTexRefGetAddress_v2")(&p, t);
	CASE("address", r);
	if (!r)
		VALUE("…", p ? p - mem : 0);
}

static void
set_wrong(void *t)
{
	CUDA_ARRAY_DESCRIPTOR d = { 8, 4, F32, 1 };
	size_t at;

	CASE("set address mode 4", f("cuTexRefSetAddressMode")(t, 0, 4));
	CASE("set address mode of 3", f("cuTexRefSetAddressMode")(t, 3, 0));
	CASE("set address mode of -1", f("cuTexRefSetAddressMode")(t, -1, 0));
	CASE("set filter 2", f("cuTexRefSetFilterMode")(t, 2));
	CASE("set flags 4", f("cuTexRefSetFlags")(t, 4));
	CASE("set flags 0x10", f("cuTexRefSetFlags")(t, 0x10));
	CASE("set flags 0x73", f("cuTexRefSetFlags")(t, 0x73));
	CASE("set flags 0", f("cuTexRefSetFlags")(t, 0));
	CASE("set format 7", f("cuTexRefSetFormat")(t, 7, 1));
	CASE("set 3 channels", f("cuTexRefSetFormat")(t, F32, 3));
	CASE("set anisotropy 17", f("cuTexRefSetMaxAnisotropy")(t, 17));
	CASE("set anisotropy 1", f("cuTexRefSetMaxAnisotropy")(t, 1));
	CASE("set mipmap filter 2", f("cuTexRefSetMipmapFilterMode")(t, 2));
	CASE("set border, null", f("cuTexRefSetBorderColor")(t, (void *)0));
	CASE("set array, flags 0", f("cuTexRefSetArray")(t, pixels, 0));
	CASE("set array, flags 2", f("cuTexRefSetArray")(t, pixels, 2));
	CASE("set array, null", f("cuTexRefSetArray")(t, (void *)0, 1));
	CASE("set address, wild", f("cuTexRefSetAddress_v2")(&at, t,
		(address)0x1000000, (size_t)64));
	CASE("set address, null", f("cuTexRefSetAddress_v2")(&at, t,
		(address)0, (size_t)0));
	CASE("set address 2d at 4", f("cuTexRefSetAddress2D_v3")(t, &d,
		mem + 4, (size_t)32));
	CASE("set address 2d, pitch 16", f("cuTexRefSetAddress2D_v3")(t, &d,
		mem, (size_t)16));
	CASE("set address 2d, pitch 48", f("cuTexRefSetAddress2D_v3")(t, &d,
		mem, (size_t)48));
	CASE("set address 2d, pitch 32", f("cuTexRefSetAddress2D_v3")(t, &d,
		mem, (size_t)32));
}

static void
bound(void *t)
{
	CUDA_ARRAY_DESCRIPTOR d = { 8, 4, F32, 1 };
	float border[4] = { 50, 51, 52, 53 };
	size_t at = 99;

	CASE("set array", f("cuTexRefSetArray")(t, pixels, 1));
	look("pixels", 2.5f, 1.5f);
	told(t);
	CASE("set filter", f("cuTexRefSetFilterMode")(t, 1));
	look("pixels, filter", 3, 2);
	CASE("set normalized", f("cuTexRefSetFlags")(t, 2));
	look("pixels, normalized", .5f, .5f);
	CASE("set border", f("cuTexRefSetAddressMode")(t, 0, 3));
	CASE("set border", f("cuTexRefSetAddressMode")(t, 1, 3));
	CASE("set border", f("cuTexRefSetBorderColor")(t, border));
	CASE("set point", f("cuTexRefSetFilterMode")(t, 0));
	look("pixels, border", 1.5f, .5f);
	CASE("set wrap", f("cuTexRefSetAddressMode")(t, 0, 0));
	look("pixels, wrap", 1.5f, .5f);
	CASE("set flags 0", f("cuTexRefSetFlags")(t, 0));
	CASE("set array of bytes", f("cuTexRefSetArray")(t, bytes, 1));
	look("bytes", 2.5f, 1.5f);
	CASE("format", f("cuTexRefSetFormat")(t, U8, 1));
	look("bytes", 2.5f, 1.5f);
	CASE("set address 2d", f("cuTexRefSetAddress2D_v3")(t, &d, mem + 4096,
		(size_t)32));
	look("memory 2d", 2.5f, 1.5f);
	CASE("set address", f("cuTexRefSetAddress_v2")(&at, t, mem + 4096,
		(size_t)64));
	VALUE("… offset", at);
	look_line("memory, as bytes", 2);
	CASE("format", f("cuTexRefSetFormat")(t, F32, 1));
	look_line("memory, as floats", 2);
	look_line("memory, outside", 20);
	CASE("set address at 520", f("cuTexRefSetAddress_v2")(&at, t,
		mem + 4096 + 8, (size_t)64));
	VALUE("… offset", at);
	look_line("memory at 8", 2);
	told(t);
	CASE("set address at 520, no offset", f("cuTexRefSetAddress_v2")(
		(void *)0, t, mem + 4096 + 8, (size_t)64));
}

static void
written(void)
{
	CUsurfref s = 0;
	CUarray a = 0;
	unsigned x = 8, v = 7, out[8] = {0};
	void *args[] = { &x, &v };
	CUDA_MEMCPY2D c = { .srcMemoryType = ARRAY, .srcArray = pixels,
		.srcY = 1, .dstMemoryType = HOST, .dstHost = out,
		.dstPitch = 32, .WidthInBytes = 32, .Height = 1 };

	CASE("surfref of nothing", f("cuModuleGetSurfRef")(&s, module, "no"));
	CASE("surfref of a texref", f("cuModuleGetSurfRef")(&s, module, "tr"));
	CASE("surfref", f("cuModuleGetSurfRef")(&s, module, "sr"));
	CASE("array, not set", f("cuSurfRefGetArray")(&a, s));
	CASE("set array without flag", f("cuSurfRefSetArray")(s, bytes, 0));
	CASE("set array, flags 1", f("cuSurfRefSetArray")(s, pixels, 1));
	CASE("set array", f("cuSurfRefSetArray")(s, pixels, 0));
	CASE("array", f("cuSurfRefGetArray")(&a, s));
	VALUE("… is pixels", a == pixels);
	CASE("launch", f("cuLaunchKernel")(put, 1, 1, 1, 1, 1, 1, 0,
		(void *)0, args, (void *)0));
	f("cuMemcpy2D_v2")(&c);
	VALUE("…", out[2]);
}

static void
references(void)
{
	void *t = 0, *own = 0;

	load();
	CASE("texref of nothing", f("cuModuleGetTexRef")(&t, module, "no"));
	CASE("texref of a word", f("cuModuleGetTexRef")(&t, module, "word"));
	CASE("texref of a surfref", f("cuModuleGetTexRef")(&t, module, "sr"));
	CASE("texref, null", f("cuModuleGetTexRef")((void *)0, module, "tr"));
	CASE("texref", f("cuModuleGetTexRef")(&reference, module, "tr"));
	CASE("texref again", f("cuModuleGetTexRef")(&t, module, "tr"));
	VALUE("… the same", t == reference);
	told(reference);
	set_wrong(reference);
	bound(reference);
	written();
	CASE("create", f("cuTexRefCreate")(&own));
	CASE("format of its own", f("cuTexRefSetFormat")(own, F32, 1));
	told(own);
	CASE("destroy", f("cuTexRefDestroy")(own));
	CASE("destroy the module's", f("cuTexRefDestroy")(reference));
}

int
main(int argc, char *argv[])
{
	static const struct section list[] = {
		{ "textures", textures }, { "surfaces", surfaces },
		{ "references", references }, { 0, 0 }
	};

	return run_section(argc, argv, list);
}
