// nvcc, with ptxas-amd where ptxas was, builds programs and shared objects
// REQUIRES: nvcc
// RUN: rm -rf %t && sh %S/Inputs/toolkit %t
// RUN: env PTXAMD_ARCH=gfx1100,gfx90a %t/nvcc -arch=sm_80 %s -o %t/a
// RUN: grep -a -o '\.ptxamd\.code\.gfx[0-9a-z]*' %t/a | FileCheck %s
// RUN: %t/nvcc -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=compute_90 -O1 --fmad=false -lineinfo -maxrregcount=64 -Xptxas -v -Xcompiler -fPIC -shared %s -o %t/b 2>&1 | FileCheck -check-prefix=LOG %s
// RUN: grep -a -q '\.ptxamd\.ptx' %t/b
// RUN: %t/nvcc -arch=sm_90 -G -c %s -o %t/c.o
// RUN: %t/nvcc -arch=sm_80 -cubin %s -o %t/d.cubin
// RUN: llvm-readelf -S %t/d.cubin | FileCheck -check-prefix=CUBIN %s

// CHECK: .ptxamd.code.gfx1100
// CHECK: .ptxamd.code.gfx90a
// LOG: ptxas info    : 0 bytes gmem
// CUBIN: .ptxamd.ptx
__global__ void
axpy(float a, const float *x, float *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	y[i] += a * x[i];
}

int
main(void)
{
	axpy<<<1, 32>>>(2, 0, 0);
	return 0;
}
