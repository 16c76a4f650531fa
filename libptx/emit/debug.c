/* debug.c - line tables (DWARF) from .file and .loc.
 *
 * Only with line_info.  Every function becomes a subprogram in the file of
 * its first .loc; a position in another file gets a block of that file.
 * Where code was inlined, the position inside the callee counts.
 */
#include "emit_int.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* one .file: its number and name, and its block in the current function */
struct file {
	unsigned number;
	LLVMMetadataRef file, scope;
};

struct debug {
	LLVMDIBuilderRef b;
	LLVMMetadataRef subprogram;
	struct file *file;
	size_t nfile;
	unsigned main;      /* number of the function's own file */
};

static void
flag(struct emit *e, const char *name, unsigned value)
{
	LLVMAddModuleFlag(e->m, LLVMModuleFlagBehaviorWarning, name,
		strlen(name), LLVMValueAsMetadata(LLVMConstInt(
		LLVMInt32TypeInContext(e->c), value, false)));
}

/* text: .file 1 "dir/name", … */
static void
add_file(struct debug *d, const char *text)
{
	const char *from, *slash, *end;
	struct file *f;

	from = strchr(text, '"');
	end = from ? strchr(++from, '"') : 0;
	if (!end)
		return;
	for (slash = end; slash > from && slash[-1] != '/'; slash--)
		;
	f = &d->file[d->nfile++];
	f->number = (unsigned)strtoul(text + 5, 0, 10);
	f->file = LLVMDIBuilderCreateFile(d->b, slash,
		(size_t)(end - slash), from, slash > from
		? (size_t)(slash - from) - 1 : 0);
}

static struct file *
find(struct debug *d, unsigned number)
{
	size_t i;

	for (i = 0; i < d->nfile; i++)
		if (d->file[i].number == number)
			return &d->file[i];
	return d->file;
}

/* the PTX itself, where no .file names the source */
static void
add_files(struct emit *e, struct debug *d)
{
	const struct item *i;
	const char *name;
	size_t n;

	for (n = 1, i = e->x->item; i; i = i->next)
		n += i->kind == ITEM_FILE;
	d->file = calloc(n, sizeof *d->file);
	for (i = e->x->item; i; i = i->next)
		if (i->kind == ITEM_FILE)
			add_file(d, i->text);
	if (d->nfile)
		return;
	name = e->x->file ? e->x->file : "ptx";
	d->file[d->nfile++].file = LLVMDIBuilderCreateFile(d->b, name,
		strlen(name), "", 0);
}

void
emit_debug_begin(struct emit *e)
{
	struct debug *d;

	if (!e->o->line_info)
		return;
	d = e->debug = calloc(1, sizeof *d);
	flag(e, "Debug Info Version", LLVMDebugMetadataVersion());
	flag(e, "Dwarf Version", 5);
	d->b = LLVMCreateDIBuilder(e->m);
	add_files(e, d);
	LLVMDIBuilderCreateCompileUnit(d->b, LLVMDWARFSourceLanguageC,
		d->file->file, "ptx-amd", 7, e->o->level > 0, "", 0, 0, "", 0,
		LLVMDWARFEmissionLineTablesOnly, 0, false, false, "", 0, "",
		0);
}

static void
place(struct emit *e, unsigned number, unsigned line, unsigned col)
{
	struct debug *d;
	struct file *f;

	d = e->debug;
	f = find(d, number);
	if (!f->scope)
		f->scope = f == find(d, d->main) ? d->subprogram
			: LLVMDIBuilderCreateLexicalBlockFile(d->b,
				d->subprogram, f->file, 0);
	LLVMSetCurrentDebugLocation2(e->b, LLVMDIBuilderCreateDebugLocation(
		e->c, line, col, f->scope, 0));
}

/* text: ".loc 1 12 5" or ".loc 1 12 5, function_name …" */
void
emit_debug_loc(struct emit *e, const char *text)
{
	unsigned number, line, col;

	if (e->debug && sscanf(text, ".loc %u %u %u", &number, &line,
	    &col) == 3)
		place(e, number, line, col);
}

void
emit_debug_function(struct emit *e, const struct func *f)
{
	struct debug *d;
	struct file *own;
	const struct insn *i;
	const char *name;
	unsigned line, col;
	size_t k;

	d = e->debug;
	if (!d)
		return;
	d->main = d->file->number;
	line = f->loc.line;
	for (i = f->first; i && i->kind != STMT_LOC; i = i->next)
		;
	if (i)
		sscanf(i->u.text, ".loc %u %u %u", &d->main, &line, &col);
	name = f->sym->name->text;
	own = find(d, d->main);
	d->subprogram = LLVMDIBuilderCreateFunction(d->b, own->file, name,
		strlen(name), name, strlen(name), own->file, line,
		LLVMDIBuilderCreateSubroutineType(d->b, own->file, 0, 0, 0),
		!f->entry, true, line, 0, e->o->level > 0);
	LLVMSetSubprogram(e->fn, d->subprogram);
	for (k = 0; k < d->nfile; k++)
		d->file[k].scope = 0;
	place(e, d->main, line, 0);
}

void
emit_debug_end(struct emit *e)
{
	if (!e->debug)
		return;
	LLVMDIBuilderFinalize(e->debug->b);
	LLVMDisposeDIBuilder(e->debug->b);
	free(e->debug->file);
	free(e->debug);
}
