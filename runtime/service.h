/* service.h - the host's side of what kernels ask for: printf, malloc, free,
 * messages of assertions.  include/launch.h has the protocol.
 */
#ifndef SERVICE_H
#define SERVICE_H

#include "extent.h"

struct server;

enum { SERVER_SIZE = (1 << 20) + 64 }; /* bytes that server_open wants */

/* memory: SERVER_SIZE bytes that host and device see alike, at device for the
 * device; the caller's, and must outlive the server.  heap: where the kernels'
 * malloc takes memory from; 0: malloc gives null. */
struct server *server_open(void *memory, uint64_t device,
	struct extents *heap);
void server_close(struct server *);
/* struct service, for struct launch */
uint64_t server_address(const struct server *);
/* serves all that has been asked for; on any thread, also on several.  Costs
 * next to nothing if nothing was.  Printf goes to stdout, which is flushed. */
void server_serve(struct server *);

/* the same without the ring, for kernels in this process, as struct
 * host_calls' serve has it; at: %ctaid and %tid */
uint64_t server_ask(struct server *, uint32_t function,
	const uint64_t argument[4], const uint32_t at[6]);

/* has an assertion failed, of those served, since this was asked last? */
bool server_asserted(struct server *);

#endif
