/* launch.h - code objects in memory, and launches of their kernels. */
#ifndef LAUNCH_STATE_H
#define LAUNCH_STATE_H

#include "emu_int.h"
#include "kernels.h"

/* the kernel descriptor of the HSA ABI */
struct descriptor {
	uint32_t lds, scratch, kernarg, reserved0;
	int64_t entry;          /* from the descriptor's own address */
	uint8_t reserved1[20];
	uint32_t rsrc3, rsrc1, rsrc2;
	uint16_t properties, preload;
	uint32_t reserved2;
};
_Static_assert(sizeof(struct descriptor) == 64, "as the ABI has it");

enum { /* of properties */
	HAS_SCRATCH_V = 1, HAS_DISPATCH = 2, HAS_QUEUE = 4, HAS_KERNARG = 8,
	HAS_DISPATCH_ID = 16, HAS_SCRATCH_INIT = 32, HAS_SCRATCH_SIZE = 64,
	IS_WAVE32 = 1 << 10, IS_DYNAMIC = 1 << 11,
};

struct symbol {
	const char *name;
	uint64_t addr, size;
	bool is_object;
};

/* code.c: a loaded code object */
struct code {
	const struct gpu *gpu;
	uint8_t *memory;
	size_t size;
	struct decoder *decoder;
	struct kernel_notes notes;
	struct symbol *symbol;
	size_t nsymbols;
};

enum code_error { CODE_OK, CODE_DAMAGED, CODE_OTHER_GPU, CODE_NO_MEMORY };
/* data is copied; it is for gpu, or it is refused */
enum code_error code_load(struct code **, const struct gpu *, const void *data,
	size_t size);
void code_free(struct code *);
const struct symbol *code_symbol(const struct code *, const char *name);

/* launch.c */
struct launch_state {
	const struct code *code;
	const struct kernel_note *note;
	const struct descriptor *kd;
	uint64_t entry;         /* address of the first instruction */
	uint32_t grid[3], block[3]; /* blocks; threads of a block */
	uint32_t dynamic;       /* bytes of LDS beside the static ones */
	const void *kernarg;
	bool cooperative;       /* all blocks are there at once */

	/* from here on launch_run fills it */
	unsigned size;          /* of a wave */
	unsigned threads, nwaves; /* of a block */
	unsigned vgprs;
	uint32_t lds, scratch;  /* bytes of a block, of a lane */
	uint8_t *packet;        /* the AQL packet, and a queue of zeros */
	uint64_t nblocks;
	atomic_ullong next;     /* block to start */
	atomic_bool failed;
	atomic_flag told;       /* who sets it writes fault and message */
	enum fault fault;
	char message[512];
	atomic_ullong count[OP_CLASSES], lanes;
};

/* false: it failed; fault and message say why */
bool launch_run(struct launch_state *);

/* block.c: a block that has not begun; 0: no memory */
struct block *block_new(struct launch_state *);
void block_start(struct block *, uint64_t number);
/* true: it has ended, well or not */
bool block_run(struct block *, uint64_t budget);
void block_free(struct block *);

/* abi.c: registers as the hardware sets them up */
void wave_start(struct wave *);

/* stats.c: PTXAMD_EMU_STATS */
void stats_add(const struct launch_state *);

#endif
