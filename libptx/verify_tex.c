/* verify_tex.c - textures and surfaces (PTX 9.7.10, 9.7.11).
 *
 * Coordinates are vectors of 1, 2 or 4; what a geometry does not use is
 * ignored.  With an array index or a sample number in front they are of
 * mixed types and stand in untyped registers.
 */
#include "verify_int.h"
#include <string.h>

static const struct geometry {
	const char *word;
	uint8_t coords, offsets, gradient; /* at least; 0: not allowed */
	bool mixed, depth, integers, floats;
} geometry[] = {
	{ "1d",    1, 1, 1, false, true,  true,  true  },
	{ "2d",    2, 2, 2, false, true,  true,  true  },
	{ "3d",    4, 4, 4, false, false, true,  true  },
	{ "a1d",   2, 1, 1, true,  true,  true,  true  },
	{ "a2d",   4, 2, 2, true,  true,  true,  true  },
	{ "cube",  4, 0, 1, false, true,  false, true  },
	{ "acube", 4, 0, 1, true,  true,  false, true  },
	{ "2dms",  4, 2, 0, true,  false, true,  false },
	{ "a2dms", 4, 2, 0, true,  false, true,  false },
};

static const struct geometry *
find_geometry(const struct check *c)
{
	const char *geom;
	size_t k;

	geom = insn_word(c->i, "geom");
	for (k = 0; geom && k < sizeof geometry / sizeof *geometry; k++)
		if (!strcmp(geometry[k].word, geom))
			return &geometry[k];
	return 0;
}

static uint32_t
length(const struct opnd *o)
{
	return o->kind == OP_VEC ? o->n : 1;
}

static bool
is_length(uint32_t n)
{
	return n == 1 || n == 2 || n == 4;
}

/* what has to be a vector of n or a longer one */
static void
check_length(const struct check *c, const struct opnd *o, uint32_t n,
	const char *what)
{
	char root[32];

	if (!o)
		return;
	check_root(c, root, sizeof root);
	if (!n)
		check_fail(c, "%s not allowed for instruction '%s' with "
			"geometry '.%s'", what, root, insn_word(c->i, "geom"));
	else if (!is_length(length(o)) || length(o) < n)
		check_fail(c, "%u %s do not match geometry '.%s' of "
			"instruction '%s', expected %u", length(o), what,
			insn_word(c->i, "geom"), root, n);
}

/* derivatives are exactly as many, but for those of cubes */
static void
check_gradient(const struct check *c, const struct opnd *o,
	const struct geometry *g)
{
	check_length(c, o, g->gradient, "derivatives");
	if (o && g->offsets && length(o) != g->gradient)
		check_fail(c, "%u derivatives do not match geometry '.%s', "
			"expected %u", length(o), g->word, g->gradient);
}

static void
check_coord(const struct check *c, const struct opnd *o, enum type want)
{
	const struct opnd *list;
	const struct sym *y;
	uint32_t k;

	list = o->kind == OP_VEC ? o->u.list : o;
	for (k = 0; k < length(o); k++) {
		y = list[k].kind == OP_SYM ? list[k].u.sym : 0;
		if (y && (y->kind != SYM_REG || !type_accepts(want,
		(enum type)y->type, false)))
			check_fail(c, "coordinate '%s' is not of type '.%s'",
				y->name->text, type_info[want].name);
	}
}

/* a texture is named, or its handle is in a register */
static void
check_object(const struct check *c, const struct opnd *o, enum type type)
{
	const struct sym *y;

	y = o->kind == OP_SYM ? o->u.sym : 0;
	if (y && y->kind == SYM_REG && type_info[y->type].bits == 64
	&& type_info[y->type].kind != 'f')
		return;
	if (y && y->kind == SYM_VAR && (y->type == type || y->space == TEX))
		return;
	check_fail(c, "'.%s' expected, or a register of 64 bits",
		type_info[type].name);
}

static enum type
object_type(const struct check *c)
{
	const char *query;

	query = insn_word(c->i, "query");
	if (c->i->op->name->text[0] == 's')
		return T_SURFREF;
	if (query && !strcmp(query, "force_unnormalized_coords"))
		return T_SAMPLERREF;
	return T_TEXREF;
}

static enum type
coord_type(const struct check *c, const struct geometry *g)
{
	const struct op *op;

	op = c->i->op;
	if (g->mixed || op->name->text[0] == 's')
		return op->name->text[0] == 's' ? T_U32 : T_B32;
	return op->type[op->ntype - 1] == T_F32 ? T_F32 : T_S32;
}

static void
check_kinds(const struct check *c, const struct geometry *g)
{
	const struct op *op;
	enum type t;

	op = c->i->op;
	t = (enum type)op->type[op->ntype - 1];
	if (op->name->text[0] == 's')
		return;
	if (t == T_F32 ? !g->floats : !g->integers)
		check_fail(c, "%s coordinates required with geometry '.%s'",
			g->floats ? "floating-point" : "integer", g->word);
	if (check_operand(c, "depth") && (!g->depth || t != T_F32))
		check_fail(c, "depth comparison not allowed with geometry "
			"'.%s' and coordinates of '.%s'", g->word,
			type_info[t].name);
}

void
check_tex(const struct check *c)
{
	const struct opnd *a, *coord;
	const struct geometry *g;

	a = check_operand(c, "a");
	check_object(c, &a->u.list[0], object_type(c));
	if (a->n == 3)
		check_object(c, &a->u.list[1], T_SAMPLERREF);
	g = find_geometry(c);
	if (!g)
		return;
	coord = &a->u.list[a->n - 1];
	check_length(c, coord, g->coords, "coordinates");
	check_coord(c, coord, coord_type(c, g));
	check_length(c, check_operand(c, "e"), g->offsets, "offsets");
	check_gradient(c, check_operand(c, "x"), g);
	check_gradient(c, check_operand(c, "y"), g);
	check_kinds(c, g);
}
