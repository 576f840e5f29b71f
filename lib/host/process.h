/* SPDX-License-Identifier: Apache-2.0 */
/* Processes in /proc (proc(5)). */
#ifndef HOST_PROCESS_H
#define HOST_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/bytes.h"
#include "host/host.h"
#include "npu.h"

/* /proc/PID/stat: ticks in user and system mode, of all its threads
 * together. */
int host_parse_ticks(struct bytes b, uint64_t *ticks, struct npu_err *err);
/* /proc/PID/status: VmHWM, the most memory it has used, in KiB. */
int host_parse_peak(struct bytes b, uint64_t *kib, struct npu_err *err);

/* /proc/TID/status: the process of the thread TID. */
int host_parse_group(struct bytes b, uint64_t *pid, struct npu_err *err);

/* pid 0: this process. */
int host_read_ticks(const char *root, pid_t pid, uint64_t *ticks,
    struct npu_err *err);
int host_read_peak(const char *root, pid_t pid, uint64_t *kib,
    struct npu_err *err);
int host_read_group(const char *root, pid_t tid, uint64_t *pid,
    struct npu_err *err);

/* The name in "comm", also of a thread; false if there is none. */
bool host_read_command(const char *root, pid_t pid, char name[HOST_NAME],
    struct npu_err *trouble);

struct host_holder {
	pid_t pid;
	char name[HOST_NAME];
};

struct host_holders {
	struct host_holder holder[HOST_ITEMS];	/* in order of pid */
	size_t n;
	unsigned more;		/* without room here */
	unsigned hidden;	/* processes whose descriptors may not be
				   read */
};

/* Lists the other processes that have the file path open. */
void host_list_holders(const char *root, const char *path,
    struct host_holders *h, struct npu_err *trouble);

/* Who may see the hidden ones; "" if there are none. */
void host_describe_hidden(const struct host_holders *h, char *text,
    size_t size);

/*
 * Finds a process that has the file path open, neither this one nor one of the
 * n pids: "name (pid)" in who; "" if there is none, or its descriptors may not
 * be read.
 */
void host_find_holder(const char *root, const char *path, const pid_t *pids,
    size_t n, char *who, size_t size);

#endif
