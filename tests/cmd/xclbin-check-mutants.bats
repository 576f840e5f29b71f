#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Damaged copies (mutants) of sound files, checked in one process:
# tests/unit/diagnose/xclbin_mutants.c.
# bats file_tags=slow

load ../support/helper

@test "each check has a finding for 12,000 mutants of xclbinutil's files" {
	need_data xdna/oracle/layernorm.xclbin
	timeout 500 "$B/tests/unit/diagnose/xclbin_mutants" 2000 \
	    "${DATA%/*}"/{added,attention,layernorm,pair}.xclbin \
	    "$NPU_TEST_DATA"/xdna/real/*.xclbin \
	    "$NPU_TEST_DATA"/xdna/bad/ok-bitstream-0.xclbin
}
