/* what kernels must not do, chosen by how */
#define KERNEL extern "C" __attribute__((global)) void
typedef __attribute__((address_space(3))) unsigned lds;
typedef __attribute__((address_space(5))) unsigned scratch;

KERNEL
wild(unsigned *out)
{
	if (__builtin_amdgcn_workitem_id_x() == 37)
		*(volatile unsigned *)0x123456789abcul = 1;
	out[0] = 1;
}

KERNEL
behind(unsigned *out)
{
	out[__builtin_amdgcn_workitem_id_x()] = 1;
}

KERNEL
shared(unsigned *out, unsigned where)
{
	*(volatile lds *)where = 1;
	out[0] = *(volatile lds *)where;
}

KERNEL
local(unsigned *out, unsigned where)
{
	*(volatile scratch *)where = 1;
	out[0] = *(volatile scratch *)where;
}

KERNEL
unaligned(char *out)
{
	__atomic_fetch_add((unsigned *)(out + 2), 1, __ATOMIC_RELAXED);
}

KERNEL
stops(unsigned *out)
{
	out[0] = 1;
	if (__builtin_amdgcn_workitem_id_x() == 0)
		__builtin_trap();
}

KERNEL
nothing_there(unsigned *out)
{
	void (*volatile f)(void) = (void (*)(void))out;

	f();
}

KERNEL
unknown(unsigned *out)
{
	__asm__ volatile("ds_gws_sema_v gds");
	out[0] = 1;
}
