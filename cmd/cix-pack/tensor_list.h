/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs, or the outputs, of the model that is made. */
#ifndef CIX_PACK_TENSOR_LIST_H
#define CIX_PACK_TENSOR_LIST_H

#include "model/onnx_ports.h"

struct tensor_list {
	const char *kind;	/* "input", "output" */
	char option;		/* 'I', 'O': names one */
	struct npu_tensor *t;	/* owned */
	const char **from;	/* owned: what named each, an option or file */
	size_t n;
};

/* from is used until tensor_list_free(). */
void tensor_list_append(struct tensor_list *l, const struct npu_tensor *t,
    const char *from);

/*
 * Makes the list that of an ONNX file's n ports.  What the list has already is
 * checked against them: all, in their order, or some, by their names; the rest
 * is taken from the file.  Ends the program where they do not agree, or where
 * the file does not say enough.
 */
void tensor_list_complete(struct tensor_list *l, const char *file,
    const struct onnx_port *p, size_t n);

/* A usage error for two of one name that options give: -m MODEL:NAME could mean
 * either. */
void tensor_list_check_names(const struct tensor_list *l);

/* With -v, a line each. */
void tensor_list_tell(const struct tensor_list *l);
void tensor_list_free(struct tensor_list *l);

#endif
