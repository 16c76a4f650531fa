/* image.c - arrays, textures and surfaces. */
#include "rt.h"

struct channel_desc
cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
	return (struct channel_desc){ x, y, z, w, kind };
}
