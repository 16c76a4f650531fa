/* jit.c - what libptxjit.so exports: the compiler behind include/jit.h. */
#include "jit.h"
#include "emit.h"
#include "emit/host/target_host.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* x with the caller's consumer of diagnostics: modules are shared by threads,
 * and each wants its own */
static void
borrow(struct ptx *mine, const struct ptx *x, const struct jit_options *o)
{
	*mine = *x;
	if (o->diag) {
		mine->diag = o->diag;
		mine->diag_arg = o->diag_arg;
	}
	mine->arena = (struct arena){ 0 };
	pthread_mutex_init(&mine->lock, 0);
}

static void
give_back(struct ptx *mine)
{
	arena_free(&mine->arena);
	pthread_mutex_destroy(&mine->lock);
}

static struct blob
host(struct ptx *x, const struct jit_options *o, const char *kernel,
	struct host_shape shape)
{
	struct emit_options e = { .target = &target_host, .arch = "host",
		.level = o->level, .fmad = o->fmad,
		.line_info = o->line_info };
	struct blob b;
	struct ptx mine;

	borrow(&mine, x, o);
	b = host_compile(&mine, &e, kernel, shape, HOST_OBJECT);
	give_back(&mine);
	return b;
}

/* "znver4 +avx512f,…" */
static char cpu_text[8192];
static pthread_once_t cpu_once = PTHREAD_ONCE_INIT;

static void
spell_cpu(void)
{
	snprintf(cpu_text, sizeof cpu_text, "%s %s", host_cpu("host"),
		host_features("host"));
}

static const char *
cpu(void)
{
	pthread_once(&cpu_once, spell_cpu);
	return cpu_text;
}

static bool
is_arch(struct ptx *x, const char *arch)
{
	struct loc nowhere = { 0, 0 };

	if (target_amdgpu.has_arch(arch))
		return true;
	diag(x, ERROR, nowhere, "\"%s\" is no processor that is known",
		arch);
	return false;
}

static struct emit_options
amdgpu_options(const struct jit_options *o, const char *arch)
{
	return (struct emit_options){ .target = &target_amdgpu, .arch = arch,
		.level = o->level, .fmad = o->fmad,
		.line_info = o->line_info };
}

static struct blob
amdgpu(struct ptx *x, const struct jit_options *o, const char *arch, int jobs,
	size_t *nkernel)
{
	struct emit_options e = amdgpu_options(o, arch);
	struct blob b = { 0, 0 };
	struct ptx mine;

	*nkernel = 0;
	borrow(&mine, x, o);
	if (is_arch(&mine, arch))
		b = compile_image(&mine, &e, jobs, 0, nkernel);
	give_back(&mine);
	return b;
}

static struct blob
amdgpu_part(struct ptx *x, const struct jit_options *o, const char *arch,
	const char *kernel)
{
	struct emit_options e = amdgpu_options(o, arch);
	struct blob b = { 0, 0 };
	struct ptx mine;

	borrow(&mine, x, o);
	if (is_arch(&mine, arch))
		b = compile_part(&mine, &e, kernel);
	give_back(&mine);
	return b;
}

__attribute__((visibility("default")))
const struct jit ptxjit = {
	.size = sizeof ptxjit,
	.build = PTXAMD_BUILD,
	.host = host,
	.cpu = cpu,
	.amdgpu = amdgpu,
	.amdgpu_part = amdgpu_part,
};
