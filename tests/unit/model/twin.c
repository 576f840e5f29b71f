// SPDX-License-Identifier: Apache-2.0
/* Tests that the twin of a model is searched for in the order of
 * libnoe-emu(7). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/twin.h"
#include "tap.h"

static char folder[4000];

static const char *
in_folder(const char *name)
{
	static char path[4200];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void
put(const char *name, const char *text)
{
	FILE *f = fopen(in_folder(name), "w");

	if (f == NULL || fputs(text, f) == EOF || fclose(f) != 0)
		exit(1);
}

static void
drop(const char *name)
{
	remove(in_folder(name));
}

static void
tidy(void)
{
	static const char *const all[] = { "m.cix", "m.onnx", "plain", "c.x",
	    "cfg/a.cfg", "cfg/b.cfg", "cfg/c.onnx", "model/x.onnx",
	    "model/y.onnx", "cfg", "model", "" };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		drop(all[i]);
}

/* Makes a FIFO without a writer: opening it would wait for ever. */
static void
fifo(const char *name)
{
	if (mkfifo(in_folder(name), 0666) != 0)
		exit(1);
}

/* Returns the path found, relative to the folder; "none" or "failed" without a
 * path. */
static const char *
answer(int rc, char **path)
{
	const char *file = *path;
	static char text[4200];
	size_t n = strlen(folder);

	if (rc <= 0)
		return rc == 0 ? "none" : "failed";
	snprintf(text, sizeof(text), "%s", strncmp(file, folder, n) == 0 ?
	    file + n + 1 : file);
	free(*path);
	return text;
}

static void
named(const char *twin, const char *path, const char *want)
{
	struct npu_err err = { 0 };
	char *file = NULL;
	const char *got;

	if (twin == NULL)
		unsetenv("NPU_TWIN");
	else
		setenv("NPU_TWIN", twin, 1);
	got = answer(twin_named(path, &file, &err), &file);
	if (!ok(strcmp(got, want) == 0,
	    "with NPU_TWIN=%s and %s, the search gives '%s'",
	    twin != NULL ? twin : "(unset)", path != NULL ? "m.cix" :
	    "no path", want))
		diag("%s %s", got, err.msg);
}

static void
around_model(const char *model, const char *what, const char *want)
{
	struct npu_err err = { 0 };
	char path[4200], *file = NULL;
	const char *got;

	snprintf(path, sizeof(path), "%s", in_folder(model));
	got = answer(twin_around(path, &file, &err), &file);
	if (strstr(err.msg, "several") != NULL)
		got = "several";
	if (strstr(err.msg, "not a regular file") != NULL)
		got = "refused";
	if (strstr(err.msg, strerror(ELOOP)) != NULL)
		got = "loop";
	if (!ok(strcmp(got, want) == 0,
	    "%s: the search gives '%s'", what, want))
		diag("%s %s", got, err.msg);
}

static void
around(const char *what, const char *want)
{
	around_model("m.cix", what, want);
}

static void
by_variable(void)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s", in_folder("m.cix"));
	named(NULL, path, "none");
	named("", path, "none");
	named(in_folder("plain"), path, "plain");
	named("/nowhere.onnx", path, "failed");
	named("m=/a:n=/b", path, "/a");
	named("n=/b:m=/a", path, "/a");
	named("mm=/a:=/c:m", path, "none");
	named("x=/a:", path, "none");
	named("m=/a", NULL, "none");
	named("m=/a", "/nowhere/m.cix", "none");
	/* The stem of a model is its whole name if the name does not end in
	 * .cix. */
	named("plain=/a", in_folder("plain"), "/a");
	named("c.x=/a", in_folder("c.x"), "/a");
}

/* Texts of a configuration file, and what is found with each. */
static const struct {
	const char *text, *found;
} lines[] = {
	{ "input_model = model/x.onnx", "model/x.onnx" },
	{ "  input_model='model/x.onnx' # the float model",
	    "model/x.onnx" },
	{ "input_model = model/x.onnx \t;\r", "model/x.onnx" },
	{ "input_model = c.onnx", "cfg/c.onnx" },
	{ "input_model = model/none.onnx", "several" },
	{ "input_model model/x.onnx", "several" },
	{ "input_model =", "several" },
	{ "input_model = model/x.onnx\ninput_model = model/y.onnx",
	    "model/x.onnx" },
	{ "input_model = /nowhere/x.onnx", "several" },
	{ "input_model = /x", "several" },
	{ "input_model = .onnx", "several" },
	{ "input_model = plain", "several" },
	{ "other = model/x.onnx", "several" },
};

static void
by_configuration(void)
{
	char text[4400];

	put("model/x.onnx", "x");
	put("model/y.onnx", "y");
	put("cfg/c.onnx", "c");
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		put("cfg/a.cfg", lines[i].text);
		around(lines[i].text, lines[i].found);
	}
	snprintf(text, sizeof(text), "input_model = %s\n", folder);
	strcpy(text + strlen(text) - 1, "/model/y.onnx\n");
	put("cfg/a.cfg", text);
	around("input_model is an absolute path", "model/y.onnx");
	put("cfg/b.cfg", "input_model = model/x.onnx\n");
	around("two configurations name different twins", "several");
	drop("model/y.onnx");
	put("cfg/a.cfg", "input_model = c.onnx\n");
	around("two configurations name different twins, one of which is "
	    "missing", "several");
	put("model/y.onnx", "y");
	put("cfg/a.cfg", "input_model = model/y.onnx\n");
	put("cfg/b.cfg", "outputs = out/m.cix\ninput_model = model/x.onnx\n");
	around("of two configurations, one names the model as its output",
	    "model/x.onnx");
	put("cfg/b.cfg", "outputs = m\ninput_model = model/x.onnx\n");
	around("of two configurations, one names the model without .cix as its "
	    "output", "model/x.onnx");
	put("cfg/b.cfg", "outputs = mm.cix\ninput_model = model/x.onnx\n");
	around("of two configurations, one names another model as its output",
	    "several");
	put("cfg/b.cfg", "input_model = model/y.onnx\n");
	around("two configurations name the same twin", "model/y.onnx");
	put("cfg/B.cfg", "outputs = m.cix\ninput_model = model/x.onnx\n");
	put("cfg/a.cfg", "outputs = m.cix\ninput_model = model/y.onnx\n");
	around("two configurations name the model as output; the first in the "
	    "order of bytes counts", "model/x.onnx");
	drop("cfg/B.cfg");
	put("cfg/a.cfg", "input_model = model/y.onnx\n");
	put("cfg/.h.cfg", "outputs = m.cix\ninput_model = model/x.onnx\n");
	put("cfg/cfg", "outputs = m.cix\ninput_model = model/x.onnx\n");
	put("cfg/c.txt", "outputs = m.cix\ninput_model = model/x.onnx\n");
	around("hidden files, and files not called *.cfg, are not "
	    "configurations", "model/y.onnx");
	drop("cfg/.h.cfg");
	drop("cfg/cfg");
	drop("cfg/c.txt");
}

/* Tests configurations that are not read because they are larger than allowed,
 * or because input_model is longer than a path or a name can be. */
static void
by_large_configuration(void)
{
	static char text[(1 << 20) + 2];

	memset(text, '\n', sizeof(text) - 1);
	memcpy(text, "input_model = model/x.onnx", 26);
	put("cfg/a.cfg", text);
	around("a configuration of more than 1 MiB", "several");
	text[sizeof(text) - 2] = '\0';
	put("cfg/a.cfg", text);
	around("a configuration of 1 MiB", "model/x.onnx");
	memset(text, 'x', PATH_MAX);
	strcpy(text + PATH_MAX, ".onnx");
	memcpy(text, "input_model = ", 14);
	put("cfg/a.cfg", text);
	around("input_model is longer than a path can be", "several");
	memmove(text + 14 + NAME_MAX, text + PATH_MAX, 6);
	put("cfg/a.cfg", text);
	around("input_model is longer than a file name can be", "several");
}

static char *
joined(const char *in, const char *name)
{
	static char path[100];

	snprintf(path, sizeof(path), "%s/%s", in, name);
	return path;
}

/* The name of a folder that is a pattern, and the name of a folder that the
 * pattern matches. */
static const char *const patterns[][2] = {
	{ "v[1]", "v1" }, { "a*", "ab" }, { "a?", "aa" }, { "b\\s", "bs" },
	{ "[!x]", "y" }, { "[", "z" },
};

/* Tests that the folder's own twin is found, never a twin in the other
 * folder. */
static void
by_pattern(const char *own, const char *other)
{
	static const char cfg[] = "input_model = model/x.onnx\n";
	static const char *const folders[] = { "", "cfg", "model" };
	static const char *const files[] = { "m.cix", "cfg/a.cfg",
	    "model/x.onnx", "model/y.onnx", "cfg", "model", "" };
	char model[100], want[100];

	for (size_t i = 0; i < 3; i++) {
		mkdir(in_folder(joined(own, folders[i])), 0777);
		mkdir(in_folder(joined(other, folders[i])), 0777);
	}
	strcpy(model, joined(own, "m.cix"));
	strcpy(want, joined(own, "model/x.onnx"));
	put(model, "");
	put(joined(other, "model/x.onnx"), "x");
	around_model(model, own, "failed");
	put(joined(other, "cfg/a.cfg"), cfg);
	put(want, "x");
	around_model(model, own, want);
	put(joined(own, "model/y.onnx"), "y");
	around_model(model, own, "several");
	put(joined(own, "cfg/a.cfg"), cfg);
	around_model(model, own, want);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		drop(joined(own, files[i]));
		drop(joined(other, files[i]));
	}
}

/* Tests that a FIFO is refused or skipped without waiting for a writer. */
static void
by_fifo(void)
{
	alarm(300);
	put("cfg/b.cfg", "input_model = model/y.onnx\n");
	fifo("cfg/a.cfg");
	around("a configuration is a FIFO", "model/y.onnx");
	drop("cfg/a.cfg");
	put("cfg/a.cfg", "input_model = f.onnx\noutputs = m.cix\n");
	fifo("f.onnx");
	around("a configuration names a FIFO", "refused");
	drop("cfg/a.cfg");
	drop("cfg/b.cfg");
	drop("f.onnx");
	fifo("m.onnx");
	around("STEM.onnx is a FIFO", "refused");
	drop("m.onnx");
	mkdir(in_folder("m.onnx"), 0777);
	around("STEM.onnx is a folder", "refused");
	drop("m.onnx");
	drop("model/y.onnx");
	fifo("model/y.onnx");
	around("the only model/*.onnx is a FIFO", "refused");
	drop("model/y.onnx");
	/* A link whose target cannot be opened: */
	ok(symlink("nowhere", in_folder("model/y.onnx")) == 0,
	    "a link to a missing file is made");
	around("the only model/*.onnx is a link to a missing file",
	    "model/y.onnx");
	drop("model/y.onnx");
	put("model/y.onnx", "y");
	alarm(0);
}

/* An unreadable file might have named another model, so the search must
 * fail. */
static void
by_loop(void)
{
	static const struct {
		const char *moved, *loop, *to;
	} loops[] = {
		{ NULL, "cfg/a.cfg", "a.cfg" },
		{ "cfg", "cfg", "cfg" },
		{ "model", "model", "model" },
		{ NULL, "m.onnx", "m.onnx" },
		{ NULL, "l.onnx", "l.onnx" },
	};
	char other[4200];

	put("cfg/b.cfg", "input_model = l.onnx\noutputs = m.cix\n");
	for (size_t i = 0; i < sizeof(loops) / sizeof(*loops); i++) {
		const char *moved = loops[i].moved;

		snprintf(other, sizeof(other), "%s", in_folder("moved"));
		if (moved != NULL)
			rename(in_folder(moved), other);
		if (symlink(loops[i].to, in_folder(loops[i].loop)) < 0)
			diag("%s", strerror(errno));
		around(loops[i].loop, "loop");
		unlink(in_folder(loops[i].loop));
		if (moved != NULL)
			rename(other, in_folder(moved));
	}
	drop("cfg/b.cfg");
	around("the loops are removed", "model/y.onnx");
	rename(in_folder("cfg"), other);
	put("cfg", "input_model = model/x.onnx\n");
	around("cfg is a file, not a folder", "model/y.onnx");
	drop("cfg");
	rename(other, in_folder("cfg"));
}

enum { NAME = 240, LONGEST = 250 };

/* Enters folder/name/name/..., so deep that the path of a file there may exceed
 * PATH_MAX. */
static bool
go_down(const char *name)
{
	bool done = chdir(folder) == 0;

	for (size_t n = strlen(folder); done && n + 1 + NAME + 16 < PATH_MAX;
	    n += 1 + NAME) {
		mkdir(name, 0777);
		done = chdir(name) == 0;
	}
	return done;
}

static bool
touch(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY, 0666);

	return fd >= 0 && close(fd) == 0;
}

/* Tests that the only file in model/ is not found if its path is too long. */
static void
by_long_path(void)
{
	char name[NAME + 1], file[LONGEST + 7], path[PATH_MAX + 10] = "";
	int back = open(".", O_RDONLY | O_DIRECTORY);
	struct npu_err err = { 0 };
	size_t n;
	char *twin;

	memset(name, 'd', NAME);
	name[NAME] = '\0';
	snprintf(file, sizeof(file), "model/%s12345.onnx", name);
	ok(go_down(name) && getcwd(path, PATH_MAX) != NULL && touch("m.cix") &&
	    mkdir("model", 0777) == 0 && touch(file),
	    "a model with a long path is made");
	n = strlen(path);
	strcpy(path + n, "/m.cix");
	ok(n + 1 + strlen(file) >= PATH_MAX && twin_around(path, &twin, &err) ==
	    NPU_EUSAGE && strstr(err.msg, "found none") != NULL,
	    "a twin whose path would have %zu bytes is not found",
	    n + 1 + strlen(file));
	rename(file, "model/y.onnx");
	if (ok(twin_around(path, &twin, &err) == 1,
	    "a twin with a shorter path is found"))
		free(twin);
	remove("model/y.onnx");
	remove("model");
	remove("m.cix");
	while (chdir("..") == 0 && rmdir(name) == 0)
		continue;
	ok(back >= 0 && fchdir(back) == 0, "the working directory is restored");
	close(back);
}

static void
by_place(void)
{
	char *file;

	around("no twin exists", "failed");
	put("m.onnx", "m");
	around("a twin is next to the model", "m.onnx");
	drop("m.onnx");
	mkdir(in_folder("cfg"), 0777);
	mkdir(in_folder("model"), 0777);
	by_configuration();
	drop("cfg/b.cfg");
	by_large_configuration();
	drop("cfg/a.cfg");
	around("no configuration, and two files in model/", "several");
	drop("model/x.onnx");
	around("the only model/*.onnx", "model/y.onnx");
	put("model/.h.onnx", "h");
	put("model/y.txt", "y");
	around("a hidden file and a text file in model/ are ignored",
	    "model/y.onnx");
	drop("model/.h.onnx");
	drop("model/y.txt");
	by_fifo();
	by_loop();
	by_long_path();
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		by_pattern(patterns[i][0], patterns[i][1]);
	ok(twin_around(NULL, &file, NULL) == NPU_EUSAGE &&
	    twin_around("/nowhere/m.cix", &file, NULL) == NPU_EUSAGE,
	    "a model without a name, or a missing model, is refused");
}

int
main(void)
{
	const char *b = getenv("B");

	snprintf(folder, sizeof(folder), "%s/twin.XXXXXX",
	    b != NULL ? b : "build");
	if (mkdtemp(folder) == NULL)
		return 1;
	b = realpath(folder, NULL);
	snprintf(folder, sizeof(folder), "%s", b);
	free((void *)b);
	put("m.cix", "");
	put("plain", "");
	put("c.x", "");
	by_variable();
	by_place();
	tidy();
	return done();
}
