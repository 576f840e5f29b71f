# SPDX-License-Identifier: Apache-2.0
# The completion of a program in fish: a call of complete for each option.
#
# A template, as program.bash is.

# Names of installed models, then .cix and .onnx files and folders; files of any name
# where there is none of these.
#: models

function __PROGRAM_models
	set -l own (command -s @PROGRAM@ | path resolve)
	set -l word (commandline -ct | string replace -r -- '^-[^=]*=' '')
	set -l files (complete -C "__PROGRAM_no_such_command $word")
	set -l models (string match -r -- '.*(?:\.cix|\.onnx|/)$' $files)
	set -l data (string match '/*' -- $XDG_DATA_HOME; or echo $HOME/.local/share)
	for folder in (string split : -- $NPU_MODEL_PATH) \
	    $data/npu-utils/models \
	    (path dirname -- $own | path dirname)/share/npu-utils/models
		set -a models (path basename -- $folder/*.{cix,onnx})
	end
	if string match -q -- "$word*" $models
		string join \n -- $models
	else
		string join \n -- $files
	end
end
#:

# Whether an operand is at the cursor: the first, or with -gt a later one.
# fish asks for operands also where the argument of an option may be left out.
#: operand

function __PROGRAM_operand -a relation
	string match -q -- '-*=*' (commandline -ct)
	and return 1
#: alike
	return 0
#: count
	set -l words (commandline -opc)
#: test
	test (count $argv) $relation 0
#: end
end

complete -c @PROGRAM@ -f
