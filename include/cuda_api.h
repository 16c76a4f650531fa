/* cuda_api.h - the CUDA driver's binary interface, declared by ourselves.
 *
 * Names, values and layouts are those that NVIDIA's manual and programs know
 * (CUDA 13.0 driver API).  The functions stand in runtime/cuda.def, errors in
 * error.def, attributes of devices in attr.def.  Types that only functions
 * use which we do not have are left incomplete, or are plain numbers.
 */
#ifndef CUDA_API_H
#define CUDA_API_H

#include <stddef.h>
#include <stdint.h>

typedef enum CUresult {
#define CU_ERROR(name, number, text) CUDA_##name = number,
#include "error.def"
#undef CU_ERROR
} CUresult;

/* handles */
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef unsigned CUdeviceptr_v1;        /* before CUDA 3.2 */
typedef unsigned long long CUtexObject, CUsurfObject;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef uint64_t CUgraphConditionalHandle;
typedef unsigned CUlogIterator;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUarray_st *CUarray;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef struct CUgraphicsResource_st *CUgraphicsResource;
typedef struct CUextMemory_st *CUexternalMemory;
typedef struct CUextSemaphore_st *CUexternalSemaphore;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUgraphDeviceUpdatableNode_st *CUgraphDeviceNode;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUuserObject_st *CUuserObject;
typedef struct CUgreenCtx_st *CUgreenCtx;
typedef struct CUdevResourceDesc_st *CUdevResourceDesc;
typedef struct CUasyncCallbackEntry_st *CUasyncCallbackHandle;
typedef struct CUlogsCallbackEntry_st *CUlogsCallbackHandle;
typedef struct CUeglStreamConnection_st *CUeglStreamConnection;

#define CU_DEVICE_CPU        ((CUdevice)-1)
#define CU_DEVICE_INVALID    ((CUdevice)-2)
#define CU_STREAM_LEGACY     ((CUstream)1)
#define CU_STREAM_PER_THREAD ((CUstream)2)

#include "cuda_enum.h"
#include "cuda_struct.h"
#include "cuda_memory.h"
#include "cuda_graph.h"
#include "cuda_image.h"

/* what programs hand us to call */
typedef void (*CUstreamCallback)(CUstream, CUresult, void *);
typedef void (*CUhostFn)(void *);
typedef size_t (*CUoccupancyB2DSize)(int block_size);
typedef struct CUasyncNotificationInfo CUasyncNotificationInfo;
typedef void (*CUasyncCallback)(CUasyncNotificationInfo *, void *,
	CUasyncCallbackHandle);
typedef void (*CUlogsCallback)(void *, CUlogLevel, char *, size_t);

/* of OpenGL, EGL and VDPAU */
typedef unsigned GLenum, GLuint;
typedef int EGLint;
typedef unsigned CUGLDeviceList;
typedef void *EGLImageKHR, *EGLStreamKHR, *EGLSyncKHR;
typedef uint32_t VdpDevice, VdpVideoSurface, VdpOutputSurface;
typedef int VdpGetProcAddress(VdpDevice, uint32_t, void **);

#endif
