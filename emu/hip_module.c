/* hip_module.c - modules and launches. */
#include "hip.h"
#include "image.h"
#include "launch.h"

#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct function {
	struct function *next;
	const struct module *module;
	const struct kernel_note *note;
	const struct descriptor *kd;
};

struct module {
	struct code *code;
	struct function *functions;
};

/* a launch in a stream, its arguments behind it */
struct order {
	const struct function *f;
	uint32_t grid[3], block[3], shared;
	bool cooperative;
	size_t size;            /* of the argument segment */
	_Alignas(64) uint8_t kernarg[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char last_fault[512];

/* code objects and bundles do not say how long they are to who loads them:
 * the end of what their headers speak of */
static size_t
elf_size(const uint8_t *p)
{
	Elf64_Ehdr h;
	Elf64_Phdr ph;
	size_t end, i;

	memcpy(&h, p, sizeof h);
	if (h.e_phentsize != sizeof ph)
		return sizeof h;
	end = h.e_shoff + (size_t)h.e_shnum * h.e_shentsize;
	for (i = 0; i < h.e_phnum; i++) {
		memcpy(&ph, p + h.e_phoff + i * sizeof ph, sizeof ph);
		if (ph.p_offset + ph.p_filesz > end)
			end = ph.p_offset + ph.p_filesz;
	}
	return end;
}

static size_t
bundle_size(const uint8_t *p)
{
	uint64_t n, item[3];
	size_t at = 32, end = 32;

	memcpy(&n, p + 24, 8);
	for (; n--; at += 24 + item[2]) {
		memcpy(item, p + at, 24);
		if (item[2] > 256)
			return 0;
		if (item[0] + item[1] > end)
			end = item[0] + item[1];
		if (at + 24 + item[2] > end)
			end = at + 24 + item[2];
	}
	return end;
}

static int
load(struct code **out, const void *data)
{
	static const int error[] = {
		[CODE_OK] = hipSuccess, [CODE_DAMAGED] = hipErrorInvalidImage,
		[CODE_OTHER_GPU] = hipErrorNoBinaryForGpu,
		[CODE_NO_MEMORY] = hipErrorOutOfMemory,
	};
	const struct image_code *part;
	struct image image;
	size_t size;
	int err;

	if (!memcmp(data, ELFMAG, SELFMAG))
		return error[code_load(out, device_gpu(), data,
			elf_size(data))];
	if (memcmp(data, "__CLANG_OFFLOAD_BUNDLE__", 24))
		return hipErrorInvalidImage;
	size = bundle_size(data);
	if (!size || !image_read(&image, data, size))
		return hipErrorInvalidImage;
	part = image_find(&image, device_gpu()->name);
	err = part ? error[code_load(out, device_gpu(), part->data,
		part->size)] : hipErrorNoBinaryForGpu;
	image_free(&image);
	return err;
}

int
hipModuleLoadData(void **out, const void *data)
{
	struct module *m;
	int err;

	if (!out || !data)
		return hip_result(hipErrorInvalidValue);
	if (!device_count())
		return hip_result(hipErrorNoDevice);
	m = calloc(1, sizeof *m);
	if (!m)
		return hip_result(hipErrorOutOfMemory);
	err = load(&m->code, data);
	if (err)
		free(m);
	else
		*out = m;
	return hip_result(err);
}

int
hipModuleUnload(void *handle)
{
	struct module *m = handle;
	struct function *f;

	if (!m)
		return hip_result(hipErrorInvalidHandle);
	streams_finish();
	while ((f = m->functions)) {
		m->functions = f->next;
		free(f);
	}
	code_free(m->code);
	free(m);
	return hipSuccess;
}

int
hipModuleGetFunction(void **out, void *handle, const char *name)
{
	struct module *m = handle;
	const struct symbol *s;
	struct function *f;
	size_t i;

	if (!m || !out || !name)
		return hip_result(hipErrorInvalidValue);
	for (i = 0; i < m->code->notes.n; i++)
		if (m->code->notes.kernel[i].name &&
				!strcmp(m->code->notes.kernel[i].name, name))
			break;
	if (i == m->code->notes.n || !m->code->notes.kernel[i].symbol)
		return hip_result(hipErrorNotFound);
	s = code_symbol(m->code, m->code->notes.kernel[i].symbol);
	f = calloc(1, sizeof *f);
	if (!s || s->size < sizeof *f->kd || !f) {
		free(f);
		return hip_result(hipErrorNotFound);
	}
	f->module = m;
	f->note = &m->code->notes.kernel[i];
	f->kd = (const struct descriptor *)(uintptr_t)s->addr;
	pthread_mutex_lock(&lock);
	f->next = m->functions;
	m->functions = f;
	pthread_mutex_unlock(&lock);
	*out = f;
	return hipSuccess;
}

int
hipModuleGetGlobal(void **p, size_t *size, void *handle, const char *name)
{
	struct module *m = handle;
	const struct symbol *s;

	if (!m || !name)
		return hip_result(hipErrorInvalidValue);
	s = code_symbol(m->code, name);
	if (!s || !s->is_object)
		return hip_result(hipErrorNotFound);
	if (p)
		*p = (void *)(uintptr_t)s->addr;
	if (size)
		*size = s->size;
	return hipSuccess;
}

int
hipFuncGetAttribute(int *v, int a, void *handle)
{
	const struct function *f = handle;

	if (!v || !f)
		return hip_result(hipErrorInvalidValue);
	*v = a == HIP_FUNC_MAX_THREADS ? (int)f->note->max_threads :
		a == HIP_FUNC_SHARED ? (int)f->kd->lds :
		a == HIP_FUNC_LOCAL ? (int)f->kd->scratch :
		a == HIP_FUNC_REGISTERS ? (int)f->note->vgprs : 0;
	return hipSuccess;
}

int
hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *n, void *handle,
	int block, size_t shared)
{
	const struct function *f = handle;
	size_t lds;

	if (!n || !f || block <= 0)
		return hip_result(hipErrorInvalidValue);
	lds = f->kd->lds + shared;
	*n = block > 1024 ? 0 : 2048 / block;
	if (lds && (size_t)*n > 65536 / lds)
		*n = (int)(65536 / lds);
	return hipSuccess;
}

static int
run(void *arg, int error)
{
	struct order *o = arg;
	struct launch_state s = { 0 };
	bool ok;

	if (error) {
		free(o);
		return hipSuccess;
	}
	s.code = o->f->module->code;
	s.note = o->f->note;
	s.kd = o->f->kd;
	memcpy(s.grid, o->grid, sizeof s.grid);
	memcpy(s.block, o->block, sizeof s.block);
	s.dynamic = o->shared;
	s.kernarg = o->kernarg;
	s.cooperative = o->cooperative;
	region_add((uint64_t)(uintptr_t)o->kernarg, o->size + 64);
	ok = launch_run(&s);
	region_remove((uint64_t)(uintptr_t)o->kernarg);
	free(o);
	if (ok)
		return hipSuccess;
	fprintf(stderr, "emulator: %s\n", s.message);
	pthread_mutex_lock(&lock);
	memcpy(last_fault, s.message, sizeof last_fault);
	pthread_mutex_unlock(&lock);
	return s.fault == FAULT_ADDRESS ? hipErrorIllegalAddress :
		s.fault == FAULT_RESOURCE ? hipErrorLaunchOutOfResources :
		hipErrorLaunchFailure;
}

void
emu_last_fault(char *out, size_t n)
{
	pthread_mutex_lock(&lock);
	snprintf(out, n, "%s", last_fault);
	pthread_mutex_unlock(&lock);
}

/* what the compiler asks the runtime for, behind the arguments */
static void
hide(struct order *o, const struct kernel_arg *a)
{
	static const char axis[] = "xyz";
	uint64_t v = 0;
	unsigned i = 0;

	if (!a->kind || strncmp(a->kind, "hidden_", 7) || a->size > 8 ||
			a->offset > o->size || a->size > o->size - a->offset)
		return;
	if (strchr(axis, a->kind[strlen(a->kind) - 1]))
		i = (unsigned)(strchr(axis, a->kind[strlen(a->kind) - 1]) -
			axis) % 3;
	if (!strncmp(a->kind + 7, "block_count_", 12))
		v = o->grid[i];
	else if (!strncmp(a->kind + 7, "group_size_", 11))
		v = o->block[i];
	else if (!strcmp(a->kind + 7, "grid_dims"))
		v = o->grid[2] * o->block[2] > 1 ? 3 :
			o->grid[1] * o->block[1] > 1 ? 2 : 1;
	else if (!strcmp(a->kind + 7, "dynamic_lds_size"))
		v = o->shared;
	memcpy(o->kernarg + a->offset, &v, a->size);
}

/* arguments one by one, or as one piece of memory */
static int
fill(struct order *o, void **params, void **extra)
{
	const struct kernel_note *n = o->f->note;
	const void *from = 0;
	size_t size = 0, i;

	for (; extra && *extra != HIP_LAUNCH_END; extra += 2)
		if (*extra == HIP_LAUNCH_BUFFER)
			from = extra[1];
		else if (*extra == HIP_LAUNCH_SIZE)
			size = *(size_t *)extra[1];
		else
			return hipErrorInvalidValue;
	if (from)
		memcpy(o->kernarg, from, size < o->size ? size : o->size);
	for (i = 0; i < n->nargs; i++) {
		const struct kernel_arg *a = &n->arg[i];

		if (a->kind && !strncmp(a->kind, "hidden_", 7))
			hide(o, a);
		else if (!from && (!params || a->offset > o->size ||
				a->size > o->size - a->offset))
			return hipErrorInvalidValue;
		else if (!from)
			memcpy(o->kernarg + a->offset, *params++, a->size);
	}
	return hipSuccess;
}

static int
check(const struct order *o)
{
	uint64_t threads = (uint64_t)o->block[0] * o->block[1] * o->block[2];
	unsigned i;

	for (i = 0; i < 3; i++)
		if (!o->grid[i] || !o->block[i] || o->block[i] > 1024)
			return hipErrorInvalidValue;
	if (threads > 1024 || (o->f->note->max_threads &&
			threads > o->f->note->max_threads))
		return hipErrorInvalidValue;
	if ((uint64_t)o->f->kd->lds + o->shared > 65536)
		return hipErrorLaunchOutOfResources;
	if (o->cooperative && (uint64_t)o->grid[0] * o->grid[1] * o->grid[2] >
			65536)
		return hipErrorCooperativeLaunchTooLarge;
	return hipSuccess;
}

static int
launch(const struct order *shape, void *stream, void **params, void **extra)
{
	size_t size = shape->f->kd->kernarg, i;
	struct order *o;
	int err;

	for (i = 0; i < shape->f->note->nargs; i++)
		if (shape->f->note->arg[i].offset +
				shape->f->note->arg[i].size > size)
			return hipErrorInvalidImage;
	o = aligned_alloc(64, (sizeof *o + size + 127) / 64 * 64);
	if (!o)
		return hipErrorOutOfMemory;
	memset(o, 0, (sizeof *o + size + 127) / 64 * 64);
	*o = *shape;
	o->size = size;
	err = check(o);
	if (!err)
		err = fill(o, params, extra);
	if (!err)
		err = stream_push(stream, run, o);
	if (err)
		free(o);
	return err;
}

int
hipModuleLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz,
	unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream,
	void **params, void **extra)
{
	struct order o = { f, { gx, gy, gz }, { bx, by, bz }, shared, false,
		0 };

	return hip_result(f ? launch(&o, stream, params, extra) :
		hipErrorInvalidHandle);
}

int
hipModuleLaunchCooperativeKernel(void *f, unsigned gx, unsigned gy,
	unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
	void *stream, void **params)
{
	struct order o = { f, { gx, gy, gz }, { bx, by, bz }, shared, true,
		0 };

	return hip_result(f ? launch(&o, stream, params, 0) :
		hipErrorInvalidHandle);
}
