# SPDX-License-Identifier: Apache-2.0
# Set-up: scripts/setup installs on the machine and into $B what is missing.

SETUP = B='$B' CC='$(CC)' DEPS='$(DEPS)' NPU_ORT='$(NPU_ORT)' \
	CLIP_VOCAB='$(CLIP_VOCAB)' scripts/setup

.PHONY: setup setup-check setup-deb
setup:
	@$(SETUP) build
setup-check:
	@$(SETUP) check
setup-deb:
	@$(SETUP) deb

# `make install` of an earlier build, by any user: PREFIX and DESTDIR may be
# given here alone, and `sudo make install` builds nothing anew.
INSTALL = B='$B' CMDS='$(CMDS_HERE)' MODELS='$(MODELS)' PREFIX='$(PREFIX)' \
	  DESTDIR='$(DESTDIR)' LIBDIR='$(LIBDIR)' VERSION='$(VERSION)' \
	  COMPLETIONS='$(COMPLETIONS)' scripts/install

.PHONY: install uninstall list-installed
install: all
	+@$(MAKE) --no-print-directory completions
	@$(INSTALL) install
uninstall:
	@$(INSTALL) uninstall
list-installed:
	@$(INSTALL) list

# Debian packages: deb makes them in $B/deb, deb-check tries them, deb-twice makes
# them once more and compares.
.PHONY: deb deb-check deb-twice
# Goals that are given together run in this order.
deb-check: | $(filter deb,$(MAKECMDGOALS))
deb-twice: | $(filter deb deb-check,$(MAKECMDGOALS))
deb: setup-deb
	@B='$B' scripts/deb
deb-check:
	@scripts/deb-check $B/deb
deb-twice:
	@scripts/deb-twice $B/deb
