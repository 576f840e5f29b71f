// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/num.h"
#include "emu/log.h"
#include "emu/message.h"
#include "emu/settings.h"
#include "noe_abi.h"

extern char **environ;

#define MAX_RULES 64
#define MAX_MS 86400e3		/* one day */

/* CALL:WHICH:FAULT in NPU_EMU_FAULT. */
struct rule {
	enum emu_call call;
	uint64_t from, to;	/* call numbers, from 1; or: */
	uint64_t one_in;	/* one in so many, at random; or 0 */
	enum emu_fault fault;
	int64_t delay;		/* ns, from "delay=MS" */
};

struct emu_settings emu_settings = {
	.compute = EMU_TWIN, .partitions = 1, .clusters = 1, .cores = 3,
	.device = NOE_DEVICE_NPU,
};

static struct rule rules[MAX_RULES];
static size_t n_rules;
static atomic_ullong calls[EMU_CALLS];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool invalid;

/* For each call: its name in NPU_EMU_FAULT, the variable that sets its time,
 * and the faults that it can meet. */
#define BIT(fault) (1u << (fault))
static const struct {
	const char *name, *variable;
	unsigned faults;
} call_names[EMU_CALLS] = {
	[EMU_INIT] = { "init", "NPU_EMU_INIT_MS",
	    BIT(EMU_ABNORMAL) | BIT(EMU_NODEVICE) },
	[EMU_GRAPH] = { "graph", "NPU_EMU_GRAPH_MS",
	    BIT(EMU_NOMEM) | BIT(EMU_NODEVICE) },
	[EMU_CREATE] = { "create", "NPU_EMU_CREATE_MS",
	    BIT(EMU_NOMEM) | BIT(EMU_GRID) | BIT(EMU_NODEVICE) },
	[EMU_LOAD] = { "load", "NPU_EMU_LOAD_MS", BIT(EMU_NODEVICE) },
	[EMU_INFER] = { "infer", "NPU_EMU_INFER_MS",
	    BIT(EMU_TIMEOUT) | BIT(EMU_EXCEPTION) | BIT(EMU_COREDUMP) |
	    BIT(EMU_SCHEDULE) | BIT(EMU_ABNORMAL) | BIT(EMU_NODEVICE) },
	[EMU_STATUS] = { "status", "NPU_EMU_STATUS_MS",
	    BIT(EMU_TIMEOUT) | BIT(EMU_ABNORMAL) | BIT(EMU_NODEVICE) },
	[EMU_GET] = { "get", "NPU_EMU_GET_MS", BIT(EMU_NODEVICE) },
	[EMU_CLEAN] = { "clean", "NPU_EMU_CLEAN_MS", BIT(EMU_NODEVICE) },
	[EMU_UNLOAD] = { "unload", "NPU_EMU_UNLOAD_MS", BIT(EMU_NODEVICE) },
	[EMU_DEINIT] = { "deinit", "NPU_EMU_DEINIT_MS", BIT(EMU_NODEVICE) },
};

static const char *const fault_names[EMU_FAULTS] = {
	[EMU_TIMEOUT] = "timeout", [EMU_EXCEPTION] = "exception",
	[EMU_COREDUMP] = "coredump", [EMU_NOMEM] = "nomem",
	[EMU_GRID] = "grid", [EMU_SCHEDULE] = "schedule",
	[EMU_ABNORMAL] = "abnormal", [EMU_NODEVICE] = "nodevice",
};

/* Reports one mistake; the rest of the environment is still read. */
static void
reject(const char *name, const char *value, const char *why)
{
	emu_message("%s=%s: %s; libnoe-emu(7) lists what it may be", name,
	    value, why);
	invalid = true;
}

static bool
read_ms(const char *name, const char *value, int64_t *ns)
{
	struct npu_err err;
	double ms;

	if (num_double(value, 0, MAX_MS, &ms, &err) < 0) {
		reject(name, value, "not a number of milliseconds from 0 to "
		    "86400000");
		return false;
	}
	*ns = (int64_t)(ms * 1e6);
	return true;
}

static void
read_count(const char *name, const char *value, uint32_t least, uint32_t most,
    uint32_t *n)
{
	struct npu_err err;
	int64_t v;

	if (num_int(value, least, most, &v, &err) < 0)
		reject(name, value, err.msg);
	else
		*n = (uint32_t)v;
}

static void
read_compute(const char *name, const char *value)
{
	static const struct {
		const char *name;
		enum emu_compute compute;
	} kinds[] = {
		{ "twin", EMU_TWIN }, { "none", EMU_ZERO },
		{ "copy", EMU_COPY }, { "fill", EMU_FILL },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(value, kinds[i].name) == 0) {
			emu_settings.compute = kinds[i].compute;
			return;
		}
	}
	reject(name, value, "not twin, none, copy or fill");
}

/* Reads "3", "3+" (3 and all later), "3-5", "*" (all) or "1/3" (one in 3). */
static bool
read_range(const char *s, struct rule *r)
{
	char *end;

	r->from = 1;
	r->to = UINT64_MAX;
	if (strcmp(s, "*") == 0)
		return true;
	if (!isdigit((unsigned char)*s))
		return false;
	if (strncmp(s, "1/", 2) == 0 && isdigit((unsigned char)s[2])) {
		r->one_in = strtoull(s + 2, &end, 10);
		return *end == '\0' && r->one_in >= 1;
	}
	r->from = strtoull(s, &end, 10);
	if (*end == '\0')
		r->to = r->from;
	else if (*end == '-' && isdigit((unsigned char)end[1]))
		r->to = strtoull(end + 1, &end, 10);
	else if (strcmp(end, "+") == 0)
		end++;
	return *end == '\0' && r->from >= 1 && r->to >= r->from;
}

static const char *
read_rule(char *s, struct rule *r)
{
	char *which = strchr(s, ':'), *fault;
	size_t i;

	if (which == NULL || (fault = strchr(which + 1, ':')) == NULL)
		return "a fault is CALL:WHICH:FAULT";
	*which++ = '\0';
	*fault++ = '\0';
	for (i = 0; i < EMU_CALLS; i++)
		if (strcmp(s, call_names[i].name) == 0)
			break;
	if (i == EMU_CALLS)
		return "no such call";
	r->call = (enum emu_call)i;
	if (!read_range(which, r))
		return "which call is N, N+, N-M or *, counted from 1, or "
		    "1/N";
	if (strncmp(fault, "delay=", 6) == 0)
		return read_ms("NPU_EMU_FAULT delay", fault + 6, &r->delay) ?
		    NULL : "the delay is not understood";
	for (i = 1; i < EMU_FAULTS; i++)
		if (strcmp(fault, fault_names[i]) == 0)
			break;
	if (i == EMU_FAULTS)
		return "no such fault";
	if ((call_names[r->call].faults & BIT(i)) == 0)
		return "this call cannot meet this fault";
	r->fault = (enum emu_fault)i;
	return NULL;
}

static void
read_faults(const char *name, const char *value)
{
	char *copy = strdup(value), *save = NULL;
	const char *wrong = NULL;

	if (copy == NULL)
		wrong = "out of memory";
	else if (*value == '\0')
		wrong = "a fault is CALL:WHICH:FAULT";
	for (char *s = copy == NULL ? NULL : strtok_r(copy, ",", &save);
	    s != NULL && wrong == NULL; s = strtok_r(NULL, ",", &save)) {
		if (n_rules == MAX_RULES)
			wrong = "more than 64 faults";
		else
			wrong = read_rule(s, &rules[n_rules]);
		n_rules += wrong == NULL;
	}
	if (wrong != NULL)
		reject(name, value, wrong);
	free(copy);
}

static void
read_setting(const char *name, const char *value)
{
	struct emu_settings *s = &emu_settings;

	for (size_t i = 0; i < EMU_CALLS; i++) {
		if (strcmp(name, call_names[i].variable) == 0) {
			read_ms(name, value, &s->ns[i]);
			return;
		}
	}
	if (strcmp(name, "NPU_EMU_NOISE") == 0) {
		s->noise = strcmp(value, "1") == 0;
		if (!s->noise && strcmp(value, "0") != 0)
			reject(name, value, "not 0 or 1");
	} else if (strcmp(name, "NPU_EMU_COMPUTE") == 0) {
		read_compute(name, value);
	} else if (strcmp(name, "NPU_EMU_FAULT") == 0) {
		read_faults(name, value);
	} else if (strcmp(name, "NPU_EMU_LOG") == 0) {
		if (!log_open(value))
			reject(name, value, strerror(errno));
	} else if (strcmp(name, "NPU_EMU_SEED") == 0) {
		read_count(name, value, 0, UINT32_MAX, &s->seed);
	} else if (strcmp(name, "NPU_EMU_DEVICE") == 0) {
		read_count(name, value, 0, UINT32_MAX, &s->device);
	} else if (strcmp(name, "NPU_EMU_PARTITIONS") == 0) {
		read_count(name, value, 0, 4, &s->partitions);
	} else if (strcmp(name, "NPU_EMU_CLUSTERS") == 0) {
		read_count(name, value, 1, 8, &s->clusters);
	} else if (strcmp(name, "NPU_EMU_CORES") == 0) {
		read_count(name, value, 1, 16, &s->cores);
	} else {
		reject(name, value, "no such knob");
	}
}

static void
read_all(void)
{
	char name[64];

	for (char **e = environ; *e != NULL; e++) {
		size_t n = strcspn(*e, "=");

		if (strncmp(*e, "NPU_EMU_", 8) != 0)
			continue;
		if (n >= sizeof(name))
			n = sizeof(name) - 1;
		memcpy(name, *e, n);
		name[n] = '\0';
		read_setting(name, (*e)[n] == '=' ? *e + n + 1 : "");
	}
	emu_noise_on = emu_settings.noise;
}

bool
emu_read_settings(void)
{
	pthread_once(&once, read_all);
	return !invalid;
}

static void
sleep_ns(int64_t ns)
{
	struct timespec t = { ns / 1000000000, ns % 1000000000 };

	while (ns > 0 && nanosleep(&t, &t) != 0)
		;
}

/* The output function of splitmix64: Steele, Lea, Flood, "Fast splittable
 * pseudorandom number generators", OOPSLA 2014. */
static uint64_t
mix(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Returns whether the rule applies to call n.  A random choice depends on the
 * seed, the rule and the call number only, not on other calls. */
static bool
applies(const struct rule *r, uint64_t n)
{
	uint64_t own = (uint64_t)emu_settings.seed * MAX_RULES +
	    (uint64_t)(r - rules) + 1;

	if (r->one_in > 0)
		return mix(mix(own) + n) % r->one_in == 0;
	return n >= r->from && n <= r->to;
}

static void
log_call(enum emu_call call, uint64_t n, enum emu_fault fault, int64_t delay,
    bool delayed)
{
	uint64_t runs = call == EMU_INFER ? n : atomic_load(&calls[EMU_INFER]);

	if (delayed)
		log_delay(call_names[call].name, n, runs, delay);
	if (fault != EMU_NO_FAULT)
		log_fault(call_names[call].name, n, runs, fault_names[fault]);
}

enum emu_fault
emu_call_fault(enum emu_call call, int64_t *more)
{
	enum emu_fault fault = EMU_NO_FAULT;
	uint64_t n = atomic_fetch_add(&calls[call], 1) + 1;
	int64_t delay = 0;
	bool delayed = false;

	for (size_t i = 0; i < n_rules; i++) {
		if (rules[i].call != call || !applies(&rules[i], n))
			continue;
		delay += rules[i].delay;
		if (rules[i].fault != EMU_NO_FAULT)
			fault = rules[i].fault;
		else
			delayed = true;
	}
	log_call(call, n, fault, delay, delayed);
	if (call != EMU_INFER)
		sleep_ns(emu_settings.ns[call] + delay);
	if (more != NULL)
		*more = delay;
	return fault;
}
