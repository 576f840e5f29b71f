# SPDX-License-Identifier: Apache-2.0
# A hub on this machine for the tests of npu-model get: tests/tools/hubserver.py.
# shellcheck shell=bash
# shellcheck disable=SC2034 # tests use the variables

# Variables by which libcurl and npu-model find proxies and certificates.
unset "${!CURL_@}" "${!SSL_CERT_@}" http_proxy https_proxy HTTPS_PROXY \
    all_proxy ALL_PROXY no_proxy NO_PROXY

# hub [PATH=FAULT,...]...: serves the folder ./hub; HUB is its URL.
hub() {
	rm -f url
	: >requests
	/usr/bin/python3 "$TOP/tests/tools/hubserver.py" hub "$@" 3>&- \
	    2>hub.log &
	HUB_PID=$!
	for _ in $(seq 1200); do
		[ ! -s url ] || break
		sleep 0.05
	done
	HUB=$(cat url)
}

teardown() {
	[ -z "${HUB_PID:-}" ] || kill "$HUB_PID" 2>/dev/null || :
}

# get WORD...: runs npu-model get with this hub, into ./out, with pauses that
# are short.
get() {
	npu-model get --mirror="$HUB" -o out --pause=1ms "$@"
}

# get_behind WORD...: the same in the background; PID is its process, and the
# file log has its output.
get_behind() {
	(exec npu-model get --mirror="$HUB" -o out --pause=1ms "$@") \
	    >log 2>&1 3>&- &
	PID=$!
}

# has_part N: waits until the part of b.bin has N bytes.
has_part() {
	for _ in $(seq 1200); do
		[ "$(stat -c %s out/.b.bin.part 2>/dev/null || :)" != "$1" ] ||
			return 0
		sleep 0.05
	done
	return 1
}

# made PATH SIZE: makes a file of the hub, of bytes that do not repeat.
made() {
	mkdir -p "hub/$(dirname "$1")"
	perl -e 'srand 1; print map chr rand 256, 1 .. shift' "$2" >"hub/$1"
}

# sum FILE: prints its sha256.
sum() {
	sha256sum <"$1" | cut -d ' ' -f 1
}

# asked PATTERN: prints how many requests fit the pattern.
asked() {
	grep -c -- "$1" requests || :
}

# nothing_kept: there is no file in ./out, and no part.
nothing_kept() {
	local left
	left=$(find out -type f ! -name .npu-model.json)
	echo "$left"
	[ "$left" = "" ]
}
