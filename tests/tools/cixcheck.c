// SPDX-License-Identifier: Apache-2.0
/*
 * cixcheck [-l] FILE - what lib/model says of a file: "check: message" and
 * exit 1, or one line a subgraph and tensor and exit 0.  -l is lenient.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/cix.h"

static struct bytes
read_all(const char *path)
{
	struct buf b = { 0 };
	FILE *f = fopen(path, "rb");
	char part[65536];
	size_t n;

	if (f == NULL) {
		perror(path);
		exit(2);
	}
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(&b, part, n);
	fclose(f);
	/* Exactly as long as the file, so that ASan sees an over-read. */
	uint8_t *p = malloc(b.n + (b.n == 0));
	memcpy(p, b.p == NULL ? "" : b.p, b.n);
	struct bytes all = { p, b.n };
	buf_free(&b);
	return all;
}

static void
show_graph(const struct cix_graph *g)
{
	char text[200];

	printf("graph %s backend=%u npu=%d", g->name, g->backend, g->is_npu);
	if (g->is_npu)
		printf(" target=%s build=%u.%u.%u text=%llu rodata=%llu "
		    "desc=%llu weight=%llu stack=%llu reuse=%llu private=%llu"
		    " load=%llu job=%llu twin=%zu dynamic=%d deferred=%s",
		    g->target, g->build.major, g->build.minor,
		    g->build.number, (unsigned long long)g->text,
		    (unsigned long long)g->rodata,
		    (unsigned long long)g->desc,
		    (unsigned long long)g->weight,
		    (unsigned long long)g->stack,
		    (unsigned long long)g->reuse,
		    (unsigned long long)g->private_data,
		    (unsigned long long)g->load_memory,
		    (unsigned long long)g->job_memory, g->twin.n,
		    g->dynamic_shape, g->deferred == CIX_SOUND ? "none" :
		    cix_check_name(g->deferred));
	printf("\n");
	for (size_t i = 0; i < g->n_tensors; i++) {
		npu_tensor_format(&g->tensors[i].desc, text, sizeof(text));
		printf("tensor kind=%u id=%u size=%llu %s %s\n",
		    g->tensors[i].kind, g->tensors[i].id,
		    (unsigned long long)g->tensors[i].desc.size,
		    g->tensors[i].desc.name[0] == '\0' ? "-" :
		    g->tensors[i].desc.name, text);
	}
}

int
main(int argc, char *argv[])
{
	bool lenient = argc == 3 && strcmp(argv[1], "-l") == 0;
	struct cix_model m;
	struct npu_err err;
	struct bytes file;
	int rc;

	if (argc != 2 + lenient) {
		fprintf(stderr, "usage: cixcheck [-l] FILE\n");
		return 2;
	}
#ifdef CIX_TEST
	if (getenv("CIX_SKIP") != NULL)
		for (int i = 1; i < CIX_BAD_END; i++)
			if (strcmp(getenv("CIX_SKIP"), cix_check_name(i)) == 0)
				cix_skip = i;
#endif
	file = read_all(argv[1 + lenient]);
	rc = (lenient ? cix_parse_lenient : cix_parse)(file, &m, &err);
	if (rc < 0) {
		printf("%s: %s\n", err.detail == 0 ? "none" :
		    cix_check_name(err.detail), err.msg);
		free((void *)file.p);
		return 1;
	}
	printf("model %s %d.%d.%d%s builder=%s\n", m.name, m.version[0],
	    m.version[1], m.version[2], m.draft ? " draft" : "", m.builder);
	for (size_t i = 0; i < m.n_graphs; i++)
		show_graph(&m.graphs[i]);
	cix_free(&m);
	free((void *)file.p);
	return 0;
}
