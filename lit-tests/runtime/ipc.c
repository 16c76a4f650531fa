/* ipc.c - memory and events of one process, used by another.
 *
 *	ipc        makes them, and runs itself as the other: ipc FD
 *	ipc FD     gets struct offer from that file descriptor
 *
 * Both tell each other by words of memory that they share, never by time.
 */
#include "check.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMALL = 1000, MEDIUM = 70000, LARGE = 9 << 20, N = 3 };

struct offer {
	CUipcMemHandle memory[N];
	CUipcEventHandle event;
	CUmemPoolPtrExportData piece;
	int device, has_event, has_pool;
};

static const size_t size[N] = { MEDIUM, LARGE, SMALL };
static CUdevice dev;

static void
start(void)
{
	CUcontext c;

	OK(cuInit(0));
	OK(cuDeviceGet(&dev, 0));
	OK(cuDevicePrimaryCtxRetain(&c, dev));
	OK(cuCtxSetCurrent(c));
}

static int
bad_bytes(CUdeviceptr at, size_t n, int want)
{
	unsigned char *p = malloc(n);
	size_t i;
	int bad = 0;

	OK(cuMemcpyDtoH_v2(p, at, n));
	for (i = 0; i < n; i++)
		bad += p[i] != want;
	free(p);
	return bad;
}

/* a file descriptor over a socket */
static int
pass(int fd, int file)
{
	union {
		struct cmsghdr h;
		char space[CMSG_SPACE(sizeof(int))];
	} c;
	char byte = 1;
	struct iovec v = { &byte, 1 };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1,
		.msg_control = &c, .msg_controllen = sizeof c };

	memset(&c, 0, sizeof c);
	if (file < 0) {
		if (recvmsg(fd, &m, 0) <= 0)
			return -1;
		memcpy(&file, CMSG_DATA(&c.h), sizeof file);
		return file;
	}
	c.h.cmsg_level = SOL_SOCKET;
	c.h.cmsg_type = SCM_RIGHTS;
	c.h.cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(&c.h), &file, sizeof file);
	return (int)sendmsg(fd, &m, 0);
}

static void
other_pool(int fd, const struct offer *o)
{
	CUmemPoolPtrExportData d = o->piece;
	int file = pass(fd, -1);
	CUmemoryPool pool;
	CUdeviceptr p;

	OK(cuMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)file,
		CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
	close(file);
	OK(cuMemPoolImportPointer(&p, pool, &d));
	IS(bad_bytes(p, SMALL, 44), 0);
	OK(cuMemsetD8_v2(p, 45, SMALL));
	OK(cuStreamSynchronize(0));
	OK(cuMemFree_v2(p));
	IS(cuMemAllocFromPoolAsync(&p, 1, pool, 0) != 0, 1);
	OK(cuMemPoolDestroy(pool));
}

/* the other process: what it finds is 10 + i, what it leaves 20 + i */
static int
other(int fd)
{
	CUdeviceptr p[N], again;
	struct offer o;
	CUevent e = 0;
	CUstream s;
	int i;

	start();
	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	IS(read(fd, &o, sizeof o), sizeof o);
	for (i = 0; i < N; i++) {
		OK(cuIpcOpenMemHandle_v2(&p[i], o.memory[i], 1));
		OK(cuIpcOpenMemHandle_v2(&again, o.memory[i], 1));
		TRUE(again == p[i]);
	}
	if (o.has_event) {
		OK(cuIpcOpenEventHandle(&e, o.event));
		IS(cuEventQuery(e), CUDA_ERROR_NOT_READY);
		OK(cuStreamWaitEvent(s, e, 0));
		OK(cuMemsetD8Async(p[2], 33, SMALL, s));
		IS(bad_bytes(p[2], SMALL, 12), 0);
	}
	for (i = 0; i < 2; i++) {
		IS(bad_bytes(p[i], size[i], 10 + i), 0);
		OK(cuMemsetD8_v2(p[i], (unsigned char)(20 + i), size[i]));
	}
	OK(cuStreamSynchronize(0));
	IS(write(fd, "1", 1), 1);
	OK(cuStreamSynchronize(s));
	if (e)
		OK(cuEventSynchronize(e));
	if (o.has_pool)
		other_pool(fd, &o);
	IS(cuMemFree_v2(p[0]), CUDA_ERROR_INVALID_VALUE);
	for (i = 0; i < N; i++) {
		OK(cuIpcCloseMemHandle(p[i]));
		OK(cuIpcCloseMemHandle(p[i]));
		IS(cuIpcCloseMemHandle(p[i]), CUDA_ERROR_INVALID_VALUE);
	}
	if (e)
		OK(cuEventDestroy_v2(e));
	memset(&o.memory[0], 9, sizeof o.memory[0]);
	IS(cuIpcOpenMemHandle_v2(&again, o.memory[0], 1),
		CUDA_ERROR_INVALID_VALUE);
	return check_end();
}

static pid_t
run_other(const char *self, int *fd)
{
	char number[16];
	int pair[2];
	pid_t pid;

	IS(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	fcntl(pair[0], F_SETFD, FD_CLOEXEC);
	snprintf(number, sizeof number, "%d", pair[1]);
	pid = fork();
	if (pid == 0) {
		execl(self, self, number, (char *)0);
		_exit(127);
	}
	close(pair[1]);
	*fd = pair[0];
	return pid;
}

static CUmemoryPool
offer_pool(struct offer *o, CUdeviceptr *at, int *file)
{
	CUmemPoolProps props = { .allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
		.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
		.location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 } };
	CUmemoryPool pool;

	OK(cuMemPoolCreate(&pool, &props));
	OK(cuMemAllocFromPoolAsync(at, SMALL, pool, 0));
	OK(cuMemsetD8_v2(*at, 44, SMALL));
	OK(cuStreamSynchronize(0));
	OK(cuMemPoolExportToShareableHandle(file, pool,
		CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
	OK(cuMemPoolExportPointer(&o->piece, *at));
	return pool;
}

static void
end_of(pid_t pid)
{
	int status = -1;

	IS(waitpid(pid, &status, 0), pid);
	TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* memory by name, and what is no name */
static void
offer_memory(struct offer *o, CUdeviceptr *p)
{
	CUdeviceptr again;
	CUipcMemHandle h;
	int i;

	for (i = 0; i < N; i++) {
		OK(cuMemAlloc_v2(&p[i], size[i]));
		OK(cuMemsetD8_v2(p[i], (unsigned char)(10 + i), size[i]));
		OK(cuIpcGetMemHandle(&o->memory[i], p[i]));
	}
	IS(cuIpcOpenMemHandle_v2(&again, o->memory[0], 0),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuIpcOpenMemHandle_v2(&again, o->memory[0], 1),
		CUDA_ERROR_INVALID_CONTEXT);
	IS(cuIpcGetMemHandle(&h, 5), CUDA_ERROR_INVALID_VALUE);
}

/* an event behind something that only the other's answer lets go on */
static CUevent
offer_event(struct offer *o, unsigned *gate)
{
	CUevent e = 0;
	CUstream s;

	OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
	IS(cuEventCreate(&e, CU_EVENT_INTERPROCESS), CUDA_ERROR_INVALID_VALUE);
	OK(cuEventCreate(&e, CU_EVENT_INTERPROCESS
		| CU_EVENT_DISABLE_TIMING));
	OK(cuEventQuery(e));
	OK(cuStreamWaitValue32_v2(s, (uintptr_t)gate, 1, 0));
	OK(cuEventRecord(e, s));
	OK(cuIpcGetEventHandle(&o->event, e));
	return e;
}

int
main(int argc, char **argv)
{
	CUdeviceptr p[N], piece;
	CUmemoryPool pool = 0;
	CUevent e = 0;
	struct offer o;
	unsigned *gate;
	int i, fd, file = -1;
	char c;
	pid_t pid;

	if (argc > 1)
		return other(atoi(argv[1]));
	start();
	memset(&o, 0, sizeof o);
	OK(cuDeviceGetAttribute(&o.has_event,
		CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED, dev));
	OK(cuDeviceGetAttribute(&o.has_pool,
		CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, dev));
	offer_memory(&o, p);
	OK(cuMemHostAlloc((void **)&gate, 64, CU_MEMHOSTALLOC_DEVICEMAP));
	*gate = 0;
	if (o.has_event)
		e = offer_event(&o, gate);
	if (o.has_pool)
		pool = offer_pool(&o, &piece, &file);
	pid = run_other(argv[0], &fd);
	IS(write(fd, &o, sizeof o), sizeof o);
	IS(read(fd, &c, 1), 1);
	for (i = 0; i < 2; i++)
		IS(bad_bytes(p[i], size[i], 20 + i), 0);
	__atomic_store_n(gate, 1, __ATOMIC_RELEASE);
	if (pool)
		TRUE(pass(fd, file) > 0);
	end_of(pid);
	if (o.has_event)
		IS(bad_bytes(p[2], SMALL, 33), 0);
	if (pool) {
		IS(bad_bytes(piece, SMALL, 45), 0);
		OK(cuMemFreeAsync(piece, 0));
		OK(cuMemPoolDestroy(pool));
	}
	for (i = 0; i < N; i++)
		OK(cuMemFree_v2(p[i]));
	if (e)
		OK(cuEventDestroy_v2(e));
	OK(cuMemFreeHost(gate));
	OK(cuDevicePrimaryCtxRelease_v2(dev));
	return check_end();
}
