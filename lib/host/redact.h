/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts without what tells whose machine it is: names of users and of the
 * machine, folders, serial numbers, addresses, identifiers.
 */
#ifndef HOST_REDACT_H
#define HOST_REDACT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "npu.h"

struct redact_word {
	char *text;		/* owned */
	const char *instead;	/* constant: "(user)" */
	bool folder;
};

struct redact {
	struct redact_word *word;	/* owned */
	size_t n;
	bool failed;		/* no memory: nothing may be shown */
	struct npu_err trouble;	/* something of it could not be read: nothing
				   may, either; code 0: all was */
};

/*
 * A word of the user's, where no letter, digit or '_' is beside it, whatever
 * its case: instead stands in its place.  Names that every such board has
 * ("root", "cix") and those of one letter are no secrets.
 */
void redact_add(struct redact *r, const char *text,
    const char *instead);
/* A folder, as the user wrote it: "(folder)" stands in its place, if it is not
 * of the system. */
void redact_add_folder(struct redact *r, const char *path);

/*
 * What the machine knows: its name, users, serial numbers and identifiers.
 * root is that of host.h.
 */
void redact_read_machine(struct redact *r, const char *root);

/*
 * Adds n bytes of s to *out without those words, and without what looks like
 * an address (Ethernet, IPv4, IPv6, mail), a UUID or another identifier of 32
 * hexadecimal digits and more, what follows "serial number", and the folders
 * of absolute paths that are not of the system.
 */
void redact_text(const struct redact *r, const char *s, size_t n,
    struct buf *out);

void redact_free(struct redact *r);

#endif
