/* image_write.c - write offload bundles and portable images.
 *
 * The bytes depend on the contents alone: no dates, no names of files.
 */
#include "image.h"
#include "image_int.h"
#include <elf.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a file that grows; once memory is short, data is 0 and stays 0 */
struct buffer {
	char *data;
	size_t size, cap;
	bool failed;
};

static void
put(struct buffer *b, const void *data, size_t n)
{
	char *wider;

	if (b->failed)
		return;
	if (n > b->cap - b->size) {
		b->cap = 2 * b->cap + n;
		wider = realloc(b->data, b->cap);
		if (!wider) {
			free(b->data);
			memset(b, 0, sizeof *b);
			b->failed = true;
			return;
		}
		b->data = wider;
	}
	if (n)
		memcpy(b->data + b->size, data, n);
	b->size += n;
}

static void
pad(struct buffer *b, size_t align)
{
	static const char zeros[BUNDLE_ALIGN];

	put(b, zeros, (align - b->size % align) % align);
}

static struct blob
finish(struct buffer *b)
{
	return (struct blob){ b->data, b->size };
}

static uint64_t
align_up(uint64_t n)
{
	return (n + BUNDLE_ALIGN - 1) / BUNDLE_ALIGN * BUNDLE_ALIGN;
}

static void
put_entry(struct buffer *b, uint64_t off, uint64_t size, const char *id)
{
	uint64_t v[3] = { off, size, strlen(id) };

	put(b, v, sizeof v);
	put(b, id, v[2]);
}

struct blob
image_bundle(const struct image_code *code, size_t n)
{
	char id[sizeof BUNDLE_ID + sizeof code->arch];
	uint64_t count = n + 1, at = BUNDLE_ALIGN;
	struct buffer b = { 0 };
	size_t i;

	put(&b, BUNDLE_MAGIC, MAGIC_SIZE);
	put(&b, &count, sizeof count);
	put_entry(&b, at, 0, BUNDLE_HOST);
	for (i = 0; i < n; i++) {
		snprintf(id, sizeof id, "%s%s", BUNDLE_ID, code[i].arch);
		put_entry(&b, at, code[i].size, id);
		at += align_up(code[i].size);
	}
	for (i = 0; i < n; i++) {
		pad(&b, BUNDLE_ALIGN);
		put(&b, code[i].data, code[i].size);
	}
	return finish(&b);
}

/* a portable image on its way: sections, their table, and their names */
struct draft {
	struct buffer file, table, names;
};

static void
add_header(struct draft *d, uint32_t type, size_t off, size_t size,
	const char *name)
{
	Elf64_Shdr s = {
		.sh_type = type, .sh_offset = off, .sh_size = size,
		.sh_name = d->names.size,
		.sh_addralign = type == SHT_PROGBITS ? CODE_ALIGN : 1,
	};

	put(&d->table, &s, sizeof s);
	put(&d->names, name, strlen(name) + 1);
}

/* at least one zero byte follows; a code object is aligned */
static void
add_section(struct draft *d, const char *name, const void *data, size_t size)
{
	size_t off;

	pad(&d->file, CODE_ALIGN);
	off = d->file.size;
	put(&d->file, data, size);
	put(&d->file, "", 1);
	add_header(d, SHT_PROGBITS, off, size, name);
}

static void
add_code(struct draft *d, const struct image_code *c)
{
	char name[sizeof NAME_CODE + sizeof c->arch];

	snprintf(name, sizeof name, "%s%s", NAME_CODE, c->arch);
	add_section(d, name, c->data, c->size);
}

/* the names and the table of sections, and where the header finds them */
static void
add_tables(struct draft *d, Elf64_Ehdr *h)
{
	size_t off = d->file.size;

	add_header(d, SHT_STRTAB, off, 0, ".shstrtab");
	put(&d->file, d->names.data, d->names.size);
	pad(&d->file, 8);
	h->e_shoff = d->file.size;
	h->e_shnum = d->table.size / sizeof(Elf64_Shdr);
	h->e_shstrndx = h->e_shnum - 1;
	if (d->table.data)
		((Elf64_Shdr *)d->table.data)[h->e_shstrndx].sh_size =
			d->names.size;
	put(&d->file, d->table.data, d->table.size);
}

static Elf64_Ehdr
header(const struct image *i)
{
	Elf64_Ehdr h = {
		.e_ident = {
			ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			ELFDATA2LSB, EV_CURRENT, OSABI_PORTABLE, ABI_PORTABLE,
		},
		.e_type = i->relocatable ? ET_REL : ET_EXEC,
		.e_machine = EM_PORTABLE,
		.e_version = EV_CURRENT,
		.e_flags = FLAGS_PORTABLE | i->sm << 8,
		.e_ehsize = sizeof h,
		.e_shentsize = sizeof(Elf64_Shdr),
	};

	return h;
}

struct blob
image_portable(const struct image *i)
{
	struct draft d = { .file = { 0 } };
	Elf64_Ehdr h = header(i);
	size_t k;

	put(&d.file, &h, sizeof h);
	add_header(&d, SHT_NULL, 0, 0, "");
	add_section(&d, NAME_VERSION, IMAGE_VERSION, sizeof IMAGE_VERSION - 1);
	add_section(&d, NAME_OPTIONS, i->options, i->options_size);
	if (i->ptx)
		add_section(&d, NAME_PTX, i->ptx, i->ptx_size);
	for (k = 0; k < i->ncode; k++)
		add_code(&d, &i->code[k]);
	add_tables(&d, &h);
	if (d.table.failed || d.names.failed)
		free(d.file.data), d.file = (struct buffer){ .failed = true };
	if (!d.file.failed)
		memcpy(d.file.data, &h, sizeof h);
	free(d.table.data);
	free(d.names.data);
	return finish(&d.file);
}
