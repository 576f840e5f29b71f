/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the tools of the demonstration models share. */
#ifndef MODELS_OPTIONS_H
#define MODELS_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

_Noreturn void die(int status, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* If one of these functions fails, it prints a message and exits. */
FILE *open_file(const char *path, const char *mode);
void *grow(void *p, size_t n, size_t size);	/* reallocarray() */
double percentage(const char *option, const char *arg);	/* 0 to 100 */
uint32_t number(const char *option, const char *arg, uint32_t least,
    uint32_t most);
/* Returns the index of arg in names, which end with NULL. */
unsigned choice(const char *option, const char *arg,
    const char *const names[]);
void write_stdout(const void *p, size_t n);
_Noreturn void finish(void);		/* flushes stdout, exits with 0 */

#endif
