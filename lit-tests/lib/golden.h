/* golden.h - the recorded answers of NVIDIA hardware (lit-tests/golden). */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GOLDEN_SLOTS = 64 };

struct golden_kernel {
	const char *name;
	const char *ptx;     /* a whole module, ends in NUL */
	size_t ptx_size;
	unsigned n;          /* threads */
	unsigned block;      /* threads of a block */
	unsigned nin, nout;  /* slots of 8 bytes a thread */
	const uint64_t *in;  /* n * nin */
	const uint64_t *out; /* n * nout: what the hardware wrote */
	const char *type[GOLDEN_SLOTS]; /* of the outputs */
	const char *rule;
};

struct golden {
	struct golden *next; /* those loaded before */
	struct golden_kernel *kernel;
	size_t n;
};

/* reads DIR/GROUP.*, which stays until the program ends; exits with 2 and a
 * message where that fails */
struct golden *golden_load(const char *dir, const char *group);
/* is got right for a slot where the hardware wrote want? */
bool golden_same(const struct golden_kernel *, unsigned slot, uint64_t got,
	uint64_t want);
/* compares all of it, n * nout slots; prints up to 4 that differ */
bool golden_check(const struct golden_kernel *, const uint64_t *got);
/* names of all groups that have outputs; ends with 0 */
extern const char *const golden_group[];

#endif
