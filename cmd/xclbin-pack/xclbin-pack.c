// SPDX-License-Identifier: Apache-2.0
/* xclbin-pack - pack a container for an AMD NPU, as xclbinutil does. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cmd.h"
#include "pack.h"
#include "project.h"

enum {
	OPT_ADD = 256, OPT_REPLACE, OPT_REMOVE, OPT_KERNEL, OPT_KEY, OPT_FORCE,
	OPT_SKIP_UUID, OPT_SKIP_GROUPS, OPT_TIME, OPT_VERSION, OPT_NEWLINE,
	OPT_PROJECT,
};

static const struct opt options[] = {
	TAKES(OPT_PROJECT, "project", "=DIR", COMPLETE_FOLDER,
	    "pack the files that aiecc of mlir-aie left in DIR, such as "
	    "DESIGN.mlir.prj"),
	TAKES('i', "input", "=FILE", COMPLETE_FILE,
	    "start from the sections of the xclbin FILE"),
	TAKES(OPT_ADD, "add-section", "=KIND:FORM:FILE", COMPLETE_NONE,
	    "add a section, FORM is JSON or RAW; AIE_PARTITION[LABEL] has a "
	    "name"),
	TAKES(OPT_REPLACE, "add-replace-section", "=KIND:FORM:FILE",
	    COMPLETE_NONE, "the same, but replace an existing section"),
	TAKES(OPT_REMOVE, "remove-section", "=KIND", COMPLETE_NONE,
	    "remove a section"),
	TAKES(OPT_KERNEL, "add-kernel", "=FILE", COMPLETE_FILE,
	    "add the kernels of a kernels.json"),
	TAKES(OPT_KEY, "key-value", "=USER:KEY:VALUE", COMPLETE_NONE,
	    "set a key; SYS:XclbinUUID:DIGITS sets the uuid"),
	FLAG(OPT_SKIP_UUID, "skip-uuid-insertion", "keep the uuid of --input; "
	    "without --input the uuid is 0"),
	FLAG(OPT_SKIP_GROUPS, "skip-bank-grouping", "add no GROUP_TOPOLOGY and "
	    "GROUP_CONNECTIVITY"),
	TAKES(OPT_TIME, "timestamp", "=SECONDS", COMPLETE_NONE,
	    "time in the header, since 1970 (default: SOURCE_DATE_EPOCH, or "
	    "the modification time of the newest input)"),
	TAKES(OPT_VERSION, "stamp-version", "=X.Y.Z", COMPLETE_NONE,
	    "version of xclbinutil in the header (default: 2.25.0)"),
	FLAG(OPT_NEWLINE, "mirror-newline", "end the file as xclbinutil before "
	    "2.25 does"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE, "write to FILE"),
	FLAG(OPT_FORCE, "force", "replace FILE if it exists"),
	FLAG('q', "quiet", "no notes"),
	FLAG('v', "verbose", "print what is added, and from which file"),
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	{ "SOURCE_DATE_EPOCH", "time in the header, seconds since 1970" },
	{ 0 },
};

const struct program program = {
	.name = "xclbin-pack",
	.synopsis = "xclbin-pack [OPTION]...",
	.examples =
	"  xclbin-pack --project=attention.mlir.prj -o attention.xclbin\n"
	"  xclbin-pack \\\n"
	"    --add-section PDI:RAW:main.pdi \\\n"
	"    --add-section AIE_PARTITION:JSON:main_aie_partition.json \\\n"
	"    --add-section IP_LAYOUT:JSON:main_ip_layout.json \\\n"
	"    --add-section MEM_TOPOLOGY:JSON:main_mem_topology.json \\\n"
	"    --force \\\n"
	"    --output attention_int32.xclbin\n",
	.help =
	"Packs an xclbin, the container that an AMD NPU runs, with the\n"
	"options of xclbinutil: the second example is a command of\n"
	"xclbinutil with another program name.  If time, version and uuid\n"
	"are equal, the file equals xclbinutil's file byte for byte.\n"
	"Without --timestamp and a uuid, the same inputs give the same file.\n"
	"Prints what the file lacks to run.\n",
	.options = options,
	.env = env,
};

/* ---- Options ----------------------------------------------------------- */

struct command_line {
	struct pack_options pack;
	const char *output;		/* NULL: stdout */
	bool force;
	struct project project;		/* owns paths that pack points to */
};

static void
set_input(struct pack_options *o, const char *path)
{
	if (o->input != NULL)
		cmd_usage("--input: takes one container, not '%s' and '%s'",
		    o->input, path);
	o->input = cmd_named("--input", path);
}

static void
add_spec(struct section_specs *all, struct section_spec s)
{
	all->spec = cmd_realloc(all->spec, (all->n + 1) * sizeof(s));
	all->spec[all->n++] = s;
}

static void
add_file_spec(struct section_specs *all, const char *option, const char *arg)
{
	struct section_spec s = section_spec_parse(option, arg);

	cmd_name_input(s.file);
	add_spec(all, s);
}

static void
add_kernels(struct pack_options *o, const char *path)
{
	cmd_name_input(cmd_named("--add-kernel", path));
	o->kernels = cmd_realloc(o->kernels,
	    (o->n_kernels + 1) * sizeof(*o->kernels));
	o->kernels[o->n_kernels++] = path;
}

static void
add_user_key(struct pack_options *o, const char *key, size_t n,
    const char *value)
{
	o->key = cmd_realloc(o->key, (o->n_keys + 1) * sizeof(*o->key));
	o->key[o->n_keys++] = (struct key_value){
	    .key = cmd_text("%.*s", (int)n, key), .value = value };
}

/* Parses USER:KEY:VALUE or SYS:KEY:VALUE; the value may contain colons. */
static void
add_key(struct pack_options *o, const char *arg)
{
	const char *key = strchr(arg, ':');
	size_t domain = key != NULL ? (size_t)(key++ - arg) : 0;
	const char *value = key != NULL ? strchr(key, ':') : NULL;
	size_t n = value != NULL ? (size_t)(value++ - key) : 0;

	if (value == NULL)
		cmd_usage("--key-value: '%s' is not USER:KEY:VALUE or "
		    "SYS:KEY:VALUE", arg);
	if (domain == 4 && strncasecmp(arg, "USER", 4) == 0)
		add_user_key(o, key, n, value);
	else if (domain != 3 || strncasecmp(arg, "SYS", 3) != 0)
		cmd_usage("--key-value: '%.*s' is neither USER nor SYS",
		    (int)domain, arg);
	else if (n != 10 || strncmp(key, "XclbinUUID", n) != 0)
		cmd_usage("--key-value: SYS has no key '%.*s'; it is "
		    "SYS:XclbinUUID:DIGITS", (int)n, key);
	else
		stamp_parse_uuid(&o->stamp, "--key-value", value);
}

/* Adds the options that aiecc passes to xclbinutil, with the files that aiecc
 * left in the folder. */
static void
add_project(struct command_line *l, const char *folder)
{
	struct pack_options *o = &l->pack;
	struct section_spec s = { .json = true };

	if (l->project.kernels != NULL)
		cmd_usage("--project: one folder can be packed, not two");
	project_find(&l->project, cmd_named("--project", folder));
	s.kind = AXLF_MEM_TOPOLOGY;
	s.label = cmd_copy("");
	s.file = l->project.memories;
	add_spec(&o->replace, s);
	s.kind = AXLF_AIE_PARTITION;
	s.label = cmd_copy("");
	s.file = l->project.partition;
	add_spec(&o->replace, s);
	add_kernels(o, l->project.kernels);
}

static void
parse_option(struct command_line *l, int opt)
{
	struct pack_options *o = &l->pack;

	switch (opt) {
	case 'i': set_input(o, optarg); break;
	case 'o': l->output = cmd_named("--output", optarg); break;
	case 'q': cmd_quiet = true; break;
	case 'v': cmd_verbose = true; break;
	case OPT_ADD: add_file_spec(&o->add, "--add-section", optarg); break;
	case OPT_REPLACE: add_file_spec(&o->replace, "--add-replace-section",
	    optarg); break;
	case OPT_REMOVE: add_spec(&o->remove, section_spec_parse_kind(
	    "--remove-section", optarg)); break;
	case OPT_KERNEL: add_kernels(o, optarg); break;
	case OPT_KEY: add_key(o, optarg); break;
	case OPT_FORCE: l->force = true; break;
	case OPT_SKIP_UUID: o->stamp.keep_uuid = true; break;
	case OPT_SKIP_GROUPS: o->skip_groups = true; break;
	case OPT_TIME:
		o->stamp.time = (uint64_t)cmd_int("--timestamp", optarg, 0,
		    INT64_MAX);
		o->stamp.has_time = true;
		break;
	case OPT_VERSION: stamp_parse_version(&o->stamp, optarg); break;
	case OPT_NEWLINE: o->newline = true; break;
	case OPT_PROJECT: add_project(l, optarg); break;
	}
}

/* ---- Checks before the work -------------------------------------------- */

static void
check_output(const struct command_line *l)
{
	if (l->output != NULL && !l->force && cmd_output_appears(l->output) &&
	    access(l->output, F_OK) == 0)
		cmd_die("%s: already exists; --force replaces it",
		    l->output);
}

static void
check_work(const struct command_line *l)
{
	const struct pack_options *o = &l->pack;

	if (o->input == NULL && o->add.n == 0 && o->replace.n == 0 &&
	    o->n_kernels == 0 && o->n_keys == 0)
		cmd_usage("nothing to pack; give --project, --add-section or "
		    "--input");
	cmd_name_input(o->input);
}

static void
read_options(struct command_line *l, int argc, char *argv[])
{
	int opt;

	while ((opt = cmd_option(argc, argv)) != -1)
		parse_option(l, opt);
	if (optind < argc)
		cmd_usage("'%s' does not belong to an option; each file needs "
		    "its own option, as in --add-section A --add-section B",
		    argv[optind]);
	stamp_environment(&l->pack.stamp);
	check_work(l);
	check_output(l);
}

/* ---- The end ----------------------------------------------------------- */

static void
free_specs(struct section_specs *all)
{
	for (size_t i = 0; i < all->n; i++)
		section_spec_free(&all->spec[i]);
	free(all->spec);
}

static void
free_options(struct command_line *l)
{
	struct pack_options *o = &l->pack;

	free_specs(&o->remove);
	free_specs(&o->replace);
	free_specs(&o->add);
	for (size_t i = 0; i < o->n_keys; i++)
		free(o->key[i].key);
	free(o->key);
	free(o->kernels);
	project_free(&l->project);
}

int
main(int argc, char *argv[])
{
	struct command_line l = { .force = false };
	struct buf file = { 0 };
	struct output out;

	cmd_start();
	/* jansson 2.14 was seen to crash if an allocation fails; cmd_alloc()
	 * ends the program instead. */
	json_set_alloc_funcs(cmd_alloc, free);
	read_options(&l, argc, argv);
	pack(&l.pack, &file);
	cmd_open_output(&out, l.output, true);
	pack_note_faults(&file, l.output != NULL && !cmd_is_dash(l.output) ?
	    l.output : "FILE.xclbin");
	cmd_write_buf(&out, &file);
	cmd_close_output(&out);
	free_options(&l);
	cmd_exit(EXIT_DONE);
}
