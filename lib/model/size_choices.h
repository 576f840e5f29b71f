/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes that a user chose for open dimensions, resolved to the names and
 * the places of a model. */
#ifndef MODEL_SIZE_CHOICES_H
#define MODEL_SIZE_CHOICES_H

#include "base/buf.h"
#include "model/onnx_ports.h"
#include "model/shapes/fixed_sizes.h"

/* The names point into the model's file.  All zeros: empty. */
struct size_choices {
	struct buf by_name;	/* of struct size_of_name */
	struct buf by_place;	/* of struct size_of_place */
};

/*
 * Resolves each choice, and sets the size in the ports.  A choice is the name
 * of an open dimension, or "PORT:AXIS", which gives its size to all dimensions
 * with the same name, if the dimension has a name.  Fails with NPU_EUSAGE if
 * the model does not have the dimension (the message lists the open
 * dimensions), if the model fixes another size, or if two choices differ.  Free
 * with size_choices_free(), also after a failure.
 */
int size_choices_resolve(struct size_choices *s, struct onnx_ports *ports,
    const struct chosen_sizes *chosen, struct npu_err *err);
void size_choices_free(struct size_choices *s);

/* Returns the size for a dimension with this name (empty: none) of a port
 * (empty: another value), or 0. */
uint32_t size_choices_find(const struct size_choices *s, struct bytes name,
    struct bytes port, uint32_t axis);

/* Appends the names of the first open dimensions, as a user would write them,
 * to text: "batch, ids:1 and others".  The names are printable. */
void open_dimensions(struct buf *text, const struct onnx_port *port,
    size_t ports);

#endif
