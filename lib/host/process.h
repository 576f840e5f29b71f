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

/* Parses /proc/PID/stat: ticks in user and system mode, summed over all
 * threads. */
int host_parse_ticks(struct bytes b, uint64_t *ticks, struct npu_err *err);
/* Parses /proc/PID/status: VmHWM, the most memory that the process has used, in
 * KiB. */
int host_parse_peak(struct bytes b, uint64_t *kib, struct npu_err *err);

/* Parses /proc/TID/status: the process of the thread TID. */
int host_parse_group(struct bytes b, uint64_t *pid, struct npu_err *err);

/* pid 0: this process. */
int host_read_ticks(const char *root, pid_t pid, uint64_t *ticks,
    struct npu_err *err);
int host_read_peak(const char *root, pid_t pid, uint64_t *kib,
    struct npu_err *err);
int host_read_group(const char *root, pid_t tid, uint64_t *pid,
    struct npu_err *err);

/* Reads the name in "comm" of a process or thread; returns false if it cannot
 * be read. */
bool host_read_command(const char *root, pid_t pid, char name[HOST_NAME],
    struct npu_err *trouble);

struct host_holder {
	pid_t pid;
	char name[HOST_NAME];
};

struct host_holders {
	struct host_holder holder[HOST_ITEMS];	/* in order of pid */
	size_t n;
	unsigned more;		/* holders that did not fit */
	unsigned hidden;	/* processes whose descriptors we may not
				   read */
};

/* Lists the other processes that have the file path open. */
void host_list_holders(const char *root, const char *path,
    struct host_holders *h, struct npu_err *trouble);

/* Writes who may see the hidden processes; "" if none is hidden. */
void host_describe_hidden(const struct host_holders *h, char *text,
    size_t size);

/*
 * Finds a process that has the file path open, except this process and the n
 * pids.  Writes "name (pid)" to who; "" if no process is found or its
 * descriptors may not be read.
 */
void host_find_holder(const char *root, const char *path, const pid_t *pids,
    size_t n, char *who, size_t size);

#endif
