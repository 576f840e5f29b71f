# SPDX-License-Identifier: Apache-2.0
# npu-bench on a model of the emulator, for the tests of its programs, processes
# and files.
# shellcheck shell=bash

setup() {
	export NPU_DEVICE=emu
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=xor >m.cix
}

# bench OPTION...: as quick as possible; report is its JSON.
bench() {
	npu-bench -q --idle=none -w 0 "$@"
}
report() {
	bench --json -o r.json "$@" </dev/null
}
# is FILTER: of the report.
is() {
	jq -e "$1" r.json >/dev/null || {
		echo "not so: $1"
		jq -c 'del(.runs[].stages)' r.json
		return 1
	}
}
