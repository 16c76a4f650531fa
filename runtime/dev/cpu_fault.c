#define _GNU_SOURCE /* names of registers */
/* cpu_fault.c - signals that kernels and copies cause.
 *
 * A fault on a worker whose kernel or guarded copy runs ends that and brings
 * the worker back to its own stack: the handler changes where the thread goes
 * on, so that nothing runs in the handler.  Every other fault is the
 * program's: whatever handled it before us does so again.
 */
#include "cpu_int.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

_Thread_local struct worker *worker_current
	__attribute__((tls_model("initial-exec")));
/* the handler that we call calls us: it was there before and after us */
static _Thread_local bool chaining
	__attribute__((tls_model("initial-exec")));

enum { NSIGNALS = 4, ALTSTACK = 64 << 10 };
static const int signals[NSIGNALS] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };

/* signal handlers belong to the process, and so do these */
static struct {
	pthread_mutex_t lock;
	bool ready;
	struct sigaction first[NSIGNALS], before[NSIGNALS];
	pthread_once_t once;
	pthread_key_t altstack;
} chain = { .lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT };

#if defined __aarch64__
static uint64_t
context_pc(const ucontext_t *u)
{
	return u->uc_mcontext.pc;
}

/* the thread goes on with cpu_leave(to, value) */
static void
context_leave(ucontext_t *u, void *to, int value)
{
	u->uc_mcontext.pc = (uint64_t)(uintptr_t)cpu_leave;
	u->uc_mcontext.regs[0] = (uint64_t)(uintptr_t)to;
	u->uc_mcontext.regs[1] = (uint64_t)value;
}
#else
static uint64_t
context_pc(const ucontext_t *u)
{
	return (uint64_t)u->uc_mcontext.gregs[REG_RIP];
}

static void
context_leave(ucontext_t *u, void *to, int value)
{
	u->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)cpu_leave;
	u->uc_mcontext.gregs[REG_RDI] = (greg_t)(uintptr_t)to;
	u->uc_mcontext.gregs[REG_RSI] = value;
	u->uc_mcontext.gregs[REG_EFL] &= ~0x400; /* the direction flag */
}
#endif

static void
describe(struct worker *w, int sig, const siginfo_t *info, uint64_t pc)
{
	struct fault *f = &w->fault;
	const struct warp *p = &w->task->w;

	f->pc = pc;
	f->addr = (uint64_t)(uintptr_t)info->si_addr;
	memcpy(f->ctaid, p->ctaid, sizeof f->ctaid);
	f->warp = p->warp;
	f->error = CUDA_ERROR_ILLEGAL_ADDRESS;
	f->what = "access to an illegal address";
	if (sig == SIGSEGV && info->si_code == SI_KERNEL) {
		/* the machine does not say which */
		f->pc = 0;
		f->what = "access to an address that no memory can have";
	} else if (sig == SIGSEGV && stack_guards(f->addr)) {
		/* an illegal address, as on an H200 */
		f->what = "stack overflow";
	} else if (sig == SIGBUS && info->si_code == BUS_ADRALN) {
		f->error = CUDA_ERROR_MISALIGNED_ADDRESS;
		f->what = "misaligned access";
	} else if (sig == SIGILL) {
		f->error = CUDA_ERROR_ILLEGAL_INSTRUCTION;
		f->what = "illegal instruction";
	} else if (sig == SIGFPE) {
		f->error = CUDA_ERROR_LAUNCH_FAILED;
		f->what = "arithmetic fault";
	}
}

/* what was there before us */
static void
pass_on(int sig, siginfo_t *info, void *context)
{
	struct sigaction *old = 0;
	int i;

	for (i = 0; i < NSIGNALS; i++)
		if (signals[i] == sig)
			old = chaining ? &chain.first[i] : &chain.before[i];
	if (!old)
		return;
	if (!(old->sa_flags & SA_SIGINFO) && (old->sa_handler == SIG_DFL ||
	    old->sa_handler == SIG_IGN)) {
		/* the instruction faults again, and ends the process */
		signal(sig, SIG_DFL);
		return;
	}
	chaining = true;
	if (old->sa_flags & SA_SIGINFO)
		old->sa_sigaction(sig, info, context);
	else
		old->sa_handler(sig);
	chaining = false;
}

static void
handle(int sig, siginfo_t *info, void *context)
{
	struct worker *w = worker_current;
	ucontext_t *u = context;

	/* a signal that somebody sent is no fault */
	if (!w || info->si_code <= 0) {
		pass_on(sig, info, context);
	} else if (w->guard) {
		context_leave(u, w->guard, 1);
		w->fault.addr = (uint64_t)(uintptr_t)info->si_addr;
		w->guard = 0;
	} else if (w->task) {
		describe(w, sig, info, context_pc(u));
		w->task = 0;
		context_leave(u, w->sp, TASK_FAULTED);
	} else {
		pass_on(sig, info, context);
	}
}

static void
install(int i)
{
	struct sigaction a;

	memset(&a, 0, sizeof a);
	a.sa_sigaction = handle;
	a.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
	sigemptyset(&a.sa_mask);
	sigaction(signals[i], &a, &chain.before[i]);
}

static void
free_altstack(void *p)
{
	stack_t none = { .ss_flags = SS_DISABLE };

	sigaltstack(&none, 0);
	munmap(p, ALTSTACK);
}

static void
make_key(void)
{
	pthread_key_create(&chain.altstack, free_altstack);
}

void
fault_catch(void)
{
	struct sigaction now;
	int i;

	pthread_mutex_lock(&chain.lock);
	if (!chain.ready) {
		for (i = 0; i < NSIGNALS; i++) {
			install(i);
			chain.first[i] = chain.before[i];
		}
		chain.ready = true;
	}
	/* a program that sets its own handlers later does so for most of
	 * them; one that calls us from its own gets into no circle */
	sigaction(SIGSEGV, 0, &now);
	if (!(now.sa_flags & SA_SIGINFO) || now.sa_sigaction != handle)
		for (i = 0; i < NSIGNALS; i++) {
			sigaction(signals[i], 0, &now);
			if (!(now.sa_flags & SA_SIGINFO) ||
			    now.sa_sigaction != handle)
				install(i);
		}
	pthread_mutex_unlock(&chain.lock);
}

/* a stack for the handler, since that of a warp may be what is full */
void
fault_thread(void)
{
	stack_t s = { .ss_flags = 0 };

	pthread_once(&chain.once, make_key);
	if (pthread_getspecific(chain.altstack))
		return;
	if (sigaltstack(0, &s) == 0 && !(s.ss_flags & SS_DISABLE))
		return;
	s.ss_sp = mmap(0, ALTSTACK, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (s.ss_sp == MAP_FAILED)
		return;
	s.ss_size = ALTSTACK;
	s.ss_flags = 0;
	sigaltstack(&s, 0);
	pthread_setspecific(chain.altstack, s.ss_sp);
}

CUresult
fault_try(void (*fn)(void *), void *arg)
{
	struct worker *w = worker_current;
	int faulted;

	fault_catch();
	faulted = cpu_try(&w->guard, fn, arg);
	w->guard = 0;
	return faulted ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS;
}
