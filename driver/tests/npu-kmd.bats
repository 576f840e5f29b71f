# SPDX-License-Identifier: Apache-2.0
# npu-kmd as a program: options, messages, kernel versions, installation.  It is
# shell and awk, for which one leg is enough.
# bats file_tags=native

load ../../tests/support/helper

setup() {
	PATH=$TOP/driver:$PATH
	want=$(sed -n 's/^#define NPU_VERSION "\(.*\)"/\1/p' "$TOP/lib/npu.h")
}

# kmd WORDS...: runs the words with the parts of npu-kmd loaded.
kmd() {
	sh -u -c 'KMD=$1; shift; . "$KMD/common.sh"; eval "$*"' kmd \
	    "$TOP/driver/kmd" "$@"
}

@test "help and version go to stdout, as in the other programs" {
	run --separate-stderr -0 npu-kmd --help
	[ "${lines[0]}" = Examples: ]
	[ "$stderr" = "" ]
	[ "$output" = "$(npu-kmd check -h)" ]
	run --separate-stderr -0 npu-kmd --version
	[ "$output" = "npu-kmd (npu-utils) $want" ]
}

# bats test_tags=slow
@test "short options can be grouped, the last with a value; -F json works" {
	run -0 npu-kmd --help
	[ "$(npu-kmd -qh)" = "$output" ]
	run -0 npu-kmd --version
	[ "$(npu-kmd -qVh)" = "$output" ]
	mkdir -p empty/lib/modules
	npu-kmd dkms --root=empty >text 2>&1 || [ $? -eq 1 ]
	npu-kmd dkms --root=empty --json >json 2>&1 || [ $? -eq 1 ]
	run -1 cmp -s text json
	while IFS='|' read -r words like; do
		# shellcheck disable=SC2086
		npu-kmd $words --root=empty >got 2>&1 || [ $? -eq 1 ]
		cmp got "$like"
	done <<-'END'
	dkms -F json|json
	dkms -Fjson|json
	-F json dkms|json
	dkms --format=json|json
	dkms --format json|json
	dkms --json -F text|text
	dkms -Ftext --json|json
	END
}

@test "a full or closed stdout is a write error" {
	run -1 sh -c 'npu-kmd --help >/dev/full'
	[ "$output" = "npu-kmd: write error: No space left on device" ]
	run -1 sh -c 'npu-kmd --version >&-'
	[ "$output" = "npu-kmd: write error: Bad file descriptor" ]
}

# bats test_tags=slow
@test "wrong usage: one line and a hint, status 2" {
	while IFS='|' read -r words message; do
		# shellcheck disable=SC2086
		run --separate-stderr -2 npu-kmd $words
		[ "$output" = "" ]
		[ "${stderr_lines[0]}" = "npu-kmd: $message" ]
		[ "${stderr_lines[1]}" = \
		    "Try 'npu-kmd --help' for more information." ]
		[ "${#stderr_lines[@]}" -eq 2 ]
	done <<-'END'
	|which command? (check, adapt, verify, ...)
	frob|unknown command 'frob'
	chekc t|unknown command 'chekc'; did you mean 'check'?
	autolod on|unknown command 'autolod'; did you mean 'autoload'?
	sdst add|unknown command 'sdst'; did you mean 'ssdt'?
	veri x|unknown command 'veri'; did you mean 'verify'?
	check --frob|unknown option '--frob'
	check --jsno t|unknown option '--jsno'; did you mean '--json'?
	check -x t|unknown option '-x'
	--vers|unknown option '--vers'; did you mean '--version'?
	adapt --und t|unknown option '--und'; did you mean '--undo'?
	check -qx t|unknown option '-x'
	check -q- t|unknown option '-q-'
	check -F xml t|--format: 'xml' is not text or json
	check -qF|option '--format' needs a value
	adapt -F text t|adapt: option '--format' is not one of this command
	adapt --undo=x t|option '--undo' takes no value
	adapt --root=/ t|adapt: option '--root' is not one of this command
	check t --kernel|option '--kernel' needs a value
	check t --kernel=|option '--kernel' needs a value
	ssdt status --root=|option '--root' needs a value
	END
}

@test "every command has -q, -v and -o (5)" {
	mkdir -p m/lib/modules/6.1.0-1
	npu-kmd dkms --root=m >want
	npu-kmd -q dkms --root=m | cmp - want
	ln -s there link
	echo old >there
	run --separate-stderr -0 npu-kmd dkms --root=m -v -o link
	[ "$output" = "" ]
	[[ $stderr == *"the machine is ./m, "* ]]
	cmp there want
	[ -L link ] && [ "$(stat -c %a there)" = "$(stat -c %a want)" ]
	run --separate-stderr -0 npu-kmd dkms --root=m -qv -o /dev/null
	[ "$stderr" = "" ]
	run -1 npu-kmd dkms --root=m -o /dev/full
	[ "$output" = "npu-kmd: write error: No space left on device" ]
	run -1 npu-kmd dkms --root=m -o none/file
	[[ $output == *"its folder does not exist" ]]
	run -1 npu-kmd dkms --root=m -o m
	[[ $output == *"--output=m: is a folder" ]]
	cp want z.ko
	run -2 npu-kmd verify z.ko -o z.ko
	[[ $output == *"'z.ko' is also read"* ]]
	cmp z.ko want
}

@test "-o: a failure leaves the old file, or a JSON document" {
	echo old >out
	run -1 npu-kmd verify none.ko -o out
	[ "$(cat out)" = old ]
	run -1 npu-kmd verify none.ko -o out -F json
	[ "$(jq -c '[.schema, .error.status]' out)" = \
	    '["npu-kmd-verify/1",1]' ]
	[ "$(ls -A)" = out ]
}

# bats test_tags=slow
@test "versions are compared by their first two numbers" {
	while read -r words code; do
		run -0 kmd "version_code '$words'; echo \$kernel_code"
		[ "$output" = "$code" ]
	done <<-'END'
	6.1.0-50-arm64 6001
	6.12.107+deb13-arm64 6012
	7.3-rc7-arm64 7003
	7.2 7002
	6.6.89-cix-build-generic 6006
	END
	for words in 6 six 6.x 6.1x .1 6. -6.1 6.1000 "''"; do
		run -1 kmd version_code "$words"
		[ "$output" = "" ]
	done
}

# bats test_tags=slow
@test "a folder of headers gives the kernel's release" {
	mkdir -p a/include/generated b/include/config c 6.12
	echo '#define UTS_RELEASE "7.2.13+deb14-arm64"' \
	    >a/include/generated/utsrelease.h
	echo 6.6.89-cix >b/include/config/kernel.release
	printf '# x\nVERSION = 6\nPATCHLEVEL = 18\nSUBLEVEL = 9\n' >c/Makefile
	say='; echo "$kernel $kernel_code $kernel_dir"'
	[ "$(kmd "kernel_of $PWD/a $say")" = \
	    "7.2.13+deb14-arm64 7002 $PWD/a" ]
	[ "$(kmd "kernel_of b $say")" = "6.6.89-cix 6006 b" ]
	[ "$(kmd "kernel_of ./c $say")" = "6.18 6018 ./c" ]
	[ "$(kmd "kernel_of 6.12 $say")" = "6.12 6012 " ]
	[ "$(kmd "kernel_of '' $say" | cut -d ' ' -f 1)" = "$(uname -r)" ]
	rm c/Makefile
	run -1 kmd kernel_of c
	[[ $output == "npu-kmd: c: no version in "*"kernel headers?" ]]
	run -1 kmd kernel_of newest
	[[ $output == "npu-kmd: --kernel=newest: neither "*" headers" ]]
}

@test "any bytes become a JSON string, and a message stays on one line" {
	odd=$(printf 'a"\\\t\n\033\177 \303\244 \303( \355\240\200 \360\237\230\200')
	kmd 'json_str "$1"' "$odd" >/dev/null || :
	ODD=$odd kmd 'json_str "$ODD"' >out
	jq -j . out >got
	printf 'a"\\\t\n\033\177 \303\244 \357\277\275( ' >want
	printf '\357\277\275\357\277\275\357\277\275 \360\237\230\200' >>want
	cmp got want
	ODD=$odd run -1 kmd 'die "$ODD: no"'
	[ "${#lines[@]}" -eq 1 ]
	[[ $output == 'npu-kmd: a"\???? '*': no' ]]
}

# bats test_tags=slow
@test "installed, npu-kmd runs from its folder, and can be uninstalled" {
	make -C "$TOP/driver" --no-print-directory install \
	    DESTDIR="$PWD/dest" PREFIX=/opt/npu
	[ "$(dest/opt/npu/bin/npu-kmd -V)" = "npu-kmd (npu-utils) $want" ]
	ln -s "$PWD/dest/opt/npu/bin/npu-kmd" link
	[ "$(./link -V)" = "npu-kmd (npu-utils) $want" ]
	make -C "$TOP/driver" --no-print-directory list-installed \
	    PREFIX=/opt/npu | sort >want
	(cd dest && find . ! -type d | sed 's/^\.//' | sort) >have
	diff want have
	[ "$(wc -l <want)" -ge 4 ]
	npu-kmd --completion=fish |
	    cmp - dest/opt/npu/share/fish/vendor_completions.d/npu-kmd.fish
	grep -qx '#compdef npu-kmd' \
	    dest/opt/npu/share/zsh/site-functions/_npu-kmd
	bash -n dest/opt/npu/share/bash-completion/completions/npu-kmd
	make -C "$TOP/driver" --no-print-directory uninstall \
	    DESTDIR="$PWD/dest" PREFIX=/opt/npu
	run -0 find dest ! -type d
	[ "$output" = "" ]
}

@test "signals end npu-kmd as process 1 of a container" {
	unshare -rfp true || skip 'no PID namespace can be made here'
	# The shell handles a signal when the program that it waits for has
	# ended.
	mkfifo begun ending
	mkdir bin
	printf '#!/bin/sh\necho >begun\nread -r line <ending\n' >bin/awk
	chmod +x bin/awk
	for s in HUP:129 INT:130 TERM:143; do
		PATH=$PWD/bin:$PATH env --default-signal=HUP,INT,TERM \
		    unshare -rfp --kill-child=KILL npu-kmd check "$TOP" 3>&- &
		pid=$!
		read -r _ <begun
		read -r child _ <"/proc/$pid/task/$pid/children" || :
		kill -s "${s%:*}" "$child"
		echo >ending
		st=0
		wait $pid || st=$?
		[ $st -eq "${s#*:}" ]
	done
}
