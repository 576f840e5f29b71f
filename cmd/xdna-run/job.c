// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "cmd.h"
#include "diagnose/xclbin/xclbin.h"
#include "job.h"
#include "kernel.h"
#include "xclbin/load.h"

static struct bytes
bytes_of(const struct buf *b)
{
	return (struct bytes){ (const uint8_t *)b->p, b->n };
}

/* ---- The container ----------------------------------------------------- */

/* Runs the checks of xclbin-check(1), and dies if one fails.  With a stream,
 * checks also that each buffer that it uses is connected to a memory. */
static void
check_container(const struct job *j, const struct xclbin_stream *stream)
{
	struct health_check checks[XCLBIN_CHECKS + 1];
	struct npu_err err;

	if (xclbin_check_with(bytes_of(&j->container_file), j->container,
	    stream, checks, &err) < 0)
		cmd_die_err(j->container, &err);
	/* The last check, "insts", is skipped: buffers_set() has a better
	 * message, since it knows which kernel was chosen. */
	for (size_t i = 0; i < XCLBIN_CHECKS; i++)
		if (checks[i].verdict == HEALTH_FAIL)
			cmd_die("%s: %s: %s%s%s", j->container, checks[i].name,
			    checks[i].finding, checks[i].next[0] != '\0' ?
			    "; next: " : "", checks[i].next);
}

static void
read_container(struct job *j, const struct job_spec *spec)
{
	struct npu_err err;

	cmd_detail("%s: reading", j->container);
	if (xclbin_load(spec->container, &j->container_file, &err) < 0)
		cmd_die_err(j->container, &err);
	check_container(j, NULL);
	if (xclbin_read(&j->x, bytes_of(&j->container_file), &err) < 0)
		cmd_die_err(j->container, &err);
	j->kernel = kernel_choose(&j->x, j->container, spec->kernel, &j->run);
}

/* ---- The stream -------------------------------------------------------- */

static int
load_stream(const char *path, struct buf *b, struct npu_err *err)
{
	int fd, rc;

	if ((fd = cmd_try_open_input(path)) < 0)
		return npu_fail_detail(err, NPU_ESYSTEM, errno, "%s",
		    strerror(errno));
	rc = file_read(fd, TXN_LARGEST, b, err);
	if (fd != STDIN_FILENO)
		close(fd);
	return rc;
}

static void
read_stream(struct job *j, const struct job_spec *spec)
{
	struct npu_err err;

	cmd_detail("%s: reading", j->stream);
	cmd_take_stdin(spec->stream);
	if (load_stream(spec->stream, &j->stream_file, &err) < 0 ||
	    txn_read(&j->txn, bytes_of(&j->stream_file), &err) < 0)
		cmd_die_err(j->stream, &err);
	check_container(j, &(struct xclbin_stream){ .txn = j->txn });
	buffers_set(&j->run, &j->txn, &spec->buffers, j->stream);
	j->run.instructions = j->txn.words;
	j->run.ninstr_words = spec->ninstr_words;
}

void
job_read(struct job *j, const struct job_spec *spec)
{
	*j = (struct job){
		.container = cmd_visible_name(cmd_input_name(spec->container)),
		.stream = cmd_visible_name(cmd_input_name(spec->stream)),
	};
	read_container(j, spec);
	read_stream(j, spec);
}

/* ---- --dry-run --------------------------------------------------------- */

void
job_describe(const struct job *j, const char *output)
{
	struct buf b = { 0 };

	buf_printf(&b, "kernel %s\n", j->kernel);
	if (!b.failed)
		cmd_printable(b.p, b.n - 1);
	buf_printf(&b, "instructions: version %u.%u, %s\n", j->txn.major,
	    j->txn.minor, txn_device(&j->txn));
	for (unsigned i = 0; i < j->run.buffers; i++) {
		const struct xdna_buffer *p = &j->run.buffer[i];

		if (p->bytes > 0)
			buf_printf(&b, "buffer %u: %s, %" PRIu64 " bytes\n", i,
			    buffers_direction(p), p->bytes);
	}
	cmd_write_document(output, &b);
}
