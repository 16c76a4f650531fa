/* capture_memory.c - allocating and freeing in streams that are captured. */
#include "capture.h"

static CUresult
add(CUstream h, CUgraphNodeParams *p)
{
	CUgraphNode n;
	CUstream s;
	CUresult err = stream_enter(h, &s);

	if (err)
		return err;
	err = capture_node(s, p, &n);
	stream_end(s);
	return err;
}

CUresult
capture_alloc(CUstream h, size_t size, CUdeviceptr *out)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEM_ALLOC };
	CUdevice device;
	CUresult err = cuStreamGetDevice(h, &device);

	if (err)
		return err;
	p.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
	p.alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	p.alloc.poolProps.location.id = device;
	p.alloc.bytesize = size;
	err = add(h, &p);
	if (!err)
		*out = p.alloc.dptr;
	return err;
}

CUresult
capture_free(CUstream h, CUdeviceptr addr)
{
	CUgraphNodeParams p = { .type = CU_GRAPH_NODE_TYPE_MEM_FREE };

	p.free.dptr = addr;
	return add(h, &p);
}
