/* SPDX-License-Identifier: Apache-2.0 */
/* What /proc says of processes (proc(5)). */
#ifndef HOST_PROCESS_H
#define HOST_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/bytes.h"
#include "npu.h"

/* /proc/PID/stat: ticks that it was in user and system mode, all its threads
 * together. */
int host_parse_ticks(struct bytes b, uint64_t *ticks, struct npu_err *err);
/* /proc/PID/status: VmHWM, the most memory it ever had, KiB. */
int host_parse_peak(struct bytes b, uint64_t *kib, struct npu_err *err);

/* pid 0: this process. */
int host_read_ticks(const char *root, pid_t pid, uint64_t *ticks,
    struct npu_err *err);
int host_read_peak(const char *root, pid_t pid, uint64_t *kib,
    struct npu_err *err);

/*
 * Somebody else, neither this process nor one of the n pids, who has the file
 * path open: "name (pid)" in who; "" when nobody is seen.  Whose descriptors
 * may not be looked at is not seen.
 */
void host_find_holder(const char *root, const char *path, const pid_t *pids,
    size_t n, char *who, size_t size);

#endif
