/* pass.h - what passes and analyses share.
 *
 * An analysis describes one function as it stands; it lives in the arena
 * that it was given.  A pass says in its row of pass.def which it needs and
 * which stay true whatever it does.  Passes change statements in place,
 * mark what shall go with insn_kill(), and pass.c unlinks it.
 */
#ifndef PASS_H
#define PASS_H

#include "ptx.h"

enum analysis {
	FLAT = 1 << 0,      /* no inner scopes: flatten runs first if need be */
	CFG = 1 << 1, DOM = 1 << 2, USES = 1 << 3, UNIFORM = 1 << 4,
};

/* cfg.c - blocks and the ways between them */

struct list {
	uint32_t *at;       /* of the i-th: to[at[i]] up to to[at[i + 1]] */
	uint32_t *to;
};

struct block {
	struct insn *first; /* statements from here */
	struct insn *end;   /* up to, not with, this one; 0: the last block */
	uint32_t order;     /* place in rpo; NONE: nothing leads here */
	bool leaves;        /* the function may end behind this block */
};

#define NONE UINT32_MAX

struct cfg {
	uint32_t n;         /* blocks in the order of the text; 0 is entered */
	struct block *block;
	struct list succ, pred;
	uint32_t nrpo;      /* blocks that can be reached */
	uint32_t *rpo;      /* those, in reverse postorder */
	uint32_t *label;    /* block of a label, by its id */
};

struct cfg *cfg_build(struct arena *, const struct func *);
bool cfg_same(const struct cfg *, const struct cfg *);
/* the edges of n nodes by where they lead to */
void list_turn(struct arena *, struct list *to, const struct list *from,
	uint32_t n);

/* calls fn with each label that i may jump to */
void insn_targets(const struct insn *i,
	void (*fn)(void *, struct sym *label), void *);

/* dom.c - who must be passed on the way in, and on the way out */

struct dom {
	uint32_t *idom;     /* by block; the root and unreachable ones: NONE */
	uint32_t *in, *out; /* visiting times in the tree */
};

struct dom *dom_build(struct arena *, const struct cfg *);
/* nodes are the blocks and, last, the end of the function */
struct dom *postdom_build(struct arena *, const struct cfg *);
bool dom_same(const struct dom *, const struct dom *, uint32_t n);

/* does block a dominate block b?  Every block dominates itself. */
static inline bool
dominates(const struct dom *d, uint32_t a, uint32_t b)
{
	return d->in[a] <= d->in[b] && d->out[b] <= d->out[a];
}

/* uses.c - which statements write and read a register */

struct reg_uses {
	uint32_t ndef, nuse;
	bool ssa;           /* one unguarded definition before every use */
	struct insn *def;   /* of many, the last; 0: a parameter */
	uint32_t block, pos; /* of def: statements before it */
};

struct reg_uses *uses_build(struct arena *, const struct func *,
	const struct cfg *, const struct dom *);
bool uses_same(const struct reg_uses *, const struct reg_uses *, uint32_t n);

/* live.c - which registers are still to be read where a block begins */

struct live {
	uint32_t *column;   /* by register; NONE: it stays in its blocks */
	uint32_t ncolumn, words; /* words: of 64 columns, a block */
	uint64_t *in;       /* 0: too large to tell */
};

struct live *live_build(struct arena *, const struct func *,
	const struct cfg *);
bool live_in(const struct live *, uint32_t block, uint32_t reg);

/* loops.c - natural loops */

struct loop {
	uint32_t header, outer; /* outer: a loop, or NONE */
};

struct loops {
	uint32_t n;
	struct loop *loop;
	uint32_t *of;       /* by block: the innermost, or NONE */
	bool irreducible;   /* there are cycles besides */
};

struct loops *loops_build(struct arena *, const struct cfg *,
	const struct dom *);
bool in_loop(const struct loops *, uint32_t block, uint32_t loop);

/* diverge.c - where threads that part at a branch meet again */

struct diverge;

struct diverge *diverge_build(struct arena *, const struct func *,
	const struct cfg *, const struct dom *, const struct reg_uses *);
/* calls fn for each register of which threads that part at the end of block
 * b may see different writes */
void diverge_from(struct diverge *, uint32_t b,
	void (*fn)(void *, uint32_t reg), void *);

/* uniform.c - which values agree across a warp or a block */

enum spread {
	UNSEEN,             /* never written: anything you like */
	UNI_BLOCK,          /* the same in all threads of the block */
	UNI_WARP,           /* the same in all threads of the warp */
	AFFINE,             /* lane l has what lane 0 has + l * stride */
	VARYING,
};

struct value {
	uint8_t spread;     /* enum spread */
	int64_t stride;     /* of AFFINE */
};

/* by register: what holds wherever it is read, among those who are there */
struct value *uniform_build(struct arena *, const struct func *,
	const struct cfg *, const struct dom *, const struct reg_uses *);
bool uniform_same(const struct value *, const struct value *, uint32_t n);
/* of what a statement that ends a block decides by; UNSEEN: by nothing */
enum spread uniform_jump(const struct value *reg, const struct insn *);

/* point.c - which state space a register's generic address points into */

enum point {
	POINT_NONE,         /* nothing is written to it */
	POINT_NULL,
	POINT_INT,          /* no address, but perhaps an offset */
	POINT_ARG,          /* of a kernel: an address in GLOBAL, or INT */
	POINT_GLOBAL, POINT_SHARED, POINT_LOCAL, POINT_CONST,
	POINT_ANY,
};

uint8_t *point_build(struct arena *, const struct func *); /* by register */
enum space point_space(enum point); /* GENERIC: not known */
enum space insn_space(const struct insn *); /* the one spelled, or GENERIC */
bool is_kernel_param(const struct func *, const struct sym *);

/* sem.c - what pure integer operations compute; in[k] holds the bits of
 * operand k, from 1 */

bool sem_knows(const struct insn *);
/* false: PTX does not define the result for these operands */
bool sem_compute(const struct insn *, const uint64_t *in, uint64_t *out);
/* the number of the operand that the result is equal to, or 0; only what is
 * known[k] may be looked at */
int sem_same(const struct insn *, const uint64_t *in, const bool *known);

/* number.c - ids of registers, variables, labels as the parser gives them */
void func_number(struct arena *, struct func *);

/* what a pass works on */

struct work {
	struct ptx *x;
	struct func *f;     /* 0 for a pass over the whole module */
	bool debug;         /* the module has .section: keep what they name */
	struct arena *a;    /* gone when the passes over f have returned */
	struct cfg *cfg;    /* what the pass NEEDS(); others are 0 */
	struct dom *dom;
	struct reg_uses *uses;
	struct value *uniform;
};

#define PASS(name, needs, keeps, help) bool pass_##name(struct work *);
#define MODULE_PASS(name, help) bool pass_##name(struct work *);
#include "pass.def"
#undef PASS
#undef MODULE_PASS

/* edit.c - changing statements */

/* marks i; a pass that keeps CFG kills nothing */
void insn_kill(struct insn *i);
bool insn_is_dead(const struct insn *);
void func_sweep(struct func *);
/* gives i another spelling, which its operands must fit */
void insn_respell(struct ptx *, struct insn *i, const char *spelling);
/* i becomes "spelling opnd[0], …"; its guard stays */
void insn_become(struct ptx *, struct insn *i, const char *spelling,
	const struct opnd *, int n);
/* a new instruction behind i, which is none until insn_become() */
struct insn *insn_after(struct ptx *, struct insn *i);

#endif
