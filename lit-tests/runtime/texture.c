/* texture.c - what kernels read from textures against the model of the texture
 * unit (lit-tests/lib/tex_model.h), bit for bit.
 *
 *	texture FIRST COUNT
 *
 * runs the cases of these numbers.  What a case is comes from its number alone.
 */
#include "check.h"
#include "tex_model.h"

#include <math.h>

enum { POINTS = 64, WORDS = 12 };       /* of a point: see struct point */
enum kind { TEX, LEVEL, GRAD, GATHER, FETCH };

struct point {
	union {
		float f[3];
		int32_t i[3];
	} x;
	uint32_t layer;
	float lod, dx[3], dy[3], unused;
};
_Static_assert(sizeof (struct point) == 4 * WORDS, "point");

static const struct geometry {
	const char *name;
	int dims;
	const char *at;         /* operands; f is float or r */
	unsigned array;         /* flags of the array */
	unsigned flags;         /* … of the texture */
	const char *gradients;
	unsigned kinds;         /* that the geometry has, as a set */
} geometry[] = {
	{ "1d", 1, "{%%%c0}", 0, TEXTURE_1D, "{%f5}, {%f8}",
		1 << TEX | 1 << LEVEL | 1 << GRAD | 1 << FETCH },
	{ "2d", 2, "{%%%c0, %%%c1}", 0, 0, "{%f5, %f6}, {%f8, %f9}",
		1 << TEX | 1 << LEVEL | 1 << GRAD | 1 << GATHER | 1 << FETCH },
	{ "3d", 3, "{%%%c0, %%%c1, %%%c2, %%%c2}", 0, TEXTURE_3D,
		"{%f5, %f6, %f7, %f7}, {%f8, %f9, %f10, %f10}",
		1 << TEX | 1 << LEVEL | 1 << GRAD | 1 << FETCH },
	{ "a1d", 1, "{%%r3, %%%c0}", CUDA_ARRAY3D_LAYERED,
		TEXTURE_1D | TEXTURE_LAYERED, "{%f5}, {%f8}",
		1 << TEX | 1 << LEVEL | 1 << GRAD | 1 << FETCH },
	{ "a2d", 2, "{%%r3, %%%c0, %%%c1, %%%c1}", CUDA_ARRAY3D_LAYERED,
		TEXTURE_LAYERED, "{%f5, %f6}, {%f8, %f9}",
		1 << TEX | 1 << LEVEL | 1 << GRAD | 1 << FETCH },
	{ "cube", 3, "{%%%c0, %%%c1, %%%c2, %%%c2}", CUDA_ARRAY3D_CUBEMAP,
		TEXTURE_CUBE, 0, 1 << TEX | 1 << LEVEL },
	{ "acube", 3, "{%%r3, %%%c0, %%%c1, %%%c2}",
		CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED,
		TEXTURE_CUBE | TEXTURE_LAYERED, 0, 1 << TEX | 1 << LEVEL },
};
enum { GEOMETRIES = sizeof geometry / sizeof *geometry };

static const struct {
	CUarray_format code;
	int bytes;
} format[] = {
	[TEXTURE_U8]  = { CU_AD_FORMAT_UNSIGNED_INT8, 1 },
	[TEXTURE_S8]  = { CU_AD_FORMAT_SIGNED_INT8, 1 },
	[TEXTURE_U16] = { CU_AD_FORMAT_UNSIGNED_INT16, 2 },
	[TEXTURE_S16] = { CU_AD_FORMAT_SIGNED_INT16, 2 },
	[TEXTURE_U32] = { CU_AD_FORMAT_UNSIGNED_INT32, 4 },
	[TEXTURE_S32] = { CU_AD_FORMAT_SIGNED_INT32, 4 },
	[TEXTURE_F16] = { CU_AD_FORMAT_HALF, 2 },
	[TEXTURE_F32] = { CU_AD_FORMAT_FLOAT, 4 },
};

struct texture_case {
	const struct geometry *geometry;
	enum kind kind;
	int component;          /* of GATHER */
	int slices;             /* of a level: layers, faces; 1 of a 3D one */
	struct texture model;
	struct point at[POINTS];
};

/* numbers that depend on the case alone */
static uint32_t seed;

static uint32_t
next(void)
{
	seed += 0x9e3779b9;
	uint32_t a = seed;

	a = (a ^ a >> 16) * 0x7feb352d;
	a = (a ^ a >> 15) * 0x846ca68b;
	return a ^ a >> 16;
}

static unsigned
below(unsigned n)
{
	return (unsigned)((uint64_t)next() * n >> 32);
}

static float
between(double a, double b)
{
	return (float)(a + (b - a) * next() / 4294967296.0);
}

/* a case */

static bool
is_float(const struct texture *t)
{
	return t->flags & TEXTURE_UNORM || t->format >= TEXTURE_F16;
}

static void
choose_sampler(struct texture_case *c)
{
	static const float colour[4] = { 0.25f, -0.5f, 1, 0.75f };
	struct texture *t = &c->model;
	bool filter = is_float(t);
	int k;

	t->filter = filter && below(3);
	t->mip_filter = filter && t->levels > 1 && below(2);
	if (below(2) || t->flags & TEXTURE_CUBE || t->levels > 1)
		t->flags |= TEXTURE_NORMALIZED;
	if (t->flags & TEXTURE_CUBE && below(2))
		t->flags |= TEXTURE_SEAMLESS;
	for (k = 0; k < 3; k++)
		t->address[k] = below(4);
	if (below(2))
		memcpy(t->border, colour, sizeof colour);
	/* which would be no code of sRGB */
	if (t->flags & TEXTURE_SRGB)
		t->border[0] = 1;
	t->max_lod = 16;
	if (t->levels > 1 && below(2)) {
		t->bias = between(-1, 1);
		t->min_lod = between(0, 1);
		t->max_lod = between(1, 3);
	}
}

static void
choose_levels(struct texture_case *c)
{
	struct texture *t = &c->model;
	int dims = t->flags & TEXTURE_CUBE ? 2 : c->geometry->dims;
	uint32_t w = 1 + below(13), h = 1 + below(11), d = 1 + below(6), i;

	h = t->flags & TEXTURE_CUBE ? w : dims > 1 ? h : 1;
	d = dims > 2 ? d : 1;
	t->layers = t->flags & TEXTURE_LAYERED ? 1 + below(3) : 1;
	c->slices = (int)t->layers * (t->flags & TEXTURE_CUBE ? 6 : 1);
	t->levels = c->kind == LEVEL || c->kind == GRAD ? 1 + below(3) : 1;
	for (i = 0; i < t->levels; i++) {
		struct texture_level *l = &t->level[i];

		l->width = w >> i ? w >> i : 1;
		l->height = h >> i ? h >> i : 1;
		l->depth = d >> i ? d >> i : 1;
		l->pitch = l->width * t->texel;
		l->slice = (uint64_t)l->pitch * l->height;
		if (l->width == 1 && l->height == 1 && l->depth == 1)
			break;
	}
	t->levels = i < t->levels ? i + 1 : t->levels;
}

static uint32_t
texel(const struct texture *t)
{
	static const uint32_t special[] = {
		0, 0x80000000, 1, 0x7f800000, 0xff800000, 0x7fc00000,
		0x7f7fffff, 0x00800000,
	};
	uint32_t u = next();

	/* no NaN but quiet ones: halves are converted as the device does it */
	if (t->format == TEXTURE_F16 && u >> 28)
		return (u & 0x83ff) | (8 + below(12)) << 10;
	if (t->format == TEXTURE_F16)
		return (u & 0x7c00) == 0x7c00 && u & 0x3ff ? u | 0x200 : u;
	if (t->format != TEXTURE_F32)
		return u;
	if (u >> 28 == 0)
		return special[below(8)];
	return (u & 0x807fffff) | (120 + below(14)) << 23;
}

static void
choose_texels(struct texture_case *c)
{
	struct texture *t = &c->model;
	int bytes = format[t->format].bytes;
	size_t i, j, size;
	unsigned char *p;
	uint32_t v;

	for (i = 0; i < t->levels; i++) {
		struct texture_level *l = &t->level[i];

		size = l->slice * l->depth * c->slices;
		p = malloc(size);
		l->base = (uintptr_t)p;
		for (j = 0; j < size; j += bytes) {
			v = texel(t);
			memcpy(p + j, &v, bytes);
		}
	}
}

static float
coordinate(const struct texture *t, int k)
{
	static const float special[] = {
		NAN, INFINITY, -INFINITY, 1e-40f, -0.0f, 1e9f, -3e38f, 65536,
	};
	uint32_t size[3] = { t->level[0].width, t->level[0].height,
		t->level[0].depth };
	float u;

	if (below(24) == 0)
		return special[below(8)];
	if (t->flags & TEXTURE_CUBE)
		return below(4) ? between(-2, 2) : below(3) - 1.f;
	u = between(-1, 2) * (float)size[k];
	if (below(2))
		u = floorf(u * 512) / 512;
	return t->flags & TEXTURE_NORMALIZED ? u / (float)size[k] : u;
}

static void
choose_points(struct texture_case *c)
{
	const struct texture *t = &c->model;
	int i, k;

	for (i = 0; i < POINTS; i++) {
		struct point *p = &c->at[i];

		for (k = 0; k < 3; k++) {
			if (c->kind == FETCH)
				p->x.i[k] = (int)below(14) - 1;
			else
				p->x.f[k] = coordinate(t, k);
			p->dx[k] = between(-1, 1) * (float)below(2);
			p->dy[k] = between(-1, 1) * (float)below(3) / 4;
		}
		p->layer = below(5) - 1;
		p->lod = below(16) ? between(-1, 4) : NAN;
	}
}

static void
choose(struct texture_case *c, int number)
{
	struct texture *t = &c->model;

	memset(c, 0, sizeof *c);
	seed = (uint32_t)number * 0x01000193;
	c->geometry = &geometry[below(GEOMETRIES)];
	do
		c->kind = below(5);
	while (!(c->geometry->kinds >> c->kind & 1));
	t->flags = c->geometry->flags;
	t->format = below(8);
	t->channels = 1 << below(3);
	t->texel = t->channels * format[t->format].bytes;
	if (t->format <= TEXTURE_S16 && below(3))
		t->flags |= TEXTURE_UNORM;
	if (t->flags & TEXTURE_UNORM && t->format == TEXTURE_U8 && below(2))
		t->flags |= TEXTURE_SRGB;
	c->component = below(4);
	choose_levels(c);
	choose_sampler(c);
	choose_texels(c);
	choose_points(c);
}

static void
release(struct texture_case *c)
{
	uint32_t i;

	for (i = 0; i < c->model.levels; i++)
		free((void *)(uintptr_t)c->model.level[i].base);
}

/* kernels */

/* the instruction of a case; also names its kernel */
static void
instruction(const struct texture_case *c, char out[64])
{
	static const char *const kind[] = {
		[TEX] = "tex", [LEVEL] = "tex.level", [GRAD] = "tex.grad",
		[GATHER] = "tld4.%c", [FETCH] = "tex",
	};
	char name[16];

	snprintf(name, sizeof name, kind[c->kind], "rgba"[c->component]);
	snprintf(out, 64, "%s.%s.v4.%s.%s", name, c->geometry->name,
		is_float(&c->model) ? "f32" : "u32",
		c->kind == FETCH ? "s32" : "f32");
}

/* the text of its kernel; every word of a point has a register r and one f */
static void
kernel(const struct texture_case *c, const char *insn, char *out, size_t size)
{
	const char *more = c->kind == LEVEL ? ", %f4" :
		c->kind == GRAD ? ", " : "";
	char at[64], d = is_float(&c->model) ? 'f' : 'r', x;
	size_t n = 0;
	int i;

#define ADD(...) n += snprintf(out + n, size - n, __VA_ARGS__)
	x = c->kind == FETCH ? 'r' : 'f';
	snprintf(at, sizeof at, c->geometry->at, x, x, x, x);
	ADD(".version 7.0\n.target sm_80\n.address_size 64\n"
		".visible .entry k(.param .u64 out, .param .u64 in, "
		".param .u64 handle)\n{\n"
		"\t.reg .b32 %%r<32>; .reg .f32 %%f<32>; .reg .b64 %%d<6>;\n"
		"\tld.param.u64 %%d0, [out];\n\tld.param.u64 %%d1, [in];\n"
		"\tld.param.u64 %%d2, [handle];\n"
		"\tmov.u32 %%r30, %%tid.x;\n"
		"\tmad.wide.u32 %%d0, %%r30, 16, %%d0;\n"
		"\tmad.wide.u32 %%d1, %%r30, %d, %%d1;\n", 4 * WORDS);
	for (i = 0; i < WORDS - 1; i++)
		ADD("\tld.global.u32 %%r%d, [%%d1+%d];\n"
			"\tmov.b32 %%f%d, %%r%d;\n", i, 4 * i, i, i);
	ADD("\t%s {%%%c20, %%%c21, %%%c22, %%%c23}, [%%d2, %s]%s%s;\n",
		insn, d, d, d, d, at, more,
		c->kind == GRAD ? c->geometry->gradients : "");
	for (i = 20; i < 24; i++)
		ADD("\tst.global.%c32 [%%d0+%d], %%%c%d;\n",
			d == 'f' ? 'f' : 'u', 4 * (i - 20), d, i);
	ADD("\tret;\n}\n");
#undef ADD
}

static CUfunction
function(const struct texture_case *c)
{
	static struct {
		char name[64];
		CUfunction f;
	} known[128];
	char name[64], text[4096];
	CUmodule m = 0;
	int i;

	instruction(c, name);
	for (i = 0; known[i].f; i++)
		if (!strcmp(known[i].name, name))
			return known[i].f;
	strcpy(known[i].name, name);
	kernel(c, name, text, sizeof text);
	OK(cuModuleLoadData(&m, text));
	OK(cuModuleGetFunction(&known[i].f, m, "k"));
	return known[i].f;
}

/* objects */

static void
upload(const struct texture_case *c, CUarray array, int level)
{
	const struct texture_level *l = &c->model.level[level];
	CUDA_MEMCPY3D m = {
		.srcMemoryType = CU_MEMORYTYPE_HOST,
		.srcHost = (void *)(uintptr_t)l->base,
		.srcPitch = l->pitch, .srcHeight = l->height,
		.dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = array,
		.WidthInBytes = l->pitch, .Height = l->height,
		.Depth = (size_t)l->depth * c->slices,
	};

	OK(cuMemcpy3D_v2(&m));
}

/* one level is an array, more are a mipmapped one */
static void
resource(const struct texture_case *c, CUDA_RESOURCE_DESC *r)
{
	const struct texture *t = &c->model;
	bool flat = t->flags & TEXTURE_1D, deep = t->flags & TEXTURE_3D;
	CUDA_ARRAY3D_DESCRIPTOR a = {
		.Width = t->level[0].width,
		.Height = flat ? 0 : t->level[0].height,
		.Depth = deep ? t->level[0].depth :
			t->flags & (TEXTURE_LAYERED | TEXTURE_CUBE) ?
			(size_t)c->slices : 0,
		.Format = format[t->format].code, .NumChannels = t->channels,
		.Flags = c->geometry->array |
			(c->kind == GATHER ? CUDA_ARRAY3D_TEXTURE_GATHER : 0),
	};
	CUarray array;
	uint32_t i;

	memset(r, 0, sizeof *r);
	if (t->levels == 1) {
		OK(cuArray3DCreate_v2(&r->res.array.hArray, &a));
		upload(c, r->res.array.hArray, 0);
		return;
	}
	r->resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
	OK(cuMipmappedArrayCreate(&r->res.mipmap.hMipmappedArray, &a,
		t->levels));
	for (i = 0; i < t->levels; i++) {
		OK(cuMipmappedArrayGetLevel(&array,
			r->res.mipmap.hMipmappedArray, i));
		upload(c, array, (int)i);
	}
}

static CUtexObject
object(const struct texture *t, const CUDA_RESOURCE_DESC *r)
{
	CUDA_TEXTURE_DESC d = {
		.filterMode = t->filter, .mipmapFilterMode = t->mip_filter,
		.mipmapLevelBias = t->bias,
		.minMipmapLevelClamp = t->min_lod,
		.maxMipmapLevelClamp = t->max_lod,
		.flags = (is_float(t) ? 0 : CU_TRSF_READ_AS_INTEGER) |
			(t->flags & TEXTURE_NORMALIZED ?
				CU_TRSF_NORMALIZED_COORDINATES : 0) |
			(t->flags & TEXTURE_SRGB ? CU_TRSF_SRGB : 0) |
			(t->flags & TEXTURE_SEAMLESS ?
				CU_TRSF_SEAMLESS_CUBEMAP : 0),
	};
	CUtexObject o = 0;
	int k;

	for (k = 0; k < 3; k++)
		d.addressMode[k] = t->address[k];
	memcpy(d.borderColor, t->border, sizeof d.borderColor);
	OK(cuTexObjectCreate(&o, r, &d, 0));
	return o;
}

/* running */

static CUdeviceptr in, out;

static void
expected(const struct texture_case *c, int i, uint32_t want[4])
{
	const struct point *p = &c->at[i];
	struct tex_at a = {
		.dims = c->geometry->dims, .integer = c->kind == FETCH,
		.layer = p->layer, .level = p->lod,
		.gather = c->kind == GATHER ? c->component : -1,
		.lod = c->kind == LEVEL ? TEX_LEVEL :
			c->kind == GRAD ? TEX_GRAD : TEX_AUTO,
	};

	memcpy(a.x, p->x.f, sizeof a.x);
	memcpy(a.i, p->x.i, sizeof a.i);
	memcpy(a.dx, p->dx, sizeof a.dx);
	memcpy(a.dy, p->dy, sizeof a.dy);
	tex_sample(&c->model, &a, want);
}

static void
describe(const struct texture_case *c, int number)
{
	const struct texture *t = &c->model;
	char name[64];

	instruction(c, name);
	printf("case %d: %s %ux%ux%u, %d slices, %u levels, format %u of %u, "
		"flags %#x, filter %u %u, address %u %u %u\n", number, name,
		t->level[0].width, t->level[0].height, t->level[0].depth,
		c->slices, t->levels, t->format, t->channels, t->flags,
		t->filter, t->mip_filter, t->address[0], t->address[1],
		t->address[2]);
}

static void
compare(const struct texture_case *c, int number)
{
	uint32_t got[POINTS][4], want[4];
	int i, bad = 0;

	OK(cuMemcpyDtoH_v2(got, out, sizeof got));
	for (i = 0; i < POINTS; i++) {
		const float *x = c->at[i].x.f;

		expected(c, i, want);
		if (!memcmp(got[i], want, sizeof want))
			continue;
		if (!bad++)
			describe(c, number);
		if (bad < 4)
			printf("  at %.9g %.9g %.9g, layer %u, lod %g: "
				"%08x %08x %08x %08x, not %08x %08x %08x "
				"%08x\n", x[0], x[1], x[2], c->at[i].layer,
				c->at[i].lod, got[i][0], got[i][1], got[i][2],
				got[i][3], want[0], want[1], want[2], want[3]);
	}
	IS(bad, 0);
}

static void
run(int number)
{
	static struct texture_case c;
	CUDA_RESOURCE_DESC r;
	CUtexObject o;
	void *args[] = { &out, &in, &o };
	CUfunction f;

	choose(&c, number);
	f = function(&c);
	resource(&c, &r);
	o = object(&c.model, &r);
	OK(cuMemcpyHtoD_v2(in, c.at, sizeof c.at));
	OK(cuLaunchKernel(f, 1, 1, 1, POINTS, 1, 1, 0, 0, args, 0));
	compare(&c, number);
	OK(cuTexObjectDestroy(o));
	if (c.model.levels == 1)
		OK(cuArrayDestroy(r.res.array.hArray));
	else
		OK(cuMipmappedArrayDestroy(r.res.mipmap.hMipmappedArray));
	release(&c);
}

int
main(int argc, char *argv[])
{
	int first = argc > 1 ? atoi(argv[1]) : 0;
	int n = argc > 2 ? atoi(argv[2]) : 1, i;
	CUcontext context;
	CUdevice d;

	OK(cuInit(0));
	OK(cuDeviceGet(&d, 0));
	OK(cuDevicePrimaryCtxRetain(&context, d));
	OK(cuCtxSetCurrent(context));
	OK(cuMemAlloc_v2(&in, POINTS * sizeof (struct point)));
	OK(cuMemAlloc_v2(&out, POINTS * 16));
	for (i = first; i < first + n; i++)
		run(i);
	OK(cuMemFree_v2(in));
	OK(cuMemFree_v2(out));
	OK(cuDevicePrimaryCtxRelease_v2(d));
	return check_end();
}
