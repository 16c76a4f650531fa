/* amdgpu_mma.c - matrix instructions of the hardware. */
#include "amdgpu.h"

bool
amdgpu_mma(struct emit *e, const struct insn *i)
{
	(void)e;
	(void)i;
	return false;
}
