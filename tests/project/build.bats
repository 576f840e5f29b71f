#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# What `make` prints.
# bats file_tags=native

load ../support/helper

# object ARGUMENT...: prints make's output when it builds one object in a new
# tree.
object() {
	rm -rf b
	env -u MAKEFLAGS make -C "$TOP" B="$PWD/b" "$@" "$PWD/b/lib/base/num.o"
}

# bats test_tags=slow
@test "make prints the files that it makes; V=1 adds commands, -s is silent" {
	run -0 object --no-print-directory
	[ "$output" = "  CC lib/base/num.o" ]
	run -0 object --no-print-directory V=1
	[[ $output == *" -c -o $PWD/b/lib/base/num.o lib/base/num.c" ]]
	[ "${#lines[@]}" -eq 1 ]
	run -0 object -s
	[ "$output" = "" ]
}

@test "make prints nothing if everything is up to date" {
	run -0 env -u MAKEFLAGS make -C "$TOP" --no-print-directory B="$PWD/b" \
	    "$PWD/b/lib/base/num.o"
	run -0 env -u MAKEFLAGS make -C "$TOP" --no-print-directory B="$PWD/b" \
	    "$PWD/b/lib/base/num.o"
	[ "$output" = "" ]
}
