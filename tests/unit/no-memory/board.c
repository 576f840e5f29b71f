// SPDX-License-Identifier: Apache-2.0
/* Facts about a board whose files cannot be read, or without memory for them.
 * Reported facts are unchanged; other facts are left out. */
#include "boardtree.h"
#include "diagnose/activity.h"
#include "diagnose/health/health.h"
#include "host/host.h"
#include "nomem.h"

static const struct npu_options opt = { .node = "/dev/aipu" };
static struct health good;

/* Returns true if all known facts agree with the facts of the undamaged
 * board. */
static bool
is_part(const struct health *h)
{
	for (int i = 0; i < HEALTH_N; i++) {
		const struct health_fact *f = &h->fact[i], *g = &good.fact[i];

		/* These facts are searched for in several places. */
		if (i == HEALTH_LIBRARY || i == HEALTH_LIBRARY_GENERATION ||
		    i == HEALTH_KERNEL_LOG || i == HEALTH_MODULE_FILE)
			continue;
		/* These facts are counts, which may be incomplete. */
		if (i == HEALTH_CORE_DEVICES && h->trouble.code != 0)
			continue;
		if (f->state == HEALTH_KNOWN && strcmp(f->text, g->text) != 0) {
			diag("%s: %s, not %s",
			    health_fact_name((enum health_id)i), f->text,
			    g->text);
			return false;
		}
	}
	return true;
}

static int
facts(struct npu_err *err)
{
	struct health *h = malloc(sizeof(*h));
	bool part;

	(void)err;
	if (h == NULL)
		return 0;
	health_read(h, board, &opt, NULL);
	part = is_part(h);
	free(h);
	return part ? 0 : NOMEM_WRONG;
}

/* Lets each call fail once with this error.  Returns the maximum number of
 * hidden facts that count() finds. */
static unsigned
hidden_by_each(int error, unsigned (*count)(void))
{
	unsigned most = 0, n;
	size_t at = 0;

	nomem_errno = error;
	nomem_after = false;
	do {
		nomem_count = 0;
		nomem_at = ++at;
		n = count();
		most = n > most ? n : most;
	} while (nomem_count >= nomem_at);
	nomem_at = 0;
	return most;
}

static unsigned
health_hidden(void)
{
	static struct health h;
	unsigned n = 0;

	health_read(&h, board, &opt, NULL);
	for (int i = 0; i < HEALTH_N; i++)
		n += h.fact[i].state == HEALTH_HIDDEN;
	return n;
}

/* ---- Activity --------------------------------------------------------- */

static struct activity_reading r;

static int
activity(struct npu_err *err)
{
	struct activity *a;
	int rc = activity_open(&a, board, "/dev/aipu", 1, err);

	if (rc < 0)
		return err->code == NPU_ENODEV ? 0 : rc;
	activity_sample(a);
	activity_read(a, &r);
	activity_close(a);
	return 0;
}

/* Opens a node of this machine. */
static int
node(struct npu_err *err)
{
	struct kmd k;
	int rc = kmd_open(&k, "", "/dev/null", err);

	if (rc == 0)
		kmd_close(&k);
	return rc;
}

static unsigned
activity_hidden(void)
{
	struct npu_err err = { .msg = "" };
	unsigned n = 0;

	memset(&r, 0, sizeof(r));
	activity(&err);
	for (int i = 0; i < ACTIVITY_HIDDEN; i++)
		n += r.hidden[i][0] != '\0';
	return n;
}

int
main(void)
{
	if (!board_open())
		return 1;
	board_make();
	board_put(MODULES "/updates/aipu.ko", "none");
	health_read(&good, board, &opt, NULL);
	ok(good.fact[HEALTH_DRIVER_VERSION].state == HEALTH_KNOWN,
	    "with enough memory, the facts of the board are read: driver %s",
	    good.fact[HEALTH_DRIVER_VERSION].text);
	nomem("reading the facts of a board", facts);
	nomem("reading the activity of a board", activity);
	nomem_files = true;
	/* If the node is hidden, the driver's nine facts are hidden. */
	ok(hidden_by_each(EACCES, health_hidden) >= 8,
	    "a file that may not be read (EACCES) hides facts");
	ok(hidden_by_each(EPERM, health_hidden) >= 8,
	    "a file that is not permitted (EPERM) hides facts");
	ok(hidden_by_each(EIO, health_hidden) == 0,
	    "a file with a read error (EIO) hides no fact");
	ok(hidden_by_each(EACCES, activity_hidden) > 0,
	    "without permission (EACCES), activity is reported as hidden");
	ok(hidden_by_each(EPERM, activity_hidden) > 0,
	    "without permission (EPERM), activity is reported as hidden");
	ok(hidden_by_each(EIO, activity_hidden) == 0,
	    "after a read error (EIO), activity is not reported as hidden");
	nomem_errno = EIO;
	nomem("opening a node", node);
	board_remove();
	return done();
}
