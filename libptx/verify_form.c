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

/* mad.f32 of the first machines rounds as it likes (PTX 9.7.3.7) */
static void
check_mad(const struct check *c)
{
	const char *t;

	t = c->x->target;
	if (!t || strncmp(t, "sm_1", 4) || strspn(t + 3, "0123456789") != 2)
		check_fail(c, "rounding modifier required for instruction "
			"'mad', expected one of '.rn', '.rz', '.rm', '.rp'");
}

static unsigned
element_bits(const struct opnd *o)
{
	uint32_t k;

	for (k = 0; k < o->n; k++)
		if (o->u.list[k].kind == OP_SYM && o->u.list[k].u.sym)
			return type_info[o->u.list[k].u.sym->type].bits;
	return 0;
}

/* the elements fill the scalar; literals take the size of the rest */
static void
check_mov_vector(const struct check *c)
{
	const struct opnd *o;
	unsigned bits, each;

	o = &c->i->u.opnd[c->i->op->id == INSN_MOV_PACK];
	bits = type_info[insn_type(c->i, 0)].bits;
	each = element_bits(o);
	if ((o->n != 2 && o->n != 4) || (each ? each * o->n != bits
	: bits / o->n < 8))
		check_fail(c, "arguments mismatch for instruction 'mov': %u "
			"elements of %u bits do not make '.%s'", o->n, each,
			type_info[insn_type(c->i, 0)].name);
}

/* halves have no second predicate */
static void
check_setp(const struct check *c)
{
	enum type t;

	t = insn_type(c->i, 0);
	if ((t == T_F16 || t == T_BF16) && c->i->u.opnd[0].kind == OP_PAIR)
		check_fail(c, "second predicate not allowed for instruction "
			"'setp' of '.%s'", type_info[t].name);
}

/* the lanes of sparse metadata: as many as hold the bits of one row set */
static void
check_sparse(const struct check *c)
{
	const struct op *op;
	int k, bits, most;

	op = c->i->op;
	for (k = 0; k < op->nword; k++)
		if (sscanf(op->word[k].word, "m16n8k%d", &bits) == 1)
			break;
	bits *= 16;
	if (insn_type(c->i, 1) == T_TF32)
		bits *= 2;
	else if (insn_type(c->i, 1) == T_S4 || insn_type(c->i, 1) == T_U4)
		bits /= 2;
	most = 1024 / bits - 1;
	if (c->i->u.opnd[5].u.i < 0 || c->i->u.opnd[5].u.i > most)
		check_fail(c, "sparsity selector %lld out of range, expected "
			"0 to %d", (long long)c->i->u.opnd[5].u.i, most);
}

/* an arrival on another block's barrier returns no state */
static void
check_arrive(const struct check *c)
{
	if (insn_is(c->i, "space", "shared::cluster")
	&& c->i->u.opnd[0].kind != OP_SINK)
		check_fail(c, "sink '_' expected as destination of instruction "
			"'mbarrier.arrive' with '.shared::cluster'");
}

/* the variable named has to be of the space named */
static void
check_cvta(const struct check *c)
{
	const struct opnd *o;
	const char *space;

	o = &c->i->u.opnd[1];
	space = insn_word(c->i, "space");
	if (o->kind == OP_SYM && o->u.sym && o->u.sym->kind == SYM_VAR
	&& space && space_find(space, strlen(space)) != o->u.sym->space)
		check_fail(c, "state space mismatch between instruction "
			"'cvta' and address '%s'", o->u.sym->name->text);
}

/* a selector of the result leaves no room for a second operation */
static void
check_video(const struct check *c)
{
	const struct opnd *o;
	int k;

	o = c->i->u.opnd;
	for (k = 0; k < c->i->nopnd; k++)
		if (o[k].kind == OP_SYM && o[k].sel > 6)
			check_fail(c, "incorrect video selector for operand "
				"%d", k);
	if (o[0].sel && insn_word(c->i, "op2"))
		check_fail(c, "video instruction cannot have destination "
			"selector and secondary operation");
}

/* vadd2: .h selectors; vadd4: .b; results take masks of the same */
static void
check_simd(const struct check *c)
{
	const struct opnd *o;
	bool halves;
	int k;

	halves = strcspn(c->i->op->name->text, "2") <
		strcspn(c->i->op->name->text, ".");
	for (k = 0; k < c->i->nopnd; k++) {
		o = &c->i->u.opnd[k];
		if (o->kind != OP_SYM || !o->sel || o->sel == (halves ? 7 : 8)
		|| (!k && (halves ? o->sel == 5 || o->sel == 6 : o->sel < 5)))
			continue;
		check_fail(c, "incorrect video selector for operand %d", k);
	}
}

typedef void check_fn(const struct check *);

static check_fn *const by_form[NINSN] = {
	[INSN_CVT_INT] = check_cvt_sat,
	[INSN_CALL] = check_call,
	[INSN_MAD_SM1] = check_mad,
	[INSN_MOV_PACK] = check_mov_vector,
	[INSN_MOV_UNPACK] = check_mov_vector,
	[INSN_CALL_RET] = check_call,
	[INSN_SETP] = check_setp,
	[INSN_SETP_BOOL] = check_setp,
	[INSN_SETP_FTZ] = check_setp,
	[INSN_SETP_FTZ_BOOL] = check_setp,
	[INSN_MMA_SP_F16] = check_sparse,
	[INSN_MMA_SP_BF16] = check_sparse,
	[INSN_MMA_SP_TF32] = check_sparse,
	[INSN_MMA_SP_F8] = check_sparse,
	[INSN_MMA_SP_F8F6F4] = check_sparse,
	[INSN_MMA_SP_S8] = check_sparse,
	[INSN_MMA_SP_S4] = check_sparse,
	[INSN_MBAR_ARRIVE] = check_arrive,
	[INSN_MBAR_ARRIVE_TX] = check_arrive,
	[INSN_MBAR_DROP] = check_arrive,
	[INSN_MBAR_DROP_TX] = check_arrive,
	[INSN_TEX] = check_tex,
	[INSN_TEX_F16X2] = check_tex,
	[INSN_TEX_BASE] = check_tex,
	[INSN_TEX_BASE_F16X2] = check_tex,
	[INSN_TEX_LEVEL] = check_tex,
	[INSN_TEX_LEVEL_F16X2] = check_tex,
	[INSN_TEX_GRAD] = check_tex,
	[INSN_TEX_GRAD_F16X2] = check_tex,
	[INSN_TLD4] = check_tex,
	[INSN_TXQ] = check_tex,
	[INSN_TXQ_LEVEL] = check_tex,
	[INSN_SULD] = check_tex,
	[INSN_SUST] = check_tex,
	[INSN_SUST_P] = check_tex,
	[INSN_SURED] = check_tex,
	[INSN_SURED_P] = check_tex,
	[INSN_SUQ] = check_tex,
	[INSN_VADD] = check_video,
	[INSN_VADD_OP2] = check_video,
	[INSN_VSUB] = check_video,
	[INSN_VSUB_OP2] = check_video,
	[INSN_VABSDIFF] = check_video,
	[INSN_VABSDIFF_OP2] = check_video,
	[INSN_VMIN] = check_video,
	[INSN_VMIN_OP2] = check_video,
	[INSN_VMAX] = check_video,
	[INSN_VMAX_OP2] = check_video,
	[INSN_VSHL] = check_video,
	[INSN_VSHL_OP2] = check_video,
	[INSN_VSHR] = check_video,
	[INSN_VSHR_OP2] = check_video,
	[INSN_VSET] = check_video,
	[INSN_VSET_OP2] = check_video,
	[INSN_VMAD] = check_video,
	[INSN_VMAD_PO] = check_video,
	[INSN_VADD2] = check_simd,
	[INSN_VADD4] = check_simd,
	[INSN_VSUB2] = check_simd,
	[INSN_VSUB4] = check_simd,
	[INSN_VAVRG2] = check_simd,
	[INSN_VAVRG4] = check_simd,
	[INSN_VABSDIFF2] = check_simd,
	[INSN_VABSDIFF4] = check_simd,
	[INSN_VMIN2] = check_simd,
	[INSN_VMIN4] = check_simd,
	[INSN_VMAX2] = check_simd,
	[INSN_VMAX4] = check_simd,
	[INSN_VSET2] = check_simd,
	[INSN_VSET4] = check_simd,
	[INSN_CVTA] = check_cvta,
	[INSN_CVTA_TO] = check_cvta,
};

void
check_form(const struct check *c)
{
	if (by_form[c->i->op->id])
		by_form[c->i->op->id](c);
}
