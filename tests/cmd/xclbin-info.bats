#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# xclbin-info on containers that mkaxlf makes (tests/tools/axlfgen) and on
# samples that xclbinutil 2.25.0 made.  dumps/ in the test data has the output
# of xclbinutil for these samples.

load ../support/helper

# samples: sets the folders of xclbinutil's files (oracle), of its dumps
# (dumps), of files with one fault each (bad) and of files from other projects
# (real).
samples() {
	need_data xdna/oracle/layernorm.xclbin
	oracle=${DATA%/*} dumps=$NPU_TEST_DATA/xdna/dumps
	bad=$NPU_TEST_DATA/xdna/bad real=$NPU_TEST_DATA/xdna/real
}

# same_json FILE FILE: checks that both have the same values, in any order.
same_json() {
	diff <(jq -S . "$1") <(jq -S . "$2")
}

# refused WORDS...: checks that the first line of stderr is this message.
refused() {
	[ "${stderr_lines[0]}" = "xclbin-info: $*" ] || {
		echo "$stderr"
		return 1
	}
}

# ---- Text

@test "the text shows header, sections, partition, PDI and kernel" {
	mkaxlf sound >f
	run --separate-stderr -0 xclbin-info f
	[ "$stderr" = "" ]
	diff - <(echo "$output") <<-'END'
	f: xclbin2, 2282 bytes
	uuid: f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff
	made: 2023-11-14T22:13:20Z by version 2.25.7
	sections: 7
	  MEM_TOPOLOGY                88 bytes at 736, name 'memories'
	  AIE_PARTITION              488 bytes at 824
	  EMBEDDED_METADATA          709 bytes at 1312
	  IP_LAYOUT                  168 bytes at 2024
	  CONNECTIVITY                28 bytes at 2192
	  KEYVALUE_METADATA           52 bytes at 2224
	  99                           2 bytes at 2280
	partition: 2 columns, may begin at 0, 2, 4, 1024 operations per cycle, commit 'c0ffee'
	  PDI 00112233-4455-6677-8899-aabbccddeeff, 64 bytes
	    group 'first' id 0x1, PRIMARY, kernels 0x901 0x902
	kernel K0: id 0x901, DPU, instances: I0 I1
	    0x00   8  opcode: uint64_t
	    0x08   8  instr: char *
	    0x10   4  ninstr: uint32_t
	    0x14   8  bo0: void*
	END
}

@test "each of several files has a paragraph, also after a failure" {
	mkaxlf two >two
	mkaxlf odd-label >odd
	mkaxlf odd-type >type
	mkaxlf no-time >no-time
	run --separate-stderr -1 xclbin-info two none odd - no-time <type
	refused "none: No such file or directory"
	[ "${#stderr_lines[@]}" -eq 1 ]
	[ "$(grep -c ': xclbin2, ' <<<"$output")" -eq 4 ]
	grep -qx 'stdin: xclbin2, 2282 bytes' <<<"$output"
	grep -qx "kernel K1: id 0x902, PrePost, instances: I0 I1" <<<"$output"
	grep -qx "    group 'next' id 0x2, LITE, kernels 0x903 0x904, after groups 0xc1" \
	    <<<"$output"
	# Control characters for a terminal are not printed.
	grep -qx "  AIE_PARTITION .* at 824, label 'caf.*?\[1m'" <<<"$output"
	grep -qx "    group 'first' id 0x1, type 9, kernels 0x901 0x902" \
	    <<<"$output"
	grep -qx 'made: at an unknown time by version 2.25.7' <<<"$output"
}

@test "parts that cannot be shown are marked, and a note names the first" {
	n=0
	while IFS='|' read -r name line note; do
		mkaxlf "$name" >"$name"
		run --separate-stderr -0 xclbin-info "$name"
		grep -qxF -- "$line" <<<"$output" || {
			echo "$name: $output"
			false
		}
		[ "$stderr" = "${note:+xclbin-info: $name: $note}" ] || {
			echo "$name: $stderr"
			false
		}
		n=$((n + 1))
	done <<-'END'
	length-0|length-0: xclbin2, 2282 bytes (its header states 0)|
	many|  (not shown: a file has at most 10000)|its header states 4294967295 sections, more than 10000: they are not shown
	far-section|  AIE_PARTITION              488 bytes at 18446744073709551607, past the end of the file|AIE_PARTITION: its section runs past the end of the file
	short-partition|  AIE_PARTITION              183 bytes at 824|AIE_PARTITION: 183 bytes are too few: its head has 184
	far-columns|  start columns: 1073741824 at 200, past the end|AIE_PARTITION: start_columns: 1073741824 columns at offset 200 of 488
	far-pdis|  PDIs: 4294967295 at 208, past the end|AIE_PARTITION: 4294967295 PDIs at offset 208 of 488
	far-groups|    groups: 999 at 368, past the end|AIE_PARTITION: PDI 0: 999 groups at offset 368 of 488
	far-image|  PDI 00112233-4455-6677-8899-aabbccddeeff, 64 bytes, past the end|AIE_PARTITION: PDI 0: 64 bytes at offset 99999 of 488
	far-ids|    group 'first' id 0x1, PRIMARY, kernels (536870912 at 472, past the end)|AIE_PARTITION: PDI 0: dpu_kernel_ids: 536870912 numbers at offset 472 of 488
	far-name|kernel K0: id 0x901, DPU, instances: I0 I1|AIE_PARTITION: name: no text ends after offset 1048576 of 488
	overlap|sections: 7|AIE_PARTITION: it describes more than its 488 bytes: its parts overlap
	cut-xml|kernel K0: id 0x901, DPU, instances: I0 I1|EMBEDDED_METADATA: line 10, column 1: no element found
	laughs|sections: 7|EMBEDDED_METADATA: line 1, column 19: a document type with declarations, which are not read
	defaults|sections: 7|EMBEDDED_METADATA: line 1, column 19: a document type with declarations, which are not read
	pairs|kernel K299: id 0xa2c, PrePost|300 kernels and 300 entries of IP_LAYOUT: their instances are not shown
	END
	[ "$n" -eq 15 ]
	xclbin-info -q far-pdis >out 2>err
	[ ! -s err ]
}

# bats test_tags=slow
@test "xclbin-info does not hang on 10000 sections that share a long name" {
	mkaxlf crowd >f
	# The header states 12000, which would not be listed; make it 10000.
	printf '\x10\x27\0\0' | dd of=f bs=1 seek=448 conv=notrunc status=none
	timeout 60 xclbin-info f >out
	[ "$(grep -c '^  AIE_PARTITION ' out)" -eq 10000 ]
	# The first two labels are as long as the file.
	[ "$(grep -c ', label ' out)" -eq 2 ]
	timeout 60 xclbin-info --json f | jq -e '.files[0].sections |
	    map(.label) | (.[:2] | all(length == 399999)) and
	    (.[2:] | length == 9998 and all(. == null))'
	run -1 timeout 60 xclbin-info -x 'AIE_PARTITION[x]:RAW:o' f
}

@test "more than 10000 sections in the header are not shown, with a note" {
	samples
	run --separate-stderr -0 xclbin-info "$bad/c-nsec-huge.xclbin"
	[ "$stderr" = "xclbin-info: $bad/c-nsec-huge.xclbin: its header states\
 4294967295 sections, more than 10000: they are not shown" ]
	[ "${lines[3]}" = 'sections: 4294967295' ]
	[ "${lines[4]}" = '  (not shown: a file has at most 10000)' ]
	[[ ${lines[5]} == 'partition: '* ]]
	LC_ALL=C
	run -1 grep -q '[^ -~]' <<<"$output"
	xclbin-info -q --json "$bad/c-nsec-huge.xclbin" |
	    jq -e '.files[0].sections == []'
}

@test "if the table of sections is cut, the text shows after which section" {
	mkaxlf sound >f
	# The file has room for (2282 - 456) / 40 rows.
	printf '\x10\x27\0\0' | dd of=f bs=1 seek=448 conv=notrunc status=none
	run -0 xclbin-info f
	[ "${lines[3]}" = 'sections: 10000' ]
	[ "${lines[49]}" = '  (the file ends after 45)' ]
}

@test "bytes of a name that are not UTF-8 are question marks in the text" {
	mkaxlf sound >sound
	# The é is kept; the byte after it, and half of a second é, are
	# replaced.
	perl -pe 's/memories/m\xc3\xa9\xff\xc3ies/' sound >f
	run -0 xclbin-info f
	[[ ${lines[4]} == *", name 'mé??ies'" ]]
}

# ---- JSON

@test "--json prints every member of xclbin-info/1" {
	mkaxlf two >f
	xclbin-info --json f >out
	jq -e '. == {schema: "xclbin-info/1", files: [{file: "f", bytes: 3338,
	    uuid: "f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff", version: "2.25.7",
	    created: "2023-11-14T22:13:20Z", platform: "",
	    sections: ([
		["MEM_TOPOLOGY", "memories", 736, 88],
		["AIE_PARTITION", "", 824, 784],
		["EMBEDDED_METADATA", "", 1608, 1307],
		["IP_LAYOUT", "", 2920, 328], ["CONNECTIVITY", "", 3248, 28],
		["KEYVALUE_METADATA", "", 3280, 52], ["99", "", 3336, 2]] |
		map({kind: .[0], name: .[1], label: "", offset: .[2],
		bytes: .[3]})),
	    partition: {columns: 2, start_columns: [0, 2, 4],
		operations_per_cycle: 1024, inference_fingerprint: "23423",
		pre_post_fingerprint: "12345", commit: "c0ffee",
		pdis: [{uuid: "00112233-4455-6677-8899-aabbccddeeff",
		    bytes: 64, groups: [{name: "first", type: "PRIMARY",
		    id: 1, kernels: [2305, 2306], before: []}]},
		    {uuid: "01122334-4556-6778-899a-abbccddeef00",
		    bytes: 65, groups: [{name: "next", type: "LITE",
		    id: 2, kernels: [2307, 2308], before: [193]}]}]},
	    kernels: [0, 1 | {name: "K\(.)", id: (2305 + .), functional: .,
		instances: ["I0", "I1"], arguments: ([
		["opcode", 0, 8, "uint64_t", false],
		["instr", 8, 8, "char *", true],
		["ninstr", 16, 4, "uint32_t", false],
		["bo0", 20, 8, "void*", true]] | map({name: .[0],
		offset: .[1], bytes: .[2], type: .[3], pointer: .[4]}))}]
	    }]}' out || {
		cat out
		false
	}
}

@test "--json prints null for unknown values, and an error for a failed file" {
	for n in no-time far-section xclbin1 pairs odd-label; do
		mkaxlf $n >$n
	done
	run --separate-stderr -1 xclbin-info --json no-time far-section xclbin1 \
	    none pairs odd-label
	echo "$output" >out
	jq -e '.schema == "xclbin-info/1" and (.files |
	    .[0].created == null and .[1].partition == null and
	    .[1].sections[1].label == null and (.[1].kernels | length) == 1 and
	    .[2] == {file: "xclbin1", error: {message:
	    "xclbin1: not an xclbin, but a container of the first form, xclbin1",
	    status: 1}} and .[3].file == "none" and .[3].error.status == 1 and
	    .[4].kernels[7].instances == null and
	    .[5].sections[1].label == "caf\u00e9\u001b[1m" and
	    .[5].sections[1].invalid_utf8)' out
}

@test "-o writes the description to a file" {
	mkaxlf sound >f
	xclbin-info f >want
	run --separate-stderr -0 xclbin-info -o o f
	[ "$output" = "" ]
	cmp o want
}

# ---- Sections as files

@test "-x writes sections as JSON, and as raw bytes" {
	mkaxlf sound >f
	run --separate-stderr -0 xclbin-info -x MEM_TOPOLOGY:JSON:m -x IP_LAYOUT:JSON:i \
	    -x CONNECTIVITY:JSON:c -x KEYVALUE_METADATA:JSON:k \
	    -x KEYVALUE_METADATA:RAW:r -x CONNECTIVITY:RAW:d f
	[ "$output$stderr" = "" ]
	jq -e '. == {mem_topology: {m_count: "2", m_mem_data: [
	    {m_type: "MEM_DRAM", m_used: "1", m_sizeKB: "0x10000",
	    m_tag: "HOST", m_base_address: "0x4000000"},
	    {m_type: "MEM_DDR4", m_used: "0", m_sizeKB: "0x20000",
	    m_tag: "SRAM", m_base_address: "0x8000000"}]}}' m
	jq -e '. == {ip_layout: {m_count: "2", m_ip_data: [
	    {m_type: "IP_PS_KERNEL", m_subtype: "DPU", m_functional: "DPU",
	    m_kernel_id: "0x901", m_base_address: "not_used",
	    m_name: "K0:I0"}, {m_type: "IP_PS_KERNEL", m_subtype: "DPU",
	    m_functional: "DPU", m_kernel_id: "0x902",
	    m_base_address: "0x2000", m_name: "K0:I1"}]}}' i
	jq -e '. == {connectivity: {m_count: "2", m_connection: [
	    {arg_index: "1", m_ip_layout_index: "0", mem_data_index: "0"},
	    {arg_index: "3", m_ip_layout_index: "0", mem_data_index: "1"}]}}' c
	jq -e '. == {keyvalue_metadata: {key_values: [
	    {key: "made by", value: "\"a/b\""}]}}' k
	[ "$(cat r)" = '{"key_values":[{"key":"made by","value":"\"a/b\""}]}' ]
	[ "$(bytes d)" = "2 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0\
 3 0 0 0 0 0 0 0 1 0 0 0" ]
}

@test "-x writes PDIs next to the JSON file, named by their uuids" {
	mkaxlf two >f
	mkdir out
	run --separate-stderr -0 xclbin-info -x AIE_PARTITION:JSON:out/p.json f
	[ "$output" = "" ]
	[ "$stderr" = "xclbin-info: wrote out/00112233-4455-6677-8899-aabbccddeeff.pdi: 64 bytes
xclbin-info: wrote out/01122334-4556-6778-899a-abbccddeef00.pdi: 65 bytes" ]
	[ "$(ls out)" = "00112233-4455-6677-8899-aabbccddeeff.pdi
01122334-4556-6778-899a-abbccddeef00.pdi
p.json" ]
	[ "$(bytes out/01*.pdi | cut -d ' ' -f 1-18)" = \
	    "221 0 0 0 68 51 34 17 136 119 102 85 204 187 170 153 113 120" ]
	jq -e '. == {aie_partition: {name: "", operations_per_cycle: "1024",
	    inference_fingerprint: "23423", pre_post_fingerprint: "12345",
	    kernel_commit_id: "c0ffee", partition: {column_width: "2",
	    start_columns: ["0", "2", "4"]}, PDIs: [
	    {uuid: "00112233-4455-6677-8899-aabbccddeeff",
	    file_name: "00112233-4455-6677-8899-aabbccddeeff.pdi",
	    cdo_groups: [{name: "first", type: "PRIMARY", pdi_id: "0x1",
	    dpu_kernel_ids: ["0x901", "0x902"]}]},
	    {uuid: "01122334-4556-6778-899a-abbccddeef00",
	    file_name: "01122334-4556-6778-899a-abbccddeef00.pdi",
	    cdo_groups: [{name: "next", type: "LITE", pdi_id: "0x2",
	    dpu_kernel_ids: ["0x903", "0x904"],
	    pre_cdo_groups: ["0xc1"]}]}]}}' out/p.json
	# PDIs are not written if the JSON goes to stdout or to a pipe.
	mkdir pipes
	mkfifo pipes/p
	xclbin-info -x AIE_PARTITION:JSON:- f | cmp - out/p.json
	xclbin-info -x AIE_PARTITION:JSON:pipes/p f &
	cmp pipes/p out/p.json
	wait $!
	[ "$(echo ./*.pdi pipes/*)" = './*.pdi pipes/p' ]
}

@test "-x with --json or -o writes the sections and the description" {
	mkaxlf sound >f
	xclbin-info --json f >want
	xclbin-info --json -x CONNECTIVITY:RAW:c f | cmp - want
	[ "$(wc -c <c)" -eq 28 ]
	xclbin-info f >want
	xclbin-info -o o -x CONNECTIVITY:RAW:d f
	cmp o want
	cmp c d
}

@test "-x selects a partition by its label, which is its name" {
	mkaxlf twice >f
	xclbin-info -q -x 'AIE_PARTITION[other]:JSON:o' -x 'AIE_PARTITION[]:RAW:p' \
	    -x 'AIE_PARTITION:RAW:q' f
	jq -e '.aie_partition.name == "other"' o
	cmp p q
	run --separate-stderr -1 xclbin-info -x 'AIE_PARTITION[one]:RAW:r' f
	refused "f: has no AIE_PARTITION with the label 'one'"
	[ ! -e r ]
}

# bats test_tags=slow
@test "-x refuses a damaged section and writes nothing" {
	n=0
	while IFS='|' read -r name what says; do
		mkaxlf "$name" >"$name.f"
		run --separate-stderr -1 xclbin-info -q -x "$what:o" "$name.f"
		refused "$name.f: $says"
		[ ! -e o ]
		[ "$(echo ./*.pdi)" = './*.pdi' ]
		n=$((n + 1))
	done <<-'END'
	sound|PDI:RAW|has no PDI
	far-section|AIE_PARTITION:RAW|AIE_PARTITION runs past the end of the file
	far-name|AIE_PARTITION:JSON|AIE_PARTITION: name: no text ends after offset 1048576 of 488
	far-columns|AIE_PARTITION:JSON|AIE_PARTITION: start_columns: 1073741824 columns at offset 200 of 488
	far-pdis|AIE_PARTITION:JSON|AIE_PARTITION: 4294967295 PDIs at offset 208 of 488
	far-image|AIE_PARTITION:JSON|AIE_PARTITION: PDI 0: 64 bytes at offset 99999 of 488
	overlap-images|AIE_PARTITION:JSON|AIE_PARTITION: its PDIs overlap: together they are larger than its 784 bytes; write it with RAW
	one-uuid|AIE_PARTITION:JSON|has two PDIs for '00112233-4455-6677-8899-aabbccddeeff.pdi'; write the section with RAW
	count-99|MEM_TOPOLOGY:JSON|MEM_TOPOLOGY: 99 entries, and its 88 bytes have room for 2
	bad-keys|KEYVALUE_METADATA:JSON|KEYVALUE_METADATA: key_values[0]: no text 'key'
	END
	[ "$n" -eq 10 ]
	# All sections must be found before the first is written.
	run --separate-stderr -1 xclbin-info -x CONNECTIVITY:RAW:c -x PDI:RAW:o sound.f
	[ ! -e c ]
	pdi=00112233-4455-6677-8899-aabbccddeeff.pdi
	run --separate-stderr -1 xclbin-info -x AIE_PARTITION:JSON:o \
	    -x CONNECTIVITY:RAW:./$pdi sound.f
	refused "sound.f: its PDI would be written to './$pdi', which --extract names; name another file"
	[ ! -e $pdi ]
}

# bats test_tags=slow
@test "usage errors are refused" {
	while IFS='|' read -r words says; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -2 xclbin-info $words
		[ "$output" = "" ]
		[[ ${stderr_lines[0]} == "xclbin-info: $says"* ]] || {
			echo "$words: $stderr"
			false
		}
	done <<-'END'
	-x PARTITION:JSON:o f|--extract: 'PARTITION' is not a kind of section, such as AIE_PARTITION;
	-x AIE_PARTITION:XML:o f|--extract: 'AIE_PARTITION:XML:o' is not KIND:JSON:FILE or KIND:RAW:FILE
	-x AIE_PARTITION f|--extract: 'AIE_PARTITION' is not KIND:JSON:FILE
	-x AIE_PARTITION[x:JSON:o f|--extract: 'AIE_PARTITION[x:JSON:o' is not
	-x AIE_PARTITION:RAW: f|--extract: 'AIE_PARTITION:RAW:' names no file after the last ':'
	-x PDI:JSON:o f|--extract: PDI has no form in JSON; write it with PDI:RAW:o
	-x PDI:RAW:o f g|--extract takes sections of one file, not of 2
	-x PDI:RAW:o -x IP_LAYOUT:RAW:./o f|--extract: 'o' would be written twice
	-x PDI:RAW:o -o ./o f|--extract: the description goes to 'o'; name another file
	--json -x PDI:RAW:- f|--extract: the description goes to '-'; name another file
	END
}

# ---- Samples

@test "dumps of xclbinutil's files have the values of xclbinutil's dumps" {
	samples
	for n in layernorm pair guide004; do
		mkdir $n
		for f in "$dumps/$n"/*.json "$dumps/$n"/*.raw; do
			[ -e "$f" ] || continue
			k=${f##*/} form=RAW
			[ "${k#*.}" = raw ] || form=JSON
			echo "-x ${k%.*}:$form:$n/$k"
		done >words
		# shellcheck disable=SC2046 # words
		xclbin-info -q $(cat words) "$oracle/$n.xclbin"
		[ "$(ls $n)" = "$(ls "$dumps/$n")" ]
		for f in "$dumps/$n"/*; do
			case $f in
			*.json) same_json "$f" "$n/${f##*/}" ;;
			*) cmp "$f" "$n/${f##*/}" ;;
			esac
		done
	done
}

@test "partition and kernels of a sample match its inputs and dumps" {
	samples
	inputs=$NPU_TEST_DATA/xdna/inputs
	xclbin-info --json "$oracle/pair.xclbin" >out
	jq -e --slurpfile d "$dumps/pair/AIE_PARTITION.json" \
	    --slurpfile k "$inputs/two_kernels.json" \
	    --slurpfile i "$dumps/pair/IP_LAYOUT.json" '
	    def hex: ltrimstr("0x") | ascii_downcase | explode |
		reduce .[] as $c (0; . * 16 + (if $c > 96 then $c - 87
		else $c - 48 end));
	    $d[0].aie_partition as $p | .files[0] |
	    .uuid == "89abcdef-0123-4567-89ab-cdef01234567" and
	    .partition == {columns: ($p.partition.column_width | tonumber),
		start_columns: [$p.partition.start_columns[] | tonumber],
		operations_per_cycle: ($p.operations_per_cycle | tonumber),
		inference_fingerprint: $p.inference_fingerprint,
		pre_post_fingerprint: $p.pre_post_fingerprint,
		commit: $p.kernel_commit_id,
		pdis: [$p.PDIs[] | {uuid, bytes: (if .uuid[:2] == "00" and
		    .uuid[35:] == "f" then 1001 else 2448 end), groups:
		    [.cdo_groups[] | {name, type, id: (.pdi_id | hex),
		    kernels: [.dpu_kernel_ids // [] | .[] | hex],
		    before: [.pre_cdo_groups // [] | .[] | hex]}]}]} and
	    (.kernels | map([.name, .id, (.arguments | map([.name, .offset,
		.type, .pointer]))])) == ($k[0]["ps-kernels"].kernels |
		map([.name, (.["extended-data"].dpu_kernel_id | hex),
		(.arguments | map([.name, (.offset | hex), .type,
		.["address-qualifier"] == "GLOBAL"]))])) and
	    (.kernels | map(.name as $n | .instances | map("\($n):\(.)")) |
		add | sort) == ($i[0].ip_layout.m_ip_data | map(.m_name) |
		sort)' out || {
		cat out
		false
	}
}

@test "a file from another project has two kernels, only one for the NPU" {
	samples
	xclbin-info --json "$real/color_threshold_v1_720p.xclbin" |
	    jq -e '.files[0] | .platform == "xilinx_v1_ipu_0_0" and
		.version == "2.11.598" and (.sections | length) == 11 and
		.partition.start_columns == [1, 2, 3, 4] and
		(.kernels | map([.name, .id, .functional])) ==
		[["vadd", null, null],
		["color_threshold_1_tile_720p", 513, 1]] and
		(.kernels[1].arguments | map(.offset)) == [0, 8, 16, 24, 32]'
}

@test "IP_LAYOUT entries that are not for NPUs are written as by xclbinutil" {
	# The types 1, 1, 5, 0, 7 and 9; the properties are laid out as in XRT's
	# xclbin.h.  The PS_KERNEL has the subtype PS.
	perl -e 'my $l = pack("l<2", 6, 0) . join "", map { pack("L<2Q<a64",
	    @$_, 16, "k:i") } [1, 0x3ff], [1, 0x900], [5, 0x20007],
	    [0, 0xabc], [7, 0x10010], [9, 1];
	    print pack("a8", "xclbin2"), "\0" x 440, pack("L<2", 1, 0),
		pack("L<x20Q<2", 8, 496, length $l), $l' >f
	xclbin-info -x IP_LAYOUT:JSON:i f
	jq -e '.ip_layout.m_ip_data | map(del(.m_name, .m_base_address)) == [
	    {m_type: "IP_KERNEL", m_int_enable: "1", m_interrupt_id: "127",
	    m_ip_control: "AP_CTRL_ME"}, {m_type: "IP_KERNEL",
	    m_int_enable: "0", m_interrupt_id: "0",
	    m_ip_control: "UNKNOWN (9)"}, {m_type: "IP_MEM_HBM",
	    m_index: "7", m_pc_index: "2"}, {m_type: "IP_MB",
	    properties: "0xabc"}, {m_type: "IP_PS_KERNEL",
	    properties: "0x10010"}, {m_type: "UNKNOWN (9)",
	    properties: "0x1"}]' i
}

@test "each damaged sample is shown as far as possible, or refused" {
	samples
	run --separate-stderr -1 xclbin-info --json "$bad"/*.xclbin
	echo "$output" >out
	jq -e --arg n "$(printf '%s\n' "$bad"/*.xclbin | wc -l)" '.files |
	    length == ($n | tonumber) and (map(select(.error) | .file |
	    split("/")[-1])) == ["c-empty.xclbin", "c-lfs.xclbin",
	    "c-magic1.xclbin"] and (map(select(.error == null) |
	    (.sections | type), (.kernels | type)) | unique) == ["array"] and
	    (map(select(.file | endswith("d-two-parts.xclbin")))[0].sections |
	    map(select(.kind == "AIE_PARTITION")) | length) == 2 and
	    (map(select(.file | endswith("x-cut.xclbin")))[0].kernels[0].name)
	    == "MLIR_AIE"' out
	run -0 xclbin-info -q "$bad"/[!c]*.xclbin
	run -1 xclbin-info -q "$bad"/c-*.xclbin
}

@test "the examples of the page run as written" {
	samples
	cp "$oracle/pair.xclbin" main.xclbin
	sed 's/^\.Bd -literal -compact/.Bd -literal/' "$TOP/man/xclbin-info.1" |
	    awk -v dir=. -v name=page -f "$TOP/tests/support/examples.awk"
	sh -e page.1.sh >out
	# The last arguments have 8 bytes at 0x1c and at 0x4c.
	[ "$(sed -n '/^{/,$p' out | jq -c .)" = '{"name":"SCALE","bytes":36}
{"name":"SHIFT","bytes":84}' ]
	[ -s main/partition.json ]
	[ -n "$(find main -name '*.pdi')" ]
	sh -e page.2.sh >columns
	[ "$(cut -f 1 columns)" = main.xclbin ]
}
