// SPDX-License-Identifier: Apache-2.0
/*
 * inlocale - prints numbers by libnpu and the emulator in a program that has
 * set the locale from its environment, as graphical programs do.
 *
 *	inlocale EMULATOR MODEL
 *
 * The C library prints the first line; all other lines must be the same in any
 * locale.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/num.h"
#include "npu.h"

static void
formatted(void)
{
	struct npu_tensor t = { .dtype = NPU_S8, .ndim = 2, .dim = { 1, 512 },
	    .size = 512, .scale = 27.6738f, .zero_point = 60 };
	uint8_t label[NPU_LABEL_SIZE];
	struct npu_label l = { .tensor = t };
	struct buf b = { 0 };
	struct npu_err err;
	char text[200];

	npu_tensor_format(&t, text, sizeof(text));
	puts(text);
	l.tensor.scale = -1.5f;
	if (npu_label_encode(&l, label, &err) < 0)
		puts(err.msg);
	npu_prefix(&err, err.code, "after %g s", 2.5);
	puts(err.msg);
	buf_printf(&b, "%.2f", 0.25);
	printf("%.*s\n", (int)b.n, b.p);
	buf_free(&b);
	num_format_float(1234.5f, text, sizeof(text));
	puts(text);
	num_format_double(1234.56789, text, sizeof(text));
	puts(text);
}

static void
parsed(void)
{
	struct npu_err err;
	double v;

	for (int i = 0; i < 2; i++) {
		if (num_double(i == 0 ? "2.5" : "2,5", 0, 9.5, &v, &err) < 0)
			puts(err.msg);
		else
			printf("%d/2\n", (int)(v * 2));
	}
}

int
main(int argc, char *argv[])
{
	struct npu_options o = { .device = NPU_DEVICE_EMU };
	struct npu_err err;
	struct npu *npu;
	char in[4] = "abc", out[4];

	if (argc != 3)
		return 2;
	o.emulator = argv[1];
	setlocale(LC_ALL, "");
	printf("%g\n", 0.5);
	formatted();
	parsed();
	if (npu_open(&npu, argv[2], &o, &err) < 0 ||
	    npu_run(npu, in, out, &err) < 0) {
		puts(err.msg);
		return 1;
	}
	puts(out);
	npu_close(npu);
	return 0;
}
