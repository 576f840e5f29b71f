// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "emu/xdna/fault.h"
#include "emu/xdna/say.h"

enum { GIVES_UP_MS = 60000 };	/* HWCTX_MAX_TIMEOUT */

static const struct {
	const char *name;
	int number;
} errors[] = {
	{ "E2BIG", E2BIG }, { "EACCES", EACCES }, { "EAGAIN", EAGAIN },
	{ "EBADF", EBADF }, { "EBUSY", EBUSY }, { "EEXIST", EEXIST },
	{ "EFAULT", EFAULT }, { "EINTR", EINTR }, { "EINVAL", EINVAL },
	{ "EIO", EIO }, { "EMFILE", EMFILE }, { "ENODEV", ENODEV },
	{ "ENOENT", ENOENT }, { "ENOMEM", ENOMEM }, { "ENOSPC", ENOSPC },
	{ "ENOTTY", ENOTTY }, { "EOPNOTSUPP", EOPNOTSUPP },
	{ "EPERM", EPERM }, { "ETIME", ETIME },
};

static struct {
	int64_t at;		/* number of the call that fails; or 0 */
	bool each, failed;	/* every call fails once; the last did */
	int number;
	uint32_t state;
	int64_t hang_ms;
	int64_t calls;
	char text[64];		/* the value read; "": read it again */
} fault;

static bool
read_number(const char *text, int64_t least, int64_t most, int64_t *n)
{
	return num_int(text, least, most, n, NULL) == 0;
}

static bool
read_errno(const char *text)
{
	int64_t n;

	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (strcmp(errors[i].name, text) == 0) {
			fault.number = errors[i].number;
			return true;
		}
	if (!read_number(text, 1, 4095, &n))
		return false;
	fault.number = (int)n;
	return true;
}

static bool
read_state(const char *text)
{
	int64_t n;

	if (!read_number(text, 1, 15, &n))
		return false;
	fault.state = (uint32_t)n;
	return true;
}

/* Reads a fault: word precedes the colon, rest follows it (NULL: no colon). */
static bool
read_fault(const char *word, const char *rest)
{
	if (strcmp(word, "hang") == 0) {
		fault.hang_ms = GIVES_UP_MS;
		return rest == NULL || read_number(rest, 0, 86400000,
		    &fault.hang_ms);
	}
	if (rest == NULL)
		return false;
	if (strcmp(word, "state") == 0)
		return read_state(rest);
	fault.each = strcmp(word, "each") == 0;
	return (fault.each || read_number(word, 1, INT32_MAX, &fault.at)) &&
	    read_errno(rest);
}

void
xemu_forget_fault(void)
{
	fault.text[0] = '\0';
}

bool
xemu_read_fault(void)
{
	const char *value = getenv("NPU_XDNA_FAULT"), *colon;
	char word[16] = "";

	if (value != NULL && *value != '\0' && strcmp(value, fault.text) == 0)
		return true;
	memset(&fault, 0, sizeof(fault));
	fault.hang_ms = -1;
	if (value == NULL || *value == '\0')
		return true;
	strncat(fault.text, value, sizeof(fault.text) - 1);
	colon = strchr(value, ':');
	strncat(word, value, colon == NULL || colon - value > 15 ? 15 :
	    (size_t)(colon - value));
	if (read_fault(word, colon == NULL ? NULL : colon + 1))
		return true;
	xemu_say("NPU_XDNA_FAULT=%s: not N:ERRNO, each:ERRNO, state:N, hang "
	    "or hang:MS", value);
	xemu_forget_fault();
	return false;
}

int
xemu_fault(bool is_mmap)
{
	fault.calls++;
	if (fault.each && !is_mmap) {
		fault.failed = !fault.failed;
		return fault.failed ? fault.number : 0;
	}
	return fault.at == fault.calls ? fault.number : 0;
}

uint32_t
xemu_fault_state(void)
{
	return fault.state;
}

int64_t
xemu_fault_hang(void)
{
	return fault.hang_ms;
}
