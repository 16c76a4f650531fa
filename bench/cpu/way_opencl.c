/* way_opencl.c - an OpenCL driver, such as PoCL, on the first CPU device.
 *
 * Without OpenCL's headers this way says so.
 */
#include "bench.h"

#if defined __has_include
#if __has_include(<CL/cl.h>)
#define HAVE_OPENCL
#endif
#endif

#ifdef HAVE_OPENCL

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel;
static cl_mem held[MAX_ARG];
static char message[4096];

static const char *
check(cl_int rc, const char *what)
{
	if (!rc)
		return 0;
	snprintf(message, sizeof message, "%s: error %d", what, rc);
	return message;
}

static const char *
open_it(void)
{
	cl_platform_id platform[8];
	cl_uint i, n = 0;
	cl_int rc;

	clGetPlatformIDs(8, platform, &n);
	for (i = 0; i < n && i < 8 && !device; i++)
		clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_CPU, 1, &device, 0);
	if (!device)
		return "no CPU device";
	context = clCreateContext(0, 1, &device, 0, 0, &rc);
	if (rc)
		return check(rc, "clCreateContext");
	queue = clCreateCommandQueue(context, device, 0, &rc);
	return check(rc, "clCreateCommandQueue");
}

/* source: the kernel's C file; its folder holds common.h */
static const char *
build(const char *source)
{
	char options[1024], text[1200];
	const char *lines = text;
	cl_int rc;

	snprintf(options, sizeof options, "-cl-std=CL1.2 -I%.*s",
		(int)(strrchr(source, '/') - source), source);
	snprintf(text, sizeof text, "#include \"%s\"\n",
		strrchr(source, '/') + 1);
	program = clCreateProgramWithSource(context, 1, &lines, 0, &rc);
	if (rc)
		return check(rc, "clCreateProgramWithSource");
	rc = clBuildProgram(program, 1, &device, options, 0, 0);
	if (!rc)
		return 0;
	clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG,
		sizeof message, message, 0);
	return message;
}

static const char *
load(const struct job *j, const char *source, void *const *buffer)
{
	const char *e = build(source);
	cl_int rc;
	int i, n;

	if (e)
		return e;
	kernel = clCreateKernel(program, j->name, &rc);
	if (rc)
		return check(rc, "clCreateKernel");
	for (i = n = 0; i < MAX_ARG && j->arg[i].kind; i++) {
		const struct arg *a = &j->arg[i];
		union { cl_uint u; cl_int i; cl_float f; } v;

		if (a->n) {
			held[n] = clCreateBuffer(context, CL_MEM_READ_WRITE
				| CL_MEM_COPY_HOST_PTR, a->n
				* element_size(a->of), buffer[n], &rc);
			if (rc)
				return check(rc, "clCreateBuffer");
			rc = clSetKernelArg(kernel, (cl_uint)i,
				sizeof held[n], &held[n]);
			n++;
		} else {
			if (a->kind == 'f')
				v.f = (float)a->value;
			else if (a->kind == 'i')
				v.i = (cl_int)a->value;
			else
				v.u = (cl_uint)a->value;
			rc = clSetKernelArg(kernel, (cl_uint)i, sizeof v, &v);
		}
		if (rc)
			return check(rc, "clSetKernelArg");
	}
	return 0;
}

static const char *
run(const struct job *j)
{
	size_t all[2], block[2];
	int i;
	cl_int rc;

	for (i = 0; i < 2; i++) {
		block[i] = j->block[i];
		all[i] = (size_t)j->grid[i] * j->block[i];
	}
	rc = clEnqueueNDRangeKernel(queue, kernel, 2, 0, all, block, 0, 0, 0);
	return rc ? check(rc, "clEnqueueNDRangeKernel")
		: check(clFinish(queue), "clFinish");
}

static const char *
fetch(const struct job *j, void *const *buffer)
{
	const char *e = 0;
	int i, n;

	for (i = n = 0; !e && i < MAX_ARG && j->arg[i].kind; i++)
		if (j->arg[i].n) {
			e = check(clEnqueueReadBuffer(queue, held[n], CL_TRUE,
				0, j->arg[i].n * element_size(j->arg[i].of),
				buffer[n], 0, 0, 0), "clEnqueueReadBuffer");
			n++;
		}
	return e;
}

static void
unload(void)
{
	int n;

	for (n = 0; n < MAX_ARG; n++) {
		if (held[n])
			clReleaseMemObject(held[n]);
		held[n] = 0;
	}
	if (kernel)
		clReleaseKernel(kernel);
	if (program)
		clReleaseProgram(program);
	kernel = 0;
	program = 0;
}

#else

static const char *
open_it(void)
{
	return "built without OpenCL's headers";
}

#define load 0
#define run 0
#define fetch 0
#define unload 0

#endif

const struct way way_opencl = { "opencl", open_it, load, run, fetch, unload };
