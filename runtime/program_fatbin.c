/* program_fatbin.c - which part of a fat binary is taken.
 *
 * Of the entries that suit the device the newest, and of two for one
 * architecture the one with ready code.  An entry that cannot be taken, say
 * for what its PTX holds, makes way for the next best.  What is newer than
 * the device comes last; NVIDIA's driver would not take it at all, but to us
 * it is PTX like any other.
 *
 * What nvcc's host code registers is a wrapper: two pointers, to the fat
 * binary and, in relocatable programs, to those that were linked into it.
 */
#include "program_int.h"
#include <stdlib.h>
#include <string.h>

struct candidate {
	struct bytes image;
	int rank;
	bool is_ptx;
};

enum { RANK_BASE = 1 << 16 };

/* 0: of no use */
static int
rank(const struct load *l, const struct fatbin_entry *e, struct bytes image)
{
	unsigned limit = l->options->sm;
	struct object o;
	struct elf elf;
	bool code;

	if (e->kind == FATBIN_OTHER || !image.p)
		return 0;
	code = e->kind == FATBIN_ELF;
	if (code && (!elf_is(image) || !elf_open(&elf, image) ||
	    (!object_read(&elf, &o) &&
	     image_kind(image.p, image.n) == IMAGE_NONE)))
		return 0;
	if (limit && e->sm > limit)
		return RANK_BASE - 2 * (int)(e->sm & 0x3fff) + code;
	return RANK_BASE + 2 * (int)(e->sm & 0x3fff) + code;
}

static int
better(const void *a, const void *b)
{
	return ((const struct candidate *)b)->rank -
		((const struct candidate *)a)->rank;
}

/* the usable entries, best first; *damaged: the rest could not be read */
static size_t
collect(struct load *l, struct bytes b, struct candidate *c, size_t cap,
	bool *damaged)
{
	struct fatbin_entry e;
	struct fatbin f;
	enum found found;
	size_t n = 0;

	fatbin_open(&f, b);
	while ((found = fatbin_next(&f, &e)) == FOUND_ONE && n < cap) {
		c[n].image = (struct bytes){0};
		if (e.kind != FATBIN_OTHER)
			c[n].image = fatbin_unpack(&e, &l->arena);
		*damaged |= e.kind != FATBIN_OTHER && !c[n].image.p;
		c[n].rank = rank(l, &e, c[n].image);
		c[n].is_ptx = e.kind == FATBIN_PTX;
		n += c[n].rank != 0;
	}
	*damaged |= found == FOUND_DAMAGED;
	qsort(c, n, sizeof *c, better);
	return n;
}

CUresult
program_fatbin(struct load *l, struct bytes b)
{
	enum { MOST = 256 };
	struct candidate *c = NEWN(&l->arena, MOST, struct candidate);
	CUresult err, first = CUDA_SUCCESS;
	bool damaged = false;
	size_t n, k;

	n = collect(l, b, c, MOST, &damaged);
	for (k = 0; k < n; k++) {
		err = c[k].is_ptx ? program_text(l, c[k].image) :
			program_elf(l, c[k].image);
		if (!err)
			return CUDA_SUCCESS;
		if (!first)
			first = err;
	}
	if (first)
		return first;
	text_add(l->log, "%s: error: %s\n", l->options->file, damaged ?
		"the fat binary is damaged" :
		"the fat binary has neither PTX nor code for this GPU: let "
		"nvcc embed PTX, as -arch=sm_80 does");
	return damaged ? CUDA_ERROR_INVALID_IMAGE :
		CUDA_ERROR_NO_BINARY_FOR_GPU;
}

bool
program_is_wrapper(const void *data)
{
	const unsigned char *p = data;

	return p[0] == 0xb1 && p[1] == 0x43 && p[2] == 0x62 && p[3] == 0x46;
}

/* the modules of a relocatable program, linked */
static CUresult
take_prelinked(struct load *l, const void *const *list)
{
	struct ptx x = { .diag = text_diag, .diag_arg = l->log };
	struct link k = { .x = &x };
	CUresult err = CUDA_ERROR_INVALID_PTX;
	struct bytes text = {0};
	size_t n;

	for (; *list; list++) {
		n = program_size(*list);
		link_data(&k, l->options->file,
			(struct bytes){ *list, n });
	}
	link_resolve(&k);
	link_live(&k, 0, 0);
	if (!x.nerror && !k.nundefined)
		text = link_write(&k);
	if (text.p)
		err = program_text(l, text);
	free((void *)text.p);
	link_free(&k);
	ptx_free(&x);
	return err;
}

CUresult
program_wrapper(struct load *l, const void *data)
{
	struct wrapper w;
	size_t n;

	memcpy(&w, data, sizeof w);
	n = w.data ? program_size(w.data) : 0;
	if (w.magic != WRAPPER_MAGIC || !n ||
	    !fatbin_is((struct bytes){ w.data, n })) {
		text_add(l->log, "%s: error: the fat binary is damaged\n",
			l->options->file);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	if (w.version == WRAPPER_PRELINKED && w.prelinked && *w.prelinked)
		return take_prelinked(l, w.prelinked);
	return program_fatbin(l, (struct bytes){ w.data, n });
}
