/* registered.h - a kernel as programs have it that nvcc made: in a fat binary,
 * registered with the runtime library and launched through it.
 *
 * The library is opened by its path, so that one program tests all of them.
 */
#ifndef REGISTERED_H
#define REGISTERED_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rt_dim3 {
	unsigned x, y, z;
};

/* type, name, parameters */
#define RT_FUNCTIONS(F) \
	F(void **, __cudaRegisterFatBinary, (void *)) \
	F(void, __cudaRegisterFatBinaryEnd, (void **)) \
	F(void, __cudaUnregisterFatBinary, (void **)) \
	F(void, __cudaRegisterFunction, (void **, const char *, char *, \
		const char *, int, void *, void *, void *, void *, int *)) \
	F(void, __cudaRegisterVar, (void **, char *, char *, const char *, \
		int, size_t, int, int)) \
	F(unsigned, __cudaPushCallConfiguration, (struct rt_dim3, \
		struct rt_dim3, size_t, void *)) \
	F(unsigned, __cudaPopCallConfiguration, (struct rt_dim3 *, \
		struct rt_dim3 *, size_t *, void *)) \
	F(unsigned, cudaSetDevice, (int)) \
	F(unsigned, cudaFree, (void *)) \
	F(unsigned, cudaMemcpyToSymbol, (const void *, const void *, size_t, \
		size_t, int)) \
	F(unsigned, cudaFuncSetAttribute, (const void *, int, int)) \
	F(unsigned, cudaLaunchKernel, (const void *, struct rt_dim3, \
		struct rt_dim3, void **, size_t, void *)) \
	F(unsigned, cudaLaunchCooperativeKernel, (const void *, \
		struct rt_dim3, struct rt_dim3, void **, size_t, void *)) \
	F(unsigned, cudaDeviceSynchronize, (void)) \
	F(unsigned, cudaDeviceReset, (void))

struct runtime {
#define F(type, name, params) type (*name) params;
	RT_FUNCTIONS(F)
#undef F
	/* of the one kernel */
	struct {
		uint32_t magic, version;
		const void *data;
		void *more;
	} wrapper;
	void **handle;
	char stub;               /* its address stands for the kernel */
};

/* 0: *why tells */
static inline bool
runtime_open(struct runtime *r, const char *path, const char **why)
{
	void *h = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	*why = h ? 0 : dlerror();
#define F(type, name, params) \
	if (h && !*why && !(*(void **)&r->name = dlsym(h, #name))) \
		*why = #name;
	RT_FUNCTIONS(F)
#undef F
	return !*why;
}

static inline void
runtime_put(char *to, uint64_t v, size_t n)
{
	memcpy(to, &v, n);
}

/* a fat binary with the PTX, for sm_80; 0: out of memory */
static inline void *
runtime_fatbin(const char *ptx)
{
	enum { HEADER = 16, ENTRY = 64, IS_PTX = 1 };
	size_t n = (strlen(ptx) + 8) / 8 * 8;
	char *p = calloc(1, HEADER + ENTRY + n), *e = p + HEADER;

	if (!p)
		return 0;
	runtime_put(p, 0xba55ed50, 4);
	runtime_put(p + 4, 1, 2);
	runtime_put(p + 6, HEADER, 2);
	runtime_put(p + 8, ENTRY + n, 8);
	runtime_put(e, IS_PTX, 2);
	runtime_put(e + 2, 0x101, 2);
	runtime_put(e + 4, ENTRY, 4);
	runtime_put(e + 8, n, 8);
	runtime_put(e + 28, 80, 4);
	strcpy(e + ENTRY, ptx);
	return p;
}

static inline bool
runtime_register(struct runtime *r, const char *ptx, const char *kernel)
{
	r->wrapper.magic = 0x466243b1;
	r->wrapper.version = 1;
	r->wrapper.data = runtime_fatbin(ptx);
	r->handle = r->wrapper.data ?
		r->__cudaRegisterFatBinary(&r->wrapper) : 0;
	if (!r->handle)
		return false;
	r->__cudaRegisterFunction(r->handle, &r->stub, &r->stub, kernel, -1,
		0, 0, 0, 0, 0);
	return true;
}

static inline void
runtime_unregister(struct runtime *r)
{
	r->__cudaUnregisterFatBinary(r->handle);
	free((void *)(uintptr_t)r->wrapper.data);
}

/* what <<<>>> becomes */
static inline unsigned
runtime_launch(struct runtime *r, const unsigned grid[3],
	const unsigned block[3], size_t shared, void **arg, bool cooperative)
{
	struct rt_dim3 g = { grid[0], grid[1], grid[2] };
	struct rt_dim3 b = { block[0], block[1], block[2] };
	void *stream = 0;
	unsigned e;

	if (shared > 48 << 10 &&
	    (e = r->cudaFuncSetAttribute(&r->stub, 8, (int)shared)))
		return e;
	e = r->__cudaPushCallConfiguration(g, b, shared, stream);
	memset(&g, 0, sizeof g);
	if (!e)
		e = r->__cudaPopCallConfiguration(&g, &b, &shared, &stream);
	if (e)
		return e;
	e = (cooperative ? r->cudaLaunchCooperativeKernel
		: r->cudaLaunchKernel)(&r->stub, g, b, arg, shared, stream);
	return e ? e : r->cudaDeviceSynchronize();
}

#endif
