/* cpu_host.c - CPUs by LLVM's names; "host" is the one that we run on. */
#include "target_host.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* those that a build for another machine may ask for */
static const char *const names[] = {
#if defined __aarch64__
	"generic", "neoverse-n1", "neoverse-v1", "neoverse-n2", "neoverse-v2",
	"apple-m1",
#else
	"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4", "haswell", "skylake",
	"skylake-avx512", "icelake-server", "sapphirerapids", "alderlake",
	"znver1", "znver2", "znver3", "znver4",
#endif
};

/* LLVM's answers, asked for once */
static struct {
	char cpu[64], features[4096];
} here;

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* to, of size bytes, becomes LLVM's text; one too long is left out */
static void
keep(char *to, size_t size, char *text)
{
	if (strlen(text) < size)
		strcpy(to, text);
	LLVMDisposeMessage(text);
}

static void
ask(void)
{
	keep(here.cpu, sizeof here.cpu, LLVMGetHostCPUName());
	keep(here.features, sizeof here.features, LLVMGetHostCPUFeatures());
}

static bool
is_host(const char *arch)
{
	return !strcmp(arch, "host");
}

bool
host_has_arch(const char *arch)
{
	size_t i;

	if (is_host(arch))
		return true;
	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], arch))
			return true;
	return false;
}

const char *
host_cpu(const char *arch)
{
	pthread_once(&once, ask);
	return is_host(arch) ? here.cpu : arch;
}

const char *
host_features(const char *arch)
{
	pthread_once(&once, ask);
	return is_host(arch) ? here.features : "";
}
