/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes requests of npu-serve without a client, for models that are not loaded.
 */
#ifndef TESTS_FUZZ_SERVEFAKE_H
#define TESTS_FUZZ_SERVEFAKE_H

#include "cmd.h"
#include "npu-serve/route.h"
#include "npu-serve/server.h"

const struct program program = { .name = "npu-serve" };

static char fake_path[] = "model.cix";
static struct model_name fake_names[4] = { { .name = (char[]){ "clip" } },
    { .name = (char[]){ "clip_txt" } }, { .name = (char[]){ "clip_visual" } },
    { .name = (char[]){ "yolov8n" } } };
static struct server fake_server = { .options = { .max_items = 8,
    .max_body = 1 << 20, .conf = .4, .count = 20 },
    .catalogue = { .name = fake_names, .n = 4 } };

static void
fake_open(void)
{
	struct role *role = fake_server.catalogue.role;

	if (role[0].path != NULL)
		return;
	for (int k = 0; k < ROLES; k++) {
		role[k].kind = (enum role_kind)k;
		role[k].path = fake_path;
		role[k].name = fake_names[k + 1].name;
		fake_names[k + 1].role[k] = &role[k];
	}
	role[ROLE_TEXT].in = (struct npu_tensor){ .dtype = NPU_S16, .ndim = 2,
	    .dim = { 2, 2 }, .scale = 2, .size = 8, .name = "x" };
	role[ROLE_TEXT].in_size = 8;
	role[ROLE_TEXT].clip.limit.length = NPU_CLIP_LENGTH;
	role[ROLE_TEXT].clip.dim = role[ROLE_IMAGE].clip.dim = 512;
	fake_names[0].role[ROLE_TEXT] = &role[ROLE_TEXT];
	fake_names[0].role[ROLE_IMAGE] = &role[ROLE_IMAGE];
}

static struct request *
fake_request(const struct route *route)
{
	struct request *r = calloc(1, sizeof(*r));

	fake_open();
	if (r == NULL)
		abort();
	r->server = &fake_server;
	r->route = route;
	return r;
}

static void
fake_check(const struct request *r, unsigned status,
    const struct npu_err *err)
{
	if (status == 0 ? r->items == 0 : status < 400 || status > 501 ||
	    err->msg[0] == '\0')
		abort();
}

#endif
