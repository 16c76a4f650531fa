// rdc.h - what the two units of rdc.cu share.
extern __device__ int total;
extern __constant__ int factor;
__device__ int twice(int);
typedef int operation(int);
extern __device__ operation *chosen;
