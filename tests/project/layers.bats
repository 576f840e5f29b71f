# SPDX-License-Identifier: Apache-2.0
# Which folder may include from which (architecture, Who may know what), read
# from the #include lines and from the symbols of the objects.
# bats file_tags=native

load ../support/helper

# includes: reads names of files from stdin; prints "FILE HEADER" for each of
# our headers that a file includes.
includes() {
	tr '\n' '\0' | xargs -0 -r grep -Hn '^# *include "' |
	    sed 's/^\([^:]*\):[0-9]*:# *include "\(.*\)".*/\1 \2/'
}

# allowed: prints "FROM TO" for each folder and each folder from which it may
# include, as listed in docs/architecture.md.
allowed() {
	sed -n '/^    \(lib\|cmd\)\/.* -> /{ s/,//g; p; }' docs/architecture.md | awk '{
	    for (i = 1; $i != "->"; i++)
		for (k = NF; $k != "->"; k--)
		    print $i, $k
	}' | LC_ALL=C sort
}

# used: prints the same lines from the source: within lib, cmd/common and
# npu-bench.
used() {
	find lib cmd -name '*.[ch]' >"$BATS_TEST_TMPDIR/sources"
	includes <"$BATS_TEST_TMPDIR/sources" | awk '
	    # The folder of a path; the variable "whole" is the part to which it
	    # belongs: lib, or a folder of cmd.
	    function folder(path,    n, part) {
		n = split(path, part, "/")
		if (part[1] == "lib") {
			whole = "lib"
			return n > 2 ? "lib/" part[2] : "lib"
		}
		whole = part[2]
		return "cmd/" part[2] (n > 3 ? "/" part[3] : "")
	    }
	    function found(path) { return path in source ? path : "" }
	    NR == FNR { source[$1]; next }
	    {
		own = $1
		sub("[^/]*$", "", own)
		(to = found(own $2)) || (to = found("lib/" $2)) ||
		    (to = found("cmd/common/" $2)) || to = found("cmd/" $2)
		from = folder($1)
		of = whole
		to = folder(to)
		if (of == whole && from != to && to != "lib" &&
		    from != "cmd/npu-bench")
			print from, to
	    }' "$BATS_TEST_TMPDIR/sources" - | LC_ALL=C sort -u
}

# objects FILE.c...: prints the objects in the build tree for these sources.
# The tree also keeps objects of deleted sources, which are not printed.
objects() {
	for f; do
		[ ! -e "$B/${f%.c}.o" ] || echo "$B/${f%.c}.o"
	done
}

# arrows OBJECT...: prints "USER USED SYMBOL" for each symbol that one object
# needs from another object of the same program, of lib or of the emulator.
# These are separate, because each may define a name that another also defines.
arrows() {
	nm -gA "$@" | sed "s,^$B/,,; s/\.o:/ /" |
	    awk '
	    function whole(file) {
		match(file, "^(cmd/[^/]*|lib/emu|lib|models)/")
		return substr(file, 1, RLENGTH)
	    }
	    NF == 4 && $3 ~ /[A-TV-Z]/ { from[whole($1), $4] = $1 }
	    NF == 3 && $2 == "U" { who[++m] = $1; what[m] = $3 }
	    END {
		for (i = 1; i <= m; i++) {
			used = from[whole(who[i]), what[i]]
			if (used != "" && used != who[i])
				print who[i], used, what[i]
		}
	    }' | sort -u
}

# circles OBJECT...: prints the objects that depend on each other in a circle,
# directly or through others.
circles() {
	local dir=$BATS_TEST_TMPDIR
	[ $# -gt 0 ]
	arrows "$@" >"$dir/arrows"
	[ $# -eq 1 ] || [ -s "$dir/arrows" ]
	cut -d ' ' -f 1,2 "$dir/arrows" >"$dir/pairs"
	# tsort exits with 1 if there is a circle.
	tsort "$dir/pairs" >"$dir/sorted" 2>"$dir/loops" || [ $? -eq 1 ]
	sed -n 's/^tsort: //p' "$dir/loops" | sed '/: input contains a loop:$/d' |
	    sort -u
}

# no_circle FILE.c...: fails if the objects of these sources depend on each
# other in a circle.
no_circle() {
	# shellcheck disable=SC2046 # names without blanks
	circles $(objects "$@") >"$BATS_TEST_TMPDIR/bad"
	cat "$BATS_TEST_TMPDIR/bad"
	[ ! -s "$BATS_TEST_TMPDIR/bad" ]
}

setup() {
	cd "$TOP" || return
}

@test "folders include exactly as docs/architecture.md allows" {
	allowed >"$BATS_TEST_TMPDIR/allowed"
	used >"$BATS_TEST_TMPDIR/used"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/used")" -gt 20 ]
	diff "$BATS_TEST_TMPDIR/allowed" "$BATS_TEST_TMPDIR/used"
}

@test "objects of lib, emulator or a program do not depend in a circle" {
	files=$(find lib cmd models -name '*.c')
	# shellcheck disable=SC2086 # names without blanks
	no_circle $files
}

@test "a circle of objects is detected" {
	B=$BATS_TEST_TMPDIR
	cd "$B"
	for t in 'a b' 'b c' 'c a' 'd a'; do
		# shellcheck disable=SC2086 # two words
		set -- $t
		printf 'int %s(void);\nint %s(void);\n' "$1" "$2" >"$1.c"
		printf 'int\n%s(void)\n{\n\treturn %s();\n}\n' "$1" "$2" \
		    >>"$1.c"
		"${CC:-cc}" -c -o "$1.o" "$1.c"
	done
	# shellcheck disable=SC2046
	circles $(objects a.c b.c c.c d.c) >found
	[ "$(cat found)" = $'a\nb\nc' ]
	# The test fails then.
	run -1 no_circle a.c b.c c.c d.c
}

@test "only a program itself includes headers from its folder in cmd" {
	bad=
	for d in cmd/*/; do
		name=${d#cmd/} name=${name%/}
		[ "$name" != common ] || continue
		bad+=$(find cmd -name '*.[ch]' -not -path "$d*" | includes |
		    { grep " $name/" || [ $? -eq 1 ]; })
	done
	echo "$bad"
	[ -z "$bad" ]
}

@test "each name of a struct has only one definition" {
	grep -rhoE '^(static )?(const )?struct [a-z0-9_]+ \{' lib cmd models \
	    --include='*.[ch]' | grep -oE 'struct [a-z0-9_]+' | sort |
	    uniq -d >"$BATS_TEST_TMPDIR/twice"
	cat "$BATS_TEST_TMPDIR/twice"
	[ ! -s "$BATS_TEST_TMPDIR/twice" ]
}

@test "files of lib do not include headers from outside lib" {
	run -1 grep -rnE '^# *include +"(\.\./|cmd)' lib
}

@test "programs include no headers of other programs or of the emulator" {
	run -1 grep -rnE '^# *include +"(emu/|\.\./)' cmd --include='*.[ch]'
	run -1 grep -rnE '^# *include +".*\.c"' cmd --include='*.[ch]'
}

@test "only lib/device and lib/emu use dlopen" {
	run -1 grep -rn '<dlfcn\.h>' cmd lib \
	    --include='*.[ch]' --exclude-dir=device --exclude-dir=emu
}

@test "only lib/device and lib/emu use the vendor's structs" {
	run -1 grep -rn '"noe_abi\.h"' cmd lib \
	    --include='*.[ch]' --exclude-dir=device --exclude-dir=emu
}

@test "only lib/base/cpu.h asks which instruction sets an x86-64 has" {
	run -1 grep -rnE '__builtin_cpu_|target_clones|<(cpuid|sys/platform/x86)\.h>' \
	    lib cmd --include='*.[ch]' --exclude=cpu.h
}

@test "amdxdna's calls are used only by device/xdna, emu/xdna and diagnose" {
	run -1 grep -rn '"xdna_abi\.h"' cmd lib --include='*.[ch]' \
	    --exclude-dir=xdna --exclude-dir=diagnose
}

@test "only lib/model and lib/emu use ELF" {
	run -1 grep -rn '<elf\.h>' cmd lib \
	    --include='*.[ch]' --exclude-dir=model --exclude-dir=emu
}

@test "only lib/image/jpeg and png use libjpeg, libpng and setjmp" {
	run -1 grep -rnE '<(jpeglib|jerror|turbojpeg|png|setjmp)\.h>' cmd lib \
	    --include='*.[ch]' --exclude='jpeg*.c' --exclude='png*.c'
}

@test "only lib/model/dpu_kernels.c uses libexpat" {
	run -1 grep -rn '<expat\.h>' cmd lib --exclude=dpu_kernels.c
	readelf -d "$B"/lib/libnpu.so.* >"$BATS_TEST_TMPDIR/needed"
	run -1 grep libexpat "$BATS_TEST_TMPDIR/needed"
}

# Read from the objects: a macro or a helper cannot hide a call.
@test "libnpu.a neither prints nor exits" {
	nm -u --print-file-name "$B/lib/libnpu.a" >"$BATS_TEST_TMPDIR/u"
	out='printf|vprintf|fprintf|vfprintf|dprintf|puts|putchar|perror|fputs|fputc|putc'
	out+='|stdout|stderr|__v?f?printf_chk'
	end='exit|_exit|abort|quick_exit|err|errx|warn|warnx'
	run -1 grep -E " U ($out|$end|__assert_fail)$" \
	    "$BATS_TEST_TMPDIR/u"
}

@test "libnpu.a defines only npu_ names, and all that npu.h declares" {
	nm -g --defined-only "$B/lib/libnpu.a" | awk 'NF == 3 { print $3 }' |
	    sort >"$BATS_TEST_TMPDIR/defined"
	run -1 grep -v '^npu_' "$BATS_TEST_TMPDIR/defined"
	sed 's,/\*.*\*/,,' lib/npu.h |
	    grep -oE '^[a-z].*[ *]npu_[a-z0-9_]+\(' |
	    grep -oE 'npu_[a-z0-9_]+\($' | tr -d '(' | sort \
	    >"$BATS_TEST_TMPDIR/declared"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/declared")" -gt 20 ]
	comm -23 "$BATS_TEST_TMPDIR/declared" "$BATS_TEST_TMPDIR/defined" \
	    >"$BATS_TEST_TMPDIR/missing"
	cat "$BATS_TEST_TMPDIR/missing"
	[ ! -s "$BATS_TEST_TMPDIR/missing" ]
}

@test "libnpu.a has no writable data" {
	# .data.rel.ro becomes read-only after relocation.
	readelf -SW "$B/lib/libnpu.a" | awk '
	    /^File: / { file = $2 }
	    { sub(/^ *\[ *[0-9]+\] /, "") }
	    $1 ~ /^\.(data|bss|tdata|tbss)/ && $1 !~ /^\.data\.rel\.ro/ &&
	    $5 !~ /^0+$/ { print file, $1, $5 }' >"$BATS_TEST_TMPDIR/writable"
	cat "$BATS_TEST_TMPDIR/writable"
	[ ! -s "$BATS_TEST_TMPDIR/writable" ]
}

@test "driver/ shares only the version with the other folders" {
	run -1 grep -rnE '^# *include +"(\.\./|npu|noe_abi|emu/)' driver
	# The version is read from npu.h.
	grep -rnE '(^|[ "]|\.\./)(lib|cmd)/[a-z]' driver --include='*.sh' \
	    --include='*.awk' --include=npu-kmd >"$BATS_TEST_TMPDIR/all"
	grep -v '/npu\.h"$' "$BATS_TEST_TMPDIR/all" >"$BATS_TEST_TMPDIR/bad" ||
	    [ $? -eq 1 ]
	cat "$BATS_TEST_TMPDIR/bad"
	[ ! -s "$BATS_TEST_TMPDIR/bad" ]
}
