// rdc-other.cu - the other unit of rdc.cu.
#include "rdc.h"
__device__ int total = 100;
__constant__ int factor = 7;
__device__ __noinline__ int twice(int x) { return 2 * x + factor; }
__device__ operation *chosen = twice;
__global__ void add(int n) { atomicAdd(&total, n); }
void add_on_device(int n) { add<<<1, 4>>>(n); }
