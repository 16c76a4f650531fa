// A kernel that stays and is talked to through memory of the host; mapped and
// managed memory, system-wide atomics and fences.
// REQUIRES: nvcc
// RUN: sh %S/Inputs/build %s %t
// RUN: sh %S/Inputs/devices %t
#include "check.h"
#include <atomic>

enum { STOP = -1 };

struct Mail {
	int request, answer;
	int text[32];
};

__global__ void
serve(volatile Mail *m)
{
	int last = 0, r;

	for (;;) {
		while ((r = m->request) == last)
			;
		__threadfence_system();
		if (r == STOP)
			break;
		m->text[threadIdx.x] = m->text[threadIdx.x] * 2 + r;
		__threadfence_system();
		__syncwarp();
		if (threadIdx.x == 0)
			m->answer = r;
		last = r;
	}
}

__global__ void
count(int *n)
{
	atomicAdd_system(n, 1);
}

static void
talk()
{
	volatile Mail *m;
	void *on_device;
	int bad = 0;

	OK(cudaHostAlloc((void **)&m, sizeof *m, cudaHostAllocMapped |
		cudaHostAllocPortable));
	memset((void *)m, 0, sizeof *m);
	OK(cudaHostGetDevicePointer(&on_device, (void *)m, 0));
	serve<<<1, 32>>>((volatile Mail *)on_device);
	OK(cudaGetLastError());
	for (int r = 1; r <= sized(100, 5); r++) {
		for (int i = 0; i < 32; i++)
			m->text[i] = i * r;
		std::atomic_thread_fence(std::memory_order_seq_cst);
		m->request = r;
		while (m->answer != r)
			;
		std::atomic_thread_fence(std::memory_order_seq_cst);
		for (int i = 0; i < 32; i++)
			bad += m->text[i] != 2 * i * r + r;
	}
	TRUE(bad == 0);
	IS(cudaStreamQuery(0), cudaErrorNotReady);
	m->request = STOP;
	OK(cudaDeviceSynchronize());
	cudaGetLastError();
	OK(cudaFreeHost((void *)m));
}

struct Node {
	Node *next;
	int value;
};

__managed__ Node *head;

__global__ void
add_all(int *sum)
{
	*sum = 0;
	for (Node *n = head; n; n = n->next) {
		*sum += n->value;
		n->value = -n->value;
	}
}

// a list that the host makes and a kernel walks
static void
lists()
{
	int *sum, bad = 0;

	for (int i = 1; i <= 10; i++) {
		Node *n;

		OK(cudaMallocManaged(&n, sizeof *n));
		n->next = head;
		n->value = i;
		head = n;
	}
	OK(cudaMallocManaged(&sum, sizeof *sum, cudaMemAttachGlobal));
	add_all<<<1, 1>>>(sum);
	OK(cudaDeviceSynchronize());
	TRUE(*sum == 55);
	for (int i = 10; head; i--) {
		Node *n = head;

		head = n->next;
		bad += n->value != -i;
		OK(cudaFree(n));
	}
	TRUE(bad == 0);
	*sum = 0;
	count<<<4, 64>>>(sum);
	OK(cudaDeviceSynchronize());
	TRUE(*sum == 256);
	OK(cudaFree(sum));
}

int
main()
{
	talk();
	lists();
	return check_end();
}
