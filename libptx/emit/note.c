/* note.c - one note for an image of several objects.
 *
 * Every object brings the metadata of its kernels in a note of its own, and
 * a linker puts notes one behind the other.  The loader reads the first one
 * only, so the kernels of all of them have to stand there.  The merged note
 * is never longer than what it takes the place of.
 */
#include "emit_int.h"
#include "link.h"
#include "msgpack.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { NT_AMDGPU = 32 };

/* bytes that are written in the order of their coming */
struct out {
	uint8_t *at;
};

static size_t
padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* takes the next note off notes; its text is empty at the end */
static struct bytes
next_note(struct bytes *notes)
{
	struct bytes text = { notes->p, 0 };
	Elf64_Nhdr h;
	size_t head, all;

	if (notes->n < sizeof h)
		return text;
	memcpy(&h, notes->p, sizeof h);
	head = sizeof h + padded(h.n_namesz);
	all = head + padded(h.n_descsz);
	if (h.n_type != NT_AMDGPU || all > notes->n)
		return text;
	text = (struct bytes){ notes->p + head, h.n_descsz };
	notes->p += all;
	notes->n -= all;
	return text;
}

static void
put(struct out *o, const uint8_t *from, const uint8_t *to)
{
	memcpy(o->at, from, (size_t)(to - from));
	o->at += to - from;
}

/* the elements of the kernels' array of a note; *n counts them */
static struct msgpack
kernels(struct bytes text, uint64_t *n)
{
	struct msgpack m = { text.p, text.p + text.n };
	struct msgpack_value map;
	bool found;

	*n = 0;
	map = msgpack_read(&m);
	for (; map.kind == MSGPACK_MAP && map.n; map.n--) {
		found = msgpack_is(msgpack_read(&m), "amdhsa.kernels");
		if (found) {
			*n = msgpack_read(&m).n;
			return m;
		}
		msgpack_skip(&m);
	}
	return m;
}

/* all elements of the arrays of all notes, under one head */
static void
put_kernels(struct out *o, struct bytes notes)
{
	struct msgpack m, from;
	struct bytes text, rest;
	uint64_t n, total;
	int shift;

	total = 0;
	for (rest = notes; (text = next_note(&rest)).n; total += n)
		kernels(text, &n);
	*o->at++ = 0xdd; /* array 32 */
	for (shift = 24; shift >= 0; shift -= 8)
		*o->at++ = (uint8_t)(total >> shift);
	for (rest = notes; (text = next_note(&rest)).n;) {
		m = from = kernels(text, &n);
		while (n--)
			msgpack_skip(&m);
		put(o, from.p, m.p);
	}
}

/* the first note that has kernels, with those of all notes */
static void
merge(struct out *o, struct bytes notes)
{
	struct msgpack m;
	struct bytes text, rest;
	const uint8_t *from;
	uint64_t n, left;
	bool here;

	for (rest = notes, n = 0; !n && (text = next_note(&rest)).n;)
		kernels(text, &n);
	m = (struct msgpack){ text.p, text.p + text.n };
	left = msgpack_read(&m).n;
	put(o, text.p, m.p);
	while (left--) {
		from = m.p;
		here = msgpack_is(msgpack_read(&m), "amdhsa.kernels");
		if (here) {
			put(o, from, m.p);
			put_kernels(o, notes);
		}
		msgpack_skip(&m);
		if (!here)
			put(o, from, m.p);
	}
}

/* sections and segments that begin at offset have n bytes */
static void
resize(uint8_t *file, uint64_t offset, uint64_t n)
{
	Elf64_Ehdr *e = (Elf64_Ehdr *)file;
	Elf64_Phdr *p = (Elf64_Phdr *)(file + e->e_phoff);
	Elf64_Shdr *s = (Elf64_Shdr *)(file + e->e_shoff);
	unsigned i;

	for (i = 0; i < e->e_phnum; i++)
		if (p[i].p_type == PT_NOTE && p[i].p_offset == offset)
			p[i].p_filesz = p[i].p_memsz = n;
	for (i = 0; i < e->e_shnum; i++)
		if (s[i].sh_type == SHT_NOTE && s[i].sh_offset == offset)
			s[i].sh_size = n;
}

static unsigned
count(struct bytes notes, uint64_t *nkernel)
{
	struct bytes text;
	unsigned n;
	uint64_t k;

	*nkernel = 0;
	for (n = 0; (text = next_note(&notes)).n; n++) {
		kernels(text, &k);
		*nkernel += k;
	}
	return n;
}

void
note_merge(struct blob *image)
{
	struct bytes file = { image->data, image->size };
	uint8_t *data = image->data, *note, *text;
	struct elf_section s;
	struct out o;
	struct elf e;
	Elf64_Nhdr h;
	uint64_t nkernel;
	size_t offset;

	if (!elf_open(&e, file) || !elf_find(&e, ".note", &s)
	|| count(s.data, &nkernel) < 2 || !nkernel)
		return;
	offset = (size_t)(s.data.p - (const unsigned char *)image->data);
	note = calloc(1, s.data.n + 8);
	if (!note)
		abort();
	memcpy(&h, s.data.p, sizeof h);
	text = note + sizeof h + padded(h.n_namesz);
	o.at = text;
	merge(&o, s.data);
	h.n_descsz = (Elf64_Word)(o.at - text);
	memcpy(note, &h, sizeof h);
	memcpy(note + sizeof h, s.data.p + sizeof h, h.n_namesz);
	memcpy(data + offset, note, s.data.n);
	resize(data, offset, (uint64_t)(text - note) + padded(h.n_descsz));
	free(note);
}
