/* texref.c - texture and surface references of CUDA 11's programs: what their
 * host code calls, without the compiler, which newer ones no longer are.
 *
 *	texref LIBRARY
 */
#include "../../libcudart-shim/cudart_api.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int checks, wrong;
static void *lib;

#pragma GCC diagnostic ignored "-Wstrict-prototypes"
typedef int function();

static function *
f(const char *name)
{
	function *p;

	*(void **)&p = dlsym(lib, name);
	if (!p)
		printf("%s is missing\n", name);
	return p;
}

#define IS(what, want) check(#what, __LINE__, (double)(what), (double)(want))
#define OK(what) IS(what, 0)

static void
check(const char *what, int line, double is, double want)
{
	checks++;
	if (is == want)
		return;
	wrong++;
	printf("line %d: %s is %g, not %g\n", line, what, is, want);
}

/* a fat binary with PTX, as nvcc makes one */
static struct {
	uint32_t magic;
	uint16_t version, header;
	uint64_t size;
	uint16_t kind, entry_version;
	uint32_t entry_header;
	uint64_t padded;
	uint32_t packed, options;
	uint16_t minor, major;
	uint32_t sm, name, name_size;
	uint64_t flags, reserved, unpacked;
	char text[2048];
} fat = {
	.magic = 0xba55ed50, .version = 1, .header = 16, .size = 64 + 2048,
	.kind = 1, .entry_version = 0x101, .entry_header = 64, .padded = 2048,
	.major = 7, .sm = 70, .flags = 0x11,
	.text = ".version 7.0\n.target sm_70\n.address_size 64\n"
	".global .texref floats;\n.global .texref bytes;\n"
	".global .surfref plane;\n"
	".visible .entry look(.param .u64 A)\n"
	"{ .reg .u64 a, o; .reg .f32 x, y, z, w, u; .reg .s32 i;\n"
	"  ld.param.u64 a, [A]; mov.u32 i, %tid.x; cvt.rn.f32.s32 u, i;\n"
	"  mul.wide.s32 o, i, 16; add.u64 a, a, o; add.f32 u, u, 0f3F000000;\n"
	"  tex.2d.v4.f32.f32 {x, y, z, w}, [floats, {u, u}];\n"
	"  st.global.f32 [a], x;\n"
	"  tex.2d.v4.f32.f32 {x, y, z, w}, [bytes, {u, u}];\n"
	"  st.global.f32 [a+4], x;\n"
	"  tex.1d.v4.f32.s32 {x, y, z, w}, [floats, {i}];\n"
	"  st.global.f32 [a+8], x; ret; }\n"
	".visible .entry put()\n"
	"{ .reg .b32 i, x; mov.u32 i, %tid.x; shl.b32 x, i, 2;\n"
	"  sust.b.2d.b32.trap [plane, {x, 1}], {i}; ret; }\n",
};

static struct {
	uint32_t magic, version;
	const void *data;
	void *file;
} wrapper = { 0x466243b1, 1, &fat, 0 };

enum { W = 8, H = 8 };

static struct texture_reference floats = {
	.address = { 1, 1, 1 }, .desc = { 32, 0, 0, 0, 2 },
};
static struct texture_reference bytes = {
	.address = { 1, 1, 1 }, .desc = { 8, 0, 0, 0, 1 },
};
static struct surface_reference plane;
static char look, put;          /* the addresses of the host's stubs */

static CUdeviceptr out;
static float got[W][4];

static void
launch(const void *kernel)
{
	struct dim3 one = { 1, 1, 1 }, threads = { W, 1, 1 };
	void *args[] = { &out };

	OK(f("cudaLaunchKernel")(kernel, one, threads, args, (size_t)0,
		(void *)0));
	OK(f("cudaMemcpy")(got, out, sizeof got, COPY_DEVICE_TO_HOST));
}

static void *
register_all(void)
{
	void **(*begin)(void *), **h;

	*(void **)&begin = dlsym(lib, "__cudaRegisterFatBinary");
	h = begin(&wrapper);
	f("__cudaRegisterTexture")(h, &floats, (void *)0, "floats", 2, 0, 0);
	f("__cudaRegisterTexture")(h, &bytes, (void *)0, "bytes", 2, 1, 0);
	f("__cudaRegisterSurface")(h, &plane, (void *)0, "plane", 2, 0);
	f("__cudaRegisterFunction")(h, &look, (void *)0, "look", -1, (void *)0,
		(void *)0, (void *)0, (void *)0, (void *)0);
	f("__cudaRegisterFunction")(h, &put, (void *)0, "put", -1, (void *)0,
		(void *)0, (void *)0, (void *)0, (void *)0);
	f("__cudaRegisterFatBinaryEnd")(h);
	return h;
}

static void
arrays(CUarray a, CUarray small)
{
	OK(f("cudaBindTextureToArray")(&floats, a, &floats.desc));
	OK(f("cudaBindTextureToArray")(&bytes, small, &bytes.desc));
	launch(&look);
	IS(got[3][0], 3 * W + 3);
	IS(got[3][1], (float)(3 * W + 3) / 255);
	floats.filter = 1;
	floats.normalized = 1;
	OK(f("cudaBindTextureToArray")(&floats, a, &floats.desc));
	launch(&look);
	IS(got[0][0], (3 * W + 3 + 4 * W + 4) / 2.f);
	floats.filter = floats.normalized = 0;
}

static void
memory(const float *texel)
{
	size_t offset = 99;
	CUdeviceptr p = 0;

	OK(f("cudaMalloc")(&p, (size_t)4096));
	OK(f("cudaMemcpy")(p, texel, (size_t)W * H * 4, COPY_HOST_TO_DEVICE));
	/* as much as programs that give no size ask for */
	OK(f("cudaBindTexture")(&offset, &floats, p, &floats.desc,
		(size_t)0xffffffff));
	IS(offset, 0);
	launch(&look);
	IS(got[5][2], 5);
	OK(f("cudaBindTexture")(&offset, &floats, p + 8, &floats.desc,
		(size_t)64));
	IS(offset, 8);
	offset = 0;
	OK(f("cudaGetTextureAlignmentOffset")(&offset, &floats));
	IS(offset, 8);
	IS(f("cudaBindTexture")((void *)0, &floats, p + 8, &floats.desc,
		(size_t)64), cudaErrorInvalidValue);
	OK(f("cudaBindTexture2D")(&offset, &floats, p, &floats.desc,
		(size_t)W, (size_t)H, (size_t)W * 4));
	launch(&look);
	IS(got[7][0], 7 * W + 7);
	OK(f("cudaUnbindTexture")(&floats));
	IS(f("cudaGetTextureAlignmentOffset")(&offset, &floats),
		cudaErrorInvalidTextureBinding);
	OK(f("cudaFree")(p));
}

static void
surfaces(CUarray a)
{
	int word[W] = {0};

	OK(f("cudaBindSurfaceToArray")(&plane, a, &floats.desc));
	launch(&put);
	OK(f("cudaMemcpy2DFromArray")(word, (size_t)W * 4, a, (size_t)0,
		(size_t)1, (size_t)W * 4, (size_t)1, COPY_DEVICE_TO_HOST));
	IS(word[0], 0);
	IS(word[6], 6);
}

static void
mistakes(CUarray a)
{
	struct texture_reference other = floats;
	struct channel_desc three = { 32, 32, 32, 0, 2 };
	struct channel_desc u32 = { 32, 0, 0, 0, 1 };
	const void *p = 0;

	OK(f("cudaGetTextureReference")(&p, &floats));
	IS(p == &floats, 1);
	IS(f("cudaGetTextureReference")(&p, &plane), cudaErrorInvalidTexture);
	IS(f("cudaGetSurfaceReference")(&p, &floats), cudaErrorInvalidSurface);
	IS(f("cudaBindTextureToArray")(&other, a, &other.desc),
		cudaErrorInvalidTexture);
	IS(f("cudaBindTextureToArray")(&floats, a, &three),
		cudaErrorInvalidChannelDescriptor);
	IS(f("cudaBindTextureToArray")(&floats, (void *)0, &floats.desc),
		cudaErrorInvalidResourceHandle);
	other = floats;
	floats.filter = 1;
	IS(f("cudaBindTextureToArray")(&floats, a, &u32),
		cudaErrorInvalidFilterSetting);
	floats = other;
	IS(f("cudaMemcpyToSymbol")(&floats, &u32, (size_t)8, (size_t)0,
		COPY_HOST_TO_DEVICE), cudaErrorInvalidSymbol);
}

int
main(int argc, char *argv[])
{
	float texel[W * H];
	unsigned char small[W * H];
	CUarray a = 0, b = 0;
	void *handle;
	int i;

	lib = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
	if (!lib) {
		printf("%s\n", dlerror());
		return 1;
	}
	for (i = 0; i < W * H; i++) {
		texel[i] = (float)i;
		small[i] = (unsigned char)i;
	}
	handle = register_all();
	OK(f("cudaMalloc")(&out, sizeof got));
	OK(f("cudaMallocArray")(&a, &floats.desc, (size_t)W, (size_t)H, 2));
	OK(f("cudaMallocArray")(&b, &bytes.desc, (size_t)W, (size_t)H, 0));
	OK(f("cudaMemcpyToArray")(a, (size_t)0, (size_t)0, texel,
		sizeof texel, COPY_HOST_TO_DEVICE));
	OK(f("cudaMemcpyToArray")(b, (size_t)0, (size_t)0, small,
		sizeof small, COPY_HOST_TO_DEVICE));
	arrays(a, b);
	memory(texel);
	surfaces(a);
	mistakes(a);
	OK(f("cudaFreeArray")(a));
	OK(f("cudaFreeArray")(b));
	OK(f("cudaFree")(out));
	f("__cudaUnregisterFatBinary")(handle);
	printf("%d checks, %d wrong\n", checks, wrong);
	return wrong || !checks;
}
