/* other.c - a libcuda.so.1 that is not ours. */
int cuInit(unsigned flags);
int cuDriverGetVersion(int *version);
int cuNobodyKnows(void);
int cuVDPAUCtxCreate_v2(void *, unsigned, int, unsigned, void *);

int
cuInit(unsigned flags)
{
	return (int)flags;
}

int
cuDriverGetVersion(int *version)
{
	*version = 1;
	return 0;
}

int
cuNobodyKnows(void)
{
	return 0;
}

int
cuVDPAUCtxCreate_v2(void *context, unsigned flags, int device,
	unsigned vdpau, void *get)
{
	return !context + !get + device + (int)(flags + vdpau);
}
