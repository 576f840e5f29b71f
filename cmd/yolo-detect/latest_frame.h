/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of a stream, of which a thread reads all and keeps the newest: for a
 * program that is slower than its camera and is to be late by one picture, not
 * by all that were missed.  An error does not give way to what is newer, and no
 * picture gives way to an error.
 */
#ifndef YOLO_DETECT_LATEST_FRAME_H
#define YOLO_DETECT_LATEST_FRAME_H

#include "pictures/pictures.h"

struct newest;

/* pictures, opened, is the reader's until newest_close(). */
struct newest *newest_open(struct pictures *pictures);
/* Waits for one that came since the last call; valid until the next.  False at
 * the end, and when cmd_stop was set. */
bool newest_next(struct newest *n, struct picture_item *item);
/* How many were never answered. */
uint64_t newest_dropped(const struct newest *n);
/* Only after newest_next() was false. */
void newest_close(struct newest *n);

#endif
