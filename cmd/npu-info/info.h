/* SPDX-License-Identifier: Apache-2.0 */
/* npu-info's parts: models, facts, checks and reports. */
#ifndef NPU_INFO_INFO_H
#define NPU_INFO_INFO_H

#include "base/json.h"
#include "board.h"
#include "diagnose/health.h"

/* What to look at where something could not be read or done. */
#define INFO_ENOUGH "free -m, ulimit -n and sudo dmesg; then again"

/* How it is told: as values in json; or NULL, and lines are added to text. */
struct info_form {
	struct json *json;
	struct buf *text;
	bool plain;		/* lines of fields between TABs */
	bool all;		/* also facts that tell of no NPU */
	const struct info_here *here;	/* of models; NULL: not asked */
	bool *told;		/* unread was said */
	struct npu_err *unread;	/* the first that could not be read; code 0:
				   nothing */
};

/*
 * Describes the model that name means, as one element of the array open in
 * json.  False, after a warning, if it cannot be read or is no sound model.
 */
bool info_model(const struct info_form *f, const char *name);

/*
 * one() for the model that name means, or for each of a folder, "*.cix" in the
 * order of their names; false if one() said so, or after none(), where a folder
 * has none.
 */
struct info_each {
	bool (*one)(void *arg, const char *name);
	void (*none)(void *arg, const char *name, const struct npu_err *err);
	void *arg;
};
bool info_operand(const struct info_each *each, const char *name);

/* A warning, and in json an element with the error. */
void info_refuse(const struct info_form *f, const char *name,
    const struct npu_err *err);

/* The checks, and one for each of n models, as lines or as a member; returns
 * the exit status. */
int info_doctor(const struct info_form *f, const char *root, char **models,
    int n);

/* unread, below: of info_form. */

/* Whether the model is sound and for the NPU that is here, if that is known. */
void info_check_model(const char *name, const struct info_here *here,
    struct npu_err *unread, struct health_check *c);

/*
 * Whether the model at path answers as it must, in a process of its own.  Of a
 * CLIP text encoder it is known which sentences are of one meaning; of others,
 * that the same input gives the same answer.
 */
void info_check_answer(const char *path, struct npu_err *unread,
    struct health_check *c);

/* A heading of a report; nothing in json. */
void info_section(const struct info_form *f, const char *title);
/* The first part that could not be read: a member, or the last section. */
void info_unread(const struct info_form *f);

/* The facts, as members of the object open in json; NULL: none were asked
 * for. */
void info_facts(const struct info_form *f, struct health *h);

/*
 * The beginning and the end of a report, between which come the device, the
 * checks and the models: nothing of it tells whose machine it is.  What the
 * user called his folders is in names, and in the options.
 */
struct info_report;
struct info_report *info_report_begin(struct info_form *f, const char *root,
    char **names, int n);
void info_report_end(struct info_report *r, const struct info_form *f,
    const char *root);

#endif
