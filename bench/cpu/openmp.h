/* openmp.h - the same work in plain C; see bench.h. */
#ifndef OPENMP_H
#define OPENMP_H

void openmp_saxpy(void *const *);
void openmp_sgemm(void *const *);
void openmp_reduction(void *const *);
void openmp_stencil(void *const *);
void openmp_scan(void *const *);
void openmp_histogram(void *const *);
void openmp_blackscholes(void *const *);
void openmp_nbody(void *const *);
void openmp_mandelbrot(void *const *);
void openmp_transpose(void *const *);
void openmp_sha256(void *const *);

#endif
