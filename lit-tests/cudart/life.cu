// A game of life: pitched memory, two streams that exchange their borders by
// events, copies of rows and columns.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"

typedef unsigned char Cell;

__global__ void
step(const Cell *in, size_t in_pitch, Cell *out, size_t out_pitch, int w,
	int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
	int y = blockIdx.y * blockDim.y + threadIdx.y + 1, n = 0;

	if (x > w || y > h)
		return;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			n += in[(y + dy) * in_pitch + x + dx];
	Cell self = in[y * in_pitch + x];
	out[y * out_pitch + x] = n == 3 || (self && n == 4);
}

// half of the field, with a border of one cell all round
struct Half {
	Cell *now, *next;
	size_t now_pitch, next_pitch;
	cudaStream_t s;
	cudaEvent_t stepped, sent;
};

static void
make(Half *a, int w, int h)
{
	OK(cudaMallocPitch(&a->now, &a->now_pitch, w + 2, h + 2));
	OK(cudaMallocPitch(&a->next, &a->next_pitch, w + 2, h + 2));
	OK(cudaMemset2D(a->now, a->now_pitch, 0, w + 2, h + 2));
	OK(cudaMemset2D(a->next, a->next_pitch, 0, w + 2, h + 2));
	OK(cudaStreamCreateWithFlags(&a->s, cudaStreamNonBlocking));
	OK(cudaEventCreateWithFlags(&a->stepped, cudaEventDisableTiming));
	OK(cudaEventCreateWithFlags(&a->sent, cudaEventDisableTiming));
}

static void
drop(Half *a)
{
	OK(cudaStreamDestroy(a->s));
	OK(cudaEventDestroy(a->stepped));
	OK(cudaEventDestroy(a->sent));
	OK(cudaFree(a->now));
	OK(cudaFree(a->next));
}

// a's row of its own goes to the border of b
static void
send(Half *a, int row, Half *b, int border, int w)
{
	OK(cudaStreamWaitEvent(a->s, b->stepped, 0));
	OK(cudaMemcpyAsync(b->now + border * b->now_pitch,
		a->now + row * a->now_pitch, w + 2, cudaMemcpyDeviceToDevice,
		a->s));
	OK(cudaEventRecord(a->sent, a->s));
}

static std::vector<Cell>
on_host(std::vector<Cell> v, int w, int h, int steps)
{
	while (steps-- > 0) {
		auto old = v;

		for (int y = 0; y < h; y++)
			for (int x = 0; x < w; x++) {
				int n = 0;

				for (int k = 0; k < 9; k++) {
					int yy = y + k / 3 - 1;
					int xx = x + k % 3 - 1;

					n += yy >= 0 && yy < h && xx >= 0 &&
						xx < w && old[yy * w + xx];
				}
				v[y * w + x] = n == 3 ||
					(n == 4 && old[y * w + x]);
			}
	}
	return v;
}

int
main()
{
	const int w = sized(100, 40), h = 24, steps = sized(20, 4);
	std::vector<Cell> v(w * 2 * h), got(w * 2 * h);
	Half half[2];

	for (int i = 0; i < w * 2 * h; i++)
		v[i] = i * i % 7 < 3;
	for (int k = 0; k < 2; k++) {
		Half *a = &half[k];

		make(a, w, h);
		OK(cudaMemcpy2DAsync(a->now + a->now_pitch + 1, a->now_pitch,
			v.data() + k * w * h, w, w, h, cudaMemcpyHostToDevice,
			a->s));
		OK(cudaEventRecord(a->stepped, a->s));
	}
	for (int i = 0; i < steps; i++) {
		send(&half[0], h, &half[1], 0, w);
		send(&half[1], 1, &half[0], h + 1, w);
		for (int k = 0; k < 2; k++) {
			Half *a = &half[k];

			OK(cudaStreamWaitEvent(a->s, half[!k].sent, 0));
			step<<<dim3((w + 31) / 32, (h + 3) / 4), dim3(32, 4),
				0, a->s>>>(a->now, a->now_pitch, a->next,
				a->next_pitch, w, h);
			OK(cudaEventRecord(a->stepped, a->s));
		}
		for (Half &a : half) {
			std::swap(a.now, a.next);
			std::swap(a.now_pitch, a.next_pitch);
		}
	}
	for (int k = 0; k < 2; k++) {
		Half *a = &half[k];

		OK(cudaMemcpy2DAsync(got.data() + k * w * h, w,
			a->now + a->now_pitch + 1, a->now_pitch, w, h,
			cudaMemcpyDeviceToHost, a->s));
		OK(cudaStreamSynchronize(a->s));
	}
	TRUE(got == on_host(v, w, 2 * h, steps));
	drop(&half[0]);
	drop(&half[1]);
	return check_end();
}
