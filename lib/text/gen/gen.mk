# SPDX-License-Identifier: Apache-2.0
# Tables of lib/text, each by a program of ours, lib/text/gen/NAME.c, that runs
# on the machine that builds and writes NAME_tables.c.

TABLES = unicode

UNICODE_DATA = /usr/share/unicode

# What a program reads, and the command line that it reads it by.
INPUT_unicode = $(UNICODE_DATA)/UnicodeData.txt
ARGS_unicode = $(UNICODE_DATA)

$B/gen/%: lib/text/gen/%.c $(wildcard lib/text/*.h)
	@mkdir -p $(@D)
	$(HOSTCC) -std=c11 -O1 -D_GNU_SOURCE -Ilib $(WARNINGS) -o $@ $<

.SECONDEXPANSION:
$B/gen/%_tables.c: $B/gen/% $$(INPUT_$$*)
	$B/gen/$* $(ARGS_$*) >$@.new
	mv $@.new $@

$B/gen/%_tables.o: $B/gen/%_tables.c
	$(CC) $(ALL_CFLAGS) -c -o $@ $<
