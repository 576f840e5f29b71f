// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cmd.h"
#include "listen.h"

enum {
	BACKLOG = 511,
	FIRST_HANDED = 3,	/* sd_listen_fds(3) */
};

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_un un;
};

/* ---- What an address is ------------------------------------------------- */

static bool
is_near(const union address *a)
{
	if (a->any.sa_family == AF_INET)
		return ntohl(a->v4.sin_addr.s_addr) >> 24 == 127;
	if (a->any.sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
	return a->any.sa_family == AF_UNIX;
}

/* The address that the socket has, with the port that was chosen. */
static void
describe(struct listener *l, const struct address_form *form)
{
	union address a = { 0 };
	socklen_t n = sizeof(a);
	char ip[INET6_ADDRSTRLEN];

	if (getsockname(l->fd, &a.any, &n) < 0)
		cmd_die("the socket: %s", strerror(errno));
	l->near = is_near(&a);
	if (a.any.sa_family == AF_INET)
		l->url = cmd_text("%s%s:%u", form->shown, inet_ntop(AF_INET,
		    &a.v4.sin_addr, ip, sizeof(ip)), ntohs(a.v4.sin_port));
	else if (a.any.sa_family == AF_INET6)
		l->url = cmd_text("%s[%s]:%u", form->shown,
		    inet_ntop(AF_INET6, &a.v6.sin6_addr, ip, sizeof(ip)),
		    ntohs(a.v6.sin6_port));
	else
		l->url = cmd_text("%s%.*s", form->local,
		    (int)sizeof(a.un.sun_path), a.un.sun_path);
}

/* ---- systemd ----------------------------------------------------------- */

/* LISTEN_FDS, which counts for the process that LISTEN_PID names; else
 * NULL. */
static const char *
handed_over(void)
{
	const char *pid = getenv("LISTEN_PID");

	return pid != NULL && strtol(pid, NULL, 10) == (long)getpid() ?
	    getenv("LISTEN_FDS") : NULL;
}

static void
take_handed(struct listener *l, const char *fds)
{
	int listens = 0;
	socklen_t n = sizeof(listens);

	if (strcmp(fds, "1") != 0)
		cmd_usage("LISTEN_FDS is '%s'; %s listens on one socket", fds,
		    program.name);
	if (getsockopt(FIRST_HANDED, SOL_SOCKET, SO_ACCEPTCONN, &listens,
	    &n) < 0 || listens == 0)
		cmd_die("descriptor %d, which LISTEN_FDS hands over, is not a "
		    "socket that listens (Accept=no in the .socket unit)",
		    FIRST_HANDED);
	fcntl(FIRST_HANDED, F_SETFD, FD_CLOEXEC);
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	l->fd = FIRST_HANDED;
	l->handed = true;
}

/* ---- Addresses --------------------------------------------------------- */

_Noreturn static void
refuse(const struct address_form *form, const char *address)
{
	cmd_usage("%s: '%s' is not an address; it is %s", form->option,
	    address, form->examples);
}

static bool
begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool
is_local(const struct address_form *form, const char *address)
{
	return begins_with(address, form->local);
}

static socklen_t
parse_local(const struct address_form *form, const char *address,
    union address *a)
{
	const char *path = address + strlen(form->local);
	size_t n = strlen(path);

	if (n == 0 || n >= sizeof(a->un.sun_path))
		cmd_usage("%s: the path of a unix socket has 1 to %zu bytes",
		    form->option, sizeof(a->un.sun_path) - 1);
	a->un.sun_family = AF_UNIX;
	memcpy(a->un.sun_path, path, n + 1);
	return sizeof(a->un);
}

/* *number in the order of the network. */
static bool
parse_port(const struct address_form *form, const char *port,
    in_port_t *number)
{
	char *end;
	unsigned long n;

	*number = 0;
	if (form->stars && strcmp(port, "*") == 0)
		return true;
	n = strtoul(port, &end, 10);
	if (*port < '0' || *port > '9' || *end != '\0' || n > 65535)
		return false;
	*number = htons((in_port_t)n);
	return true;
}

static bool
parse_v6(const struct address_form *form, const char *ip, const char *port,
    struct sockaddr_in6 *a)
{
	a->sin6_family = AF_INET6;
	return inet_pton(AF_INET6, ip, &a->sin6_addr) == 1 &&
	    parse_port(form, port, &a->sin6_port);
}

static bool
parse_v4(const struct address_form *form, const char *ip, const char *port,
    struct sockaddr_in *a)
{
	a->sin_family = AF_INET;
	if (form->stars && strcmp(ip, "*") == 0)
		ip = "0.0.0.0";
	return inet_pton(AF_INET, ip, &a->sin_addr) == 1 &&
	    parse_port(form, port, &a->sin_port);
}

static socklen_t
parse_ip(const struct address_form *form, const char *address,
    union address *a)
{
	const char *host = address + strlen(form->ip);
	const char *colon = strrchr(address, ':');
	size_t n = colon != NULL && colon > host ? (size_t)(colon - host) : 0;
	char *ip;
	bool good;

	if (!begins_with(address, form->ip) || n == 0)
		refuse(form, address);
	if (host[0] == '[' && host[n - 1] == ']') {
		ip = cmd_text("%.*s", (int)n - 2, host + 1);
		good = parse_v6(form, ip, colon + 1, &a->v6);
	} else {
		ip = cmd_text("%.*s", (int)n, host);
		good = parse_v4(form, ip, colon + 1, &a->v4);
	}
	free(ip);
	if (!good)
		refuse(form, address);
	return a->any.sa_family == AF_INET ? sizeof(a->v4) : sizeof(a->v6);
}

static socklen_t
parse_address(const struct address_form *form, const char *address,
    union address *a)
{
	return is_local(form, address) ? parse_local(form, address, a) :
	    parse_ip(form, address, a);
}

/* ---- Sockets ----------------------------------------------------------- */

/* A socket that a server left behind when it was killed is replaced, one that
 * is in use is not. */
static void
remove_stale(const union address *a, socklen_t n)
{
	struct stat st;
	int fd;

	if (lstat(a->un.sun_path, &st) < 0 || !S_ISSOCK(st.st_mode))
		return;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, &a->any, n) < 0 && errno == ECONNREFUSED)
		unlink(a->un.sun_path);
	if (fd >= 0)
		close(fd);
}

/* Dies: the address is in use. */
static _Noreturn void
refuse_address(const struct address_form *form, const char *address,
    const union address *a)
{
	struct stat st;

	if (a->any.sa_family == AF_UNIX && lstat(a->un.sun_path, &st) == 0 &&
	    !S_ISSOCK(st.st_mode))
		cmd_die("%s: a file or folder that is not a socket has this "
		    "name; %s names another", address, form->option);
	cmd_die("%s: %s; another server has it, or %s names another %s",
	    address, strerror(EADDRINUSE), form->option,
	    a->any.sa_family == AF_UNIX ? "socket" : "port");
}

static void
make_socket(struct listener *l, const struct address_form *form,
    const char *address, const union address *a, socklen_t n)
{
	int one = 1;

	l->fd = socket(a->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (l->fd < 0)
		cmd_die("%s: %s", address, strerror(errno));
	setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(l->fd, &a->any, n) == 0 && listen(l->fd, BACKLOG) == 0)
		return;
	if (errno == EADDRINUSE)
		refuse_address(form, address, a);
	cmd_die("%s: %s", address, strerror(errno));
}

int
listen_connect(const struct address_form *form, const char **address)
{
	union address a = { 0 };
	socklen_t n;
	int fd, why;

	if (*address == NULL)
		*address = form->usual;
	n = parse_address(form, *address, &a);
	fd = socket(a.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, &a.any, n) == 0)
		return fd;
	why = errno;
	close(fd);
	errno = why;
	return -1;
}

void
listen_open(struct listener *l, const struct address_form *form,
    const char *address)
{
	const char *handed = handed_over();
	union address a = { 0 };
	socklen_t n;

	*l = (struct listener){ 0 };
	if (address == NULL && handed != NULL) {
		take_handed(l, handed);
		describe(l, form);
		return;
	}
	if (address == NULL)
		address = form->usual;
	n = parse_address(form, address, &a);
	if (a.any.sa_family == AF_UNIX)
		remove_stale(&a, n);
	make_socket(l, form, address, &a, n);
	if (a.any.sa_family == AF_UNIX)
		l->path = cmd_copy(a.un.sun_path);
	describe(l, form);
}

void
listen_end(const struct listener *l)
{
	if (!l->handed)
		shutdown(l->fd, SHUT_RDWR);
}

void
listen_close(struct listener *l)
{
	if (l->path != NULL)
		unlink(l->path);
	free(l->path);
	free(l->url);
}
