/* SPDX-License-Identifier: Apache-2.0 */
/* The list of inputs, or of outputs, of the new model. */
#ifndef CIX_PACK_TENSOR_LIST_H
#define CIX_PACK_TENSOR_LIST_H

#include "model/onnx_ports.h"

struct tensor_list {
	const char *kind;	/* "input", "output" */
	char option;		/* 'I' or 'O', the option that adds a tensor */
	struct npu_tensor *t;	/* owned */
	const char **from;	/* owned: per tensor, its option or file */
	size_t n;
};

/* Appends *t.  from must stay valid until tensor_list_free(). */
void tensor_list_append(struct tensor_list *l, const struct npu_tensor *t,
    const char *from);

/*
 * Completes the list with the n ports of an ONNX file: afterwards it describes
 * each port, in the file's order.  If the list had a descriptor for each port,
 * they must be in the file's order; if it had fewer, they are matched by name,
 * and the other ports are described as in the file.  Ends the program if the
 * list contradicts the file, or if the file does not describe a port fully.
 */
void tensor_list_complete(struct tensor_list *l, const char *file,
    const struct onnx_port *p, size_t n);

/* Ends the program with a usage error if an option gives a tensor the name of
 * an earlier tensor: -m MODEL:NAME would be ambiguous. */
void tensor_list_check_names(const struct tensor_list *l);

/* With -v, prints a line for each tensor. */
void tensor_list_print(const struct tensor_list *l);
void tensor_list_free(struct tensor_list *l);

#endif
