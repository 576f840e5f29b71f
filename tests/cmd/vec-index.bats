#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# vec-index: the list of an index, its export as arrays, and its upkeep.

load ../support/helper
load ../support/clipembed

# album: writes an index of a.ppm, b.ppm and c.ppm; then b.ppm changes and is
# embedded again.
album() {
	for i in 1 2 3; do dots $((i * 50)) >"$(echo abc | cut -c $i).ppm"; done
	embed -m "$DOTS" --index=ix a.ppm b.ppm c.ppm
	dots 77 >b.ppm
	embed -m "$DOTS" --index=ix b.ppm
}

# bats test_tags=slow
@test "the list shows the state of each vector: file, gone, text, unknown" {
	album
	embed -m "$DOTS" --index=ix <c.ppm
	rm a.ppm
	run -0 --separate-stderr vec-index ix
	[ "$output" = "gone     a.ppm
file     c.ppm
file     b.ppm
unknown  stdin" ]
	run -0 vec-index -F tsv ix
	[ "${lines[1]}" = "file	c.ppm	$(pwd -P)/c.ppm	$(sha256sum <c.ppm |
	    cut -d' ' -f1)" ]
	[ "${lines[3]}" = "unknown	stdin		$(sha256sum <c.ppm |
	    cut -d' ' -f1)" ]
	run -0 vec-index -F csv ix
	[ "${lines[0]}" = state,id,path,content ]
	[ "${lines[2]}" = "file,c.ppm,$(pwd -P)/c.ppm,$(sha256sum <c.ppm |
	    cut -d' ' -f1)" ]
	[ "${#lines[@]}" -eq 5 ]
	vec-index -F json -o list.json ix
	[ "$(jq -c '[.schema, .kind, .norm, .dim, (.vectors | length)]' \
	    list.json)" = '["vec-index/1","image","l2",12,4]' ]
	[ "$(jq -r .model_sha256 list.json)" = \
	    "$(sha256sum <"$DOTS" | cut -d' ' -f1)" ]
	run -0 vec-index -F jsonl ix
	[ "$(jq -c '[.schema, .id, .state]' <<<"${lines[0]}")" = \
	    '["vec-index/1","a.ppm","gone"]' ]
	printf 'a\tb\n' | embed --lines -m "$IDS" --index=t
	run -0 vec-index t
	[ "$output" = 'text     a\tb' ]
}

# bats test_tags=slow
@test "--export as npy, jsonl and csv gives the same vectors" {
	album
	vec-index --export=npy -o ix.npy ix
	vec-index --export=jsonl ix >ix.jsonl
	vec-index --export=csv ix >ix.csv
	# clip-embed itself writes the same array and lines.
	embed -m "$DOTS" -F npy a.ppm c.ppm b.ppm | cmp - ix.npy
	embed -m "$DOTS" -F jsonl a.ppm c.ppm b.ppm | jq -c 'del(.length)' \
	    >want
	jq -c 'del(.path)' ix.jsonl | diff want -
	[ "$(head -n 1 ix.csv)" = "id,path,$(seq -s, -f x%g 12)" ]
	{ echo "id,path"; jq -r '[.id, .path] | join(",")' ix.jsonl; } |
	    diff - <(cut -d, -f1,2 ix.csv)
	sed 1d ix.csv | cut -d, -f3- | sed 's/.*/[&]/' |
	    diff <(jq -c .vector ix.jsonl) <(jq -c . /dev/stdin)
	vec-nearest -n 1 ix.jsonl ix | cut -f 3 | sort -u | grep -x 1
}

# bats test_tags=slow
@test "--export=csv refuses a name with a NUL, --export=jsonl accepts it" {
	printf 'a\0b\n' | embed --lines -m "$IDS" --index=ix
	run --separate-stderr -1 vec-index --export=csv -o ix.csv ix
	[ "$stderr" = "vec-index: ix: vector 'a...': CSV cannot hold the NUL \
in its name; --export=jsonl can" ]
	[ ! -e ix.csv ]
	vec-index --export=jsonl ix >lines
	[ "$(jq -c .id lines)" = '"a\u0000b"' ]
	vec-nearest -n 1 -F jsonl ix lines |
	    jq -c '[.query, .matches[].id] | unique' | sort -u >want
	vec-nearest -n 1 -F jsonl lines lines |
	    jq -c '[.query, .matches[].id] | unique' | sort -u | diff - want
	[ -s want ]
}

# bats test_tags=slow
@test "--compact drops old records, --prune drops vectors of gone files" {
	album
	vec-index ix >before
	run -0 --separate-stderr vec-index --compact ix
	[[ $stderr =~ ^"vec-index: ix: 3 vectors, "[0-9]+" bytes less"$ ]]
	[ -z "$output" ]
	vec-index ix | diff before -
	vec-index -q --check ix
	size=$(wc -c <ix)
	vec-index -q --compact ix
	[ "$(wc -c <ix)" -eq "$size" ]
	vec-nearest -n 1 --id=a.ppm ix
	rm a.ppm c.ppm
	chmod 640 ix
	ln -s ix link
	run -0 --separate-stderr vec-index --prune link
	[[ $stderr == "vec-index: link: 1 vector, 2 of files that are gone \
left out, "* ]]
	run -0 vec-index ix
	[ "$output" = "file     b.ppm" ]
	[ "$(readlink link)" = ix ]
	[ "$(stat -c %a ix)" = 640 ]
	# The result is a sound index, to which vectors can be added.
	dots 9 >d.ppm
	embed -m "$DOTS" --index=ix d.ppm b.ppm
	run -0 vec-index ix
	[ "${#lines[@]}" -eq 2 ]
}

# bats test_tags=slow
@test "a writer that has the index open adds to the compacted index" {
	album
	mkfifo list
	# This shell keeps the pipe open and sends one name at a time.
	clip-embed -q -d emu -m "$DOTS" --index=ix --files-from=list 3>&- &
	pid=$!
	exec 8>list
	dots 5 >d.ppm
	dots 6 >e.ppm
	echo d.ppm >&8
	for _ in $(seq 600); do
		[ "$(vec-index ix | wc -l)" -lt 4 ] || break
		sleep 0.1
	done
	vec-index -q --compact ix
	echo e.ppm >&8
	exec 8>&-
	wait $pid
	run -0 vec-index ix
	[ "${#lines[@]}" -eq 5 ]
	vec-index --check ix
}

# bats test_tags=slow
@test "bytes after the last whole record are reported and can be removed" {
	album
	cp ix whole
	at=$(($(wc -c <ix) - 20))
	printf '\177' | dd of=ix bs=1 seek=$at conv=notrunc status=none
	# The damaged record had replaced an older one, which is valid again.
	run --separate-stderr -4 vec-index --check ix
	[ "$output" = "3 vectors, 0 damaged" ]
	[[ $stderr == "vec-index: ix: "*" bytes after the last whole record \
are not part of the index: "* ]]
	size=${stderr#*ix: }
	run --separate-stderr -0 vec-index --compact ix
	[ "${stderr_lines[0]}" = "vec-index: ix: ${size%% *} bytes after the \
last whole record left out" ]
	run -0 vec-index --check ix
	[ "$output" = "3 vectors, 0 damaged" ]
	head -c -7 whole >cut
	run --separate-stderr -4 vec-index --check cut
	[[ $stderr == "vec-index: cut: "*" bytes after "* ]]
}

@test "--merge of an empty file says that it is empty" {
	: >empty
	run --separate-stderr -0 vec-index --merge=empty new
	[ "$stderr" = "vec-index: empty: empty; nothing to merge" ]
	[ ! -e new ]
}

# bats test_tags=slow
@test "--merge adds only the vectors that the index does not have" {
	album
	mkdir sub
	dots 20 >sub/d.ppm
	embed -m "$DOTS" --index=other sub/d.ppm
	cp other old
	dots 201 >b.ppm
	embed -m "$DOTS" --index=other b.ppm
	run -0 --separate-stderr vec-index --merge=other ix
	[ "$stderr" = "vec-index: ix: added 1 of 2 vectors of other" ]
	run -0 vec-index ix
	[ "$(cut -c 10- <<<"$output" | sort)" = "a.ppm
b.ppm
c.ppm
sub/d.ppm" ]
	# The index keeps its own vector of b.ppm.
	run -0 vec-index -F tsv ix
	[[ $output != *"$(sha256sum <b.ppm | cut -d' ' -f1)"* ]]
	# As with an index from another machine: all its files are gone, and
	# none of them counts as renamed.
	cp sub/d.ppm sub/copy.ppm
	embed -m "$DOTS" --index=there sub/d.ppm sub/copy.ppm
	rm -r sub
	vec-index -q --merge=there --merge=old new
	run -0 vec-index new
	[ "$output" = "gone     sub/d.ppm
gone     sub/copy.ppm" ]
	embed -m "$IDS" --index=t --text=cat
	run -1 --separate-stderr vec-index --merge=t ix
	[[ $stderr == "vec-index: ix: to merge t: it holds vectors of pictures, not of texts: "* ]]
	run -2 vec-index --merge=t --prune ix
}

# bats test_tags=slow
@test "--check names each damaged vector, and -k omits damaged vectors" {
	album
	run -0 vec-index --check ix
	[ "$output" = "3 vectors, 0 damaged" ]
	at=$(($(od -An -tu4 -j12 -N4 ix) + 64))
	printf '\177' | dd of=ix bs=1 seek=$at conv=notrunc status=none
	run -4 --separate-stderr vec-index --check ix
	[ "$output" = "3 vectors, 1 damaged" ]
	[[ $stderr == "vec-index: ix: record at $((at - 64)): its "* ]]
	cp ix bad
	for how in --prune --compact --export=npy; do
		run -1 --separate-stderr vec-index $how ix
		[ -z "$output" ] || [ $how = --export=npy ]
		[[ $stderr == *" (-k leaves such vectors out)" ]]
		cmp ix bad
	done
	run -1 --separate-stderr vec-index ix
	[ "${#lines[@]}" -eq 2 ]
	run -1 --separate-stderr vec-index -F json ix
	[[ $(jq -r .error.message <<<"$output") == "ix: record at "* ]]
	run -1 vec-index -q -k --export=npy -o two.npy ix
	run -0 npu-tensor -F jsonl two.npy
	[ "$(jq -c .shape <<<"$output")" = '[2,12]' ]
	cp ix pruned
	run --separate-stderr -1 vec-index -k --prune pruned
	[[ ${stderr_lines[-1]} == "vec-index: pruned: "*" vectors, 1 damaged \
and "*" of files that are gone left out, "* ]]
	cp ix compacted
	run --separate-stderr -1 vec-index -k --compact compacted
	[[ ${stderr_lines[-1]} =~ ' vectors, 1 damaged left out, '[0-9]+' bytes' ]]
	run -1 vec-index -q -k --compact ix
	run -0 vec-index --check ix
	[ "$output" = "2 vectors, 0 damaged" ]
	# After a damaged header, no vectors can be found.
	printf '\177' | dd of=bad bs=1 seek=$((at - 60)) conv=notrunc status=none
	run -4 --separate-stderr vec-index --check bad
	[[ $stderr == *"its header is damaged"* ]]
}

# bats test_tags=slow
@test "an empty file is an empty index; a foreign file is refused" {
	: >empty
	run -0 vec-index empty
	[ -z "$output" ]
	run -0 vec-index --check empty
	[ "$output" = "0 vectors, 0 damaged" ]
	run -0 vec-index -F json empty
	[ "$(jq -c .vectors <<<"$output")" = '[]' ]
	vec-index --prune empty
	[ ! -s empty ]
	run -1 vec-index --export=npy empty
	echo 'no index at all, but long enough to have the header of one: 128 \
bytes, of which the first eight are the name' >text
	run -1 --separate-stderr vec-index text
	[[ $stderr == "vec-index: text: not an index: "* ]]
	run -1 --separate-stderr vec-index -F json missing
	[ "$(jq -c '[.vectors, .error]' <<<"$output")" = \
	    '[[],{"message":"missing: No such file or directory","status":1}]' ]
	for args in '' 'a b' '-' '-F tsv --check a' '-k a' '-o x --prune a' \
	    '-o empty empty' '--prune --compact a' '--export=xml a'; do
		# shellcheck disable=SC2086 # words
		run -2 vec-index $args
	done
}

# bats test_tags=slow
@test "if --prune is killed, the index is the old one or the new one" {
	album
	rm a.ppm
	cp ix old
	vec-index -q --prune ix
	cp ix new
	run -1 cmp -s old new
	for i in $(seq 200); do
		cp old ix
		vec-index -q --prune ix 2>said 3>&- &
		pid=$!
		[ $((i % 4)) -eq 0 ] || sleep 0.00$((i % 7))
		# The process may have ended already.
		kill -KILL $pid 2>/dev/null || :
		st=0
		wait $pid 2>/dev/null || st=$?
		[ $st -eq 137 ] || [ $st -eq 0 ]
		cmp -s ix old || cmp -s ix new
	done
	rm -f .npu-*
}

@test "npu-tensor and npu-dequant refuse an index and name vec-index" {
	embed -m "$IDS" --index=t --text=cat
	for p in npu-tensor npu-dequant; do
		run -1 --separate-stderr $p t
		[ "$stderr" = "$p: t: an index of vectors; vec-index --export \
converts it to arrays" ]
	done
}

# bats test_tags=slow
@test "-v prints what the index contains, and -q prints nothing" {
	album
	for how in "" --check --export=csv --compact; do
		run --separate-stderr -0 vec-index -v $how ix
		[ "${stderr_lines[0]}" = \
		    "vec-index: ix: 3 vectors of 12 numbers, kind image, norm\
 l2" ]
	done
	run --separate-stderr -0 vec-index -qv --compact ix
	[ "$stderr" = "" ]
	: >none
	run --separate-stderr -0 vec-index --verbose none
	[ "$stderr" = "vec-index: none: no vectors" ]
}
