# SPDX-License-Identifier: Apache-2.0
# The completion of a program in zsh: the arguments of _arguments.
#
# A template, as program.bash is.
#: models

_PROGRAM_models() {
	local -a folders models
	folders=(${(s.:.)NPU_MODEL_PATH}
	    ${${(M)XDG_DATA_HOME:#/*}:-$HOME/.local/share}/npu-utils/models
	    ${commands[$service]:A:h:h}/share/npu-utils/models)
	models=(${^folders}/*.(cix|onnx)(N-.:t))
	_alternative 'files:file:_files -g "*.(cix|onnx)(-.)"' \
	    'models:model:compadd -a models'
}
#: begin

_PROGRAM() {
	_arguments -s -S \
#: end
}

# The first where it lies in fpath, as _NAME; the second for source.
if [[ $service == @PROGRAM@ && $funcstack[1] == _@PROGRAM@ ]]; then
	_PROGRAM "$@"
else
	compdef _PROGRAM @PROGRAM@
fi
