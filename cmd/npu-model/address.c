// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#include <curl/curl.h>

#include "address.h"
#include "base/err.h"

void
address_free(struct address *a)
{
	curl_free(a->url);
	curl_free(a->scheme);
	curl_free(a->host);
	curl_free(a->port);
	curl_free(a->user);
	curl_free(a->password);
	*a = (struct address){ 0 };
}

/* True for localhost, 127.0.0.0/8 and ::1, as libcurl writes hosts. */
static bool
is_loopback(const char *host)
{
	struct in_addr v4;

	return strcasecmp(host, "localhost") == 0 ||
	    strcmp(host, "[::1]") == 0 ||
	    (inet_pton(AF_INET, host, &v4) == 1 &&
	    ntohl(v4.s_addr) >> 24 == 127);
}

static int
check(const struct address *a, struct npu_err *err)
{
	if (strcmp(a->scheme, "https") == 0)
		return 0;
	if (strcmp(a->scheme, "http") != 0)
		return npu_fail(err, NPU_EUSAGE, "not an https:// URL");
	if (!is_loopback(a->host))
		return npu_fail(err, NPU_EUSAGE, "http:// is only for loopback "
		    "addresses, such as 127.0.0.1; use https://");
	return 0;
}

/* Moves the credentials from the URL to *a. */
static bool
take_parts(struct address *a, CURLU *u)
{
	curl_url_get(u, CURLUPART_USER, &a->user, CURLU_URLDECODE);
	curl_url_get(u, CURLUPART_PASSWORD, &a->password, CURLU_URLDECODE);
	return curl_url_set(u, CURLUPART_USER, NULL, 0) == CURLUE_OK &&
	    curl_url_set(u, CURLUPART_PASSWORD, NULL, 0) == CURLUE_OK &&
	    curl_url_get(u, CURLUPART_SCHEME, &a->scheme, 0) == CURLUE_OK &&
	    curl_url_get(u, CURLUPART_HOST, &a->host, 0) == CURLUE_OK &&
	    curl_url_get(u, CURLUPART_PORT, &a->port, CURLU_DEFAULT_PORT) ==
	    CURLUE_OK &&
	    curl_url_get(u, CURLUPART_URL, &a->url, 0) == CURLUE_OK;
}

int
address_parse(struct address *a, const char *url, struct npu_err *err)
{
	CURLU *u = curl_url();
	bool good;

	*a = (struct address){ 0 };
	if (u == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	good = curl_url_set(u, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) ==
	    CURLUE_OK && take_parts(a, u);
	curl_url_cleanup(u);
	return good ? check(a, err) : npu_fail(err, NPU_EUSAGE,
	    "not an https:// URL");
}

bool
address_is_same_host(const struct address *a, const struct address *b)
{
	return strcmp(a->scheme, b->scheme) == 0 &&
	    strcasecmp(a->host, b->host) == 0 && strcmp(a->port, b->port) == 0;
}
