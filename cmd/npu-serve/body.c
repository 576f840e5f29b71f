// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <microhttpd.h>

#include "base/err.h"
#include "body.h"

#define FORM_TYPE "multipart/form-data"

__attribute__((format(printf, 3, 4)))
static void
refuse(struct body *b, unsigned status, const char *fmt, ...)
{
	va_list ap;

	if (b->status != 0)
		return;
	b->status = status;
	b->err.code = NPU_EFORMAT;
	va_start(ap, fmt);
	vsnprintf(b->err.msg, sizeof(b->err.msg), fmt, ap);
	va_end(ap);
}

static void
refuse_memory(struct body *b)
{
	refuse(b, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory");
}

/* ---- The head ---------------------------------------------------------- */

static const char *
header(struct MHD_Connection *http, const char *name)
{
	return MHD_lookup_connection_value(http, MHD_HEADER_KIND, name);
}

static void
refuse_size(struct body *b)
{
	refuse(b, MHD_HTTP_CONTENT_TOO_LARGE, "a body has at most %" PRIu64
	    " bytes here; send less, or start the server with a larger "
	    "--max-body", b->limit);
}

static enum MHD_Result take_part(void *cls, enum MHD_ValueKind kind,
    const char *name, const char *filename, const char *type,
    const char *coding, const char *data, uint64_t at, size_t n);

static void
open_form(struct body *b, struct MHD_Connection *http)
{
	const char *type = header(http, "Content-Type");

	if (type == NULL || strncasecmp(type, FORM_TYPE,
	    strlen(FORM_TYPE)) != 0) {
		refuse(b, MHD_HTTP_BAD_REQUEST, "the body is %s; send a form, "
		    FORM_TYPE, type != NULL ? type : "of no type");
		return;
	}
	b->reader = MHD_create_post_processor(http, BODY_PART_HEAD, take_part,
	    b);
	if (b->reader == NULL)
		refuse(b, MHD_HTTP_BAD_REQUEST, "Content-Type: " FORM_TYPE
		    " without a boundary");
}

void
body_open(struct body *b, enum body_kind kind, uint64_t limit,
    struct MHD_Connection *http)
{
	const char *length = header(http, "Content-Length");
	const char *coding = header(http, "Content-Encoding");

	b->kind = kind;
	b->limit = limit;
	/* The library has checked that it is a number. */
	if (length != NULL && strtoull(length, NULL, 10) > limit)
		refuse_size(b);
	/* A proxy in front may have believed the other one. */
	if (length != NULL && header(http, "Transfer-Encoding") != NULL)
		refuse(b, MHD_HTTP_BAD_REQUEST, "a request has a "
		    "Content-Length or a Transfer-Encoding, not both");
	if (coding != NULL && strcasecmp(coding, "identity") != 0)
		refuse(b, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "Content-Encoding: "
		    "%.40s is not read here; send the body as it is", coding);
	if (b->status == 0 && kind == BODY_FORM)
		open_form(b, http);
}

/* ---- Parts ------------------------------------------------------------- */

/* at 0 begins a part; an empty part comes once, with n 0. */
static enum MHD_Result
take_part(void *cls, enum MHD_ValueKind kind, const char *name,
    const char *filename, const char *type, const char *coding,
    const char *data, uint64_t at, size_t n)
{
	struct body *b = cls;
	struct body_part *p;

	(void)kind, (void)filename, (void)type, (void)coding;
	if (at == 0) {
		if (name == NULL || strlen(name) >= BODY_PART_NAME) {
			refuse(b, MHD_HTTP_BAD_REQUEST, "a part of the form "
			    "has a name of 1 to %d bytes", BODY_PART_NAME - 1);
			return MHD_NO;
		}
		if (b->parts == BODY_PARTS) {
			refuse(b, MHD_HTTP_BAD_REQUEST, "a form has at most %d "
			    "parts", BODY_PARTS);
			return MHD_NO;
		}
		strcpy(b->part[b->parts++].name, name);
	}
	p = &b->part[b->parts - 1];
	buf_add(&p->data, data, n);
	if (p->data.failed)
		refuse_memory(b);
	return p->data.failed ? MHD_NO : MHD_YES;
}

static void
add_form(struct body *b, const char *p, size_t n)
{
	if (MHD_post_process(b->reader, p, n) != MHD_YES)
		refuse(b, MHD_HTTP_BAD_REQUEST, "the form is damaged: its "
		    "parts are not as RFC 7578 has them");
}

void
body_add(struct body *b, const char *p, size_t n)
{
	b->total += n;
	if (b->total > b->limit)
		refuse_size(b);
	if (b->status != 0)
		return;
	if (b->kind == BODY_FORM)
		add_form(b, p, n);
	else if (b->kind == BODY_BYTES)
		buf_add(&b->bytes, p, n);
	if (b->bytes.failed)
		refuse_memory(b);
}

void
body_end(struct body *b)
{
	struct MHD_PostProcessor *reader = b->reader;

	b->reader = NULL;
	if (reader != NULL && MHD_destroy_post_processor(reader) != MHD_YES)
		refuse(b, MHD_HTTP_BAD_REQUEST, "the form ends before its "
		    "last boundary");
}

void
body_free(struct body *b)
{
	if (b->reader != NULL)
		MHD_destroy_post_processor(b->reader);
	for (size_t i = 0; i < b->parts; i++)
		buf_free(&b->part[i].data);
	buf_free(&b->bytes);
}

/* ---- Reading ----------------------------------------------------------- */

static struct bytes
as_bytes(const struct buf *b)
{
	return (struct bytes){ (const uint8_t *)b->p, b->n };
}

size_t
body_part(const struct body *b, const char *name, struct bytes *data)
{
	size_t found = 0;

	for (size_t i = 0; i < b->parts; i++)
		if (strcmp(b->part[i].name, name) == 0 && found++ == 0)
			*data = as_bytes(&b->part[i].data);
	return found;
}

struct bytes
body_bytes(const struct body *b)
{
	return as_bytes(&b->bytes);
}
