/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of npu-model: one table of options for all commands. */
#ifndef NPU_MODEL_OPTIONS_H
#define NPU_MODEL_OPTIONS_H

#include <stdbool.h>

#include "cmd.h"
#include "transfer.h"

/* What a command may take; option_uses has the commands of each option. */
enum {
	FOR_LIST = 1 << 0,
	FOR_VERIFY = 1 << 1,
	FOR_PATH = 1 << 2,
	FOR_RM = 1 << 3,
	FOR_PRUNE = 1 << 4,
	FOR_GET = 1 << 5,
};

enum {
	OPT_JSON = 256, OPT_YES, OPT_DRY_RUN, OPT_FORCE, OPT_LIMIT_RATE,
	OPT_MIRROR, OPT_PAUSE, OPT_SHA256, OPT_STALL, OPT_TRIES, OPT_TRUST,
};

struct model_options {
	const struct command *command;
	char **operands;	/* after the command; ends with NULL */
	int n_operands;
	enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_TSV }
	    format;		/* -F */
	bool json;		/* the format is json */
	bool yes;		/* --yes */
	const char *output;	/* -o */
	bool dry_run, force, trust;
	const char *mirror, *sha256;
	unsigned jobs;		/* -j */
	struct transfer_options transfer;
};

/* One command: "npu-model NAME ...". */
struct command {
	const char *name;
	unsigned bit;		/* FOR_LIST ... */
	int least, most;	/* operands */
	const char *operands;	/* for messages: "[PATTERN]" */
	int (*run)(const struct model_options *o);	/* returns the exit
							   status */
};

/* The commands; the last has no name. */
extern const struct command commands[];

/* Reads the command line.  A wrong one is a usage error. */
void read_options(struct model_options *o, int argc, char *argv[]);

int get_main(const struct model_options *o);
int list_main(const struct model_options *o);
int path_main(const struct model_options *o);
int prune_main(const struct model_options *o);
int rm_main(const struct model_options *o);
int verify_main(const struct model_options *o);

#endif
