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

/* a workgroup; block.c */
struct block {
	struct launch_state *launch;
	uint32_t id[3];
	struct wave *wave;
	unsigned nwaves, alive; /* alive: have not ended */
	unsigned signalled;     /* … and came to the barrier */
	uint32_t phase;         /* how many barriers were passed */
	uint8_t *lds;
	uint32_t lds_size;
	struct block *next;
};

/* why a launch failed */
enum fault { FAULT_NONE, FAULT_INSTRUCTION, FAULT_TRAP, FAULT_ADDRESS,
	FAULT_RESOURCE };
/* fault.c: as emu_fault, which is of FAULT_INSTRUCTION */
void wave_fault(struct wave *, enum fault, int lane, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* branch.c */
void wave_end(struct wave *);
const struct op *code_at(struct wave *, uint64_t addr);

/* region.c: the memory that kernels may access */
void region_add(uint64_t addr, uint64_t size);
void region_remove(uint64_t addr);
bool region_find(uint64_t addr, uint64_t *base, uint64_t *size);

/* memory.c: where an access goes; 0 after a fault */
uint8_t *global_at(struct wave *, int lane, uint64_t addr, uint64_t bytes);
uint8_t *scratch_at(struct wave *, unsigned lane, uint64_t addr,
	uint64_t bytes);
uint8_t *lds_at(struct wave *, int lane, uint64_t addr, uint64_t bytes);
uint64_t emu_time(void); /* nanoseconds */

/* run.c: runs a wave until it stops, or budget instructions long */
void wave_run(struct wave *, uint64_t budget);

#endif
