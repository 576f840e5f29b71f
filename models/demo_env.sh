# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Sourced by demo.sh, eval.sh and eval_detector.sh: selects the programs of the
# build tree $b, and its models on the emulator, even on a board.  Removes the
# user's settings for other models.
PATH=$(cd "$b/bin" && pwd):$(cd "$b/tools" && pwd):$PATH
unset NPU_LIBRARY NPU_MODEL_PATH NPU_TWIN
NPU_DEVICE=emu
export PATH NPU_DEVICE
