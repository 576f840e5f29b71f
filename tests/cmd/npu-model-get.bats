# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2140 # long texts are joined from two lines

load ../support/helper
load ../support/hub

setup_file() {
	[ -x "$B/bin/npu-model" ] || skip "built without libcurl"
}

B1=modelscope:o/n:a/b.bin

# is_whole: ./out has the file b.bin as the hub has it, and no part.
is_whole() {
	cmp hub/a/b.bin out/b.bin
	[ "$(find out -name '.*.part*')" = "" ]
}

# ---- Sources -----------------------------------------------------------------

@test "get brings a file of ModelScope, prints its path, and records it" {
	made a/b.bin 1000
	hub
	run --separate-stderr -0 get "$B1"
	[ "$output" = out/b.bin ]
	is_whole
	[ "$(jq -r '.files[0].sha256' out/.npu-model.json)" = \
	    "$(sum hub/a/b.bin)" ]
	[ "$(jq -r '.files[0].source' out/.npu-model.json)" = \
	    "$HUB/models/o/n/resolve/master/a/b.bin" ]
}

@test "get says what it asks of whom, and how much, before it asks" {
	made a/b.bin 1000
	hub
	run --separate-stderr -0 get "$B1"
	[ "${stderr_lines[0]}" = "npu-model: asks for the list of files: $HUB"\
'/api/v1/models/o/n/repo/files?Revision=master&Recursive=true&Root=a' ]
	[ "${stderr_lines[1]}" = "npu-model: puts files into out" ]
	[ "${stderr_lines[2]}" = "npu-model: fetches b.bin, 1000 bytes: "\
"$HUB/models/o/n/resolve/master/a/b.bin" ]
}

@test "get --dry-run asks nobody, and makes nothing" {
	made a/b.bin 1000
	hub
	run --separate-stderr -0 get --dry-run "$B1"
	[ "${lines[0]}" = "asks for the list of files: $HUB/api/v1/models/o/n"\
'/repo/files?Revision=master&Recursive=true&Root=a' ]
	[ "${lines[1]}" = "puts files into out" ]
	[[ ${lines[2]} == "fetches b.bin, size not known yet: "* ]]
	[ "$stderr" = "" ]
	[ ! -s requests ]
	[ ! -e out ]
}

@test "get --dry-run of a model of the table names the vendor's hub" {
	run --separate-stderr -0 env -u NPU_HUB npu-model get --dry-run -o out \
	    yolov8n
	[[ ${lines[2]} == *" https://modelscope.cn/models/cix/"*/yolov8n.cix ]]
	run --separate-stderr -0 npu-model get --dry-run --json -o out yolov8n
	[ "$(jq -r '.files[0].state, .files[0].sha256' <<<"$output")" = \
	    "planned
null" ]
}

@test "get knows short names of hubs, and a revision" {
	made a/b.bin 10
	hub
	get cix-25q3:a/b.bin
	[ "$(asked '^GET /models/cix/ai_model_hub_25_Q3/resolve/master/')" -eq 1 ]
	rm -r out
	get modelscope:o/n@v2:a/b.bin
	[ "$(asked '^GET /models/o/n/resolve/v2/a/b.bin')" -eq 1 ]
	[ "$(asked 'Revision=v2&')" -eq 1 ]
}

@test "get takes the sum of a file of Hugging Face from its answer" {
	made a/b.bin 1000
	hub a/b.bin=ok,other
	get huggingface:o/n:a/b.bin
	is_whole
	[ "$(asked /api/)" -eq 0 ]
	rm -r out
	run --separate-stderr -1 get huggingface:o/n:a/b.bin
	[[ $stderr == *"b.bin: not kept: its sha256 is "*" of the hub" ]]
	nothing_kept
}

@test "get brings a folder of a hub with its files and folders" {
	made d/x/one 10
	made d/two 20
	made d2/three 30
	hub
	run --separate-stderr -0 get modelscope:o/n:d/
	[ "$output" = "out/d/two
out/d/x/one" ]
	diff -r -x .npu-model.json hub/d out/d
	[ ! -e out/d2 ]
	[ "$(jq -r '[.files[].file] | sort | join(" ")' \
	    out/.npu-model.json)" = "d/two d/x/one" ]
}

@test "get follows the parts of a listing of Hugging Face" {
	for i in 1 2 3 4 5; do made "d/f$i" "$i"; done
	HUB_PAGE=2 hub
	get huggingface:o/n:d/
	diff -r -x .npu-model.json hub/d out/d
	[ "$(asked /api/)" -eq 3 ]
}

@test "a listing that goes on at another host is refused" {
	made d/one 1
	HUB_NEXT=http://127.0.0.1:1/x hub
	run --separate-stderr -1 get huggingface:o/n:d/
	[[ $stderr == *"the listing goes on at another host, http://127.0.0.1:1/x" ]]
	[ ! -e out ]
}

@test "get brings a URL; its name is the last part, decoded" {
	made 'a/b c.bin' 100
	hub
	npu-model get -o out --trust "$HUB/a/b%20c.bin?x=/y"
	cmp 'hub/a/b c.bin' 'out/b c.bin'
}

@test "get from a folder or file:// copies, and takes sums from there" {
	made a/b.bin 1000
	sha256sum hub/a/b.bin >hub/a/b.bin.sha256
	npu-model get --mirror=hub -o out "$B1"
	is_whole
	rm -r out
	npu-model get --mirror="file://$PWD/hub" -o out "$B1"
	is_whole
	printf x >>hub/a/b.bin
	rm -r out
	run --separate-stderr -1 npu-model get --mirror=hub -o out "$B1"
	nothing_kept
	# A folder that get filled is a mirror without folders.
	rm hub/a/b.bin.sha256
	npu-model get --mirror=hub -o flat --trust "$B1"
	npu-model get --mirror=flat -o out "$B1"
	is_whole
}

@test "get decodes the path of a file:// URL" {
	made 'a x/b%.bin' 10
	npu-model get --trust -o out "file://$PWD/hub/a%20x/b%25.bin?v=1"
	cmp 'hub/a x/b%.bin' 'out/b%.bin'
	mv 'hub/a x' 'hub/m x'
	npu-model get --trust --mirror="file://$PWD/hub/m%20x" -o two \
	    'modelscope:o/n:a/b%.bin'
	cmp 'hub/m x/b%.bin' 'two/b%.bin'
}

@test "NPU_HUB names a mirror, and --mirror comes first" {
	made a/b.bin 10
	hub
	NPU_HUB=$HUB npu-model get -o out "$B1"
	is_whole
	rm -r out
	NPU_HUB=/nowhere npu-model get --mirror="$HUB" -o out "$B1"
	is_whole
	NPU_HUB=/nowhere run --separate-stderr -1 npu-model get -o out "$B1"
	[ "${stderr_lines[0]}" = "npu-model: NPU_HUB: /nowhere: No such file "\
"or directory; name a URL or a folder" ]
}

@test "without -o, files go to NPU_MODEL_PATH's first writable folder" {
	made a/b.bin 10
	hub
	mkdir good
	NPU_MODEL_PATH=/nowhere:good npu-model get --mirror="$HUB" "$B1"
	[ -e good/b.bin ]
	XDG_DATA_HOME=$PWD/data npu-model get --mirror="$HUB" "$B1"
	[ -e data/npu-utils/models/b.bin ]
}

@test "a path of a hub may have colons" {
	made 'a/b:c.bin' 10
	hub
	get 'modelscope:o/n:a/b:c.bin'
	cmp hub/a/b:c.bin out/b:c.bin
	rm -r out
	get 'cix-25q3:a/b:c.bin'
	cmp hub/a/b:c.bin out/b:c.bin
}

@test "wrong sources are refused before anybody is asked" {
	for s in unknown modelscope:o:x modelscope:o/n:../x modelscope:o/n:/x \
	    modelscope:o/n/p:x 'modelscope:o/n?x:y' modelscope:../n:x \
	    https://host/ https://host ftp://host/x http://example.com/x \
	    file://host/x https://host/..  https://host/a%2Fb; do
		run --separate-stderr -2 npu-model get -o out "$s"
		[[ ${stderr_lines[0]} == "npu-model: $s: "* ]]
		[ ! -e out ]
	done
	run --separate-stderr -2 npu-model get -o out http://example.com/x
	[ "${stderr_lines[0]}" = "npu-model: http://example.com/x: "\
"http:// is only for loopback addresses, such as 127.0.0.1; use https://" ]
}

@test "wrong options are refused" {
	run --separate-stderr -2 npu-model get --sha256=12 "$B1"
	[ "${stderr_lines[0]}" = "npu-model: --sha256: '12' is not 64 "\
"hexadecimal digits" ]
	run --separate-stderr -2 npu-model get --sha256=12 "$B1" "$B1"
	run --separate-stderr -2 npu-model get --sha256=12 modelscope:o/n:a/
	run --separate-stderr -2 npu-model get --stall=none "$B1"
	run --separate-stderr -2 npu-model get --mirror=ftp://x "$B1"
	run --separate-stderr -2 npu-model list --trust
	[ "${stderr_lines[0]}" = "npu-model: --trust: npu-model list does not "\
"use it" ]
	made a/b.bin 10
	hub
	run --separate-stderr -2 get "$B1" modelscope:p/q:a/b.bin
	[[ ${stderr_lines[2]} == "npu-model: two operands bring a file 'b.bin'"* ]]
}

@test "an operand that fails does not stop the others" {
	made a/b.bin 10
	hub
	run --separate-stderr -1 get modelscope:o/n:a/none "$B1"
	[ "$output" = out/b.bin ]
	[[ $stderr == *"modelscope:o/n:a/none: the hub o/n does not list a/none"* ]]
}

# ---- Sums --------------------------------------------------------------------

@test "a file without a known sum stays a part, with status 4 and its sum" {
	made a/b.bin 1000
	hub
	run --separate-stderr -4 get "$HUB/a/b.bin"
	[ "$output" = "" ]
	[[ ${stderr_lines[-1]} == "npu-model: b.bin: no sum is known to check "\
"it with; its sha256 is $(sum hub/a/b.bin); "*"--sha256=$(sum hub/a/b.bin)" ]]
	[ ! -e out/b.bin ]
	[ -e out/.b.bin.part ]
	# The bytes are here: nobody is asked again.
	run --separate-stderr -0 get --sha256="$(sum hub/a/b.bin)" "$HUB/a/b.bin"
	is_whole
	[ "$(asked '^GET /a')" -eq 1 ]
}

@test "get --trust keeps a file without a known sum" {
	made a/b.bin 1000
	hub
	run --separate-stderr -0 get --trust "$HUB/a/b.bin"
	is_whole
	# It is recorded now, and does not need --trust.
	run --separate-stderr -0 get "$HUB/a/b.bin"
	[ "$(asked '^GET /a')" -eq 1 ]
}

@test "a listing without sums is not enough" {
	made a/b.bin 1000
	HUB_SUMS=no hub
	run --separate-stderr -4 get "$B1"
	[ ! -e out/b.bin ]
}

@test "a file with another sum is not kept" {
	made a/b.bin 1000
	hub a/b.bin=other
	run --separate-stderr -1 get "$B1"
	[[ $stderr == *"b.bin: not kept: its sha256 is "*"..., not the "\
"$(sum hub/a/b.bin | head -c 12)... of the listing" ]]
	nothing_kept
	run --separate-stderr -1 get --sha256="$(printf 'a%.0s' {1..64})" "$B1"
	[[ $stderr == *"not the aaaaaaaaaaaa... of --sha256" ]]
	nothing_kept
}

@test "a Git LFS pointer is replaced by its file, and gives the sum" {
	made a/b.bin 1000
	hub a/b.bin=ok,other
	mkdir out
	pointer() {
		printf 'version https://git-lfs.github.com/spec/v1\n'
		printf 'oid sha256:%s\nsize 1000\n' "$(sum hub/a/b.bin)"
	}
	pointer >out/b.bin
	get "$HUB/a/b.bin"
	is_whole
	pointer >out/b.bin
	run --separate-stderr -1 get "$HUB/a/b.bin"
	[[ $stderr == *" of the Git LFS pointer" ]]
	pointer | cmp - out/b.bin
}

@test "a file that is here is checked, and replaced only with --force" {
	made a/b.bin 1000
	hub
	mkdir out
	cp hub/a/b.bin out
	run --separate-stderr -0 get "$B1"
	[ "$output" = out/b.bin ]
	[ "$(asked resolve)" -eq 0 ]
	[ "$(jq '.files | length' out/.npu-model.json)" -eq 1 ]
	printf other >out/b.bin
	run --separate-stderr -1 get "$B1"
	[[ $stderr == *"b.bin: is here, but its sha256 is "*"--force replaces it" ]]
	[ "$(cat out/b.bin)" = other ]
	run --separate-stderr -1 get "$HUB/a/b.bin"
	[[ $stderr == *"b.bin: is here, and no sum is known"* ]]
	get --force "$B1"
	is_whole
}

@test "a link to a missing file is refused before the transfer" {
	made a/b.bin 10
	hub
	mkdir out
	ln -s missing out/b.bin
	run --separate-stderr -1 get "$B1"
	[[ $stderr == *"b.bin: is a symbolic link to a file that does not exist; \
--force replaces the link" ]]
	[ "$(asked '^GET /models/')" -eq 0 ]
	get --force "$B1"
	[ ! -L out/b.bin ]
	is_whole
}

@test "get --json reports each file, also those that failed" {
	made a/b.bin 1000
	made a/c.bin 1000
	made a/d.bin 1000
	hub a/c.bin=404
	run --separate-stderr -1 get --json -q "$B1" modelscope:o/n:a/c.bin \
	    "$HUB/a/d.bin"
	[ "$(jq -c '[.schema, .folder, .error.status]' <<<"$output")" = \
	    '["npu-model/1","out",1]' ]
	[ "$(jq -c '[.files[] | .state]' <<<"$output")" = \
	    '["fetched","failed","untrusted"]' ]
	jq -e --arg s "$(sum hub/a/b.bin)" '.files[0].sha256 == $s and
	    .files[0].size_bytes == 1000 and .files[0].file == "out/b.bin"' \
	    <<<"$output"
	[ "$(jq -r '.files[1].error.message' <<<"$output")" = \
	    "127.0.0.1 answers 404: it does not have this file" ]
}

# ---- Servers that fail -------------------------------------------------------

@test "errors that pass are tried again, with a note" {
	made a/b.bin 1000
	for f in 503 500 429:0 cut:0; do
		rm -rf out
		hub a/b.bin=$f,$f,ok
		run --separate-stderr -0 get "$B1"
		is_whole
		[ "$(asked resolve)" -eq 3 ]
		[[ $stderr == *"; try 3 of 5 in 0.002 s"* ]]
		kill "$HUB_PID"
	done
}

@test "the pauses grow, and the tries end" {
	made a/b.bin 1000
	hub a/b.bin=503
	run --separate-stderr -1 get --tries=4 "$B1"
	[ "$(grep -o '; try .*' <<<"$stderr")" = "; try 2 of 4 in 0.001 s
; try 3 of 4 in 0.002 s
; try 4 of 4 in 0.004 s" ]
	[ "${stderr_lines[-1]}" = "npu-model: b.bin: 127.0.0.1 answers 503: it "\
"is overloaded or down" ]
	[ "$(asked resolve)" -eq 4 ]
	nothing_kept
}

@test "a pause is as long as Retry-After asks" {
	made a/b.bin 10
	hub a/b.bin=429:1,ok
	run --separate-stderr -0 get "$B1"
	[[ $stderr == *"answers 429: too many requests; try 2 of 5 in 1 s"* ]]
}

@test "errors that stay are not tried again" {
	made a/b.bin 1000
	for f in 404 403; do
		hub a/b.bin=$f
		run --separate-stderr -1 get "$B1"
		[[ $stderr == *"b.bin: 127.0.0.1 answers $f: "* ]]
		[ "$(asked resolve)" -eq 1 ]
		nothing_kept
		kill "$HUB_PID"
	done
}

@test "a hub that is down is named, after the tries" {
	made a/b.bin 10
	hub
	kill "$HUB_PID"
	wait "$HUB_PID" || :
	run --separate-stderr -1 get --tries=2 "$B1"
	[[ $stderr == *"try 2 of 2 in 0.001 s"* ]]
	[[ ${stderr_lines[-1]} == "npu-model: $B1: 127.0.0.1: "*onnect* ]]
	[ ! -e out/b.bin ]
}

@test "a server that stalls is left and asked for the rest" {
	made a/b.bin 1000
	hub a/b.bin=stall:300,ok
	run --separate-stderr -0 get --stall=1s "$B1"
	is_whole
	[ "$(asked 'Range=bytes=300-')" -eq 1 ]
}

@test "what came in place of the file is named and not kept" {
	made a/b.bin 1000
	for row in 'html:a web page, not the file' \
	    'json:a server.s error in JSON, not the file: no such file' \
	    'pointer:a Git LFS pointer of 129 bytes' \
	    'gzip:compressed by gzip' 'empty:empty'; do
		hub "a/b.bin=${row%%:*}"
		run --separate-stderr -1 get "$B1"
		grep -q "b.bin: not kept: ${row#*:}" <<<"$stderr"
		nothing_kept
		# Also where nothing is known of the file.
		run --separate-stderr -1 get --trust "$HUB/a/b.bin"
		grep -q "b.bin: not kept: ${row#*:}" <<<"$stderr"
		nothing_kept
		kill "$HUB_PID"
	done
}

@test "a body of another size is not kept" {
	made a/b.bin 1000
	hub a/b.bin=short
	run --separate-stderr -1 get "$B1"
	[[ $stderr == *"b.bin: not kept: 500 bytes came, not the 1000 of the "\
"listing" ]]
	nothing_kept
	kill "$HUB_PID"
	hub a/b.bin=more
	run --separate-stderr -1 get "$B1"
	[[ $stderr == *"b.bin: not kept: 2004 bytes came, not the 1000 of the "\
"listing" ]]
	nothing_kept
	kill "$HUB_PID"
	made a/b.bin 1100000
	hub a/b.bin=more,long
	run --separate-stderr -1 get "$B1"
	[[ $stderr == *"b.bin: the server sends more than the 1100000 bytes of "\
"the listing" ]]
	run --separate-stderr -1 get "$B1"
	[[ $stderr == *"b.bin: the server announces 1100100 bytes, not the "\
"1100000 of the listing" ]]
	[ ! -e out/b.bin ]
}

@test "half a model is named and not kept" {
	mkcix sound >m.cix
	mkdir -p hub/a
	head -c 200 m.cix >hub/a/m.cix
	hub
	run --separate-stderr -1 get modelscope:o/n:a/m.cix
	[[ $stderr == *"m.cix: not kept: not a sound .cix: "* ]]
	nothing_kept
}

@test "get says who built a .cix and whether it runs here" {
	mkdir -p hub/a
	mkcix sound >hub/a/m.cix
	hub
	run --separate-stderr -0 get modelscope:o/n:a/m.cix
	[[ ${stderr_lines[-1]} == "npu-model: m.cix: built by an unknown "\
"builder for X2_1204; "*"this machine"* ]]
	run --separate-stderr -0 get --json modelscope:o/n:a/m.cix
	[ "$(jq -r '.files[0] | .target, .state' <<<"$output")" = "X2_1204
here" ]
}

# ---- Redirects ---------------------------------------------------------------

@test "five redirects are followed, six are not" {
	made a/b.bin 1000
	hub a/b.bin=hop:5
	get "$B1"
	is_whole
	kill "$HUB_PID"
	rm -r out
	hub a/b.bin=hop:6
	run --separate-stderr -1 get "$B1"
	[[ $stderr == *"b.bin: more than 5 redirects, the last to $HUB/"* ]]
	nothing_kept
}

@test "a redirect to http of another machine, or to a file, is refused" {
	made a/b.bin 1000
	for to in http://192.0.2.1/x "file://$PWD/hub/a/b.bin" ftp://127.0.0.1/x
	do
		hub a/b.bin=to:$to
		run --separate-stderr -1 get "$B1"
		[[ $stderr == *"b.bin: redirect to $to refused: "* ]]
		nothing_kept
		kill "$HUB_PID"
	done
}

@test "credentials go to their own host only, and are not recorded" {
	made a/b.bin 1000
	hub
	second=$HUB second_pid=$HUB_PID
	mkdir first
	cp -r hub first
	cd first
	hub "a/b.bin=ok,to:$second/a/b.bin"
	get --trust "${HUB/:\/\//://user:secret@}/a/b.bin"
	grep -q 'Authorization=Basic dXNlcjpzZWNyZXQ=' requests
	run ! grep -rE 'user|secret' out
	get --force --trust "${HUB/:\/\//://user:secret@}/a/b.bin"
	kill "$second_pid"
	cat ../requests
	[ "$(grep -c '^GET /a/b.bin' ../requests)" -eq 1 ]
	run ! grep Authorization ../requests
}

@test "the password of a mirror is not printed when a listing fails" {
	made a/b.bin 10
	hub listing=503,ok
	HUB=${HUB/:\/\//://user:secret@}
	run --separate-stderr -0 get "$B1"
	grep -q Authorization=Basic requests
	[[ $stderr == *"answers 503"*"try 2 of 5"* ]]
	[[ $stderr != *secret* ]]
}

# ---- Parts -------------------------------------------------------------------

@test "a transfer that is cut continues where it ended" {
	made a/b.bin 1000
	hub a/b.bin=cut:400,drip:300,ok
	get "$B1"
	is_whole
	[ "$(asked 'Range=bytes=400-')" -eq 1 ]
	[ "$(asked 'Range=bytes=700-')" -eq 1 ]
	grep -q 'If-Range="' requests
}

@test "bytes that arrive do not use up the tries" {
	made a/b.bin 1000
	hub a/b.bin=cut:100,drip:100
	get --tries=2 "$B1"
	is_whole
	[ "$(asked resolve)" -eq 10 ]
}

@test "a part starts over if the server cannot continue it" {
	made a/b.bin 1000
	for f in norange etag weak noetag; do
		rm -rf out
		hub a/b.bin=cut:400,$f
		[ $f = norange ] || { kill "$HUB_PID"; hub a/b.bin=$f; }
		get "$B1"
		is_whole
		kill "$HUB_PID"
	done
}

@test "a part of a file that changed starts over" {
	made a/b.bin 1000
	hub a/b.bin=cut:400
	run --separate-stderr -1 get --tries=1 "$B1"
	[ "$(stat -c %s out/.b.bin.part)" -eq 400 ]
	kill "$HUB_PID"
	perl -e 'print "x" x 1200' >hub/a/b.bin
	hub
	get "$B1"
	is_whole
}

@test "a part of a URL whose ETag changed starts over" {
	made a/b.bin 1000
	hub a/b.bin=cut:400
	run --separate-stderr -1 get --tries=1 --trust "$HUB/a/b.bin"
	kill "$HUB_PID"
	perl -e 'print "x" x 1000' >hub/a/b.bin
	hub
	get --trust "$HUB/a/b.bin"
	is_whole
	[ "$(asked 'Range=bytes=400-')" -eq 1 ]
}

@test "a part that is as long as the file starts over" {
	made a/b.bin 1000
	hub
	run --separate-stderr -4 get "$HUB/a/b.bin"
	# As after a kill between the last byte and the note.
	sed -i 's/true/false/' out/.b.bin.part.json
	run --separate-stderr -0 get --trust "$HUB/a/b.bin"
	is_whole
	[[ $stderr == *"answers 416: it does not have these bytes"* ]]
	[ "$(asked 'Range=bytes=1000-')" -eq 1 ]
}

@test "an answer that continues elsewhere starts over" {
	made a/b.bin 1000
	hub a/b.bin=cut:400,wrongrange,ok
	run --separate-stderr -0 get "$B1"
	is_whole
	[[ $stderr == *"the server continues another file; starting over"* ]]
}

@test "the first half of a file does not pass for the file" {
	made a/b.bin 1000
	HUB_SUMS=no hub a/b.bin=piece
	run --separate-stderr -1 get --tries=1 --trust "$HUB/a/b.bin"
	[[ $stderr == *"the server sends a piece of the file, not all"* ]]
	[ ! -e out/b.bin ]
	rm -rf out
	kill "$HUB_PID"
	wait "$HUB_PID" || :
	HUB_SUMS=no hub a/b.bin=piece,ok
	run --separate-stderr -0 get --trust "$HUB/a/b.bin"
	is_whole
}

@test "a part with damaged bytes starts over" {
	made a/b.bin 1000
	hub a/b.bin=cut:400,ok
	run --separate-stderr -1 get --tries=1 "$B1"
	printf damaged | dd of=out/.b.bin.part conv=notrunc status=none
	run --separate-stderr -0 get "$B1"
	is_whole
	[[ $stderr == *"; starting over"* ]]
}

@test "a damaged note starts over" {
	made a/b.bin 1000
	hub a/b.bin=cut:400,ok
	for text in '' '{' '[]' '{"etag":5}' \
	    "{\"etag\":\"$(printf 'x%.0s' {1..300})\"}"; do
		run --separate-stderr -1 get --tries=1 "$B1"
		printf %s "$text" >out/.b.bin.part.json
		get "$B1"
		is_whole
		rm -r out
		kill "$HUB_PID"
		hub a/b.bin=cut:400,ok
	done
}

@test "a part is not a model for other programs" {
	mkdir -p hub/a
	mkcix sound >hub/a/m.cix
	hub a/m.cix=cut:100
	run --separate-stderr -1 get --tries=1 modelscope:o/n:a/m.cix
	[ -e out/.m.cix.part ]
	NPU_MODEL_PATH=out run --separate-stderr -1 npu-info m.cix
	[[ $stderr == *"no such model"* ]]
	[ "$(find out -name '*.cix')" = "" ]
}

@test "a signal ends get at once, and the part stays" {
	made a/b.bin 1000
	hub a/b.bin=stall:400,ok
	get_behind "$B1"
	has_part 400
	kill -TERM "$PID"
	wait "$PID" && status=0 || status=$?
	[ "$status" -eq 143 ]
	[ "$(stat -c %s out/.b.bin.part)" -eq 400 ]
	get "$B1"
	is_whole
	[ "$(asked 'Range=bytes=400-')" -eq 1 ]
}

@test "50 fetches at once of the same file give one file, from one request" {
	made a/b.bin 300000
	hub a/b.bin=slow:30000
	pids=()
	for i in $(seq 50); do
		get -q "$B1" >"got$i" 2>&1 3>&- &
		pids+=($!)
	done
	for p in "${pids[@]}"; do
		wait "$p" || { cat got*; false; }
	done
	is_whole
	[ "$(asked resolve)" -eq 1 ]
	[ "$(sort -u got*)" = out/b.bin ]
	[ "$(jq '.files | length' out/.npu-model.json)" -eq 1 ]
}

# bats test_tags=slow
@test "a fetch that is killed 200 times ends with the right file" {
	made a/b.bin 2000000
	hub a/b.bin=slow:200000
	for i in $(seq 200); do
		get_behind -q "$B1"
		sleep "0.0$((RANDOM % 90 + 10))"
		kill -KILL "$PID" 2>/dev/null || :
		wait "$PID" 2>/dev/null || :
		[ ! -e out/b.bin ] || {
			cmp hub/a/b.bin out/b.bin
			rm out/b.bin
		}
	done
	get "$B1"
	is_whole
	jq -e '.files | length == 1' out/.npu-model.json
}

@test "prune removes parts, but not a part that a fetch works on" {
	made a/b.bin 1000
	hub a/b.bin=stall:400,ok
	get_behind -q "$B1"
	has_part 400
	npu-model prune out
	[ -e out/.b.bin.part ]
	kill "$PID"
	wait "$PID" || :
	npu-model prune out
	nothing_kept
}

# ---- Limits ------------------------------------------------------------------

@test "a file that the folder has no room for is not begun" {
	made a/b.bin 10
	s=$(sum hub/a/b.bin)
	echo '{"Code":200,"Data":{"Files":[{"Type":"blob","Path":"a/b.bin",
	    "Size":4611686018427387904,"Sha256":"'"$s"'"}]}}' >listing
	HUB_LISTING=listing hub
	run --separate-stderr -1 get "$B1"
	[[ $stderr == *"b.bin: needs 4611686018427387904 bytes, and out has "\
"room for "*"; name another folder with -o" ]]
	[ "$(asked resolve)" -eq 0 ]
	nothing_kept
}

@test "a full disk is an error, and the part stays" {
	made a/b.bin 100000
	hub
	run --separate-stderr -1 bash -c 'ulimit -f 20; trap "" XFSZ
	    npu-model get --mirror="$1" -o out -q "$2"' - "$HUB" "$B1"
	[[ $stderr == *"b.bin: out/.b.bin.part: File too large" ]]
	get "$B1"
	is_whole
	[ "$(asked Range=)" -eq 1 ]
}

@test "--limit-rate slows a transfer down" {
	made a/b.bin 300000
	hub
	begin=$(date +%s%N)
	get --limit-rate=200k "$B1"
	is_whole
	[ $(($(date +%s%N) - begin)) -gt 500000000 ]
}

# bats test_tags=slow
@test "--progress=always prints a line each 10 s" {
	made a/b.bin 3000000
	hub a/b.bin=slow:25000
	run --separate-stderr -0 get --progress=always "$B1"
	is_whole
	grep -qE '^npu-model: [0-2] of 3 MB, .*min' <<<"$stderr"
}

@test "-j fetches several files at a time" {
	for i in 1 2 3 4; do made "d/f$i" 100; done
	# With one at a time, the fourth would wait for the first for ever.
	hub d/f1=stall:10,ok d/f2=stall:10,ok d/f3=stall:10,ok
	get -j 4 --stall=6s modelscope:o/n:d/
	diff -r -x .npu-model.json hub/d out/d
	[ "$(sed -n '/resolve/p' requests | head -4 |
	    grep -c 'f[1-4]')" -eq 4 ]
	run ! grep -q Range= <(grep resolve requests | head -4)
}

# listed JSON: makes the hub send a listing with this one file.
listed() {
	echo "{\"Code\":200,\"Data\":{\"Files\":[$1]}}" >listing
}

@test "hostile listings are refused, and nothing leaves the folder" {
	made a/b.bin 10
	: >listing
	HUB_LISTING=listing hub
	for path in ../x /x a/../../x 'a\nb' 'a//b' a/. "a/$(printf \
	    'x%.0s' {1..300})" a/.npu-model.json{,.new} a/.x.part \
	    a/.x.part.json{,.new}; do
		listed "{\"Type\":\"blob\",\"Path\":\"$path\",\"Size\":1}"
		run --separate-stderr -1 get modelscope:o/n:a/
		[[ ${stderr_lines[-1]} == \
		    "npu-model: modelscope:o/n:a/: file 1: the path "* ]]
	done
	listed '{"Type":"blob","Path":"a/b.bin","Size":-1}'
	run --separate-stderr -1 get "$B1"
	[[ $stderr == *"file 1: the size is not a whole number from 0" ]]
	listed '{"Type":"blob","Path":"a/b.bin","Size":1,"Sha256":"12"}'
	run --separate-stderr -1 get "$B1"
	[[ $stderr == *"file 1: the sha256 is not a text of 64 hexadecimal digits" ]]
	[ "$(asked resolve)" -eq 0 ]
	[ ! -e out ]
}

@test "what is not a listing is refused" {
	made a/b.bin 10
	: >listing
	HUB_LISTING=listing hub listing=ok,ok,ok,ok,404
	for text in '' '<html>' '{}' '{"Code":404,"Message":"no such model"}'; do
		echo "$text" >listing
		run --separate-stderr -1 get "$B1"
		[[ ${stderr_lines[-1]} == "npu-model: $B1: "* ]]
	done
	[[ $stderr == *"$B1: the hub says: no such model" ]]
	run --separate-stderr -1 get "$B1"
	[[ $stderr == *"$B1: 127.0.0.1 answers 404: it does not have this file" ]]
}

# bats test_tags=slow
@test "a listing of 100,000 files is read" {
	made a/b.bin 10
	perl -e 'print "{\"Code\":200,\"Data\":{\"Files\":[";
	    print "{\"Type\":\"blob\",\"Path\":\"a/$_/x\",\"Size\":1,".
	    "\"Sha256\":\"", "0" x 64, "\",\"Revision\":\"r\"}," for 2 .. 100000;
	    print "{\"Type\":\"blob\",\"Path\":\"a/b.bin\",\"Size\":10,".
	    "\"Sha256\":\"$ARGV[0]\"}]}}"' "$(sum hub/a/b.bin)" >listing
	HUB_LISTING=listing hub
	get "$B1"
	is_whole
}

# ---- TLS and proxies ---------------------------------------------------------

# certificate: makes pem, a certificate of 127.0.0.1 and its key.
certificate() {
	command -v openssl >/dev/null || skip "openssl is not installed"
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 \
	    -nodes -days 2 -subj /CN=127.0.0.1 -keyout key.pem -out ca.pem \
	    -addext subjectAltName=IP:127.0.0.1 2>openssl.log
	cat ca.pem key.pem >pem
}

@test "https needs a certificate that is trusted" {
	certificate
	made a/b.bin 1000
	HUB_TLS=pem hub
	run --separate-stderr -1 get "$B1"
	[[ $stderr == *"127.0.0.1: SSL certificate problem"* ]]
	[ "$(grep -c try <<<"$stderr")" -eq 0 ]
	CURL_CA_BUNDLE=ca.pem get "$B1"
	is_whole
	rm -r out
	SSL_CERT_FILE=ca.pem get "$B1"
	is_whole
}

@test "a redirect from https to http is refused, also to this machine" {
	certificate
	made a/b.bin 1000
	HUB_TLS=pem hub a/b.bin=to:http://127.0.0.1:1/x
	CURL_CA_BUNDLE=ca.pem run --separate-stderr -1 get "$B1"
	[[ $stderr == *"b.bin: redirect to http://127.0.0.1:1/x refused: it "\
"leaves https" ]]
	nothing_kept
}

@test "https goes through the proxy of https_proxy, http on loopback does not" {
	made a/b.bin 10
	hub
	https_proxy=$HUB run --separate-stderr -1 npu-model get -o out \
	    --tries=1 https://hub.invalid/x.bin
	[ "$(asked '^CONNECT hub.invalid:443')" -eq 1 ]
	http_proxy=http://127.0.0.1:1 get "$B1"
	is_whole
}
