#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The emulator after fork().  Under clang 14's AddressSanitizer one child in some
# two hundred never hears of its job, which without it none of as many did.
# That its locks are not held over fork() may be why; it is not proven.
# bats file_tags=native

load ../support/helper

# bats test_tags=slow
@test "a child of a program with the emulator ends, and has its own device" {
	emufork
}
