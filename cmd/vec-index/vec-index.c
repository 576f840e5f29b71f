// SPDX-License-Identifier: Apache-2.0
/* vec-index - list, check, export and change an index. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "bus_error.h"
#include "change.h"
#include "progress.h"
#include "row_writer.h"
#include "vectors/reader_impl.h"

enum { OPT_CHECK = 256, OPT_COMPACT, OPT_EXPORT, OPT_MERGE, OPT_PRUNE };

static const char *const formats[] = { "text", "tsv", "csv", "json", "jsonl",
	NULL };
static const char *const arrays[] = { "npy", "jsonl", "csv", NULL };

static const struct opt options[] = {
	ONE_OF('F', "format", "=FORMAT", formats,
	    "format of the list: text (default), tsv, csv, json, jsonl"),
	ONE_OF(OPT_EXPORT, "export", "=FORM", arrays,
	    "write the vectors: npy, jsonl, csv"),
	FLAG(OPT_PRUNE, "prune",
	    "remove vectors of files that do not exist, and compact"),
	FLAG(OPT_COMPACT, "compact", "remove records that were replaced"),
	TAKES(OPT_MERGE, "merge", "=OTHER", COMPLETE_FILE,
	    "add the vectors of index OTHER; may be repeated"),
	FLAG(OPT_CHECK, "check",
	    "read everything; exit with 4 if a part is damaged"),
	FLAG('k', "keep-going", "leave damaged vectors out"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	PROGRESS_OPTIONS,
	FLAG('q', "quiet", "no notes, no progress"),
	FLAG('v', "verbose", "describe the contents of the index"),
	CMD_COMMON,
	{ 0 },
};

const struct program program = {
	.name = "vec-index",
	.synopsis = "vec-index [OPTION]... INDEX",
	.examples =
	"  vec-index photos.index | grep '^gone'\n"
	"  vec-index --export=npy -o photos.npy photos.index\n",
	.help =
	"Lists the vectors of an index: the state (file, gone, text or\n"
	"unknown) and the name.  With an option, exports, checks or changes\n"
	"the index.\n",
	.options = options,
	.operands = { COMPLETE_FILE },
};

/* ---- Options ----------------------------------------------------------- */

struct vec_index_options {
	int action;		/* the option that chose it; 0: list */
	enum row_form list, array;
	bool has_format, keep_going;
	const char *path, *output;
	const char **other;	/* from --merge; array owned */
	size_t others;
};

static void
choose(struct vec_index_options *o, int action)
{
	if (o->action != 0 && o->action != action)
		cmd_usage("--%s and --%s need separate runs",
		    cmd_option_name(o->action), cmd_option_name(action));
	o->action = action;
}

static void
parse_option(struct vec_index_options *o, int opt)
{
	if (progress_option(opt, optarg))
		return;
	switch (opt) {
	case 'F':
		o->list = (enum row_form)(ROW_TEXT +
		    cmd_choice("--format", optarg, formats));
		o->has_format = true;
		return;
	case 'k': o->keep_going = true; return;
	case 'o': o->output = optarg; return;
	case 'q': cmd_quiet = true; return;
	case 'v': cmd_verbose = true; return;
	case OPT_EXPORT: o->array = (enum row_form)(ROW_NPY +
	    cmd_choice("--export", optarg, arrays)); break;
	case OPT_MERGE: o->other[o->others++] = optarg; break;
	}
	choose(o, opt);
}

static void
check_options(const struct vec_index_options *o)
{
	const int a = o->action;

	if (o->has_format && a != 0)
		cmd_usage("--format is for the list; leave it out");
	if (o->output != NULL && a != 0 && a != OPT_EXPORT)
		cmd_usage("--output is for the list and for --export");
	if (o->keep_going && a != OPT_EXPORT && a != OPT_PRUNE &&
	    a != OPT_COMPACT)
		cmd_usage("--keep-going is for --export, --prune and "
		    "--compact");
	if (o->output != NULL && cmd_same_output(o->path, o->output))
		cmd_usage("--output: '%s' is the index", o->output);
}

static void
read_options(struct vec_index_options *o, int argc, char *argv[])
{
	int opt;

	o->other = cmd_alloc((size_t)argc * sizeof(*o->other));
	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(o, opt);
	if (optind + 1 != argc)
		cmd_usage("name one INDEX");
	o->path = argv[optind];
	if (strcmp(o->path, "-") == 0)
		cmd_usage("an index is a file, not '-'");
	check_options(o);
}

/* ---- Rows -------------------------------------------------------------- */

/* Writes all vectors.  False if a vector was damaged and left out. */
static bool
write_rows(struct row_writer *w, const struct index_map *map,
    const struct vec_index_options *o)
{
	bool stop = o->action == OPT_EXPORT && !o->keep_going, good = true;
	struct index_row row;
	struct npu_err err;

	progress_begin("vectors", map != NULL ? index_rows(map) : 0);
	for (uint64_t i = 0; map != NULL && i < index_rows(map); i++) {
		progress_update(i);
		if (index_row(map, i, &row, &err) == 0) {
			row_writer_put(w, &row);
			continue;
		}
		if (stop)
			cmd_die("%s: %s (-k leaves such vectors out)",
			    o->path, err.msg);
		cmd_warn("%s: %s", o->path, err.msg);
		good = false;
	}
	progress_end();
	return good;
}

static uint64_t
count_sound(const struct index_map *map)
{
	struct index_row row;
	uint64_t n = 0;

	for (uint64_t i = 0; i < index_rows(map); i++)
		n += index_row(map, i, &row, NULL) == 0;
	return n;
}

/* Ends the program with an error; a JSON document is written even then. */
static _Noreturn void
fail(struct row_writer *w, const char *path, const struct npu_err *err)
{
	cmd_warn("%s: %s", path, err->msg);
	if (w->form == ROW_JSON) {
		row_writer_open(w);
		row_writer_close(w, cmd_last_message());
	}
	cmd_exit(cmd_status(err));
}

static bool
write_index(const struct vec_index_options *o)
{
	struct row_writer w = { .path = o->output, .index = o->path,
	    .form = o->action == OPT_EXPORT ? o->array : o->list };
	struct index_map *map;
	struct npu_err err;
	bool good;

	if (change_map(o->path, &map, &err) < 0)
		fail(&w, o->path, &err);
	w.header = map != NULL ? index_map_header(map) : NULL;
	/* The .npy header contains the number of vectors. */
	if (map != NULL && w.form == ROW_NPY)
		w.rows = o->keep_going ? count_sound(map) : index_rows(map);
	row_writer_open(&w);
	good = write_rows(&w, map, o);
	row_writer_close(&w, good ? NULL : cmd_last_message());
	index_unmap(map);
	return good;
}

/* ---- Check ------------------------------------------------------------- */

static int
check(const char *path)
{
	struct index_map *map;
	struct index_row row;
	struct npu_err err;
	uint64_t n, tail, damaged = 0;

	if (change_map(path, &map, &err) < 0) {
		cmd_warn("%s: %s", path, err.msg);
		return err.code == NPU_EFORMAT ? EXIT_VERDICT :
		    cmd_status(&err);
	}
	n = map != NULL ? index_rows(map) : 0;
	progress_begin("vectors", n);
	for (uint64_t i = 0; i < n; i++) {
		progress_update(i);
		if (index_row(map, i, &row, &err) == 0)
			continue;
		cmd_warn("%s: %s", path, err.msg);
		damaged++;
	}
	progress_end();
	if ((tail = map != NULL ? index_tail(map) : 0) > 0)
		cmd_warn("%s: %" PRIu64 " bytes after the last whole record "
		    "are not part of the index: a writer was interrupted, or "
		    "the file is damaged", path, tail);
	printf("%" PRIu64 " vector%s, %" PRIu64 " damaged\n", n, num_plural(n),
	    damaged);
	index_unmap(map);
	return damaged > 0 || tail > 0 ? EXIT_VERDICT : EXIT_DONE;
}

/* ---- Start and end ----------------------------------------------------- */

static int
act(const struct vec_index_options *o)
{
	switch (o->action) {
	case OPT_CHECK: return check(o->path);
	case OPT_MERGE:
		for (size_t i = 0; i < o->others; i++)
			change_merge(o->path, o->other[i]);
		return EXIT_DONE;
	case OPT_COMPACT:
	case OPT_PRUNE:
		return change_rewrite(o->path, o->action == OPT_PRUNE,
		    o->keep_going) ? EXIT_DONE : EXIT_FAILED;
	}
	return write_index(o) ? EXIT_DONE : EXIT_FAILED;
}

int
main(int argc, char *argv[])
{
	struct vec_index_options o = { .list = ROW_TEXT };
	int status;

	cmd_start();
	read_options(&o, argc, argv);
	cmd_catch_bus_error();
	status = act(&o);
	free(o.other);
	cmd_exit(status);
}
