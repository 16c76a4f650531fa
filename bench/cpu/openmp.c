/* openmp.c - the kernels' work as one would write it in C for a CPU: loops
 * over all of it, OpenMP over the outer one.  Compiled with -O3
 * -march=native -fopenmp.  Sizes as in jobs.c. */
#include "openmp.h"

#include <math.h>
#include <stdint.h>

void
openmp_saxpy(void *const *p)
{
	const float *restrict x = p[0];
	float *restrict y = p[1];

#pragma omp parallel for
	for (int i = 0; i < 1 << 24; i++)
		y[i] = 0.5f * x[i] + y[i];
}

void
openmp_sgemm(void *const *p)
{
	enum { N = 1024 };
	const float *restrict a = p[0], *restrict b = p[1];
	float *restrict c = p[2];

#pragma omp parallel for
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++)
			c[i * N + j] = 0;
		for (int k = 0; k < N; k++)
			for (int j = 0; j < N; j++)
				c[i * N + j] += a[i * N + k] * b[k * N + j];
	}
}

void
openmp_reduction(void *const *p)
{
	const float *in = p[0];
	float *out = p[1], sum = 0;

#pragma omp parallel for simd reduction(+:sum)
	for (int i = 0; i < 1 << 24; i++)
		sum += in[i];
	out[0] = sum;
	for (int i = 1; i < 512; i++)
		out[i] = 0;
}

void
openmp_stencil(void *const *p)
{
	enum { W = 4096, H = 4096 };
	const float *restrict in = p[0];
	float *restrict out = p[1];

#pragma omp parallel for
	for (int y = 1; y < H - 1; y++)
		for (int x = 1; x < W - 1; x++) {
			int i = y * W + x;

			out[i] = in[i] + 0.1f * (in[i - 1] + in[i + 1]
				+ in[i - W] + in[i + W] - 4 * in[i]);
		}
}

void
openmp_scan(void *const *p)
{
	const int *in = p[0];
	int *out = p[1], *total = p[2];

#pragma omp parallel for
	for (int b = 0; b < 1 << 14; b++) {
		int sum = 0;

		for (int i = b * 256; i < b * 256 + 256; i++)
			out[i] = sum += in[i];
		total[b] = sum;
	}
}

void
openmp_histogram(void *const *p)
{
	const unsigned char *in = p[0];
	unsigned *out = p[1];

#pragma omp parallel
	{
		unsigned bin[256] = { 0 };

#pragma omp for
		for (int i = 0; i < 1 << 24; i++)
			bin[in[i]]++;
		for (int i = 0; i < 256; i++)
#pragma omp atomic
			out[i] += bin[i];
	}
}

static float
cnd(float d)
{
	float k = 1 / (1 + 0.2316419f * fabsf(d)), p;

	p = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f
		+ k * (-1.821255978f + k * 1.330274429f))));
	p *= 0.39894228f * expf(-0.5f * d * d);
	return d > 0 ? 1 - p : p;
}

void
openmp_blackscholes(void *const *p)
{
	const float *price = p[0], *strike = p[1], *years = p[2];
	float *call = p[3], *put = p[4], rate = 0.02f, vol = 0.3f;

#pragma omp parallel for
	for (int i = 0; i < 1 << 22; i++) {
		float s = price[i], x = strike[i], t = years[i];
		float root = sqrtf(t), d1, d2, e;

		d1 = (logf(s / x) + (rate + 0.5f * vol * vol) * t)
			/ (vol * root);
		d2 = d1 - vol * root;
		e = x * expf(-rate * t);
		call[i] = s * cnd(d1) - e * cnd(d2);
		put[i] = e * (1 - cnd(d2)) - s * (1 - cnd(d1));
	}
}

struct body { float x, y, z, m; };

void
openmp_nbody(void *const *p)
{
	enum { N = 8192 };
	const struct body *restrict b = p[0];
	struct body *restrict acc = p[1];

#pragma omp parallel for
	for (int i = 0; i < N; i++) {
		float ax = 0, ay = 0, az = 0;

#pragma omp simd reduction(+:ax, ay, az)
		for (int k = 0; k < N; k++) {
			float dx = b[k].x - b[i].x, dy = b[k].y - b[i].y;
			float dz = b[k].z - b[i].z, r, s;

			r = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 1e-9f);
			s = b[k].m * r * r * r;
			ax += dx * s;
			ay += dy * s;
			az += dz * s;
		}
		acc[i] = (struct body){ ax, ay, az, b[i].m };
	}
}

void
openmp_mandelbrot(void *const *p)
{
	enum { W = 1024, H = 1024 };
	int *out = p[0];

#pragma omp parallel for schedule(dynamic, 8)
	for (int py = 0; py < H; py++)
		for (int px = 0; px < W; px++) {
			float cx = -2 + px * (3.0f / 1024), x = 0, y = 0, t;
			float cy = -1.5f + py * (3.0f / 1024);
			int n;

			for (n = 0; n < 256 && x * x + y * y < 4; n++) {
				t = x * x - y * y + cx;
				y = 2 * x * y + cy;
				x = t;
			}
			out[py * W + px] = n;
		}
}

void
openmp_transpose(void *const *p)
{
	enum { N = 4096, T = 32 };
	const float *restrict in = p[0];
	float *restrict out = p[1];

#pragma omp parallel for
	for (int y = 0; y < N; y += T)
		for (int x = 0; x < N; x += T)
			for (int i = x; i < x + T; i++)
				for (int j = y; j < y + T; j++)
					out[i * N + j] = in[j * N + i];
}

#define ROR(x, n) ((x) >> (n) | (x) << (32 - (n)))

static const uint32_t K[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static void
hash(const uint32_t *in, uint32_t *out)
{
	static const uint32_t start[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};
	uint32_t w[64], s[8], t1, t2;
	int i;

	for (i = 0; i < 16; i++)
		w[i] = in[i];
	for (; i < 64; i++)
		w[i] = w[i - 16] + w[i - 7]
			+ (ROR(w[i - 15], 7) ^ ROR(w[i - 15], 18)
			^ w[i - 15] >> 3)
			+ (ROR(w[i - 2], 17) ^ ROR(w[i - 2], 19)
			^ w[i - 2] >> 10);
	for (i = 0; i < 8; i++)
		s[i] = start[i];
	for (i = 0; i < 64; i++) {
		t1 = s[7] + (ROR(s[4], 6) ^ ROR(s[4], 11) ^ ROR(s[4], 25))
			+ ((s[4] & s[5]) ^ (~s[4] & s[6])) + K[i] + w[i];
		t2 = (ROR(s[0], 2) ^ ROR(s[0], 13) ^ ROR(s[0], 22))
			+ ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
		s[7] = s[6];
		s[6] = s[5];
		s[5] = s[4];
		s[4] = s[3] + t1;
		s[3] = s[2];
		s[2] = s[1];
		s[1] = s[0];
		s[0] = t1 + t2;
	}
	for (i = 0; i < 8; i++)
		out[i] = s[i] + start[i];
}

void
openmp_sha256(void *const *p)
{
	const uint32_t *in = p[0];
	uint32_t *out = p[1];

#pragma omp parallel for
	for (int i = 0; i < 1 << 18; i++)
		hash(in + i * 16, out + i * 8);
}
