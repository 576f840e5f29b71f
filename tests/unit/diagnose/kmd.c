// SPDX-License-Identifier: Apache-2.0
/* Tests that only these requests are sent to the kernel driver.  The structures
 * come from the driver's public headers. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "diagnose/kmd.h"
#include "tap.h"

struct partition {
	uint32_t id, arch, version, config;
	uint64_t reg_base;
	uint32_t cluster_cnt;
	struct {
		uint32_t core_cnt, en_core_cnt, tec_cnt;
	} clusters[8];
};

struct cap192 {
	uint32_t partition_cnt, is_homogeneous;
	uint64_t asid_base[4], dtcm_base;
	uint32_t dtcm_size, gm0_size, gm1_size;
	struct partition partition;
};

struct cap424 {
	uint32_t partition_cnt, asid_cnt;
	uint64_t asid_base[32];
	uint32_t is_homogeneous;
	uint64_t dtcm_base;
	uint32_t dtcm_size, gm0_size, gm1_size;
	struct partition partition;
};

struct cap200 {
	uint32_t partition_cnt, asid_cnt;
	uint64_t asid_base[4];
	uint32_t is_homogeneous;
	uint64_t dtcm_base;
	uint32_t dtcm_size, gm0_size, gm1_size;
	struct partition partition;
};

struct cluster_status {
	uint32_t cluster_id, cluster_status, core_status;
};

#define CAP192 _IOR('A', 0, struct cap192)
#define CAP424 _IOR('A', 0, struct cap424)
#define CAP200 _IOR('A', 0, struct cap200)
#define PARTITIONS _IOR('A', 1, struct partition)
#define HW_STATUS _IOR('A', 10, uint32_t)
#define VERSION _IOR('A', 18, char *)
#define CLUSTER_STATUS _IOWR('A', 24, struct cluster_status)
#define JOB_THREADS _IOR('A', 25, uint32_t[32])

static const unsigned long harmless[] = { CAP192, CAP424, CAP200, PARTITIONS,
    HW_STATUS, VERSION, CLUSTER_STATUS, JOB_THREADS };

/* ---- A driver ---------------------------------------------------------- */

struct driver {
	enum kmd_generation generation;
	uint32_t partitions, clusters, cores;
	int error;		/* errno of all known requests, */
	unsigned long only;	/* or, if not 0, of this request only */
	unsigned interrupted;	/* number of EINTR before an answer */
	const char *version;	/* written with version_size bytes */
	size_t version_size;
	unsigned asked, strange;
	unsigned long last;
};

static struct partition
partition(const struct driver *d, uint32_t id)
{
	struct partition p = { .id = id, .version = 5,
	    .cluster_cnt = d->clusters };

	for (unsigned i = 0; i < 8 && i < d->clusters; i++) {
		p.clusters[i].core_cnt = d->cores;
		p.clusters[i].en_core_cnt = 2;
		p.clusters[i].tec_cnt = 4;
	}
	return p;
}

#define FILL(type) do { \
	struct type c = { .partition_cnt = d->partitions, \
	    .gm0_size = 0x200000, .gm1_size = 0x100000, \
	    .partition = partition(d, 0) }; \
	memcpy(answer, &c, sizeof(c)); \
	return 0; \
} while (0)

static int
answer_of(struct driver *d, unsigned long request, void *answer)
{
	struct partition all[8];

	if (request == CAP192 && d->generation == KMD_192)
		FILL(cap192);
	if (request == CAP424 && d->generation == KMD_424)
		FILL(cap424);
	if (request == CAP200 && d->generation == KMD_200)
		FILL(cap200);
	if (request == PARTITIONS) {
		for (unsigned i = 0; i < 8 && i < d->partitions; i++)
			all[i] = partition(d, i);
		memcpy(answer, all, d->partitions * sizeof(*all));
		return 0;
	}
	if (request == VERSION && d->version != NULL) {
		memcpy(answer, d->version, d->version_size);
		return 0;
	}
	if (request == CLUSTER_STATUS) {
		struct cluster_status s;

		memcpy(&s, answer, sizeof(s));
		s.core_status = 5 + s.cluster_id;
		memcpy(answer, &s, sizeof(s));
		return 0;
	}
	if (request == HW_STATUS) {
		*(uint32_t *)answer = KMD_BUSY;
		return 0;
	}
	errno = ENOTTY;
	return -1;
}

static int
driver_ioctl(void *arg, int fd, unsigned long request, void *answer)
{
	struct driver *d = arg;
	bool known = false;

	d->asked++;
	d->last = request;
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++)
		known |= request == harmless[i];
	d->strange += !known || fd != 42;
	if (d->interrupted > 0) {
		d->interrupted--;
		errno = EINTR;
		return -1;
	}
	if (d->error != 0 && (d->only == 0 || d->only == request)) {
		errno = d->error;
		return -1;
	}
	return answer_of(d, request, answer);
}

/* ---- Tests ------------------------------------------------------------- */

static const struct {
	enum kmd_generation generation;
	unsigned bytes;
	bool has_cluster_status;
} generations[] = {
	{ KMD_192, 192, false },
	{ KMD_424, 424, false },
	{ KMD_200, 200, true },
};

static void
each_generation(void)
{
	for (size_t i = 0; i < 3; i++) {
		unsigned bytes = generations[i].bytes;
		struct driver d = { .generation = generations[i].generation,
		    .partitions = 1, .clusters = 1, .cores = 3 };
		struct kmd k = { .fd = 42, .ioctl = driver_ioctl, .arg = &d };
		struct kmd_cap c = { 0 };
		struct npu_err err = { .msg = "" };
		uint32_t v[3] = { 1, 0, 0 };
		unsigned asked;
		int rc = kmd_query(&k, &c, &err);

		ok(rc == 0 && err.msg[0] == '\0' &&
		    k.generation == generations[i].generation &&
		    kmd_cap_bytes(k.generation) == bytes,
		    "the answer of %u bytes identifies the generation", bytes);
		ok(c.partitions == 1 && c.clusters == 1 && c.cores == 3 &&
		    c.enabled == 2 && c.tecs == 12 && c.isa == 5 &&
		    c.first_clusters == 1 && c.cluster_cores[0] == 3,
		    "%u bytes: partitions, clusters and cores are read", bytes);
		ok(c.gm_bytes[0] == 0x200000 && c.gm_bytes[1] == 0x100000,
		    "%u bytes: the sizes of the memory on the chip are read",
		    bytes);
		ok(kmd_ask(&k, KMD_HW_STATUS, v, 4, NULL) == 0 &&
		    v[0] == KMD_BUSY, "%u bytes: the status is read", bytes);
		asked = d.asked;
		v[0] = 1;
		rc = kmd_ask(&k, KMD_CLUSTER_STATUS, v, sizeof(v), NULL);
		if (generations[i].has_cluster_status)
			ok(rc == 0 && v[2] == 6,
			    "%u bytes: the status of a cluster is read", bytes);
		else
			ok(rc == NPU_EUSAGE && d.asked == asked,
			    "%u bytes: request 24 is not sent", bytes);
		rc = kmd_ask(&k, KMD_JOB_THREADS, v, sizeof(v), NULL);
		ok(generations[i].has_cluster_status ||
		    (rc == NPU_EUSAGE && d.asked == asked),
		    "%u bytes: request 25 is sent only to the newest "
		    "generation", bytes);
		ok(d.strange == 0, "%u bytes: only known requests are sent",
		    bytes);
	}
}

static void
before_the_generation(void)
{
	struct driver d = { .generation = KMD_200 };
	struct kmd k = { .fd = 42, .ioctl = driver_ioctl, .arg = &d };
	uint32_t v[3] = { 0 };

	for (int q = KMD_CAP; q <= KMD_JOB_THREADS; q++)
		ok(kmd_ask(&k, (enum kmd_question)q, v, 4, NULL) ==
		    NPU_EUSAGE && d.asked == 0,
		    "request %d is not sent before the generation is known", q);
}

static const struct {
	const char *what;
	uint32_t partitions, clusters, cores;
	const char *says;	/* NULL: accepted */
	uint32_t all_cores;
} sizes[] = {
	{ "two partitions are read", 2, 1, 3, NULL, 6 },
	{ "eight partitions with eight clusters each are read",
	    8, 8, 1, NULL, 64 },
	{ "a partition without clusters is read", 1, 0, 3, NULL, 0 },
	{ "65535 cores are read", 1, 1, 65535, NULL, 65535 },
	{ "an answer without partitions is refused",
	    0, 1, 3, "0 partitions, but 1 to 8", 0 },
	{ "nine partitions are refused",
	    9, 1, 3, "9 partitions, but 1 to 8", 0 },
	{ "nine clusters are refused", 1, 9, 3, "partition 0: 9 clusters", 0 },
	{ "65536 cores are refused", 1, 1, 65536, "cluster 0: 65536 cores", 0 },
};

static void
each_size(void)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct driver d = { .generation = KMD_424,
		    .partitions = sizes[i].partitions,
		    .clusters = sizes[i].clusters, .cores = sizes[i].cores };
		struct kmd k = { .fd = 42, .ioctl = driver_ioctl, .arg = &d };
		struct npu_err err = { .msg = "" };
		struct kmd_cap c = { .cores = 77 };
		int rc = kmd_query(&k, &c, &err);

		if (!ok(sizes[i].says == NULL ? rc == 0 &&
		    c.cores == sizes[i].all_cores : rc == NPU_EFORMAT &&
		    c.cores == 77 && strstr(err.msg, sizes[i].says) != NULL,
		    "%s", sizes[i].what))
			diag("%d, %u cores, %s", rc, c.cores, err.msg);
	}
}

static void
refusals(void)
{
	struct driver d = { .generation = KMD_UNKNOWN };
	struct kmd k = { .fd = 42, .ioctl = driver_ioctl, .arg = &d };
	struct npu_err err = { .msg = "" };
	struct kmd_cap c;

	ok(kmd_query(&k, &c, &err) == NPU_EDEVICE && d.asked == 3 &&
	    err.detail == ENOTTY && strstr(err.msg, "none of the three") !=
	    NULL, "a driver that knows none of the three requests is refused");
	d = (struct driver){ .generation = KMD_424, .error = EINVAL };
	ok(kmd_query(&k, &c, &err) == NPU_EDEVICE && d.asked == 3 &&
	    err.detail == EINVAL, "a driver that fails with EINVAL for all "
	    "three requests is refused");
	ok(kmd_query(&k, &c, NULL) == NPU_EDEVICE,
	    "a refusal without an error structure is returned");
	ok(kmd_cap_bytes(KMD_UNKNOWN) == 0,
	    "an unknown generation has no answer size");
	d = (struct driver){ .generation = KMD_424, .partitions = 2,
	    .clusters = 1, .cores = 1, .error = EIO, .only = PARTITIONS };
	ok(kmd_query(&k, &c, &err) == NPU_EDEVICE && d.asked == 2 &&
	    strstr(err.msg, "QUERY_PARTITION_CAP") != NULL, "a failed query "
	    "for partitions is reported: %s", err.msg);
	d = (struct driver){ .generation = KMD_424, .error = EIO };
	ok(kmd_query(&k, &c, &err) == NPU_EDEVICE && d.asked == 1 &&
	    err.detail == EIO, "a driver that fails with EIO is asked once");
	d = (struct driver){ .generation = KMD_424, .partitions = 1,
	    .interrupted = 2 };
	ok(kmd_query(&k, &c, &err) == 0 && d.asked == 3,
	    "interrupted requests are repeated");
}

static void
versions(void)
{
	char full[64];
	struct driver d = { .generation = KMD_424, .version = "5.11.0-long",
	    .version_size = 12 };
	struct kmd k = { .fd = 42, .ioctl = driver_ioctl, .arg = &d,
	    .generation = KMD_424 };
	char text[80] = "", small[8] = "";

	ok(kmd_version(&k, text, sizeof(text), NULL) == 0 &&
	    strcmp(text, "5.11.0-long") == 0,
	    "a version may be longer than its request states");
	ok(kmd_version(&k, small, sizeof(small), NULL) == 0 &&
	    strcmp(small, "5.11.0-") == 0, "a version is cut if the buffer is "
	    "too small");
	d.version = "6\n\033\377";
	d.version_size = 5;
	ok(kmd_version(&k, text, sizeof(text), NULL) == 0 &&
	    strcmp(text, "6???") == 0, "characters of a version that are not "
	    "printable become '?'");
	memset(full, 'x', sizeof(full));
	d.version = full;
	d.version_size = sizeof(full);
	ok(kmd_version(&k, text, sizeof(text), NULL) == 0 &&
	    strlen(text) == 63, "a version without a NUL is cut");
	d.version = NULL;
	ok(kmd_version(&k, text, sizeof(text), NULL) == NPU_EDEVICE,
	    "a driver without a version is refused");
}

/* ---- Nodes ------------------------------------------------------------- */

static void
nodes(void)
{
	struct npu_err err = { .msg = "" };
	struct kmd k = { .fd = -1 };
	struct kmd_cap c;

	ok(kmd_open(&k, "", "/dev/null", &err) == 0 &&
	    (fcntl(k.fd, F_GETFL) & O_ACCMODE) == O_RDONLY &&
	    (fcntl(k.fd, F_GETFD) & FD_CLOEXEC) != 0,
	    "a node is opened for reading only, and closed on exec");
	ok(kmd_query(&k, &c, &err) == NPU_EDEVICE, "another device is refused");
	kmd_close(&k);
	ok(k.fd == -1, "a closed node has no descriptor");
	ok(kmd_open(&k, "", "/dev/no-such-node", &err) == NPU_ENODEV &&
	    err.detail == ENOENT, "a missing node fails with ENOENT");
	ok(kmd_open(&k, "", "/", &err) == NPU_ENODEV &&
	    strstr(err.msg, "not a device node") != NULL, "a folder is refused "
	    "as a node");
}

int
main(void)
{
	each_generation();
	before_the_generation();
	each_size();
	refusals();
	versions();
	nodes();
	return done();
}
