/* cpu_object.h - relocatable objects in this process: cpu_load.c. */
#ifndef CPU_OBJECT_H
#define CPU_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object;

/* the address of a symbol that the object needs; 0: there is none */
typedef void *object_resolve(void *arg, const char *name);

/* An ELF64 object of this machine's, which the compiler made as position
 * independent code, laid out, relocated and made executable; nothing points
 * into data afterwards.  0: damaged, or needs what is not there; why gets the
 * reason in words. */
struct object *object_load(const void *data, size_t size, object_resolve *,
	void *arg, char why[128]);
void object_free(struct object *);
/* a symbol that it defines; *size (may be 0) as the object says; 0: none */
void *object_symbol(const struct object *, const char *name, size_t *size);

/* cpu_reloc.c: what a kind of relocation writes */
enum reloc_how {
	RELOC_NONE,
	RELOC_ABS64,      /* S + A */
	RELOC_PC64,       /* S + A - P */
	RELOC_PC32,       /* the same in 32 bits; signed */
	RELOC_CALL32,     /* to a stub if S is far */
	RELOC_GOT32,      /* G + A - P: G holds the address of S */
	RELOC_ABS32,      /* S + A in 32 bits */
	/* of aarch64: into the fields of an instruction */
	RELOC_BRANCH26,   /* to a stub if S is far */
	RELOC_PAGE21,     /* page(S + A) - page(P) */
	RELOC_LOW12,      /* the low 12 bits of S + A, by the access's size */
	RELOC_GOT_PAGE21,
	RELOC_GOT_LOW12,
};

struct reloc_info {
	uint32_t type;    /* R_X86_64_… */
	uint8_t how;      /* enum reloc_how */
	uint8_t shift;    /* LOW12: log2 of the access's size */
	uint8_t bytes;    /* that it writes */
};

/* 0: a kind that is not known */
const struct reloc_info *reloc_find(uint32_t type);
/* writes at place what symbol s with addend a, got slot and stub make of it;
 * false: it does not fit */
bool reloc_write(const struct reloc_info *, uint8_t *place, uint64_t s,
	int64_t a, uint64_t got, uint64_t stub);
/* code that jumps to the address in *got: STUB bytes */
enum { RELOC_STUB = 16 };
void reloc_stub(uint8_t *stub, uint64_t got);
/* the ELF machine that this is */
extern const uint16_t reloc_machine;

#endif
