# SPDX-License-Identifier: Apache-2.0
# Runs scripts/setup on a simulated machine made of shell scripts, which define
# the missing packages, the user, and what npm fetches.
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

# script NAME TEXT: writes a program of the simulated machine.
script() {
	rm -f "machine/$1"
	printf '#!/bin/sh\n%s\n' "$2" >"machine/$1"
	chmod +x "machine/$1"
}

# setup_there [VARIABLE=VALUE]... COMMAND [ARGUMENT]...: runs the command on the
# simulated machine.
setup_there() {
	env PATH="$PWD/machine" B=build CC=cc "$@"
}

# own: gives the user an own library and vocabulary; npm is not needed.
own() {
	echo library >log/ort
	cp "$B/share/npu-utils/bpe_simple_vocab_16e6.txt" log/vocab
	export NPU_ORT=$LOG/ort CLIP_VOCAB=$LOG/vocab
}

# left: prints the files left under repo/build, without folders.
left() {
	find repo/build -type f -o -type l
}

@test "as root, setup prints the command and installs missing packages" {
	own
	printf 'zlib1g-dev\nlibjansson-dev\n' >log/missing
	run --separate-stderr -0 setup_there repo/scripts/setup build
	[ "$stderr" = "setup: env DEBIAN_FRONTEND=noninteractive apt-get install\
 -y --no-install-recommends zlib1g-dev libjansson-dev" ]
	[ "$(cat log/apt-get)" = \
	    "install -y --no-install-recommends zlib1g-dev libjansson-dev" ]
}

@test "package lists are fetched only if apt does not know a package" {
	own
	echo gcc >log/missing
	: >log/no-lists
	run -0 setup_there repo/scripts/setup build
	[ "$(sed -n 1p log/apt-get)" = update ]
	[ "$(sed -n 2p log/apt-get)" = \
	    "install -y --no-install-recommends gcc" ]
}

@test "a user who is not root gets the packages through sudo" {
	own
	echo gcc >log/missing
	script sudo 'echo "$*" >>"$LOG/sudo"; exec "$@"'
	run --separate-stderr -0 setup_there UID_HERE=1000 repo/scripts/setup build
	[[ $stderr == "setup: sudo env "*" gcc" ]]
	[ "$(wc -l <log/sudo)" -eq 1 ]
	[ "$(wc -l <log/apt-get)" -eq 1 ]
}

@test "with neither root nor sudo, one line names the packages; status 1" {
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

@test "if apt-get fails, a message names the packages; status 1" {
	own
	echo gcc >log/missing
	script apt-get 'exit 100'
	run --separate-stderr -1 setup_there repo/scripts/setup build
	[ "${stderr_lines[-1]}" = "setup: apt-get could not install: gcc" ]
}

@test "npm's cache and home are below build and removed afterwards" {
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

@test "npm is installed only if PATH has no npm" {
	rm machine/npm
	echo npm >log/missing
	run --separate-stderr -1 setup_there repo/scripts/setup build
	[ "$(cat log/apt-get)" = "install -y --no-install-recommends npm" ]
	[ "${stderr_lines[-1]}" = \
	    "setup: npm is needed to fetch onnxruntime-node@1.27.0" ]
}

@test "if npm fails, the message gives its reason and a hint" {
	script npm 'echo "npm error code ENOTFOUND" >&2; exit 1'
	run --separate-stderr -1 setup_there repo/scripts/setup build
	[ "${stderr_lines[-1]}" = "setup: npm could not bring\
 onnxruntime-node@1.27.0 (ENOTFOUND): is its registry reachable?" ]
}

# tarball FILE...: packs the files below package/ for npm to fetch.
tarball() {
	tar -czf log/tarball "${@/#/package/}"
}

@test "a changed library is refused, and no file of the package is left" {
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

@test "the vocabulary in the module is read with quotes and backslashes" {
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

@test "a changed vocabulary is refused, and its file is not left" {
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

# rest NAME...: creates everything else that `setup check` needs, except these
# files.
rest() {
	local d=repo/build/setup
	mkdir -p $d/arm64/root/usr/include/aarch64-linux-gnu/curl $d/x64
	touch $d/arm64/qemu-aarch64 \
	    $d/{arm64,x64}/libonnxruntime.so.1 $d/x64/qemu-x86_64 \
	    $d/x64/vec0.so $d/openai-7.57.0.tgz
	rm "${@/#/$d/}"
}

@test "OpenAI's client is fetched only for tests; a changed one is refused" {
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

@test "if the user has the library and the vocabulary, npm is not used" {
	own
	run --separate-stderr -0 setup_there repo/scripts/setup build
	[ "$stderr" = "" ]
	[ ! -e log/npm ]
	cmp log/ort repo/build/lib/npu-utils/libonnxruntime.so.1
	cmp log/vocab repo/build/share/npu-utils/bpe_simple_vocab_16e6.txt
	gzip -k log/vocab
	CLIP_VOCAB=$LOG/vocab.gz run -0 setup_there repo/scripts/setup build
	cmp log/vocab repo/build/share/npu-utils/bpe_simple_vocab_16e6.txt
	# setup remembers both.
	unset NPU_ORT CLIP_VOCAB
	run -0 setup_there repo/scripts/setup build
	[ ! -e log/npm ]
}

@test "a user's own file that is missing or different is refused" {
	own
	run --separate-stderr -1 setup_there NPU_ORT=nowhere repo/scripts/setup build
	[ "$stderr" = "setup: NPU_ORT=nowhere: no such file" ]
	echo x >>log/vocab
	run --separate-stderr -1 setup_there repo/scripts/setup build
	[ "$stderr" = "setup: CLIP_VOCAB=$CLIP_VOCAB: not CLIP's\
 bpe_simple_vocab_16e6.txt" ]
}

@test "if everything is there, nothing is fetched again" {
	cd "$TOP"
	# These files are present after make check, but not after make test.
	B=build scripts/setup check
	B=build strace -f -qq -e trace=%network -e signal=none \
	    -o "$BATS_TEST_TMPDIR/trace" scripts/setup check
	cat "$BATS_TEST_TMPDIR/trace"
	[ ! -s "$BATS_TEST_TMPDIR/trace" ]
}

@test "if everything is up to date, no file is written" {
	own
	mkdir -p repo/build/lib/npu-utils repo/build/share/npu-utils
	cp log/ort repo/build/lib/npu-utils/libonnxruntime.so.1
	cp log/vocab repo/build/share/npu-utils/bpe_simple_vocab_16e6.txt
	unset NPU_ORT CLIP_VOCAB
	# The time of a folder shows whether files were created and removed.
	find repo -printf '%p %T@\n' | sort >before
	run -0 setup_there repo/scripts/setup build
	[ "$output" = "" ]
	find repo -printf '%p %T@\n' | sort | diff before -
}
