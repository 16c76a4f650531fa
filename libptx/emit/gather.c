/* gather.c - elements of a matrix out of the registers of a warp.
 *
 * An element's lane and number are bits of its row and column, which are
 * bits of this lane's number or constants.  Bits that select a register are
 * constants but for m8n8k4 of f16 and movmatrix, where every register that
 * may be meant is fetched and one is taken.
 */
#include "matrix.h"
#include <ctype.h>

bool
kept_find(struct gather *g, uint64_t key, LLVMValueRef *v)
{
	size_t i;

	for (i = 0; i < g->nkept; i++)
		if (g->kept[i].key == key) {
			*v = g->kept[i].v;
			return true;
		}
	return false;
}

LLVMValueRef
kept_add(struct gather *g, uint64_t key, LLVMValueRef v)
{
	if (g->nkept < sizeof g->kept / sizeof *g->kept)
		g->kept[g->nkept++] = (struct kept){ key, v };
	return v;
}

/* the bits of v that mask has, moved up by n */
static LLVMValueRef
move(struct emit *e, LLVMValueRef v, unsigned mask, int n)
{
	LLVMTypeRef i32 = emit_ity(e, 32);

	v = LLVMBuildAnd(e->b, v, emit_k(e, i32, mask), "");
	if (n > 0)
		return LLVMBuildShl(e->b, v, emit_k(e, i32, n), "");
	if (n < 0)
		return LLVMBuildLShr(e->b, v, emit_k(e, i32, -n), "");
	return v;
}

LLVMValueRef
lane_number(struct emit *e, LLVMValueRef lane, const uint8_t *bit, int n)
{
	LLVMValueRef v;
	unsigned mask, fixed;
	int i, by;

	for (i = 0, fixed = 0; i < n; i++)
		if (bit[i] == COORD_1)
			fixed |= 1u << i;
	v = emit_k(e, emit_ity(e, 32), fixed);
	for (by = -FRAG_LANE_BITS; by < n; by++) {
		for (i = 0, mask = 0; i < n; i++)
			if (bit[i] < FRAG_LANE_BITS && i - bit[i] == by)
				mask |= 1u << bit[i];
		if (mask)
			v = LLVMBuildOr(e->b, move(e, lane, mask, by), v, "");
	}
	return v;
}

/* lanes to fetch from: as a number, and for each lane */
struct source {
	LLVMValueRef number;
	uint8_t of[1 << FRAG_LANE_BITS];
};

static struct source
source(struct emit *e, LLVMValueRef lane, const uint8_t *bit)
{
	struct source s = { .number = lane_number(e, lane, bit,
		FRAG_LANE_BITS) };
	unsigned l, i, b;

	for (l = 0; l < 1u << FRAG_LANE_BITS; l++)
		for (i = 0; i < FRAG_LANE_BITS; i++) {
			b = bit[i] < FRAG_LANE_BITS ? l >> bit[i] & 1
				: bit[i] == COORD_1;
			s.of[l] |= (uint8_t)(b << i);
		}
	return s;
}

static LLVMValueRef
fetch_word(struct emit *e, const struct source *s, LLVMValueRef v)
{
	LLVMValueRef got = e->t->permute(e, v, s->of);

	return got ? got : e->t->shuffle(e, v, s->number);
}

/* an integer of whole words */
static LLVMValueRef
fetch_words(struct emit *e, const struct source *s, LLVMValueRef v)
{
	LLVMTypeRef ty = LLVMTypeOf(v), i32 = emit_ity(e, 32);
	LLVMValueRef sum, part, by;
	unsigned at, bits;

	if (ty == i32)
		return fetch_word(e, s, v);
	bits = (unsigned)LLVMSizeOfTypeInBits(e->layout, ty) / e->lanes;
	sum = emit_k(e, ty, 0);
	for (at = 0; at < bits; at += 32) {
		by = emit_k(e, ty, at);
		part = LLVMBuildLShr(e->b, v, by, "");
		part = LLVMBuildTrunc(e->b, part, i32, "");
		part = fetch_word(e, s, part);
		part = LLVMBuildZExt(e->b, part, ty, "");
		part = LLVMBuildShl(e->b, part, by, "");
		sum = LLVMBuildOr(e->b, sum, part, "");
	}
	return sum;
}

LLVMValueRef
lane_fetch(struct emit *e, LLVMValueRef lane, const uint8_t *bit,
	LLVMValueRef v)
{
	struct source s = source(e, lane, bit);
	LLVMTypeRef ty = LLVMTypeOf(v);
	unsigned bits;

	if (LLVMGetTypeKind(ty) != LLVMPointerTypeKind)
		return fetch_words(e, &s, v);
	bits = 8 * LLVMPointerSizeForAS(e->layout,
		LLVMGetPointerAddressSpace(ty));
	v = LLVMBuildPtrToInt(e->b, v, emit_ity(e, bits), "");
	return LLVMBuildIntToPtr(e->b, fetch_words(e, &s, v), ty, "");
}

/* where an element stands: bits of its lane's and of its own number */
struct place {
	uint8_t lane[FRAG_LANE_BITS], elem[FRAG_ELEM_BITS];
};

static void
put(struct place *p, const char *place, struct coord c)
{
	int i;

	for (i = 0; place[i]; i++)
		if (isdigit((unsigned char)place[i]))
			p->lane[place[i] - '0'] = c.bit[i];
		else
			p->elem[place[i] - 'a'] = c.bit[i];
}

static struct place
locate(const struct frag *f, struct coord row, struct coord col)
{
	struct place p;
	uint8_t i;

	for (i = 0; i < FRAG_LANE_BITS; i++)
		p.lane[i] = i;
	for (i = 0; i < FRAG_ELEM_BITS; i++)
		p.elem[i] = COORD_0;
	put(&p, f->rows, row);
	put(&p, f->cols, col);
	return p;
}

/* register r of the lane at p */
static LLVMValueRef
fetch(struct gather *g, enum frag_operand which, const struct place *p,
	unsigned r)
{
	uint64_t key = 1 + which;
	LLVMValueRef v = g->reg[which][r];
	bool own = true;
	int i;

	for (i = 0; i < FRAG_LANE_BITS; i++) {
		own &= p->lane[i] == i;
		key = key << 3 | p->lane[i];
	}
	key = key << 8 | r;
	if (own || kept_find(g, key, &v))
		return v;
	return kept_add(g, key, lane_fetch(g->e, g->lane, p->lane, v));
}

/* the register whose number's bits from the i-th on stand in p, the lower
 * ones in r */
static LLVMValueRef
pick(struct gather *g, enum frag_operand which, const struct place *p,
	int sub, int i, unsigned r)
{
	struct emit *e = g->e;
	LLVMTypeRef i32 = emit_ity(e, 32);
	LLVMValueRef zero, one, is;

	if (sub + i == FRAG_ELEM_BITS)
		return fetch(g, which, p, r);
	if (p->elem[sub + i] == COORD_0)
		return pick(g, which, p, sub, i + 1, r);
	one = pick(g, which, p, sub, i + 1, r | 1u << i);
	if (p->elem[sub + i] == COORD_1)
		return one;
	zero = pick(g, which, p, sub, i + 1, r);
	is = move(e, g->lane, 1u << p->elem[sub + i], 0);
	is = LLVMBuildICmp(e->b, LLVMIntNE, is, emit_k(e, i32, 0), "");
	return LLVMBuildSelect(e->b, is, one, zero, "");
}

LLVMValueRef
gather(struct gather *g, enum frag_operand which, struct coord row,
	struct coord col)
{
	struct emit *e = g->e;
	struct place p = locate(g->frag[which], row, col);
	LLVMValueRef v, by;
	int i, sub;

	for (sub = 0; g->bits[which] << sub < 32; sub++)
		;
	v = pick(g, which, &p, sub, 0, 0);
	for (i = 0; i < sub && p.elem[i] == COORD_0; i++)
		;
	if (i == sub)
		return v;
	by = lane_number(e, g->lane, p.elem, sub);
	by = LLVMBuildMul(e->b, by,
		emit_k(e, LLVMTypeOf(by), g->bits[which]), "");
	return LLVMBuildLShr(e->b, v, by, "");
}
