# SPDX-License-Identifier: Apache-2.0
# A document that a comment cites must be in docs/, and must contain what is
# cited.  Other documents must not be named, in particular not by a message.
# docs/architecture.md lists the forms of a citation.
# bats file_tags=native

load ../support/helper

# Writes three files to the folder of the run.  "all" has the files of the tree.
# "others" has all files except this one, which contains the patterns itself.
# "cited" has a line "KIND FILE WHAT" for each citation; WHAT is a number or a
# heading.
setup_file() {
	cd "$TOP" || return
	# A checkout without git (from a tarball) contains the same files.
	if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		git ls-files -co --exclude-standard
	else
		find . -type f -not -path './build/*' | sed 's,^\./,,'
	fi | grep -vE '\.(cix|onnx|npy|png)$' | while read -r f; do
		[ ! -f "$f" ] || echo "$f"
	done >"$BATS_FILE_TMPDIR/all"
	grep -vx 'tests/project/citations.bats' "$BATS_FILE_TMPDIR/all" \
	    >"$BATS_FILE_TMPDIR/others"
	# Lines are joined, because a citation may begin in one line and end in
	# the next.
	perl -e '
	my $kinds = qr{noe-abi|kernel-driver|\brules?|\(architecture};
	my $number = qr{\d+(?:\.\d+)*};
	local $/;
	for my $f (split /\n/, <STDIN>) {
		open my $h, "<", $f or die "$f: $!";
		local $_ = <$h>;
		next if !/$kinds|\(design/;
		s{[ \t]*\n[ \t]*(?:\*(?!/)|#+|//|\.\\")?[ \t]*}{ }g;
		while (/($kinds) ((?:$number(?:, (?:and )?| and | to )?)+)/g) {
			my ($kind, $all) = ($1, $2);
			$kind =~ s/s$//;
			print "$kind $f $_\n" for $all =~ /$number/g;
		}
		print "architecture $f $1\n" while /\(architecture, ([^)]*)\)/g;
		print "odd $f $1\n"
		    while /((?:noe-abi|kernel-driver)(?!\ \d|\.md).{0,20}
			|\(architecture(?!,\ ).{0,20}|\(design\b.{0,20})/gx;
	}' <"$BATS_FILE_TMPDIR/others" >"$BATS_FILE_TMPDIR/cited"
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

# resolved KIND DOCUMENT PATTERN LEAST: fails unless each citation of KIND
# equals the first group of PATTERN in a heading of DOCUMENT, and unless at
# least LEAST citations were found.
resolved() {
	sed -nE "s/^#+ $3\$/\1/p" "$TOP/docs/$2.md" >headings
	sed -n "s/^$1 //p" cited >these
	[ "$(wc -l <these)" -ge "$4" ]
	awk 'NR == FNR { has[$0]; next }
	    { what = $0; sub(/^[^ ]* /, "", what) }
	    !(what in has)' headings these >missing
	cat missing
	[ ! -s missing ]
}

@test "each citation about the vendor's library is in docs/noe-abi.md" {
	resolved noe-abi noe-abi '([0-9]+(\.[0-9]+)?)\.? .*' 120
}

@test "each citation about the kernel driver is in docs/kernel-driver.md" {
	resolved kernel-driver kernel-driver '([0-9]+(\.[0-9]+)?)\.? .*' 25
}

@test "each rule that is cited or in a test's name is in docs/rules.md" {
	sed -nE 's/^@test ".* \(([0-9, ]+)\)" \{$/\1/p' \
	    "$TOP/tests/cmd/all-rules.bats" | tr -s ', ' '\n' |
	    sed 's/^/rule all-rules.bats /' >>cited
	resolved rule rules 'Rule ([0-9]+): .*' 20
}

@test "each heading that is cited is in docs/architecture.md" {
	resolved architecture architecture '(.*)' 9
}

@test "each citation has a known form" {
	run -1 grep '^odd ' cited
}

@test "each link in a document leads to an existing file" {
	cd "$TOP"
	grep '\.md$' "$BATS_FILE_TMPDIR/all" | while read -r f; do
		{ grep -oE '\]\([^):#]+' "$f" || [ $? -eq 1 ]; } |
		    sed 's/^](//' | while read -r to; do
			[ -e "${f%"${f##*/}"}$to" ] || echo "$f: $to"
		done
	done >"$BATS_TEST_TMPDIR/bad"
	cat "$BATS_TEST_TMPDIR/bad"
	[ ! -s "$BATS_TEST_TMPDIR/bad" ]
}

@test "files outside the repository are not named, except the test data" {
	names='(ecosystem|engine-and-data|perf|cli|design|findings|house|models'
	names+='|aesthetics|style-examples)\.md'
	names+='|(^|[^-])driver\.md|engine-and-data|fakenpu([^.]|$)'
	names+='|(^|[^a-z])shared/'
	cd "$TOP"
	tr '\n' '\0' <"$BATS_FILE_TMPDIR/others" |
	    { xargs -0 grep -nE "$names" || [ $? -eq 123 ]; } >"$BATS_TEST_TMPDIR/all"
	grep -v ':: "\${NPU_TEST_DATA:=\$[A-Z]*/\.\./shared/data}"$' \
	    "$BATS_TEST_TMPDIR/all" >"$BATS_TEST_TMPDIR/bad" || [ $? -eq 1 ]
	cat "$BATS_TEST_TMPDIR/bad"
	[ ! -s "$BATS_TEST_TMPDIR/bad" ]
}

@test "installed pages and messages cite only what is installed" {
	cites='noe-abi|kernel-driver|\(rules? [0-9]|\(architecture,|docs/'
	bad=$BATS_TEST_TMPDIR/bad
	cd "$TOP"
	grep -E '^(man/.*\.[1-9]|lib/npu\.h)$' "$BATS_FILE_TMPDIR/all" |
	    tr '\n' '\0' | { xargs -0 grep -nE "$cites" || [ $? -eq 123 ]; } >"$bad"
	# Only the strings of C files.
	grep -E '^(lib|cmd|models)/.*\.[ch]$' "$BATS_FILE_TMPDIR/all" | perl -e '
	my $cites = qr{$ARGV[0]};
	local $/;
	for my $f (split /\n/, <STDIN>) {
		open my $h, "<", $f or die "$f: $!";
		my $text = <$h>;
		next if $text !~ $cites;
		while ($text =~ m{/\*.*?\*/|//[^\n]*|\x27(?:\\.|[^\x27\\])+\x27
		    |("(?:\\.|[^"\\])*")}gsx) {
			print "$f: $1\n" if defined $1 && $1 =~ $cites;
		}
	}' "$cites" >>"$bad"
	# All parts of npu-kmd, except comments.
	grep -E '^driver/' "$BATS_FILE_TMPDIR/all" | tr '\n' '\0' |
	    { xargs -0 grep -nE "$cites" || [ $? -eq 123 ]; } |
	    sed -E '/^[^:]*:[0-9]*:[[:blank:]]*#/d' >>"$bad"
	cat "$bad"
	[ ! -s "$bad" ]
}

@test "the READMEs of cmd/, lib/ and tests/ have at most 30 lines" {
	for f in cmd lib tests; do
		[ "$(wc -l <"$TOP/$f/README.md")" -le 30 ]
	done
}

@test "a wrapped line of a document does not begin like the item of a list" {
	cd "$TOP"
	grep '\.md$' "$BATS_FILE_TMPDIR/all" | tr '\n' '\0' | xargs -0 awk '
	FNR == 1 { before = ""; code = 0 }
	/^```/ { code = !code }
	!code && /^([0-9]+[.)]|[-+*]) / && before !~ /^($|[ #]|[-+*] |[0-9]+[.)] )/ {
		print FILENAME ": " FNR ": " $0
	}
	{ before = $0 }' >"$BATS_TEST_TMPDIR/bad"
	cat "$BATS_TEST_TMPDIR/bad"
	[ ! -s "$BATS_TEST_TMPDIR/bad" ]
}
