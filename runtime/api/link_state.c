/* link_state.c - cuLink: several inputs made one image that a module loads.
 *
 * Inputs are kept, and linked on PTX by libptx when all are there.  What
 * comes out is a portable image that holds the PTX and how to compile it.
 */
#include "module.h"
#include <stdlib.h>
#include <string.h>

struct input {
	struct input *next;
	char *name, *data;       /* a NUL follows data */
	size_t size;
};

struct CUlinkState_st {
	struct owned owned;
	CUcontext context;
	struct program options;
	struct jit_log log;
	struct input *input, **last;
	struct blob image;       /* of cuLinkComplete */
	bool done;
};

static void
destroy(struct owned *o)
{
	CUlinkState l = (CUlinkState)(void *)o;
	struct input *i;

	disown(l->context, &l->owned);
	while ((i = l->input)) {
		l->input = i->next;
		free(i->name);
		free(i->data);
		free(i);
	}
	free(l->image.data);
	text_free(&l->log.text);
	handle_free(HANDLE_LINK, l);
}

CUresult
cuLinkCreate_v2(unsigned n, CUjit_option *option, void **value,
	CUlinkState *out)
{
	CUlinkState l;
	CUresult err;

	if (!out)
		return CUDA_ERROR_INVALID_VALUE;
	l = handle_new(HANDLE_LINK, sizeof *l);
	if (!l)
		return CUDA_ERROR_OUT_OF_MEMORY;
	l->context = context_current();
	l->options = module_options(l->context->device);
	l->last = &l->input;
	l->owned.destroy = destroy;
	err = jit_options(&l->log, &l->options, n, option, value);
	if (err) {
		handle_free(HANDLE_LINK, l);
		return err;
	}
	own(l->context, OWNED_CODE, &l->owned);
	*out = l;
	return CUDA_SUCCESS;
}

CUresult
cuLinkCreate(unsigned n, CUjit_option *option, void **value, CUlinkState *out)
{
	return cuLinkCreate_v2(n, option, value, out);
}

static CUresult
add(CUlinkState l, const char *name, char *data, size_t size)
{
	struct input *i = calloc(1, sizeof *i);

	if (i)
		i->name = strdup(name);
	if (!i || !i->name) {
		free(i);
		free(data);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	i->data = data;
	i->size = size;
	*l->last = i;
	l->last = &i->next;
	return CUDA_SUCCESS;
}

static CUresult
check(CUlinkState l, CUjitInputType type)
{
	if (!handle_is(HANDLE_LINK, l))
		return CUDA_ERROR_INVALID_HANDLE;
	if (l->done || (unsigned)type >= CU_JIT_NUM_INPUT_TYPES)
		return CUDA_ERROR_INVALID_VALUE;
	return type == CU_JIT_INPUT_NVVM ? CUDA_ERROR_NOT_SUPPORTED :
		CUDA_SUCCESS;
}

/* options of one input: hints */
CUresult
cuLinkAddData_v2(CUlinkState l, CUjitInputType type, void *data, size_t size,
	const char *name, unsigned n, CUjit_option *option, void **value)
{
	CUresult err = check(l, type);
	char *copy;

	(void)option;
	(void)value;
	(void)n;
	if (err)
		return err;
	if (!data || !size)
		return CUDA_ERROR_INVALID_VALUE;
	copy = malloc(size + 1);
	if (!copy)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(copy, data, size);
	copy[size] = 0;
	return add(l, name ? name : "ptx", copy, size);
}

CUresult
cuLinkAddData(CUlinkState l, CUjitInputType type, void *data, size_t size,
	const char *name, unsigned n, CUjit_option *option, void **value)
{
	return cuLinkAddData_v2(l, type, data, size, name, n, option, value);
}

/* NVIDIA's device runtime holds nothing that our devices could run */
static bool
is_device_runtime(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strcmp(slash ? slash + 1 : path, "libcudadevrt.a");
}

CUresult
cuLinkAddFile_v2(CUlinkState l, CUjitInputType type, const char *path,
	unsigned n, CUjit_option *option, void **value)
{
	CUresult err = check(l, type);
	struct file_data file;

	(void)option;
	(void)value;
	(void)n;
	if (err)
		return err;
	if (!path)
		return CUDA_ERROR_INVALID_VALUE;
	err = jit_file(path, &file);
	if (err)
		return err;
	if (is_device_runtime(path)) {
		free(file.data);
		return CUDA_SUCCESS;
	}
	return add(l, path, file.data, file.size);
}

CUresult
cuLinkAddFile(CUlinkState l, CUjitInputType type, const char *path,
	unsigned n, CUjit_option *option, void **value)
{
	return cuLinkAddFile_v2(l, type, path, n, option, value);
}

/* linking */

static const char *
option_lines(struct arena *a, const struct link *k, const struct program *o)
{
	int level = k->level < o->level ? k->level : o->level;

	return arena_printf(a, "opt-level=%d\n%s%s", level,
		k->no_fmad || !o->fmad ? "fmad=false\n" : "",
		k->line_info || o->line_info ? "generate-line-info=\n" : "");
}

/* is the merged text a module?  Its errors are the last that can come */
static void
check_text(struct ptx *x, struct bytes text)
{
	struct ptx merged = { .diag = x->diag, .diag_arg = x->diag_arg };

	ptx_parse(&merged, "linked", (const char *)text.p, text.n);
	ptx_verify(&merged);
	x->nerror += merged.nerror;
	ptx_free(&merged);
}

static void
make_image(CUlinkState l, struct link *k, struct bytes text)
{
	struct image i = {
		.sm = l->options.sm,
		.ptx = (const char *)text.p, .ptx_size = text.n,
	};

	i.options = option_lines(&k->x->arena, k, &l->options);
	i.options_size = strlen(i.options);
	l->image = image_portable(&i);
}

/* the stages of ptx-link, as far as they are the same for every machine */
static CUresult
link_inputs(CUlinkState l)
{
	struct ptx x = { .diag = text_diag, .diag_arg = &l->log.text };
	struct link k = { .x = &x };
	struct bytes text = {0};
	struct input *i;
	bool failed;

	for (i = l->input; i; i = i->next)
		link_data(&k, i->name, (struct bytes){
			(unsigned char *)i->data, i->size });
	link_drop_device_runtime(&k);
	link_resolve(&k);
	link_live(&k, 0, 0);
	if (!x.nerror && !k.nundefined)
		text = link_write(&k);
	if (text.p)
		check_text(&x, text);
	if (text.p && !x.nerror)
		make_image(l, &k, text);
	failed = x.nerror || k.nundefined;
	free((void *)text.p);
	link_free(&k);
	ptx_free(&x);
	return failed ? CUDA_ERROR_INVALID_PTX : l->image.data ?
		CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult
cuLinkComplete(CUlinkState l, void **data, size_t *size)
{
	CUresult err;

	if (!handle_is(HANDLE_LINK, l))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!data || l->done)
		return CUDA_ERROR_INVALID_VALUE;
	l->done = true;
	err = l->input ? link_inputs(l) : CUDA_ERROR_INVALID_VALUE;
	jit_log_end(&l->log, err);
	if (err)
		return err;
	*data = l->image.data;
	if (size)
		*size = l->image.size;
	return CUDA_SUCCESS;
}

CUresult
cuLinkDestroy(CUlinkState l)
{
	if (!handle_is(HANDLE_LINK, l))
		return CUDA_ERROR_INVALID_HANDLE;
	destroy(&l->owned);
	return CUDA_SUCCESS;
}
