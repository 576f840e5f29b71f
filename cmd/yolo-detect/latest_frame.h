/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The latest picture of a stream, which a thread reads: for a program that is
 * slower than its camera and should lag by one picture, not by all that it
 * missed.  Errors are never replaced by newer pictures, nor pictures by errors.
 */
#ifndef YOLO_DETECT_LATEST_FRAME_H
#define YOLO_DETECT_LATEST_FRAME_H

#include "pictures/pictures.h"

struct latest_frame;

/* pictures, opened, is the reader's until latest_frame_close(). */
struct latest_frame *latest_frame_open(struct pictures *pictures);
/* Waits for one that came since the last call; valid until the next.  False at
 * the end, and when cmd_stop was set. */
bool latest_frame_next(struct latest_frame *l, struct picture_item *item);
/* How many were replaced by newer ones. */
uint64_t latest_frame_dropped(const struct latest_frame *l);
/* Only after latest_frame_next() was false. */
void latest_frame_close(struct latest_frame *l);

#endif
