#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# bats file_tags=native,slow
# npu-bench --find-rate on ideal queues, whose true rate is known by formula: 150
# searches, with seeds of their own, for each of three latencies, three bounds,
# one and three cores.  Nothing waits, and no clock is read.

load ../support/helper

@test "95 % of the intervals hold the true rate, and all are 8 % wide or less" {
	run -0 "$B/tests/tools/ratesim" 150
	echo "$output"
	[ "$(grep -c ': right$' <<<"$output")" -eq 18 ]
}
