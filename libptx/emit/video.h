/* video.h - what scalar and SIMD video instructions share. */
#ifndef VIDEO_H
#define VIDEO_H

#include "arith.h"

/* bits bits of word (i32) from bit at, extended to an integer of to bits */
LLVMValueRef video_field(struct emit *, LLVMValueRef word, unsigned at,
	unsigned bits, bool is_signed, unsigned to);
/* operand k of i, a whole word, without what - says */
LLVMValueRef video_word(struct emit *, const struct insn *, int k);
/* a op b, signed integers: + - | (absolute difference) < (the lesser)
 * > (the greater) m (average) */
LLVMValueRef video_op(struct emit *, int op, LLVMValueRef, LLVMValueRef);
/* v, signed, in the range of integers of bits */
LLVMValueRef video_saturate(struct emit *, LLVMValueRef v, unsigned bits,
	bool is_signed);

#endif
