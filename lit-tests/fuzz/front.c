/* front.c - libFuzzer's way into the front end and the passes.
 *
 * Built by "make fuzz".  Any text must get an answer; what is accepted must
 * print, parse again and be accepted again, before and after every pass.
 * Inputs change by whole tokens three times out of four, so that many of them
 * still get past the parser.
 */
#include "ptx.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);
size_t LLVMFuzzerMutate(uint8_t *, size_t, size_t);
size_t LLVMFuzzerCustomMutator(uint8_t *, size_t, size_t, unsigned);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *, size_t, const uint8_t *,
	size_t, uint8_t *, size_t, unsigned);

static char *
through(const char *text, size_t size, bool passes, size_t *n)
{
	struct ptx x = {0};
	char *out;
	FILE *f;

	out = 0;
	ptx_parse(&x, "fuzz", text, size);
	ptx_verify(&x);
	if (passes && !x.nerror) {
		x.check_passes = true;
		pass_run(&x, "default", 0);
		if (x.nerror)
			abort();
	}
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
	size_t n, m;

	text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = 0;
	once = through(text, size, false, &n);
	if (once) {
		twice = through(once, n, false, &m);
		if (!twice || strcmp(once, twice))
			abort();
		free(twice);
		free(through(once, n, true, &m));
	}
	free(once);
	free(text);
	return 0;
}

/* some tokens of a text: where they start and end */
struct run {
	const uint8_t *at;
	size_t n;
};

static unsigned
next(unsigned *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static size_t
token(const uint8_t *p, size_t n)
{
	size_t k;

	k = 0;
	if (isalnum(p[0]) || p[0] == '_' || p[0] == '%')
		for (k = 1; k < n && (isalnum(p[k]) || p[k] == '_'); k++)
			;
	else if (isspace(p[0]))
		for (k = 1; k < n && isspace(p[k]); k++)
			;
	return k ? k : 1;
}

/* up to count tokens from somewhere in the text */
static struct run
pick(const uint8_t *p, size_t n, unsigned count, unsigned *seed)
{
	struct run r = {p, 0};
	size_t at, from, end;

	if (!n)
		return r;
	from = next(seed) % n;
	for (at = 0; at + token(p + at, n - at) <= from; )
		at += token(p + at, n - at);
	r.at = p + at;
	for (end = at; end < n && count; count--)
		end += token(p + end, n - end);
	r.n = end - at;
	return r;
}

/* the text with one run of it replaced by, or followed by, another; 0: too
 * long */
static size_t
splice(const uint8_t *p, size_t n, struct run old, struct run new,
	uint8_t *out, size_t max)
{
	size_t head, tail;

	head = (size_t)(old.at - p);
	tail = n - head - old.n;
	if (head + new.n + tail > max)
		return 0;
	memcpy(out, p, head);
	memcpy(out + head, new.at, new.n);
	memcpy(out + head + new.n, old.at + old.n, tail);
	return head + new.n + tail;
}

size_t
LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b,
	size_t nb, uint8_t *out, size_t max, unsigned seed)
{
	struct run old, new;

	old = pick(a, na, next(&seed) % 4, &seed);
	new = pick(b, nb, 1 + next(&seed) % (next(&seed) & 1 ? 40 : 2), &seed);
	return splice(a, na, old, new, out, max);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t max, unsigned seed)
{
	struct run none = {(const uint8_t *)"", 0}, old, new;
	uint8_t *out;
	size_t m;

	out = next(&seed) % 4 ? malloc(max) : 0;
	if (!out)
		return LLVMFuzzerMutate(p, n, max);
	old = pick(p, n, next(&seed) % 3, &seed);
	new = next(&seed) % 4 ? pick(p, n, 1 + next(&seed) % 3, &seed) : none;
	m = splice(p, n, old, new, out, max);
	memcpy(p, out, m);
	free(out);
	return m ? m : n;
}
