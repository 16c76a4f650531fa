/* link.h - several modules made one, and the files that hold modules.
 *
 * Linking is done on PTX: an object is an ELF file that carries the text of
 * a checked module; the linker reads modules, settles which name means what,
 * and writes one module as text, which compiles like any other.
 */
#ifndef LINK_H
#define LINK_H

#include "image.h"
#include "ptx.h"

/* a file in memory, or a part of one */
struct bytes {
	const unsigned char *p;
	size_t n;
};

/* elf.c - the sections of a 64-bit little-endian ELF file */

struct elf {
	struct bytes file;
	unsigned type, machine, flags; /* as <elf.h> names them */
	size_t nsection;
	struct bytes headers, names;
};

struct elf_section {
	const char *name;
	struct bytes data;
};

bool elf_is(struct bytes);
bool elf_open(struct elf *, struct bytes);   /* false: damaged */
/* the i-th section; false: damaged */
bool elf_section(const struct elf *, size_t i, struct elf_section *);
/* the first section of that name; false: none, or damaged before it */
bool elf_find(const struct elf *, const char *name, struct elf_section *);

/* archive.c - ar archives: GNU, BSD and thin ones */

struct archive {
	struct bytes rest;
	struct bytes names; /* of the members with long ones */
	bool thin;
};

struct member {
	const char *name;
	struct bytes data;
	bool outside;       /* data is in the file of that name */
};

enum found { FOUND_END, FOUND_ONE, FOUND_DAMAGED };

bool archive_is(struct bytes);
void archive_open(struct archive *, struct bytes);
enum found archive_next(struct archive *, struct arena *, struct member *);

/* fatbin.c - fat binaries, as nvcc embeds them in host objects */

struct fatbin {
	struct bytes rest;  /* of the section, from the next entry on */
	size_t left;        /* bytes of entries before the next header */
};

struct fatbin_entry {
	enum { FATBIN_OTHER, FATBIN_PTX, FATBIN_ELF } kind;
	bool first;         /* of a fat binary; a section may hold many */
	unsigned sm;        /* 80 */
	uint64_t flags;
	struct bytes stored;
	uint64_t size;      /* unpacked; 0: as stored */
};

bool fatbin_is(struct bytes);
void fatbin_open(struct fatbin *, struct bytes);
enum found fatbin_next(struct fatbin *, struct fatbin_entry *);
/* the image itself; a NUL follows it; p is 0: damaged */
struct bytes fatbin_unpack(const struct fatbin_entry *, struct arena *);

/* link_table.c - names that modules share, and who defines them */

struct global {
	const struct name *name;
	struct sym *def;    /* the definition that counts, or 0 */
	struct sym *decl;   /* the first declaration, or 0 */
	const struct module *def_in, *decl_in;
	struct sym *alias;  /* what the definition is another name of, or 0 */
	bool wanted;        /* live code or data refers to it */
};

struct globals {
	struct global *slot;
	size_t cap, len;
};

/* the entry of that name, or 0 */
struct global *globals_find(const struct globals *, const struct name *);
/* the same, made if there is none; valid until the next one is made */
struct global *globals_at(struct globals *, const struct name *);
void globals_free(struct globals *);

/* object.c - what ptxas-amd -c and ptx-link -r write: a portable image with
 * ET_REL and a symbol table; it holds PTX and no code */

struct object {
	unsigned sm;        /* 80: fatbinary takes it as a cubin of sm_80 */
	const char *options; /* lines "name=value", as in image.h */
	struct bytes ptx;   /* a NUL follows it */
};

/* x: the module that o->ptx spells; data 0: out of memory */
struct blob object_make(const struct ptx *x, const struct object *o);
bool object_read(const struct elf *, struct object *); /* false: is none */

/* a link */

struct module {
	struct module *next;
	struct ptx x;       /* x.file: its name in messages */
	uint32_t file_base; /* goes on top of its .file numbers */
};

struct link {
	struct ptx *x;      /* takes the diagnostics; owns all memory */
	unsigned sm;        /* of -arch=sm_NN; 0: for AMD targets by name */
	const char *target; /* messages name it; 0: they do not */
	bool partial;       /* -r: keeps everything, may leave names open */
	bool no_device_runtime; /* what it has stays undefined */
	bool prelinked;     /* leave executables and shared objects alone */

	/* how the objects were compiled, and the result is to be */
	int level;          /* -O; the highest */
	bool no_fmad, line_info;

	struct module *module, **last;
	size_t nmodule;
	const char **id;    /* of host objects, for --register-link-binaries */
	size_t nid;
	struct globals globals;
	unsigned nrenamed;  /* local names that had to give way */
	struct held *held;  /* files in memory */
	size_t nundefined;
};

/* in sym->mark */
enum link_mark {
	MARK_LIVE = 1,      /* a kernel or variable needs it */
	MARK_DECLARED = 2,  /* the merged text mentions it */
	MARK_WRITTEN = 4,   /* the merged text holds it */
};

/* link_input.c: the modules in a file of any kind */
void link_file(struct link *, const char *name);
/* the same in memory; a NUL follows, and it outlives the link */
void link_data(struct link *, const char *name, struct bytes);
/* a module that is in memory, as PTX; a NUL follows it */
void link_text(struct link *, const char *file, struct bytes);
/* libNAME.a in the first of n directories that has it; those that nobody
 * has are the host linker's affair */
void link_library(struct link *, const char *name,
	const char *const *dir, size_t n);
void link_free(struct link *);

/* link.c: who defines what; renames what only one module may see */
void link_resolve(struct link *);
/* what a symbol of module level stands for after link_resolve: its
 * definition, else the declaration that stands for all; 0 in neither case */
struct sym *link_meaning(const struct link *, struct sym *);
bool link_is_local(const struct sym *);

/* the symbols of module level, one by one */
struct link_walk {
	const struct item *item;   /* the next one; begin with x->item */
	const struct item *at;     /* the one that holds the symbol */
	struct sym *more;
	bool defined;              /* defines it, not only declares */
};

struct sym *link_walk(struct link_walk *); /* 0 at the end */

/* link_live.c: what kernels and variables need; all else is dropped.
 * kernel: parts of the names of n kernels to keep; n 0: all of them */
void link_live(struct link *, const char *const *kernel, size_t n);
/* before link_resolve(): NVIDIA's device runtime, with which kernels launch
 * kernels, goes; kernels that need it are refused when they are compiled */
void link_drop_device_runtime(struct link *);
/* a function that the runtime serves: no module defines it */
bool link_is_built_in(const char *name);
typedef void link_ref_fn(void *arg, struct sym *);
/* calls fn for each symbol of module level that it refers to */
void link_func_refs(const struct func *, link_ref_fn *, void *);
void link_var_refs(const struct var *, link_ref_fn *, void *);

/* link_write.c: the merged module as text that parses; ends in NUL */
struct bytes link_write(struct link *);

#endif
