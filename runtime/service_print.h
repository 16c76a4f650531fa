/* service_print.h - printf of kernels: service_print.c. */
#ifndef SERVICE_PRINT_H
#define SERVICE_PRINT_H

#include <stdio.h>

/* What the format makes of the arguments, as an H200's driver prints it;
 * conversions that CUDA does not have are printed as they stand.  How many
 * arguments were printed.  Of an entry's data behind the format (launch.h): */
unsigned print_entry(FILE *, const char *format, const void *data,
	size_t size);
/* of a block, as compilers lay it out for vprintf: each value at a multiple of
 * its size */
unsigned print_block(FILE *, const char *format, const void *block);

#endif
