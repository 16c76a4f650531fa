/* hip_service.c - printf, malloc and the like of kernels on a GPU.
 *
 * The ring lies in memory of the host that the device sees too.  A thread
 * looks into it while launches that may ask are running.
 */
#include "extent.h"
#include "hip_int.h"
#include "service.h"

#include <stdlib.h>
#include <time.h>

static CUresult
more(void *arg, size_t size, uint64_t *addr)
{
	struct dev *d = arg;
	void *p = 0;
	int err;

	d->h->hipSetDevice(d->index);
	err = d->h->hipMalloc(&p, size);
	*addr = (uint64_t)(uintptr_t)p;
	return hip_error(err);
}

/* Freeing waits for the device, which waits for us: while it runs memory
 * stays. */
static void
less(void *arg, uint64_t addr, size_t size)
{
	struct dev *d = arg;

	(void)size;
	if (d->closing)
		d->h->hipFree((void *)(uintptr_t)addr);
}

/* clears the marks of queues that have nothing running; is any left? */
static bool
any_busy(struct dev *d)
{
	struct queue *q;
	bool any = false;

	for (q = d->queues; q; q = q->next) {
		if (!atomic_load(&q->busy))
			continue;
		if (d->h->hipStreamQuery(q->stream) == hipErrorNotReady)
			any = true;
		else
			atomic_store(&q->busy, false);
	}
	return any;
}

static void *
serve(void *arg)
{
	const struct timespec pause = { 0, 50000 };
	struct dev *d = arg;

	d->h->hipSetDevice(d->index);
	pthread_mutex_lock(&d->lock);
	while (!d->closing) {
		if (!any_busy(d)) {
			server_serve(d->server);
			pthread_cond_wait(&d->wake, &d->lock);
			continue;
		}
		pthread_mutex_unlock(&d->lock);
		server_serve(d->server);
		nanosleep(&pause, 0);
		pthread_mutex_lock(&d->lock);
	}
	pthread_mutex_unlock(&d->lock);
	return 0;
}

CUresult
hip_service_open(struct dev *d)
{
	const struct extent_source source = { more, less, d, 16, 1 << 20,
		SIZE_MAX, UINT64_MAX };
	void *seen = 0;
	int err;

	err = d->h->hipHostMalloc(&d->ring, SERVER_SIZE, HIP_HOST_COHERENT);
	if (!err)
		err = d->h->hipHostGetDevicePointer(&seen, d->ring, 0);
	if (err)
		return hip_error(err);
	d->heap = extents_new(&source);
	if (d->heap)
		d->server = server_open(d->ring, (uint64_t)(uintptr_t)seen,
			d->heap);
	return d->server ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

void
hip_service_close(struct dev *d)
{
	pthread_mutex_lock(&d->lock);
	d->closing = true;
	pthread_cond_signal(&d->wake);
	pthread_mutex_unlock(&d->lock);
	if (d->serving)
		pthread_join(d->thread, 0);
	if (d->server)
		server_close(d->server);
	if (d->heap)
		extents_delete(d->heap);
	if (d->ring)
		d->h->hipHostFree(d->ring);
}

void
hip_service_busy(struct queue *q)
{
	struct dev *d = q->dev;

	atomic_store(&q->busy, true);
	pthread_mutex_lock(&d->lock);
	if (!d->serving)
		d->serving = !pthread_create(&d->thread, 0, serve, d);
	pthread_cond_signal(&d->wake);
	pthread_mutex_unlock(&d->lock);
}

void
hip_malloc_limit(struct dev *d, size_t limit)
{
	extents_limit(d->heap, limit);
}

void
hip_service_flush(struct dev *d)
{
	server_serve(d->server);
}
