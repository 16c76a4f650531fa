/* link_lld.cpp - the parts of LLVM and lld that have no C interface.
 *
 * lld keeps globals, so one link runs at a time; it installs signal handlers
 * and an alternate stack for good, which is not ours to do in a program that
 * only wanted a kernel: both are put back.  Its fatal() would exit() unless a
 * crash recovery context is enabled; then safeLldMain returns.
 */
extern "C" {
#include "emit.h"
#include "emit/emit_int.h"
}
#include <lld/Common/Driver.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/Signals.h>
#include <llvm/Support/raw_ostream.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <unistd.h>
#include <vector>

LLD_HAS_DRIVER(elf)

static const int signals[] = {
	SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGILL, SIGTRAP, SIGABRT,
	SIGFPE, SIGBUS, SIGSEGV, SIGQUIT, SIGSYS, SIGXCPU, SIGXFSZ, SIGPIPE,
};
enum { NSIGNALS = sizeof signals / sizeof *signals };

/* what the program had installed, while lld runs */
struct handlers {
	struct sigaction action[NSIGNALS];
	stack_t stack;
	std::vector<char> lent; /* as a stack: LLVM would never free its own */
};

static void
save(struct handlers *h)
{
	for (int i = 0; i < NSIGNALS; i++)
		sigaction(signals[i], nullptr, &h->action[i]);
	stack_t lent = {};
	h->lent.resize(256 << 10);
	lent.ss_sp = h->lent.data();
	lent.ss_size = h->lent.size();
	sigaltstack(&lent, &h->stack);
}

static void
restore(struct handlers *h)
{
	llvm::CrashRecoveryContext::Disable();
	llvm::sys::unregisterHandlers();
	for (int i = 0; i < NSIGNALS; i++)
		sigaction(signals[i], &h->action[i], nullptr);
	sigaltstack(&h->stack, nullptr);
}

/* runs lld; its complaints are appended to text */
static bool
lld_run(const std::vector<std::string> &words, std::string &text)
{
	static std::mutex one;
	std::lock_guard<std::mutex> lock(one);
	std::vector<const char *> argv;
	llvm::raw_string_ostream out(text);
	lld::DriverDef elf = { lld::Gnu, &lld::elf::link };
	struct handlers h;

	for (const std::string &w : words)
		argv.push_back(w.c_str());
	save(&h);
	llvm::CrashRecoveryContext::Enable();
	lld::Result r = lld::lldMain(argv, out, out, elf);
	restore(&h);
	return r.retCode == 0;
}

static bool
put(const std::string &name, const struct blob *b)
{
	FILE *f;
	bool ok;

	f = fopen(name.c_str(), "wb");
	if (!f)
		return false;
	ok = fwrite(b->data, 1, b->size, f) == b->size;
	return fclose(f) == 0 && ok;
}

static struct blob
get(const std::string &name)
{
	struct blob b = { nullptr, 0 };
	FILE *f;
	long n;

	f = fopen(name.c_str(), "rb");
	if (!f)
		return b;
	if (fseek(f, 0, SEEK_END) == 0 && (n = ftell(f)) > 0) {
		rewind(f);
		b.data = malloc((size_t)n);
		b.size = fread(b.data, 1, (size_t)n, f);
	}
	fclose(f);
	return b;
}

/* the objects as files of dir, linked there; complaints go to text */
static struct blob
link_in(const std::string &dir, const struct blob *obj, size_t n,
	std::string &text)
{
	std::vector<std::string> words = {
		"ld.lld", "-shared", "--no-undefined", "--threads=1",
		"--no-color-diagnostics", "-o", dir + "/image",
	};
	struct blob image = { nullptr, 0 };

	for (size_t i = 0; i < n; i++) {
		words.push_back(dir + "/" + std::to_string(i) + ".o");
		if (!put(words.back(), &obj[i])) {
			text = words.back() + ": " + strerror(errno);
			return image;
		}
	}
	if (lld_run(words, text))
		image = get(dir + "/image");
	for (size_t i = 0; i < n; i++)
		unlink((dir + "/" + std::to_string(i) + ".o").c_str());
	unlink((dir + "/image").c_str());
	return image;
}

extern "C" struct blob
link_image(struct ptx *x, const struct blob *obj, size_t n)
{
	struct blob image = { nullptr, 0 };
	struct loc nowhere = { 0, 0 };
	std::string dir, text;
	const char *tmp;

	tmp = getenv("TMPDIR");
	dir = std::string(tmp && *tmp ? tmp : "/tmp") + "/ptxamd-XXXXXX";
	if (!mkdtemp(&dir[0])) {
		diag(x, ERROR, nowhere, "%s: %s", dir.c_str(),
			strerror(errno));
		return image;
	}
	image = link_in(dir, obj, n, text);
	rmdir(dir.c_str());
	if (!image.data)
		diag(x, ERROR, nowhere, "link: %s", text.c_str());
	return image;
}

extern "C" void
emit_syncscope(LLVMValueRef access, const char *scope)
{
	llvm::Instruction *i = llvm::cast<llvm::Instruction>(
		llvm::unwrap(access));
	llvm::SyncScope::ID id = i->getContext().getOrInsertSyncScopeID(scope);

	if (auto *l = llvm::dyn_cast<llvm::LoadInst>(i))
		l->setSyncScopeID(id);
	else if (auto *s = llvm::dyn_cast<llvm::StoreInst>(i))
		s->setSyncScopeID(id);
	else if (auto *f = llvm::dyn_cast<llvm::FenceInst>(i))
		f->setSyncScopeID(id);
	else if (auto *r = llvm::dyn_cast<llvm::AtomicRMWInst>(i))
		r->setSyncScopeID(id);
	else if (auto *c = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(i))
		c->setSyncScopeID(id);
}

/* a new block begins at i */
extern "C" void
emit_split(LLVMValueRef i)
{
	llvm::Instruction *at = llvm::cast<llvm::Instruction>(llvm::unwrap(i));

	at->getParent()->splitBasicBlock(at);
}

/* LLVM 19 takes an instruction that selects parts of its operands (SDWA, of
 * gfx9 and gfx10) for commutative without exchanging the selections, and so
 * unites different ones (llvm-project 106920).  It is the option's default
 * that changes: lld resets the options at each link. */
extern "C" void
emit_avoid_sdwa(void)
{
	auto &all = llvm::cl::getRegisteredOptions();
	auto it = all.find("amdgpu-sdwa-peephole");

	if (it != all.end())
		static_cast<llvm::cl::opt<bool> *>(it->second)
			->setInitialValue(false);
}
