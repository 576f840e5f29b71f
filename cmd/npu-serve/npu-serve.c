// SPDX-License-Identifier: Apache-2.0
/* npu-serve - the NPU for programs that speak HTTP. */
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "base/clock.h"
#include "device.h"
#include "image/picture.h"
#include "health.h"
#include "route.h"
#include "server.h"
#include "serving/notify.h"
#include "serving/service.h"
#include "thread.h"

enum {
	OPT_ALIAS = 256, OPT_API, OPT_DRAIN, OPT_FAST, OPT_HEALTH,
	OPT_IN_FLIGHT, OPT_IOU, OPT_LISTEN, OPT_MAX_BODY,
	OPT_MAX_CONNECTIONS, OPT_MAX_ITEMS, OPT_MAX_PER_ADDRESS,
	OPT_MAX_PIXELS, OPT_MAX_WAITING, OPT_NAMES, OPT_NO_TOKEN, OPT_ONLY,
	OPT_ORIGIN, OPT_TIME_BODY, OPT_TIME_HEAD, OPT_TIME_IDLE,
	OPT_TIME_WAIT, OPT_TOKEN_FILE,
};

static const char *const healths[] = { "live", "ready", NULL };

static const struct opt options[] = {
	TAKES(OPT_LISTEN, "listen", "=ADDRESS", COMPLETE_NONE,
	    "IP:PORT, [IP6]:PORT or unix:PATH (" LISTEN_DEFAULT "); port 0 is "
	    "any that is free"),
	TAKES('m', "model", "=ROLE=MODEL", COMPLETE_NONE,
	    "the model for text, image or detect (clip_txt.cix, "
	    "clip_visual.cix, yolov8n.cix, where they are found); ROLE= alone: "
	    "none"),
	TAKES(OPT_ALIAS, "alias", "=NAME=ROLE", COMPLETE_NONE,
	    "another name for clip, text, image or detect; may be repeated"),
	TAKES(OPT_API, "api", "=LIST", COMPLETE_NONE,
	    "which to serve: openai,immich,deepstack,llama,ollama,tei,"
	    "infer (all)"),
	BETWEEN("Objects:"),
	TAKES('c', "conf", "=0.4", COMPLETE_NONE,
	    "only scores above this, if the client gives none"),
	TAKES(OPT_IOU, "iou", "=0.7", COMPLETE_NONE,
	    "of boxes that overlap more, keep the best"),
	TAKES('n', "count", "=20", COMPLETE_NONE,
	    "at most so many objects in a picture; 0: all"),
	TAKES(OPT_ONLY, "only", "=LIST", COMPLETE_NONE,
	    "only these classes, by name or number: person,car"),
	TAKES(OPT_NAMES, "names", "=FILE", COMPLETE_FILE,
	    "names of the classes, one in each line (default: the model's, or "
	    "COCO's for 80)"),
	BETWEEN("Who may ask:"),
	TAKES(OPT_TOKEN_FILE, "token-file", "=FILE", COMPLETE_FILE,
	    "clients must send the token on the first line of FILE"),
	FLAG(OPT_NO_TOKEN, "no-token",
	    "let other machines ask without a token"),
	TAKES(OPT_ORIGIN, "origin", "=ORIGIN", COMPLETE_NONE,
	    "web pages of ORIGIN may read answers (none)"),
	BETWEEN("Limits:"),
	TAKES(OPT_MAX_BODY, "max-body", "=20MiB", COMPLETE_NONE,
	    "limit of a request's body"),
	TAKES(OPT_MAX_PIXELS, "max-pixels", "=N", COMPLETE_NONE,
	    "refuse larger pictures (50M)"),
	TAKES(OPT_MAX_ITEMS, "max-items", "=2048", COMPLETE_NONE,
	    "limit of texts and pictures in a request"),
	TAKES(OPT_MAX_CONNECTIONS, "max-connections", "=256", COMPLETE_NONE,
	    "limit of open connections"),
	TAKES(OPT_MAX_PER_ADDRESS, "max-per-address", "=128", COMPLETE_NONE,
	    "limit of open connections from one address"),
	TAKES(OPT_MAX_WAITING, "max-waiting", "=64", COMPLETE_NONE,
	    "limit of waiting inferences; beyond it clients are asked to "
	    "try again"),
	TAKES(OPT_TIME_HEAD, "time-head", "=10s", COMPLETE_NONE,
	    "limit of the time to send a request's header"),
	TAKES(OPT_TIME_BODY, "time-body", "=30s", COMPLETE_NONE,
	    "limit of the time to send a request's body"),
	TAKES(OPT_TIME_WAIT, "time-wait", "=30s", COMPLETE_NONE,
	    "limit of a request's wait for the NPU"),
	TAKES(OPT_TIME_IDLE, "time-idle", "=60s", COMPLETE_NONE,
	    "close a connection after this time without a request"),
	TAKES(OPT_DRAIN, "drain", "=20s", COMPLETE_NONE,
	    "at the end, time to finish accepted requests"),
	BETWEEN("Another server:"),
	ONE_OF(OPT_HEALTH, "health", "[=ready]", healths,
	    "ask the server at --listen whether it runs; ready: whether it "
	    "can work"),
	BETWEEN("The NPU:"),
	TAKES('j', "jobs", "=N", COMPLETE_NONE,
	    "threads that decode while the models run (2); 0: as many as "
	    "processors"),
	TAKES(OPT_IN_FLIGHT, "in-flight", "=3", COMPLETE_NONE,
	    "inferences on the NPU at a time"),
	TAKES('T', "timeout", "=TIME", COMPLETE_NONE,
	    "limit of one inference: 500ms, 10s, none (10s)"),
	FLAG(OPT_FAST, "fast", "decode large JPEGs at a reduced size"),
	TAKES('o', "output", "=FILE", COMPLETE_FILE,
	    "add the log to FILE, not to standard error"),
	FLAG('q', "quiet", "no notes, no log"),
	FLAG('v', "verbose", "also print what the libraries print"),
	CMD_DEVICE_OPTIONS,
	CMD_DIM_OPTION,
	CMD_COMMON,
	{ 0 },
};

static const struct cmd_env env[] = {
	CMD_DEVICE_ENV,
	CMD_MODEL_ENV,
	{ "CLIP_VOCAB", "the vocabulary (default: built in)" },
	{ "LISTEN_FDS", "a socket that is handed over, as systemd does" },
	{ "NOTIFY_SOCKET", "where the server says that it is ready" },
	{ "WATCHDOG_USEC", "how often it says that it lives" },
	{ 0 },
};

const struct program program = {
	.name = "npu-serve",
	.synopsis = "npu-serve [OPTION]...",
	.examples =
	"  npu-serve --api=openai\n"
	"  npu-serve --listen=0.0.0.0:8091 --no-token "
	"--alias=ViT-B-32__openai=clip\n",
	.help =
	"Serves vectors of texts and pictures, and objects in pictures, over\n"
	"HTTP, as OpenAI, Immich and DeepStack do.\n",
	.options = options,
	.operands = { COMPLETE_NONE, COMPLETE_NONE },
	.env = env,
	.version = cmd_device_version,
};

/* ---- Options ----------------------------------------------------------- */

static const char *const default_models[ROLES] = { CLIP_TEXT_MODEL,
    CLIP_IMAGE_MODEL, "yolov8n.cix" };

struct npu_serve_options {
	struct server_options server;
	const char *listen, *token_file, *log;
	const char *model[ROLES];	/* NULL: the default; "": none */
	bool no_token, health, ready;
	/* The detector's. */
	double iou;
	const char *only, *names;
	struct prep_limits limits;
	const char **alias;		/* owned list */
	size_t aliases;
};

static const struct npu_serve_options defaults = {
	.server = {
		.connections = { .most = 256, .most_per_address = 128,
		    .head_ms = 10000, .body_ms = 30000, .idle_ms = 60000 },
		.scheduler = { .threads = 2, .in_flight = INFERENCE_DEPTH,
		    .waiting = 64, .wait_ms = 30000 },
		.max_body = 20 << 20, .max_items = 2048, .drain_ms = 20000,
		.conf = .4, .count = 20,
	},
	.iou = .7,
	.limits = { .max_pixels = 50000000 },
};

static void
parse_model(struct npu_serve_options *o, const char *arg)
{
	const char *equals = strchr(arg, '=');

	for (int k = 0; equals != NULL && role_words[k] != NULL; k++)
		if (strlen(role_words[k]) == (size_t)(equals - arg) &&
		    strncmp(arg, role_words[k], (size_t)(equals - arg)) == 0) {
			o->model[k] = equals + 1;
			return;
		}
	cmd_usage("--model: '%s' is not ROLE=MODEL; roles are text, image and "
	    "detect", arg);
}

/* The limits that a number or a time states; false: another option. */
static bool
parse_limit(struct server_options *s, int opt, const char *arg)
{
	char name[40];

	snprintf(name, sizeof(name), "--%s", cmd_option_name(opt));
	switch (opt) {
	case OPT_DRAIN: s->drain_ms = cmd_duration_ms(name, arg); break;
	case OPT_MAX_BODY:
		s->max_body = (uint64_t)cmd_size(name, arg, 1, 1 << 30);
		break;
	case OPT_MAX_CONNECTIONS:
		s->connections.most = (unsigned)cmd_int(name, arg, 1, 10000);
		break;
	case OPT_MAX_ITEMS:
		s->max_items = (size_t)cmd_int(name, arg, 1, 65536);
		break;
	case OPT_MAX_PER_ADDRESS:
		s->connections.most_per_address = (unsigned)cmd_int(name, arg,
		    1, 10000);
		break;
	case OPT_MAX_WAITING:
		s->scheduler.waiting = (size_t)cmd_int(name, arg, 1, 65536);
		break;
	case OPT_TIME_BODY:
		s->connections.body_ms = cmd_duration_ms(name, arg);
		break;
	case OPT_TIME_HEAD:
		s->connections.head_ms = cmd_duration_ms(name, arg);
		break;
	case OPT_TIME_IDLE:
		s->connections.idle_ms = cmd_duration_ms(name, arg);
		break;
	case OPT_TIME_WAIT:
		s->scheduler.wait_ms = cmd_duration_ms(name, arg);
		break;
	default: return false;
	}
	return true;
}

static void
parse_option(struct npu_serve_options *o, int opt)
{
	if (cmd_device_option(opt, optarg) ||
	    parse_limit(&o->server, opt, optarg))
		return;
	switch (opt) {
	case 'c':
		o->server.conf = cmd_double("--conf", optarg, 0, 1);
		break;
	case 'j':
		o->server.scheduler.threads = thread_count(optarg);
		break;
	case 'm': parse_model(o, optarg); break;
	case 'n':
		o->server.count = (uint32_t)cmd_int("--count", optarg, 0,
		    YOLO_MAX_CANDIDATES);
		break;
	case 'o': o->log = cmd_named("--output", optarg); break;
	case 'q': cmd_quiet = true; break;
	case 'T':
		cmd_device.timeout_ms = cmd_duration_ms("--timeout", optarg);
		break;
	case 'v': cmd_verbose = true; break;
	case OPT_ALIAS: o->alias[o->aliases++] = optarg; break;
	case OPT_API: routes_choose(optarg); break;
	case OPT_FAST: o->limits.fast = true; break;
	case OPT_HEALTH:
		o->health = true;
		o->ready = optarg != NULL &&
		    cmd_choice("--health", optarg, healths) == 1;
		break;
	case OPT_IN_FLIGHT:
		o->server.scheduler.in_flight = (unsigned)cmd_int("--in-flight",
		    optarg, 1, NPU_QUEUE_MAX);
		break;
	case OPT_IOU: o->iou = cmd_double("--iou", optarg, 0, 1); break;
	case OPT_LISTEN: o->listen = optarg; break;
	case OPT_MAX_PIXELS:
		o->limits.max_pixels = (uint64_t)cmd_size("--max-pixels",
		    optarg, 1, INT64_C(1) << 32);
		break;
	case OPT_NAMES: o->names = optarg; break;
	case OPT_NO_TOKEN: o->no_token = true; break;
	case OPT_ONLY: o->only = optarg; break;
	case OPT_ORIGIN:
		if (!access_is_origin(optarg))
			cmd_usage("--origin: '%s' is not *, for all, or an "
			    "origin such as https://photos.example", optarg);
		o->server.origin = optarg;
		break;
	case OPT_TOKEN_FILE: o->token_file = optarg; break;
	}
}

/* Returns whether --health uses this option: it asks another process, which has
 * options of its own. */
static bool
is_for_health(int opt)
{
	switch (opt) {
	case OPT_HEALTH: case OPT_LISTEN: case 'q': case 'v':
		return true;
	}
	return false;
}

static void
read_options(struct npu_serve_options *o, int argc, char *argv[])
{
	int opt, other = 0;

	o->alias = cmd_alloc((size_t)argc * sizeof(*o->alias));
	while ((opt = cmd_option(argc, argv)) != -1) {
		parse_option(o, opt);
		if (!is_for_health(opt))
			other = opt;
	}
	if (argv[optind] != NULL)
		cmd_usage("'%s' is an operand, and npu-serve takes none; "
		    "--model names a model", argv[optind]);
	if (o->health && other != 0)
		cmd_usage("--health asks a server that runs: leave out --%s",
		    cmd_option_name(other));
	if (cmd_quiet && o->log != NULL)
		cmd_usage("--quiet writes no log: leave it out, or --output");
	if (o->no_token && o->token_file != NULL)
		cmd_usage("--no-token and --token-file exclude each other");
}

/* ---- Models ------------------------------------------------------------ */

static void
plan_role(const struct npu_serve_options *o, struct role *r)
{
	const char *model = o->model[r->kind];
	struct npu_err err;
	char *found;

	if (model == NULL) {
		model = default_models[r->kind];
		if ((found = cmd_find_model(model, &err)) == NULL) {
			cmd_note("%s: %s is not found; -m %s=MODEL names one",
			    role_words[r->kind], model, role_words[r->kind]);
			return;
		}
		free(found);
	}
	if (*model != '\0')
		role_plan(r, model);
	else
		cmd_note("%s: absent, as -m %s= asks", role_words[r->kind],
		    role_words[r->kind]);
}

static void
plan_roles(const struct npu_serve_options *o, struct catalogue *c)
{
	struct detection_decoder *d = &c->role[ROLE_DETECT].decoder;

	decode_defaults(d);
	d->options.iou = o->iou;
	d->options.max = o->server.count;
	d->classes = o->only;
	d->classes_option = "--only";
	d->names_file = o->names;
	for (int k = 0; k < ROLES; k++) {
		c->role[k].kind = (enum role_kind)k;
		c->role[k].limits = o->limits;
		plan_role(o, &c->role[k]);
	}
	if (c->role[ROLE_DETECT].path == NULL && (o->only != NULL ||
	    o->names != NULL))
		cmd_usage("%s is for a detector, and none is loaded",
		    o->only != NULL ? "--only" : "--names");
	catalogue_open(c);
	for (size_t i = 0; i < o->aliases; i++)
		catalogue_alias(c, o->alias[i]);
	catalogue_known_aliases(c);
}

/* ---- The server -------------------------------------------------------- */

/* Who else can reach the socket must know the token, unless that is not
 * wanted. */
static void
check_access(const struct npu_serve_options *o, const struct listener *l)
{
	if (!l->near && o->token_file == NULL && !o->no_token)
		cmd_usage("%s can be reached from other machines; "
		    "--token-file=FILE lets only those ask who have its token, "
		    "--no-token lets everybody", l->url);
}

/* Works until a signal comes, or until all is done; false: a signal. */
static bool
serve(struct server *s, const sigset_t *set, uint64_t until)
{
	static const struct timespec tick = { .tv_nsec = 100000000 };
	uint64_t last = 0;

	while (until == 0 || clock_ns() < until) {
		if (sigtimedwait(set, NULL, &tick) > 0)
			return false;
		server_tick(s);
		service_watchdog(&last, !scheduler_is_stuck(s->scheduler));
		if (until != 0 && server_is_done(s))
			return true;
	}
	return true;
}

/* What was accepted is answered.  A second signal ends the wait. */
static void
drain(struct server *s, const struct listener *l, const sigset_t *set)
{
	const int32_t ms = s->options.drain_ms;
	uint64_t limit = ms < 0 ? UINT64_MAX / 2 : (uint64_t)ms * 1000000;

	notify("STOPPING=1");
	server_quiesce(s);
	listen_end(l);
	serve(s, set, clock_ns() + limit);
	server_cancel(s);
	/* The last answers are sent, to clients that read them. */
	if (!server_is_done(s))
		serve(s, set, clock_ns() + 2000000000);
}

int
main(int argc, char *argv[])
{
	struct npu_serve_options o = defaults;
	struct server s = { 0 };
	struct listener l;
	sigset_t set;

	cmd_start();
	read_options(&o, argc, argv);
	if (o.health)
		return health_ask(o.listen, o.ready);
	cmd_device_resolve();
	set = service_block_signals();
	s.options = o.server;
	s.log_fd = service_open_log(o.log);
	if (o.token_file != NULL)
		access_read_token(&s.access, o.token_file);
	plan_roles(&o, &s.catalogue);
	listen_open(&l, &listen_form, o.listen);
	check_access(&o, &l);
	cmd_claim_stdout();
	server_open(&s, l.fd);
	service_print_address(l.url);
	notify("READY=1");
	serve(&s, &set, 0);
	drain(&s, &l, &set);
	server_close(&s);
	listen_close(&l);
	free(o.alias);
	cmd_exit(EXIT_DONE);
}
