/* arith.h - what the chapters on arithmetic share; private to emit/.
 *
 * "like" means: as many elements as that value has, so that scalars, packed
 * pairs and whole warps go through the same code.  A value in working form
 * is half, float or double; bf16 works as float, which holds it exactly.
 */
#ifndef ARITH_H
#define ARITH_H

#include "emit_int.h"

/* shape.c - types and values of one shape, read and written */
LLVMTypeRef emit_like(LLVMTypeRef shape, LLVMTypeRef elem);
LLVMTypeRef emit_ilike(struct emit *, LLVMValueRef, unsigned bits);
LLVMTypeRef emit_flike(struct emit *, LLVMValueRef, unsigned bits);
unsigned emit_width(LLVMValueRef);                    /* bits an element */
LLVMValueRef emit_klike(struct emit *, LLVMValueRef, int64_t);
LLVMValueRef emit_kflike(struct emit *, LLVMValueRef, double);
LLVMValueRef emit_int(struct emit *, LLVMValueRef);   /* bits of floats */
LLVMValueRef emit_flt(struct emit *, LLVMValueRef);   /* floats of bits */
LLVMValueRef emit_select(struct emit *, LLVMValueRef c,
	LLVMValueRef yes, LLVMValueRef no);
LLVMValueRef emit_fcmp(struct emit *, LLVMRealPredicate,
	LLVMValueRef, LLVMValueRef);
LLVMValueRef emit_nan(struct emit *, LLVMValueRef like); /* NVIDIA's */
LLVMValueRef emit_isnan(struct emit *, LLVMValueRef);
/* elements lo, lo + step, … of packed v: the halves of each lane's pair */
LLVMValueRef emit_part(struct emit *, LLVMValueRef v, unsigned parts,
	unsigned part);
/* the inverse: n values, each the part of every lane */
LLVMValueRef emit_parts(struct emit *, LLVMValueRef *part, unsigned n);
/* v, an integer of type's width, as type's elements */
LLVMValueRef emit_unpack(struct emit *, LLVMValueRef v, enum type);
/* operand k of i as type's elements, integers */
LLVMValueRef emit_iread(struct emit *, const struct insn *, int k, enum type);
/* does i flush values of type t, and not the machine by itself? */
bool emit_flushes(struct emit *, const struct insn *, enum type);
/* operand k of i in working form, flushed where .ftz says so and the machine
 * does not do it by itself: for arithmetic, comparison, min and max alone */
LLVMValueRef emit_operand(struct emit *, const struct insn *, int k,
	enum type);
/* v of working form, flushed, saturated, clamped as i says, to operand 0 */
void emit_result(struct emit *, const struct insn *, enum type,
	LLVMValueRef v);
bool emit_is_bf16(enum type);

/* eft.c - directed roundings without a mode register */
LLVMValueRef emit_nudge(struct emit *, enum round, LLVMValueRef near,
	LLVMValueRef err);
LLVMValueRef emit_odd(struct emit *, LLVMValueRef near, LLVMValueRef err);
LLVMValueRef emit_zero_sign(struct emit *, LLVMValueRef is_zero,
	LLVMValueRef sum, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef emit_add_odd(struct emit *, enum round,
	LLVMValueRef, LLVMValueRef);
LLVMValueRef emit_eft_add(struct emit *, enum round,
	LLVMValueRef, LLVMValueRef);

/* eft64.c - the same for products, quotients and roots of f64 */
LLVMValueRef emit_eft64_fma(struct emit *, enum round,
	LLVMValueRef, LLVMValueRef, LLVMValueRef);
LLVMValueRef emit_eft64_mul(struct emit *, enum round,
	LLVMValueRef, LLVMValueRef);
LLVMValueRef emit_eft64_div(struct emit *, enum round,
	LLVMValueRef, LLVMValueRef);
LLVMValueRef emit_eft64_sqrt(struct emit *, enum round, LLVMValueRef);

/* round.c - and what emit_int.h tells of it */
/* v, or a zero where big, the exact result times 2^64 (of f16: 2^12), rounded,
 * says that it is tiny */
LLVMValueRef emit_flush_tiny(struct emit *, LLVMValueRef v, LLVMValueRef big);
LLVMValueRef emit_fma_odd(struct emit *, enum round,
	LLVMValueRef, LLVMValueRef, LLVMValueRef);

/* narrow.c - to formats with fewer bits */
LLVMValueRef emit_wide(struct emit *, LLVMValueRef, unsigned bits);
LLVMValueRef emit_odd32(struct emit *, LLVMValueRef f64);
LLVMValueRef emit_narrow(struct emit *, enum round, LLVMValueRef,
	unsigned bits);
LLVMValueRef emit_bf16(struct emit *, enum round, LLVMValueRef f32);
LLVMValueRef emit_from_bf16(struct emit *, LLVMValueRef i16);

/* cvt.c */
LLVMValueRef emit_irnd(struct emit *, const struct insn *, LLVMValueRef);

/* cvt_float.c - operand k as half, float or double; .ftz is about f32 alone,
 * and not about what goes to f16 */
LLVMValueRef emit_source(struct emit *, const struct insn *, int k,
	enum type);

/* minmax.c */
LLVMValueRef emit_fmin(struct emit *, LLVMValueRef, LLVMValueRef);
LLVMValueRef emit_fmax(struct emit *, LLVMValueRef, LLVMValueRef);

/* int.c */
bool emit_is_signed(enum type);
/* v, integers, as integers of so many bits */
LLVMValueRef emit_resize(struct emit *, LLVMValueRef, unsigned bits,
	bool is_signed);
LLVMValueRef emit_icmp(struct emit *, LLVMIntPredicate,
	LLVMValueRef, LLVMValueRef);
LLVMValueRef emit_imin(struct emit *, bool is_signed,
	LLVMValueRef, LLVMValueRef);
LLVMValueRef emit_imax(struct emit *, bool is_signed,
	LLVMValueRef, LLVMValueRef);
/* the upper half of the product */
LLVMValueRef emit_mulhi(struct emit *, bool is_signed,
	LLVMValueRef, LLVMValueRef);

/* select.c */
LLVMValueRef emit_compare(struct emit *, const struct insn *, bool is_signed,
	LLVMValueRef, LLVMValueRef);

#endif
