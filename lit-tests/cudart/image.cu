// Arrays, textures and surfaces: what kernels read is what the host wrote, by
// each way to copy and each geometry.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"

enum { W = 16, H = 8, D = 4 };

static std::vector<float>
numbers(size_t n, float from)
{
	std::vector<float> v(n);

	for (size_t i = 0; i < n; i++)
		v[i] = from + i;
	return v;
}

static cudaTextureObject_t
texture(const cudaResourceDesc &r, cudaTextureFilterMode filter,
	cudaTextureReadMode mode, bool normalized,
	cudaTextureAddressMode address = cudaAddressModeClamp)
{
	cudaTextureDesc t = {};
	cudaTextureObject_t o = 0;

	for (int i = 0; i < 3; i++)
		t.addressMode[i] = address;
	t.filterMode = filter;
	t.readMode = mode;
	t.normalizedCoords = normalized;
	t.maxMipmapLevelClamp = 20;
	OK(cudaCreateTextureObject(&o, &r, &t, 0));
	return o;
}

static cudaResourceDesc
array_desc(cudaArray_t a)
{
	cudaResourceDesc r = {};

	r.resType = cudaResourceTypeArray;
	r.res.array.array = a;
	return r;
}

// planes

__global__ void
read_2d(cudaTextureObject_t t, float *out, float by)
{
	int x = threadIdx.x, y = threadIdx.y;

	out[y * W + x] = tex2D<float>(t, (x + .5f) * by, (y + .5f) * by);
}

static void
plane()
{
	auto channel = cudaCreateChannelDesc<float>();
	std::vector<float> v = numbers(W * H, 0), back(W * H);
	Device<float> out(W * H);
	cudaArray_t a, b;

	OK(cudaMallocArray(&a, &channel, W, H));
	OK(cudaMallocArray(&b, &channel, W, H));
	OK(cudaMemcpy2DToArray(a, 0, 0, v.data(), W * 4, W * 4, H,
		cudaMemcpyHostToDevice));
	OK(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, W * 4, H));
	auto t = texture(array_desc(b), cudaFilterModePoint,
		cudaReadModeElementType, false);
	read_2d<<<1, dim3(W, H)>>>(t, out, 1);
	TRUE(out.get() == v);
	// half a texel further, the mean of two
	auto l = texture(array_desc(b), cudaFilterModeLinear,
		cudaReadModeElementType, false);
	read_2d<<<1, dim3(W, H)>>>(l, out, 2);
	TRUE(out.get()[0] == (0 + 1 + W + W + 1) / 4.f);
	OK(cudaMemcpy2DFromArray(back.data(), W * 4, b, 0, 0, W * 4, H,
		cudaMemcpyDeviceToHost));
	TRUE(back == v);
	OK(cudaDestroyTextureObject(t));
	OK(cudaDestroyTextureObject(l));
	OK(cudaFreeArray(a));
	OK(cudaFreeArray(b));
}

// the older copies: a line of bytes that goes on in the next row
static void
lines()
{
	auto channel = cudaCreateChannelDesc<float>();
	std::vector<float> v = numbers(W * H, 0), back(W * H, -1);
	Device<float> d(v);
	cudaStream_t s;
	cudaArray_t a, b;

	OK(cudaStreamCreate(&s));
	OK(cudaMallocArray(&a, &channel, W, H));
	OK(cudaMallocArray(&b, &channel, W, H));
	OK(cudaMemcpyToArray(a, 0, 0, d, W * H * 4, cudaMemcpyDeviceToDevice));
	OK(cudaMemcpyToArray(a, 8 * 4, 1, v.data(), 60 * 4,
		cudaMemcpyHostToDevice));
	OK(cudaMemcpyArrayToArray(b, 0, 0, a, 4 * 4, 0, 50 * 4));
	OK(cudaMemcpyFromArray(back.data(), b, 0, 0, 50 * 4,
		cudaMemcpyDeviceToHost));
	for (int i = 0; i < 50; i++) {
		int at = i + 4;

		TRUE(back[i] == (at < W + 8 ? at : at - (W + 8)));
	}
	TRUE(back[50] == -1);
	OK(cudaMemcpyFromArrayAsync(back.data(), a, 4, H - 1, W * 4 - 4,
		cudaMemcpyDefault, s));
	OK(cudaStreamSynchronize(s));
	TRUE(back[0] == W * (H - 1) + 1 && back[W - 2] == W * H - 1);
	IS(cudaMemcpyFromArray(back.data(), a, 8, H - 1, W * 4 - 4,
		cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
	IS(cudaMemcpyToArray(a, 0, 0, v.data(), 4, cudaMemcpyDeviceToHost),
		cudaErrorInvalidMemcpyDirection);
	OK(cudaStreamDestroy(s));
	OK(cudaFreeArray(a));
	OK(cudaFreeArray(b));
	cudaGetLastError();
}

// elements of several channels, read as they are and as 0..1

__global__ void
read_bytes(cudaTextureObject_t is, cudaTextureObject_t as, uchar4 *out,
	float4 *part)
{
	int i = threadIdx.x;

	out[i] = tex2D<uchar4>(is, i + .5f, 1.5f);
	part[i] = tex2D<float4>(as, i + .5f, 1.5f);
}

static void
channels()
{
	auto channel = cudaCreateChannelDesc<uchar4>();
	std::vector<uchar4> v(W * H);
	Device<uchar4> out(W);
	Device<float4> part(W);
	cudaArray_t a;

	for (int i = 0; i < W * H; i++)
		v[i] = make_uchar4(i, 2 * i, 255 - i, 7);
	OK(cudaMallocArray(&a, &channel, W, H));
	OK(cudaMemcpy2DToArray(a, 0, 0, v.data(), W * 4, W * 4, H,
		cudaMemcpyDefault));
	auto is = texture(array_desc(a), cudaFilterModePoint,
		cudaReadModeElementType, false);
	auto as = texture(array_desc(a), cudaFilterModePoint,
		cudaReadModeNormalizedFloat, false);
	read_bytes<<<1, W>>>(is, as, out, part);
	auto o = out.get();
	auto p = part.get();
	TRUE(!memcmp(o.data(), &v[W], W * sizeof(uchar4)));
	for (int i = 0; i < W; i++)
		TRUE(p[i].x == (W + i) / 255.f && p[i].w == 7 / 255.f);
	OK(cudaDestroyTextureObject(is));
	OK(cudaDestroyTextureObject(as));
	OK(cudaFreeArray(a));
}

// memory, without an array

__global__ void
read_memory(cudaTextureObject_t line, cudaTextureObject_t pitched,
	float *out)
{
	int i = threadIdx.x;

	out[i] = tex1Dfetch<float>(line, i);
	out[W + i] = tex2D<float>(pitched, i + .5f, 2.5f);
}

static void
memory()
{
	std::vector<float> v = numbers(W * H, 100);
	Device<float> line(v), out(2 * W);
	cudaResourceDesc r = {}, q = {};
	size_t pitch;
	float *p;

	OK(cudaMallocPitch(&p, &pitch, W * 4, H));
	OK(cudaMemcpy2D(p, pitch, v.data(), W * 4, W * 4, H,
		cudaMemcpyDefault));
	r.resType = cudaResourceTypeLinear;
	r.res.linear.devPtr = line;
	r.res.linear.desc = cudaCreateChannelDesc<float>();
	r.res.linear.sizeInBytes = (W - 2) * 4;
	q.resType = cudaResourceTypePitch2D;
	q.res.pitch2D.devPtr = p;
	q.res.pitch2D.desc = cudaCreateChannelDesc<float>();
	q.res.pitch2D.width = W;
	q.res.pitch2D.height = H;
	q.res.pitch2D.pitchInBytes = pitch;
	auto t = texture(r, cudaFilterModePoint, cudaReadModeElementType,
		false);
	auto u = texture(q, cudaFilterModePoint, cudaReadModeElementType,
		false);
	read_memory<<<1, W>>>(t, u, out);
	auto o = out.get();
	TRUE(o[0] == 100 && o[W - 3] == 100 + W - 3 && o[W - 1] == 0);
	TRUE(o[W] == 100 + 2 * W && o[W + W - 1] == 100 + 3 * W - 1);
	OK(cudaDestroyTextureObject(t));
	OK(cudaDestroyTextureObject(u));
	OK(cudaFree(p));
}

// boxes, layers and levels

__global__ void
read_3d(cudaTextureObject_t box, cudaTextureObject_t layers, float *out)
{
	int x = threadIdx.x, z = threadIdx.y;

	out[z * W + x] = tex3D<float>(box, x + .5f, 1.5f, z + .5f);
	out[(D + z) * W + x] = tex2DLayered<float>(layers, x + .5f, 1.5f, z);
}

static void
boxes()
{
	auto channel = cudaCreateChannelDesc<float>();
	std::vector<float> v = numbers(W * H * D, 0), o;
	Device<float> out(2 * D * W);
	cudaMemcpy3DParms p = {};
	cudaArray_t a, b;
	bool same = true;

	OK(cudaMalloc3DArray(&a, &channel, make_cudaExtent(W, H, D)));
	OK(cudaMalloc3DArray(&b, &channel, make_cudaExtent(W, H, D),
		cudaArrayLayered));
	p.srcPtr = make_cudaPitchedPtr(v.data(), W * 4, W, H);
	p.dstArray = a;
	p.extent = make_cudaExtent(W, H, D);
	p.kind = cudaMemcpyHostToDevice;
	OK(cudaMemcpy3D(&p));
	p.srcPtr = {};
	p.srcArray = a;
	p.dstArray = b;
	p.kind = cudaMemcpyDeviceToDevice;
	OK(cudaMemcpy3D(&p));
	auto t = texture(array_desc(a), cudaFilterModePoint,
		cudaReadModeElementType, false);
	auto u = texture(array_desc(b), cudaFilterModePoint,
		cudaReadModeElementType, false);
	read_3d<<<1, dim3(W, D)>>>(t, u, out);
	o = out.get();
	for (int z = 0; z < D; z++)
		for (int x = 0; x < W; x++)
			same = same && o[z * W + x] == (z * H + 1) * W + x &&
				o[(D + z) * W + x] == (z * H + 1) * W + x;
	TRUE(same);
	OK(cudaDestroyTextureObject(t));
	OK(cudaDestroyTextureObject(u));
	OK(cudaFreeArray(a));
	OK(cudaFreeArray(b));
}

__global__ void
read_levels(cudaTextureObject_t t, float *out)
{
	out[threadIdx.x] = tex2DLod<float>(t, .5f, .5f, threadIdx.x);
}

static void
levels()
{
	auto channel = cudaCreateChannelDesc<float>();
	cudaResourceDesc r = {};
	Device<float> out(4);
	cudaMipmappedArray_t m;

	OK(cudaMallocMipmappedArray(&m, &channel, make_cudaExtent(W, H, 0),
		4));
	for (int l = 0; l < 4; l++) {
		std::vector<float> v((W >> l) * (H >> l), 10 + l);
		cudaArray_t a;

		OK(cudaGetMipmappedArrayLevel(&a, m, l));
		OK(cudaMemcpy2DToArray(a, 0, 0, v.data(), (W >> l) * 4,
			(W >> l) * 4, H >> l, cudaMemcpyHostToDevice));
	}
	r.resType = cudaResourceTypeMipmappedArray;
	r.res.mipmap.mipmap = m;
	auto t = texture(r, cudaFilterModePoint, cudaReadModeElementType,
		true);
	read_levels<<<1, 4>>>(t, out);
	TRUE(out.get() == numbers(4, 10));
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeMipmappedArray(m));
}

// cubes, and four texels at once

__global__ void
read_faces(cudaTextureObject_t t, cudaTextureObject_t plane, float *out,
	float4 *four)
{
	int i = threadIdx.x, side = i % 2 ? -1 : 1;

	out[i] = texCubemap<float>(t, i / 2 == 0 ? side : .1f,
		i / 2 == 1 ? side : .1f, i / 2 == 2 ? side : .1f);
	four[i] = tex2Dgather<float4>(plane, i + 1, 1);
}

static void
cube()
{
	auto channel = cudaCreateChannelDesc<float>();
	std::vector<float> v(H * H * 6), w = numbers(W * H, 0);
	cudaTextureDesc seamless = {};
	cudaMemcpy3DParms p = {};
	cudaTextureObject_t t = 0;
	Device<float4> four(6);
	Device<float> out(6);
	cudaResourceDesc r;
	cudaArray_t a, b;

	for (int i = 0; i < H * H * 6; i++)
		v[i] = i / (H * H) + 1;
	OK(cudaMalloc3DArray(&a, &channel, make_cudaExtent(H, H, 6),
		cudaArrayCubemap));
	OK(cudaMallocArray(&b, &channel, W, H, cudaArrayTextureGather));
	p.srcPtr = make_cudaPitchedPtr(v.data(), H * 4, H, H);
	p.dstArray = a;
	p.extent = make_cudaExtent(H, H, 6);
	p.kind = cudaMemcpyHostToDevice;
	OK(cudaMemcpy3D(&p));
	OK(cudaMemcpy2DToArray(b, 0, 0, w.data(), W * 4, W * 4, H,
		cudaMemcpyHostToDevice));
	r = array_desc(a);
	seamless.normalizedCoords = seamless.seamlessCubemap = 1;
	seamless.filterMode = cudaFilterModeLinear;
	OK(cudaCreateTextureObject(&t, &r, &seamless, 0));
	auto u = texture(array_desc(b), cudaFilterModePoint,
		cudaReadModeElementType, false);
	read_faces<<<1, 6>>>(t, u, out, four);
	TRUE(out.get() == numbers(6, 1));
	auto f = four.get();
	TRUE(f[2].x == W + 2 && f[2].y == W + 3 && f[2].z == 3 &&
		f[2].w == 2);
	OK(cudaDestroyTextureObject(t));
	OK(cudaDestroyTextureObject(u));
	OK(cudaFreeArray(a));
	OK(cudaFreeArray(b));
}

// surfaces

__global__ void
twice(cudaSurfaceObject_t s)
{
	int x = threadIdx.x * 4, y = threadIdx.y;

	surf2Dwrite(2 * surf2Dread<float>(s, x, y), s, x, y);
}

static void
surface()
{
	auto channel = cudaCreateChannelDesc<float>();
	std::vector<float> v = numbers(W * H, 1), back(W * H);
	cudaSurfaceObject_t s = 0;
	cudaResourceDesc r;
	cudaArray_t a;

	OK(cudaMallocArray(&a, &channel, W, H, cudaArraySurfaceLoadStore));
	OK(cudaMemcpy2DToArray(a, 0, 0, v.data(), W * 4, W * 4, H,
		cudaMemcpyHostToDevice));
	r = array_desc(a);
	OK(cudaCreateSurfaceObject(&s, &r));
	twice<<<1, dim3(W, H)>>>(s);
	OK(cudaMemcpy2DFromArray(back.data(), W * 4, a, 0, 0, W * 4, H,
		cudaMemcpyDeviceToHost));
	for (float &f : v)
		f *= 2;
	TRUE(back == v);
	OK(cudaDestroySurfaceObject(s));
	OK(cudaFreeArray(a));
}

int
main()
{
	plane();
	lines();
	channels();
	memory();
	boxes();
	levels();
	cube();
	surface();
	OK(cudaDeviceSynchronize());
	return check_end();
}
