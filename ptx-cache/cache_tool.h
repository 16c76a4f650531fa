/* cache_tool.h - ptx-cache's longer commands. */
#ifndef CACHE_TOOL_H
#define CACHE_TOOL_H

#include "cache_int.h"

/* explain.c: for each kernel in the files of app, whether it is in the cache
 * or why not, for a processor ("host", "gfx1100"; 0: this CPU).  The cache may
 * be none.  0: all are there; 1; 2: unknown processor */
int explain(struct cache *, const char *app, const char *arch);

#endif
