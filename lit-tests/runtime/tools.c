/* tools.c - core dumps, notifications, what atomics can do: what is there is
 * told, what is not is refused. */
#include "check.h"

static void
dumps(void)
{
	_Bool on = true, off = false;
	unsigned flags = 9;
	size_t n = sizeof on;
	char name[64] = "x";

	OK(cuCoredumpGetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &on, &n));
	TRUE(!on);
	n = sizeof flags;
	OK(cuCoredumpGetAttributeGlobal(CU_COREDUMP_GENERATION_FLAGS, &flags,
		&n));
	IS(flags, 0);
	n = sizeof name;
	OK(cuCoredumpGetAttribute(CU_COREDUMP_FILE, name, &n));
	IS(name[0], 0);
	IS(cuCoredumpGetAttribute(0, name, &n), CUDA_ERROR_INVALID_VALUE);
	IS(cuCoredumpGetAttribute(CU_COREDUMP_LIGHTWEIGHT, name, &n),
		CUDA_ERROR_INVALID_VALUE);
	n = sizeof on;
	on = true;
	IS(cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &on, &n),
		CUDA_ERROR_NOT_SUPPORTED);
	OK(cuCoredumpSetAttribute(CU_COREDUMP_ENABLE_ON_EXCEPTION, &off, &n));
}

static void
never(CUasyncNotificationInfo *info, void *data, CUasyncCallbackHandle h)
{
	(void)info;
	(void)data;
	(void)h;
}

static void
notifications(void)
{
	CUasyncCallbackHandle h = 0, g = 0;

	OK(cuDeviceRegisterAsyncNotification(0, never, 0, &h));
	OK(cuDeviceRegisterAsyncNotification(0, never, 0, &g));
	TRUE(h && g && h != g);
	OK(cuDeviceUnregisterAsyncNotification(0, h));
	IS(cuDeviceUnregisterAsyncNotification(0, h),
		CUDA_ERROR_INVALID_VALUE);
	OK(cuDeviceUnregisterAsyncNotification(0, g));
	IS(cuDeviceRegisterAsyncNotification(9, never, 0, &h),
		CUDA_ERROR_INVALID_DEVICE);
}

static void
atomics(void)
{
	CUatomicOperation op[2] = { CU_ATOMIC_OPERATION_INTEGER_ADD,
		CU_ATOMIC_OPERATION_FLOAT_ADD };
	unsigned can[2] = { 77, 77 };
	int native = 0;

	OK(cuDeviceGetAttribute(&native,
		CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED, 0));
	OK(cuDeviceGetHostAtomicCapabilities(can, op, 2, 0));
	TRUE((can[0] != 0) == native && (can[1] != 0) == native);
	TRUE(!native || can[0] & CU_ATOMIC_CAPABILITY_SCALAR_64);
	IS(cuDeviceGetHostAtomicCapabilities(can, op, 0, 0),
		CUDA_ERROR_INVALID_VALUE);
	IS(cuDeviceGetP2PAtomicCapabilities(can, op, 2, 0, 0),
		CUDA_ERROR_INVALID_DEVICE);
	OK(cuDeviceGetP2PAtomicCapabilities(can, op, 2, 0, 1));
	TRUE((can[0] != 0) == native);
}

int
main(void)
{
	CUcontext c;

	OK(cuInit(0));
	OK(cuCtxCreate_v2(&c, 0, 0));
	dumps();
	notifications();
	atomics();
	OK(cuCtxDestroy_v2(c));
	return check_end();
}
