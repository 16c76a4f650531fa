// A launch costs little over the driver's: prints how much, in nanoseconds.
// REQUIRES: nvcc
// RUN: nvcc -std=c++17 -arch=sm_80 -cudart shared -I %S/Inputs %s -lcuda -o %t
// RUN: env LD_LIBRARY_PATH=$B/lib %t
#include "check.h"
#include <algorithm>
#include <chrono>
#include <cuda.h>

__global__ void empty(int *) {}

template <class F> static double
cost(F launch)
{
	using clock = std::chrono::steady_clock;
	const int n = 200;
	double best = 1e9;

	for (int round = 0; round < 300; round++) {
		auto from = clock::now();

		for (int i = 0; i < n; i++)
			launch();
		best = std::min(best, std::chrono::duration<double,
			std::nano>(clock::now() - from).count() / n);
		cudaDeviceSynchronize();
	}
	return best;
}

int
main()
{
	int *p = 0;
	void *args[] = { &p };
	cudaFunction_t f;

	OK(cudaFree(0));
	OK(cudaGetFuncBySymbol(&f, (const void *)empty));
	double driver = cost([&] {
		cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, args, 0);
	});
	double runtime = cost([&] {
		cudaLaunchKernel((const void *)empty, 1, 32, args, 0, 0);
	});
	double stub = cost([&] { empty<<<1, 32>>>(p); });
	OK(cudaDeviceSynchronize());
	printf("driver %.0f runtime %.0f <<<>>> %.0f ns\n", driver, runtime,
		stub);
	TRUE(runtime - driver < 500);
	TRUE(stub - driver < 500);
	return check_end();
}
