/* row.h - what the parameters of a row of cuda.def are made into.
 *
 *	ROW_DECLARE (CUdevice, dev, int, n)   CUdevice dev, int n
 *	ROW_NAMES (CUdevice, dev, int, n)     dev, n
 *	ROW_EACH(F, (CUdevice, dev, int, n))  F(CUdevice, dev) F(int, n)
 *
 * (void) gives void, nothing and nothing.
 */
#ifndef ROW_H
#define ROW_H

#define ROW_DECLARE(...) \
	ROW_PASTE(ROW_D, ROW_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define ROW_NAMES(...) \
	ROW_PASTE(ROW_N, ROW_COUNT(__VA_ARGS__))(__VA_ARGS__)

#define ROW_EACH(f, params) ROW_EACH_(f, ROW_UNWRAP params)
#define ROW_EACH_(f, ...) \
	ROW_PASTE(ROW_E, ROW_COUNT(__VA_ARGS__))(f, __VA_ARGS__)
#define ROW_UNWRAP(...) __VA_ARGS__

#define ROW_PASTE(a, b)  ROW_PASTE_(a, b)
#define ROW_PASTE_(a, b) a##b
#define ROW_COUNT(...) ROW_COUNT_(__VA_ARGS__, \
	32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, \
	16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define ROW_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, \
	q, r, s, t, u, v, w, x, y, z, A, B, C, D, E, F, count, ...) count

#define ROW_D1(v)        v
#define ROW_D2(t, n)     t n
#define ROW_D4(t, n, ...)  t n, ROW_D2(__VA_ARGS__)
#define ROW_D6(t, n, ...)  t n, ROW_D4(__VA_ARGS__)
#define ROW_D8(t, n, ...)  t n, ROW_D6(__VA_ARGS__)
#define ROW_D10(t, n, ...) t n, ROW_D8(__VA_ARGS__)
#define ROW_D12(t, n, ...) t n, ROW_D10(__VA_ARGS__)
#define ROW_D14(t, n, ...) t n, ROW_D12(__VA_ARGS__)
#define ROW_D16(t, n, ...) t n, ROW_D14(__VA_ARGS__)
#define ROW_D18(t, n, ...) t n, ROW_D16(__VA_ARGS__)
#define ROW_D20(t, n, ...) t n, ROW_D18(__VA_ARGS__)
#define ROW_D22(t, n, ...) t n, ROW_D20(__VA_ARGS__)
#define ROW_D24(t, n, ...) t n, ROW_D22(__VA_ARGS__)
#define ROW_D26(t, n, ...) t n, ROW_D24(__VA_ARGS__)
#define ROW_D28(t, n, ...) t n, ROW_D26(__VA_ARGS__)
#define ROW_D30(t, n, ...) t n, ROW_D28(__VA_ARGS__)
#define ROW_D32(t, n, ...) t n, ROW_D30(__VA_ARGS__)

#define ROW_N1(v)
#define ROW_N2(t, n)     n
#define ROW_N4(t, n, ...)  n, ROW_N2(__VA_ARGS__)
#define ROW_N6(t, n, ...)  n, ROW_N4(__VA_ARGS__)
#define ROW_N8(t, n, ...)  n, ROW_N6(__VA_ARGS__)
#define ROW_N10(t, n, ...) n, ROW_N8(__VA_ARGS__)
#define ROW_N12(t, n, ...) n, ROW_N10(__VA_ARGS__)
#define ROW_N14(t, n, ...) n, ROW_N12(__VA_ARGS__)
#define ROW_N16(t, n, ...) n, ROW_N14(__VA_ARGS__)
#define ROW_N18(t, n, ...) n, ROW_N16(__VA_ARGS__)
#define ROW_N20(t, n, ...) n, ROW_N18(__VA_ARGS__)
#define ROW_N22(t, n, ...) n, ROW_N20(__VA_ARGS__)
#define ROW_N24(t, n, ...) n, ROW_N22(__VA_ARGS__)
#define ROW_N26(t, n, ...) n, ROW_N24(__VA_ARGS__)
#define ROW_N28(t, n, ...) n, ROW_N26(__VA_ARGS__)
#define ROW_N30(t, n, ...) n, ROW_N28(__VA_ARGS__)
#define ROW_N32(t, n, ...) n, ROW_N30(__VA_ARGS__)

#define ROW_E1(f, v)
#define ROW_E2(f, t, n)     f(t, n)
#define ROW_E4(f, t, n, ...)  f(t, n) ROW_E2(f, __VA_ARGS__)
#define ROW_E6(f, t, n, ...)  f(t, n) ROW_E4(f, __VA_ARGS__)
#define ROW_E8(f, t, n, ...)  f(t, n) ROW_E6(f, __VA_ARGS__)
#define ROW_E10(f, t, n, ...) f(t, n) ROW_E8(f, __VA_ARGS__)
#define ROW_E12(f, t, n, ...) f(t, n) ROW_E10(f, __VA_ARGS__)
#define ROW_E14(f, t, n, ...) f(t, n) ROW_E12(f, __VA_ARGS__)
#define ROW_E16(f, t, n, ...) f(t, n) ROW_E14(f, __VA_ARGS__)
#define ROW_E18(f, t, n, ...) f(t, n) ROW_E16(f, __VA_ARGS__)
#define ROW_E20(f, t, n, ...) f(t, n) ROW_E18(f, __VA_ARGS__)
#define ROW_E22(f, t, n, ...) f(t, n) ROW_E20(f, __VA_ARGS__)
#define ROW_E24(f, t, n, ...) f(t, n) ROW_E22(f, __VA_ARGS__)
#define ROW_E26(f, t, n, ...) f(t, n) ROW_E24(f, __VA_ARGS__)
#define ROW_E28(f, t, n, ...) f(t, n) ROW_E26(f, __VA_ARGS__)
#define ROW_E30(f, t, n, ...) f(t, n) ROW_E28(f, __VA_ARGS__)
#define ROW_E32(f, t, n, ...) f(t, n) ROW_E30(f, __VA_ARGS__)

#endif
