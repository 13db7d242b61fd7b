/* Written by bindings/doors from bindings/facade; edit those. */
/* bitwall: level collision for 2D games. Positions are whole pixels, x to the right, y down; a box covers
 * x <= p < x + w.
 *
 * Errors. A function that gives a handle, a text or a list returns NULL on an error; the others return a code
 * below 0 (below -1 where -1 means "none"). bitwall_error_text() then has the file, the place, the cause and
 * a remedy. A NULL pointer is an error, never a crash. No function exits, prints or throws.
 * Ownership. Who makes a handle frees it, once. Texts and lists belong to bitwall: each is valid until the
 * thread has received eight more, so `printf("%s %s", one(), two())` is right, and what is kept must be
 * copied. The text of an error lies at one address for each thread, and each error writes it anew.
 * Threads. A handle may be read by many threads at once; while a function without `const` on it runs, no
 * other thread may use it.
 * Numbers. A position is any int32_t; a width, height, step or radius is 0 or more; a flag is 0 or 1; a float
 * is finite.
 * Arrays have at least the stated number of elements and the alignment of their type (4 bytes for int32_t),
 * and no two of a call overlap. Misaligned or overlapping ones are errors; one that is too short cannot be
 * seen.
 * Texts end in a zero byte and are UTF-8. Lists as texts have one entry a line. */
#ifndef BITWALL_H
#define BITWALL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum {
  BITWALL_ARGUMENT = -2, /**< an argument is out of its range */
  BITWALL_LOAD = -3,     /**< a file or its bytes give no level */
  BITWALL_SIZE = -4,     /**< a level would be too large */
  BITWALL_INTERNAL = -5, /**< a fault of bitwall; please report it */
  BITWALL_NULL = -6,     /**< a pointer is NULL */
  BITWALL_MISSING = -7   /**< there is no body or marker of this number */
};

/** A direction of motion. */
enum {
  BITWALL_DIR_LEFT = 0, /**< Toward smaller x. */
  BITWALL_DIR_RIGHT = 1, /**< Toward larger x. */
  BITWALL_DIR_UP = 2, /**< Toward smaller y. */
  BITWALL_DIR_DOWN = 3 /**< Toward larger y. */
};

/** A side, or none. */
enum {
  BITWALL_SIDE_NONE = 0, /**< No side. */
  BITWALL_SIDE_LEFT = 1, /**< The left side. */
  BITWALL_SIDE_RIGHT = 2, /**< The right side. */
  BITWALL_SIDE_UP = 3, /**< The upper side. */
  BITWALL_SIDE_DOWN = 4 /**< The lower side. */
};

/** What a body is made for: its first settings. */
enum {
  BITWALL_KIND_PLAIN = 0, /**< A body without a floor that slides along solids. */
  BITWALL_KIND_PLATFORMER = 1, /**< A body that walks on floors, steps and slopes. */
  BITWALL_KIND_TOP_DOWN = 2 /**< A body seen from above, which slips around corners. */
};

/** The way of a step along both axes. */
enum {
  BITWALL_MOVE_PATH_X_THEN_Y = 0, /**< All of x first, then y. */
  BITWALL_MOVE_PATH_Y_THEN_X = 1, /**< All of y first, then x. */
  BITWALL_MOVE_PATH_STRAIGHT = 2, /**< The straight line; a corner of a solid stops the body. */
  BITWALL_MOVE_PATH_STRAIGHT_PAST_CORNERS = 3 /**< The straight line, which may pass between two solid cells that touch at a corner. */
};

/** What a body does at a solid. */
enum {
  BITWALL_RESPONSE_STOP = 0, /**< It stops. */
  BITWALL_RESPONSE_SLIDE = 1, /**< It slides along the solid. */
  BITWALL_RESPONSE_BOUNCE = 2, /**< It bounces off. */
  BITWALL_RESPONSE_CROSS = 3 /**< It goes through, and the contacts tell what it met. */
};

/** The stance of a platformer. */
enum {
  BITWALL_STANCE_AIR = 0, /**< It rises or falls. */
  BITWALL_STANCE_GROUND = 1, /**< It stands on a floor. */
  BITWALL_STANCE_WALL_SLIDE = 2, /**< It falls along a wall. */
  BITWALL_STANCE_LEDGE = 3, /**< It hangs on a ledge. */
  BITWALL_STANCE_LEDGE_CLIMB = 4, /**< It climbs onto a ledge. */
  BITWALL_STANCE_LADDER = 5, /**< It is on a ladder. */
  BITWALL_STANCE_WATER = 6 /**< It swims. */
};

/** What a follower does. */
enum {
  BITWALL_FOLLOW_GO = 0, /**< It goes on. */
  BITWALL_FOLLOW_ARRIVED = 1, /**< It is there. */
  BITWALL_FOLLOW_NO_WAY = 2 /**< No way is known. */
};

/** The shape of a marker. */
enum {
  BITWALL_MARKER_SHAPE_RECTANGLE = 0, /**< A rectangle, or a tile. */
  BITWALL_MARKER_SHAPE_POINT = 1, /**< A point. */
  BITWALL_MARKER_SHAPE_ELLIPSE = 2, /**< An ellipse. */
  BITWALL_MARKER_SHAPE_CAPSULE = 3, /**< A rectangle with round ends. */
  BITWALL_MARKER_SHAPE_POLYGON = 4, /**< The area in a closed line. */
  BITWALL_MARKER_SHAPE_POLYLINE = 5 /**< An open line, such as the path of a lift. */
};

/** What happened in a step of a world. */
enum {
  BITWALL_EVENT_KIND_CRUSHED = 0, /**< A platform, `other`, crushed a body against a solid. */
  BITWALL_EVENT_KIND_BURIED = 1, /**< An edit of the level has buried a character. */
  BITWALL_EVENT_KIND_HIT = 2, /**< A bullet, or a ball that watches, hit a cell or another body. */
  BITWALL_EVENT_KIND_BEGIN = 3, /**< A body began to touch or overlap another one that it watches. */
  BITWALL_EVENT_KIND_STAY = 4, /**< A body still touches or overlaps another one that it watches. */
  BITWALL_EVENT_KIND_END = 5 /**< A body no longer touches another one that it watches. */
};

/** One body that slides, climbs steps and slopes, and keeps fractions of a pixel. The game has its velocity. */
typedef struct bitwall_mover bitwall_mover;

/** A character that runs, jumps, climbs and swims by its keys, in a level without other bodies. */
typedef struct bitwall_platformer bitwall_platformer;

/** What a level's maps draw, in the order of drawing. */
typedef struct bitwall_scene bitwall_scene;

/** The ways of a body that runs and jumps: every link was played by a real platformer. Not every way is found,
 * but none is false. */
typedef struct bitwall_jump_ways bitwall_jump_ways;

/** The way of one body along jump ways. */
typedef struct bitwall_follower bitwall_follower;

/** A level: walls as bits, with named areas and markers. Positions are pixels, x to the right, y down. */
typedef struct bitwall_level bitwall_level;

/** The cells of a box of a level before an edit, to undo the edit. */
typedef struct bitwall_patch bitwall_patch;

/** A body or a brush that is no box: the pixels of a small picture. */
typedef struct bitwall_footprint bitwall_footprint;

/** The files of a level that is not loaded from the disk: from an archive, an engine's resources or the
 * network. Put the level's own file first, then ask for those that are wanted until there is none. */
typedef struct bitwall_files bitwall_files;

/** The shortest ways of boxes of one size. Prepare the size in the level first: then an edit redoes only its
 * part. */
typedef struct bitwall_ways bitwall_ways;

/** The way of every free place to the nearest of some goals, for a crowd. An edit of the level does not change
 * it. */
typedef struct bitwall_field bitwall_field;

/** Bodies in a level that move together, step by step. */
typedef struct bitwall_world bitwall_world;

/** A box of whole pixels; it covers x <= p < x + w. */
typedef struct bitwall_rect {
  int32_t x; /**< The left edge. */
  int32_t y; /**< The top edge. */
  int32_t w; /**< The width. */
  int32_t h; /**< The height. */
} bitwall_rect;

/** A place or a vector in pixels, with fractions. */
typedef struct bitwall_point {
  double x; /**< The part along x. */
  double y; /**< The part along y. */
} bitwall_point;

/** A pixel, if one was found. */
typedef struct bitwall_pixel {
  bool found; /**< True if there is such a pixel. */
  int32_t x; /**< Its x; 0 if there is none. */
  int32_t y; /**< Its y; 0 if there is none. */
} bitwall_pixel;

/** How a mover moves. Lengths are whole pixels from 0 to 256. */
typedef struct bitwall_settings {
  int32_t path; /**< The way of a step along both axes. One of BITWALL_MOVE_PATH_... */
  int32_t response; /**< What the body does at a solid. One of BITWALL_RESPONSE_... */
  int32_t restitution; /**< The part of the speed that a bounce keeps, in percent: 0 to 100. */
  int32_t floor; /**< The side of the body on which its floor is; none for a view from above. One of BITWALL_SIDE_... */
  int32_t step_height; /**< The highest step that the body walks up. */
  int32_t snap_distance; /**< The depth to which the body is kept on a floor that falls away. */
  int32_t slope_rise; /**< The steepest slope that is a floor: so many pixels up, from 0 to 65535. */
  int32_t slope_run; /**< On so many pixels aside; 0 makes every slope a floor. */
  bool walks_along_slope; /**< True if the speed of a walk counts along the slope, not along the axis. */
  int32_t corner_left; /**< How far a body that moves left is moved aside to pass a corner. */
  int32_t corner_right; /**< The same to the right. */
  int32_t corner_up; /**< The same upward. */
  int32_t corner_down; /**< The same downward. */
  bool slides_around_corners; /**< True if a body that stands against a corner glides around it. */
  bool one_way_left; /**< True if one-way cells stop a body that moves left. */
  bool one_way_right; /**< The same to the right. */
  bool one_way_up; /**< The same upward. */
  bool one_way_down; /**< The same downward. */
} bitwall_settings;

/** What a step did. */
typedef struct bitwall_motion {
  int32_t moved_x; /**< The whole pixels moved along x. */
  int32_t moved_y; /**< The whole pixels moved along y. */
  float velocity_x; /**< The velocity along x that the step left: 0 after a solid. */
  float velocity_y; /**< The velocity along y that the step left. */
  bool grounded; /**< True if the body stands on its floor. */
  bool was_grounded; /**< True if the body stood on its floor before the step. */
  bool hit_left; /**< True if a solid stopped the body on its left. */
  bool hit_right; /**< True if a solid stopped the body on its right. */
  bool hit_up; /**< True if a solid stopped the body above. */
  bool hit_down; /**< True if a solid stopped the body below. */
  bool started_solid; /**< True if the body overlapped a solid before the step. */
  int32_t stance; /**< The stance; on the ground or in the air for a body without keys. One of BITWALL_STANCE_... */
  int32_t facing; /**< The side to which a body with keys looks; none before its first key. One of BITWALL_SIDE_... */
  bool jumped; /**< True if a body with keys jumped in the step. */
} bitwall_motion;

/** The feel of a platformer: pixels, seconds, pixels a second, pixels a second squared. All numbers are finite
 * and at least 0, but for `carry`. */
typedef struct bitwall_feel {
  int32_t floor; /**< The direction in which the character falls. One of BITWALL_DIR_... */
  float top_speed; /**< The highest speed of a run. */
  float acceleration; /**< The acceleration on a floor. */
  float friction; /**< The loss of speed on a floor without a key. */
  float air_acceleration; /**< The acceleration in the air. */
  float air_friction; /**< The loss of speed in the air without a key. */
  float jump_height; /**< The height of a jump with the key held. */
  float jump_time; /**< The time to the highest point of a jump. */
  float fall_scale; /**< The gravity of a fall, as a multiple of the gravity of a rise. */
  float fall_limit; /**< The highest speed of a fall. */
  float apex_speed; /**< Below this speed along y gravity is halved while the jump key is held. */
  float released_speed; /**< The highest speed of a rise after the jump key was released. */
  float coyote_time; /**< The time for a jump after leaving a floor (coyote time). */
  int32_t air_jumps; /**< The number of jumps in the air: 0 to 255. */
  float buffer_time; /**< The time for which a press of the jump key counts. */
  float wall_slide_speed; /**< The highest speed of a fall along a wall. */
  int32_t wall_reach; /**< The distance to a wall below which it can be jumped from. */
  float wall_contact; /**< The part of the body's height that must touch a wall: 0 to 1. */
  float wall_jump_x; /**< The speed of a jump from a wall, away from it. */
  float wall_jump_y; /**< The speed of a jump from a wall, upward. */
  float wall_jump_time; /**< The time without steering after a jump from a wall. */
  int32_t ledge_reach; /**< The distance from the body's top up to a ledge that it grabs. */
  float ledge_time; /**< The time of a climb onto a ledge. */
  float dash_speed; /**< The speed of a dash; 0 without dashes. */
  float dash_time; /**< The time of a dash. */
  float dash_wait; /**< The time after a dash without another. */
  int32_t crouch_height; /**< The height of a crouching body; 0 without crouching. */
  float crouch_speed; /**< The highest speed while crouching. */
  float carry_x; /**< The velocity of wind or a stream along x, of either sign. */
  float carry_y; /**< The velocity of wind or a stream along y, of either sign. */
  float momentum_limit; /**< The highest speed that a jump takes over from a platform. */
  float momentum_time; /**< The time for which a jump still takes over a platform's speed. */
  float climb_speed; /**< The speed on a ladder. */
  int32_t ladder_snap; /**< The distance by which a climbing body moves to the middle of its ladder. */
  float swim_speed; /**< The highest speed in water. */
  float swim_acceleration; /**< The acceleration in water. */
  float float_speed; /**< The speed at which a body in water rises by itself. */
} bitwall_feel;

/** A part of a picture at its place in the level. Turn it about its middle after it is mirrored. */
typedef struct bitwall_sprite {
  int32_t picture; /**< The number of the picture in `Scene.pictures`, from 0; -1 for a box of one colour. */
  int32_t source_x; /**< The left edge of the part in the picture. */
  int32_t source_y; /**< The top edge of the part. */
  int32_t source_w; /**< The width of the part. */
  int32_t source_h; /**< The height of the part. */
  float x; /**< The middle of the drawing along x, in pixels of the level (of the screen for an isometric map). */
  float y; /**< The middle of the drawing along y. */
  float w; /**< The width to which the part is scaled. */
  float h; /**< The height to which the part is scaled. */
  bool flip_x; /**< True if the part is mirrored left to right. */
  bool flip_y; /**< True if the part is mirrored top to bottom. */
  float degrees; /**< The clockwise rotation in degrees. */
  bool repeat_x; /**< True for a picture that repeats to the left and right without limit. */
  bool repeat_y; /**< True for a picture that repeats upward and downward without limit. */
  float red; /**< The red part of the tint, or of the one colour: 0 to 1. */
  float green; /**< The green part. */
  float blue; /**< The blue part. */
  float alpha; /**< The opacity: 0 (clear) to 1. */
  int32_t layer; /**< The number of the layer in `Scene.layers`, from 0. */
  float parallax_x; /**< How many pixels the layer moves along x for one of the camera; usually 1. */
  float parallax_y; /**< How many pixels the layer moves along y for one of the camera. */
} bitwall_sprite;

/** The size of a level in pixels. */
typedef struct bitwall_size {
  int32_t width; /**< The width of the level. */
  int32_t height; /**< The height of the level. */
  int32_t cell_width; /**< The width of a cell. */
  int32_t cell_height; /**< The height of a cell. */
} bitwall_size;

/** How far a box can move, and what stops it. */
typedef struct bitwall_sweep {
  int32_t moved; /**< The pixels that the box moves. */
  bool hit; /**< True if something stops the box; if not, the other numbers say nothing. */
  int32_t column; /**< The column of the cell that stops the box. */
  int32_t row; /**< The row of the cell that stops the box. */
  int32_t normal_x; /**< The normal along x: out of the solid, toward the box. */
  int32_t normal_y; /**< The normal along y. */
  int32_t body; /**< The body of a world that stops the box; -1 for a cell. */
} bitwall_sweep;

/** The first solid on a straight line. */
typedef struct bitwall_ray {
  bool hit; /**< True if there is a solid; if not, the other numbers say nothing. */
  int32_t x; /**< The solid pixel that the line enters first: its x. */
  int32_t y; /**< The y of the pixel. */
  int32_t column; /**< The column of the pixel's cell. */
  int32_t row; /**< The row of the pixel's cell. */
  int32_t normal_x; /**< The normal of the side through which the line enters; 0 and 0 if the line starts in a solid. */
  int32_t normal_y; /**< The normal along y. */
  int32_t body; /**< The body of a world that the line hits; -1 for a cell. */
  double fraction; /**< The part of the line before the hit, from 0 to 1. */
} bitwall_ray;

/** What the map's maker placed and what stops nobody: a spawn, a door, a path. */
typedef struct bitwall_marker {
  int32_t x; /**< The left edge of the box around the marker as it is drawn. */
  int32_t y; /**< The top edge of the box. */
  int32_t w; /**< The width of the box; 0 for a point. */
  int32_t h; /**< The height of the box; 0 for a point. */
  int32_t at_x; /**< The x of the point, or of the middle of the box. */
  int32_t at_y; /**< The y of the point, or of the middle of the box. */
  int32_t shape; /**< The shape. One of BITWALL_MARKER_SHAPE_... */
  float rotation; /**< The clockwise rotation in degrees, which the box includes. */
  int32_t object; /**< The id of the object in its map. */
  int32_t map; /**< The index of the map in its world; 0 without a world. */
  int32_t tile; /**< The id in its tileset of the tile that the marker shows; -1 without a tile. */
  bool flip_x; /**< True if the tile is mirrored left to right. */
  bool flip_y; /**< True if the tile is mirrored top to bottom. */
} bitwall_marker;

/** An event of a step. */
typedef struct bitwall_event {
  int32_t kind; /**< What happened. One of BITWALL_EVENT_KIND_... */
  int32_t body; /**< The body to which it happened, or which watches; -1 for a body that was removed before the step. */
  int32_t other; /**< The other body; -1 for a cell. */
  int32_t side; /**< The side of the body that the other one touches; none if they overlap. One of BITWALL_SIDE_... */
  int32_t column; /**< The column of the cell that was hit. */
  int32_t row; /**< The row of the cell that was hit. */
  float normal_x; /**< The normal of a hit along x: out of the solid, of length 1. */
  float normal_y; /**< The normal of a hit along y. */
} bitwall_event;

/** Where to draw a body. */
typedef struct bitwall_drawn {
  int32_t body; /**< The body. */
  float x; /**< The left edge. */
  float y; /**< The top edge. */
  float w; /**< The width. */
  float h; /**< The height. */
} bitwall_drawn;

/** Returns the version, such as 0.1.0. */
const char *bitwall_version(void);

/** Returns the code of the last error of this thread; 0 before the first. */
int32_t bitwall_error_code(void);

/** Returns the last error of this thread as a sentence in UTF-8; empty before the first. */
const char *bitwall_error_text(void);

/* Feel */

/** Returns the usual feel, for tiles of 16 pixels. 0; below 0 on an error. */
int32_t bitwall_feel_usual(bitwall_feel *out);

/* Mover */

/** Makes a mover with the settings of its kind. NULL on an error. Free it. */
bitwall_mover *bitwall_mover_new(int32_t x, int32_t y, int32_t w, int32_t h, int32_t kind);

/** Returns the settings, for a change of some of them. 0; below 0 on an error. */
int32_t bitwall_mover_settings(const bitwall_mover *mover, bitwall_settings *out);

/** Sets all settings. 0; below 0 on an error. */
int32_t bitwall_mover_set_settings(bitwall_mover *mover, const bitwall_settings *settings);

/** Puts the top-left corner at a pixel, through all solids. 0; below 0 on an error. */
int32_t bitwall_mover_place(bitwall_mover *mover, int32_t x, int32_t y);

/** Moves by a velocity in pixels a step, as far as the level allows and at most 4096 pixels. 0; below 0 on an
 * error. */
int32_t bitwall_mover_step(bitwall_mover *mover, const bitwall_level *level, float velocity_x, float velocity_y, bitwall_motion *out);

/** Changes the size, as for a crouch; the side `anchor` stays. False, and nothing changes, if there is no room.
 * 1 for true, 0 for false; below 0 on an error. */
int32_t bitwall_mover_resize(bitwall_mover *mover, const bitwall_level *level, int32_t w, int32_t h, int32_t anchor);

/** Drops through the one-way floor on which the body stands. False if it stands on none. 1 for true, 0 for
 * false; below 0 on an error. */
int32_t bitwall_mover_drop_through(bitwall_mover *mover, const bitwall_level *level);

/** Moves a body that overlaps a solid to the nearest free place, at most `radius` pixels away. Returns that
 * move, or none if there is no such place. 0; below 0 on an error. */
int32_t bitwall_mover_unstick(bitwall_mover *mover, const bitwall_level *level, int32_t radius, bitwall_pixel *out);

/** Returns the box in whole pixels. 0; below 0 on an error. */
int32_t bitwall_mover_bounds(const bitwall_mover *mover, bitwall_rect *out);

/** Returns the exact place of the top-left corner. 0; below 0 on an error. */
int32_t bitwall_mover_position(const bitwall_mover *mover, bitwall_point *out);

/** Returns where to draw the top-left corner, which also glides along slopes. 0; below 0 on an error. */
int32_t bitwall_mover_drawn(const bitwall_mover *mover, const bitwall_level *level, bitwall_point *out);

/** Returns a number that is equal for equal movers, on every platform. 0 on an error. */
uint64_t bitwall_mover_checksum(const bitwall_mover *mover);

/** Frees it; NULL is allowed. */
void bitwall_mover_free(bitwall_mover *mover);

/* Platformer */

/** Makes a character at rest in the air, for a game with `fps` steps a second, with the usual feel. NULL on an
 * error. Free it. */
bitwall_platformer *bitwall_platformer_new(int32_t x, int32_t y, int32_t w, int32_t h, int32_t fps);

/** Returns the feel, for a change of some of it. 0; below 0 on an error. */
int32_t bitwall_platformer_feel(const bitwall_platformer *platformer, bitwall_feel *out);

/** Sets the whole feel. 0; below 0 on an error. */
int32_t bitwall_platformer_set_feel(bitwall_platformer *platformer, const bitwall_feel *feel);

/** Names the areas that are ladders and water, as in the level; empty for none. 0; below 0 on an error. */
int32_t bitwall_platformer_set_areas(bitwall_platformer *platformer, const char *ladder, const char *water);

/** Returns the settings of the motion. 0; below 0 on an error. */
int32_t bitwall_platformer_settings(const bitwall_platformer *platformer, bitwall_settings *out);

/** Sets the settings of the motion. The response must be to slide. 0; below 0 on an error. */
int32_t bitwall_platformer_set_settings(bitwall_platformer *platformer, const bitwall_settings *settings);

/** Moves by one step with the keys that are held: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1
 * (down). 0; below 0 on an error. */
int32_t bitwall_platformer_step(bitwall_platformer *platformer, const bitwall_level *level, float x, float y, int32_t jump, int32_t dash, bitwall_motion *out);

/** Returns what the last step did, also that of a follower, with the velocity as it is now. Nothing moved
 * before the first step. 0; below 0 on an error. */
int32_t bitwall_platformer_motion(const bitwall_platformer *platformer, bitwall_motion *out);

/** Puts the top-left corner at a pixel, through all solids. 0; below 0 on an error. */
int32_t bitwall_platformer_place(bitwall_platformer *platformer, int32_t x, int32_t y);

/** Sets the velocity in pixels a second, as for a spring. 0; below 0 on an error. */
int32_t bitwall_platformer_set_velocity(bitwall_platformer *platformer, float velocity_x, float velocity_y);

/** Gives a velocity and keeps it for some seconds, as for a knockback: no key and no gravity changes it. 0;
 * below 0 on an error. */
int32_t bitwall_platformer_force(bitwall_platformer *platformer, float velocity_x, float velocity_y, float seconds);

/** Returns the box in whole pixels. 0; below 0 on an error. */
int32_t bitwall_platformer_bounds(const bitwall_platformer *platformer, bitwall_rect *out);

/** Returns the exact place of the top-left corner. 0; below 0 on an error. */
int32_t bitwall_platformer_position(const bitwall_platformer *platformer, bitwall_point *out);

/** Returns where to draw the top-left corner. 0; below 0 on an error. */
int32_t bitwall_platformer_drawn(const bitwall_platformer *platformer, const bitwall_level *level, bitwall_point *out);

/** Returns a number that is equal for equal characters, on every platform. 0 on an error. */
uint64_t bitwall_platformer_checksum(const bitwall_platformer *platformer);

/** Frees it; NULL is allowed. */
void bitwall_platformer_free(bitwall_platformer *platformer);

/* Scene */

/** Returns the paths of the pictures, one a line, by their numbers from 0. NULL on an error. */
const char *bitwall_scene_pictures(const bitwall_scene *scene);

/** Returns the names of the layers that draw, one a line, by their numbers from 0. A name can be there twice.
 * NULL on an error. */
const char *bitwall_scene_layers(const bitwall_scene *scene);

/** Returns everything, from the back to the front. NULL on an error; `count` gets the number of elements. */
const bitwall_sprite *bitwall_scene_all(const bitwall_scene *scene, size_t *count);

/** Returns what may be seen in a box of pixels, from the back to the front. O(all). NULL on an error; `count`
 * gets the number of elements. */
const bitwall_sprite *bitwall_scene_seen(const bitwall_scene *scene, int32_t x, int32_t y, int32_t w, int32_t h, size_t *count);

/** Frees it; NULL is allowed. */
void bitwall_scene_free(bitwall_scene *scene);

/* JumpWays */

/** Finds the ways of a body of this size with this feel, in a game with `fps` steps a second. It takes from
 * some milliseconds to a second. NULL on an error. Free it. */
bitwall_jump_ways *bitwall_jump_ways_new(const bitwall_level *level, int32_t w, int32_t h, const bitwall_feel *feel, int32_t fps);

/** Tells the ways that the cells of a box were edited: no link is offered that the edit may have changed. 0;
 * below 0 on an error. */
int32_t bitwall_jump_ways_edited(bitwall_jump_ways *jump_ways, int32_t x, int32_t y, int32_t w, int32_t h);

/** Finds the changed links after edits, for at most about `budget` steps of play. True if all are found. 1 for
 * true, 0 for false; below 0 on an error. */
int32_t bitwall_jump_ways_update(bitwall_jump_ways *jump_ways, const bitwall_level *level, int32_t budget);

/** True if a way may lead from one place of the body's top-left corner to another; false if none is known. 1
 * for true, 0 for false; below 0 on an error. */
int32_t bitwall_jump_ways_may_reach(const bitwall_jump_ways *jump_ways, int32_t x, int32_t y, int32_t to_x, int32_t to_y);

/** Returns the jumps and falls of a way: x and y of the start and of the end of each. Between them the body
 * walks. Empty without a way, and for a walk. NULL on an error; `count` gets the number of elements. */
const int32_t *bitwall_jump_ways_path(const bitwall_jump_ways *jump_ways, int32_t x, int32_t y, int32_t to_x, int32_t to_y, size_t *count);

/** Frees it; NULL is allowed. */
void bitwall_jump_ways_free(bitwall_jump_ways *jump_ways);

/* Follower */

/** Makes a follower for one body. NULL on an error. Free it. */
bitwall_follower *bitwall_follower_new(void);

/** Moves a character by one step toward a place, by the keys of the way. It must have the size and the feel of
 * the ways. Below -1 on an error. */
int32_t bitwall_follower_step(bitwall_follower *follower, const bitwall_jump_ways *ways, const bitwall_level *level, bitwall_platformer *character, int32_t to_x, int32_t to_y);

/** Sets the keys that a player of a world holds in the next step of the world, by the way toward a place. The
 * player must have the size and the feel of the ways, which know neither lifts nor crates. Below -1 on an
 * error. */
int32_t bitwall_follower_steer(bitwall_follower *follower, const bitwall_jump_ways *ways, const bitwall_level *level, bitwall_world *world, int32_t body, int32_t to_x, int32_t to_y);

/** Frees it; NULL is allowed. */
void bitwall_follower_free(bitwall_follower *follower);

/* Level */

/** Makes an empty level of `columns` x `rows` cells, each `cell_width` x `cell_height` pixels. NULL on an
 * error. Free it. */
bitwall_level *bitwall_level_new(int32_t columns, int32_t rows, int32_t cell_width, int32_t cell_height);

/** Makes a level of an engine's own map: a cell is solid where the byte is not 0. Row by row, a byte for each
 * cell. NULL on an error. Free it. */
bitwall_level *bitwall_level_from_cells(int32_t columns, int32_t rows, int32_t cell_width, int32_t cell_height, const uint8_t *cells, size_t cells_count);

/** Makes a level of rows of `#` (solid) and `.` (passable). NULL on an error. Free it. */
bitwall_level *bitwall_level_from_text(const char *text, int32_t cell_width, int32_t cell_height);

/** Makes a level of a baked one. It has the cells, areas and markers of its source, and no pictures. NULL on an
 * error. Free it. */
bitwall_level *bitwall_level_from_baked(const uint8_t *bytes, size_t bytes_count);

/** Returns the level as the bytes of a baked one. NULL on an error; `count` gets the number of elements. */
const uint8_t *bitwall_level_bake(const bitwall_level *level, size_t *count);

/** Returns a copy of the level. NULL on an error. Free it. */
bitwall_level *bitwall_level_copy(const bitwall_level *level);

/** Returns a copy whose cells are pixels, so that edits take shapes pixel by pixel. NULL on an error. Free it. */
bitwall_level *bitwall_level_in_pixels(const bitwall_level *level);

/** Returns the size of the level and of a cell in pixels. 0; below 0 on an error. */
int32_t bitwall_level_size(const bitwall_level *level, bitwall_size *out);

/** Makes the outside of the level passable or solid on one side. It is solid before. 0; below 0 on an error. */
int32_t bitwall_level_open_side(bitwall_level *level, int32_t side, int32_t open);

/** Makes questions about boxes of this size faster, and keeps them so after edits. False if the memory for it
 * is used up. 1 for true, 0 for false; below 0 on an error. */
int32_t bitwall_level_prepare(bitwall_level *level, int32_t w, int32_t h);

/** True if the pixel is solid. 1 for true, 0 for false; below 0 on an error. */
int32_t bitwall_level_is_solid(const bitwall_level *level, int32_t x, int32_t y);

/** True if the box overlaps a solid. 1 for true, 0 for false; below 0 on an error. */
int32_t bitwall_level_overlaps(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h);

/** True if the box can move by `step` pixels. The whole way counts, so no thin wall is skipped. 1 for true, 0
 * for false; below 0 on an error. */
int32_t bitwall_level_can_move(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, int32_t dir, int32_t step);

/** Returns how far the box can move, at most `step` pixels, and the cell that stops it. 0; below 0 on an error. */
int32_t bitwall_level_sweep(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, int32_t dir, int32_t step, bitwall_sweep *out);

/** Answers many questions of `can_move`: each is the six numbers x, y, w, h, dir (0 left, 1 right, 2 up, 3
 * down) and step. An answer is 0 or 1. On an error some answers are written. 0; below 0 on an error. */
int32_t bitwall_level_can_move_all(const bitwall_level *level, const int32_t *questions, size_t questions_count, uint8_t *answers, size_t answers_count);

/** Answers many questions of `sweep`, as `can_move_all`: each answer is the pixels moved. 0; below 0 on an
 * error. */
int32_t bitwall_level_sweep_all(const bitwall_level *level, const int32_t *questions, size_t questions_count, int32_t *answers, size_t answers_count);

/** Returns the first solid on the line between the middles of two pixels. `corners` is true for a line that may
 * pass between two solid cells that touch at a corner. 0; below 0 on an error. */
int32_t bitwall_level_ray(const bitwall_level *level, int32_t x, int32_t y, int32_t to_x, int32_t to_y, int32_t corners, bitwall_ray *out);

/** True if no solid is on the line between the middles of two pixels; the answer is the same both ways. 1 for
 * true, 0 for false; below 0 on an error. */
int32_t bitwall_level_line_of_sight(const bitwall_level *level, int32_t x, int32_t y, int32_t to_x, int32_t to_y, int32_t corners);

/** True if the footprint with its top-left corner at a pixel overlaps a solid. 1 for true, 0 for false; below 0
 * on an error. */
int32_t bitwall_level_footprint_overlaps(const bitwall_level *level, const bitwall_footprint *footprint, int32_t x, int32_t y);

/** Returns how far the footprint can move, at most `step` pixels, and the cell that stops it. 0; below 0 on an
 * error. */
int32_t bitwall_level_footprint_sweep(const bitwall_level *level, const bitwall_footprint *footprint, int32_t x, int32_t y, int32_t dir, int32_t step, bitwall_sweep *out);

/** Makes a cell solid or passable. True if it changed. 1 for true, 0 for false; below 0 on an error. */
int32_t bitwall_level_set_cell(bitwall_level *level, int32_t column, int32_t row, int32_t solid);

/** Makes each cell that touches the box solid or passable. True if one changed. 1 for true, 0 for false; below
 * 0 on an error. */
int32_t bitwall_level_set_box(bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, int32_t solid);

/** Makes each cell that contains a pixel of the disc solid or passable. True if one changed. 1 for true, 0 for
 * false; below 0 on an error. */
int32_t bitwall_level_set_disc(bitwall_level *level, int32_t x, int32_t y, int32_t radius, int32_t solid);

/** Makes each cell that contains a pixel of the footprint solid or passable. True if one changed. 1 for true, 0
 * for false; below 0 on an error. */
int32_t bitwall_level_set_footprint(bitwall_level *level, const bitwall_footprint *footprint, int32_t x, int32_t y, int32_t solid);

/** Puts the cells, areas and markers of another level into this one, with the other's top-left corner at a
 * pixel that is a corner of a cell. True if a cell changed. 1 for true, 0 for false; below 0 on an error. */
int32_t bitwall_level_place(bitwall_level *level, const bitwall_level *other, int32_t x, int32_t y);

/** Returns the cells of the box as they are now, so that `apply` undoes later edits of it. NULL on an error.
 * Free it. */
bitwall_patch *bitwall_level_patch(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h);

/** Puts the cells of the patch back. True if one changed. 1 for true, 0 for false; below 0 on an error. */
int32_t bitwall_level_apply(bitwall_level *level, const bitwall_patch *patch);

/** Returns a number that is equal for equal levels, on every platform. 0 on an error. */
uint64_t bitwall_level_checksum(const bitwall_level *level);

/** Returns the number of markers. Below -1 on an error. */
int32_t bitwall_level_marker_count(const bitwall_level *level);

/** Returns the index of the first marker with this name; -1 without one. Below -1 on an error. */
int32_t bitwall_level_find_marker(const bitwall_level *level, const char *name);

/** Returns the place and the shape of a marker, by its index from 0 in the order of the file. 0; below 0 on an
 * error. */
int32_t bitwall_level_marker(const bitwall_level *level, int32_t index, bitwall_marker *out);

/** Returns the name of a marker, which may be empty. NULL on an error. */
const char *bitwall_level_marker_name(const bitwall_level *level, int32_t index);

/** Returns the class of a marker (Tiled also calls it type), which may be empty. NULL on an error. */
const char *bitwall_level_marker_class(const bitwall_level *level, int32_t index);

/** Returns the layer of a marker, with the names of its groups. NULL on an error. */
const char *bitwall_level_marker_layer(const bitwall_level *level, int32_t index);

/** Returns x and y of each point of a marker's shape as it is drawn. NULL on an error; `count` gets the number
 * of elements. */
const int32_t *bitwall_level_marker_points(const bitwall_level *level, int32_t index, size_t *count);

/** Returns the names of a marker's properties, one a line. NULL on an error. */
const char *bitwall_level_marker_properties(const bitwall_level *level, int32_t index);

/** Returns a property of a marker as a text: true or false for a flag, the digits of a number. Empty if the
 * marker has no such property, or if it is a list or a class. NULL on an error. */
const char *bitwall_level_marker_text(const bitwall_level *level, int32_t index, const char *name);

/** Returns the names of the areas, one a line. NULL on an error. */
const char *bitwall_level_areas(const bitwall_level *level);

/** True if the box overlaps the named area; false if the level has no such area. 1 for true, 0 for false; below
 * 0 on an error. */
int32_t bitwall_level_area_overlaps(const bitwall_level *level, const char *name, int32_t x, int32_t y, int32_t w, int32_t h);

/** Returns the categories for which the named area is solid, as bits; 0 if it stops nobody. 0 on an error. */
uint64_t bitwall_level_area_category(const bitwall_level *level, const char *name);

/** Makes the named area solid for bodies that collide with one of these categories. False if the level has no
 * such area. 1 for true, 0 for false; below 0 on an error. */
int32_t bitwall_level_set_area_category(bitwall_level *level, const char *name, uint64_t category);

/** Returns the cells row by row: a byte for each, 1 for a solid one. NULL on an error; `count` gets the number
 * of elements. */
const uint8_t *bitwall_level_cells(const bitwall_level *level, size_t *count);

/** Returns the solids in a box as rectangles that do not overlap: x, y, w and h of each. NULL on an error;
 * `count` gets the number of elements. */
const int32_t *bitwall_level_rectangles(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, size_t *count);

/** Returns the outlines of the solids as loops: of each the number of its points, then x and y of each point.
 * The solid is on the right; a loop around a hole runs the other way. NULL on an error; `count` gets the
 * number of elements. */
const int32_t *bitwall_level_outlines(const bitwall_level *level, size_t *count);

/** Returns the surfaces of the solids in a box as chains for a physics engine: of each the number of its
 * points, then x and y of each point. NULL on an error; `count` gets the number of elements. */
const int32_t *bitwall_level_chains(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, size_t *count);

/** Loads a Tiled map (tmx, tmj), a world, an LDtk project, a mask (PNG), a baked level or rows of # and . from
 * the disk. `options` is the text of a `bitwall.toml`; if empty, the nearest `bitwall.toml` counts. NULL on an
 * error. Free it. */
bitwall_level *bitwall_level_load(const char *path, const char *options);

/** Makes a level from the bytes of a file that refers to no other file. `name` is its path, for the format and
 * for errors; `options` is the text of a `bitwall.toml`, or empty. NULL on an error. Free it. */
bitwall_level *bitwall_level_decode(const char *name, const uint8_t *bytes, size_t bytes_count, const char *options);

/** Makes a level from the file `path` of the files. `options` is the text of a `bitwall.toml`, or empty. NULL
 * on an error. Free it. */
bitwall_level *bitwall_level_from_files(const char *path, const bitwall_files *files, const char *options);

/** Returns the files that the level was made of, one a line: if one of them changes, load again. NULL on an
 * error. */
const char *bitwall_level_files(const bitwall_level *level);

/** Returns what is suspicious in the files, a sentence a line. NULL on an error. */
const char *bitwall_level_warnings(const bitwall_level *level);

/** Returns what made a cell solid: the tile or object, its layer and the rule. Empty if nothing of a file did.
 * NULL on an error. */
const char *bitwall_level_why(const bitwall_level *level, int32_t column, int32_t row);

/** Returns what the level's maps draw. A level without maps draws nothing. NULL on an error. Free it. */
bitwall_scene *bitwall_level_scene(const bitwall_level *level);

/** Frees it; NULL is allowed. */
void bitwall_level_free(bitwall_level *level);

/* Patch */

/** Frees it; NULL is allowed. */
void bitwall_patch_free(bitwall_patch *patch);

/* Footprint */

/** Makes a footprint of `width` x `height` pixels: a pixel belongs to it where the byte is not 0. Row by row, a
 * byte for each pixel. NULL on an error. Free it. */
bitwall_footprint *bitwall_footprint_new(int32_t width, int32_t height, const uint8_t *pixels, size_t pixels_count);

/** Makes a disc with this diameter in pixels. NULL on an error. Free it. */
bitwall_footprint *bitwall_footprint_circle(int32_t diameter);

/** Makes a box with round ends, of `width` x `height` pixels. NULL on an error. Free it. */
bitwall_footprint *bitwall_footprint_capsule(int32_t width, int32_t height);

/** Frees it; NULL is allowed. */
void bitwall_footprint_free(bitwall_footprint *footprint);

/* Files */

/** Makes an empty collection of files. NULL on an error. Free it. */
bitwall_files *bitwall_files_new(void);

/** Puts the bytes of a file, under the path by which it was wanted. 0; below 0 on an error. */
int32_t bitwall_files_put(bitwall_files *files, const char *path, const uint8_t *bytes, size_t bytes_count);

/** Returns the path of a file to which the files so far refer, each once; empty if there is none. A file that
 * cannot be had is not put. `pictures` is true if the pictures for drawing are wanted too: a load reads one
 * only if a map uses tiles beyond those that its tileset states. Maps that a world finds by a pattern are not
 * named. NULL on an error. */
const char *bitwall_files_wanted(bitwall_files *files, int32_t pictures);

/** Frees it; NULL is allowed. */
void bitwall_files_free(bitwall_files *files);

/* Ways */

/** Makes the ways of boxes of this size in pixels. NULL on an error. Free it. */
bitwall_ways *bitwall_ways_new(int32_t w, int32_t h);

/** Returns the shortest way of the box's top-left corner to a pixel: x and y of each of its points. Empty if
 * there is none. `smooth` leaves out the points that a straight line can skip. NULL on an error; `count` gets
 * the number of elements. */
const int32_t *bitwall_ways_path(bitwall_ways *ways, const bitwall_level *level, int32_t x, int32_t y, int32_t to_x, int32_t to_y, int32_t smooth, size_t *count);

/** Returns the way as `path`, to the place that is nearest to the pixel if the pixel itself cannot be reached.
 * NULL on an error; `count` gets the number of elements. */
const int32_t *bitwall_ways_path_toward(bitwall_ways *ways, const bitwall_level *level, int32_t x, int32_t y, int32_t to_x, int32_t to_y, size_t *count);

/** Returns the field of the ways to the nearest of some goals: `goals` is x and y of each. NULL on an error.
 * Free it. */
bitwall_field *bitwall_ways_field(const bitwall_ways *ways, const bitwall_level *level, const int32_t *goals, size_t goals_count);

/** Frees it; NULL is allowed. */
void bitwall_ways_free(bitwall_ways *ways);

/* Field */

/** Returns the next step from a pixel: -1, 0 or 1 along each axis. None at a goal, and where no goal can be
 * reached. 0; below 0 on an error. */
int32_t bitwall_field_step(const bitwall_field *field, int32_t x, int32_t y, bitwall_pixel *out);

/** Returns the length of the way to the nearest goal in pixels, of which a diagonal step has two; -1 where no
 * goal can be reached. Below -1 on an error. */
int32_t bitwall_field_distance(const bitwall_field *field, int32_t x, int32_t y);

/** Frees it; NULL is allowed. */
void bitwall_field_free(bitwall_field *field);

/* World */

/** Makes a world without bodies, for a game with `fps` steps a second. NULL on an error. Free it. */
bitwall_world *bitwall_world_new(int32_t fps);

/** Adds a character, and returns its number. It moves by its velocity, or by keys as a player. Below -1 on an
 * error. */
int32_t bitwall_world_add_character(bitwall_world *world, int32_t x, int32_t y, int32_t w, int32_t h, int32_t kind);

/** Adds a platform, which carries and pushes other bodies and which nothing stops. A one-way platform is solid
 * only from above. Below -1 on an error. */
int32_t bitwall_world_add_platform(bitwall_world *world, int32_t x, int32_t y, int32_t w, int32_t h, int32_t one_way);

/** Adds a platform in the shape of a level's solid cells. Below -1 on an error. */
int32_t bitwall_world_add_piece(bitwall_world *world, int32_t x, int32_t y, const bitwall_level *piece);

/** Adds a crate that falls and can be pushed. `mass` is 0 to 65535; `gravity` is in pixels a second squared.
 * Below -1 on an error. */
int32_t bitwall_world_add_pushable(bitwall_world *world, int32_t x, int32_t y, int32_t w, int32_t h, int32_t mass, float gravity);

/** Adds a ball that bounces. `mass` is 0 to 65535; with 0 nothing moves it. Below -1 on an error. */
int32_t bitwall_world_add_ball(bitwall_world *world, int32_t x, int32_t y, int32_t diameter, int32_t mass);

/** Adds a bullet, which flies straight until something stops it. Below -1 on an error. */
int32_t bitwall_world_add_bullet(bitwall_world *world, int32_t x, int32_t y, int32_t w, int32_t h);

/** Adds a sensor, which is not solid and only watches. Below -1 on an error. */
int32_t bitwall_world_add_sensor(bitwall_world *world, int32_t x, int32_t y, int32_t w, int32_t h);

/** Removes a body. 0; below 0 on an error. */
int32_t bitwall_world_remove(bitwall_world *world, int32_t body);

/** Returns the numbers of all bodies, in the order in which they were added. NULL on an error; `count` gets the
 * number of elements. */
const int32_t *bitwall_world_bodies(const bitwall_world *world, size_t *count);

/** Returns the box of a body in whole pixels. 0; below 0 on an error. */
int32_t bitwall_world_bounds(const bitwall_world *world, int32_t body, bitwall_rect *out);

/** Returns the exact place of the top-left corner of a body. 0; below 0 on an error. */
int32_t bitwall_world_position(const bitwall_world *world, int32_t body, bitwall_point *out);

/** Puts the top-left corner of a body at a pixel, through all solids. 0; below 0 on an error. */
int32_t bitwall_world_place(bitwall_world *world, int32_t body, int32_t x, int32_t y);

/** Changes the size of a character; the side `anchor` stays. False, and nothing changes, if there is no room. 1
 * for true, 0 for false; below 0 on an error. */
int32_t bitwall_world_resize(bitwall_world *world, const bitwall_level *level, int32_t body, int32_t w, int32_t h, int32_t anchor);

/** Returns the velocity of a body in pixels a second. 0; below 0 on an error. */
int32_t bitwall_world_velocity(const bitwall_world *world, int32_t body, bitwall_point *out);

/** Sets the velocity of a body in pixels a second. 0; below 0 on an error. */
int32_t bitwall_world_set_velocity(bitwall_world *world, int32_t body, float velocity_x, float velocity_y);

/** Sets the acceleration of a body, such as its gravity, in pixels a second squared. 0; below 0 on an error. */
int32_t bitwall_world_set_acceleration(bitwall_world *world, int32_t body, float x, float y);

/** Sets what a body is, what it collides with, and what it watches for events: categories as bits. 0; below 0
 * on an error. */
int32_t bitwall_world_set_categories(bitwall_world *world, int32_t body, uint64_t category, uint64_t collides_with, uint64_t watches);

/** Returns the settings of a character's motion. 0; below 0 on an error. */
int32_t bitwall_world_settings(const bitwall_world *world, int32_t body, bitwall_settings *out);

/** Sets the settings of a character's motion. 0; below 0 on an error. */
int32_t bitwall_world_set_settings(bitwall_world *world, int32_t body, const bitwall_settings *settings);

/** Moves a platform from stop to stop: `stops` is x and y of each, `speed` in pixels a second, `wait` in
 * seconds at each. `round` goes from the last straight to the first; else it goes back the same way. Empty
 * `stops` end the path. 0; below 0 on an error. */
int32_t bitwall_world_set_path(bitwall_world *world, int32_t body, const int32_t *stops, size_t stops_count, float speed, float wait, int32_t round);

/** Moves a platform on a circle. A turn takes `seconds`, and is counter-clockwise if they are negative. 0;
 * below 0 on an error. */
int32_t bitwall_world_set_circle(bitwall_world *world, int32_t body, int32_t x, int32_t y, int32_t radius, float seconds);

/** Makes a character a player, which moves by keys with this feel; or changes the feel of a player. 0; below 0
 * on an error. */
int32_t bitwall_world_set_player(bitwall_world *world, int32_t body, const bitwall_feel *feel);

/** Returns the feel of a player. 0; below 0 on an error. */
int32_t bitwall_world_feel(const bitwall_world *world, int32_t body, bitwall_feel *out);

/** Names the areas that are ladders and water for a player, as in the level; empty for none. 0; below 0 on an
 * error. */
int32_t bitwall_world_set_areas(bitwall_world *world, int32_t body, const char *ladder, const char *water);

/** Sets the keys that a player holds in the next steps: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1
 * (down). 0; below 0 on an error. */
int32_t bitwall_world_set_input(bitwall_world *world, int32_t body, float x, float y, int32_t jump, int32_t dash);

/** Gives a player a velocity and keeps it for some seconds, as for a knockback. 0; below 0 on an error. */
int32_t bitwall_world_force(bitwall_world *world, int32_t body, float x, float y, float seconds);

/** Returns what the last step did to a character; nothing before its first step. 0; below 0 on an error. */
int32_t bitwall_world_motion(const bitwall_world *world, int32_t body, bitwall_motion *out);

/** Moves all bodies by one step: platforms on their paths, players by their keys, the others by their velocity.
 * 0; below 0 on an error. */
int32_t bitwall_world_step(bitwall_world *world, const bitwall_level *level);

/** Returns the events of the last step. NULL on an error; `count` gets the number of elements. */
const bitwall_event *bitwall_world_events(const bitwall_world *world, size_t *count);

/** Returns where to draw each body, in the order in which they were added. NULL on an error; `count` gets the
 * number of elements. */
const bitwall_drawn *bitwall_world_drawn(const bitwall_world *world, const bitwall_level *level, size_t *count);

/** Returns the platform on which a body stands; -1 without one. Below -1 on an error. */
int32_t bitwall_world_standing_on(const bitwall_world *world, int32_t body);

/** Drops a character through the one-way floor on which it stands. False if it stands on none. 1 for true, 0
 * for false; below 0 on an error. */
int32_t bitwall_world_drop_through(bitwall_world *world, const bitwall_level *level, int32_t body);

/** Moves a character that overlaps a solid to the nearest free place, at most `radius` pixels away. 0; below 0
 * on an error. */
int32_t bitwall_world_unstick(bitwall_world *world, const bitwall_level *level, int32_t body, int32_t radius, bitwall_pixel *out);

/** Returns the bodies of some categories that overlap a box. NULL on an error; `count` gets the number of
 * elements. */
const int32_t *bitwall_world_overlapping(const bitwall_world *world, int32_t x, int32_t y, int32_t w, int32_t h, uint64_t categories, size_t *count);

/** Returns the body of some categories that is nearest to a pixel, at most `radius` pixels away; -1 without
 * one. Below -1 on an error. */
int32_t bitwall_world_nearest(const bitwall_world *world, int32_t x, int32_t y, int32_t radius, uint64_t categories);

/** Returns how far a box can move in the level and among the bodies of some categories. 0; below 0 on an error. */
int32_t bitwall_world_sweep(const bitwall_world *world, const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, int32_t dir, int32_t step, uint64_t categories, bitwall_sweep *out);

/** Returns the first solid, or the first body of some categories, on the line between the middles of two
 * pixels. 0; below 0 on an error. */
int32_t bitwall_world_ray(const bitwall_world *world, const bitwall_level *level, int32_t x, int32_t y, int32_t to_x, int32_t to_y, uint64_t categories, bitwall_ray *out);

/** Returns a copy of the world with its players and paths, to go back to. NULL on an error. Free it. */
bitwall_world *bitwall_world_copy(const bitwall_world *world);

/** Makes this world what another one is, as for going back to a copy. 0; below 0 on an error. */
int32_t bitwall_world_restore(bitwall_world *world, const bitwall_world *other);

/** Returns a number that is equal for worlds with equal bodies and players, on every platform. 0 on an error. */
uint64_t bitwall_world_checksum(const bitwall_world *world);

/** Frees it; NULL is allowed. */
void bitwall_world_free(bitwall_world *world);

#ifdef __cplusplus
}
#endif
#endif
