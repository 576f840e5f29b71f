/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps only the latest picture of a stream, which a thread reads.  A program
 * that is slower than its camera then lags behind by one picture, not by all
 * the pictures that it missed.  Errors are never dropped, and never replace a
 * picture.
 */
#ifndef YOLO_DETECT_LATEST_FRAME_H
#define YOLO_DETECT_LATEST_FRAME_H

#include "pictures/pictures.h"

struct latest_frame;

/* Starts the thread.  pictures must be open; only the thread may use it until
 * latest_frame_close(). */
struct latest_frame *latest_frame_open(struct pictures *pictures);
/* Waits for an item that arrived after the last call; *item is valid until the
 * next call.  False at the end of the stream, or if cmd_stop is set. */
bool latest_frame_next(struct latest_frame *l, struct picture_item *item);
/* Returns how many pictures were dropped because a newer picture arrived. */
uint64_t latest_frame_dropped(const struct latest_frame *l);
/* Ends the thread.  Call only after latest_frame_next() returned false. */
void latest_frame_close(struct latest_frame *l);

#endif
