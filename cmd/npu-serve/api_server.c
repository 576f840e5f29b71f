// SPDX-License-Identifier: Apache-2.0
/* The server's own paths: whether it lives, whether it can work, what it
 * counts. */
#include <string.h>

#include "base/json.h"
#include "answer.h"
#include "route.h"
#include "server.h"

static unsigned
answer_healthz(struct request *r, struct npu_err *err)
{
	(void)err;
	return answer_text(r, NULL, "{\"status\":\"ok\"}");
}

static unsigned
answer_readyz(struct request *r, struct npu_err *err)
{
	char room[400];
	const char *why = server_hindrance(r->server, room, sizeof(room));
	struct json j = { 0 };

	(void)err;
	json_object(&j);
	json_key(&j, "status");
	json_str(&j, why == NULL ? "ready" : "not ready");
	if (why != NULL) {
		json_key(&j, "reason");
		json_str(&j, why);
	}
	json_end_object(&j);
	r->out = j.out;
	r->status = why == NULL ? 200 : 503;
	return 0;
}

static unsigned
answer_metrics(struct request *r, struct npu_err *err)
{
	(void)err;
	metrics_write(&r->server->metrics, r->server, &r->out);
	r->type = "text/plain; version=0.0.4";
	r->status = 200;
	return 0;
}

const struct route routes_server[] = {
	{ NULL, "GET", "/healthz", BODY_NONE, true, NULL, answer_healthz },
	{ NULL, "GET", "/health", BODY_NONE, true, NULL, answer_readyz },
	{ NULL, "GET", "/readyz", BODY_NONE, true, NULL, answer_readyz },
	{ NULL, "GET", "/metrics", BODY_NONE, false, NULL, answer_metrics },
	{ 0 },
};
