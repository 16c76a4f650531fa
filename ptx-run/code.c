/* code.c - the GPU code in a file: in which forms, and does it compile?
 *
 * It is compiled in a process of its own, which a hostile file may bring
 * down, and is in the cache then.
 */
#include "../ptx-precompile/precompile.h"
#include "doctor.h"
#include "find.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 64 };

/* "PTX 8.3 for sm_80", and how many of them */
struct form {
	char text[48];
	size_t n;
};

struct forms {
	struct report *r;
	struct form form[MOST];
	size_t n, ptx, sass, other;
	bool told;
};

static void
count(struct forms *all, const char *text)
{
	size_t i;

	for (i = 0; i < all->n; i++)
		if (!strcmp(all->form[i].text, text))
			break;
	if (i == MOST)
		return;
	if (i == all->n)
		snprintf(all->form[all->n++].text, sizeof all->form->text,
			"%s", text);
	all->form[i].n++;
}

/* the word behind a directive at the beginning of a line; "?" */
static void
directive(struct bytes text, const char *name, char *word, size_t size)
{
	const unsigned char *p = text.p, *end = text.p + text.n;
	size_t n = strlen(name), k = 0;

	for (; p < end; p++) {
		if ((size_t)(end - p) > n && !memcmp(p, name, n) &&
		    (p == text.p || p[-1] == '\n'))
			break;
		p = memchr(p, '\n', (size_t)(end - p));
		if (!p)
			break;
	}
	for (p = p && p < end ? p + n : end; p < end && *p == ' '; p++)
		;
	for (; p < end && k + 1 < size && strchr("0123456789.abcdefsm_", *p) &&
	    *p; p++)
		word[k++] = (char)*p;
	strcpy(word + k, k ? "" : "?");
}

static void
ptx_found(struct forms *all, struct bytes text)
{
	char version[8], target[16], line[48];

	directive(text, ".version", version, sizeof version);
	directive(text, ".target", target, sizeof target);
	snprintf(line, sizeof line, "PTX %s for %s", version, target);
	count(all, line);
	all->ptx++;
}

static void
elf_found(struct forms *all, struct bytes image, unsigned sm)
{
	struct object o;
	char line[48];
	struct elf e;

	if (elf_is(image) && elf_open(&e, image) && object_read(&e, &o)) {
		ptx_found(all, o.ptx);
	} else if (image_kind(image.p, image.n) != IMAGE_NONE) {
		count(all, "code for AMD GPUs");
		all->other++;
	} else {
		snprintf(line, sizeof line, "machine code for sm_%u", sm);
		count(all, sm ? line : "machine code for NVIDIA's GPUs");
		all->sass++;
	}
}

static void
fatbin_found(struct forms *all, struct bytes b)
{
	struct arena a = { 0 };
	struct fatbin_entry e;
	struct bytes image;
	struct fatbin f;

	fatbin_open(&f, b);
	while (fatbin_next(&f, &e) == FOUND_ONE) {
		if (e.kind == FATBIN_OTHER)
			continue;
		image = fatbin_unpack(&e, &a);
		if (!image.p)
			count(all, "damaged code");
		else if (e.kind == FATBIN_PTX)
			ptx_found(all, image);
		else
			elf_found(all, image, e.sm);
	}
	arena_free(&a);
}

static void
found(void *arg, const struct find *f)
{
	struct forms *all = arg;

	if (f->kind == FIND_SKIPPED)
		report_line(all->r, "%s: %s", f->where, f->why);
	else if (!f->data.n)
		count(all, "modules that are linked when it starts"),
			all->ptx++;
	else if (fatbin_is(f->data))
		fatbin_found(all, f->data);
	else if (elf_is(f->data))
		elf_found(all, f->data, 0);
	else if (image_kind(f->data.p, f->data.n) != IMAGE_NONE)
		count(all, "code for AMD GPUs"), all->other++;
	else
		ptx_found(all, f->data);
}

/* in a process of its own; false: that crashed */
static bool
compile(const char *path, const char *processor, struct totals *t)
{
	char *paths[] = { (char *)(uintptr_t)path, 0 };
	struct options o = { .narch = 1, .indent = "            " };
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	pid_t child;
	int status;

	o.arch[0] = processor;
	o.jobs = cores > 0 && cores < MAX_JOBS ? (int)cores : 1;
	fflush(stdout);
	child = fork();
	if (child == 0) {
		precompile(&o, paths, t);
		fflush(stdout);
		_exit(0);
	}
	return child > 0 && waitpid(child, &status, 0) == child &&
		WIFEXITED(status);
}

static void
try(struct report *r, const char *path, const char *processor)
{
	const char *name = strcmp(processor, "host") ? processor : "this CPU";
	struct totals *t = mmap(0, sizeof *t, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (t == MAP_FAILED)
		return;
	if (!compile(path, processor, t))
		report_problem(r, "the compiler fails on it, for %s", name);
	else if (t->skipped)
		report_problem(r, "%zu kernels or modules do not compile for "
			"%s, %zu do", t->skipped, name,
			t->compiled + t->there);
	else if (t->compiled + t->there)
		report_line(r, "compiles for %s, and is in the cache now",
			name);
	munmap(t, sizeof *t);
}

void
code_report(struct report *r, const struct run_options *o, const char *path,
	const char *gfx)
{
	struct forms all = { .r = r };
	size_t i;

	find_path(path, found, &all);
	if (!all.n)
		return;
	report_line(r, "in %s:", path);
	for (i = 0; i < all.n; i++)
		report_line(r, "  %zu of %s", all.form[i].n,
			all.form[i].text);
	if (all.ptx && o->no_cache) {
		report_line(r, "not compiled, since there is to be no cache");
	} else if (all.ptx) {
		try(r, path, "host");
		if (*gfx)
			try(r, path, gfx);
	} else if (all.sass) {
		report_problem(r, "it is for NVIDIA's GPUs alone: let nvcc "
			"embed PTX, as -arch=sm_80 does");
	}
}
