/* stream.c - streams and events, where the driver's calls take more. */
#include "rt.h"

cudaError_t
cudaStreamCreate(CUstream *stream)
{
	return cuStreamCreate(stream, 0);
}

cudaError_t
cudaEventCreate(CUevent *event)
{
	return cuEventCreate(event, 0);
}
