// SPDX-License-Identifier: Apache-2.0
#include "xml.h"

static void
add_argument(struct buf *b, const char *name, int id, int size, int offset,
    int qualifier, const char *type)
{
	buf_printf(b, "<arg name=\"%s\" addressQualifier=\"%d\" id=\"%d\" "
	    "size=\"0x%x\" offset=\"0x%02x\" hostOffset=\"0x0\" "
	    "hostSize=\"0x%x\" type=\"%s\"/>\n", name, qualifier, id, size,
	    offset, size, type);
}

static void
add_body(const struct axlfgen_xml *x, struct buf *b)
{
	buf_puts(b, "<project><platform><device><core>\n");
	for (uint32_t i = 0; i < x->kernels; i++) {
		buf_printf(b, "<kernel name=\"K%u\" language=\"c\" "
		    "type=\"dpu\">\n<extended-data subtype=\"1\" "
		    "functional=\"%u\" dpu_kernel_id=\"0x%x\"/>\n",
		    i, i % 2, 0x901 + i);
		add_argument(b, "opcode", 0, 8, 0, 0, "uint64_t");
		add_argument(b, "instr", 1, 8, 8, 1, "char *");
		add_argument(b, "ninstr", 2, 4, 16, 0, "uint32_t");
		add_argument(b, "bo0", 3, 8, 20, 1, "void*");
		buf_puts(b, "</kernel>\n");
	}
	buf_puts(b, "</core></device></platform></project>\n");
}

void
axlfgen_kernels(const struct axlfgen_xml *x, struct buf *b)
{
	buf_puts(b, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
	add_body(x, b);
}

void
axlfgen_cut(const struct axlfgen_xml *x, struct buf *b)
{
	axlfgen_kernels(x, b);
	b->n -= 38;
}

void
axlfgen_laughs(const struct axlfgen_xml *x, struct buf *b)
{
	(void)x;
	buf_puts(b, "<!DOCTYPE project [\n<!ENTITY l0 \"lol\">\n");
	for (int i = 1; i < 10; i++) {
		buf_printf(b, "<!ENTITY l%d \"", i);
		for (int k = 0; k < 10; k++)
			buf_printf(b, "&l%d;", i - 1);
		buf_puts(b, "\">\n");
	}
	buf_puts(b, "]>\n<project><platform><device><core>"
	    "<kernel name=\"&l9;\"/></core></device></platform></project>\n");
}

void
axlfgen_defaults(const struct axlfgen_xml *x, struct buf *b)
{
	buf_puts(b, "<!DOCTYPE project [\n<!ATTLIST arg name CDATA \"");
	for (int i = 0; i < 1000; i++)
		buf_puts(b, "0123456789");
	buf_puts(b, "\">\n]>\n");
	add_body(x, b);
}
