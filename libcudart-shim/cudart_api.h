/* cudart_api.h - the runtime library's own structures and constants.
 *
 * Layouts are those that programs know from NVIDIA's manual.  What is the
 * same as in the driver's interface is the driver's type (cuda_api.h).
 */
#ifndef CUDART_API_H
#define CUDART_API_H

#include "cuda_api.h"

/* as wide as the enumeration; the driver's results are among its values */
typedef unsigned cudaError_t;

enum {
#define RT_ERROR(name, number, text) cudaError##name = number,
#include "error.def"
#undef RT_ERROR
};

struct dim3 {
	unsigned x, y, z;
};

/* cudaMemcpyKind */
enum {
	COPY_HOST_TO_HOST, COPY_HOST_TO_DEVICE, COPY_DEVICE_TO_HOST,
	COPY_DEVICE_TO_DEVICE, COPY_DEFAULT
};
typedef int copy_kind;

/* cudaPitchedPtr */
struct pitched_ptr {
	void *ptr;
	size_t pitch, xsize, ysize;
};

/* cudaExtent, cudaPos: x and width count elements where there is an array,
 * else bytes */
struct extent {
	size_t width, height, depth;
};

struct pos {
	size_t x, y, z;
};

/* cudaMemcpy3DParms */
struct copy_3d {
	CUarray src_array;
	struct pos src_pos;
	struct pitched_ptr src;
	CUarray dst_array;
	struct pos dst_pos;
	struct pitched_ptr dst;
	struct extent extent;
	copy_kind kind;
};

/* cudaMemcpy3DPeerParms */
struct copy_3d_peer {
	CUarray src_array;
	struct pos src_pos;
	struct pitched_ptr src;
	int src_device;
	CUarray dst_array;
	struct pos dst_pos;
	struct pitched_ptr dst;
	int dst_device;
	struct extent extent;
};

/* cudaKernelNodeParams */
struct kernel_node {
	const void *function;
	struct dim3 grid, block;
	unsigned shared;
	void **params, **extra;
};

/* cudaGraphNodeParams */
struct graph_node {
	CUgraphNodeType type;
	int reserved0[3];
	union {
		long long reserved1[29];
		struct kernel_node kernel;
		struct {
			int flags, reserved[3];
			struct copy_3d params;
		} copy;
		CUDA_MEM_ALLOC_NODE_PARAMS alloc;
		struct {
			CUgraphConditionalHandle handle;
			CUgraphConditionalNodeType type;
			unsigned size;
			CUgraph *body;
		} conditional;
	};
	long long reserved2;
};

/* cudaLaunchConfig_t */
struct launch_config {
	struct dim3 grid, block;
	size_t shared;
	CUstream stream;
	CUlaunchAttribute *attr;
	unsigned nattr;
};

/* cudaFuncAttributes.  CUDA 11 ends before the clusters. */
struct func_attributes {
	size_t shared, constant, local;
	int max_threads, registers, ptx_version, binary_version;
	int cache_mode_ca, max_dynamic, carveout;
	int cluster_must_be_set;
	int cluster_width, cluster_height, cluster_depth;
	int cluster_policy, cluster_not_portable;
	int reserved[16];
};

/* cudaPointerAttributes.  CUDA 13 brought the end. */
struct pointer_attributes {
	int type;                /* none, host, device, managed */
	int device;
	void *device_pointer, *host_pointer;
	long reserved[8];
};

/* cudaChannelFormatDesc */
struct channel_desc {
	int x, y, z, w, kind;
};

/* cudaResourceDesc.  CUDA 13 brought reserved and flags. */
struct resource_desc {
	CUresourcetype type;
	union {
		CUarray array;
		CUmipmappedArray mipmap;
		struct {
			CUdeviceptr p;
			struct channel_desc desc;
			size_t size;
		} linear;
		struct {
			CUdeviceptr p;
			struct channel_desc desc;
			size_t width, height, pitch;
		} pitched;
	} u;
	char reserved[72];
	unsigned flags;
};

_Static_assert(offsetof(struct resource_desc, flags) == 136, "its layout");

/* cudaTextureReadMode */
enum { READ_ELEMENT, READ_NORMALIZED };

/* cudaTextureDesc.  CUDA 12, and a second form in 11, brought seamless. */
struct texture_desc {
	int address[3], filter, mode, srgb;
	float border[4];
	int normalized;
	unsigned anisotropy;
	int mipmap_filter;
	float bias, min, max;
	int not_trilinear;
	int seamless;
};

/* textureReference, surfaceReference: of CUDA 11 */
struct texture_reference {
	int normalized, filter, address[3];
	struct channel_desc desc;
	int srgb;
	unsigned anisotropy;
	int mipmap_filter;
	float bias, min, max;
	int not_trilinear;
	int reserved[14];
};

struct surface_reference {
	struct channel_desc desc;
};

#endif
