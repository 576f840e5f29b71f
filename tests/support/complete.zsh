#!/bin/zsh
# SPDX-License-Identifier: Apache-2.0
#
# complete.zsh zsh|bash FOLDER - prints how a shell on its own terminal
# completes the lines on stdin, with a TAB after each line.  FOLDER is what is
# installed below share.  For zsh, the output is "LINE>" and the offers, one in
# each line, as "WORD" or "WORD TAB its description".  For bash, the output is
# each line after its completion.
emulate -R zsh
zmodload zsh/zpty
shell=$1 folder=$2 out=$PWD/offered.$$

# await WORDS: reads until the inner shell has printed WORDS.
await() {
	local got
	zpty -r inner got "*$1*" || { print -u2 "$shell ended"; exit 1; }
}

case $shell in
zsh)
	cat >$out.rc <<'END'
PROMPT= PROMPT2= RPROMPT=
unsetopt zle_bracketed_paste beep list_beep prompt_sp prompt_cr
LISTMAX=0
zstyle ':completion:*' list-max 0
fpath=($folder/zsh/site-functions $fpath)
autoload -Uz compinit
compinit -u -D
# compadd: also records each match that is added.
compadd() {
	local -a hits shown
	local i
	if [[ ${@[1,(i)(-|--)]} != *' '-(O|A|D)' '* ]]; then
		i=${@[(i)-d]}
		(( i < $# )) && shown=("${(P@)@[i+1]}")
		if (( $#shown )); then
			builtin compadd -A hits -D shown "$@"
		else
			builtin compadd -A hits "$@"
		fi
		for (( i = 1; i <= $#hits; i++ )); do
			print -r -- $hits[i]${shown[i]:+$'\t'$shown[i]}
		done >>$out
	fi
	builtin compadd "$@"
}
say_done() { print -r -- "ready""-$1" >$TTY; }
finish() { BUFFER=; say_done line; }
zle -N finish
bindkey '^O' finish
bindkey '^I' complete-word
say_done shell
END
	zpty inner "TERM=dumb folder=${(q)folder} out=${(q)out} zsh -f -i"
	zpty -w inner "source ${(q)out}.rc" ;;
bash)
	cat >$out.rc <<'END'
PS1=
bind 'set bell-style none' 'set enable-bracketed-paste off'
bind 'set completion-query-items 0' 'set page-completions off'
finish() {
	printf "%s\n" "$READLINE_LINE" >>"$out"
	READLINE_LINE=
	echo ready""-line
}
bind -x '"\C-o": finish'
for f in "$folder"/bash-completion/completions/*; do
	. "$f"
done
echo ready""-shell
END
	export INPUTRC=/dev/null HISTFILE=
	zpty inner "TERM=dumb folder=${(q)folder} out=${(q)out} \
	    bash --noprofile --norc -i"
	zpty -w inner ". ${(q)out}.rc" ;;
esac
await ready-shell
while IFS= read -r line; do
	: >$out
	[[ $shell == bash ]] || print -r -- "$line>"
	zpty -w -n inner "$line"$'\t'$'\x0f'
	await ready-line
	[[ $shell == bash ]] && cat $out || LC_ALL=C sort -u $out
done
zpty -d inner
rm -f $out $out.rc
