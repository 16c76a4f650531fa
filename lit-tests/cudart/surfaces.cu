// Surface objects: written by a kernel, read by another and by the host, at
// edges, in layers and volumes, and through a texture.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"

enum { W = 13, H = 5, D = 3 };

__global__ void
put(cudaSurfaceObject_t plane, cudaSurfaceObject_t line,
	cudaSurfaceObject_t volume, cudaSurfaceObject_t layers)
{
	int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
	uchar4 c = make_uchar4(x, y, z, x ^ y);

	if (z == 0) {
		// beyond the edges nothing is written
		surf2Dwrite(c, plane, x * 4, y, cudaBoundaryModeZero);
		if (y == 0)
			surf1Dwrite((short)(x * x), line, x * 2,
				cudaBoundaryModeZero);
	}
	if (x < W && y < H) {
		surf3Dwrite(make_float2(x + y, z), volume, x * 8, y, z);
		surf2DLayeredwrite(x * 100 + y * 10 + z, layers, x * 4, y, z);
	}
}

__global__ void
get(cudaSurfaceObject_t plane, cudaSurfaceObject_t line,
	cudaSurfaceObject_t volume, cudaSurfaceObject_t layers, int *wrong)
{
	int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x, bad = 0;
	bool in = x < W && y < H;
	int cx = min(x, W - 1), cy = min(y, H - 1);

	uchar4 a = surf2Dread<uchar4>(plane, x * 4, y, cudaBoundaryModeZero);
	uchar4 b = surf2Dread<uchar4>(plane, x * 4, y, cudaBoundaryModeClamp);
	bad += a.x != (in ? x : 0) || a.y != (in ? y : 0)
		|| a.w != (in ? x ^ y : 0);
	bad += b.x != cx || b.y != cy || b.w != (cx ^ cy);
	bad += surf1Dread<short>(line, x * 2, cudaBoundaryModeClamp) != cx * cx;
	if (in) {
		float2 f = surf3Dread<float2>(volume, x * 8, y, z);
		int n;

		bad += f.x != x + y || f.y != z;
		surf2DLayeredread(&n, layers, x * 4, y, z);
		bad += n != x * 100 + y * 10 + z;
	}
	if (bad)
		atomicAdd(wrong, bad);
}

// the same memory, as a texture
__global__ void
look(cudaTextureObject_t t, int *wrong)
{
	int x = threadIdx.x, y = threadIdx.y;
	uchar4 c = tex2D<uchar4>(t, x, y);

	if (x < W && y < H && (c.x != x || c.y != y || c.w != (x ^ y)))
		atomicAdd(wrong, 1);
}

template <class T> static cudaArray_t
array(int w, int h, int d, unsigned flags)
{
	cudaChannelFormatDesc f = cudaCreateChannelDesc<T>();
	cudaArray_t a;

	OK(cudaMalloc3DArray(&a, &f, make_cudaExtent(w, h, d),
		flags | cudaArraySurfaceLoadStore));
	return a;
}

static cudaSurfaceObject_t
surface(cudaArray_t a)
{
	cudaResourceDesc r = {};
	cudaSurfaceObject_t s;

	r.resType = cudaResourceTypeArray;
	r.res.array.array = a;
	OK(cudaCreateSurfaceObject(&s, &r));
	return s;
}

static cudaTextureObject_t
texture(cudaArray_t a)
{
	cudaResourceDesc r = {};
	cudaTextureDesc d = {};
	cudaTextureObject_t t;

	r.resType = cudaResourceTypeArray;
	r.res.array.array = a;
	OK(cudaCreateTextureObject(&t, &r, &d, 0));
	return t;
}

int
main()
{
	cudaArray_t a[] = {
		array<uchar4>(W, H, 0, 0), array<short>(W, 0, 0, 0),
		array<float2>(W, H, D, 0), array<int>(W, H, D, cudaArrayLayered),
	};
	cudaSurfaceObject_t s[4];
	uchar4 host[H][W];
	int wrong = 0, *dwrong;
	dim3 block(16, 8);

	for (int i = 0; i < 4; i++)
		s[i] = surface(a[i]);
	cudaTextureObject_t t = texture(a[0]);
	OK(cudaMalloc(&dwrong, sizeof wrong));
	OK(cudaMemset(dwrong, 0, sizeof wrong));
	put<<<D, block>>>(s[0], s[1], s[2], s[3]);
	get<<<D, block>>>(s[0], s[1], s[2], s[3], dwrong);
	look<<<1, block>>>(t, dwrong);
	OK(cudaMemcpy(&wrong, dwrong, sizeof wrong, cudaMemcpyDefault));
	TRUE(wrong == 0);
	OK(cudaMemcpy2DFromArray(host, sizeof *host, a[0], 0, 0, sizeof *host,
		H, cudaMemcpyDeviceToHost));
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			TRUE(host[y][x].x == x && host[y][x].y == y
				&& host[y][x].w == (x ^ y));
	OK(cudaDestroyTextureObject(t));
	for (int i = 0; i < 4; i++) {
		OK(cudaDestroySurfaceObject(s[i]));
		OK(cudaFreeArray(a[i]));
	}
	OK(cudaFree(dwrong));
	return check_end();
}
