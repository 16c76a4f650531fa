/* widen_shape.c - the analysis: which shape has each part of each value.
 *
 * Shapes start as good as the operands known so far allow and get worse until
 * nothing changes.  A worse condition lets lanes part where they were thought
 * to stay together, which makes the phis where they meet varying; so shapes
 * and the flow of lanes are found in turn.
 */
#include "widen_int.h"

#include <string.h>

static const struct widen_row opcode[] = {
#define OPCODE(op, shape, how) [op] = { 0, shape_##shape, widen_##how },
#define CALL(name, shape, how)
#include "widen.def"
#undef OPCODE
#undef CALL
};

static const struct widen_row call[] = {
#define OPCODE(op, shape, how)
#define CALL(name, shape, how) { name, shape_##shape, widen_##how },
#include "widen.def"
#undef OPCODE
#undef CALL
};

enum { NOPCODE = sizeof opcode / sizeof *opcode,
	NCALL = sizeof call / sizeof *call };

/* does row r stand for a function of this name? */
static bool
fits(const struct widen_row *r, const char *name)
{
	size_t n = strlen(r->name);

	return !strncmp(r->name, name, n) && (!name[n] || name[n] == '.');
}

static const struct widen_row *
find_call(LLVMValueRef insn)
{
	static const struct widen_row other = { 0, shape_call, widen_call };
	const struct widen_row *best = 0;
	LLVMValueRef fn = LLVMGetCalledValue(insn);
	const char *name;
	size_t i, n;

	if (!LLVMIsAFunction(fn) || !LLVMIsDeclaration(fn))
		return &other;
	name = LLVMGetValueName2(fn, &n);
	for (i = 0; i < NCALL; i++)
		if (fits(&call[i], name) && (!best
		|| strlen(best->name) < strlen(call[i].name)))
			best = &call[i];
	return best;
}

const struct widen_row *
widen_row(struct widen *w, LLVMValueRef insn)
{
	struct widen_value *v = widen_value(w, insn);
	LLVMOpcode op;

	if (v->row)
		return v->row;
	op = LLVMGetInstructionOpcode(insn);
	if (op == LLVMCall)
		v->row = find_call(insn);
	else if ((size_t)op < NOPCODE && opcode[op].how)
		v->row = &opcode[op];
	if (!v->row)
		widen_refuse(w, insn, "no vector form");
	return v->row;
}

bool
shape_same(struct shape a, struct shape b)
{
	return a.seg == b.seg && a.stride == b.stride && a.zeros == b.zeros
		&& a.maybe == b.maybe && a.jump == b.jump;
}

/* shared memory is aligned to 128 bytes */
struct shape
shape_in_shared(struct shape s)
{
	if (s.zeros > 7)
		s.zeros = 7;
	return s;
}

/* low bits of v that are 0 */
static uint8_t
zeros(int64_t v)
{
	return v ? (uint8_t)__builtin_ctzll((uint64_t)v) : 63;
}

struct shape
shape_cut(struct shape s, unsigned seg)
{
	uint8_t z;

	if (!s.seg || s.seg >= seg)
		return s;
	z = zeros(s.stride * (LANES / (int)seg));
	s.seg = (uint8_t)seg;
	if (z < s.zeros)
		s.zeros = z;
	return s;
}

struct shape
shape_join(struct shape a, struct shape b)
{
	unsigned seg = a.seg > b.seg ? a.seg : b.seg;

	if (!a.seg || !b.seg || a.stride != b.stride
	|| (a.maybe && b.maybe && a.jump != b.jump))
		return VARYING;
	a = shape_cut(a, seg);
	b = shape_cut(b, seg);
	if (b.zeros < a.zeros)
		a.zeros = b.zeros;
	a.jump = a.maybe ? a.jump : b.jump;
	a.maybe |= b.maybe;
	return a;
}

struct shape
shape_uniform(struct widen *w, LLVMValueRef insn, unsigned part)
{
	(void)w, (void)insn, (void)part;
	return UNIFORM;
}

struct shape
shape_varying(struct widen *w, LLVMValueRef insn, unsigned part)
{
	(void)w, (void)insn, (void)part;
	return VARYING;
}

/* of operand v with n parts, all or that one */
static struct shape
operand(struct widen *w, LLVMValueRef v, unsigned part, bool all)
{
	unsigned n = widen_parts(w, LLVMTypeOf(v)), i;
	struct shape s = UNIFORM, t;

	for (i = 0; i < n; i++) {
		if (!all && n > 1 && i != part)
			continue;
		t = widen_shape(w, v, i);
		if (!t.seg || t.stride)
			return VARYING;
		s.zeros = 0;
		if (t.seg > s.seg)
			s.seg = t.seg;
	}
	return s;
}

/* how many operands are values, not blocks or the callee */
static unsigned
count_operands(LLVMValueRef insn)
{
	return LLVMIsACallInst(insn) ? LLVMGetNumArgOperands(insn)
		: (unsigned)LLVMGetNumOperands(insn);
}

static struct shape
like(struct widen *w, LLVMValueRef insn, unsigned part, bool all)
{
	struct shape s = UNIFORM, t;
	unsigned i, n = count_operands(insn);

	for (i = 0; i < n; i++) {
		t = operand(w, LLVMGetOperand(insn, i), part, all);
		if (!t.seg)
			return VARYING;
		if (t.seg > s.seg)
			s.seg = t.seg;
	}
	return s;
}

struct shape
shape_like(struct widen *w, LLVMValueRef insn, unsigned part)
{
	return like(w, insn, part, false);
}

struct shape
shape_mixed(struct widen *w, LLVMValueRef insn, unsigned part)
{
	(void)part;
	return like(w, insn, 0, true);
}

static struct shape
phi(struct widen *w, LLVMValueRef insn, unsigned part)
{
	struct shape s = UNIFORM, t;
	unsigned i, n = LLVMCountIncoming(insn);
	LLVMValueRef v;
	bool any = false;

	if (widen_value(w, insn)->home->merged)
		return VARYING;
	for (i = 0; i < n; i++) {
		v = LLVMGetIncomingValue(insn, i);
		if (!LLVMIsConstant(v)
		&& !widen_value(w, v)->part[part].known)
			continue;
		t = widen_shape(w, v, part);
		s = any ? shape_join(s, t) : t;
		any = true;
	}
	return s;
}

/* is it a load of launch.ntid[0]? */
static bool
is_ntid_x(struct widen *w, LLVMValueRef load)
{
	LLVMValueRef p = LLVMGetOperand(load, 0), off;
	uint64_t at = 0;

	if (LLVMTypeOf(load) != w->i32)
		return false;
	if (LLVMIsAGetElementPtrInst(p)) {
		off = LLVMGetOperand(p, 1);
		if (LLVMGetNumOperands(p) != 2 || !LLVMIsAConstantInt(off)
		|| LLVMGetGEPSourceElementType(p) != w->i8)
			return false;
		at = LLVMConstIntGetZExtValue(off);
		p = LLVMGetOperand(p, 0);
	}
	return p == LLVMGetParam(w->from, 0)
		&& at == (w->kernel ? w->launch : 0);
}

/* the form of the block tells something of its width */
static struct shape
known_width(struct widen *w, struct shape s)
{
	if (w->form.form == HOST_SHORT)
		s.zeros = w->form.log2x;
	else if (w->form.form == HOST_ROWS && w->form.full)
		s.zeros = 5;
	return s;
}

/* the shape that insn has now; of a dispatched function only what is always
 * the same can be the same in lanes that come at different times */
static struct shape
current(struct widen *w, struct widen_value *v, unsigned part)
{
	const struct widen_row *row;
	struct shape s;

	if (w->dispatched && v->crosses && !v->fixed)
		return VARYING;
	if (LLVMIsAPHINode(v->scalar))
		return phi(w, v->scalar, part);
	row = widen_row(w, v->scalar);
	s = row ? row->shape(w, v->scalar, part) : VARYING;
	if (s.seg && LLVMIsALoadInst(v->scalar) && is_ntid_x(w, v->scalar))
		s = known_width(w, s);
	return s;
}

static bool
update(struct widen *w, LLVMValueRef insn)
{
	struct widen_value *v = widen_value(w, insn);
	struct shape s;
	unsigned i;
	bool more = false;

	for (i = 0; i < v->nparts; i++) {
		s = current(w, v, i);
		if (v->part[i].known)
			s = shape_join(s, v->part[i].shape);
		more |= !v->part[i].known || !shape_same(s, v->part[i].shape);
		v->part[i].shape = s;
		v->part[i].known = true;
	}
	return more;
}

/* is v, an incoming value of a phi, used where another block ends? */
static bool
comes_from_elsewhere(LLVMValueRef phi_, LLVMValueRef v,
	LLVMBasicBlockRef home)
{
	unsigned i, n = LLVMCountIncoming(phi_);

	for (i = 0; i < n; i++)
		if (LLVMGetIncomingValue(phi_, i) == v
		&& LLVMGetIncomingBlock(phi_, i) != home)
			return true;
	return false;
}

/* a local variable is asked for wherever an address in it is used: its lanes
 * may be interleaved */
static bool
crosses(LLVMValueRef insn)
{
	LLVMBasicBlockRef home = LLVMGetInstructionParent(insn);
	LLVMUseRef u;
	LLVMValueRef user;

	if (LLVMIsAAllocaInst(insn))
		return true;
	for (u = LLVMGetFirstUse(insn); u; u = LLVMGetNextUse(u)) {
		user = LLVMGetUser(u);
		if (LLVMIsAPHINode(user)
			? comes_from_elsewhere(user, insn, home)
			: LLVMGetInstructionParent(user) != home)
			return true;
	}
	return false;
}

static bool
is_fixed_operand(struct widen *w, LLVMValueRef v)
{
	return LLVMIsConstant(v) || LLVMIsAArgument(v)
		|| (LLVMIsAInstruction(v) && widen_value(w, v)->fixed);
}

/* readnone markers of the launch and of the lane, arithmetic of such */
static bool
is_fixed(struct widen *w, LLVMValueRef insn)
{
	static const char *const marker[] = { "ptx.laneid", "ptx.tid",
		"ptx.ctaid" };
	unsigned i, n = count_operands(insn);
	LLVMOpcode op = LLVMGetInstructionOpcode(insn);
	const struct widen_row *row;
	bool pure = false;

	if (op == LLVMPHI || op == LLVMStore || op == LLVMAlloca
	|| (op == LLVMLoad && !LLVMGetMetadata(insn,
	    LLVMGetMDKindIDInContext(w->c, "invariant.load", 14))))
		return false;
	row = op == LLVMCall ? widen_row(w, insn) : 0;
	for (i = 0; row && row->name && i < 3; i++)
		pure |= !strcmp(row->name, marker[i]);
	if (op == LLVMCall && !pure)
		return false;
	for (i = 0; i < n; i++)
		if (!LLVMValueIsBasicBlock(LLVMGetOperand(insn, i))
		&& !is_fixed_operand(w, LLVMGetOperand(insn, i)))
			return false;
	return true;
}

static void
prepare(struct widen *w)
{
	struct widen_value *v;
	LLVMValueRef i;
	unsigned k;

	for (k = 0; k < w->nblock; k++)
		for (i = LLVMGetFirstInstruction(w->block[k].from); i;
		i = LLVMGetNextInstruction(i)) {
			v = widen_value(w, i);
			v->crosses = crosses(i);
			v->fixed = k == 0 || is_fixed(w, i);
		}
}

static bool
sweep(struct widen *w)
{
	LLVMValueRef i;
	bool more = false;
	unsigned k;

	for (k = 0; k < w->nblock; k++)
		for (i = LLVMGetFirstInstruction(w->block[k].from);
		i && !w->refused; i = LLVMGetNextInstruction(i))
			more |= update(w, i);
	return more;
}

void
widen_analyse(struct widen *w)
{
	prepare(w);
	do
		while (sweep(w))
			;
	while (widen_flow(w) && !w->refused);
}
