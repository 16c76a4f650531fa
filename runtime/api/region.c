/* region.c - what memory there is, by address.
 *
 * A tree of ranges that never overlap (a treap: the priorities are hashes of
 * the addresses).  Memory whose address differs between host and device is
 * in it twice.
 */
#include "api.h"
#include <stdlib.h>

struct node {
	uint64_t key;
	uint32_t priority;
	struct node *left, *right;
	struct node *twin;       /* of the same region, at the other address */
	struct region r;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *root;
static struct node *spare;       /* a list by left */
static unsigned long long last_id;

static uint32_t
hash(uint64_t x)
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdull;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53ull;
	return (uint32_t)(x >> 32);
}

/* what lies below key, and the rest */
static void
split(struct node *t, uint64_t key, struct node **below, struct node **rest)
{
	while (t) {
		if (t->key < key) {
			*below = t;
			below = &t->right;
			t = t->right;
		} else {
			*rest = t;
			rest = &t->left;
			t = t->left;
		}
	}
	*below = *rest = 0;
}

static void
insert(struct node *n)
{
	struct node **p = &root;

	while (*p && (*p)->priority >= n->priority)
		p = n->key < (*p)->key ? &(*p)->left : &(*p)->right;
	split(*p, n->key, &n->left, &n->right);
	*p = n;
}

static void
erase(struct node *n)
{
	struct node **p = &root, *a, *b;

	while (*p != n)
		p = n->key < (*p)->key ? &(*p)->left : &(*p)->right;
	a = n->left;
	b = n->right;
	while (a && b) {
		if (a->priority >= b->priority) {
			*p = a;
			p = &a->right;
			a = a->right;
		} else {
			*p = b;
			p = &b->left;
			b = b->left;
		}
	}
	*p = a ? a : b;
}

/* the last one that begins at or below addr */
static struct node *
below(uint64_t addr)
{
	struct node *t = root, *best = 0;

	while (t) {
		if (t->key <= addr) {
			best = t;
			t = t->right;
		} else {
			t = t->left;
		}
	}
	return best;
}

static struct node *
holder(uint64_t addr, uint64_t size)
{
	struct node *n = below(addr);
	uint64_t at;

	if (!n)
		return 0;
	at = addr - n->key;
	return at < n->r.size && size <= n->r.size - at ? n : 0;
}

static bool
overlaps(uint64_t addr, uint64_t size)
{
	struct node *n = below(addr + (size - 1));

	return n && (n->key >= addr || addr - n->key < n->r.size);
}

static struct node *
node_new(uint64_t key, const struct region *r)
{
	struct node *n = spare;

	if (n)
		spare = n->left;
	else
		n = malloc(sizeof *n);
	if (!n)
		return 0;
	n->key = key;
	n->priority = hash(key);
	n->twin = 0;
	n->r = *r;
	return n;
}

static void
node_free(struct node *n)
{
	n->left = spare;
	spare = n;
}

/* both nodes, or none */
static CUresult
add(const struct region *r)
{
	struct node *n, *twin = 0;

	if (overlaps(r->addr, r->size)
		|| (r->host && r->host != r->addr
			&& overlaps(r->host, r->size)))
		return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	n = node_new(r->addr, r);
	if (!n)
		return CUDA_ERROR_OUT_OF_MEMORY;
	n->r.id = ++last_id;
	if (r->host && r->host != r->addr) {
		twin = node_new(r->host, &n->r);
		if (!twin) {
			node_free(n);
			return CUDA_ERROR_OUT_OF_MEMORY;
		}
		twin->twin = n;
		insert(twin);
	}
	n->twin = twin;
	insert(n);
	return 0;
}

CUresult
region_add(const struct region *r)
{
	CUresult err;

	pthread_mutex_lock(&lock);
	err = add(r);
	pthread_mutex_unlock(&lock);
	return err;
}

bool
region_find(uint64_t addr, size_t size, struct region *r)
{
	struct node *n;

	pthread_mutex_lock(&lock);
	n = holder(addr, size ? size : 1);
	if (n)
		*r = n->r;
	pthread_mutex_unlock(&lock);
	return n != 0;
}

static void
take(struct node *n, struct region *r)
{
	*r = n->r;
	if (n->twin) {
		erase(n->twin);
		node_free(n->twin);
	}
	erase(n);
	node_free(n);
}

bool
region_take(uint64_t addr, unsigned kinds, struct region *r)
{
	struct node *n;

	pthread_mutex_lock(&lock);
	n = below(addr);
	if (n && (n->key != addr || !(kinds >> n->r.kind & 1)))
		n = 0;
	if (n)
		take(n, r);
	pthread_mutex_unlock(&lock);
	return n != 0;
}

static struct node *
any_of(struct node *n, CUcontext c)
{
	struct node *found;

	if (!n || n->r.context == c)
		return n;
	found = any_of(n->left, c);
	return found ? found : any_of(n->right, c);
}

bool
region_take_of(CUcontext c, struct region *r)
{
	struct node *n;

	pthread_mutex_lock(&lock);
	n = any_of(root, c);
	if (n)
		take(n, r);
	pthread_mutex_unlock(&lock);
	return n != 0;
}

bool
region_edit(uint64_t addr, size_t size,
	void (*edit)(struct region *, const void *), const void *arg)
{
	struct node *n;

	pthread_mutex_lock(&lock);
	n = holder(addr, size ? size : 1);
	if (n) {
		edit(&n->r, arg);
		if (n->twin)
			edit(&n->twin->r, arg);
	}
	pthread_mutex_unlock(&lock);
	return n != 0;
}

bool
region_overlaps(uint64_t addr, size_t size)
{
	bool yes;

	pthread_mutex_lock(&lock);
	yes = overlaps(addr, size);
	pthread_mutex_unlock(&lock);
	return yes;
}
