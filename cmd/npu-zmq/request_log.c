// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "cmd.h"
#include "request_log.h"
#include "serving/service.h"

static const char *const outcomes[] = { "ok", "refused", "failed", "gone",
    "dropped" };

static void
write_times(struct json *j, const struct frame_job *job)
{
	uint64_t until = job->begun != 0 ? job->begun : job->ended;

	service_member_ms(j, "wait_ms", until > job->added ?
	    until - job->added : 0);
	service_member_ms(j, "infer_ms", job->infer_ns);
}

void
request_log(int fd, const struct request_entry *l)
{
	static const struct frame_job none;
	struct json j = { 0 };

	if (cmd_quiet)
		return;
	service_begin_line(&j);
	json_key(&j, "request");
	json_str(&j, message_words[l->kind]);
	json_key(&j, "status");
	json_str(&j, outcomes[l->outcome]);
	json_member_uint(&j, "bytes", l->bytes);
	json_member_uint(&j, "objects", l->objects);
	write_times(&j, l->job != NULL ? l->job : &none);
	service_member_ms(&j, "total_ms", clock_ns() - l->came);
	json_member_str(&j, "client", l->client);
	json_key(&j, "error");
	json_str(&j, l->error);
	service_end_line(&j, fd);
}
