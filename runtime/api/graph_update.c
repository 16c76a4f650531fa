/* graph_update.c - executable graphs that are to do what another graph does.
 *
 * Its nodes are paired with steps: in the order in which they were made where
 * that fits, else with any that comes behind the same ones.
 */
#include "graph.h"
#include <stdlib.h>

struct pairing {
	const struct plan *is, *want;
	unsigned from, end;      /* of the steps */
	int *of;                 /* by step from `from': the step of want */
	bool *taken;             /* by step of want */
};

/* does w come behind what stands for what s comes behind? */
static bool
is_behind(const struct pairing *p, const struct step *s, const struct step *w)
{
	unsigned i, k, n = 0;

	for (i = 0; i < s->nbefore; i++) {
		if (s->before[i] < p->from)
			continue; /* the node whose child this is */
		n++;
		for (k = 0; k < w->nbefore; k++)
			if (p->of[s->before[i] - p->from] ==
			    (int)w->before[k])
				break;
		if (k == w->nbefore)
			return false;
	}
	return n == w->nbefore;
}

static bool
fits(const struct pairing *p, unsigned s, unsigned w, bool any_kind)
{
	const struct step *a = &p->is->step[s], *b = &p->want->step[w];

	return !p->taken[w] && (any_kind || a->work.kind == b->work.kind)
		&& is_behind(p, a, b);
}

/* -1: there is none */
static int
find(const struct pairing *p, unsigned s, bool any_kind)
{
	unsigned w;

	if (fits(p, s, s - p->from, any_kind))
		return (int)(s - p->from);
	for (w = 0; w < p->want->n; w++)
		if (fits(p, s, w, any_kind))
			return (int)w;
	return -1;
}

static CUgraphExecUpdateResult
pair(struct pairing *p, CUgraphNode *bad)
{
	unsigned k, s;
	int w;

	if (p->want->n != p->end - p->from)
		return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
	for (k = 0; k < p->is->n; k++) {
		s = p->is->order[k];
		if (s < p->from || s >= p->end)
			continue;
		w = find(p, s, false);
		if (w < 0) {
			w = find(p, s, true);
			*bad = p->want->step[w < 0 ? s - p->from :
				(unsigned)w].node;
			return w < 0 ?
				CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED :
				CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
		}
		p->of[s - p->from] = w;
		p->taken[w] = true;
	}
	return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

static CUgraphNode
node_of(const struct pairing *p, unsigned s)
{
	return p->want->step[p->of[s - p->from]].node;
}

static CUgraphExecUpdateResult
check(const struct pairing *p, CUgraphNode *bad)
{
	CUgraphExecUpdateResult r = CU_GRAPH_EXEC_UPDATE_SUCCESS;
	unsigned s;

	for (s = p->from; s < p->end && !r; s++) {
		const struct step *is = &p->is->step[s];
		const struct work_kind *kind = work_kind(is->work.kind);

		*bad = node_of(p, s);
		if (kind->change)
			r = kind->change(&is->work, &(*bad)->work);
	}
	if (!r)
		*bad = 0;
	return r;
}

/* all of it, or nothing */
static CUresult
apply(struct plan *plan, const struct pairing *p)
{
	struct work *w = calloc(p->end - p->from + 1u, sizeof *w);
	CUresult err = w ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
	unsigned s, n = 0;

	for (s = p->from; s < p->end && !err; s++, n += !err)
		if (plan->step[s].made && !plan->step[s].body)
			err = work_copy(&w[n], &node_of(p, s)->work);
	for (s = 0; s < n; s++) {
		struct step *is = &plan->step[p->from + s];

		if (!is->made || is->body)
			continue;
		if (err) {
			work_drop(&w[s]);
			continue;
		}
		work_drop(&is->work);
		is->work = w[s];
	}
	free(w);
	return err;
}

CUresult
exec_change(CUgraphExec e, unsigned from, unsigned end, CUgraph g,
	CUgraphExecUpdateResultInfo *info)
{
	struct plan want;
	struct pairing p = { &e->plan, &want, from, end, 0, 0 };
	CUresult err = plan_flatten(&want, g);

	if (err)
		return err;
	p.of = calloc(end - from + 1u, sizeof *p.of);
	p.taken = calloc(want.n + 1u, sizeof *p.taken);
	err = CUDA_ERROR_OUT_OF_MEMORY;
	if (p.of && p.taken) {
		info->result = pair(&p, &info->errorNode);
		if (!info->result)
			info->result = check(&p, &info->errorNode);
		err = info->result ? CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE :
			apply(&e->plan, &p);
	}
	free(p.of);
	free(p.taken);
	plan_free(&want);
	return err;
}

/* the API */

CUresult
cuGraphExecUpdate_v2(CUgraphExec e, CUgraph g,
	CUgraphExecUpdateResultInfo *out)
{
	CUgraphExecUpdateResultInfo info = { 0 };
	CUresult err;

	if (!handle_is(HANDLE_EXEC, e) || !handle_is(HANDLE_GRAPH, g)
		|| g->owner)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&e->lock);
	err = exec_change(e, 0, e->plan.n, g, &info);
	pthread_mutex_unlock(&e->lock);
	if (err && !info.result)
		info.result = CU_GRAPH_EXEC_UPDATE_ERROR;
	if (out)
		*out = info;
	return err;
}

CUresult
cuGraphExecUpdate(CUgraphExec e, CUgraph g, CUgraphNode *bad,
	CUgraphExecUpdateResult *result)
{
	CUgraphExecUpdateResultInfo info = { 0 };
	CUresult err = cuGraphExecUpdate_v2(e, g, &info);

	if (bad)
		*bad = info.errorNode;
	if (result)
		*result = info.result;
	return err;
}

CUresult
cuGraphExecChildGraphNodeSetParams(CUgraphExec e, CUgraphNode n, CUgraph g)
{
	CUgraphExecUpdateResultInfo info = { 0 };
	const struct step *s;
	CUresult err;

	if (!handle_is(HANDLE_EXEC, e) || !handle_is(HANDLE_NODE, n)
		|| !handle_is(HANDLE_GRAPH, g))
		return CUDA_ERROR_INVALID_VALUE;
	s = plan_find(&e->plan, n);
	if (!s || s < e->plan.step || s >= e->plan.step + e->plan.n
		|| s->work.kind != CU_GRAPH_NODE_TYPE_GRAPH)
		return CUDA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&e->lock);
	err = exec_change(e, (unsigned)(s - e->plan.step) + 1, s->end, g,
		&info);
	pthread_mutex_unlock(&e->lock);
	return err;
}
