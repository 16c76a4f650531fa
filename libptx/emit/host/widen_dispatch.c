/* widen_dispatch.c - lanes that may wait for each other run in turns. */
#include "widen_int.h"

void
widen_dispatch(struct widen *w)
{
	(void)w;
}
