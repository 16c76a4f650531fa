/* patch.c - code of this process, changed. */
#include "patch.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* pages of code, writable while they are changed */
static bool
protect(char *at, int how)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t from = (uintptr_t)at & ~(page - 1);
	uintptr_t to = ((uintptr_t)at + PATCH_SIZE + page - 1) & ~(page - 1);

	return mprotect((void *)from, to - from, how) == 0;
}

bool
patch(char *at, const void *to)
{
	static const unsigned char code[] = { 0xff, 0x25, 0, 0, 0, 0 };

	if (!protect(at, PROT_READ | PROT_WRITE | PROT_EXEC))
		return false;
	memcpy(at, code, sizeof code);
	memcpy(at + sizeof code, &to, sizeof to);
	return protect(at, PROT_READ | PROT_EXEC);
}
