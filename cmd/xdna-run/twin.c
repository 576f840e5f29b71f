// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "ref/kernel.h"
#include "suggest.h"
#include "twin.h"
#include "xclbin/key_values.h"

#define VARIABLE "NPU_TWIN"
#define COPY "copy"
#define KEY "npu-utils.twin"

static bool
is_twin(const char *name)
{
	return strcmp(name, COPY) == 0 || ref_kernel_find(name) != NULL;
}

/* Ends the program with a usage error if name is not the name of a twin.  from
 * is the option or the environment variable that has the value. */
static void
check_name(const char *from, const char *name)
{
	struct suggestion s;

	if (is_twin(name))
		return;
	suggest_begin(&s, name, strlen(name));
	suggest_try(&s, COPY);
	for (const struct ref_kernel *k = ref_kernels; k->name != NULL; k++)
		suggest_try(&s, k->name);
	if (s.best != NULL)
		cmd_usage("%s: no twin is called '%s'; did you mean '%s'?",
		    from, name, s.best);
	cmd_usage("%s: no twin is called '%s'; " COPY ", or a kernel that "
	    "npu-ref --help lists", from, name);
}

void
twin_check(const char *name)
{
	check_name("--twin", name);
}

/* Called for each key of the container: keeps the value of KEY. */
static void
take_key(void *arg, const char *key, const char *value)
{
	char **twin = arg;

	if (strcmp(key, KEY) != 0)
		return;
	free(*twin);
	*twin = cmd_copy(value);
}

/* Returns the name of the twin in the container, or NULL.  Owned by the
 * caller. */
static char *
twin_of_container(const struct job *j)
{
	struct axlf_section s;
	struct npu_err err;
	char *twin = NULL;

	if (axlf_find(&j->x.axlf, AXLF_KEYVALUE_METADATA, &s) && s.whole &&
	    key_values_read(s.data, take_key, &twin, &err) < 0)
		cmd_die("%s: KEYVALUE_METADATA: %s; --twin names what the "
		    "emulated device computes", j->container, err.msg);
	return twin;
}

void
twin_set(const char *name, const struct job *j)
{
	const char *env = getenv(VARIABLE);
	char *of_container = NULL;

	if (name == NULL && env != NULL && *env != '\0') {
		check_name(VARIABLE, env);
		name = env;
	}
	if (name == NULL)
		name = of_container = twin_of_container(j);
	if (name == NULL) {
		cmd_warn("the emulated device cannot execute a PDI: name what "
		    "the kernel computes with --twin, " COPY " or a kernel of "
		    "npu-ref");
		cmd_exit(EXIT_NODEVICE);
	} else if (!is_twin(name)) {
		cmd_die("%s: the key " KEY ": no twin is called '%s'; --twin "
		    "names another", j->container, name);
	}
	if (setenv(VARIABLE, name, 1) < 0)
		cmd_die("out of memory");
	cmd_detail("the emulated device computes %s", name);
	free(of_container);
}
