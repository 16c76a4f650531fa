/* text.c - the parts of an instruction's text.
 *
 *	v_add_u32_sdwa v0, v1, v2 dst_sel:DWORD src0_sel:BYTE_0
 *	|name          |parts     |words
 *
 * Blanks and commas inside of brackets separate nothing.
 */
#include "emu_int.h"

#include <string.h>

/* the end of the piece that begins at s: a blank or, in operands, a comma */
static char *
piece(char *s)
{
	int depth = 0;

	for (; *s; s++)
		if (strchr("[(", *s))
			depth++;
		else if (strchr("])", *s))
			depth--;
		else if (!depth && (*s == ',' || *s == ' '))
			break;
	return s;
}

/* ends the piece at s and steps over what separates it from the next */
static char *
cut(char *s, bool *comma)
{
	*comma = *s == ',';
	while (*s == ',' || *s == ' ' || *s == '\t')
		*s++ = 0;
	return s;
}

bool
line_split(struct line *l, const char *text)
{
	bool comma = true;
	char *s, *begin;

	memset(l, 0, sizeof *l);
	text += strspn(text, " \t");
	if (strlen(text) >= sizeof l->copy)
		return false;
	strcpy(l->copy, text);
	l->name = l->copy;
	s = l->copy + strcspn(l->copy, " \t");
	while (*s == ' ' || *s == '\t')
		*s++ = 0;
	while (*s) {
		begin = s;
		if (comma && l->nparts < MAX_PARTS)
			l->part[l->nparts++] = begin;
		else if (!comma && l->nwords < MAX_WORDS)
			l->word[l->nwords++] = begin;
		else
			return false;
		s = piece(s);
		s = cut(s, &comma);
	}
	return true;
}
