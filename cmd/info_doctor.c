// SPDX-License-Identifier: Apache-2.0
/* info_doctor.c - npu-info --doctor: a line a check. */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "info.h"
#include "info_child.h"

/* ---- The library ------------------------------------------------------- */

static void
check_start(struct health_check *c, const char *root,
    const struct info_library *l)
{
	*c = (struct health_check){ .name = "start" };
	if (*root != '\0')
		health_say(c, HEALTH_SKIP, "run it on the machine itself",
		    "a library of another machine is not started");
	else if (l->err.code != 0)
		health_say(c, HEALTH_FAIL, "npu-info -v, which shows what the "
		    "library says", "%.700s", l->err.msg);
	else
		health_say(c, HEALTH_OK, "", "version %s, target %s",
		    l->device.library_version, l->device.target);
}

/* ---- What is told ------------------------------------------------------ */

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
	char *name = strdup(c->name);

	if (name == NULL)
		cmd_die("out of memory");
	cmd_printable(name, strlen(name));
	cmd_printable(c->finding, strlen(c->finding));
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

int
info_doctor(const struct info_form *f, const char *root, char **models,
    int n_models)
{
	struct health_check checks[HEALTH_CHECKS], of_model;
	struct info_library l = { .found = false };
	struct health h;
	int status = EXIT_DONE;
	size_t n;

	cmd_device.device = NPU_DEVICE_NPU;
	if (*root == '\0')
		info_ask_library(&l, true);
	health_read(&h, root, &cmd_device, l.found ? &l.what : NULL);
	n = health_examine(&h, checks);
	check_start(&checks[n++], root, &l);
	if (f->json != NULL) {
		json_key(f->json, "checks");
		json_array(f->json);
	}
	for (size_t i = 0; i < n; i++)
		status |= show_check(f, &checks[i]);
	for (int i = 0; i < n_models; i++) {
		info_check_model(models[i], &h, &of_model);
		status |= show_check(f, &of_model);
	}
	if (f->json != NULL)
		json_end_array(f->json);
	return status;
}
