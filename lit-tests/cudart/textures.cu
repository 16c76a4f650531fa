// Texture objects: address modes, filters, layers, cubes, levels, volumes,
// linear memory, gathering.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"

enum { W = 8, H = 4, D = 3 };

// a texel that says where it is
static float
texel(int x, int y, int z, int level)
{
	return x + 16 * y + 256 * z + 4096 * level;
}

struct Place {
	float x, y, z;
	int layer;
	float level;
};

enum Form { F1, F2, F3, L2, CUBE, LEVEL, GRAD };

template <Form form> __global__ void
sample(cudaTextureObject_t t, const Place *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	Place a = p[i];
	float2 none = make_float2(0, 0);
	switch (form) {
	case F1: out[i] = tex1D<float>(t, a.x); break;
	case F2: out[i] = tex2D<float>(t, a.x, a.y); break;
	case F3: out[i] = tex3D<float>(t, a.x, a.y, a.z); break;
	case L2: out[i] = tex2DLayered<float>(t, a.x, a.y, a.layer); break;
	case CUBE: out[i] = texCubemap<float>(t, a.x, a.y, a.z); break;
	case LEVEL: out[i] = tex2DLod<float>(t, a.x, a.y, a.level); break;
	case GRAD:
		out[i] = tex2DGrad<float>(t, a.x, a.y,
			make_float2(exp2f(a.level) / W, 0), none);
		break;
	}
}

template <Form form> static std::vector<float>
run(cudaTextureObject_t t, const std::vector<Place> &p)
{
	int n = (int)p.size();
	std::vector<float> out(n);
	Place *dp;
	float *dout;

	OK(cudaMalloc(&dp, n * sizeof *dp));
	OK(cudaMalloc(&dout, n * sizeof *dout));
	OK(cudaMemcpy(dp, p.data(), n * sizeof *dp, cudaMemcpyDefault));
	sample<form><<<(n + 31) / 32, 32>>>(t, dp, dout, n);
	OK(cudaGetLastError());
	OK(cudaMemcpy(out.data(), dout, n * sizeof *dout, cudaMemcpyDefault));
	OK(cudaFree(dp));
	OK(cudaFree(dout));
	return out;
}

static void
fill(cudaArray_t a, int w, int h, int d, int level)
{
	std::vector<float> data;
	cudaMemcpy3DParms c = {};

	for (int z = 0; z < d; z++)
		for (int y = 0; y < h; y++)
			for (int x = 0; x < w; x++)
				data.push_back(texel(x, y, z, level));
	c.srcPtr = make_cudaPitchedPtr(data.data(), w * sizeof (float), w, h);
	c.dstArray = a;
	c.extent = make_cudaExtent(w, h, d);
	c.kind = cudaMemcpyHostToDevice;
	OK(cudaMemcpy3D(&c));
}

static cudaArray_t
array(int w, int h, int d, unsigned flags)
{
	cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
	cudaArray_t a;

	OK(cudaMalloc3DArray(&a, &f, make_cudaExtent(w, h, d), flags));
	fill(a, w, h ? h : 1, d ? d : 1, 0);
	return a;
}

static cudaTextureObject_t
object(cudaArray_t a, cudaTextureAddressMode mode, cudaTextureFilterMode filter,
	bool normalized)
{
	cudaResourceDesc r = {};
	cudaTextureDesc d = {};
	cudaTextureObject_t t;

	r.resType = cudaResourceTypeArray;
	r.res.array.array = a;
	for (auto &m : d.addressMode)
		m = mode;
	d.filterMode = filter;
	d.normalizedCoords = normalized;
	d.borderColor[0] = -1;
	OK(cudaCreateTextureObject(&t, &r, &d, 0));
	return t;
}

// an index in each mode; -1 is the border
static int
wrapped(int i, int n, cudaTextureAddressMode mode)
{
	int m = (i % n + n) % n, m2 = (i % (2 * n) + 2 * n) % (2 * n);

	switch (mode) {
	case cudaAddressModeWrap: return m;
	case cudaAddressModeMirror: return m2 < n ? m2 : 2 * n - 1 - m2;
	case cudaAddressModeClamp: return i < 0 ? 0 : i < n ? i : n - 1;
	default: return i < 0 || i >= n ? -1 : i;
	}
}

static void
modes()
{
	const cudaTextureAddressMode all[] = {
		cudaAddressModeWrap, cudaAddressModeClamp,
		cudaAddressModeMirror, cudaAddressModeBorder,
	};
	cudaArray_t a = array(W, H, 0, 0);

	for (auto mode : all) {
		cudaTextureObject_t t = object(a, mode, cudaFilterModePoint,
			true);
		std::vector<Place> p;

		for (int y = -6; y < 10; y++)
			for (int x = -12; x < 20; x++)
				p.push_back({ (x + 0.5f) / W, (y + 0.5f) / H });
		auto out = run<F2>(t, p);
		size_t bad = 0, i = 0;
		for (int y = -6; y < 10; y++)
			for (int x = -12; x < 20; x++, i++) {
				int u = wrapped(x, W, mode);
				int v = wrapped(y, H, mode);
				bad += out[i] != (u < 0 || v < 0 ? -1 :
					texel(u, v, 0, 0));
			}
		TRUE(bad == 0);
		OK(cudaDestroyTextureObject(t));
	}
	OK(cudaFreeArray(a));
}

// halfway between texels is their mean
static void
filters()
{
	cudaArray_t a = array(W, H, 0, 0), v = array(W, H, D, 0);
	cudaArray_t line = array(W, 0, 0, 0);
	cudaTextureObject_t t;
	std::vector<float> out;

	t = object(a, cudaAddressModeClamp, cudaFilterModeLinear, false);
	out = run<F2>(t, { { 1.5f, 1.5f }, { 2, 1.5f }, { 2, 2 }, { 2.25f, 1 },
		{ -3, 2.5f }, { 100, 100 } });
	TRUE(out[0] == texel(1, 1, 0, 0));
	TRUE(out[1] == texel(1, 1, 0, 0) + 0.5f);
	TRUE(out[2] == texel(1, 1, 0, 0) + 8.5f);
	TRUE(out[3] == texel(1, 0, 0, 0) + 8.75f);
	TRUE(out[4] == texel(0, 2, 0, 0));
	TRUE(out[5] == texel(W - 1, H - 1, 0, 0));
	OK(cudaDestroyTextureObject(t));
	t = object(a, cudaAddressModeBorder, cudaFilterModeLinear, false);
	out = run<F2>(t, { { 0, 0.5f }, { -1, 2 } });
	TRUE(out[0] == (texel(0, 0, 0, 0) - 1) / 2);
	TRUE(out[1] == -1);
	OK(cudaDestroyTextureObject(t));
	t = object(v, cudaAddressModeClamp, cudaFilterModeLinear, false);
	out = run<F3>(t, { { 2, 2, 2 }, { 1.5f, 1.5f, 1.25f } });
	TRUE(out[0] == texel(1, 1, 1, 0) + 0.5f + 8 + 128);
	TRUE(out[1] == texel(1, 1, 0, 0) + 256 * 0.75f);
	OK(cudaDestroyTextureObject(t));
	t = object(line, cudaAddressModeWrap, cudaFilterModeLinear, true);
	out = run<F1>(t, { { 0.5f }, { 0 }, { 1.0625f } });
	TRUE(out[0] == W / 2 - 0.5f);
	TRUE(out[1] == (W - 1) / 2.0f);
	TRUE(out[2] == 0);
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeArray(a));
	OK(cudaFreeArray(v));
	OK(cudaFreeArray(line));
}

static void
layers()
{
	cudaArray_t a = array(W, H, D, cudaArrayLayered);
	cudaTextureObject_t t = object(a, cudaAddressModeClamp,
		cudaFilterModePoint, false);
	auto out = run<L2>(t, { { 3, 2, 0, 0 }, { 3, 2, 0, 1 }, { 0, 0, 0, 2 },
		{ 7, 3, 0, 9 } });

	for (int i = 0; i < 2; i++)
		TRUE(out[i] == texel(3, 2, i, 0));
	TRUE(out[2] == texel(0, 0, 2, 0));
	TRUE(out[3] == texel(7, 3, D - 1, 0));
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeArray(a));
}

// the middle of each face, and a place that tells its directions
static void
cube()
{
	cudaArray_t a = array(W, W, 6, cudaArrayCubemap);
	cudaTextureObject_t t = object(a, cudaAddressModeClamp,
		cudaFilterModePoint, true);
	auto out = run<CUBE>(t, {
		{ 2, 0.1f, -0.1f }, { -2, 0.1f, 0.1f }, { 0.1f, 2, 0.1f },
		{ 0.1f, -2, -0.1f }, { 0.1f, -0.1f, 2 }, { -0.1f, -0.1f, -2 },
		{ 1, -0.9f, -0.9f }, { -0.9f, 1, 0.9f }, { -0.9f, 0.9f, -1 },
	});

	for (int i = 0; i < 6; i++)
		TRUE(out[i] == texel(4, i < 2 ? 3 : 4, i, 0));
	TRUE(out[6] == texel(7, 7, 0, 0));
	TRUE(out[7] == texel(0, 7, 2, 0));
	TRUE(out[8] == texel(7, 0, 5, 0));
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeArray(a));
}

static void
levels()
{
	cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
	cudaMipmappedArray_t m;
	cudaResourceDesc r = {};
	cudaTextureDesc d = {};
	cudaTextureObject_t t;

	OK(cudaMallocMipmappedArray(&m, &f, make_cudaExtent(W, H, 0), 3));
	for (int i = 0; i < 3; i++) {
		cudaArray_t a;

		OK(cudaGetMipmappedArrayLevel(&a, m, i));
		fill(a, W >> i, H >> i, 1, i);
	}
	r.resType = cudaResourceTypeMipmappedArray;
	r.res.mipmap.mipmap = m;
	d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
	d.normalizedCoords = 1;
	d.mipmapFilterMode = cudaFilterModeLinear;
	d.maxMipmapLevelClamp = 8;
	OK(cudaCreateTextureObject(&t, &r, &d, 0));
	std::vector<Place> p;
	for (float l : { -1.0f, 0.0f, 0.5f, 1.0f, 1.75f, 2.0f, 9.0f })
		p.push_back({ 0, 0, 0, 0, l });
	auto out = run<LEVEL>(t, p), grad = run<GRAD>(t, p);
	for (size_t i = 0; i < p.size(); i++) {
		float level = fminf(fmaxf(p[i].level, 0), 2);

		TRUE(out[i] == 4096 * level);
		// the logarithm is a table's
		TRUE(fabsf(grad[i] - 4096 * level) <= 32);
	}
	OK(cudaDestroyTextureObject(t));
	OK(cudaFreeMipmappedArray(m));
}

__global__ void
others(cudaTextureObject_t buffer, cudaTextureObject_t picture, float *out)
{
	int i = threadIdx.x;

	uchar4 c = tex1Dfetch<uchar4>(buffer, i - 2);
	out[i] = c.x + c.y + c.z + c.w;
	float4 g = tex2Dgather<float4>(picture, 2.0f, 1.0f, 0);
	if (i == 0)
		out[32] = g.x, out[33] = g.y, out[34] = g.z, out[35] = g.w;
}

static void
buffers()
{
	cudaResourceDesc r = {};
	cudaTextureDesc d = {};
	cudaTextureObject_t t, g;
	cudaArray_t a = array(W, H, 0, cudaArrayTextureGather);
	unsigned char data[64], *p;
	float out[36], *dout;

	for (int i = 0; i < 64; i++)
		data[i] = i;
	OK(cudaMalloc(&p, sizeof data));
	OK(cudaMalloc(&dout, sizeof out));
	OK(cudaMemcpy(p, data, sizeof data, cudaMemcpyDefault));
	r.resType = cudaResourceTypeLinear;
	r.res.linear.devPtr = p;
	r.res.linear.desc = cudaCreateChannelDesc<uchar4>();
	r.res.linear.sizeInBytes = sizeof data;
	OK(cudaCreateTextureObject(&t, &r, &d, 0));
	g = object(a, cudaAddressModeClamp, cudaFilterModePoint, false);
	others<<<1, 32>>>(t, g, dout);
	OK(cudaMemcpy(out, dout, sizeof out, cudaMemcpyDefault));
	for (int i = 0; i < 32; i++) {
		int k = i - 2;

		TRUE(out[i] == (k < 0 || k >= 16 ? 0 : 16 * k + 6));
	}
	TRUE(out[32] == texel(1, 1, 0, 0) && out[33] == texel(2, 1, 0, 0));
	TRUE(out[34] == texel(2, 0, 0, 0) && out[35] == texel(1, 0, 0, 0));
	OK(cudaDestroyTextureObject(t));
	OK(cudaDestroyTextureObject(g));
	OK(cudaFree(p));
	OK(cudaFree(dout));
	OK(cudaFreeArray(a));
}

int
main()
{
	modes();
	filters();
	layers();
	cube();
	levels();
	buffers();
	return check_end();
}
