# SPDX-License-Identifier: Apache-2.0
# Tables of lib/text, each by a program of ours, lib/text/gen/NAME.c, which runs
# on the machine that builds and writes NAME_tables.c.

TABLES = unicode nfc characters entities mojibake vocab

UNICODE_DATA = /usr/share/unicode
W3C_ENTITIES = /usr/share/xml/w3c-sgml-lib/schema/dtd/REC-xml-entity-names-20100401

# The files that a program reads, and its command line.
INPUT_unicode = $(UNICODE_DATA)/UnicodeData.txt lib/text/data/ftfy-characters.txt
ARGS_unicode = $(UNICODE_DATA) lib/text/data/ftfy-characters.txt
INPUT_nfc = $(UNICODE_DATA)/UnicodeData.txt
ARGS_nfc = $(UNICODE_DATA)
INPUT_characters = $(INPUT_unicode)
ARGS_characters = $(ARGS_unicode)
INPUT_entities = $(W3C_ENTITIES)/htmlmathml-f.ent
ARGS_entities = $(W3C_ENTITIES) $(UNICODE_DATA)
INPUT_mojibake = $(UNICODE_DATA)/UnicodeData.txt \
		 lib/text/data/ftfy-badness.txt \
		 lib/text/data/ftfy-utf8-clues.txt lib/text/data/charmaps.txt
ARGS_mojibake = lib/text/data $(UNICODE_DATA)

# CLIP's vocabulary is read and processed by the same code as any other.
VOCAB = $B/share/npu-utils/bpe_simple_vocab_16e6.txt
INPUT_vocab = $(VOCAB)
ARGS_vocab = $(VOCAB)
SRC_vocab = lib/text/vocab.c lib/text/word_table.c lib/text/merge.c \
	    lib/base/err.c
LIBS_vocab = -lmd

$(VOCAB):
	@echo "$@ is missing: run 'make', or 'make CLIP_VOCAB=FILE'" >&2
	@false

.SECONDEXPANSION:
$B/gen/%: lib/text/gen/%.c $$(SRC_$$*) $(wildcard lib/text/*.h lib/text/gen/*.h \
    lib/base/*.h)
	@mkdir -p $(@D)
	$(call say,CC)
	$(HOSTCC) -std=c11 -O1 -D_GNU_SOURCE -Ilib $(WARNINGS) -o $@ $< \
	    $(SRC_$*) $(LIBS_$*)

$B/gen/%_tables.c: $B/gen/% $$(INPUT_$$*)
	$(call say,GEN)
	$B/gen/$* $(ARGS_$*) >$@.new
	mv $@.new $@

$B/gen/%_tables.o: $B/gen/%_tables.c scripts/hardening | $(HARDENED)
	$(call say,CC)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<
