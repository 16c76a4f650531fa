/* image_int.h - what the reader and the writer of images share */
#ifndef IMAGE_INT_H
#define IMAGE_INT_H

#define BUNDLE_MAGIC  "__CLANG_OFFLOAD_BUNDLE__"
#define BUNDLE_HOST   "host-x86_64-unknown-linux--"
#define BUNDLE_ID     "hipv4-amdgcn-amd-amdhsa--"

#define NAME_VERSION  ".ptxamd.version"
#define NAME_OPTIONS  ".ptxamd.options"
#define NAME_PTX      ".ptxamd.ptx"
#define NAME_CODE     ".ptxamd.code."

#define IMAGE_VERSION "1"

enum {
	MAGIC_SIZE = sizeof BUNDLE_MAGIC - 1,
	BUNDLE_ALIGN = 4096,
	BUNDLE_ENTRY = 24,      /* bytes of one without its id */
	CODE_ALIGN = 64,        /* of code in a portable image */
	OSABI_PORTABLE = 0x41,  /* what NVIDIA's fatbinary wants */
	ABI_PORTABLE = 8,
	EM_PORTABLE = 190,      /* EM_CUDA */
	EM_CODE = 224,          /* EM_AMDGPU */
	FLAGS_PORTABLE = 0x06000004,
	MACH_MASK = 0xff,
};

#endif
