/* ftz.c - may the machine's mode flush subnormals for a whole unit?
 *
 * PTX says .ftz instruction by instruction; the machine flushes in a mode.
 * Where every f32 operation of a unit that would tell the difference has
 * .ftz, the mode is set and costs nothing; elsewhere flushes are emitted.
 */
#include "emit_int.h"

#include <string.h>

/* the first words of instructions that only move bits */
static const char *const moves[] = {
	"ld", "ldu", "st", "mov", "selp", "copysign", "testp", "shfl", 0,
};

static bool
is_move(const struct insn *i)
{
	const char *name;
	size_t n;
	int k;

	name = i->op->name->text;
	n = strcspn(name, ".");
	for (k = 0; moves[k]; k++)
		if (strlen(moves[k]) == n && !memcmp(moves[k], name, n))
			return true;
	return false;
}

/* does i compute in f32?  So do bf16, and f64 on the way to f16. */
static bool
has_f32(const struct insn *i)
{
	enum type t;
	int k;

	for (k = 0; (t = insn_type(i, k)); k++)
		if (t == T_F32 || t == T_F32X2 || t == T_TF32
		|| t == T_BF16 || t == T_BF16X2 || (t == T_F64 && k > 0))
			return true;
	return false;
}

/* what a directed rounding leaves out may be subnormal; see eft.c */
static bool
is_directed(const struct insn *i)
{
	return insn_has(i, "rz") || insn_has(i, "rm") || insn_has(i, "rp");
}

/* conversions to f32 whose results are never subnormal */
static bool
is_normal(const struct insn *i)
{
	enum type from;

	from = insn_type(i, 1);
	return insn_type(i, 0) == T_F32 && from
		&& (from == T_F16 || type_info[from].kind != 'f')
		&& !memcmp(i->op->name->text, "cvt.", 4);
}

/* what a texture gives may be floats, whatever type i calls them */
static bool
is_texture(const struct insn *i)
{
	return !memcmp(i->op->name->text, "tex.", 4)
		|| !memcmp(i->op->name->text, "tld4", 4);
}

/* does f need subnormals somewhere?  flushes counts what does not */
static bool
needs_subnormals(const struct func *f, unsigned *flushes)
{
	const struct insn *i;

	for (i = f->first; i; i = i->next) {
		if (i->kind == STMT_INSN && is_texture(i))
			return true;
		if (i->kind != STMT_INSN || !has_f32(i))
			continue;
		if (insn_has(i, "ftz") && !is_directed(i))
			++*flushes;
		else if (!is_move(i) && !is_normal(i))
			return true;
	}
	return false;
}

bool
unit_flushes(const struct unit *u)
{
	unsigned flushes;
	size_t i;

	flushes = 0;
	for (i = 0; i < u->nkernel; i++)
		if (needs_subnormals(u->kernel[i], &flushes))
			return false;
	for (i = 0; i < u->nfunc; i++)
		if (needs_subnormals(u->func[i], &flushes))
			return false;
	return flushes != 0;
}
