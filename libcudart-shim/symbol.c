/* symbol.c - variables of the program: where they are, copies to and from. */
#include "rt.h"

static cudaError_t
variable(const void *symbol, CUdeviceptr *address, size_t *size)
{
	struct entry *e = registry_find(symbol);
	CUlibrary l;
	cudaError_t r;

	if (!e || (e->kind != ENTRY_VARIABLE && e->kind != ENTRY_MANAGED))
		return cudaErrorInvalidSymbol;
	r = fat_library(e->fat, &l);
	if (!r)
		r = cuLibraryGetGlobal(address, size, l, e->name);
	return r == cudaErrorSymbolNotFound ? cudaErrorInvalidSymbol : r;
}

cudaError_t
cudaGetSymbolAddress(CUdeviceptr *address, const void *symbol)
{
	return address ? variable(symbol, address, 0) : cudaErrorInvalidValue;
}

cudaError_t
cudaGetSymbolSize(size_t *size, const void *symbol)
{
	CUdeviceptr p;

	return size ? variable(symbol, &p, size) : cudaErrorInvalidValue;
}

/* where a part of it is */
cudaError_t
symbol_part(const void *symbol, size_t n, size_t offset, void **out)
{
	CUdeviceptr p;
	size_t size;
	cudaError_t r = variable(symbol, &p, &size);

	if (r)
		return r;
	if (offset > size || n > size - offset)
		return cudaErrorInvalidValue;
	*out = (void *)(uintptr_t)(p + offset);
	return 0;
}

static bool
goes_to(int kind)
{
	return kind == COPY_HOST_TO_DEVICE || kind == COPY_DEVICE_TO_DEVICE ||
		kind == COPY_DEFAULT;
}

static bool
comes_from(int kind)
{
	return kind == COPY_DEVICE_TO_HOST || kind == COPY_DEVICE_TO_DEVICE ||
		kind == COPY_DEFAULT;
}

cudaError_t
cudaMemcpyToSymbol(const void *symbol, const void *src, size_t n,
	size_t offset, int kind)
{
	void *p;
	cudaError_t r = goes_to(kind) ? symbol_part(symbol, n, offset, &p) :
		cudaErrorInvalidMemcpyDirection;

	return r ? r : cudaMemcpy(p, src, n, kind);
}

cudaError_t
cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t n,
	size_t offset, int kind, CUstream s)
{
	void *p;
	cudaError_t r = goes_to(kind) ? symbol_part(symbol, n, offset, &p) :
		cudaErrorInvalidMemcpyDirection;

	return r ? r : cudaMemcpyAsync(p, src, n, kind, s);
}

cudaError_t
cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t n, size_t offset,
	int kind)
{
	void *p;
	cudaError_t r = comes_from(kind) ? symbol_part(symbol, n, offset, &p) :
		cudaErrorInvalidMemcpyDirection;

	return r ? r : cudaMemcpy(dst, p, n, kind);
}

cudaError_t
cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t n,
	size_t offset, int kind, CUstream s)
{
	void *p;
	cudaError_t r = comes_from(kind) ? symbol_part(symbol, n, offset, &p) :
		cudaErrorInvalidMemcpyDirection;

	return r ? r : cudaMemcpyAsync(dst, p, n, kind, s);
}
