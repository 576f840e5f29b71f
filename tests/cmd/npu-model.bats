# SPDX-License-Identifier: Apache-2.0

load ../support/helper

setup_file() {
	[ -x "$B/bin/npu-model" ] || skip "built without libcurl"
}

# table FIELD=VALUE...: makes a program, ./bin/npu-model, whose table has one
# model with these fields.
table() {
	local -A f=([name]=m [task]=t [hub]=modelscope:o/n@r [path]=a/m.cix
	    [size]=- [sha256]=- [release]=- [types]=- [roles]=-
	    [companions]=- [licence]=- [remarks]=-)
	for v; do
		f[${v%%=*}]=${v#*=}
	done
	own_table
	printf '%s\t' "${f[name]}" "${f[task]}" "${f[hub]}" "${f[path]}" \
	    "${f[size]}" "${f[sha256]}" "${f[release]}" "${f[types]}" \
	    "${f[roles]}" "${f[companions]}" "${f[licence]}" >row
	printf '%s\n' "${f[remarks]}" >>row
	cat row >share/npu-utils/models.tsv
}

# own_table: makes ./bin/npu-model, which reads ./share/npu-utils/models.tsv.
own_table() {
	mkdir -p bin share/npu-utils
	[ -x bin/npu-model ] || cp "$B/bin/npu-model" bin/
}

# refused MESSAGE: the table is refused with this message.
refused() {
	run --separate-stderr -1 bin/npu-model list
	[ "$output" = "" ]
	echo "$stderr"
	[ "$stderr" = "npu-model: $PWD/share/npu-utils/models.tsv: $1" ]
}

# ---- The table --------------------------------------------------------------

@test "the installed table can be read, and has the demonstrations' models" {
	npu-model list --json >all
	jq -e '.schema == "npu-model/1" and (.models | length) > 30' all
	jq -e '[.models[].name] | contains(["yolov8n", "clip_txt",
	    "clip_visual"])' all
	# Each model that is used together with another is in the table.
	jq -e '[.models[].name] as $n |
	    [.models[].companions[]] - $n == []' all
}

@test "list prints titles and the columns of a model" {
	table name=m2 task='object detection' size=12 release=25_Q3 \
	    sha256=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
	run --separate-stderr -0 bin/npu-model list
	[ "${#lines[@]}" -eq 2 ]
	[ "$(tr -s ' ' <<<"${lines[0]}")" = \
	    "NAME TASK RELEASE SIZE SHA256 FILE TYPES" ]
	[ "$(tr -s ' ' <<<"${lines[1]}")" = \
	    "m2 object detection 25_Q3 12 0123456789ab m.cix -" ]
	[ "$stderr" = "" ]
}

@test "list --json has each field, and null for unknown ones" {
	table roles=clip-text,detect companions=a,b path=a/b/
	bin/npu-model list --json >got
	[ "$(jq -c '.models[0]' got)" = '{"name":"m","task":"t",'\
'"hub":"modelscope:o/n@r","path":"a/b/","file":"b/","folder":true,'\
'"size_bytes":null,"sha256":null,"release":null,"types":null,'\
'"roles":["clip-text","detect"],"companions":["a","b"],"licence":null,'\
'"remarks":null}' ]
}

@test "list PATTERN is a part of name, task, file or release, or a pattern" {
	[ "$(npu-model list --json YOLOV8N | jq -r '.models[].name')" = yolov8n ]
	[ "$(npu-model list --json 'yolov8?' | jq -r '.models[].name' |
	    tr '\n' ' ')" = "yolov8n yolov8s " ]
	# A pattern must fit the whole text.
	[ "$(npu-model list --json '?olov8' | jq '.models | length')" -eq 0 ]
	[ "$(npu-model list --json pose | jq -r '.models[].name' |
	    tr '\n' ' ')" = "yolov8s-pose openpose " ]
	run -0 npu-model list nothing-fits
	[ "${#lines[@]}" -eq 1 ]
}

@test "list -o writes a file, and each write is checked" {
	npu-model list >want
	npu-model list -o got
	cmp want got
	run --separate-stderr -1 bash -c 'npu-model list >/dev/full'
	[ "$stderr" = "npu-model: write error: No space left on device" ]
}

# ---- Tables that are refused ------------------------------------------------

@test "a path that would leave the folder is refused with line and field" {
	for path in ../m.cix a/../../m.cix /etc/passwd a//m.cix / ./a a/. ..; do
		table path=$path
		refused "line 1: path: '$path' is not a path without '..', \
'//', a '/' in front, a backslash or a control character, of at most 1024 bytes"
	done
	table path='a\b.cix'
	run -1 bin/npu-model list
	table path="$(printf '%01025d' 0)"
	run -1 bin/npu-model list
	table path="$(printf 'a/%0201d' 0)"
	run -1 bin/npu-model list
	table path="a/$(printf '%0200d' 0)"
	run -0 bin/npu-model list
}

@test "a control character in a field is refused and not printed" {
	table path=$'a\e[2J.cix'
	refused "line 1: path: 'a?[2J.cix' is not text in UTF-8 without \
control characters"
	table task=$'\xff'
	run -1 bin/npu-model list
}

@test "a field with another form is refused with its form" {
	sum='64 hexadecimal digits in lower case, or '\''-'\'
	table sha256=abc
	refused "line 1: sha256: 'abc' is not $sum"
	table sha256="$(printf '%064d' 0 | tr 0 A)"
	run -1 bin/npu-model list
	for size in 0 -1 12x 0x10 99999999999999999999; do
		table size=$size
		refused "line 1: size: '$size' is not a number of bytes, \
or '-'"
	done
	for hub in x:o/n@r modelscope:o modelscope:o/n modelscope:o/n@ \
	    modelscope:o/../n@r modelscope:../n@r 'modelscope:o/n@r s'; do
		table hub="$hub"
		refused "line 1: hub: '$hub' is not \
modelscope:OWNER/NAME@REVISION or huggingface:OWNER/NAME@REVISION"
	done
	for name in .m -m a/b 'a b'; do
		table name="$name"
		run -1 bin/npu-model list
	done
	table name=-
	refused "line 1: name: '-' is not a value, which each model needs"
	table task=
	refused "line 1: task: '' is not a value; '-' is unknown"
	table roles=a,,b
	refused "line 1: roles: 'a,,b' is not words separated by ',', or '-'"
}

@test "lines with too few or too many fields are refused with their number" {
	own_table
	printf '# comment\n\nm\tt\n' >share/npu-utils/models.tsv
	refused "line 3: 2 fields, not 12; 'hub' is missing"
	table remarks=$'a\tb'
	refused "line 1: more than 12 fields"
	table remarks="$(printf '%04096d' 0)"
	refused "line 1: $(head -c -1 row | wc -c) bytes, \
more than 4096"
	table
	cat row >>share/npu-utils/models.tsv
	refused "line 2: name: 'm' is the name of an earlier line"
	table
	printf 'a\0b\n' >>share/npu-utils/models.tsv
	refused "line 2: a byte 0, at 1"
}

@test "a table of more than 10000 models, or 4 MiB, is refused" {
	table
	perl -e 'open F, "row"; $r = <F>; $r =~ s/^m//;
	    print "m$_$r" for 1 .. 10001' >share/npu-utils/models.tsv
	refused "line 10001: more than 10000 models"
	truncate -s $((4 << 20)) share/npu-utils/models.tsv
	run -1 bin/npu-model list
	truncate -s $(((4 << 20) + 1)) share/npu-utils/models.tsv
	run --separate-stderr -1 bin/npu-model list
	[[ $stderr == *"4194305 bytes"*"4194304"* ]]
}

@test "without the table, the message says what to do" {
	own_table
	rm -f share/npu-utils/models.tsv
	run --separate-stderr -1 bin/npu-model list
	[[ $stderr == "npu-model: share/npu-utils/models.tsv: not found beside \
the program nor below its PREFIX; "* ]] || [ -e /usr/local/share/npu-utils ]
	run --separate-stderr -1 bin/npu-model list --json
	[ "$(jq .error.status <<<"$output")" -eq 1 ]
}

# ---- The command line -------------------------------------------------------

@test "a wrong command gets the nearest, or the list" {
	run --separate-stderr -2 npu-model lst
	[ "${stderr_lines[0]}" = "npu-model: no command is called 'lst'; \
did you mean 'list'?" ]
	run --separate-stderr -2 npu-model nothing-alike
	[ "${stderr_lines[0]}" = "npu-model: no command is called \
'nothing-alike'; --help lists them" ]
	run --separate-stderr -2 npu-model
	[ "${stderr_lines[0]}" = "npu-model: no command given; --help lists \
them" ]
	run --separate-stderr -2 npu-model list a b
	[ "${stderr_lines[0]}" = "npu-model: use it as: npu-model list \
[PATTERN]" ]
}

@test "--completion: the first operand is a command" {
	for shell in bash zsh fish; do
		npu-model --completion=$shell | grep -qw list
	done
}
