// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "server.h"

const char *
server_hindrance(struct server *s, char *room, size_t n)
{
	struct scheduler_state now;

	if (s->stopping)
		return "the server is ending";
	if (s->catalogue.n == 0)
		return "no model is loaded";
	scheduler_state(s->scheduler, &now);
	for (int k = 0; k < ROLES; k++)
		if (now.down[k]) {
			snprintf(room, n, "%s", now.reason[k]);
			return n > 0 ? room : "a model is not loaded";
		}
	return NULL;
}
