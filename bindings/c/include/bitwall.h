/* bitwall: level collision for 2D games. Positions are whole pixels, x to the right, y down; boxes cover x <= p < x + w.
 *
 * A function that answers returns 0 or more, and a negative code on an error; one that makes something returns NULL on
 * an error. bitwall_error_text() then tells why. A NULL pointer is an error, never a crash. A level may be read by many
 * threads at once; while a function without `const` on it runs, no other thread may use it.
 *
 * Numbers: a position is any int32_t; a width, height, step or radius is 0 or more. A flag is 0 or 1. What is out of its
 * range is BITWALL_ARGUMENT, and the text names the argument and what is allowed.
 * Arrays: an array has at least the stated number of elements and the alignment of its type (4 bytes for int32_t and
 * float, 8 for double), as every array of C has, but not always a part of a buffer of bytes. No two arrays of a call
 * overlap. Misaligned or overlapping ones are BITWALL_ARGUMENT; one that is too short cannot be seen.
 * Texts end in a zero byte and are UTF-8. */
#ifndef BITWALL_H
#define BITWALL_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct bitwall_level bitwall_level;
typedef struct bitwall_mover bitwall_mover;

enum { BITWALL_LEFT, BITWALL_RIGHT, BITWALL_UP, BITWALL_DOWN };
enum { BITWALL_PLAIN, BITWALL_PLATFORMER, BITWALL_TOP_DOWN };
enum { /* sums of these: the result of bitwall_mover_step */
  BITWALL_GROUNDED = 1, BITWALL_HIT_LEFT = 2, BITWALL_HIT_RIGHT = 4, BITWALL_HIT_UP = 8, BITWALL_HIT_DOWN = 16,
  BITWALL_STARTED_SOLID = 32
};
enum {
  BITWALL_NULL = -1,     /* a pointer is NULL */
  BITWALL_ARGUMENT = -2, /* an argument is out of its range */
  BITWALL_LOAD = -3,     /* a file or its bytes give no level */
  BITWALL_SIZE = -4,     /* a level would be too large */
  BITWALL_INTERNAL = -5  /* a fault of bitwall; please report it */
};

/* The last error of this thread: its code, and a sentence in UTF-8 that is valid until the next error. */
int32_t bitwall_error_code(void);
const char *bitwall_error_text(void);

/* Levels: a Tiled map, a world, an LDtk project or a mask in PNG, from the disk or from bytes (a map whose tilesets are
 * in it); or an empty one of cells, for an engine that has a map of its own. */
bitwall_level *bitwall_level_load(const char *path);
bitwall_level *bitwall_level_decode(const char *name, const uint8_t *bytes, size_t count);
bitwall_level *bitwall_level_new(int32_t columns, int32_t rows, int32_t cell_width, int32_t cell_height);
bitwall_level *bitwall_level_in_pixels(const bitwall_level *level); /* a copy whose cells are pixels */
void bitwall_level_free(bitwall_level *level);
int32_t bitwall_level_size(const bitwall_level *level, int32_t *size); /* [4]: width, height, those of a cell */
int32_t bitwall_level_open_side(bitwall_level *level, int32_t side, int32_t open);
int32_t bitwall_level_marker(const bitwall_level *level, const char *name, int32_t *position); /* [2]; 1 if found */

/* Queries: 1 for yes, 0 for no. bitwall_sweep returns the pixels moved; if less than `step`, hit ([4] or NULL) gets
 * the column and row of the cell that stops the box, and the normal. */
int32_t bitwall_is_solid(const bitwall_level *level, int32_t x, int32_t y);
int32_t bitwall_overlaps(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h);
int32_t bitwall_area_overlaps(const bitwall_level *level, const char *name, int32_t x, int32_t y, int32_t w, int32_t h);
int32_t bitwall_can_move(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, int32_t dir,
                         int32_t step);
int32_t bitwall_sweep(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, int32_t dir,
                      int32_t step, int32_t *hit);
/* Each question is x, y, w, h, dir, step; each answer is a byte. An error names the question, from 0; some answers are
 * written then. */
int32_t bitwall_can_move_all(const bitwall_level *level, const int32_t *questions, size_t count, uint8_t *answers);

/* Edits: 1 if a cell changed. `solid` is 1 or 0, nothing else. A box or disc takes every cell that it touches. */
int32_t bitwall_set_cell(bitwall_level *level, int32_t column, int32_t row, int32_t solid);
int32_t bitwall_set_box(bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, int32_t solid);
int32_t bitwall_set_disc(bitwall_level *level, int32_t x, int32_t y, int32_t radius, int32_t solid);

/* Movers: slide, climb steps, keep fractions of a pixel. The velocity is in pixels a step, finite and below 2^31; a
 * step moves by at most 4096 px on each axis. A step height and a snap distance are 0 to 256. */
bitwall_mover *bitwall_mover_new(int32_t x, int32_t y, int32_t w, int32_t h, int32_t kind);
void bitwall_mover_free(bitwall_mover *mover);
int32_t bitwall_mover_set_steps(bitwall_mover *mover, int32_t step_height, int32_t snap_distance);
int32_t bitwall_mover_place(bitwall_mover *mover, int32_t x, int32_t y);
int32_t bitwall_mover_step(bitwall_mover *mover, const bitwall_level *level, float velocity_x, float velocity_y);
int32_t bitwall_mover_velocity(const bitwall_mover *mover, float *velocity);  /* [2]: what the last step left */
int32_t bitwall_mover_position(const bitwall_mover *mover, double *position); /* [2]: for drawing */
int32_t bitwall_mover_box(const bitwall_mover *mover, int32_t *body);         /* [4]: x, y, w, h */

#ifdef __cplusplus
}
#endif
#endif
