/* graph.h - graphs inside the runtime: nodes, edges, what nodes do, and graphs
 * that are ready to be launched.
 *
 * A node has work: what it does, lowered to what a queue of a device takes.
 * An executable graph has steps, each with a copy of a node's work; graphs
 * of child nodes are spread out among them.  Programs must not use a graph
 * from two threads at once, so there are no locks but that of a launch.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include "module.h"

/* growing lists of edges: of a node, and what comes next in a capture */
struct edge {
	CUgraphNode node;
	CUgraphEdgeData data;
};

struct edges {
	struct edge *at;
	size_t n, cap;
};

/* a kernel; its parameters lie behind list, in the same memory */
struct kernel_work {
	CUfunction function;     /* loaded */
	CUkernel kernel;         /* as it was given, or 0 */
	struct launch_shape shape;
	struct dev_launch launch;
	void **list;             /* one pointer a parameter, or 0 */
	void *extra[5];          /* where nobody knows the parameters */
	size_t extra_size;
	CUlaunchAttributeValue *attribute; /* by id, or 0 */
};

struct copy_work {
	CUDA_MEMCPY3D asked;
	struct copy copy;
};

struct memop_work {
	CUstreamBatchMemOpParams *op;
	unsigned n;
};

struct graph_memory;
struct condition;

struct condition_work {
	struct condition *condition;
	CUgraphConditionalNodeType type;
	unsigned n;
	CUgraph *body;           /* n; 0 in a step */
};

/* what a node does; the member that its kind names */
struct work {
	CUgraphNodeType kind;
	CUcontext context;       /* 0: of no one in particular */
	union {
		struct kernel_work kernel;
		struct copy_work copy;
		struct fill fill;
		CUDA_HOST_NODE_PARAMS call;
		CUgraph child;   /* a node's own; 0 in a step */
		CUevent event;
		struct graph_memory *memory; /* of alloc and free */
		struct memop_work memop;
		struct condition_work condition;
	};
};

struct CUgraphNode_st {
	CUgraph graph;
	CUgraphNode next, *link; /* in the graph, oldest first */
	unsigned long long id;   /* never used again */
	unsigned long long origin; /* id of the node it was cloned from */
	size_t index;            /* scratch of who walks the graph */
	struct edges in, out;
	struct work work;
};

/* references that a graph holds of a user object */
struct held_object {
	struct held_object *next;
	CUuserObject object;
	unsigned count;
};

struct CUgraph_st {
	CUgraphNode first, *last;
	size_t n;
	unsigned long long id, origin; /* origin: of the graph it is a clone
	                                * of */
	CUgraphNode owner;       /* whose child or body it is, or 0 */
	bool captured;           /* a capture is filling it */
	CUgraphExec exec;        /* of one that has memory or conditions */
	struct held_object *objects;
	struct condition *conditions;
};

/* work.c: what there is to do with the work of a kind */
struct work_kind {
	const char *name;
	/* takes what a program wants; 0 or why not.  p->type is the kind. */
	CUresult (*make)(struct work *, CUgraph, CUgraphNodeParams *p);
	void (*get)(struct work *, CUgraphNodeParams *);
	/* of a byte copy: what has one owner alone; may be 0 */
	CUresult (*copy)(struct work *);
	void (*drop)(struct work *);
	/* 0: nothing is to be done */
	CUresult (*run)(struct work *, struct queue *);
	/* may the work of an executable graph become that? */
	CUgraphExecUpdateResult (*change)(const struct work *is,
		const struct work *want);
};

/* 0: no such, or refused */
const struct work_kind *work_kind(CUgraphNodeType);
CUresult work_make(struct work *, CUgraph, CUgraphNodeParams *);
CUresult work_copy(struct work *to, const struct work *from);
void work_drop(struct work *);
/* ctx is of a node that a program makes; 0: the current one */
CUresult work_context(struct work *, CUcontext ctx);

/* work_kernel.c, work_memory.c … : their kinds */
extern const struct work_kind work_kernel, work_memcpy, work_memset,
	work_host, work_graph, work_empty, work_wait_event,
	work_event_record, work_mem_alloc, work_mem_free, work_batch_mem_op,
	work_conditional;

/* of a function and its block of parameters, which are copied */
CUresult kernel_work(struct work *, CUfunction, CUkernel,
	const struct launch_shape *, const void *block, size_t size);
void copy_work(struct work *, CUcontext, const struct copy *);

/* memop.c: operations on words, of a node or a stream */
CUresult memops_check(const CUstreamBatchMemOpParams *, unsigned n,
	unsigned flags);
CUresult memops_put(const struct device *, struct queue *,
	const CUstreamBatchMemOpParams *, unsigned n);

/* graph.c */
CUgraph graph_new(void);
void graph_free(CUgraph);
CUresult graph_copy(CUgraph, CUgraph *);
bool graph_has(CUgraph, CUgraphNodeType); /* children, too */
/* takes the work, also where it fails */
CUresult graph_add(CUgraph, struct work *, const struct edges *before,
	CUgraphNode *);
void node_free(CUgraphNode);

/* graph_edge.c; before must not be after yet */
CUresult edge_add(CUgraphNode before, CUgraphNode after, CUgraphEdgeData);
void edge_remove(CUgraphNode before, CUgraphNode after);
struct edge *edges_find(const struct edges *, CUgraphNode);
CUresult edges_add(struct edges *, CUgraphNode, CUgraphEdgeData);
CUresult edges_copy(struct edges *to, const struct edges *from);
void edges_free(struct edges *);
/* what a program names: n nodes of a graph, each once; data may be 0 */
CUresult edges_read(struct edges *, CUgraph, const CUgraphNode *,
	const CUgraphEdgeData *data, size_t n);

/* graph_object.c */
CUresult objects_copy(struct held_object **to, const struct held_object *);
void objects_drop(struct held_object *);
void objects_drop_later(void *); /* the same, for a queue */

/* graph_memory.c: the place of a node's allocation is fixed when the node is
 * made.  It stays as long as something that may use it does. */
struct graph_memory *graph_memory_hold(struct graph_memory *);
void graph_memory_drop(struct graph_memory *);
/* the program may use it from now on, or no longer; false: it was so */
bool graph_memory_set(struct graph_memory *, bool live);
bool graph_memory_live(const struct graph_memory *);
/* of cuMemFree: false: there is no such, or not now */
bool graph_memory_free(CUdeviceptr);

/* graph_condition.c */
void conditions_free(struct condition *); /* of a graph */
bool conditions_used(const struct condition *); /* all of them */

/* graph_plan.c */
enum { MAX_LANES = 8 };

struct step {
	CUgraphNode node;        /* it comes from; may be gone */
	unsigned long long id;   /* of that */
	struct work work;
	bool made;               /* the work is its own */
	bool off;                /* disabled */
	unsigned *before;        /* steps, by number */
	unsigned nbefore;
	unsigned end;            /* of a child: behind the last of its steps */
	/* where it runs, what it has to wait for in other lanes */
	unsigned lane;
	unsigned *wait, nwait;   /* steps, by number */
	bool marks;              /* another lane waits for it */
	struct mark *mark;       /* while it is being launched */
	struct plan *body;       /* of a condition: one each */
};

struct plan {
	struct step *step;       /* in the order of nodes, children behind
	                          * their node */
	unsigned n;
	unsigned *order;         /* in which they can run */
	unsigned nlane;
	CUcontext lane[MAX_LANES];
	bool conditional;        /* has conditions: see graph_condition.c */
};

/* the steps of a graph, without their work */
CUresult plan_flatten(struct plan *, CUgraph);
/* bad: a node of a cycle, or 0 */
CUresult plan_make(struct plan *, CUgraph, CUcontext, CUgraphNode *bad);
void plan_free(struct plan *);
struct step *plan_find(struct plan *, CUgraphNode); /* in bodies, too */

/* graph_exec.c */
struct CUgraphExec_st {
	struct plan plan;
	CUcontext context;       /* of its first lane */
	unsigned long long graph; /* id of the graph it was made from */
	unsigned long long context_id;
	uint64_t flags;
	struct held_object *objects;
	CUgraph single;          /* which has no other one, or 0 */
	bool memory;             /* has steps that allocate or free */
	struct queue *queue[MAX_LANES]; /* 0: not used yet */
	unsigned long long lane_id[MAX_LANES]; /* of their contexts */
	pthread_mutex_t lock;    /* from here on, and of a launch */
	struct mark *last;       /* the end of the last launch, or 0 */
};

/* graph_update.c: makes the steps from to end do what the nodes of a graph of
 * the same form do */
CUresult exec_change(CUgraphExec, unsigned from, unsigned end, CUgraph,
	CUgraphExecUpdateResultInfo *);

/* graph_condition.c: runs in the stream what has conditions; it is locked */
CUresult exec_run_conditional(CUgraphExec, CUcontext, struct queue *);

#endif
