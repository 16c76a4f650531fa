/* codes_array.c - what the driver answers of arrays and copies of them.
 *
 *	codes_array arrays|copies [LIBRARY]
 *
 * codes.test holds what NVIDIA's driver 580 answers on an H200.
 */
#include "codes_image.h"

/* arrays */

static void
array(const char *name, size_t w, size_t h, size_t d, int format,
	unsigned channels, unsigned flags)
{
	CUDA_ARRAY3D_DESCRIPTOR a = { w, h, d, (CUarray_format)format,
		channels, flags }, b = {0};
	void *p = 0;
	int r = f("cuArray3DCreate_v2")(&p, &a);

	CASE(name, r);
	if (r)
		return;
	f("cuArray3DGetDescriptor_v2")(&b, p);
	if (memcmp(&a, &b, sizeof a))
		printf("… is %zu %zu %zu, %#x of %u, %#x\n",
			b.Width, b.Height, b.Depth, (unsigned)b.Format,
			b.NumChannels, b.Flags);
	f("cuArrayDestroy")(p);
}

static void
formats(void)
{
	static const int plain[] = { U8, U16, U32, S8, S16, S32, F16, F32, 0,
		4, 7, 11, 0x11, 0x21, -1 };
	static const int norm[] = { 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6,
		0xc7, 0xc8, 0xc9, 0xca, 0xcb };
	char name[64];
	unsigned i, n;

	for (i = 0; i < sizeof plain / sizeof *plain; i++)
		for (n = 0; n < 6; n++) {
			snprintf(name, sizeof name, "format %d, %u channels",
				plain[i], n);
			array(name, 8, 8, 0, plain[i], n, 0);
		}
	for (i = 0; i < sizeof norm / sizeof *norm; i++)
		for (n = 0; n < 5; n++) {
			snprintf(name, sizeof name, "format %#x, %u channels",
				(unsigned)norm[i], n);
			array(name, 8, 8, 0, norm[i], n, 0);
		}
}

static void
shapes(void)
{
	array("1d", 8, 0, 0, F32, 1, 0);
	array("2d", 8, 8, 0, F32, 1, 0);
	array("3d", 8, 8, 8, F32, 1, 0);
	array("no width", 0, 8, 0, F32, 1, 0);
	array("depth, no height", 8, 0, 8, F32, 1, 0);
	array("1d layered", 8, 0, 3, F32, 1, LAYERED);
	array("2d layered", 8, 8, 3, F32, 1, LAYERED);
	array("layered, none", 8, 8, 0, F32, 1, LAYERED);
	array("cube", 8, 8, 6, F32, 1, CUBE);
	array("cube, 5", 8, 8, 5, F32, 1, CUBE);
	array("cube, 12", 8, 8, 12, F32, 1, CUBE);
	array("cube, 0", 8, 8, 0, F32, 1, CUBE);
	array("cube, not square", 8, 4, 6, F32, 1, CUBE);
	array("cube layered", 8, 8, 12, F32, 1, CUBE | LAYERED);
	array("cube layered, 6", 8, 8, 6, F32, 1, CUBE | LAYERED);
	array("cube layered, 7", 8, 8, 7, F32, 1, CUBE | LAYERED);
	array("surface", 8, 8, 0, F32, 1, SURFACE);
	array("surface 3d", 8, 8, 8, F32, 1, SURFACE);
	array("gather", 8, 8, 0, F32, 1, GATHER);
	array("gather 1d", 8, 0, 0, F32, 1, GATHER);
	array("gather 3d", 8, 8, 8, F32, 1, GATHER);
	array("gather layered", 8, 8, 2, F32, 1, GATHER | LAYERED);
	array("gather cube", 8, 8, 6, F32, 1, GATHER | CUBE);
	array("gather surface", 8, 8, 0, F32, 1, GATHER | SURFACE);
	array("depth texture", 8, 8, 0, F32, 1, 0x10);
	array("colour", 8, 8, 0, F32, 1, 0x20);
	array("flag 0x200", 8, 8, 0, F32, 1, 0x200);
	array("flag 0x80000000", 8, 8, 0, F32, 1, 0x80000000);
}

static void
extents(void)
{
	array("1d 131072", 131072, 0, 0, U8, 1, 0);
	array("1d 131073", 131073, 0, 0, U8, 1, 0);
	array("2d 131072 by 2", 131072, 2, 0, U8, 1, 0);
	array("2d 131073 by 2", 131073, 2, 0, U8, 1, 0);
	array("2d 2 by 65536", 2, 65536, 0, U8, 1, 0);
	array("2d 2 by 65537", 2, 65537, 0, U8, 1, 0);
	array("3d 16384", 16384, 1, 2, U8, 1, 0);
	array("3d 16385", 16385, 1, 2, U8, 1, 0);
	array("3d depth 16384", 2, 2, 16384, U8, 1, 0);
	array("3d depth 16385", 2, 2, 16385, U8, 1, 0);
	array("1d layers 2048", 4, 0, 2048, U8, 1, LAYERED);
	array("1d layers 2049", 4, 0, 2049, U8, 1, LAYERED);
	array("1d layered 32768", 32768, 0, 2, U8, 1, LAYERED);
	array("1d layered 32769", 32769, 0, 2, U8, 1, LAYERED);
	array("2d layered 32769", 32769, 4, 2, U8, 1, LAYERED);
	array("2d layers 2049", 4, 4, 2049, U8, 1, LAYERED);
	array("cube 32769", 32769, 32769, 6, U8, 1, CUBE);
	array("cubes 2046", 4, 4, 2046, U8, 1, CUBE | LAYERED);
	array("cubes 2052", 4, 4, 2052, U8, 1, CUBE | LAYERED);
	array("surface 1d 32768", 32768, 0, 0, U8, 1, SURFACE);
	array("surface 1d 32769", 32769, 0, 0, U8, 1, SURFACE);
	array("surface 1d 131073", 131073, 0, 0, U8, 1, SURFACE);
	array("gather 32768", 32768, 2, 0, U8, 1, GATHER);
	array("gather 32769", 32769, 2, 0, U8, 1, GATHER);
	array("2^40 by 2^40", 1ull << 40, 1ull << 40, 0, U8, 1, 0);
	array("3d of 16 TiB", 16384, 16384, 16384, F32, 1, 0);
}

static void
mipmap(const char *name, size_t w, size_t h, size_t d, unsigned flags,
	unsigned levels)
{
	CUDA_ARRAY3D_DESCRIPTOR a = { w, h, d, U8, 4, flags }, b = {0};
	void *p = 0, *level, *again;
	unsigned l;
	int r = f("cuMipmappedArrayCreate")(&p, &a, levels);

	CASE(name, r);
	for (l = 0; !r && l < 20; l++) {
		level = 0;
		if (f("cuMipmappedArrayGetLevel")(&level, p, l))
			break;
		f("cuArray3DGetDescriptor_v2")(&b, level);
		printf("… level %zu %zu %zu, flags %#x\n", b.Width, b.Height,
			b.Depth, b.Flags);
		f("cuMipmappedArrayGetLevel")(&again, p, l);
		if (again != level)
			printf("… another handle\n");
	}
	if (!r) {
		CASE("… the level behind it",
			f("cuMipmappedArrayGetLevel")(&level, p, l));
		CASE("… destroyed", f("cuMipmappedArrayDestroy")(p));
	}
}

static void
mipmaps(void)
{
	mipmap("mipmap 1d", 8, 0, 0, 0, 3);
	mipmap("mipmap 2d", 11, 7, 0, 0, 4);
	mipmap("mipmap 2d, 0 levels", 8, 8, 0, 0, 0);
	mipmap("mipmap 2d, 9 levels", 8, 8, 0, 0, 9);
	mipmap("mipmap 2d, 100 levels", 8, 4, 0, 0, 100);
	mipmap("mipmap 3d", 4, 2, 16, 0, 6);
	mipmap("mipmap layered", 4, 4, 16, LAYERED, 6);
	mipmap("mipmap 1d layered", 4, 0, 5, LAYERED, 2);
	mipmap("mipmap cube", 4, 4, 6, CUBE, 3);
	mipmap("mipmap surface", 4, 4, 0, SURFACE, 2);
	mipmap("mipmap gather", 4, 4, 0, GATHER, 2);
	mipmap("mipmap 1d 32769", 32769, 0, 0, 0, 1);
	mipmap("mipmap 2d 32768", 32768, 2, 0, 0, 16);
	mipmap("mipmap 2d 32769", 32769, 2, 0, 0, 2);
}

static void
asked(void)
{
	CUDA_ARRAY3D_DESCRIPTOR a = { 8, 8, 0, U8, 1, 0 };
	CUDA_ARRAY_MEMORY_REQUIREMENTS need = {0};
	CUDA_ARRAY_SPARSE_PROPERTIES sparse = {0};
	void *p, *m, *q = 0;

	CASE("create, null", f("cuArray3DCreate_v2")((void *)0, &a));
	CASE("create of null", f("cuArray3DCreate_v2")(&p, (void *)0));
	CASE("mipmap, null", f("cuMipmappedArrayCreate")((void *)0, &a, 1));
	CASE("mipmap of null", f("cuMipmappedArrayCreate")(&p, (void *)0, 1));
	f("cuArray3DCreate_v2")(&p, &a);
	f("cuMipmappedArrayCreate")(&m, &a, 2);
	CASE("descriptor, null", f("cuArray3DGetDescriptor_v2")((void *)0, p));
	CASE("descriptor 2d, null", f("cuArrayGetDescriptor_v2")((void *)0,
		p));
	CASE("level, null", f("cuMipmappedArrayGetLevel")((void *)0, m, 0));
	CASE("plane 0", f("cuArrayGetPlane")(&q, p, 0));
	CASE("plane 1", f("cuArrayGetPlane")(&q, p, 1));
	CASE("requirements",
		f("cuArrayGetMemoryRequirements")(&need, p, 0));
	CASE("requirements, device 99",
		f("cuArrayGetMemoryRequirements")(&need, p, 99));
	CASE("requirements, null",
		f("cuArrayGetMemoryRequirements")((void *)0, p, 0));
	CASE("requirements of a mipmap",
		f("cuMipmappedArrayGetMemoryRequirements")(&need, m, 0));
	CASE("sparse", f("cuArrayGetSparseProperties")(&sparse, p));
	CASE("sparse of a mipmap",
		f("cuMipmappedArrayGetSparseProperties")(&sparse, m));
	f("cuMipmappedArrayGetLevel")(&q, m, 1);
	CASE("a level destroyed", f("cuArrayDestroy")(q));
	CASE("array destroyed", f("cuArrayDestroy")(p));
	CASE("mipmap destroyed", f("cuMipmappedArrayDestroy")(m));
}

static void
arrays(void)
{
	formats();
	shapes();
	extents();
	mipmaps();
	asked();
}

/* copies */

static unsigned char bytes[1 << 16];
static address mem;
static void *flat, *other, *box, *lines, *planes;

static void
copy_lines(void)
{
	CASE("HtoA", f("cuMemcpyHtoA_v2")(flat, (size_t)0, bytes,
		(size_t)64));
	CASE("HtoA, 0 bytes", f("cuMemcpyHtoA_v2")(flat, (size_t)0, bytes,
		(size_t)0));
	CASE("HtoA, part of an element", f("cuMemcpyHtoA_v2")(flat, (size_t)0,
		bytes, (size_t)3));
	CASE("HtoA at 2", f("cuMemcpyHtoA_v2")(flat, (size_t)2, bytes,
		(size_t)4));
	CASE("HtoA at a row's end", f("cuMemcpyHtoA_v2")(flat, (size_t)60,
		bytes, (size_t)4));
	CASE("HtoA over a row's end", f("cuMemcpyHtoA_v2")(flat, (size_t)60,
		bytes, (size_t)8));
	CASE("HtoA over two rows", f("cuMemcpyHtoA_v2")(flat, (size_t)0,
		bytes, (size_t)128));
	CASE("HtoA in row 1", f("cuMemcpyHtoA_v2")(flat, (size_t)64, bytes,
		(size_t)64));
	CASE("HtoA, all of it", f("cuMemcpyHtoA_v2")(flat, (size_t)0, bytes,
		(size_t)64 * 8));
	CASE("HtoA, more", f("cuMemcpyHtoA_v2")(flat, (size_t)0, bytes,
		(size_t)64 * 8 + 4));
	CASE("HtoA of null", f("cuMemcpyHtoA_v2")(flat, (size_t)0, (void *)0,
		(size_t)4));
	CASE("AtoH", f("cuMemcpyAtoH_v2")(bytes, flat, (size_t)0,
		(size_t)64));
	CASE("AtoH, more", f("cuMemcpyAtoH_v2")(bytes, flat, (size_t)0,
		(size_t)1 << 15));
	CASE("AtoD", f("cuMemcpyAtoD_v2")(mem, flat, (size_t)0, (size_t)64));
	CASE("DtoA", f("cuMemcpyDtoA_v2")(flat, (size_t)0, mem, (size_t)64));
	CASE("DtoA of null", f("cuMemcpyDtoA_v2")(flat, (size_t)0, (address)0,
		(size_t)64));
	CASE("AtoA", f("cuMemcpyAtoA_v2")(other, (size_t)0, flat, (size_t)0,
		(size_t)64));
	CASE("AtoA, itself", f("cuMemcpyAtoA_v2")(flat, (size_t)32, flat,
		(size_t)0, (size_t)32));
	CASE("HtoAAsync", f("cuMemcpyHtoAAsync_v2")(flat, (size_t)0, bytes,
		(size_t)64, (void *)0));
	CASE("AtoHAsync", f("cuMemcpyAtoHAsync_v2")(bytes, flat, (size_t)0,
		(size_t)64, (void *)0));
	CASE("HtoA, 3d", f("cuMemcpyHtoA_v2")(box, (size_t)0, bytes,
		(size_t)32));
	CASE("HtoA, 1d layered", f("cuMemcpyHtoA_v2")(lines, (size_t)0, bytes,
		(size_t)32));
}

/* a row longer than one of the array's: where does it go? */
static void
wrapped(void)
{
	CUDA_MEMCPY3D c = { .srcMemoryType = ARRAY, .srcArray = flat,
		.dstMemoryType = HOST, .dstHost = bytes + 4096,
		.dstPitch = 64, .dstHeight = 8,
		.WidthInBytes = 64, .Height = 8, .Depth = 1 };
	int i;

	for (i = 0; i < 512; i++)
		bytes[i] = (unsigned char)(i * 7 + i / 64);
	memset(bytes + 4096, 0, 512);
	CASE("HtoA at 32, 96 bytes", f("cuMemcpyHtoA_v2")(flat, (size_t)32,
		bytes, (size_t)96));
	f("cuMemcpy3D_v2")(&c);
	for (i = 0; i < 512 && bytes[4096 + i] != bytes[0]; i++)
		;
	VALUE("… its first byte", i);
	for (i = 511; i && bytes[4096 + i] != bytes[95]; i--)
		;
	VALUE("… its last byte", i);
}

static void
box_copy(const char *name, void *array, size_t x, size_t y, size_t z,
	size_t w, size_t h, size_t d)
{
	CUDA_MEMCPY3D to = {
		.srcMemoryType = HOST, .srcHost = bytes, .srcPitch = 64,
		.srcHeight = 8, .dstMemoryType = ARRAY, .dstArray = array,
		.dstXInBytes = x, .dstY = y, .dstZ = z,
		.WidthInBytes = w, .Height = h, .Depth = d
	};
	CUDA_MEMCPY3D from = {
		.dstMemoryType = HOST, .dstHost = bytes, .dstPitch = 64,
		.dstHeight = 8, .srcMemoryType = ARRAY, .srcArray = array,
		.srcXInBytes = x, .srcY = y, .srcZ = z,
		.WidthInBytes = w, .Height = h, .Depth = d
	};

	CASE(name, f("cuMemcpy3D_v2")(&to));
	CASE("… back", f("cuMemcpy3D_v2")(&from));
}

static void
copy_boxes(void)
{
	CUDA_MEMCPY3D c = {
		.srcMemoryType = ARRAY, .srcArray = box,
		.dstMemoryType = ARRAY, .dstArray = planes,
		.WidthInBytes = 32, .Height = 8, .Depth = 2
	};

	box_copy("box", box, 0, 0, 0, 32, 8, 4);
	box_copy("box, too wide", box, 0, 0, 0, 36, 8, 4);
	box_copy("box, too high", box, 0, 0, 0, 32, 9, 1);
	box_copy("box, too deep", box, 0, 0, 0, 32, 8, 5);
	box_copy("box at 4 4 2", box, 4, 4, 2, 28, 4, 2);
	box_copy("box at 4 4 3", box, 4, 4, 3, 28, 4, 2);
	box_copy("box at 2", box, 2, 0, 0, 4, 1, 1);
	box_copy("box, part of an element", box, 0, 0, 0, 6, 1, 1);
	box_copy("box, width 0", box, 0, 0, 0, 0, 1, 1);
	box_copy("box, height 0", box, 0, 0, 0, 4, 0, 1);
	box_copy("box, depth 0", box, 0, 0, 0, 4, 1, 0);
	box_copy("box outside, width 0", box, 0, 99, 0, 0, 1, 1);
	box_copy("flat, depth 1", flat, 0, 0, 0, 64, 8, 1);
	box_copy("flat, depth 2", flat, 0, 0, 0, 64, 4, 2);
	box_copy("lines, layers by depth", lines, 0, 0, 0, 32, 1, 4);
	box_copy("lines, layers by height", lines, 0, 0, 0, 32, 4, 1);
	box_copy("planes", planes, 0, 0, 0, 32, 8, 3);
	box_copy("planes, one more", planes, 0, 0, 1, 32, 8, 3);
	CASE("array to array", f("cuMemcpy3D_v2")(&c));
	c.dstArray = flat;
	CASE("array to one with fewer slices", f("cuMemcpy3D_v2")(&c));
	c.Depth = 1;
	c.dstXInBytes = 32;
	CASE("array to flat one", f("cuMemcpy3D_v2")(&c));
	c.dstLOD = 1;
	CASE("to level 1", f("cuMemcpy3D_v2")(&c));
	c.dstLOD = 0;
	c.srcLOD = 1;
	CASE("from level 1", f("cuMemcpy3D_v2")(&c));
}

static void
copy_planes(void)
{
	CUDA_MEMCPY2D c = {
		.srcMemoryType = HOST, .srcHost = bytes, .srcPitch = 64,
		.dstMemoryType = ARRAY, .dstArray = flat,
		.WidthInBytes = 64, .Height = 8
	};

	CASE("2d", f("cuMemcpy2D_v2")(&c));
	c.srcPitch = 0;
	CASE("2d, pitch 0", f("cuMemcpy2D_v2")(&c));
	c.srcPitch = 32;
	CASE("2d, pitch less than width", f("cuMemcpy2D_v2")(&c));
	c.srcPitch = 64;
	c.dstY = 1;
	CASE("2d, too low", f("cuMemcpy2D_v2")(&c));
	c.dstY = 0;
	c.dstArray = box;
	c.WidthInBytes = 32;
	CASE("2d to a box", f("cuMemcpy2D_v2")(&c));
	c.dstArray = lines;
	c.Height = 1;
	CASE("2d to lines", f("cuMemcpy2D_v2")(&c));
	c.dstArray = flat;
	c.dstXInBytes = 2;
	c.WidthInBytes = 4;
	CASE("2d at 2", f("cuMemcpy2D_v2")(&c));
	CASE("2d at 2, unaligned", f("cuMemcpy2DUnaligned_v2")(&c));
	c.dstXInBytes = 0;
	CASE("2d in a stream", f("cuMemcpy2DAsync_v2")(&c, (void *)0));
}

static void
copies(void)
{
	flat = make(16, 8, 0, F32, 1, 0);
	other = make(16, 8, 0, U8, 4, 0);
	box = make(8, 8, 4, F32, 1, 0);
	lines = make(8, 0, 4, F32, 1, LAYERED);
	planes = make(8, 8, 3, F32, 1, LAYERED);
	f("cuMemAlloc_v2")(&mem, (size_t)1 << 16);
	copy_lines();
	wrapped();
	copy_boxes();
	copy_planes();
}

int
main(int argc, char *argv[])
{
	static const struct section list[] = {
		{ "arrays", arrays }, { "copies", copies }, { 0, 0 }
	};

	return run_section(argc, argv, list);
}
