# SPDX-License-Identifier: Apache-2.0
# Set-up: scripts/setup installs missing packages, and missing files into $B.

SETUP = B='$B' CC='$(CC)' DEPS='$(DEPS)' NPU_ORT='$(NPU_ORT)' \
	CLIP_VOCAB='$(CLIP_VOCAB)' scripts/setup

.PHONY: setup setup-check setup-deb
setup:
	@$(SETUP) build
setup-check:
	@$(SETUP) check
setup-deb:
	@$(SETUP) deb

# Any user can run `make install` after an earlier build.  PREFIX and DESTDIR
# may be given only here, and `sudo make install` does not build anything again.
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

# Debian packages: deb builds them in $B/deb, deb-check tests them, deb-twice
# builds them again and compares the bytes.
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
