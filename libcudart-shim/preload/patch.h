/* patch.h - code of this process, changed. */
#ifndef PATCH_H
#define PATCH_H

#include <stdbool.h>

/* what a patch overwrites: jmp *0(%rip), and the address behind it */
enum { PATCH_SIZE = 14 };

/* makes what is there a jump; nobody may be executing it.  false: its pages
 * may not be written */
bool patch(char *at, const void *to);

#endif
