/* code.c - our code objects beside another compiler's, kernel by kernel.
 *
 *	code ours.hsaco other.hsaco [ours other]...
 *
 * Prints bytes of code, VGPRs and spilled registers of both, the ratios of
 * bytes and of VGPRs, and their geometric means.
 */
#include "emit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ratio {
	double log, most;
	int n;
};

static struct kernel_stats
stats(struct ptx *x, const char *file)
{
	struct kernel_stats *s;
	struct blob b;

	b.data = file_read(x, file, &b.size);
	if (!b.data || !image_stats(&b, &x->arena, &s)) {
		fprintf(stderr, "code: no kernel in %s\n", file);
		exit(1);
	}
	return s[0];
}

static double
add(struct ratio *r, double ours, double other)
{
	double q;

	q = ours / other;
	r->log += log(q);
	r->n++;
	if (q > r->most)
		r->most = q;
	return q;
}

int
main(int argc, char *argv[])
{
	struct ratio code = {0}, vgpr = {0};
	struct ptx x = { .diag = diag_print, .diag_arg = stderr };
	struct kernel_stats a, b;
	double qc, qv;
	int k;

	puts("| kernel | bytes | clang | ratio | VGPRs | clang | ratio "
		"| spills | clang |\n|---|---|---|---|---|---|---|---|---|");
	for (k = 1; k + 1 < argc; k += 2) {
		a = stats(&x, argv[k]);
		b = stats(&x, argv[k + 1]);
		qc = add(&code, a.code, b.code);
		qv = add(&vgpr, a.vgpr, b.vgpr);
		printf("| %-12s | %5u | %5u | %.2f | %3u | %3u | %.2f | %u "
			"| %u |\n", a.name, a.code, b.code, qc, a.vgpr, b.vgpr,
			qv, a.vgpr_spill + a.sgpr_spill,
			b.vgpr_spill + b.sgpr_spill);
	}
	printf("| geometric mean | | | %.3f | | | %.3f | | |\n"
		"| largest | | | %.2f | | | %.2f | | |\n",
		exp(code.log / code.n), exp(vgpr.log / vgpr.n), code.most,
		vgpr.most);
	return 0;
}
