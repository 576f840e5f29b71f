# SPDX-License-Identifier: Apache-2.0
# scripts/setup with a machine made of scripts: which packages are missing, who
# we are, what npm brings.
# bats file_tags=native,slow
# shellcheck disable=SC2016 # the scripts of that machine expand

load ../support/helper

setup() {
	mkdir -p repo/scripts machine log home
	cp "$TOP/scripts/setup" "$TOP/scripts/packages" repo/scripts/
	for t in sh cat tr cut sed grep head mkdir mktemp rm mv ln cmp cp dirname \
	    basename sha256sum tar gzip realpath env; do
		ln -s "$(command -v $t)" machine/
	done
	export LOG=$PWD/log HOME=$PWD/home
	script id 'echo "${UID_HERE:-0}"'
	script dpkg 'echo amd64'
	script cc 'echo x86_64-linux-gnu'
	script dpkg-query '! grep -qx "$4" "$LOG/missing" && echo installed'
	script apt-cache '[ ! -e "$LOG/no-lists" ]'
	script apt-get 'echo "$*" >>"$LOG/apt-get"; : >"$LOG/missing"'
	script npm 'echo "$*" >"$LOG/npm"; echo "$HOME" >"$LOG/npm-home"
		[ -z "$(cat)" ] && cp "$LOG/tarball" ./x.tgz'
	: >log/missing
	: >log/tarball
}

# script NAME TEXT: a program of that machine.
script() {
	rm -f "machine/$1"
	printf '#!/bin/sh\n%s\n' "$2" >"machine/$1"
	chmod +x "machine/$1"
}

# setup_there ARGUMENT... with variables before: on that machine.
setup_there() {
	env PATH="$PWD/machine" B=build CC=cc "$@"
}

# own: a machine that needs nothing from npm.
own() {
	echo library >log/ort
	cp "$B/share/npu-utils/bpe_simple_vocab_16e6.txt" log/vocab
	export NPU_ORT=$LOG/ort CLIP_VOCAB=$LOG/vocab
}

# The files left under repo/build, without folders.
left() {
	find repo/build -type f -o -type l
}

@test "root: the command is printed, then missing packages are installed" {
	own
	printf 'zlib1g-dev\nlibjansson-dev\n' >log/missing
	run --separate-stderr -0 setup_there repo/scripts/setup build
	[ "$stderr" = "setup: env DEBIAN_FRONTEND=noninteractive apt-get install\
 -y --no-install-recommends zlib1g-dev libjansson-dev" ]
	[ "$(cat log/apt-get)" = \
	    "install -y --no-install-recommends zlib1g-dev libjansson-dev" ]
}

@test "package lists are fetched only if apt knows no such package" {
	own
	echo gcc >log/missing
	: >log/no-lists
	run -0 setup_there repo/scripts/setup build
	[ "$(sed -n 1p log/apt-get)" = update ]
	[ "$(sed -n 2p log/apt-get)" = \
	    "install -y --no-install-recommends gcc" ]
}

@test "not root: through sudo" {
	own
	echo gcc >log/missing
	script sudo 'echo "$*" >>"$LOG/sudo"; exec "$@"'
	run --separate-stderr -0 setup_there UID_HERE=1000 repo/scripts/setup build
	[[ $stderr == "setup: sudo env "*" gcc" ]]
	[ "$(wc -l <log/sudo)" -eq 1 ]
	[ "$(wc -l <log/apt-get)" -eq 1 ]
}

@test "neither root nor sudo: one line naming them, status 1" {
	own
	printf 'gcc\nzlib1g-dev\n' >log/missing
	run --separate-stderr -1 setup_there UID_HERE=1000 repo/scripts/setup build
	[ "$output" = "" ]
	[ "$stderr" = "setup: install these packages as root,\
 then try again: gcc zlib1g-dev" ]
	[ ! -e log/apt-get ]
}

@test "DEPS=no changes nothing on the machine" {
	own
	echo zlib1g-dev >log/missing
	run --separate-stderr -0 setup_there DEPS=no repo/scripts/setup build
	[[ $stderr == "setup: DEPS=no, "*": zlib1g-dev" ]]
	[ ! -e log/apt-get ]
}

@test "CC=clang asks for clang, not gcc" {
	own
	printf 'clang\ngcc\n' >log/missing
	ln -s cc machine/clang
	run --separate-stderr -0 setup_there CC=clang repo/scripts/setup build
	[[ $stderr == *" --no-install-recommends clang" ]]
}

@test "apt-get fails: one more line, status 1" {
	own
	echo gcc >log/missing
	script apt-get 'exit 100'
	run --separate-stderr -1 setup_there repo/scripts/setup build
	[ "${stderr_lines[-1]}" = "setup: apt-get could not install: gcc" ]
}

@test "npm from PATH is used; its cache and home are under build and dropped" {
	echo npm >log/missing	# as Debian's package: this one came otherwise
	run -1 setup_there repo/scripts/setup build
	[ ! -e log/apt-get ]
	[[ $(cat log/npm) == "pack onnxruntime-node@1.27.0 --ignore-scripts "* ]]
	[[ $(cat log/npm) == *" --userconfig=$HOME/.npmrc "* ]]
	[[ $(cat log/npm) == *" --cache=$PWD/repo/build/setup/tmp."* ]]
	[[ $(cat log/npm-home) == "$PWD/repo/build/setup/tmp."* ]]
	[ "$(left)" = "" ]
	[ -z "$(ls -A repo/build/setup)" ]
	[ -z "$(ls -A home)" ]
}

@test "npm is installed only where there is none" {
	rm machine/npm
	echo npm >log/missing
	run --separate-stderr -1 setup_there repo/scripts/setup build
	[ "$(cat log/apt-get)" = "install -y --no-install-recommends npm" ]
	[ "${stderr_lines[-1]}" = \
	    "setup: npm is needed to fetch onnxruntime-node@1.27.0" ]
}

@test "npm fails: its reason, and what to look at" {
	script npm 'echo "npm error code ENOTFOUND" >&2; exit 1'
	run --separate-stderr -1 setup_there repo/scripts/setup build
	[ "${stderr_lines[-1]}" = "setup: npm could not bring\
 onnxruntime-node@1.27.0 (ENOTFOUND): is its registry reachable?" ]
}

# tarball FILE...: what npm will bring, FILE being below package/.
tarball() {
	tar -czf log/tarball "${@/#/package/}"
}

@test "a changed library is refused, and nothing of it stays" {
	d=bin/napi-v6/linux
	mkdir -p package/$d/x64 package/$d/arm64
	echo evil | tee package/$d/x64/libonnxruntime.so.1 \
	    >package/$d/arm64/libonnxruntime.so.1
	tarball $d
	run --separate-stderr -1 setup_there repo/scripts/setup build
	sum=$(echo evil | sha256sum | cut -d ' ' -f 1)
	[ "${stderr_lines[-1]}" = "setup: x64/libonnxruntime.so.1: sha256 is\
 $sum, not\
 d8aff4aa8abee8fb2abb2f2f2459ffc94461e781e41b9f7c072829dd0d470221:\
 damaged or changed on the way" ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	[ "$(left)" = "" ]
}

@test "a cut or empty package is refused in one line" {
	run --separate-stderr -1 setup_there repo/scripts/setup build
	[ "${stderr_lines[-1]}" = "setup: the package that npm brought has no\
 whole bin/napi-v6/linux/x64/libonnxruntime.so.1" ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	[ "$(left)" = "" ]
}

@test "the vocabulary is the module's string, quotes and backslashes too" {
	own
	unset CLIP_VOCAB
	mkdir -p package/script
	{
		printf 'let obj = { "text": "'
		sed 's/\\/\\\\/g; s/"/\\"/g; s/$/\\n/' log/vocab | tr -d '\n'
		printf '" };\n'
	} >package/script/bpe_simple_vocab_16e6.js
	tarball script
	run -0 setup_there repo/scripts/setup build
	cmp log/vocab repo/build/share/npu-utils/bpe_simple_vocab_16e6.txt
}

@test "a changed vocabulary is refused, and nothing of it stays" {
	own
	unset CLIP_VOCAB
	mkdir -p package/script
	printf '%s\n' 'let obj = { "text": "evil\n" };' \
	    >package/script/bpe_simple_vocab_16e6.js
	tarball script
	run --separate-stderr -1 setup_there repo/scripts/setup build
	[[ ${stderr_lines[-1]} == "setup: bpe_simple_vocab_16e6.txt: sha256 is "* ]]
	left >files
	run -1 grep bpe files
}

# rest NAME...: what else check sets up is there, but for these.
rest() {
	local d=repo/build/setup
	mkdir -p $d/arm64/root/usr/include $d/x64
	touch $d/arm64/root/usr/include/zmq.h $d/arm64/qemu-aarch64 \
	    $d/{arm64,x64}/libonnxruntime.so.1 $d/x64/qemu-x86_64 \
	    $d/x64/vec0.so $d/openai-7.57.0.tgz
	rm "${@/#/$d/}"
}

@test "OpenAI's client comes for tests alone; a changed one is refused" {
	own
	rest openai-7.57.0.tgz
	run --separate-stderr -0 setup_there repo/scripts/setup build
	[ ! -e log/npm ]
	run --separate-stderr -1 setup_there repo/scripts/setup check
	[[ $(cat log/npm) == "pack openai@7.57.0 --ignore-scripts "* ]]
	[ "${stderr_lines[-1]}" = "setup: openai-7.57.0.tgz: sha256 is\
 $(sha256sum </dev/null | cut -d ' ' -f 1), not\
 2e39589ca8d5a71aff84b921da8b7712d4ec7f0b1917b41fb0b7e69c34c609ce:\
 damaged or changed on the way" ]
	left >files
	run -1 grep openai files
	rest x64/vec0.so
	run -1 setup_there repo/scripts/setup check
	[[ $(cat log/npm) == "pack sqlite-vec-linux-x64@"* ]]
}

@test "a user's own library and vocabulary serve, and npm is not asked" {
	own
	run --separate-stderr -0 setup_there repo/scripts/setup build
	[ "$stderr" = "" ]
	[ ! -e log/npm ]
	cmp log/ort repo/build/lib/npu-utils/libonnxruntime.so.1
	cmp log/vocab repo/build/share/npu-utils/bpe_simple_vocab_16e6.txt
	gzip -k log/vocab
	CLIP_VOCAB=$LOG/vocab.gz run -0 setup_there repo/scripts/setup build
	cmp log/vocab repo/build/share/npu-utils/bpe_simple_vocab_16e6.txt
	# And they are remembered.
	unset NPU_ORT CLIP_VOCAB
	run -0 setup_there repo/scripts/setup build
	[ ! -e log/npm ]
}

@test "a user's own file that is missing, or is another, is refused" {
	own
	run --separate-stderr -1 setup_there NPU_ORT=nowhere repo/scripts/setup build
	[ "$stderr" = "setup: NPU_ORT=nowhere: no such file" ]
	echo x >>log/vocab
	run --separate-stderr -1 setup_there repo/scripts/setup build
	[ "$stderr" = "setup: CLIP_VOCAB=$CLIP_VOCAB: not CLIP's\
 bpe_simple_vocab_16e6.txt" ]
}

@test "once everything is there, nothing is fetched again" {
	cd "$TOP"
	# Present after make check, but not after make test.
	B=build scripts/setup check
	B=build strace -f -qq -e trace=%network -e signal=none \
	    -o "$BATS_TEST_TMPDIR/trace" scripts/setup check
	cat "$BATS_TEST_TMPDIR/trace"
	[ ! -s "$BATS_TEST_TMPDIR/trace" ]
}

@test "where there is nothing to do, nothing is written" {
	own
	mkdir -p repo/build/lib/npu-utils repo/build/share/npu-utils
	cp log/ort repo/build/lib/npu-utils/libonnxruntime.so.1
	cp log/vocab repo/build/share/npu-utils/bpe_simple_vocab_16e6.txt
	unset NPU_ORT CLIP_VOCAB
	# A folder's time shows files that came and went.
	find repo -printf '%p %T@\n' | sort >before
	run -0 setup_there repo/scripts/setup build
	[ "$output" = "" ]
	find repo -printf '%p %T@\n' | sort | diff before -
}
