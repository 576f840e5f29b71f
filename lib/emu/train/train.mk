# SPDX-License-Identifier: Apache-2.0
# The demo models: drawn, packed and examined.

TRAIN = lib/emu/train
MODELDIR = $B/share/npu-utils/models

# Runs programs that were built for another machine: qemu, or nothing.
RUN =

-include $(TRAIN)/descriptors.mk

TRAIN_TOOLS = $B/tools/draw-shapes $B/tools/score
DRAW_OBJ = $(patsubst %,$B/$(TRAIN)/%.o,draw words scene paint)
DEMO_MODELS = $(patsubst $(TRAIN)/%.onnx,$(MODELDIR)/%.cix, \
	      $(wildcard $(TRAIN)/*.onnx))

build: $(TRAIN_TOOLS) $(DEMO_MODELS)

$B/tools/draw-shapes: $(DRAW_OBJ) $(LIBNPU)
$B/tools/score: $B/$(TRAIN)/score.o $(LIBNPU)
$(TRAIN_TOOLS):
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIBNPU) $(LDLIBS)

# The contracts of the CIX model hub's CLIP; the outputs' scale and zero point
# are from calibration (train.py).
$(MODELDIR)/clip_txt.cix: PORTS = -I text:s32:1x77 \
    -O embedding:s8:1x512:$(SCALE_clip_txt):$(ZERO_clip_txt)
$(MODELDIR)/clip_visual.cix: PORTS = -I image:s8:1x3x224x224:64.75:12 \
    -O embedding:s8:1x512:$(SCALE_clip_visual):$(ZERO_clip_visual)

$(MODELDIR)/%.cix: $(TRAIN)/%.onnx $(TRAIN)/descriptors.mk $B/bin/cix-pack
	@mkdir -p $(@D)
	$(RUN) $B/bin/cix-pack $(PORTS) -o $@ $<
