/* hip.h - the emulator as HIP: what its files share. */
#ifndef EMU_HIP_H
#define EMU_HIP_H

#include "emu_int.h"
#include "hip_api.h"

#define EXPORT __attribute__((visibility("default")))
#define HIP(name, params) EXPORT int name params;
#include "hip_api.def"
#undef HIP
/* of what not every HIP has, all but what is between processes */
#define HIP(name, params) EXPORT int name params;
#include "hip_more.def"
#undef HIP
EXPORT int hipGetDevicePropertiesR0600(void *, int device);
EXPORT int hipGetDeviceProperties(void *, int device);
EXPORT const char *hipGetErrorString(int);
EXPORT const char *hipGetErrorName(int);

/* beside HIP: of the launch that ended last and of the last that failed;
 * n is the room in out */
EXPORT void emu_last_stats(char *out, size_t n);
EXPORT void emu_last_fault(char *out, size_t n);

enum { MAX_DEVICES = 16 };

/* hip_device.c: PTXAMD_EMU_ARCH and PTXAMD_EMU_DEVICES, read once */
int device_count(void);             /* 0: the processor is not known */
const struct gpu *device_gpu(void); /* all devices are alike */
int device_current(void);
/* result of a function; the thread's last error, unless it is none */
int hip_result(int error);

/* hip_stream.c: a command of a stream; error is what happened in the stream
 * before, and what it returns sticks to it */
typedef int stream_command(void *arg, int error);
int stream_push(void *stream, stream_command *, void *arg);
/* waits until all streams of all devices have done what they got */
void streams_finish(void);

#endif
