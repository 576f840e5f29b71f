/* SPDX-License-Identifier: Apache-2.0 */
/* A node of an ONNX graph: its operator, its values and its attributes. */
#ifndef MODEL_SHAPES_NODE_H
#define MODEL_SHAPES_NODE_H

#include "base/buf.h"
#include "base/bytes.h"
#include "model/shapes/shape.h"

/* Everything points into the file. */
struct node {
	struct bytes type, domain, message;
	struct buf inputs, outputs;	/* of struct bytes: names of values, or
					   empty: absent */
};

/* Reads a NodeProto.  *n contains zeros or another node, whose memory is used
 * again.  Returns false if the node is damaged, or if memory ran out, which
 * sets failed in the buffers.  Free with node_free(). */
bool node_read(struct node *n, struct bytes message);
void node_free(struct node *n);

/* Returns the number in an attribute, or absent if the node does not have that
 * attribute. */
double node_number(const struct node *n, const char *name, double absent);
/* Stores the list of numbers in an attribute.  Returns false if the node does
 * not have the attribute, or if the list is too long. */
bool node_numbers(const struct node *n, const char *name, struct numbers *v);
/* Returns the text in an attribute; empty: absent. */
struct bytes node_text(const struct node *n, const char *name);
/* Stores the TensorProto in an attribute. */
bool node_tensor(const struct node *n, const char *name, struct bytes *tensor);

#endif
