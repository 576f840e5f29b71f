/* SPDX-License-Identifier: Apache-2.0 */
/* Names used by the vendor, by which modules and packages are found. */
#ifndef DIAGNOSE_VENDOR_H
#define DIAGNOSE_VENDOR_H

/* Words in lines of the kernel's log, for host_read_kernlog(); NULL at the
 * end. */
extern const char *const vendor_log_words[];
/* Patterns of package names, for host_read_packages(); NULL at the end. */
extern const char *const vendor_packages[];
/* Words in the names of boards with this NPU; NULL at the end. */
extern const char *const vendor_boards[];

#endif
