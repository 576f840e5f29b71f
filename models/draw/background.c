// SPDX-License-Identifier: Apache-2.0
/* Random numbers, and backgrounds and noise all over a canvas. */
#include "paint.h"

/* splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", 2014. */
uint64_t
rng_next(struct rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

uint32_t
rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

int
rng_range(struct rng *r, int least, int most)
{
	return least + (int)rng_below(r, (uint32_t)(most - least + 1));
}

/* ---- Backgrounds ------------------------------------------------------ */

const char *const ground_names[GROUNDS] = {
	"plain", "gradient", "stripes", "checks", "patches",
};

/* Returns the share of the second colour at x, y, from 0 to 256. */
static int
share(const struct ground *g, int side, int x, int y)
{
	int cell = side / (PATCHES - 1);
	int along = g->dx * x + g->dy * y + 16 * side;
	int u = x % cell, v = y % cell, i = x / cell, j = y / cell;

	switch (g->kind) {
	case 1: return along * 256 / (32 * side);
	case 2: return along / (8 * g->pitch) % 2 * 256;
	case 3: return (x / g->pitch + y / g->pitch) % 2 * 256;
	case 4: return ((g->patch[j][i] * (cell - u) +
	    g->patch[j][i + 1] * u) * (cell - v) +
	    (g->patch[j + 1][i] * (cell - u) +
	    g->patch[j + 1][i + 1] * u) * v) / (cell * cell);
	default: return 0;
	}
}

void
ground_choose(struct ground *g, struct rng *r, int most_pitch)
{
	g->kind = rng_below(r, GROUNDS);
	g->dx = rng_range(r, -8, 8);
	g->dy = rng_range(r, -8, 8);
	g->pitch = rng_range(r, 6, most_pitch);
	for (int i = 0; i < PATCHES * PATCHES; i++)
		g->patch[i / PATCHES][i % PATCHES] = rng_range(r, 0, 256);
}

void
ground_paint(const struct ground *g, struct canvas *c, const uint8_t a[3],
    const uint8_t b[3])
{
	for (int y = 0; y < c->side; y++) {
		for (int x = 0; x < c->side; x++) {
			int w = share(g, c->side, x, y);

			for (int i = 0; i < 3; i++)
				canvas_at(c, x, y)[i] = (uint8_t)
				    ((a[i] * (256 - w) + b[i] * w) / 256);
		}
	}
}

/* ---- Noise ------------------------------------------------------------ */

void
canvas_noise(struct canvas *c, struct rng *r, int most)
{
	for (int i = 0; i < 3 * c->side * c->side; i++) {
		int v = c->rgb[i] + rng_range(r, -most, most);

		c->rgb[i] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
	}
}
