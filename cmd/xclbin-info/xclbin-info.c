// SPDX-License-Identifier: Apache-2.0
/* xclbin-info - show the contents of a container for an AMD NPU. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "info.h"
#include "json_error.h"
#include "xclbin/load.h"
#include "xclbin/unread.h"

#define SCHEMA "xclbin-info/1"

enum { OPT_JSON = 256 };

static const struct opt options[] = {
	FLAG(OPT_JSON, "json", "write JSON: xclbin-info/1"),
	TAKES('x', "extract", "=SECTION", COMPLETE_NONE,
	    "write a section: KIND[LABEL]:JSON:FILE or KIND[LABEL]:RAW:FILE; "
	    "the PDIs of an AIE_PARTITION in JSON are written beside FILE"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG('q', "quiet", "no notes"),
	FLAG('v', "verbose", "print which files are read"),
	CMD_COMMON,
	{ 0 },
};

const struct program program = {
	.name = "xclbin-info",
	.synopsis = "xclbin-info [OPTION]... [FILE]...",
	.examples =
	"  xclbin-info main.xclbin\n"
	"  xclbin-info -x AIE_PARTITION:JSON:partition.json main.xclbin\n",
	.help =
	"Shows the contents of xclbin files: header, sections, partition,\n"
	"PDIs, kernels with their arguments.  Files that cannot run are\n"
	"shown as far as they can be read.\n",
	.options = options,
	.operands = { COMPLETE_FILE, COMPLETE_FILE },
};

/* ---- Options ----------------------------------------------------------- */

struct info_options {
	bool json;
	const char *output;		/* NULL: stdout */
	bool has_output;
	struct extraction *extract;	/* owned */
	size_t extractions;
};

/* Returns true if the file is described.  With -x alone, only the sections are
 * written. */
static bool
describes(const struct info_options *o)
{
	return o->extractions == 0 || o->json || o->has_output;
}

static void
add_extraction(struct info_options *o, const char *arg)
{
	o->extract = cmd_realloc(o->extract,
	    (o->extractions + 1) * sizeof(*o->extract));
	o->extract[o->extractions] = extraction_parse(arg);
	for (size_t i = 0; i < o->extractions; i++)
		if (cmd_same_output(o->extract[i].file,
		    o->extract[o->extractions].file))
			cmd_usage("--extract: '%s' would be written twice",
			    o->extract[i].file);
	o->extractions++;
}

static void
read_options(struct info_options *o, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		switch (opt) {
		case 'o': o->output = optarg, o->has_output = true; break;
		case 'q': cmd_quiet = true; break;
		case 'v': cmd_verbose = true; break;
		case 'x': add_extraction(o, optarg); break;
		default: o->json = true; break;		/* OPT_JSON */
		}
	if (o->extractions > 0 && argc - optind > 1)
		cmd_usage("--extract takes sections of one file, not of %d",
		    argc - optind);
	for (size_t i = 0; describes(o) && i < o->extractions; i++)
		if (cmd_same_output(o->extract[i].file, o->output))
			cmd_usage("--extract: the description goes to '%s'; "
			    "name another file", o->extract[i].file);
	cmd_name_operands(argv + optind);
}

/* ---- Files ------------------------------------------------------------- */

struct info_run {
	const struct info_options *o;
	struct json json;	/* for text output, only json.out is used */
	bool failed;
};

/* Prints notes about the parts of the file that cannot be shown. */
static void
note_unread(const struct info_file *f)
{
	struct npu_err partition = f->x.partition_err;
	const struct npu_err *kernels = &f->x.kernels_err;

	if (info_hides_sections(&f->x.axlf))
		cmd_note("%s: its header states %u sections, more than %d: "
		    "they are not shown", f->name, f->x.axlf.sections,
		    AXLF_MOST_SECTIONS);
	if (f->x.has_partition)
		info_partition_fault(&f->x.partition, &partition);
	if (*partition.msg != '\0')
		cmd_note("%s: AIE_PARTITION: %s", f->name, partition.msg);
	if (*kernels->msg != '\0')
		cmd_note("%s: EMBEDDED_METADATA: %s", f->name, kernels->msg);
	if (!info_shows_instances(f))
		cmd_note("%s: %zu kernels and %u entries of IP_LAYOUT: their "
		    "instances are not shown", f->name, f->x.kernels.n,
		    f->x.ips.n);
}

static void
show(struct info_run *r, const struct info_file *f)
{
	struct buf *b = &r->json.out;

	cmd_detail("%s: %zu bytes", f->name, f->bytes);
	/* Check this before a section is written. */
	if (r->o->has_output)
		cmd_refuse_input(r->o->output);
	note_unread(f);
	extractions_write(r->o->extract, r->o->extractions, f);
	if (!describes(r->o))
		return;
	if (r->o->json) {
		info_json(&r->json, f);
		return;
	}
	buf_puts(b, b->n > 0 ? "\n" : "");
	info_text(b, f);
}

static void
one_file(struct info_run *r, const char *path)
{
	struct info_file f = { .path = path, .name = cmd_input_name(path) };
	struct npu_err err;
	struct buf b = { 0 };

	if (xclbin_load(path, &b, &err) < 0 || (f.bytes = b.n,
	    xclbin_read(&f.x, (struct bytes){ (uint8_t *)b.p, b.n },
	    &err) < 0)) {
		xclbin_unread(r->o->json ? &r->json : NULL, f.name, &err);
		r->failed = true;
	} else {
		show(r, &f);
	}
	xclbin_free(&f.x);
	buf_free(&b);
}

static void
all_files(struct info_run *r, char *const *operands)
{
	if (*operands == NULL)
		cmd_refuse_terminal(NULL), one_file(r, "-");
	for (; *operands != NULL; operands++)
		one_file(r, *operands);
}

int
main(int argc, char *argv[])
{
	struct info_options o = { .json = false };
	struct info_run r = { .o = &o, .json = { .pretty = true } };

	cmd_start();
	read_options(&o, argc, argv);
	if (o.json) {
		json_on_failure(SCHEMA, o.output);
		json_object(&r.json);
		json_member_str(&r.json, "schema", SCHEMA);
		json_key(&r.json, "files");
		json_array(&r.json);
	}
	all_files(&r, argv + optind);
	if (o.json) {
		json_end_array(&r.json);
		json_end_object(&r.json);
		buf_puts(&r.json.out, "\n");
		cmd_on_exit(NULL, NULL);
	}
	if (describes(&o))
		cmd_write_document(o.output, &r.json.out);
	for (size_t i = 0; i < o.extractions; i++)
		free(o.extract[i].label);
	free(o.extract);
	json_free(&r.json);
	cmd_exit(r.failed ? EXIT_FAILED : EXIT_DONE);
}
