// SPDX-License-Identifier: Apache-2.0
/*
 * embed - embeds a text with CLIP and libnpu, and prints the first numbers of
 * the vector.
 *
 *	cc -o embed embed.c $(pkg-config --cflags --libs npu)
 *	./embed /usr/share/npu-utils/models/clip_txt.cix 'a red circle' \
 *	    /usr/lib/npu-utils/libnoe-emu.so
 *
 * Without the last operand, the vendor's library runs the model.
 */
#include <npu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
embed(struct npu *npu, const int32_t *row, float *x, size_t n,
    struct npu_err *err)
{
	void *q = malloc(npu_output_size(npu));
	int rc = -1;

	if (q != NULL && (rc = npu_run(npu, row, q, err)) == 0 &&
	    (rc = npu_dequantise(npu_output(npu, 0), q, n, x, err)) == 0)
		rc = npu_l2_normalise(x, n, err);
	free(q);
	return rc;
}

int
main(int argc, char *argv[])
{
	struct npu_options opt = { .emulator = argc == 4 ? argv[3] : NULL,
	    .device = argc == 4 ? NPU_DEVICE_EMU : NPU_DEVICE_NPU };
	struct npu_tokenizer *tokenizer = NULL;
	struct npu_err err = { 0 };
	struct npu *npu = NULL;
	int32_t row[NPU_CLIP_LENGTH];
	float x[512];
	const int32_t *id;
	size_t ids;
	int rc;

	if (argc < 3) {
		fprintf(stderr, "usage: embed MODEL TEXT [EMULATOR]\n");
		return 2;
	}
	rc = npu_tokenizer_open(&tokenizer, npu_bpe_clip(), &err);
	if (rc == 0)
		rc = npu_encode(tokenizer, argv[2], strlen(argv[2]), &id, &ids,
		    &err);
	if (rc == 0)
		rc = npu_open(&npu, argv[1], &opt, &err);
	if (rc == 0 && (npu_input_size(npu) != sizeof(row) ||
	    npu_output_size(npu) != 512)) {
		fprintf(stderr, "%s: not CLIP's text encoder\n", argv[1]);
		rc = 1;
	}
	if (rc == 0) {
		npu_clip_row(id, ids, row, NPU_CLIP_LENGTH);
		rc = embed(npu, row, x, 512, &err);
	}
	if (rc == 0)
		printf("%.4f %.4f %.4f %.4f ...\n", x[0], x[1], x[2], x[3]);
	else if (err.msg[0] != '\0')
		fprintf(stderr, "embed: %s\n", err.msg);
	npu_close(npu);
	npu_tokenizer_close(tokenizer);
	return rc != 0;
}
