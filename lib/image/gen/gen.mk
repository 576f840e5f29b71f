# SPDX-License-Identifier: Apache-2.0
# The table of lib/image/font.h, made as those of lib/text are (gen.mk there).

TABLES += font

INPUT_font = lib/image/data/font.txt
ARGS_font = lib/image/data/font.txt

$B/gen/font: lib/image/gen/font.c lib/image/font.h lib/image/draw.h \
    lib/image/image.h
	@mkdir -p $(@D)
	$(call say,CC)
	$(HOSTCC) -std=c11 -O1 -D_GNU_SOURCE -Ilib $(WARNINGS) -o $@ $<
