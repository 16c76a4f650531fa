/* reference.h - texture and surface references inside the runtime.
 *
 * A reference is a variable of a module that names a texture or surface.  What
 * programs say of it is kept here; kernels see it as it is at their launch.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "array.h"
#include "module.h"

/* what a CUtexref and a CUsurfref is */
struct reference {
	struct owned owned;      /* by the context, if there is no module */
	CUcontext context;
	CUmodule module;         /* 0: cuTexRefCreate */
	struct reference *next;  /* of the module */
	char *name;
	bool surface;
	bool bound;              /* there is a resource */
	bool stale;              /* kernels do not see it as it is */
	CUDA_RESOURCE_DESC resource;
	CUDA_TEXTURE_DESC sampler;
	CUarray_format format;   /* of memory */
	unsigned channels;
	CUdeviceptr variable;    /* holds the handle */
	CUtexObject handle;      /* 0: never shown */
};

/* a new one, with CUDA's settings; 0: out of memory */
struct reference *reference_new(CUcontext, bool surface);
void reference_free(struct reference *);
/* the reference that a handle is, or 0 */
struct reference *reference_of(const void *handle, bool surface);
/* it is no longer as kernels see it */
void reference_changed(struct reference *);
/* has it a resource of that type? */
bool reference_has(const struct reference *, CUresourcetype);

#endif
