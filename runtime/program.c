/* program.c - a module's data made a program: PTX, ready code, or both.
 *
 * A program is parsed, verified and simplified once, here; devices only read
 * it.  What comes from fat binaries is chosen in program_fatbin.c.
 */
#include "cache.h"
#include "program_int.h"
#include <stdlib.h>
#include <string.h>

enum { NEWEST_PTX = 90 }; /* .version 9.0 */

static void
complain(struct load *l, const char *text)
{
	text_add(l->log, "%s: error: %s\n", l->options->file, text);
}

static void
drop_ptx(struct program *p)
{
	whole_free(p->whole);
	p->whole = 0;
	ptx_free(&p->x);
	p->x = (struct ptx){0};
	free(p->text);
	p->text = 0;
	p->has_ptx = false;
}

/* what decides the module; the same text with the same options is the same */
static void
identify(struct program *p, size_t size, const struct program *o)
{
	const unsigned changes[] = { o->max_registers, o->max_threads,
		o->min_blocks, o->override };
	struct cache_hash h;
	struct cache_key key;

	cache_hash_begin(&h);
	cache_hash_add(&h, p->text, size);
	cache_hash_add(&h, changes, sizeof changes);
	key = cache_hash_end(&h);
	memcpy(&p->id, &key, sizeof key);
}

void
program_parse(struct ptx *x, const struct program *o, const char *text,
	size_t size, struct text *log)
{
	x->diag = log ? text_diag : 0;
	x->diag_arg = log;
	ptx_parse(x, arena_printf(&x->arena, "%s", o->file), text, size);
	program_adjust(x, o);
	ptx_verify(x);
	pass_run(x, 0, 0);
	x->diag = 0;
}

static CUresult
parse(struct load *l, size_t size)
{
	struct ptx *x = &l->p->x;
	bool newer;

	identify(l->p, size, l->options);
	l->p->has_ptx = true;
	if (outline_read(l->p, l->options))
		return CUDA_SUCCESS;
	program_parse(x, l->options, l->p->text, size, l->log);
	if (!x->nerror) {
		l->p->pointers = program_has_pointers(x);
		outline_write(l->p, l->options);
		return CUDA_SUCCESS;
	}
	newer = x->version > NEWEST_PTX;
	drop_ptx(l->p);
	return newer ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION :
		CUDA_ERROR_INVALID_PTX;
}

CUresult
program_text(struct load *l, struct bytes b)
{
	size_t n = strnlen((const char *)b.p, b.n);

	l->p->text = malloc(n + 1);
	if (!l->p->text)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(l->p->text, b.p, n);
	l->p->text[n] = 0;
	if (!strstr(l->p->text, ".version")) {
		complain(l, "this is no PTX, and no image that we know");
		drop_ptx(l->p);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	if (l->options->no_jit && !l->p->data) {
		complain(l, "there is no ready code, and compiling is "
			"switched off");
		drop_ptx(l->p);
		return CUDA_ERROR_JIT_COMPILATION_DISABLED;
	}
	return parse(l, n);
}

/* images */

static void
drop_image(struct program *p)
{
	image_free(&p->image);
	free(p->data);
	p->data = 0;
}

/* "gfx90a:xnack-" of an image is for "gfx90a" */
static bool
has_code(const struct image *i, const char *arch)
{
	size_t k, n;

	for (k = 0; k < i->ncode; k++) {
		n = strcspn(i->code[k].arch, ":");
		if (n && !strncmp(i->code[k].arch, arch, n) &&
		    (!arch[n] || arch[n] == ':'))
			return true;
	}
	return false;
}

/* keeps the code of an image if it is of use */
static CUresult
take_code(struct load *l, struct bytes b)
{
	const struct program *o = l->options;
	struct program *p = l->p;

	p->data = malloc(b.n + 1);
	if (!p->data)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(p->data, b.p, b.n);
	((char *)p->data)[b.n] = 0;
	if (!image_read(&p->image, p->data, b.n)) {
		drop_image(p);
		return CUDA_ERROR_INVALID_IMAGE;
	}
	if (p->image.relocatable || !p->image.ncode ||
	    (o->arch && !has_code(&p->image, o->arch)))
		drop_image(p);
	return CUDA_SUCCESS;
}

/* the value of a line "name=value", or 0 */
static const char *
option(const char *lines, const char *name)
{
	size_t n = strlen(name);

	for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n')
		if (!strncmp(lines, name, n) && lines[n] == '=')
			return lines + n + 1;
	return 0;
}

/* how ptxas-amd was asked to compile it */
static void
obey(struct program *p, const char *lines)
{
	const char *level = option(lines, "opt-level");
	const char *fmad = option(lines, "fmad");

	if (level && *level >= '0' && *level <= '3' && *level - '0' < p->level)
		p->level = *level - '0';
	if (fmad && *fmad == 'f')
		p->fmad = false;
	p->line_info |= option(lines, "generate-line-info") != 0;
}

static const char no_ptx[] = "the image holds machine code for another GPU "
	"and no PTX: let nvcc embed PTX, as -arch=sm_80 does";

CUresult
program_elf(struct load *l, struct bytes b)
{
	CUresult err = CUDA_SUCCESS;
	struct object o;
	struct elf e;

	if (!elf_is(b) || !elf_open(&e, b)) {
		complain(l, "the ELF image is damaged");
		return CUDA_ERROR_INVALID_IMAGE;
	}
	if (image_kind(b.p, b.n) != IMAGE_NONE)
		err = take_code(l, b);
	if (err) {
		complain(l, "the image is damaged");
		return err;
	}
	if (object_read(&e, &o)) {
		/* also beside code: parameters are told by PTX alone */
		obey(l->p, o.options);
		err = program_text(l, o.ptx);
		if (!err && l->options->force_jit)
			drop_image(l->p);
		return l->p->data ? CUDA_SUCCESS : err;
	}
	if (l->p->data)
		return CUDA_SUCCESS;
	complain(l, no_ptx);
	return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

static CUresult
take_bundle(struct load *l, struct bytes b)
{
	CUresult err = take_code(l, b);

	if (err)
		complain(l, "the offload bundle is damaged");
	else if (!l->p->data)
		complain(l, "the offload bundle has no code for this GPU");
	else
		return CUDA_SUCCESS;
	return err ? err : CUDA_ERROR_NO_BINARY_FOR_GPU;
}

static CUresult
take(struct load *l, const void *data, size_t size)
{
	struct bytes b = { data, size };

	if (!size && program_is_wrapper(data))
		return program_wrapper(l, data);
	if (!size)
		b.n = program_size(data);
	if (fatbin_is(b))
		return program_fatbin(l, b);
	if (b.n >= 4 && !memcmp(data, "\177ELF", 4))
		return program_elf(l, b);
	if (image_kind(data, b.n) == IMAGE_BUNDLE)
		return take_bundle(l, b);
	return program_text(l, b);
}

CUresult
program_load(struct program **out, const void *data, size_t size,
	const struct program *options, struct text *log)
{
	struct program o = { .level = 3, .fmad = true };
	struct load l = { .options = &o, .log = log };
	CUresult err;

	if (options)
		o = *options;
	if (!o.file)
		o.file = "ptx";
	l.p = calloc(1, sizeof *l.p);
	if (!l.p)
		return CUDA_ERROR_OUT_OF_MEMORY;
	l.p->level = o.level;
	l.p->fmad = o.fmad;
	l.p->line_info = o.line_info;
	err = take(&l, data, size);
	arena_free(&l.arena);
	if (err) {
		program_free(l.p);
		l.p = 0;
	}
	*out = l.p;
	return err;
}

void
program_free(struct program *p)
{
	if (!p)
		return;
	drop_ptx(p);
	drop_image(p);
	free(p);
}

const struct func *
program_kernel(const struct program *p, const char *name)
{
	const struct func *f;

	f = p->has_ptx ? ptx_func(&p->x, name) : 0;
	if (f && f->def)
		f = f->def;
	return f && f->entry && f->has_body ? f : 0;
}

bool
program_param(const struct program *p, const char *kernel, size_t index,
	size_t *offset, size_t *size)
{
	const struct func *f = program_kernel(p, kernel);
	const struct sym *s;

	for (s = f ? f->param : 0; s && index--; s = s->next)
		;
	if (!s)
		return false;
	*offset = s->u.var->offset;
	*size = s->u.var->size;
	return true;
}
