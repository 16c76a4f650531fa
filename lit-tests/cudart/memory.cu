// Memory: pitched, 3D, fills, managed, registered, pointers, in streams.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <cstdlib>

__global__ void
add(char *base, size_t pitch, int w, int h)
{
	int x = threadIdx.x, y = blockIdx.x;

	if (x < w && y < h)
		((int *)(base + y * pitch))[x] += 100 * y + x;
}

static void
pitched()
{
	const int w = 37, h = 11;
	int in[h][w], out[h][w + 3], bad = 0;
	size_t pitch;
	char *d;

	OK(cudaMallocPitch(&d, &pitch, w * sizeof(int), h));
	TRUE(pitch >= w * sizeof(int));
	OK(cudaMemset2D(d, pitch, 0xff, w * sizeof(int), h));
	OK(cudaMemcpy2D(in, sizeof *in, d, pitch, sizeof *in, h,
		cudaMemcpyDeviceToHost));
	for (int i = 0; i < w * h; i++)
		bad += in[i / w][i % w] != -1;
	TRUE(bad == 0);
	for (int i = 0; i < w * h; i++)
		in[i / w][i % w] = i;
	OK(cudaMemcpy2D(d, pitch, in, sizeof *in, sizeof *in, h,
		cudaMemcpyHostToDevice));
	add<<<h, 64>>>(d, pitch, w, h);
	OK(cudaMemcpy2DAsync(out, sizeof *out, d, pitch, sizeof *in, h,
		cudaMemcpyDefault, 0));
	OK(cudaStreamSynchronize(0));
	for (int i = 0; i < w * h; i++)
		bad += out[i / w][i % w] != i + 100 * (i / w) + i % w;
	TRUE(bad == 0);
	IS(cudaMemcpy2D(d, 4, in, sizeof *in, sizeof *in, h,
		cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
	OK(cudaFree(d));
}

static void
boxes()
{
	const int w = 20, h = 5, n = 3;
	cudaPitchedPtr d;
	cudaMemcpy3DParms p = {};
	std::vector<int> v(w * h * n), got(w * h * n, 0);
	int bad = 0;

	OK(cudaMalloc3D(&d, make_cudaExtent(w * sizeof(int), h, n)));
	OK(cudaMemset3D(d, 0, make_cudaExtent(w * sizeof(int), h, n)));
	for (size_t i = 0; i < v.size(); i++)
		v[i] = i + 1;
	// all but the first row of each slice, and the first column
	p.srcPtr = make_cudaPitchedPtr(v.data(), w * sizeof(int), w, h);
	p.srcPos = p.dstPos = make_cudaPos(sizeof(int), 1, 0);
	p.dstPtr = d;
	p.extent = make_cudaExtent((w - 1) * sizeof(int), h - 1, n);
	p.kind = cudaMemcpyHostToDevice;
	OK(cudaMemcpy3D(&p));
	p = {};
	p.srcPtr = d;
	p.dstPtr = make_cudaPitchedPtr(got.data(), w * sizeof(int), w, h);
	p.extent = make_cudaExtent(w * sizeof(int), h, n);
	p.kind = cudaMemcpyDeviceToHost;
	OK(cudaMemcpy3DAsync(&p, 0));
	OK(cudaDeviceSynchronize());
	for (int i = 0; i < w * h * n; i++)
		bad += got[i] != (i % w && i / w % h ? i + 1 : 0);
	TRUE(bad == 0);
	IS(cudaMemcpy3D(0), cudaErrorInvalidValue);
	OK(cudaFree(d.ptr));
}

static void
pointers()
{
	cudaPointerAttributes a;
	int *d, *h, *m, local = 1;
	void *p = malloc(1 << 16), *q;
	unsigned flags;

	OK(cudaMalloc(&d, 100));
	OK(cudaMallocHost(&h, 100));
	OK(cudaMallocManaged(&m, 100));
	OK(cudaPointerGetAttributes(&a, d + 3));
	TRUE(a.type == cudaMemoryTypeDevice && a.device == 0 &&
		a.devicePointer == d + 3);
	OK(cudaPointerGetAttributes(&a, h));
	TRUE(a.type == cudaMemoryTypeHost && a.hostPointer == h);
	OK(cudaPointerGetAttributes(&a, m));
	TRUE(a.type == cudaMemoryTypeManaged);
	OK(cudaPointerGetAttributes(&a, &local));
	TRUE(a.type == cudaMemoryTypeUnregistered);
	OK(cudaHostRegister(p, 1 << 16, cudaHostRegisterMapped));
	IS(cudaHostRegister(p, 1 << 16, 0),
		cudaErrorHostMemoryAlreadyRegistered);
	OK(cudaHostGetDevicePointer(&q, p, 0));
	OK(cudaMemset(q, 7, 1 << 16));
	OK(cudaDeviceSynchronize());
	TRUE(((char *)p)[0] == 7 && ((char *)p)[(1 << 16) - 1] == 7);
	OK(cudaHostUnregister(p));
	IS(cudaHostUnregister(p), cudaErrorHostMemoryNotRegistered);
	OK(cudaHostGetFlags(&flags, h));
	free(p);
	OK(cudaMemPrefetchAsync(m, 100, cudaMemLocation{
		cudaMemLocationTypeDevice, 0 }, 0, 0));
	m[3] = 4;
	add<<<1, 25>>>((char *)m, 0, 25, 1);
	OK(cudaDeviceSynchronize());
	TRUE(m[3] == 7);
	OK(cudaFree(m));
	OK(cudaFreeHost(h));
	OK(cudaFree(d));
}

static void
in_streams()
{
	cudaStream_t s;
	int *d, h[25] = {};

	OK(cudaStreamCreate(&s));
	OK(cudaMallocAsync(&d, sizeof h, s));
	OK(cudaMemsetAsync(d, 0, sizeof h, s));
	add<<<1, 32, 0, s>>>((char *)d, 0, 25, 1);
	OK(cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, s));
	OK(cudaFreeAsync(d, s));
	OK(cudaStreamSynchronize(s));
	TRUE(h[0] == 0 && h[24] == 24);
	OK(cudaStreamDestroy(s));
}

static void
edges()
{
	size_t free, total;
	int a = 1, b = 2;
	int *d = &a;

	OK(cudaMemGetInfo(&free, &total));
	TRUE(free && free <= total);
	OK(cudaMalloc(&d, 0));
	TRUE(!d);
	OK(cudaFree(0));
	OK(cudaFreeHost(0));
	IS(cudaMalloc(&d, (size_t)1 << 50), cudaErrorMemoryAllocation);
	IS(cudaGetLastError(), cudaErrorMemoryAllocation);
	OK(cudaGetLastError());
	IS(cudaMemcpy(&a, &b, 4, (cudaMemcpyKind)9),
		cudaErrorInvalidMemcpyDirection);
	OK(cudaMemcpy(&a, &b, 4, cudaMemcpyHostToHost));
	TRUE(a == 2);
	IS(cudaMemcpy(&a, 0, 4, cudaMemcpyDeviceToHost),
		cudaErrorInvalidValue);
	IS(cudaFree(&a), cudaErrorInvalidValue);
	OK(cudaMalloc(&d, 64));
	IS(cudaMemset(d, 0, 1 << 20), cudaErrorInvalidValue);
	IS(cudaMemcpy(d, &a, 1 << 20, cudaMemcpyHostToDevice),
		cudaErrorInvalidValue);
	OK(cudaFree(d));
}

int
main()
{
	pitched();
	boxes();
	pointers();
	in_streams();
	edges();
	return check_end();
}
