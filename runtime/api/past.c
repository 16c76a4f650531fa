/* past.c - what a stream comes after: memory given back in other streams.
 *
 * Every piece of a pool that a stream gives back has a number there.  Who
 * waits for an event of that stream's comes after all pieces up to a number,
 * and may have them again.
 */
#include "stream.h"
#include <string.h>

bool
past_holds(const struct past *p, unsigned long long stream, uint64_t count)
{
	unsigned i;

	for (i = 0; i < p->n; i++)
		if (p->at[i].stream == stream)
			return p->at[i].count >= count;
	return false;
}

void
past_add(struct past *p, unsigned long long stream, uint64_t count)
{
	enum { MOST = sizeof p->at / sizeof *p->at };
	unsigned i;

	for (i = 0; i < p->n; i++)
		if (p->at[i].stream == stream) {
			if (p->at[i].count < count)
				p->at[i].count = count;
			return;
		}
	if (p->n == MOST) {
		p->n--;
		memmove(p->at, p->at + 1, p->n * sizeof *p->at);
	}
	p->at[p->n].stream = stream;
	p->at[p->n++].count = count;
}

void
past_join(struct past *p, const struct past *other)
{
	unsigned i;

	for (i = 0; i < other->n; i++)
		past_add(p, other->at[i].stream, other->at[i].count);
}
