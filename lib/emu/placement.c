// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "emu/placement.h"

enum {
	LOG_FATAL = 4,
	OPERATORS = 64,		/* different operators that are counted */
	NAME = 64,
};

static _Thread_local struct {
	bool reads, on_processor;
	char all[24];		/* the number of nodes, if all are on it */
	size_t n;
	struct { char name[NAME]; unsigned nodes; } op[OPERATORS];
} state;

void
placement_begin(void)
{
	memset(&state, 0, sizeof(state));
	state.reads = true;
}

static void
count_node(const char *name, size_t n)
{
	size_t i = 0;

	while (i < state.n && (strlen(state.op[i].name) != n ||
	    memcmp(state.op[i].name, name, n) != 0))
		i++;
	if (i == OPERATORS || n >= NAME)
		return;
	memcpy(state.op[i].name, name, n);
	state.n += i == state.n;
	state.op[i].nodes++;
}

/*
 * A line names a provider, " Node(s) placed on [CPUExecutionProvider]. Number
 * of nodes: 2", and each line after it a node, "  Softmax (softmax_1)"; or the
 * only line is " All nodes placed on [CPUExecutionProvider]. Number of nodes:
 * 9".  (ONNX Runtime 1.27.0, VerifyEachNodeIsAssignedToAnEp.)
 */
static void
read_line(const char *line)
{
	static const char placed[] = "placed on [", number[] = "nodes: ";
	const char *at = strstr(line, placed), *all;
	size_t n;

	if (at != NULL) {
		state.on_processor = strncmp(at + strlen(placed),
		    "CPUExecutionProvider]", 21) == 0;
		all = strncmp(line, " All ", 5) == 0 ? strstr(at, number) :
		    NULL;
		if (state.on_processor && all != NULL)
			snprintf(state.all, sizeof(state.all), "%s",
			    all + strlen(number));
		return;
	}
	line += strspn(line, " ");
	n = strcspn(line, " ");
	if (state.on_processor && n > 0 && strncmp(line + n, " (", 2) == 0)
		count_node(line, n);
	else
		state.on_processor = false;
}

void
placement_log(void *unused, int severity, const char *category,
    const char *id, const char *place, const char *message)
{
	(void)unused;
	(void)category;
	(void)id;
	if (state.reads)
		read_line(message);
	if (severity >= LOG_FATAL)
		fprintf(stderr, "ONNX Runtime: %s: %s\n", place, message);
}

void
placement_end(char text[PLACEMENT_TEXT])
{
	size_t at = 0;

	snprintf(text, PLACEMENT_TEXT, "%s%s", state.all[0] != '\0' ?
	    "all " : "", state.all);
	for (size_t i = 0; i < state.n && at < PLACEMENT_TEXT; i++)
		at += (size_t)snprintf(text + at, PLACEMENT_TEXT - at,
		    "%s%u %s", i > 0 ? ", " : "", state.op[i].nodes,
		    state.op[i].name);
	state.reads = false;
}
