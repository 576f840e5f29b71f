// SPDX-License-Identifier: Apache-2.0
/*
 * mkcix - writes a model file that is sound, odd or damaged, by name.
 *
 *	mkcix			prints the names, one on each line
 *	mkcix --list		prints name, a tab, and the check that refuses
 *				the model, or "sound"
 *	mkcix [OPTION]... [NAME] >FILE	NAME is "sound" if not given
 *	mkcix [OPTION]... --all=FOLDER	writes each to FOLDER/NAME.cix
 *				(.elf with --elf)
 *
 *	--in=TYPE:N[:SCALE[:ZERO[:ID]]]  an input of N elements, or AxBxC
 *	--out=...		the same for outputs; default s8:64
 *	--in=none --out=none	no inputs, no outputs
 *	--isa=N --config=N	for the device word (5 and 1204: X2_1204)
 *	--op=fill|copy|xor	what the stand-in device computes for byte i of
 *				output o: i + o; the input's bytes, repeated
 *				(default); the input's ^ 0x55
 *	--name=NAME --twin=FILE	name and twin (ONNX for the emulator)
 *	--elf			writes only the graph ELF
 *
 * The same arguments always give the same bytes.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "cixgen/make.h"

static const struct damage *const tables[] = { sound_rows, graph_rows,
    container_rows };

#define NTABLES (sizeof(tables) / sizeof(*tables))

static void
list(bool checks)
{
	for (size_t i = 0; i < NTABLES; i++)
		for (const struct damage *d = tables[i]; d->name != NULL; d++)
			if (checks)
				printf("%s\t%s\n", d->name,
				    d->check == CIX_SOUND ? "sound" :
				    cix_check_name(d->check));
			else
				puts(d->name);
}

static const struct damage *
find(const char *name)
{
	for (size_t i = 0; i < NTABLES; i++)
		for (const struct damage *d = tables[i]; d->name != NULL; d++)
			if (strcmp(d->name, name) == 0)
				return d;
	bad("no such name; mkcix alone lists them");
}

static uint32_t
number(const char *s)
{
	char *end;
	long long v = strtoll(s, &end, 0);

	if (end == s || *end != '\0')
		bad("not a number");
	return (uint32_t)v;
}

static void
shape(struct npu_tensor *t, char *s)
{
	char *save = NULL;

	t->size = npu_dtype_size(t->dtype);
	for (s = strtok_r(s, "x", &save); s != NULL;
	    s = strtok_r(NULL, "x", &save)) {
		if (t->ndim == NPU_MAX_DIMS)
			bad("too many dimensions");
		t->dim[t->ndim] = number(s);
		t->size *= t->dim[t->ndim++];
	}
}

/* Adds a tensor TYPE:N[:SCALE[:ZERO[:ID]]].  TYPE is a name or a number; the
 * elements of an unknown type have one byte. */
static void
add(struct npu_tensor *io, uint32_t *id, size_t *n, const char *spec)
{
	struct npu_tensor t = { .scale = 1 };
	char copy[200], *save = NULL, *s;

	if (*n == MAX_IO)
		bad("too many tensors");
	snprintf(copy, sizeof(copy), "%s", spec);
	id[*n] = (uint32_t)*n;
	for (int i = 0; (s = strtok_r(i == 0 ? copy : NULL, ":", &save)) !=
	    NULL; i++) {
		if (i == 0 && npu_dtype_by_name(s) >= 0)
			t.dtype = (uint32_t)npu_dtype_by_name(s);
		else if (i == 0)
			t.dtype = number(s);
		else if (i == 1)
			shape(&t, s);
		else if (i == 2)
			t.scale = strtof(s, NULL);
		else if (i == 3)
			t.zero_point = (int32_t)number(s);
		else
			id[*n] = number(s);
	}
	if (npu_dtype_size(t.dtype) == 0) {
		t.size = t.dim[0];
		t.ndim = 0;
	}
	io[(*n)++] = t;
}

static struct buf twin;

static void
read_twin(struct make *m, const char *path)
{
	FILE *f = fopen(path, "rb");
	char part[4096];
	size_t n;

	if (f == NULL)
		bad("cannot open the twin");
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		buf_add(&twin, part, n);
	fclose(f);
	m->graph.twin = (struct bytes){ (uint8_t *)twin.p, twin.n };
}

static uint32_t
operation(const char *s)
{
	static const char *const ops[] = { "fill", "copy", "xor" };

	for (uint32_t i = 0; i < 3; i++)
		if (strcmp(s, ops[i]) == 0)
			return i;
	bad("--op is fill, copy or xor");
}

static void
write_model(const struct make *settings, const struct damage *d, bool elf,
    FILE *f)
{
	struct make m = *settings;
	const struct buf *b = elf ? &m.elf : &m.file;

	make_model(&m, d);
	if (fwrite(b->p, 1, b->n, f) != b->n || fflush(f) != 0)
		bad("cannot write");
	make_free(&m);
}

/* Writes all in one process, because under a sanitizer or qemu a process starts
 * slowly. */
static void
write_all(const struct make *settings, bool elf, const char *folder)
{
	char path[4096];
	FILE *f;

	for (size_t i = 0; i < NTABLES; i++)
		for (const struct damage *d = tables[i]; d->name != NULL; d++) {
			snprintf(path, sizeof(path), "%s/%s.%s", folder,
			    d->name, elf ? "elf" : "cix");
			if ((f = fopen(path, "wb")) == NULL)
				bad("cannot create a file in that folder");
			write_model(settings, d, elf, f);
			fclose(f);
		}
}

int
main(int argc, char *argv[])
{
	static const struct option options[] = {
		{ "list", no_argument, NULL, 'l' },
		{ "in", required_argument, NULL, 'i' },
		{ "out", required_argument, NULL, 'o' },
		{ "isa", required_argument, NULL, 'a' },
		{ "config", required_argument, NULL, 'c' },
		{ "op", required_argument, NULL, 'p' },
		{ "name", required_argument, NULL, 'n' },
		{ "twin", required_argument, NULL, 't' },
		{ "elf", no_argument, NULL, 'e' },
		{ "all", required_argument, NULL, 'f' },
		{ NULL, 0, NULL, 0 }
	};
	uint32_t isa = CIX_ISA_X2, config = 1204;
	struct make m = { .op = 1 };
	bool elf = false, no_in = false, no_out = false;
	const char *folder = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (c) {
		case 'l': list(true); return 0;
		case 'i':
			if (!(no_in = strcmp(optarg, "none") == 0))
				add(m.in, m.in_id, &m.n_in, optarg);
			break;
		case 'o':
			if (!(no_out = strcmp(optarg, "none") == 0))
				add(m.out, m.out_id, &m.n_out, optarg);
			break;
		case 'a': isa = number(optarg); break;
		case 'c': config = number(optarg); break;
		case 'p': m.op = operation(optarg); break;
		case 'n': m.container.name = optarg; break;
		case 't': read_twin(&m, optarg); break;
		case 'e': elf = true; break;
		case 'f': folder = optarg; break;
		default: return 2;
		}
	if (argc == 1) {
		list(false);
		return 0;
	}
	if (argc - optind > (folder == NULL))
		bad("one name only, none with --all");
	if (m.n_in == 0 && !no_in)
		add(m.in, m.in_id, &m.n_in, "s8:64");
	if (m.n_out == 0 && !no_out)
		add(m.out, m.out_id, &m.n_out, "s8:64");
	m.graph.device = isa << 16 | config;
	if (folder != NULL)
		write_all(&m, elf, folder);
	else
		write_model(&m, find(optind < argc ? argv[optind] : "sound"),
		    elf, stdout);
	buf_free(&twin);
	return 0;
}
