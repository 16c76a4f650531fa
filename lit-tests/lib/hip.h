/* hip.h - HIP for test programs: the emulator, or what PTXAMD_HIP_LIBRARY
 * names. */
#ifndef TEST_HIP_H
#define TEST_HIP_H

#include "hip_api.h"
#include "image.h"
#include "launch.h"

/* loads the library; program is argv[0], from which the emulator is found.
 * arch, if not 0, is what it is to emulate.  Exits with 2 and a message
 * where that fails. */
const struct hip_api *hip_open(const char *program, const char *arch);
/* ends the program with a message where a call fails */
void hip_must(const struct hip_api *, int error, const char *what);

/* Runs a kernel of ours from a code object: param is the parameter block of
 * size bytes, behind which struct launch goes.  0, or an error of HIP. */
int hip_run(const struct hip_api *, const struct blob *code,
	const char *kernel, const void *param, size_t size,
	const unsigned grid[3], const unsigned block[3], unsigned shared);

#endif
