/* emu_int.h - what the files of the emulator share beside emu.h. */
#ifndef EMU_INT_H
#define EMU_INT_H

#include "emu.h"

#include <stdatomic.h>

/* high halves of the flat addresses of LDS and scratch */
enum { SHARED_APERTURE = 0x00010000, PRIVATE_APERTURE = 0x00020000 };

enum flag_place {
#define FLAG(name, word) FLAG_AT_##name,
#include "isa/flag.def"
#undef FLAG
};
enum {
#define FLAG(name, word) FLAG_##name = 1 << FLAG_AT_##name,
#include "isa/flag.def"
#undef FLAG
};

/* operand.c: *s, which it may change, by the type in *o; false: unknown */
bool operand_read(struct opnd *o, char *s);

/* modifier.c: one word behind the operands, "clamp" or "row_mask:0xf" */
bool modifier_read(struct op *o, const char *word);

/* a cursor over an instruction's text; text.c */
enum { MAX_PARTS = 8, MAX_WORDS = 24, MAX_LINE = 512 };
struct line {
	char copy[MAX_LINE];
	char *name;             /* the mnemonic */
	char *part[MAX_PARTS];  /* operands, as separated by commas */
	char *word[MAX_WORDS];  /* modifiers, as separated by blanks */
	size_t nparts, nwords;
};
bool line_split(struct line *, const char *text);

/* decode.c: code that was loaded becomes ops, as far as control reaches it.
 * The op at an address for waves of this size; 0: that is no code of c. */
struct decoder;
struct decoder *decoder_new(const struct gpu *, uint64_t base, size_t size);
void decoder_free(struct decoder *);
const struct op *decode_at(struct decoder *, uint64_t addr, unsigned wave);
bool op_read(struct op *, const char *text, struct op *pair, char **why);

/* run.c: runs a wave until it stops, or budget instructions long */
void wave_run(struct wave *, uint64_t budget);

#endif
