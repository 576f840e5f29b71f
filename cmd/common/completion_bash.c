// SPDX-License-Identifier: Apache-2.0
/*
 * completion_bash.c - a function for complete -F, which needs nothing but bash
 * 4.4: what it knows of the program is one case statement, the rest is the same
 * for all.
 */
#include "completion.h"

static const char *const kinds[] = {
	[COMPLETE_NONE] = "",
	[COMPLETE_FILE] = "file",
	[COMPLETE_FOLDER] = "folder",
	[COMPLETE_PICTURE] = "picture",
	[COMPLETE_MODEL] = "model",
};

static const char begin[] =
"\n"
"# What completes the argument of option $1, operand 1 or those after it (2),\n"
"# or the names of options: sets from, words, and optional where it may be\n"
"# left out.  Fails where there is no argument.\n"
"_@@_what() {\n"
"\tfrom= words=() optional=\n"
"\tcase $1 in\n";

static const char parser[] =
"\t*) return 1 ;;\n"
"\tesac\n"
"}\n"
"\n"
"# plain: what the word $1 means once its quotes are gone.  Nothing in it is\n"
"# run or replaced.\n"
"_@@_plain() {\n"
"\tlocal rest=$1 quote= c\n"
"\tplain=\n"
"\twhile [[ $rest ]]; do\n"
"\t\tc=${rest:0:1} rest=${rest:1}\n"
"\t\tcase $quote$c in\n"
"\t\t\\' | \\\") quote=$c ;;\n"
"\t\t\\'\\' | \\\"\\\") quote= ;;\n"
"\t\t\\\"\\\\)\n"
"\t\t\t[[ $rest == [\\$\\`\\\"\\\\]* ]] || plain+=$c\n"
"\t\t\tplain+=${rest:0:1} rest=${rest:1} ;;\n"
"\t\t\\\\) plain+=${rest:0:1} rest=${rest:1} ;;\n"
"\t\t*) plain+=$c ;;\n"
"\t\tesac\n"
"\tdone\n"
"}\n"
"\n"
"# raw: the words up to the cursor.  COMP_WORDS are cut at = and :, too; what\n"
"# stands together in the line is one.\n"
"_@@_words() {\n"
"\tlocal line=${COMP_LINE:0:COMP_POINT} rest word i\n"
"\traw=()\n"
"\tfor ((i = 0; i <= COMP_CWORD; i++)); do\n"
"\t\tword=${COMP_WORDS[i]}\n"
"\t\trest=${line#\"${line%%[![:space:]]*}\"}\n"
"\t\t[[ $rest == \"$word\"* ]] || word=$rest\n"
"\t\tif [[ $i -eq 0 || $rest != \"$line\" ]]; then\n"
"\t\t\traw+=(\"$word\")\n"
"\t\telse\n"
"\t\t\traw[-1]+=$word\n"
"\t\tfi\n"
"\t\tline=${rest#\"$word\"}\n"
"\tdone\n"
"}\n"
"\n"
"# One word before the cursor: sets opt if it is an option that needs the\n"
"# next word, or counts an operand.\n"
"_@@_past() {\n"
"\tlocal rest=${1:1}\n"
"\tif [[ $opt ]]; then\n"
"\t\topt=\n"
"\telif [[ $only_operands || $1 != -?* ]]; then\n"
"\t\toperands=$((operands + 1))\n"
"\telif [[ $1 == -- ]]; then\n"
"\t\tonly_operands=1\n"
"\telif [[ $1 == --* ]]; then\n"
"\t\t[[ $1 == *=* ]] || ! _@@_what \"$1\" || [[ $optional ]] ||\n"
"\t\t\topt=$1\n"
"\telse\n"
"\t\twhile [[ $rest ]] && ! _@@_what \"-${rest:0:1}\"; do\n"
"\t\t\trest=${rest:1}\n"
"\t\tdone\n"
"\t\t[[ ${#rest} -ne 1 || $optional ]] || opt=-$rest\n"
"\tfi\n"
"}\n"
"\n"
"# Of the word $cur at the cursor: what it is, in from; arg, the part that is\n"
"# completed, and head, what is before that.\n"
"_@@_present() {\n"
"\tlocal rest\n"
"\thead= arg=$cur\n"
"\tif [[ $opt ]]; then\n"
"\t\t_@@_what \"$opt\"\n"
"\telif [[ $only_operands || $cur != -* ]]; then\n"
"\t\t_@@_what $((operands > 0 ? 2 : 1))\n"
"\telif [[ $cur == --*=* ]]; then\n"
"\t\thead=${cur%%=*}= arg=${cur#*=}\n"
"\t\t_@@_what \"${cur%%=*}\"\n"
"\telif [[ $cur == - || $cur == --* ]]; then\n"
"\t\t_@@_what names\n"
"\telse\n"
"\t\trest=${cur:1} head=-\n"
"\t\twhile [[ $rest ]] && ! _@@_what \"-${rest:0:1}\"; do\n"
"\t\t\thead+=${rest:0:1} rest=${rest:1}\n"
"\t\tdone\n"
"\t\thead+=${rest:0:1} arg=${rest:1}\n"
"\t\t# Complete as it is: its argument may be the next word.\n"
"\t\t[[ $arg ]] || from=given\n"
"\tfi\n"
"}\n"
;

static const char answer[] =
"\n"
"# Adds the names that begin with $arg, folders, and those that are like one\n"
"# of the patterns, to found.\n"
"_@@_names() {\n"
"\tlocal base=$arg name pattern\n"
"\t[[ $base != '~'/* ]] || base=$HOME${base:1}\n"
"\tfor name in \"$base\"*; do\n"
"\t\tif [[ -d $name ]]; then\n"
"\t\t\tfound+=(\"$head$arg${name:${#base}}/\")\n"
"\t\t\tcontinue\n"
"\t\tfi\n"
"\t\t[[ -e $name || -L $name ]] || continue\n"
"\t\tfor pattern; do\n"
"\t\t\t[[ ${name,,} != $pattern ]] ||\n"
"\t\t\t\tfound+=(\"$head$arg${name:${#base}}\")\n"
"\t\tdone\n"
"\tdone\n"
"}\n"
"\n"
"# Adds the models in the folders where they are looked for.\n"
"_@@_models() {\n"
"\tlocal rest=${NPU_MODEL_PATH-}: own name\n"
"\town=$(readlink -f -- \"$(type -P \"$1\")\")\n"
"\trest+=${own%/*/*}/share/npu-utils/models:\n"
"\twhile [[ $rest ]]; do\n"
"\t\tfor name in \"${rest%%:*}/$arg\"*.cix; do\n"
"\t\t\t[[ ! -f $name ]] || found+=(\"$head${name##*/}\")\n"
"\t\tdone\n"
"\t\trest=${rest#*:}\n"
"\tdone\n"
"}\n"
"\n"
"_@@() {\n"
"\tlocal raw plain cur opt= only_operands= operands=0\n"
"\tlocal from= words=() optional= head arg found=() word i cut=0\n"
"\tlocal redirect='^[0-9]*[<>][<>&|]*' target=\n"
"\t_@@_words\n"
"\tfor word in \"${raw[@]:1:${#raw[@]}-2}\"; do\n"
"\t\tif [[ $target ]]; then\n"
"\t\t\ttarget=\n"
"\t\telif [[ $word =~ $redirect ]]; then\n"
"\t\t\t[[ $word != \"${BASH_REMATCH[0]}\" ]] || target=1\n"
"\t\telse\n"
"\t\t\t_@@_plain \"$word\"\n"
"\t\t\t_@@_past \"$plain\"\n"
"\t\tfi\n"
"\tdone\n"
"\t_@@_plain \"${raw[-1]}\"\n"
"\tcur=$plain\n"
"\tif [[ $target || ${raw[-1]} =~ $redirect ]]; then\n"
"\t\thead=${BASH_REMATCH[0]-} from=file\n"
"\t\t[[ ! $target ]] || head=\n"
"\t\targ=${cur:${#head}}\n"
"\telse\n"
"\t\t_@@_present\n"
"\tfi\n"
"\n"
"\tcase $from in\n"
"\tgiven) found=(\"$cur\") ;;\n"
"\tfile) _@@_names '*' ;;\n"
"\tfolder) _@@_names ;;\n"
"\tpicture) _@@_names '*.jpg' '*.jpeg' '*.png' '*.ppm' ;;\n"
"\tmodel)\n"
"\t\t_@@_names '*.cix'\n"
"\t\t[[ $arg == */* ]] || _@@_models \"$1\" ;;\n"
"\tesac\n"
"\t# A picture or model may have any name.\n"
"\t[[ $from != @(picture|model) || ${#found[@]} -gt 0 ]] || _@@_names '*'\n"
"\tfor word in \"${words[@]}\"; do\n"
"\t\t[[ $word != \"$arg\"* ]] || found+=(\"$head$word\")\n"
"\tdone\n"
"\n"
"\t# What readline completes is $2, the end of the word; quotes aside, the\n"
"\t# same number of characters goes from each that was found.\n"
"\tif [[ ${raw[-1]} == *\"$2\" ]]; then\n"
"\t\t_@@_plain \"${raw[-1]%\"$2\"}\"\n"
"\t\tcut=${#plain}\n"
"\tfi\n"
"\tcase $from in\n"
"\tfile | folder | picture | model)\n"
"\t\tcompopt -o filenames 2>/dev/null\n"
"\t\t# Where it has the whole name, readline ends folders itself.\n"
"\t\t[[ $cut -ne ${#head} ]] || found=(\"${found[@]%/}\") ;;\n"
"\tesac\n"
"\tCOMPREPLY=()\n"
"\tfor word in \"${found[@]}\"; do\n"
"\t\tCOMPREPLY+=(\"${word:cut}\")\n"
"\tdone\n"
"\t[[ ${found[0]-} != *[=/] ]] || compopt -o nospace 2>/dev/null\n"
"}\n"
"complete -F _@@ @n\n";

static void
kind(struct buf *b, enum complete complete)
{
	if (complete != COMPLETE_NONE)
		buf_printf(b, " from=%s", kinds[complete]);
}

/* Its arm of the case statement, if it takes an argument. */
static void
arm(struct buf *b, const struct opt *o)
{
	if (o->arg == NULL)
		return;
	buf_puts(b, "\t");
	if (o->val <= '~')
		buf_printf(b, "-%c | ", o->val);
	buf_printf(b, "--%s)", o->name);
	if (completion_word(o, 0) != NULL) {
		buf_puts(b, " words=(");
		completion_words(b, o);
		buf_puts(b, ")");
	} else {
		kind(b, o->complete);
	}
	buf_printf(b, "%s ;;\n", completion_optional(o) ? " optional=1" : "");
}

/* The long forms, with the = that may or must follow. */
static void
names(struct buf *b)
{
	buf_puts(b, "\tnames) words=(");
	for (const struct opt *o = program.options; o->help != NULL; o++) {
		if (o->name == NULL)
			continue;
		if (o->arg == NULL || completion_optional(o))
			buf_printf(b, "\n\t    --%s", o->name);
		if (o->arg != NULL)
			buf_printf(b, "\n\t    --%s=", o->name);
	}
	buf_puts(b, ") ;;\n");
}

void
completion_bash(struct buf *b)
{
	completion_template(b, begin);
	for (const struct opt *o = program.options; o->help != NULL; o++)
		if (o->name != NULL)
			arm(b, o);
	for (int i = 0; i < 2; i++) {
		buf_printf(b, "\t%d)", i + 1);
		kind(b, program.operands[i]);
		buf_puts(b, " ;;\n");
	}
	names(b);
	completion_template(b, parser);
	completion_template(b, answer);
}
