/* cpu_info.h - what this machine is: cpu_info.c. */
#ifndef CPU_INFO_H
#define CPU_INFO_H

#include "dev.h"

uint64_t info_memory(void); /* bytes that the device has */
void info_fill(struct dev_info *, int index, uint64_t memory);

#endif
