/* msgpack.c - reading MessagePack: the notes of code objects.
 *
 * Damaged input ends the reading; nothing outside of it is looked at.
 */
#include "msgpack.h"

#include <string.h>

/* the formats whose length or value stands in bytes behind the first */
static const struct {
	uint8_t first, bytes;
	enum msgpack_kind kind;
} formats[] = {
	{ 0xc4, 1, MSGPACK_TEXT },  { 0xc5, 2, MSGPACK_TEXT },
	{ 0xc6, 4, MSGPACK_TEXT },  { 0xcc, 1, MSGPACK_INT },
	{ 0xcd, 2, MSGPACK_INT },   { 0xce, 4, MSGPACK_INT },
	{ 0xcf, 8, MSGPACK_INT },   { 0xd0, 1, MSGPACK_INT },
	{ 0xd1, 2, MSGPACK_INT },   { 0xd2, 4, MSGPACK_INT },
	{ 0xd3, 8, MSGPACK_INT },   { 0xd9, 1, MSGPACK_TEXT },
	{ 0xda, 2, MSGPACK_TEXT },  { 0xdb, 4, MSGPACK_TEXT },
	{ 0xdc, 2, MSGPACK_ARRAY }, { 0xdd, 4, MSGPACK_ARRAY },
	{ 0xde, 2, MSGPACK_MAP },   { 0xdf, 4, MSGPACK_MAP },
};

static uint64_t
big_endian(struct msgpack *m, unsigned bytes)
{
	uint64_t v;

	if ((size_t)(m->end - m->p) < bytes) {
		m->p = m->end;
		return 0;
	}
	for (v = 0; bytes--; m->p++)
		v = v << 8 | *m->p;
	return v;
}

/* the value or the length that the first byte announces */
static struct msgpack_value
head(struct msgpack *m)
{
	size_t i;
	uint8_t c;

	if (m->p == m->end)
		return (struct msgpack_value){ MSGPACK_END, 0, 0 };
	c = *m->p++;
	if (c < 0x80 || c >= 0xe0 || c == 0xc0)
		return (struct msgpack_value){ MSGPACK_INT, c, 0 };
	if (c < 0x90)
		return (struct msgpack_value){ MSGPACK_MAP, c & 15, 0 };
	if (c < 0xa0)
		return (struct msgpack_value){ MSGPACK_ARRAY, c & 15, 0 };
	if (c < 0xc0)
		return (struct msgpack_value){ MSGPACK_TEXT, c & 31, 0 };
	if (c == 0xc2 || c == 0xc3)
		return (struct msgpack_value){ MSGPACK_INT, c & 1, 0 };
	for (i = 0; i < sizeof formats / sizeof *formats; i++)
		if (formats[i].first == c)
			return (struct msgpack_value){ formats[i].kind,
				big_endian(m, formats[i].bytes), 0 };
	m->p = m->end;
	return (struct msgpack_value){ MSGPACK_END, 0, 0 };
}

struct msgpack_value
msgpack_read(struct msgpack *m)
{
	struct msgpack_value v;

	v = head(m);
	if (v.kind != MSGPACK_TEXT)
		return v;
	if (v.n > (size_t)(m->end - m->p)) {
		m->p = m->end;
		return (struct msgpack_value){ MSGPACK_END, 0, 0 };
	}
	v.text = (const char *)m->p;
	m->p += v.n;
	return v;
}

void
msgpack_skip(struct msgpack *m)
{
	struct msgpack_value v;
	uint64_t left;

	for (left = 1; left && m->p < m->end; left--) {
		v = msgpack_read(m);
		if (v.kind == MSGPACK_ARRAY)
			left += v.n;
		else if (v.kind == MSGPACK_MAP)
			left += 2 * v.n;
	}
}

bool
msgpack_is(struct msgpack_value v, const char *text)
{
	return v.kind == MSGPACK_TEXT && strlen(text) == v.n
		&& !memcmp(text, v.text, v.n);
}
