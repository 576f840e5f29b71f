# SPDX-License-Identifier: Apache-2.0
# bats file_tags=native

load ../support/helper

# npu-kmd is not built; it runs from the tree.
setup() {
	PATH=$PATH:$TOP/driver
}

@test "every program has a manual page and tests" {
	for c in "$B"/bin/*; do
		c=$(basename "$c")
		[ -f "$TOP/man/$c.1" ] || { echo "no man/$c.1"; false; }
		[ -f "$TOP/tests/cmd/$c.bats" ] ||
			{ echo "no tests/cmd/$c.bats"; false; }
	done
}

@test "mandoc finds nothing wrong with any page" {
	mandoc -T lint -W warning "$TOP"/man/*.[1-9]
}

# mdoc treats a lone "."  as punctuation and removes the blank before it, so the
# command would be printed wrongly.  In a line with .Ar this is intended.
@test "in commands, mdoc does not remove the blank before a full stop" {
	for p in "$TOP"/man/*.[1-9]; do
		awk '/^\.(Dl|D1) [^"]/ && !/ Ar /' "$p" |
		    { grep -E ' [][().,:;?!]( |$)' || [ $? -eq 1 ]; } |
		    sed "s,^,${p##*/}: ,"
	done >bad
	cat bad
	[ ! -s bad ]
}

@test "strings in examples contain no TAB, which copying a page loses" {
	grep -nP "\"[^\"]*\t[^\"]*\"|'[^']*\t[^']*'" "$TOP"/man/*.[1-9] >bad ||
	    [ $? -eq 1 ]
	cat bad
	[ ! -s bad ]
}

@test "every page has EXIT STATUS and EXAMPLES" {
	for s in 'EXIT STATUS' EXAMPLES; do
		grep -Lx "\.Sh $s" "$TOP"/man/*.[1-9] || [ $? -eq 1 ]
	done >bad
	cat bad
	[ ! -s bad ]
}

# Readers expect each section under its usual name and in its usual place.
@test "the sections of each page are in the usual order" {
	usual='NAME,LIBRARY,SYNOPSIS,DESCRIPTION,OPTIONS,RETURN VALUES,'
	usual+='ENVIRONMENT,FILES,EXIT STATUS,EXAMPLES,DIAGNOSTICS,'
	usual+='TROUBLESHOOTING,SEE ALSO,HISTORY,CAVEATS'
	awk -v usual="$usual" '
	    function bad(what) { print page ": " what }
	    function end() {
		if (page == "")
			return
		if (!("SEE ALSO" in here))
			bad("no SEE ALSO")
		if (page ~ /[18]$/ && !("SYNOPSIS" in here))
			bad("no SYNOPSIS")
	    }
	    BEGIN {
		n = split(usual, name, ",")
		for (i = 1; i <= n; i++)
			place[name[i]] = i
	    }
	    FNR == 1 { end(); page = FILENAME; last = 0; split("", here) }
	    sub(/^\.Sh /, "") {
		if (last == 0 && $0 != "NAME")
			bad("begins with " $0)
		here[$0]
		if (place[$0] != "" && place[$0] <= last)
			bad($0 " is too late")
		last = place[$0] != "" ? place[$0] : last
	    }
	    END { end() }' "$TOP"/man/*.[1-9] >bad
	cat bad
	[ ! -s bad ]
}

@test "each page that is referred to is ours or in Debian" {
	for p in 'abort 3' 'bash 1' 'df 1' 'ffmpeg 1' 'file 1' 'find 1' \
	    'fish 1' 'flock 2' 'fork 2' 'free 1' 'gzip 1' 'iasl 1' \
	    'initramfs-tools 7' 'insmod 8' 'jq 1' 'make 1' 'modprobe 8' \
	    'modprobe.d 5' 'systemd-sysusers 8' 'top 1' 'update-initramfs 8' 'uptime 1' \
	    'sha256sum 1' 'vmstat 8' 'xz 1' 'zsh 1' 'zstd 1'; do
		echo "$p"
	done >debian
	for p in "$TOP"/man/*.[1-9]; do
		sed -nE 's/^(\.It )?\.?Xr ([^ ]+) ([0-9]).*/\2 \3/p' "$p" |
		    sort -u | { grep -vxFf debian || [ $? -eq 1 ]; } |
		    while read -r name number; do
			[ -f "$TOP/man/$name.$number" ] ||
				echo "${p##*/}: no $name($number)"
		done
	done >bad
	cat bad
	[ ! -s bad ]
}

@test "pages of programs with -L describe NPU_DEVICE and similar variables" {
	n=0
	for p in "$TOP"/man/*.1; do
		grep -qE '^\.It Fl L ' "$p" || continue
		n=$((n + 1))
		for v in NPU_DEVICE NPU_LIBRARY NPU_MODEL_PATH; do
			grep -qE "^\.It Ev (.* )?$v( |\$)" "$p" ||
				{ echo "$p: no $v"; false; }
		done
	done
	[ "$n" -ge 5 ]
}

# bats test_tags=slow
@test "every option in a program's --help is in its page" {
	for p in "$TOP"/man/*.[18]; do
		c=$(basename "${p%.*}")
		# mdoc writes --name as: Fl n , -name
		sed 's/\\-/-/g' "$p" >page
		# The examples may also show other programs.
		"$c" --help | sed '/^Examples:/,/^$/d' |
		    grep -oE -- '--[a-z][a-z0-9-]+' | sort -u |
		    while read -r o; do
			grep -qE -- "^\.It Fl (.* )?-${o#--}( |$)" page ||
				echo "$c: $o is not in its page"
		done
	done >bad
	cat bad
	[ ! -s bad ]
}

# bats test_tags=slow
@test "every option in a page is an option of its program" {
	for p in "$TOP"/man/*.[18]; do
		c=$(basename "${p%.*}")
		grep '^\.It Fl ' "$p" | grep -oE -- ' -[a-z][a-z0-9-]+' |
		    while read -r o; do
			# The program accepts --name=, or refuses it with a
			# message that is not "unknown option".
			said=$("$c" "-$o=" --help </dev/null 2>&1) ||
				[ $? -le 2 ]
			[[ $said != *'unknown option'* ]] ||
				echo "$c: -$o is in its page alone"
		done
	done >bad
	cat bad
	[ ! -s bad ]
}

# "--tol: as in npu-dequant(1)" means that the other page has this option.
@test "if a page says "as in" another page, that page has the option" {
	for p in "$TOP"/man/*.[18]; do
		awk '/^\.(Sh|Ss) / { name = "" }
		    /^\.It Fl .*-[a-z]/ { match($0, / -[a-z][a-z-]+/)
			name = substr($0, RSTART + 1, RLENGTH - 1) }
		    as_in && /^\.Xr / && name != "" { print name, $2, $3 }
		    { as_in = /^as in$/ }' "$p"
	done >told
	grep -q '^-tol ' told
	while read -r name page section; do
		grep -qE -- "^\.It Fl (.* )?$name( |\$)" \
		    "$TOP/man/$page.$section" ||
			{ echo "$page($section): no -$name"; false; }
	done <told
}

@test "libnpu(3) shows every function of npu.h" {
	sed 's,/\*.*\*/,,' "$TOP/lib/npu.h" |
	    grep -oE '^[a-z].*[ *]npu_[a-z0-9_]+\(' |
	    grep -oE 'npu_[a-z0-9_]+\($' | tr -d '(' | sort >declared
	sed -n 's/^\.Fn \(npu_[a-z0-9_]*\) ".*/\1/p' "$TOP/man/libnpu.3" |
	    sort >shown
	[ -s declared ]
	diff declared shown
}

@test "the programs in libnpu(3) compile and run" {
	awk -v dir=. -v name=page -f "$TOP/tests/support/examples.awk" \
	    "$TOP/man/libnpu.3"
	sh -e page.1.sh
	sh -e page.2.sh
	sh -e page.3.sh
	"${CC:-cc}" -Wall -Wextra -Werror -I "$TOP/lib" zeros.c \
	    -o zeros "$B/lib/libnpu.a" -lz -lmd -lm -ldl -lpthread
	NPU_LIBRARY=$B/lib/npu-utils/libnoe-emu.so \
	    ./zeros "$B/share/npu-utils/models/clip_txt.cix"
	run -1 ./zeros none.cix
	[ "$output" = "none.cix: No such file or directory in the working \
directory, and no other is searched" ]
	"${CC:-cc}" -Wall -Wextra -Werror -I "$TOP/lib" stream.c \
	    -o stream "$B/lib/libnpu.a" -lz -lmd -lm -ldl -lpthread
	head -c 1540 /dev/zero >five
	NPU_LIBRARY=$B/lib/npu-utils/libnoe-emu.so \
	    ./stream "$B/share/npu-utils/models/clip_txt.cix" <five >got
	npu-run -q -d emu -r clip_txt.cix five >want
	cmp got want
	"${CC:-cc}" -Wall -Wextra -Werror -I "$TOP/lib" ids.c \
	    -o ids "$B/lib/libnpu.a" -lz -lmd -lm -ldl -lpthread
	./ids 'A  Cat' >got
	[ "$(head -n 5 got | tr '\n' ' ')" = \
	    "49406 320 2368 49407 0 " ]
}
