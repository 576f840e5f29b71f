# SPDX-License-Identifier: Apache-2.0
# The demo models: drawing, training, packing, evaluation and demonstration.
#
#	make demo		captions and drawings, and the best matches
#	make eval SEED=7	evaluate with 2,000 drawings that training never
#				saw, and as many scenes for the detector
#	make train		make the ONNX files again; needs python3-torch.
#				train-clip, train-detector: only one of the two

MODELDIR = $B/share/npu-utils/models
SEED = 1

# The command that runs programs built for another machine: qemu, or empty.
RUN =

-include models/descriptors.mk

MODEL_TOOLS = $(patsubst %,$B/tools/%,draw-shapes draw-scenes score \
	score-boxes)
LIBS_score-boxes = -ljansson
DRAW_OBJ = $(patsubst %,$B/models/%.o,options $(addprefix draw/, \
	draw_options paint background))
MODELS = $(patsubst models/%.onnx,$(MODELDIR)/%.cix,$(wildcard models/*.onnx))

.PHONY: demo eval train train-clip train-detector
build: $(MODEL_TOOLS) $(MODELS)

$B/models/%.o: ALL_CFLAGS += -Imodels

$B/tools/draw-shapes: $(patsubst %,$B/models/draw/%.o,draw_shapes captions scene)
$B/tools/draw-scenes: $(patsubst %,$B/models/draw/%.o,draw_scenes objects \
    objects_scene)
$B/tools/draw-shapes $B/tools/draw-scenes: $(DRAW_OBJ) $(LIBNPU)
$B/tools/score: $B/models/judge/score.o $B/models/options.o $(LIBNPU)
$B/tools/score-boxes: $B/models/judge/score_boxes.o $B/models/options.o $(LIBNPU)
$(MODEL_TOOLS):
	@mkdir -p $(@D)
	$(call say,LINK)
	$(LINK) -o $@ $(filter %.o,$^) $(LIBNPU) \
	    $(LDLIBS) $(LIBS_$(@F))

# Inputs and outputs are as in the CIX model hub's CLIP and YOLOv8n; the scale
# and zero point of CLIP's outputs are from calibration (train.py).
$(MODELDIR)/clip_txt.cix: PORTS = -I text:s32:1x77 \
    -O embedding:s8:1x512:$(SCALE_clip_txt):$(ZERO_clip_txt)
$(MODELDIR)/clip_visual.cix: PORTS = -I image:s8:1x3x224x224:64.75:12 \
    -O embedding:s8:1x512:$(SCALE_clip_visual):$(ZERO_clip_visual)

$(MODELDIR)/yolov8n.cix: PORTS = -I images:u8:1x3x640x640:255:0 \
    -O output0:f16:1x84x8400

$(MODELDIR)/%.cix: models/%.onnx models/descriptors.mk $B/bin/cix-pack
	@mkdir -p $(@D)
	$(call say,PACK)
	$(RUN) $B/bin/cix-pack $(PORTS) -o $@ $<

demo: all
	@models/demo.sh '$B'

eval: all
	@models/judge/eval.sh '$B' '$(SEED)'
	@models/judge/eval_detector.sh '$B' '$(SEED)'

train: train-clip train-detector
	cd models && sha256sum clip_txt.onnx clip_visual.onnx yolov8n.onnx \
	    >models.sum

train-clip: build
	nice models/train/train.py --draw=$B/tools/draw-shapes \
	    --tokenize=$B/bin/clip-tokenize --out=models

train-detector: $(MODEL_TOOLS)
	nice models/train/train_detector.py --draw=$B/tools/draw-scenes \
	    --state=$B/detector.pt --out=models
