/* decode.c - code becomes ops.
 *
 * LLVM's disassembler prints an instruction; op.c reads the text.  Ops are
 * made when control first comes to them, from there to the next jump at once,
 * and stay until the code is unloaded.  Waves of 32 and 64 have ops of their
 * own, since the text differs.
 */
#include "emu_int.h"

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chunk {
	struct chunk *next;
	max_align_t data[];
};

struct decoder {
	const struct gpu *gpu;
	uint64_t base;
	size_t size;
	pthread_mutex_t lock;
	struct chunk *chunks;
	struct {
		LLVMDisasmContextRef context;
		struct op **at;     /* by offset / 4 */
	} wave[2];                  /* of 32 and of 64 */
};

static void
start(void)
{
	LLVMInitializeAMDGPUTargetInfo();
	LLVMInitializeAMDGPUTarget();
	LLVMInitializeAMDGPUTargetMC();
	LLVMInitializeAMDGPUDisassembler();
}

struct decoder *
decoder_new(const struct gpu *g, uint64_t base, size_t size)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct decoder *d = calloc(1, sizeof *d);

	pthread_once(&once, start);
	if (!d)
		return 0;
	d->gpu = g;
	d->base = base;
	d->size = size;
	pthread_mutex_init(&d->lock, 0);
	return d;
}

void
decoder_free(struct decoder *d)
{
	struct chunk *c;
	int i;

	if (!d)
		return;
	for (i = 0; i < 2; i++) {
		if (d->wave[i].context)
			LLVMDisasmDispose(d->wave[i].context);
		free(d->wave[i].at);
	}
	while ((c = d->chunks)) {
		d->chunks = c->next;
		free(c);
	}
	pthread_mutex_destroy(&d->lock);
	free(d);
}

static void *
keep(struct decoder *d, size_t size)
{
	struct chunk *c = calloc(1, sizeof *c + size);

	if (!c)
		abort();
	c->next = d->chunks;
	d->chunks = c;
	return c->data;
}

static bool
prepare(struct decoder *d, int i)
{
	const char *features = d->gpu->generation < 10 ? "" :
		i ? "+wavefrontsize64,-wavefrontsize32" : "+wavefrontsize32";

	if (d->wave[i].context)
		return true;
	d->wave[i].at = calloc(d->size / 4 + 1, sizeof *d->wave[i].at);
	d->wave[i].context = LLVMCreateDisasmCPUFeatures("amdgcn-amd-amdhsa",
		d->gpu->name, features, 0, 0, 0, 0);
	return d->wave[i].at && d->wave[i].context;
}

static void
unknown(struct wave *w, const struct op *o)
{
	emu_fault(w, -1, "%s", o->row ? o->row->name : "not an instruction");
}

/* o cannot be run, why is malloc'ed or 0 */
static void
refuse(struct decoder *d, struct op *o, char *why)
{
	static const char plain[] = "instruction not known to the emulator";
	const char *text = why ? why : plain;
	struct op_row *r = keep(d, sizeof *r + strlen(text) + 1);

	r->name = strcpy((char *)(r + 1), text);
	r->class = OP_WAIT;
	free(why);
	o->row = r;
	o->run = unknown;
	o->class = OP_WAIT;
}

static struct op *
decode(struct decoder *d, int i, uint64_t offset)
{
	struct op *o = keep(d, 2 * sizeof *o);
	char text[MAX_LINE], *why = 0;
	size_t n;

	o->addr = d->base + offset;
	n = LLVMDisasmInstruction(d->wave[i].context,
		(uint8_t *)(uintptr_t)o->addr, d->size - offset, o->addr,
		text, sizeof text);
	if (!n)
		snprintf(text, sizeof text, "(0x%08x)",
			*(uint32_t *)(uintptr_t)o->addr);
	o->size = (uint8_t)(n ? n : 4);
	o->text = strcpy(keep(d, strlen(text) + 1),
		text + strspn(text, " \t"));
	if (!n || !op_read(o, o->text, o + 1, &why))
		refuse(d, o, why);
	return o;
}

/* does control never come to what stands behind o? */
static bool
ends_run(const struct op *o)
{
	static const char *const name[] = { "s_endpgm", "s_branch",
		"s_setpc_b64", "s_code_end", "s_endpgm_saved" };
	size_t i;

	if (!o->row->run)
		return true;
	for (i = 0; i < sizeof name / sizeof *name; i++)
		if (!strcmp(o->row->name, name[i]))
			return true;
	return false;
}

/* from offset on to the next jump, or to what is there already */
static struct op *
decode_run(struct decoder *d, int i, uint64_t offset)
{
	struct op **at = d->wave[i].at, *o, *last = 0, *first = 0;

	while (offset + 4 <= d->size) {
		o = at[offset / 4];
		if (o) {
			last->next = o;
			break;
		}
		o = at[offset / 4] = decode(d, i, offset);
		if (last)
			last->next = o;
		else
			first = o;
		last = o;
		offset += o->size;
		if (ends_run(o))
			break;
	}
	return first;
}

const struct op *
decode_at(struct decoder *d, uint64_t addr, unsigned size)
{
	uint64_t offset = addr - d->base;
	int i = size == 64;
	struct op *o = 0;

	if (addr < d->base || offset + 4 > d->size || offset % 4)
		return 0;
	pthread_mutex_lock(&d->lock);
	if (prepare(d, i)) {
		o = d->wave[i].at[offset / 4];
		if (!o)
			o = decode_run(d, i, offset);
	}
	pthread_mutex_unlock(&d->lock);
	return o;
}
