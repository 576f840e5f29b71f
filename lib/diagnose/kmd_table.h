/* SPDX-License-Identifier: Apache-2.0 */
/* A fake node for kmd.c: a text table of requests and answers. */
#ifndef DIAGNOSE_KMD_TABLE_H
#define DIAGNOSE_KMD_TABLE_H

#include "diagnose/kmd.h"

/* Reads the file root + node; kmd_open() describes its format.  Free *table
 * with free(). */
int kmd_load_table(const char *root, const char *node,
    struct kmd_table **table, struct npu_err *err);

/* Answers as ioctl(2) of a fake node. */
int kmd_table_ioctl(void *table, int fd, unsigned long request, void *answer);

#endif
