#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Options that name an output file, where the name is a symbolic link.  The
# program replaces or makes the file to which the link leads, by a temporary
# file in that file's folder, and the link stays.
# bats file_tags=slow

load ../support/helper
load ../support/boxes
load ../support/clipembed
load ../support/xdnajob

setup() {
	export NPU_DEVICE=emu
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=xor >m.cix
	printf abcd >raw
	dots 7 >p.ppm
	f32 1 0 0 1 >floats
	npu-tensor -a -t f32 --shape=2,2 floats >vectors
	mkdir store
}

# is_link NAME TARGET: checks that NAME is still a symbolic link to TARGET.
is_link() {
	[ "$(readlink "$1")" = "$2" ] || {
		echo "$1 is not a link to $2" >&2
		return 1
	}
}

# only NAME...: checks that the folder store contains exactly these names.
only() {
	[ "$(ls -A store)" = "$(printf '%s\n' "$@" | sort)" ] || {
		ls -A store >&2
		return 1
	}
}

# loop COMMAND...: runs COMMAND with a link to itself in place of @.  COMMAND
# must report the loop.
loop() {
	ln -s loop loop
	run --separate-stderr -1 "${@//@/loop}"
	[[ $stderr == *"loop: Too many levels of symbolic links" ]]
	is_link loop loop
}

# written [differs] COMMAND...: runs COMMAND with the name of an output in place
# of @.  Through a link, COMMAND must write the same file as without a link, in
# another folder, whether that file exists or not.  With "differs", the content
# may differ from run to run.
written() {
	local same=cmp
	[ "$1" != differs ] || { same='test -s'; shift; }
	"${@//@/plain}"
	echo old >store/kept
	chmod 640 store/kept
	ln -s store/kept there
	"${@//@/there}"
	is_link there store/kept
	[ "$same" != cmp ] || cmp store/kept plain
	run -1 grep -x old store/kept
	[ "$(stat -c %a store/kept)" = 640 ]
	only kept
	mkdir links
	ln -s ../store/new links/one
	ln -s links/one nowhere
	"${@//@/nowhere}"
	is_link nowhere links/one
	is_link links/one ../store/new
	[ "$same" != cmp ] || cmp store/new plain
	[ -s store/new ]
	only kept new
	loop "$@"
}

@test "npu-run -o follows a symbolic link" {
	written npu-run -q -o @ m.cix raw
}

@test "npu-quant -o follows a symbolic link" {
	written npu-quant -q -t s8 -s 4 -o @ floats
}

@test "npu-dequant -o follows a symbolic link" {
	written npu-dequant -q -o @ vectors
}

@test "npu-ref -o follows a symbolic link" {
	written npu-ref --row=1 -o @ layernorm raw
}

@test "npu-tensor -o follows a symbolic link" {
	written npu-tensor -o @ -a -t s8 --shape=4 raw
}

@test "cix-pack -o follows a symbolic link" {
	written cix-pack -I x:f32:1x4 -O y:f32:1x4 -o @ "${IDS%.cix}.onnx"
}

@test "clip-tokenize -o follows a symbolic link" {
	written clip-tokenize -q -o @ --text='a bus'
}

@test "clip-embed -o, --write-ids and --about follow a symbolic link" {
	written embed -m "$IDS" -r --text=cat -o @
	rm -r store/* links nowhere there loop plain
	written embed -m "$IDS" -r --text=cat -o v --write-ids=@
	rm -r store/* links nowhere there loop plain
	written differs embed -m "$IDS" -r --text=cat -o v --about=@
}

@test "clip-embed --index follows a symbolic link" {
	ln -s store/new link
	embed -m "$IDS" --index=link --text=cat
	is_link link store/new
	embed -m "$IDS" --index=store/new --text=dog
	embed -m "$IDS" --index=link --text=bird
	only new
	got=$(vec-nearest -n 9 --id=cat link | wc -l)
	[ "$got" -eq 2 ]
	loop embed -m "$IDS" --index=@ --text=cat
}

@test "clip-classify -o follows a symbolic link" {
	cix-pack -o image.cix -I image:f32:1x3x2x2 -O v:f32:1x12 \
	    "${DOTS%.cix}.onnx"
	mkonnx Identity f32:1x12 : f32:1x12 >text.onnx
	cix-pack -o text.cix -I text:s32:1x12 -O v:f32:1x12 text.onnx
	written clip-classify -q --text-model=./text.cix \
	    --image-model=./image.cix -l bus -l tram -o @ p.ppm
}

@test "img-tensor -o follows a symbolic link" {
	written img-tensor -q --for=clip --size=2x2 -o @ p.ppm
}

@test "yolo-decode -o and yolo-draw -o follow a symbolic link" {
	one 5 >boxes
	written yolo-decode --size=160 --image-size=70 -F json -o @ boxes
	echo '{"schema":"yolo-detect/1","file":"p.ppm","width":2,"height":2,"detections":[]}' >record
	rm -r store/* links nowhere there loop plain
	draw() {
		yolo-draw -F png "$@" p.ppm <record
	}
	written draw -o @
}

@test "yolo-detect -o follows a symbolic link" {
	mkonnx Identity f32:1x3x8x8 : f32:1x3x8x8 >toy.onnx
	cix-pack -o toy.cix -I image:u8:1x3x8x8:255:0 -O boxes:f16:1x6x32 \
	    toy.onnx
	written yolo-detect -q -m ./toy.cix -F json -o @ p.ppm
}

@test "vec-nearest -o follows a symbolic link" {
	nearest() {
		vec-nearest "$@" vectors <vectors
	}
	written nearest -o @
}

@test "vec-drift -o follows a symbolic link" {
	written differs vec-drift -o @ vectors
}

@test "vec-drift --state follows a link for the state and for its lock" {
	vec-drift --state=plain vectors >/dev/null
	ln -s store/state link
	vec-drift --state=link vectors >/dev/null
	is_link link store/state
	cmp store/state plain
	mkfifo in
	vec-drift --state=link <in >answer 3>&- &
	exec 8>in
	# vec-drift locks its state before it reads.
	cat vectors >&8
	for _ in $(seq 1200); do
		[ ! -s answer ] || break
		sleep 0.05
	done
	run --separate-stderr -1 vec-drift --state=store/state vectors
	[ "$stderr" = "vec-drift: store/state: another process uses it" ]
	exec 8>&-
	wait $!
	vec-drift --state=store/state vectors >/dev/null
	only state
	loop vec-drift --state=@ vectors
}

@test "npu-bench -o, --save, --junit and --samples follow a symbolic link" {
	bench() {
		npu-bench -q --idle=none -w 0 --min-iter=3 "$@" m.cix >/dev/null
	}
	written differs bench -o @
	for option in --save --samples; do
		rm -r store/* links nowhere there loop plain
		written differs bench $option=@
	done
	rm -r store/* links nowhere there loop plain
	npu-bench -q --idle=none -w 0 --min-iter=20 --runs=3 --save=base m.cix >/dev/null
	written differs bench --min-iter=20 --runs=3 --baseline=base \
	    --max-regress=1000% --metrics=infer:min --on-unsure=pass --junit=@
}

@test "npu-info --report follows a symbolic link" {
	written differs npu-info -q --report=@ m.cix
}

@test "cix-lint -o follows a symbolic link" {
	written cix-lint --list-rules -o @
}

@test "cix-lint --fix-shape follows a symbolic link" {
	mkonnx Relu f32:Nx3 : f32:Nx3 >open.onnx
	written cix-lint --fix-shape=N=1 -o @ open.onnx
}

@test "xclbin-check -o follows a symbolic link" {
	written xclbin-check --diagnose=stoul -o @
}

@test "xclbin-info -o and -x follow a symbolic link" {
	mkaxlf sound >sound
	written xclbin-info -o @ sound
	rm -r store/* links nowhere there loop plain
	written xclbin-info -x IP_LAYOUT:JSON:@ sound
}

@test "xclbin-pack -o follows a symbolic link" {
	# --force, because the file exists already, as a link.
	written xclbin-pack --force --key-value=USER:a:b -q -o @
}

@test "xdna-run -o follows a symbolic link, also with --dry-run" {
	xdna_container job
	xdna_stream 16 >job.txt
	head -c 64 /dev/zero >raw
	copied() {
		xdna-run -q -r -d emu "$@" job.xclbin job.txt <raw
	}
	written copied -o @
	rm -r store/* links nowhere there loop plain
	written xdna-run --dry-run -o @ job.xclbin job.txt
}

@test "a link to a pipe, a device or stdout is written in place" {
	ln -s /dev/stdout out
	npu-run -q -r m.cix raw >plain
	npu-run -q -r -o out m.cix raw | cmp - plain
	npu-run -q -r -o out m.cix raw >file
	[ "$(stat -c %s file)" -eq 4 ]
	ln -s /dev/null null
	npu-run -q -r -o null m.cix raw
	is_link null /dev/null
	mkfifo pipe
	ln -s pipe link
	npu-run -q -r -o link m.cix raw &
	[ "$(wc -c <pipe)" -eq 4 ]
	wait $!
	[ -p pipe ]
}

@test "two outputs with one file are refused, also through a link" {
	ln -s store/one link
	run --separate-stderr -2 embed -m "$IDS" -r --text=cat -o store/one \
	    --write-ids=link
	[ "${#stderr_lines[@]}" -ge 1 ]
	only
}

@test "yolo-detect --draw makes its folder where a link leads" {
	mkonnx Identity f32:1x3x8x8 : f32:1x3x8x8 >toy.onnx
	cix-pack -o toy.cix -I image:u8:1x3x8x8:255:0 -O boxes:f16:1x6x32 \
	    toy.onnx
	ln -s store/new boxes
	yolo-detect -q -m ./toy.cix --draw=boxes p.ppm
	is_link boxes store/new
	[ "$(ls store/new)" = p.png ]
	loop yolo-detect -q -m ./toy.cix --draw=@ p.ppm
}

@test "yolo-detect --draw does not replace the picture through a link" {
	mkonnx Identity f32:1x3x8x8 : f32:1x3x8x8 >toy.onnx
	cix-pack -o toy.cix -I image:u8:1x3x8x8:255:0 -O boxes:f16:1x6x32 \
	    toy.onnx
	cp p.ppm store/p.ppm
	mkdir boxes
	ln -s ../store/p.ppm boxes/p.png
	run --separate-stderr -1 yolo-detect -q -m ./toy.cix --draw=boxes \
	    store/p.ppm
	[ "$stderr" = "yolo-detect: store/p.ppm: boxes/p.png is a link, which is \
not followed; remove it, or choose another folder" ]
	cmp p.ppm store/p.ppm
}
