/* lex.re - PTX text to tokens.
 *
 * The lexer knows the shape of words and the names of directives.  It does
 * not know one instruction: "add.rn.f32" is a DOTTED like "%tid.x", and
 * grammar/ptx.def says later what it is.  The text ends in a NUL.
 */
#include "parse.h"
#include "gram.h"

/*!re2c
	re2c:define:YYCTYPE  = "unsigned char";
	re2c:define:YYCURSOR = at;
	re2c:define:YYMARKER = mark;
	re2c:yyfill:enable   = 0;

	ident = [a-zA-Z][a-zA-Z0-9_$]* | [_$%][a-zA-Z0-9_$]+;
	mod   = "." [a-zA-Z0-9_]+ ("::" [a-zA-Z0-9_]+)*;
	type  = ".pred" | "." [busf] ("8"|"16"|"32"|"64"|"128") ("x"[24])?
	      | ".bf16" "x2"? | ".tf32" | ".e" [2345] "m" [123] ("x"[24])?
	      | ".texref" | ".samplerref" | ".surfref";
	exp   = [eE] [+-]? [0-9]+;
*/

/* ".section name { … }" is kept as text: debug data that we do not read */
static int
section(struct parser *l, struct token *t)
{
	const char *s;

	for (s = l->at; *s && *s != '}'; s++)
		if (*s == '\n') {
			l->lineno++;
			l->line = s + 1;
		}
	if (!*s) {
		diag(l->x, ERROR, t->loc, "'.section' without '}'");
		l->at = s;
		return 0;
	}
	l->at = s + 1;
	t->len = (uint32_t)(l->at - t->text);
	return SECTION;
}

/* bytes that can begin nothing: one diagnostic for a run of them */
static const char *
junk(struct parser *l, struct loc loc, const char *at)
{
	unsigned char c;

	c = (unsigned char)at[-1];
	if (c < 128 && c >= ' ')
		diag(l->x, ERROR, loc, "unexpected character '%c'", c);
	else
		diag(l->x, ERROR, loc, "unexpected %s byte 0x%02x",
			c < 128 ? "control" : "non-ASCII", c);
	while ((unsigned char)*at >= 128 || (*at && *at < ' '
	&& !strchr("\t\n\r\f", *at)))
		at++;
	return at;
}

static int
scan(struct parser *l, struct token *t)
{
	const char *at, *mark, *line;
	uint32_t lineno;

	at = l->at;
	line = l->line;
	lineno = l->lineno;
again:
	t->text = at;
	t->loc = (struct loc){ lineno, (uint32_t)(at - line) + 1 };
#define RETURN(kind) do { \
		t->len = (uint32_t)(at - t->text); \
		l->at = at; \
		l->line = line; \
		l->lineno = lineno; \
		return kind; \
	} while (0)
	/*!re2c
	[ \t\r\f]+                  { goto again; }
	"\n"                        { lineno++; line = at; goto again; }
	"//" [^\n\x00]*             { goto again; }
	("#" | "@@") [^\n\x00]*     { goto again; }
	"/*"                        { goto comment; }
	"\x00"                      { at--; RETURN(0); }

	ident                       { RETURN(NAME); }
	ident mod+                  { RETURN(DOTTED); }
	"_"                         { RETURN(SINK); }
	"\"" [^"\n\x00]* "\""       { RETURN(STRING); }
	"0" [fF] [0-9a-fA-F]{8}     { RETURN(FLOAT); }
	"0" [dD] [0-9a-fA-F]{16}    { RETURN(FLOAT); }
	[0-9]+ "." [0-9]* exp?      { RETURN(FLOAT); }
	"." [0-9]+ exp?             { RETURN(FLOAT); }
	[0-9]+ exp                  { RETURN(FLOAT); }
	"0" [xX] [0-9a-fA-F]+ "U"?  { RETURN(INT); }
	"0" [bB] [01]+ "U"?         { RETURN(INT); }
	[0-9]+ "U"?                 { RETURN(INT); }
	[0-9] [0-9a-zA-Z_$]+        {
		diag(l->x, ERROR, t->loc, "malformed number '%.*s'",
			(int)(at - t->text < 40 ? at - t->text : 40), t->text);
		RETURN(INT);
	}

	".version"                  { RETURN(VERSION); }
	".target"                   { RETURN(TARGET); }
	".address_size"             { RETURN(ADDRESS_SIZE); }
	".file"                     { RETURN(FILE_); }
	".loc"                      { RETURN(LOC); }
	".section"                  { l->at = at; l->line = line; l->lineno = lineno; return section(l, t); }
	".pragma"                   { RETURN(PRAGMA); }
	".alias"                    { RETURN(ALIAS); }
	".entry"                    { RETURN(ENTRY); }
	".func"                     { RETURN(FUNC); }
	".align"                    { RETURN(ALIGN); }
	".ptr"                      { RETURN(PTR); }
	".attribute"                { RETURN(ATTRIBUTE); }
	".callprototype"            { RETURN(CALLPROTOTYPE); }
	".branchtargets" | ".calltargets"
	                            { RETURN(TARGETS); }
	".extern" | ".visible" | ".weak" | ".common"
	                            { RETURN(LINKAGE); }
	".reg" | ".sreg" | ".param" | ".local" | ".shared" | ".global" | ".const" | ".tex"
	| ".shared::cta" | ".shared::cluster" | ".param::entry" | ".param::func"
	                            { RETURN(SPACE); }
	".v" [248]                  { RETURN(VEC); }
	type                        { RETURN(TYPE); }
	mod | "."                   { RETURN(DIRECTIVE); }

	","  { RETURN(COMMA);  }  ";"  { RETURN(SEMI);   }
	":"  { RETURN(COLON);  }  "@"  { RETURN(AT);     }
	"!"  { RETURN(NOT);    }  "|"  { RETURN(BAR);    }
	"+"  { RETURN(PLUS);   }  "-"  { RETURN(MINUS);  }
	"="  { RETURN(EQ);     }  "<"  { RETURN(LT);     }
	">"  { RETURN(GT);     }  "("  { RETURN(LPAREN); }
	")"  { RETURN(RPAREN); }  "["  { RETURN(LBRACK); }
	"]"  { RETURN(RBRACK); }  "{"  { RETURN(LBRACE); }
	"}"  { RETURN(RBRACE); }  "*"  { RETURN(STAR);   }
	"/"  { RETURN(SLASH);  }  "%"  { RETURN(PERCENT); }
	"~"  { RETURN(TILDE);  }  "&"  { RETURN(AND);    }
	"^"  { RETURN(CARET);  }  "?"  { RETURN(QUERY);  }
	"<<" { RETURN(SHL);    }  ">>" { RETURN(SHR);    }
	"==" { RETURN(EQEQ);   }  "!=" { RETURN(NE);     }
	"<=" { RETURN(LE);     }  ">=" { RETURN(GE);     }
	"&&" { RETURN(ANDAND); }  "||" { RETURN(OROR);   }

	*    { at = junk(l, t->loc, at); goto again; }
	*/
comment:
	/*!re2c
	"*" "/" { goto again; }
	"\n"    { lineno++; line = at; goto comment; }
	"\x00"  { at--; diag(l->x, ERROR, t->loc, "unterminated comment"); RETURN(0); }
	*       { goto comment; }
	*/
}

/* Braces of operands and initialisers are tokens of their own, so that
 * recovery from an error never takes one for the end of a block. */
int
lex(struct parser *l, struct token *t)
{
	int kind;

	kind = scan(l, t);
	if (kind == SEMI)
		l->vbrace = 0;
	else if (kind == LBRACE && (l->vbrace || l->last == COMMA
	|| l->last == DOTTED || l->last == EQ || l->last == LPAREN)) {
		kind = VLBRACE;
		l->vbrace++;
	} else if (kind == RBRACE && l->vbrace) {
		kind = VRBRACE;
		l->vbrace--;
	}
	return l->last = kind;
}
