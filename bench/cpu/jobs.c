/* jobs.c - the kernels that are measured, with their arguments. */
#include "bench.h"
#include "openmp.h"

#define R(of, n) { 'r', of, n, 0 }
#define W(of, n) { 'w', of, n, 0 }
#define B(of, n) { 'b', of, n, 0 }
#define U(v)     { 'u', 'u', 0, v }
#define I(v)     { 'i', 'i', 0, v }
#define F(v)     { 'f', 'f', 0, v }

#define M (1 << 20)

const struct job job[] = {
	{ "saxpy", "2^24", { 16 * M / 256, 1 }, { 256, 1 },
		{ R('f', 16 * M), B('f', 16 * M), F(0.5), U(16 * M) },
		openmp_saxpy },
	{ "sgemm", "1024", { 64, 64 }, { 16, 16 },
		{ R('f', M), R('f', M), W('f', M), U(1024) }, openmp_sgemm },
	{ "reduction", "2^24", { 512, 1 }, { 256, 1 },
		{ R('f', 16 * M), W('f', 512), U(16 * M) }, openmp_reduction,
		.sum = true },
	{ "stencil", "4096^2", { 4096 / 32, 4096 / 8 }, { 32, 8 },
		{ R('f', 16 * M), W('f', 16 * M), I(4096), I(4096), F(0.1) },
		openmp_stencil },
	{ "scan", "2^22", { 4 * M / 256, 1 }, { 256, 1 },
		{ R('i', 4 * M), W('i', 4 * M), W('i', 4 * M / 256),
		U(4 * M) }, openmp_scan },
	{ "histogram", "2^24", { 128, 1 }, { 256, 1 },
		{ R('c', 16 * M), B('u', 256), U(16 * M) }, openmp_histogram },
	{ "blackscholes", "2^22", { 4 * M / 256, 1 }, { 256, 1 },
		{ R('f', 4 * M), R('f', 4 * M), R('f', 4 * M), W('f', 4 * M),
		W('f', 4 * M), F(0.02), F(0.3), I(4 * M) },
		openmp_blackscholes },
	{ "nbody", "8192", { 64, 1 }, { 128, 1 },
		{ R('f', 4 * 8192), W('f', 4 * 8192), U(8192) },
		openmp_nbody },
	{ "mandelbrot", "1024^2", { 1024 / 16, 1024 / 16 }, { 16, 16 },
		{ W('i', M), I(1024), I(1024), F(-2), F(-1.5), F(3.0 / 1024),
		I(256) }, openmp_mandelbrot },
	{ "transpose", "4096^2", { 128, 128 }, { 32, 8 },
		{ R('f', 16 * M), W('f', 16 * M), U(4096), U(4096) },
		openmp_transpose },
	{ "sha256", "2^18", { (1 << 18) / 128, 1 }, { 128, 1 },
		{ R('u', 16 << 18), W('u', 8 << 18) }, openmp_sha256 },
};

const size_t njob = sizeof job / sizeof *job;

unsigned
element_size(char of)
{
	return of == 'c' ? 1 : 4;
}
