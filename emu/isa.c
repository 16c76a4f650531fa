/* isa.c - the rows of all mnemonics, found by name. */
#include "emu_int.h"

#include <pthread.h>
#include <string.h>

enum { SLOTS = 8192 };

static const struct op_row *const table[] = {
	rows_scalar, rows_branch, rows_smem, rows_vmem, rows_lds, rows_valu,
};
static const struct op_row *slot[SLOTS];
static pthread_once_t filled = PTHREAD_ONCE_INIT;

static size_t
hash(const char *name, size_t len)
{
	uint32_t h = 2166136261u;

	while (len--)
		h = (h ^ (uint8_t)*name++) * 16777619u;
	return h % SLOTS;
}

/* where name stands, or the free slot for it */
static size_t
place(const char *name, size_t len)
{
	size_t i = hash(name, len);

	while (slot[i] && (strncmp(slot[i]->name, name, len) ||
			slot[i]->name[len]))
		i = (i + 1) % SLOTS;
	return i;
}

static void
fill(void)
{
	const struct op_row *r;
	size_t i;

	for (i = 0; i < sizeof table / sizeof *table; i++)
		for (r = table[i]; r->name; r++)
			slot[place(r->name, strlen(r->name))] = r;
}

const struct op_row *
isa_find(const char *name, size_t len)
{
	pthread_once(&filled, fill);
	return slot[place(name, len)];
}
