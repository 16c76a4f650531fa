/* stream_capture.c - that no stream is being captured. */
#include "stream.h"

CUresult
cuStreamIsCapturing(CUstream h, CUstreamCaptureStatus *out)
{
	CUstream s;
	CUresult err;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_find(h, &s);
	if (!err)
		*out = CU_STREAM_CAPTURE_STATUS_NONE;
	return err;
}

CUresult
cuStreamGetCaptureInfo(CUstream h, CUstreamCaptureStatus *out, uint64_t *id)
{
	(void)id; /* set only while capturing */
	return cuStreamIsCapturing(h, out);
}

CUresult
cuStreamGetCaptureInfo_v2(CUstream h, CUstreamCaptureStatus *out, uint64_t *id,
	CUgraph *graph, const CUgraphNode **node, size_t *n)
{
	(void)graph;
	(void)node;
	(void)n;
	return cuStreamGetCaptureInfo(h, out, id);
}

CUresult
cuStreamGetCaptureInfo_v3(CUstream h, CUstreamCaptureStatus *out, uint64_t *id,
	CUgraph *graph, const CUgraphNode **node, const CUgraphEdgeData **edge,
	size_t *n)
{
	(void)edge;
	return cuStreamGetCaptureInfo_v2(h, out, id, graph, node, n);
}

CUresult
cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
	static _Thread_local CUstreamCaptureMode current;
	CUstreamCaptureMode old = current;

	if (!mode || (unsigned)*mode > CU_STREAM_CAPTURE_MODE_RELAXED)
		return CUDA_ERROR_INVALID_VALUE;
	current = *mode;
	*mode = old;
	return CUDA_SUCCESS;
}
