// Integers: SHA-256, CRC-32, products of 128 bits, division; known answers.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <string>

__constant__ unsigned K[64];

__device__ unsigned
turn(unsigned x, int n)
{
	return x >> n | x << (32 - n);
}

// one message of up to 55 bytes a thread
__global__ void
sha256(const char *text, const int *size, unsigned *out)
{
	unsigned w[64] = {}, h[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372,
		0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	unsigned s[8];
	int t = threadIdx.x, n = size[t];

	for (int i = 0; i <= n; i++)
		w[i / 4] |= (i < n ? (unsigned char)text[t * 64 + i] : 0x80u)
			<< (24 - i % 4 * 8);
	w[15] = n * 8;
	for (int i = 16; i < 64; i++)
		w[i] = w[i - 16] + w[i - 7] + (turn(w[i - 15], 7) ^
			turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
			(turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^
			w[i - 2] >> 10);
	for (int i = 0; i < 8; i++)
		s[i] = h[i];
	for (int i = 0; i < 64; i++) {
		unsigned a = s[0], e = s[4];
		unsigned x = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
			((e & s[5]) ^ (~e & s[6])) + K[i] + w[i];
		unsigned y = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
			((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));

		for (int k = 7; k; k--)
			s[k] = s[k - 1];
		s[4] += x;
		s[0] = x + y;
	}
	for (int i = 0; i < 8; i++)
		out[t * 8 + i] = h[i] + s[i];
}

__global__ void
crc32(const char *text, const int *size, unsigned *out)
{
	unsigned c = ~0u;

	for (int i = 0; i < size[threadIdx.x]; i++) {
		c ^= (unsigned char)text[threadIdx.x * 64 + i];
		for (int k = 0; k < 8; k++)
			c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
	}
	out[threadIdx.x] = ~c;
}

// Fermat's test: 2^(p-1) mod p by 128-bit products
__global__ void
power(unsigned long long p, unsigned long long *out)
{
	unsigned __int128 x = 1, b = 2 + threadIdx.x;

	for (unsigned long long e = p - 1; e; e >>= 1) {
		if (e & 1)
			x = x * b % p;
		b = b * b % p;
	}
	out[threadIdx.x] = (unsigned long long)x;
}

__global__ void
divide(const long long *a, const long long *b, long long *q, long long *r)
{
	int t = threadIdx.x;

	q[t] = a[t] / b[t];
	r[t] = a[t] % b[t] + (int)a[t] / ((int)b[t] | 1) +
		(unsigned)a[t] % (unsigned)(b[t] | 1) + (short)a[t] / 7;
}

// the first bits of the fractions of the cube roots of the primes
static void
constants()
{
	unsigned k[64];
	int n = 0;

	for (int p = 2; n < 64; p++) {
		bool prime = true;

		for (int d = 2; d * d <= p; d++)
			prime = prime && p % d;
		if (!prime)
			continue;
		long double c = cbrtl(p);
		k[n++] = (unsigned)((c - floorl(c)) * 4294967296.0L);
	}
	OK(cudaMemcpyToSymbol(K, k, sizeof k));
}

int
main()
{
	const std::string words[] = { "abc", "", "123456789" };
	std::vector<char> text(3 * 64);
	std::vector<int> size;

	constants();
	for (auto &w : words) {
		memcpy(&text[64 * size.size()], w.data(), w.size());
		size.push_back(w.size());
	}
	Device<char> t(text);
	Device<int> s(size);
	Device<unsigned> h(24), c(3);
	sha256<<<1, 3>>>(t.p, s.p, h.p);
	crc32<<<1, 3>>>(t.p, s.p, c.p);
	auto v = h.get(), w = c.get();
	TRUE(v[0] == 0xba7816bf && v[7] == 0xf20015ad);
	TRUE(v[8] == 0xe3b0c442 && v[15] == 0x7852b855);
	TRUE(w[0] == 0x352441c2 && w[1] == 0 && w[2] == 0xcbf43926);

	const unsigned long long prime = 0xffffffffffffffc5;
	Device<unsigned long long> p(4);
	power<<<1, 4>>>(prime, p.p);
	TRUE(p.get() == std::vector<unsigned long long>(4, 1));
	power<<<1, 4>>>(prime - 2, p.p);
	TRUE(p.get()[0] != 1);

	std::vector<long long> a, b, q, r;
	for (long long i = 0; i < 64; i++) {
		a.push_back((i - 20) * 0x123456789abcdefll);
		b.push_back((i % 9 - 4) * (1ll << i % 40) | 1);
		q.push_back(a[i] / b[i]);
		r.push_back(a[i] % b[i] + (int)a[i] / ((int)b[i] | 1) +
			(unsigned)a[i] % (unsigned)(b[i] | 1) +
			(short)a[i] / 7);
	}
	Device<long long> da(a), db(b), dq(64), dr(64);
	divide<<<1, 64>>>(da.p, db.p, dq.p, dr.p);
	TRUE(dq.get() == q);
	TRUE(dr.get() == r);
	return check_end();
}
