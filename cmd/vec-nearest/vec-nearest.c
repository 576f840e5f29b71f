// SPDX-License-Identifier: Apache-2.0
/* vec-nearest - find the vectors with the largest cosine to a query. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arithmetic.h"
#include "base/num.h"
#include "match_writer.h"
#include "progress.h"
#include "search.h"

enum { OPT_ID = 256, OPT_IDS, OPT_MATRIX, OPT_MIN, OPT_MINUS, OPT_PLUS,
    OPT_QUERY_IDS };

static const char *const formats[] = { "tsv", "csv", "json", "jsonl", "label",
    "npy", NULL };

static const struct opt options[] = {
	FLAG('0', "null", "records and the names in LISTs end with NUL"),
	FLAG('e', "exit-status", "exit with 4 if nothing was found"),
	ONE_OF('F', "format", "=FORMAT", formats,
	    "tsv (default), csv, json, jsonl; for a matrix tsv, csv, label, "
	    "npy"),
	TAKES(OPT_ID, "id", "=NAME", COMPLETE_NONE,
	    "the query is the vector NAME of BASE"),
	TAKES(OPT_IDS, "ids", "=LIST", COMPLETE_FILE,
	    "names of BASE's vectors, one in each line"),
	FLAG('k', "keep-going",
	    "leave out vectors that are zero or not finite"),
	FLAG(OPT_MATRIX, "matrix", "write all cosines, a row for each query"),
	TAKES(OPT_MIN, "min-score", "=S", COMPLETE_NONE,
	    "only cosines of at least S, -1 to 1"),
	TAKES(OPT_MINUS, "minus", "=FILE", COMPLETE_FILE,
	    "subtract the vectors of FILE from each query"),
	TAKES('n', "count", "=N", COMPLETE_NONE,
	    "at most N matches for each query (10); 0: all"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	TAKES(OPT_PLUS, "plus", "=FILE", COMPLETE_FILE,
	    "add the vectors of FILE to each query, all scaled to length 1"),
	TAKES(OPT_QUERY_IDS, "query-ids", "=LIST", COMPLETE_FILE,
	    "names of the queries, one in each line"),
	PROGRESS_OPTIONS,
	FLAG('q', "quiet", "no notes, no progress"),
	FLAG('v', "verbose", "print how many vectors were compared"),
	CMD_COMMON,
	{ 0 },
};

static const struct moved moved[] = {
	{ "--top", "--count", NULL },
	{ 0 },
};

const struct program program = {
	.name = "vec-nearest",
	.synopsis = "vec-nearest [OPTION]... BASE [QUERIES]",
	.examples =
	"  clip-embed --text='a dog' | vec-nearest photos.index\n"
	"  vec-nearest -n 5 --id=bus.jpg photos.index\n",
	.help =
	"Reads vectors from QUERIES or standard input and writes the vectors\n"
	"of BASE that are nearest to each: query, rank, cosine, name.  BASE\n"
	"and QUERIES are f32: labelled tensors, .npy, lines of JSON, or an\n"
	"index.\n",
	.options = options,
	.moved = moved,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
};

/* ---- Options ----------------------------------------------------------- */

struct vec_nearest_options {
	struct search_options search;
	enum match_format format;
	bool null;		/* -0 */
	struct vector_reader_options base, queries;
	const char *base_path, *query_path, *output;
	const char **id;	/* --id; owned */
	size_t ids;
	struct term {
		const char *path;
		bool subtract;
	} *term;		/* --plus, --minus; owned */
	size_t terms;
	bool exit_status;	/* -e */
	bool has_top;
};

static void
parse_option(struct vec_nearest_options *o, int opt)
{
	if (progress_option(opt, optarg))
		return;
	switch (opt) {
	case '0': o->null = true; break;
	case 'e': o->exit_status = true; break;
	case 'k': o->search.keep_going = true; break;
	case 'o': o->output = optarg; break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	case 'F':
		o->format = (enum match_format)cmd_choice("--format",
		    optarg, formats);
		break;
	case 'n':
		o->search.most = (size_t)cmd_int("--count", optarg, 0,
		    INT32_MAX);
		o->has_top = true;
		break;
	case OPT_ID: o->id[o->ids++] = optarg; break;
	case OPT_IDS: o->base.ids = optarg; break;
	case OPT_MINUS:
	case OPT_PLUS:
		o->term[o->terms++] = (struct term){ .path = optarg,
		    .subtract = opt == OPT_MINUS };
		break;
	case OPT_QUERY_IDS:
		o->queries.ids = optarg;
		o->queries.ids_option = "--query-ids";
		break;
	case OPT_MATRIX: o->search.matrix = true; break;
	case OPT_MIN:
		o->search.least = cmd_double("--min-score", optarg, -1, 1);
		o->search.has_least = true;
		break;
	}
}

static void
check_format(const struct vec_nearest_options *o)
{
	bool json = o->format == MATCH_JSON ||
	    o->format == MATCH_JSONL;

	if (o->search.matrix && json)
		cmd_usage("--matrix is written as tsv, csv, label or npy");
	if (!o->search.matrix && (o->format == MATCH_LABEL ||
	    o->format == MATCH_NPY))
		cmd_usage("--format=label and --format=npy are for "
		    "--matrix");
	if (o->search.matrix && (o->has_top || o->search.has_least ||
	    o->exit_status))
		cmd_usage("--matrix writes all cosines; leave --count, "
		    "--min-score and --exit-status out");
	if (o->search.matrix && o->null)
		cmd_usage("--null cannot be used with --matrix");
}

/* Refuses stdin for more than one of the inputs. */
static void
check_stdin(const struct vec_nearest_options *o)
{
	const char *const path[] = { o->base_path, o->ids > 0 ? "" :
	    o->query_path != NULL ? o->query_path : "-",
	    o->base.ids, o->queries.ids };
	int n = 0;

	for (size_t i = 0; i < sizeof(path) / sizeof(*path); i++)
		n += path[i] != NULL && strcmp(path[i], "-") == 0;
	for (size_t i = 0; i < o->terms; i++)
		n += strcmp(o->term[i].path, "-") == 0;
	if (n > 1)
		cmd_usage("stdin can be only one of base, queries and names");
}

/* Returns true if the queries are in a file: they can be read without waiting,
 * so they mostly share a single pass over the base. */
static bool
is_file(const char *path)
{
	struct stat st;
	int rc = path == NULL || strcmp(path, "-") == 0 ?
	    fstat(STDIN_FILENO, &st) : stat(path, &st);

	return rc == 0 && S_ISREG(st.st_mode);
}

static void
read_options(struct vec_nearest_options *o, int argc, char *argv[])
{
	int opt;

	o->id = cmd_alloc((size_t)argc * sizeof(*o->id));
	o->term = cmd_alloc((size_t)argc * sizeof(*o->term));
	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	if (optind == argc)
		cmd_usage("no BASE given; name the file with the vectors to "
		    "search");
	o->base_path = argv[optind++];
	if (optind < argc)
		o->query_path = argv[optind++];
	if (optind < argc)
		cmd_usage("'%s': at most one BASE and one QUERIES",
		    argv[optind]);
	if (o->ids > 0 && (o->query_path != NULL ||
	    o->queries.ids != NULL))
		cmd_usage("--id takes the queries from BASE; leave QUERIES and "
		    "--query-ids out");
	if (o->search.most == 0)
		o->search.most = SIZE_MAX;
	o->base.null = o->queries.null = o->null;
	o->base.again = true;
	o->base.once = o->ids == 0 && is_file(o->query_path);
	check_format(o);
	check_stdin(o);
}

/* ---- Queries ----------------------------------------------------------- */

struct vec_nearest {
	const struct vec_nearest_options *o;
	struct search s;
	struct match_writer w;
	struct arithmetic a;
	struct vector_reader base, queries;
};

static void
answer(struct vec_nearest *v)
{
	if (v->s.n == 0)
		return;
	search_run(&v->s);
	match_writer_put(&v->w, &v->s);
	search_clear_queries(&v->s);
}

static void
add_query(struct vec_nearest *v, struct vector *row)
{
	const char *why;
	char called[200];

	/* search_add_query() will end the program: first answer the queries
	 * before this one. */
	if (!search_same_space(&v->s, row))
		answer(v);
	arithmetic_apply(&v->a, v->s.queries, row);
	if ((why = search_add_query(&v->s, row)) == NULL)
		return;
	snprintf(called, sizeof(called), "%s", vector_name(row));
	answer(v);
	cmd_die("%s: vector %s: %s" SEARCH_HINT, v->s.queries, called, why);
}

/* Adds the vector of the base with this name as a query; dies if the base does
 * not have it. */
static void
query_by_name(struct vec_nearest *v, const char *id)
{
	const size_t n = strlen(id);
	struct vector row;
	struct npu_err err;
	int rc;

	vector_reader_rewind(&v->base);
	while ((rc = vector_reader_next(&v->base, &row, &err)) > 0)
		if (row.id_n == n && memcmp(row.id, id, n) == 0)
			break;
	if (rc < 0)
		cmd_die_err(v->base.name, &err);
	if (rc == 0)
		cmd_die("%s: no vector is called '%s'", v->base.name, id);
	add_query(v, &row);
}

static void
answer_names(struct vec_nearest *v)
{
	v->s.queries = v->base.name;
	/* With --plus or --minus, the query is another vector. */
	v->s.of_base = v->o->terms == 0;
	for (size_t i = 0; i < v->o->ids; i++) {
		query_by_name(v, v->o->id[i]);
		vector_reader_rewind(&v->base);
		if (v->s.n == SEARCH_BLOCK)
			answer(v);
	}
	answer(v);
}

/* Answers the queries of a file or stream.  Queries that can be read without
 * waiting share a pass; a query never waits for later queries. */
static void
answer_stream(struct vec_nearest *v)
{
	struct vector row;
	struct npu_err err;
	int rc;

	vector_reader_open(&v->queries, v->o->query_path, &v->o->queries);
	v->s.queries = v->queries.name;
	while ((rc = vector_reader_next(&v->queries, &row, &err)) > 0) {
		add_query(v, &row);
		if (v->s.n == SEARCH_BLOCK || !vector_reader_ready(&v->queries))
			answer(v);
	}
	answer(v);
	if (rc < 0)
		cmd_die_err(v->queries.name, &err);
	/* Report a damaged base even if there was not a single query. */
	vector_reader_end_scan(&v->base);
	vector_reader_close(&v->queries);
}

/* ---- Start and end ----------------------------------------------------- */

/* Called at exit: if the program ends early, keeps the earlier results. */
static void
end_early(void *writer)
{
	match_writer_abandon(writer);
}

int
main(int argc, char *argv[])
{
	static struct vec_nearest_options o = { .search = { .most = 10 } };
	static struct vec_nearest v = { .o = &o };

	cmd_start();
	read_options(&o, argc, argv);
	v.s.o = o.search;
	match_writer_open(&v.w, o.output, o.format, o.null,
	    o.search.matrix);
	cmd_on_exit(end_early, &v.w);
	vector_reader_open(&v.base, o.base_path, &o.base);
	v.s.base = &v.base;
	for (size_t i = 0; i < o.terms; i++)
		arithmetic_read(&v.a, &v.s, o.term[i].path, o.term[i].subtract);
	progress_begin("vectors compared", 0);
	if (o.ids > 0)
		answer_names(&v);
	else
		answer_stream(&v);
	progress_end();
	cmd_detail("%" PRIu64 " vector%s compared", v.s.compared,
	    num_plural(v.s.compared));
	match_writer_close(&v.w);
	search_free(&v.s);
	vector_reader_close(&v.base);
	arithmetic_free(&v.a);
	free(o.id);
	free(o.term);
	if (v.s.failed)
		cmd_exit(EXIT_FAILED);
	cmd_exit(o.exit_status && v.w.found == 0 ? EXIT_VERDICT : EXIT_DONE);
}
