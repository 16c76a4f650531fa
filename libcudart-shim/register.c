/* register.c - what the host code that nvcc makes tells of its kernels.
 *
 * Registering asks nothing of the driver: it happens before main.  A fat
 * binary is loaded, as a library of the driver's, which serves all contexts,
 * when something of it is first used.
 */
#include "rt.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
	WRAPPER_MAGIC = 0x466243b1,
	WRAPPER_LINKED = 2       /* version: made of several, by nvlink */
};

/* in .nvFatBinSegment */
struct wrapper {
	uint32_t magic, version;
	const void *data;
	void *const *part;       /* of a linked one: what it was made of; 0 */
};

struct managed {
	void **host;             /* the program's pointer to it */
	const char *name;
	size_t size;
	struct managed *next;
};

struct fat {
	const struct wrapper *wrapper;
	struct entry *list;
	struct managed *managed;
	pthread_mutex_t lock;
	atomic_bool loaded;      /* or failed: */
	cudaError_t error;
	CUlibrary library;
};

struct entry **
fat_list(struct fat *f)
{
	return &f->list;
}

void **
__cudaRegisterFatBinary(void *wrapper)
{
	struct fat *f = calloc(1, sizeof *f);

	if (f) {
		f->wrapper = wrapper;
		pthread_mutex_init(&f->lock, 0);
	}
	return (void **)f;
}

void
__cudaRegisterFatBinaryEnd(void **handle)
{
	(void)handle;
}

void
__cudaUnregisterFatBinary(void **handle)
{
	struct fat *f = (struct fat *)handle;
	struct managed *m;

	if (!f)
		return;
	registry_remove(f->list);
	if (f->library)
		cuLibraryUnload(f->library);
	while ((m = f->managed)) {
		f->managed = m->next;
		free(m);
	}
	pthread_mutex_destroy(&f->lock);
	free(f);
}

void
__cudaRegisterFunction(void **handle, const char *host, char *stub,
	const char *name, int thread_limit, void *tid, void *bid, void *bdim,
	void *gdim, int *wsize)
{
	(void)stub, (void)thread_limit, (void)tid, (void)bid;
	(void)bdim, (void)gdim, (void)wsize;
	if (handle)
		registry_add((struct fat *)handle, ENTRY_KERNEL, host, name,
			0);
}

void
__cudaRegisterVar(void **handle, char *host, char *address, const char *name,
	int ext, size_t size, int constant, int global)
{
	(void)address, (void)ext, (void)constant, (void)global;
	if (handle)
		registry_add((struct fat *)handle, ENTRY_VARIABLE, host, name,
			size);
}

/* The program reads and writes it through a pointer, which __cudaInitModule
 * sets before it is first used.  As a symbol it is known by the address of
 * that pointer, and by what the pointer says. */
void
__cudaRegisterManagedVar(void **handle, void **host, char *address,
	const char *name, int ext, size_t size, int constant, int global)
{
	struct fat *f = (struct fat *)handle;
	struct managed *m = f ? malloc(sizeof *m) : 0;

	(void)address, (void)ext, (void)constant, (void)global;
	if (!m)
		return;
	m->host = host;
	m->name = name;
	m->size = size;
	m->next = f->managed;
	f->managed = m;
	registry_add(f, ENTRY_MANAGED, host, name, size);
}

/* variables of the host that kernels would see: none do */
void
__cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size)
{
	(void)handle, (void)name, (void)host, (void)size;
}

void **
__cudaRegisterUnifiedTable(void **handle, void *table)
{
	(void)table;
	return handle;
}

/* loading */

/* a fat binary's size, by its header */
static size_t
fatbin_size(const void *data)
{
	const char *p = data;
	uint16_t header;
	uint64_t body;

	memcpy(&header, p + 6, sizeof header);
	memcpy(&body, p + 8, sizeof body);
	return header + (size_t)body;
}

/* nvlink's own output holds machine code alone: its inputs are linked again,
 * from their PTX */
static cudaError_t
load_linked(struct fat *f)
{
	void *const *part = f->wrapper->part;
	CUlinkState state;
	void *image;
	size_t size;
	CUresult r = cuLinkCreate_v2(0, 0, 0, &state);

	if (r)
		return r;
	for (; !r && *part; part++)
		r = cuLinkAddData_v2(state, CU_JIT_INPUT_FATBINARY, *part,
			fatbin_size(*part), 0, 0, 0, 0);
	if (!r)
		r = cuLinkComplete(state, &image, &size);
	if (!r)
		r = cuLibraryLoadData(&f->library, image, 0, 0, 0, 0, 0, 0);
	cuLinkDestroy(state);
	return r;
}

static cudaError_t
load(struct fat *f)
{
	const struct wrapper *w = f->wrapper;
	cudaError_t r = need_CTX();

	if (r)
		return r;
	if (w->magic != WRAPPER_MAGIC)
		return cudaErrorInvalidKernelImage;
	if (w->version == WRAPPER_LINKED && w->part && *w->part)
		return load_linked(f);
	return cuLibraryLoadData(&f->library, w->data, 0, 0, 0, 0, 0, 0);
}

/* the program's pointers to managed variables; locked */
static cudaError_t
set_managed(struct fat *f)
{
	struct managed *m;
	CUdeviceptr p;
	CUresult r = CUDA_SUCCESS;

	for (m = f->managed; m && !r; m = m->next) {
		r = cuLibraryGetManaged(&p, 0, f->library, m->name);
		if (r)
			break;
		*m->host = (void *)(uintptr_t)p;
		registry_add(f, ENTRY_MANAGED, *m->host, m->name, m->size);
	}
	return r;
}

/* what needs a device fails again and again, but a broken image once */
cudaError_t
fat_library(struct fat *f, CUlibrary *out)
{
	cudaError_t r = 0;

	if (!atomic_load_explicit(&f->loaded, memory_order_acquire)) {
		r = need_CTX();
		if (r)
			return r;
		pthread_mutex_lock(&f->lock);
		if (!f->loaded) {
			f->error = load(f);
			if (!f->error)
				f->error = set_managed(f);
			atomic_store_explicit(&f->loaded, true,
				memory_order_release);
		}
		pthread_mutex_unlock(&f->lock);
	}
	*out = f->library;
	return f->error;
}

char
__cudaInitModule(void **handle)
{
	CUlibrary l;
	cudaError_t r = handle ? fat_library((struct fat *)handle, &l) :
		cudaErrorInvalidResourceHandle;

	if (r)
		error_set(r);
	return !r;
}
