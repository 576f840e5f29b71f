# SPDX-License-Identifier: Apache-2.0
# xclbin-pack writes the bytes that xclbinutil 2.25.0 wrote, for inputs that
# depend on each of its rules.
# bats file_tags=slow,arm64

load ../support/helper
load ../support/xclbinpack

@test "each case has the bytes that xclbinutil wrote" {
	pack_inputs
	n=0
	while IFS='|' read -r name seconds sum options; do
		pack_words "$options"
		# With --input, the container keeps its own time.
		[[ $options == *--input* ]] || words+=(--timestamp="$seconds")
		xclbin-pack -q "${words[@]}" -o "$name.xclbin" --key-value \
		    SYS:XclbinUUID:00112233445566778899aabbccddeeff </dev/null
		n=$((n + 1))
		echo "$sum  $name.xclbin" | sha256sum -c --quiet || {
			echo "$name: other bytes"
			false
		}
	done < <(pack_cases)
	[ $n -eq 20 ]
}

# The container of Riallto has other kinds of sections and of headers.
@test "a container of Riallto is rewritten as by xclbinutil, also without PDI" {
	need_data xdna/real/color_threshold_v1_720p.xclbin
	while read -r sum options; do
		# shellcheck disable=SC2086 # words
		xclbin-pack -q -i "$DATA" --skip-uuid-insertion $options --force \
		    -o o.xclbin
		echo "$sum  o.xclbin" | sha256sum -c --quiet
	done <<-'END'
	2be3f33eb38b8028f5e54944264b4e7ae36fd453a008f217add9f405d0f06f97
	716bf8f1f38f76f11cc20bb5db56922d1621b6523c1a20cc36c4b8c2d5664f1f --remove-section PDI
	END
}

# entry FILE N: prints the fields of section N: kind, name, offset, size.
entry() {
	perl -e 'open F, "<:raw", shift; local $/; $_ = <F>;
	    print join " ", unpack "V Z16 x4 Q< Q<", substr $_, 456 + 40 * shift,
	    40' "$1" "$2"
}

@test "a section is named by its file, without folder and ending, in 15 bytes" {
	mkdir d.x
	printf x >d.x/a.b.c
	printf x >.rc
	printf x >0123456789abcdefgh.pdi
	while read -r file want; do
		xclbin-pack -q --add-section "PDI:RAW:$file" --force -o o.xclbin
		[ "$(entry o.xclbin 0)" = "18 $want 496 1" ]
	done <<-'END'
	d.x/a.b.c a.b
	./.rc .rc
	0123456789abcdefgh.pdi 0123456789abcde
	END
}

@test "sections are aligned to 8 bytes, in the order in which they are added" {
	pack_inputs
	xclbin-pack -q --add-section USER_METADATA:RAW:one.pdi --key-value \
	    USER:a:b --add-replace-section BITSTREAM:RAW:two.pdi \
	    --add-section PDI:RAW:one.pdi -o o.xclbin
	[ "$(entry o.xclbin 0)" = '0 two 616 10' ]
	[ "$(entry o.xclbin 1)" = '16 one 632 3' ]
	[ "$(entry o.xclbin 2)" = '18 one 640 3' ]
	printf '{"key_values":[{"key":"a","value":"b"}]}' >want
	[ "$(entry o.xclbin 3)" = "15  648 $(wc -c <want)" ]
	tail -c +649 o.xclbin | head -c "$(wc -c <want)" | cmp - want
	# The mirror follows without padding.
	tail -c +$((649 + $(wc -c <want))) o.xclbin | head -c 24 >start
	[ "$(cat start)" = XCLBIN_MIRROR_DATA_START ]
}

# xclbin-pack reads the dumps of xclbin-info, and makes the same bytes from
# them.
@test "packing the dumps of xclbin-info gives the same sections again" {
	pack_inputs
	pack_cases | while IFS='|' read -r name _ _ options; do
		pack_words "$options"
		xclbin-pack -q "${words[@]}" -o "$name.xclbin" </dev/null
	done
	while read -r file kind; do
		rm -rf dump
		mkdir dump
		xclbin-info -q -x "$kind:JSON:dump/s.json" "$file.xclbin"
		xclbin-info -q -x "$kind:RAW:dump/want" "$file.xclbin"
		xclbin-pack -q --add-section "$kind:JSON:dump/s.json" \
		    --skip-bank-grouping --force -o again.xclbin
		xclbin-info -q -x "$kind:RAW:dump/got" again.xclbin
		cmp dump/want dump/got || { echo "$file $kind"; false; }
	done <<-'END'
	kernels MEM_TOPOLOGY
	kernels GROUP_TOPOLOGY
	kernels IP_LAYOUT
	kernels CONNECTIVITY
	kernels GROUP_CONNECTIVITY
	layout IP_LAYOUT
	all AIE_PARTITION
	keys KEYVALUE_METADATA
	END
}

@test "packing the dumps of xclbinutil gives the same sections again" {
	need_data xdna/dumps/pair
	n=0
	for d in "$NPU_TEST_DATA"/xdna/dumps/*/; do
		oracle=$NPU_TEST_DATA/xdna/oracle/$(basename "$d").xclbin
		for f in "$d"*.json; do
			kind=$(basename "$f" .json)
			xclbin-pack -q --add-section "$kind:JSON:$f" --force \
			    --skip-bank-grouping -o again.xclbin
			xclbin-info -q -x "$kind:RAW:got" again.xclbin
			xclbin-info -q -x "$kind:RAW:want" "$oracle"
			cmp want got || { echo "$f"; false; }
			n=$((n + 1))
		done
	done
	[ $n -eq 16 ]
}
