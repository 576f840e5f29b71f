/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calibration data: the arrays of a .npy or .npz file, as numpy.load() reads
 * them without pickles.  The first axis of an array is the samples.
 *
 * Arrays may be in Fortran order, big-endian, compressed, or empty.  The sizes
 * in the headers are compared with the file before anything is read or
 * allocated.
 */
#ifndef CIX_LINT_SAMPLES_H
#define CIX_LINT_SAMPLES_H

#include "base/bytes.h"
#include "npu.h"
#include "tensor/npy.h"
#include "tensor/npz.h"

/* npu_err.detail of samples_open(). */
enum {
	SAMPLES_LFS_POINTER = 1,	/* a Git LFS pointer */
	SAMPLES_PICKLED = NPY_PICKLED,	/* Python objects */
	SAMPLES_ABSENT = 3,	/* cannot be opened */
};

struct sample_array {
	struct npy_array form;	/* type and shape; dim[0] is the number of
				   samples */
	struct npz_member member;	/* of a .npy, the whole file, without a
					   name.  offset is the place of its
					   bytes in the file. */
	uint64_t samples;	/* 1 if it has no dimension */
	uint64_t row;		/* elements of a sample */
	size_t head;		/* bytes of preamble and header */
	void *whole;		/* all elements, once samples_read() needs them
				   at a time */
};

struct samples {
	struct sample_array *array;	/* in the order of the archive */
	size_t n;
	bool archive;		/* a .npz */
	int fd;
};

/* Opens a file.  err->msg does not name the file.  Free with samples_close()
 * unless it fails. */
int samples_open(struct samples *s, const char *path, struct npu_err *err);
/* Does the same with an open file, which it closes also on failure. */
int samples_open_fd(struct samples *s, int fd, struct npu_err *err);
void samples_close(struct samples *s);

/* Returns the index of the array with this name, or s->n. */
size_t samples_find(const struct samples *s, struct bytes name);
/* Sets array[i] to the index of the array for input i: the array with its name,
 * if each input has one, or else array i.  Returns false if the numbers of
 * arrays and inputs differ. */
bool samples_assign(const struct samples *s, const struct bytes *name,
    size_t n, size_t *array);

/*
 * Writes sample i of array k to out, in C order, as s->array[k].row elements of
 * type dtype, which may be any type of npu_dtype_size().  Fails if the new type
 * cannot represent a number of the sample; conversions to a float round.
 */
int samples_read(struct samples *s, size_t k, uint64_t i, uint32_t dtype,
    void *out, struct npu_err *err);

/* The numbers of an array. */
struct sample_range {
	uint64_t n;		/* elements read */
	uint64_t nan, infinite;
	uint64_t not_zero, not_whole;
	uint64_t first_bad;	/* the sample of the first NaN or infinity */
	float min, max;		/* of the finite numbers; 0 without any */
};

/* Bytes of an array, at most, that samples_range() reads; a quarter if it is
 * compressed. */
#define SAMPLES_MOST_RANGE ((uint64_t)128 << 20)

/* Describes the numbers of array k, at the beginning of the file if there are
 * more.  Fails if they are damaged. */
int samples_range(struct samples *s, size_t k, struct sample_range *r,
    struct npu_err *err);

#endif
