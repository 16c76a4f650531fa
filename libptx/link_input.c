/* link_input.c - the modules in a file of any kind.
 *
 * PTX text, relocatable objects, fat binaries, host objects and programs
 * that embed fat binaries, and archives of all these.  As nvlink does, we
 * take every member of an archive: kernels have no symbols that a search
 * could ask for, and link_live drops the functions that nobody calls.  A
 * host file without device code is no error and adds nothing.
 */
#include "link.h"
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MACHINE_CUDA = 190, MACHINE_AMDGPU = 224 };

struct held {
	struct held *next;
	void *data;
};

static const struct loc nowhere;

static bool take_elf(struct link *, const char *file, struct bytes);

static void
bad_format(struct link *l, const char *file)
{
	diag(l->x, ERROR, nowhere, "Input file '%s' not in expected format",
		file);
}

/* PTX */

static void
count_errors(void *arg, const struct diag *d)
{
	struct link *l = arg;

	if (d->severity == ERROR)
		l->x->nerror++;
	if (l->x->diag)
		l->x->diag(l->x->diag_arg, d);
}

/* what follows "name=" at the beginning of a line, or 0 */
static const char *
option(const char *lines, const char *name)
{
	size_t n = strlen(name);

	for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n')
		if (!strncmp(lines, name, n) && lines[n] == '=')
			return lines + n + 1;
	return 0;
}

/* options of the compiler that only the linker can obey */
static void
obey(struct link *l, const char *lines)
{
	const char *level = option(lines, "opt-level");
	const char *fmad = option(lines, "fmad");
	int n = level && *level >= '0' && *level < '3' ? *level - '0' : 3;

	if (!level && option(lines, "device-debug"))
		n = 0;
	if (n > l->level)
		l->level = n;
	l->no_fmad |= fmad && *fmad == 'f';
	l->line_info |= option(lines, "device-debug") ||
		option(lines, "generate-line-info");
}

static void
add_module(struct link *l, const char *file, struct bytes text,
	const char *options)
{
	struct module *m;

	m = NEW(&l->x->arena, struct module);
	m->x.diag = count_errors;
	m->x.diag_arg = l;
	if (!l->last)
		l->last = &l->module;
	*l->last = m;
	l->last = &m->next;
	l->nmodule++;
	obey(l, options);
	ptx_parse(&m->x, file, (const char *)text.p, text.n);
	ptx_verify(&m->x);
}

void
link_text(struct link *l, const char *file, struct bytes text)
{
	add_module(l, file, text, "");
}

/* fat binaries pad with NULs */
static bool
take_text(struct link *l, const char *file, struct bytes b)
{
	while (b.n && !b.p[b.n - 1])
		b.n--;
	if (!strstr((const char *)b.p, ".version"))
		return false;
	link_text(l, file, b);
	return true;
}

/* relocatable objects */

static bool
take_object(struct link *l, const char *file, const struct elf *e,
	const struct object *o)
{
	if (e->type != ET_REL)
		diag(l->x, ERROR, nowhere, "Input file '%s' not ET_REL", file);
	else if (l->sm && o->sm && l->sm != o->sm)
		diag(l->x, ERROR, nowhere, "Input file '%s' arch does not "
			"match target 'sm_%u'", file, l->sm);
	else
		add_module(l, file, o->ptx, o->options);
	return true;
}

/* fat binaries */

/* how well an entry suits the target; 0: not at all.  Of what a GPU of ours
 * can take, the newest that has no instructions of one processor only. */
static unsigned
suits(const struct link *l, const struct fatbin_entry *e, struct bytes image)
{
	struct object o;
	struct elf elf;

	if (l->sm && e->sm > l->sm)
		return 0;
	if (e->kind == FATBIN_PTX)
		return 2 * e->sm + 1;
	if (e->kind == FATBIN_ELF && elf_is(image) && elf_open(&elf, image) &&
	    elf.type == ET_REL && object_read(&elf, &o))
		return 2 * e->sm + 2;
	return 0;
}

struct choice {
	struct bytes image;
	bool (*take)(struct link *, const char *file, struct bytes);
	unsigned best;
	bool has_entry, has_ptx;
};

/* takes what was chosen of one fat binary; true: it has no PTX */
static bool
settle(struct link *l, const char *file, struct choice *c)
{
	bool lost = c->has_entry && !c->has_ptx;

	if (c->best && !c->take(l, file, c->image))
		bad_format(l, file);
	else if (c->has_ptx && !c->best)
		diag(l->x, WARNING, nowhere,
			"SM Arch ('sm_%u') not found in '%s'", l->sm, file);
	*c = (struct choice){0};
	return lost;
}

static void
consider(struct link *l, const char *file, struct choice *c,
	const struct fatbin_entry *e)
{
	struct bytes image;
	unsigned n;

	c->has_entry = true;
	if (e->kind == FATBIN_OTHER)
		return;
	image = fatbin_unpack(e, &l->x->arena);
	if (!image.p)
		bad_format(l, file);
	n = image.p ? suits(l, e, image) : 0;
	c->has_ptx |= e->kind == FATBIN_PTX || n;
	if (n <= c->best)
		return;
	c->best = n;
	c->image = image;
	c->take = e->kind == FATBIN_PTX ? take_text : take_elf;
}

/* those of one section; true: one of them has no PTX */
static bool
take_fatbins(struct link *l, const char *file, struct bytes b)
{
	struct choice c = {0};
	struct fatbin_entry e;
	struct fatbin f;
	enum found found;
	bool lost = false;

	fatbin_open(&f, b);
	while ((found = fatbin_next(&f, &e)) == FOUND_ONE) {
		if (e.first)
			lost |= settle(l, file, &c);
		consider(l, file, &c, &e);
	}
	lost |= settle(l, file, &c);
	if (found == FOUND_DAMAGED)
		bad_format(l, file);
	return lost;
}

static void
no_ptx(struct link *l, const char *file)
{
	diag(l->x, ERROR, nowhere, "Input file '%s' holds machine code and "
		"no PTX: make it with 'ptxas-amd -c', or let nvcc embed PTX",
		file);
}

static bool
take_fatbin(struct link *l, const char *file, struct bytes b)
{
	if (take_fatbins(l, file, b))
		no_ptx(l, file);
	return true;
}

/* host files */

/* the name that a host object registers its device code by; one that holds
 * a whole program has a word that stands for none */
static void
add_id(struct link *l, struct bytes b)
{
	const char **wider, *end = memchr(b.p, 0, b.n);

	if (!end || !strcmp((const char *)b.p, "__NV_MODULE_ID"))
		return;
	wider = NEWN(&l->x->arena, l->nid + 1, const char *);
	if (l->nid)
		memcpy(wider, l->id, l->nid * sizeof *wider);
	wider[l->nid++] = arena_printf(&l->x->arena, "%s", (const char *)b.p);
	l->id = wider;
}

/* nvcc -c without -rdc puts whole programs into .nv_fatbin: in an object
 * they are no part of the link */
static bool
is_wanted(const struct elf *e, const char *section)
{
	return !strcmp(section, "__nv_relfatbin") ||
		(e->type != ET_REL && !strcmp(section, ".nv_fatbin"));
}

/* a linked program has a fat binary that nvlink made, beside the others */
static bool
take_host(struct link *l, const char *file, const struct elf *e)
{
	size_t before = l->nmodule, i;
	struct elf_section s;
	bool lost = false;

	if (e->type != ET_REL && l->prelinked)
		return true;
	for (i = 0; i < e->nsection; i++) {
		if (!elf_section(e, i, &s))
			return false;
		if (is_wanted(e, s.name) && s.data.n)
			lost |= take_fatbins(l, file, s.data);
		else if (!strcmp(s.name, "__nv_module_id") && s.data.n)
			add_id(l, s.data);
	}
	if (lost && (e->type == ET_REL || l->nmodule == before))
		no_ptx(l, file);
	return true;
}

static bool
take_elf(struct link *l, const char *file, struct bytes b)
{
	struct object o;
	struct elf e;

	if (!elf_open(&e, b))
		return false;
	if (object_read(&e, &o))
		return take_object(l, file, &e, &o);
	if (e.machine == MACHINE_CUDA || e.machine == MACHINE_AMDGPU) {
		no_ptx(l, file);
		return true;
	}
	return take_host(l, file, &e);
}

/* archives */

static struct bytes
load(struct link *l, const char *file)
{
	struct bytes b = {0};
	struct held *h;
	char *data;

	if (access(file, R_OK) && strcmp(file, "-")) {
		diag(l->x, ERROR, nowhere, "Could not open input file '%s'",
			file);
		return b;
	}
	data = file_read(l->x, file, &b.n);
	b.p = (unsigned char *)data;
	if (!data)
		return b;
	h = NEW(&l->x->arena, struct held);
	h->next = l->held;
	h->data = data;
	l->held = h;
	return b;
}

/* a name in a thin archive counts from the archive's directory */
static const char *
beside(struct arena *a, const char *archive, const char *name)
{
	const char *slash = strrchr(archive, '/');

	if (*name == '/' || !slash)
		return name;
	return arena_printf(a, "%.*s%s", (int)(slash + 1 - archive), archive,
		name);
}

/* a copy that a NUL follows, as text must have it */
static struct bytes
apart(struct arena *a, struct bytes b)
{
	char *p = NEWN(a, b.n + 1, char);

	memcpy(p, b.p, b.n);
	return (struct bytes){ (unsigned char *)p, b.n };
}

static bool
take_archive(struct link *l, const char *file, struct bytes b)
{
	struct arena *a = &l->x->arena;
	struct archive ar;
	struct member m;
	enum found found;

	archive_open(&ar, b);
	while ((found = archive_next(&ar, a, &m)) == FOUND_ONE) {
		m.data = m.outside ? load(l, beside(a, file, m.name)) :
			apart(a, m.data);
		if (m.data.p && archive_is(m.data))
			return false;
		if (m.data.p)
			link_data(l, arena_printf(a, "%s:%s", file, m.name),
				m.data);
	}
	return found == FOUND_END;
}

/* the kinds, told apart by how they begin; what fits none is text */
static const struct kind {
	bool (*is)(struct bytes);
	bool (*take)(struct link *, const char *file, struct bytes);
} kind[] = {
	{ archive_is, take_archive },
	{ elf_is, take_elf },
	{ fatbin_is, take_fatbin },
	{ 0, take_text },
};

void
link_data(struct link *l, const char *file, struct bytes b)
{
	const struct kind *k;

	for (k = kind; k->is && !k->is(b); k++)
		;
	if (!k->take(l, file, b))
		bad_format(l, file);
}

void
link_file(struct link *l, const char *name)
{
	struct bytes b = load(l, name);

	if (b.p)
		link_data(l, arena_printf(&l->x->arena, "%s", name), b);
}

void
link_library(struct link *l, const char *name,
	const char *const *dir, size_t n)
{
	struct bytes b;
	const char *file;
	size_t k;

	for (k = 0; k < n; k++) {
		file = arena_printf(&l->x->arena, "%s/lib%s.a", dir[k], name);
		if (access(file, R_OK))
			continue;
		b = load(l, file);
		if (b.p && archive_is(b)) {
			link_data(l, file, b);
			return;
		}
		diag(l->x, WARNING, nowhere, "Skipping incompatible '%s' when "
			"searching for -l%s", file, name);
	}
}

void
link_free(struct link *l)
{
	struct module *m;
	struct held *h;

	for (m = l->module; m; m = m->next)
		ptx_free(&m->x);
	for (h = l->held; h; h = h->next)
		free(h->data);
	globals_free(&l->globals);
}
