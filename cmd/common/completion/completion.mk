# SPDX-License-Identifier: Apache-2.0
# The templates of what shells complete, as constants.

COMPLETION = $(addprefix cmd/common/completion/program.,bash zsh fish)
CMD_SHARED_OBJ += $B/gen/completion_templates.o

$B/gen/completion_templates.c: cmd/common/completion/embed.awk $(COMPLETION)
	@mkdir -p $(@D)
	$(call say,GEN)
	awk -f $^ >$@.new
	mv $@.new $@

# C11 promises strings of 4095 bytes only; gcc and clang take longer ones.
$B/gen/completion_templates.o: $B/gen/completion_templates.c \
    cmd/common/completion/templates.h scripts/hardening | $(HARDENED)
	$(call say,CC)
	$(CC) $(ALL_CFLAGS) -Wno-overlength-strings -c -o $@ $<
