/* elf_file.h - an ELF file of this machine's kind, read as it is on disk. */
#ifndef ELF_FILE_H
#define ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file {
	const char *data;
	size_t size;
	const Elf64_Shdr *section;
	size_t nsection;
};

/* false: there is no such file, or it is damaged or of another kind */
bool elf_open(struct elf_file *, const char *path);
void elf_close(struct elf_file *);
/* 0: there is none of that name */
const Elf64_Shdr *elf_section(const struct elf_file *, const char *name);
/* does it name a library that begins so among those it needs? */
bool elf_needs(const struct elf_file *, const char *library);
/* does it leave a symbol of that name to other files? */
bool elf_imports(const struct elf_file *, const char *name);
/* calls f for each function that it defines, by both symbol tables */
void elf_functions(const struct elf_file *,
	void (*f)(void *, const char *name, uint64_t address, uint64_t size),
	void *arg);

#endif
