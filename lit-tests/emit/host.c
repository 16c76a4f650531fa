/* host.c - prints what a kernel becomes for this CPU.
 *
 *	host [-i | -s | -w] [-a arch] [-f any|rows|1|2|4|8|16] [-p] file kernel
 *
 * -i: the vector IR, in place of assembler text; -s: the scalar IR; -w: the
 * vector IR before anything is optimised; -f: the form of the block; -p: its
 * last warp may be partial.
 */
#include "emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *
read_all(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *buf;

	if (!f)
		return 0;
	buf = malloc(1 << 24);
	*n = fread(buf, 1, (1 << 24) - 1, f);
	buf[*n] = 0;
	fclose(f);
	return buf;
}

static struct host_shape
shape(const char *form, bool full)
{
	struct host_shape s = { HOST_ANY, 0, full };
	int x = atoi(form);

	if (!strcmp(form, "rows"))
		s.form = HOST_ROWS;
	if (x)
		s.form = HOST_SHORT;
	while (x && 1 << s.log2x < x)
		s.log2x++;
	return s;
}

int
main(int argc, char *argv[])
{
	struct ptx x = { .diag = diag_print, .diag_arg = stdout };
	struct emit_options o = { .target = &target_host, .arch = "host",
		.level = 2, .fmad = true };
	enum host_output want = HOST_ASSEMBLY;
	struct host_shape s = { HOST_ROWS, 0, true };
	bool full = true;
	const char *form = "rows";
	struct blob b;
	size_t n;
	int c;
	char *text;

	while ((c = getopt(argc, argv, "iswa:f:p")) != -1)
		switch (c) {
		case 'i': want = HOST_IR; break;
		case 's': want = HOST_SCALAR; break;
		case 'w': want = HOST_WIDENED; break;
		case 'a': o.arch = optarg; break;
		case 'f': form = optarg; break;
		case 'p': full = false; break;
		default: return 2;
		}
	s = shape(form, full);
	text = optind + 2 == argc ? read_all(argv[optind], &n) : 0;
	if (!text)
		return 2;
	ptx_parse(&x, argv[optind], text, n);
	ptx_verify(&x);
	pass_run(&x, 0, 0);
	if (x.nerror)
		return 1;
	b = host_compile(&x, &o, argv[optind + 1], s, want);
	if (b.data)
		fwrite(b.data, 1, b.size, stdout);
	ptx_free(&x);
	return !b.data;
}
