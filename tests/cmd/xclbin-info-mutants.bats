#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Damaged copies (mutants) of sound files, read in one process:
# tests/unit/xclbin-info/mutants.c.
# bats file_tags=slow

load ../support/helper

@test "mutants of xclbinutil's files are shown or refused without a crash" {
	need_data xdna/oracle/layernorm.xclbin
	timeout 500 "$B/tests/unit/xclbin-info/mutants" 1000 \
	    "${DATA%/*}"/*.xclbin "$NPU_TEST_DATA"/xdna/real/*.xclbin
}
