#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# SIGINT, SIGTERM and SIGHUP end each program also as process 1 of a container,
# where the kernel drops a signal that a program does not catch
# (pid_namespaces(7)).

load ../support/helper
load ../support/fakeboard
load ../support/fakehost

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	unshare -rfp true || skip 'no PID namespace can be made here'
	mkfifo input
	exec 8<>input
}

# waiting: prints a command for each program.  The commands wait for input, for
# time or for a lock; their output is the file out.
waiting() {
	cat <<-END
		cix-lint -o out -
		cix-pack -I x:u8:4 -O y:u8:4 --name=x -o out /dev/stdin
		clip-classify -q -l bus -o out -
		clip-embed -q --lines -o out
		clip-tokenize -o out
		host-status --root=host -i 1min --count=2 --sample=none -o out
		img-tensor -q --for=clip -o out -
		npu-bench -q --idle=none --null-device --min-time=10min -o out
		npu-dequant -r -t u8 -s 1 -o out
		npu-info /dev/stdin
		npu-model get -q -o models --mirror=. modelscope:o/n:photo.ppm
		npu-quant -q -t u8 -s 1 -o out
		npu-ref -o out layernorm
		npu-run -q -d emu -o out clip_txt.cix
		npu-serve -q -d emu --listen=127.0.0.1:0 -m image= -m detect=
		npu-tensor -q -a -t u8 -o out
		npu-top --root=board -i 1min
		npu-zmq -q -d emu --endpoint=tcp://127.0.0.1:0
		vec-drift -o out
		vec-index --export=npy -o out index
		vec-nearest -o out /dev/stdin
		xclbin-check --machine=none -o out -
		xclbin-info -o out -
		xclbin-pack -q -i /dev/stdin --force -o out
		xdna-run -q -d emu -o out /dev/stdin /dev/null
		yolo-decode -q --image-size=64x64 -F jsonl -o out
		yolo-detect -q -o out -
		yolo-draw -q -o out.ppm photo.ppm
	END
}

# begun PID: waits until the only child of PID, which is unshare, sleeps and
# catches SIGTERM, or blocks SIGTERM to wait for it.  The number of the child is
# then in $begun.
begun() {
	local status
	for _ in $(seq 600); do
		begun=$(cat /proc/"$1"/task/"$1"/children)
		begun=${begun% }
		status=$(cat /proc/"$begun"/status) || :
		if [[ $status == *$'\nState:\tS'* &&
		    $status =~ SigBlk:.([0-9a-f]+) ]] &&
		    blocked=${BASH_REMATCH[1]} &&
		    [[ $status =~ SigCgt:.([0-9a-f]+) ]] &&
		    (((0x${BASH_REMATCH[1]} | 0x$blocked) & 1 << 14)); then
			return
		fi
		sleep 0.05
	done 2>/dev/null
	return 1
}

# ends SIGNAL STATUS COMMAND...: runs COMMAND, which waits, as process 1, and
# sends SIGNAL.  COMMAND must end with STATUS and leave no file.
ends() {
	local signal=$1 want=$2 unshare st=0
	shift 2
	env --default-signal=INT,TERM,HUP unshare -rfp --kill-child=KILL "$@" \
	    <&8 >stdout 2>stderr 3>&- &
	unshare=$!
	# Once a server serves, it ends with status 0 (rule 34).
	if [[ $1 == npu-serve || $1 == npu-zmq ]]; then
		want=0
		until [ -s stdout ]; do sleep 0.05; done
	fi
	begun $unshare && kill -s "$signal" "$begun" || return
	timeout 60 tail -s 0.05 -f --pid=$unshare /dev/null ||
		kill -KILL "$begun"
	wait $unshare || st=$?
	[ $st -eq "$want" ] && ! compgen -G '.npu-*' &&
		[ ! -e out ] && [ ! -e out.ppm ]
}

# all_end SIGNAL STATUS: checks that SIGNAL ends each program with STATUS.
all_end() {
	local p arguments n=0
	fake_host host
	fake_board board 6.2.0
	printf 'P6 2 2 255\n%012d' 0 >photo.ppm
	clip-embed -q --text=bus --index=index
	exec 7<index
	flock 7
	mkdir models
	exec 6<>models/.photo.ppm.part
	flock 6
	while read -r p arguments; do
		n=$((n + 1))
		# A server ignores SIGHUP (rule 34): npu-serve-load.bats,
		# npu-zmq.bats.
		[[ "$p $1" != npu-serve\ HUP && "$p $1" != npu-zmq\ HUP ]] ||
			continue
		# shellcheck disable=SC2086 # words
		ends "$1" "$2" "$p" $arguments || {
			echo "$p: status of SIG$1 is not $2; left:"
			ls -A
			cat stderr
			return 1
		}
	done < <(waiting)
	[ $n -eq "$(ls "$B"/bin | wc -l)" ]
}

@test "SIGTERM ends each program as process 1, and no file is left" {
	all_end TERM 143
}

# bats test_tags=slow
@test "SIGINT ends each program as process 1, and no file is left" {
	all_end INT 130
}

# bats test_tags=slow
@test "SIGHUP ends each program as process 1, and no file is left" {
	all_end HUP 129
}
