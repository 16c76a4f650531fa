/* cuda_image.h - arrays, textures and surfaces of the CUDA driver API.
 *
 * Layouts, names and values are those of NVIDIA's manual.
 */
#ifndef CUDA_IMAGE_H
#define CUDA_IMAGE_H

/* arrays */
typedef struct CUDA_ARRAY_DESCRIPTOR {
	size_t Width, Height;
	CUarray_format Format;
	unsigned NumChannels;
} CUDA_ARRAY_DESCRIPTOR;

typedef struct CUDA_ARRAY3D_DESCRIPTOR {
	size_t Width, Height, Depth;
	CUarray_format Format;
	unsigned NumChannels;
	unsigned Flags;
} CUDA_ARRAY3D_DESCRIPTOR;

/* … before CUDA 3.2 */
typedef struct CUDA_ARRAY_DESCRIPTOR_v1 {
	unsigned Width, Height;
	CUarray_format Format;
	unsigned NumChannels;
} CUDA_ARRAY_DESCRIPTOR_v1;

typedef struct CUDA_ARRAY3D_DESCRIPTOR_v1 {
	unsigned Width, Height, Depth;
	CUarray_format Format;
	unsigned NumChannels;
	unsigned Flags;
} CUDA_ARRAY3D_DESCRIPTOR_v1;

typedef struct CUDA_ARRAY_MEMORY_REQUIREMENTS {
	size_t size, alignment;
	unsigned reserved[4];
} CUDA_ARRAY_MEMORY_REQUIREMENTS;

typedef struct CUDA_ARRAY_SPARSE_PROPERTIES {
	struct {
		unsigned width, height, depth;
	} tileExtent;
	unsigned miptailFirstLevel;
	unsigned long long miptailSize;
	unsigned flags;
	unsigned reserved[4];
} CUDA_ARRAY_SPARSE_PROPERTIES;

/* flags of arrays */
enum {
	CUDA_ARRAY3D_LAYERED = 0x01,
	CUDA_ARRAY3D_SURFACE_LDST = 0x02,
	CUDA_ARRAY3D_CUBEMAP = 0x04,
	CUDA_ARRAY3D_TEXTURE_GATHER = 0x08,
	CUDA_ARRAY3D_DEPTH_TEXTURE = 0x10,
	CUDA_ARRAY3D_COLOR_ATTACHMENT = 0x20,
	CUDA_ARRAY3D_SPARSE = 0x40,
	CUDA_ARRAY3D_DEFERRED_MAPPING = 0x80,
	CUDA_ARRAY3D_VIDEO_ENCODE_DECODE = 0x100,
};

/* textures and surfaces */
typedef enum CUresourcetype {
	CU_RESOURCE_TYPE_ARRAY = 0x00,
	CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 0x01,
	CU_RESOURCE_TYPE_LINEAR = 0x02,
	CU_RESOURCE_TYPE_PITCH2D = 0x03,
} CUresourcetype;

typedef enum CUaddress_mode {
	CU_TR_ADDRESS_MODE_WRAP = 0,
	CU_TR_ADDRESS_MODE_CLAMP = 1,
	CU_TR_ADDRESS_MODE_MIRROR = 2,
	CU_TR_ADDRESS_MODE_BORDER = 3,
} CUaddress_mode;

typedef enum CUfilter_mode {
	CU_TR_FILTER_MODE_POINT = 0,
	CU_TR_FILTER_MODE_LINEAR = 1,
} CUfilter_mode;

/* flags of texture objects and references */
enum {
	CU_TRSF_READ_AS_INTEGER = 0x01,
	CU_TRSF_NORMALIZED_COORDINATES = 0x02,
	CU_TRSF_SRGB = 0x10,
	CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION = 0x20,
	CU_TRSF_SEAMLESS_CUBEMAP = 0x40,
	CU_TRSA_OVERRIDE_FORMAT = 0x01,  /* of cuTexRefSetArray */
};

/* what a texel of a view is: a row of kinds for 1, 2 and 4 channels */
typedef enum CUresourceViewFormat {
	CU_RES_VIEW_FORMAT_NONE = 0x00,
	CU_RES_VIEW_FORMAT_UINT_1X8 = 0x01,
	CU_RES_VIEW_FORMAT_SINT_1X8 = 0x04,
	CU_RES_VIEW_FORMAT_UINT_1X16 = 0x07,
	CU_RES_VIEW_FORMAT_SINT_1X16 = 0x0a,
	CU_RES_VIEW_FORMAT_UINT_1X32 = 0x0d,
	CU_RES_VIEW_FORMAT_SINT_1X32 = 0x10,
	CU_RES_VIEW_FORMAT_FLOAT_1X16 = 0x13,
	CU_RES_VIEW_FORMAT_FLOAT_1X32 = 0x16,
	CU_RES_VIEW_FORMAT_UNSIGNED_BC1 = 0x19,
	CU_RES_VIEW_FORMAT_UNSIGNED_BC7 = 0x22,
} CUresourceViewFormat;

typedef struct CUDA_RESOURCE_DESC {
	CUresourcetype resType;
	union {
		struct {
			CUarray hArray;
		} array;
		struct {
			CUmipmappedArray hMipmappedArray;
		} mipmap;
		struct {
			CUdeviceptr devPtr;
			CUarray_format format;
			unsigned numChannels;
			size_t sizeInBytes;
		} linear;
		struct {
			CUdeviceptr devPtr;
			CUarray_format format;
			unsigned numChannels;
			size_t width, height, pitchInBytes;
		} pitch2D;
		int reserved[32];
	} res;
	unsigned flags;
} CUDA_RESOURCE_DESC;

typedef struct CUDA_TEXTURE_DESC {
	CUaddress_mode addressMode[3];
	CUfilter_mode filterMode;
	unsigned flags;
	unsigned maxAnisotropy;
	CUfilter_mode mipmapFilterMode;
	float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
	float borderColor[4];
	int reserved[12];
} CUDA_TEXTURE_DESC;

typedef struct CUDA_RESOURCE_VIEW_DESC {
	CUresourceViewFormat format;
	size_t width, height, depth;
	unsigned firstMipmapLevel, lastMipmapLevel;
	unsigned firstLayer, lastLayer;
	unsigned reserved[16];
} CUDA_RESOURCE_VIEW_DESC;

#endif
