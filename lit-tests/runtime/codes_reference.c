/* codes_reference.c - what the driver answers of references to textures and
 * surfaces, and what kernels read by them.
 *
 *	codes_reference references [LIBRARY]
 *
 * codes.test holds what NVIDIA's driver 580 answers on an H200.
 */
#include "codes_image.h"

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
static address mem;

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
		{ "references", references }, { 0, 0 }
	};

	return run_section(argc, argv, list);
}
