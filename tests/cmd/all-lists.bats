#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Texts, lists and JSON as npu-utils(7) describes them: LF or CR LF ends a line,
# and UTF-16 is refused.  printf and iconv write the files as an editor on
# Windows does.

load ../support/helper
load ../support/boxes

setup() {
	export NPU_DEVICE=emu
	cp "$NPU_TEST_DATA/reports/plain.npy" vectors.npy
	cp "$NPU_TEST_DATA/reports/green.ppm" green.ppm
	printf '%s\n' a b c >ids
	printf '%s\n' 'a bus' 'a person' >texts
	printf '7 green.ppm\n' >image-ids
	echo green.ppm >files
}

# lists: prints each list with a command that reads it.  The output of the
# command depends on the list.
lists() {
	cat <<-'END'
	texts clip-tokenize -F ids LIST
	texts clip-embed --lines -F jsonl LIST
	texts clip-classify --labels=LIST -F tsv green.ppm
	ids vec-nearest -n 1 --ids=LIST vectors.npy vectors.npy
	ids vec-nearest -n 1 --query-ids=LIST vectors.npy vectors.npy
	ids vec-drift --ids=LIST vectors.npy
	image-ids yolo-detect -F coco --image-ids=LIST green.ppm
	files yolo-detect -F json --files-from=LIST
	files clip-embed -F jsonl --files-from=LIST
	files img-tensor -q --for=clip --files-from=LIST
	END
}

# each FUNCTION: calls FUNCTION with the name of each list and its command.
each() {
	local list words
	lists >all
	while read -r list words; do
		# shellcheck disable=SC2086
		"$1" $list $words || { echo "$words"; return 1; }
	done 3<all <all
}

# same LIST COMMAND...: checks that COMMAND prints the same for LIST with CR LF
# or with a byte order mark.
same() {
	local list=$1 form
	shift
	"${@/LIST/$list}" >want 2>said
	[ -s want ] || return 1
	sed 's/$/\r/' "$list" >crlf
	{ printf '\357\273\277'; cat "$list"; } >marked
	for form in crlf marked; do
		"${@/LIST/$form}" >got 2>said
		# vec-drift prints the time of its verdict.
		sed -i 's/"time":"[^"]*"/"time":""/' want got
		cmp want got || return 1
	done
}

# bats test_tags=slow
@test "a list with CR LF, or with a byte order mark, gives the same output" {
	each same
}

# refused LIST COMMAND...: checks that COMMAND refuses LIST in UTF-16 and
# in UTF-32.
refused() {
	local list=$1 encoding
	shift
	for encoding in UTF-16 UTF-16LE UTF-16BE UTF-32 UTF-32LE UTF-32BE; do
		iconv -f UTF-8 -t $encoding "$list" >wide
		run --separate-stderr -1 "${@/LIST/wide}"
		[[ $stderr == *"$1: wide: $encoding, but UTF-8 is needed; \
iconv -f $encoding -t UTF-8 converts it" ]] || {
			echo "$stderr"
			return 1
		}
	done
}

# bats test_tags=slow
@test "a list in UTF-16 or UTF-32 is refused; the message suggests iconv" {
	each refused
}

@test "UTF-16 from a pipe is refused; a line of UTF-8 is answered at once" {
	run --separate-stderr -1 clip-tokenize <"$NPU_TEST_DATA/reports/utf16.txt"
	[ "$stderr" = "clip-tokenize: stdin: UTF-16, but UTF-8 is needed; iconv \
-f UTF-16 -t UTF-8 converts it" ]
	run -0 clip-tokenize -F ids "$NPU_TEST_DATA/reports/utf8.txt"
	# The ids of openai/CLIP for this file, opened with its encoding.
	[ "$output" = '49406 320 736 7117 49407
49406 320 1746 1565 49407' ]
	for encoding in UTF-16LE UTF-16BE; do
		printf '\347\212\254\343\201\214\n\347\214\253\n' |
		    iconv -f UTF-8 -t $encoding >wide
		run --separate-stderr -1 clip-tokenize wide
		[[ $stderr == "clip-tokenize: wide: $encoding, but UTF-8 "* ]]
		# The second byte of LF may arrive later.
		mkfifo late
		{ head -c 5 wide; sleep 0.2; tail -c +6 wide; } >late &
		run --separate-stderr -1 clip-tokenize late
		[[ $stderr == "clip-tokenize: late: $encoding, but UTF-8 "* ]]
		rm late
	done
	# One short line is answered before the next line arrives.
	mkfifo in
	clip-tokenize -F ids <in | cat >out &
	exec 9>in
	echo a >&9
	until [ -s out ]; do sleep 0.05; done
	exec 9>&-
	wait $!
}

# documents: makes JSON files, and prints each with a command that reads it.
# The output of the command depends on the file.
documents() {
	npu-info --json "$B/share/npu-utils/models/clip_txt.cix" >model
	npu-bench -q --idle=none --runs=3 --min-iter=20 -w 0 --save=runs \
	    "$B/share/npu-utils/models/clip_txt.cix" >/dev/null
	yolo-detect -q -F json green.ppm >records
	printf '{"id":"%s","vector":[%s]}\n' a 1,2 b 2,1 >vectors
	cat <<-END
	vectors vec-nearest LIST vectors
	vectors vec-nearest vectors LIST
	vectors vec-nearest - vectors <LIST
	vectors vec-nearest - vectors < <(dd bs=1 status=none if=LIST)
	vectors vec-drift LIST | sed 's/"time":"[^"]*"//'
	records yolo-draw -o - green.ppm <LIST
	records yolo-draw -o - green.ppm < <(dd bs=1 status=none if=LIST)
	model cix-pack -J LIST -o -
	runs npu-bench -q --idle=none --runs=3 --min-iter=20 -w 0 \
	    --baseline=LIST $B/share/npu-utils/models/clip_txt.cix \
	    >/dev/null || [ \$? -ge 4 ] && echo read
	END
}

# bats test_tags=slow
@test "JSON may begin with a byte order mark; UTF-16 and UTF-32 are refused" {
	documents >all
	while read -ru 4 file words; do
		bash -c "${words//LIST/$file}" 4<&- >want || return 1
		[ -s want ]
		{ printf '\357\273\277'; cat "$file"; } >marked
		bash -c "set -o pipefail; ${words//LIST/marked}" >got
		cmp want got
		for encoding in UTF-{16,32}{,LE,BE}; do
			iconv -f UTF-8 -t $encoding "$file" >wide
			run bash -c "set -o pipefail; ${words//LIST/wide}"
			[ "$status" = 1 ]
			[[ $output == *": $encoding, but UTF-8 is needed; iconv \
-f $encoding -t UTF-8 converts it"* ]]
		done
	done 4<all
	# A file that has only a mark has no vectors; a line with only a mark is
	# empty.
	printf '\357\273\277' | cat - vectors >marked
	printf '\357\273\277' >mark
	run -0 --separate-stderr vec-nearest vectors mark
	[ "$output" = "" ]
	{ cat mark; echo; cat vectors; } >late
	run -0 vec-nearest -n 1 vectors late
	[ "${#lines[@]}" = 2 ]
	# Elsewhere, these bytes are not a mark.
	cat vectors marked >twice
	run -1 --separate-stderr vec-nearest vectors twice
	[[ $stderr == "vec-nearest: twice: line 3: "* ]]
}
