/* codes_image.c - what the runtime library answers of arrays and textures.
 *
 *	codes_image LIBRARY
 *
 * image.test holds what NVIDIA's library of CUDA 13.0 answers on an H200.
 */
#include "../../libcudart-shim/cudart_api.h"
#include "../runtime/codes.h"

#define SHOW(...) (printf("… "), printf(__VA_ARGS__), (void)puts(""))

enum { LAYERED = 1, SURFACE = 2, CUBE = 4, GATHER = 8 };

static const struct channel_desc f32 = { 32, 0, 0, 0, 2 };
static const struct channel_desc u8x4 = { 8, 8, 8, 8, 1 };
static const struct channel_desc s32 = { 32, 0, 0, 0, 0 };
static const struct channel_desc unorm = { 8, 8, 8, 8, 7 };

static float host[1024], back[1024];

/* arrays */

static void
describe(CUarray a)
{
	struct channel_desc d = {0};
	struct extent e = {0};
	unsigned flags = 99;

	CASE("… info", f("cudaArrayGetInfo")(&d, &e, &flags, a));
	SHOW("%d %d %d %d of %d, %zu %zu %zu, %u", d.x, d.y, d.z, d.w, d.kind,
		e.width, e.height, e.depth, flags);
}

static void
channels(int x, int y, int z, int w, int kind)
{
	struct channel_desc d = { x, y, z, w, kind };
	char name[64];
	CUarray a = 0;
	int r;

	snprintf(name, sizeof name, "%d %d %d %d of kind %d", x, y, z, w, kind);
	r = f("cudaMallocArray")(&a, &d, (size_t)8, (size_t)8, 0);
	CASE(name, r);
	if (!r) {
		describe(a);
		f("cudaFreeArray")(a);
	}
}

static void
array(const char *name, size_t w, size_t h, size_t d, unsigned flags)
{
	struct extent e = { w, h, d };
	CUarray a = 0;
	int r = f("cudaMalloc3DArray")(&a, &f32, e, flags);

	CASE(name, r);
	if (!r) {
		describe(a);
		f("cudaFreeArray")(a);
	}
}

static void
formats(void)
{
	static const int bits[] = { 8, 16, 32, 64 };
	int kind, i, k;

	for (kind = 0; kind < 3; kind++)
		for (i = 0; i < 4; i++)
			channels(bits[i], 0, 0, 0, kind);
	for (kind = 5; kind < 17; kind++) {
		i = (kind - 5) / 3 % 2 ? 16 : 8;
		k = (kind - 5) % 3;
		channels(i, k ? i : 0, k > 1 ? i : 0, k > 1 ? i : 0, kind);
	}
	channels(32, 32, 0, 0, 2);
	channels(32, 32, 32, 0, 2);
	channels(32, 32, 32, 32, 2);
	channels(16, 16, 0, 0, 0);
	channels(12, 0, 0, 0, 1);
	channels(8, 16, 0, 0, 1);
	channels(8, 0, 8, 0, 1);
	channels(0, 0, 0, 0, 1);
	channels(8, 0, 0, 0, 3);
	channels(8, 0, 0, 0, 7);
	channels(8, 0, 0, 0, 99);
}

static void
shapes(void)
{
	array("a line", 8, 0, 0, 0);
	array("a plane", 8, 8, 0, 0);
	array("a box", 8, 8, 8, 0);
	array("nothing", 0, 0, 0, 0);
	array("no width", 0, 8, 0, 0);
	array("no height", 8, 0, 8, 0);
	array("lines", 8, 0, 3, LAYERED);
	array("planes", 8, 8, 3, LAYERED);
	array("no layers", 8, 8, 0, LAYERED);
	array("a cube", 8, 8, 6, CUBE);
	array("cubes", 8, 8, 12, CUBE | LAYERED);
	array("half a cube", 8, 8, 3, CUBE);
	array("a surface", 8, 8, 0, SURFACE);
	array("to gather", 8, 8, 0, GATHER);
	array("too wide", 200000, 8, 0, 0);
}

static void
mipmaps(void)
{
	struct extent e = { 16, 8, 0 }, none = {0};
	CUmipmappedArray m = 0;
	CUarray a = 0;

	CASE("mipmap", f("cudaMallocMipmappedArray")(&m, &f32, e, 4, 0));
	CASE("level 0", f("cudaGetMipmappedArrayLevel")(&a, m, 0));
	describe(a);
	CASE("level 3", f("cudaGetMipmappedArrayLevel")(&a, m, 3));
	describe(a);
	CASE("level 4", f("cudaGetMipmappedArrayLevel")(&a, m, 4));
	CASE("freed", f("cudaFreeMipmappedArray")(m));
	CASE("null freed", f("cudaFreeMipmappedArray")((void *)0));
	CASE("null array freed", f("cudaFreeArray")((void *)0));
	CASE("mipmap of nothing", f("cudaMallocMipmappedArray")(&m, &f32, none,
		4, 0));
	CASE("mipmap, null", f("cudaMallocMipmappedArray")((void *)0, &f32, e,
		4, 0));
	CASE("mipmap, no format", f("cudaMallocMipmappedArray")(&m, (void *)0,
		e, 4, 0));
	CASE("array, null", f("cudaMallocArray")((void *)0, &f32, (size_t)8,
		(size_t)8, 0));
	CASE("array, no format", f("cudaMallocArray")(&a, (void *)0, (size_t)8,
		(size_t)8, 0));
}

/* copies, between arrays of 16 by 8 floats */

static CUarray a, b;

static void
to_plane(const char *name, size_t x, size_t y, const void *p, size_t pitch,
	size_t width, size_t height, int kind)
{
	CASE(name, f("cudaMemcpy2DToArray")(a, x, y, p, pitch, width, height,
		kind));
}

static void
planes(void)
{
	to_plane("2d", 0, 0, host, 64, 64, 8, COPY_HOST_TO_DEVICE);
	to_plane("2d, default", 0, 0, host, 64, 64, 8, COPY_DEFAULT);
	to_plane("2d, from device", 0, 0, host, 64, 64, 8,
		COPY_DEVICE_TO_HOST);
	to_plane("2d, on host", 0, 0, host, 64, 64, 8, COPY_HOST_TO_HOST);
	to_plane("2d, kind 9", 0, 0, host, 64, 64, 8, 9);
	to_plane("2d at 4 1", 4, 1, host, 64, 60, 7, COPY_HOST_TO_DEVICE);
	to_plane("2d, too wide", 4, 1, host, 64, 64, 7, COPY_HOST_TO_DEVICE);
	to_plane("2d at 2", 2, 0, host, 64, 4, 1, COPY_HOST_TO_DEVICE);
	to_plane("2d, small pitch", 0, 0, host, 32, 64, 8,
		COPY_HOST_TO_DEVICE);
	to_plane("2d, nothing", 0, 0, host, 64, 0, 8, COPY_HOST_TO_DEVICE);
	to_plane("2d, null", 0, 0, 0, 64, 64, 8, COPY_HOST_TO_DEVICE);
	CASE("2d back", f("cudaMemcpy2DFromArray")(back, (size_t)64, a,
		(size_t)0, (size_t)0, (size_t)64, (size_t)8,
		COPY_DEVICE_TO_HOST));
	CASE("2d back, to device", f("cudaMemcpy2DFromArray")(back, (size_t)64,
		a, (size_t)0, (size_t)0, (size_t)64, (size_t)8,
		COPY_HOST_TO_DEVICE));
	CASE("2d between", f("cudaMemcpy2DArrayToArray")(b, (size_t)4,
		(size_t)0, a, (size_t)0, (size_t)0, (size_t)60, (size_t)8,
		COPY_DEVICE_TO_DEVICE));
	CASE("2d between, from host", f("cudaMemcpy2DArrayToArray")(b,
		(size_t)4, (size_t)0, a, (size_t)0, (size_t)0, (size_t)60,
		(size_t)8, COPY_HOST_TO_DEVICE));
	CASE("2d between, too wide", f("cudaMemcpy2DArrayToArray")(b,
		(size_t)8, (size_t)0, a, (size_t)0, (size_t)0, (size_t)60,
		(size_t)8, COPY_DEVICE_TO_DEVICE));
}

/* where a line of bytes got to */
static void
seen(CUarray in)
{
	int i;

	memset(back, 0, sizeof back);
	f("cudaMemcpy2DFromArray")(back, (size_t)64, in, (size_t)0, (size_t)0,
		(size_t)64, (size_t)8, COPY_DEVICE_TO_HOST);
	for (i = 0; i < 64; i++)
		printf("%g%s", back[i], i % 16 == 15 ? "\n" : " ");
}

static void
lines(void)
{
	const int in = COPY_HOST_TO_DEVICE;

	CASE("line", f("cudaMemcpyToArray")(a, (size_t)0, (size_t)0, host,
		(size_t)512, in));
	CASE("line of 100 at 32 1", f("cudaMemcpyToArray")(a, (size_t)32,
		(size_t)1, host, (size_t)100, in));
	seen(a);
	CASE("line, part of an element", f("cudaMemcpyToArray")(a, (size_t)0,
		(size_t)0, host, (size_t)6, in));
	CASE("line back", f("cudaMemcpyFromArray")(back, a, (size_t)32,
		(size_t)1, (size_t)100, COPY_DEVICE_TO_HOST));
	SHOW("%g %g %g", back[0], back[8], back[24]);
	CASE("line between", f("cudaMemcpyArrayToArray")(b, (size_t)4,
		(size_t)0, a, (size_t)0, (size_t)0, (size_t)100,
		COPY_DEVICE_TO_DEVICE));
	seen(b);
	CASE("line, too long", f("cudaMemcpyToArray")(a, (size_t)4, (size_t)0,
		host, (size_t)512, in));
}

static void
boxes(void)
{
	struct copy_3d c = { .dst_array = a, .kind = COPY_HOST_TO_DEVICE,
		.extent = { 16, 8, 1 } };

	c.src = (struct pitched_ptr){ host, 64, 16, 8 };
	CASE("3d", f("cudaMemcpy3D")(&c));
	c.dst_pos.x = 4;
	CASE("3d, too wide", f("cudaMemcpy3D")(&c));
	c.extent.width = 12;
	CASE("3d at 4", f("cudaMemcpy3D")(&c));
	c.kind = COPY_DEVICE_TO_HOST;
	CASE("3d, from device", f("cudaMemcpy3D")(&c));
	c.kind = COPY_HOST_TO_HOST;
	CASE("3d, on host", f("cudaMemcpy3D")(&c));
	c.kind = COPY_DEFAULT;
	CASE("3d, default", f("cudaMemcpy3D")(&c));
	c.src_array = b;
	CASE("3d, two sources", f("cudaMemcpy3D")(&c));
	c.src = (struct pitched_ptr){ 0 };
	CASE("3d between, default", f("cudaMemcpy3D")(&c));
	c.kind = COPY_HOST_TO_DEVICE;
	CASE("3d between, from host", f("cudaMemcpy3D")(&c));
	c.extent.height = 0;
	c.kind = COPY_DEVICE_TO_DEVICE;
	CASE("3d, nothing", f("cudaMemcpy3D")(&c));
}

/* textures */

static void
try(const char *name, const struct resource_desc *r,
	const struct texture_desc *t, const CUDA_RESOURCE_VIEW_DESC *v)
{
	CUtexObject o = 0;
	int err = f("cudaCreateTextureObject")(&o, r, t, v);

	CASE(name, err);
	if (!err)
		f("cudaDestroyTextureObject")(o);
}

/* each filter with each way to read it */
static void
readings(const char *what, const struct channel_desc *d)
{
	struct resource_desc r = { .type = CU_RESOURCE_TYPE_ARRAY };
	char name[64];
	int filter, mode;

	f("cudaMallocArray")(&r.u.array, d, (size_t)8, (size_t)8, 0);
	for (filter = 0; filter < 3; filter++)
		for (mode = 0; mode < 3; mode++) {
			struct texture_desc t = { .filter = filter,
				.mode = mode };

			snprintf(name, sizeof name, "%s, filter %d, mode %d",
				what, filter, mode);
			try(name, &r, &t, 0);
		}
	f("cudaFreeArray")(r.u.array);
}

static void
samplers(void)
{
	struct resource_desc r = { .type = CU_RESOURCE_TYPE_ARRAY };
	struct texture_desc t = {0};

	r.u.array = a;
	t.address[0] = 4;
	try("address 4", &r, &t, 0);
	t.address[0] = 3;
	t.normalized = 1;
	try("border", &r, &t, 0);
	t.srgb = 1;
	try("srgb of floats", &r, &t, 0);
	t.anisotropy = 17;
	try("anisotropy 17", &r, &t, 0);
	t.not_trilinear = 1;
	try("not trilinear", &r, &t, 0);
	t.seamless = 1;
	try("seamless", &r, &t, 0);
	t.seamless = 0;
	r.type = (CUresourcetype)7;
	try("type 7", &r, &t, 0);
	r.type = CU_RESOURCE_TYPE_ARRAY;
	r.flags = 1;
	try("flags", &r, &t, 0);
}

static void
views(void)
{
	struct resource_desc r = { .type = CU_RESOURCE_TYPE_ARRAY };
	CUDA_RESOURCE_VIEW_DESC v = { .width = 8, .height = 8 };
	struct texture_desc t = {0};

	f("cudaMallocArray")(&r.u.array, &u8x4, (size_t)8, (size_t)8, 0);
	v.format = (CUresourceViewFormat)3;
	try("view as 4 bytes", &r, &t, &v);
	v.format = CU_RES_VIEW_FORMAT_FLOAT_1X32;
	try("view as a float", &r, &t, &v);
	v.width = 4;
	try("view, width 4", &r, &t, &v);
	f("cudaFreeArray")(r.u.array);
}

static void
memory(void)
{
	struct resource_desc r = { .type = CU_RESOURCE_TYPE_LINEAR };
	struct resource_desc q = { .type = CU_RESOURCE_TYPE_PITCH2D };
	struct texture_desc t = {0};
	CUdeviceptr p = 0;
	size_t n = 0;

	f("cudaMalloc")(&p, (size_t)1 << 20);
	r.u.linear.p = p;
	r.u.linear.desc = f32;
	r.u.linear.size = 256;
	try("memory", &r, &t, 0);
	r.u.linear.desc.y = r.u.linear.desc.z = 32;
	try("memory, 3 channels", &r, &t, 0);
	r.u.linear.desc = f32;
	r.u.linear.p = p + 4;
	try("memory at 4", &r, &t, 0);
	r.u.linear.p = p;
	r.u.linear.size = 0;
	try("no memory", &r, &t, 0);
	q.u.pitched.p = p;
	q.u.pitched.desc = f32;
	q.u.pitched.width = q.u.pitched.height = 8;
	q.u.pitched.pitch = 512;
	try("pitched", &q, &t, 0);
	q.u.pitched.pitch = 48;
	try("pitch 48", &q, &t, 0);
	CASE("longest", f("cudaDeviceGetTexture1DLinearMaxWidth")(&n, &f32,
		0));
	SHOW("%zu", n);
	CASE("longest", f("cudaDeviceGetTexture1DLinearMaxWidth")(&n, &u8x4,
		0));
	SHOW("%zu", n);
	f("cudaFree")(p);
}

/* what is told of a texture and of a surface */
static void
told(void)
{
	struct resource_desc r = { .type = CU_RESOURCE_TYPE_ARRAY }, r2 = {0};
	struct texture_desc t = { .address = { 1, 2, 3 }, .filter = 1,
		.normalized = 1, .bias = .5f, .min = 1, .max = 2 }, t2 = {0};
	CUDA_RESOURCE_VIEW_DESC v;
	CUtexObject o = 0;
	CUsurfObject s = 0;

	r.u.array = a;
	CASE("create", f("cudaCreateTextureObject")(&o, &r, &t, (void *)0));
	CASE("resource", f("cudaGetTextureObjectResourceDesc")(&r2, o));
	SHOW("%d %d", r2.type, r2.u.array == a);
	CASE("sampler", f("cudaGetTextureObjectTextureDesc")(&t2, o));
	SHOW("%d %d %d, %d %d %d, %d, %d, %g %g %g, %d", t2.address[0],
		t2.address[1], t2.address[2], t2.filter, t2.mode, t2.srgb,
		t2.normalized, t2.mipmap_filter, t2.bias, t2.min, t2.max,
		t2.seamless);
	CASE("view", f("cudaGetTextureObjectResourceViewDesc")(&v, o));
	CASE("sampler of 0", f("cudaGetTextureObjectTextureDesc")(&t2,
		(CUtexObject)0));
	CASE("destroyed", f("cudaDestroyTextureObject")(o));
	CASE("destroyed again", f("cudaDestroyTextureObject")(o));
	CASE("create, null", f("cudaCreateTextureObject")((void *)0, &r, &t,
		(void *)0));
	CASE("create of null", f("cudaCreateTextureObject")(&o, (void *)0, &t,
		(void *)0));
	CASE("surface", f("cudaCreateSurfaceObject")(&s, &r));
	CASE("its resource", f("cudaGetSurfaceObjectResourceDesc")(&r2, s));
	SHOW("%d %d", r2.type, r2.u.array == a);
	CASE("surface destroyed", f("cudaDestroySurfaceObject")(s));
	CASE("surface, null", f("cudaCreateSurfaceObject")((void *)0, &r));
}

int
main(int argc, char *argv[])
{
	int i;

	if (argc < 2 || !open_driver(argv[1]))
		return 1;
	for (i = 0; i < 1024; i++)
		host[i] = (float)i;
	formats();
	shapes();
	mipmaps();
	f("cudaMallocArray")(&a, &f32, (size_t)16, (size_t)8, SURFACE);
	f("cudaMallocArray")(&b, &f32, (size_t)16, (size_t)8, 0);
	planes();
	lines();
	boxes();
	readings("float", &f32);
	readings("4 u8", &u8x4);
	readings("s32", &s32);
	readings("4 unorm", &unorm);
	samplers();
	views();
	memory();
	told();
	f("cudaFreeArray")(a);
	f("cudaFreeArray")(b);
	CASE("in the end", f("cudaDeviceSynchronize")());
	return 0;
}
