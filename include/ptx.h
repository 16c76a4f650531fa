/* ptx.h - a PTX module in memory, and every function that works on one.
 *
 * In the order in which data flows: memory, names, diagnostics, types,
 * symbols, operands, instructions, module, passes.  Everything hangs off
 * struct ptx; nothing is global, nothing prints, nothing exits.  One struct
 * ptx belongs to one thread while it is parsed or changed by passes; code
 * generation only reads it and may do so from several threads.
 */
#ifndef PTX_H
#define PTX_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* arena.c - memory that lives exactly as long as its owner */

struct arena {
	struct chunk *head;
	size_t total;       /* bytes held */
};

#define NEW(a, T)      ((T *)arena_alloc((a), sizeof(T), _Alignof(T)))
#define NEWN(a, n, T)  ((T *)arena_alloc((a), (n) * sizeof(T), _Alignof(T)))

void *arena_alloc(struct arena *, size_t size, size_t align); /* zeroed */
char *arena_printf(struct arena *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void arena_free(struct arena *);

/* name.c - each spelling once, so that == compares names */

struct name {
	struct sym *sym;    /* what it means where the parser stands; after
	                     * parsing, in the module */
	struct op *op;      /* the forms it spells; see insn.c */
	uint32_t hash, len;
	bool op_done;       /* op has been looked for */
	char text[];        /* ends in NUL */
};

struct names {
	struct name **slot;
	size_t cap, len;
};

struct name *name_intern(struct names *, struct arena *, const char *, size_t);

/* diag.c - what went wrong, and where; printing it is the tool's affair */

enum severity { NOTE, WARNING, ERROR };

struct loc {
	uint32_t line, col; /* both from 1; line 0 means no place in the text */
};

struct diag {
	enum severity severity;
	struct loc loc;
	const char *file;
	const char *text;   /* lower case, no full stop */
	const char *line;   /* the line of the input, not NUL-ended, or 0 */
	size_t line_len;
};

typedef void diag_fn(void *arg, const struct diag *);

/* type.def - the fundamental types (PTX 5.2) */

enum type {
	T_NONE,
#define TYPE(id, spelling, kind, bits, lanes) T_##id,
#include "../grammar/type.def"
#undef TYPE
	NTYPE
};

struct type_info {
	const char *name;   /* "f16x2" */
	char kind;          /* b u s f p(redicate) o(paque) */
	uint8_t bits;       /* of the whole; pred 1, opaque 64 */
	uint8_t lanes;      /* f16x2: 2 */
};

extern const struct type_info type_info[NTYPE];
enum type type_find(const char *, size_t); /* without the dot; T_NONE: none */

/* state spaces (PTX 5.1) */

enum space {
	GENERIC, REG, SREG, CONST, GLOBAL, LOCAL, PARAM, SHARED, TEX, NSPACE
};

extern const char *const space_name[NSPACE]; /* "global"; GENERIC: "" */
enum space space_find(const char *, size_t); /* "shared::cta": SHARED */

/* symbols: everything that has a name */

enum sym_kind {
	SYM_REG,            /* a register, also a .reg parameter */
	SYM_FAMILY,         /* %r<8>: stands in declarations only */
	SYM_SREG,           /* predefined: %tid, WARP_SZ */
	SYM_VAR,            /* a variable in a space other than .reg */
	SYM_LABEL,
	SYM_FUNC,
	SYM_TARGETS,        /* .branchtargets or .calltargets */
	SYM_PROTO,          /* .callprototype */
};

enum linkage {
	LINK_EXTERN = 1, LINK_VISIBLE = 2, LINK_WEAK = 4, LINK_COMMON = 8,
};

/* an address in an initialiser (PTX 5.4.4): goes over var.data at offset */
struct reloc {
	uint64_t offset;    /* bytes from the variable's start */
	struct sym *sym;
	int64_t add;
	bool generic;       /* generic(sym) */
	uint8_t shift;      /* 0xFF00(sym): byte 1 of the address: shift 8 */
	uint8_t bytes;      /* that the address, or the part of it, fills */
};

struct sym {
	struct name *name;
	struct sym *next;   /* in the same declaration or parameter list */
	struct sym *shadow; /* parser: what the name meant outside */
	struct sym *bound;  /* parser: the next one of the same scope */
	struct loc loc;
	uint8_t kind;       /* enum sym_kind */
	uint8_t type;       /* enum type: of a register, an element */
	uint8_t space;      /* enum space */
	uint8_t vec;        /* 0, 2, 4, 8 */
	uint8_t linkage;    /* enum linkage, or-ed */
	uint8_t mark;       /* enum link_mark, while it is linked */
	uint32_t depth;     /* of the scope: 0 module, 1 function, 2… inner */
	uint32_t id;        /* dense in its function: registers from 0; labels
	                     * from 0; variables and .param from 0.  Of a
	                     * family: that of its first member */
	union {
		struct var *var;         /* SYM_VAR */
		struct func *func;       /* SYM_FUNC, SYM_PROTO */
		struct insn *at;         /* SYM_LABEL, SYM_TARGETS */
		uint32_t count;          /* SYM_FAMILY */
		const struct sreg_info *sreg; /* SYM_SREG */
	} u;
};

/* what only variables have (PTX 5.3, 5.4, 7) */
struct var {
	uint32_t align;     /* bytes; 0: natural */
	uint32_t ndim;
	uint64_t *dim;      /* outermost first; 0: [] */
	uint64_t size;      /* bytes; 0 for an unsized extern array */
	uint8_t *data;      /* ndata bytes, little endian; the rest is zero */
	uint64_t ndata;     /* 0: no initialiser */
	bool has_init;
	struct reloc *reloc;
	size_t nreloc;
	bool ptr;           /* .param .u64 .ptr.space.align */
	uint8_t ptr_space;
	uint32_t ptr_align;
	bool managed;       /* .attribute(.managed) */
	bool unified;
	uint64_t unified_id[2];
	uint64_t offset;    /* parameters: byte offset in their block */
};

/* sreg.def - special registers (PTX 10) */

enum sreg {
#define SREG(id, spelling, type, vec) SREG_##id,
#include "../grammar/sreg.def"
#undef SREG
	NSREG
};

struct sreg_info {
	const char *name;   /* "%tid" */
	uint8_t id, type, vec;
};

extern const struct sreg_info sreg_info[NSREG];

/* operands (PTX 6) */

enum opnd_kind {
	OP_SYM,   /* sym, sym.x, sym+off */
	OP_INT,   /* u.i */
	OP_FLT,   /* u.f, and its bits in off: 32 with OPF_F32, else 64 */
	OP_SINK,  /* _ */
	OP_ADDR,  /* [ list ]: list[0] is OP_SYM or OP_INT, the base */
	OP_VEC,   /* { list } */
	OP_LIST,  /* ( list ) of a call */
	OP_PAIR,  /* list[0] | list[1] */
};

enum opnd_flag {
	OPF_NOT = 1,        /* !p */
	OPF_NEG = 2,        /* -r (video instructions) */
	OPF_U = 4,          /* literal is unsigned */
	OPF_GENERIC = 8,    /* generic(sym), in initialisers */
	OPF_F32 = 16,       /* OP_FLT spelled 0f…: off holds 32 bits */
	OPF_UNIFIED = 32,   /* [a].unified */
};

struct opnd {
	uint8_t kind, flags;
	uint8_t comp;       /* 0 none, 1 .x, 2 .y, 3 .z, 4 .w */
	uint8_t sel;        /* video: 0 none; 1-4 .b0-.b3; 5, 6 .h0, .h1;
	                     * 7 .hNN, 8 .bNNNN with the digits in n */
	uint32_t n;         /* of list; sel 7, 8: a hex digit a lane, and
	                     * their number << 24 */
	union {
		struct sym *sym;
		int64_t i;
		double f;
		struct opnd *list;
	} u;
	int64_t off;        /* OP_SYM: byte offset; OP_FLT: the bits */
};

/* insn.c - the instruction table (grammar/ptx.def), matched to the text */

enum insn_flag {
	COMM       = 1 << 0, /* a and b may be exchanged */
	CARRY      = 1 << 1, /* reads or writes the carry flag */
	LOAD       = 1 << 2, /* reads memory */
	STORE      = 1 << 3, /* writes memory, or orders accesses */
	CALL       = 1 << 4,
	TERM       = 1 << 5, /* ends a basic block */
	CONVERGENT = 1 << 6, /* depends on which other threads are here */
	EFFECT     = 1 << 7, /* else not to be dropped or repeated: trap */
	/* none of LOAD…EFFECT, CARRY: pure, a function of its operands */
	IMPURE     = CARRY | LOAD | STORE | CALL | TERM | CONVERGENT | EFFECT,
};

enum insn_id {
	INSN_NONE,
#define INSN(id, syntax, slots, flags) INSN_##id,
#include "../grammar/ptx.def"
#undef INSN
	NINSN
};

struct insn_info {
	const char *id, *syntax, *slots;
	unsigned flags;
};

extern const struct insn_info insn_info[NINSN];

/* one spelling of an instruction, matched to a row: shared by all uses */
struct op {
	struct name *name;  /* "add.rn.f32" */
	struct op *next;    /* the same spelling, other operands */
	uint16_t id;        /* enum insn_id */
	uint16_t flags;     /* enum insn_flag, of the row */
	uint8_t ntype;
	uint8_t type[6];    /* the types spelled, in order */
	uint8_t nword;
	uint8_t nopnd;
	const struct op_opnd *opnd; /* what each operand has to be: form.h */
	struct op_word {
		const char *slot;  /* "rnd", or the word itself: "ftz" */
		const char *word;  /* "rz" */
	} *word;
};

enum stmt {
	STMT_INSN,
	STMT_LABEL,   /* u.sym */
	STMT_OPEN,    /* { */
	STMT_CLOSE,   /* } */
	STMT_DECL,    /* u.sym: the symbols of one declaration */
	STMT_LOC,     /* u.text: ".loc 1 2 3…" as spelled */
	STMT_PRAGMA,  /* u.text: with quotes */
	STMT_TARGETS, /* u.targets: label: .branchtargets a, b; */
	STMT_PROTO,   /* u.sym: label: .callprototype …; */
};

/* a list of labels or functions (PTX 11.2) */
struct targets {
	struct sym *sym;    /* its own name */
	bool call;          /* .calltargets */
	struct opnd list;   /* OP_VEC of OP_SYM */
};

struct insn {
	struct insn *next;
	struct loc loc;
	uint8_t kind;       /* enum stmt */
	bool guard_not;
	uint8_t nopnd;
	const struct op *op;  /* STMT_INSN: never 0 after ptx_parse */
	struct sym *guard;  /* @guard, or 0 */
	union {
		struct opnd *opnd; /* nopnd of them */
		struct sym *sym;
		const char *text;
		struct targets *targets;
	} u;
};

struct ptx;
struct func;

/* the forms that a spelling has; 0 and one diagnostic: there is none */
struct op *insn_ops(struct ptx *, struct name *, struct loc);
/* chooses among op and its alternatives by the operands; 0 and one
 * diagnostic: none fits */
const struct op *insn_match(struct ptx *, struct op *, const struct insn *);
/* the word that stands in a slot of the form, or 0: insn_word(i, "rnd") */
const char *insn_word(const struct insn *, const char *slot);
/* is .word spelled as a part of the form itself or in any slot? */
bool insn_has(const struct insn *, const char *word);
/* insn_word(i, slot) equals word */
bool insn_is(const struct insn *, const char *slot, const char *word);
/* the k-th type spelled, T_NONE beyond: cvt.f32.s32 has F32, S32 */
enum type insn_type(const struct insn *, int k);

static inline const struct insn_info *
insn_row(const struct insn *i)
{
	return &insn_info[i->op->id];
}

/* opnd.c - what each operand of a form is */

enum access {
	ACCESS_NONE  = 0,   /* label, immediate control word */
	ACCESS_READ  = 1,
	ACCESS_WRITE = 2,
};

/* calls fn for each register (or sreg) that i reads or writes; the guard and
 * the registers inside addresses, vectors and call lists included */
void insn_regs(const struct insn *i,
	void (*fn)(void *, struct sym *, struct opnd *, enum access), void *);

/* the module */

/* a directive with numbers: .maxntid 128, 1, 1 */
struct attr {
	struct attr *next;
	const char *name;   /* "maxntid" */
	int n;
	int64_t v[4];
	const char *text;   /* of .pragma, .attribute with a word */
};

struct func {
	struct func *next;
	struct sym *sym;    /* 0: a .callprototype has only its label */
	struct loc loc;
	bool entry;
	bool has_body;
	bool noreturn;
	uint8_t linkage;     /* as spelled here; sym has that of all */
	struct func *def;   /* of a declaration: the definition, if any */
	struct sym *ret;    /* list through next; SYM_REG or SYM_VAR(.param) */
	struct sym *param;
	uint64_t param_size; /* bytes of the parameter block */
	struct attr *attr;
	struct insn *first, **last;
	struct loc end;     /* of the closing brace */
	uint32_t nreg, nlabel, nvar; /* one more than the largest id */
};

enum item_kind {
	ITEM_VAR,      /* sym: the symbols of one declaration */
	ITEM_FUNC,
	ITEM_FILE,     /* text: ".file 1 …" as spelled */
	ITEM_SECTION,  /* text: from ".section" to "}" */
	ITEM_PRAGMA,   /* text, with quotes */
	ITEM_ALIAS,    /* sym, target */
	ITEM_LOC,
};

struct item {
	struct item *next;
	enum item_kind kind;
	struct loc loc;
	struct sym *sym, *target;
	struct func *func;
	const char *text;
};

struct ptx {
	struct arena arena;
	struct names names;
	struct forms *forms; /* the instruction table: form.c */
	const char *file;
	const char *text;   /* the input; must outlive the module */
	int version;        /* 10 * major + minor */
	const char *target; /* as spelled: "sm_90a, debug" */
	int address_size;   /* 64, or 32; 0: not spelled */
	struct item *item, **item_last; /* all in the order of the text */
	struct func *func, **func_last; /* functions and declarations alone */
	diag_fn *diag;      /* where diagnostics go; 0: nowhere */
	void *diag_arg;
	const char **line;  /* diag.c: where each line starts */
	uint32_t nline;
	size_t size;
	pthread_mutex_t lock; /* of diag(); zero is unlocked */
	int nerror;         /* sticky: with nerror > 0 every stage is a no-op */
	int nwarning;
	bool check_passes;  /* what each pass leaves is parsed and compared */
};

void diag(struct ptx *, enum severity, struct loc, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* the usual consumer: file:line:col: error: text, line, caret; arg: FILE * */
void diag_print(void *arg, const struct diag *);
/* of that, the line and the caret */
void diag_line(FILE *, const struct diag *);

/* text: size bytes and a NUL after them; kept by the module, not freed */
void ptx_parse(struct ptx *, const char *file, const char *text, size_t size);
void ptx_free(struct ptx *);

/* symbols in a list through next */
unsigned sym_count(const struct sym *);
struct func *ptx_func(const struct ptx *, const char *name); /* 0: none */
const struct attr *func_attr(const struct func *, const char *name);

/* verify.c - what must hold after parsing and after every pass */
void ptx_verify(struct ptx *);

/* print.c - a module as text that parses back to itself */
void ptx_print(const struct ptx *, FILE *);
void func_print(const struct func *, FILE *);
void insn_print(const struct insn *, FILE *);

/* isa.c, isa_sample.c - the table as a reference and as samples */
enum insn_id isa_find(const char *id);  /* "ADD_F32"; INSN_NONE: none */
/* used[id]: the first file that held the form */
void isa_mark(const struct ptx *, const char **used);
void isa_print(FILE *, const char *const *used);
/* a module of n uses of the form; how many were found */
int isa_sample(enum insn_id, int n, uint32_t seed, FILE *);

/* file.c - whole files; "-" is standard input or output */
char *file_read(struct ptx *, const char *name, size_t *size);
/* writes aside and renames; false and a diagnostic: the old file stays */
bool file_write(struct ptx *, const char *name, const void *, size_t);

/* stdout.c: of a tool's main(): if standard output cannot be written, the
 * program says so at its end and exits with 1 */
void stdout_check(void);

/* pass.c, and one file per pass under pass/ */

struct work;

struct pass {
	const char *name, *help;
	unsigned needs, keeps; /* enum analysis */
	bool whole;         /* takes the module at once, not its functions */
	bool (*run)(struct work *); /* true: something changed */
};

extern const struct pass passes[];  /* ends with name 0 */
/* pipeline: names joined by commas; 0 or "default": all of pass.def.
 * dump: where the module goes after every pass that changed it, or 0 */
void pass_run(struct ptx *, const char *pipeline, FILE *dump);

#endif
