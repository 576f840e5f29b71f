# SPDX-License-Identifier: Apache-2.0
# Set-up: .ci/setup puts what is missing on the machine and into $B.

SETUP = B='$B' CC='$(CC)' DEPS='$(DEPS)' NPU_ORT='$(NPU_ORT)' \
	CLIP_VOCAB='$(CLIP_VOCAB)' .ci/setup

.PHONY: setup setup-check
setup:
	@$(SETUP) build
setup-check:
	@$(SETUP) check
