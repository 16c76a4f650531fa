/* devices.c - prints the devices: a line each, "pci uuid cc name memory"; or
 * what cuInit answered. */
#include "check.h"

int
main(void)
{
	CUresult r = cuInit(0);
	int i, n = -1;

	if (r) {
		printf("cuInit %d, then %d\n", (int)r,
			(int)cuDeviceGetCount(&n));
		return 0;
	}
	OK(cuDeviceGetCount(&n));
	for (i = 0; i < n; i++) {
		char name[256], bus[16];
		unsigned char *b;
		CUuuid id;
		CUdevice d;
		size_t size;
		int major, minor, k;

		OK(cuDeviceGet(&d, i));
		OK(cuDeviceGetName(name, sizeof name, d));
		OK(cuDeviceGetPCIBusId(bus, sizeof bus, d));
		OK(cuDeviceGetUuid_v2(&id, d));
		OK(cuDeviceTotalMem_v2(&size, d));
		OK(cuDeviceComputeCapability(&major, &minor, d));
		printf("%s GPU-", bus);
		b = (unsigned char *)id.bytes;
		for (k = 0; k < 16; k++)
			printf("%s%02x", k == 4 || k == 6 || k == 8 || k == 10
				? "-" : "", b[k]);
		printf(" %d.%d %s %zu\n", major, minor, name, size);
	}
	return check_bad != 0;
}
