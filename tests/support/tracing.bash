# SPDX-License-Identifier: Apache-2.0
# bats notes where a test is before each of its commands.  bash 5.2 knows the place
# when a command fails, so this notes it then.  A test that ends by return,
# exit or "! true" fails without a line; bats --trace is as it was.  Five files
# (npu-quant, yolo-decode, img-tensor, vec-nearest, emu), native, bats 1.8.2,
# medians of three: 60.6 s of the processor, and 70.0 before.
# shellcheck shell=bash
# shellcheck disable=SC2034 # bats reads them

# Internals of bats, replaced only if all that is used here exists.
faster_tracing() {
	[ "${BATS_TRACE_LEVEL:-0}" -eq 0 ] &&
	    [ $((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1])) -ge 502 ] &&
	    declare -F bats_setup_tracing bats_error_trap \
		bats_check_status_from_trap bats_capture_stack_trace >/dev/null
}

if faster_tracing; then
	bats_setup_tracing() {
		BATS_DEBUG_LASTLAST_STACK_TRACE=()
		BATS_DEBUG_LAST_STACK_TRACE=()
		BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=
		BATS_ERROR_SUFFIX=
		exec 4<&1
		trap bats_error_trap ERR
	}

	bats_error_trap() {
		bats_check_status_from_trap
		[ -n "$BATS_DEBUG_LAST_STACK_TRACE_IS_VALID" ] ||
		    [ "${FUNCNAME[1]}" = bats_perform_test ] ||
		    bats_capture_stack_trace
		BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
	}
fi

# Nobody needs the time of a test, but bats starts date(1) for it.
if declare -F get_mills_since_epoch >/dev/null; then
	get_mills_since_epoch() {
		echo $((${EPOCHREALTIME/[.,]/} / 1000))
	}
fi
