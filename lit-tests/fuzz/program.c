/* program.c - libFuzzer's way into what modules are made from.
 *
 * Built by "make fuzz".  Fat binaries, images and bundles of any contents
 * must get an answer.  The bytes stand at the end of their allocation, where
 * the sanitizer sees whoever reads on.
 */
#include "program.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct program options = { .level = 3, .sm = 86, .arch = "gfx1100" };
	struct program *p = 0;
	struct text log = {0};
	CUresult err;
	void *copy;

	copy = malloc(size);
	if (!copy || !size) {
		free(copy);
		return 0;
	}
	memcpy(copy, data, size);
	err = program_load(&p, copy, size, &options, &log);
	if (!err != !!p || (err && !log.size))
		abort();
	program_free(p);
	text_free(&log);
	free(copy);
	return 0;
}
