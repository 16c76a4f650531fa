/* address.h - what the two halves of address.c share */
#ifndef ADDRESS_H
#define ADDRESS_H

#include "emit_int.h"

/* what an integer value is to us; beyond NODE_NUMBER it may be an address */
enum node_kind {
	NODE_OTHER,
	NODE_NUMBER,        /* a constant */
	NODE_VALUE,         /* loaded, passed: perhaps an address */
	NODE_POINTER,       /* ptrtoint */
	NODE_ADD, NODE_SUB, NODE_PHI, NODE_SELECT, NODE_RESIZE,
};

enum address_class { CLASS_FLAT, CLASS_SHARED, CLASS_LOCAL, NCLASS };

enum { GENERIC_SPACE = 0, SPACES = 6 };

struct node {
	LLVMValueRef v;
	enum node_kind kind;
	bool no[NCLASS];            /* cannot be made a pointer of the class */
	uint8_t strength[NCLASS];   /* 0: nothing says that it is one */
	LLVMValueRef pointer[SPACES]; /* the same as a pointer */
	struct node *next, *prev;
	struct node *user;          /* build(): what is to be made of it */
};

struct rewrite {
	LLVMContextRef c;
	LLVMBuilderRef b;
	LLVMValueRef fn;
	unsigned global;            /* address space of .global */
	struct arena a;
	struct node **slot;         /* a hash table by v */
	size_t cap, n;
	struct node *first, *last;  /* in the order found: users come first */
};

enum address_class address_class(unsigned space);
struct node *address_node(struct rewrite *, LLVMValueRef); /* 0: none */

/* address_build.c */
/* i, an inttoptr, becomes a pointer that was built, if one can be */
void address_access(struct rewrite *, LLVMValueRef i);
/* what else uses integers that were made pointers gets them from there, so
 * that nothing is computed twice */
void address_uses(struct rewrite *);

#endif
