# SPDX-License-Identifier: Apache-2.0
# Shell completion, which is generated from the same option rows as --help, and
# tried in the shells themselves.  The expected words follow from those rows.
# bats file_tags=native,slow

load ../support/helper

# Makes the scripts of all programs, and of npu-kmd, as they are installed.
setup_file() {
	PATH=$TOP/driver:$PATH
	cd "$BATS_FILE_TMPDIR" || return
	[ "$(programs | wc -l)" -gt 15 ]
	mkdir -p bash-completion/completions zsh/site-functions \
	    fish/vendor_completions.d
	for p in $(programs); do
		"$p" --completion=bash >"bash-completion/completions/$p"
		"$p" --completion=zsh >"zsh/site-functions/_$p"
		"$p" --completion=fish >"fish/vendor_completions.d/$p.fish"
	done
}

setup() {
	PATH=$TOP/driver:$PATH
	SHARE=$BATS_FILE_TMPDIR
}

programs() {
	(cd "$B/bin" && printf '%s\n' *)
	echo npu-kmd
}

# of_help PROGRAM and of_page PAGE print the long names of the options in --help
# and in a manual page.
of_help() {
	"$1" --help | sed -n 's/^  \(-., \|    \)\(--[a-z0-9-]*\).*/\2/p' | sort
}

of_page() {
	sed 's/\\-/-/g' "$1" | grep '^\.It Fl ' | grep -oE -- ' -[a-z][a-z0-9-]+' |
	    sed 's/^ /-/' | sort -u
}

# offered SHELL: prints the words that SHELL offers for each line of stdin,
# after "LINE>".  For "terminal", prints each line as bash with readline
# completes it.
offered() {
	case $1 in
	zsh) zsh -f "$TOP/tests/support/complete.zsh" zsh "$SHARE" ;;
	terminal) zsh -f "$TOP/tests/support/complete.zsh" bash "$SHARE" ;;
	bash) bash --noprofile --norc "$TOP/tests/support/complete.bash" "$SHARE" ;;
	fish)
		# shellcheck disable=SC2016 # for fish
		HOME=$PWD fish --no-config -c '
		    set -p fish_complete_path $argv[1]
		    while read -l line
			echo "$line>"
			complete -C "$line"
		    end' "$SHARE/fish/vendor_completions.d" ;;
	esac
}

# block SHELL LINE: prints the words that SHELL offered for LINE, sorted.
block() {
	awk -v line="$2>" '/>$/ { on = $0 == line; next } on' ".$1" |
	    sed 's/	.*//; s/^--[a-z0-9-]*=\(.\)/\1/; s/=$//' | sort -u
}

# alike PROGRAM PAGE: checks that --help, the page, and the words that the
# shells offered for "PROGRAM --" have the same options.
alike() {
	of_help "$1" >"$1.help" || return 1
	[ "$(wc -l <"$1.help")" -ge 5 ] || return 1
	of_page "$2" | diff - "$1.help" || return 1
	for shell in bash zsh fish; do
		block $shell "$1 --" | diff - "$1.help" || return 1
	done
}

ask_all() {
	for p in $(programs); do
		echo "$p --"
	done >lines
	for shell in bash zsh fish; do
		offered $shell <lines >.$shell
	done
}

@test "every script is valid in its shell, and prints nothing" {
	for f in "$SHARE"/bash-completion/completions/*; do
		bash -n "$f"
	done
	for f in "$SHARE"/zsh/site-functions/_*; do
		zsh -n "$f"
		head -n 1 "$f" | grep -qx "#compdef ${f##*/_}"
	done
	for f in "$SHARE"/fish/vendor_completions.d/*; do
		fish --no-config -n "$f"
	done
	# No script prints anything when it is sourced.
	for p in $(programs); do
		run -0 bash --noprofile --norc \
		    "$SHARE/bash-completion/completions/$p"
		[ "$output" = "" ]
		run -0 fish --no-config "$SHARE/fish/vendor_completions.d/$p.fish"
		[ "$output" = "" ]
	done
}

@test "help, page, bash, zsh and fish have the same long options" {
	ask_all
	for p in $(programs); do
		page=$TOP/man/$p.1
		[ -f "$page" ] || page=$TOP/man/$p.8
		alike "$p" "$page" || { echo "$p: options differ"; false; }
	done
	# The test detects a page that lacks an option, and a shell that does.
	grep -v 'Fl -reuse-job$' "$TOP/man/npu-run.1" >page
	run -1 cmp -s page "$TOP/man/npu-run.1"
	run -1 alike npu-run page
	grep -v -- '^-*timeout' .zsh >less
	mv less .zsh
	run -1 alike npu-run "$TOP/man/npu-run.1"
}

@test "help, page, zsh and fish have the same short options" {
	for p in $(programs); do
		echo "$p -"
	done >lines
	for shell in zsh fish; do
		offered $shell <lines >.$shell
	done
	for p in $(programs); do
		"$p" --help | sed -n 's/^  \(-.\), --.*/\1/p' | sort >letters
		[ -s letters ]
		"$p" --help | sed -n 's/^  -\(.\), --\([a-z-]*\).*/\1 \2/p' |
		    sort >pairs
		sed -n 's/^\.It Fl \(.\) , -\([a-z0-9-]*\).*/\1 \2/p' \
		    "$TOP/man/$p".[18] | sort | diff - pairs
		for shell in zsh fish; do
			block $shell "$p -" | grep -x -- '-.' |
			    diff - letters || { echo "$p: $shell"; false; }
		done
	done
}

@test "in bash, a short option completes like its long form" {
	for p in "$B"/bin/*; do
		p=${p##*/}
		"$p" --help | sed -n 's/^  \(-.\), \(--[a-z0-9-]*\).*/\1 \2/p' |
		    while read -r letter long; do
			# shellcheck disable=SC2016 # for the bash inside
			bash --noprofile --norc -c '. "$1" || exit; _$2_what "$3"
			    a=$?:$from:${words[*]}:$optional; _$2_what "$4"
			    [ "$a" = "$?:$from:${words[*]}:$optional" ]' \
			    bash "$SHARE/bash-completion/completions/$p" \
			    "${p//-/_}" "$letter" "$long" ||
				echo "$p: $letter and $long differ"
			echo "$p $letter" >>tried
		done
	done >bad
	cat bad
	[ ! -s bad ]
	[ "$(wc -l <tried)" -gt 100 ]
}

@test "a program accepts each word that the shells offer for an option" {
	for p in "$B"/bin/*; do
		p=${p##*/}
		of_help "$p" >names
		# An option without an argument has no words.
		while read -r o; do
			# shellcheck disable=SC2016 # for the bash inside
			bash --noprofile --norc -c '. "$1" || exit
			    ! _$2_what "$3" || printf "%s\n" "${words[@]}"' bash \
			    "$SHARE/bash-completion/completions/$p" \
			    "${p//-/_}" "$o" | sed "/./!d; s/^/$o=/"
		done <names >words
		while read -r o; do
			echo "$p $o" >>tried
			# If the word is accepted, the error is about the next
			# option.
			st=0
			"$p" "$o" --no-such-option </dev/null >said 2>&1 || st=$?
			case $o in
			--completion=*) [ $st -eq 0 ] ;;
			*) [ $st -eq 2 ] && grep -q no-such-option said ;;
			esac || echo "$p $o"
		done <words
	done >bad
	cat bad
	[ ! -s bad ]
	[ "$(wc -l <tried)" -gt 100 ]
	# These programs check the word later.
	for f in clip yolo imagenet hub-clip hub-yolo; do
		img-tensor --for=$f --explain >/dev/null
	done
	for f in png jpeg ppm; do
		run -1 yolo-draw -F $f </dev/null
	done
	run -2 yolo-draw -F gif </dev/null
}

# table SHELL...: reads lines "LINE|WORDS" from stdin, and checks that each
# SHELL offers exactly WORDS for LINE.
table() {
	cat >table
	cut -d '|' -f 1 table >lines
	for shell; do
		offered "$shell" <lines >".$shell"
		while IFS='|' read -r line want; do
			got=$(block "$shell" "$line" | paste -sd ' ')
			[ "$got" = "$want" ] || {
				echo "$shell: '$line': '$got', not '$want'"
				return 1
			}
		done <table
	done
}

@test "the words of an option are offered for each form of its argument" {
	table bash zsh fish <<-'END'
	npu-run --device=|auto emu npu
	npu-run --device |auto emu npu
	npu-run -d |auto emu npu
	npu-run -qd |auto emu npu
	npu-run x.cix --device=e|emu
	npu-run --times=|json text
	npu-run --reus|--reuse-job
	npu-run x.cix y --reus|--reuse-job
	clip-tokenize --special=|text token
	clip-tokenize --overlong |error skip truncate
	img-tensor --fit=|crop letterbox stretch
	npu-quant -t s|s12 s16 s32 s4 s64 s8
	npu-quant --format=|label npy raw
	npu-ref l|layernorm layernorm-exact
	npu-ref --row=4 attention-l|attention-lut8
	npu-ref layernorm --r|--raw --row
	yolo-detect -F |coco csv json jsonl tsv yolo
	yolo-decode -F c|coco csv
	npu-bench --scenario=s|server single-stream
	npu-top --completion=|bash fish zsh
	npu-kmd |adapt autoload check dkms reset ssdt verify
	npu-kmd ssdt |add remove status
	npu-kmd autoload o|off on
	npu-kmd check --k|--kernel
	npu-kmd --u|--undo
	npu-kmd ssdt --k|
	npu-kmd check --format=|json text
	npu-kmd check -F |json text
	npu-kmd check --fo|--format
	npu-top --no-such=|
	npu-bench --seed=|
	END
	table bash <<-'END'
	npu-kmd check -qF |json text
	END
}

@test "no options are offered after --" {
	touch -- --device.npt plain.npt
	table bash zsh <<-'END'
	npu-tensor -- --dev|--device.npt
	npu-tensor pl|plain.npt
	END
	# fish 3.6 also offers the option.
	echo 'npu-tensor -- --dev' | offered fish | grep -x -- --device.npt
}

@test "files, folders or pictures are offered where they are accepted" {
	mkdir folder
	touch file.txt fish.JPG
	# readline, or the shell, adds the slash.
	table bash zsh <<-'END'
	npu-run x.cix f|file.txt fish.JPG folder
	npu-run -o f|file.txt fish.JPG folder
	yolo-detect --draw=f|folder
	yolo-detect --draw f|folder
	yolo-detect f|fish.JPG folder
	yolo-detect fil|file.txt
	npu-top f|
	npu-bench --seed f|
	END
	table fish <<-'END'
	npu-run x.cix f|file.txt fish.JPG folder/
	npu-run -o f|file.txt fish.JPG folder/
	yolo-detect --draw=f|folder/
	npu-run x --output=fi|file.txt fish.JPG
	npu-top f|
	END
	table bash <<-'END'
	npu-run x -of|-ofile.txt -ofish.JPG -ofolder/
	npu-run x -kof|-kofile.txt -kofish.JPG -kofolder/
	npu-run x --output=fi|file.txt fish.JPG
	npu-run x <fi|file.txt fish.JPG
	npu-run < fi|file.txt fish.JPG
	npu-run < file.txt x.cix --de|--device
	npu-run > --reuse --de|--device
	npu-run --dev^ice=emu x|--device
	npu-run x fi^sh y|file.txt fish.JPG
	npu-run x.cix folder/|
	vec-drift file.txt f|
	END
}

@test "npu-model: commands, then names of its table and files" {
	[ -x "$B/bin/npu-model" ] || skip "built without libcurl"
	touch yolo.cix
	table bash zsh fish <<-'END'
	npu-model ver|verify
	npu-model path clip_t|clip_txt
	npu-model rm --yes yolov8n|yolov8n
	npu-model verify yol|yolo.cix yolov8_l yolov8n yolov8s yolov8s-pose
	npu-model -q path arc|arcface
	END
}

@test "models are offered: .cix files, NPU_MODEL_PATH, installed models" {
	mkdir sub here there
	touch own.cix sub/x.cix sub/other here/a.cix here/no there/ab.cix
	export NPU_MODEL_PATH=$PWD/here:$PWD/there
	mkdir -p "$XDG_DATA_HOME/npu-utils/models"
	touch "$XDG_DATA_HOME/npu-utils/models/mine.cix"
	table bash zsh fish <<-'END'
	npu-run own|own.cix
	npu-run clip_|clip_txt.cix clip_visual.cix
	npu-run a|a.cix ab.cix
	npu-run mi|mine.cix
	yolo-detect -m yo|yolov8n.cix
	yolo-detect --model=a|a.cix ab.cix
	npu-bench --quiet x.cix clip_t|clip_txt.cix
	npu-run --quiet x.cix clip_|
	npu-run -q clip_t|clip_txt.cix
	npu-run -qdemu clip_t|clip_txt.cix
	npu-run -qd emu clip_t|clip_txt.cix
	npu-run -q x.cix clip_t|
	npu-run --output own.cix clip_t|clip_txt.cix
	END
	table bash fish <<-'END'
	npu-run sub/|sub/x.cix
	END
	echo 'npu-run sub/' | offered zsh >.zsh
	grep -qx x.cix .zsh
	run -1 grep -x other .zsh
	# Without XDG_DATA_HOME, the folder is below HOME.
	mkdir -p .local/share/npu-utils/models
	touch .local/share/npu-utils/models/homely.cix
	export HOME=$PWD XDG_DATA_HOME=relative
	table bash zsh fish <<-'END'
	npu-run home|homely.cix
	END
	# If no .cix file matches, any name is offered.
	rm own.cix
	touch own.bin
	table bash fish <<-'END'
	npu-run own|own.bin
	END
	# If no model is installed, a single .cix file is still offered alone.
	mkdir -p bin alone
	cp "$(command -v npu-run)" bin/
	touch alone/one.cix alone/other
	unset NPU_MODEL_PATH
	cd alone
	echo 'npu-run o' | PATH=$OLDPWD/bin:$PATH offered fish >../got
	[ "$(sed 1d ../got)" = one.cix ]
}

# typed: reads lines "LINE|RESULT|" from stdin, and checks that bash with
# readline completes LINE to RESULT.
typed() {
	cat >table
	cut -d '|' -f 1 table | offered terminal | sed 's/$/|/' >got
	cut -d '|' -f 2- table | diff - got
}

@test "bash with readline quotes names, and adds no blank after / and =" {
	mkdir 'a dir'
	touch -- 'my model.cix' 'q"u$o' 'a dir/x.bin' 'co:lon' 'eq=ual' \
	    "it's" -dash
	typed <<-'END'
	npu-run --de|npu-run --device=|
	npu-run --reu|npu-run --reuse-job |
	npu-run --device=e|npu-run --device=emu |
	npu-run --device e|npu-run --device emu |
	npu-run -de|npu-run -demu |
	npu-run -d e|npu-run -d emu |
	npu-run my|npu-run my\ model.cix |
	npu-run my\ mod|npu-run my\ model.cix |
	npu-run "my|npu-run "my model.cix" |
	npu-run 'my mo|npu-run 'my model.cix' |
	npu-run x q|npu-run x q\"u\$o |
	npu-run x it|npu-run x it\'s |
	npu-run x co|npu-run x co\:lon |
	npu-run x co:|npu-run x co:lon |
	npu-run x eq=|npu-run x eq=ual |
	npu-run x -- -d|npu-run x -- -dash |
	npu-run x --input=my|npu-run x --input=my\ model.cix |
	npu-run x --input="my|npu-run x --input="my model.cix" |
	npu-run x --input a\ |npu-run x --input a\ dir/|
	npu-run x --input=a\ |npu-run x --input=a\ dir/|
	npu-run x a\ dir/|npu-run x a\ dir/x.bin |
	npu-run x <q|npu-run x <q\"u\$o |
	npu-kmd che|npu-kmd check |
	npu-kmd check --kernel=a|npu-kmd check --kernel=a\ dir/|
	END
}

@test "a file name with a newline is completed as one name" {
	name=$'new\nline'
	touch "$name"
	echo 'npu-run x ne' | offered terminal >got
	[ "$(cat got)" = "npu-run x 'new"$'\n'"line' " ]
	echo 'npu-run x ne' | offered bash >got
	[ "$(cat got)" = $'npu-run x ne>\nnew\nline' ]
	echo 'npu-run x ne' | offered zsh >got
	[ "$(cat got)" = $'npu-run x ne>\nnew$\'\\n\'line' ]
}

@test "completion neither runs nor replaces commands in the line" {
	touch 'x$(touch ran)' 'y`touch ran`'
	typed <<-'END'
	npu-run a 'x$(|npu-run a 'x$(touch ran)' |
	npu-run a 'y`|npu-run a 'y`touch ran`' |
	END
	# shellcheck disable=SC2016 # as it is
	echo 'npu-run $(touch ran) --de' | offered bash >got
	[ ! -e ran ]
}

@test "special characters in help texts are quoted for each shell" {
	SHARE=$PWD/odd
	mkdir -p odd/bash-completion/completions odd/zsh/site-functions \
	    odd/fish/vendor_completions.d folder
	oddopts --completion=bash >odd/bash-completion/completions/oddopts
	oddopts --completion=zsh >odd/zsh/site-functions/_oddopts
	oddopts --completion=fish >odd/fish/vendor_completions.d/oddopts.fish
	says="[a]: c's \"d\" \\e \$f \`g\` %h {i} (j) *k ~l #m;n&o|p"
	oddopts --help | grep -Fx "  -a, --all             $says"
	echo 'oddopts --a' | offered fish >got
	[ "$(tail -n +2 got)" = $'--all\t'"$says" ]
	echo 'oddopts --a' | offered zsh >got
	[ "$(tail -n +2 got)" = $'--all\t--all  -- '"$says" ]
	table bash zsh fish <<-'END'
	oddopts --choice=|4 one two-three
	oddopts --bo|--bound
	END
	table bash zsh <<-'END'
	oddopts fo|folder
	END
}

@test "an option that is removed from the source is gone everywhere" {
	grep -v '"reuse-job"\|"reuse jobs; a new' "$TOP/cmd/npu-run/npu-run.c" >npu-run.c
	[ "$(diff "$TOP/cmd/npu-run/npu-run.c" npu-run.c | grep -c '^<')" -eq 2 ]
	mkdir bin
	"${CC:-cc}" -std=c11 -D_GNU_SOURCE -I "$TOP/lib" -I "$TOP/cmd/common" \
	    -I "$TOP/cmd/npu-run" -o bin/npu-run npu-run.c "$B/cmd/npu-run.a" \
	    "$B/cmd/libcmd.a" "$B/lib-all.a" -ljpeg -lpng -lz -lmd -lm -ldl \
	    -lpthread
	for shell in bash zsh fish; do
		"$B/bin/npu-run" --completion=$shell | grep reuse-job
		bin/npu-run --completion=$shell >less
		run -1 grep reuse-job less
	done
	bin/npu-run --help >less
	run -1 grep reuse-job less
	run -2 bin/npu-run --reuse-job
	[ "${lines[0]}" = "npu-run: unknown option '--reuse-job'" ]
}

@test "--completion takes bash, zsh or fish, and reports a full stdout" {
	run --separate-stderr -2 npu-run --completion=ksh
	[ "${stderr_lines[0]}" = \
	    "npu-run: --completion: 'ksh' is not bash, zsh or fish" ]
	run --separate-stderr -2 npu-kmd --completion ksh
	[ "${stderr_lines[0]}" = \
	    "npu-kmd: --completion: 'ksh' is not bash, zsh or fish" ]
	for p in npu-run npu-kmd; do
		run -1 sh -c "$p --completion=zsh >/dev/full"
		[ "$output" = "$p: write error: No space left on device" ]
	done
}
