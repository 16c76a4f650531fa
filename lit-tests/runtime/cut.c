/* cut.c - images whose headers point to where there is no memory are refused,
 * and not followed. */
#include "check.h"

#include <elf.h>
#include <sys/mman.h>

/* a page with no memory behind it */
static unsigned char *
page(void)
{
	unsigned char *p = mmap(0, 3 << 12, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(p + (1 << 12), 2 << 12);
	return p;
}

static void
sections(uint64_t at, uint16_t n)
{
	Elf64_Ehdr *h = (void *)page();
	CUmodule m;

	memcpy(h->e_ident, ELFMAG, SELFMAG);
	h->e_ident[EI_CLASS] = ELFCLASS64;
	h->e_machine = 190;
	h->e_shoff = at;
	h->e_shnum = n;
	h->e_shentsize = sizeof (Elf64_Shdr);
	TRUE(cuModuleLoadData(&m, h) != 0);
	munmap(h, 1 << 12);
}

/* one section, that ends n bytes after the start */
static void
section(uint64_t n)
{
	unsigned char *p = page();
	Elf64_Ehdr *h = (void *)p;
	Elf64_Shdr *s = (void *)(h + 1);
	CUmodule m;

	memcpy(h->e_ident, ELFMAG, SELFMAG);
	h->e_ident[EI_CLASS] = ELFCLASS64;
	h->e_machine = 190;
	h->e_shoff = sizeof *h;
	h->e_shnum = 1;
	h->e_shentsize = sizeof *s;
	s->sh_type = SHT_PROGBITS;
	s->sh_size = n;
	TRUE(cuModuleLoadData(&m, h) != 0);
	munmap(p, 1 << 12);
}

static void
fatbin(uint64_t n)
{
	static const unsigned char magic[] = { 0x50, 0xed, 0x55, 0xba, 1, 0,
		16, 0 };
	unsigned char *p = page();
	CUmodule m;

	memcpy(p, magic, sizeof magic);
	memcpy(p + 8, &n, sizeof n);
	TRUE(cuModuleLoadData(&m, p) != 0);
	munmap(p, 1 << 12);
}

int
main(void)
{
	CUcontext c;

	OK(cuInit(0));
	OK(cuCtxCreate_v2(&c, 0, 0));
	sections(1 << 12, 1);
	sections(4090, 1);
	sections((uint64_t)1 << 31, 1);
	sections(64, 0xffff);
	section(1 << 13);
	section((uint64_t)3 << 30);
	fatbin(1 << 13);
	fatbin((uint64_t)3 << 30);
	OK(cuCtxDestroy_v2(c));
	return check_end();
}
