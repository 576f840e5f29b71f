/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linked to programs under clang's shared AddressSanitizer, in the asan leg.
 *
 * At the end of each process LeakSanitizer looks for pointers in all that
 * libraries may write to, as dl_iterate_phdr(3) lists it; 10 MB of that are the
 * zeros of the sanitizers' own library (readelf -l: MemSiz beyond FileSiz),
 * which holds no pointers of a program there.  They were 30 % of the time of a
 * short program.  So the sanitizers, which find this function first, see that
 * library without them; LeakSanitizer has its own list of threads.
 */
#include <dlfcn.h>
#include <link.h>
#include <string.h>

enum { SEGMENTS = 32 };

typedef int callback(struct dl_phdr_info *, size_t, void *);

static int (*iterate)(callback *, void *);

struct caller {
	callback *callback;
	void *data;
};

/* Called while all threads are stopped, too: allocates nothing. */
static int
without_zeros(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct caller *c = data;
	struct dl_phdr_info shown = *info;
	ElfW(Phdr) p[SEGMENTS];

	if (strstr(info->dlpi_name, "/libclang_rt.") == NULL ||
	    info->dlpi_phnum > SEGMENTS)
		return c->callback(info, size, c->data);
	memcpy(p, info->dlpi_phdr, info->dlpi_phnum * sizeof(*p));
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (p[i].p_type == PT_LOAD && (p[i].p_flags & PF_W))
			p[i].p_memsz = p[i].p_filesz;
	shown.dlpi_phdr = p;
	return c->callback(&shown, size, c->data);
}

static void
find_iterate(void)
{
	*(void **)&iterate = dlsym(RTLD_NEXT, "dl_iterate_phdr");
}

/* dlsym() must not be called for the first time while threads are stopped. */
__attribute__((constructor)) static void
prepare(void)
{
	find_iterate();
}

int
dl_iterate_phdr(callback *callback, void *data)
{
	struct caller c = { callback, data };

	if (iterate == NULL)
		find_iterate();
	return iterate(without_zeros, &c);
}
