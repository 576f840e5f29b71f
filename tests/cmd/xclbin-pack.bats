# SPDX-License-Identifier: Apache-2.0
# xclbin-pack writes the same bytes as xclbinutil.
# bats file_tags=arm64

load ../support/helper

setup() {
	need_data xdna/inputs
	IN=$DATA
	ORACLE=$NPU_TEST_DATA/xdna/oracle
}

# u64 FILE OFFSET: prints the 64-bit number there.
u64() {
	od -An -t u8 -j "$2" -N 8 "$1" | tr -d ' '
}

# hex FILE OFFSET COUNT: prints these bytes in hexadecimal.
hex() {
	od -An -v -t x1 -j "$2" -N "$3" "$1" | tr -d ' \n'
}

# rebuilt NAME OPTION...: checks that xclbin-pack makes xclbinutil's file NAME
# from the same inputs, if it gets the time and the uuid of its header.
rebuilt() {
	local oracle=$ORACLE/$1.xclbin
	shift
	(cd "$IN" && xclbin-pack -q "$@" --stamp-version=2.25.0 \
	    --timestamp="$(u64 "$oracle" 312)" --key-value \
	    "SYS:XclbinUUID:$(hex "$oracle" 416 16)" -o "$OLDPWD/o.xclbin")
	cmp o.xclbin "$oracle"
}

@test "kernels, memories and a partition, as from aiecc, give the same bytes" {
	rebuilt layernorm \
	    --add-replace-section MEM_TOPOLOGY:JSON:main_mem_topology.json \
	    --add-kernel main_kernels.json \
	    --add-replace-section AIE_PARTITION:JSON:ln_aie_partition.json
}

@test "the options of aiecc with another PDI give the same bytes" {
	rebuilt attention \
	    --add-replace-section=MEM_TOPOLOGY:JSON:main_mem_topology.json \
	    --add-kernel=main_kernels.json \
	    --add-replace-section=AIE_PARTITION:JSON:main_aie_partition.json
}

@test "two kernels with three instances and two PDIs give the same bytes" {
	rebuilt pair --add-kernel two_kernels.json \
	    --add-section MEM_TOPOLOGY:JSON:main_mem_topology.json \
	    --add-section AIE_PARTITION:JSON:two_aie_partition.json
}

@test "guide 004's command packs no kernels, and a message says so" {
	cp "$IN"/main* .
	o=$ORACLE/guide004.xclbin
	run --separate-stderr -0 env SOURCE_DATE_EPOCH="$(u64 "$o" 312)" \
	    xclbin-pack \
	    --add-section PDI:RAW:main.pdi \
	    --add-section AIE_PARTITION:JSON:main_aie_partition.json \
	    --add-section IP_LAYOUT:JSON:main_ip_layout.json \
	    --add-section MEM_TOPOLOGY:JSON:main_mem_topology.json \
	    --force \
	    --output attention_int32.xclbin \
	    --key-value "SYS:XclbinUUID:$(hex "$o" 416 16)"
	cmp attention_int32.xclbin "$o"
	[ "$output" = "" ]
	[[ ${stderr_lines[0]} == "xclbin-pack: attention_int32.xclbin: cannot run\
 on an NPU: metadata: it lacks EMBEDDED_METADATA, which names the kernels;\
 next: xclbin-pack -i attention_int32.xclbin "* ]]
}

@test "--help shows the command of guide 004" {
	xclbin-pack --help | sed -n '/^  xclbin-pack \\/,/^$/p' |
	    tr -d '\\\n' | tr -s ' ' >shown
	[ "$(cat shown)" = " xclbin-pack\
 --add-section PDI:RAW:main.pdi\
 --add-section AIE_PARTITION:JSON:main_aie_partition.json\
 --add-section IP_LAYOUT:JSON:main_ip_layout.json\
 --add-section MEM_TOPOLOGY:JSON:main_mem_topology.json\
 --force --output attention_int32.xclbin" ]
}

@test "adding a section keeps the header, --skip-uuid-insertion the uuid" {
	xclbin-pack -q --input "$ORACLE/layernorm.xclbin" \
	    --skip-uuid-insertion --add-replace-section "PDI:RAW:$IN/b.pdi" \
	    -o o.xclbin
	cmp o.xclbin "$ORACLE/added.xclbin"
}

@test "guide 003's build has 13,098 bytes, with the newline of 2.20.0" {
	mkdir prj.mlir.prj
	cp "$IN/ln.pdi" "$IN/main_mem_topology.json" "$IN/main_kernels.json" \
	    "$IN/ln_aie_partition.json" prj.mlir.prj
	xclbin-pack --project=prj.mlir.prj --timestamp=1763673652 \
	    --stamp-version=2.20.0 --mirror-newline -o guide003.xclbin \
	    --key-value SYS:XclbinUUID:c3ed9a7d-c812-a284-e0af-e07991e64e05
	[ "$(wc -c <guide003.xclbin)" -eq 13098 ]
	[ "$(tail -c 24 guide003.xclbin | tr '\n' /)" = \
	    '}/XCLBIN_MIRROR_DATA_END' ]
	[ "$(hex guide003.xclbin 328 4)" = 00000214 ]
	[ "$(hex guide003.xclbin 416 16)" = c3ed9a7dc812a284e0afe07991e64e05 ]
	[ "$(u64 guide003.xclbin 296)" = 1763673652 ]
	[ "$(u64 guide003.xclbin 304)" = 13098 ]
}

@test "inputs determine the file; their times do not change the uuid" {
	mkdir prj
	cp "$IN"/main* prj
	rm prj/main_ip_layout.json
	find prj -exec touch -d @1700000000 {} +
	touch -d @1700000005 prj/main.pdi
	xclbin-pack --project=prj -o a.xclbin
	xclbin-pack --project=prj >b.xclbin
	cmp a.xclbin b.xclbin
	[ "$(u64 a.xclbin 312)" = 1700000005 ]
	[ "$(u64 a.xclbin 296)" = 1700000005 ]
	touch -d @1700000009 prj/main_kernels.json
	xclbin-pack --project=prj -o c.xclbin
	[ "$(u64 c.xclbin 312)" = 1700000009 ]
	[ "$(hex a.xclbin 416 16)" = "$(hex c.xclbin 416 16)" ]
	SOURCE_DATE_EPOCH=7 xclbin-pack --project=prj -o d.xclbin
	[ "$(u64 d.xclbin 312)" = 7 ]
	SOURCE_DATE_EPOCH=7 xclbin-pack --project=prj --timestamp=8 -o e.xclbin
	[ "$(u64 e.xclbin 312)" = 8 ]
	# One more byte in an input gives another uuid.
	printf x >>prj/main.pdi
	xclbin-pack --project=prj -o f.xclbin
	[ "$(hex a.xclbin 416 16)" != "$(hex f.xclbin 416 16)" ]
}

@test "the uuid is the first half of the SHA-256 of kinds, sizes and bytes" {
	printf 'abc' >a.pdi
	printf '<x/>' >x.xml
	xclbin-pack -q --add-section PDI:RAW:a.pdi \
	    --add-section EMBEDDED_METADATA:RAW:x.xml -o o.xclbin
	printf '\22\0\0\0\3\0\0\0\0\0\0\0abc\2\0\0\0\4\0\0\0\0\0\0\0<x/>' |
	    sha256sum >sum
	[ "$(hex o.xclbin 416 16)" = "$(head -c 32 sum)" ]
}

@test "a file that can run is packed without a message" {
	cp "$IN"/main.pdi "$IN"/main_[akm]* .
	run --separate-stderr -0 xclbin-pack --project=. -o o.xclbin
	[ "$output" = "" ]
	[ "$stderr" = "" ]
}

@test "an existing output file is kept, unless --force is given" {
	printf mine >o.xclbin
	run --separate-stderr -1 xclbin-pack -i "$ORACLE/pair.xclbin" -o o.xclbin
	[ "$stderr" = "xclbin-pack: o.xclbin: already exists; --force replaces\
 it" ]
	[ "$(cat o.xclbin)" = mine ]
	xclbin-pack -i "$ORACLE/pair.xclbin" --skip-uuid-insertion --force \
	    -o o.xclbin
	cmp o.xclbin "$ORACLE/pair.xclbin"
	# With --force, a container may also replace itself.
	xclbin-pack -q -i o.xclbin --remove-section AIE_PARTITION --force \
	    -o o.xclbin
	[ "$(wc -c <o.xclbin)" -lt "$(wc -c <"$ORACLE/pair.xclbin")" ]
}

@test "no input, an operand, and stdin for two inputs are usage errors" {
	run --separate-stderr -2 xclbin-pack -o o.xclbin
	[ "${stderr_lines[0]}" = "xclbin-pack: nothing to pack; give --project,\
 --add-section or --input" ]
	run --separate-stderr -2 xclbin-pack --add-section PDI:RAW:a b -o o.xclbin
	[[ ${stderr_lines[0]} == "xclbin-pack: 'b' does not belong to an option; "* ]]
	run --separate-stderr -2 xclbin-pack --add-section PDI:RAW:- -i - \
	    -o o.xclbin
	[[ ${stderr_lines[0]} == "xclbin-pack: stdin can be read only once; "* ]]
	[ ! -e o.xclbin ]
}
