// SPDX-License-Identifier: Apache-2.0
/* npu-zmq - objects in raw frames, for Frigate's detector over ZeroMQ. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "device.h"
#include "endpoint.h"
#include "health.h"
#include "inference.h"
#include "pictures/preprocess_options.h"
#include "reply.h"
#include "server.h"
#include "serving/notify.h"
#include "serving/service.h"

enum {
	OPT_ALIAS = 256, OPT_ANY_ADDRESS, OPT_DRAIN, OPT_ENDPOINT, OPT_HEALTH,
	OPT_IN_FLIGHT, OPT_INPUT_DTYPE, OPT_IOU, OPT_JSON, OPT_MAX_MESSAGE,
	OPT_MAX_WAITING, OPT_NAMES, OPT_ONLY, OPT_ORDER, OPT_TIME_WAIT,
};

#define DEFAULT_MODEL "yolov8n.cix"

static const char *const healths[] = { "live", "ready", NULL };
static const char *const floats[] = { "float", "float_denorm", NULL };

static const struct opt options[] = {
	TAKES(OPT_ENDPOINT, "endpoint", "=ENDPOINT", COMPLETE_NONE,
	    "tcp://IP:PORT or ipc://PATH (" ENDPOINT_DEFAULT "); port 0 is "
	    "any that is free"),
	FLAG(OPT_ANY_ADDRESS, "any-address",
	    "let other machines ask, without a password"),
	TAKES('m', "model", "=MODEL", COMPLETE_MODEL,
	    "the detector (" DEFAULT_MODEL ")"),
	TAKES(OPT_ALIAS, "alias", "=NAME", COMPLETE_NONE,
	    "another name that clients have for the model; may be repeated"),
	BETWEEN("Frames:"),
	ONE_OF(OPT_ORDER, "order", "=ORDER", preprocess_orders,
	    "rgb (default) or bgr"),
	ONE_OF(OPT_INPUT_DTYPE, "input-dtype", "=RANGE", floats,
	    "range of float32 numbers: float, 0 to 1 (default), or "
	    "float_denorm, 0 to 255"),
	BETWEEN("Objects:"),
	TAKES('c', "conf", "=0.4", COMPLETE_NONE, "only scores above this"),
	TAKES(OPT_IOU, "iou", "=0.7", COMPLETE_NONE,
	    "of boxes that overlap more, keep the best"),
	TAKES(OPT_ONLY, "only", "=LIST", COMPLETE_NONE,
	    "only these classes, by name or number: person,car"),
	TAKES(OPT_NAMES, "names", "=FILE", COMPLETE_FILE,
	    "names of the classes, one in each line (default: the model's, or "
	    "COCO's for 80)"),
	BETWEEN("Limits:"),
	TAKES(OPT_MAX_MESSAGE, "max-message", "=64MiB", COMPLETE_NONE,
	    "limit of a part of a message; a client that sends more is "
	    "disconnected"),
	TAKES(OPT_MAX_WAITING, "max-waiting", "=16", COMPLETE_NONE,
	    "limit of waiting frames; more get an error"),
	TAKES(OPT_TIME_WAIT, "time-wait", "=1s", COMPLETE_NONE,
	    "limit of a frame's wait for the NPU"),
	TAKES(OPT_DRAIN, "drain", "=20s", COMPLETE_NONE,
	    "at the end, time to finish accepted frames"),
	BETWEEN("Another server:"),
	ONE_OF(OPT_HEALTH, "health", "[=ready]", healths,
	    "ask the server at --endpoint whether it runs; ready: whether "
	    "it can work"),
	FLAG(OPT_JSON, "json", "print its answer, with counters"),
	BETWEEN("The NPU:"),
	TAKES(OPT_IN_FLIGHT, "in-flight", "=3", COMPLETE_NONE,
	    "inferences on the NPU at a time"),
	TAKES('T', "timeout", "=TIME", COMPLETE_NONE,
	    "limit of one inference: 500ms, 10s, none (10s)"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE,
	    "add the log to FILE, not to standard error"),
	FLAG('q', "quiet", "no notes, no log"),
	FLAG('v', "verbose", "also print what the vendor's library prints"),
	CMD_DEVICE_OPTIONS,
	CMD_DIM_OPTION,
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_DEVICE_ENV,
	CMD_MODEL_ENV,
	{ "LISTEN_FDS", "a socket that is handed over, as systemd does" },
	{ "NOTIFY_SOCKET", "where the server says that it is ready" },
	{ "WATCHDOG_USEC", "how often it says that it lives" },
	{ 0 },
};

const struct program program = {
	.name = "npu-zmq",
	.synopsis = "npu-zmq [OPTION]...",
	.examples =
	"  npu-zmq --endpoint=ipc:///run/npu-zmq/detector\n"
	"  npu-zmq --endpoint=tcp://0.0.0.0:5555 --any-address "
	"-m yolov8n.cix\n",
	.help =
	"Finds objects in raw frames, for Frigate's detector of the type zmq "
	"and for\nother clients of its protocol over ZeroMQ.\n",
	.options = options,
	.operands = { COMPLETE_NONE, COMPLETE_NONE },
	.env = env,
	.version = cmd_device_version,
};

/* ---- Options ----------------------------------------------------------- */

struct npu_zmq_options {
	struct zmq_server server;		/* what options set */
	struct detector_options detector;
	const char *endpoint, *model, *log;
	const char **names;		/* owned list: the model's, aliases */
	size_t n_names;
	bool any_address, health, ready, json;
};

static void
set_defaults(struct npu_zmq_options *o, int argc)
{
	struct detection_decoder *d = &o->server.decoder;

	decode_defaults(d);
	d->options.conf = .4;
	d->options.max = REPLY_ROWS;
	d->classes_option = "--only";
	o->model = DEFAULT_MODEL;
	o->server.options.max_message = 64 << 20;
	o->server.options.drain_ms = 20000;
	o->detector = (struct detector_options){ .waiting = 16,
	    .wait_ms = 1000, .in_flight = INFERENCE_DEPTH };
	/* The model's own name, each alias, NULL. */
	o->names = cmd_alloc(((size_t)argc + 2) * sizeof(*o->names));
	o->n_names = 1;
}

static bool
parse_limit(struct npu_zmq_options *o, int opt)
{
	switch (opt) {
	case OPT_DRAIN:
		o->server.options.drain_ms = cmd_duration_ms("--drain",
		    optarg);
		break;
	case OPT_IN_FLIGHT:
		o->detector.in_flight = (unsigned)cmd_int("--in-flight",
		    optarg, 1, NPU_QUEUE_MAX);
		break;
	case OPT_MAX_MESSAGE:
		o->server.options.max_message = (size_t)cmd_size(
		    "--max-message", optarg, 1, INT64_C(1) << 31);
		break;
	case OPT_MAX_WAITING:
		o->detector.waiting = (size_t)cmd_int("--max-waiting", optarg,
		    1, 65536);
		break;
	case OPT_TIME_WAIT:
		o->detector.wait_ms = cmd_duration_ms("--time-wait", optarg);
		break;
	default: return false;
	}
	return true;
}

static bool
parse_objects(struct detection_decoder *d, int opt)
{
	switch (opt) {
	case 'c': d->options.conf = cmd_double("--conf", optarg, 0, 1); break;
	case OPT_IOU:
		d->options.iou = cmd_double("--iou", optarg, 0, 1);
		break;
	case OPT_NAMES: d->names_file = optarg; break;
	case OPT_ONLY: d->classes = optarg; break;
	default: return false;
	}
	return true;
}

static void
parse_option(struct npu_zmq_options *o, int opt)
{
	if (cmd_device_option(opt, optarg) || parse_limit(o, opt) ||
	    parse_objects(&o->server.decoder, opt))
		return;
	switch (opt) {
	case 'm': o->model = optarg; break;
	case 'o': o->log = cmd_named("--output", optarg); break;
	case 'q': cmd_quiet = true; break;
	case 'T':
		cmd_device.timeout_ms = cmd_duration_ms("--timeout", optarg);
		break;
	case 'v': cmd_verbose = true; break;
	case OPT_ALIAS:
		o->names[o->n_names++] = cmd_named("--alias", optarg);
		break;
	case OPT_ANY_ADDRESS: o->any_address = true; break;
	case OPT_ENDPOINT: o->endpoint = optarg; break;
	case OPT_INPUT_DTYPE:
		o->server.format.floats = (enum frame_floats)cmd_choice(
		    "--input-dtype", optarg, floats);
		break;
	case OPT_HEALTH:
		o->health = true;
		o->ready = optarg != NULL &&
		    cmd_choice("--health", optarg, healths) == 1;
		break;
	case OPT_JSON: o->json = true; break;
	case OPT_ORDER:
		o->server.format.bgr = cmd_choice("--order", optarg,
		    preprocess_orders) == 1;
		break;
	}
}

/* Returns whether --health uses this option: it asks another process, which has
 * options of its own. */
static bool
is_for_health(int opt)
{
	switch (opt) {
	case OPT_HEALTH: case OPT_ENDPOINT: case OPT_JSON: case 'q': case 'v':
		return true;
	}
	return false;
}

static void
read_options(struct npu_zmq_options *o, int argc, char *argv[])
{
	int opt, other = 0;

	set_defaults(o, argc);
	while ((opt = cmd_option(argc, argv)) != -1) {
		parse_option(o, opt);
		if (!is_for_health(opt))
			other = opt;
	}
	if (argv[optind] != NULL)
		cmd_usage("'%s' is an operand, and npu-zmq takes none; "
		    "--model names the model", argv[optind]);
	if (o->health && other != 0)
		cmd_usage("--health asks a server that runs: leave out --%s",
		    cmd_option_name(other));
	if (cmd_quiet && o->log != NULL)
		cmd_usage("--quiet writes no log: leave it out, or --output");
	if (o->json && !o->health)
		cmd_usage("--json is for --health");
	endpoint_check(o->endpoint);
}

/* ---- The model --------------------------------------------------------- */

/* The frame has the model's size, so only the numbers are converted, as
 * yolo-detect does. */
static struct prep *
plan_model(struct npu_zmq_options *o)
{
	struct preprocess_options recipe = { .preset = "yolo",
	    .model_alone = true };
	struct prep_recipe r;
	struct npu_err err;
	struct prep *prep;
	char *path = cmd_model_to_open(o->model);
	const char *slash = strrchr(path, '/');

	recipe.model = path;
	preprocess_resolve(&recipe, &r);
	if (prep_open(&prep, &r, &err) < 0 ||
	    frame_open(&o->server.format, prep, &err) < 0)
		cmd_die_err(path, &err);
	preprocess_note_losses(&recipe, prep);
	decode_begin(&o->server.decoder, path);
	o->names[0] = slash != NULL ? slash + 1 : path;
	o->detector.path = path;
	o->detector.name = o->server.options.model = o->names[0];
	o->detector.in_size = prep_recipe(prep)->tensor.size;
	o->server.options.names = o->names;
	if (frame_most_bytes(&o->server.format) >
	    o->server.options.max_message)
		cmd_usage("--max-message: a frame of %s has up to %zu bytes",
		    o->names[0], frame_most_bytes(&o->server.format));
	return prep;
}

static void
open_detector(struct npu_zmq_options *o)
{
	struct npu_tensor out;
	struct npu_err err;

	o->server.detector = detector_open(&o->detector, &out);
	if (decode_prepare(&o->server.decoder, &out, o->detector.path,
	    &err) < 0)
		cmd_die_err(o->detector.path, &err);
}

/* ---- The server -------------------------------------------------------- */

/* The protocol has no token: everyone who reaches the port is answered. */
static void
check_access(const struct npu_zmq_options *o, const struct listener *l)
{
	if (!l->near && !o->any_address)
		cmd_usage("%s can be reached from other machines, which need "
		    "no password; --any-address allows that", l->url);
}

static int
open_signals(const sigset_t *set)
{
	int fd = signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);

	if (fd < 0)
		cmd_die("signalfd: %s", strerror(errno));
	return fd;
}

static void
take_signal(int fd)
{
	struct signalfd_siginfo signal;

	(void)!read(fd, &signal, sizeof(signal));
}

/* What was accepted is answered.  A second signal ends the wait. */
static void
drain(struct zmq_server *s, int signals)
{
	const int32_t ms = s->options.drain_ms;
	uint64_t limit = ms < 0 ? UINT64_MAX / 2 : (uint64_t)ms * 1000000;

	take_signal(signals);
	notify("STOPPING=1");
	server_quiesce(s);
	if (!server_work(s, signals, clock_ns() + limit))
		take_signal(signals);
	server_cancel(s);
	server_work(s, signals, clock_ns() + 2000000000);
}

static void
serve(struct npu_zmq_options *o, struct listener *l, const sigset_t *set)
{
	struct zmq_server *s = &o->server;
	int signals = open_signals(set);

	/* libzmq takes connections until none is left. */
	fcntl(l->fd, F_SETFL, fcntl(l->fd, F_GETFL) | O_NONBLOCK);
	server_open(s, l->fd, l->url);
	service_print_address(l->url);
	notify("READY=1");
	server_work(s, signals, 0);
	drain(s, signals);
	server_close(s);
	close(signals);
}

int
main(int argc, char *argv[])
{
	struct npu_zmq_options o = { 0 };
	struct listener l;
	struct prep *prep;
	sigset_t set;

	cmd_start();
	read_options(&o, argc, argv);
	if (o.health)
		cmd_exit(health_ask(o.endpoint, o.ready, o.json));
	cmd_device_resolve();
	set = service_block_signals();
	o.server.log_fd = service_open_log(o.log);
	prep = plan_model(&o);
	listen_open(&l, &endpoint_form, o.endpoint);
	check_access(&o, &l);
	cmd_claim_stdout();
	open_detector(&o);
	serve(&o, &l, &set);
	listen_close(&l);
	decode_free(&o.server.decoder);
	frame_close(&o.server.format);
	prep_close(prep);
	free((void *)(uintptr_t)o.detector.path);
	free(o.names);
	cmd_exit(EXIT_DONE);
}
