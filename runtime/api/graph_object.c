/* graph_object.c - user objects: counted by programs and graphs, and given to
 * a function of the program's when nobody counts on them any more. */
#include "graph.h"
#include <limits.h>
#include <stdlib.h>

struct CUuserObject_st {
	atomic_uint count;
	void *data;
	CUhostFn destroy;
};

static void
release(CUuserObject o, unsigned count)
{
	CUhostFn destroy = o->destroy;
	void *data = o->data;

	if (atomic_fetch_sub(&o->count, count) != count)
		return;
	handle_free(HANDLE_OBJECT, o);
	destroy(data);
}

void
objects_drop(struct held_object *l)
{
	struct held_object *next;

	for (; l; l = next) {
		next = l->next;
		release(l->object, l->count);
		free(l);
	}
}

void
objects_drop_later(void *l)
{
	objects_drop(l);
}

/* takes references that are there */
static CUresult
hold(struct held_object **list, CUuserObject o, unsigned count)
{
	struct held_object *h;

	for (h = *list; h && h->object != o; h = h->next)
		;
	if (!h) {
		h = calloc(1, sizeof *h);
		if (!h)
			return CUDA_ERROR_OUT_OF_MEMORY;
		h->object = o;
		h->next = *list;
		*list = h;
	}
	h->count += count;
	return CUDA_SUCCESS;
}

CUresult
objects_copy(struct held_object **to, const struct held_object *l)
{
	CUresult err = CUDA_SUCCESS;

	for (; l && !err; l = l->next) {
		err = hold(to, l->object, l->count);
		if (!err)
			atomic_fetch_add(&l->object->count, l->count);
	}
	return err;
}

/* the API */

static bool
is_count(unsigned count)
{
	return count && count <= INT_MAX;
}

CUresult
cuUserObjectCreate(CUuserObject *out, void *data, CUhostFn destroy,
	unsigned count, unsigned flags)
{
	CUuserObject o;

	if (!out || !destroy || !is_count(count)
		|| flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
		return CUDA_ERROR_INVALID_VALUE;
	o = handle_new(HANDLE_OBJECT, sizeof *o);
	if (!o)
		return CUDA_ERROR_OUT_OF_MEMORY;
	atomic_init(&o->count, count);
	o->data = data;
	o->destroy = destroy;
	*out = o;
	return CUDA_SUCCESS;
}

CUresult
cuUserObjectRetain(CUuserObject o, unsigned count)
{
	if (!handle_is(HANDLE_OBJECT, o) || !is_count(count))
		return CUDA_ERROR_INVALID_VALUE;
	atomic_fetch_add(&o->count, count);
	return CUDA_SUCCESS;
}

CUresult
cuUserObjectRelease(CUuserObject o, unsigned count)
{
	if (!handle_is(HANDLE_OBJECT, o) || !is_count(count)
		|| count > atomic_load(&o->count))
		return CUDA_ERROR_INVALID_VALUE;
	release(o, count);
	return CUDA_SUCCESS;
}

CUresult
cuGraphRetainUserObject(CUgraph g, CUuserObject o, unsigned count,
	unsigned flags)
{
	CUresult err;

	if (!handle_is(HANDLE_GRAPH, g) || !handle_is(HANDLE_OBJECT, o)
		|| !is_count(count) || flags > CU_GRAPH_USER_OBJECT_MOVE)
		return CUDA_ERROR_INVALID_VALUE;
	err = hold(&g->objects, o, count);
	if (!err && !(flags & CU_GRAPH_USER_OBJECT_MOVE))
		atomic_fetch_add(&o->count, count);
	return err;
}

/* no more than the graph has are given back */
CUresult
cuGraphReleaseUserObject(CUgraph g, CUuserObject o, unsigned count)
{
	struct held_object **at, *h;

	if (!handle_is(HANDLE_GRAPH, g) || !handle_is(HANDLE_OBJECT, o)
		|| !is_count(count))
		return CUDA_ERROR_INVALID_VALUE;
	for (at = &g->objects; (h = *at) && h->object != o; at = &h->next)
		;
	if (!h)
		return CUDA_ERROR_INVALID_VALUE;
	if (count > h->count)
		count = h->count;
	h->count -= count;
	if (!h->count) {
		*at = h->next;
		free(h);
	}
	release(o, count);
	return CUDA_SUCCESS;
}
