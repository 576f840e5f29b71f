/* SPDX-License-Identifier: Apache-2.0 */
/* Names and shapes of a model's inputs as text. */
#ifndef CIX_LINT_PORT_TEXT_H
#define CIX_LINT_PORT_TEXT_H

#include "base/buf.h"
#include "model/onnx_ports.h"

/* Adds a shape such as [N,3,8,8] to the text.  An open dimension has its name,
 * or ? without one. */
void put_port_shape(struct buf *b, const struct onnx_port *p);
/* Returns the name as a text, printable and cut, for the caller to free. */
char *shown_name(struct bytes name);

#endif
