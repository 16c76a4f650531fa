/* every function of cuda.def beside NVIDIA's own declaration */
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <cudaProfiler.h>
typedef unsigned GLenum, GLuint, CUGLDeviceList, VdpDevice, VdpVideoSurface;
typedef int EGLint;
typedef void *EGLImageKHR, *EGLStreamKHR, *EGLSyncKHR;
typedef unsigned VdpOutputSurface;
typedef struct CUeglStreamConnection_st *CUeglStreamConnection;
typedef struct { void *p[8]; } CUeglFrame_v1;
typedef int VdpGetProcAddress(VdpDevice, unsigned, void **);
#include "row.h"

#define FN_NONE(name, params)
#define FN_PTDS(name, params) CUresult name##_ptds(ROW_DECLARE params);
#define FN_PTSZ(name, params) CUresult name##_ptsz(ROW_DECLARE params);
#define CU(name, suffix, version, streams, needs, status, params) \
	CUresult name##suffix(ROW_DECLARE params); \
	FN_##streams(name##suffix, params)
#include "cuda.def"
