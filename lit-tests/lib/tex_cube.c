/* tex_cube.c - cubes in the texture model: which face, and what is beyond
 * its edges.
 *
 * Faces are +x -x +y -y +z -z.
 */
#include <math.h>
#include <stdlib.h>

#include "tex_int.h"

/* of a face: which coordinate is s and which t, and their signs */
static const struct {
	int s, t;
	int sign_s, sign_t;
} face[6] = {
	{ 2, 1, -1, -1 }, { 2, 1, 1, -1 },
	{ 0, 2, 1, 1 }, { 0, 2, 1, -1 },
	{ 0, 1, 1, -1 }, { 0, 1, -1, -1 },
};

/* the face that a direction points to; of equals z wins, then y */
static int
face_of(const float d[3])
{
	float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]);
	int axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;

	return 2 * axis + (d[axis] < 0);
}

/* subnormals are 0, here as in other coordinates */
static float
normal(float v)
{
	return fabsf(v) < 0x1p-126f ? 0 : v;
}

/* -1..1 to 0..1, as exact as coordinates are */
static float
coordinate(float s)
{
	return (float)((floor(ldexp(s, 20)) + (1 << 20)) / (1 << 21));
}

void
tex_cube(const struct texture *t, struct tex_at *a)
{
	float d[3] = { normal(a->x[0]), normal(a->x[1]), normal(a->x[2]) };
	float far = fabsf(d[0]) + fabsf(d[1]) + fabsf(d[2]), r;
	uint32_t cube = t->flags & TEXTURE_LAYERED ? a->layer : 0;
	int f = 4;

	a->x[0] = a->x[1] = 0.5f;
	if (far > 0 && far < INFINITY) {
		f = face_of(d);
		r = normal(1 / fabsf(d[f / 2]));
		a->x[0] = coordinate(normal(d[face[f].s] * face[f].sign_s * r));
		a->x[1] = coordinate(normal(d[face[f].t] * face[f].sign_t * r));
	}
	a->dims = 2;
	a->layer = (cube < t->layers ? cube : t->layers - 1) * 6 + f;
}

/* Twice the coordinates of texel centres from the cube's centre are odd
 * integers below size, on the face itself size. */
bool
tex_over(int size, int at[3])
{
	int f = at[2] % 6, d[3], k;
	int s = 2 * at[0] + 1 - size, t = 2 * at[1] + 1 - size;

	if (abs(s) < size && abs(t) < size)
		return true;
	if (abs(s) > size && abs(t) > size)
		return false;
	d[f / 2] = f & 1 ? -size : size;
	d[face[f].s] = s * face[f].sign_s;
	d[face[f].t] = t * face[f].sign_t;
	/* folded: the axis that was crossed becomes the face's, and the
	 * old face's axis is one texel in */
	d[f / 2] = f & 1 ? 1 - size : size - 1;
	for (k = 0; k < 3; k++)
		if (abs(d[k]) > size) {
			f = 2 * k + (d[k] < 0);
			break;
		}
	at[0] = (d[face[f].s] * face[f].sign_s + size - 1) / 2;
	at[1] = (d[face[f].t] * face[f].sign_t + size - 1) / 2;
	at[2] += f - at[2] % 6;
	return true;
}
