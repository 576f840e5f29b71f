/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes from a text whatever identifies a machine or its user: names of users
 * and of the machine, folders, serial numbers, addresses, identifiers.
 *
 * The whole text is searched, because a list of allowed facts would not
 * suffice.  Most facts of a report have a known form: numbers, versions,
 * states.  But lines of the kernel's log, paths, and strings of the firmware
 * are free text, and so are messages that quote them: a name, a folder or an
 * address may be anywhere in such a text, and a report without such texts is of
 * little use.
 */
#ifndef HOST_REDACT_H
#define HOST_REDACT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "npu.h"

struct redact_word {
	char *text;		/* owned */
	const char *instead;	/* replaces it; constant, "(user)" */
	bool folder;
};

struct redact {
	struct redact_word *word;	/* owned */
	size_t n;
	bool failed;		/* out of memory: show nothing */
	struct npu_err trouble;	/* a source could not be read: show nothing;
				   code 0: all were read */
};

/*
 * Adds a private word.  Later, instead replaces it in upper or lower case,
 * unless a letter, digit or '_' is next to it.  Names that every such board has
 * ("root", "cix") and names of one letter are not private and are not added.
 */
void redact_add(struct redact *r, const char *text,
    const char *instead);
/* Adds a folder as the user wrote it; "(folder)" replaces it.  Folders of the
 * system are not added. */
void redact_add_folder(struct redact *r, const char *path);

/* Adds the machine's name, users, serial numbers and identifiers.  root is as
 * in host.h. */
void redact_read_machine(struct redact *r, const char *root);

/*
 * Adds n bytes of s to *out.  Replaces the added words, and everything that
 * looks like an address (Ethernet, IPv4, IPv6, mail), a UUID, another
 * identifier of 32 or more hexadecimal digits, a serial number ("serial number
 * X"), or the folders of an absolute path that is not a path of the system.
 */
void redact_text(const struct redact *r, const char *s, size_t n,
    struct buf *out);

void redact_free(struct redact *r);

#endif
