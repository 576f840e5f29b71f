/* SPDX-License-Identifier: Apache-2.0 */
/* What paths the server answers, and how. */
#ifndef NPU_SERVE_ROUTE_H
#define NPU_SERVE_ROUTE_H

#include "refuse.h"
#include "request.h"

/* A family of routes that one kind of client uses. */
struct api {
	const char *name;	/* as --api has it */
	bool objects;		/* it finds objects: that it failed to must
				   not look like a picture without any */
	unsigned bad_input;	/* the status where an input cannot be used;
				   0: 400 */
	/* Writes an error in the API's own form. */
	void (*error)(struct request *r, unsigned status, const char *why);
};

struct route {
	const struct api *api;	/* NULL: of the server itself */
	const char *method;	/* "GET" also answers HEAD */
	const char *path;	/* '*' stands for one part of a path */
	enum body_kind body;
	bool open;		/* needs no token */
	/*
	 * Reads the body and makes r->item; 0, or an HTTP status with the
	 * reason.  NULL: the route needs no inference and is answered at once.
	 */
	unsigned (*read)(struct request *r, struct npu_err *err);
	/* Writes r->out from what came out; likewise. */
	unsigned (*answer)(struct request *r, struct npu_err *err);
};

extern const struct api api_openai, api_deepstack, api_immich, api_llama,
    api_ollama, api_tei, api_infer;
/* Each ends with a path of NULL. */
extern const struct route routes_openai[], routes_deepstack[],
    routes_immich[], routes_llama[], routes_ollama[], routes_tei[],
    routes_infer[], routes_server[];

/* Reads the argument of --api; a wrong name is a usage error. */
void routes_choose(const char *list);

/*
 * The route for a method and a path, and what '*' stood for in *word, which
 * the caller frees.  NULL: *status is 404, or 405 with the method that is
 * allowed, or 503 without memory.
 */
const struct route *route_find(const char *method, const char *path,
    char **word, unsigned *status, const char **allowed);
/* Makes the answer an error with an HTTP status. */
void route_error(struct request *r, unsigned status, const char *why);

#endif
