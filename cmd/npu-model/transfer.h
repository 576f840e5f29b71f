/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests over HTTPS.  Plain http goes to loopback addresses only, there are
 * at most 5 redirects and none from https to http, and credentials of a URL are
 * sent only to the host of that URL.  A compressed body is not unpacked.
 */
#ifndef NPU_MODEL_TRANSFER_H
#define NPU_MODEL_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "npu.h"
#include "sum.h"

enum { TRANSFER_REDIRECTS = 5 };

/* From the command line. */
struct transfer_options {
	int tries;		/* at least 1 */
	int32_t pause_ms;	/* after the first failure; doubled each time */
	int32_t stall_ms;	/* no byte arrives for so long: a failure */
	int64_t rate;		/* bytes in a second; 0: no limit */
};

/* The head of an answer. */
struct response {
	long status;		/* 200 or 206; 200 for a local file */
	uint64_t offset;	/* of the body in the file, 0 for 200 */
	uint64_t end;		/* of the body in the file ... */
	uint64_t total;		/* ... and of the file, as a 206 says; end if
				 * the 206 does not know it */
	int64_t length;		/* bytes in the body; -1: unknown */
	char etag[256];		/* "" if it has none, or only a weak one */
	char next[2048];	/* the next part of a listing, or "" */
	struct sum linked;	/* sha256 that Hugging Face gives, or "" */
	int64_t retry_after;	/* seconds that the server asks for, or 0 */
};

struct transfer_request {
	const char *url;	/* https, http or file */
	uint64_t offset;	/* ask for the bytes from here on ... */
	const char *etag;	/* ... if the file still has this ETag */
	/* Called once, before the body, then for each piece of it.  A failure
	 * ends the transfer. */
	int (*begin)(void *arg, const struct response *r, struct npu_err *err);
	int (*body)(void *arg, const void *p, size_t n, struct npu_err *err);
	void *arg;
};

/* Call once, before threads start.  Dies. */
void transfer_start(void);

/* Returns whether the URL may be asked; the message says why not. */
int transfer_check(const char *url, struct npu_err *err);

/* Copies a URL without credentials, for messages.  The caller owns it. */
char *transfer_public(const char *url);

enum { TRANSFER_RETRY = 1 };

/*
 * Makes one request and follows redirects.  Returns 0; TRANSFER_RETRY, with
 * *err, for a failure that may pass; or a negative npu_code.
 */
int transfer_get(const struct transfer_request *q,
    const struct transfer_options *o, struct response *r, struct npu_err *err);

/* Counts failures.  Returns whether to try again, after a pause; prints a note
 * with the reason. */
struct transfer_tries {
	const struct transfer_options *options;
	int failed;
};
bool transfer_again(struct transfer_tries *t, const struct response *r,
    const char *url, const struct npu_err *err);

/* Adds the body at url, at most limit bytes, to *out; tries again after
 * failures.  next, of struct response's size, is the URL of the next part. */
int transfer_text(const char *url, const struct transfer_options *o,
    size_t limit, struct buf *out, char *next, struct npu_err *err);

#endif
