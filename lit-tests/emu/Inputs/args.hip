/* arguments of many types, and what the hidden ones say */
struct four { unsigned v[4]; };

extern "C" __attribute__((global)) void
k(unsigned *out, struct four s, unsigned char b, long l, _Float16 h, double d,
	int *null)
{
	union { double d; unsigned u[2]; } wide = { d };
	union { _Float16 h; unsigned short u; } half = { h };
	const unsigned *hidden = (const unsigned *)
		__builtin_amdgcn_implicitarg_ptr();

	out[0] = hidden[0];
	out[1] = hidden[1];
	out[2] = hidden[2];
	out[3] = __builtin_amdgcn_workgroup_size_x();
	out[4] = __builtin_amdgcn_workgroup_size_y();
	out[5] = __builtin_amdgcn_workgroup_size_z();
	out[6] = s.v[3];
	out[7] = b;
	out[8] = (unsigned)l;
	out[9] = (unsigned)(l >> 32);
	out[10] = half.u;
	out[11] = wide.u[1];
	out[12] = null != 0;
}
