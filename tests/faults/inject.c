// SPDX-License-Identifier: Apache-2.0
/* inject.c - decides which calls are counted and which fails: inject.h. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject_call.h"

/* The code of a module whose calls count. */
struct module {
	uintptr_t from, to, base;
	char name[32];
};

#define MODULES 32

static struct module modules[MODULES];
static atomic_int nmodules;
static _Atomic uint64_t *count;
static _Atomic int hit = -1;	/* kind of the call that failed */
static uint64_t which, killing;
static long ends_by = SIGKILL;
static bool from_there_on;
static const char *only;
static long frames;
static int log_fd = -1;
static char program_path[4096];

/* Nothing here may be counted, so the injector makes bare system calls. */
static void
say(const char *text)
{
	syscall(SYS_write, 2, text, strlen(text));
}

/*
 * Calls the loader's dlsym(), which we replace below.  Its version is the
 * version of glibc 2.34, or the first version for this machine.
 */
static void *
look_up(void *library, const char *name)
{
	static const char *const versions[] = { "GLIBC_2.34", "GLIBC_2.17",
	    "GLIBC_2.2.5" };
	static void *(*real)(void *, const char *);

	for (size_t i = 0; real == NULL &&
	    i < sizeof(versions) / sizeof(*versions); i++)
		*(void **)&real = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
	if (real == NULL) {
		say("inject: no dlsym\n");
		_exit(125);
	}
	/* A jump: RTLD_NEXT must be resolved for the caller. */
	TAIL return real(library, name);
}

void *
dlsym(void *library, const char *name)
{
	if (strncmp(name, "noe_", 4) != 0)
		TAIL return look_up(library, name);
	return inject_noe(name, look_up(library, name));
}

void *
inject_real(const char *name)
{
	void *f = look_up(RTLD_NEXT, name);

	if (f == NULL) {
		say("inject: no such function: ");
		say(name);
		say("\n");
		_exit(125);
	}
	return f;
}

/*
 * Returns whether name contains one of the words, which are separated by
 * spaces.
 */
static bool
has_word(const char *name, const char *words)
{
	char word[64];
	size_t n;

	for (; words != NULL && *words != '\0'; words += n) {
		words += strspn(words, " ");
		n = strcspn(words, " ");
		if (n == 0 || n >= sizeof(word))
			continue;
		memcpy(word, words, n);
		word[n] = '\0';
		if (strstr(name, word) != NULL)
			return true;
	}
	return false;
}

static bool
counts(const char *path)
{
	const char *tree = getenv("TORTURE_TREE");
	const char *file = strrchr(path, '/');

	if (file == NULL)
		return false;
	if (has_word(file, "onnxruntime inject.so"))
		return false;
	return (tree != NULL && tree[0] != '\0' &&
	    strncmp(path, tree, strlen(tree)) == 0) ||
	    has_word(file, getenv("TORTURE_ALSO"));
}

static int
look_at(struct dl_phdr_info *info, size_t size, void *unused)
{
	const char *path = info->dlpi_name[0] == '\0' ? program_path :
	    info->dlpi_name;
	const char *file = strrchr(path, '/');
	int n = nmodules;

	(void)size, (void)unused;
	for (int i = 0; i < n; i++)
		if (modules[i].base == info->dlpi_addr)
			return 0;
	if (!counts(path))
		return 0;
	for (int i = 0; i < info->dlpi_phnum && n < MODULES; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		struct module *m = &modules[n];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		m->base = info->dlpi_addr;
		m->from = m->base + p->p_vaddr;
		m->to = m->from + p->p_memsz;
		snprintf(m->name, sizeof(m->name), "%.31s",
		    file == NULL ? path : file + 1);
		atomic_store(&nmodules, ++n);
	}
	return 0;
}

void
inject_look(void)
{
	dl_iterate_phdr(look_at, NULL);
}

static const struct module *
module_of(const void *caller)
{
	int n = atomic_load(&nmodules);

	for (int i = 0; i < n; i++)
		if ((uintptr_t)caller >= modules[i].from &&
		    (uintptr_t)caller < modules[i].to)
			return &modules[i];
	return NULL;
}

/*
 * Goes to the caller's frame.  False if it is not a frame: in a library the
 * register may hold another value.
 */
static bool
next_frame(void *const **frame)
{
	uintptr_t is = (uintptr_t)*frame, next = (uintptr_t)**frame;

	*frame = **frame;
	return next > is && next - is < 1 << 20 && next % sizeof(void *) == 0;
}

/*
 * Returns a number for the chain of callers, the same in each process.  The
 * chain ends at code that does not count.
 */
static uint64_t
place_of(void *const *frame)
{
	const struct module *m;
	uint64_t place = 0;

	for (long i = 0; i < frames; i++) {
		if ((m = module_of(frame[1])) == NULL)
			break;
		place = (place ^ ((uintptr_t)frame[1] - m->base)) *
		    UINT64_C(0x100000001b3);
		if (!next_frame(&frame))
			break;
	}
	return place;
}

static void
log_call(uint64_t n, const char *name, const struct module *m,
    const void *caller, void *const *frame)
{
	char line[128];
	/* The address of the call, not of the next instruction. */
	size_t offset = (uintptr_t)caller - 1 - m->base;
	int len = snprintf(line, sizeof(line), "%llu %s %s+0x%zx",
	    (unsigned long long)n, name, m->name, offset);

	if (frames > 0)
		len += snprintf(line + len, sizeof(line) - (size_t)len, " %llx",
		    (unsigned long long)place_of(frame));
	line[len++] = '\n';
	syscall(SYS_write, log_fd, line, (size_t)len);
}

bool
inject_fails(enum kind kind, const char *name, const void *caller)
{
	const struct module *m;
	uint64_t n;
	bool fails;

	if (count == NULL || (only != NULL && strcmp(name, only) != 0) ||
	    (m = module_of(caller)) == NULL)
		return false;
	n = atomic_fetch_add(count, 1) + 1;
	if (n == killing)
		syscall(SYS_kill, 0, ends_by);	/* its process group */
	fails = n == which || (from_there_on && n > which &&
	    hit == (int)kind);
	if (n == which)
		hit = (int)kind;
	if (which == 0 || n == which)
		/* The frame of our replacement for the C library's function. */
		log_call(n, name, m, caller,
		    *(void **)__builtin_frame_address(0));
	return fails;
}

static void
read_kill(void)
{
	const char *at = getenv("TORTURE_KILL");
	const char *by = getenv("TORTURE_SIGNAL");

	if (at != NULL)
		killing = strtoull(at, NULL, 10);
	if (by != NULL)
		ends_by = strtol(by, NULL, 10);
}

__attribute__((constructor)) static void
begin(void)
{
	const char *file = getenv("TORTURE_COUNT");
	const char *fail = getenv("TORTURE_FAIL");
	const char *log = getenv("TORTURE_LOG");
	const char *deep = getenv("TORTURE_FRAMES");
	char *end;
	void *p;
	long fd;

	if (file == NULL || log == NULL ||
	    readlink("/proc/self/exe", program_path,
	    sizeof(program_path) - 1) < 0 || !counts(program_path))
		return;	/* a sanitizer also runs other programs */
	inject_look();
	only = getenv("TORTURE_ONLY");
	if (fail != NULL) {
		which = strtoull(fail, &end, 10);
		from_there_on = *end == '+';
	}
	if (deep != NULL)
		frames = strtol(deep, NULL, 10);
	read_kill();
	/*
	 * A high number: the program's descriptors are then the same in every
	 * run.
	 */
	fd = syscall(SYS_openat, AT_FDCWD, log,
	    O_WRONLY | O_CREAT | O_APPEND, 0666);
	log_fd = fcntl((int)fd, F_DUPFD_CLOEXEC, 900);
	syscall(SYS_close, fd);
	fd = syscall(SYS_openat, AT_FDCWD, file, O_RDWR);
	p = (void *)syscall(SYS_mmap, NULL, sizeof(*count),
	    PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0L);
	syscall(SYS_close, fd);
	if (log_fd < 0 || fd < 0 ||
	    ((intptr_t)p < 0 && (intptr_t)p > -4096)) {
		say("inject: cannot open its files\n");
		_exit(125);
	}
	count = p;
}
