/* form.h - a row of grammar/ptx.def, taken apart: for those who go by what
 * an operand has to be, as verify*.c, sem.c and some passes do.
 */
#ifndef FORM_H
#define FORM_H
#include "ptx.h"

enum { ORDER_TYPE = 1, ORDER_SPACE, ORDER_LAYOUT };

/* one word of the name: what may stand there */
struct form_part {
	struct name *slot;   /* "rnd", or the word itself */
	struct name **word;
	uint16_t nword;
	uint8_t group;       /* 0: required; else the number of its {…} */
	uint8_t order;       /* parts of one such keep their order */
};

enum shape {
	SHAPE_SCALAR,        /* a register or a literal */
	SHAPE_IMM,           /* an integer literal */
	SHAPE_VEC,           /* {a, b}, min to max of them */
	SHAPE_ADDR,          /* [a], [a, c]: min to max members */
	SHAPE_LIST,          /* (a, b) */
	SHAPE_LABEL, SHAPE_FUNC, SHAPE_TARGETS, SHAPE_PROTO,
};

enum { SPACE_TENSOR = NSPACE }; /* tensor memory: 32-bit addresses */

enum op_opnd_flag {
	OPND_NOT  = OPF_NOT,
	OPND_NEG  = OPF_NEG,
	OPND_SEL  = 1 << 3,  /* .b0, .h1 */
	OPND_PAIR = 1 << 4,  /* p|q */
	OPND_OPT  = 1 << 5,  /* with OPND_PAIR: |q may be absent */
	OPND_DATA = 1 << 6,  /* may be wider than the type: ld, st, cvt */
	OPND_ANY  = 1 << 7,  /* a register of any kind and size */
	OPND_VAR  = 1 << 8,  /* or the name of a variable or function */
	OPND_SREG = 1 << 9,  /* or a special register */
	OPND_SINK = 1 << 10, /* or _ */
	OPND_REG  = 1 << 11, /* no literal */
	OPND_ONE  = 1 << 12, /* or alone in braces */
	OPND_UNIFIED = 1 << 13, /* [a].unified */
};

/* what an operand of a spelling has to be */
struct op_opnd {
	const char *name;    /* as in the row */
	const char *values;  /* of a literal: "4 8 24..256 *8"; 0: any */
	uint16_t kinds;      /* 1 << enum opnd_kind, or-ed */
	uint8_t shape;
	uint8_t type;        /* T_NONE: of no type */
	uint8_t access;      /* enum access, or-ed */
	uint8_t space;       /* SHAPE_ADDR: enum space or SPACE_TENSOR */
	uint8_t min, max;
	uint16_t flags;      /* enum op_opnd_flag */
};

struct form_opnd {
	struct op_opnd o;    /* but for what depends on the spelling */
	const char *what;    /* "u32", "@shared", "dtype"; 0: by its letter */
	const char *with;    /* words one of which asks for it; "" none */
	uint8_t group;
};

struct form {
	const struct insn_info *info;
	uint8_t npart, nopnd;
	struct form_part *part;
	struct form_opnd *opnd;
};

/* the rows, each taken apart when its instruction is first met */
struct forms {
	struct name *root[NINSN];
	struct form *form[NINSN];
};

/* form.c */
/* the next row after id whose name starts with root; 0: no more */
struct form *form_next(struct ptx *, struct name *root, int *id);
struct form *form_get(struct ptx *, enum insn_id);
/* splits "add.rn.f32" at the dots into word[]; how many, or -1: too many */
int form_split(struct ptx *, const struct name *, struct name **word);
struct name *form_root(struct ptx *, const struct name *);
bool form_takes(const struct form_part *, const struct name *);
/* pick[k]: the part that takes word[k]; false: they do not fit */
bool form_fit(const struct form *, struct name **word, int n, uint8_t *pick);

enum { MAX_WORD = 24, MAX_PART = 32 };

/* rule.c */
struct form_rule {
	uint16_t id;
	const char *when, *then;
};
/* the rule of its form that a spelling breaks, or 0 */
const struct form_rule *op_rule(const struct op *);
const char *op_word(const struct op *, const char *slot, size_t n);
/* one of words, or "!slot" for a slot left out */
bool op_spells_any(const struct op *, const char *words);

/* verify_opnd.c */
/* may a register of type reg stand where want is asked for? */
bool type_accepts(enum type want, enum type reg, bool wider);

/* insn.c */
/* is o of the kind and length that is wanted? */
bool op_takes(const struct op_opnd *want, const struct opnd *o);

/* insn_diag.c - why no form fits */
void insn_no_form(struct ptx *, struct name *, const struct op *broken,
	struct loc);
void insn_no_match(struct ptx *, const struct op *, const struct insn *);

/* opnd.c */
/* the operands of form f spelled with op, absent groups left out by mask */
void op_opnds(struct ptx *, struct op *, const struct form *, unsigned mask);
/* the groups of optional operands that the spelling leaves open */
int op_groups(const struct form *, uint8_t *group);

/* fragment.c */
/* the registers that vector operand name of type t has; 0: any number */
int op_length(const struct op *, const char *name, enum type t);

#endif
