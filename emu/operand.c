/* operand.c - the operands of an instruction's text. */
#include "emu_int.h"

#include <stdlib.h>
#include <string.h>

/* registers with names; width in SGPRs */
static const struct { const char *name; int reg, width; } named[] = {
	{ "vcc", VCC_REG, 2 }, { "vcc_lo", VCC_REG, 1 },
	{ "vcc_hi", VCC_REG + 1, 1 }, { "exec", EXEC_REG, 2 },
	{ "exec_lo", EXEC_REG, 1 }, { "exec_hi", EXEC_REG + 1, 1 },
	{ "m0", M0_REG, 1 }, { "flat_scratch", 102, 2 },
	{ "flat_scratch_lo", 102, 1 }, { "flat_scratch_hi", 103, 1 },
	{ "xnack_mask", 104, 2 }, { "xnack_mask_lo", 104, 1 },
	{ "xnack_mask_hi", 105, 1 },
};

/* constants with names; wide: of a 64-bit operand, else its high half */
static const struct { const char *name; uint64_t wide; } aperture[] = {
	{ "src_shared_base", (uint64_t)SHARED_APERTURE << 32 },
	{ "src_shared_limit", (uint64_t)SHARED_APERTURE << 32 | 0xffffffff },
	{ "src_private_base", (uint64_t)PRIVATE_APERTURE << 32 },
	{ "src_private_limit", (uint64_t)PRIVATE_APERTURE << 32 | 0xffffffff },
};

/* the inline floating-point constants, as they are printed */
static const struct {
	const char *text;
	uint16_t half, bfloat;
	uint32_t single;
	uint64_t wide;
} inline_float[] = {
	{ "0.5",  0x3800, 0x3f00, 0x3f000000, 0x3fe0000000000000 },
	{ "-0.5", 0xb800, 0xbf00, 0xbf000000, 0xbfe0000000000000 },
	{ "1.0",  0x3c00, 0x3f80, 0x3f800000, 0x3ff0000000000000 },
	{ "-1.0", 0xbc00, 0xbf80, 0xbf800000, 0xbff0000000000000 },
	{ "2.0",  0x4000, 0x4000, 0x40000000, 0x4000000000000000 },
	{ "-2.0", 0xc000, 0xc000, 0xc0000000, 0xc000000000000000 },
	{ "4.0",  0x4400, 0x4080, 0x40800000, 0x4010000000000000 },
	{ "-4.0", 0xc400, 0xc080, 0xc0800000, 0xc010000000000000 },
	{ "0.15915494309189532", 0x3118, 0x3e22, 0x3e22f983,
		0x3fc45f306dc9c882 },
	{ "0.15915494309189535", 0x3118, 0x3e22, 0x3e22f983,
		0x3fc45f306dc9c882 },
	{ "0.15915494", 0x3118, 0x3e22, 0x3e22f983, 0x3fc45f306dc9c882 },
	{ "0.1592", 0x3118, 0x3e22, 0x3e22f983, 0x3fc45f306dc9c882 },
	{ "0.15", 0x3118, 0x3e22, 0x3e22f983, 0x3fc45f306dc9c882 },
};

enum form { HALF, BFLOAT, SINGLE, DOUBLE, LOW, WIDE, SIGNED };
static const uint8_t form_of[] = {
#define TYPE(name, ctype, bits, form) [T_##name] = form,
#include "isa/type.def"
#undef TYPE
	[T_none] = SINGLE,
};

/* "12" or "4:7" behind the letter; false: neither */
static bool
span(const char *s, int *first, int *last)
{
	char *end;
	bool list = *s == '[';

	s += list;
	*first = *last = (int)strtol(s, &end, 10);
	if (end == s)
		return false;
	if (list && *end == ':')
		*last = (int)strtol(end + 1, &end, 10);
	return (!list || *end++ == ']') && !*end && *last >= *first;
}

/* registers of a file: first number base, limit many */
static bool
registers(struct opnd *o, const char *s, enum opnd_kind kind, int base,
	int limit)
{
	int first, last;

	if (!span(s, &first, &last) || last >= limit)
		return false;
	o->kind = kind;
	o->reg = base + first;
	o->width = last - first + 1;
	return true;
}

static bool
is_register(struct opnd *o, const char *s)
{
	size_t i;

	for (i = 0; i < sizeof named / sizeof *named; i++)
		if (!strcmp(s, named[i].name)) {
			o->kind = OPND_SGPR;
			o->reg = named[i].reg;
			o->width = named[i].width;
			return true;
		}
	return (*s == 'v' && registers(o, s + 1, OPND_VGPR, 0, 256)) ||
		(*s == 'a' && registers(o, s + 1, OPND_VGPR, AGPR_REG, 256)) ||
		(*s == 's' && registers(o, s + 1, OPND_SGPR, 0, 106)) ||
		(!strncmp(s, "ttmp", 4) &&
			registers(o, s + 4, OPND_SGPR, TTMP_REG, 16));
}

static uint64_t
floating(size_t i, enum form f)
{
	switch (f) {
	case HALF:
		return inline_float[i].half;
	case BFLOAT:
		return inline_float[i].bfloat;
	case SINGLE:
	case LOW:
		return inline_float[i].single;
	default:
		return inline_float[i].wide;
	}
}

/* hexadecimal numbers are literals, decimal ones are meant as they stand */
static bool
number(struct opnd *o, const char *s, enum form f)
{
	bool hex = s[0] == '0' && s[1] == 'x';
	char *end;

	if (hex)
		o->value = strtoull(s, &end, 16);
	else
		o->value = (uint64_t)strtoll(s, &end, 10);
	if (end == s || *end)
		return false;
	if (hex && f == DOUBLE && o->value >> 32 == 0)
		o->value <<= 32;
	if (hex && f == SIGNED && o->value >> 32 == 0)
		o->value = (uint64_t)(int32_t)o->value;
	o->kind = OPND_CONST;
	return true;
}

static bool
is_constant(struct opnd *o, const char *s)
{
	enum form f = form_of[o->type];
	size_t i;

	o->kind = OPND_CONST;
	for (i = 0; i < sizeof inline_float / sizeof *inline_float; i++)
		if (!strcmp(s, inline_float[i].text)) {
			o->value = floating(i, f);
			return true;
		}
	for (i = 0; i < sizeof aperture / sizeof *aperture; i++)
		if (!strcmp(s, aperture[i].name)) {
			o->value = aperture[i].wide;
			if (f < DOUBLE)
				o->value >>= 32;
			return true;
		}
	return number(o, s, f);
}

/* takes word( and ) or | and | away from around s */
static bool
within(char *s, const char *open, const char *close)
{
	size_t n = strlen(s), a = strlen(open), b = strlen(close);

	if (n < a + b || strncmp(s, open, a) || strcmp(s + n - b, close))
		return false;
	memmove(s, s + a, n - a - b);
	s[n - a - b] = 0;
	return true;
}

bool
operand_read(struct opnd *o, char *s)
{
	if (within(s, "sext(", ")"))
		o->mods |= MOD_SEXT;
	if (within(s, "neg(", ")"))
		o->mods |= MOD_NEG;
	else if (*s == '-' && (s[1] == '|' || s[1] == 'v' || s[1] == 'a' ||
			s[1] == 's' || s[1] == 'e' || s[1] == 't' ||
			s[1] == 'm')) {
		memmove(s, s + 1, strlen(s));
		o->mods |= MOD_NEG;
	}
	if (within(s, "|", "|") || within(s, "abs(", ")"))
		o->mods |= MOD_ABS;
	if (!strcmp(s, "off") || !strcmp(s, "null")) {
		o->kind = OPND_CONST;
		o->reg = NULL_REG;
		o->value = 0;
		return true;
	}
	return is_register(o, s) || is_constant(o, s);
}
