// SPDX-License-Identifier: Apache-2.0
/*
 * lint CIX-LINT FILE - times cix-lint on a model with a table of 300 MB, which
 * it writes to FILE: all rows are read twice.  Goals: 1 s, and 64 MiB resident.
 */
#include "model/protobuf_write.h"
#include "spawn.h"

enum { ROWS = 150000, COLUMNS = 512, ROUNDS = 5 };

/* Field numbers of onnx.proto. */
enum { MODEL_IR = 1, MODEL_GRAPH = 7, MODEL_OPSET = 8 };
enum { GRAPH_NODE = 1, GRAPH_INITIALIZER = 5, GRAPH_IN = 11, GRAPH_OUT = 12 };
enum { DIMS = 1, DATA_TYPE = 2, NAME = 8, RAW_DATA = 9, FLOAT = 1, INT32 = 6 };

static void
put_port(struct buf *graph, unsigned field, const char *name, int type,
    int64_t size)
{
	struct buf port = { 0 }, kind = { 0 }, tensor = { 0 }, shape = { 0 },
	    dim = { 0 };

	pb_put_int(&dim, 1, size);
	pb_put_message(&shape, 1, &dim);
	pb_put_int(&tensor, 1, type);
	pb_put_message(&tensor, 2, &shape);
	pb_put_message(&kind, 1, &tensor);
	pb_put_string(&port, 1, name);
	pb_put_message(&port, 2, &kind);
	pb_put_message(graph, field, &port);
}

/* Adds numbers between -1 and 1 that do not repeat. */
static void
put_table(struct buf *graph)
{
	const size_t n = (size_t)ROWS * COLUMNS;
	float *numbers = malloc(n * sizeof(*numbers));
	uint32_t state = 1;
	struct buf table = { 0 };

	if (numbers == NULL)
		spawn_failed("malloc");
	for (size_t i = 0; i < n; i++) {
		state = state * 1664525 + 1013904223;
		numbers[i] = (float)(int32_t)state / 2147483648.0f;
	}
	pb_put_packed(&table, DIMS, (const int64_t[]){ ROWS, COLUMNS }, 2);
	pb_put_int(&table, DATA_TYPE, FLOAT);
	pb_put_string(&table, NAME, "t");
	pb_put_bytes(&table, RAW_DATA, (struct bytes){ (void *)numbers,
	    n * sizeof(*numbers) });
	pb_put_message(graph, GRAPH_INITIALIZER, &table);
	free(numbers);
}

static void
write_model(const char *path)
{
	struct buf graph = { 0 }, node = { 0 }, model = { 0 }, opset = { 0 };
	FILE *f = fopen(path, "wb");

	pb_put_string(&node, 1, "t");
	pb_put_string(&node, 1, "i");
	pb_put_string(&node, 2, "y");
	pb_put_string(&node, 4, "Gather");
	pb_put_message(&graph, GRAPH_NODE, &node);
	put_port(&graph, GRAPH_IN, "i", INT32, 77);
	put_port(&graph, GRAPH_OUT, "y", FLOAT, 77);
	put_table(&graph);
	pb_put_int(&opset, 2, 13);
	pb_put_int(&model, MODEL_IR, 8);
	pb_put_message(&model, MODEL_OPSET, &opset);
	pb_put_message(&model, MODEL_GRAPH, &graph);
	if (f == NULL || model.failed ||
	    fwrite(model.p, model.n, 1, f) != 1 || fclose(f) != 0)
		spawn_failed(path);
	buf_free(&model);
}

/* Writes the model in a process of its own: a process that is started counts
 * the memory of its parent as its own peak. */
static void
write_apart(const char *path)
{
	pid_t pid = fork();

	if (pid < 0)
		spawn_failed("a process");
	if (pid == 0) {
		write_model(path);
		_exit(0);
	}
	reap(pid, path);
}

int
main(int argc, char *argv[])
{
	const char *program[] = { argc > 1 ? argv[1] : "",
	    argc > 2 ? argv[2] : "", NULL };
	double ms[ROUNDS], typical;
	char figures[80];
	long kib = 0;

	if (argc != 3)
		return 2;
	write_apart(argv[2]);
	for (int i = 0; i < ROUNDS; i++) {
		double begin = now_ms();
		long used = reap(spawn(program, NULL), program[0]);

		ms[i] = now_ms() - begin;
		kib = used > kib ? used : kib;
	}
	remove(argv[2]);
	typical = median(ms, ROUNDS);
	snprintf(figures, sizeof(figures), "%.0f ms, %.1f MiB", typical,
	    (double)kib / 1024);
	return verdict("cix-lint, a model of 300 MB", figures,
	    "1000 ms, 64 MiB", typical <= 1000 && kib <= 64 * 1024) ? 0 : 1;
}
