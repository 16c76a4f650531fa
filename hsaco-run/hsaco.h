/* hsaco.h - what the files of hsaco-run share. */
#ifndef HSACO_H
#define HSACO_H

#include "hip_api.h"
#include "kernels.h"
#include "ptx.h"

enum { MAX_ARGS = 64 };

enum number { U8, U16, U32, U64, S8, S16, S32, S64, F16, F32, F64, NNUMBER };

/* number.c: -1: no such type */
int number_type(const char *name, size_t len);
const char *number_name(enum number);
size_t number_size(enum number);
/* false: s is no such number */
bool number_read(enum number, const char *s, void *to);
void number_set(enum number, double, void *to);
void number_print(enum number, const void *from);

/* one argument of the kernel */
struct arg {
	const char *text;
	bool buffer, print;     /* a pointer; show what is there at the end */
	enum number type;
	size_t n;               /* numbers, or bytes of "hex:" */
	uint8_t *data;          /* by value, or what is in the buffer */
	size_t size;            /* of data */
	void *device;           /* buffers: where */
};

struct options {
	const char *file, *kernel;
	unsigned grid[3], block[3], shared;
	int device;
	size_t show;            /* numbers of a buffer, at most */
	bool list, quiet;
	struct arg arg[MAX_ARGS];
	size_t nargs;
};

/* args.c: exits with a message where it is wrong */
void arg_read(struct arg *, const char *text);
/* the argument segment of the kernel, *size bytes, malloc'ed; what stands in
 * it of arguments, and for our own kernels of struct launch */
void *arg_block(const struct options *, const struct kernel_note *,
	size_t *size);

/* library.c: HIP; the emulator beside program, of this arch, if there is no
 * GPU.  Exits with a message if there is none of either */
struct library {
	struct hip_api hip;
	void (*stats)(char *, size_t); /* the emulator alone has it; else 0 */
};
void library_open(struct library *, const char *program, const char *arch);
void must(const struct library *, int error, const char *what);

void die(const char *fmt, ...) __attribute__((noreturn,
	format(printf, 1, 2)));

#endif
