// SPDX-License-Identifier: Apache-2.0
/*
 * cixcheck - prints lib/model's results for files, and its messages.
 *
 *	cixcheck [-l|-g] FILE...	-l: lenient; -g: bare graph ELFs.
 *			Prints "check: message" and exits with 1, or prints a
 *			line for the model, each subgraph and each tensor and
 *			exits with 0.  If there are several FILEs, each line
 *			begins with "FILE: ".
 *	cixcheck --checks		prints name, kind and text of every
 *			check, separated by tabs
 *
 * If built with -DCIX_TEST, leaves out the check that $CIX_SKIP names.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/cix.h"

static const char *prefix = "", *colon = "";

/* Allocates exactly the file's size: ASan must see a read past the end. */
static struct bytes
read_all(const char *path)
{
	struct buf b = { 0 };
	FILE *f = fopen(path, "rb");
	uint8_t *exact;
	size_t n;
	void *at;

	if (f == NULL) {
		perror(path);
		exit(2);
	}
	while ((at = buf_reserve(&b, 65536)) != NULL &&
	    (n = fread(at, 1, 65536, f)) > 0)
		b.n += n;
	fclose(f);
	if (b.failed || (exact = malloc(b.n == 0 ? 1 : b.n)) == NULL) {
		fprintf(stderr, "cixcheck: out of memory\n");
		exit(2);
	}
	if (b.n > 0)
		memcpy(exact, b.p, b.n);
	n = b.n;
	buf_free(&b);
	return (struct bytes){ exact, n };
}

static void
show_tensor(const struct cix_tensor *t)
{
	char text[200];

	npu_tensor_format(&t->desc, text, sizeof(text));
	printf("%s%stensor kind=%" PRIu32 " id=%" PRIu32 " size=%" PRIu64
	    " %s %s\n", prefix, colon, t->kind, t->id, t->desc.size,
	    t->desc.name[0] == '\0' ? "-" : t->desc.name, text);
}

static void
show_graph(const struct cix_graph *g)
{
	printf("%s%sgraph %s backend=%" PRIu32 " npu=%d", prefix, colon,
	    g->name, g->backend, g->is_npu);
	if (g->is_npu)
		printf(" target=%s build=%u.%u.%u text=%" PRIu64 " rodata=%"
		    PRIu64 " desc=%" PRIu64 " weight=%" PRIu64 " stack=%"
		    PRIu64 " reuse=%" PRIu64 " private=%" PRIu64 " load=%"
		    PRIu64 " job=%" PRIu64 " twin=%zu dynamic=%d deferred=%s",
		    g->target, g->build.major, g->build.minor,
		    g->build.number, g->text, g->rodata, g->desc, g->weight,
		    g->stack, g->reuse, g->private_data, g->load_memory,
		    g->job_memory, g->twin.n, g->dynamic_shape,
		    g->deferred == CIX_SOUND ? "none" :
		    cix_check_name(g->deferred));
	printf("\n");
	for (size_t i = 0; i < g->n_tensors; i++)
		show_tensor(&g->tensors[i]);
}

static void
show_model(const struct cix_model *m)
{
	printf("%s%smodel %s %" PRId32 ".%" PRId32 ".%" PRId32
	    "%s builder=%s\n", prefix, colon, m->name, m->version[0],
	    m->version[1], m->version[2], m->draft ? " draft" : "",
	    m->builder);
	for (size_t i = 0; i < m->n_graphs; i++)
		show_graph(&m->graphs[i]);
}

static int
check(const char *path, char how)
{
	struct cix_model m = { .n_graphs = 0 };
	struct cix_graph g = { .n_tensors = 0 };
	struct bytes file = read_all(path);
	struct npu_err err = { .code = 0 };
	int rc;

	if (how == 'g')
		rc = cix_parse_graph(file, &g, &err);
	else
		rc = (how == 'l' ? cix_parse_lenient : cix_parse)(file, &m,
		    &err);
	if (rc < 0)
		printf("%s%s%s: %s\n", prefix, colon, err.detail == 0 ?
		    "none" : cix_check_name(err.detail), err.msg);
	else if (how == 'g')
		show_graph(&g);
	else
		show_model(&m);
	cix_free(&m);
	cix_graph_free(&g);
	free((uint8_t *)file.p);
	return rc < 0;
}

static void
list_checks(void)
{
	static const char *const kinds[] = { "format", "late", "ours",
	    "limit" };

	for (int i = 1; i < CIX_BAD_END; i++)
		printf("%s\t%s\t%s\n", cix_check_name(i),
		    kinds[cix_check_kind(i)], cix_check_text(i));
}

static void
leave_out(void)
{
#ifdef CIX_TEST
	const char *name = getenv("CIX_SKIP");

	for (int i = 1; name != NULL && i < CIX_BAD_END; i++)
		if (strcmp(name, cix_check_name(i)) == 0)
			cix_skip = i;
#endif
}

int
main(int argc, char *argv[])
{
	char how = 's';
	int failed = 0;

	leave_out();
	if (argc == 2 && strcmp(argv[1], "--checks") == 0) {
		list_checks();
		return 0;
	}
	if (argc > 1 && (strcmp(argv[1], "-l") == 0 ||
	    strcmp(argv[1], "-g") == 0)) {
		how = argv[1][1];
		argv++;
		argc--;
	}
	for (int i = 1; i < argc; i++) {
		if (argc > 2) {
			prefix = argv[i];
			colon = ": ";
		}
		failed |= check(argv[i], how);
	}
	return failed;
}
