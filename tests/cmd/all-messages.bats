# SPDX-License-Identifier: Apache-2.0
# npu-utils(7): the commands of its index run, and the programs still print
# every message that it explains.
# bats file_tags=native

load ../support/helper

PAGE=$TOP/man/npu-utils.7
EMU=$B/lib/npu-utils
ODD=$B/tests/tools/oddnoe.so

# section NAME: prints the lines of this section, without mdoc's escapes.
section() {
	awk -v name="$1" '/^\.Sh / { inside = $0 == ".Sh " name; next }
	    inside' "$PAGE" | sed 's/\\&//g; s/\\-/-/g; s/\\e/\\/g'
}

# gray NAME: makes NAME.jpg, a gray picture of a size that models are trained
# on.
gray() {
	{
		printf 'P6 64 48 255\n'
		head -c 9216 /dev/zero | tr '\0' '\200'
	} >"$1.ppm"
	yolo-draw -q -o "$1.jpg" <<-END
	{"schema": "yolo-detect/1", "file": "$1.ppm", "width": 64,
	 "height": 48, "detections": []}
	END
	rm "$1.ppm"
}

# ---- The index

# bats test_tags=slow
@test "every program is in the index of npu-utils(7)" {
	section 'PROGRAMS BY TASK' >index
	for p in "$TOP"/man/*.[1-8]; do
		p=${p##*/}
		case $p in
		npu-utils.7) continue ;;
		*.[18]) grep -qE "^\.Dl .*${p%.*}[ \"]" index ;;
		*) grep -qF ".Xr ${p%.*} ${p##*.}" index ;;
		esac || { echo "$p is not in the index"; false; }
	done
}

# bats test_tags=slow
@test "every command in the index of npu-utils(7) runs" {
	mkdir photos
	gray photo
	cp photo.jpg photos/
	"$B/tools/draw-scenes" -i 1330 -F ppm >scene.ppm
	yolo-detect -q scene.ppm | yolo-draw -q -o scene.jpg
	cat photo.jpg scene.jpg >film.mjpeg
	printf 'a red circle\na blue ring\n' >texts.txt
	mkcix --in=f32:4 --out=f32:4 >model.cix
	f32 1 2 3 4 >numbers.f32
	npu-quant -q -t f32 -F npy numbers.f32 >numbers.npy
	mkonnx Neg f32:1x4 : f32:1x4 >model.onnx
	mkonnx Neg f32:Nx4 : f32:Nx4 >open.onnx
	cix-lint --write-cfg -o build.cfg model.onnx
	npu-tensor -q -a -t f32 --shape=1,4 numbers.f32 |
	    npu-tensor -F npy >calibration.npy
	echo "KeyError: 'model_name'" >compiler.log
	head -c 1024 /dev/zero >rows
	head -c 12288 /dev/zero >qkv
	npu-ref attention qkv >answer
	. "$TOP/tests/support/xdnajob.bash"
	xdna_container main
	xdna_stream 256 >insts.bin
	cp rows in
	mkdir design.mlir.prj
	(
		. "$TOP/tests/support/xclbinpack.bash"
		cd design.mlir.prj
		pack_project
	)
	sed -n 's/^\.Dl "\(.*\)"$/\1/p' <<<"$(section 'PROGRAMS BY TASK')" >typed
	[ "$(wc -l <typed)" -gt 25 ]
	# The statuses on a computer without an NPU.  The verdict against a
	# baseline depends on what else the machine does.
	while IFS= read -r command; do
		want=0
		case $command in
		npu-info | npu-top) want=3 ;;
		'npu-info --doctor' | 'yolo-detect -e '*) want=4 ;;
		*--baseline=*) want=045 ;;
		npu-kmd*) continue ;;	# npu-kmd-check.bats
		npu-serve*) continue ;;	# npu-serve.bats
		npu-model\ get*) continue ;;	# npu-model-get.bats
		npu-zmq*) continue ;;	# npu-zmq.bats
		esac
		case $command in
		npu-bench*) command="$command --idle=none --min-iter=20 --runs=3" ;;
		esac
		st=0
		bash -o pipefail -c "$command" </dev/null >log 2>&1 || st=$?
		[[ $want == *$st* ]] || {
			echo "$command: status $st, not $want"
			cat log
			failed=1
		}
	done <typed
	[ "${failed:-0}" -eq 0 ]
}

# ---- Troubleshooting

# met COMMAND...: appends the output of COMMAND to the file "met".  COMMAND must
# fail with a status of its own (rule 24).
met() {
	local st=0
	"$@" </dev/null >>"$MET" 2>&1 || st=$?
	[[ $st == [1-5] ]] || { echo "status $st: $*"; false; }
}

# told COMMAND...: the same, but COMMAND must succeed.
told() {
	"$@" </dev/null >>"$MET" 2>&1
}

# odd VARIABLE=VALUE...: runs a model on the library oddnoe.so with these
# variables; the run must fail.
odd() {
	met env "$@" npu-run --node=./node -L "$ODD" o.cix in
}

# fault FAULT [OPTION...]: runs a model in the emulator with FAULT; the run must
# fail.
fault() {
	met env "NPU_EMU_FAULT=$1" npu-run -d emu -k -T 100ms "${@:2}" m.cix in
}

no_npu() {
	met npu-info
	told npu-run -r m.cix in
	met npu-run --node=./node m.cix in
	# The emulator, disguised as the vendor's library.
	perl -pe 's/noe_emu_version/noe_EMU_version/g' \
	    "$EMU/libnoe-emu.so" >vendor.so
	met npu-run -L ./vendor.so --node=./none m.cix in
	met strace -f -o trace -P "$PWD/shut" -e trace=all \
	    -e inject=access,faccessat,faccessat2,open,openat:error=EACCES \
	    npu-run -L ./vendor.so --node="$PWD/shut" m.cix in
	fault init:1:nodevice
	fault init:1:abnormal
	mkdir alone
	cp "$EMU/noe3/libnoe.so.3.1.0" alone/
	met npu-run -L alone/libnoe.so.3.1.0 m.cix in
	cp "$ODD" other.so
	# Set e_machine to Alpha.
	printf '\046\220' | dd of=other.so bs=1 seek=18 conv=notrunc 2>dd
	met npu-run --node=./node -L ./other.so m.cix in
	met npu-info -L "$EMU/libnoe-emu.so"
	met env "LD_LIBRARY_PATH=$EMU/noe" npu-run --node=./node m.cix in
	met npu-top -n 1
}

models() {
	met npu-run none.cix in
	printf '%s\n' 'version https://git-lfs.github.com/spec/v1' \
	    "oid sha256:$(printf '%064d' 0)" 'size 12345' >lfs.cix
	met npu-run lfs.cix in
	met npu-run -L ./vendor.so --node=./node clip_txt.cix in
	mkcix sound-isa-3 >isa.cix
	met npu-run -L ./vendor.so --node=./node isa.cix in
	odd ODD_LOAD=0xA
	odd ODD_LOAD=0x8
	mkonnx Neg f32:1x4 : f32:1x4 >model.onnx
	met npu-info --doctor model.onnx
	for start in '\34\0\0\0TFL3' 'PK\3\4\24' '\211HDF\r\n\32\n' 'GGUF\3' 'RKNN\1' \
	    'tjgg\3' '\34\0\0\0ORTM' '\100\0\0\0\0\0\0\0{"' 'xclbin2\0' \
	    '\200\2\212\nl\374\234F\371 j\250P\31' '\223NUMPY\1'
	do
		printf "$start" >other
		met npu-run other in
	done
	head -c 1000 "$B/share/npu-utils/models/clip_txt.cix" >part.cix
	met npu-run part.cix in
	mkcix elf-cut-half >cut.cix
	met npu-run cut.cix in
	clip-tokenize --text=bus >tokens
	told npu-run clip_txt.cix tokens
	met env NPU_ORT=/nowhere npu-run -d emu clip_txt.cix tokens
	met env NPU_TWIN=none.onnx npu-run -d emu clip_txt.cix tokens
	mkdir real
	mkcix --in=s8:4 --out=s8:4 | perl -pe "s/FNP1/none/" >real/real.cix
	met npu-run -d emu real/real.cix in
	met yolo-detect -m m.cix photo.jpg
	met yolo-detect -m clip_visual.cix photo.jpg
	head -c 136000 /dev/zero |
	    npu-tensor -a -t f32 --shape=400,85 >five
	told yolo-decode --size=64 --image-size=64 five
}

inputs() {
	printf abc >three
	met npu-run -d emu m.cix three
	met npu-run -d emu clip_visual.cix tokens
	met npu-tensor in
	met npu-dequant -t s8 -s 0 in
	f32 1 200 3 >big
	told npu-quant -t s8 -s 10 big
	f32 1 2 nan >nan
	met npu-quant -t s8 -s 10 nan
	npu-tensor -a -t s8 --shape=3 three >three.s8
	met npu-ref attention three.s8
	met env "SHELL=$BASH" script -qec 'clip-tokenize --text=bus' /dev/null
	met env "SHELL=$BASH" script -qec 'yolo-detect' /dev/null
	met env "SHELL=$BASH" script -qec 'yolo-draw -o x.png' /dev/null
	met clip-tokenize 'a red circle'
}

running() {
	fault infer:1:timeout -j 1
	met env NPU_EMU_INFER_MS=3600000 npu-run -d emu -j 1 -k -T 100ms m.cix \
	    in in
	fault infer:1:exception
	fault create:1:nomem
	fault infer:1:schedule
}

pictures() {
	printf 'RIFF\0\0\0\0WEBPVP8 ' >p.webp
	met yolo-detect p.webp
	head -c 500 photo.jpg >cut.jpg
	met yolo-detect cut.jpg
	met yolo-detect --max-pixels=100 photo.jpg
	yolo-detect -q photo.jpg >photo.json
	printf 'P3 1 1 255 10 200 30' >green.ppm
	met yolo-draw --detections=photo.json -o x.png green.ppm
	met yolo-detect --classes=bsu photo.jpg
	met yolo-detect -o boxes.png photo.jpg
	told img-tensor --for=clip -t u8 -s 255 -o t.npt photo.jpg
}

texts() {
	echo 'no vocabulary' >vocab
	met env CLIP_VOCAB=vocab clip-tokenize --text=bus
	met clip-tokenize --text="$(printf 'bus %.0s' {1..100})"
	met clip-tokenize --invalid=error --text=$'\xff'
	printf '\377\376a\0' >wide
	met clip-tokenize wide
}

vectors() {
	clip-embed -q --text=bus --index=album
	met clip-embed -q --index=album green.ppm
	cix-pack -o other.cix -I text:s32:1x77 -O v:f32:1x512
	met clip-embed -q --index=album -m ./other.cix --text=bus
	clip-embed -q -F jsonl --text=bus >words
	clip-embed -q -F jsonl green.ppm >seen
	vec-drift --state=state words >log
	met vec-drift --state=state seen
	# vec-drift holds the state file until its input ends.
	mkfifo pipe
	vec-drift --state=mine <pipe >log 3>&- &
	exec 5>pipe
	cat words >&5
	for _ in {1..600}; do
		[ ! -s mine ] || break
		sleep 0.1
	done
	met vec-drift --state=mine words
	exec 5>&-
	wait $!
}

measurements() {
	bench() {
		npu-bench -d emu --idle=none --min-iter=20 --runs=3 "$@" m.cix
	}
	bench --save=base.json >log 2>&1
	jq '.host.board = "Orion"' base.json >other.json
	met bench --baseline=other.json
	met bench --baseline=none.json
	timeout 600 sh -c 'while :; do :; done' 3>&- &
	NPU_EMU_INFER_MS=20 told bench
	kill $!
}

amd() {
	. "$TOP/tests/support/fakelaptop.bash"
	mkaxlf sound >sound.xclbin
	xclbin-pack -q -i sound.xclbin --remove-section EMBEDDED_METADATA \
	    -o bare.xclbin
	mktxn wide-wait >insts.bin
	met xclbin-check --machine=none bare.xclbin lfs.cix
	met xclbin-check --machine=none --insts=insts.bin sound.xclbin
	met xclbin-check --diagnose='Segmentation fault'
	fake_npu laptop
	fake_limits laptop 8388608
	rm laptop/dev/accel/accel0
	: >laptop/.dockerenv
	met xclbin-check --root=laptop
	rm -r "$NPU/driver" laptop/sys/module
	met xclbin-check --root=laptop
}

# bats test_tags=slow
@test "every message that npu-utils(7) explains is still printed" {
	MET=$PWD/met
	touch node shut
	printf abcd >in
	mkcix --in=s8:4 --out=s8:4 --op=xor >m.cix
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 >o.cix
	gray photo
	no_npu
	models
	inputs
	running
	pictures
	texts
	vectors
	measurements
	amd
	section TROUBLESHOOTING | sed -n 's/^\.It Ql "\(.*\)"$/\1/p' >explained
	[ "$(wc -l <explained)" -gt 40 ]
	section TROUBLESHOOTING | grep -c '^\.It ' | diff - \
	    <(wc -l <explained)
	while IFS= read -r message; do
		# "..." stands for a part that differs.
		sed 's/[][*^$\\.]/\\&/g; s/\\\.\\\.\\\./.*/g' <<<"$message" \
		    >pattern
		grep -qf pattern met || { echo "$message"; failed=1; }
	done <explained
	[ "${failed:-0}" -eq 0 ] || { cat met; false; }
}

@test "the command in FILES removes a temporary file one day after SIGKILL" {
	mkfifo in
	for f in one two; do
		npu-quant -t u8 -s 1 -o $f <in & pid=$!
		exec 7>in
		until compgen -G '.npu-*' >/dev/null; do sleep .01; done
		kill -9 $pid
		exec 7>&-
		st=0
		wait $pid || st=$?
		[ $st -eq 137 ]
		[ ! -e $f ]
		# The first file is old when the second file is made.
		[ $f = two ] || {
			mv .npu-???????????????? old
			touch -d '2 days ago' old
		}
	done
	new=$(ls -d .npu-*)
	mv old .npu-0123456789abcdef
	: >.npu-kmd.manifest
	touch -d '2 days ago' .npu-kmd.manifest
	section FILES | sed -n 's/^\.Dl //p' >words
	[ "$(wc -l <words)" -eq 1 ]
	sh words
	[ "$(ls -d .npu-*)" = "$(printf '%s\n' "$new" .npu-kmd.manifest |
	    LC_ALL=C sort)" ]
}

# A long name explains an option better than a letter does.
# bats test_tags=slow
@test "messages name options by their long form" {
	failed=0
	for p in "$B"/bin/*; do
		p=${p##*/}
		[ "$p" != npu-kmd ] || continue
		"$p" --help | sed -n 's/^  -\(.\), --[a-z-]*[=[].*/\1/p' >letters
		[ -s letters ]
		# A server that begins to serve does not end.
		listen=()
		[ "$p" != npu-serve ] || listen=(--listen=nowhere)
		[ "$p" != npu-zmq ] || listen=(--endpoint=nowhere)
		while read -r letter; do
			for value in '~' '-1' ''; do
				st=0
				timeout 60 "$p" "${listen[@]}" "-$letter" "$value" \
				    </dev/null >out 2>err || st=$?
				[[ $st == [0-5] ]]
				# The text after a semicolon is advice to type.
				! grep -E "^$p: ([^;]* )?-[A-Za-z](:| )" err ||
				    failed=1
			done
		done <letters
	done
	[ "$failed" -eq 0 ]
}

@test "an empty name of a file or folder is shown as two quotes" {
	echo '{"vector":[1]}' >line
	for words in 'vec-drift --state=' 'vec-index --merge= ix' \
	    'yolo-draw --output-dir=' 'npu-tensor -o'; do
		IFS=' ' read -ra words <<<"$words"
		[ "${words[1]}" != -o ] || words+=('')
		run --separate-stderr -1 "${words[@]}" <line
		[[ ${stderr_lines[0]} == "${words[0]}: '': "* ]]
	done
}
