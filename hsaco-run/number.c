/* number.c - numbers of the types that arguments have. */
#include "hsaco.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name; uint8_t size; } types[NNUMBER] = {
	[U8] = { "u8", 1 }, [U16] = { "u16", 2 }, [U32] = { "u32", 4 },
	[U64] = { "u64", 8 }, [S8] = { "s8", 1 }, [S16] = { "s16", 2 },
	[S32] = { "s32", 4 }, [S64] = { "s64", 8 }, [F16] = { "f16", 2 },
	[F32] = { "f32", 4 }, [F64] = { "f64", 8 },
};

int
number_type(const char *name, size_t len)
{
	int i;

	for (i = 0; i < NNUMBER; i++)
		if (strlen(types[i].name) == len &&
				!memcmp(types[i].name, name, len))
			return i;
	return -1;
}

const char *
number_name(enum number t)
{
	return types[t].name;
}

size_t
number_size(enum number t)
{
	return types[t].size;
}

static double
half_value(uint16_t h)
{
	int e = h >> 10 & 31, i;
	double v = h & 1023;

	if (e == 31) {
		v = v != 0 ? strtod("nan", 0) : strtod("inf", 0);
	} else {
		v = (v + (e ? 1024 : 0)) / 1024;
		for (i = e ? e : 1; i < 15; i++)
			v /= 2;
		for (i = 15; i < e; i++)
			v *= 2;
	}
	return h & 0x8000 ? -v : v;
}

/* the nearest half: of the ordered bit patterns the last not above v, or the
 * one behind it */
static uint16_t
half_round(double v)
{
	double m = v < 0 ? -v : v, below, above;
	uint16_t lo = 0, hi = 0x7c00, mid;

	if (v != v)
		return 0x7e00;
	while (hi - lo > 1) {
		mid = (uint16_t)((lo + hi) / 2);
		if (half_value(mid) <= m)
			lo = mid;
		else
			hi = mid;
	}
	below = m - half_value(lo);
	above = (lo == 0x7bff ? 65536 : half_value((uint16_t)(lo + 1))) - m;
	if (above < below || (above == below && lo & 1))
		lo++;
	return (uint16_t)(lo | (v < 0 ? 0x8000 : 0));
}

void
number_set(enum number t, double v, void *to)
{
	int64_t i = (int64_t)v;
	uint16_t h;
	float f;

	switch (t) {
	case F16:
		h = half_round(v);
		memcpy(to, &h, 2);
		return;
	case F32:
		f = (float)v;
		memcpy(to, &f, 4);
		return;
	case F64:
		memcpy(to, &v, 8);
		return;
	default:
		memcpy(to, &i, types[t].size);
	}
}

bool
number_read(enum number t, const char *s, void *to)
{
	char *end;
	double d;
	int64_t i;
	uint64_t u;

	errno = 0;
	if (t >= F16) {
		d = strtod(s, &end);
		number_set(t, d, to);
		return end != s && !*end;
	}
	if (t >= S8 || *s == '-') {
		i = strtoll(s, &end, 0);
		memcpy(to, &i, types[t].size);
	} else {
		u = strtoull(s, &end, 0);
		memcpy(to, &u, types[t].size);
	}
	return end != s && !*end && !errno;
}

void
number_print(enum number t, const void *from)
{
	uint64_t u = 0;
	unsigned shift = 64 - 8 * types[t].size;
	float f;
	double d;

	memcpy(&u, from, types[t].size);
	switch (t) {
	case F16:
		printf("%.6g", half_value((uint16_t)u));
		return;
	case F32:
		memcpy(&f, from, 4);
		printf("%.9g", (double)f);
		return;
	case F64:
		memcpy(&d, from, 8);
		printf("%.17g", d);
		return;
	default:
		if (t >= S8)
			printf("%" PRId64, (int64_t)(u << shift) >> shift);
		else
			printf("%" PRIu64, u);
	}
}
