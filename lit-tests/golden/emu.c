/* emu.c - golden kernels as AMD code, run by the emulator or by a real HIP.
 *
 *	emu [-O level] [-k kernel] [-o file] arch dir group...
 *
 * -o writes the code object of the kernel.  Prints what fails and "N right, N
 * wrong, N refused"; exits with 1 if any is not right.
 */
#include "emit.h"
#include "golden.h"
#include "hip.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *output;

static int
run(const struct hip_api *h, const struct blob *code,
	const struct golden_kernel *k, uint64_t *out)
{
	size_t nin = (size_t)k->n * k->nin * 8;
	size_t nout = (size_t)k->n * k->nout * 8;
	unsigned grid[3] = { k->n / k->block, 1, 1 };
	unsigned block[3] = { k->block, 1, 1 };
	void *param[2];
	int err;

	hip_must(h, h->hipMalloc(&param[0], nin + 8), "hipMalloc");
	hip_must(h, h->hipMalloc(&param[1], nout + 8), "hipMalloc");
	hip_must(h, h->hipMemcpy(param[0], k->in, nin, HIP_DEFAULT), "copy");
	hip_must(h, h->hipMemset(param[1], 0, nout), "fill");
	err = hip_run(h, code, k->name, param, sizeof param, grid, block, 0);
	if (!err)
		err = h->hipMemcpy(out, param[1], nout, HIP_DEFAULT);
	else
		h->hipDeviceReset();
	h->hipFree(param[0]);
	h->hipFree(param[1]);
	return err;
}

static bool
is_right(const struct hip_api *h, const struct blob *code,
	const struct golden_kernel *k)
{
	uint64_t *out = calloc((size_t)k->n * k->nout + 1, sizeof *out);
	int err = run(h, code, k, out);
	bool right = !err && golden_check(k, out);

	if (err)
		printf("%s: %s\n", k->name, h->hipGetErrorString(err));
	free(out);
	return right;
}

static void
save(const struct blob *b)
{
	FILE *f = output ? fopen(output, "wb") : 0;

	if (f) {
		fwrite(b->data, 1, b->size, f);
		fclose(f);
	}
}

/* 0 right, 1 wrong, 2 refused */
static int
check(const struct hip_api *h, const struct golden_kernel *k,
	const struct emit_options *o)
{
	struct ptx x = { .diag = diag_print, .diag_arg = stdout };
	struct kernel_stats *stats;
	struct blob b = { 0, 0 };
	int result = 2;
	size_t n = 0;

	ptx_parse(&x, k->name, k->ptx, k->ptx_size);
	ptx_verify(&x);
	pass_run(&x, 0, 0);
	if (!x.nerror)
		b = compile_image(&x, o, 1, &stats, &n);
	if (b.data && n == 1) {
		save(&b);
		result = !is_right(h, &b, k);
	}
	free(b.data);
	ptx_free(&x);
	fflush(stdout);
	return result;
}

int
main(int argc, char *argv[])
{
	struct emit_options opt = { .target = &target_amdgpu, .fmad = true };
	unsigned count[3] = { 0 };
	const struct hip_api *h;
	const char *only = 0;
	struct golden *g;
	size_t i;
	int o;

	while ((o = getopt(argc, argv, "O:k:o:")) != -1)
		if (o == 'O')
			opt.level = atoi(optarg);
		else if (o == 'k')
			only = optarg;
		else if (o == 'o')
			output = optarg;
		else
			return 2;
	if (argc - optind < 3)
		return 2;
	opt.arch = argv[optind];
	h = hip_open(argv[0], opt.arch);
	for (o = optind + 2; o < argc; o++) {
		g = golden_load(argv[optind + 1], argv[o]);
		for (i = 0; i < g->n; i++)
			if (!only || !strcmp(g->kernel[i].name, only))
				count[check(h, &g->kernel[i], &opt)]++;
	}
	printf("%u right, %u wrong, %u refused\n", count[0], count[1],
		count[2]);
	return count[1] || count[2];
}
