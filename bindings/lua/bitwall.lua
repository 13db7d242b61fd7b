-- Written by bindings/doors from bindings/facade; edit those.
-- bitwall: level collision for 2D games, for LuaJIT and LOVE. `local bitwall = require("bitwall")`, with the
-- library (libbitwall_c.so, .dylib or bitwall_c.dll) beside the game, in the system's folders, or at the path
-- BITWALL_LIBRARY.
--
-- Positions are whole pixels, x to the right, y down; a box covers x <= p < x + w. A wrong argument is an
-- error with a sentence that says what is allowed. Records are tables: a function that gives one can write to
-- the table `into`, so that a loop makes no garbage. Arrays are tables of numbers, or arrays of the FFI of
-- the right type without a copy.
local ffi = require("ffi")
local bit = require("bit")
local tobit = bit.tobit

ffi.cdef([[
enum {
  BITWALL_ARGUMENT = -2,
  BITWALL_LOAD = -3,
  BITWALL_SIZE = -4,
  BITWALL_INTERNAL = -5,
  BITWALL_NULL = -6,
  BITWALL_MISSING = -7
};
enum {
  BITWALL_DIR_LEFT = 0,
  BITWALL_DIR_RIGHT = 1,
  BITWALL_DIR_UP = 2,
  BITWALL_DIR_DOWN = 3
};
enum {
  BITWALL_SIDE_NONE = 0,
  BITWALL_SIDE_LEFT = 1,
  BITWALL_SIDE_RIGHT = 2,
  BITWALL_SIDE_UP = 3,
  BITWALL_SIDE_DOWN = 4
};
enum {
  BITWALL_KIND_PLAIN = 0,
  BITWALL_KIND_PLATFORMER = 1,
  BITWALL_KIND_TOP_DOWN = 2
};
enum {
  BITWALL_MOVE_PATH_X_THEN_Y = 0,
  BITWALL_MOVE_PATH_Y_THEN_X = 1,
  BITWALL_MOVE_PATH_STRAIGHT = 2,
  BITWALL_MOVE_PATH_STRAIGHT_PAST_CORNERS = 3
};
enum {
  BITWALL_RESPONSE_STOP = 0,
  BITWALL_RESPONSE_SLIDE = 1,
  BITWALL_RESPONSE_BOUNCE = 2,
  BITWALL_RESPONSE_CROSS = 3
};
enum {
  BITWALL_STANCE_AIR = 0,
  BITWALL_STANCE_GROUND = 1,
  BITWALL_STANCE_WALL_SLIDE = 2,
  BITWALL_STANCE_LEDGE = 3,
  BITWALL_STANCE_LEDGE_CLIMB = 4,
  BITWALL_STANCE_LADDER = 5,
  BITWALL_STANCE_WATER = 6
};
enum {
  BITWALL_FOLLOW_GO = 0,
  BITWALL_FOLLOW_ARRIVED = 1,
  BITWALL_FOLLOW_NO_WAY = 2
};
enum {
  BITWALL_MARKER_SHAPE_RECTANGLE = 0,
  BITWALL_MARKER_SHAPE_POINT = 1,
  BITWALL_MARKER_SHAPE_ELLIPSE = 2,
  BITWALL_MARKER_SHAPE_CAPSULE = 3,
  BITWALL_MARKER_SHAPE_POLYGON = 4,
  BITWALL_MARKER_SHAPE_POLYLINE = 5
};
enum {
  BITWALL_EVENT_KIND_CRUSHED = 0,
  BITWALL_EVENT_KIND_BURIED = 1,
  BITWALL_EVENT_KIND_HIT = 2,
  BITWALL_EVENT_KIND_BEGIN = 3,
  BITWALL_EVENT_KIND_STAY = 4,
  BITWALL_EVENT_KIND_END = 5
};
typedef struct bitwall_mover bitwall_mover;
typedef struct bitwall_platformer bitwall_platformer;
typedef struct bitwall_scene bitwall_scene;
typedef struct bitwall_jump_ways bitwall_jump_ways;
typedef struct bitwall_follower bitwall_follower;
typedef struct bitwall_level bitwall_level;
typedef struct bitwall_patch bitwall_patch;
typedef struct bitwall_footprint bitwall_footprint;
typedef struct bitwall_files bitwall_files;
typedef struct bitwall_ways bitwall_ways;
typedef struct bitwall_field bitwall_field;
typedef struct bitwall_world bitwall_world;
typedef struct bitwall_rect {
  int32_t x;
  int32_t y;
  int32_t w;
  int32_t h;
} bitwall_rect;
typedef struct bitwall_point {
  double x;
  double y;
} bitwall_point;
typedef struct bitwall_pixel {
  bool found;
  int32_t x;
  int32_t y;
} bitwall_pixel;
typedef struct bitwall_settings {
  int32_t path;
  int32_t response;
  int32_t restitution;
  int32_t floor;
  int32_t step_height;
  int32_t snap_distance;
  int32_t slope_rise;
  int32_t slope_run;
  bool walks_along_slope;
  int32_t corner_left;
  int32_t corner_right;
  int32_t corner_up;
  int32_t corner_down;
  bool slides_around_corners;
  bool one_way_left;
  bool one_way_right;
  bool one_way_up;
  bool one_way_down;
} bitwall_settings;
typedef struct bitwall_motion {
  int32_t moved_x;
  int32_t moved_y;
  float velocity_x;
  float velocity_y;
  bool grounded;
  bool was_grounded;
  bool hit_left;
  bool hit_right;
  bool hit_up;
  bool hit_down;
  bool started_solid;
  int32_t stance;
  int32_t facing;
  bool jumped;
} bitwall_motion;
typedef struct bitwall_feel {
  int32_t floor;
  float top_speed;
  float acceleration;
  float friction;
  float air_acceleration;
  float air_friction;
  float jump_height;
  float jump_time;
  float fall_scale;
  float fall_limit;
  float apex_speed;
  float released_speed;
  float coyote_time;
  int32_t air_jumps;
  float buffer_time;
  float wall_slide_speed;
  int32_t wall_reach;
  float wall_contact;
  float wall_jump_x;
  float wall_jump_y;
  float wall_jump_time;
  int32_t ledge_reach;
  float ledge_time;
  float dash_speed;
  float dash_time;
  float dash_wait;
  int32_t crouch_height;
  float crouch_speed;
  float carry_x;
  float carry_y;
  float momentum_limit;
  float momentum_time;
  float climb_speed;
  int32_t ladder_snap;
  float swim_speed;
  float swim_acceleration;
  float float_speed;
} bitwall_feel;
typedef struct bitwall_sprite {
  int32_t picture;
  int32_t source_x;
  int32_t source_y;
  int32_t source_w;
  int32_t source_h;
  float x;
  float y;
  float w;
  float h;
  bool flip_x;
  bool flip_y;
  float degrees;
  bool repeat_x;
  bool repeat_y;
  float red;
  float green;
  float blue;
  float alpha;
  int32_t layer;
  float parallax_x;
  float parallax_y;
} bitwall_sprite;
typedef struct bitwall_size {
  int32_t width;
  int32_t height;
  int32_t cell_width;
  int32_t cell_height;
} bitwall_size;
typedef struct bitwall_sweep {
  int32_t moved;
  bool hit;
  int32_t column;
  int32_t row;
  int32_t normal_x;
  int32_t normal_y;
  int32_t body;
} bitwall_sweep;
typedef struct bitwall_ray {
  bool hit;
  int32_t x;
  int32_t y;
  int32_t column;
  int32_t row;
  int32_t normal_x;
  int32_t normal_y;
  int32_t body;
  double fraction;
} bitwall_ray;
typedef struct bitwall_marker {
  int32_t x;
  int32_t y;
  int32_t w;
  int32_t h;
  int32_t at_x;
  int32_t at_y;
  int32_t shape;
  float rotation;
  int32_t object;
  int32_t map;
  int32_t tile;
  bool flip_x;
  bool flip_y;
} bitwall_marker;
typedef struct bitwall_event {
  int32_t kind;
  int32_t body;
  int32_t other;
  int32_t side;
  int32_t column;
  int32_t row;
  float normal_x;
  float normal_y;
} bitwall_event;
typedef struct bitwall_drawn {
  int32_t body;
  float x;
  float y;
  float w;
  float h;
} bitwall_drawn;
const char *bitwall_version(void);
int32_t bitwall_error_code(void);
const char *bitwall_error_text(void);
int32_t bitwall_feel_usual(bitwall_feel *out);
bitwall_mover *bitwall_mover_new(int32_t x, int32_t y, int32_t w, int32_t h, int32_t kind);
int32_t bitwall_mover_settings(const bitwall_mover *mover, bitwall_settings *out);
int32_t bitwall_mover_set_settings(bitwall_mover *mover, const bitwall_settings *settings);
int32_t bitwall_mover_place(bitwall_mover *mover, int32_t x, int32_t y);
int32_t bitwall_mover_step(bitwall_mover *mover, const bitwall_level *level, float velocity_x, float velocity_y, bitwall_motion *out);
int32_t bitwall_mover_resize(bitwall_mover *mover, const bitwall_level *level, int32_t w, int32_t h, int32_t anchor);
int32_t bitwall_mover_drop_through(bitwall_mover *mover, const bitwall_level *level);
int32_t bitwall_mover_unstick(bitwall_mover *mover, const bitwall_level *level, int32_t radius, bitwall_pixel *out);
int32_t bitwall_mover_bounds(const bitwall_mover *mover, bitwall_rect *out);
int32_t bitwall_mover_position(const bitwall_mover *mover, bitwall_point *out);
int32_t bitwall_mover_drawn(const bitwall_mover *mover, const bitwall_level *level, bitwall_point *out);
uint64_t bitwall_mover_checksum(const bitwall_mover *mover);
void bitwall_mover_free(bitwall_mover *mover);
bitwall_platformer *bitwall_platformer_new(int32_t x, int32_t y, int32_t w, int32_t h, int32_t fps);
int32_t bitwall_platformer_feel(const bitwall_platformer *platformer, bitwall_feel *out);
int32_t bitwall_platformer_set_feel(bitwall_platformer *platformer, const bitwall_feel *feel);
int32_t bitwall_platformer_set_areas(bitwall_platformer *platformer, const char *ladder, const char *water);
int32_t bitwall_platformer_settings(const bitwall_platformer *platformer, bitwall_settings *out);
int32_t bitwall_platformer_set_settings(bitwall_platformer *platformer, const bitwall_settings *settings);
int32_t bitwall_platformer_step(bitwall_platformer *platformer, const bitwall_level *level, float x, float y, int32_t jump, int32_t dash, bitwall_motion *out);
int32_t bitwall_platformer_motion(const bitwall_platformer *platformer, bitwall_motion *out);
int32_t bitwall_platformer_place(bitwall_platformer *platformer, int32_t x, int32_t y);
int32_t bitwall_platformer_set_velocity(bitwall_platformer *platformer, float velocity_x, float velocity_y);
int32_t bitwall_platformer_force(bitwall_platformer *platformer, float velocity_x, float velocity_y, float seconds);
int32_t bitwall_platformer_bounds(const bitwall_platformer *platformer, bitwall_rect *out);
int32_t bitwall_platformer_position(const bitwall_platformer *platformer, bitwall_point *out);
int32_t bitwall_platformer_drawn(const bitwall_platformer *platformer, const bitwall_level *level, bitwall_point *out);
uint64_t bitwall_platformer_checksum(const bitwall_platformer *platformer);
void bitwall_platformer_free(bitwall_platformer *platformer);
const char *bitwall_scene_pictures(const bitwall_scene *scene);
const char *bitwall_scene_layers(const bitwall_scene *scene);
const bitwall_sprite *bitwall_scene_all(const bitwall_scene *scene, size_t *count);
const bitwall_sprite *bitwall_scene_seen(const bitwall_scene *scene, int32_t x, int32_t y, int32_t w, int32_t h, size_t *count);
void bitwall_scene_free(bitwall_scene *scene);
bitwall_jump_ways *bitwall_jump_ways_new(const bitwall_level *level, int32_t w, int32_t h, const bitwall_feel *feel, int32_t fps);
int32_t bitwall_jump_ways_edited(bitwall_jump_ways *jump_ways, int32_t x, int32_t y, int32_t w, int32_t h);
int32_t bitwall_jump_ways_update(bitwall_jump_ways *jump_ways, const bitwall_level *level, int32_t budget);
int32_t bitwall_jump_ways_may_reach(const bitwall_jump_ways *jump_ways, int32_t x, int32_t y, int32_t to_x, int32_t to_y);
const int32_t *bitwall_jump_ways_path(const bitwall_jump_ways *jump_ways, int32_t x, int32_t y, int32_t to_x, int32_t to_y, size_t *count);
void bitwall_jump_ways_free(bitwall_jump_ways *jump_ways);
bitwall_follower *bitwall_follower_new(void);
int32_t bitwall_follower_step(bitwall_follower *follower, const bitwall_jump_ways *ways, const bitwall_level *level, bitwall_platformer *character, int32_t to_x, int32_t to_y);
int32_t bitwall_follower_steer(bitwall_follower *follower, const bitwall_jump_ways *ways, const bitwall_level *level, bitwall_world *world, int32_t body, int32_t to_x, int32_t to_y);
void bitwall_follower_free(bitwall_follower *follower);
bitwall_level *bitwall_level_new(int32_t columns, int32_t rows, int32_t cell_width, int32_t cell_height);
bitwall_level *bitwall_level_from_cells(int32_t columns, int32_t rows, int32_t cell_width, int32_t cell_height, const uint8_t *cells, size_t cells_count);
bitwall_level *bitwall_level_from_text(const char *text, int32_t cell_width, int32_t cell_height);
bitwall_level *bitwall_level_from_baked(const uint8_t *bytes, size_t bytes_count);
const uint8_t *bitwall_level_bake(const bitwall_level *level, size_t *count);
bitwall_level *bitwall_level_copy(const bitwall_level *level);
bitwall_level *bitwall_level_in_pixels(const bitwall_level *level);
int32_t bitwall_level_size(const bitwall_level *level, bitwall_size *out);
int32_t bitwall_level_open_side(bitwall_level *level, int32_t side, int32_t open);
int32_t bitwall_level_prepare(bitwall_level *level, int32_t w, int32_t h);
int32_t bitwall_level_is_solid(const bitwall_level *level, int32_t x, int32_t y);
int32_t bitwall_level_overlaps(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h);
int32_t bitwall_level_can_move(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, int32_t dir, int32_t step);
int32_t bitwall_level_sweep(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, int32_t dir, int32_t step, bitwall_sweep *out);
int32_t bitwall_level_can_move_all(const bitwall_level *level, const int32_t *questions, size_t questions_count, uint8_t *answers, size_t answers_count);
int32_t bitwall_level_sweep_all(const bitwall_level *level, const int32_t *questions, size_t questions_count, int32_t *answers, size_t answers_count);
int32_t bitwall_level_ray(const bitwall_level *level, int32_t x, int32_t y, int32_t to_x, int32_t to_y, int32_t corners, bitwall_ray *out);
int32_t bitwall_level_line_of_sight(const bitwall_level *level, int32_t x, int32_t y, int32_t to_x, int32_t to_y, int32_t corners);
int32_t bitwall_level_footprint_overlaps(const bitwall_level *level, const bitwall_footprint *footprint, int32_t x, int32_t y);
int32_t bitwall_level_footprint_sweep(const bitwall_level *level, const bitwall_footprint *footprint, int32_t x, int32_t y, int32_t dir, int32_t step, bitwall_sweep *out);
int32_t bitwall_level_set_cell(bitwall_level *level, int32_t column, int32_t row, int32_t solid);
int32_t bitwall_level_set_box(bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, int32_t solid);
int32_t bitwall_level_set_disc(bitwall_level *level, int32_t x, int32_t y, int32_t radius, int32_t solid);
int32_t bitwall_level_set_footprint(bitwall_level *level, const bitwall_footprint *footprint, int32_t x, int32_t y, int32_t solid);
int32_t bitwall_level_place(bitwall_level *level, const bitwall_level *other, int32_t x, int32_t y);
bitwall_patch *bitwall_level_patch(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h);
int32_t bitwall_level_apply(bitwall_level *level, const bitwall_patch *patch);
uint64_t bitwall_level_checksum(const bitwall_level *level);
int32_t bitwall_level_marker_count(const bitwall_level *level);
int32_t bitwall_level_find_marker(const bitwall_level *level, const char *name);
int32_t bitwall_level_marker(const bitwall_level *level, int32_t index, bitwall_marker *out);
const char *bitwall_level_marker_name(const bitwall_level *level, int32_t index);
const char *bitwall_level_marker_class(const bitwall_level *level, int32_t index);
const char *bitwall_level_marker_layer(const bitwall_level *level, int32_t index);
const int32_t *bitwall_level_marker_points(const bitwall_level *level, int32_t index, size_t *count);
const char *bitwall_level_marker_properties(const bitwall_level *level, int32_t index);
const char *bitwall_level_marker_text(const bitwall_level *level, int32_t index, const char *name);
const char *bitwall_level_areas(const bitwall_level *level);
int32_t bitwall_level_area_overlaps(const bitwall_level *level, const char *name, int32_t x, int32_t y, int32_t w, int32_t h);
uint64_t bitwall_level_area_category(const bitwall_level *level, const char *name);
int32_t bitwall_level_set_area_category(bitwall_level *level, const char *name, uint64_t category);
const uint8_t *bitwall_level_cells(const bitwall_level *level, size_t *count);
const int32_t *bitwall_level_rectangles(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, size_t *count);
const int32_t *bitwall_level_outlines(const bitwall_level *level, size_t *count);
const int32_t *bitwall_level_chains(const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, size_t *count);
bitwall_level *bitwall_level_load(const char *path, const char *options);
bitwall_level *bitwall_level_decode(const char *name, const uint8_t *bytes, size_t bytes_count, const char *options);
bitwall_level *bitwall_level_from_files(const char *path, const bitwall_files *files, const char *options);
const char *bitwall_level_files(const bitwall_level *level);
const char *bitwall_level_warnings(const bitwall_level *level);
const char *bitwall_level_why(const bitwall_level *level, int32_t column, int32_t row);
bitwall_scene *bitwall_level_scene(const bitwall_level *level);
void bitwall_level_free(bitwall_level *level);
void bitwall_patch_free(bitwall_patch *patch);
bitwall_footprint *bitwall_footprint_new(int32_t width, int32_t height, const uint8_t *pixels, size_t pixels_count);
bitwall_footprint *bitwall_footprint_circle(int32_t diameter);
bitwall_footprint *bitwall_footprint_capsule(int32_t width, int32_t height);
void bitwall_footprint_free(bitwall_footprint *footprint);
bitwall_files *bitwall_files_new(void);
int32_t bitwall_files_put(bitwall_files *files, const char *path, const uint8_t *bytes, size_t bytes_count);
const char *bitwall_files_wanted(bitwall_files *files, int32_t pictures);
void bitwall_files_free(bitwall_files *files);
bitwall_ways *bitwall_ways_new(int32_t w, int32_t h);
const int32_t *bitwall_ways_path(bitwall_ways *ways, const bitwall_level *level, int32_t x, int32_t y, int32_t to_x, int32_t to_y, int32_t smooth, size_t *count);
const int32_t *bitwall_ways_path_toward(bitwall_ways *ways, const bitwall_level *level, int32_t x, int32_t y, int32_t to_x, int32_t to_y, size_t *count);
bitwall_field *bitwall_ways_field(const bitwall_ways *ways, const bitwall_level *level, const int32_t *goals, size_t goals_count);
void bitwall_ways_free(bitwall_ways *ways);
int32_t bitwall_field_step(const bitwall_field *field, int32_t x, int32_t y, bitwall_pixel *out);
int32_t bitwall_field_distance(const bitwall_field *field, int32_t x, int32_t y);
void bitwall_field_free(bitwall_field *field);
bitwall_world *bitwall_world_new(int32_t fps);
int32_t bitwall_world_add_character(bitwall_world *world, int32_t x, int32_t y, int32_t w, int32_t h, int32_t kind);
int32_t bitwall_world_add_platform(bitwall_world *world, int32_t x, int32_t y, int32_t w, int32_t h, int32_t one_way);
int32_t bitwall_world_add_piece(bitwall_world *world, int32_t x, int32_t y, const bitwall_level *piece);
int32_t bitwall_world_add_pushable(bitwall_world *world, int32_t x, int32_t y, int32_t w, int32_t h, int32_t mass, float gravity);
int32_t bitwall_world_add_ball(bitwall_world *world, int32_t x, int32_t y, int32_t diameter, int32_t mass);
int32_t bitwall_world_add_bullet(bitwall_world *world, int32_t x, int32_t y, int32_t w, int32_t h);
int32_t bitwall_world_add_sensor(bitwall_world *world, int32_t x, int32_t y, int32_t w, int32_t h);
int32_t bitwall_world_remove(bitwall_world *world, int32_t body);
const int32_t *bitwall_world_bodies(const bitwall_world *world, size_t *count);
int32_t bitwall_world_bounds(const bitwall_world *world, int32_t body, bitwall_rect *out);
int32_t bitwall_world_position(const bitwall_world *world, int32_t body, bitwall_point *out);
int32_t bitwall_world_place(bitwall_world *world, int32_t body, int32_t x, int32_t y);
int32_t bitwall_world_resize(bitwall_world *world, const bitwall_level *level, int32_t body, int32_t w, int32_t h, int32_t anchor);
int32_t bitwall_world_velocity(const bitwall_world *world, int32_t body, bitwall_point *out);
int32_t bitwall_world_set_velocity(bitwall_world *world, int32_t body, float velocity_x, float velocity_y);
int32_t bitwall_world_set_acceleration(bitwall_world *world, int32_t body, float x, float y);
int32_t bitwall_world_set_categories(bitwall_world *world, int32_t body, uint64_t category, uint64_t collides_with, uint64_t watches);
int32_t bitwall_world_settings(const bitwall_world *world, int32_t body, bitwall_settings *out);
int32_t bitwall_world_set_settings(bitwall_world *world, int32_t body, const bitwall_settings *settings);
int32_t bitwall_world_set_path(bitwall_world *world, int32_t body, const int32_t *stops, size_t stops_count, float speed, float wait, int32_t round);
int32_t bitwall_world_set_circle(bitwall_world *world, int32_t body, int32_t x, int32_t y, int32_t radius, float seconds);
int32_t bitwall_world_set_player(bitwall_world *world, int32_t body, const bitwall_feel *feel);
int32_t bitwall_world_feel(const bitwall_world *world, int32_t body, bitwall_feel *out);
int32_t bitwall_world_set_areas(bitwall_world *world, int32_t body, const char *ladder, const char *water);
int32_t bitwall_world_set_input(bitwall_world *world, int32_t body, float x, float y, int32_t jump, int32_t dash);
int32_t bitwall_world_force(bitwall_world *world, int32_t body, float x, float y, float seconds);
int32_t bitwall_world_motion(const bitwall_world *world, int32_t body, bitwall_motion *out);
int32_t bitwall_world_step(bitwall_world *world, const bitwall_level *level);
const bitwall_event *bitwall_world_events(const bitwall_world *world, size_t *count);
const bitwall_drawn *bitwall_world_drawn(const bitwall_world *world, const bitwall_level *level, size_t *count);
int32_t bitwall_world_standing_on(const bitwall_world *world, int32_t body);
int32_t bitwall_world_drop_through(bitwall_world *world, const bitwall_level *level, int32_t body);
int32_t bitwall_world_unstick(bitwall_world *world, const bitwall_level *level, int32_t body, int32_t radius, bitwall_pixel *out);
const int32_t *bitwall_world_overlapping(const bitwall_world *world, int32_t x, int32_t y, int32_t w, int32_t h, uint64_t categories, size_t *count);
int32_t bitwall_world_nearest(const bitwall_world *world, int32_t x, int32_t y, int32_t radius, uint64_t categories);
int32_t bitwall_world_sweep(const bitwall_world *world, const bitwall_level *level, int32_t x, int32_t y, int32_t w, int32_t h, int32_t dir, int32_t step, uint64_t categories, bitwall_sweep *out);
int32_t bitwall_world_ray(const bitwall_world *world, const bitwall_level *level, int32_t x, int32_t y, int32_t to_x, int32_t to_y, uint64_t categories, bitwall_ray *out);
bitwall_world *bitwall_world_copy(const bitwall_world *world);
int32_t bitwall_world_restore(bitwall_world *world, const bitwall_world *other);
uint64_t bitwall_world_checksum(const bitwall_world *world);
void bitwall_world_free(bitwall_world *world);
]])

--- The library: at BITWALL_LIBRARY (a global or of the environment), beside the game, or where the system
--- looks.
local function library()
  local endings = { Windows = "bitwall_c.dll", OSX = "libbitwall_c.dylib" }
  local ending = endings[ffi.os] or "libbitwall_c.so"
  local places = { BITWALL_LIBRARY or os.getenv("BITWALL_LIBRARY") or "./" .. ending }
  local love = rawget(_G, "love")
  if love and love.filesystem then
    table.insert(places, love.filesystem.getSourceBaseDirectory() .. "/" .. ending)
    table.insert(places, love.filesystem.getSource() .. "/" .. ending)
  end
  table.insert(places, "bitwall_c")
  local reasons = {}
  for _, place in ipairs(places) do
    local found, loaded = pcall(ffi.load, place)
    if found then return loaded end
    table.insert(reasons, tostring(loaded))
  end
  local remedy = "the library of bitwall is not there; put " .. ending .. " beside the game\n"
  error(remedy .. table.concat(reasons, "\n"), 3)
end
local C = library()

local count = ffi.new("size_t[1]")
local out_double = ffi.new("double[1]")

local function fail() error(ffi.string(C.bitwall_error_text()), 3) end
local function check(answer)
  if answer < -1 then fail() end
  return answer
end
local function given(pointer)
  if pointer == nil then fail() end
  return pointer
end
local function made(pointer, free, class)
  if pointer == nil then fail() end
  return setmetatable({ at = ffi.gc(pointer, free), free_at = free }, class)
end
local function freed() error("it is freed, or no object of bitwall: call its functions with a colon", 3) end
local function free(self)
  if self.at then self.free_at(ffi.gc(self.at, nil)) end
  self.at = nil
end

--- A value as the sentences of bitwall write it.
local function shown(value)
  if value ~= value then return "NaN" end
  if value == math.huge then return "inf" end
  if value == -math.huge then return "-inf" end
  return (("%.14g"):format(value):gsub("e%+?", "e"))
end
local function refuse(name, value, kind, allowed)
  local what = type(value) == "number" and kind == "no number" and shown(value) or kind
  error(("`%s` is %s; pass %s"):format(name, what, allowed), 4)
end
local function int(value, name)
  if type(value) == "number" and tobit(value) == value then return value end
  refuse(name, value, "no number", "a whole number from -2147483648 to 2147483647")
end
local function real(value, name)
  if type(value) == "number" then return value end
  refuse(name, value, "no number", "a number")
end
local function word(value, name)
  if type(value) == "number" and value >= 0 and value < 2 ^ 53 and value % 1 == 0 then return value end
  if ffi.istype("uint64_t", value) then return value end
  refuse(name, value, "no number", "a whole number of at least 0, as a number or as in 5ULL")
end
local function flag(value, name)
  if value == true then return 1 end
  if value == false then return 0 end
  refuse(name, value, "no truth value", "true or false")
end
local function text(value, name)
  if type(value) == "string" then return value end
  refuse(name, value, "no text", "a string")
end
local function none(names, value, name)
  local words = { names[0] }
  for i = 1, #names do words[i + 1] = names[i] end
  local last = table.remove(words)
  local what = type(value) == "string" and value or "no text"
  error(("`%s` is %s; pass %s or %s"):format(name, what, table.concat(words, ", "), last), 3)
end
local function handle(value, class, name, class_name)
  if type(value) ~= "table" or getmetatable(value) ~= class then
    refuse(name, value, "no " .. class_name, "a " .. class_name)
  end
  return value.at or freed()
end

--- The array of an argument and its length: of an FFI array itself, of a table or a string a copy.
local function array(value, name, of)
  if of == "uint8_t" and type(value) == "string" then return ffi.cast("const uint8_t *", value), #value end
  if type(value) == "cdata" and ffi.istype(of .. "[?]", value) then
    return value, ffi.sizeof(value) / ffi.sizeof(of)
  end
  if type(value) ~= "table" then refuse(name, value, "no array", "a table of numbers") end
  local copy = ffi.new(of .. "[?]", #value)
  for i = 1, #value do copy[i - 1] = int(value[i], name) end
  return copy, #value
end
local function give_back(value, from, length)
  if type(value) == "table" then
    for i = 1, length do value[i] = from[i - 1] end
  end
end
local function numbers(list)
  local all = {}
  for i = 1, tonumber(count[0]) do all[i] = list[i - 1] end
  return all
end
local function records(list, to)
  local all = {}
  for i = 1, tonumber(count[0]) do all[i] = to(list[i - 1]) end
  return all
end
local function numbered(names)
  local by_name = {}
  for number, name in pairs(names) do by_name[name] = number end
  return by_name
end

local dir_names = { [0] = "left", [1] = "right", [2] = "up", [3] = "down" }
local dir_numbers = numbered(dir_names)
local side_names = { [0] = "none", [1] = "left", [2] = "right", [3] = "up", [4] = "down" }
local side_numbers = numbered(side_names)
local kind_names = { [0] = "plain", [1] = "platformer", [2] = "top_down" }
local kind_numbers = numbered(kind_names)
local move_path_names = { [0] = "x_then_y", [1] = "y_then_x", [2] = "straight", [3] = "straight_past_corners" }
local move_path_numbers = numbered(move_path_names)
local response_names = { [0] = "stop", [1] = "slide", [2] = "bounce", [3] = "cross" }
local response_numbers = numbered(response_names)
local stance_names = { [0] = "air", [1] = "ground", [2] = "wall_slide", [3] = "ledge", [4] = "ledge_climb", [5] = "ladder", [6] = "water" }
local stance_numbers = numbered(stance_names)
local follow_names = { [0] = "go", [1] = "arrived", [2] = "no_way" }
local follow_numbers = numbered(follow_names)
local marker_shape_names = { [0] = "rectangle", [1] = "point", [2] = "ellipse", [3] = "capsule", [4] = "polygon", [5] = "polyline" }
local marker_shape_numbers = numbered(marker_shape_names)
local event_kind_names = { [0] = "crushed", [1] = "buried", [2] = "hit", [3] = "begin", [4] = "stay", [5] = "end" }
local event_kind_numbers = numbered(event_kind_names)
local out_rect = ffi.new("bitwall_rect")
local function to_rect(record, into)
  into = into or {}
  into.x = record.x
  into.y = record.y
  into.w = record.w
  into.h = record.h
  return into
end
local out_point = ffi.new("bitwall_point")
local function to_point(record, into)
  into = into or {}
  into.x = record.x
  into.y = record.y
  return into
end
local out_pixel = ffi.new("bitwall_pixel")
local function to_pixel(record, into)
  into = into or {}
  into.found = record.found
  into.x = record.x
  into.y = record.y
  return into
end
local out_settings = ffi.new("bitwall_settings")
local function to_settings(record, into)
  into = into or {}
  into.path = move_path_names[record.path]
  into.response = response_names[record.response]
  into.restitution = record.restitution
  into.floor = side_names[record.floor]
  into.step_height = record.step_height
  into.snap_distance = record.snap_distance
  into.slope_rise = record.slope_rise
  into.slope_run = record.slope_run
  into.walks_along_slope = record.walks_along_slope
  into.corner_left = record.corner_left
  into.corner_right = record.corner_right
  into.corner_up = record.corner_up
  into.corner_down = record.corner_down
  into.slides_around_corners = record.slides_around_corners
  into.one_way_left = record.one_way_left
  into.one_way_right = record.one_way_right
  into.one_way_up = record.one_way_up
  into.one_way_down = record.one_way_down
  return into
end
local out_motion = ffi.new("bitwall_motion")
local function to_motion(record, into)
  into = into or {}
  into.moved_x = record.moved_x
  into.moved_y = record.moved_y
  into.velocity_x = record.velocity_x
  into.velocity_y = record.velocity_y
  into.grounded = record.grounded
  into.was_grounded = record.was_grounded
  into.hit_left = record.hit_left
  into.hit_right = record.hit_right
  into.hit_up = record.hit_up
  into.hit_down = record.hit_down
  into.started_solid = record.started_solid
  into.stance = stance_names[record.stance]
  into.facing = side_names[record.facing]
  into.jumped = record.jumped
  return into
end
local out_feel = ffi.new("bitwall_feel")
local function to_feel(record, into)
  into = into or {}
  into.floor = dir_names[record.floor]
  into.top_speed = record.top_speed
  into.acceleration = record.acceleration
  into.friction = record.friction
  into.air_acceleration = record.air_acceleration
  into.air_friction = record.air_friction
  into.jump_height = record.jump_height
  into.jump_time = record.jump_time
  into.fall_scale = record.fall_scale
  into.fall_limit = record.fall_limit
  into.apex_speed = record.apex_speed
  into.released_speed = record.released_speed
  into.coyote_time = record.coyote_time
  into.air_jumps = record.air_jumps
  into.buffer_time = record.buffer_time
  into.wall_slide_speed = record.wall_slide_speed
  into.wall_reach = record.wall_reach
  into.wall_contact = record.wall_contact
  into.wall_jump_x = record.wall_jump_x
  into.wall_jump_y = record.wall_jump_y
  into.wall_jump_time = record.wall_jump_time
  into.ledge_reach = record.ledge_reach
  into.ledge_time = record.ledge_time
  into.dash_speed = record.dash_speed
  into.dash_time = record.dash_time
  into.dash_wait = record.dash_wait
  into.crouch_height = record.crouch_height
  into.crouch_speed = record.crouch_speed
  into.carry_x = record.carry_x
  into.carry_y = record.carry_y
  into.momentum_limit = record.momentum_limit
  into.momentum_time = record.momentum_time
  into.climb_speed = record.climb_speed
  into.ladder_snap = record.ladder_snap
  into.swim_speed = record.swim_speed
  into.swim_acceleration = record.swim_acceleration
  into.float_speed = record.float_speed
  return into
end
local out_sprite = ffi.new("bitwall_sprite")
local function to_sprite(record, into)
  into = into or {}
  into.picture = record.picture
  into.source_x = record.source_x
  into.source_y = record.source_y
  into.source_w = record.source_w
  into.source_h = record.source_h
  into.x = record.x
  into.y = record.y
  into.w = record.w
  into.h = record.h
  into.flip_x = record.flip_x
  into.flip_y = record.flip_y
  into.degrees = record.degrees
  into.repeat_x = record.repeat_x
  into.repeat_y = record.repeat_y
  into.red = record.red
  into.green = record.green
  into.blue = record.blue
  into.alpha = record.alpha
  into.layer = record.layer
  into.parallax_x = record.parallax_x
  into.parallax_y = record.parallax_y
  return into
end
local out_size = ffi.new("bitwall_size")
local function to_size(record, into)
  into = into or {}
  into.width = record.width
  into.height = record.height
  into.cell_width = record.cell_width
  into.cell_height = record.cell_height
  return into
end
local out_sweep = ffi.new("bitwall_sweep")
local function to_sweep(record, into)
  into = into or {}
  into.moved = record.moved
  into.hit = record.hit
  into.column = record.column
  into.row = record.row
  into.normal_x = record.normal_x
  into.normal_y = record.normal_y
  into.body = record.body
  return into
end
local out_ray = ffi.new("bitwall_ray")
local function to_ray(record, into)
  into = into or {}
  into.hit = record.hit
  into.x = record.x
  into.y = record.y
  into.column = record.column
  into.row = record.row
  into.normal_x = record.normal_x
  into.normal_y = record.normal_y
  into.body = record.body
  into.fraction = record.fraction
  return into
end
local out_marker = ffi.new("bitwall_marker")
local function to_marker(record, into)
  into = into or {}
  into.x = record.x
  into.y = record.y
  into.w = record.w
  into.h = record.h
  into.at_x = record.at_x
  into.at_y = record.at_y
  into.shape = marker_shape_names[record.shape]
  into.rotation = record.rotation
  into.object = record.object
  into.map = record.map
  into.tile = record.tile
  into.flip_x = record.flip_x
  into.flip_y = record.flip_y
  return into
end
local out_event = ffi.new("bitwall_event")
local function to_event(record, into)
  into = into or {}
  into.kind = event_kind_names[record.kind]
  into.body = record.body
  into.other = record.other
  into.side = side_names[record.side]
  into.column = record.column
  into.row = record.row
  into.normal_x = record.normal_x
  into.normal_y = record.normal_y
  return into
end
local out_drawn = ffi.new("bitwall_drawn")
local function to_drawn(record, into)
  into = into or {}
  into.body = record.body
  into.x = record.x
  into.y = record.y
  into.w = record.w
  into.h = record.h
  return into
end
local in_settings = ffi.new("bitwall_settings")
local function from_settings(from, name)
  if type(from) ~= "table" then refuse(name, from, "no table", "a table of all fields") end
  in_settings.path = move_path_numbers[from.path] or none(move_path_names, from.path, "path")
  in_settings.response = response_numbers[from.response] or none(response_names, from.response, "response")
  in_settings.restitution = int(from.restitution, "restitution")
  in_settings.floor = side_numbers[from.floor] or none(side_names, from.floor, "floor")
  in_settings.step_height = int(from.step_height, "step_height")
  in_settings.snap_distance = int(from.snap_distance, "snap_distance")
  in_settings.slope_rise = int(from.slope_rise, "slope_rise")
  in_settings.slope_run = int(from.slope_run, "slope_run")
  in_settings.walks_along_slope = flag(from.walks_along_slope, "walks_along_slope") == 1
  in_settings.corner_left = int(from.corner_left, "corner_left")
  in_settings.corner_right = int(from.corner_right, "corner_right")
  in_settings.corner_up = int(from.corner_up, "corner_up")
  in_settings.corner_down = int(from.corner_down, "corner_down")
  in_settings.slides_around_corners = flag(from.slides_around_corners, "slides_around_corners") == 1
  in_settings.one_way_left = flag(from.one_way_left, "one_way_left") == 1
  in_settings.one_way_right = flag(from.one_way_right, "one_way_right") == 1
  in_settings.one_way_up = flag(from.one_way_up, "one_way_up") == 1
  in_settings.one_way_down = flag(from.one_way_down, "one_way_down") == 1
  return in_settings
end
local in_feel = ffi.new("bitwall_feel")
local function from_feel(from, name)
  if type(from) ~= "table" then refuse(name, from, "no table", "a table of all fields") end
  in_feel.floor = dir_numbers[from.floor] or none(dir_names, from.floor, "floor")
  in_feel.top_speed = real(from.top_speed, "top_speed")
  in_feel.acceleration = real(from.acceleration, "acceleration")
  in_feel.friction = real(from.friction, "friction")
  in_feel.air_acceleration = real(from.air_acceleration, "air_acceleration")
  in_feel.air_friction = real(from.air_friction, "air_friction")
  in_feel.jump_height = real(from.jump_height, "jump_height")
  in_feel.jump_time = real(from.jump_time, "jump_time")
  in_feel.fall_scale = real(from.fall_scale, "fall_scale")
  in_feel.fall_limit = real(from.fall_limit, "fall_limit")
  in_feel.apex_speed = real(from.apex_speed, "apex_speed")
  in_feel.released_speed = real(from.released_speed, "released_speed")
  in_feel.coyote_time = real(from.coyote_time, "coyote_time")
  in_feel.air_jumps = int(from.air_jumps, "air_jumps")
  in_feel.buffer_time = real(from.buffer_time, "buffer_time")
  in_feel.wall_slide_speed = real(from.wall_slide_speed, "wall_slide_speed")
  in_feel.wall_reach = int(from.wall_reach, "wall_reach")
  in_feel.wall_contact = real(from.wall_contact, "wall_contact")
  in_feel.wall_jump_x = real(from.wall_jump_x, "wall_jump_x")
  in_feel.wall_jump_y = real(from.wall_jump_y, "wall_jump_y")
  in_feel.wall_jump_time = real(from.wall_jump_time, "wall_jump_time")
  in_feel.ledge_reach = int(from.ledge_reach, "ledge_reach")
  in_feel.ledge_time = real(from.ledge_time, "ledge_time")
  in_feel.dash_speed = real(from.dash_speed, "dash_speed")
  in_feel.dash_time = real(from.dash_time, "dash_time")
  in_feel.dash_wait = real(from.dash_wait, "dash_wait")
  in_feel.crouch_height = int(from.crouch_height, "crouch_height")
  in_feel.crouch_speed = real(from.crouch_speed, "crouch_speed")
  in_feel.carry_x = real(from.carry_x, "carry_x")
  in_feel.carry_y = real(from.carry_y, "carry_y")
  in_feel.momentum_limit = real(from.momentum_limit, "momentum_limit")
  in_feel.momentum_time = real(from.momentum_time, "momentum_time")
  in_feel.climb_speed = real(from.climb_speed, "climb_speed")
  in_feel.ladder_snap = int(from.ladder_snap, "ladder_snap")
  in_feel.swim_speed = real(from.swim_speed, "swim_speed")
  in_feel.swim_acceleration = real(from.swim_acceleration, "swim_acceleration")
  in_feel.float_speed = real(from.float_speed, "float_speed")
  return in_feel
end

local bitwall = {}

--- The feel of a platformer: pixels, seconds, pixels a second, pixels a second squared. All numbers are finite
--- and at least 0, but for `carry`.
bitwall.Feel = {}
--- Returns the usual feel, for tiles of 16 pixels.
function bitwall.Feel.usual(into)
  check(C.bitwall_feel_usual(out_feel))
  return to_feel(out_feel, into)
end

--- One body that slides, climbs steps and slopes, and keeps fractions of a pixel. The game has its velocity.
bitwall.Mover = {}
bitwall.Mover.__index = bitwall.Mover
--- Makes a mover with the settings of its kind. `kind` is one of "plain", "platformer", "top_down".
function bitwall.Mover.new(x, y, w, h, kind)
  return made(C.bitwall_mover_new(int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), kind_numbers[kind] or none(kind_names, kind, "kind")), C.bitwall_mover_free, bitwall.Mover)
end
--- Returns the settings, for a change of some of them.
function bitwall.Mover:settings(into)
  check(C.bitwall_mover_settings(self.at or freed(), out_settings))
  return to_settings(out_settings, into)
end
--- Sets all settings.
function bitwall.Mover:set_settings(settings)
  check(C.bitwall_mover_set_settings(self.at or freed(), from_settings(settings, "settings")))
end
--- Puts the top-left corner at a pixel, through all solids.
function bitwall.Mover:place(x, y)
  check(C.bitwall_mover_place(self.at or freed(), int(x, "x"), int(y, "y")))
end
--- Moves by a velocity in pixels a step, as far as the level allows and at most 4096 pixels.
function bitwall.Mover:step(level, velocity_x, velocity_y, into)
  check(C.bitwall_mover_step(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), real(velocity_x, "velocity_x"), real(velocity_y, "velocity_y"), out_motion))
  return to_motion(out_motion, into)
end
--- Changes the size, as for a crouch; the side `anchor` stays. False, and nothing changes, if there is no room.
--- `anchor` is one of "none", "left", "right", "up", "down".
function bitwall.Mover:resize(level, w, h, anchor)
  return check(C.bitwall_mover_resize(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), int(w, "w"), int(h, "h"), side_numbers[anchor] or none(side_names, anchor, "anchor"))) == 1
end
--- Drops through the one-way floor on which the body stands. False if it stands on none.
function bitwall.Mover:drop_through(level)
  return check(C.bitwall_mover_drop_through(self.at or freed(), handle(level, bitwall.Level, "level", "Level"))) == 1
end
--- Moves a body that overlaps a solid to the nearest free place, at most `radius` pixels away. Returns that
--- move, or none if there is no such place.
function bitwall.Mover:unstick(level, radius, into)
  check(C.bitwall_mover_unstick(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), int(radius, "radius"), out_pixel))
  return to_pixel(out_pixel, into)
end
--- Returns the box in whole pixels.
function bitwall.Mover:bounds(into)
  check(C.bitwall_mover_bounds(self.at or freed(), out_rect))
  return to_rect(out_rect, into)
end
--- Returns the exact place of the top-left corner.
function bitwall.Mover:position(into)
  check(C.bitwall_mover_position(self.at or freed(), out_point))
  return to_point(out_point, into)
end
--- Returns where to draw the top-left corner, which also glides along slopes.
function bitwall.Mover:drawn(level, into)
  check(C.bitwall_mover_drawn(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), out_point))
  return to_point(out_point, into)
end
--- Returns a number that is equal for equal movers, on every platform.
function bitwall.Mover:checksum()
  return C.bitwall_mover_checksum(self.at or freed())
end
--- Frees it now, not when the collector comes.
function bitwall.Mover:free() free(self) end

--- A character that runs, jumps, climbs and swims by its keys, in a level without other bodies.
bitwall.Platformer = {}
bitwall.Platformer.__index = bitwall.Platformer
--- Makes a character at rest in the air, for a game with `fps` steps a second, with the usual feel.
function bitwall.Platformer.new(x, y, w, h, fps)
  return made(C.bitwall_platformer_new(int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), int(fps, "fps")), C.bitwall_platformer_free, bitwall.Platformer)
end
--- Returns the feel, for a change of some of it.
function bitwall.Platformer:feel(into)
  check(C.bitwall_platformer_feel(self.at or freed(), out_feel))
  return to_feel(out_feel, into)
end
--- Sets the whole feel.
function bitwall.Platformer:set_feel(feel)
  check(C.bitwall_platformer_set_feel(self.at or freed(), from_feel(feel, "feel")))
end
--- Names the areas that are ladders and water, as in the level; empty for none.
function bitwall.Platformer:set_areas(ladder, water)
  check(C.bitwall_platformer_set_areas(self.at or freed(), text(ladder, "ladder"), text(water, "water")))
end
--- Returns the settings of the motion.
function bitwall.Platformer:settings(into)
  check(C.bitwall_platformer_settings(self.at or freed(), out_settings))
  return to_settings(out_settings, into)
end
--- Sets the settings of the motion. The response must be to slide.
function bitwall.Platformer:set_settings(settings)
  check(C.bitwall_platformer_set_settings(self.at or freed(), from_settings(settings, "settings")))
end
--- Moves by one step with the keys that are held: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1
--- (down).
function bitwall.Platformer:step(level, x, y, jump, dash, into)
  check(C.bitwall_platformer_step(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), real(x, "x"), real(y, "y"), flag(jump, "jump"), flag(dash, "dash"), out_motion))
  return to_motion(out_motion, into)
end
--- Returns what the last step did, also that of a follower, with the velocity as it is now. Nothing moved
--- before the first step.
function bitwall.Platformer:motion(into)
  check(C.bitwall_platformer_motion(self.at or freed(), out_motion))
  return to_motion(out_motion, into)
end
--- Puts the top-left corner at a pixel, through all solids.
function bitwall.Platformer:place(x, y)
  check(C.bitwall_platformer_place(self.at or freed(), int(x, "x"), int(y, "y")))
end
--- Sets the velocity in pixels a second, as for a spring.
function bitwall.Platformer:set_velocity(velocity_x, velocity_y)
  check(C.bitwall_platformer_set_velocity(self.at or freed(), real(velocity_x, "velocity_x"), real(velocity_y, "velocity_y")))
end
--- Gives a velocity and keeps it for some seconds, as for a knockback: no key and no gravity changes it.
function bitwall.Platformer:force(velocity_x, velocity_y, seconds)
  check(C.bitwall_platformer_force(self.at or freed(), real(velocity_x, "velocity_x"), real(velocity_y, "velocity_y"), real(seconds, "seconds")))
end
--- Returns the box in whole pixels.
function bitwall.Platformer:bounds(into)
  check(C.bitwall_platformer_bounds(self.at or freed(), out_rect))
  return to_rect(out_rect, into)
end
--- Returns the exact place of the top-left corner.
function bitwall.Platformer:position(into)
  check(C.bitwall_platformer_position(self.at or freed(), out_point))
  return to_point(out_point, into)
end
--- Returns where to draw the top-left corner.
function bitwall.Platformer:drawn(level, into)
  check(C.bitwall_platformer_drawn(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), out_point))
  return to_point(out_point, into)
end
--- Returns a number that is equal for equal characters, on every platform.
function bitwall.Platformer:checksum()
  return C.bitwall_platformer_checksum(self.at or freed())
end
--- Frees it now, not when the collector comes.
function bitwall.Platformer:free() free(self) end

--- What a level's maps draw, in the order of drawing.
bitwall.Scene = {}
bitwall.Scene.__index = bitwall.Scene
--- Returns the paths of the pictures, one a line, by their numbers from 0.
function bitwall.Scene:pictures()
  return ffi.string(given(C.bitwall_scene_pictures(self.at or freed())))
end
--- Returns the names of the layers that draw, one a line, by their numbers from 0. A name can be there twice.
function bitwall.Scene:layers()
  return ffi.string(given(C.bitwall_scene_layers(self.at or freed())))
end
--- Returns everything, from the back to the front.
function bitwall.Scene:all()
  local list = given(C.bitwall_scene_all(self.at or freed(), count))
  return records(list, to_sprite)
end
--- Returns what may be seen in a box of pixels, from the back to the front. O(all).
function bitwall.Scene:seen(x, y, w, h)
  local list = given(C.bitwall_scene_seen(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), count))
  return records(list, to_sprite)
end
--- Frees it now, not when the collector comes.
function bitwall.Scene:free() free(self) end

--- The ways of a body that runs and jumps: every link was played by a real platformer. Not every way is found,
--- but none is false.
bitwall.JumpWays = {}
bitwall.JumpWays.__index = bitwall.JumpWays
--- Finds the ways of a body of this size with this feel, in a game with `fps` steps a second. It takes from
--- some milliseconds to a second.
function bitwall.JumpWays.new(level, w, h, feel, fps)
  return made(C.bitwall_jump_ways_new(handle(level, bitwall.Level, "level", "Level"), int(w, "w"), int(h, "h"), from_feel(feel, "feel"), int(fps, "fps")), C.bitwall_jump_ways_free, bitwall.JumpWays)
end
--- Tells the ways that the cells of a box were edited: no link is offered that the edit may have changed.
function bitwall.JumpWays:edited(x, y, w, h)
  check(C.bitwall_jump_ways_edited(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h")))
end
--- Finds the changed links after edits, for at most about `budget` steps of play. True if all are found.
function bitwall.JumpWays:update(level, budget)
  return check(C.bitwall_jump_ways_update(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), int(budget, "budget"))) == 1
end
--- True if a way may lead from one place of the body's top-left corner to another; false if none is known.
function bitwall.JumpWays:may_reach(x, y, to_x, to_y)
  return check(C.bitwall_jump_ways_may_reach(self.at or freed(), int(x, "x"), int(y, "y"), int(to_x, "to_x"), int(to_y, "to_y"))) == 1
end
--- Returns the jumps and falls of a way: x and y of the start and of the end of each. Between them the body
--- walks. Empty without a way, and for a walk.
function bitwall.JumpWays:path(x, y, to_x, to_y)
  local list = given(C.bitwall_jump_ways_path(self.at or freed(), int(x, "x"), int(y, "y"), int(to_x, "to_x"), int(to_y, "to_y"), count))
  return numbers(list)
end
--- Frees it now, not when the collector comes.
function bitwall.JumpWays:free() free(self) end

--- The way of one body along jump ways.
bitwall.Follower = {}
bitwall.Follower.__index = bitwall.Follower
--- Makes a follower for one body.
function bitwall.Follower.new()
  return made(C.bitwall_follower_new(), C.bitwall_follower_free, bitwall.Follower)
end
--- Moves a character by one step toward a place, by the keys of the way. It must have the size and the feel of
--- the ways. The answer is one of "go", "arrived", "no_way".
function bitwall.Follower:step(ways, level, character, to_x, to_y)
  return follow_names[check(C.bitwall_follower_step(self.at or freed(), handle(ways, bitwall.JumpWays, "ways", "JumpWays"), handle(level, bitwall.Level, "level", "Level"), handle(character, bitwall.Platformer, "character", "Platformer"), int(to_x, "to_x"), int(to_y, "to_y")))]
end
--- Sets the keys that a player of a world holds in the next step of the world, by the way toward a place. The
--- player must have the size and the feel of the ways, which know neither lifts nor crates. The answer is one
--- of "go", "arrived", "no_way".
function bitwall.Follower:steer(ways, level, world, body, to_x, to_y)
  return follow_names[check(C.bitwall_follower_steer(self.at or freed(), handle(ways, bitwall.JumpWays, "ways", "JumpWays"), handle(level, bitwall.Level, "level", "Level"), handle(world, bitwall.World, "world", "World"), int(body, "body"), int(to_x, "to_x"), int(to_y, "to_y")))]
end
--- Frees it now, not when the collector comes.
function bitwall.Follower:free() free(self) end

--- A level: walls as bits, with named areas and markers. Positions are pixels, x to the right, y down.
bitwall.Level = {}
bitwall.Level.__index = bitwall.Level
--- Makes an empty level of `columns` x `rows` cells, each `cell_width` x `cell_height` pixels.
function bitwall.Level.new(columns, rows, cell_width, cell_height)
  return made(C.bitwall_level_new(int(columns, "columns"), int(rows, "rows"), int(cell_width, "cell_width"), int(cell_height, "cell_height")), C.bitwall_level_free, bitwall.Level)
end
--- Makes a level of an engine's own map: a cell is solid where the byte is not 0. Row by row, a byte for each
--- cell.
function bitwall.Level.from_cells(columns, rows, cell_width, cell_height, cells)
  local cells_at, cells_count = array(cells, "cells", "uint8_t")
  return made(C.bitwall_level_from_cells(int(columns, "columns"), int(rows, "rows"), int(cell_width, "cell_width"), int(cell_height, "cell_height"), cells_at, cells_count), C.bitwall_level_free, bitwall.Level)
end
--- Makes a level of rows of `#` (solid) and `.` (passable).
function bitwall.Level.from_text(text, cell_width, cell_height)
  return made(C.bitwall_level_from_text(text(text, "text"), int(cell_width, "cell_width"), int(cell_height, "cell_height")), C.bitwall_level_free, bitwall.Level)
end
--- Makes a level of a baked one. It has the cells, areas and markers of its source, and no pictures.
function bitwall.Level.from_baked(bytes)
  local bytes_at, bytes_count = array(bytes, "bytes", "uint8_t")
  return made(C.bitwall_level_from_baked(bytes_at, bytes_count), C.bitwall_level_free, bitwall.Level)
end
--- Returns the level as the bytes of a baked one.
function bitwall.Level:bake()
  local list = given(C.bitwall_level_bake(self.at or freed(), count))
  return ffi.string(list, count[0])
end
--- Returns a copy of the level.
function bitwall.Level:copy()
  return made(C.bitwall_level_copy(self.at or freed()), C.bitwall_level_free, bitwall.Level)
end
--- Returns a copy whose cells are pixels, so that edits take shapes pixel by pixel.
function bitwall.Level:in_pixels()
  return made(C.bitwall_level_in_pixels(self.at or freed()), C.bitwall_level_free, bitwall.Level)
end
--- Returns the size of the level and of a cell in pixels.
function bitwall.Level:size(into)
  check(C.bitwall_level_size(self.at or freed(), out_size))
  return to_size(out_size, into)
end
--- Makes the outside of the level passable or solid on one side. It is solid before. `side` is one of "left",
--- "right", "up", "down".
function bitwall.Level:open_side(side, open)
  check(C.bitwall_level_open_side(self.at or freed(), dir_numbers[side] or none(dir_names, side, "side"), flag(open, "open")))
end
--- Makes questions about boxes of this size faster, and keeps them so after edits. False if the memory for it
--- is used up.
function bitwall.Level:prepare(w, h)
  return check(C.bitwall_level_prepare(self.at or freed(), int(w, "w"), int(h, "h"))) == 1
end
--- True if the pixel is solid.
function bitwall.Level:is_solid(x, y)
  return check(C.bitwall_level_is_solid(self.at or freed(), int(x, "x"), int(y, "y"))) == 1
end
--- True if the box overlaps a solid.
function bitwall.Level:overlaps(x, y, w, h)
  return check(C.bitwall_level_overlaps(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"))) == 1
end
--- True if the box can move by `step` pixels. The whole way counts, so no thin wall is skipped. `dir` is one of
--- "left", "right", "up", "down".
function bitwall.Level:can_move(x, y, w, h, dir, step)
  return check(C.bitwall_level_can_move(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), dir_numbers[dir] or none(dir_names, dir, "dir"), int(step, "step"))) == 1
end
--- Returns how far the box can move, at most `step` pixels, and the cell that stops it. `dir` is one of "left",
--- "right", "up", "down".
function bitwall.Level:sweep(x, y, w, h, dir, step, into)
  check(C.bitwall_level_sweep(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), dir_numbers[dir] or none(dir_names, dir, "dir"), int(step, "step"), out_sweep))
  return to_sweep(out_sweep, into)
end
--- Answers many questions of `can_move`: each is the six numbers x, y, w, h, dir (0 left, 1 right, 2 up, 3
--- down) and step. An answer is 0 or 1. On an error some answers are written.
function bitwall.Level:can_move_all(questions, answers)
  local questions_at, questions_count = array(questions, "questions", "int32_t")
  local answers_at, answers_count = array(answers, "answers", "uint8_t")
  check(C.bitwall_level_can_move_all(self.at or freed(), questions_at, questions_count, answers_at, answers_count))
  give_back(answers, answers_at, answers_count)
end
--- Answers many questions of `sweep`, as `can_move_all`: each answer is the pixels moved.
function bitwall.Level:sweep_all(questions, answers)
  local questions_at, questions_count = array(questions, "questions", "int32_t")
  local answers_at, answers_count = array(answers, "answers", "int32_t")
  check(C.bitwall_level_sweep_all(self.at or freed(), questions_at, questions_count, answers_at, answers_count))
  give_back(answers, answers_at, answers_count)
end
--- Returns the first solid on the line between the middles of two pixels. `corners` is true for a line that may
--- pass between two solid cells that touch at a corner.
function bitwall.Level:ray(x, y, to_x, to_y, corners, into)
  check(C.bitwall_level_ray(self.at or freed(), int(x, "x"), int(y, "y"), int(to_x, "to_x"), int(to_y, "to_y"), flag(corners, "corners"), out_ray))
  return to_ray(out_ray, into)
end
--- True if no solid is on the line between the middles of two pixels; the answer is the same both ways.
function bitwall.Level:line_of_sight(x, y, to_x, to_y, corners)
  return check(C.bitwall_level_line_of_sight(self.at or freed(), int(x, "x"), int(y, "y"), int(to_x, "to_x"), int(to_y, "to_y"), flag(corners, "corners"))) == 1
end
--- True if the footprint with its top-left corner at a pixel overlaps a solid.
function bitwall.Level:footprint_overlaps(footprint, x, y)
  return check(C.bitwall_level_footprint_overlaps(self.at or freed(), handle(footprint, bitwall.Footprint, "footprint", "Footprint"), int(x, "x"), int(y, "y"))) == 1
end
--- Returns how far the footprint can move, at most `step` pixels, and the cell that stops it. `dir` is one of
--- "left", "right", "up", "down".
function bitwall.Level:footprint_sweep(footprint, x, y, dir, step, into)
  check(C.bitwall_level_footprint_sweep(self.at or freed(), handle(footprint, bitwall.Footprint, "footprint", "Footprint"), int(x, "x"), int(y, "y"), dir_numbers[dir] or none(dir_names, dir, "dir"), int(step, "step"), out_sweep))
  return to_sweep(out_sweep, into)
end
--- Makes a cell solid or passable. True if it changed.
function bitwall.Level:set_cell(column, row, solid)
  return check(C.bitwall_level_set_cell(self.at or freed(), int(column, "column"), int(row, "row"), flag(solid, "solid"))) == 1
end
--- Makes each cell that touches the box solid or passable. True if one changed.
function bitwall.Level:set_box(x, y, w, h, solid)
  return check(C.bitwall_level_set_box(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), flag(solid, "solid"))) == 1
end
--- Makes each cell that contains a pixel of the disc solid or passable. True if one changed.
function bitwall.Level:set_disc(x, y, radius, solid)
  return check(C.bitwall_level_set_disc(self.at or freed(), int(x, "x"), int(y, "y"), int(radius, "radius"), flag(solid, "solid"))) == 1
end
--- Makes each cell that contains a pixel of the footprint solid or passable. True if one changed.
function bitwall.Level:set_footprint(footprint, x, y, solid)
  return check(C.bitwall_level_set_footprint(self.at or freed(), handle(footprint, bitwall.Footprint, "footprint", "Footprint"), int(x, "x"), int(y, "y"), flag(solid, "solid"))) == 1
end
--- Puts the cells, areas and markers of another level into this one, with the other's top-left corner at a
--- pixel that is a corner of a cell. True if a cell changed.
function bitwall.Level:place(other, x, y)
  return check(C.bitwall_level_place(self.at or freed(), handle(other, bitwall.Level, "other", "Level"), int(x, "x"), int(y, "y"))) == 1
end
--- Returns the cells of the box as they are now, so that `apply` undoes later edits of it.
function bitwall.Level:patch(x, y, w, h)
  return made(C.bitwall_level_patch(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h")), C.bitwall_patch_free, bitwall.Patch)
end
--- Puts the cells of the patch back. True if one changed.
function bitwall.Level:apply(patch)
  return check(C.bitwall_level_apply(self.at or freed(), handle(patch, bitwall.Patch, "patch", "Patch"))) == 1
end
--- Returns a number that is equal for equal levels, on every platform.
function bitwall.Level:checksum()
  return C.bitwall_level_checksum(self.at or freed())
end
--- Returns the number of markers.
function bitwall.Level:marker_count()
  return check(C.bitwall_level_marker_count(self.at or freed()))
end
--- Returns the index of the first marker with this name; -1 without one.
function bitwall.Level:find_marker(name)
  return check(C.bitwall_level_find_marker(self.at or freed(), text(name, "name")))
end
--- Returns the place and the shape of a marker, by its index from 0 in the order of the file.
function bitwall.Level:marker(index, into)
  check(C.bitwall_level_marker(self.at or freed(), int(index, "index"), out_marker))
  return to_marker(out_marker, into)
end
--- Returns the name of a marker, which may be empty.
function bitwall.Level:marker_name(index)
  return ffi.string(given(C.bitwall_level_marker_name(self.at or freed(), int(index, "index"))))
end
--- Returns the class of a marker (Tiled also calls it type), which may be empty.
function bitwall.Level:marker_class(index)
  return ffi.string(given(C.bitwall_level_marker_class(self.at or freed(), int(index, "index"))))
end
--- Returns the layer of a marker, with the names of its groups.
function bitwall.Level:marker_layer(index)
  return ffi.string(given(C.bitwall_level_marker_layer(self.at or freed(), int(index, "index"))))
end
--- Returns x and y of each point of a marker's shape as it is drawn.
function bitwall.Level:marker_points(index)
  local list = given(C.bitwall_level_marker_points(self.at or freed(), int(index, "index"), count))
  return numbers(list)
end
--- Returns the names of a marker's properties, one a line.
function bitwall.Level:marker_properties(index)
  return ffi.string(given(C.bitwall_level_marker_properties(self.at or freed(), int(index, "index"))))
end
--- Returns a property of a marker as a text: true or false for a flag, the digits of a number. Empty if the
--- marker has no such property, or if it is a list or a class.
function bitwall.Level:marker_text(index, name)
  return ffi.string(given(C.bitwall_level_marker_text(self.at or freed(), int(index, "index"), text(name, "name"))))
end
--- Returns the names of the areas, one a line.
function bitwall.Level:areas()
  return ffi.string(given(C.bitwall_level_areas(self.at or freed())))
end
--- True if the box overlaps the named area; false if the level has no such area.
function bitwall.Level:area_overlaps(name, x, y, w, h)
  return check(C.bitwall_level_area_overlaps(self.at or freed(), text(name, "name"), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"))) == 1
end
--- Returns the categories for which the named area is solid, as bits; 0 if it stops nobody.
function bitwall.Level:area_category(name)
  return C.bitwall_level_area_category(self.at or freed(), text(name, "name"))
end
--- Makes the named area solid for bodies that collide with one of these categories. False if the level has no
--- such area.
function bitwall.Level:set_area_category(name, category)
  return check(C.bitwall_level_set_area_category(self.at or freed(), text(name, "name"), word(category, "category"))) == 1
end
--- Returns the cells row by row: a byte for each, 1 for a solid one.
function bitwall.Level:cells()
  local list = given(C.bitwall_level_cells(self.at or freed(), count))
  return ffi.string(list, count[0])
end
--- Returns the solids in a box as rectangles that do not overlap: x, y, w and h of each.
function bitwall.Level:rectangles(x, y, w, h)
  local list = given(C.bitwall_level_rectangles(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), count))
  return numbers(list)
end
--- Returns the outlines of the solids as loops: of each the number of its points, then x and y of each point.
--- The solid is on the right; a loop around a hole runs the other way.
function bitwall.Level:outlines()
  local list = given(C.bitwall_level_outlines(self.at or freed(), count))
  return numbers(list)
end
--- Returns the surfaces of the solids in a box as chains for a physics engine: of each the number of its
--- points, then x and y of each point.
function bitwall.Level:chains(x, y, w, h)
  local list = given(C.bitwall_level_chains(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), count))
  return numbers(list)
end
--- Loads a Tiled map (tmx, tmj), a world, an LDtk project, a mask (PNG), a baked level or rows of # and . from
--- the disk. `options` is the text of a `bitwall.toml`; if empty, the nearest `bitwall.toml` counts.
function bitwall.Level.load(path, options)
  return made(C.bitwall_level_load(text(path, "path"), text(options or "", "options")), C.bitwall_level_free, bitwall.Level)
end
--- Makes a level from the bytes of a file that refers to no other file. `name` is its path, for the format and
--- for errors; `options` is the text of a `bitwall.toml`, or empty.
function bitwall.Level.decode(name, bytes, options)
  local bytes_at, bytes_count = array(bytes, "bytes", "uint8_t")
  return made(C.bitwall_level_decode(text(name, "name"), bytes_at, bytes_count, text(options or "", "options")), C.bitwall_level_free, bitwall.Level)
end
--- Makes a level from the file `path` of the files. `options` is the text of a `bitwall.toml`, or empty.
function bitwall.Level.from_files(path, files, options)
  return made(C.bitwall_level_from_files(text(path, "path"), handle(files, bitwall.Files, "files", "Files"), text(options or "", "options")), C.bitwall_level_free, bitwall.Level)
end
--- Returns the files that the level was made of, one a line: if one of them changes, load again.
function bitwall.Level:files()
  return ffi.string(given(C.bitwall_level_files(self.at or freed())))
end
--- Returns what is suspicious in the files, a sentence a line.
function bitwall.Level:warnings()
  return ffi.string(given(C.bitwall_level_warnings(self.at or freed())))
end
--- Returns what made a cell solid: the tile or object, its layer and the rule. Empty if nothing of a file did.
function bitwall.Level:why(column, row)
  return ffi.string(given(C.bitwall_level_why(self.at or freed(), int(column, "column"), int(row, "row"))))
end
--- Returns what the level's maps draw. A level without maps draws nothing.
function bitwall.Level:scene()
  return made(C.bitwall_level_scene(self.at or freed()), C.bitwall_scene_free, bitwall.Scene)
end
--- Frees it now, not when the collector comes.
function bitwall.Level:free() free(self) end

--- The cells of a box of a level before an edit, to undo the edit.
bitwall.Patch = {}
bitwall.Patch.__index = bitwall.Patch
--- Frees it now, not when the collector comes.
function bitwall.Patch:free() free(self) end

--- A body or a brush that is no box: the pixels of a small picture.
bitwall.Footprint = {}
bitwall.Footprint.__index = bitwall.Footprint
--- Makes a footprint of `width` x `height` pixels: a pixel belongs to it where the byte is not 0. Row by row, a
--- byte for each pixel.
function bitwall.Footprint.new(width, height, pixels)
  local pixels_at, pixels_count = array(pixels, "pixels", "uint8_t")
  return made(C.bitwall_footprint_new(int(width, "width"), int(height, "height"), pixels_at, pixels_count), C.bitwall_footprint_free, bitwall.Footprint)
end
--- Makes a disc with this diameter in pixels.
function bitwall.Footprint.circle(diameter)
  return made(C.bitwall_footprint_circle(int(diameter, "diameter")), C.bitwall_footprint_free, bitwall.Footprint)
end
--- Makes a box with round ends, of `width` x `height` pixels.
function bitwall.Footprint.capsule(width, height)
  return made(C.bitwall_footprint_capsule(int(width, "width"), int(height, "height")), C.bitwall_footprint_free, bitwall.Footprint)
end
--- Frees it now, not when the collector comes.
function bitwall.Footprint:free() free(self) end

--- The files of a level that is not loaded from the disk: from an archive, an engine's resources or the
--- network. Put the level's own file first, then ask for those that are wanted until there is none.
bitwall.Files = {}
bitwall.Files.__index = bitwall.Files
--- Makes an empty collection of files.
function bitwall.Files.new()
  return made(C.bitwall_files_new(), C.bitwall_files_free, bitwall.Files)
end
--- Puts the bytes of a file, under the path by which it was wanted.
function bitwall.Files:put(path, bytes)
  local bytes_at, bytes_count = array(bytes, "bytes", "uint8_t")
  check(C.bitwall_files_put(self.at or freed(), text(path, "path"), bytes_at, bytes_count))
end
--- Returns the path of a file to which the files so far refer, each once; empty if there is none. A file that
--- cannot be had is not put. `pictures` is true if the pictures for drawing are wanted too: a load reads one
--- only if a map uses tiles beyond those that its tileset states. Maps that a world finds by a pattern are not
--- named.
function bitwall.Files:wanted(pictures)
  return ffi.string(given(C.bitwall_files_wanted(self.at or freed(), flag(pictures, "pictures"))))
end
--- Frees it now, not when the collector comes.
function bitwall.Files:free() free(self) end

--- The shortest ways of boxes of one size. Prepare the size in the level first: then an edit redoes only its
--- part.
bitwall.Ways = {}
bitwall.Ways.__index = bitwall.Ways
--- Makes the ways of boxes of this size in pixels.
function bitwall.Ways.new(w, h)
  return made(C.bitwall_ways_new(int(w, "w"), int(h, "h")), C.bitwall_ways_free, bitwall.Ways)
end
--- Returns the shortest way of the box's top-left corner to a pixel: x and y of each of its points. Empty if
--- there is none. `smooth` leaves out the points that a straight line can skip.
function bitwall.Ways:path(level, x, y, to_x, to_y, smooth)
  local list = given(C.bitwall_ways_path(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), int(x, "x"), int(y, "y"), int(to_x, "to_x"), int(to_y, "to_y"), flag(smooth, "smooth"), count))
  return numbers(list)
end
--- Returns the way as `path`, to the place that is nearest to the pixel if the pixel itself cannot be reached.
function bitwall.Ways:path_toward(level, x, y, to_x, to_y)
  local list = given(C.bitwall_ways_path_toward(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), int(x, "x"), int(y, "y"), int(to_x, "to_x"), int(to_y, "to_y"), count))
  return numbers(list)
end
--- Returns the field of the ways to the nearest of some goals: `goals` is x and y of each.
function bitwall.Ways:field(level, goals)
  local goals_at, goals_count = array(goals, "goals", "int32_t")
  return made(C.bitwall_ways_field(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), goals_at, goals_count), C.bitwall_field_free, bitwall.Field)
end
--- Frees it now, not when the collector comes.
function bitwall.Ways:free() free(self) end

--- The way of every free place to the nearest of some goals, for a crowd. An edit of the level does not change
--- it.
bitwall.Field = {}
bitwall.Field.__index = bitwall.Field
--- Returns the next step from a pixel: -1, 0 or 1 along each axis. None at a goal, and where no goal can be
--- reached.
function bitwall.Field:step(x, y, into)
  check(C.bitwall_field_step(self.at or freed(), int(x, "x"), int(y, "y"), out_pixel))
  return to_pixel(out_pixel, into)
end
--- Returns the length of the way to the nearest goal in pixels, of which a diagonal step has two; -1 where no
--- goal can be reached.
function bitwall.Field:distance(x, y)
  return check(C.bitwall_field_distance(self.at or freed(), int(x, "x"), int(y, "y")))
end
--- Frees it now, not when the collector comes.
function bitwall.Field:free() free(self) end

--- Bodies in a level that move together, step by step.
bitwall.World = {}
bitwall.World.__index = bitwall.World
--- Makes a world without bodies, for a game with `fps` steps a second.
function bitwall.World.new(fps)
  return made(C.bitwall_world_new(int(fps, "fps")), C.bitwall_world_free, bitwall.World)
end
--- Adds a character, and returns its number. It moves by its velocity, or by keys as a player. `kind` is one of
--- "plain", "platformer", "top_down".
function bitwall.World:add_character(x, y, w, h, kind)
  return check(C.bitwall_world_add_character(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), kind_numbers[kind] or none(kind_names, kind, "kind")))
end
--- Adds a platform, which carries and pushes other bodies and which nothing stops. A one-way platform is solid
--- only from above.
function bitwall.World:add_platform(x, y, w, h, one_way)
  return check(C.bitwall_world_add_platform(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), flag(one_way, "one_way")))
end
--- Adds a platform in the shape of a level's solid cells.
function bitwall.World:add_piece(x, y, piece)
  return check(C.bitwall_world_add_piece(self.at or freed(), int(x, "x"), int(y, "y"), handle(piece, bitwall.Level, "piece", "Level")))
end
--- Adds a crate that falls and can be pushed. `mass` is 0 to 65535; `gravity` is in pixels a second squared.
function bitwall.World:add_pushable(x, y, w, h, mass, gravity)
  return check(C.bitwall_world_add_pushable(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), int(mass, "mass"), real(gravity, "gravity")))
end
--- Adds a ball that bounces. `mass` is 0 to 65535; with 0 nothing moves it.
function bitwall.World:add_ball(x, y, diameter, mass)
  return check(C.bitwall_world_add_ball(self.at or freed(), int(x, "x"), int(y, "y"), int(diameter, "diameter"), int(mass, "mass")))
end
--- Adds a bullet, which flies straight until something stops it.
function bitwall.World:add_bullet(x, y, w, h)
  return check(C.bitwall_world_add_bullet(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h")))
end
--- Adds a sensor, which is not solid and only watches.
function bitwall.World:add_sensor(x, y, w, h)
  return check(C.bitwall_world_add_sensor(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h")))
end
--- Removes a body.
function bitwall.World:remove(body)
  check(C.bitwall_world_remove(self.at or freed(), int(body, "body")))
end
--- Returns the numbers of all bodies, in the order in which they were added.
function bitwall.World:bodies()
  local list = given(C.bitwall_world_bodies(self.at or freed(), count))
  return numbers(list)
end
--- Returns the box of a body in whole pixels.
function bitwall.World:bounds(body, into)
  check(C.bitwall_world_bounds(self.at or freed(), int(body, "body"), out_rect))
  return to_rect(out_rect, into)
end
--- Returns the exact place of the top-left corner of a body.
function bitwall.World:position(body, into)
  check(C.bitwall_world_position(self.at or freed(), int(body, "body"), out_point))
  return to_point(out_point, into)
end
--- Puts the top-left corner of a body at a pixel, through all solids.
function bitwall.World:place(body, x, y)
  check(C.bitwall_world_place(self.at or freed(), int(body, "body"), int(x, "x"), int(y, "y")))
end
--- Changes the size of a character; the side `anchor` stays. False, and nothing changes, if there is no room.
--- `anchor` is one of "none", "left", "right", "up", "down".
function bitwall.World:resize(level, body, w, h, anchor)
  return check(C.bitwall_world_resize(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), int(body, "body"), int(w, "w"), int(h, "h"), side_numbers[anchor] or none(side_names, anchor, "anchor"))) == 1
end
--- Returns the velocity of a body in pixels a second.
function bitwall.World:velocity(body, into)
  check(C.bitwall_world_velocity(self.at or freed(), int(body, "body"), out_point))
  return to_point(out_point, into)
end
--- Sets the velocity of a body in pixels a second.
function bitwall.World:set_velocity(body, velocity_x, velocity_y)
  check(C.bitwall_world_set_velocity(self.at or freed(), int(body, "body"), real(velocity_x, "velocity_x"), real(velocity_y, "velocity_y")))
end
--- Sets the acceleration of a body, such as its gravity, in pixels a second squared.
function bitwall.World:set_acceleration(body, x, y)
  check(C.bitwall_world_set_acceleration(self.at or freed(), int(body, "body"), real(x, "x"), real(y, "y")))
end
--- Sets what a body is, what it collides with, and what it watches for events: categories as bits.
function bitwall.World:set_categories(body, category, collides_with, watches)
  check(C.bitwall_world_set_categories(self.at or freed(), int(body, "body"), word(category, "category"), word(collides_with, "collides_with"), word(watches, "watches")))
end
--- Returns the settings of a character's motion.
function bitwall.World:settings(body, into)
  check(C.bitwall_world_settings(self.at or freed(), int(body, "body"), out_settings))
  return to_settings(out_settings, into)
end
--- Sets the settings of a character's motion.
function bitwall.World:set_settings(body, settings)
  check(C.bitwall_world_set_settings(self.at or freed(), int(body, "body"), from_settings(settings, "settings")))
end
--- Moves a platform from stop to stop: `stops` is x and y of each, `speed` in pixels a second, `wait` in
--- seconds at each. `round` goes from the last straight to the first; else it goes back the same way. Empty
--- `stops` end the path.
function bitwall.World:set_path(body, stops, speed, wait, round)
  local stops_at, stops_count = array(stops, "stops", "int32_t")
  check(C.bitwall_world_set_path(self.at or freed(), int(body, "body"), stops_at, stops_count, real(speed, "speed"), real(wait, "wait"), flag(round, "round")))
end
--- Moves a platform on a circle. A turn takes `seconds`, and is counter-clockwise if they are negative.
function bitwall.World:set_circle(body, x, y, radius, seconds)
  check(C.bitwall_world_set_circle(self.at or freed(), int(body, "body"), int(x, "x"), int(y, "y"), int(radius, "radius"), real(seconds, "seconds")))
end
--- Makes a character a player, which moves by keys with this feel; or changes the feel of a player.
function bitwall.World:set_player(body, feel)
  check(C.bitwall_world_set_player(self.at or freed(), int(body, "body"), from_feel(feel, "feel")))
end
--- Returns the feel of a player.
function bitwall.World:feel(body, into)
  check(C.bitwall_world_feel(self.at or freed(), int(body, "body"), out_feel))
  return to_feel(out_feel, into)
end
--- Names the areas that are ladders and water for a player, as in the level; empty for none.
function bitwall.World:set_areas(body, ladder, water)
  check(C.bitwall_world_set_areas(self.at or freed(), int(body, "body"), text(ladder, "ladder"), text(water, "water")))
end
--- Sets the keys that a player holds in the next steps: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1
--- (down).
function bitwall.World:set_input(body, x, y, jump, dash)
  check(C.bitwall_world_set_input(self.at or freed(), int(body, "body"), real(x, "x"), real(y, "y"), flag(jump, "jump"), flag(dash, "dash")))
end
--- Gives a player a velocity and keeps it for some seconds, as for a knockback.
function bitwall.World:force(body, x, y, seconds)
  check(C.bitwall_world_force(self.at or freed(), int(body, "body"), real(x, "x"), real(y, "y"), real(seconds, "seconds")))
end
--- Returns what the last step did to a character; nothing before its first step.
function bitwall.World:motion(body, into)
  check(C.bitwall_world_motion(self.at or freed(), int(body, "body"), out_motion))
  return to_motion(out_motion, into)
end
--- Moves all bodies by one step: platforms on their paths, players by their keys, the others by their velocity.
function bitwall.World:step(level)
  check(C.bitwall_world_step(self.at or freed(), handle(level, bitwall.Level, "level", "Level")))
end
--- Returns the events of the last step.
function bitwall.World:events()
  local list = given(C.bitwall_world_events(self.at or freed(), count))
  return records(list, to_event)
end
--- Returns where to draw each body, in the order in which they were added.
function bitwall.World:drawn(level)
  local list = given(C.bitwall_world_drawn(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), count))
  return records(list, to_drawn)
end
--- Returns the platform on which a body stands; -1 without one.
function bitwall.World:standing_on(body)
  return check(C.bitwall_world_standing_on(self.at or freed(), int(body, "body")))
end
--- Drops a character through the one-way floor on which it stands. False if it stands on none.
function bitwall.World:drop_through(level, body)
  return check(C.bitwall_world_drop_through(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), int(body, "body"))) == 1
end
--- Moves a character that overlaps a solid to the nearest free place, at most `radius` pixels away.
function bitwall.World:unstick(level, body, radius, into)
  check(C.bitwall_world_unstick(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), int(body, "body"), int(radius, "radius"), out_pixel))
  return to_pixel(out_pixel, into)
end
--- Returns the bodies of some categories that overlap a box.
function bitwall.World:overlapping(x, y, w, h, categories)
  local list = given(C.bitwall_world_overlapping(self.at or freed(), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), word(categories, "categories"), count))
  return numbers(list)
end
--- Returns the body of some categories that is nearest to a pixel, at most `radius` pixels away; -1 without
--- one.
function bitwall.World:nearest(x, y, radius, categories)
  return check(C.bitwall_world_nearest(self.at or freed(), int(x, "x"), int(y, "y"), int(radius, "radius"), word(categories, "categories")))
end
--- Returns how far a box can move in the level and among the bodies of some categories. `dir` is one of "left",
--- "right", "up", "down".
function bitwall.World:sweep(level, x, y, w, h, dir, step, categories, into)
  check(C.bitwall_world_sweep(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), int(x, "x"), int(y, "y"), int(w, "w"), int(h, "h"), dir_numbers[dir] or none(dir_names, dir, "dir"), int(step, "step"), word(categories, "categories"), out_sweep))
  return to_sweep(out_sweep, into)
end
--- Returns the first solid, or the first body of some categories, on the line between the middles of two
--- pixels.
function bitwall.World:ray(level, x, y, to_x, to_y, categories, into)
  check(C.bitwall_world_ray(self.at or freed(), handle(level, bitwall.Level, "level", "Level"), int(x, "x"), int(y, "y"), int(to_x, "to_x"), int(to_y, "to_y"), word(categories, "categories"), out_ray))
  return to_ray(out_ray, into)
end
--- Returns a copy of the world with its players and paths, to go back to.
function bitwall.World:copy()
  return made(C.bitwall_world_copy(self.at or freed()), C.bitwall_world_free, bitwall.World)
end
--- Makes this world what another one is, as for going back to a copy.
function bitwall.World:restore(other)
  check(C.bitwall_world_restore(self.at or freed(), handle(other, bitwall.World, "other", "World")))
end
--- Returns a number that is equal for worlds with equal bodies and players, on every platform.
function bitwall.World:checksum()
  return C.bitwall_world_checksum(self.at or freed())
end
--- Frees it now, not when the collector comes.
function bitwall.World:free() free(self) end

--- The version of bitwall.
bitwall.version = ffi.string(C.bitwall_version())

--- Loads a level whose files the game reads: `read(path)` returns the bytes of a file, or nil. In LOVE,
--- `bitwall.Level.read("cave.tmx", love.filesystem.read)`. `options` is the text of a `bitwall.toml`, or nil.
function bitwall.Level.read(path, read, options)
  local files = bitwall.Files.new()
  local wanted = path
  while wanted ~= "" do
    local bytes = read(wanted)
    if wanted == path and not bytes then error(path .. ": it cannot be read", 2) end
    if bytes then files:put(wanted, bytes) end
    wanted = files:wanted(false)
  end
  return bitwall.Level.from_files(path, files, options)
end

--- The lines of a text, as of `level:areas()`.
function bitwall.lines(text)
  local all = {}
  for line in text:gmatch("[^\n]+") do table.insert(all, line) end
  return all
end

--- For LOVE: a function that draws the level's pictures, with their flips, turns and tints. `open(path)`
--- gives the image of a path; love.graphics.newImage unless given. Layers with a parallax factor are drawn as
--- if it were 1.
function bitwall.drawer(level, open)
  local graphics = love.graphics
  local scene, images, batches, last = level:scene(), {}, {}, nil
  for number, path in ipairs(bitwall.lines(scene:pictures())) do
    images[number - 1] = (open or graphics.newImage)(path)
    images[number - 1]:setFilter("nearest", "nearest")
    images[number - 1]:setWrap("repeat", "repeat")
  end
  local white = love.image.newImageData(1, 1)
  white:setPixel(0, 0, 1, 1, 1, 1)
  images[-1] = graphics.newImage(white)
  local size = level:size()
  for _, it in ipairs(scene:all()) do
    local image = images[it.picture]
    if not last or last:getTexture() ~= image then
      last = graphics.newSpriteBatch(image)
      table.insert(batches, last)
    end
    local plain = it.picture < 0
    local w, h = plain and 1 or it.source_w, plain and 1 or it.source_h
    local scale_x, scale_y = it.w / w, it.h / h
    -- A picture that repeats covers the level and as much on both sides.
    local wide = it.repeat_x and w * (2 * math.ceil(1.5 * size.width / it.w) + 1) or w
    local high = it.repeat_y and h * (2 * math.ceil(1.5 * size.height / it.h) + 1) or h
    local quad = graphics.newQuad(it.source_x, it.source_y, wide, high, image:getDimensions())
    last:setColor(it.red, it.green, it.blue, it.alpha)
    last:add(quad, it.x, it.y, math.rad(it.degrees), it.flip_x and -scale_x or scale_x,
      it.flip_y and -scale_y or scale_y, wide / 2, high / 2)
  end
  return function()
    for _, batch in ipairs(batches) do graphics.draw(batch) end
  end
end

return bitwall
