/* graph_launch.c - the launch of a graph: its steps into queues.
 *
 * The first lane is the stream, if that is of the same context; the others are
 * queues of the graph's own, which begin when the stream has come there and
 * which the stream waits for in the end.  A graph does not run twice at once.
 */
#include "graph.h"
#include "stream.h"
#include <stdlib.h>

static const struct dev_ops *
ops_of(CUgraphExec e)
{
	return e->context->device->ops;
}

/* a queue for each lane */
static CUresult
open_lanes(CUgraphExec e, CUstream s, struct queue *lane[])
{
	CUresult err = CUDA_SUCCESS;
	unsigned k;

	for (k = 0; k < e->plan.nlane && !err; k++) {
		CUcontext c = e->plan.lane[k];

		if (!k && c == s->context) {
			lane[k] = s->queue;
			continue;
		}
		if (!atomic_load(&c->alive))
			return CUDA_ERROR_CONTEXT_IS_DESTROYED;
		if (!e->queue[k]) {
			err = queue_take(c, &e->queue[k]);
			e->lane_id[k] = c->id;
		}
		lane[k] = e->queue[k];
	}
	return err;
}

/* what comes into one queue next waits for what is in another */
static CUresult
follow(const struct dev_ops *ops, struct queue *q, struct queue *before)
{
	struct mark *m;
	CUresult err = ops->mark(before, false, &m);

	if (err)
		return err;
	err = ops->wait(q, m);
	ops->unmark(m);
	return err;
}

/* lanes may begin when the stream has come this far */
static CUresult
fork(CUgraphExec e, struct queue *stream, struct queue *lane[])
{
	const struct dev_ops *ops = ops_of(e);
	struct mark *m;
	CUresult err;
	unsigned k;

	if (e->plan.nlane == 1 && lane[0] == stream)
		return CUDA_SUCCESS;
	err = ops->mark(stream, false, &m);
	if (err)
		return err;
	for (k = 0; k < e->plan.nlane && !err; k++)
		if (lane[k] != stream)
			err = ops->wait(lane[k], m);
	ops->unmark(m);
	return err;
}

static CUresult
run_step(struct plan *p, struct step *s, struct queue *lane[])
{
	const struct work_kind *kind = work_kind(s->work.kind);
	const struct dev_ops *ops = p->lane[s->lane]->device->ops;
	CUresult err = CUDA_SUCCESS;
	unsigned k;

	for (k = 0; k < s->nwait && !err; k++)
		err = ops->wait(lane[s->lane], p->step[s->wait[k]].mark);
	if (!err && !s->off && kind->run)
		err = kind->run(&s->work, lane[s->lane]);
	if (!err && s->marks)
		err = ops->mark(lane[s->lane], false, &s->mark);
	return err;
}

static CUresult
run_steps(CUgraphExec e, struct queue *stream, struct queue *lane[])
{
	const struct dev_ops *ops = ops_of(e);
	struct plan *p = &e->plan;
	CUresult err = fork(e, stream, lane), end;
	unsigned k;

	for (k = 0; k < p->n && !err; k++)
		err = run_step(p, &p->step[p->order[k]], lane);
	for (k = 0; k < p->nlane; k++)
		if (lane[k] != stream) {
			end = follow(ops, stream, lane[k]);
			err = err ? err : end;
		}
	for (k = 0; k < p->n; k++)
		if (p->step[k].mark) {
			ops->unmark(p->step[k].mark);
			p->step[k].mark = 0;
		}
	return err;
}

/* memory that the graph allocates must be free, and is the program's then */
static CUresult
take_memory(CUgraphExec e)
{
	bool again = e->flags &
		CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
	struct plan *p = &e->plan;
	struct step *s;
	unsigned k;

	for (k = 0; k < p->n && !again; k++)
		if (p->step[k].work.kind == CU_GRAPH_NODE_TYPE_MEM_ALLOC
			&& graph_memory_live(p->step[k].work.memory))
			return CUDA_ERROR_INVALID_VALUE;
	for (k = 0; k < p->n; k++) {
		s = &p->step[p->order[k]];
		if (s->work.kind == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
			graph_memory_set(s->work.memory, true);
		if (s->work.kind == CU_GRAPH_NODE_TYPE_MEM_FREE
			&& !graph_memory_set(s->work.memory, false))
			return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

static CUresult
run(CUgraphExec e, CUstream s, struct queue *queue)
{
	const struct dev_ops *ops = ops_of(e);
	struct queue *lane[MAX_LANES];
	struct mark *end;
	CUresult err = CUDA_SUCCESS, last;

	if (s->context->device->ops != ops)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (e->memory)
		err = take_memory(e);
	if (!err)
		err = open_lanes(e, s, lane);
	if (!err && e->last)
		err = ops->wait(queue, e->last);
	if (err)
		return err;
	err = e->plan.conditional ?
		exec_run_conditional(e, s->context, queue) :
		run_steps(e, queue, lane);
	last = ops->mark(queue, false, &end);
	if (last)
		return err ? err : last;
	if (e->last)
		ops->unmark(e->last);
	e->last = end;
	return err;
}

CUresult
cuGraphLaunch(CUgraphExec e, CUstream h)
{
	struct queue *queue;
	CUstream s;
	CUresult err;

	if (!handle_is(HANDLE_EXEC, e))
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_begin(h, &s, &queue);
	if (err)
		return err;
	if (e->context && e->plan.n) {
		pthread_mutex_lock(&e->lock);
		err = run(e, s, queue);
		pthread_mutex_unlock(&e->lock);
	}
	stream_end(s);
	return err;
}

CUresult
cuGraphUpload(CUgraphExec e, CUstream h)
{
	struct queue *queue;
	CUstream s;
	CUresult err;

	if (!handle_is(HANDLE_EXEC, e))
		return CUDA_ERROR_INVALID_VALUE;
	err = stream_begin(h, &s, &queue);
	if (!err)
		stream_end(s);
	return err;
}
