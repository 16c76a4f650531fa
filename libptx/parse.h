/* parse.h - what the lexer, the grammar and their actions share. */
#ifndef PARSE_H
#define PARSE_H
#include "ptx.h"
#include <string.h>

struct token {
	const char *text;    /* in the input, len bytes */
	struct loc loc;
	uint32_t len;
};

/* a reference to a name that is not declared yet: a label, most often */
struct ref {
	struct ref *next;
	struct opnd *opnd;   /* of a statement already in the function */
	struct name *name;
	struct loc loc;
};

struct scope {
	struct scope *outer;
	struct sym *bound;   /* what it declared, through sym->bound */
	struct ref *ref;
};

/* a declaration while it is read */
struct decl {
	struct loc loc;
	enum space space;
	enum type type;
	unsigned vec;
	uint32_t align, ptr_align;
	bool ptr, managed, unified;
	enum space ptr_space;
	uint64_t unified_id[2];
	struct sym *first, **last;
};

/* where the next value of an initialiser goes; positions count scalars */
struct initialiser {
	struct sym *sym;
	uint64_t at, limit;  /* the next value; how many there may be */
	uint64_t cap;        /* bytes allocated */
	unsigned ndim;       /* a vector's components count as one */
	unsigned depth;      /* open braces */
	uint64_t span[8];    /* scalars under one brace of each depth */
	uint64_t end[8];     /* where each open brace ends */
	bool open;           /* x[]: as many as there are values */
	bool bad;            /* reported */
};

enum { MAX_DIM = 7, UNRESOLVED = 0x80 /* in opnd.flags: u.sym is a name */ };

struct parser {
	struct ptx *x;
	const char *at;      /* the next byte */
	const char *line;    /* the first byte of its line */
	uint32_t lineno;
	int last;            /* the token before */
	unsigned vbrace;     /* open braces of operands */

	struct func *func;   /* its header or body is being read, or 0 */
	struct scope *scope; /* the innermost */
	struct scope *module;
	struct scope *spare; /* closed scopes, to be used again */
	uint32_t depth;
	struct decl decl;
	struct sym *proto;   /* a .callprototype is being read */
	struct func *outer;  /* the function in which that stands */
	struct attr **outer_attr;
	uint8_t linkage;     /* of the item being read */
	struct initialiser init;
	struct attr **attr_last;

	struct opnd *stack;  /* operands of the statement being read */
	size_t nstack, cap;
	bool unresolved;     /* the stack holds names not declared yet */
	bool started;        /* .version has been read */
	struct token guard;
	bool guarded, guard_not;
};

/* lex.re, gram.y */
int lex(struct parser *, struct token *); /* 0 at the end */
void *ParseAlloc(void *(*)(size_t));
void Parse(void *, int, struct token, struct parser *);
void ParseFree(void *, void (*)(void *));

/* parse.c - statements and what stands at module level */
void parse_reset(struct parser *); /* after a syntax error */
void parse_version(struct parser *, struct token);
void parse_target(struct parser *, struct token);
void parse_address_size(struct parser *, struct token);
struct item *parse_item(struct parser *, enum item_kind, struct loc);
struct insn *parse_stmt(struct parser *, enum stmt, struct loc);
void parse_text_item(struct parser *, enum item_kind,
	struct token first, struct token last);
void parse_text_stmt(struct parser *, enum stmt,
	struct token first, struct token last);
void parse_alias(struct parser *, struct token, struct token target);
void parse_open(struct parser *, struct loc);
void parse_close(struct parser *, struct loc);
void parse_label(struct parser *, struct token);
void parse_targets(struct parser *, struct token label, struct token kind,
	int n);
void parse_insn(struct parser *, struct token name, int n);

/* parse_func.c - function headers and prototypes */
void func_begin(struct parser *, bool entry, struct loc);
void func_name(struct parser *, struct token);
void func_params(struct parser *, bool ret);
void func_launch(struct parser *, struct token word, int n);
void func_pragma(struct parser *, struct token);
void func_open(struct parser *);
void func_end_decl(struct parser *);
void func_close(struct parser *, struct loc);
void proto_begin(struct parser *, struct token label);
void proto_end(struct parser *);

/* parse_decl.c - variables, registers, parameters */
void decl_linkage(struct parser *, struct token);
void decl_begin(struct parser *, struct token space);
void decl_type(struct parser *, struct token);
void decl_align(struct parser *, struct token);
void decl_ptr(struct parser *, struct token);
void decl_attr(struct parser *, struct token word, int n);
void decl_name(struct parser *, struct token, int ndim);
void decl_family(struct parser *, struct token name, struct token count);
void decl_end(struct parser *);

/* parse_init.c - initialisers */
void init_begin(struct parser *);
void init_open(struct parser *, struct loc);
void init_close(struct parser *);
void init_value(struct parser *, struct loc);
void init_end(struct parser *);

/* parse_opnd.c - operands and constant expressions, on the stack */
void opnd_name(struct parser *, struct token);
void opnd_dotted(struct parser *, struct token);
void opnd_int(struct parser *, struct token);
void opnd_float(struct parser *, struct token);
void opnd_push_int(struct parser *, int64_t);
void opnd_sink(struct parser *);
void opnd_group(struct parser *, enum opnd_kind, int n);
void opnd_generic(struct parser *, struct token);
void opnd_mask(struct parser *, struct token);
void opnd_unified(struct parser *, struct token);
struct opnd *opnd_pop(struct parser *, int n); /* valid until a push */
struct opnd *opnd_keep(struct parser *, int n); /* in the arena */

/* parse_const.c - operators of constant expressions (PTX 4.5) */
void opnd_cast(struct parser *, struct token type);
void opnd_unary(struct parser *, int token, struct loc);
void opnd_binary(struct parser *, int token, struct loc);
void opnd_select(struct parser *, struct loc);

/* scope.c - what a name means where the parser stands */
void scope_open(struct parser *);
void scope_close(struct parser *);
void scope_predefine(struct parser *);
struct sym *scope_bind(struct parser *, struct scope *, struct name *,
	struct loc, enum sym_kind);
void scope_refer(struct parser *, struct opnd *, int n, struct loc);

static inline struct name *
intern(struct parser *p, struct token t)
{
	return name_intern(&p->x->names, &p->x->arena, t.text, t.len);
}

/* from the first byte of a to the last of b */
static inline struct token
token_join(struct token a, struct token b)
{
	a.len = (uint32_t)(b.text + b.len - a.text);
	return a;
}

#endif
