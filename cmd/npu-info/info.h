/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of npu-info: the device, models, facts, checks and reports. */
#ifndef NPU_INFO_INFO_H
#define NPU_INFO_INFO_H

#include "base/json.h"
#include "board.h"
#include "diagnose/health/health.h"

struct cix_model;

/* Advice if something could not be read or done. */
#define INFO_ENOUGH "free -m; ulimit -n; sudo dmesg"

/* The form of the output: values in json, or, if json is NULL, lines that are
 * added to text. */
struct info_form {
	struct json *json;
	struct buf *text;
	bool plain;		/* lines of fields separated by TABs */
	char separator;		/* ',' or TAB: a row for each tensor; else 0 */
	const char *schema;	/* for each model's object, if it is a
				   document itself; NULL: it is part of a
				   document */
	bool colour;		/* colours in the text */
	bool all;		/* also show facts without a trace of an NPU */
	const struct board *board;	/* for models; NULL: not asked for */
	bool *unread_reported;	/* set if an unread part was reported as a
				   warning */
	struct npu_err *unread;	/* the first part that could not be read;
				   code 0: all could be read */
};

/*
 * Describes the model that name means, as one element of the array open in
 * json.  Returns false, after a warning, if the model cannot be read or is
 * damaged.
 */
bool info_model(const struct info_form *f, const char *name);

/*
 * Visits an operand: calls model() for the model that name means, or for each
 * "*.cix" of a folder in the order of their names, and empty() for a folder
 * without models.  Returns false if model() returned false or empty() was
 * called.
 */
struct info_visitor {
	bool (*model)(void *arg, const char *name);
	void (*empty)(void *arg, const char *name, const struct npu_err *err);
	void *arg;
};
bool info_visit(const struct info_visitor *v, const char *name);

/* Adds the names of the fields, above the rows for a model's tensors. */
void info_rows_head(struct buf *t, char separator);
void info_rows(struct buf *t, char separator, const char *path,
    const struct cix_model *m);
/* Returns "input", "output", "dump", ... */
const char *info_kind_name(uint32_t kind);

/* Prints a warning, and in json adds an element with the error. */
void info_refuse(const struct info_form *f, const char *name,
    const struct npu_err *err);

/* Writes the checks, with a check for each of n models, as lines or as a
 * member; returns the exit status. */
int info_doctor(const struct info_form *f, const char *root, char **models,
    int n);

/* unread, below, has the meaning of unread in info_form. */

/*
 * Checks whether the model is sound and, if the board is known, for this board.
 */
void info_check_model(const char *name, const struct board *board,
    struct npu_err *unread, struct health_check *c);

/*
 * Checks in a separate process whether the model at path answers as it must.  A
 * CLIP text encoder must pair sentences with the same meaning; any other model
 * must give the same answer to the same input.
 */
void info_self_test(const char *path, struct npu_err *unread,
    struct health_check *c);

/* Describes the device and the facts.  Returns the exit status. */
int info_device(const struct info_form *f, const char *root);

/* Adds a heading to a report; adds nothing to json. */
void info_section(const struct info_form *f, const char *title);
/* Reports the first part that could not be read: as a member, or as the last
 * section. */
void info_unread(const struct info_form *f);

/* Adds the facts, as members of the object open in json; h NULL: they were not
 * read. */
void info_facts(const struct info_form *f, struct health *h);

/*
 * Begin and end a report; the device, the checks and the models come between.
 * Nothing in the report identifies the machine or its user: folders in names
 * and in the options are also hidden.
 */
struct info_report;
struct info_report *info_report_begin(struct info_form *f, const char *root,
    char **names, int n);
void info_report_end(struct info_report *r, const struct info_form *f,
    const char *root);

#endif
