/* fault.c - a wave does what it must not: its launch fails. */
#include "launch.h"

#include <stdarg.h>
#include <stdio.h>

static void
tell(struct wave *w, enum fault fault, int lane, const char *fmt, va_list arg)
{
	struct launch_state *s = w->block->launch;
	const uint32_t *id = w->block->id;
	char *p = s->message, *end = p + sizeof s->message;

	s->fault = fault;
	p += snprintf(p, sizeof s->message, "kernel %.100s, block %u %u %u, "
		"wave %u", s->note->name ? s->note->name : "", id[0], id[1],
		id[2], w->index);
	if (lane >= 0)
		p += snprintf(p, (size_t)(end - p), ", lane %d", lane);
	if (w->op)
		p += snprintf(p, (size_t)(end - p), ", at 0x%llx \"%.120s\"",
			(unsigned long long)(w->op->addr -
			(uintptr_t)s->code->memory), w->op->text);
	p += snprintf(p, (size_t)(end - p), ": ");
	vsnprintf(p, (size_t)(end - p), fmt, arg);
}

static void
fail(struct wave *w, enum fault fault, int lane, const char *fmt, va_list arg)
{
	struct launch_state *s = w->block->launch;

	if (!atomic_flag_test_and_set(&s->told))
		tell(w, fault, lane, fmt, arg);
	atomic_store(&s->failed, true);
	wave_end(w);
}

void
emu_fault(struct wave *w, int lane, const char *fmt, ...)
{
	va_list arg;

	va_start(arg, fmt);
	fail(w, FAULT_INSTRUCTION, lane, fmt, arg);
	va_end(arg);
}

void
wave_fault(struct wave *w, enum fault fault, int lane, const char *fmt, ...)
{
	va_list arg;

	va_start(arg, fmt);
	fail(w, fault, lane, fmt, arg);
	va_end(arg);
}
