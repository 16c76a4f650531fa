/* access.h - the accesses of isa/access.def: access_NAME and their bytes. */
#ifndef ACCESS_H
#define ACCESS_H

#include "emu_int.h"

#define ACCESS(name, bytes, ...) extern access_run access_##name; \
	enum { BYTES_##name = bytes };
#define ATOMIC(name, type, ...) ACCESS(name, sizeof(type), 0)
#include "isa/access.def"
#undef ACCESS
#undef ATOMIC

#endif
