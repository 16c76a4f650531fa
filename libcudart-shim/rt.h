/* rt.h - the CUDA runtime library's inside.
 *
 * A function of the library is a plain C function, with the prototype that
 * its row of cudart.def gives it.  What the libraries export under that name
 * is in table.c: it sees to what the row needs, calls the plain function and
 * remembers the error.  So functions here may take for granted what their row
 * says, may call each other, and just answer their errors.
 *
 * The library keeps no memory, streams or contexts of its own: all of these
 * are the driver's.  It knows which code the program has registered, which
 * device a thread has chosen and which error it saw last.
 */
#ifndef RT_H
#define RT_H

#include "cudart_api.h"
#include "cuda_fn.h"
#include <stdatomic.h>
#include <stdbool.h>

#ifndef RT_ROWS_ONLY
/* cudaMalloc here is the symbol rt_cudaMalloc; table.c has the other */
#define PLAIN_DONE(does, params) \
	cudaError_t does(ROW_DECLARE params) __asm__("rt_" #does);
#define PLAIN_DRIVER(does, params)
#define PLAIN_STUB(does, params)
#define RT(libs, name, streams, needs, status, does, params) \
	PLAIN_##status(does, params)
#define RT_OTHER(libs, name, type, params) \
	type name(ROW_DECLARE params) __asm__("rt_" #name);
#include "cudart.def"
#undef RT
#undef RT_OTHER
#endif

/* table.c: 11, 12 or 13; and the version of CUDA that this library is */
extern const int rt_version;

/* trace.c */
struct trace_lib;
extern const struct trace_lib rt_trace;

/* error.c */
struct thread {
	cudaError_t last;
	int device;              /* chosen, or 0 */
	unsigned resets;         /* when its context was looked at */
	bool per_thread;         /* within a _ptds or _ptsz call */
	struct config_stack *configs; /* config.c; 0 before the first */
};

/* small, since libraries that are opened late share little such memory */
extern _Thread_local struct thread rt_thread
	__attribute__((tls_model("initial-exec")));

/* remembers an error; answers it */
cudaError_t error_set(cudaError_t);
/* a function that is not there: told once, with PTXAMD_LOG=1 */
cudaError_t error_refuse(const char *function, atomic_bool *told);

/* the form of a driver's function that the call asks for */
#define DS(f) (rt_thread.per_thread ? f##_ptds : f)
#define SZ(f) (rt_thread.per_thread ? f##_ptsz : f)

/* context.c */
extern atomic_bool rt_started;
extern atomic_uint rt_resets;    /* how often a device was reset */
cudaError_t start(void);
/* makes a device's primary context and, for this thread, current */
cudaError_t context_use(int device);
/* … just makes it */
cudaError_t context_of(int device, CUcontext *);
/* a context to work with, after need_CTX saw none or a reset */
cudaError_t context_check(void);
/* the device that this thread works with */
cudaError_t device_current(int *);

static inline cudaError_t need_ANY(void) { return 0; }
static inline cudaError_t
need_INIT(void)
{
	return atomic_load_explicit(&rt_started, memory_order_acquire)
		? 0 : start();
}

static inline cudaError_t
need_CTX(void)
{
	CUcontext c;

	return cuCtxGetCurrent(&c) == CUDA_SUCCESS && c &&
		rt_thread.resets == atomic_load_explicit(&rt_resets,
			memory_order_relaxed) ? 0 : context_check();
}

/* registry.c: what the program has registered, by addresses of the host */
enum entry_kind {
	ENTRY_KERNEL, ENTRY_VARIABLE, ENTRY_MANAGED,
	ENTRY_TEXTURE, ENTRY_SURFACE, /* references: texref.c */
};

struct fat;

struct entry {
	const void *host;
	const char *name;
	struct fat *fat;
	enum entry_kind kind;
	size_t size;             /* of a texture: is it read as floats? */
	size_t offset;           /* of what is bound to a texture */
	_Atomic(CUkernel) kernel;
	struct entry *next;      /* of the same fat binary */
};

/* 0: out of memory */
struct entry *registry_add(struct fat *, enum entry_kind, const void *host,
	const char *name, size_t size);
/* what is registered there, or 0; any thread, without a lock */
struct entry *registry_find(const void *host);
void registry_remove(struct entry *list);
/* the stub of a kernel that was asked for by it, or 0 */
const void *registry_stub(CUkernel);

/* register.c: the library of a fat binary, loaded when it is first needed */
cudaError_t fat_library(struct fat *, CUlibrary *);
struct entry **fat_list(struct fat *);

/* copy.c: as the driver has it, checked */
cudaError_t box_lower(CUDA_MEMCPY3D *, const struct copy_3d *);
/* the size of an array's element; 1 without an array; 0: no such array */
size_t array_element(CUarray);

/* symbol.c: where n bytes of a variable are */
cudaError_t symbol_part(const void *symbol, size_t n, size_t offset, void **);

/* function.c: function is the host's, or a handle */
cudaError_t kernel_of(const void *function, CUkernel *);

#endif
