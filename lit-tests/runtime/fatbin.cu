// Fat binaries as nvcc makes them: PTX plain, LZ4, zstd; several; SASS alone.
// REQUIRES: nvcc
// RUN: nvcc -arch=sm_80 -no-compress -fatbin %s -o %t.plain
// RUN: nvcc -arch=sm_80 -compress-mode=speed -fatbin %s -o %t.lz4
// RUN: nvcc -arch=sm_80 -compress-mode=size -fatbin %s -o %t.zstd
// RUN: nvcc -gencode arch=compute_75,code=compute_75 -gencode arch=compute_80,code=[sm_80,compute_80] -gencode arch=compute_90,code=compute_90 -fatbin %s -o %t.more
// RUN: $B/test/runtime/module %t.plain %t.lz4 %t.zstd %t.more | FileCheck %s
// CHECK: 800 800
// CHECK-NEXT: 800 800
// CHECK-NEXT: 800 800
// CHECK-NEXT: 800 800

// RUN: nvcc -gencode arch=compute_80,code=sm_80 -fatbin %s -o %t.sass
// RUN: nvcc -arch=sm_80 -cubin %s -o %t.cubin
// RUN: not $B/test/runtime/module %t.sass 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not $B/test/runtime/module %t.cubin 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: let nvcc embed PTX
// NONE: is 209, not 0
extern "C" __global__ void
answer(unsigned *p)
{
	*p = __CUDA_ARCH__;
}
