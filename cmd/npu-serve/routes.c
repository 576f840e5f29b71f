// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "route.h"

/* ---- APIs -------------------------------------------------------------- */

static const struct {
	const struct api *api;
	const struct route *routes;
} all[] = {
	{ NULL, routes_server },
	{ &api_openai, routes_openai },
	{ &api_immich, routes_immich },
	{ &api_deepstack, routes_deepstack },
	{ &api_llama, routes_llama },
	{ &api_ollama, routes_ollama },
	{ &api_tei, routes_tei },
	{ &api_infer, routes_infer },
};

#define APIS (sizeof(all) / sizeof(*all))

static bool chosen[APIS] = { true, true, true, true, true, true, true,
    true };

static void
choose(const char *word, size_t n)
{
	for (size_t i = 1; i < APIS; i++)
		if (strlen(all[i].api->name) == n &&
		    memcmp(all[i].api->name, word, n) == 0) {
			chosen[i] = true;
			return;
		}
	cmd_usage("--api: '%.*s' is not openai, immich, deepstack, llama, "
	    "ollama, tei or infer", (int)n, word);
}

void
routes_choose(const char *list)
{
	size_t n;

	for (size_t i = 1; i < APIS; i++)
		chosen[i] = false;
	for (;; list += n + 1) {
		n = strcspn(list, ",");
		choose(list, n);
		if (list[n] == '\0')
			return;
	}
}

/* ---- Paths ------------------------------------------------------------- */

/* Whether path is what pattern says; *word and *n: what '*' stands for. */
static bool
matches(const char *pattern, const char *path, const char **word, size_t *n)
{
	const char *star = strchr(pattern, '*');
	size_t before, after;

	if (star == NULL)
		return strcmp(pattern, path) == 0;
	before = (size_t)(star - pattern);
	after = strlen(star + 1);
	if (strncmp(pattern, path, before) != 0)
		return false;
	*word = path + before;
	*n = strcspn(*word, "/");
	return *n > 0 && strlen(*word) == *n + after &&
	    strcmp(*word + *n, star + 1) == 0;
}

/* HEAD is GET without the body, which the library leaves out. */
static bool
same_method(const char *route, const char *method)
{
	return strcmp(route, method) == 0 ||
	    (strcmp(route, "GET") == 0 && strcmp(method, "HEAD") == 0);
}

/* All that were chosen, in turn; NULL after the last. */
static const struct route *
route_at(size_t i)
{
	for (size_t a = 0; a < APIS; a++)
		for (const struct route *r = all[a].routes;
		    chosen[a] && r->path != NULL; r++)
			if (i-- == 0)
				return r;
	return NULL;
}

const struct route *
route_find(const char *method, const char *path, char **word,
    unsigned *status, const char **allowed)
{
	const struct route *r;
	const char *p = NULL;
	size_t n = 0;

	*status = 404;
	for (size_t i = 0; (r = route_at(i)) != NULL; i++) {
		if (!matches(r->path, path, &p, &n))
			continue;
		if (same_method(r->method, method)) {
			*word = p != NULL ? strndup(p, n) : NULL;
			*status = HTTP_UNAVAILABLE;
			return p == NULL || *word != NULL ? r : NULL;
		}
		*status = 405;
		*allowed = r->method;
	}
	return NULL;
}

void
route_error(struct request *r, unsigned status, const char *why)
{
	const struct api *api = r->route != NULL && r->route->api != NULL ?
	    r->route->api : &api_openai;

	buf_clear(&r->out);
	r->type = NULL;
	r->status = status;
	api->error(r, status, why);
}
