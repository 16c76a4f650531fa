/* cuda_fn.h - prototypes of what libcuda.so.1 exports, for C programs. */
#ifndef CUDA_FN_H
#define CUDA_FN_H

#include "cuda_api.h"
#include "row.h"

#define FN_NONE(name, params)
#define FN_PTDS(name, params) CUresult name##_ptds(ROW_DECLARE params);
#define FN_PTSZ(name, params) CUresult name##_ptsz(ROW_DECLARE params);
#define CU(name, suffix, version, streams, needs, status, params) \
	CUresult name##suffix(ROW_DECLARE params); \
	FN_##streams(name##suffix, params)
#include "cuda.def"
#undef CU
#undef FN_NONE
#undef FN_PTDS
#undef FN_PTSZ

#endif
