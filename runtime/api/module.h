/* module.h - modules, their functions, and libraries, inside the runtime.
 *
 * A module is a program loaded into a context.  A library is a program that
 * is loaded into each context that uses it, at its first use; its kernels
 * stand for one function in each.
 */
#ifndef MODULE_H
#define MODULE_H

#include "api.h"
#include "jit_log.h"
#include "link.h"

enum { MAX_PARAM_SIZE = 32764 }; /* bytes of parameters; PTX ISA 8.1 */

/* what the modules of one library share */
struct shared_program {
	struct program *program;
	_Atomic unsigned users;
};

struct param {
	uint32_t offset, size; /* bytes */
};

/* what programs set, by CUfunction_attribute; UNSET: nothing */
enum { UNSET = -2 };

struct settings {
	_Atomic int value[CU_FUNC_ATTRIBUTE_MAX];
};

struct CUfunc_st {
	CUmodule module;
	const char *name;
	const struct func *ptx;      /* 0: ready code alone */
	const struct param *param;
	uint32_t nparam, param_size; /* size: of the block, bytes */
	const struct attr *required; /* .reqntid, or 0 */
	CUfunction next;             /* of CUmod_st.more */

	/* the device's, once it is loaded */
	_Atomic(struct entry *) entry;
	struct entry_info info;
	pthread_mutex_t lock;        /* while it is being loaded */

	const struct settings *base; /* of the kernel, or 0 */
	struct settings settings;
	struct old_launch *old;      /* cuParamSetv and its like, or 0 */
};

struct CUmod_st {
	struct owned owned;
	CUcontext context;
	struct shared_program *shared;
	CUlibrary library;           /* or 0 */
	CUmodule next;               /* of the library */
	struct code *code;
	CUfunction *function;        /* of the PTX, by name */
	size_t nfunction;
	struct param *param;         /* of all of them */
	pthread_mutex_t lock;        /* of what follows */
	CUfunction more;             /* found in ready code */
	struct variable *variable;   /* those that somebody asked for */
	struct reference *reference; /* reference.c: the same */
	atomic_bool stale;           /* kernels do not see one as it is */
};

struct CUkern_st {
	CUlibrary library;
	const char *name;
	const struct func *ptx;
	CUkernel next;               /* of CUlib_st.more */
	_Atomic(CUfunction) last;    /* in the context that used it last */
	struct settings settings;
};

struct CUlib_st {
	struct shared_program *shared;
	CUkernel *kernel;            /* of the PTX, by name */
	size_t nkernel;
	pthread_mutex_t lock;        /* of what follows */
	CUkernel more;
	CUmodule module;             /* of each context that uses it */
};

/* module.c */
CUresult module_make(CUcontext, struct shared_program *, struct text *log,
	CUmodule *);
void module_free(CUmodule);
/* reads a program; what comes is used once, and freed by its last user */
CUresult shared_program_load(struct shared_program **, const void *, size_t,
	const struct program *options, struct jit_log *);
void shared_program_free(struct shared_program *);
/* -O3, the device's target, and what the environment wishes; dev may be 0 */
struct program module_options(const struct device *dev);
/* the kernels of the PTX by name, n of them; freed with free(); 0: out of
 * memory */
const struct func **module_kernels(const struct program *, size_t *n);

/* module_function.c */
/* one of that type: a reference; T_NONE: one with a value */
CUresult module_variable(CUmodule, const char *name, enum type,
	CUdeviceptr *, size_t *);
void module_forget_variables(CUmodule);

/* reference.c: as they are at a launch, kernels see them */
CUresult reference_show(CUmodule);
void reference_forget(CUmodule);

/* function.c */
CUfunction function_new(CUmodule, const char *name, const struct func *,
	struct param *);
void function_free(CUfunction);
CUresult function_find(CUmodule, const char *name, CUfunction *);
/* compiles it, once; without a log stderr gets what goes wrong */
CUresult function_load(CUfunction, struct text *log);
/* a CUfunction as it is, of a CUkernel that in the current context; loaded */
CUresult function_of(CUfunction handle, CUfunction *);
/* … a kernel's in that context; 0: none */
CUresult function_in_context(CUfunction handle, CUcontext, CUfunction *);

/* function_attribute.c */
void settings_init(struct settings *);
CUresult settings_set(struct settings *, const struct device *,
	unsigned shared, CUfunction_attribute, int value);
/* f is loaded */
int function_attribute(CUfunction f, CUfunction_attribute);
unsigned function_max_dynamic(CUfunction f); /* bytes a launch may have */

/* library.c: c may be 0, an error; f need not be loaded */
CUresult kernel_function(CUkernel, CUcontext c, CUfunction *f);
void library_forget(CUmodule); /* which is being freed */

/* launch.c */
struct launch_shape {
	unsigned grid[3], block[3], shared;
	bool cooperative;
};

CUresult launch_function(CUfunction, const struct launch_shape *, CUstream,
	const void *block, size_t size);
/* may a loaded function be launched so? */
CUresult launch_check(CUfunction, const struct launch_shape *);
/* what cuLaunchKernel is given as one block; to be freed */
CUresult launch_block(CUfunction, void **param, void **extra, char **block,
	size_t *size);

#endif
