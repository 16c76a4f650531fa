/* hsaco-run - run one kernel of a code object and print what it wrote. */
#include "ptx.h"
#include "hsaco.h"
#include "image.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
die(const char *fmt, ...)
{
	va_list arg;

	va_start(arg, fmt);
	fputs("hsaco-run: ", stderr);
	vfprintf(stderr, fmt, arg);
	fputc('\n', stderr);
	va_end(arg);
	exit(1);
}

static void
usage(FILE *f)
{
	fputs("usage: hsaco-run [-lq] [-k kernel] [-g x[,y[,z]]] "
		"[-b x[,y[,z]]] [-s bytes]\n"
		"                 [-d device] [-n count] file [argument]...\n"
		"\n"
		"  -k kernel  which one; may be left out if there is but one\n"
		"  -g, -b     blocks of the grid, threads of a block [1]\n"
		"  -s bytes   dynamic shared memory [0]\n"
		"  -n count   numbers of a buffer to print, at most [64]\n"
		"  -d device  number of the device [0]\n"
		"  -q         print no statistics\n"
		"  -l         list the kernels\n"
		"\narguments:\n"
		"  buffer:type:count[:init]  memory, printed at the end\n"
		"  input:type:count[:init]   memory\n"
		"  type:value                a number by value\n"
		"  hex:bytes                 bytes by value\n"
		"  null                      a null pointer\n"
		"types: u8 to u64, s8 to s64, f16 f32 f64\n"
		"init: zero, iota, random[=seed], file=path, a number\n", f);
}

static void
read_shape(const char *s, unsigned shape[3])
{
	char *end = (char *)s;
	int i;

	for (i = 0; i < 3 && (i == 0 || *end++ == ','); i++) {
		s = end;
		shape[i] = (unsigned)strtoul(s, &end, 0);
		if (end == s || !shape[i])
			die("%s: not a number of blocks or threads", s);
		if (!*end)
			return;
	}
	die("\"%s\" behind the shape", end);
}

static void
option(struct options *o, int c)
{
	switch (c) {
	case 'k': o->kernel = optarg; break;
	case 'g': read_shape(optarg, o->grid); break;
	case 'b': read_shape(optarg, o->block); break;
	case 's': o->shared = (unsigned)strtoul(optarg, 0, 0); break;
	case 'd': o->device = atoi(optarg); break;
	case 'n': o->show = strtoull(optarg, 0, 0); break;
	case 'l': o->list = true; break;
	case 'q': o->quiet = true; break;
	case 'h': usage(stdout); exit(0);
	default: usage(stderr); exit(2);
	}
}

/* options may stand between the others */
static void
options_read(struct options *o, int argc, char *argv[])
{
	static const struct option names[] = {
		{ "help", no_argument, 0, 'h' }, { 0 }
	};
	const char *s;
	int c;

	while (optind < argc) {
		c = getopt_long(argc, argv, "+k:g:b:s:d:n:lqh", names, 0);
		if (c != -1) {
			option(o, c);
			continue;
		}
		if (optind == argc)
			break;
		s = argv[optind++];
		if (!o->file) {
			o->file = s;
			continue;
		}
		if (o->nargs == MAX_ARGS)
			die("more than %d arguments", MAX_ARGS);
		arg_read(&o->arg[o->nargs++], s);
	}
	if (!o->file) {
		usage(stderr);
		exit(2);
	}
}

static void
complain(void *arg, const struct diag *d)
{
	(void)arg;
	die("%s%s%s", d->file ? d->file : "", d->file ? ": " : "", d->text);
}

/* the code object of a file; of a bundle, the first or that for
 * PTXAMD_EMU_ARCH */
static const struct image_code *
open_code(const char *path, struct image *image, char **data)
{
	struct ptx x = { .diag = complain };
	const char *arch = getenv("PTXAMD_EMU_ARCH");
	const struct image_code *c = 0;
	size_t size;

	*data = file_read(&x, path, &size);
	if (!*data || !image_read(image, *data, size))
		die("%s: not a code object, bundle or image", path);
	if (image->relocatable)
		die("%s: not linked", path);
	if (arch && image->ncode > 1)
		c = image_find(image, arch);
	if (!c && image->ncode)
		c = &image->code[0];
	if (!c)
		die("%s: there is no code in it", path);
	return c;
}

static const struct kernel_note *
find_kernel(const struct options *o, const struct kernel_notes *n)
{
	size_t i;

	for (i = 0; i < n->n; i++)
		if (n->kernel[i].name && (!o->kernel ||
				!strcmp(n->kernel[i].name, o->kernel)))
			break;
	if (i == n->n)
		die("%s: no kernel \"%s\"", o->file, o->kernel ? o->kernel :
			"");
	if (!o->kernel && n->n > 1)
		die("%s: which of its %zu kernels? see -l", o->file, n->n);
	return &n->kernel[i];
}

static void
list(const struct kernel_notes *n)
{
	const struct kernel_note *k;
	size_t i, j;

	for (i = 0; i < n->n; i++) {
		k = &n->kernel[i];
		printf("%s: %u bytes of arguments, %u of LDS, %u of scratch, "
			"waves of %u, %u VGPRs\n", k->name ? k->name : "",
			k->kernarg, k->lds, k->scratch, k->wave, k->vgprs);
		for (j = 0; j < k->nargs; j++)
			printf("  %4u %4u %s %s\n", k->arg[j].offset,
				k->arg[j].size, k->arg[j].kind ?
				k->arg[j].kind : "", k->arg[j].name ?
				k->arg[j].name : "");
	}
}

static void
upload(const struct library *l, struct options *o)
{
	struct arg *a;

	for (a = o->arg; a < o->arg + o->nargs; a++) {
		if (!a->buffer)
			continue;
		must(l, l->hip.hipMalloc(&a->device, a->size ? a->size : 1),
			"hipMalloc");
		must(l, l->hip.hipMemcpy(a->device, a->data, a->size,
			HIP_TO_DEVICE), "hipMemcpy");
	}
}

static void
launch(const struct library *l, const struct options *o,
	const struct kernel_note *k, const struct image_code *code)
{
	const unsigned *g = o->grid, *b = o->block;
	size_t size;
	void *module, *f;
	void *extra[] = { HIP_LAUNCH_BUFFER, arg_block(o, k, &size),
		HIP_LAUNCH_SIZE, &size, HIP_LAUNCH_END };

	must(l, l->hip.hipModuleLoadData(&module, code->data), o->file);
	must(l, l->hip.hipModuleGetFunction(&f, module, k->name), k->name);
	must(l, l->hip.hipModuleLaunchKernel(f, g[0], g[1], g[2], b[0], b[1],
		b[2], o->shared, 0, 0, extra), k->name);
	must(l, l->hip.hipDeviceSynchronize(), k->name);
	must(l, l->hip.hipModuleUnload(module), k->name);
	free(extra[1]);
}

static void
clean(const struct library *l, struct options *o)
{
	struct arg *a;

	for (a = o->arg; a < o->arg + o->nargs; a++) {
		if (a->buffer)
			l->hip.hipFree(a->device);
		free(a->data);
	}
}

static void
print(const struct library *l, const struct options *o)
{
	const struct arg *a;
	size_t i, n;

	for (a = o->arg; a < o->arg + o->nargs; a++) {
		if (!a->print)
			continue;
		must(l, l->hip.hipMemcpy(a->data, a->device, a->size,
			HIP_TO_HOST), "hipMemcpy");
		printf("argument %d: %s[%zu]\n", (int)(a - o->arg),
			number_name(a->type), a->n);
		n = a->n < o->show ? a->n : o->show;
		for (i = 0; i < n; i++) {
			number_print(a->type, a->data +
				i * number_size(a->type));
			putchar(i % 8 == 7 || i + 1 == n ? '\n' : ' ');
		}
		if (n < a->n)
			printf("… %zu more\n", a->n - n);
	}
}

static void
run(struct options *o, const char *program, const struct kernel_note *k,
	const struct image_code *code)
{
	struct library l = { 0 };
	char text[512];

	library_open(&l, program, *code->arch ? code->arch : 0);
	must(&l, l.hip.hipSetDevice(o->device), "device");
	upload(&l, o);
	launch(&l, o, k, code);
	print(&l, o);
	if (l.stats && !o->quiet) {
		l.stats(text, sizeof text);
		puts(text);
	}
	clean(&l, o);
}

int
main(int argc, char *argv[])
{
	struct options o = { .grid = { 1, 1, 1 }, .block = { 1, 1, 1 },
		.show = 64 };
	const struct image_code *code;
	struct kernel_notes notes;
	struct image image;
	char *data;

	stdout_check();
	options_read(&o, argc, argv);
	code = open_code(o.file, &image, &data);
	if (!kernel_notes_read(&notes, code->data, code->size))
		die("%s: nothing says which kernels are in it", o.file);
	if (o.list)
		list(&notes);
	else
		run(&o, argv[0], find_kernel(&o, &notes), code);
	kernel_notes_free(&notes);
	image_free(&image);
	free(data);
	return 0;
}
