/* texture_query.c - txq, suq, istypep (PTX 9.7.10.5, 9.7.11.5, 9.7.10.6). */
#include "texture_int.h"
#include "texture.h"

#include <stddef.h>
#include <string.h>

/* what the descriptor has as it is */
static const struct {
	const char *query;
	size_t offset;
} field[] = {
	{ "channel_data_type", offsetof(struct texture, data_type) },
	{ "channel_order", offsetof(struct texture, order) },
	{ "array_size", offsetof(struct texture, layers) },
	{ "num_mipmap_levels", offsetof(struct texture, levels) },
};

static LLVMValueRef
load(struct emit *e, LLVMValueRef handle, size_t offset)
{
	LLVMValueRef v;

	v = LLVMBuildAdd(e->b, handle, emit_k(e, emit_ity(e, 64),
		(int64_t)offset), "");
	v = LLVMBuildLoad2(e->b, emit_ity(e, 32), LLVMBuildIntToPtr(e->b, v,
		LLVMPointerTypeInContext(e->c, e->t->space[CONST]), ""), "");
	LLVMSetAlignment(v, 4);
	emit_invariant(e, v);
	return v;
}

/* ".width" and so on, of a level (an i32); surface: suq asks */
static LLVMValueRef
extent(struct emit *e, const char *query, LLVMValueRef handle,
	LLVMValueRef level, int surface)
{
	static const char *const words[] = { "width", "height", "depth" };
	LLVMValueRef arg[] = { handle, level,
		emit_k(e, emit_ity(e, 32), surface) };
	static const char *const names[] = {
		"__ptxamd_width", "__ptxamd_height", "__ptxamd_depth",
	};
	int k;

	for (k = 0; k < 3; k++)
		if (!strcmp(words[k], query))
			return texture_inline(e, names[k], arg, 3);
	return 0;
}

/* with: suq */
void
emit_txq(struct emit *e, const struct insn *i, int with)
{
	const char *query = insn_word(i, "query");
	LLVMValueRef v, handle, level;
	size_t k;

	handle = texture_handle(e, i->u.opnd[1].kind == OP_ADDR
		? &i->u.opnd[1].u.list[0] : &i->u.opnd[1]);
	level = i->op->id == INSN_TXQ_LEVEL ? emit_read(e, &i->u.opnd[2],
		T_U32) : emit_k(e, emit_ity(e, 32), 0);
	v = extent(e, query, handle, level, with);
	for (k = 0; k < sizeof field / sizeof *field; k++)
		if (!strcmp(field[k].query, query))
			v = load(e, handle, field[k].offset);
	if (!strcmp(query, "normalized_coords")) {
		v = LLVMBuildAnd(e->b, load(e, handle, offsetof(struct
			texture, flags)), emit_k(e, emit_ity(e, 32),
			TEXTURE_NORMALIZED), "");
		v = LLVMBuildZExt(e->b, LLVMBuildIsNotNull(e->b, v, ""),
			emit_ity(e, 32), "");
	}
	if (v)
		emit_write(e, &i->u.opnd[0], T_B32, v);
	else
		emit_refuse(e, "the query is not translated");
}

/* a variable says what it is; what a handle in a register is of, nothing */
void
emit_istypep(struct emit *e, const struct insn *i, int with)
{
	const struct opnd *a = &i->u.opnd[1];
	const char *type = insn_word(i, "type");

	(void)with;
	if (a->kind != OP_SYM || a->u.sym->kind != SYM_VAR) {
		emit_refuse(e, "of a handle in a register is not known");
		return;
	}
	emit_write(e, &i->u.opnd[0], T_PRED, emit_k(e, emit_ity(e, 1),
		!strcmp(type_info[a->u.sym->type].name, type)));
}
