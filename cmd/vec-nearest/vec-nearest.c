// SPDX-License-Identifier: Apache-2.0
/* vec-nearest - the vectors nearest to others, by their cosine. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "match_writer.h"
#include "search.h"

enum { OPT_ID = 256, OPT_IDS, OPT_MATRIX, OPT_MIN, OPT_QUERY_IDS };

static const char *const formats[] = { "tsv", "json", "jsonl", "label",
    "npy", NULL };

static const struct opt options[] = {
	FLAG('0', "null", "end records with NUL, and names in LISTs"),
	FLAG('e', "exit-status", "status 4 when nothing was found"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "tsv (default), json, jsonl; of a matrix tsv, label, npy"),
	TAKES(OPT_ID, "id", "=NAME", COMPLETE_NONE,
	    "the query is the vector NAME of BASE"),
	TAKES(OPT_IDS, "ids", "=LIST", COMPLETE_FILE,
	    "names of BASE's vectors, one a line"),
	FLAG('k', "keep-going",
	    "leave out vectors that are zero or not finite"),
	FLAG(OPT_MATRIX, "matrix", "all cosines, a row a query"),
	TAKES(OPT_MIN, "min-score", "=S", COMPLETE_NONE,
	    "only cosines of at least S, -1 to 1"),
	TAKES('n', "top", "=N", COMPLETE_NONE,
	    "at most N of a query (10); 0: all"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	TAKES(OPT_QUERY_IDS, "query-ids", "=LIST", COMPLETE_FILE,
	    "names of the queries, one a line"),
	CMD_COMMON,
	{ 0 },
};

const struct program program = {
	.name = "vec-nearest",
	.synopsis = "vec-nearest [OPTION]... BASE [QUERIES]",
	.examples =
	"  clip-embed -s 'a dog' | vec-nearest photos.index\n"
	"  vec-nearest -n 5 --id=bus.jpg photos.index\n",
	.help =
	"Reads vectors from QUERIES or standard input and writes the vectors\n"
	"of BASE that are nearest to each: query, rank, cosine, name.  Both\n"
	"are f32: labelled tensors, .npy, lines of JSON, or an index.\n",
	.options = options,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
};

struct job {
	struct nearest s;
	struct nearest_writer w;
	struct vector_reader base, queries;
	struct vector_reader_options base_options, query_options;
	const char *base_path, *query_path, *output;
	const char **id;	/* --id; owned */
	size_t ids;
	bool verdict;		/* -e */
	bool has_format, has_top;
};

/* ---- What was said ----------------------------------------------------- */

static void
take_option(struct job *j, int opt)
{
	/* In the order of the enumeration. */
	switch (opt) {
	case '0': j->w.null = true; break;
	case 'e': j->verdict = true; break;
	case 'k': j->s.keep_going = true; break;
	case 'o': j->output = optarg; break;
	case 'F':
		j->w.format = (enum nearest_format)cmd_choice("--format",
		    optarg, formats);
		break;
	case 'n':
		j->s.most = (size_t)cmd_int("--top", optarg, 0, INT32_MAX);
		j->has_top = true;
		break;
	case OPT_ID: j->id[j->ids++] = optarg; break;
	case OPT_IDS: j->base_options.ids = optarg; break;
	case OPT_QUERY_IDS: j->query_options.ids = optarg; break;
	case OPT_MATRIX: j->s.matrix = true; break;
	case OPT_MIN:
		j->s.least = cmd_double("--min-score", optarg, -1, 1);
		j->s.has_least = true;
		break;
	}
}

static void
check_format(const struct job *j)
{
	bool json = j->w.format == NEAREST_JSON ||
	    j->w.format == NEAREST_JSONL;

	if (j->s.matrix && json)
		cmd_usage("--matrix is written as tsv, label or npy");
	if (!j->s.matrix && !json && j->w.format != NEAREST_TSV)
		cmd_usage("-F label and -F npy are for --matrix");
	if (j->s.matrix && (j->has_top || j->s.has_least || j->verdict))
		cmd_usage("--matrix has all cosines: --top, --min-score and "
		    "--exit-status choose none");
	if (j->s.matrix && j->w.null)
		cmd_usage("--null is not for --matrix");
}

/* Only one of them can come from stdin. */
static void
check_stdin(const struct job *j)
{
	const char *const path[] = { j->base_path, j->ids > 0 ? "" :
	    j->query_path != NULL ? j->query_path : "-",
	    j->base_options.ids, j->query_options.ids };
	int n = 0;

	for (size_t i = 0; i < sizeof(path) / sizeof(*path); i++)
		n += path[i] != NULL && strcmp(path[i], "-") == 0;
	if (n > 1)
		cmd_usage("stdin can be only one of base, queries and names");
}

/* Queries that are in a file: nobody has to write them first, and most often
 * they share a pass. */
static bool
at_hand(const char *path)
{
	struct stat st;
	int rc = path == NULL || strcmp(path, "-") == 0 ?
	    fstat(STDIN_FILENO, &st) : stat(path, &st);

	return rc == 0 && S_ISREG(st.st_mode);
}

static void
read_options(struct job *j, int argc, char *argv[])
{
	int opt;

	j->id = cmd_alloc((size_t)argc * sizeof(*j->id));
	j->s.most = 10;
	while ((opt = cmd_option(argc, argv)) != -1)
		take_option(j, opt);
	if (optind == argc)
		cmd_usage("say which BASE to look in");
	j->base_path = argv[optind++];
	if (optind < argc)
		j->query_path = argv[optind++];
	if (optind < argc)
		cmd_usage("'%s': one BASE and one of QUERIES at most",
		    argv[optind]);
	if (j->ids > 0 && (j->query_path != NULL ||
	    j->query_options.ids != NULL))
		cmd_usage("--id takes the queries from BASE, so none can be "
		    "read");
	if (j->s.most == 0)
		j->s.most = SIZE_MAX;
	j->base_options.null = j->query_options.null = j->w.null;
	j->base_options.again = true;
	j->base_options.once = j->ids == 0 && at_hand(j->query_path);
	check_format(j);
	check_stdin(j);
}

/* ---- Queries ----------------------------------------------------------- */

static void
answer(struct job *j)
{
	if (j->s.n == 0)
		return;
	nearest_search(&j->s);
	nearest_write(&j->w, &j->s);
	nearest_clear(&j->s);
}

static void
add_query(struct job *j, const struct vector *row)
{
	const char *why;
	char called[200];

	/* Before the end that a failure is, those before it are answered. */
	if (!nearest_same_space(&j->s, row))
		answer(j);
	if ((why = nearest_query(&j->s, row)) == NULL)
		return;
	snprintf(called, sizeof(called), "%s", vector_name(row));
	answer(j);
	cmd_die("%s: vector %s: %s", j->s.queries, called, why);
}

/* The vector of the base with that name. */
static void
query_by_name(struct job *j, const char *id)
{
	const size_t n = strlen(id);
	struct vector row;
	struct npu_err err;
	int rc;

	vector_reader_rewind(&j->base);
	while ((rc = vector_reader_next(&j->base, &row, &err)) > 0)
		if (row.id_n == n && memcmp(row.id, id, n) == 0)
			break;
	if (rc < 0)
		cmd_die_err(j->base.name, &err);
	if (rc == 0)
		cmd_die("%s: no vector is called '%s'", j->base.name, id);
	add_query(j, &row);
}

static void
answer_names(struct job *j)
{
	j->s.queries = j->base.name;
	for (size_t i = 0; i < j->ids; i++) {
		query_by_name(j, j->id[i]);
		vector_reader_rewind(&j->base);
		if (j->s.n == NEAREST_BLOCK)
			answer(j);
	}
	answer(j);
}

/* Those that have come share a pass; nobody waits for more. */
static void
answer_stream(struct job *j)
{
	struct vector row;
	struct npu_err err;
	int rc;

	vector_reader_open(&j->queries, j->query_path, &j->query_options);
	j->s.queries = j->queries.name;
	while ((rc = vector_reader_next(&j->queries, &row, &err)) > 0) {
		add_query(j, &row);
		if (j->s.n == NEAREST_BLOCK ||
		    !vector_reader_ready(&j->queries))
			answer(j);
	}
	answer(j);
	if (rc < 0)
		cmd_die_err(j->queries.name, &err);
	/* What is wrong with the base is said if nobody asked, too. */
	vector_reader_end_scan(&j->base);
	vector_reader_close(&j->queries);
}

static struct job job;

/* What was answered before a failure is written. */
static void
end(void)
{
	nearest_write_abandon(&job.w);
}

int
main(int argc, char *argv[])
{
	cmd_start();
	read_options(&job, argc, argv);
	nearest_write_open(&job.w, job.output);
	cmd_at_exit = end;
	vector_reader_open(&job.base, job.base_path, &job.base_options);
	job.s.base = &job.base;
	if (job.ids > 0)
		answer_names(&job);
	else
		answer_stream(&job);
	nearest_write_close(&job.w);
	nearest_free(&job.s);
	vector_reader_close(&job.base);
	free(job.id);
	if (job.s.failed)
		cmd_exit(EXIT_FAILED);
	cmd_exit(job.verdict && job.w.found == 0 ? EXIT_VERDICT : EXIT_DONE);
}
