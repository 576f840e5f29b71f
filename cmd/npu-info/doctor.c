// SPDX-License-Identifier: Apache-2.0
/* doctor.c - npu-info --doctor: prints a line for each check. */
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "child_process.h"
#include "device.h"
#include "host/host.h"
#include "info.h"

/* ---- The library ------------------------------------------------------- */

/* npu-info -v lists the paths that were tried. */
static int
without_paths(const char *reason)
{
	const char *paths = strstr(reason, " (tried ");

	return (int)(paths != NULL ? (size_t)(paths - reason) :
	    strlen(reason));
}

static void
check_start(struct health_check *c, const char *root,
    enum health_machine machine, const struct info_library *l,
    const struct last_line *printed)
{
	const char *reason = l->err.msg;
	int n = without_paths(reason);

	*c = (struct health_check){ .name = "start" };
	if (*root != '\0')
		health_judge(c, HEALTH_SKIP, "",
		    "skipped: --root describes another machine");
	else if (l->err.code == 0)
		health_judge(c, HEALTH_OK, "", "version %s, target %s",
		    l->device.library_version, l->device.target);
	else if (machine == HEALTH_NO_BOARD)
		health_judge(c, HEALTH_SKIP, "", "this is not a board");
	else
		health_judge(c, HEALTH_FAIL, child_process_hung(&l->err) ?
		    HEALTH_NEXT_RESET : "npu-info -v", "%.*s%s%s",
		    n > 450 ? 450 : n, reason, printed->text[0] != '\0' ?
		    "; the library says: " : "", printed->text);
}

/* ---- The list ---------------------------------------------------------- */

struct doctor {
	const struct info_form *form;
	struct board board;
	struct check_list list;
	bool can_run;		/* the library was started */
};

/* Parts that could not be read, which other checks treat as missing. */
static void
add_unread(struct doctor *d)
{
	struct health_check c = { .name = "reading" };

	if (d->form->unread->code == 0)
		return;
	health_judge(&c, HEALTH_FAIL, INFO_ENOUGH, "could not read %.600s: "
	    "other checks may be wrong", d->form->unread->msg);
	checks_add(&d->list, &c);
}

/* ---- Models ------------------------------------------------------------ */

static bool
doctor_model(void *arg, const char *name)
{
	struct doctor *d = arg;
	struct health_check c;
	bool sound;
	char *path;

	info_check_model(name, &d->board, d->form->unread, &c);
	sound = c.verdict == HEALTH_OK;
	checks_add(&d->list, &c);
	if (sound && d->can_run && strcmp(name, "-") == 0) {
		c = (struct health_check){ .name = "answer" };
		health_judge(&c, HEALTH_SKIP, "",
		    "a model on standard input is not run");
		checks_add(&d->list, &c);
		return true;
	}
	path = sound && d->can_run ? cmd_find_model(name, NULL) : NULL;
	if (path != NULL) {
		info_self_test(path, d->form->unread, &c);
		checks_add(&d->list, &c);
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
	health_judge(&c, HEALTH_FAIL, "find ~ -name '*.cix'", "%.700s",
	    err->msg);
	checks_add(&d->list, &c);
}

/* Without operands, checks clip-embed's model, if it is for this device. */
static void
doctor_own(struct doctor *d)
{
	static const char next[] = "npu-model get clip_txt  # then npu-info "
	    "--doctor again";
	struct health_check c;
	bool quiet = cmd_quiet;
	char *path;

	cmd_quiet = true;	/* the demo model may remain unused */
	path = d->can_run ? cmd_find_model("clip_txt.cix", NULL) : NULL;
	cmd_quiet = quiet;
	if (path != NULL)
		info_check_model(path, &d->board, d->form->unread, &c);
	if (path != NULL && c.verdict == HEALTH_OK) {
		info_self_test(path, d->form->unread, &c);
	} else {
		c = (struct health_check){ .name = "answer" };
		health_judge(&c, HEALTH_SKIP, d->can_run ? next : "",
		    d->can_run ? "no model that runs "
		    "here was given or found" : "the library does not start");
	}
	checks_add(&d->list, &c);
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

/* Makes the checks of the board; the emulator does not have a board. */
static enum health_machine
doctor_board(struct doctor *d, const char *root, const struct info_library *l)
{
	struct health_check checks[HEALTH_CHECKS];
	struct health h;
	size_t n;

	d->list.machine = (struct health_check){ .name = "machine" };
	d->list.kind = "emulator";
	if (cmd_device.device == NPU_DEVICE_EMU) {
		health_judge(&d->list.machine, HEALTH_OK, "",
		    "the emulator, no hardware");
		return HEALTH_BOARD_READY;
	}
	health_read(&h, root, &cmd_device, l->found ? &l->what : NULL);
	host_note(d->form->unread, &h.trouble);
	health_describe_machine(&h, &d->list.machine);
	d->list.kind = health_machine_name(h.machine);
	n = health_run_checks(&h, checks);
	for (size_t i = 0; i < n; i++)
		checks_add(&d->list, &checks[i]);
	return h.machine;
}

/* Writes all checks; returns the exit status. */
static int
doctor_end(struct doctor *d)
{
	bool failed = d->list.of[HEALTH_FAIL] > 0;

	add_unread(d);
	checks_write(d->form, &d->list);
	checks_free(&d->list);
	return failed ? EXIT_VERDICT : EXIT_DONE;
}

int
info_doctor(const struct info_form *f, const char *root, char **models,
    int n_models)
{
	struct info_library l = { .found = false };
	struct doctor d = { .form = f };
	struct last_line printed = { "" };
	struct health_check start;
	enum health_machine machine;

	if (cmd_device.device == NPU_DEVICE_AUTO)
		cmd_device.device = NPU_DEVICE_NPU;
	if (*root == '\0')
		info_ask_library(&l, &printed);
	machine = doctor_board(&d, root, &l);
	check_start(&start, root, machine, &l, &printed);
	checks_add(&d.list, &start);
	board_find(&d.board, root);
	health_note_driver(f->unread, &d.board.why);
	d.can_run = *root == '\0' && l.err.code == 0;
	doctor_models(&d, models, n_models);
	return doctor_end(&d);
}
