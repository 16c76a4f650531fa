/* kernels for api.c */
#define KERNEL extern "C" __attribute__((global)) void

extern "C" { __attribute__((device)) unsigned total; }

KERNEL
count(unsigned *unused, unsigned n)
{
	unsigned i = __builtin_amdgcn_workgroup_id_x() *
		__builtin_amdgcn_workgroup_size_x() +
		__builtin_amdgcn_workitem_id_x();

	if (i < n)
		__atomic_fetch_add(&total, 1, __ATOMIC_RELAXED);
	(void)unused;
}

/* n blocks wait for each other, twice */
KERNEL
meet(unsigned *word, unsigned n)
{
	int i;

	for (i = 0; i < 2; i++) {
		__builtin_amdgcn_s_barrier();
		if (__builtin_amdgcn_workitem_id_x() == 0) {
			__atomic_fetch_add(&word[i], 1, __ATOMIC_SEQ_CST);
			while (__atomic_load_n(&word[i], __ATOMIC_SEQ_CST) < n)
				;
		}
		__builtin_amdgcn_s_barrier();
	}
}

KERNEL
wild(void)
{
	*(volatile unsigned *)64 = 1;
}
