/* verify_int.h - what the chapters of the verifier share; private to
 * verify*.c.
 */
#ifndef VERIFY_INT_H
#define VERIFY_INT_H
#include "form.h"

struct check {
	struct ptx *x;
	const struct func *f;
	const struct insn *i;
	const bool *label;   /* by sym->id: stands in f */
};

/* an error at the instruction; name is put where fmt has %s first */
void check_fail(const struct check *, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* "ld": the first word of the instruction's name */
const char *check_root(const struct check *, char *buf, size_t cap);
void check_mismatch(const struct check *);
/* the operand that the row calls name, or 0 */
const struct opnd *check_operand(const struct check *, const char *name);

/* verify_decl.c - declarations: of the module, of one statement, of what a
 * function takes and returns */
void check_items(struct ptx *);
void check_decl(struct ptx *, const struct sym *);
void check_header(struct ptx *, const struct func *);

/* verify_opnd.c - one operand against what the row asks for */
void check_opnd(const struct check *, const struct opnd *,
	const struct op_opnd *);

/* verify_addr.c - addresses */
void check_addr(const struct check *, const struct opnd *,
	const struct op_opnd *);

/* verify_call.c - calls, branches */
void check_call(const struct check *);
void check_targets(const struct check *);

/* verify_form.c - what no row can say, by form */
void check_form(const struct check *);

/* verify_tex.c */
void check_tex(const struct check *);

#endif
