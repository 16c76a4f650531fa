/* gram.y - the grammar of PTX.
 *
 * Shapes only: an instruction is a name and operands.  What instructions
 * there are is grammar/ptx.def; no rule changes when one is added.  Braces
 * are statements of their own, so that depth costs no stack and one that is
 * missing spoils nothing after it.  Operands are pushed on the parser's
 * stack by the actions; a list's value is their number.
 */
%token_type     {struct token}
%extra_argument {struct parser *p}
%start_symbol   module
%stack_size     0

// a header may end in nothing; what can continue it does
%nonassoc HEADER.
%nonassoc LBRACE SEMI DIRECTIVE PRAGMA.
%right    QUERY COLON.
%left     OROR.
%left     ANDAND.
%left     BAR.
%left     CARET.
%left     AND.
%left     EQEQ NE.
%left     LT GT LE GE.
%left     SHL SHR.
%left     PLUS MINUS.
%left     STAR SLASH PERCENT.
%right    NOT TILDE UNARY.

%include {
#include "parse.h"
#include <assert.h>
#include <stdlib.h>

struct yyParser;
static const char *expected(struct yyParser *, char *, size_t);
}

%syntax_error {
	char buf[200];

	if (yymajor)
		diag(p->x, ERROR, TOKEN.loc, "syntax error at '%.*s'%s",
			(int)(TOKEN.len < 60 ? TOKEN.len : 60), TOKEN.text,
			expected(yypParser, buf, sizeof buf));
	else
		diag(p->x, ERROR, TOKEN.loc, "unexpected end of file%s",
			expected(yypParser, buf, sizeof buf));
	parse_reset(p);
}
%stack_overflow {
	diag(p->x, ERROR, (struct loc){ p->lineno, 1 }, "nested too deeply");
}

module ::= items.
items ::= .
items ::= items item.

item ::= VERSION FLOAT(V).               { parse_version(p, V); }
item ::= TARGET names(N).                { parse_target(p, N); }
item ::= ADDRESS_SIZE INT(N).            { parse_address_size(p, N); }
item ::= FILE_(F) INT STRING(S).         { parse_text_item(p, ITEM_FILE, F, S); }
item ::= FILE_(F) INT STRING COMMA INT COMMA INT(N).
                                         { parse_text_item(p, ITEM_FILE, F, N); }
item ::= SECTION(S).                     { parse_text_item(p, ITEM_SECTION, S, S); }
item ::= PRAGMA strings(S) SEMI.         { parse_text_stmt(p, STMT_PRAGMA, S, S); }
item ::= ALIAS NAME(N) COMMA NAME(T) SEMI.
                                         { parse_alias(p, N, T); }
item ::= LOC(L) INT INT INT(N).          { parse_text_stmt(p, STMT_LOC, L, N); }
item ::= LOC(L) INT INT INT COMMA NAME locname COMMA NAME INT INT INT(N).
                                         { parse_text_stmt(p, STMT_LOC, L, N); }
item ::= linkage decl SEMI.              { decl_end(p); }
item ::= linkage head SEMI.              { func_end_decl(p); }
item ::= linkage head. [HEADER]          { func_end_decl(p); }
item ::= linkage head LBRACE.            { func_open(p); }
item ::= LBRACE(B).                      { parse_open(p, B.loc); }
item ::= RBRACE(B).                      { parse_close(p, B.loc); }
item ::= label(L).                       { parse_label(p, L); }
item ::= label(L) TARGETS(T) os(N) SEMI. { parse_targets(p, L, T, N); }
item ::= proto SEMI.                     { proto_end(p); }
item ::= guard insn.
item ::= insn.
item ::= error SEMI.                     { parse_reset(p); }
item ::= error RBRACE(B).                { parse_reset(p); parse_close(p, B.loc); }

%type names {struct token}
%type strings {struct token}
names(A) ::= NAME(N).                    { A = N; }
names(A) ::= names(L) COMMA NAME(N).     { A = token_join(L, N); }
strings(A) ::= STRING(S).                { A = S; }
strings(A) ::= strings(L) COMMA STRING(S). { A = token_join(L, S); }

locname ::= NAME.
locname ::= NAME PLUS INT.
locname ::= DIRECTIVE.
locname ::= DIRECTIVE PLUS INT.

linkage ::= .                            { p->linkage = 0; }
linkage ::= linkage LINKAGE(L).          { decl_linkage(p, L); }

// function headers; what stands in them is declared as it is read
head ::= entry attrs fname launch. [HEADER]
head ::= entry attrs fname args launch. [HEADER]
head ::= func attrs fname launch. [HEADER]
head ::= func attrs fname args launch. [HEADER]
head ::= func attrs rets fname launch. [HEADER]
head ::= func attrs rets fname args launch. [HEADER]
entry ::= ENTRY(E).                      { func_begin(p, true, E.loc); }
func ::= FUNC(F).                        { func_begin(p, false, F.loc); }
fname ::= NAME(N).                       { func_name(p, N); }
rets ::= LPAREN plist RPAREN.            { func_params(p, true); }
args ::= LPAREN plist RPAREN.            { func_params(p, false); }

attrs ::= .
attrs ::= attrs ATTRIBUTE LPAREN attrlist RPAREN.
attrlist ::= attr.
attrlist ::= attrlist COMMA attr.
attr ::= DIRECTIVE(W).                   { decl_attr(p, W, 0); }
attr ::= DIRECTIVE(W) LPAREN os(N) RPAREN. { decl_attr(p, W, N); }

plist ::= .
plist ::= param.
plist ::= plist COMMA param.
param ::= dspace props vdecl.

launch ::= .
launch ::= launch DIRECTIVE(W).          { func_launch(p, W, 0); }
launch ::= launch DIRECTIVE(W) ints(N).  { func_launch(p, W, N); }
launch ::= launch PRAGMA strings(S) SEMI. { func_pragma(p, S); }
%type ints {int}
ints(A) ::= INT(N).                      { opnd_int(p, N); A = 1; }
ints(A) ::= ints(L) COMMA INT(N).        { opnd_int(p, N); A = L + 1; }

phead ::= label(L) CALLPROTOTYPE.        { proto_begin(p, L); }
proto ::= phead pname launch. [HEADER]
proto ::= phead pname args launch. [HEADER]
proto ::= phead rets pname launch. [HEADER]
proto ::= phead rets pname args launch. [HEADER]
pname ::= NAME.
pname ::= SINK.

// declarations: a space, properties, names
decl ::= dspace props vars.
dspace ::= SPACE(S).                     { decl_begin(p, S); }
props ::= .
props ::= props prop.
prop ::= VEC(V).                         { p->decl.vec = (unsigned)(V.text[2] - '0'); }
prop ::= TYPE(T).                        { decl_type(p, T); }
prop ::= ALIGN INT(N).                   { decl_align(p, N); }
prop ::= PTR.                            { p->decl.ptr = true; }
prop ::= PTR SPACE(S).                   { decl_ptr(p, S); }
prop ::= ATTRIBUTE LPAREN attrlist RPAREN.
vars ::= var.
vars ::= vars COMMA var.
var ::= vdecl.
var ::= vinit init.                      { init_end(p); }
var ::= NAME(N) LT INT(C) GT.            { decl_family(p, N, C); }
vinit ::= vdecl EQ.                      { init_begin(p); }
vdecl ::= NAME(N) dims(D).               { decl_name(p, N, D); }
vdecl ::= SINK(N) dims(D).               { decl_name(p, N, D); }
%type dims {int}
dims(A) ::= .                            { A = 0; }
dims(A) ::= dims(D) LBRACK RBRACK.       { opnd_push_int(p, 0); A = D + 1; }
dims(A) ::= dims(D) LBRACK e RBRACK.     { A = D + 1; }

init ::= e(E).                           { init_value(p, E); }
init ::= iopen inits VRBRACE.            { init_close(p); }
iopen ::= VLBRACE(B).                    { init_open(p, B.loc); }
inits ::= .
inits ::= ilist.
inits ::= ilist COMMA.
ilist ::= init.
ilist ::= ilist COMMA init.

%type label {struct token}
label(A) ::= NAME(N) COLON.              { A = N; }

guard ::= AT NAME(N).                    { p->guard = N; p->guarded = true; p->guard_not = false; }
guard ::= AT NOT NAME(N).                { p->guard = N; p->guarded = p->guard_not = true; }

insn ::= NAME(N) SEMI.                   { parse_insn(p, N, 0); }
insn ::= NAME(N) os(L) SEMI.             { parse_insn(p, N, L); }
insn ::= DOTTED(N) SEMI.                 { parse_insn(p, N, 0); }
insn ::= DOTTED(N) os(L) SEMI.           { parse_insn(p, N, L); }

%type os {int}
os(A) ::= o.                             { A = 1; }
os(A) ::= os(L) COMMA o.                 { A = L + 1; }
o ::= e.
o ::= LBRACK os(N) RBRACK.               { opnd_group(p, OP_ADDR, N); }
o ::= LBRACK os(N) RBRACK DIRECTIVE(D).  { opnd_group(p, OP_ADDR, N); opnd_unified(p, D); }
o ::= vec.
o ::= vec BAR e.                         { opnd_group(p, OP_PAIR, 2); }
vec ::= VLBRACE os(N) VRBRACE.           { opnd_group(p, OP_VEC, N); }
vec ::= VLBRACE VRBRACE.                 { opnd_group(p, OP_VEC, 0); }

// an operand, or a constant expression (PTX 4.5), folded as it is read;
// its value is where it begins
%type e {struct loc}
e(A) ::= NAME(N).                        { opnd_name(p, N); A = N.loc; }
e(A) ::= DOTTED(N).                      { opnd_dotted(p, N); A = N.loc; }
e(A) ::= INT(N).                         { opnd_int(p, N); A = N.loc; }
e(A) ::= FLOAT(N).                       { opnd_float(p, N); A = N.loc; }
e(A) ::= SINK(N).                        { opnd_sink(p); A = N.loc; }
e(A) ::= LPAREN(L) RPAREN.               { opnd_group(p, OP_LIST, 0); A = L.loc; }
e(A) ::= LPAREN(L) os(N) RPAREN.         { opnd_group(p, OP_LIST, N); A = L.loc; }
e(A) ::= LPAREN(L) TYPE(T) RPAREN e. [UNARY] { opnd_cast(p, T); A = L.loc; }
e(A) ::= NAME(N) LPAREN e RPAREN.        { opnd_generic(p, N); A = N.loc; }
e(A) ::= INT(N) LPAREN e RPAREN.         { opnd_mask(p, N); A = N.loc; }
e(A) ::= MINUS(T) e. [UNARY]             { opnd_unary(p, MINUS, T.loc); A = T.loc; }
e(A) ::= PLUS(T) e. [UNARY]              { opnd_unary(p, PLUS, T.loc); A = T.loc; }
e(A) ::= NOT(T) e.                       { opnd_unary(p, NOT, T.loc); A = T.loc; }
e(A) ::= TILDE(T) e.                     { opnd_unary(p, TILDE, T.loc); A = T.loc; }
e(A) ::= e(L) PLUS e.                    { opnd_binary(p, PLUS, L); A = L; }
e(A) ::= e(L) MINUS e.                   { opnd_binary(p, MINUS, L); A = L; }
e(A) ::= e(L) STAR e.                    { opnd_binary(p, STAR, L); A = L; }
e(A) ::= e(L) SLASH e.                   { opnd_binary(p, SLASH, L); A = L; }
e(A) ::= e(L) PERCENT e.                 { opnd_binary(p, PERCENT, L); A = L; }
e(A) ::= e(L) SHL e.                     { opnd_binary(p, SHL, L); A = L; }
e(A) ::= e(L) SHR e.                     { opnd_binary(p, SHR, L); A = L; }
e(A) ::= e(L) LT e.                      { opnd_binary(p, LT, L); A = L; }
e(A) ::= e(L) GT e.                      { opnd_binary(p, GT, L); A = L; }
e(A) ::= e(L) LE e.                      { opnd_binary(p, LE, L); A = L; }
e(A) ::= e(L) GE e.                      { opnd_binary(p, GE, L); A = L; }
e(A) ::= e(L) EQEQ e.                    { opnd_binary(p, EQEQ, L); A = L; }
e(A) ::= e(L) NE e.                      { opnd_binary(p, NE, L); A = L; }
e(A) ::= e(L) AND e.                     { opnd_binary(p, AND, L); A = L; }
e(A) ::= e(L) CARET e.                   { opnd_binary(p, CARET, L); A = L; }
e(A) ::= e(L) BAR e.                     { opnd_binary(p, BAR, L); A = L; }
e(A) ::= e(L) ANDAND e.                  { opnd_binary(p, ANDAND, L); A = L; }
e(A) ::= e(L) OROR e.                    { opnd_binary(p, OROR, L); A = L; }
e(A) ::= e(L) QUERY e COLON e.           { opnd_select(p, L); A = L; }

%code {
/* how messages call the tokens */
static const char *const token_text[YYNTOKEN] = {
	[SEMI] = "';'", [COMMA] = "','", [COLON] = "':'", [LPAREN] = "'('",
	[RPAREN] = "')'", [LBRACK] = "'['", [RBRACK] = "']'",
	[LBRACE] = "'{'", [RBRACE] = "'}'", [VLBRACE] = "'{'",
	[VRBRACE] = "'}'", [EQ] = "'='", [GT] = "'>'",
	[NAME] = "a name", [INT] = "an integer", [FLOAT] = "a number",
	[STRING] = "a string", [TYPE] = "a type", [SPACE] = "a state space",
	[DIRECTIVE] = "a directive",
};

/* ", expected X or Y" for what could have stood here, if that is short */
static const char *
expected(struct yyParser *yy, char *buf, size_t cap)
{
	size_t at;
	int k, n;

	at = 0;
	n = 0;
	for (k = 1; k < YYNTOKEN; k++) {
		if (yy_find_shift_action((YYCODETYPE)k, yy->yytos->stateno)
		== YY_ERROR_ACTION || !token_text[k])
			continue;
		if (++n > 4)
			return "";
		at += (size_t)snprintf(buf + at, cap - at, "%s%s",
			n > 1 ? " or " : ", expected ", token_text[k]);
	}
	return n ? buf : "";
}
}
