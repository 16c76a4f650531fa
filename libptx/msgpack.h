/* msgpack.h - as much of MessagePack as the notes of code objects use */
#ifndef MSGPACK_H
#define MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* what is left to read; after an error p is end */
struct msgpack {
	const uint8_t *p, *end;
};

enum msgpack_kind { MSGPACK_INT, MSGPACK_TEXT, MSGPACK_ARRAY, MSGPACK_MAP,
	MSGPACK_END };

/* one value; of arrays and maps the head, n elements or pairs follow */
struct msgpack_value {
	enum msgpack_kind kind;
	uint64_t n;         /* the integer, or how many */
	const char *text;   /* n bytes */
};

struct msgpack_value msgpack_read(struct msgpack *);
void msgpack_skip(struct msgpack *); /* one value with all that is in it */
bool msgpack_is(struct msgpack_value, const char *text);

#endif
