// SPDX-License-Identifier: Apache-2.0
/*
 * Runs commands on the emulated device.  Each test breaks one rule of the
 * packet, of the caches or of the instructions, on both kernels, and checks the
 * state of the command or its output.
 */
#include "xdna_rig.h"

/* ---- The packet -------------------------------------------------------- */

/* A word of the packet to set, and the expected state. */
struct packet_row {
	const char *name;
	unsigned word;
	uint32_t value;
	uint32_t state;
};

static const struct packet_row packets[] = {
	{ "a valid packet", 1, 1, XDNA_COMPLETED },
	{ "a packet with a state", 0, 0x30010003, 3 },
	{ "a packet with opcode 1", 0, 0x30810001, XDNA_NEW },
	{ "a packet with type 0", 0, 0x00010001, XDNA_NEW },
	{ "a packet of one word", 0, 0x30001001, XDNA_NEW },
	{ "a packet longer than its memory", 0, 0x307ff001, XDNA_NEW },
	{ "a packet without a compute unit", 1, 0, XDNA_NEW },
	{ "a packet for a second compute unit", 1, 2, XDNA_ERROR },
	{ "a packet that ends before the second buffer", 0, 0x30009001,
	    XDNA_ERROR },
	{ "a kernel's opcode 2", 2, 2, XDNA_ERROR },
	{ "instructions at another address", 4, 0x4000004, XDNA_ERROR },
	{ "instructions at address 0", 4, 0, XDNA_ERROR },
	{ "instructions whose length is a word too short", 6, 268, XDNA_ERROR },
	{ "instructions longer than their memory", 6, 1 << 20, XDNA_ERROR },
	{ "instructions with their length in words", 6, 68, XDNA_COMPLETED },
	{ "an input at another address", 7, 8, XDNA_ERROR },
	{ "an output at another address", 9, 8, XDNA_ERROR },
};

static void
fill(uint8_t *p, size_t n, unsigned seed)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(i * 7 + seed);
}

/* Synchronises the buffers, submits the command and waits.  Returns the state
 * at the end, or 100 if a call fails. */
static uint32_t
run(bool sync_in, bool sync_out)
{
	struct xdna_timeline_wait w = sound_wait();
	struct xdna_exec_cmd e = sound_command();
	int number = 0;

	if (sync_in)
		number |= sync_bo(rig.in_bo, XDNA_TO_DEVICE, 0, IN_SIZE);
	if (sync_out)
		number |= sync_bo(rig.out_bo, XDNA_TO_DEVICE, 0, OUT_SIZE);
	number |= call(XDNA_EXEC_CMD, &e);
	waited_point = e.sequence;
	number |= call(XDNA_TIMELINE_WAIT, &w);
	return number != 0 ? 100 : rig.command[0] & XDNA_PACKET_STATE;
}

static void
packet(const struct packet_row *r)
{
	uint32_t state;

	rig_begin(READY);
	fill(rig.in, IN_SIZE, 1);
	rig.command[r->word] = r->value;
	state = run(true, true);
	if (!ok(state == r->state, "%s: the command ends in state %u",
	    r->name, r->state))
		diag("state %u", state);
	rig_end();
}

/* ---- The caches -------------------------------------------------------- */

static bool
has_zeros(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != 0)
			return false;
	return true;
}

static void
caches(void)
{
	rig_begin(READY);
	fill(rig.in, IN_SIZE, 1);
	run(false, true);
	sync_bo(rig.out_bo, XDNA_FROM_DEVICE, 0, OUT_SIZE);
	ok(has_zeros(rig.out, OUT_SIZE), "the device does not see an input "
	    "that was not synchronised");
	write_packet();
	run(true, true);
	ok(has_zeros(rig.out, OUT_SIZE), "the processor does not see an "
	    "output that was not synchronised");
	sync_bo(rig.out_bo, XDNA_FROM_DEVICE, 0, OUT_SIZE);
	ok(memcmp(rig.out, rig.in, OUT_SIZE) == 0,
	    "the processor sees the output after SYNC_BO");
	memset(rig.out, 'x', OUT_SIZE);
	fill(rig.in, IN_SIZE, 2);
	write_packet();
	run(true, false);
	sync_bo(rig.out_bo, XDNA_FROM_DEVICE, 0, OUT_SIZE);
	ok(rig.out[0] == 'x' && rig.out[OUT_SIZE - 1] == 'x',
	    "a dirty cache line that was not synchronised spoils the output");
	write_packet();
	run(true, true);
	sync_bo(rig.out_bo, XDNA_FROM_DEVICE, 0, OUT_SIZE);
	ok(memcmp(rig.out, rig.in, OUT_SIZE) == 0,
	    "a synchronised cache line does not spoil the output");
	rig_end();
}

/* ---- Commands that the device does not run ----------------------------- */

static void
instructions_not_synchronised(void)
{
	uint32_t other;

	rig_begin(READY);
	put(rig.stream.p, rig.stream.n, false, &other);
	put_address(4, info(other).xdna_addr);
	rig.stream_bo = other;
	ok(run(true, true) == XDNA_ERROR,
	    "instructions that were not synchronised fail");
	rig_end();
}

static void
not_an_argument(uint32_t *handle, const char *name)
{
	struct xdna_timeline_wait w = sound_wait();
	struct xdna_exec_cmd e = sound_command();

	for (size_t i = 0; i < 3; i++)
		if (arguments[i] == *handle)
			arguments[i] = rig.pdi_bo;
	call(XDNA_EXEC_CMD, &e);
	call(XDNA_TIMELINE_WAIT, &w);
	ok((rig.command[0] & XDNA_PACKET_STATE) == XDNA_ERROR,
	    "%s that is not among the arguments fails", name);
	write_packet();
}

static void
arguments_of_a_command(void)
{
	rig_begin(READY);
	not_an_argument(&rig.stream_bo, "an instruction buffer");
	rig_end();
	rig_begin(READY);
	not_an_argument(&rig.in_bo, "an input");
	rig_end();
	rig_begin(READY);
	not_an_argument(&rig.out_bo, "an output");
	rig_end();
}

/*
 * Makes a stream for the column, the buffer of argument_in and the generation
 * of the device, with an unknown operation if asked, and runs it.  Returns the
 * state at the end.
 */
static uint32_t
run_stream(unsigned column, unsigned argument_in, bool npu4, bool unknown)
{
	static const uint32_t odd[] = { 0xd, 8 };
	struct stream s;
	uint32_t state;

	buf_free(&rig.stream);
	stream_begin(&s, false, &rig.stream);
	stream_set(&s, column, 1, (struct shape){ .length = 16 });
	stream_adopt(&s, column, 1, argument_in);
	stream_write(&s, stream_queue(column, MM2S), 1);
	stream_output(&s);
	if (unknown) {
		stream_words(&s, odd, 2);
		s.operations++;
	}
	stream_end(&s);
	if (npu4)
		stream_change(&s, 0, 0x06040100);
	rig_begin(READY);
	fill(rig.in, IN_SIZE, 3);
	state = run(true, true);
	rig_end();
	return state;
}

static void
streams(void)
{
	ok(run_stream(0, 0, false, false) == XDNA_COMPLETED,
	    "a stream for column 0 runs in a context of one column");
	ok(run_stream(1, 0, false, false) == XDNA_ERROR,
	    "a stream for column 1 does not run in a context of one column");
	ok(run_stream(0, 0, true, false) == XDNA_ERROR,
	    "a stream for an npu4 does not run on an npu1");
	ok(run_stream(0, 5, false, false) == XDNA_ERROR,
	    "a stream that moves buffer 5 does not run");
	ok(run_stream(0, 3, false, false) == XDNA_ERROR,
	    "a stream that moves a buffer without an address does not run");
	ok(run_stream(0, 0, false, true) == XDNA_ERROR,
	    "a stream with an unknown operation does not run");
}

static void
smaller_buffer(void)
{
	struct stream s;

	stream_begin(&s, false, &rig.stream);
	stream_set(&s, 0, 1, (struct shape){ .length = 1025 });
	stream_adopt(&s, 0, 1, 0);
	stream_write(&s, MM2S, 1);
	stream_output(&s);
	stream_end(&s);
	rig_begin(READY);
	ok(run(true, true) == XDNA_ERROR, "a transfer beyond the end of a "
	    "buffer does not run");
	rig_end();
}

static void
twins(void)
{
	static const char *const rows[] = { "", "none", "attention" };

	for (size_t i = 0; i < 3; i++) {
		setenv("NPU_TWIN", rows[i], 1);
		ok(run_stream(0, 0, false, false) == XDNA_ERROR,
		    "copying 64 bytes with the twin '%s' fails",
		    rows[i]);
	}
	setenv("NPU_TWIN", "copy", 1);
}

int
main(void)
{
	static const char *const kernels[] = { "6.14", "7.2" };

	setenv("NPU_TWIN", "copy", 1);
	for (size_t k = 0; k < 2; k++) {
		setenv("NPU_XDNA_KERNEL", kernels[k], 1);
		for (size_t i = 0; i < sizeof(packets) / sizeof(*packets); i++)
			packet(&packets[i]);
		caches();
		instructions_not_synchronised();
		arguments_of_a_command();
		streams();
		smaller_buffer();
	}
	twins();
	return done();
}
