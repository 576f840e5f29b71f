// SPDX-License-Identifier: Apache-2.0
/* response.c - the head of an answer. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "response.h"

static const char *
header(CURL *curl, const char *name)
{
	struct curl_header *h;

	return curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &h) ==
	    CURLHE_OK ? h->value : NULL;
}

/* Copies a header if it fits. */
static void
take_header(char *to, size_t size, const char *value)
{
	to[0] = '\0';
	if (value != NULL && strlen(value) < size)
		strcpy(to, value);
}

/* Takes the URL of Link: <URL>; rel="next". */
static void
take_next(struct response *r, const char *link)
{
	const char *end = link != NULL ? strchr(link, '>') : NULL;

	r->next[0] = '\0';
	if (end != NULL && link[0] == '<' &&
	    strstr(end, "rel=\"next\"") != NULL &&
	    (size_t)(end - link) < sizeof(r->next))
		snprintf(r->next, sizeof(r->next), "%.*s",
		    (int)(end - link - 1), link + 1);
}

/* Hugging Face gives the sha256 of a file in Git LFS with its redirect. */
static void
take_linked(struct response *r, CURL *curl)
{
	const char *s = header(curl, "X-Linked-Etag");
	size_t n = s != NULL ? strlen(s) : 0;

	if (n == 0 || r->linked.text[0] != '\0')
		return;
	if (n == SUM_DIGITS + 2 && s[0] == '"' && s[n - 1] == '"')
		sum_parse(&r->linked, s + 1, SUM_DIGITS);
	else
		sum_parse(&r->linked, s, n);
}

static void
take_range(struct response *r, const char *range)
{
	uint64_t last;
	int n;

	r->offset = r->end = r->total = 0;
	if (r->status != 206)
		return;
	n = range == NULL ? 0 : sscanf(range, "bytes %" SCNu64 "-%" SCNu64
	    "/%" SCNu64, &r->offset, &last, &r->total);
	r->end = n >= 2 ? last + 1 : 0;
	if (n == 2)
		r->total = r->end;
	else if (n < 2)
		r->offset = UINT64_MAX;
}

void
response_read(struct response *r, CURL *curl)
{
	const char *etag = header(curl, "ETag");
	const char *after = header(curl, "Retry-After");
	curl_off_t length = -1;

	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &r->status);
	curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
	r->length = length;
	/* A weak ETag cannot show that the bytes are the same (RFC 9110). */
	take_header(r->etag, sizeof(r->etag), etag != NULL &&
	    strncmp(etag, "W/", 2) == 0 ? NULL : etag);
	take_next(r, header(curl, "Link"));
	take_range(r, header(curl, "Content-Range"));
	take_linked(r, curl);
	r->retry_after = 0;
	if (after == NULL || num_int(after, 0, 1 << 20, &r->retry_after,
	    NULL) < 0)
		r->retry_after = 0;
}
