// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include <curl/curl.h>

#include "address.h"
#include "base/clock.h"
#include "base/err.h"
#include "cmd.h"
#include "local_file.h"
#include "response.h"
#include "transfer.h"

enum { PAUSE_LONGEST_MS = 60000 };	/* also for Retry-After */

/* One request while it runs. */
struct exchange {
	const struct transfer_request *request;
	struct response *response;
	int64_t rate;		/* bytes in a second; 0: no limit */
	uint64_t begin_ns;	/* of the body */
	uint64_t received;	/* bytes of the body */
	CURL *curl;
	bool begun;		/* begin() was called */
	int failed;		/* what begin() or body() returned */
	struct npu_err *err;
};

void
transfer_start(void)
{
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0)
		cmd_die("libcurl cannot start");
}

/* Returns the path of a file:// URL, or NULL. */
static const char *
local_path(const char *url)
{
	return strncmp(url, "file:///", 8) == 0 ? url + 7 : NULL;
}

int
transfer_check(const char *url, struct npu_err *err)
{
	struct address a;
	int rc;

	if (local_path(url) != NULL)
		return 0;
	rc = address_parse(&a, url, err);
	address_free(&a);
	return rc;
}

char *
transfer_public(const char *url)
{
	struct address a;
	char *text;

	if (local_path(url) != NULL || address_parse(&a, url, NULL) < 0)
		return cmd_copy(url);
	text = cmd_copy(a.url);
	address_free(&a);
	return text;
}

/* ---- The body of an answer ----------------------------------------------- */

static bool
has_body(const struct response *r)
{
	return r->status == 200 || r->status == 206;
}

/* Calls begin(), once, if the answer has the file's bytes. */
static bool
begin_body(struct exchange *x)
{
	if (x->begun)
		return true;
	response_read(x->response, x->curl);
	if (!has_body(x->response))
		return true;
	x->begun = true;
	x->begin_ns = clock_ns();
	x->failed = x->request->begin(x->request->arg, x->response, x->err);
	return x->failed == 0;
}

/* Waits until n more bytes are within the rate.  libcurl's own limit lets what
 * has arrived pass at once. */
static void
keep_rate(struct exchange *x, size_t n)
{
	const uint64_t second = 1000000000;
	struct timespec pause;
	uint64_t passed, due;

	if (x->rate == 0)
		return;
	x->received += n;
	passed = clock_ns() - x->begin_ns;
	due = (uint64_t)((double)x->received / (double)x->rate * 1e9);
	if (due <= passed)
		return;
	pause = (struct timespec){ (time_t)((due - passed) / second),
	    (long)((due - passed) % second) };
	nanosleep(&pause, NULL);
}

static size_t
on_body(char *p, size_t size, size_t n, void *arg)
{
	struct exchange *x = arg;

	n *= size;
	if (!begin_body(x))
		return CURL_WRITEFUNC_ERROR;
	/* The body of a redirect or an error is dropped. */
	if (x->begun) {
		x->failed = x->request->body(x->request->arg, p, n, x->err);
		keep_rate(x, n);
	}
	return x->failed == 0 ? n : CURL_WRITEFUNC_ERROR;
}

/* ---- One request --------------------------------------------------------- */

static void
set_limits(CURL *c, const struct transfer_options *o)
{
	long seconds = (o->stall_ms + 999) / 1000;

	curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)o->stall_ms);
	curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, seconds);
}

/* The variables by which the program curl finds certificates; libcurl reads
 * only those of proxies. */
static void
set_certificates(CURL *c)
{
	const char *file = getenv("CURL_CA_BUNDLE");
	const char *folder = getenv("SSL_CERT_DIR");

	if (file == NULL || *file == '\0')
		file = getenv("SSL_CERT_FILE");
	if (file != NULL && *file != '\0')
		curl_easy_setopt(c, CURLOPT_CAINFO, file);
	if (folder != NULL && *folder != '\0')
		curl_easy_setopt(c, CURLOPT_CAPATH, folder);
}

static void
set_address(CURL *c, const struct address *a, const struct address *first)
{
	bool https = strcmp(a->scheme, "https") == 0;

	curl_easy_setopt(c, CURLOPT_URL, a->url);
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, https ? "https" : "http");
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	/* A loopback address is this machine's, not the proxy's. */
	if (!https)
		curl_easy_setopt(c, CURLOPT_PROXY, "");
	if (address_is_same_host(a, first) && first->user != NULL) {
		curl_easy_setopt(c, CURLOPT_USERNAME, first->user);
		curl_easy_setopt(c, CURLOPT_PASSWORD, first->password != NULL ?
		    first->password : "");
	}
}

/* Returns the headers of a request that continues a file. */
static struct curl_slist *
range_headers(const struct transfer_request *q)
{
	struct curl_slist *list;
	char *text;

	if (q->offset == 0)
		return NULL;
	text = cmd_text("If-Range: %s", q->etag);
	list = curl_slist_append(NULL, text);
	free(text);
	return list;
}

static bool
may_pass(CURLcode code)
{
	switch (code) {
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
	case CURLE_PARTIAL_FILE:
	case CURLE_OPERATION_TIMEDOUT:
	case CURLE_GOT_NOTHING:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
		return true;
	default:
		return false;
	}
}

/* Runs the exchange with SIGPIPE blocked in this thread: OpenSSL writes to a
 * connection that the server may have closed, and only a reader of stdout that
 * leaves shall end the program (rule 18). */
static CURLcode
perform_without_sigpipe(CURL *curl)
{
	const struct timespec now = { 0, 0 };
	sigset_t pipe, was, before, after;
	CURLcode code;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &was);
	sigpending(&before);
	code = curl_easy_perform(curl);
	sigpending(&after);
	if (sigismember(&after, SIGPIPE) && !sigismember(&before, SIGPIPE))
		sigtimedwait(&pipe, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &was, NULL);
	return code;
}

static int
perform(struct exchange *x, const struct address *a)
{
	char why[CURL_ERROR_SIZE] = "";
	CURLcode code;

	curl_easy_setopt(x->curl, CURLOPT_ERRORBUFFER, why);
	code = perform_without_sigpipe(x->curl);
	curl_easy_setopt(x->curl, CURLOPT_ERRORBUFFER, NULL);
	if (code == CURLE_OK && !begin_body(x))
		code = CURLE_WRITE_ERROR;
	if (x->failed != 0)
		return x->failed;
	if (code == CURLE_OK)
		return 0;
	npu_fail(x->err, NPU_ESYSTEM, "%.40s: %.140s", a->host,
	    why[0] != '\0' ? why : curl_easy_strerror(code));
	return may_pass(code) ? TRANSFER_RETRY : NPU_ESYSTEM;
}

/* Asks one address.  The answer may be a redirect. */
static int
ask(struct exchange *x, const struct address *a, const struct address *first,
    const struct transfer_options *o)
{
	const struct transfer_request *q = x->request;
	struct curl_slist *headers = range_headers(q);
	char range[32];
	int rc;

	curl_easy_reset(x->curl);
	set_limits(x->curl, o);
	set_certificates(x->curl);
	set_address(x->curl, a, first);
	curl_easy_setopt(x->curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(x->curl, CURLOPT_USERAGENT, "npu-utils/" NPU_VERSION);
	curl_easy_setopt(x->curl, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(x->curl, CURLOPT_WRITEDATA, x);
	curl_easy_setopt(x->curl, CURLOPT_HTTPHEADER, headers);
	if (q->offset > 0) {
		snprintf(range, sizeof(range), "%" PRIu64 "-", q->offset);
		curl_easy_setopt(x->curl, CURLOPT_RANGE, range);
	}
	rc = perform(x, a);
	curl_easy_setopt(x->curl, CURLOPT_HTTPHEADER, NULL);
	curl_slist_free_all(headers);
	return rc;
}

/* ---- Redirects and statuses ---------------------------------------------- */

/* Describes a status that is not a success. */
static int
refused(const struct response *r, const struct address *a, struct npu_err *err)
{
	static const struct {
		long status;
		const char *means;
		bool passes;
	} known[] = {
		{ 401, "a login is needed", false },
		{ 403, "it does not permit this", false },
		{ 404, "it does not have this file", false },
		{ 408, "it waited too long", true },
		{ 410, "the file is gone", false },
		{ 416, "it does not have these bytes of the file", false },
		{ 429, "too many requests", true },
		{ 500, "an error of the server", true },
		{ 502, "an error of the server", true },
		{ 503, "it is overloaded or down", true },
		{ 504, "an error of the server", true },
	};
	const char *means = "not a file";
	bool passes = false;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].status == r->status) {
			means = known[i].means;
			passes = known[i].passes;
		}
	npu_fail_detail(err, NPU_ESYSTEM, (int)r->status,
	    "%.60s answers %ld: %s", a->host, r->status, means);
	return passes ? TRANSFER_RETRY : NPU_ESYSTEM;
}

/* Replaces *a by the address to which the answer redirects. */
static int
redirect(struct address *a, CURL *curl, struct npu_err *err)
{
	struct address next;
	char *url = NULL;
	int rc;

	curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &url);
	if (url == NULL)
		return npu_fail(err, NPU_ESYSTEM, "%.60s redirects without "
		    "saying where to", a->host);
	rc = address_parse(&next, url, err);
	if (rc == 0 && strcmp(a->scheme, "https") == 0 &&
	    strcmp(next.scheme, "https") != 0)
		rc = npu_fail(err, NPU_ESYSTEM, "it leaves https");
	if (rc < 0) {
		npu_prefix(err, NPU_ESYSTEM, "redirect to %.80s refused",
		    next.url != NULL ? next.url : url);
		address_free(&next);
		return NPU_ESYSTEM;
	}
	address_free(a);
	*a = next;
	return 0;
}

static int
follow(struct exchange *x, struct address *a, const struct address *first,
    const struct transfer_options *o)
{
	int rc;

	for (int n = 0; n <= TRANSFER_REDIRECTS; n++) {
		if ((rc = ask(x, a, first, o)) != 0)
			return rc;
		if (has_body(x->response))
			return 0;
		if (x->response->status < 300 || x->response->status >= 400)
			return refused(x->response, a, x->err);
		if ((rc = redirect(a, x->curl, x->err)) < 0)
			return rc;
	}
	return npu_fail(x->err, NPU_ESYSTEM, "more than %d redirects, the "
	    "last to %.100s", TRANSFER_REDIRECTS, a->url);
}

/* ---- A whole request ----------------------------------------------------- */

int
transfer_get(const struct transfer_request *q, const struct transfer_options *o,
    struct response *r, struct npu_err *err)
{
	struct exchange x = { .request = q, .response = r,
	    .rate = o->rate, .err = err };
	struct address first = { 0 }, a = { 0 };
	int rc;

	*r = (struct response){ .length = -1 };
	if (local_path(q->url) != NULL)
		return local_file_copy(local_path(q->url), q, r, err);
	if ((rc = address_parse(&first, q->url, err)) == 0 &&
	    (rc = address_parse(&a, q->url, err)) == 0) {
		x.curl = curl_easy_init();
		rc = x.curl != NULL ? follow(&x, &a, &first, o) :
		    npu_fail(err, NPU_ESYSTEM, "out of memory");
		curl_easy_cleanup(x.curl);
	}
	address_free(&first);
	address_free(&a);
	return rc;
}

/* ---- Trying again -------------------------------------------------------- */

bool
transfer_again(struct transfer_tries *t, const struct response *r,
    const char *url, const struct npu_err *err)
{
	const struct transfer_options *o = t->options;
	int64_t ms = (int64_t)o->pause_ms << (t->failed < 16 ? t->failed : 16);
	struct timespec pause;

	if (++t->failed >= o->tries)
		return false;
	if (r->retry_after * 1000 > ms)
		ms = r->retry_after * 1000;
	if (ms > PAUSE_LONGEST_MS)
		ms = PAUSE_LONGEST_MS;
	cmd_note("%s: %s; try %d of %d in %.3g s", url, err->msg,
	    t->failed + 1, o->tries, (double)ms / 1000);
	pause = (struct timespec){ ms / 1000, ms % 1000 * 1000000 };
	nanosleep(&pause, NULL);
	return true;
}
