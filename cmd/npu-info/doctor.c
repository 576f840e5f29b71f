// SPDX-License-Identifier: Apache-2.0
/* doctor.c - npu-info --doctor: a line for each check. */
#include <stdlib.h>
#include <string.h>

#include "child_process.h"
#include "device.h"
#include "host/host.h"
#include "info.h"

/* ---- The library ------------------------------------------------------- */

static void
check_start(struct health_check *c, const char *root,
    const struct info_library *l)
{
	*c = (struct health_check){ .name = "start" };
	if (*root != '\0')
		health_judge(c, HEALTH_SKIP, "run it on the machine itself",
		    "a library of another machine is not started");
	else if (l->err.code != 0)
		health_judge(c, HEALTH_FAIL, "npu-info -v, which shows what "
		    "the library says", "%.700s", l->err.msg);
	else
		health_judge(c, HEALTH_OK, "", "version %s, target %s",
		    l->device.library_version, l->device.target);
}

/* ---- Writing ----------------------------------------------------------- */

static void
json_check(struct json *j, const struct health_check *c)
{
	json_object(j);
	json_member_str(j, "name", c->name);
	json_member_str(j, "verdict", health_verdict_name(c->verdict));
	json_member_str(j, "finding", c->finding);
	json_member_str(j, "next", c->next);
	json_end_object(j);
}

/* The name of a check may be that of a file. */
static void
text_check(const struct info_form *f, struct health_check *c)
{
	const char *verdict = health_verdict_name(c->verdict);
	char *name = cmd_copy(c->name);

	cmd_printable(name, strlen(name));
	cmd_printable(c->finding, strlen(c->finding));
	cmd_printable(c->next, strlen(c->next));
	if (f->plain)
		buf_printf(f->text, "%s\t%s\t%s\t%s\n", name, verdict,
		    c->finding, c->next);
	else
		buf_printf(f->text, "%-4s  %-8s %s%s%s\n", verdict, name,
		    c->finding, c->next[0] != '\0' ? "; next: " : "",
		    c->next);
	free(name);
}

/* Returns the exit status of this check alone. */
static int
show_check(const struct info_form *f, struct health_check *c)
{
	if (f->json != NULL)
		json_check(f->json, c);
	else
		text_check(f, c);
	return c->verdict == HEALTH_FAIL ? EXIT_VERDICT : EXIT_DONE;
}

/* Parts that could not be read, which other checks take for missing. */
static void
show_unread(const struct info_form *f)
{
	struct health_check c = { .name = "reading" };

	if (f->unread->code == 0)
		return;
	health_judge(&c, HEALTH_FAIL, INFO_ENOUGH, "could not read %.600s: "
	    "other checks may be wrong", f->unread->msg);
	show_check(f, &c);
}

/* ---- Models ------------------------------------------------------------ */

struct doctor {
	const struct info_form *form;
	struct info_board board;
	bool can_run;		/* the library started */
	int status;
};

static bool
doctor_model(void *arg, const char *name)
{
	struct doctor *d = arg;
	struct health_check c;
	bool sound;
	char *path;

	info_check_model(name, &d->board, d->form->unread, &c);
	sound = c.verdict == HEALTH_OK;
	d->status |= show_check(d->form, &c);
	if (sound && d->can_run && strcmp(name, "-") == 0) {
		c = (struct health_check){ .name = "answer" };
		health_judge(&c, HEALTH_SKIP, "name the model's file",
		    "a model on standard input is not run");
		d->status |= show_check(d->form, &c);
		return true;
	}
	path = sound && d->can_run ? cmd_find_model(name, NULL) : NULL;
	if (path != NULL) {
		info_self_test(path, d->form->unread, &c);
		d->status |= show_check(d->form, &c);
	}
	free(path);
	return sound;
}

static void
doctor_empty(void *arg, const char *name, const struct npu_err *err)
{
	struct doctor *d = arg;
	struct health_check c = { .name = name };

	host_note(d->form->unread, err);
	health_judge(&c, HEALTH_FAIL, "ls, for where models are", "%.700s",
	    err->msg);
	d->status |= show_check(d->form, &c);
}

/* Without operands: the model of clip-embed, if it is for this device. */
static void
doctor_own(struct doctor *d)
{
	static const char next[] = "npu-info --doctor clip_txt.cix, with that "
	    "of the vendor's model hub";
	struct health_check c;
	bool quiet = cmd_quiet;
	char *path;

	cmd_quiet = true;	/* the demo model may not be used */
	path = d->can_run ? cmd_find_model("clip_txt.cix", NULL) : NULL;
	cmd_quiet = quiet;
	if (path != NULL)
		info_check_model(path, &d->board, d->form->unread, &c);
	if (path != NULL && c.verdict == HEALTH_OK) {
		info_self_test(path, d->form->unread, &c);
	} else {
		c = (struct health_check){ .name = "answer" };
		health_judge(&c, HEALTH_SKIP, d->can_run ? next :
		    "see the check start", d->can_run ? "no model that runs "
		    "here was given or found" : "the library does not start");
	}
	d->status |= show_check(d->form, &c);
	free(path);
}

static void
doctor_models(struct doctor *d, char **models, int n)
{
	struct info_visitor visitor = { doctor_model, doctor_empty, d };

	for (int i = 0; i < n; i++)
		info_visit(&visitor, models[i]);
	if (n == 0)
		doctor_own(d);
}

/* The checks of the board; the emulator has none. */
static size_t
doctor_board(const struct info_form *f, const char *root,
    const struct info_library *l, struct health_check checks[HEALTH_CHECKS])
{
	struct health h;

	if (cmd_device.device == NPU_DEVICE_EMU)
		return 0;
	health_read(&h, root, &cmd_device, l->found ? &l->what : NULL);
	host_note(f->unread, &h.trouble);
	return health_run_checks(&h, checks);
}

int
info_doctor(const struct info_form *f, const char *root, char **models,
    int n_models)
{
	struct health_check checks[HEALTH_CHECKS];
	struct info_library l = { .found = false };
	struct doctor d = { .form = f };
	size_t n;

	if (cmd_device.device == NPU_DEVICE_AUTO)
		cmd_device.device = NPU_DEVICE_NPU;
	if (*root == '\0')
		info_ask_library(&l, true);
	n = doctor_board(f, root, &l, checks);
	check_start(&checks[n++], root, &l);
	if (f->json != NULL) {
		json_key(f->json, "checks");
		json_array(f->json);
	}
	for (size_t i = 0; i < n; i++)
		d.status |= show_check(f, &checks[i]);
	info_find_board(&d.board, root);
	health_note_driver(f->unread, &d.board.why);
	d.can_run = *root == '\0' && l.err.code == 0;
	doctor_models(&d, models, n_models);
	show_unread(f);
	if (f->json != NULL)
		json_end_array(f->json);
	return d.status;
}
