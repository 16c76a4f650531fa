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

typedef void check_fn(const struct check *);

static check_fn *const by_form[NINSN] = {
	[INSN_CVT_INT]  = check_cvt_sat,
	[INSN_CALL]     = check_call,
	[INSN_CALL_RET] = check_call,
};

void
check_form(const struct check *c)
{
	if (by_form[c->i->op->id])
		by_form[c->i->op->id](c);
}
