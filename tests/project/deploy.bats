#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# How npu-serve and npu-zmq are deployed: with systemd units, or in a container.
# bats file_tags=native

load ../support/helper
load ../support/serve
load ../support/zmq

setup() {
	[ -x "$B/bin/npu-serve" ] || skip "npu-serve is not built"
}

# words KEY FILE: prints the words of the JSON list after KEY, one in each line.
words() {
	sed -n "s/^\(.* \)\?$1 \[/[/p" "$2" | jq -r '.[]'
}

@test "systemd-analyze rates the exposure of each service as at most 2.0" {
	for p in npu-serve npu-zmq; do
		unit=$TOP/debian/$p.service
		run -0 systemd-analyze security --offline=true \
		    --threshold=20 "$unit"
		grep -q '^DynamicUser=yes$' "$unit"
		grep -q '^DeviceAllow=/dev/aipu rw$' "$unit"
		grep -q '^PrivateNetwork=yes$' "$unit"
	done
	grep -q '^MemoryMax=' "$TOP/debian/npu-zmq.service"
}

@test "the services use systemd's socket, and are off until enabled" {
	grep -q 'dh_installsystemd --no-enable --no-start' "$TOP/debian/rules"
	for p in npu-serve npu-zmq; do
		unit=$TOP/debian/$p.service
		grep -q "^Requires=$p.socket\$" "$unit"
		grep -q "^ExecStart=/usr/bin/$p\$" "$unit"
		grep -q '^Type=notify$' "$unit"
		grep -q '^WatchdogSec=' "$unit"
		grep -qx 'ListenStream=127.0.0.1:[0-9]*' "${unit%service}socket"
		run -0 systemd-analyze verify --man=no "${unit%service}socket"
	done
}

@test "compose.yaml gives npu-serve the device, few rights, a health check" {
	/usr/bin/python3 - "$TOP/contrib/container/compose.yaml" >service <<-'E'
		import json, sys, yaml
		with open(sys.argv[1]) as f:
		    print(json.dumps(yaml.safe_load(f)["services"]["npu-serve"]))
	E
	jq -e '.devices == ["/dev/aipu:/dev/aipu"] and .read_only == true and
	    .cap_drop == ["ALL"] and .ulimits.memlock == -1 and
	    (.group_add | length) == 1 and
	    (.security_opt | index("no-new-privileges:true")) != null and
	    (.ports == ["127.0.0.1:8091:8091"])' service
	[ "$(jq -r '.healthcheck.test | join(" ")' service)" = \
	    'CMD npu-serve --health=ready' ]
	[ -f "$TOP/$(jq -r .build.dockerfile service)" ]
}

@test "compose.yaml gives npu-zmq the same rights; its health check works" {
	[ -x "$B/bin/npu-zmq" ] || skip "npu-zmq is not built"
	/usr/bin/python3 - "$TOP/contrib/container/compose.yaml" >services <<-'E'
		import json, sys, yaml
		with open(sys.argv[1]) as f:
		    print(json.dumps(yaml.safe_load(f)["services"]))
	E
	jq -e 'def rights: del(.entrypoint, .mem_limit, .healthcheck, .ports);
	    (."npu-zmq" | rights) == (."npu-serve" | rights) and
	    ."npu-zmq".mem_limit == "2g" and
	    ."npu-zmq".ports == ["127.0.0.1:5555:5555"]' services
	[ "$(jq -r '."npu-zmq".entrypoint | join(" ")' services)" = \
	    'npu-zmq --endpoint=tcp://0.0.0.0:5555 --any-address' ]
	# Run it with the same options, but another port.
	serve_zmq --endpoint=tcp://0.0.0.0:0 --any-address
	[ "$(jq -r '."npu-zmq".healthcheck.test | join(" ")' services)" = \
	    'CMD npu-zmq --health=ready' ]
	run -0 npu-zmq --health=ready --endpoint="tcp://127.0.0.1:${URL##*:}"
}

@test "the Containerfile runs npu-serve without root; its check works" {
	file=$TOP/contrib/container/Containerfile
	grep -qx 'USER npu' "$file"
	[ "$(words ENTRYPOINT "$file" | tr '\n' ' ')" = \
	    'npu-serve --listen=0.0.0.0:8091 --no-token ' ]
	# Run it with the same options, but another port.
	serve --listen=0.0.0.0:0 --no-token
	[ "$(words CMD "$file" | tr '\n' ' ')" = 'npu-serve --health ' ]
	run -0 npu-serve --health --listen="127.0.0.1:${URL##*:}"
	run -0 npu-serve --health=ready --listen="127.0.0.1:${URL##*:}"
}

@test "--health fails without a server, --health=ready without a model" {
	run --separate-stderr -1 npu-serve --health --listen=127.0.0.1:1
	[ "$stderr" = \
	    "npu-serve: 127.0.0.1:1: no server answers: Connection refused" ]
	serve -m text= -m image= -m detect=
	run -0 npu-serve --health --listen="127.0.0.1:${URL##*:}"
	run --separate-stderr -1 npu-serve --health=ready \
	    --listen="127.0.0.1:${URL##*:}"
	[[ $stderr == *'"reason":"no model is loaded"'* ]]
	run -2 npu-serve --health=maybe
}

# hears SERVE...: starts a server and tests what the service manager gets.
hears() {
	rm -f notify
	perl -e 'use Socket; socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die;
	    bind($s, sockaddr_un("notify")) or die;
	    while (recv($s, my $m, 100, 0) || 1) {
	        print "$m\n"; $| = 1; last if $m eq "STOPPING=1" }' >heard &
	listener=$!
	until [ -S notify ]; do sleep 0.05; done
	export NOTIFY_SOCKET=$PWD/notify WATCHDOG_USEC=400000
	"$@"
	until [ "$(grep -c WATCHDOG=1 heard)" -ge 2 ]; do sleep 0.05; done
	stop
	[ "$status" -eq 0 ]
	wait "$listener"
	[ "$(head -n 1 heard)" = READY=1 ]
	[ "$(tail -n 1 heard)" = STOPPING=1 ]
}

@test "the service manager is notified of start, watchdog and end" {
	hears serve -m image= -m detect=
	[ ! -x "$B/bin/npu-zmq" ] || hears serve_zmq
}
