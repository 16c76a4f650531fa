/* elf_format.h - the parts of the ELF format that we read and write.
 *
 * Our own declarations: <elf.h> is not everywhere where POSIX is.  Multi-byte
 * values are little endian, as on every machine that we build for.
 */
#ifndef ELF_FORMAT_H
#define ELF_FORMAT_H

#include <stdint.h>

struct elf_header {
	uint8_t magic[4], class, data, version, osabi, abiversion, pad[7];
	uint16_t type, machine;
	uint32_t version2;
	uint64_t entry, phoff, shoff;
	uint32_t flags;
	uint16_t ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
};

struct elf_section_header {
	uint32_t name, type;
	uint64_t flags, addr, offset, size;
	uint32_t link, info;
	uint64_t align, entsize;
};

struct elf_symbol {
	uint32_t name;
	uint8_t info, other;    /* info: binding << 4 | type */
	uint16_t section;
	uint64_t value, size;
};

/* what a section with ELF_COMPRESSED begins with */
struct elf_compression {
	uint32_t type, reserved;
	uint64_t size, align;
};

_Static_assert(sizeof(struct elf_header) == 64, "ELF64 header");
_Static_assert(sizeof(struct elf_section_header) == 64, "ELF64 section");
_Static_assert(sizeof(struct elf_symbol) == 24, "ELF64 symbol");
_Static_assert(sizeof(struct elf_compression) == 24, "ELF64 compression");

enum {
	ELF_REL = 1,                    /* type */

	ELF_CUDA = 190,                 /* machine */
	ELF_AMDGPU = 224,

	ELF_OSABI_AMDHSA = 64,          /* osabi */
	ELF_OSABI_CUDA = 0x41,

	ELF_NULL = 0,                   /* section type */
	ELF_PROGBITS = 1,
	ELF_SYMTAB = 2,
	ELF_STRTAB = 3,
	ELF_NOBITS = 8,

	ELF_WRITE = 1,                  /* section flags */
	ELF_ALLOC = 2,
	ELF_EXEC = 4,
	ELF_COMPRESSED = 0x800,

	ELF_ZSTD = 2,                   /* compression */

	ELF_LOCAL = 0,                  /* symbol binding */
	ELF_GLOBAL = 1,
	ELF_WEAK = 2,

	ELF_OBJECT = 1,                 /* symbol type */
	ELF_FUNC = 2,

	ELF_UNDEF = 0,                  /* symbol section */
	ELF_COMMON = 0xfff2,
};

#endif
