/* SPDX-License-Identifier: Apache-2.0 */
/* The socket that the server listens on. */
#ifndef NPU_SERVE_LISTEN_H
#define NPU_SERVE_LISTEN_H

#include <stdbool.h>

#define LISTEN_DEFAULT "127.0.0.1:8091"

struct listener {
	int fd;
	char *url;		/* owned: "http://127.0.0.1:8091" */
	char *path;		/* owned: of a unix socket that we made */
	bool handed;		/* by systemd, or what else set LISTEN_FDS */
	bool near;		/* only this machine reaches it */
};

/* IP:PORT, [IP6]:PORT, unix:PATH; NULL: the socket that systemd hands over, or
 * else LISTEN_DEFAULT.  A wrong address is a usage error; dies. */
void listen_open(struct listener *l, const char *address);
/* A connection to the server at *address, NULL: LISTEN_DEFAULT, which is put
 * there; -1 with errno.  A wrong address is a usage error. */
int listen_connect(const char **address);
/* Removes the file of a unix socket. */
void listen_close(struct listener *l);

#endif
