/* image.c - arrays and what reads them: boxes against what the host computes,
 * levels, many textures at once, references, several contexts and threads.
 */
#include "check.h"
#include <pthread.h>
#include <stdint.h>

static const char text[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".global .texref tr;\n.global .surfref sr;\n"
	/* what the thread reads of a plane 8 wide */
	".visible .entry plane(.param .u64 A, .param .u64 B)\n"
	"{ .reg .u64 to, h, o; .reg .b32 i, x, y; .reg .f32 a, b, c, d, u, v;\n"
	"  ld.param.u64 to, [A]; ld.param.u64 h, [B]; mov.u32 i, %tid.x;\n"
	"  and.b32 x, i, 7; shr.u32 y, i, 3; cvt.rn.f32.u32 u, x;\n"
	"  cvt.rn.f32.u32 v, y; add.f32 u, u, 0f3F000000;\n"
	"  add.f32 v, v, 0f3F000000;\n"
	"  tex.2d.v4.f32.f32 {a, b, c, d}, [h, {u, v}];\n"
	"  mul.wide.u32 o, i, 4; add.u64 to, to, o; st.global.f32 [to], a;\n"
	"  ret; }\n"
	/* the level that its number says, of a mipmapped array */
	".visible .entry level(.param .u64 A, .param .u64 B)\n"
	"{ .reg .u64 to, h, o; .reg .b32 i; .reg .f32 a, b, c, d, u, l;\n"
	"  ld.param.u64 to, [A]; ld.param.u64 h, [B]; mov.u32 i, %tid.x;\n"
	"  cvt.rn.f32.u32 l, i; mov.f32 u, 0f3F000000;\n"
	"  tex.level.2d.v4.f32.f32 {a, b, c, d}, [h, {u, u}], l;\n"
	"  mul.wide.u32 o, i, 4; add.u64 to, to, o; st.global.f32 [to], a;\n"
	"  ret; }\n"
	/* through the reference, n nanoseconds after the start */
	".visible .entry refer(.param .u64 A, .param .u64 B)\n"
	"{ .reg .u64 to, s, e, n; .reg .f32 a, b, c, d, u; .reg .pred q;\n"
	"  ld.param.u64 to, [A]; ld.param.u64 n, [B];\n"
	"  mov.u64 s, %globaltimer;\n"
	"L: mov.u64 e, %globaltimer; sub.u64 e, e, s; setp.lt.u64 q, e, n;\n"
	"  @q bra L; mov.f32 u, 0f3F000000;\n"
	"  tex.2d.v4.f32.f32 {a, b, c, d}, [tr, {u, u}];\n"
	"  st.global.f32 [to], a; ret; }\n"
	/* its number, to a surface 8 wide */
	".visible .entry write(.param .u64 A)\n"
	"{ .reg .u64 h; .reg .b32 i, x, y; .reg .f32 v; ld.param.u64 h, [A];\n"
	"  mov.u32 i, %tid.x; and.b32 x, i, 7; shl.b32 x, x, 2;\n"
	"  shr.u32 y, i, 3; cvt.rn.f32.u32 v, i; mov.b32 i, v;\n"
	"  sust.b.2d.b32.trap [h, {x, y}], {i}; ret; }\n";

enum { W = 8, H = 6, D = 5 };   /* of arrays of words */

static CUcontext context;
static CUdeviceptr out;
static CUmodule module;
static unsigned seed = 1;

static unsigned
random_below(unsigned n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static CUfunction
get(const char *name)
{
	CUfunction f = 0;

	OK(cuModuleGetFunction(&f, module, name));
	return f;
}

static CUarray
make(size_t w, size_t h, size_t d, unsigned flags)
{
	CUDA_ARRAY3D_DESCRIPTOR a = { w, h, d, CU_AD_FORMAT_FLOAT, 1, flags };
	CUarray array = 0;

	OK(cuArray3DCreate_v2(&array, &a));
	return array;
}

/* all of a plane, from or to the host */
static void
plane(CUarray a, float *p, size_t w, size_t h, bool in)
{
	CUDA_MEMCPY2D c = { .WidthInBytes = w * 4, .Height = h };

	c.srcMemoryType = in ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
	c.dstMemoryType = in ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
	c.srcHost = c.dstHost = p;
	c.srcArray = c.dstArray = a;
	c.srcPitch = c.dstPitch = w * 4;
	OK(cuMemcpy2D_v2(&c));
}

static CUarray
filled(float v)
{
	float texel[W * H];
	CUarray a = make(W, H, 0, CUDA_ARRAY3D_SURFACE_LDST);
	int i;

	for (i = 0; i < W * H; i++)
		texel[i] = v + (float)i;
	plane(a, texel, W, H, true);
	return a;
}

static CUtexObject
texture_of(CUarray a)
{
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY };
	CUDA_TEXTURE_DESC s = { .filterMode = CU_TR_FILTER_MODE_POINT };
	CUtexObject t = 0;

	r.res.array.hArray = a;
	OK(cuTexObjectCreate(&t, &r, &s, 0));
	return t;
}

static void
run(CUfunction f, unsigned threads, uint64_t a, uint64_t b)
{
	void *args[] = { &a, &b };

	OK(cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, 0, args, 0));
}

/* boxes: an array, memory of the device and memory of the host hold the same
 * in turn; model is what they should */

static uint32_t model[D][H][W], host[D][H][W];

struct place {
	CUmemorytype type;
	CUarray array;
	CUdeviceptr p;
};

static void
copy_all(const struct place *to, const struct place *from)
{
	CUDA_MEMCPY3D c = {
		.srcMemoryType = from->type, .srcArray = from->array,
		.srcDevice = from->p, .srcHost = host, .srcPitch = W * 4,
		.srcHeight = H,
		.dstMemoryType = to->type, .dstArray = to->array,
		.dstDevice = to->p, .dstHost = host, .dstPitch = W * 4,
		.dstHeight = H, .WidthInBytes = W * 4, .Height = H, .Depth = D
	};
	size_t x = random_below(W), y = random_below(H), z = random_below(D);

	/* in four parts, so that each begins and ends anywhere */
	c.Depth = z;
	OK(cuMemcpy3D_v2(&c));
	c.srcZ = c.dstZ = z;
	c.Depth = D - z;
	c.Height = y;
	OK(cuMemcpy3DAsync_v2(&c, 0));
	c.srcY = c.dstY = y;
	c.Height = H - y;
	c.WidthInBytes = x * 4;
	OK(cuMemcpy3DAsync_v2(&c, 0));
	c.srcXInBytes = c.dstXInBytes = x * 4;
	c.WidthInBytes = (W - x) * 4;
	OK(cuMemcpy3D_v2(&c));
}

static void
boxes(void)
{
	struct place place[4] = {
		{ .type = CU_MEMORYTYPE_HOST },
		{ .type = CU_MEMORYTYPE_ARRAY, .array = make(W, H, D, 0) },
		{ .type = CU_MEMORYTYPE_DEVICE },
		{ .type = CU_MEMORYTYPE_ARRAY, .array = make(W, H, D,
			CUDA_ARRAY3D_LAYERED) },
	};
	unsigned i, at = 0, next;

	OK(cuMemAlloc_v2(&place[2].p, sizeof model));
	for (i = 0; i < W * H * D; i++)
		((uint32_t *)model)[i] = i * 0x01010101;
	memcpy(host, model, sizeof host);
	for (i = 0; i < 40; i++) {
		next = random_below(4);
		if (next == at)
			continue;
		copy_all(&place[next], &place[at]);
		if (at == 0)
			memset(host, 0xee, sizeof host);
		at = next;
	}
	if (at)
		copy_all(&place[0], &place[at]);
	OK(cuCtxSynchronize());
	TRUE(!memcmp(model, host, sizeof model));
	OK(cuMemFree_v2(place[2].p));
	OK(cuArrayDestroy(place[1].array));
	OK(cuArrayDestroy(place[3].array));
}

/* lines of one row, by each name */
static void
lines(void)
{
	CUarray a = make(W, H, 0, 0), b = make(W, H, 0, 0);
	uint32_t to[W] = { 1, 2, 3, 4, 5, 6, 7, 8 }, from[W] = {0};
	CUdeviceptr p;

	OK(cuMemAlloc_v2(&p, sizeof to));
	OK(cuMemcpyHtoA_v2(a, 0, to, sizeof to));
	OK(cuMemcpyAtoA_v2(b, 8, a, 4, 12));
	OK(cuMemcpyAtoD_v2(p + 4, b, 8, 12));
	OK(cuMemcpyDtoA_v2(a, 16, p + 8, 8));
	OK(cuMemcpyAtoHAsync_v2(from, a, 0, sizeof from, 0));
	OK(cuStreamSynchronize(0));
	TRUE(from[0] == 1 && from[3] == 4 && from[4] == 3 && from[5] == 4 &&
		from[6] == 7);
	OK(cuMemcpyHtoAAsync_v2(a, 4, from, 4, 0));
	OK(cuMemcpyAtoH_v2(from + 7, a, 4, 4));
	IS(from[7], 1);
	OK(cuMemFree_v2(p));
	OK(cuArrayDestroy(a));
	OK(cuArrayDestroy(b));
}

static void
batch(void)
{
	CUarray a = filled(0), b = filled(100);
	CUDA_MEMCPY3D_BATCH_OP op[2] = {
		{ .extent = { 3, 2, 1 },
			.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM },
		{ .extent = { W, 1, 1 },
			.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM }
	};
	float texel[W * H], row[W] = { 7, 7, 7, 7, 7, 7, 7, 7 };
	CUstream s;

	OK(cuStreamCreate(&s, 0));
	op[0].src.type = op[0].dst.type = CU_MEMCPY_OPERAND_TYPE_ARRAY;
	op[0].src.op.array.array = a;
	op[0].dst.op.array.array = b;
	op[0].dst.op.array.offset.x = 2;
	op[0].dst.op.array.offset.y = 1;
	op[1].src.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
	op[1].src.op.ptr.ptr = (uintptr_t)row;
	op[1].dst.type = CU_MEMCPY_OPERAND_TYPE_ARRAY;
	op[1].dst.op.array.array = b;
	op[1].dst.op.array.offset.y = 4;
	OK(cuMemcpy3DBatchAsync_v2(2, op, 0, s));
	OK(cuStreamSynchronize(s));
	plane(b, texel, W, H, false);
	TRUE(texel[W + 1] == 109 && texel[W + 2] == 0 && texel[W + 4] == 2);
	TRUE(texel[2 * W + 4] == 10 && texel[2 * W + 5] == 121);
	TRUE(texel[4 * W] == 7 && texel[4 * W + 7] == 7 && texel[5 * W] == 140);
	OK(cuStreamDestroy_v2(s));
	OK(cuArrayDestroy(a));
	OK(cuArrayDestroy(b));
}

/* levels keep apart, and a texture sees each */
static void
levels(void)
{
	CUDA_ARRAY3D_DESCRIPTOR d = { 13, 9, 0, CU_AD_FORMAT_FLOAT, 1, 0 };
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY };
	CUDA_TEXTURE_DESC s = { .flags = CU_TRSF_NORMALIZED_COORDINATES,
		.maxMipmapLevelClamp = 10 };
	float texel[13 * 9], got[4] = {0};
	CUmipmappedArray m;
	CUtexObject t = 0;
	CUarray a;
	unsigned l, i;

	OK(cuMipmappedArrayCreate(&m, &d, 4));
	for (l = 0; l < 4; l++) {
		for (i = 0; i < 13 * 9; i++)
			texel[i] = (float)(l * 1000 + 1);
		OK(cuMipmappedArrayGetLevel(&a, m, l));
		plane(a, texel, 13 >> l, 9 >> l, true);
	}
	for (l = 0; l < 4; l++) {
		OK(cuMipmappedArrayGetLevel(&a, m, l));
		plane(a, texel, 13 >> l, 9 >> l, false);
		for (i = 0; i < (13u >> l) * (9u >> l); i++)
			if (texel[i] != (float)(l * 1000 + 1))
				break;
		IS(i, (13u >> l) * (9u >> l));
	}
	r.res.mipmap.hMipmappedArray = m;
	OK(cuTexObjectCreate(&t, &r, &s, 0));
	run(get("level"), 4, out, t);
	OK(cuMemcpyDtoH_v2(got, out, sizeof got));
	TRUE(got[0] == 1 && got[1] == 1001 && got[2] == 2001 && got[3] == 3001);
	OK(cuTexObjectDestroy(t));
	OK(cuMipmappedArrayDestroy(m));
}

/* what is not there says so */
static void
refused(void)
{
	CUDA_ARRAY3D_DESCRIPTOR a = { W, H, 0, CU_AD_FORMAT_BC1_UNORM, 4, 0 };
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY };
	CUDA_RESOURCE_VIEW_DESC v = { .width = W, .height = H,
		.format = CU_RES_VIEW_FORMAT_UNSIGNED_BC1 };
	CUDA_TEXTURE_DESC s = {0};
	CUmipmappedArray m;
	CUtexObject t;
	CUarray array;

	IS(cuArray3DCreate_v2(&array, &a), CUDA_ERROR_NOT_SUPPORTED);
	IS(cuMipmappedArrayCreate(&m, &a, 2), CUDA_ERROR_NOT_SUPPORTED);
	a.Format = CU_AD_FORMAT_FLOAT;
	a.Flags = CUDA_ARRAY3D_SPARSE;
	IS(cuArray3DCreate_v2(&array, &a), CUDA_ERROR_NOT_SUPPORTED);
	r.res.array.hArray = filled(0);
	IS(cuTexObjectCreate(&t, &r, &s, &v), CUDA_ERROR_NOT_SUPPORTED);
	OK(cuArrayDestroy(r.res.array.hArray));
}

/* more than the first slab of the heap holds, freed and made again */
static void
many(void)
{
	enum { N = 150 };
	CUarray a = filled(0), b = filled(500);
	CUtexObject t[N];
	float got[W];
	int i, k;

	for (i = 0; i < N; i++) {
		t[i] = texture_of(i % 3 ? a : b);
		for (k = 0; k < i; k++)
			if (t[k] == t[i])
				break;
		IS(k, i);
	}
	for (i = 0; i < N; i += 2)
		OK(cuTexObjectDestroy(t[i]));
	for (i = 0; i < N; i += 2)
		t[i] = texture_of(i % 3 ? a : b);
	for (i = 0; i < N; i += 7) {
		run(get("plane"), W, out, t[i]);
		OK(cuMemcpyDtoH_v2(got, out, sizeof got));
		IS(got[5], i % 3 ? 5 : 505);
	}
	for (i = 0; i < N; i++)
		OK(cuTexObjectDestroy(t[i]));
	OK(cuArrayDestroy(a));
	OK(cuArrayDestroy(b));
}

static void
surface(void)
{
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY };
	CUarray a = filled(-100);
	float texel[W * H];
	CUsurfObject s;
	CUtexObject t;
	int i;

	r.res.array.hArray = a;
	OK(cuSurfObjectCreate(&s, &r));
	t = texture_of(a);
	run(get("write"), W * 3, s, 0);
	plane(a, texel, W, H, false);
	for (i = 0; i < W * H && texel[i] == (float)(i < W * 3 ? i : i - 100);
		i++)
		;
	IS(i, W * H);
	run(get("plane"), W * H, out, t);
	OK(cuMemcpyDtoH_v2(texel, out, sizeof texel));
	TRUE(texel[W * 3 - 1] == W * 3 - 1 && texel[W * 3] == W * 3 - 100);
	OK(cuTexObjectDestroy(t));
	OK(cuSurfObjectDestroy(s));
	OK(cuArrayDestroy(a));
}

/* A kernel reads what was bound when it was launched. */
static void
reference(void)
{
	CUarray a = filled(1), b = filled(2);
	CUfunction f = get("refer");
	float got[3] = {0};
	CUtexref t;

	OK(cuModuleGetTexRef(&t, module, "tr"));
	OK(cuTexRefSetArray(t, a, CU_TRSA_OVERRIDE_FORMAT));
	run(f, 1, out, 20000000);
	OK(cuTexRefSetArray(t, b, CU_TRSA_OVERRIDE_FORMAT));
	run(f, 1, out + 4, 0);
	OK(cuTexRefSetFlags(t, CU_TRSF_NORMALIZED_COORDINATES));
	run(f, 1, out + 8, 0);
	OK(cuMemcpyDtoH_v2(got, out, sizeof got));
	IS(got[0], 1);
	IS(got[1], 2);
	IS(got[2], 2 + W * H / 2 + W / 2);
	OK(cuTexRefSetAddress_v2(0, t, 0, 0));
	OK(cuArrayDestroy(a));
	OK(cuArrayDestroy(b));
}

/* a library's, in the context that uses it */
static void
in_library(void)
{
	CUarray a = filled(30);
	float got = 0;
	CUlibrary l;
	CUkernel k;
	CUmodule m;
	CUtexref t;
	CUfunction f;

	OK(cuLibraryLoadData(&l, text, 0, 0, 0, 0, 0, 0));
	OK(cuLibraryGetKernel(&k, l, "refer"));
	OK(cuLibraryGetModule(&m, l));
	OK(cuModuleGetTexRef(&t, m, "tr"));
	OK(cuTexRefSetArray(t, a, CU_TRSA_OVERRIDE_FORMAT));
	OK(cuKernelGetFunction(&f, k));
	run(f, 1, out, 0);
	OK(cuMemcpyDtoH_v2(&got, out, sizeof got));
	IS(got, 30);
	OK(cuLibraryUnload(l));
	OK(cuArrayDestroy(a));
}

/* copies of arrays and reads of textures, in a graph */
static void
captured(void)
{
	CUarray a = filled(1), b = filled(2);
	CUDA_MEMCPY2D c = { .srcMemoryType = CU_MEMORYTYPE_ARRAY,
		.srcArray = a, .dstMemoryType = CU_MEMORYTYPE_ARRAY,
		.dstArray = b, .WidthInBytes = W * 4, .Height = H };
	CUtexObject t = texture_of(b);
	CUfunction f = get("plane");
	void *args[] = { &out, &t };
	float got = 0, texel[W * H];
	CUgraphExec e;
	CUgraph g;
	CUstream s;

	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	OK(cuStreamBeginCapture_v2(s, CU_STREAM_CAPTURE_MODE_RELAXED));
	OK(cuMemcpy2DAsync_v2(&c, s));
	OK(cuLaunchKernel(f, 1, 1, 1, W * H, 1, 1, 0, s, args, 0));
	OK(cuStreamEndCapture(s, &g));
	OK(cuGraphInstantiateWithFlags(&e, g, 0));
	plane(b, texel, W, H, false);
	IS(texel[0], 2);
	OK(cuGraphLaunch(e, s));
	OK(cuStreamSynchronize(s));
	OK(cuMemcpyDtoH_v2(&got, out, sizeof got));
	IS(got, 1);
	OK(cuGraphExecDestroy(e));
	OK(cuGraphDestroy(g));
	OK(cuTexObjectDestroy(t));
	OK(cuStreamDestroy_v2(s));
	OK(cuArrayDestroy(a));
	OK(cuArrayDestroy(b));
}

/* contexts: what is one's is not the other's, and goes with it */
static void
contexts(CUdevice dev)
{
	CUDA_RESOURCE_DESC r = { .resType = CU_RESOURCE_TYPE_ARRAY };
	CUDA_TEXTURE_DESC s = {0};
	CUDA_ARRAY3D_DESCRIPTOR d = { 8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0 };
	CUarray a = filled(0), b;
	CUmipmappedArray m;
	CUtexObject t;
	CUtexref own;
	CUcontext c;

	OK(cuCtxCreate_v2(&c, 0, dev));
	r.res.array.hArray = a;
	IS(cuTexObjectCreate(&t, &r, &s, 0), CUDA_ERROR_INVALID_VALUE);
	b = make(W, H, 0, 0);
	OK(cuMipmappedArrayCreate(&m, &d, 4));
	OK(cuTexRefCreate(&own));
	texture_of(b);
	OK(cuCtxDestroy_v2(c));
	IS(cuArray3DGetDescriptor_v2(&d, b), CUDA_ERROR_INVALID_HANDLE);
	IS(cuMipmappedArrayDestroy(m), CUDA_ERROR_INVALID_HANDLE);
	IS(cuTexRefDestroy(own), CUDA_ERROR_INVALID_HANDLE);
	OK(cuArray3DGetDescriptor_v2(&d, a));
	OK(cuArrayDestroy(a));
}

/* arrays of two devices */
static void
peers(CUdevice second)
{
	CUDA_MEMCPY3D_PEER p = { .srcMemoryType = CU_MEMORYTYPE_ARRAY,
		.dstMemoryType = CU_MEMORYTYPE_ARRAY, .WidthInBytes = W * 4,
		.Height = H, .Depth = 1 };
	float texel[W * H] = {0};
	CUcontext there;
	CUarray a, b;

	a = filled(40);
	OK(cuCtxCreate_v2(&there, 0, second));
	b = filled(0);
	p.srcContext = context;
	p.srcArray = a;
	p.dstContext = there;
	p.dstArray = b;
	OK(cuMemcpy3DPeer(&p));
	plane(b, texel, W, H, false);
	IS(texel[W * H - 1], 40 + W * H - 1);
	OK(cuCtxDestroy_v2(there));
	OK(cuArrayDestroy(a));
}

static void *
worker(void *arg)
{
	int i;

	(void)arg;
	OK(cuCtxSetCurrent(context));
	for (i = 0; i < 40; i++) {
		CUarray a = filled((float)i);
		CUtexObject t = texture_of(a);

		OK(cuTexObjectDestroy(t));
		OK(cuArrayDestroy(a));
	}
	return 0;
}

static void
threads(void)
{
	pthread_t t[4];
	int i;

	for (i = 0; i < 4; i++)
		OK(pthread_create(&t[i], 0, worker, 0));
	for (i = 0; i < 4; i++)
		OK(pthread_join(t[i], 0));
}

int
main(void)
{
	int n = 0;
	CUdevice dev;

	OK(cuInit(0));
	OK(cuDeviceGetCount(&n));
	OK(cuDeviceGet(&dev, 0));
	OK(cuCtxCreate_v2(&context, 0, dev));
	OK(cuMemAlloc_v2(&out, 4096));
	OK(cuModuleLoadData(&module, text));
	boxes();
	lines();
	batch();
	levels();
	refused();
	many();
	surface();
	reference();
	in_library();
	captured();
	contexts(dev);
	if (n > 1)
		peers(1);
	threads();
	OK(cuModuleUnload(module));
	OK(cuCtxDestroy_v2(context));
	return check_end();
}
