# SPDX-License-Identifier: Apache-2.0
# What debian/ promises, read from its files; `make deb-check` tests the
# packages.
# bats file_tags=native,slow

load ../support/helper

setup() {
	for f in debian LICENSES NOTICE CHANGELOG.md lib; do
		ln -s "$TOP/$f" .
	done
	SPDX=LICENSES/third-party.spdx.json
}

# words FILE: prints its words, one in each line.  Line breaks and margins are
# ignored, and so is the full stop that stands for an empty line in
# debian/copyright.
words() {
	tr -s '[:space:]' '\n' <"$1" | grep -vx '\.'
}

# has FILE TEXT-FILE: fails unless FILE contains all words of TEXT-FILE in the
# same order.
has() {
	local text
	text=$(words "$2" | tr '\n' ' ') && [ -n "$text" ] &&
	    words "$1" | tr '\n' ' ' | grep -qF -- "$text"
}

# lists: prints a line "PACKAGE PATTERN" for each pattern in the lists of the
# packages.
lists() {
	for f in debian/*.install; do
		sed "s/#.*//; /^\$/d; s,^,$(basename "$f" .install) ," "$f"
	done
}

@test "the version equals NPU_VERSION of npu.h, and is in CHANGELOG.md" {
	version=$(sed -n 's/^#define NPU_VERSION "\(.*\)"/\1/p' lib/npu.h)
	[ -n "$version" ]
	[ "$(sed -n '1s/^npu-utils (\(.*\)) .*/\1/p' debian/changelog)" = \
	    "$version" ]
	grep -q "^## ${version}[, ]" CHANGELOG.md
}

@test "the maintainer is the project" {
	who='npu-utils project <npu-utils@example.org>'
	grep -qx "Maintainer: $who" debian/control
	grep -q "^ -- $who  " debian/changelog
}

@test "every installed file is in the list of exactly one package" {
	make -s -C "$TOP" list-installed PREFIX=/usr LIBDIR=lib/any-linux-gnu |
	    sed 's,^,usr/,' >have
	make -s -C "$TOP/driver" list-installed PREFIX=/usr SYSCONFDIR=/usr/lib |
	    sed 's,^/,,' >>have
	[ "$(wc -l <have)" -gt 60 ]
	lists >patterns
	while read -r file; do
		n=0
		while read -r _ pattern _; do
			# shellcheck disable=SC2254 # a pattern
			case $file in $pattern) n=$((n + 1)) ;; esac
		done <patterns
		[ "$n" -eq 1 ] || echo "$file: in $n lists"
	done <have >bad
	cat bad
	[ ! -s bad ]
	# The lists do not name a missing file either.
	while read -r package pattern _; do
		while read -r file; do
			# shellcheck disable=SC2254
			case $file in $pattern) continue 2 ;; esac
		done <have
		echo "$package: $pattern: nothing"
	done <patterns >bad
	cat bad
	[ ! -s bad ]
}

@test "every list belongs to a package, and every package has a list" {
	sed -n 's/^Package: //p' debian/control | sort >packages
	lists | cut -d ' ' -f 1 | sort -u | diff packages -
	for f in debian/*.lintian-overrides debian/*.postinst \
	    debian/*.postrm debian/*.prerm debian/*.examples; do
		[ ! -e "$f" ] || grep -qx "$(basename "${f%.*}")" packages
	done
}

@test "every lintian override has a reason" {
	for f in debian/*.lintian-overrides; do
		[ -e "$f" ] || continue
		# The reason is a comment just above, besides the licence.
		awk -v f="$f" '
		    /SPDX/ { next }
		    /^#/ { reason += length; next }
		    /^$/ { reason = 0; next }
		    reason < 20 { print f ": " $0; bad = 1 }
		    END { exit bad }' "$f"
	done
}

@test "the text of every licence is in debian/copyright" {
	for f in LICENSES/*.txt; do
		case $f in
		# Debian installs these; debian/copyright gives their path.
		*/Apache-2.0.txt) grep -q common-licenses/Apache-2.0 \
		    debian/copyright ;;
		*/GPL-2.0-only.txt) grep -q common-licenses/GPL-2 \
		    debian/copyright ;;
		# The MIT permission text is the same for all; the holder is
		# named in the stanza.
		*/MIT-*) sed '1,/^Copyright/d' "$f" >text &&
			has debian/copyright text ;;
		*) has debian/copyright "$f" ;;
		esac || { echo "$f"; false; }
	done
	# All copyright holders in LICENSES are also named in debian/copyright.
	grep -hE '^Copyright \(c\)' LICENSES/*.txt |
	    sed 's/^Copyright (c) //; s/ All rights.*//; s/[.]$//' >holders
	[ "$(wc -l <holders)" -ge 3 ]
	while read -r who; do
		grep -qF -- "$who" debian/copyright ||
			{ echo "$who"; false; }
	done <holders
}

@test "each licence that a stanza names has its text, and vice versa" {
	awk '/^Files:/ { files = 1 }
	    /^$/ { files = 0 }
	    /^License:/ { print $2 > (files ? "named" : "told") }' \
	    debian/copyright
	sort -u named -o named
	sort told | diff named -
	[ "$(wc -l <named)" -ge 8 ]
}

@test "NOTICE's third parties are in debian/copyright and the SPDX document" {
	# An entry begins in the first column, after the part about our own
	# files.
	sed '1,/^of clip-tokenize/d; /^Facts restated/,$d' NOTICE |
	    grep '^[A-Z]' >entries
	[ "$(wc -l <entries)" -ge 4 ]
	while read -r entry; do
		jq -e --arg e "$entry" '.packages | any(.name == $e or
		    .name + " " + (.versionInfo // "") == $e)' "$SPDX" ||
			{ echo "$entry: not in $SPDX"; false; }
		grep -qF -- "${entry#The }" debian/copyright ||
			{ echo "$entry: not in debian/copyright"; false; }
	done <entries
	# Each entry has its licence in NOTICE.
	grep -c '^	licence' NOTICE | grep -qx "$(wc -l <entries)"
	# Restated data is a file or folder that a stanza names.
	sed '1,/^Facts restated/d' NOTICE | grep -oE '^	lib/[a-z_/.]+' |
	    tr -d '\t' | grep -vx lib/emu >restated
	[ "$(wc -l <restated)" -ge 3 ]
	while read -r file; do
		grep -q "^Files: .*$file" debian/copyright ||
			{ echo "$file"; false; }
	done <restated
}

@test "NOTICE, SPDX and debian/copyright list the same parts of ONNX Runtime" {
	jq -r '.packages[] | select(.SPDXID | startswith("SPDXRef-ort-")) |
	    .name + "|" + .licenseConcluded' "$SPDX" | sort >parts
	[ "$(wc -l <parts)" -ge 15 ]
	awk '/^Files: ort\// { ort = 1 }
	    /^$/ { ort = 0 }
	    ort && /^License:/ { licence = $2 }
	    ort && /^ / && comment { sub(/^ /, ""); sub(/[.]$/, "")
		sub(/;.*/, ""); print $0 "|" licence; ort = 0 }
	    { comment = /^Comment:/ }' debian/copyright | sort | diff parts -
	tr -s '[:space:]' ' ' <NOTICE >notice
	while IFS='|' read -r name licence; do
		grep -qF -- "$name ($licence)" notice ||
			{ echo "$name ($licence): not in NOTICE"; false; }
	done <parts
}

@test "the SPDX document is valid" {
	jq -e '.spdxVersion == "SPDX-2.3" and .dataLicense == "CC0-1.0" and
	    .SPDXID == "SPDXRef-DOCUMENT" and
	    (.documentNamespace | startswith("https://")) and
	    (.creationInfo.creators | length > 0)' "$SPDX"
	# Every package has the required fields and a unique SPDXID.
	jq -e '.packages | all(has("name") and has("downloadLocation") and
	    has("licenseConcluded") and has("licenseDeclared") and
	    has("copyrightText") and .filesAnalyzed == false and
	    (.SPDXID | test("^SPDXRef-[A-Za-z0-9.-]+$")))' "$SPDX"
	jq -e '[.packages[].SPDXID] | length == (unique | length)' "$SPDX"
	# Every package is contained in another, except the document's subject.
	jq -e '[.relationships[] | select(.relationshipType == "CONTAINS") |
	    .relatedSpdxElement] as $in | [.packages[].SPDXID] - $in ==
	    ["SPDXRef-npu-utils"]' "$SPDX"
	jq -e '([.packages[].SPDXID] + ["SPDXRef-DOCUMENT"]) as $all |
	    .relationships | all((.spdxElementId | IN($all[])) and
	    (.relatedSpdxElement | IN($all[])))' "$SPDX"
}

@test "if npu-kmd's postinst is killed, it still knows who made the group" {
	sed "s,/var/lib,$PWD/var,g" debian/npu-kmd.postinst >postinst
	grep -q "$PWD/var/npu-kmd" postinst
	run -1 grep /var/lib postinst
	mkdir bin
	printf '#!/bin/sh\n[ -e group ]\n' >bin/getent
	printf '#!/bin/sh\n%s\n' ': >group; kill -9 $PPID' >bin/addgroup
	chmod +x bin/*
	PATH=$PWD/bin:$PATH
	run -137 sh postinst configure
	[ -e group ]
	[ -e var/npu-kmd/made-group ]
	# A group that existed before, or that cannot be created, is not ours.
	rm -r var
	run -0 sh postinst configure
	[ ! -e var ]
	rm group
	printf '#!/bin/sh\nexit 3\n' >bin/addgroup
	run -3 sh postinst configure
	[ ! -e var/npu-kmd/made-group ]
	printf '#!/bin/sh\n: >group\n' >bin/addgroup
	run -0 sh postinst configure
	[ -e var/npu-kmd/made-group ]
}
