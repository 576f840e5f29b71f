#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# models.sh DIRECTORY - makes the models for the rows: each model that mkcix
# knows, with the two inputs and outputs that rows_graph.c expects, and a few
# more.  MKCIX is the generator (default: mkcix on PATH).
set -eu

mkcix=${MKCIX:-mkcix}
mkdir -p "$1"
io='--in=s8:64:2:3 --in=s32:8 --out=s8:64:27.6738:60'

# shellcheck disable=SC2086 # options
$mkcix $io --out=f16:16 --op=fill --all="$1"
# shellcheck disable=SC2086
$mkcix $io --out=f16:16 --op=copy >"$1/copy.cix"
# shellcheck disable=SC2086
$mkcix $io --out=f16:16:1:0:7 --op=fill >"$1/wild-ids.cix"
# A model without a program: the stand-in device cannot execute its words.
LC_ALL=C sed s/FNP1/FNP-/ "$1/sound.cix" >"$1/no-program.cix"
