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
	    "NAME HERE TASK RELEASE SIZE SHA256 FILE TYPES" ]
	[ "$(tr -s ' ' <<<"${lines[1]}")" = \
	    "m2 no object detection 25_Q3 12 0123456789ab m.cix -" ]
	[ "$stderr" = "" ]
}

@test "list --json has each field, and null for unknown ones" {
	table roles=clip-text,detect companions=a,b path=a/b/
	bin/npu-model list --json >got
	[ "$(jq -c '.models[0]' got)" = '{"name":"m","task":"t",'\
'"hub":"modelscope:o/n@r","path":"a/b/","file":"b/","folder":true,'\
'"size_bytes":null,"sha256":null,"release":null,"types":null,'\
'"roles":["clip-text","detect"],"companions":["a","b"],"licence":null,'\
'"remarks":null,"here":"no","here_path":null}' ]
}

@test "list -F csv and tsv have a row for each model" {
	run -0 --separate-stderr npu-model list -F csv
	[ "${lines[0]}" = \
	    name,here,task,release,size_bytes,sha256,file,types,hub,path ]
	npu-model list --json >all
	[ "${#lines[@]}" -eq $(($(jq '.models | length' all) + 1)) ]
	npu-model list -F csv | /usr/bin/python3 -c '
import csv, json, sys
rows = list(csv.DictReader(sys.stdin))
for row, m in zip(rows, json.load(open("all"))["models"]):
    for key, value in row.items():
        assert value == ("" if m[key] is None else str(m[key])), (key, row, m)'
	run -0 npu-model list -F tsv YOLOV8N
	[[ ${lines[0]} == yolov8n$'\t'*$'\t'*/* ]]
	[ "$(npu-model list -F json)" = "$(cat all)" ]
	run -2 --separate-stderr npu-model verify -F csv
	[ "${stderr_lines[0]}" = "npu-model: --format=csv is for list; verify \
writes text or json" ]
	run -2 npu-model list --json -F tsv
	run -2 npu-model path -F json yolov8n
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

# ---- Models that are here ----------------------------------------------------

# sum FILE: prints its sha256.
sum() {
	sha256sum <"$1" | cut -d ' ' -f 1
}

# record FILE: writes a record of ./models for ./models/FILE, as get
# does.
record() {
	jq -n --arg f "$1" --arg s "$(sum "models/$1")" \
	    --argjson n "$(stat -c %s "models/$1")" \
	    '{schema: "npu-model/1", files: [{file: $f, source: "https://h/m",
	      size_bytes: $n, sha256: $s, etag: null, date: "2026",
	      modified_ns: "TIME"}]}' |
	    sed "s/\"TIME\"/$(date -r "models/$1" +%s%N)/" \
		>models/.npu-model.json
}

# here_models: makes ./models the folder of models.
here_models() {
	mkdir -p models
	export NPU_MODEL_PATH=$PWD/models
}

pointer() {
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n' \
	    "$1" "$2"
}

# state NAME: prints the word of the column HERE.
state() {
	npu-model list "$1" | awk -v n="$1" '$1 == n { print $2 }'
}

@test "list says whether a model is here and unchanged since it was brought" {
	here_models
	[ "$(state yolov8n)" = no ]
	cp "$B/share/npu-utils/models/yolov8n.cix" models/
	[ "$(state yolov8n)" = unchecked ]
	record yolov8n.cix
	[ "$(state yolov8n)" = good ]
	npu-model list --json yolov8n |
	    jq -e --arg p "$PWD/models/yolov8n.cix" \
		'.models[0] | .here == "good" and .here_path == $p'
	touch -d 2020-01-01 models/yolov8n.cix
	[ "$(state yolov8n)" = changed ]
	record yolov8n.cix
	sed -i 's/"size_bytes": /&1/' models/.npu-model.json
	[ "$(state yolov8n)" = changed ]
	pointer "$(sum /dev/null)" 12 >models/yolov8n.cix
	[ "$(state yolov8n)" = pointer ]
	echo '<html>404</html>' >models/yolov8n.cix
	[ "$(state yolov8n)" = web-page ]
	: >models/yolov8n.cix
	[ "$(state yolov8n)" = empty ]
	# The user's own folder is the last one.
	rm models/yolov8n.cix
	mkdir -p "$XDG_DATA_HOME/npu-utils/models"
	cp "$B/share/npu-utils/models/yolov8n.cix" \
	    "$XDG_DATA_HOME/npu-utils/models"
	[ "$(state yolov8n)" = unchecked ]
}

@test "list: a folder is good if all files are that were brought into it" {
	here_models
	[ "$(state remote_clip)" = no ]
	mkdir models/onnx_RemoteCLIP
	[ "$(state remote_clip)" = unchecked ]
	echo a >models/onnx_RemoteCLIP/a
	record onnx_RemoteCLIP/a
	[ "$(state remote_clip)" = good ]
	[ "$(npu-model path remote_clip)" = "$PWD/models/onnx_RemoteCLIP/" ]
	# Another folder's files do not count.
	mkdir models/onnx_long_clip
	[ "$(state long_clip)" = unchecked ]
	echo b >>models/onnx_RemoteCLIP/a
	[ "$(state remote_clip)" = changed ]
	run --separate-stderr -1 npu-model rm --yes remote_clip
	record onnx_RemoteCLIP/a
	run --separate-stderr -0 npu-model rm --yes remote_clip
	[ "$output" = "$PWD/models/onnx_RemoteCLIP/a" ]
	[ ! -e models/onnx_RemoteCLIP ]
}

@test "a demonstration model does not count as here" {
	[ -e "$B/share/npu-utils/models/yolov8n.cix" ]
	[ "$(state yolov8n)" = no ]
}

@test "path prints where a model's file is" {
	here_models
	cp "$B/share/npu-utils/models/yolov8n.cix" models/
	for name in yolov8n yolov8n.cix; do
		run --separate-stderr -0 npu-model path $name
		[ "$output" = "$PWD/models/yolov8n.cix" ]
		[ "$stderr" = "" ]
	done
	run --separate-stderr -1 npu-model path yolov8s
	[ "$output" = "" ]
	[ "$stderr" = "npu-model: yolov8s: yolov8s.cix is not in $PWD/models, \
$XDG_DATA_HOME/npu-utils/models; npu-model get yolov8s brings it" ]
	echo >secret
	echo >$'models/a\nb'
	for name in ../secret $'a\nb' none.cix ''; do
		run --separate-stderr -1 npu-model path "$name"
		[ "$output" = "" ]
	done
	[[ $stderr == *"npu-model list shows the names" ]]
}

@test "rm removes only what was brought, and only with --yes" {
	here_models
	mkdir models/sub
	cp "$B/share/npu-utils/models/yolov8n.cix" models/
	echo words >models/mine.txt
	run --separate-stderr -1 npu-model rm --yes yolov8n
	[ "$output" = "" ]
	[[ $stderr == "npu-model: yolov8n: get did not bring \
$PWD/models/yolov8n.cix; "* ]]
	record yolov8n.cix
	run --separate-stderr -2 npu-model rm yolov8n
	[ "${stderr_lines[0]}" = "npu-model: $PWD/models/yolov8n.cix would be \
removed" ]
	[ -e models/yolov8n.cix ]
	run --separate-stderr -0 npu-model rm --yes yolov8n
	[ "$output" = "$PWD/models/yolov8n.cix" ]
	[ ! -e models/yolov8n.cix ]
	[ "$(jq '.files | length' models/.npu-model.json)" -eq 0 ]
	run --separate-stderr -1 npu-model rm --yes yolov8n
	[[ $stderr == "npu-model: yolov8n: get brought no such model; "* ]]
	[ "$(cat models/mine.txt)" = words ]
	# A file below the folder: its own folder goes as well.
	echo a >models/sub/a
	record sub/a
	run -0 npu-model rm --yes sub/a
	[ ! -e models/sub ]
}

@test "rm keeps a file that was changed since it was brought" {
	here_models
	echo one >models/m.txt
	record m.txt
	echo two >models/m.txt
	touch -d 2020-01-01 models/m.txt
	run --separate-stderr -1 npu-model rm --yes m.txt
	[[ $stderr == "npu-model: $PWD/models/m.txt: it was changed since get \
brought it; "* ]]
	[ "$(cat models/m.txt)" = two ]
	[ "$(jq '.files | length' models/.npu-model.json)" -eq 1 ]
}

@test "a record with a file outside of its folder is refused as a whole" {
	here_models
	echo one >models/m.txt
	echo keep >outside
	record m.txt
	sed -i 's,"m.txt","../outside",' models/.npu-model.json
	for c in 'rm --yes ../outside' 'rm --yes m.txt'; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -1 npu-model $c
		[ "${stderr_lines[0]}" = "npu-model: \
$PWD/models/.npu-model.json: file 1: file: the path has a part '..'; move it \
away to begin a new record" ]
	done
	[ "$(cat outside)" = keep ]
	[ -e models/m.txt ]
	run --separate-stderr -0 npu-model list yolov8n
	[[ $stderr == *"the path has a part '..'"* ]]
}

@test "prune removes parts, and nothing that only looks like one" {
	here_models
	mkdir -p models/sub other models/.d.part
	touch models/{.m.cix.part,.m.cix.part.json,.n.part.json,m.part,.part} \
	    models/sub/.s.part other/.o.part
	ln -s /etc/hostname models/.link.part
	run --separate-stderr -0 npu-model prune
	[ "$(sort <<<"$output")" = "$(printf '%s\n' "$PWD"/models/.{link,m.cix,n}.part \
	    "$PWD/models/sub/.s.part" | sort)" ]
	[ "$stderr" = "npu-model: removed 4 parts, 13 bytes" ]
	[ "$(cd models && find . -mindepth 1 | sort | tr '\n' ' ')" = \
	    "./.d.part ./.part ./m.part ./sub " ]
	[ -e /etc/hostname ]
	run --separate-stderr -0 npu-model prune -q other
	[ ! -e other/.o.part ]
	run --separate-stderr -1 npu-model prune nowhere
	[[ $stderr == "npu-model: nowhere: No such file or directory"* ]]
}

@test "prune leaves a part that a fetch works on" {
	here_models
	echo begun >models/.m.cix.part
	echo {} >models/.m.cix.part.json
	exec 8<models/.m.cix.part
	flock 8
	run --separate-stderr -0 npu-model prune
	[ "$output" = "" ]
	[ "${stderr_lines[0]}" = "npu-model: $PWD/models/.m.cix.part: a fetch \
works on it; it stays" ]
	[ -e models/.m.cix.part.json ]
	flock -u 8
	npu-model prune
	[ ! -e models/.m.cix.part ]
	[ ! -e models/.m.cix.part.json ]
}

# ---- verify -------------------------------------------------------------------

@test "verify compares a file with each sum that is known" {
	here_models
	cp "$B/share/npu-utils/models/clip_txt.cix" models/a.cix
	s=$(sum models/a.cix) n=$(stat -c %s models/a.cix)
	run --separate-stderr -4 npu-model verify models/a.cix
	[ "$output" = "unchecked  models/a.cix: no sum is known: sha256 $s" ]
	record a.cix
	run --separate-stderr -0 npu-model verify models/a.cix
	[ "$output" = "good       models/a.cix: as in models/.npu-model.json" ]
	(cd models && run -0 npu-model verify a.cix)
	rm models/.npu-model.json
	(cd models && sha256sum a.cix >a.cix.sha256)
	run -0 npu-model verify models/a.cix
	[ "$output" = "good       models/a.cix: as in models/a.cix.sha256" ]
	rm models/a.cix.sha256
	pointer "$s" "$n" >models/a.cix.pointer
	run -0 npu-model verify models/a.cix
	[ "$output" = "good       models/a.cix: as in models/a.cix.pointer" ]
	# sha256sum escapes the name of this file, and says it before the sum.
	echo x >'models/a\b.txt'
	(cd models && sha256sum 'a\b.txt' >'a\b.txt.sha256')
	run -0 npu-model verify 'models/a\b.txt'
	rm models/a?b.txt*
	# One wrong sum among right ones is a wrong file.
	printf '%064d' 0 >models/a.cix.sha256
	run -4 npu-model verify models/a.cix
	[ "$output" = "bad        models/a.cix: its sha256 is ${s:0:12}..., \
not 000000000000... of models/a.cix.sha256" ]
	# The record in a folder above.
	mkdir -p models/x/y
	rm models/a.cix.*
	mv models/a.cix models/x/y/
	record x/y/a.cix
	run -0 npu-model verify models/x/y/a.cix
	run -0 npu-model verify
	[ "$output" = "good       $PWD/models/x/y/a.cix: as in \
$PWD/models/.npu-model.json" ]
}

@test "verify finds a size, a sum of the table, and files that are no models" {
	here_models
	echo one >models/m.txt
	record m.txt
	echo longer >models/m.txt
	run -4 npu-model verify models
	[ "$output" = "bad        models/m.txt: 7 bytes, not the 4 of \
models/.npu-model.json" ]
	table name=tab path=x/t.bin sha256="$(printf x | sha256sum |
	    cut -d ' ' -f 1)"
	printf x >t.bin
	run -0 bin/npu-model verify t.bin
	[ "$output" = "good       t.bin: as in the table, as tab" ]
	head -c 999 "$B/share/npu-utils/models/clip_txt.cix" >short.cix
	echo '<html>' >page.cix
	echo '{"Code":404,"Message":"no such file"}' >error.cix
	gzip -c <"$B/share/npu-utils/models/clip_txt.cix" >packed.cix
	: >none.cix
	run -4 npu-model verify {short,page,error,packed,none}.cix
	[ "$(grep -c '^bad ' <<<"$output")" -eq 5 ]
	[[ ${lines[0]} == *"not a sound .cix: "* ]]
	[[ ${lines[1]} == *"a web page"* ]]
	[[ ${lines[2]} == *"error in JSON, not the file: no such file" ]]
	[[ ${lines[3]} == *"compressed by gzip"* ]]
	[[ ${lines[4]} == "bad        none.cix: empty" ]]
}

@test "verify calls a page or an empty file good if its sum is right" {
	here_models
	echo '<html>' >models/page.txt
	: >models/none.txt
	run -4 npu-model verify models/{page,none}.txt
	[ "$(grep -c '^bad ' <<<"$output")" -eq 2 ]
	for f in page none; do
		(cd models && sha256sum $f.txt >$f.txt.sha256)
	done
	run -0 npu-model verify models
	[ "$(grep -c '^good ' <<<"$output")" -eq 2 ]
	# A model is never meant to be a page.
	mv models/page.txt models/page.cix
	mv models/page.txt.sha256 models/page.cix.sha256
	run -4 npu-model verify models/page.cix
	[[ $output == "bad        models/page.cix: a web page"* ]]
}

@test "verify reads the record of many files once" {
	here_models
	mkdir -p models/d
	for i in {1..40}; do
		echo "$i" >"models/d/$i.cix"
	done
	echo damaged >models/.npu-model.json
	run --separate-stderr -4 npu-model verify models
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"move it away to begin a new record" ]]
}

@test "verify lists a pointer with the command that fetches the file" {
	mkdir -p hub/models/ComputeVision/Object_Detection/onnx_yolov8_n
	at=hub/models/ComputeVision/Object_Detection/onnx_yolov8_n
	pointer "$(sum /dev/null)" 12 >$at/yolov8n.cix
	pointer "$(sum /dev/null)" 12 >hub/unknown.cix
	run -4 npu-model verify hub
	[[ ${lines[0]} == "pointer    $at/yolov8n.cix: a Git LFS pointer of "*\
"; npu-model get yolov8n" ]]
	[[ ${lines[1]} == "pointer    hub/unknown.cix: "*\
"; npu-model get --sha256=$(sum /dev/null) URL" ]]
	[ "${#lines[@]}" -eq 2 ]
}

@test "verify of a folder leaves out hidden files, and follows no links" {
	mkdir -p f/sub
	echo x >f/.hidden.cix
	echo x >f/readme.txt
	ln -s .. f/sub/loop
	run --separate-stderr -0 npu-model verify f
	[ "$output" = "" ]
	cp "$B/share/npu-utils/models/clip_txt.cix" f/
	run -4 npu-model verify f
	[ "${#lines[@]}" -eq 1 ]
}

@test "verify --json has the model's builder and target" {
	cp "$B/share/npu-utils/models/clip_txt.cix" a.cix
	sha256sum a.cix >a.cix.sha256
	NPU_DEVICE=emu npu-model verify --json a.cix >got
	jq -e '.schema == "npu-model/1" and (.files | length) == 1 and
	    (.files[0] | .file == "a.cix" and .state == "good" and
	    .kind == "cix" and .target == "emulator" and .command == null and
	    .runs_here and .runs_here_reason == null)' got
	[ "$(jq -r '.files[0].sha256' got)" = "$(sum a.cix)" ]
	run --separate-stderr -1 npu-model verify --json a.cix nowhere
	[ "$(jq -c '[.files[].state, .error.status]' <<<"$output")" = \
	    '["good","failed",1]' ]
	[ "$stderr" = "npu-model: nowhere: No such file or directory" ]
	[ -e /dev/aipu ] || NPU_DEVICE=npu npu-model verify --json a.cix |
	    jq -e '.files[0] | .runs_here == null and .runs_here_reason != null'
	mkfifo pipe
	run --separate-stderr -1 npu-model verify pipe
	[ "$stderr" = "npu-model: pipe: not a regular file" ]
}

@test "an option is refused by the commands that do not use it" {
	run --separate-stderr -2 npu-model path --json yolov8n
	[ "${stderr_lines[0]}" = "npu-model: --json: npu-model path does not \
use it" ]
	run --separate-stderr -2 npu-model list --yes
	run --separate-stderr -2 npu-model rm
	[ "${stderr_lines[0]}" = "npu-model: use it as: npu-model rm NAME... \
--yes" ]
}
