/* preset.h - what a module is compiled with where its program does not say:
 * by environment variables, for the runtime and the tools alike. */
#ifndef PRESET_H
#define PRESET_H

#include "program.h"

/* PTXAMD_COMPUTE_CAPABILITY, else 8.6; false: it is set to something else
 * than N.N, and 8.6 is taken */
bool preset_capability(int *major, int *minor);
/* PTXAMD_OPT_LEVEL, else 3; false: it is none of 0 to 3, and 3 is taken */
bool preset_level(int *level);
/* the options with which the runtime loads a module for a device */
struct program preset_program(void);

#endif
