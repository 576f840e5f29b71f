// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <microhttpd.h>

#include "access.h"
#include "cmd.h"
#include "sha256.h"

enum { TOKEN_FILE = 4096, LEAST_TOKEN = 16 };

void
access_read_token(struct access *a, const char *path)
{
	size_t n;
	char *p = cmd_read_file(path, TOKEN_FILE, &n);
	size_t line = 0;

	while (line < n && p[line] > ' ' && p[line] < 0x7f)
		line++;
	if (line < LEAST_TOKEN || (line < n && p[line] != '\n' &&
	    p[line] != '\r'))
		cmd_die("%s: the first line is not a token: at least %d "
		    "characters of ASCII without blanks ('openssl rand -hex "
		    "32' makes one)", cmd_input_name(path), LEAST_TOKEN);
	a->token = cmd_text("%.*s", (int)line, p);
	free(p);
}

/* Compares their SHA-256, and all bytes even where the first ones differ. */
bool
access_is_token(const struct access *a, struct bytes given)
{
	uint8_t want[32], have[32], differ = 0;

	if (a->token == NULL)
		return true;
	sha256_digest(a->token, strlen(a->token), want);
	sha256_digest(given.p, given.n, have);
	for (size_t i = 0; i < sizeof(want); i++)
		differ |= want[i] ^ have[i];
	return differ == 0;
}

static bool
is_token(const struct access *a, const char *text)
{
	return text != NULL && access_is_token(a, (struct bytes){
	    (const uint8_t *)text, strlen(text) });
}

bool
access_allowed(const struct access *a, struct MHD_Connection *http)
{
	const char *bearer = MHD_lookup_connection_value(http,
	    MHD_HEADER_KIND, "Authorization");

	if (a->token == NULL)
		return true;
	if (bearer != NULL && strncasecmp(bearer, "Bearer ", 7) == 0 &&
	    is_token(a, bearer + 7 + strspn(bearer + 7, " ")))
		return true;
	return is_token(a, MHD_lookup_connection_value(http, MHD_HEADER_KIND,
	    "x-api-key"));
}

/* ---- Origins ----------------------------------------------------------- */

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Returns the end of the host that text begins with, or text itself if it
 * begins with another character. */
static const char *
host_end(const char *text)
{
	size_t n;

	if (*text != '[')
		return text + strspn(text, LETTERS DIGITS "-._");
	n = strspn(text + 1, "abcdefABCDEF" DIGITS ":.");
	return n > 0 && text[n + 1] == ']' ? text + n + 2 : text;
}

static bool
is_port(const char *text)
{
	size_t n = strspn(text, DIGITS);

	return n > 0 && n <= 5 && text[n] == '\0' &&
	    strtoul(text, NULL, 10) <= 65535;
}

bool
access_is_origin(const char *text)
{
	size_t scheme = strspn(text, LETTERS DIGITS "+-.");
	const char *host, *end;

	if (strcmp(text, "*") == 0)
		return true;
	if (strspn(text, LETTERS) == 0 ||
	    strncmp(text + scheme, "://", 3) != 0)
		return false;
	host = text + scheme + 3;
	end = host_end(host);
	return end > host && (*end == '\0' ||
	    (*end == ':' && is_port(end + 1)));
}

void
access_free(struct access *a)
{
	free(a->token);
}
