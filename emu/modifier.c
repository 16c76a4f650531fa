/* modifier.c - the words behind an instruction's operands. */
#include "emu_int.h"

#include <stdlib.h>
#include <string.h>

/* words with a value that is one of a list; the place in it is the value */
static const char *const sel_word[] = { "DWORD", "BYTE_0", "BYTE_1",
	"BYTE_2", "BYTE_3", "WORD_0", "WORD_1", 0 };
static const char *const unused_word[] = { "UNUSED_PAD", "UNUSED_SEXT",
	"UNUSED_PRESERVE", 0 };

/* "[1,0,3,2]": item i goes to the bits from i*width on */
static uint64_t
bits(const char *s, unsigned width)
{
	uint64_t v = 0;
	unsigned i;

	for (i = 0; *s && *s != ']'; i++) {
		v |= (strtoull(s + 1, 0, 0) & ((1u << width) - 1)) <<
			i * width;
		s += 1 + strcspn(s + 1, ",]");
	}
	return v;
}

static bool
choose(uint8_t *to, const char *s, const char *const *list)
{
	uint8_t i;

	for (i = 0; list[i]; i++)
		if (!strcmp(s, list[i])) {
			*to = i;
			return true;
		}
	return false;
}

static bool
flag(struct op *o, const char *word)
{
	static const struct { const char *word; uint32_t flag; } list[] = {
#define FLAG(name, word) { word, FLAG_##name },
#include "isa/flag.def"
#undef FLAG
	};
	size_t i;

	for (i = 0; i < sizeof list / sizeof *list; i++)
		if (!strcmp(word, list[i].word)) {
			o->flags |= list[i].flag;
			return true;
		}
	return false;
}

/* DPP controls with and without a number */
static bool
dpp(struct op *o, const char *name, size_t len, const char *value)
{
	static const struct { const char *name; uint8_t kind; } list[] = {
		{ "row_shl", DPP_ROW_SHL }, { "row_shr", DPP_ROW_SHR },
		{ "row_ror", DPP_ROW_ROR }, { "wave_shl", DPP_WAVE_SHL },
		{ "wave_rol", DPP_WAVE_ROL }, { "wave_shr", DPP_WAVE_SHR },
		{ "wave_ror", DPP_WAVE_ROR }, { "row_mirror", DPP_ROW_MIRROR },
		{ "row_half_mirror", DPP_ROW_HALF_MIRROR },
		{ "row_bcast", DPP_ROW_BCAST },
		{ "row_newbcast", DPP_ROW_NEWBCAST },
		{ "row_share", DPP_ROW_SHARE }, { "row_xmask", DPP_ROW_XMASK },
		{ "quad_perm", DPP_QUAD_PERM }, { "dpp8", DPP_DPP8 },
	};
	size_t i;
	unsigned j;
	uint64_t v;

	for (i = 0; i < sizeof list / sizeof *list; i++)
		if (strlen(list[i].name) == len &&
				!strncmp(name, list[i].name, len))
			break;
	if (i == sizeof list / sizeof *list)
		return false;
	o->dpp = list[i].kind;
	if (o->dpp == DPP_QUAD_PERM) {
		o->dpp_arg = (uint8_t)bits(value, 2);
	} else if (o->dpp == DPP_DPP8) {
		v = bits(value, 3);
		for (j = 0; j < 8; j++)
			o->dpp8[j] = v >> 3 * j & 7;
	} else {
		o->dpp_arg = (uint8_t)strtoul(value, 0, 0);
	}
	return true;
}

/* the members that hold a number of 8 bits; width > 0: a list of so wide */
static bool
small(struct op *o, const char *name, size_t len, const char *value)
{
	static const struct { const char *name; size_t at; unsigned width; }
	list[] = {
		{ "op_sel", offsetof(struct op, op_sel), 1 },
		{ "op_sel_hi", offsetof(struct op, op_sel_hi), 1 },
		{ "neg_lo", offsetof(struct op, neg_lo), 1 },
		{ "neg_hi", offsetof(struct op, neg_hi), 1 },
		{ "neg", offsetof(struct op, blgp), 1 },
		{ "row_mask", offsetof(struct op, row_mask), 0 },
		{ "bank_mask", offsetof(struct op, bank_mask), 0 },
		{ "bound_ctrl", offsetof(struct op, bound_ctrl), 0 },
		{ "fi", offsetof(struct op, fi), 0 },
		{ "cbsz", offsetof(struct op, cbsz), 0 },
		{ "abid", offsetof(struct op, abid), 0 },
		{ "blgp", offsetof(struct op, blgp), 0 },
		{ "byte_sel", offsetof(struct op, byte_sel), 0 },
	};
	size_t i;

	for (i = 0; i < sizeof list / sizeof *list; i++)
		if (strlen(list[i].name) == len &&
				!strncmp(name, list[i].name, len)) {
			((uint8_t *)o)[list[i].at] = (uint8_t)(list[i].width ?
				bits(value, list[i].width) :
				strtoul(value, 0, 0));
			return true;
		}
	return false;
}

/* offset:swizzle(…) as the number that it stands for */
static bool
swizzle(struct op *o, const char *s)
{
	unsigned i, a, b, v = 0;
	const char *arg = s + strcspn(s, ",");

	a = (unsigned)strtoul(*arg ? arg + 1 : arg, 0, 0);
	if (!strncmp(s, "QUAD_PERM,", 10)) {
		v = 0x8000 | (unsigned)bits(arg, 2);
	} else if (!strncmp(s, "SWAP,", 5)) {
		v = a << 10 | 0x1f;
	} else if (!strncmp(s, "REVERSE,", 8)) {
		v = (a - 1) << 10 | 0x1f;
	} else if (!strncmp(s, "BROADCAST,", 10)) {
		b = (unsigned)strtoul(arg + 1 + strcspn(arg + 1, ",") + 1,
			0, 0);
		v = b << 5 | (0x1f & ~(a - 1));
	} else if (!strncmp(s, "BITMASK_PERM,", 13)) {
		arg += strcspn(arg, "\"'") + 1;
		for (i = 0; i < 5; i++) /* from bit 4 on */
			v |= (arg[i] == 'p' ? 0x01u : arg[i] == 'i' ? 0x401u :
				arg[i] == '1' ? 0x20u : 0) << (4 - i);
	} else {
		return false;
	}
	o->offset = v;
	return true;
}

bool
modifier_read(struct op *o, const char *w)
{
	size_t n = strcspn(w, ":");
	const char *value = w[n] ? w + n + 1 : w + n;

#define IS(s) (n == sizeof s - 1 && !memcmp(w, s, n))
	if (IS("offset") && !strncmp(value, "swizzle(", 8))
		return swizzle(o, value + 8);
	if (IS("offset") || IS("offset0"))
		o->offset = strtoll(value, 0, 0);
	else if (IS("offset1"))
		o->offset1 = strtoll(value, 0, 0);
	else if (IS("clamp"))
		o->clamp = 1;
	else if (IS("mul"))
		o->omod = *value == '2' ? 1 : 2;
	else if (IS("div"))
		o->omod = 3;
	else if (IS("dst_sel"))
		return choose(&o->dst_sel, value, sel_word);
	else if (IS("dst_unused"))
		return choose(&o->dst_unused, value, unused_word);
	else if (IS("src0_sel"))
		return choose(&o->src[0].sel, value, sel_word);
	else if (IS("src1_sel"))
		return choose(&o->src[1].sel, value, sel_word);
	else if (IS("scope"))
		return true;
	else if (IS("th")) {
		if (strstr(value, "ATOMIC") && strstr(value, "RETURN"))
			o->flags |= FLAG_RETURN;
		return true;
	} else
		return dpp(o, w, n, value) || small(o, w, n, value) ||
			flag(o, w);
#undef IS
	return true;
}
