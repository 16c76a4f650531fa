/* cpu_pulse.c - threads that wait for something to become true.
 *
 * Who changes what others wait for, beats; a beat costs no system call
 * unless somebody sleeps.
 */
#include "cpu_int.h"
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void
pulse_wait(struct pulse *p, bool (*done)(void *), void *arg, unsigned spin)
{
	uint32_t count;

	for (; spin; spin--) {
		if (done(arg))
			return;
		relax();
	}
	/* a beat that does not see this sleeper came before, and so is what
	 * done looks at */
	atomic_fetch_add(&p->sleepers, 1);
	for (;;) {
		count = atomic_load(&p->count);
		if (done(arg))
			break;
		syscall(SYS_futex, &p->count, FUTEX_WAIT_PRIVATE, count, 0, 0,
			0);
	}
	atomic_fetch_sub(&p->sleepers, 1);
}

void
pulse_beat(struct pulse *p, int n)
{
	atomic_fetch_add(&p->count, 1);
	if (atomic_load(&p->sleepers))
		syscall(SYS_futex, &p->count, FUTEX_WAKE_PRIVATE,
			n < 0 ? INT_MAX : n, 0, 0, 0);
}

uint64_t
clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
