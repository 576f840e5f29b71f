# SPDX-License-Identifier: Apache-2.0
# Written by train.py: scale and zero point of the outputs.
SCALE_clip_visual = 66.07182
ZERO_clip_visual = 1
SCALE_clip_txt = 70.681114
ZERO_clip_txt = 5
