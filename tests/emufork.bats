#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The emulator after fork().  qemu-user ends itself where the child of a program
# with threads starts one.
# bats file_tags=no-arm64

load helper

@test "a child of a program with the emulator ends, and has its own device" {
	emufork
}
