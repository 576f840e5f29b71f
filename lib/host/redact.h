/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes from a text what identifies a machine or its user: names of users and
 * of the machine, folders, serial numbers, addresses, identifiers.
 *
 * The whole text is searched, as a list of allowed facts would not suffice.
 * Most facts of a report have a known shape: numbers, versions, states.  But
 * lines of the kernel's log, paths, and strings of the firmware are free text,
 * and so are messages that quote them: a name, a folder or an address may stand
 * anywhere in them, and without them a report is of little use.
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
	struct npu_err trouble;	/* a source could not be read: show nothing
				   either; code 0: all were read */
};

/*
 * Adds a private word, which instead replaces in any case, where no letter,
 * digit or '_' is beside it.  Names that every such board has ("root", "cix")
 * and those of one letter are not private and are not added.
 */
void redact_add(struct redact *r, const char *text,
    const char *instead);
/* Adds a folder as the user wrote it, which "(folder)" replaces, unless it is a
 * folder of the system. */
void redact_add_folder(struct redact *r, const char *path);

/* Adds the machine's name, users, serial numbers and identifiers.  root is that
 * of host.h. */
void redact_read_machine(struct redact *r, const char *root);

/*
 * Adds n bytes of s to *out.  Those words are replaced, and so is whatever
 * looks like an address (Ethernet, IPv4, IPv6, mail), a UUID, another
 * identifier of 32 or more hexadecimal digits, a serial number ("serial number
 * X"), or the folders of an absolute path that is not of the system.
 */
void redact_text(const struct redact *r, const char *s, size_t n,
    struct buf *out);

void redact_free(struct redact *r);

#endif
