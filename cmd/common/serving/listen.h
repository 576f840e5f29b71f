/* SPDX-License-Identifier: Apache-2.0 */
/* The socket that a server listens on. */
#ifndef CMD_SERVING_LISTEN_H
#define CMD_SERVING_LISTEN_H

#include <stdbool.h>

/* How a program's option writes addresses. */
struct address_form {
	const char *option;	/* "--listen" */
	const char *usual;	/* the address without the option */
	const char *examples;	/* for a message */
	const char *ip;		/* stands before IP:PORT: "", "tcp://" */
	const char *local;	/* stands before a path: "unix:", "ipc://" */
	const char *shown;	/* before IP:PORT in url: "http://" */
	bool stars;		/* * is any address, or any free port */
};

struct listener {
	int fd;
	char *url;		/* owned: "http://127.0.0.1:8091" */
	char *path;		/* owned: of a unix socket that we made */
	bool handed;		/* by systemd, or what else set LISTEN_FDS */
	bool near;		/* only this machine reaches it */
};

/* NULL: the socket that systemd hands over, or else form->usual.  A wrong
 * address is a usage error; dies. */
void listen_open(struct listener *l, const struct address_form *form,
    const char *address);
/* A connection to the server at *address, NULL: form->usual, which is put
 * there; -1 with errno.  A wrong address is a usage error. */
int listen_connect(const struct address_form *form, const char **address);
/* Refuses further connections.  Those to a socket that systemd handed over wait
 * for the next server instead. */
void listen_end(const struct listener *l);
/* Removes the file of a unix socket. */
void listen_close(struct listener *l);

#endif
