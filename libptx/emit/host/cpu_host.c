/* cpu_host.c - CPUs by LLVM's names; "host" is the one that we run on. */
#include "target_host.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* those that a build for another machine may ask for */
static const struct cpu {
	const char *name;
	enum host_isa isa;
} cpus[] = {
#if defined __aarch64__
	{ "generic",        ISA_BASE },
	{ "neoverse-n1",    ISA_BASE },
	{ "neoverse-v1",    ISA_BASE },
	{ "neoverse-n2",    ISA_BASE },
	{ "neoverse-v2",    ISA_BASE },
	{ "apple-m1",       ISA_BASE },
#else
	{ "x86-64",         ISA_BASE },
	{ "x86-64-v2",      ISA_BASE },
	{ "x86-64-v3",      ISA_AVX2 },
	{ "x86-64-v4",      ISA_AVX512 },
	{ "haswell",        ISA_AVX2 },
	{ "skylake",        ISA_AVX2 },
	{ "alderlake",      ISA_AVX2 },
	{ "skylake-avx512", ISA_AVX512 },
	{ "icelake-server", ISA_AVX512 },
	{ "sapphirerapids", ISA_AVX512 },
	{ "znver1",         ISA_AVX2 },
	{ "znver2",         ISA_AVX2 },
	{ "znver3",         ISA_AVX2 },
	{ "znver4",         ISA_AVX512 },
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

static const struct cpu *
find(const char *arch)
{
	size_t i;

	for (i = 0; i < sizeof cpus / sizeof *cpus; i++)
		if (!strcmp(cpus[i].name, arch))
			return &cpus[i];
	return 0;
}

bool
host_has_arch(const char *arch)
{
	return is_host(arch) || find(arch);
}

enum host_isa
host_isa(const char *arch)
{
	const struct cpu *c = find(arch);
	const char *f;

	if (c)
		return c->isa;
	f = host_features(arch);
	return strstr(f, "+avx512vl") && strstr(f, "+avx512dq") ? ISA_AVX512
		: strstr(f, "+avx2") ? ISA_AVX2 : ISA_BASE;
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
