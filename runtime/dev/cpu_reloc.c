/* cpu_reloc.c - the relocations of x86-64 and aarch64. */
#include "cpu_object.h"
#include <elf.h>
#include <string.h>

#if defined __aarch64__
const uint16_t reloc_machine = EM_AARCH64;
static const struct reloc_info known[] = {
	{ R_AARCH64_NONE, RELOC_NONE, 0, 0 },
	{ R_AARCH64_ABS64, RELOC_ABS64, 0, 8 },
	{ R_AARCH64_ABS32, RELOC_ABS32, 0, 4 },
	{ R_AARCH64_PREL64, RELOC_PC64, 0, 8 },
	{ R_AARCH64_PREL32, RELOC_PC32, 0, 4 },
	{ R_AARCH64_CALL26, RELOC_BRANCH26, 0, 4 },
	{ R_AARCH64_JUMP26, RELOC_BRANCH26, 0, 4 },
	{ R_AARCH64_ADR_PREL_PG_HI21, RELOC_PAGE21, 0, 4 },
	{ R_AARCH64_ADD_ABS_LO12_NC, RELOC_LOW12, 0, 4 },
	{ R_AARCH64_LDST8_ABS_LO12_NC, RELOC_LOW12, 0, 4 },
	{ R_AARCH64_LDST16_ABS_LO12_NC, RELOC_LOW12, 1, 4 },
	{ R_AARCH64_LDST32_ABS_LO12_NC, RELOC_LOW12, 2, 4 },
	{ R_AARCH64_LDST64_ABS_LO12_NC, RELOC_LOW12, 3, 4 },
	{ R_AARCH64_LDST128_ABS_LO12_NC, RELOC_LOW12, 4, 4 },
	{ R_AARCH64_ADR_GOT_PAGE, RELOC_GOT_PAGE21, 0, 4 },
	{ R_AARCH64_LD64_GOT_LO12_NC, RELOC_GOT_LOW12, 3, 4 },
};
/* ldr x16, #8; br x16; the address */
static const uint32_t stub_code[2] = { 0x58000050, 0xd61f0200 };
#else
const uint16_t reloc_machine = EM_X86_64;
static const struct reloc_info known[] = {
	{ R_X86_64_NONE, RELOC_NONE, 0, 0 },
	{ R_X86_64_64, RELOC_ABS64, 0, 8 },
	{ R_X86_64_PC64, RELOC_PC64, 0, 8 },
	{ R_X86_64_PC32, RELOC_PC32, 0, 4 },
	{ R_X86_64_PLT32, RELOC_CALL32, 0, 4 },
	{ R_X86_64_GOTPCREL, RELOC_GOT32, 0, 4 },
	{ R_X86_64_GOTPCRELX, RELOC_GOT32, 0, 4 },
	{ R_X86_64_REX_GOTPCRELX, RELOC_GOT32, 0, 4 },
};
/* movabs $address, %r11; jmp *%r11 */
static const uint8_t stub_code[13] = {
	0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xe3,
};
#endif

const struct reloc_info *
reloc_find(uint32_t type)
{
	size_t i;

	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].type == type)
			return &known[i];
	return 0;
}

void
reloc_stub(uint8_t *stub, uint64_t got)
{
	memcpy(stub, stub_code, sizeof stub_code);
	memcpy(stub + (sizeof stub_code == 8 ? 8 : 2), &got, 8);
}

static bool
put32(uint8_t *place, int64_t v)
{
	int32_t w = (int32_t)v;

	memcpy(place, &w, 4);
	return w == v;
}

/* bits of v into an instruction's field at from */
static void
field(uint8_t *place, uint32_t mask, uint32_t from, uint64_t v)
{
	uint32_t insn;

	memcpy(&insn, place, 4);
	insn = (insn & ~(mask << from)) | ((uint32_t)v & mask) << from;
	memcpy(place, &insn, 4);
}

/* the target's page, as adrp counts it */
static bool
page21(uint8_t *place, uint64_t target)
{
	uint64_t from = (uint64_t)(uintptr_t)place >> 12;
	int64_t n = (int64_t)((target >> 12) - from);

	field(place, 3, 29, (uint64_t)n);
	field(place, 0x7ffff, 5, (uint64_t)n >> 2);
	return n >= -(1 << 20) && n < 1 << 20;
}

static bool
low12(uint8_t *place, uint64_t target, unsigned shift)
{
	field(place, 0xfff, 10, (target & 0xfff) >> shift);
	return (target & ((1u << shift) - 1)) == 0;
}

static bool
branch26(uint8_t *place, uint64_t target, uint64_t stub)
{
	int64_t p = (int64_t)(uintptr_t)place, n = (int64_t)target - p;

	if (n < -(1 << 27) || n >= 1 << 27)
		n = (int64_t)stub - p;
	field(place, 0x3ffffff, 0, (uint64_t)n >> 2);
	return n >= -(1 << 27) && n < 1 << 27;
}

bool
reloc_write(const struct reloc_info *r, uint8_t *place, uint64_t s, int64_t a,
	uint64_t got, uint64_t stub)
{
	uint64_t p = (uint64_t)(uintptr_t)place, v = s + (uint64_t)a;

	switch ((enum reloc_how)r->how) {
	case RELOC_NONE:
		return true;
	case RELOC_ABS64:
		memcpy(place, &v, 8);
		return true;
	case RELOC_PC64:
		v -= p;
		memcpy(place, &v, 8);
		return true;
	case RELOC_PC32:
		return put32(place, (int64_t)(v - p));
	case RELOC_CALL32:
		return put32(place, (int64_t)(v - p)) ||
			put32(place, (int64_t)(stub + (uint64_t)a - p));
	case RELOC_GOT32:
		return put32(place, (int64_t)(got + (uint64_t)a - p));
	case RELOC_ABS32:
		return put32(place, (int64_t)v) || v >> 32 == 0;
	case RELOC_BRANCH26:
		return branch26(place, v, stub);
	case RELOC_PAGE21:
		return page21(place, v);
	case RELOC_LOW12:
		return low12(place, v, r->shift);
	case RELOC_GOT_PAGE21:
		return page21(place, got);
	case RELOC_GOT_LOW12:
		return low12(place, got, r->shift);
	}
	return false;
}
