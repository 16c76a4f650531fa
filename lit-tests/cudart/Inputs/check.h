// check.h - programs that check their own results: OK(call), IS(call, error),
// TRUE(condition), and check_end() at the end of main.  sized(n, few) is n, or
// few where SMALL is set: the device is slow.
#pragma once
#include <cstdio>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

static int checks, wrong;

static void
check(bool ok, const char *what, int line, const char *got)
{
	checks++;
	if (ok)
		return;
	wrong++;
	if (wrong <= 20)
		printf("line %d: %s: %s\n", line, what, got);
}

#define IS(call, want) do { \
		cudaError_t is_ = (call); \
		check(is_ == (want), #call, __LINE__, \
			cudaGetErrorName(is_)); \
	} while (0)
#define OK(call) IS(call, cudaSuccess)
#define TRUE(...) check((__VA_ARGS__), #__VA_ARGS__, __LINE__, "false")

static int
check_end()
{
	printf("%d checks, %d wrong\n", checks, wrong);
	return wrong || !checks;
}

template <class T> static T
sized(T n, T few)
{
	return getenv("SMALL") ? few : n;
}

// memory of the device with a copy of, or room for, elements; complete also for
// streams that do not wait for the default one
template <class T> struct Device {
	T *p = 0;
	size_t n;

	explicit Device(size_t n) : n(n)
	{
		OK(cudaMalloc(&p, n * sizeof(T)));
		OK(cudaMemset(p, 0, n * sizeof(T)));
		OK(cudaStreamSynchronize(0));
	}
	explicit Device(const std::vector<T> &v) : Device(v.size())
	{
		OK(cudaMemcpy(p, v.data(), n * sizeof(T),
			cudaMemcpyHostToDevice));
	}
	~Device() { OK(cudaFree(p)); }
	Device(const Device &) = delete;
	std::vector<T> get() const
	{
		std::vector<T> v(n);

		OK(cudaMemcpy(v.data(), p, n * sizeof(T),
			cudaMemcpyDeviceToHost));
		return v;
	}
	operator T *() const { return p; }
};
