// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "address.h"
#include "cmd.h"
#include "health.h"

enum { ANSWER = 4096, PATIENCE_S = 5 };

static int
ask(int fd, const char *path, char answer[ANSWER])
{
	char request[100];
	int n = snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\n"
	    "Host: localhost\r\nConnection: close\r\n\r\n", path);
	size_t have = 0;
	ssize_t got;

	if (send(fd, request, (size_t)n, MSG_NOSIGNAL) != n)
		return -1;
	while (have < ANSWER - 1 &&
	    (got = recv(fd, answer + have, ANSWER - 1 - have, 0)) != 0) {
		if (got < 0)
			return -1;
		have += (size_t)got;
	}
	answer[have] = '\0';
	return 0;
}

/* The body of an answer: what is behind its head. */
static const char *
body(const char *answer)
{
	const char *p = strstr(answer, "\r\n\r\n");

	return p != NULL ? p + 4 : answer;
}

int
health_ask(const char *address, bool ready)
{
	static const struct timeval patience = { .tv_sec = PATIENCE_S };
	char answer[ANSWER] = "";
	int fd = listen_connect(&listen_form, &address), rc;

	if (fd < 0)
		cmd_die("%s: no server answers: %s", address,
		    strerror(errno));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	rc = ask(fd, ready ? "/readyz" : "/healthz", answer);
	close(fd);
	if (rc < 0)
		cmd_die("%s: no answer: %s", address, errno == EAGAIN ?
		    "the server takes too long" : strerror(errno));
	if (strncmp(answer, "HTTP/1.1 200 ", 13) == 0)
		return EXIT_DONE;
	cmd_printable(answer, strlen(answer));
	cmd_warn("%s: %s", address, body(answer));
	return EXIT_FAILED;
}
