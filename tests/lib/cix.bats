# SPDX-License-Identifier: Apache-2.0
# lib/model: each kind of damage is refused by its own check, and each sound
# file is described.
# bats file_tags=slow

load ../support/helper

PATH=$B/tests/tools:$PATH

# make_all: writes each model that mkcix knows to a file with its name, and the
# lists of sound and of damaged files.
make_all() {
	mkcix --list >list
	while IFS=$'\t' read -r name check; do
		mkcix "$name" >"$name.cix"
	done <list
	awk '$2 == "sound" { print $1 ".cix" }' list >sound
	awk '$2 != "sound" { print $1 ".cix" }' list >damaged
}

# tensors OPTION...: prints the tensors of such a model, as cixcheck describes
# them.
tensors() {
	mkcix "$@" >t.cix || return
	cixcheck t.cix | grep '^tensor'
}

@test "each check has a damaged model, and there are at least 40 of these" {
	cixcheck --checks | cut -f 1 | sort >checks
	mkcix --list | cut -f 2 | sort -u | grep -v '^sound$' >made
	diff checks made
	[ "$(mkcix --list | grep -vc 'sound$')" -ge 40 ]
}

@test "the text of a check is not part of another check's text" {
	cixcheck --checks | awk -F '\t' '
	    { text[NR] = $3 }
	    END {
		for (i in text)
			for (j in text)
				if (i != j && index(text[i], text[j]))
					print text[j] " is part of " text[i]
	    }' >parts
	cat parts
	[ ! -s parts ]
}

@test "each damage is refused with the message of its check alone" {
	make_all
	run -123 xargs cixcheck <damaged
	echo "$output" >said
	cixcheck --checks >checks
	awk -F '\t' '
	    FILENAME == "checks" { text[$1] = $3 }
	    FILENAME == "list" { want[$1 ".cix"] = $2 }
	    FILENAME == "said" {
		n = split($0, part, ": ")
		file = part[1]
		lines++
		if (part[2] != want[file] || !index($0, text[want[file]]))
			print "wrong: " $0
		for (c in text)
			if (c != want[file] && index($0, text[c]))
				print "also " c ": " $0
	    }
	    END { print lines + 0 }' checks list said >verdict
	cat verdict
	[ "$(cat verdict)" = "$(wc -l <damaged)" ]
}

@test "an odd but sound model is described" {
	make_all
	run -0 xargs cixcheck <sound
	[ "$(echo "$output" | grep -c ': model ')" = "$(wc -l <sound)" ]
}

# bats test_tags=native
@test "if any check is left out, a test fails" {
	run -0 "$TOP/tests/long/leave-out-checks" "$B" "${CC:-cc}"
	[[ ${lines[-1]} == *" checks noticed when left out, 0 not" ]]
}

@test "-l reports damage on which 2.0.2 crashes later, and refuses the rest" {
	cixcheck --checks >checks
	make_all
	while IFS=$'\t' read -r name check; do
		st=0
		kind=$(awk -F '\t' -v c="$check" '$1 == c { print $2 }' checks)
		case $check.$kind.$name in
		sound.* | *.ours.*) want="deferred=none" ;;
		*.late.*) want="deferred=$check" ;;
		# A second subgraph is only reported as not being for the NPU.
		*.second-elf-type) want="npu=0" ;;
		*) want="$check: " st=1 ;;
		esac
		run -$st cixcheck -l "$name.cix"
		[[ $output == *"$want"* ]] || {
			echo "$name: want $want: $output"
			return 1
		}
	done <list
}

@test "the reported tensors equal those with which the file was made" {
	# The expected text is derived from how the model was built, not from
	# the parser.
	[ "$(tensors --in=s32:77 --in=u8:1x3x10x10:255:0 \
	    --out=s8:512:27.6738:60 --out=f16:84x10 sound)" = \
"tensor kind=0 id=0 size=308 input0 s32 [77] scale=1 zero_point=0
tensor kind=0 id=1 size=300 input1 u8 [1,3,10,10] scale=255 zero_point=0
tensor kind=1 id=0 size=512 output0 s8 [512] scale=27.6738 zero_point=60
tensor kind=1 id=1 size=1680 output1 f16 [84,10]" ]
}

@test "each element type is read, and an unknown type counts as bytes" {
	for type in bool u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64 u4 \
	    s4 u12 s12; do
		run -0 tensors "--in=$type:8" sound
		[[ ${lines[0]} == *" input0 $type [8]"* ]]
	done
	run -0 tensors --in=0x63:10:2:3 sound
	[ "${lines[0]}" = \
"tensor kind=0 id=0 size=10 input0 0x63 [?] scale=2 zero_point=3" ]
}

@test "tensors are sorted by their ids, in whichever order the file has them" {
	want='tokens image mask embedding score '
	for how in several reversed one-section two-lists; do
		names=$(tensors "sound-$how" | cut -d ' ' -f 5 | tr '\n' ' ')
		[ "$names" = "$want" ]
	done
}

@test "wrong ids are placed as library 2.0.2 places them" {
	# The sizes of the inputs (which are 308, 300 and 10 bytes, with these
	# ids), as the vendor's library reported them for the same files.
	while read -r ids sizes; do
		got=$(tensors "sound-ids-$ids" | grep kind=0 |
		    sed 's/.* size=\([0-9]*\) .*/\1/' | tr '\n' ' ')
		[ "$got" = "$sizes " ] || {
			echo "$ids: $got"
			return 1
		}
	done <<-'END'
	210 10 300 308
	120 10 308 300
	321 308 300 10
	007 300 300 10
	100 10 308 10
	110 10 308 10
	END
}

@test "tensors of all kinds are listed by kind, except intermediates" {
	# Made in this order: segmmu, out shape, dump 1, dump 0, profile,
	# intermediate, layer counter, error code, printf, unknown; with 16, 17,
	# ... bytes.
	[ "$(tensors sound-kinds |
	    sed 's/^tensor kind=\(.*\) id=.* size=\([0-9]*\) .*/\1:\2/' |
	    tr '\n' ' ')" = \
	    "0:64 1:64 2:19 2:18 10:20 12:24 13:22 14:23 16:17 255:16 " ]
}

@test "names and shapes are used only if they agree with the sizes" {
	run -0 tensors --in=s8:4x16 sound
	[[ ${lines[0]} == *" input0 s8 [4,16] "* ]]
	# Without a table, the lists of names still give the number of tensors.
	run -0 tensors --in=s8:4x16 sound-table-empty
	[[ ${lines[0]} == *" input0 s8 [64] "* ]]
	# A table about another model: even its names are not used.
	for how in contradicts smaller; do
		run -0 tensors "sound-table-$how"
		[[ ${lines[0]} == *" - s8 [64] scale=1 zero_point=0" ]]
	done
}

@test "control characters in a name do not reach the terminal" {
	run -0 tensors sound-names
	[[ ${lines[0]} == *$' caf\xc3\xa9 ?[31mred ? ? s8 '* ]]
	run -0 cixcheck t.cix
	[[ ${lines[0]} == $'model caf\xc3\xa9 ?[31mred ? ? 1.0.0 '* ]]
}

@test "every subgraph is described, the NPU's with its tensors" {
	mkcix sound-two-subgraphs >m.cix
	[ "$(cixcheck m.cix | grep -c '^graph .* npu=1 target=X2_1204 ')" = 2 ]
	[ "$(cixcheck m.cix | grep -c '^tensor ')" = 4 ]
	mkcix sound-second-for-cpu >m.cix
	[ "$(cixcheck m.cix | grep '^graph more')" = \
	    "graph more backend=0 npu=0" ]
}

@test "any target is described, even if it would not fit" {
	while read -r isa config target; do
		mkcix "--isa=$isa" "--config=$config" sound >m.cix
		cixcheck m.cix >said
		grep -q " target=$target " said || {
			cat said
			return 1
		}
	done <<-'END'
	5 1204 X2_1204
	5 7 X2_0007
	1 904 Z1_0904
	2 1104 Z2_1104
	3 1204 Z3_1204
	4 1304 X1_1304
	15 1204 emulator
	0 1 isa0_0001
	7 65535 isa7_65535
	END
}

@test "builder, build number and dynamic shapes are reported" {
	mkcix sound-builder >m.cix
	run -0 cixcheck m.cix
	[ "${lines[0]}" = \
	    "model synthetic 1.0.0 builder=built by AIPUBuilder version: 6.1.3407" ]
	mkcix sound-build >m.cix
	cixcheck m.cix | grep ' build=6\.1\.3407 '
	mkcix sound-dynamic >m.cix
	cixcheck m.cix | grep ' dynamic=1 '
}

@test "cixcheck reports sizes, and the memory that 2.0.2 asks the driver for" {
	# Traced on a simulated device.  Once: 16 bytes of code and 16 of
	# weights.  For each job: 32 bytes of rodata, 64 of desc, two pages of
	# buffers, and four times a page of stack and a page of private data.
	mkcix sound-weight >m.cix
	run -0 cixcheck m.cix
	[[ ${lines[1]} == *" text=16 rodata=32 desc=0 weight=16 stack=4096\
 reuse=8192 private=4096 load=32 job=$((32 + 8192 + 4 * 8192)) "* ]]
	mkcix sound-desc >m.cix
	cixcheck m.cix | grep " load=16 job=$((32 + 64 + 5 * 8192)) "
}

@test "a graph ELF can be read without its container" {
	mkcix --elf --in=s8:4x16 sound >g.elf
	run -0 cixcheck -g g.elf
	[[ ${lines[0]} == *" npu=1 target=X2_1204 "* ]]
	[[ ${lines[1]} == "tensor kind=0 id=0 size=64 - s8 [64] "* ]]
	mkcix sound >g.elf
	run -1 cixcheck -g g.elf
	[[ $output == "not-npu: "* ]]
	mkcix --elf no-text >g.elf
	run -1 cixcheck -g g.elf
	[[ $output == "no-text: "* ]]
}

# foreign: prints a container with another layout than our writer's: vtables
# come after their tables, fields are in another order, some are absent, and the
# graph is at an odd address.  "@x" is the distance to x, "~x" the distance from
# vtable x.
foreign() {
	mkcix --elf sound >g.elf
	perl -e '
	    my $elf = do { local (@ARGV, $/) = "g.elf"; <> };
	    my @chunks = (
		head => ["\@root"], junk => [0, 0],
		root => ["~v1", "\@empty", "\@list", "\@text", "\@version",
		    "\@empty", "\@empty"],
		version => ["~v2", 7],
		list => [1, "\@sub"],
		sub => ["~v3", "\@blob", "\@text", "\@empty", "\@empty"],
		empty => [0],
		text => [3, \"abc\0"], odd => [\"x"],
		blob => [length $elf, \$elf],
		v1 => [\pack("v8", 16, 28, 16, 12, 8, 20, 4, 24)],
		v2 => [\pack("v3", 6, 8, 4)],
		v3 => [\pack("v6", 12, 20, 8, 4, 12, 16)]);
	    my (%at, $out);
	    for my $pass (1, 2) {
		$out = "";
		for (my $i = 0; $i < @chunks; $i += 2) {
		    $at{$chunks[$i]} = length $out;
		    for (@{$chunks[$i + 1]}) {
			my $here = length $out;
			$out .= ref ? $$_ :
			    /^@(.*)/ ? pack("V", ($at{$1} // 0) - $here) :
			    /^~(.*)/ ? pack("l<", $here - ($at{$1} // 0)) :
			    pack("V", $_);
		    }
		}
	    }
	    print $out;
	'
}

@test "a container with another layout is read in the same way" {
	foreign >m.cix
	run -0 cixcheck m.cix
	[ "${lines[0]}" = "model abc 7.-1.-1 draft builder=" ]
	[[ ${lines[1]} == "graph abc backend=0 npu=1 target=X2_1204 "* ]]
	[ "${lines[2]}" = \
	    "tensor kind=0 id=0 size=64 - s8 [64] scale=1 zero_point=0" ]
	[ "${#lines[@]}" -eq 4 ]
}

# bats test_tags=native
@test "the time grows with the size of the file, not with its claims" {
	# 200 MB in the graph; then 4 million list entries that lead to the same
	# name.
	truncate -s 200M big
	mkcix --twin=big sound >m.cix
	run -0 bash -c 'ulimit -t 10; exec cixcheck m.cix'
	foreign | perl -0777 -ne '
	    my $n = 4_000_000;
	    # The list of inputs, after the end: each leads to one name.
	    my $at = (length $_) + 3 & ~3;
	    $_ .= "\0" x ($at - length $_);
	    my $name = $at + 4 + 4 * $n;
	    $_ .= pack("V", $n);
	    $_ .= pack("V*", map { $name - ($at + 4 + 4 * $_) } 0 .. $n - 1);
	    $_ .= pack("V", 1) . "a\0\0\0";
	    substr($_, 12 + 4, 4) = pack("V", $at - 16);	# root.inputs
	    print' >m.cix
	run -0 bash -c 'ulimit -t 10; exec cixcheck m.cix'
	[[ ${lines[0]} == "model abc "* ]]
}

# bats test_tags=native
@test "names that overlap in the file need no more time than the file" {
	foreign | perl -0777 -ne '
	    my ($n, $long) = (60_000, 8_000_000);
	    # The tensor table, after the end: each entry is the same tensor,
	    # whose name is most of the file.
	    my $at = (length $_) + 3 & ~3;
	    $_ .= "\0" x ($at - length $_);
	    my $table = $at + 4 + 4 * $n + 8;
	    $_ .= pack("V", $n);
	    $_ .= pack("V*", map { $table - ($at + 4 + 4 * $_) } 0 .. $n - 1);
	    $_ .= pack("v4", 6, 8, 4, 0) . pack("l<V", 8, 4);
	    $_ .= pack("V", $long) . "a" x $long . "\0";
	    substr($_, 12 + 20, 4) = pack("V", $at - 32);	# root.tensors
	    print' >m.cix
	run -0 bash -c 'ulimit -t 10; exec cixcheck m.cix'
	[[ ${lines[0]} == "model abc "* ]]
}
