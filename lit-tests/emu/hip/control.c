/* control.c - branches, loops, calls, tables of functions. */
#include "kernel.h"

KERNEL(branch_nest)(const u64 *in, u64 *out)
{
	u32 a = (u32)IN(0), b = (u32)IN(1), n = 0;

	if (a & 1) {
		if (b & 2)
			n = a * 3;
		else if (b & 4)
			n = b - a;
		else
			n = 7;
		n ^= b;
	} else if (a > b) {
		n = a / (b | 1);
	}
	OUT(0, n);
	OUT(1, a & 8 && (b & 16 || a & 32) ? n : ~n);
	OUT(2, a);
	OUT(3, b);
}

KERNEL(branch_table)(const u64 *in, u64 *out)
{
	u32 a = (u32)IN(0), n = (u32)IN(1);

	switch (a % 11) {
	case 0: n += 17; break;
	case 1: n *= 3; break;
	case 2: n ^= 0xabcdef; /* fall through */
	case 3: n -= a; break;
	case 4: n = n << 3 | n >> 29; break;
	case 6: n = ~n; break;
	case 8: n = n / 3; break;
	case 9: n %= 1001; break;
	default: n |= 0x100; break;
	}
	OUT(0, n);
	OUT(1, a % 11);
	OUT(2, 0);
	OUT(3, a);
}

KERNEL(loop_collatz)(const u64 *in, u64 *out)
{
	u64 v = (IN(0) & 0xffff) + 1;
	u32 n, odd = 0;

	for (n = 0; v != 1; n++) {
		if (v & 1) {
			v = 3 * v + 1;
			odd++;
		} else {
			v /= 2;
		}
	}
	OUT(0, n);
	OUT(1, odd);
	OUT(2, v);
	OUT(3, n * odd);
}

KERNEL(loop_breaks)(const u64 *in, u64 *out)
{
	u32 a = (u32)IN(0) & 1023, i, j, n = 0;

	for (i = 0; i < 20; i++) {
		if ((a ^ i) % 7 == 3)
			continue;
		for (j = 0; j < 20; j++) {
			if (i * j > a)
				break;
			if ((i + j + a) % 13 == 0)
				goto end;
			n += i ^ j;
		}
		n = n * 5 + 1;
	}
end:
	OUT(0, n);
	OUT(1, i);
	OUT(2, a);
	OUT(3, i * n);
}

/* two loops that jump into each other */
KERNEL(loop_irreducible)(const u64 *in, u64 *out)
{
	u32 a = (u32)IN(0) & 255, n = 0, steps = 0;

	if (a & 1)
		goto second;
first:
	n += a;
	if (++steps > 50)
		goto end;
	if (n % 3 == 0)
		goto second;
	a = a * 5 + 1;
	goto first;
second:
	n ^= a << 1;
	if (++steps > 60)
		goto end;
	a = a / 2 + 3;
	if (n % 5 != 0)
		goto first;
	goto second;
end:
	OUT(0, n);
	OUT(1, a);
	OUT(2, steps);
	OUT(3, 1);
}

NOINLINE u32
gcd(u32 a, u32 b)
{
	return b ? gcd(b, a % b) : a;
}

KERNEL(call_gcd)(const u64 *in, u64 *out)
{
	OUT(0, gcd((u32)IN(0), (u32)IN(1)));
	OUT(1, gcd((u32)IN(2) & 0xfff0, (u32)IN(3) & 0xffff00));
	OUT(2, gcd(1071, 462));
	OUT(3, gcd((u32)IN(0) & 0xff, 30));
}

NOINLINE u32
fibonacci(u32 n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

KERNEL(call_fibonacci)(const u64 *in, u64 *out)
{
	OUT(0, fibonacci((u32)IN(0) % 9));
	OUT(1, fibonacci((u32)IN(1) % 5));
	OUT(2, IN(0) % 9);
	OUT(3, IN(1) % 5);
}

NOINLINE u32 add(u32 a, u32 b) { return a + b; }
NOINLINE u32 mul(u32 a, u32 b) { return a * b; }
NOINLINE u32 mix(u32 a, u32 b) { return (a ^ b) - (a << 5); }
NOINLINE u32 quotient(u32 a, u32 b) { return a / (b | 1); }

KERNEL(call_pointer)(const u64 *in, u64 *out)
{
	u32 (*const f[4])(u32, u32) = { add, mul, mix, quotient };
	u32 a = (u32)IN(0), b = (u32)IN(1), s = (u32)IN(2), i;

	for (i = 0; i < 4; i++) {
		a = f[s >> 2 * i & 3](a, b);
		OUT(i, a);
	}
}

struct triple { u32 a; u64 b; float c; u8 d[5]; };

NOINLINE struct triple
turn(struct triple t, u32 n)
{
	struct triple r;
	u32 i;

	r.a = (u32)t.b + n;
	r.b = t.a * (u64)n;
	r.c = t.c * 2 + (float)(n & 7);
	for (i = 0; i < 5; i++)
		r.d[i] = (u8)(t.d[4 - i] + n);
	return r;
}

KERNEL(call_struct)(const u64 *in, u64 *out)
{
	struct triple t = { (u32)IN(0), IN(1), 1.25f, { 1, 2, 3, 4, 5 } };
	u32 i;

	for (i = 0; i < 4; i++) {
		t = turn(t, (u32)IN(2) + i);
		OUT(i, t.a ^ t.b ^ b32(t.c) ^ (u64)t.d[i] << 40);
	}
}
