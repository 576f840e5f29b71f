/* SPDX-License-Identifier: Apache-2.0 */
/* What the vendor calls its things where others are, too. */
#ifndef DIAGNOSE_VENDOR_H
#define DIAGNOSE_VENDOR_H

/* Of the kernel's log, for host_read_kernlog(); ends with NULL. */
extern const char *const vendor_log_words[];
/* Of dpkg, for host_read_packages(); ends with NULL. */
extern const char *const vendor_packages[];

#endif
