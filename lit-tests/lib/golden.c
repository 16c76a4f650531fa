/* golden.c - read recorded answers and compare with them. */
#include "golden.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static const char header[]
	= ".version 9.0\n.target sm_90a\n.address_size 64\n";

const char *const golden_group[] = {
	"int", "logic", "cmp", "half", "float", "approx", "cvt", "mov",
	"video", "warp", "atom", "mem", "call", "mma", "prog", 0,
};

static void
die(const char *what, const char *why)
{
	fprintf(stderr, "golden: %s: %s\n", what, why);
	exit(2);
}

static char *
read_file(const char *path, size_t *size)
{
	char *buf;
	FILE *f;
	long n;

	f = fopen(path, "rb");
	if (!f || fseek(f, 0, SEEK_END) || (n = ftell(f)) < 0)
		die(path, strerror(errno));
	rewind(f);
	buf = malloc((size_t)n + 1);
	if (!buf || fread(buf, 1, (size_t)n, f) != (size_t)n)
		die(path, "cannot read");
	fclose(f);
	buf[n] = 0;
	*size = (size_t)n;
	return buf;
}

/* DIR/GROUP.EXT, unpacked, with a NUL behind it */
static char *
read_part(const char *dir, const char *group, const char *ext, size_t *size)
{
	char path[4096], *packed, *out;
	size_t n, got;

	snprintf(path, sizeof path, "%s/%s.%s", dir, group, ext);
	packed = read_file(path, &n);
	if (!strstr(ext, ".zst")) {
		*size = n;
		return packed;
	}
	*size = (size_t)ZSTD_getFrameContentSize(packed, n);
	out = malloc(*size + 1);
	got = out ? ZSTD_decompress(out, *size, packed, n) : 0;
	if (got != *size)
		die(path, "damaged");
	out[got] = 0;
	free(packed);
	return out;
}

/* the sections as modules: name and text, in the order of the file */
static char *
section(char **at, char **name)
{
	char *end, *next, *text;

	*name = *at + 4;
	end = strchr(*name, '\n');
	next = strstr(end, "\n//# ");
	*end = 0;
	if (next)
		*next = 0;
	text = malloc(sizeof header + strlen(end + 1) + 2);
	if (!text)
		die(*name, "out of memory");
	strcpy(text, header);
	strcat(text, end + 1);
	strcat(text, "\n");
	*at = next ? next + 1 : 0;
	return text;
}

static char *
field(char **at)
{
	char *f;

	f = *at;
	*at += strcspn(f, "\t\n");
	if (**at)
		*(*at)++ = 0;
	return f;
}

static void
row(struct golden_kernel *k, char *line, const char *in, const char *out)
{
	char *types;
	unsigned i;

	k->name = field(&line);
	k->n = (unsigned)strtoul(field(&line), 0, 10);
	k->nin = (unsigned)strtoul(field(&line), 0, 10);
	k->nout = (unsigned)strtoul(field(&line), 0, 10);
	field(&line);
	types = field(&line);
	k->rule = field(&line);
	k->in = (const uint64_t *)(in + strtoul(field(&line), 0, 10));
	k->out = (const uint64_t *)out;
	k->block = *line ? (unsigned)strtoul(field(&line), 0, 10)
		: k->n == 128 ? 128 : 64;
	for (i = 0; i < k->nout && i < GOLDEN_SLOTS; i++) {
		k->type[i] = types;
		types += strcspn(types, ",");
		if (*types)
			*types++ = 0;
	}
}

static void
attach(struct golden *g, char *text)
{
	struct golden_kernel *k;
	char *name, *ptx;
	size_t i;

	for (i = 0; text && i < g->n; i++) {
		k = &g->kernel[i];
		ptx = section(&text, &name);
		if (k->name && strcmp(k->name, name))
			die(name, "sections and rows differ");
		k->name = name;
		k->ptx = ptx;
		k->ptx_size = strlen(ptx);
	}
	if (text || i < g->n)
		die("sections", "more or fewer than rows");
}

struct golden *
golden_load(const char *dir, const char *group)
{
	static struct golden *loaded;
	struct golden *g;
	char *tsv, *line, *in, *out, *next;
	size_t n;

	g = calloc(1, sizeof *g);
	tsv = read_part(dir, group, "tsv", &n);
	g->kernel = calloc(n, sizeof *g->kernel);
	if (!g || !g->kernel)
		die(group, "out of memory");
	in = out = 0;
	if (strcmp(group, "rejected")) {
		in = read_part(dir, group, "in.zst", &n);
		out = read_part(dir, group, "out.zst", &n);
	}
	for (line = tsv; *line; line = next) {
		next = strchr(line, '\n') + 1;
		next[-1] = 0;
		if (*line == '#')
			continue;
		if (in) {
			row(&g->kernel[g->n], line, in, out);
			out += (size_t)8 * g->kernel[g->n].n
				* g->kernel[g->n].nout;
		} else {
			g->kernel[g->n].name = field(&line);
			g->kernel[g->n].rule = line;
		}
		g->n++;
	}
	attach(g, read_part(dir, group, "ptx.zst", &n));
	g->next = loaded;
	return loaded = g;
}

/* the types of the recording: bits of a part, parts, how the bits read */
static const struct type {
	const char *name;
	unsigned bits, parts;
	char read; /* h half, b bfloat, f float, d double */
} type[] = {
	{ "f16", 16, 1, 'h' }, { "f16x2", 16, 2, 'h' }, { "hi2", 16, 2, 'h' },
	{ "bf16", 16, 1, 'b' }, { "bf16x2", 16, 2, 'b' },
	{ "bhi2", 16, 2, 'b' }, { "f32", 32, 1, 'f' }, { "tf32", 32, 1, 'f' },
	{ "fi", 32, 1, 'f' }, { "tfi", 32, 1, 'f' }, { "f64", 64, 1, 'd' },
	{ "di", 64, 1, 'd' }, { 0 },
};

static double
read_half(uint64_t v)
{
	int e, m;
	double d;

	e = (int)(v >> 10 & 31);
	m = (int)(v & 1023);
	if (e == 31)
		d = m ? NAN : INFINITY;
	else
		d = e ? ldexp(m + 1024, e - 25) : ldexp(m, -24);
	return v >> 15 & 1 ? -d : d;
}

static double
read_value(const struct type *t, uint64_t v)
{
	uint32_t w;
	float f;
	double d;

	if (t->read == 'h')
		return read_half(v);
	memcpy(&d, &v, sizeof d);
	if (t->read == 'd')
		return d;
	w = (uint32_t)(t->read == 'b' ? v << 16 : v);
	memcpy(&f, &w, sizeof f);
	return f;
}

static bool
near(double a, double b, double rel, double abs)
{
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	if (isinf(a) || isinf(b))
		return a == b;
	return fabs(a - b) <= fmax(rel * fabs(b), abs);
}

static bool
within(const char *rule, double a, double b)
{
	double x, y;

	if (isnan(a) && isnan(b))
		return true;
	if (sscanf(rule, "relabs:%lf:%lf", &x, &y) == 2)
		return near(a, b, x, y);
	if (sscanf(rule, "rel:%lf", &x) == 1)
		return near(a, b, x, 1e-37);
	if (sscanf(rule, "abs:%lf", &x) == 1)
		return near(a, b, 0, x);
	if (sscanf(rule, "half:%*[^:]:%lf", &x) == 1)
		return near(a, b, x, 1e-3);
	if (!strcmp(rule, "relapx64"))
		return near(a, b, 4e-6, 1e-300);
	return false;
}

static bool
same_words(uint64_t a, uint64_t b)
{
	static const struct type word = { "f32", 32, 1, 'f' };
	int k;

	for (k = 0; k < 64; k += 32)
		if ((uint32_t)(a >> k) != (uint32_t)(b >> k)
		&& (!isnan(read_value(&word, a >> k))
		|| !isnan(read_value(&word, b >> k))))
			return false;
	return true;
}

bool
golden_same(const struct golden_kernel *k, unsigned slot, uint64_t got,
	uint64_t want)
{
	const struct type *t;
	unsigned p;
	uint64_t mask, a, b;

	if (got == want)
		return true;
	if (!strcmp(k->rule, "f32pair"))
		return same_words(got, want);
	for (t = type; t->name && strcmp(t->name, k->type[slot]); t++)
		;
	if (!t->name || !strcmp(k->rule, "exact")
	|| !strcmp(k->rule, "fp32x2"))
		return false;
	mask = t->bits == 64 ? UINT64_MAX : (UINT64_C(1) << t->bits) - 1;
	for (p = 0; p < t->parts; p++) {
		a = got >> p * t->bits & mask;
		b = want >> p * t->bits & mask;
		if (a != b && !within(k->rule, read_value(t, a),
		read_value(t, b)))
			return false;
	}
	return true;
}

static void
print_lane(const struct golden_kernel *k, unsigned i, unsigned s,
	uint64_t got, uint64_t want)
{
	unsigned j;

	printf("%s: thread %u slot %u: got %" PRIx64 " want %" PRIx64 " in",
		k->name, i, s, got, want);
	for (j = 0; j < k->nin; j++)
		printf(" %" PRIx64, k->in[(size_t)i * k->nin + j]);
	putchar('\n');
}

bool
golden_check(const struct golden_kernel *k, const uint64_t *got)
{
	unsigned i, s, bad;
	size_t at;

	bad = 0;
	for (i = 0; i < k->n; i++)
		for (s = 0; s < k->nout; s++) {
			at = (size_t)i * k->nout + s;
			if (golden_same(k, s, got[at], k->out[at]))
				continue;
			if (bad++ < 4)
				print_lane(k, i, s, got[at], k->out[at]);
		}
	return !bad;
}
