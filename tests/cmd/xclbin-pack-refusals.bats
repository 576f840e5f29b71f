# SPDX-License-Identifier: Apache-2.0
# xclbin-pack refuses invalid options and inputs with a reason, and writes no
# file.
# bats file_tags=slow

load ../support/helper
load ../support/xclbinpack

setup() {
	pack_inputs
	ls -A >before
}

# refused STATUS MESSAGE OPTION...: checks that the first line on stderr is
# "xclbin-pack: " and MESSAGE, in which a * stands for any text, and that no
# file is created.
refused() {
	local status=$1 message=$2
	shift 2
	run --separate-stderr "-$status" xclbin-pack "$@" -o o.xclbin
	# shellcheck disable=SC2053 # a pattern
	[[ ${stderr_lines[0]} == "xclbin-pack: "$message ]] || {
		echo "${stderr_lines[0]}"
		false
	}
	[ "$output" = "" ]
	if [ "$status" -eq 2 ]; then
		[ "${stderr_lines[1]}" = "Try 'xclbin-pack --help' for more\
 information." ]
	else
		[ "${#stderr_lines[@]}" -eq 1 ]
	fi
	[ ! -e o.xclbin ]
	[ -z "$(find . -name '.npu-*')" ]
}

MEM='--add-section MEM_TOPOLOGY:JSON:memories.json'

@test "invalid kinds, forms, keys, uuids, versions and times are usage errors" {
	while IFS='|' read -r message options; do
		# shellcheck disable=SC2086 # words
		refused 2 "$message" $options
	done <<-'END'
	--add-section: 'FOO' is not a kind of section, *|--add-section FOO:RAW:one.pdi
	--remove-section: 'pdi' is not a kind of section, *|--remove-section pdi --add-kernel x
	--add-section: a section PDI is made from its bytes, as PDI:RAW:one.pdi|--add-section PDI:JSON:one.pdi
	--add-replace-section: a section IP_LAYOUT is made from JSON, *|--add-replace-section IP_LAYOUT:RAW:x
	--add-section: a section AIE_PARTITION is made from JSON, *|--add-section AIE_PARTITION:RAW:x
	--add-section: 'PDI' is not KIND:JSON:FILE or KIND:RAW:FILE, *|--add-section PDI
	--add-section: ':JSON:x' names no kind of section before the ':'|--add-section :JSON:x
	--add-section: 'PDI:HTML:x' is not KIND:JSON:FILE or KIND:RAW:FILE, *|--add-section PDI:HTML:x
	--add-section: an empty name; *|--add-section PDI:RAW:
	--add-section: only AIE_PARTITION has a label, not PDI|--add-section PDI[a]:RAW:one.pdi
	--add-section: 'AIE_PARTITION?a:JSON:x' is not *|--add-section AIE_PARTITION[a:JSON:x
	--remove-section: 'AIE_PARTITION?a' has a '?' without a '?' *|--remove-section AIE_PARTITION[a
	--key-value: XclbinUUID '0123' is not 32 hexadecimal digits; *|--key-value SYS:XclbinUUID:0123
	--key-value: XclbinUUID '0011223344556677889900112233445g' is not *|--key-value SYS:XclbinUUID:0011223344556677889900112233445g
	--key-value: XclbinUUID '001122334455667788990011223344550' is not *|--key-value SYS:XclbinUUID:001122334455667788990011223344550
	--key-value: SYS has no key 'mode'; *|--key-value SYS:mode:flat
	--key-value: 'KERNEL' is neither USER nor SYS|--key-value KERNEL:a:b
	--key-value: 'USER:a' is not USER:KEY:VALUE or SYS:KEY:VALUE|--key-value USER:a
	--stamp-version: '2.25' is not X.Y.Z, *|--stamp-version 2.25
	--stamp-version: '2.256.0' is not X.Y.Z, *|--stamp-version 2.256.0
	--stamp-version: '2.-1.0' is not X.Y.Z, *|--stamp-version 2.-1.0
	--stamp-version: '2.2.0.0' is not X.Y.Z, *|--stamp-version 2.2.0.0
	--timestamp: '-1' is not a whole number from 0 to *|--timestamp -1
	--input: takes one container, not 'one.pdi' and 'two.pdi'|-i one.pdi --input two.pdi
	unknown option '--add-sect'; did you mean '--add-section'?|--add-sect PDI:RAW:one.pdi
	nothing to pack; *|--skip-uuid-insertion
	END
	SOURCE_DATE_EPOCH=now refused 2 "SOURCE_DATE_EPOCH: 'now' is not *" \
	    --add-section PDI:RAW:one.pdi
	SOURCE_DATE_EPOCH='' xclbin-pack -q --add-section PDI:RAW:one.pdi -o ok
}

@test "missing files, wrong contents and repeated sections are refused" {
	while IFS='|' read -r message options; do
		# shellcheck disable=SC2086 # words
		refused 1 "$message" $options
	done <<-'END'
	none: No such file or directory|--add-section PDI:RAW:none
	none: No such file or directory|--add-kernel none
	none: No such file or directory|--input none
	.: Is a directory|--add-section PDI:RAW:.
	one.pdi: not an xclbin: does not begin with 'xclbin2'|--input one.pdi
	one.pdi: not JSON: line 1: *|--add-section MEM_TOPOLOGY:JSON:one.pdi
	layout.json: has no "mem_topology"|--add-section MEM_TOPOLOGY:JSON:layout.json
	layout.json: no kernels: has no "ps-kernels"|--add-kernel layout.json
	--add-section: PDI already exists; --add-replace-section replaces it|--add-section PDI:RAW:one.pdi --add-section PDI:RAW:two.pdi
	--add-section: PDI already exists; *|--add-replace-section PDI:RAW:one.pdi --add-section PDI:RAW:two.pdi
	--remove-section: the file has no section PDI|--remove-section PDI --add-section PDI:RAW:one.pdi
	kernels.json: kernels 0: *"memory-connection": no memory in MEM_TOPOLOGY has the tag 'SRAM'|--add-kernel kernels.json
	--project: none: No such file or directory|--project none
	END
	refused 1 "--add-section: AIE_PARTITION\[a\] already exists; *" \
	    --add-section 'AIE_PARTITION[a]:JSON:partition.json' \
	    --add-section 'AIE_PARTITION[a]:JSON:partition.json'
	# shellcheck disable=SC2086 # words
	xclbin-pack -q $MEM --add-kernel kernels.json -o k.xclbin
	options='--remove-section=IP_LAYOUT --remove-section=CONNECTIVITY'
	refused 1 "--add-kernel: CONNECTIVITY already exists, and kernels are not\
 merged; add $options" -i k.xclbin --remove-section EMBEDDED_METADATA \
	    --add-kernel kernels.json
	options="--remove-section=EMBEDDED_METADATA $options"
	refused 1 "--add-kernel: EMBEDDED_METADATA already exists, and kernels are\
 not merged; add $options" -i k.xclbin --add-kernel kernels.json
	# shellcheck disable=SC2086 # words
	xclbin-pack -q -i k.xclbin --add-kernel kernels.json $options -o again
	refused 1 "IP_LAYOUT: entries * and * have the same name, '*'; add\
 --remove-section=IP_LAYOUT, or give the new kernels other names" -i k.xclbin \
	    --remove-section EMBEDDED_METADATA --remove-section CONNECTIVITY \
	    --add-kernel kernels.json
	refused 1 "--add-kernel: adds EMBEDDED_METADATA, which another option also\
 adds; leave one of the two options out" --add-kernel more.kernels.json \
	    --add-section EMBEDDED_METADATA:RAW:one.pdi
	refused 1 "--remove-section: the file has no section AIE_PARTITION\[a\]" \
	    -i k.xclbin --remove-section 'AIE_PARTITION[a]'
	xclbin-pack -q --add-section 'AIE_PARTITION[a]:JSON:partition.json' \
	    -o a.xclbin
	refused 1 "--remove-section: the file has no section AIE_PARTITION\
 without a label, but one with the label 'a'" -i a.xclbin --remove-section AIE_PARTITION
}

@test "a JSON number that needs 64 bits is refused, the same text is not" {
	cat >big.json <<-'END'
	{"mem_topology": {"m_mem_data": [{"m_type": "MEM_DRAM", "m_used": 0,
	 "m_tag": "a", "m_base_address":
	 18446744073709551615}]}}
	END
	refused 1 "big.json: line 3: a number needs more than 63 bits; write it as\
 text, in quotes" --add-section MEM_TOPOLOGY:JSON:big.json
	sed 's/[0-9]\{20\}/"&"/' big.json >text.json
	xclbin-pack -q --add-section MEM_TOPOLOGY:JSON:text.json -o ok.xclbin
	xclbin-info -x MEM_TOPOLOGY:JSON:- ok.xclbin |
	    jq -e '.mem_topology.m_mem_data[0].m_base_address ==
	    "0xffffffffffffffff"'
}

@test "two entries with one name are refused in a layout and in kernels" {
	sed 's/"p:b"/"p:a"/' layout.json >twice.json
	refused 1 "IP_LAYOUT: entries 2 and 3 have the same name, 'p:a'; *" \
	    --add-section IP_LAYOUT:JSON:twice.json
	sed 's/"name": "w"/"name": "a"/; s/"C"/"k"/' more.kernels.json >k.json
	refused 1 "IP_LAYOUT: entries 0 and 6 have the same name, 'k:a'; *" \
	    --add-section IP_LAYOUT:JSON:layout.json --add-kernel k.json
	sed 's/{"name": "w"}/&, &/' more.kernels.json >k.json
	refused 1 "IP_LAYOUT: entries 0 and 1 have the same name, 'C:w'; *" \
	    --add-kernel k.json
	refused 1 "more.kernels.json: two kernels have the name 'C'" \
	    --add-kernel more.kernels.json --add-kernel more.kernels.json
	# A container that has such entries is packed unchanged.
	sed 's/"p:b"/"q:b"/' layout.json >once.json
	xclbin-pack -q --add-section IP_LAYOUT:JSON:once.json -o i.xclbin
	sed -i 's/q:b/p:a/' i.xclbin
	xclbin-pack -q -i i.xclbin -o ok.xclbin
}

@test "a kernel id without a PDI group is refused; ids compare as numbers" {
	part='--add-section AIE_PARTITION:JSON:partition.json'
	sed 's/0x102/0x103/' more.kernels.json >k.json
	# shellcheck disable=SC2086 # words
	refused 1 "IP_LAYOUT: entry 0, 'C:w', has the kernel id 0x103, which is\
 not among the dpu_kernel_ids of AIE_PARTITION" $part --add-kernel k.json
	sed 's/0x102/0x0102/' more.kernels.json >k.json
	# shellcheck disable=SC2086 # words
	xclbin-pack -q $part --add-kernel k.json -o ok.xclbin
	# The partition of an existing container is not checked.
	xclbin-pack -q -i ok.xclbin --remove-section IP_LAYOUT --add-section \
	    IP_LAYOUT:JSON:layout.json -o ok2.xclbin
}

@test "adjacent memories of an argument are refused, with advice" {
	# The second memory begins where the first ends: 0 + 64 MiB.
	cat >adjoin.json <<-'END'
	{"mem_topology": {"m_mem_data": [
	 {"m_type": "MEM_DRAM", "m_used": 1, "m_sizeKB": "0x10000",
	  "m_tag": "a", "m_base_address": 0},
	 {"m_type": "MEM_HBM", "m_used": 1, "m_sizeKB": 1,
	  "m_tag": "b", "m_base_address": "0x4000000"},
	 {"m_type": "MEM_HBM", "m_used": 1, "m_sizeKB": 1,
	  "m_tag": "c", "m_base_address": "0x8000000"}]}}
	END
	cat >two.json <<-'END'
	{"connectivity": {"m_connection": [
	 {"arg_index": 3, "m_ip_layout_index": 1, "mem_data_index": 1},
	 {"arg_index": 3, "m_ip_layout_index": 1, "mem_data_index": 0}]}}
	END
	mem='--add-section MEM_TOPOLOGY:JSON:adjoin.json'
	# shellcheck disable=SC2086 # words
	refused 1 "GROUP_CONNECTIVITY: argument 3 of entry 1 of IP_LAYOUT is\
 connected to 2 adjacent memories, *; --skip-bank-grouping leaves the groups\
 out" $mem --add-section CONNECTIVITY:JSON:two.json
	# shellcheck disable=SC2086 # words
	xclbin-pack -q $mem --add-section CONNECTIVITY:JSON:two.json \
	    --skip-bank-grouping -o ok.xclbin
	# With a third memory that is not adjacent, or with two arguments, no
	# group is made.
	more='{"arg_index": 3, "m_ip_layout_index": 1, "mem_data_index": 2}'
	sed "s/}\]}}/}, $more]}}/" two.json >three.json
	sed '0,/"arg_index": 3/s//"arg_index": 4/' two.json >other.json
	for f in three other; do
		# shellcheck disable=SC2086 # words
		xclbin-pack -q $mem --add-section CONNECTIVITY:JSON:$f.json \
		    -o $f.xclbin
	done
	sed 's/"mem_data_index": 0/"mem_data_index": 3/' two.json >beyond.json
	# shellcheck disable=SC2086 # words
	refused 1 "GROUP_CONNECTIVITY: connection 1 is to memory 3, but\
 MEM_TOPOLOGY has 3" $mem --add-section CONNECTIVITY:JSON:beyond.json
}

@test "an output that is also an input is refused, also with --force" {
	cp one.pdi in.pdi
	run --separate-stderr -2 xclbin-pack --add-section PDI:RAW:in.pdi --force \
	    -o ./in.pdi
	[ "${stderr_lines[0]}" = "xclbin-pack: './in.pdi' is also an input; name\
 another file for the output" ]
	cmp one.pdi in.pdi
}

@test "a container that is cut, or has too many overlaps, is refused" {
	# shellcheck disable=SC2086 # words
	xclbin-pack -q $MEM --add-kernel kernels.json -o k.xclbin
	head -c 700 k.xclbin >cut
	refused 1 "cut: section *: * bytes at * run past the end of the file\
 (700)" -i cut
	head -c 460 k.xclbin >cut
	refused 1 "cut: 6 sections: their table runs past the end of the file" \
	    -i cut
	head -c 400 k.xclbin >cut
	refused 1 "cut: 400 bytes are too few: *" -i cut
	# Each of 100 sections covers the whole file.
	perl -e 'local $/; $h = substr(<>, 0, 448); $h .= pack "V x4", 100;
	    print $h, (pack "V x20 Q< Q<", 99, 0, 4456) x 100' <k.xclbin >huge
	refused 1 "huge: section 2: so many sections overlap that they would take\
 more than 8912 bytes" -i huge
	printf 'xclbin2\0' >short
	refused 1 "short: 8 bytes are too few: *" -i short
	: >empty
	refused 1 "empty: empty" -i empty
}
