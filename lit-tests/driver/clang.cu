// clang calls ptxas-amd by --ptxas-path, and puts what it writes to a file
// REQUIRES: clang
// RUN: rm -rf %t && mkdir -p %t/bin %t/include && touch %t/include/cuda.h
// RUN: ln -s $(command -v ptxas-amd) %t/bin/my-ptxas
// RUN: clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib --ptxas-path=%t/bin/my-ptxas -O2 -c %s -o %t/a
// RUN: llvm-readelf -S %t/a | FileCheck %s
// RUN: clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib --ptxas-path=%t/bin/my-ptxas -O2 -g -Xcuda-ptxas -v -c %s -o %t/b

// CHECK: .ptxamd.ptx
__attribute__((global)) void
k(int *p)
{
	*p = 1;
}
