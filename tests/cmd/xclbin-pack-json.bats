# SPDX-License-Identifier: Apache-2.0
# The JSON documents that xclbin-pack reads: each value has a range, and the
# message names file, place, value and limit.
# bats file_tags=slow

load ../support/helper
load ../support/xclbinpack

setup() {
	pack_inputs
}

# changed FILE KIND EXPRESSION MESSAGE: edits FILE with sed, and checks that it
# is refused as a section of KIND ("kernels": with --add-kernel) with
# "xclbin-pack: x.json: " and MESSAGE, in which a * stands for any text.
changed() {
	sed "$3" "$1" >x.json
	! cmp -s "$1" x.json
	case $2 in
	kernels) set -- "$@" --add-section MEM_TOPOLOGY:JSON:memories.json \
	    --add-kernel x.json ;;
	*) set -- "$@" --add-section "$2:JSON:x.json" ;;
	esac
	run --separate-stderr -1 xclbin-pack "${@:5}" -o o.xclbin
	# shellcheck disable=SC2053 # a pattern
	[[ $stderr == "xclbin-pack: x.json: "$4 ]] || {
		echo "$3: $stderr"
		false
	}
	[ ! -e o.xclbin ]
}

# all_changed FILE KIND: calls changed with the rows "EXPRESSION|MESSAGE" of
# stdin.
all_changed() {
	local n=0
	while IFS='|' read -r expression message; do
		changed "$1" "$2" "$expression" "$message"
		n=$((n + 1))
	done
	[ $n -gt 0 ]
}

@test "MEM_TOPOLOGY: bad counts, types, numbers, sizes and tags are refused" {
	all_changed memories.json MEM_TOPOLOGY <<-'END'
	s/"5"/"4"/|"mem_topology": "m_count" is 4, but "m_mem_data" has 5 entries
	s/"5"/-1/|"mem_topology": "m_count": -1 is not from 0 to 2147483647
	s/"5"/"5x"/|"mem_topology": "m_count": '5x' is not a whole number from 0 to 2147483647, decimal or after 0x
	s/"5"/5.0/|"mem_topology": "m_count": not a whole number, nor a text with one
	s/m_mem_data/m_data/|"mem_topology": has no "m_mem_data"
	s/\[/{"a":[/; s/\]/]}/|"mem_topology": "m_mem_data" is not a list
	s/"m_mem_data": \[/&7,/; s/"5"/6/|m_mem_data 0: not an object
	s/MEM_BRAM/MEM_SRAM/|m_mem_data 1: "m_type": 'MEM_SRAM' is neither one of the names MEM_DDR3, *
	s/"MEM_BRAM"/256/|m_mem_data 1: "m_type": *
	s/"m_used": 1,/"m_used": 256,/|m_mem_data 1: "m_used": 256 is not from 0 to 255
	s/"m_used": 1,//|m_mem_data 1: has no "m_used"
	s/"0xc000"/"0xc001"/|m_mem_data 1: "m_size": 49153 bytes are not a multiple of 1024
	s/"m_size": "0xc000"/&, "m_sizeKB": 1/|m_mem_data 1: has both "m_size" and "m_sizeKB"; leave one
	s/"0x10000"/"0x10000000000000000"/|m_mem_data 0: "m_sizeKB": '0x10000000000000000' is not a whole number from 0 to 18446744073709551615, *
	s/"0x10000"/"0x"/|m_mem_data 0: "m_sizeKB": '0x' is not *
	s/"0x10000"/" 1"/|m_mem_data 0: "m_sizeKB": ' 1' is not *
	s/"0x10000"/"-1"/|m_mem_data 0: "m_sizeKB": '-1' is not *
	s/"0x10000"/"010"/|m_mem_data 0: "m_sizeKB": '010' is not *
	s/"0x10000"/true/|m_mem_data 0: "m_sizeKB": not a whole number, nor a text with one
	s/"HOST"/""/|m_mem_data 0: "m_tag" is empty
	s/"HOST"/"0123456789abcdef"/|m_mem_data 0: "m_tag" '0123456789abcdef' has 16 bytes; at most 15 fit
	s/"HOST"/5/|m_mem_data 0: "m_tag" is not a text
	s/"m_base_address": 67108864/"a": 1/|m_mem_data 1: has no "m_base_address"
	END
	# Values equal to the limits are accepted, as are leading zeros.
	sed 's/"HOST"/"0123456789abcde"/; s/"0x10000"/"0xffffffffffffffff"/
	    s/"m_used": 1,/"m_used": "0xff",/; s/"0x4000000"/"007"/
	    s/"m_count": "5", //' memories.json >x.json
	xclbin-pack -q --add-section MEM_TOPOLOGY:JSON:x.json -o o.xclbin
}

@test "IP_LAYOUT: bad types, ids and names are refused" {
	all_changed layout.json IP_LAYOUT <<-'END'
	s/IP_DNASC/IP_X/|m_ip_data 5: "m_type": 'IP_X' is neither one of the names IP_MB, *
	s/"0x901"/"0x1000"/|m_ip_data 2: "m_kernel_id": '0x1000' is not a whole number from 0 to 4095, *
	s/"DPU"/"GPU"/|m_ip_data 2: "m_subtype": 'GPU' is neither one of the names PS, DPU nor a number from 0 to 3
	s/"PrePost"/4/|m_ip_data 3: "m_functional": *
	s/"m_interrupt_id": "3"/"m_interrupt_id": 128/|m_ip_data 0: "m_interrupt_id": 128 is not from 0 to 127
	s/AP_CTRL_CHAIN/AP/|m_ip_data 0: "m_ip_control": 'AP' is neither one of the names AP_CTRL_HS, *
	s/"m_index": "3"/"m_index": 65536/|m_ip_data 1: "m_index": 65536 is not from 0 to 65535
	s/"0x33"/"0x100000000"/|m_ip_data 5: "properties": *
	s/"0x10000"/"unused"/|m_ip_data 0: "m_base_address": 'unused' is not *
	s/"m_name": "HBM"/"a": 0/|m_ip_data 1: has no "m_name"
	END
	name=$(printf '%064d' 0)
	changed layout.json IP_LAYOUT "s/\"HBM\"/\"$name\"/" \
	    "m_ip_data 1: \"m_name\" '$name' has 64 bytes; at most 63 fit"
	sed "s/\"HBM\"/\"${name#0}\"/; s/\"0x901\"/4095/" layout.json >x.json
	xclbin-pack -q --add-section IP_LAYOUT:JSON:x.json -o o.xclbin
}

@test "CONNECTIVITY: numbers of more than 31 bits are refused" {
	all_changed connections.json CONNECTIVITY <<-'END'
	s/"arg_index": 5/"arg_index": 2147483648/|m_connection 1: "arg_index": 2147483648 is not from 0 to 2147483647
	s/"arg_index": 5/"arg_index": "-1"/|m_connection 1: "arg_index": '-1' is not *
	s/"mem_data_index": 1}/"x": 1}/|m_connection 1: has no "mem_data_index"
	END
}

@test "AIE_PARTITION: bad columns, PDIs, groups and uuids are refused" {
	all_changed partition.json AIE_PARTITION <<-'END'
	s/aie_partition/partition/|has no "aie_partition"
	s/"column_width": "3"/"column_width": 0/|"partition": "column_width" is 0
	s/"column_width": "3"/"column_width": 65536/|"partition": "column_width": 65536 is not from 0 to 65535
	s/\["0", 1, 4\]/[]/|"partition": "start_columns" is empty
	s/\["0", 1, 4\]/[0, "x"]/|"partition": "start_columns" 1: 'x' is not *
	s/2048/4294967296/|"operations_per_cycle": 4294967296 is not from 0 to 4294967295
	s/18446744073709551615/18446744073709551616/|"inference_fingerprint": *
	s/"PDIs"/"pdis"/|has no "PDIs"
	s/"uuid": "0xAb7",//|PDIs 1: has no "uuid"
	s/0xAb7/0xAg7/|PDIs 1: "uuid": '0xAg7' is not up to 32 hexadecimal digits
	s/0xAb7/0x-/|PDIs 1: "uuid": '0x-' has no digit
	s/0xAb7/0123456789abcdef0123456789abcdef0/|PDIs 1: "uuid": '0123456789abcdef0123456789abcdef0' is not *
	s/"two.pdi"/"none.pdi"/|PDIs 1: "file_name": 'none.pdi': No such file or directory
	s/"two.pdi"/"."/|PDIs 1: "file_name": '.': Is a directory
	s/"two.pdi"/""/|PDIs 1: "file_name" is empty
	s/"two.pdi"/7/|PDIs 1: "file_name" is not a text
	s/"pdi_id": "3",//|PDIs 1: cdo_groups 0: has no "pdi_id"
	s/"pdi_id": "3"/"pdi_id": "0x10000000000000000"/|PDIs 1: cdo_groups 0: "pdi_id": *
	s/"LITE"/"LIGHT"/|PDIs 1: cdo_groups 0: "type": 'LIGHT' is neither one of the names UNKNOWN, PRIMARY, LITE, PRE_POST nor *
	s/258,/258.5,/|PDIs 0: cdo_groups 0: "dpu_kernel_ids" 1: not a whole number, *
	s/\["0xC1"\]/"0xC1"/|PDIs 0: cdo_groups 0: "pre_cdo_groups" is not a list
	END
	cat >no-groups.json <<-'END'
	{"aie_partition": {"partition": {"column_width": 1, "start_columns": [0]},
	 "PDIs": [{"uuid": 1}]}}
	END
	changed no-groups.json AIE_PARTITION 's/1}/"1", "file_name": "one.pdi"}/' \
	    'PDIs 0: has no "cdo_groups"'
	changed no-groups.json AIE_PARTITION \
	    's/1}/"1", "file_name": "one.pdi", "cdo_groups": []}/' \
	    'PDIs 0: "cdo_groups" is empty: a PDI needs a group'
	changed no-groups.json AIE_PARTITION 's/\[{.*}\]/[]/' \
	    '"PDIs" is empty: a partition needs a PDI'
}

@test "kernels: bad names, types, memories and ids are refused" {
	all_changed kernels.json kernels <<-'END'
	s/\[{"name": "z"}\]/[{"name": ""}]/|kernels 3: 'B': instances 0: "name" is empty
	s/{"name": "none"}/{"type": "dpu"}/|kernels 2: has no "name"
	s/{"name": "none"}/7/|kernels 2: has no "name"
	s/"name": "bo", //|kernels 3: 'B': arguments 0: has no "name"
	s/"address-qualifier": "GLOBAL", "type": "void/"type": "void/|kernels 3: 'B': arguments 0: has no "address-qualifier"
	s/"LOCAL"/"CLOSE"/|kernels 0: *: arguments 4: "address-qualifier": 'CLOSE' is neither one of the names SCALAR, GLOBAL, CONSTANT, LOCAL, STREAM nor *
	s/"float"/"unsigned int"/|kernels 0: *: arguments 4: "type": 'unsigned int' is not a type of an argument: *
	s/"float"/"  "/|kernels 0: *: arguments 4: "type": '  ' is not a type *
	s/"offset": "0x1c",//|kernels 0: *: arguments 4: "offset": missing
	s/"0x1c"/""/|kernels 0: *: arguments 4: "offset": empty
	s/"1,4"/"1,5"/|kernels 0: *: arguments 4: "memory-connection": MEM_TOPOLOGY has 5 memories, but no number 5
	s/"1,4"/"1,"/|kernels 0: *: arguments 4: "memory-connection": no memory in MEM_TOPOLOGY has the tag '1,'
	s/"1,4"/""/|kernels 0: *: arguments 4: "memory-connection": no memory in MEM_TOPOLOGY has the tag ''
	s/"2305"/"0x1000"/|kernels 3: 'B': "extended-data": "dpu_kernel_id": '0x1000' is not a whole number from 0 to 4095, *
	s/"functional": "0"/"functional": "4"/|kernels 3: 'B': "extended-data": "functional": '4' is neither one of the names DPU, PrePost nor *
	s/"more"/"a b"/|kernels 0: *: "extended-data": "a b": not a name for an attribute
	s/"\\t'"/{}/|kernels 0: *: "extended-data": "more": neither a text nor a whole number
	s/"kernels": \[/"kernels": [], "x": [/|no kernels: "kernels" is empty
	END
	name=$(printf '%062d' 0)
	changed kernels.json kernels "s/\"z\"/\"$name\"/" \
	    "kernels 3: 'B': instances 0: 'B:$name' has 64 bytes; at most 63 fit"
	sed "s/\"z\"/\"${name#0}\"/" kernels.json >x.json
	xclbin-pack -q --add-section MEM_TOPOLOGY:JSON:memories.json \
	    --add-kernel x.json -o o.xclbin
}

@test "invalid JSON is refused, as are repeated members, NULs and deep lists" {
	all_changed memories.json MEM_TOPOLOGY <<-'END'
	s/"m_used": 1,/"m_used": 1, "m_used": 0,/|not JSON: line 4: duplicate object key*
	s/HOST/\\u0000/|not JSON: line 3: a NUL (*u0000) in a string*
	s/}]}}/&x/|not JSON: line *
	s/é/\xff/|not JSON: line *
	END
	: >empty.json
	for f in empty.json /dev/null; do
		run --separate-stderr -1 xclbin-pack --add-kernel $f -o o.xclbin
		[[ $stderr == "xclbin-pack: $f: not JSON: line 1: "* ]]
	done
	perl -e 'print "[" x 100000' >deep.json
	run --separate-stderr -1 xclbin-pack --add-kernel deep.json -o o.xclbin
	[[ $stderr == "xclbin-pack: deep.json: not JSON: line 1: maximum parsing\
 depth"* ]]
	printf '"text"' >text.json
	run --separate-stderr -1 xclbin-pack --add-kernel text.json -o o.xclbin
	[[ $stderr == "xclbin-pack: text.json: "* ]]
	# A byte order mark is accepted.
	{
		printf '\xef\xbb\xbf'
		cat memories.json
	} >mark.json
	xclbin-pack -q --add-section MEM_TOPOLOGY:JSON:mark.json -o o.xclbin
}

@test "a document above 16 MiB or 65536 connections is refused" {
	{
		cat memories.json
		head -c 16777216 /dev/zero | tr '\0' ' '
	} >long.json
	run --separate-stderr -1 xclbin-pack \
	    --add-section MEM_TOPOLOGY:JSON:long.json -o o.xclbin
	[ "$stderr" = "xclbin-pack: long.json: $(stat -c %s long.json) bytes, more\
 than 16777216, which is the limit here" ]
	perl -e 'print q({"ps-kernels": {"kernels": [{"name": "k", "arguments": [),
	    join(",", map { qq({"name": "a", "address-qualifier": "GLOBAL",
	    "type": "void*", "offset": "0", "memory-connection": "HOST"}) }
	    1 .. 300), q(], "instances": [),
	    join(",", map { qq({"name": "i$_"}) } 1 .. 300), q(]}]}})' >many.json
	run --separate-stderr -1 xclbin-pack --add-kernel many.json \
	    --add-section MEM_TOPOLOGY:JSON:memories.json -o o.xclbin
	[[ $stderr == "xclbin-pack: many.json: kernels 0: 'k': arguments "*": more\
 than 65536 connections, "* ]]
}

@test "an empty list or file adds no section, and a note says so without -q" {
	printf '{"mem_topology": {"m_count": 0, "m_mem_data": []}}' >none.json
	: >empty.pdi
	pack() {
		xclbin-pack "$@" -o o.xclbin --force \
		    --add-section MEM_TOPOLOGY:JSON:none.json \
		    --add-section PDI:RAW:empty.pdi --key-value USER:a:b
	}
	run --separate-stderr -0 pack -q
	[ "$stderr" = "" ]
	run --separate-stderr -0 pack
	[ "${stderr_lines[0]}" = "xclbin-pack: none.json: empty; no MEM_TOPOLOGY is\
 added" ]
	[ "${stderr_lines[1]}" = "xclbin-pack: empty.pdi: empty; no PDI is added" ]
	[ "$(xclbin-info --json o.xclbin | jq -c '[.files[0].sections[].kind]')" = \
	    '["KEYVALUE_METADATA"]' ]
}

# ---- Folders in which PDIs are found --------------------------------------

# first_pdi FILE: prints the bytes of the first PDI.
first_pdi() {
	xclbin-info -q -x AIE_PARTITION:JSON:out/p.json "$1"
	cat out/6b1f9d52-3c7e-4a10-9f86-2d04c5b7e831.pdi
}

@test "PDIs are searched beside the document, then in the working directory" {
	mkdir out doc elsewhere
	sed "s,./one.pdi,sub/one.pdi," partition.json >doc/a.json
	cp two.pdi doc
	mkdir doc/sub sub
	printf beside >doc/sub/one.pdi
	printf here >sub/one.pdi
	pack() {
		xclbin-pack -q --add-section AIE_PARTITION:JSON:"$1" --force \
		    -o o.xclbin
		first_pdi o.xclbin
	}
	[ "$(pack doc/a.json)" = beside ]
	rm doc/sub/one.pdi
	[ "$(pack doc/a.json)" = here ]
	# If the path does not exist, the file name is searched beside the
	# document.
	printf last >doc/one.pdi
	rm sub/one.pdi
	[ "$(pack doc/a.json)" = last ]
	sed "s,./one.pdi,$PWD/elsewhere/one.pdi," partition.json >doc/a.json
	printf there >elsewhere/one.pdi
	[ "$(pack doc/a.json)" = there ]
	rm elsewhere/one.pdi
	[ "$(pack doc/a.json)" = last ]
	rm doc/one.pdi
	run --separate-stderr -1 xclbin-pack \
	    --add-section AIE_PARTITION:JSON:doc/a.json -o gone.xclbin
	[ "$stderr" = "xclbin-pack: doc/a.json: PDIs 0: \"file_name\":\
 '$PWD/elsewhere/one.pdi': No such file or directory" ]
	[ ! -e gone.xclbin ]
}

# ---- --project

@test "--project takes files with any prefix, if one prefix has all files" {
	project() {
		rm -rf p
		mkdir p
		cp one.pdi two.pdi p
		cp memories.json "p/$1mem_topology.json"
		cp more.kernels.json "p/$2kernels.json"
		cp partition.json "p/$3aie_partition.json"
	}
	xclbin-pack -q --add-section MEM_TOPOLOGY:JSON:memories.json \
	    --add-section AIE_PARTITION:JSON:partition.json \
	    --add-kernel more.kernels.json --timestamp=0 -o want.xclbin
	while read -r a b c; do
		project "$a" "$b" "$c"
		xclbin-pack -q --project=p --timestamp=0 --force -o got.xclbin
		# Everything but the names of the sections is equal.
		for k in MEM_TOPOLOGY AIE_PARTITION EMBEDDED_METADATA; do
			xclbin-info -q -x $k:RAW:a want.xclbin
			xclbin-info -q -x $k:RAW:b got.xclbin
			cmp a b
		done
	done <<-'END'
	main_ main_ main_
	attention_64x64_ attention_64x64_ attention_64x64_
	a_ b_ c_
	END
	project '' '' ''
	xclbin-pack -q --project=p/ -o none.xclbin
	# Incomplete files of another design are ignored.
	project main_ main_ main_
	cp memories.json p/old_mem_topology.json
	cp more.kernels.json p/old_kernels.json
	touch p/mykernels.json p/kernels.json.bak
	xclbin-pack -q --project=p -o whole.xclbin
	[ "$(xclbin-info --json whole.xclbin |
	    jq -r '.files[0].sections[0].name')" = main_mem_topolo ]
	cp partition.json p/old_aie_partition.json
	run --separate-stderr -1 xclbin-pack --project=p -o two.xclbin
	[ "$stderr" = "xclbin-pack: --project: p: has more than one design:\
 main_mem_topology.json, old_mem_topology.json; name the files of one with\
 --add-section and --add-kernel" ]
	rm p/*kernels.json
	run --separate-stderr -1 xclbin-pack --project=p -o two.xclbin
	[ "$stderr" = "xclbin-pack: --project: p: has no file *kernels.json; aiecc\
 of mlir-aie writes it" ]
	run --separate-stderr -1 xclbin-pack --project=one.pdi -o two.xclbin
	[ "$stderr" = "xclbin-pack: --project: one.pdi: Not a directory" ]
	[ ! -e two.xclbin ]
}

@test "KEYVALUE_METADATA is the same section from JSON and from raw bytes" {
	xclbin-pack -q --key-value USER:a/b:1 --key-value USER:c: -o keys.xclbin
	xclbin-info -x KEYVALUE_METADATA:JSON:keys.json \
	    -x KEYVALUE_METADATA:RAW:keys.raw keys.xclbin
	for form in JSON:keys.json RAW:keys.raw; do
		xclbin-pack -q --add-section "KEYVALUE_METADATA:$form" \
		    -o "${form%:*}.xclbin"
		xclbin-info -x KEYVALUE_METADATA:RAW:got "${form%:*}.xclbin"
		cmp got keys.raw
	done
}

@test "the examples of the page run as written" {
	need_data xdna/inputs
	cp "$DATA"/main* .
	mkdir attention.mlir.prj
	cp "$DATA"/main.pdi "$DATA"/main_[akm]* attention.mlir.prj
	sed 's/^\.Bd -literal -compact/.Bd -literal/' "$TOP/man/xclbin-pack.1" |
	    awk -v dir=. -v name=page -f "$TOP/tests/support/examples.awk"
	for n in 1 2 3; do
		sh -e page.$n.sh
	done
	# The output of --project can run, as can the file to which kernels were
	# added.
	xclbin-check --machine=none attention.xclbin main-fixed.xclbin
	run -4 xclbin-check --machine=none main.xclbin
	rm main.xclbin
	sh -e page.4.sh >shown
	grep -q '^kernel MLIR_AIE: id 0x901' shown
	[ ! -e page.5.sh ]
}

@test "--project can be combined with --add-section and --key-value" {
	mkdir p
	cp one.pdi two.pdi p
	cp memories.json p/a_mem_topology.json
	cp more.kernels.json p/a_kernels.json
	cp partition.json p/a_aie_partition.json
	xclbin-pack -q --project=p --add-section PDI:RAW:one.pdi \
	    --key-value USER:k:v -o o.xclbin
	[ "$(xclbin-info --json o.xclbin |
	    jq -r '[.files[0].sections[].kind] | join(" ")')" = "MEM_TOPOLOGY\
 AIE_PARTITION PDI EMBEDDED_METADATA IP_LAYOUT GROUP_TOPOLOGY\
 KEYVALUE_METADATA" ]
	run --separate-stderr -2 xclbin-pack --project=p --project=p -o p.xclbin
	[ "${stderr_lines[0]}" = "xclbin-pack: --project: one folder can be packed,\
 not two" ]
}

@test "a section or a container is read from stdin" {
	xclbin-pack -q --add-section PDI:RAW:- -o a.xclbin <one.pdi
	xclbin-pack -q --add-section PDI:RAW:one.pdi --timestamp=0 -o b.xclbin
	xclbin-info -q -x PDI:RAW:got a.xclbin
	cmp got one.pdi
	# A pipe has no time of modification.
	cat one.pdi | xclbin-pack -q --add-section PDI:RAW:/dev/stdin >c.xclbin
	[ "$(od -An -t u8 -j 312 -N 8 c.xclbin | tr -d ' ')" = 0 ]
	xclbin-pack -q -i - --skip-uuid-insertion <b.xclbin | cmp - b.xclbin
}

@test "-v prints the source of each section, -q prints nothing" {
	run --separate-stderr -0 xclbin-pack -v --add-section PDI:RAW:one.pdi \
	    -o v.xclbin
	[ "${stderr_lines[0]}" = "xclbin-pack: PDI: 3 bytes from one.pdi" ]
	run --separate-stderr -0 xclbin-pack -q --add-section PDI:RAW:one.pdi \
	    -o q.xclbin
	[ "$stderr" = "" ]
}
