/* verify_form.c - what no row can say, by form. */
#include "verify_int.h"
#include <string.h>

/* .sat between integers has to be able to saturate */
static void
check_cvt_sat(const struct check *c)
{
	const struct type_info *d, *a;
	bool holds;

	if (!insn_has(c->i, "sat"))
		return;
	d = &type_info[insn_type(c->i, 0)];
	a = &type_info[insn_type(c->i, 1)];
	if (d->kind == a->kind)
		holds = d->bits >= a->bits;
	else
		holds = d->kind == 's' && d->bits > a->bits;
	if (holds)
		check_fail(c, "illegal modifier '.sat' for instruction 'cvt': "
			"'.%s' holds every '.%s'", d->name, a->name);
}

/* the comparisons that a kind of type has (PTX 9.3.1) */
static bool
compares(const struct type_info *t, const char *cmp)
{
	static const struct { const char *word, *kinds; } table[] = {
		{ "eq", "busf" }, { "ne", "busf" }, { "lt", "usf" },
		{ "le", "usf" }, { "gt", "usf" }, { "ge", "usf" },
		{ "lo", "u" }, { "ls", "u" }, { "hi", "u" }, { "hs", "u" },
	};
	size_t k;

	for (k = 0; k < sizeof table / sizeof *table; k++)
		if (!strcmp(table[k].word, cmp))
			return strchr(table[k].kinds, t->kind);
	return t->kind == 'f';
}

static void
check_cmp(const struct check *c)
{
	const struct type_info *t;
	const char *cmp;

	t = &type_info[c->i->op->type[c->i->op->ntype - 1]];
	cmp = insn_word(c->i, "cmp");
	if (!compares(t, cmp))
		check_fail(c, "mismatch between instruction type '.%s' and "
			"comparison qualifier '.%s'", t->name, cmp);
}

static void
check_set_f16(const struct check *c)
{
	enum type t;

	check_cmp(c);
	t = insn_type(c->i, 1);
	if (insn_has(c->i, "ftz") && t != T_F16 && t != T_F32)
		check_fail(c, "illegal modifier '.ftz' for instruction 'set' "
			"of '.%s'", type_info[t].name);
}

static void
check_setp(const struct check *c)
{
	enum type t;

	check_cmp(c);
	t = insn_type(c->i, 0);
	if ((t == T_F16 || t == T_BF16) && c->i->u.opnd[0].kind == OP_PAIR)
		check_fail(c, "second predicate not allowed for instruction "
			"'setp' of '.%s'", type_info[t].name);
}

typedef void check_fn(const struct check *);

static check_fn *const by_form[NINSN] = {
	[INSN_CVT_INT]  = check_cvt_sat,
	[INSN_CALL] = check_call,
	[INSN_CALL_RET] = check_call,
	[INSN_SET] = check_cmp,
	[INSN_SET_BOOL] = check_cmp,
	[INSN_SET_F32] = check_cmp,
	[INSN_SET_F32_BOOL] = check_cmp,
	[INSN_SET_TO_BF16] = check_cmp,
	[INSN_SET_TO_BF16_BOOL] = check_cmp,
	[INSN_SET_F16] = check_cmp,
	[INSN_SET_F16_BOOL] = check_cmp,
	[INSN_SET_BF16] = check_cmp,
	[INSN_SET_BF16_BOOL] = check_cmp,
	[INSN_SET_F16X2] = check_cmp,
	[INSN_SET_F16X2_BOOL] = check_cmp,
	[INSN_SET_BF16X2] = check_cmp,
	[INSN_SET_BF16X2_BOOL] = check_cmp,
	[INSN_SET_TO_F16] = check_set_f16,
	[INSN_SET_TO_F16_BOOL] = check_set_f16,
	[INSN_SETP] = check_setp,
	[INSN_SETP_BOOL] = check_setp,
	[INSN_SETP_FTZ] = check_setp,
	[INSN_SETP_FTZ_BOOL] = check_setp,
	[INSN_SETP_F16X2] = check_setp,
	[INSN_SETP_F16X2_BOOL] = check_setp,
	[INSN_SETP_BF16X2] = check_setp,
	[INSN_SETP_BF16X2_BOOL] = check_setp,
};

void
check_form(const struct check *c)
{
	if (by_form[c->i->op->id])
		by_form[c->i->op->id](c);
}
