#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# xclbin-check: it gives the verdicts of libxrt 2.25 on files with one fault
# each.  Other tests cover the form of the output.

load ../support/helper
load ../support/xdnajob

# verdicts FILE...: prints for each file its name, the verdict, and the first
# check that fails.
verdicts() {
	local st=0
	xclbin-check --machine=none --json "$@" >answer || st=$?
	[ $st -eq 0 ] || [ $st -eq 4 ] || return
	jq -r '.files[] | [(.file | split("/")[-1] | rtrimstr(".xclbin")),
	    .verdict, ([.checks[] | select(.verdict == "FAIL").name][0] //
	    "-")] | @tsv' answer
}

@test "each file with one fault gets libxrt's verdict at the right check" {
	need_data xdna/verdicts.tsv
	verdicts "$NPU_TEST_DATA"/xdna/bad/*.xclbin >got
	tail -n +2 "$DATA" | cut -f 1-3 >want
	[ "$(wc -l <want)" -ge 50 ]
	diff want got
}

@test "files with random bytes get the verdict of libxrt" {
	need_data xdna/mutants.tsv
	mkdir m
	perl -e 'local $/; open my $f, "<:raw", $ARGV[1]; my $good = <$f>;
	    open $f, "<", $ARGV[0]; my @rows = split /\n/, <$f>; shift @rows;
	    for my $i (0 .. $#rows) {
		my ($at, $hex) = split /\t/, $rows[$i];
		my $bytes = pack "H*", $hex;
		my $bad = $good;
		substr($bad, $at, length $bytes) = $bytes;
		open my $o, ">:raw", sprintf "m/%03d.xclbin", $i;
		print $o $bad;
	    }' "$DATA" "$NPU_TEST_DATA/xdna/oracle/layernorm.xclbin"
	verdicts m/*.xclbin | cut -f 2 >got
	tail -n +2 "$DATA" | cut -f 3 >want
	[ "$(wc -l <want)" -ge 200 ]
	diff want got
}

# with_metadata SED: writes main.xclbin, a file of xclbinutil with its XML
# edited by this command.
with_metadata() {
	rm -f was.xml
	xclbin-info -q -x EMBEDDED_METADATA:RAW:was.xml "$DATA"
	sed "$1" was.xml >is.xml
	! cmp -s was.xml is.xml
	xclbin-pack -q --force -i "$DATA" --add-replace-section \
	    EMBEDDED_METADATA:RAW:is.xml -o main.xclbin
}

@test "arguments are numbered, merged and measured as by libxrt" {
	need_data xdna/oracle/layernorm.xclbin
	# XRT 963c58ee: merge_args(), payload_size(), and get<size_t>() of an
	# addressQualifier; the id -1 is no_index.  The last argument is bo4,
	# with number 7 and offset 0x34.
	# shellcheck disable=SC2034 # the rows name it
	part='<arg name="part" hostSize="0x8" type="void*" id="7" size="0x8"'
	while IFS='|' read -r want says edit; do
		eval "with_metadata \"$edit\""
		verdicts main.xclbin >got
		xclbin-check --machine=none --plain main.xclbin >all || :
		grep -q "$says" all
		[ "$(cut -f 2-3 got)" = "$want" ] || {
			echo "$edit"
			cat all
			false
		}
	done <<-'END'
	runs	-|.|/bo4/a $part addressQualifier='1' offset='0x2000'/>
	runs	-|.|/bo4/a $part addressQualifier='99' offset='4088'/>
	refused	metadata|end at 4094: 1023 words.* room for 1022|s/offset=.0x34./offset='4080'/; /bo4/a $part addressQualifier='1' offset='4078'/>
	refused	metadata|end at 4100: 1025 words|/bo4/a ${part/7/} addressQualifier='0' offset='4092'/>
	runs	-|.|s/offset=.0x34./offset='4083'/
	refused	metadata|end at 4092: 1023 words|s/offset=.0x34./offset='4084'/
	runs	-|.|/bo4/a ${part/7/-1} addressQualifier='0' offset='0x3c'/>
	runs	-|.|/bo4/s/addressQualifier=.1./addressQualifier='18446744073709551615'/
	refused	metadata|addressQualifier='18446744073709551616' is not a number of at most 64 bits|/bo4/s/addressQualifier=.1./addressQualifier='18446744073709551616'/
	refused	metadata|addressQualifier='99999999999999999999' is not|/bo4/s/addressQualifier=.1./addressQualifier='99999999999999999999'/
	END
}

@test "a connected memory must be among the 64 that libxrt distinguishes" {
	need_data xdna/oracle/layernorm.xclbin
	xclbin-info -q -x GROUP_TOPOLOGY:JSON:was.json "$DATA"
	# XRT 963c58ee: init_mem_encoding() and max_connections.  The file's own
	# memories are two places at 67108864.  libxrt numbers places from the
	# highest address down, and does not count streams and memories that are
	# not used.
	while IFS='|' read -r want used type address; do
		jq ".group_topology |= (.m_mem_data += [range(63) | {m_type:
		    \"MEM_$type\", m_used: \"$used\", m_sizeKB: \"4\", m_tag:
		    \"more\", m_base_address: ($address | tostring)}] |
		    .m_count = \"65\")" was.json >is.json
		xclbin-pack -q --force -i "$DATA" --add-replace-section \
		    GROUP_TOPOLOGY:JSON:is.json -o main.xclbin
		verdicts main.xclbin | cut -f 2-3 >got
		[ "$(cat got)" = "$want" ] || {
			echo "$used $type $address: $(cat got)"
			false
		}
	done <<-'END'
	refused	memory|1|DRAM|67108865 + .
	runs	-|1|DRAM|67108866 + . - . % 2
	runs	-|1|DRAM|1 + .
	runs	-|0|DRAM|67108865 + .
	runs	-|1|STREAMING|67108865 + .
	runs	-|1|STREAMING_CONNECTION|67108865 + .
	END
}

@test "a container with 32 kernel entries runs, with 33 it does not" {
	xdna_container job
	# The limit is MAX_NUM_CUS in Linux,
	# drivers/accel/amdxdna/aie2_msg_priv.h.
	for n in 32 33; do
		list=$(seq -f '{"name": "I%g"}' -s , $n)
		sed "s/{\"name\": \"MLIRAIE\"}/$list/" job_kernels.json >k.json
		xclbin-pack -q --force -i job.xclbin \
		    --remove-section EMBEDDED_METADATA \
		    --remove-section IP_LAYOUT --remove-section CONNECTIVITY \
		    --add-kernel k.json -o $n.xclbin
	done
	run -0 xclbin-check --machine=none 32.xclbin
	run -4 xclbin-check --machine=none --plain 33.xclbin
	[ "$(grep -c FAIL <<<"$output")" -eq 1 ]
	grep -q $'\tlayout\tFAIL\tmore than 32 entries are called KERNEL:' \
	    <<<"$output"
}

# large XML ENTRIES NAME: prints a container with this metadata and this number
# of entries in IP_LAYOUT, called NAME:0 and so on.
large() {
	perl -e 'local $/; my ($good, $xml, $n, $name) = @ARGV;
	    open my $f, "<:raw", $good; my $was = <$f>;
	    open $f, "<:raw", $xml; my %is = (2 => <$f>,
		8 => pack("VV", $n, 0) . join "", map { pack "VVQa64", 7, 1,
		~0, "$name:$_" } 0 .. $n - 1);
	    my $sections = unpack "V", substr $was, 0x1c0, 4;
	    my ($table, $data) = ("", "");
	    my $at = 0x1c8 + 40 * $sections;
	    for (0 .. $sections - 1) {
		my ($kind, $label, undef, $from, $size) =
		    unpack "Va16VQQ", substr $was, 0x1c8 + 40 * $_, 40;
		my $part = $is{$kind} // substr $was, $from, $size;
		$table .= pack "Va16VQQ", $kind, $label, 0, $at, length $part;
		$part .= "\0" x (-length($part) % 8);
		$data .= $part;
		$at += length $part;
	    }
	    my $head = substr $was, 0, 0x1c8;
	    substr($head, 0x130, 8) = pack "Q", $at;
	    print $head, $table, $data' "$DATA" "$@"
}

# bats test_tags=slow
@test "a large hostile container is checked without quadratic work" {
	need_data xdna/oracle/layernorm.xclbin
	head='<project><platform><device><core>'
	kernel='<kernel name="K" type="dpu">'
	extended='<extended-data functional="0" dpu_kernel_id="0x901"/>'
	arg='<arg name="a" addressQualifier="0" offset="0" size="0" hostSize="0"'
	tail='</kernel></core></device></platform></project>'
	numbered=$(printf "$arg id='%s'/>" {0..7})
	# 150,000 arguments and 100,000 entries.
	perl -e 'print $ARGV[0], "$ARGV[1] id=\"\"/>" x 150000, $ARGV[2]' \
	    "$head$kernel$extended$numbered" "$arg" "$tail" >arguments.xml
	# A name and an id of 7 MB each, and 600,000 entries.
	perl -e '$_ = $ARGV[0]; s/0x901/"0" x 7000000/e;
	    s/<kernel/"<kernel name=\"L" . "L" x 7000000 . "\" "/e; print' \
	    "$head<kernel type='dpu'>$extended$numbered$tail" >name.xml
	large arguments.xml 100000 K >arguments.xclbin
	large name.xml 600000 L >name.xclbin
	for f in arguments name; do
		run -4 timeout 60 xclbin-check --machine=none --plain $f.xclbin
		grep -q $'\tlayout\tFAIL\t' <<<"$output"
	done
	timeout 60 xclbin-info arguments.xclbin >info
}

@test "containers that xclbinutil packed with kernels run" {
	need_data xdna/oracle
	for f in layernorm attention pair added; do
		run -0 xclbin-check --machine=none "$DATA/$f.xclbin"
		[ "${lines[0]}" = "$DATA/$f.xclbin: runs" ]
		[[ $output != *FAIL* ]]
	done
	run -0 xclbin-check --machine=none "$DATA/pair.xclbin"
	[[ $output == *"kernel 'SCALE'"* ]]
	need_data xdna/real
	run -0 xclbin-check --machine=none "$DATA"/*.xclbin
}

@test "the printed command adds all sections that a container lacks" {
	need_data xdna/oracle/layernorm.xclbin
	# The files that aiecc writes for a build called main.
	in=${DATA%/oracle/*}/inputs
	cp "$in"/main_{mem_topology,kernels,aie_partition}.json \
	    "$in/main.pdi" .
	while read -r -a lack; do
		xclbin-pack -q --force -i "$DATA" -o main.xclbin \
		    "${lack[@]/#/--remove-section=}"
		run -4 xclbin-check --machine=none --plain main.xclbin
		awk -F '\t' '$3 == "FAIL" && $5 { print $5 }' <<<"$output" \
		    >typed
		[ "$(wc -l <typed)" -eq 1 ] || {
			cat typed
			false
		}
		rm -f main-fixed.xclbin
		bash typed
		run -0 xclbin-check --machine=none main-fixed.xclbin
	done <<-'END'
	IP_LAYOUT CONNECTIVITY GROUP_CONNECTIVITY
	IP_LAYOUT
	IP_LAYOUT EMBEDDED_METADATA
	IP_LAYOUT MEM_TOPOLOGY GROUP_TOPOLOGY
	EMBEDDED_METADATA MEM_TOPOLOGY
	MEM_TOPOLOGY GROUP_TOPOLOGY
	CONNECTIVITY GROUP_CONNECTIVITY
	CONNECTIVITY GROUP_CONNECTIVITY EMBEDDED_METADATA
	CONNECTIVITY GROUP_CONNECTIVITY MEM_TOPOLOGY GROUP_TOPOLOGY
	AIE_PARTITION
	AIE_PARTITION IP_LAYOUT GROUP_CONNECTIVITY CONNECTIVITY
	AIE_PARTITION MEM_TOPOLOGY GROUP_TOPOLOGY IP_LAYOUT EMBEDDED_METADATA
	END
}

@test "a container without metadata does not run, and the remedy is printed" {
	need_data xdna/oracle/guide004.xclbin
	cp "$DATA" main.xclbin
	run -4 xclbin-check --machine=none main.xclbin
	[ "${lines[0]}" = "main.xclbin: does not run" ]
	[[ $output == *"FAIL  metadata  it lacks EMBEDDED_METADATA"* ]]
	[[ $output == *"next: xclbin-pack -i main.xclbin --remove-section\
 IP_LAYOUT --add-kernel main_kernels.json -o main-fixed.xclbin"* ]]
	run -4 xclbin-check --machine=none -q main.xclbin
	[[ $output != *"ok "* && $output == *"FAIL  metadata"* ]]
	run -4 xclbin-check --machine=none --plain main.xclbin
	grep -q $'^main.xclbin\tmetadata\tFAIL\tit lacks' <<<"$output"
	grep -q $'^main.xclbin\tfile\tok\txclbin2, ' <<<"$output"
}

@test "a file name with a blank or a quote is quoted in the command" {
	need_data xdna/oracle/guide004.xclbin
	while read -r name; do
		cp "$DATA" "./$name.xclbin"
		cp "${DATA%/oracle/*}"/inputs/main_* .
		run -4 xclbin-check --machine=none -- "$name.xclbin"
		typed=$(sed -n 's/^ *next: //p' <<<"$output" | tail -n 1)
		sh -c "$typed"
		[ -e "./$name-fixed.xclbin" ]
	done <<-'END'
	a b
	it's
	a"b$(exit 3)
	-x
	END
	[ ! -e FIXED.xclbin ]
}

@test "a file name with control characters is not printed in the command" {
	need_data xdna/oracle/guide004.xclbin
	for name in $'a\nb.xclbin' $'a\033[m.xclbin'; do
		cp "$DATA" "$name"
		run -4 xclbin-check --machine=none "$name"
		[[ $output == *"next: xclbin-pack -i FILE.xclbin "* ]]
	done
}

@test "a file, standard input and a pipe give the same output" {
	need_data xdna/oracle/layernorm.xclbin
	for n in 0 1 8 455 456 495 496 600 8000 13097; do
		head -c $n "$DATA" >part
		st=0
		xclbin-check --machine=none --plain part >file || st=$?
		for how in '<part' '< <(cat part)'; do
			st2=0
			eval "xclbin-check --machine=none --plain - $how" \
			    >stdin || st2=$?
			[ $st2 -eq $st ]
			diff <(cut -f 2-4 file) <(cut -f 2-4 stdin)
		done
	done
	[ $st -eq 0 ]
}

@test "4 GiB of zeros are refused after reading the first bytes" {
	truncate -s 4G holes
	run -4 xclbin-check --machine=none --plain holes
	[[ ${lines[0]} == $'holes\tfile\tFAIL\tnot an xclbin: '* ]]
	run -4 xclbin-check --machine=none --plain - <holes
	[[ ${lines[0]} == $'stdin\tfile\tFAIL\tnot an xclbin: '* ]]
}

@test "a container of more than 1 GiB is not checked, and the status is 1" {
	need_data xdna/oracle/layernorm.xclbin
	cat "$DATA" >long
	truncate -s 4G long
	is='not checked: 4294967296 bytes are more than the 1073741824 that are read'
	run -1 --separate-stderr xclbin-check --machine=none --plain long
	[ "$output" = "" ]
	[ "$stderr" = "xclbin-check: long: $is" ]
	run -1 --separate-stderr xclbin-check --machine=none --json - <long
	[ "$stderr" = "xclbin-check: stdin: $is" ]
	[[ $(jq -r '.files[0].error.message' <<<"$output") == *"$is" ]]
	# Other files are checked.
	run -1 --separate-stderr xclbin-check --machine=none long "$DATA"
	[ "${lines[0]}" = "$DATA: runs" ]
}

@test "a file that cannot be read is status 1, and others are still checked" {
	need_data xdna/oracle/layernorm.xclbin
	run -1 --separate-stderr xclbin-check --machine=none nowhere "$DATA"
	[ "$stderr" = "xclbin-check: nowhere: No such file or directory" ]
	[[ $output == *": runs"* ]]
	mkdir folder
	run -1 --separate-stderr xclbin-check --machine=none --json folder
	[ "$stderr" = "xclbin-check: folder: Is a directory" ]
	[ "$(jq -c '.files[0].error.status' <<<"$output")" = 1 ]
}

@test "metadata in an unknown encoding fails, and the encoding is named" {
	need_data xdna/oracle/layernorm.xclbin
	with_metadata 's/utf-8/foo-8/'
	run -4 xclbin-check --machine=none --plain main.xclbin
	grep -q $'\tmetadata\tFAIL\t.*: the encoding .foo-8. is not UTF-8,' \
	    <<<"$output"
}

@test "an empty file, a Git LFS pointer, a web page and an ELF file are named" {
	: >empty
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n' >lfs
	printf '<!DOCTYPE html>\n' >page
	printf '\177ELF\1\1\1' >elf
	run -4 xclbin-check --machine=none --plain empty lfs page elf
	grep -q $'^empty\tfile\tFAIL\tempty\t' <<<"$output"
	grep -q $'^lfs\tfile\tFAIL\t.* a Git LFS pointer.*\tgit lfs pull$' \
	    <<<"$output"
	grep -q $'^page\tfile\tFAIL\t.* a web page\t' <<<"$output"
	grep -q $'^elf\tfile\tFAIL\t.* an ELF file\t' <<<"$output"
}

@test "options that contradict each other are a usage error" {
	run -2 xclbin-check --json --plain x
	run -2 xclbin-check --color=always --json x
	run -2 xclbin-check - -
}

# ---- --insts

# insts STREAM FILE: prints the verdict and the finding of the check insts.
insts() {
	local st=0
	xclbin-check --machine=none --plain --insts="$1" "$2" >answer || st=$?
	grep -qP '\tFAIL\t' answer && [ $st -eq 4 ] || [ $st -eq 0 ]
	grep -P '\tinsts\t' answer | cut -f 3-4
}

@test "--insts accepts the streams of a container and refuses damaged streams" {
	need_data xdna/insts/expected.tsv
	n=0
	while IFS=$'\t' read -r name buffers note; do
		want=$'ok\t'
		[ "$buffers" != refused ] || want=$'FAIL\t'
		# The stream is not checked after an unknown operation.
		[ "$name" != warn-unknown-op ] || want=$'warn\t'
		got=$(insts "${DATA%/*}/$name.insts" \
		    "$NPU_TEST_DATA/xdna/oracle/attention.xclbin")
		[[ $got == "$want"*"$([ "$buffers" != refused ] ||
		    echo "$note")"* ]] || {
			echo "$name: $got"
			false
		}
		n=$((n + 1))
	done < <(tail -n +2 "$DATA")
	[ $n -ge 20 ]
}

@test "--insts names the kernel that has all buffers of the stream" {
	need_data xdna/insts/third-unused.insts
	stream=$DATA
	need_data xdna/oracle/pair.xclbin
	# The stream uses arguments 2 and 4; SCALE has two buffers, SHIFT eight.
	[[ $(insts "$stream" "$DATA") == \
	    $'ok\t'*"fits kernel 'SHIFT', not kernel 'SCALE'" ]]
}

@test "--insts refuses a stream with more columns than the partition" {
	need_data xdna/insts/ln.insts
	# Moves the stream to column 2: its registers, and the wait.
	perl -e 'local $/; my @w = unpack "V*", <STDIN>;
	    for my $i (0 .. $#w) {
		$w[$i] |= 2 << 25 if $w[$i] >= 0x1d000 && $w[$i] < 0x1d300;
		$w[$i + 2] |= 2 << 16 if $w[$i] == 0x80 && $w[$i + 1] == 16;
	    }
	    print pack "V*", @w' <"$DATA" >moved
	need_data xdna/oracle/attention.xclbin		# 4 columns
	[[ $(insts moved "$DATA") == $'ok\t'* ]]
	need_data xdna/oracle/pair.xclbin		# 2 columns
	[[ $(insts moved "$DATA") == $'FAIL\t'*"column 2 of a "* ]]
}

@test "--insts refuses a stream for npu1 if the partition needs npu4" {
	need_data xdna/oracle/attention.xclbin
	cat "$DATA" >wide.xclbin
	need_data xdna/insts/ln.insts
	# The partition begins at 824; its number of columns is at offset 32 in
	# it.
	for columns in 4 5 6 8; do
		printf "\\x0$columns" |
		    dd of=wide.xclbin bs=1 seek=856 conv=notrunc 2>dd
		want=ok
		[ $columns -le 5 ] || want=FAIL
		[[ $(insts "$DATA" wide.xclbin) == "$want"$'\t'* ]]
		[[ $(insts "${DATA%/*}/npu2.insts" wide.xclbin) == \
		    $'ok\t'* ]]
	done
}

@test "a buffer without memory fails only if the stream uses it" {
	need_data xdna/insts/ln.insts
	loose=$NPU_TEST_DATA/xdna/bad/k-arg-loose.xclbin
	run -0 xclbin-check --machine=none "$loose"
	run -4 xclbin-check --machine=none --plain --insts="$DATA" "$loose"
	grep -qP "\tmemory\tFAIL\tbuffer 0 of kernel 'MLIR_AIE', which " \
	    <<<"$output"
	grep -qP '\tinsts\tok\t' <<<"$output"
	run -0 xclbin-check --machine=none \
	    --insts="${DATA%/*}/third-unused.insts" "$loose"
}

@test "--insts is read once, from a file, a pipe or standard input" {
	need_data xdna/insts/ln.insts
	stream=$DATA
	need_data xdna/oracle/layernorm.xclbin
	xclbin-check --machine=none --insts="$stream" "$DATA" "$DATA" >file
	[ "$(grep -c '^ok    insts' file)" -eq 2 ]
	xclbin-check --machine=none --insts=- "$DATA" "$DATA" <"$stream" \
	    >stdin
	xclbin-check --machine=none --insts=<(cat "$stream") "$DATA" "$DATA" \
	    >pipe
	cmp file stdin
	cmp file pipe
	xclbin-check --machine=none --insts="$stream" - <"$DATA" >container
	[ "$(grep -c '^ok    insts' container)" -eq 1 ]
	run -2 xclbin-check --insts=- -
	run -2 xclbin-check --insts="$stream"
}

@test "--insts with a file that cannot be read is status 1" {
	need_data xdna/oracle/layernorm.xclbin
	run -1 --separate-stderr xclbin-check --machine=none --insts=none \
	    "$DATA"
	[ "$stderr" = "xclbin-check: none: No such file or directory" ]
	run -1 --separate-stderr xclbin-check --json --insts=. "$DATA"
	[ "$(jq -c .error.status <<<"$output")" = 1 ]
	: >empty
	[[ $(insts empty "$DATA") == $'FAIL\t'* ]]
	# Git LFS in a text does not make it a pointer; the first line of a
	# pointer does.
	echo 'Git LFS' >text
	[[ $(insts text "$DATA") == $'FAIL\t'*"'Git LFS' is not a word"* ]]
	grep -q $'\tinsts\t.*\taiecc.py ' answer
	echo 'version https://git-lfs.github.com/spec/v1' >pointer
	[[ $(insts pointer "$DATA") == $'FAIL\t'* ]]
	grep -q $'\tinsts\t.*\tgit lfs pull$' answer
}
