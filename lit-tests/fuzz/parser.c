/* parser.c - libFuzzer's way into the front end.
 *
 * Built by "make fuzz".  Any text must get an answer; what is accepted must
 * print, parse again and be accepted again.
 */
#include "ptx.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static char *
through(const char *text, size_t size, size_t *n)
{
	struct ptx x = {0};
	char *out;
	FILE *f;

	out = 0;
	ptx_parse(&x, "fuzz", text, size);
	ptx_verify(&x);
	f = x.nerror ? 0 : open_memstream(&out, n);
	if (f) {
		ptx_print(&x, f);
		fclose(f);
	}
	ptx_free(&x);
	return out;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text, *once, *twice;
	size_t n;

	text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = 0;
	once = through(text, size, &n);
	if (once) {
		twice = through(once, n, &n);
		if (!twice || strcmp(once, twice))
			abort();
		free(twice);
	}
	free(once);
	free(text);
	return 0;
}
