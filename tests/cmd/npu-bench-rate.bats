#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# bats file_tags=native,slow
# npu-bench --find-rate on ideal queues, whose true rate is known by formula:
# 150 searches, each with its own seed, for each combination of three latencies,
# three bounds, and one and three cores.  The simulation does not wait and reads
# no clock.

load ../support/helper

@test "95 % of the intervals contain the true rate; none is wider than 8 %" {
	run -0 "$B/tests/tools/ratesim" 150
	echo "$output"
	[ "$(grep -c ': right$' <<<"$output")" -eq 18 ]
}
