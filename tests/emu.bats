# SPDX-License-Identifier: Apache-2.0
# libnoe-emu.so: what it computes, where it finds what with, what it says.  How
# it answers call by call is in tests/abi.

load helper

EMU=$B/lib/npu-utils

# Run a program of the vendor's API on the emulator, as on a board.
noe() {
	LD_LIBRARY_PATH=$EMU/noe "$B/tests/tools/noerun" "$@"
}

mkcix() {
	"$B/tests/tools/mkcix" "$@"
}

mkonnx() {
	"$B/tests/tools/mkonnx" "$@"
}

# four OP: a twin of four floats.
four() {
	mkonnx "$1" f32:1x4 : f32:1x4
}

# pack SPEC... : SPEC... [ONNX]: a model of these inputs and outputs, as
# TYPE:SHAPE:SCALE:ZERO, without a test program in it.
pack() {
	local o=-I args=()
	for spec; do
		case $spec in
		:) o=-O ;;
		*.onnx) args+=("$spec") ;;
		*) args+=("$o" ":$spec") ;;
		esac
	done
	cix-pack "${args[@]}"
}

# model [ONNX]: a model of four floats.
model() {
	pack f32:4 : f32:4 "$@"
}

# said: the lines of $stderr without those of ONNX Runtime itself, which does
# not know the processor that qemu is.
said() {
	mapfile -t said < <(grep -v '^onnxruntime ' <<<"$stderr")
	printf '%s\n' "${said[@]}"
}

# Threads can only be counted where qemu does not have some of its own.
WATCH=(-w)
[ "${LEG-}" != arm64 ] || WATCH=()

# one_line STATUS TEXT: what noerun said of a load: a line of the emulator's
# with TEXT in it, then its own.
one_line() {
	said
	[ "${#said[@]}" -eq 2 ]
	[[ ${said[0]} == "libnoe-emu: "*"$2"* ]]
	[[ ${said[1]} == "noerun: load_graph: $1 "* ]]
}

@test "exports what 2.0.2 exports, and noe_emu_version" {
	nm -D --defined-only "$EMU/libnoe-emu.so" | awk '{ print $3 }' |
	    sort >names
	# From noe-abi 3.1: 31 noe_ and 5 more.
	[ "$(grep -c '^noe_' names)" -eq 32 ]
	[ "$(grep -v '^noe_' names | tr '\n' ' ')" = \
	    "aipu_debugger_free aipu_debugger_get_core_info aipu_debugger_get_job_info aipu_debugger_malloc aipu_printf " ]
	grep -qx noe_emu_version names
	cmp "$EMU/libnoe-emu.so" "$EMU/noe/libnoe.so"
}

@test "tests/abi has rows for every call, and enough of them" {
	"$B/tests/abi/abi" -l . . >rows
	[ "$(wc -l <rows)" -ge 120 ]
	nm -D --defined-only "$EMU/libnoe-emu.so" | awk '{ print $3 }' |
	    grep -vx noe_emu_version | sed 's/^noe_//' | while read -r call; do
		grep -q "^$call: " rows || echo "$call"
	done >none
	cat none
	[ ! -s none ]
}

@test "a program of the vendor's API runs unchanged" {
	mkcix --in=s8:4 --out=s8:4 --op=xor >m.cix
	printf '\000\125\252\377' >in
	noe "${WATCH[@]}" m.cix <in >out 2>err
	[ "$(bytes out)" = "85 0 255 170" ]	# ^ 0x55
	[ ! -s err ]
}

# ---- The twin ---------------------------------------------------------------

# times N: a matrix that multiplies four floats by N.
times() {
	f32 "$1" 0 0 0 0 "$1" 0 0 0 0 "$1" 0 0 0 0 "$1"
}

@test "weights in other files are those beside the twin" {
	mkdir m cwd
	mkonnx MatMul f32:1x4 f32:4x4@w.bin : f32:1x4 >m/m.onnx
	model >m/m.cix
	times 2 >m/w.bin
	times 100 >cwd/w.bin
	f32 1 2 3 4 >in
	for d in m cwd .; do
		(cd $d && noe "$OLDPWD/m/m.cix") <in >out
		[ "$(floats out)" = "2 4 6 8" ]
	done
	ln -s ../m/m.onnx cwd/n.onnx		# beside its name, as ONNX has it
	NPU_TWIN=cwd/n.onnx noe m/m.cix <in >out
	[ "$(floats out)" = "100 200 300 400" ]
	rm m/w.bin
	cd cwd
	run --separate-stderr -9 noe ../m/m.cix <../in
	one_line 0x9 "m/m.onnx: ONNX Runtime: "
	# Of a pipe nobody knows what was beside it.
	mkfifo p
	cat ../m/m.onnx >p &
	NPU_TWIN=p run --separate-stderr -9 noe ../m/m.cix <../in
	one_line 0x9 "p: its weights are in other files, and it is no regular file"
	wait $!
}

@test "weights that a packed twin has not are not those of the directory" {
	mkonnx MatMul f32:1x4 f32:4x4@w.bin : f32:1x4 >x.onnx
	times 100 >w.bin
	f32 1 2 3 4 >in
	# cix-pack makes none: where it has put another of the same length.
	head -c "$(wc -c <x.onnx)" /dev/zero | tr '\0' '\010' >room.onnx
	model room.onnx >m.cix
	perl -0777 -pe 'BEGIN { local $/; open F, "x.onnx"; $x = <F> }
	    s/\010{50,}/$x . "\010" x (length($&) - length($x))/e' -i m.cix
	run --separate-stderr -9 noe m.cix <in
	one_line 0x9 "its twin in the file: its weights are in other files, and none are beside a twin in a model; pack it as one file: cix-pack(1)"
	[ "$output" = "" ]
	# Given as a file it has them.
	NPU_TWIN=x.onnx noe m.cix <in >out
	[ "$(floats out)" = "100 200 300 400" ]
}

# From the last place to the first: each new one wins.
@test "finds the twin in the order that the page gives" {
	mkdir -p hub/cfg hub/model
	model >hub/m.cix
	f32 4 -9 0.25 -1 >in

	four Neg >hub/model/any.onnx
	noe hub/m.cix <in >out
	[ "$(floats out)" = "-4 9 -0.25 1" ]

	four Identity >hub/model/named.onnx
	printf '[Parser]\ninput_model = ./model/named.onnx\n' >hub/cfg/a.cfg
	noe hub/m.cix <in >out
	[ "$(floats out)" = "4 -9 0.25 -1" ]

	four Abs >hub/m.onnx
	noe hub/m.cix <in >out
	[ "$(floats out)" = "4 9 0.25 1" ]

	four Relu >relu.onnx
	model relu.onnx >hub/m.cix
	noe hub/m.cix <in >out
	[ "$(floats out)" = "4 0 0.25 0" ]

	four Sign >sign.onnx
	NPU_TWIN=x=nowhere.onnx:m=sign.onnx noe hub/m.cix <in >out
	[ "$(floats out)" = "1 -1 1 -1" ]
	NPU_TWIN=sign.onnx noe hub/m.cix <in >out
	[ "$(floats out)" = "1 -1 1 -1" ]
	# Pairs for other models leave this one alone.
	NPU_TWIN=x=sign.onnx noe hub/m.cix <in >out
	[ "$(floats out)" = "4 0 0.25 0" ]
}

@test "of several configurations the one that makes this model counts" {
	mkdir -p cfg model
	model >clip_txt.cix
	four Neg >model/visual.onnx
	four Abs >model/text.onnx
	printf 'input_model=model/visual.onnx\noutputs = clip_visual.cix\n' \
	    >cfg/a.cfg
	# Relative to the configuration, with quotes, a comment and a CR.
	printf 'input_model = "../model/text.onnx" # x\r\noutputs=out/clip_txt.cix\r\n' \
	    >cfg/b.cfg
	printf 'input_model=model/visual.onnx\noutputs=other.cix\n' >cfg/c.cfg
	f32 1 -2 3 -4 >in
	noe clip_txt.cix <in >out
	[ "$(floats out)" = "1 2 3 4" ]
	rm cfg/b.cfg cfg/c.cfg
	four Relu >model/more.onnx
	printf 'input_model=model/more.onnx\noutputs=other.cix\n' >cfg/c.cfg
	run --separate-stderr -12 noe clip_txt.cix <in
	one_line 0xc "several named by cfg/*.cfg"
}

@test "a folder's name is no pattern: the twin beside it is another's" {
	mkdir -p 'v[1]/model' v1/model
	model >'v[1]/m.cix'
	four Abs >v1/model/m.onnx
	f32 1 -2 3 -4 >in
	run --separate-stderr -12 noe 'v[1]/m.cix' <in
	one_line 0xc "none named by cfg/*.cfg there, no model/*.onnx"
	four Neg >'v[1]/model/m.onnx'
	noe 'v[1]/m.cix' <in >out
	[ "$(floats out)" = "-1 2 -3 4" ]
}

@test "finds the twin of a model that is handed over by its descriptor" {
	model >m.cix
	four Neg >m.onnx
	f32 1 2 3 4 >in
	exec 7<m.cix
	noe /proc/self/fd/7 <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
}

@test "no twin: says where it looked and what to do" {
	model >m.cix
	run --separate-stderr -12 noe m.cix </dev/null
	one_line 0xc "/m.onnx, none named by cfg/*.cfg there, no model/*.onnx; set NPU_TWIN=FILE.onnx"
}

@test "a twin or a configuration that is no regular file is not waited for" {
	mkdir cfg model
	model >m.cix
	mkfifo m.onnx
	run --separate-stderr -12 noe m.cix </dev/null
	one_line 0xc "its twin $PWD/m.onnx: not a regular file"
	rm m.onnx
	mkfifo cfg/a.cfg
	four Neg >model/x.onnx
	f32 1 2 3 4 >in
	noe m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
}

@test "NPU_TWIN that leads nowhere is an error, not passed over" {
	model >m.cix
	four Neg >m.onnx
	NPU_TWIN=gone.onnx run --separate-stderr -12 noe m.cix </dev/null
	one_line 0xc "NPU_TWIN=gone.onnx: there is no such file"
	NPU_TWIN=m=gone.onnx run --separate-stderr -12 noe m.cix </dev/null
	one_line 0xc "gone.onnx: cannot be opened: No such file or directory"
}

@test "a twin that is no ONNX file is called by name" {
	model >m.cix
	head -c 300 /dev/zero | tr '\0' x >m.onnx
	run --separate-stderr -9 noe m.cix </dev/null
	one_line 0x9 "m.onnx: ONNX Runtime: "
	head -c 300 /dev/zero >m.onnx
	run --separate-stderr -9 noe m.cix </dev/null
	one_line 0x9 "m.onnx: no ONNX file: no field of protobuf at byte 0 of 300"
	echo 'version https://git-lfs.github.com/spec/v1' >m.onnx
	run --separate-stderr -12 noe m.cix </dev/null
	one_line 0xc "m.onnx is a git-LFS pointer; run 'git lfs pull'"
}

@test "a twin that does not fit the descriptors is refused with both numbers" {
	model >m.cix
	mkonnx Add f32:1x4 f32:1x4 : f32:1x4 >m.onnx
	run --separate-stderr -34 noe m.cix </dev/null
	one_line 0x22 "has 2 inputs and 1 outputs, but the model 1 and 1"
	mkonnx Neg f32:1x5 : f32:1x5 >m.onnx
	run --separate-stderr -21 noe m.cix </dev/null
	one_line 0x15 "input 0 does not fit its twin $PWD/m.onnx: 4 elements, but 5 in the twin's 'in0'"
	mkonnx Neg f32:NxM : f32:NxM >m.onnx
	run --separate-stderr -21 noe m.cix </dev/null
	one_line 0x15 "leaves 2 dimensions open, and the NPU needs them fixed"
	mkonnx Neg f32:Nx3 : f32:Nx3 >m.onnx
	run --separate-stderr -21 noe m.cix </dev/null
	one_line 0x15 "4 elements do not make whole rows of the 3"
	mkcix --in=s4c:8 --out=f32:4 >m.cix
	mkonnx Neg f32:1x4 : f32:1x4 >m.onnx
	NPU_TWIN=m.onnx run --separate-stderr -19 noe m.cix </dev/null
	one_line 0x13 "the emulator does not compute with data type 0x21"
}

@test "one open dimension, as a batch, follows from the descriptor" {
	model >m.cix
	mkonnx Neg f32:Nx4 : f32:Nx4 >m.onnx
	f32 1 2 3 4 >in
	noe m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
}

@test "a twin whose output has another size ends the job in an exception" {
	model >m.cix
	mkonnx NonZero f32:1x4 : i64:NxM >m.onnx	# a row and a column each
	f32 1 2 3 4 >in
	run --separate-stderr -17 noe m.cix <in
	said
	[[ ${said[0]} == *"output 0: the twin gave 8 elements, and the model has 4; the job ends in an exception" ]]
	[[ ${said[1]} == "noerun: job_infer_sync: 0x11 "* ]]
}

@test "no runtime: says what was tried and what to do" {
	model >m.cix
	four Neg >m.onnx
	NPU_ORT=gone.so run --separate-stderr -3 noe m.cix </dev/null
	one_line 0x3 "ONNX Runtime cannot be loaded from NPU_ORT (gone.so: "
	NPU_ORT=libc.so.6 run --separate-stderr -3 noe m.cix </dev/null
	one_line 0x3 "(libc.so.6: not ONNX Runtime)"
	# Nothing beside it and nothing in the system.
	mkdir alone
	cp "$EMU/noe/libnoe.so" alone
	LD_LIBRARY_PATH=$PWD/alone run --separate-stderr -3 \
	    "$B/tests/tools/noerun" m.cix </dev/null
	one_line 0x3 "set NPU_ORT to a libonnxruntime.so of 1.17 to 1.30"
}

# ---- Between bytes and numbers ----------------------------------------------

@test "dequantises, runs, quantises: (q + zero) / scale and back" {
	# x = (q + 3) / 2; out = clip(rint(-x * 4 - 1)) to s8
	pack s8:5:2:3 : s8:5:4:1 >m.cix
	mkonnx Neg f32:1x5 : f32:1x5 >m.onnx
	printf '\376\377\000\144\234' >in	# -2 -1 0 100 -100
	noe m.cix <in >out
	# x = 0.5 1 1.5 51.5 -48.5; -4x - 1 = -3 -5 -7 -207 193
	[ "$(od -An -v -t d1 out | tr -s ' ')" = " -3 -5 -7 -128 127" ]
}

@test "token ids reach a twin of int64 exactly" {
	pack s32:3 : s32:3 >m.cix
	mkonnx Identity i64:1x3 : i64:1x3 >m.onnx
	# 49407, 2^24 + 1, which float32 cannot hold, and -1
	printf '\377\300\000\000\001\000\000\001\377\377\377\377' >in
	noe m.cix <in >out
	cmp in out
	mkonnx Identity i32:1x3 : i32:1x3 >m.onnx
	noe m.cix <in >out
	cmp in out
}

@test "integers are clipped to a narrower twin's range" {
	pack s32:3 : s32:3 >m.cix
	mkonnx Identity i8:1x3 : i8:1x3 >m.onnx
	printf '\377\300\000\000\001\000\000\001\377\377\377\377' >in
	noe m.cix <in >out
	[ "$(od -An -v -t d4 out | tr -s ' ')" = " 127 127 -1" ]
}

@test "unscaled bytes and floats of the same type pass as they are" {
	pack u8:4 : u8:4 >m.cix
	mkonnx Identity u8:1x4 : u8:1x4 >m.onnx
	printf '\000\001\200\377' >in
	noe m.cix <in >out
	cmp in out
	# NaN with a payload, minus zero, a subnormal
	model >m.cix
	four Identity >m.onnx
	printf '\001\000\300\177\000\000\000\200\001\000\000\000\000\000\200\377' \
	    >in
	noe m.cix <in >out
	cmp in out
}

@test "a scale of 0 means that nothing is scaled" {
	mkcix --in=s8:4:0 --out=f32:4 >m.cix
	mkonnx Neg f32:1x4 : f32:1x4 >n.onnx
	printf '\001\002\003\375' >in	# 1 2 3 -3
	NPU_TWIN=n.onnx noe m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 3" ]
}

@test "a float output becomes f16, to the nearest, ties to even" {
	pack f32:4 : f16:4 >m.cix
	four Identity >m.onnx
	# 1, 1 + 2^-11 (a tie), 1 + 3 * 2^-11 (a tie), 65504
	f32 1 1.00048828125 1.00146484375 65504 >in
	noe m.cix <in >out
	[ "$(od -An -v -t x2 out | tr -s ' ')" = " 3c00 3c00 3c02 7bff" ]
}

@test "not-a-number becomes 0 in an integer output" {
	pack f32:4 : s8:4 >m.cix
	four Sqrt >m.onnx
	f32 4 -1 9 -4 >in
	noe m.cix <in >out
	[ "$(bytes out)" = "2 0 3 0" ]
}

@test "several inputs and outputs keep their order" {
	pack f32:2 s32:2 : f32:2 s32:2 >m.cix
	mkonnx Add f32:1x2 f32:1x2 : f32:1x2 i32:1x2 >m.onnx
	{ f32 1.5 -2; printf '\002\000\000\000\005\000\000\000'; } >in
	noe m.cix <in >out
	head -c 8 out >first
	[ "$(floats first)" = "3.5 3" ]		# the sum
	[ "$(tail -c 8 out | bytes /dev/stdin)" = "2 0 0 0 5 0 0 0" ]
}

# ---- What it leaves alone ---------------------------------------------------

# Counters are written to files: not in that leg.
# bats test_tags=native,no-coverage
@test "makes no file in HOME or TMPDIR, no socket, no thread that stays" {
	model >m.cix
	four Neg >m.onnx
	f32 1 2 3 4 >in
	mkdir home tmp
	HOME=$PWD/home TMPDIR=$PWD/tmp LD_LIBRARY_PATH=$EMU/noe \
	    strace -f -o trace "$B/tests/tools/noerun" -w m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
	[ -z "$(find home tmp -mindepth 1)" ]
	run ! grep -E '(socket|connect|sendto)\(' trace
	run ! grep -E 'O_CREAT|mkdir' trace
}

# bats test_tags=native
@test "asks the runtime for no telemetry before it is loaded" {
	# A runtime of our own, which tells what it sees when it is loaded.
	cat >spy.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	void *OrtGetApiBase(void);
	void *OrtGetApiBase(void) { return 0; }
	__attribute__((constructor)) static void look(void)
	{
		const char *s = getenv("ORT_DISABLE_TELEMETRY");
		fprintf(stderr, "spy: %s\n", s ? s : "(unset)");
	}
	END
	cc -shared -fPIC -o spy.so spy.c
	model >m.cix
	four Neg >m.onnx
	NPU_ORT=$PWD/spy.so run --separate-stderr -3 noe m.cix </dev/null
	[ "${stderr_lines[0]}" = "spy: 1" ]
}

# ---- Time and trouble -------------------------------------------------------

# 20000 products of 512 x 512: a minute of work and more; under qemu 2000 are
# many minutes, and those take long enough to load.
@test "a time-out interrupts a computation that is running" {
	pack f32:262144 : f32:262144 >m.cix
	products=20000
	[ "${LEG-}" != arm64 ] || products=2000
	mkonnx Loop:$products f32:512x512 : f32:512x512 >m.onnx
	head -c 1048576 /dev/zero >in
	start=$(date +%s%N)
	run --separate-stderr -35 noe "${WATCH[@]}" -t 50 m.cix <in
	took=$((($(date +%s%N) - start) / 1000000))
	echo "$took ms"
	[ "$took" -lt 25000 ]
}

@test "NPU_EMU_INFER_MS is the time of an inference, and does not spin" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	start=$(date +%s%N)
	NPU_EMU_INFER_MS=40 noe -n 10 m.cix <<<abcd >out
	took=$((($(date +%s%N) - start) / 1000000))
	[ "$took" -ge 400 ]
	NPU_EMU_INFER_MS=3000 bash -c "TIMEFORMAT='%U %S'
	    time LD_LIBRARY_PATH=$EMU/noe $B/tests/tools/noerun m.cix" \
	    <<<abcd 2>cpu >out
	awk '{ exit $1 + $2 > 1.5 }' cpu
}

# ms NAME=VALUE COMMAND...: how long it takes.
ms() {
	local start
	start=$(date +%s%N)
	env "$1" LD_LIBRARY_PATH="$EMU/noe" "${@:2}" <<<abcd >out
	echo $((($(date +%s%N) - start) / 1000000))
}

@test "as many jobs run at a time as there are cores" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	export NPU_EMU_INFER_MS=1000
	# One job before the threads; then 4 jobs of 1 s.
	one=$(ms NPU_EMU_CORES=1 "$B/tests/tools/noerun" -j 4 m.cix)
	four=$(ms NPU_EMU_CORES=4 "$B/tests/tools/noerun" -j 4 m.cix)
	echo "$one ms on one core, $four ms on four"
	[ "$one" -ge 5000 ]
	[ "$four" -ge 2000 ]
	[ "$four" -lt $((one - 500)) ]	# 2000 and what a busy machine adds
}

@test "each call's own time is spent" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	for k in GRAPH CREATE LOAD GET CLEAN UNLOAD INIT DEINIT; do
		start=$(date +%s%N)
		env "NPU_EMU_${k}_MS=120.5" LD_LIBRARY_PATH="$EMU/noe" \
		    "$B/tests/tools/noerun" m.cix <<<abcd >out
		took=$((($(date +%s%N) - start) / 1000000))
		[ "$took" -ge 120 ]
	done
}

@test "the Nth call of a name meets its fault" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	export NPU_EMU_FAULT
	NPU_EMU_FAULT=infer:3:exception
	noe -n 2 m.cix <<<abcd >out
	run --separate-stderr -17 noe -n 3 m.cix <<<abcd
	NPU_EMU_FAULT=infer:2+:timeout
	run --separate-stderr -35 noe -n 2 -t 50 m.cix <<<abcd
	NPU_EMU_FAULT=create:2:nomem
	run --separate-stderr -22 noe -n 2 m.cix <<<abcd
	NPU_EMU_FAULT=graph:1:nomem
	run --separate-stderr -22 noe m.cix <<<abcd
	NPU_EMU_FAULT=init:1:nodevice
	run --separate-stderr -3 noe m.cix <<<abcd
	# Gone for good: the next submission is refused.
	NPU_EMU_FAULT=load:2:nodevice
	run --separate-stderr -55 noe -n 9 m.cix <<<abcd
	[[ ${stderr_lines[0]} == *"the device is gone from here on" ]]
	NPU_EMU_FAULT=create:1:delay=1,infer:2-3:coredump
	run --separate-stderr -17 noe -n 9 m.cix <<<abcd
}

# met SEED RULES: which of 4000 inferences failed, one a line.
met() {
	NPU_EMU_COMPUTE=copy NPU_EMU_SEED=$1 NPU_EMU_FAULT=$2 npu-run -d emu \
	    -k -r m.cix zeros 2>&1 >out | sed -n 's/.*: frame \([0-9]*\): .*/\1/p'
}

@test "1/N is one call in N at random, and the same again" {
	mkcix --in=u8:1 --out=u8:1 >m.cix
	head -c 4000 /dev/zero >zeros
	met 1 infer:1/10:exception >a
	met 1 infer:1/10:exception | cmp a
	# 400, and no further from it than five times the deviation of that
	# many draws, sqrt(4000 * 0.1 * 0.9) = 19.
	n=$(wc -l <a)
	echo "$n of 4000"
	[ "$n" -ge 305 ]
	[ "$n" -le 495 ]
	# Another seed, and another rule, have draws of their own: of 400, the
	# same 40, with a deviation of sqrt(40 * 0.9) = 6.
	met 2 infer:1/10:exception >b
	met 1 infer:1/3:delay=0,infer:1/10:exception >c
	for f in b c; do
		same=$(sort a | comm -12 - <(sort $f) | wc -l)
		echo "$same the same in $f"
		[ "$(wc -l <$f)" -ge 305 ]
		[ "$same" -ge 10 ]
		[ "$same" -le 70 ]
	done
	# No pattern in the calls' numbers: as many in each tenth of them.
	awk '{ n[int(($1 - 1) / 400)]++ }
	    END { for (i = 0; i < 10; i++) if (n[i] < 10 || n[i] > 70) exit 1 }' a
	met 1 infer:1/1:exception | wc -l >all
	[ "$(cat all)" -eq 4000 ]
}

@test "NPU_EMU_LOG has each fault that a call met, and when" {
	mkcix --in=u8:1 --out=u8:1 >m.cix
	head -c 12 /dev/zero >zeros
	NPU_EMU_LOG=log NPU_EMU_FAULT=create:2:nomem,infer:3:exception,infer:4-5:delay=1.5,infer:5:delay=1,infer:5:coredump,get:2:delay=0 \
	    run -1 npu-run -d emu -j 1 -k -r -o out m.cix zeros
	grep ^fault log >got
	# One after the other: of the second frame's no job was made.
	diff got - <<-'END'
	fault create 2 1 nomem
	fault get 2 2 delay=0
	fault infer 3 3 exception
	fault infer 4 4 delay=1.5
	fault infer 5 5 delay=2.5
	fault infer 5 5 coredump
	END
}

@test "NPU_EMU_LOG counts what was made, ended and left" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	made() {
		rm -f log
		NPU_EMU_LOG=log noe "$@" m.cix <<<abcd >out
		tr '\n' ' ' <log
	}
	[ "$(made -n 3)" = \
	    "made context 1 1 0 1 made graph 1 1 0 1 made job 3 3 0 1 " ]
	[ "$(made -l j -n 3)" = \
	    "made context 1 1 0 1 made graph 1 1 0 1 made job 3 0 3 3 " ]
	[ "$(made -l jg -n 3)" = \
	    "made context 1 1 0 1 made graph 1 0 1 1 made job 3 0 3 3 " ]
	[ "$(made -l c)" = \
	    "made context 1 0 1 1 made graph 1 1 0 1 made job 1 1 0 1 " ]
	# One after the other, one before them; then up to four at once.
	[[ $(made -j 4 -n 5) == *"made job 21 21 0 "[1234]" " ]]
	# Lines are added.
	NPU_EMU_LOG=log noe m.cix <<<abcd >out
	[ "$(wc -l <log)" -eq 6 ]
	# One whose making failed late was registered (noe-abi 4.7).
	rm log
	NPU_EMU_LOG=log NPU_EMU_FAULT=create:2:nomem \
	    run -1 npu-run -d emu -k -r -o out m.cix <<<abcdefghijk
	grep -qx 'made job 3 3 0 [123]' log
}

@test "a knob that is not understood is said, and no context opens" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	wrong() {
		env "$1" LD_LIBRARY_PATH="$EMU/noe" \
		    "$B/tests/tools/noerun" m.cix
	}
	while read -r knob what; do
		run --separate-stderr -6 wrong "$knob" <<<abcd
		echo "$stderr"
		[[ ${stderr_lines[0]} == "libnoe-emu: "*"$what"* ]]
		[[ ${stderr_lines[-1]} == "noerun: init_context: 0x6 "* ]]
	done <<-'END'
	NPU_EMU_NOISY=1 no such knob
	NPU_EMU_NOISE=yes not 0 or 1
	NPU_EMU_INFER_MS=fast not a number of milliseconds
	NPU_EMU_INFER_MS=-1 not a number of milliseconds
	NPU_EMU_CORES=0 from 1 to 16
	NPU_EMU_COMPUTE=some not twin, none, copy or fill
	NPU_EMU_FAULT=xyz a fault is CALL:WHICH:FAULT
	NPU_EMU_FAULT= a fault is CALL:WHICH:FAULT
	NPU_EMU_FAULT=run:1:timeout no such call
	NPU_EMU_FAULT=infer:0:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:1/0:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:1/:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:1/-3:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:2/3:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:x:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:3-x:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:5-3:timeout which call is N, N+, N-M or *
	NPU_EMU_FAULT=infer:timeout a fault is CALL:WHICH:FAULT
	NPU_EMU_FAULT=xyz,infer:1:timeout a fault is CALL:WHICH:FAULT
	NPU_EMU_A_NAME_THAT_IS_LONGER_THAN_THAT_OF_ANY_KNOB_THERE_MAY_EVER_BE=1 no such knob
	NPU_EMU_FAULT=infer:1/3+:timeout which call is N, N+, N-M or *
	NPU_EMU_LOG=/dev/null/log Not a directory
	NPU_EMU_LOG= No such file or directory
	NPU_EMU_SEED=-1 from 0 to 4294967295
	NPU_EMU_SEED=4294967296 from 0 to 4294967295
	NPU_EMU_SEED=x not a whole number
	NPU_EMU_FAULT=infer:1:broken no such fault
	NPU_EMU_FAULT=load:1:timeout this call cannot meet this fault
	NPU_EMU_FAULT=infer:1:delay=x not a number of milliseconds
	END
}

@test "64 faults are taken, and no more" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	NPU_EMU_FAULT=$(printf 'infer:9:delay=1,%.0s' {1..64}) noe m.cix \
	    <<<abcd >out
	NPU_EMU_FAULT=$(printf 'infer:9:delay=1,%.0s' {1..65}) \
	    run --separate-stderr -6 noe m.cix <<<abcd
	[[ ${stderr_lines[0]} == *": more than 64 faults; "* ]]
}

@test "NPU_EMU_COMPUTE computes nothing, copies or fills" {
	pack s8:2 : s8:4 >m.cix
	printf 'ab' >in
	NPU_EMU_COMPUTE=none noe m.cix <in >out
	[ "$(bytes out)" = "0 0 0 0" ]
	NPU_EMU_COMPUTE=copy noe m.cix <in >out
	[ "$(cat out)" = abab ]
	NPU_EMU_COMPUTE=fill noe m.cix <in >out
	[ "$(bytes out)" = "0 1 2 3" ]
}

@test "is silent on stdout, unless NPU_EMU_NOISE asks for the vendor's noise" {
	mkcix --in=s8:4 --out=s8:4 >m.cix
	export NPU_EMU_FAULT=infer:1:exception
	run --separate-stderr -17 noe m.cix <<<abcd
	[ "$output" = "" ]
	NPU_EMU_NOISE=1 run --separate-stderr -17 noe m.cix <<<abcd
	[[ ${lines[0]} == "[UMD ERR] "*"<tid:"*">: "* ]]
	NPU_EMU_NOISE=0 run --separate-stderr -17 noe m.cix <<<abcd
	[ "$output" = "" ]
}

@test "eight threads with a job each get their own results" {
	pack f32:4 : f32:4 >m.cix
	four Neg >m.onnx
	f32 1 2 3 4 >in
	noe "${WATCH[@]}" -j 8 -n 50 m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
	NPU_EMU_CORES=2 NPU_EMU_INFER_MS=0.2 noe "${WATCH[@]}" -j 8 -n 20 m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
}

@test "a thread may open the device while another closes it" {
	mkcix sound >m.cix
	NPU_EMU_INFER_MS=0.05 LD_LIBRARY_PATH=$EMU/noe timeout 120 \
	    "$B/tests/tools/noelives" m.cix 2000
}

# bats test_tags=native
@test "and ThreadSanitizer sees nothing wrong with that" {
	make -C "$TOP" -s B="$PWD/tsan" CFLAGS='-O1 -g -fsanitize=thread' \
	    VOCAB="$B/share/npu-utils/bpe_simple_vocab_16e6.txt" \
	    "$PWD/tsan/tests/tools/noerun"
	pack f32:4 : f32:4 >m.cix
	four Neg >m.onnx
	f32 1 2 3 4 >in
	export NPU_ORT=${NPU_ORT:-$EMU/libonnxruntime.so.1} TSAN_OPTIONS=exitcode=66
	export LD_LIBRARY_PATH=$PWD/tsan/lib/npu-utils/noe
	tsan/tests/tools/noerun -j 8 -n 30 m.cix <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
	NPU_EMU_INFER_MS=0.2 NPU_EMU_CREATE_MS=0.1 NPU_EMU_CORES=2 \
	    NPU_EMU_COMPUTE=copy tsan/tests/tools/noerun -j 8 -n 30 m.cix \
	    <in >out
	cmp in out
	NPU_EMU_FAULT=infer:5+:timeout run --separate-stderr -35 \
	    tsan/tests/tools/noerun -t 30 -n 30 m.cix <in
}
