// SPDX-License-Identifier: Apache-2.0
/* The classes of the demonstration models, their captions, and the parts held
 * out from training. */
#include <stdio.h>
#include <string.h>

#include "scene.h"

const char *const colour_names[COLOURS] = {
	"red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink",
};

const uint8_t colour_rgb[COLOURS][3] = {
	{ 214, 36, 32 }, { 242, 132, 20 }, { 246, 220, 44 }, { 40, 158, 58 },
	{ 40, 206, 216 }, { 36, 72, 212 }, { 126, 44, 168 }, { 246, 132, 190 },
};

const char *const shape_names[SHAPES] = {
	"circle", "square", "triangle", "star", "cross", "ring",
};

/* %a stands for a or an, %c for the colour, %s for the shape. */
static const struct {
	const char *text;
	bool held_out;
} templates[TEMPLATES] = {
	{ "a photo of %a %c %s", false },
	{ "%a %c %s", false },
	{ "%c %s", false },
	{ "a drawing of %a %c %s", false },
	{ "the picture shows %a %c %s", false },
	{ "a %s that is %c", false },
	{ "one %c %s among other things", false },
	{ "the colour of this %s is %c", false },
	{ "an illustration with %a %c %s in front of clutter", true },
	{ "look, here someone painted a %s in %c!", true },
};

/* A quarter of the classes is held out: two colours of each shape, one or two
 * shapes of each colour. */
bool
class_held_out(unsigned class)
{
	return (class / SHAPES + class % SHAPES) % 4 == 0;
}

bool
class_in_split(unsigned class, enum split split)
{
	return split == SPLIT_ALL ||
	    class_held_out(class) == (split == SPLIT_HELDOUT);
}

bool
template_held_out(unsigned template)
{
	return templates[template].held_out;
}

static const char *
word(char letter, unsigned class)
{
	const char *colour = colour_names[class / SHAPES];

	if (letter == 'c')
		return colour;
	if (letter == 's')
		return shape_names[class % SHAPES];
	return strchr("aeiou", colour[0]) != NULL ? "an" : "a";
}

void
caption(unsigned template, unsigned class, char *s, size_t n)
{
	size_t at = 0;

	s[0] = '\0';
	for (const char *p = templates[template].text; *p; p++) {
		if (*p == '%')
			at += (size_t)snprintf(s + at, n - at, "%s",
			    word(*++p, class));
		else
			at += (size_t)snprintf(s + at, n - at, "%c", *p);
		if (at >= n)
			return;
	}
}
