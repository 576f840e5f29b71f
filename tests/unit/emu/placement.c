// SPDX-License-Identifier: Apache-2.0
/* The lines are in the form of ONNX Runtime 1.27.0,
 * VerifyEachNodeIsAssignedToAnEp. */
#include <stdio.h>
#include <string.h>

#include "emu/placement.h"
#include "tap.h"

static void
say(const char *line)
{
	placement_log(NULL, 0, "onnxruntime", "npu-utils", "here", line);
}

static void
partial(void)
{
	char text[PLACEMENT_TEXT];

	placement_begin();
	say("Node placements");
	say(" Node(s) placed on [ZhouyiExecutionProvider]. Number of nodes: 2");
	say("  Conv (conv_1)");
	say("  Conv ()");
	say(" Node(s) placed on [CPUExecutionProvider]. Number of nodes: 3");
	say("  Softmax (s 1)");
	say("  Pad (p)");
	say("  Softmax (s 2)");
	say("Use DeviceBasedPartition as default");
	say("  Relu (not a placement)");
	placement_end(text);
	ok(strcmp(text, "2 Softmax, 1 Pad") == 0,
	    "nodes on the processor are counted by operator");
}

static void
all(void)
{
	char text[PLACEMENT_TEXT];

	placement_begin();
	say(" All nodes placed on [CPUExecutionProvider]. Number of nodes: 7");
	placement_end(text);
	ok(strcmp(text, "all 7") == 0, "all nodes are a number");
	placement_begin();
	say(" All nodes placed on [ZhouyiExecutionProvider]. Number of nodes: "
	    "7");
	placement_end(text);
	ok(strcmp(text, "") == 0, "nodes on the NPU are left out");
	say("  Softmax (s)");
	placement_end(text);
	ok(strcmp(text, "") == 0, "lines after the end are not read");
}

/* The text is cut, and long names are not counted. */
static void
many(void)
{
	char text[PLACEMENT_TEXT], line[120];

	placement_begin();
	say(" Node(s) placed on [CPUExecutionProvider]. Number of nodes: 200");
	for (int i = 0; i < 200; i++) {
		snprintf(line, sizeof(line), "  Operator%d%090d (n)", i % 100,
		    0);
		say(line);
		snprintf(line, sizeof(line), "  Operator%d (n)", i % 100);
		say(line);
	}
	placement_end(text);
	ok(strncmp(text, "2 Operator0, 2 Operator1, ", 26) == 0,
	    "the first operators are there");
	ok(strlen(text) == PLACEMENT_TEXT - 1, "the text is cut to fit");
}

int
main(void)
{
	partial();
	all();
	many();
	done();
}
