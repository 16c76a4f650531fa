// C++ on the host: exceptions through code that launches, destructors, RAII.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

struct Error : std::runtime_error {
	cudaError_t code;
	explicit Error(cudaError_t e) : std::runtime_error(
		cudaGetErrorString(e)), code(e) {}
};

static void
must(cudaError_t e)
{
	if (e)
		throw Error(e);
}

static int alive;

struct Free {
	void operator()(void *p) const { alive--; must(cudaFree(p)); }
};
template <class T> using Ptr = std::unique_ptr<T[], Free>;

template <class T> static Ptr<T>
make(size_t n)
{
	void *p;

	must(cudaMalloc(&p, n * sizeof(T)));
	alive++;
	return Ptr<T>((T *)p);
}

template <class T, int N> __global__ void __launch_bounds__(N)
fill(T *p, T v)
{
	p[threadIdx.x] = v;
}

// the arguments of a launch are computed between its two halves
static int
throws(bool really)
{
	if (really)
		throw std::out_of_range("argument");
	return 4;
}

static void
launch(int threads, bool bad_argument)
{
	auto p = make<int>(64), q = make<int>(64);

	fill<int, 64><<<1, threads>>>(p.get(), throws(bad_argument));
	must(cudaGetLastError());
	std::vector<int> v(64);
	must(cudaMemcpy(v.data(), p.get(), 64 * sizeof(int),
		cudaMemcpyDeviceToHost));
	TRUE(v[threads - 1] == 4);
}

static void
recurse(int depth)
{
	auto p = make<double>(depth + 1);

	if (depth == 10)
		must(cudaMalloc(nullptr, 4));
	recurse(depth + 1);
}

template <class E> static std::string
caught(const std::function<void()> &f)
{
	try {
		f();
	} catch (const E &e) {
		return e.what();
	}
	return "nothing";
}

int
main()
{
	TRUE(caught<Error>([] { launch(64, false); }) == "nothing");
	TRUE(caught<Error>([] { launch(65, false); }) ==
		cudaGetErrorString(cudaErrorInvalidValue));
	OK(cudaGetLastError());
	for (int i = 0; i < 20; i++)
		TRUE(caught<std::out_of_range>([] { launch(64, true); }) ==
			"argument");
	TRUE(caught<Error>([] { recurse(0); }) ==
		cudaGetErrorString(cudaErrorInvalidValue));
	TRUE(alive == 0);
	IS(cudaGetLastError(), cudaErrorInvalidValue);
	TRUE(caught<Error>([] { launch(3, false); }) == "nothing");
	try {
		must(cudaSetDevice(77));
		TRUE(false);
	} catch (const Error &e) {
		TRUE(e.code == cudaErrorInvalidDevice);
	}
	return check_end();
}
