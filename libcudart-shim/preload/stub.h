/* stub.h - functions that become our runtime's when they are first called.
 *
 * A library is taken over while the dynamic linker is at work and cannot be
 * asked for another; so what its functions jump to is a stub, which opens our
 * runtime when it is called.
 */
#ifndef STUB_H
#define STUB_H

/* what stands for a function of CUDA 11's, 12's or 13's runtime, or 0: that
 * has no such function.  It stays for good, and any thread may call it. */
const void *stub_of(int major, const char *name);
/* says on stderr what is wrong with a file */
void say(const char *path, const char *what);

#endif
