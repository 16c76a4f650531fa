# program.awk - a CUDA program of N kernels that launches L of them.
#
#	awk -v N=200 -v L=10 -f program.awk /dev/null >program.cu
#
# The kernels are no two alike: each picks its ways to load, compute, exchange
# and store by its number.  The program checks that every launch wrote.

function line(s) { printf "\t%s\n", s }

function kernel(k) {
	printf "\n__global__ void\nkernel_%d(int n, float a, const float *x, float *y)\n{\n", k
	line("__shared__ float part[256];")
	line("int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;")
	line("float v = i < n ? x[i] : 0, s = 0;")
	line("")
	line(sprintf("for (int j = 0; j < %d; j++) {", 3 + k % 5))
	if (k % 2)
		line(sprintf("\tfloat w = x[(i * %d + j) %% n];", 3 + 2 * (k % 7)))
	else
		line(sprintf("\tfloat w = x[(i + j * %d) %% n];", 5 + k % 11))
	if (k % 3 == 0)
		line("\ts += w * a + sqrtf(fabsf(v - w));")
	else if (k % 3 == 1)
		line("\ts = fmaf(w, v, s) + expf(-w * w);")
	else
		line("\ts += w > v ? sinf(w) : w / (1 + v * v);")
	line("}")
	line("part[t] = s;")
	line("__syncthreads();")
	line(sprintf("for (int d = %d; d; d >>= 1) {", 128 / 2 ^ (k % 3)))
	line("\tif (t < d)")
	line("\t\tpart[t] += part[t + d];")
	line("\t__syncthreads();")
	line("}")
	if (k % 5 == 0)
		line("s += __shfl_xor_sync(~0u, s, 1);")
	if (k % 7 == 0)
		line("if (t == 0) atomicAdd(&total, 1);")
	line("if (i < n)")
	line(sprintf("\ty[i] = s + part[0] * factor[%d] + %d;", k % 16, k))
	print "}"
}

BEGIN {
	print "#include <cstdio>\n"
	print "__device__ int total;"
	print "__constant__ float factor[16];"
	for (k = 0; k < N; k++)
		kernel(k)
	print "\nint\nmain()\n{"
	line("enum { SIZE = 4096 };")
	line("static float h[SIZE];")
	line("float *x, *y;")
	line("int bad = 0;")
	line("")
	line("if (cudaMalloc(&x, sizeof h) || cudaMalloc(&y, sizeof h))")
	line("\treturn 1;")
	line("cudaMemset(x, 0, sizeof h);")
	for (l = 0; l < L; l++) {
		k = int(l * N / L) + l % 3
		line("cudaMemset(y, 255, sizeof h);")
		line(sprintf("kernel_%d<<<SIZE / 256, 256>>>(SIZE, 2, x, y);", k))
		line("cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);")
		line("for (int i = 0; i < SIZE; i++)")
		line("\tbad += !(h[i] == h[i]);")
	}
	line("printf(\"%d wrong\\n\", bad);")
	line("return bad != 0;")
	print "}"
}
