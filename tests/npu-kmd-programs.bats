# SPDX-License-Identifier: Apache-2.0
# npu-kmd when a program that it uses cannot do its work, as where there is no
# memory, or no room for one process more.  Shell: one leg is enough.
# bats file_tags=native

load helper
load fakekmd

# Commands of which the call at which count is 0 fails, without a word.
setup() {
	mkdir bin
	for c in awk sed sort grep tr head wc cat sha256sum; do
		cat >bin/$c <<-END
		#!/bin/sh
		exec 9>"\$COUNT.lock"
		flock 9
		read -r n <"\$COUNT"
		echo \$((n - 1)) >"\$COUNT"
		[ \$n -ne 1 ] || exit 2
		exec 9>&- $(command -v $c) "\$@"
		END
		chmod +x bin/$c
	done
	export COUNT=$PWD/count
	tree orangepi-5.11.0
	mv t whole
}

# attempt N ARGUMENT...: npu-kmd for a copy of whole, its Nth call failing.
attempt() {
	rm -rf t
	cp -a whole t
	echo "$1" >count
	st=0
	PATH=$PWD/bin:$PATH npu-kmd "${@:2}" t >out 2>err || st=$?
	read -r left <count
}

# each_call ARGUMENT...: for a drawn one of every seven calls, that the answer is
# the good one, or that there is none.
each_call() {
	attempt 0 "$@"
	calls=$((-left)) good=$st
	[ $calls -gt 20 ]
	mv out good
	rm -rf good.t
	mv t good.t
	for n in $(seq $((RANDOM % 7 + 1)) 7 $calls); do
		attempt $n "$@"
		if [ $st -eq $good ] && cmp -s out good &&
		    diff -r t good.t >/dev/null; then
			continue
		fi
		[ $st -eq 1 ] && grep -q '^npu-kmd: ' err || {
			echo "$*: call $n: status $st"
			cat err
			return 1
		}
		[ "$1" != adapt ] || still_there
	done
}

# The original is still there, or can be put back.
still_there() {
	npu-kmd adapt --undo t >/dev/null
	diff -r t "${original:-whole}"
}

@test "check: a program that fails is told, SEED=N for other calls" {
	RANDOM=${SEED:-1}
	each_call check --kernel=6.12
	each_call check --kernel=6.12 --json
}

@test "adapt: a program that fails is told, SEED=N for other calls" {
	RANDOM=${SEED:-1}
	each_call adapt
}

@test "adapt --undo: a program that fails is told, and nothing lost" {
	RANDOM=${SEED:-1}
	cp -a whole original
	original=$PWD/original
	npu-kmd adapt whole
	each_call adapt --undo
}

@test "a manifest without a newline at its end is read to its end" {
	# The last line without its end.
	npu-kmd adapt whole >/dev/null
	tree orangepi-5.11.0
	mv t before
	cp -a whole t
	perl -pi -e 'chomp if eof' t/.npu-kmd.manifest
	npu-kmd adapt --undo t
	diff -r t before
}

@test "stderr closed: the same answer" {
	st=0
	npu-kmd check --kernel=6.12 whole >out 2>&- || st=$?
	[ $st -eq 4 ]
	st=0
	npu-kmd check --kernel=6.12 whole >want || st=$?
	cmp out want
}
