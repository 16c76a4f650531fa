/* texture.c - every form of texture and surface instructions that there is.
 *
 * Elements tell where they stand: x, y, z and 16 for each level.  A row has
 * PTX that 32 threads run on a texture, and what they are to find, a letter a
 * word.  Thread i has x = i & 7, y = i >> 3, l = z = i & 3, and fx = x + .5 and
 * nx = fx / 8 and so on.  Descriptors are made by hand, as the driver would.
 */
#include "cuda_fn.h"
#include "texture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 8, H = 4, D = 4, N = 32, ELEMENT = 16, SLICE = W * H * ELEMENT };

enum which {
	BOX, FLAT, LEVELS, LINE, LINES, LAYERS, MEMORY, CUBE, CUBES,
	CUBE_LEVELS, FLOATS,
	SURFACE, HALVES, NTEXTURE
};

static const struct row {
	enum which which;
	const char *want, *code;
} row[] = {
#define TEX(which, want, code) { which, want, code },
#include "texture.def"
#undef TEX
};

enum { NROW = sizeof row / sizeof *row };

static CUdeviceptr handle[NTEXTURE], memory, room;
static int failures;

static void
ok(CUresult r, const char *what)
{
	if (!r)
		return;
	printf("%s: error %d\n", what, r);
	exit(1);
}

#define OK(call) ok(call, #call)

/* the module: all rows in one kernel, which has parameters out, in, h */
static char *
text(void)
{
	size_t i, size = 8192;
	char *s;
	int n;

	for (i = 0; i < NROW; i++)
		size += strlen(row[i].code) + 512;
	s = malloc(size);
	n = sprintf(s, ".version 8.0\n.target sm_80\n.address_size 64\n"
		".global .texref name;\n.global .surfref plane;\n"
		".entry k(.param .u64 po, .param .u64 pi, .param .u64 ph[%d],"
		" .param .texref given)\n{\n"
		".reg .b64 out, h, g, d<4>; .reg .pred p, q;\n"
		".reg .b32 i, x, y, z, l, r<8>; .reg .b16 h<8>;\n"
		".reg .f32 fx, fy, fz, nx, ny, nz, dx, dy, dz, f<8>;\n"
		"ld.param.u64 out, [po]; ld.param.u64 h, [pi];\n"
		"mov.u32 i, %%tid.x; mad.wide.u32 h, i, 12, h;\n"
		"ld.global.f32 dx, [h]; ld.global.f32 dy, [h+4];\n"
		"ld.global.f32 dz, [h+8];\n"
		"and.b32 x, i, 7; shr.u32 y, i, 3; and.b32 z, i, 3;\n"
		"mov.u32 l, z; cvt.rn.f32.u32 fx, x; add.f32 fx, fx, 0.5;\n"
		"cvt.rn.f32.u32 fy, y; add.f32 fy, fy, 0.5;\n"
		"cvt.rn.f32.u32 fz, z; add.f32 fz, fz, 0.5;\n"
		"mul.f32 nx, fx, 0.125; mul.f32 ny, fy, 0.25;\n"
		"mul.f32 nz, fz, 0.25; mad.wide.u32 out, i, 16, out;\n",
		NTEXTURE);
	for (i = 0; i < NROW; i++)
		n += sprintf(s + n, "mov.u32 r0, 0; mov.u32 r1, 0; "
			"mov.u32 r2, 0; mov.u32 r3, 0;\n"
			"ld.param.u64 h, [ph+%d]; {\n%s\n}\n"
			"st.global.v4.u32 [out+%d], {r0, r1, r2, r3};\n",
			8 * row[i].which, row[i].code, (int)i * 16 * N);
	sprintf(s + n, "ret;\n}\n");
	return s;
}

static void
level(struct texture *t, int k, uint32_t w, uint32_t h, uint32_t d)
{
	t->level[k].base = memory + (uint64_t)k * D * SLICE * 2;
	t->level[k].width = w;
	t->level[k].height = h;
	t->level[k].depth = d;
	t->level[k].pitch = W * ELEMENT;
	t->level[k].slice = SLICE;
}

static struct texture
describe(enum which which)
{
	struct texture t = { .format = TEXTURE_U32, .channels = 4,
		.texel = ELEMENT, .levels = 1, .layers = 1, .max_lod = 16,
		.address = { TEXTURE_CLAMP, TEXTURE_CLAMP, TEXTURE_CLAMP },
		.data_type = 77, .order = 88 };

	level(&t, 0, W, H, 1);
	switch (which) {
	case BOX:
		level(&t, 0, W, H, D);
		t.flags = TEXTURE_3D;
		break;
	case LEVELS:
		t.levels = 2;
		t.flags = TEXTURE_NORMALIZED;
		level(&t, 1, W / 2, H / 2, 1);
		break;
	case LINES:
		t.layers = D;
		t.flags = TEXTURE_LAYERED | TEXTURE_1D;
		level(&t, 0, W, 1, 1);
		break;
	case LAYERS:
		t.layers = D;
		t.flags = TEXTURE_LAYERED;
		break;
	case MEMORY:
		t.flags = TEXTURE_LINEAR;
		/* fallthrough */
	case LINE:
		t.flags |= TEXTURE_1D;
		level(&t, 0, W, 1, 1);
		break;
	case CUBE_LEVELS:
		t.levels = 2;
		level(&t, 1, H / 2, H / 2, 1);
		/* fallthrough */
	case CUBE:
	case CUBES:
		t.flags = TEXTURE_CUBE | TEXTURE_NORMALIZED;
		level(&t, 0, H, H, 1);
		t.flags |= which == CUBES ? TEXTURE_LAYERED : 0;
		break;
	case FLOATS:
		t.format = TEXTURE_F32;
		t.filter = TEXTURE_BILINEAR;
		t.level[0].base = memory + 4 * D * SLICE;
		break;
	case SURFACE:
	case HALVES:
		t.level[0].base = memory + 5 * D * SLICE
			+ (which == HALVES) * SLICE;
		t.level[0].pitch = W * (t.texel = 8);
		t.format = which == HALVES ? TEXTURE_F16 : TEXTURE_U32;
		t.channels = which == HALVES ? 4 : 2;
		break;
	default:
		break;
	}
	return t;
}

/* element x, y, z of what lies at byte base */
static void
put(unsigned char *m, int x, int y, int z, int more)
{
	uint32_t v[4] = { x, y, z, more };

	memcpy(m + x * ELEMENT + y * W * ELEMENT + z * SLICE, v, sizeof v);
}

static void
fill(void)
{
	unsigned char *m = calloc(7 * D, SLICE);
	int x, y, z, k;
	float v[4];

	for (z = 0; z < 2 * D; z++)
		for (y = 0; y < H; y++)
			for (x = 0; x < W; x++) {
				put(m, x, y, z, 0);
				if (z < 6)
					put(m + 2 * D * SLICE, x, y, z, 16);
			}
	for (y = 0; y < H; y++)
		for (x = 0; x < W; x++) {
			for (k = 0; k < 4; k++)
				v[k] = (float)(k == 0 ? x : k == 1 ? y : 0);
			memcpy(m + 4 * D * SLICE + y * W * ELEMENT
				+ x * ELEMENT, v, sizeof v);
		}
	OK(cuMemAlloc_v2(&memory, 7 * D * SLICE));
	OK(cuMemcpyHtoD_v2(memory, m, 7 * D * SLICE));
	free(m);
}

/* the directions of cubes: thread i looks at face i % 6 */
static CUdeviceptr
directions(void)
{
	float v[N][3];
	CUdeviceptr p;
	int i, k;

	for (i = 0; i < N; i++)
		for (k = 0; k < 3; k++)
			v[i][k] = k != i % 6 / 2 ? .25f : i & 1 ? -1.f : 1.f;
	OK(cuMemAlloc_v2(&p, sizeof v));
	OK(cuMemcpyHtoD_v2(p, v, sizeof v));
	return p;
}

/* what letter c stands for in thread i */
static uint32_t
meaning(char c, int i)
{
	int x = i & 7, y = i >> 3, z = i & 3;

	switch (c) {
	case 'x': return x;
	case 'y': return y;
	case 'z': return z;
	case 'X': return x / 2;
	case 'Y': return y / 2;
	case 'n': return x < W - 1 ? x + 1 : x;
	case 'm': return y < H - 1 ? y + 1 : y;
	case 'q': return x < W - 1 ? 4 * x + 1 : 4 * x;
	case 'c': return i % 6;
	case 'd': return z & 1;
	case 's': return "122221"[i % 6] - '0';
	case 't': return "112111"[i % 6] - '0';
	case 'i': return i;
	case 'o': return i & 1;
	case 'F': return 0xffffffff;
	default: return c >= 'a' ? 10 + c - 'a' : c - '0';
	}
}

static void
compare(size_t k, const uint32_t *is)
{
	uint32_t want;
	int i, j;

	for (i = 0; i < N; i++)
		for (j = 0; j < 4; j++) {
			want = meaning(row[k].want[j], i);
			if (is[i * 4 + j] == want)
				continue;
			printf("%s\nthread %d, word %d: %u, not %u\n",
				row[k].code, i, j, is[i * 4 + j], want);
			failures++;
			return;
		}
}

/* texture reference "name" reads what FLAT does */
static void
name(CUmodule m)
{
	CUDA_ARRAY_DESCRIPTOR a = { W, H, CU_AD_FORMAT_UNSIGNED_INT32, 4 };
	CUtexref t;

	OK(cuModuleGetTexRef(&t, m, "name"));
	OK(cuTexRefSetFormat(t, CU_AD_FORMAT_UNSIGNED_INT32, 4));
	OK(cuTexRefSetFlags(t, 1)); /* CU_TRSF_READ_AS_INTEGER */
	OK(cuTexRefSetAddress2D_v3(t, &a, memory, W * ELEMENT));
}

static void
run(void)
{
	CUdeviceptr in = directions();
	void *arg[] = { &room, &in, handle, &handle[FLAT] };
	uint32_t *is = malloc(NROW * N * 16);
	char *s = text();
	CUmodule m;
	CUfunction f;
	size_t k;

	OK(cuMemAlloc_v2(&room, NROW * N * 16));
	OK(cuModuleLoadData(&m, s));
	name(m);
	OK(cuModuleGetFunction(&f, m, "k"));
	OK(cuLaunchKernel(f, 1, 1, 1, N, 1, 1, 0, 0, arg, 0));
	OK(cuMemcpyDtoH_v2(is, room, NROW * N * 16));
	for (k = 0; k < NROW; k++)
		compare(k, is + k * N * 4);
	OK(cuModuleUnload(m));
	free(is);
	free(s);
}

int
main(void)
{
	struct texture t;
	CUcontext c;
	int k;

	OK(cuInit(0));
	OK(cuCtxCreate_v2(&c, 0, 0));
	fill();
	for (k = 0; k < NTEXTURE; k++) {
		t = describe((enum which)k);
		OK(cuMemAlloc_v2(&handle[k], sizeof t));
		OK(cuMemcpyHtoD_v2(handle[k], &t, sizeof t));
	}
	run();
	OK(cuCtxDestroy_v2(c));
	printf("%d forms, %d failed\n", (int)NROW, failures);
	return failures != 0;
}
