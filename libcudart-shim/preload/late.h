/* late.h - news of libraries that the program opens while it runs. */
#ifndef LATE_H
#define LATE_H

#include <stdbool.h>

/* From now on calls f whenever a library was mapped, before anything of it
 * has run.  f runs inside of the dynamic linker, and may not call it but for
 * dl_iterate_phdr().  false: this dynamic linker is of another kind. */
bool late_watch(void (*f)(void));

#endif
