/* image.c - read code objects, offload bundles and portable images.
 *
 * An image may come from anywhere: every offset and size is checked against
 * the file before it is followed, and nothing is read through a pointer that
 * might not be aligned.  A file is taken whole or refused whole.
 */
#include "image.h"
#include "image_int.h"
#include "link.h"
#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* n bytes at off, or 0 if the file is too short */
static const void *
part(struct bytes b, uint64_t off, uint64_t n)
{
	return off > b.n || n > b.n - off ? 0 : b.p + off;
}

/* letters, digits and the signs of target features alone */
static bool
set_arch(struct image_code *c, const char *s, size_t n)
{
	static const char ok[] = "abcdefghijklmnopqrstuvwxyz0123456789:+-";
	size_t i;

	if (n == 0 || n >= sizeof c->arch)
		return false;
	for (i = 0; i < n; i++)
		if (!s[i] || !strchr(ok, s[i]))
			return false;
	memcpy(c->arch, s, n);
	c->arch[n] = 0;
	return true;
}

static const char *
mach_name(unsigned mach)
{
	switch (mach) {
#define GFX(name, value) case value: return #name;
#include "gfx.def"
#undef GFX
	}
	return "";
}

static bool
read_code(struct image *i, struct bytes b)
{
	const char *arch;
	struct elf e;

	i->code = calloc(1, sizeof *i->code);
	if (!i->code || !elf_open(&e, b))
		return false;
	i->ncode = 1;
	i->relocatable = e.type == ET_REL;
	i->code->data = b.p;
	i->code->size = b.n;
	arch = mach_name(e.flags & MACH_MASK);
	set_arch(i->code, arch, strlen(arch));
	return true;
}

static bool
read_entry(struct image_code *c, struct bytes b, uint64_t *at)
{
	const size_t prefix = sizeof BUNDLE_ID - 1;
	const void *head;
	const char *id;
	uint64_t v[3];

	head = part(b, *at, sizeof v);
	if (!head)
		return false;
	memcpy(v, head, sizeof v);
	id = part(b, *at + sizeof v, v[2]);
	c->data = part(b, v[0], v[1]);
	if (!id || !c->data)
		return false;
	*at += sizeof v + v[2];
	c->size = v[1];
	if (v[2] > prefix && !memcmp(id, BUNDLE_ID, prefix))
		set_arch(c, id + prefix, v[2] - prefix);
	return true;
}

static bool
read_bundle(struct image *i, struct bytes b)
{
	uint64_t n, at = MAGIC_SIZE + sizeof n;

	if (!part(b, MAGIC_SIZE, sizeof n))
		return false;
	memcpy(&n, b.p + MAGIC_SIZE, sizeof n);
	if (n > b.n / BUNDLE_ENTRY)
		return false;
	i->code = calloc(n + 1, sizeof *i->code);
	if (!i->code)
		return false;
	for (; n--; i->ncode += *i->code[i->ncode].arch != 0)
		if (!read_entry(&i->code[i->ncode], b, &at))
			return false;
	return true;
}

/* the text, which a NUL must follow and none may interrupt */
static bool
set_ptx(struct image *i, struct bytes file, struct bytes text)
{
	const char *end = (const char *)text.p + text.n;

	i->ptx = (const char *)text.p;
	i->ptx_size = text.n;
	return end < (const char *)file.p + file.n && !*end &&
		!memchr(text.p, 0, text.n);
}

static bool
read_section(struct image *i, struct bytes file, const struct elf_section *s)
{
	const size_t prefix = sizeof NAME_CODE - 1;
	struct image_code *c;

	if (!strcmp(s->name, NAME_VERSION))
		return s->data.n == sizeof IMAGE_VERSION - 1 &&
			!memcmp(s->data.p, IMAGE_VERSION, s->data.n);
	if (!strcmp(s->name, NAME_PTX))
		return s->data.p && set_ptx(i, file, s->data);
	if (!strcmp(s->name, NAME_OPTIONS)) {
		i->options = (const char *)s->data.p;
		i->options_size = s->data.n;
	}
	if (strncmp(s->name, NAME_CODE, prefix))
		return true;
	c = &i->code[i->ncode++];
	c->data = s->data.p;
	c->size = s->data.n;
	return c->data && set_arch(c, s->name + prefix,
		strlen(s->name + prefix));
}

static bool
read_portable(struct image *i, struct bytes b)
{
	struct elf_section s;
	struct elf e;
	size_t k;

	if (!elf_open(&e, b))
		return false;
	i->code = calloc(e.nsection + 1, sizeof *i->code);
	if (!i->code)
		return false;
	i->sm = e.flags >> 8 & 0xff;
	i->relocatable = e.type == ET_REL;
	for (k = 0; k < e.nsection; k++)
		if (!elf_section(&e, k, &s) || !read_section(i, b, &s))
			return false;
	return i->ptx || i->ncode;
}

enum image_kind
image_kind(const void *data, size_t size)
{
	struct bytes b = { data, size };
	struct elf_section s;
	struct elf e;

	if (size >= MAGIC_SIZE && !memcmp(data, BUNDLE_MAGIC, MAGIC_SIZE))
		return IMAGE_BUNDLE;
	if (!elf_is(b) || !elf_open(&e, b))
		return IMAGE_NONE;
	if (e.machine == EM_CODE)
		return IMAGE_CODE;
	if (b.p[EI_OSABI] == OSABI_PORTABLE && elf_find(&e, NAME_VERSION, &s))
		return IMAGE_PORTABLE;
	return IMAGE_NONE;
}

bool
image_read(struct image *i, const void *data, size_t size)
{
	struct bytes b = { data, size };
	bool ok = false;

	*i = (struct image){ .kind = image_kind(data, size) };
	switch (i->kind) {
	case IMAGE_CODE:     ok = read_code(i, b); break;
	case IMAGE_BUNDLE:   ok = read_bundle(i, b); break;
	case IMAGE_PORTABLE: ok = read_portable(i, b); break;
	case IMAGE_NONE:     break;
	}
	if (!ok)
		image_free(i);
	return ok;
}

void
image_free(struct image *i)
{
	free(i->code);
	*i = (struct image){ .kind = IMAGE_NONE };
}

const struct image_code *
image_find(const struct image *i, const char *arch)
{
	size_t k;

	for (k = 0; k < i->ncode; k++)
		if (!strcmp(i->code[k].arch, arch))
			return &i->code[k];
	return 0;
}
