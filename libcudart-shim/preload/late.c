/* late.c - news of libraries that the program opens while it runs.
 *
 * The dynamic linker calls an empty function for debuggers, to stop at, when
 * libraries were mapped and none of their code has run (r_brk in <link.h>).
 * That function becomes a jump to ours.  To interpose dlopen would be no
 * better: it runs the constructors before it returns, and looks at who calls
 * it.
 */
#include "late.h"
#include "patch.h"
#include <link.h>
#include <stdint.h>
#include <string.h>

static void (*watcher)(void);

static void
changed(void)
{
	if (_r_debug.r_state == RT_CONSISTENT)
		watcher();
}

/* bytes of an instruction that only fills, or 0 */
static size_t
filler(const unsigned char *p)
{
	static const struct {
		unsigned char modrm, size;
	} nop[] = { { 0x00, 3 }, { 0x40, 4 }, { 0x44, 5 }, { 0x80, 7 },
		{ 0x84, 8 } };
	size_t prefix = 0, i;

	while (p[prefix] == 0x66 || p[prefix] == 0x2e)
		prefix++;
	p += prefix;
	if (*p == 0x90 || *p == 0xcc)
		return prefix + 1;
	for (i = 0; i < sizeof nop / sizeof *nop; i++)
		if (p[0] == 0x0f && p[1] == 0x1f && p[2] == nop[i].modrm)
			return prefix + nop[i].size;
	return 0;
}

/* is there a function that does nothing, with room for a jump? */
static bool
is_empty(const unsigned char *p)
{
	static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const unsigned char *end = p + PATCH_SIZE;
	size_t n;

	if (!memcmp(p, endbr64, sizeof endbr64))
		p += sizeof endbr64;
	if (*p++ != 0xc3)        /* ret */
		return false;
	while (p < end && (n = filler(p)))
		p += n;
	return p >= end;
}

bool
late_watch(void (*f)(void))
{
	void (*const to)(void) = changed;
	char *at = (char *)(uintptr_t)_r_debug.r_brk;

	if (!at || !is_empty((const unsigned char *)at))
		return false;
	watcher = f;
	return patch(at, (const void *)(uintptr_t)to);
}
