/* emu.h - an AMD GPU in software: machine state and decoded instructions.
 *
 * LLVM's disassembler prints each instruction once, when control first comes
 * to it; decode.c reads that text into a struct op, and running a wave is a
 * loop over op->run.  Texts are the same on all processors, so an instruction
 * is one row, named by its mnemonic, in a table of isa/NAME.def:
 *
 *	scalar.def branch.def    scalar.c branch.c       SALU, control, waits
 *	smem.def vmem.def lds.def  smem.c vmem*.c lds.c  memory
 *	valu*.def                valu*.c                 VALU, WMMA, MFMA
 *
 * A row has a C expression that computes D (D0, D1 …) from S0, S1, S2 …, of
 * the types in isa/type.def; it may also use the wave w and the op o.  What a
 * row's macro makes of it is the business of the .c file that includes it.
 * The suffixes _e32 _e64 _dpp _sdwa _e64_dpp are cut off before the look-up;
 * v_dual_X :: v_dual_Y is two ops, of rows v_X and v_Y.
 */
#ifndef EMU_H
#define EMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code;  /* a loaded code object */
struct block; /* a workgroup that runs */
struct wave;
struct op;
struct line;  /* an instruction's text; text.c */
typedef void op_run(struct wave *, const struct op *);
/* the accesses of all active lanes; p[l] is where lane l accesses memory */
typedef void access_run(struct wave *, const struct op *,
	uint8_t *const p[64]);

/* isa/type.def: T_b32 …, C types c_b32 …, T_mask, T_none */
enum op_type {
	T_none,
#define TYPE(name, ctype, bits, form) T_##name,
#include "isa/type.def"
#undef TYPE
};
#define TYPE(name, ctype, bits, form) typedef ctype c_##name;
#include "isa/type.def"
#undef TYPE

/* what PTXAMD_EMU_STATS counts */
enum op_class { OP_SALU, OP_VALU, OP_MATRIX, OP_SMEM, OP_VMEM, OP_LDS,
	OP_BRANCH, OP_WAIT, OP_CLASSES };

enum { MAX_DST = 2, MAX_SRC = 4 };

/* one mnemonic */
struct op_row {
	const char *name;
	op_run *run;
	uint8_t class;                   /* enum op_class */
	uint8_t ndst, nsrc;              /* in the order of the text */
	uint8_t dst[MAX_DST], src[MAX_SRC]; /* enum op_type */
	/* reads the operands; 0: by the types above.  A missing last source
	 * of T_mask is vcc, a missing T_mask destination OPND_NONE */
	bool (*read)(struct op *, struct line *);
	access_run *access;              /* memory: what one access does */
	uint16_t bytes;                  /* … and of how many bytes */
};
/* tables end in a row without name */
extern const struct op_row rows_scalar[], rows_branch[], rows_smem[],
	rows_vmem[], rows_lds[], rows_valu[];
const struct op_row *isa_find(const char *name, size_t len); /* or 0 */

/* Registers.  Scalar: s0 is 0, vcc 106, ttmp0 108, m0 124, exec 126; null is
 * the constant 0 as a source and NULL_REG as a destination; flat_scratch and
 * xnack_mask of gfx9 are s102 to s105.  Vector: v0 is 0, a0 (AGPRs) 256, and
 * from SPARE_REG on they are the emulator's own. */
enum { VCC_REG = 106, TTMP_REG = 108, M0_REG = 124, EXEC_REG = 126,
	NULL_REG = 128, SGPRS = 132 };
enum { AGPR_REG = 256, SPARE_REG = 512, VGPRS = SPARE_REG + 4 };

enum opnd_kind { OPND_NONE, OPND_VGPR, OPND_SGPR, OPND_CONST };
enum { MOD_NEG = 1, MOD_ABS = 2, MOD_SEXT = 4 }; /* -x, |x|, sext(x) */
enum sdwa_sel { SEL_DWORD, SEL_BYTE_0, SEL_BYTE_1, SEL_BYTE_2, SEL_BYTE_3,
	SEL_WORD_0, SEL_WORD_1 };
enum sdwa_unused { UNUSED_PAD, UNUSED_SEXT, UNUSED_PRESERVE };

struct opnd {
	uint8_t kind, type;     /* enum opnd_kind; the row's enum op_type */
	uint8_t mods;           /* MOD_… of a source */
	uint8_t sel;            /* enum sdwa_sel */
	uint16_t reg, width;    /* first register; how many the text names */
	uint64_t value;         /* OPND_CONST: as the type has it.  1.0 of a
	                         * 16-bit or packed type is a half in the low
	                         * bits; a literal of f64 is its high half */
};

enum dpp_kind { DPP_NONE, DPP_QUAD_PERM, DPP_ROW_SHL, DPP_ROW_SHR,
	DPP_ROW_ROR, DPP_WAVE_SHL, DPP_WAVE_ROL, DPP_WAVE_SHR, DPP_WAVE_ROR,
	DPP_ROW_MIRROR, DPP_ROW_HALF_MIRROR, DPP_ROW_BCAST, DPP_ROW_NEWBCAST,
	DPP_ROW_SHARE, DPP_ROW_XMASK, DPP_DPP8 };

struct op {
	op_run *run;
	struct op *next;        /* behind it in the code; 0: not decoded */
	const struct op_row *row;
	const char *text;       /* what the disassembler said */
	uint64_t addr;          /* where the instruction is loaded */
	uint8_t size, class;
	uint8_t ndst, nsrc;     /* as in the text */
	struct opnd dst[MAX_DST], src[MAX_SRC];

	/* VALU: modifiers.  op_sel has a bit for each source and then one for
	 * the destination, 0 in absence; op_sel_hi is all ones in absence */
	uint8_t clamp, omod;    /* omod: 0, 1 mul:2, 2 mul:4, 3 div:2 */
	uint8_t op_sel, op_sel_hi, neg_lo, neg_hi;
	uint8_t dst_sel, dst_unused; /* SDWA */
	uint8_t sdwa;           /* it is SDWA */
	uint8_t dpp, row_mask, bank_mask, bound_ctrl, fi; /* 0xf, 0xf, 0, 0 */
	uint8_t dpp_arg;        /* of row_shl:N; quad_perm as 2 bits a lane */
	uint8_t dpp8[8];
	uint8_t byte_sel;       /* gfx12's conversions from fp8 */
	uint8_t cbsz, abid, blgp; /* MFMA; blgp of f64 ones: neg:[…] */

	/* memory and the rest; memory.c */
	int64_t offset, offset1;
	uint32_t imm;
	uint32_t flags;
	struct op *target;      /* branch.c: where it goes, once decoded */
	struct op *pair;        /* v_dual: X of what runs as Y's partner */
};

/* what differs between processors */
struct gpu {
	const char *name;
	uint8_t generation;     /* 9, 10, 11, 12 */
	bool wave32;            /* kernels may be of waves of 32 */
	bool keeps_high16;      /* 16-bit results leave the high half alone */
	bool packed_ids;        /* work-item ids all in v0 */
	bool flat_scratch;      /* architected: no V# for scratch */
	bool ids_in_ttmp;       /* workgroup ids */
	bool cmpx_writes_vcc;   /* v_cmpx writes its sdst beside exec */
	bool unified_agprs;
	bool fadd_flushes;      /* f32 additions in memory, but not in LDS,
	                         * take subnormals for zeros and make none */
};
extern const struct gpu gpu_list[]; /* ends without name */
const struct gpu *gpu_find(const char *name);

enum wave_state { WAVE_RUNS, WAVE_WAITS, WAVE_ENDED };

struct wave {
	union {
		uint32_t s[SGPRS];
		uint64_t s64[SGPRS / 2]; /* pairs: s64[i] is s[2i:2i+1] */
	};
	uint32_t (*v)[64];      /* v[register][lane] */
	uint64_t full;          /* all lanes of a wave of this size */
	unsigned size;          /* 32 or 64 */
	uint32_t scc;           /* 0 or 1 */
	uint32_t mode;          /* the MODE register: [3:0] rounding, [7:4]
	                         * denormals, 8 DX10_CLAMP, 9 IEEE */
	const struct gpu *gpu;
	const struct op *op;    /* that runs */
	const struct op *next;  /* to be run next; branches change it */
	bool stop;              /* leave the loop after this op */
	enum wave_state state;
	unsigned index;         /* in the block */
	struct block *block;
	uint32_t gpr_idx;       /* gfx9, s_set_gpr_idx_on: [7:0] is added to
	                         * the VGPR of src0, src1, src2, dst where
	                         * bit 12, 13, 14, 15 is set; 0: off */
	uint32_t phase;         /* of the barrier that it signalled last */
	uint8_t *scratch;       /* lane l's begins at l * scratch_size */
	uint32_t scratch_size;  /* bytes a lane */
	uint64_t near, near_size; /* the memory last accessed */
	uint64_t count[OP_CLASSES];
	uint64_t lanes;         /* lane instructions of VALU, VMEM and LDS */
};

/* exec and vcc: in waves of 32 the high halves are 0 and unused */
#define EXEC(w) ((w)->s64[EXEC_REG / 2])
#define VCC(w)  ((w)->s64[VCC_REG / 2])
#define ACTIVE(w, l) (EXEC(w) >> (l) & 1)
/* for each lane l that is active */
#define EACH_LANE(w, l) \
	for (unsigned l = 0; l < (w)->size; l++) if (ACTIVE(w, l))

/* a uniform operand: SGPRs or a constant */
static inline uint32_t
get32(const struct wave *w, const struct opnd *o)
{
	return o->kind == OPND_SGPR ? w->s[o->reg] : (uint32_t)o->value;
}

static inline uint64_t
get64(const struct wave *w, const struct opnd *o)
{
	return o->kind == OPND_SGPR ?
		w->s[o->reg] | (uint64_t)w->s[o->reg + 1] << 32 : o->value;
}

static inline void
put64(struct wave *w, const struct opnd *o, uint64_t v)
{
	w->s[o->reg] = (uint32_t)v;
	w->s[o->reg + 1] = (uint32_t)(v >> 32);
}

/* a bit for each lane: one SGPR in waves of 32, two in those of 64 */
static inline uint64_t
get_mask(const struct wave *w, const struct opnd *o)
{
	return w->size == 64 ? get64(w, o) : get32(w, o);
}

static inline void
put_mask(struct wave *w, const struct opnd *o, uint64_t v)
{
	w->s[o->reg] = (uint32_t)v;
	if (w->size == 64)
		w->s[o->reg + 1] = (uint32_t)(v >> 32);
}

/* the launch fails; the text gets kernel, wave, address and instruction put
 * before.  lane < 0: it is of no lane.  The first failure counts. */
void emu_fault(struct wave *, int lane, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
