/* SPDX-License-Identifier: Apache-2.0 */
/* npu-info's parts: the device, models, facts, checks and reports. */
#ifndef NPU_INFO_INFO_H
#define NPU_INFO_INFO_H

#include "base/json.h"
#include "board.h"
#include "diagnose/health/health.h"

struct cix_model;

/* Advice where something could not be read or done. */
#define INFO_ENOUGH "free -m; ulimit -n; sudo dmesg"

/* The form of the output: values in json, or, where that is NULL, lines that
 * are added to text. */
struct info_form {
	struct json *json;
	struct buf *text;
	bool plain;		/* lines of fields between TABs */
	char separator;		/* ',' or TAB: a row a tensor; else 0 */
	const char *schema;	/* of each model's object, which stands alone;
				   NULL: it is in a document */
	bool colour;		/* of the text */
	bool all;		/* also facts without a trace of an NPU */
	const struct info_board *board;	/* for models; NULL: not asked */
	bool *unread_reported;	/* as a warning */
	struct npu_err *unread;	/* the first part that could not be read;
				   code 0: all were */
};

/*
 * Describes the model that name means, as one element of the array open in
 * json.  False, after a warning, if it cannot be read or is no sound model.
 */
bool info_model(const struct info_form *f, const char *name);

/*
 * Visits an operand: calls model() for the model that name means, or for each
 * "*.cix" of a folder in the order of their names; empty() for a folder without
 * any.  False if model() returned false or empty() was called.
 */
struct info_visitor {
	bool (*model)(void *arg, const char *name);
	void (*empty)(void *arg, const char *name, const struct npu_err *err);
	void *arg;
};
bool info_visit(const struct info_visitor *v, const char *name);

/* A row for each tensor of a model, after the names of their fields. */
void info_rows_head(struct buf *t, char separator);
void info_rows(struct buf *t, char separator, const char *path,
    const struct cix_model *m);
/* "input", "output", "dump", ... */
const char *info_kind_name(uint32_t kind);

/* A warning, and in json an element with the error. */
void info_refuse(const struct info_form *f, const char *name,
    const struct npu_err *err);

/* The checks, and one for each of n models, as lines or as a member; returns
 * the exit status. */
int info_doctor(const struct info_form *f, const char *root, char **models,
    int n);

/* unread, below, is that of info_form. */

/* Whether the model is sound and, where that is known, for this board. */
void info_check_model(const char *name, const struct info_board *board,
    struct npu_err *unread, struct health_check *c);

/*
 * Whether the model at path answers as it must, in a process of its own.  A
 * CLIP text encoder must pair sentences of one meaning; any other model must
 * give the same answer to the same input.
 */
void info_self_test(const char *path, struct npu_err *unread,
    struct health_check *c);

/* The device and the facts.  Returns the exit status. */
int info_device(const struct info_form *f, const char *root);

/* A heading of a report; nothing in json. */
void info_section(const struct info_form *f, const char *title);
/* The first part that could not be read: a member, or the last section. */
void info_unread(const struct info_form *f);

/* The facts, as members of the object open in json; h NULL: they were not
 * read. */
void info_facts(const struct info_form *f, struct health *h);

/*
 * The beginning and the end of a report; the device, the checks and the models
 * come between them.  Nothing in it identifies the machine or its user: the
 * folders in names and in the options are hidden, too.
 */
struct info_report;
struct info_report *info_report_begin(struct info_form *f, const char *root,
    char **names, int n);
void info_report_end(struct info_report *r, const struct info_form *f,
    const char *root);

#endif
