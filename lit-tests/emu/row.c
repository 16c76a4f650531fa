/* row.c - single instructions of the emulator, from files.
 *
 *	row FILE...
 *
 * A line of a file is a processor and its wave size, "gfx90a 64", or
 *
 *	TEXT | REGISTER=VALUE... => REGISTER=VALUE...
 *
 * an instruction as the disassembler writes it, what is set before and what
 * must be there after.  Registers are v0, a0, s0 (vcc, exec, m0 too), mode
 * and scc; v0@3 is lane 3 of v0, v0 all lanes.  Values are of 32 bits, in
 * hexadecimal or decimal, or floats with an f behind.  All else is 0 before,
 * exec all ones and mode IEEE's with all subnormals.  # begins a comment.
 */
#include "../../emu/emu_int.h"
#include "../../emu/alu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct wave w;
static uint32_t regs[VGPRS][64];
static const char *file;
static unsigned line, failed, passed;

static void
complain(const char *what, const char *of)
{
	printf("%s:%u: %s: %s\n", file, line, what, of);
}

static uint32_t
value(const char *s)
{
	size_t n = strlen(s);

	if (n > 2 && s[n - 1] == 'f' && strncmp(s, "0x", 2))
		return bits32(strtof(s, 0));
	return (uint32_t)strtoll(s, 0, 0);
}

/* the word, or for a row of lanes the first one and their number in *n */
static uint32_t *
find(const char *name, unsigned *n)
{
	static const struct { const char *name; unsigned reg; } named[] = {
		{ "vcc", VCC_REG }, { "vcc_hi", VCC_REG + 1 }, { "m0", M0_REG },
		{ "exec", EXEC_REG }, { "exec_hi", EXEC_REG + 1 },
	};
	size_t i;
	unsigned reg = (unsigned)atoi(name + 1);
	const char *lane = strchr(name, '@');

	*n = 1;
	for (i = 0; i < sizeof named / sizeof *named; i++)
		if (!strcmp(name, named[i].name))
			return &w.s[named[i].reg];
	if (!strcmp(name, "mode"))
		return &w.mode;
	if (!strcmp(name, "scc"))
		return &w.scc;
	if (*name == 's' && reg < SGPRS)
		return &w.s[reg];
	if ((*name != 'v' && *name != 'a') || reg > 255)
		return 0;
	reg += *name == 'a' ? AGPR_REG : 0;
	if (!lane)
		*n = w.size;
	return &regs[reg][lane ? atoi(lane + 1) & 63 : 0];
}

static void
set(char *word)
{
	char *eq = strchr(word, '=');
	unsigned n, i;
	uint32_t *r;

	if (eq)
		*eq = 0;
	r = eq ? find(word, &n) : 0;
	if (!r) {
		complain("not a register", word);
		exit(2);
	}
	for (i = 0; i < n; i++)
		r[i] = value(eq + 1);
}

static bool
holds(char *word)
{
	char *eq = strchr(word, '=');
	unsigned n, i;
	uint32_t *r, want;

	if (eq)
		*eq = 0;
	r = eq ? find(word, &n) : 0;
	if (!r) {
		complain("not a register", word);
		exit(2);
	}
	want = value(eq + 1);
	for (i = 0; i < n; i++)
		if (r[i] != want) {
			printf("%s:%u: %s is 0x%x in lane %u, not 0x%x\n",
				file, line, word, r[i], i, want);
			return false;
		}
	return true;
}

static void
reset(void)
{
	memset(w.s, 0, sizeof w.s);
	memset(regs, 0, sizeof regs);
	w.v = regs;
	w.mode = 0x2f0 | 0x100;
	EXEC(&w) = w.full;
}

static bool
run(const char *text)
{
	struct op o[2] = { 0 };
	char *why = 0;

	if (!op_read(o, text, o + 1, &why)) {
		complain("not read", why ? why : text);
		free(why);
		return false;
	}
	o->text = text;
	o->run(&w, o);
	return true;
}

static void
test(char *text)
{
	char *before = strstr(text, " | "), *after = strstr(text, "=>"), *s;
	bool ok = true;

	if (!before || !after) {
		complain("not a test", text);
		exit(2);
	}
	*before = *after = 0;
	reset();
	for (s = strtok(before + 3, " \t"); s; s = strtok(0, " \t"))
		set(s);
	ok = run(text);
	for (s = strtok(after + 2, " \t\n"); ok && s; s = strtok(0, " \t\n"))
		ok = holds(s);
	passed += ok;
	failed += !ok;
}

static void
read_file(const char *path)
{
	char buf[512], name[32];
	unsigned size;
	FILE *f = fopen(path, "r");

	if (!f) {
		perror(path);
		exit(2);
	}
	file = path;
	for (line = 1; fgets(buf, sizeof buf, f); line++) {
		buf[strcspn(buf, "#\n")] = 0;
		if (sscanf(buf, "gfx%20s %u", name, &size) == 2) {
			memmove(name + 3, name, strlen(name) + 1);
			memcpy(name, "gfx", 3);
			w.gpu = gpu_find(name);
			w.size = size;
			w.full = size == 64 ? UINT64_MAX : UINT32_MAX;
		} else if (buf[strspn(buf, " \t")]) {
			test(buf + strspn(buf, " \t"));
		}
	}
	fclose(f);
}

int
main(int argc, char *argv[])
{
	int a;

	for (a = 1; a < argc; a++)
		read_file(argv[a]);
	printf("%u instructions right, %u wrong\n", passed, failed);
	return failed != 0;
}
