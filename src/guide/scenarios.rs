//! Problems from the documentation of other libraries and from their users, each with the test that covers
//! it. All problems are about movement.
//!
//! Each row has the source of a problem (the number of a thread, a part of the documentation, or a trial of
//! bitwall), the problem, the behaviour of bitwall, and the test in `tests` (`…` stands for the rest of its
//! name). Complaints about loading, drawing and the cost of many colliders are not listed.
//!
//! # bump.lua
//! Its README and specification, and threads of kikito/bump.lua.
//!
//! | from | problem | bitwall | test |
//! |---|---|---|---|
//! | README: touch | stop at the first contact | `Response::Stop`: the same end | `the_four_responses_…` |
//! | README: slide | go on along the wall | `Response::Slide`: the same end | `the_slide_response_goes_…` |
//! | README: bounce | bounce back | exact at every number of bounces | `a_ball_between_walls_…` |
//! | README: cross | pass, with a report | `Response::Cross`: the first contact | `the_four_responses_…` |
//! | README: tunnelling | fast items skip walls | no solid is skipped at any speed | `an_item_passes_…` |
//! | README: overlaps | thrown out of a box | leaves by its own motion alone | `an_item_that_starts_in_…` |
//! | README: many walls | a chain of responses | slides into the corner, and stops | `a_slide_into_a_…` |
//! | specification | a corner met exactly | y stops on a tie (x in bump) | `the_path_decides_where_…` |
//! | specification | no motion | nothing moves | `a_step_of_zero_keeps_the_position_…` |
//! | specification | order of contacts | the first cell in motion | `a_contact_names_the_cell_met_and_…` |
//! | README: order | bodies move one by one | the order of adding does not matter | `the_order_in_which_…` |
//! | seam of two tiles | slide snags | no contact but the wall | `a_slide_along_a_wall_of_tiles_meets_no_…` |
//! | #28, #37 | thrown back or aside | never backwards, never too far | `a_slide_never_moves_an_item_…` |
//! | #33 | hit by a corner alone | touching is free | `a_diagonal_move_that_only_touches_a_corner_is_free` |
//! | #34 | embedded at high speed | stops at the edge | `no_speed_goes_through_a_floor_of_one_pixel` |
//! | #44 | enter and leave wanted | `Event::Begin`, `Stay`, `End` | `a_watching_body_gets_events_…` |
//! | #44 | the same for pickups | a sensor, also if passed at once | `a_body_that_passes_a_thin_sensor_…` |
//! | #62 | an item that only crosses | categories, and `watches` | `a_ghost_crosses_bodies_…` |
//!
//! # Celeste
//! The published `Player.cs`, M. Thorson's article on its physics, and ports of them.
//!
//! | from | problem | bitwall | test |
//! |---|---|---|---|
//! | jump correction | 4 px at a ceiling | `corner_correction.up` | `a_jump_passes_the_corner_of_a_…` |
//! | jump correction | against the run | only if it rises faster than it runs | `a_jump_is_corrected_…` |
//! | dash correction | 4 px too low or high | `corner_correction.left`, `right` | `a_dash_that_is_up_to_…` |
//! | dash down | 4 px over an edge | `corner_correction.down` | `a_dash_down_passes_the_edge_of_a_floor_…` |
//! | jump-through | half-solid edges | hold from above alone | `a_jump_through_platform_stops_only_…` |
//! | jump-through | stacks | hold one by one | `stacked_one_way_tiles_hold_a_…` |
//! | jump-through | lifts its riders | the same, and is passed from below | `a_one_way_platform_holds_…` |
//! | lift | carries | not a pixel of slip | `a_rider_is_carried_in_every_direction_without_a_pixel_of_slip` |
//! | lift | carries into a wall | the rider stays behind | `a_rider_stops_at_a_wall_and_stays_behind` |
//! | lift | rider half on ground | is held, and carried along x | `a_body_partly_on_the_ground_…` |
//! | lift | pushes | on four sides, and through others | `a_platform_pushes_bodies_on_all_sides_…` |
//! | lift | pushes and carries at once | moves a rider once | `a_wall_and_a_floor_that_move_together_…` |
//! | lift boost | momentum of a jump | `World::floor_velocity` | `a_jump_from_a_lift_keeps_the_velocity_…` |
//! | squish | reported | `Event::Crushed`, once | `a_body_pushed_against_a_wall_is_crushed_and_stays` |
//! | squish | a way out is sought | `World::unstick` | `a_squished_body_is_reported_and_finds_the_free_…` |
//! | grace time | jump after an edge | `Feel::coyote_time` | `a_jump_is_granted_for_the_coyote_steps_…` |
//! | jump buffer | press before landing | `Feel::buffer_time` | `a_press_before_landing_counts_for_the_…` |
//! | variable jump | released early | `Feel::released_speed` | `the_longer_the_key_is_held_the_higher_…` |
//! | half gravity | at the apex | `Feel::apex_speed` | `the_apex_of_a_jump_lasts_longer_…` |
//! | wall jump | within 3 px | `Feel::wall_reach` | `a_character_jumps_only_from_a_wall_within_wall_reach` |
//! | EverestAPI/Everest#80 | a wall jump tests a wrong side | both sides | `a_jump_from_a_wall_leads_…` |
//! | EXOK/Celeste64#29 | no death when squished | reported between two lifts | `a_body_between_two_…` |
//! | macroquad#459 | last row not solid | the last cell counts | `levels_of_every_width_and_height_end_…` |
//! | macroquad#969 | stuck in a ceiling | gets out | `a_body_that_spawns_in_the_ground_gets_out_and_stands` |
//! | macroquad#122 | misses a tile between corners | the whole edge counts | `a_box_larger_than_a_tile_…` |
//!
//! # Godot
//! Threads of godotengine/godot about `CharacterBody2D` and tile maps.
//!
//! | from | problem | bitwall | test |
//! |---|---|---|---|
//! | #89458 | hits seams of tiles | none, at any speed | `no_body_hits_the_seams_of_a_flat_floor_of_tiles` |
//! | #42914 | one-way jump by the margin | no margin: exact places | `a_body_that_rises_past_a_one_way_…` |
//! | #42914 | put on top from below | falls if past the edge | `a_one_way_tile_does_not_…` |
//! | #71769 | one-way between two tiles | holds a standing body | `a_one_way_tile_between_two_…` |
//! | #71769 | a walk over such tiles | holds a walker | `a_walk_over_one_way_and_solid_cells_in_turn_…` |
//! | #91494 | wrong normal at a corner | the face's normal, and its cell | `each_contact_names_the_cell_…` |
//! | #87477 | held by a ceiling | falls at once | `a_body_does_not_stick_to_a_ceiling` |
//! | #87477 | held by a ceiling in a run | no speed is lost | `a_body_that_jumps_under_a_ceiling_of_…` |
//! | #88067 | spawned in the ground | `started_solid`, no push, `unstick` | `a_body_of_a_world_that_…` |
//! | #47366 | a platform traps or passes a body | pushes it, leaves it free | `a_platform_pushes_a_body_…` |
//! | #64362 | one-way does not block sides | each side by choice | `a_one_way_cell_stops_motions_…` |
//! | #102662, #104452 | merged cells differ | tiles answer like pixels | `a_mover_moves_the_same_in_…` |
//! | docs: floor_max_angle | a steepest floor | `max_slope` | `a_slope_at_the_limit_is_…` |
//! | docs: floor_stop_on_slope | slides if too steep | slides | `a_body_slides_down_a_slope_that_…` |
//! | docs: floor_constant_speed | one speed on slopes | `walk_speed` | `a_walk_measured_along_the_slope_…` |
//! | docs: bounce | off the normal | `Response::Bounce`, fitted | `a_box_that_falls_onto_a_slope_…` |
//! | #98475 | a rider jitters when drawn | `World::drawn`: a constant distance | `riders_are_drawn_at_a_…` |
//! | #109492 | merging loses one-way | the same with one-way cells | `every_query_and_edit_agrees_…` |
//! | #42765 | slides off a fast lift's edge | stays on its last pixel | `a_body_at_the_edge_of_a_fast_…` |
//! | #9399 | falls through a one-way lift | is taken up | `a_rising_one_way_platform_…` |
//! | #84153 | taken along by a lift put elsewhere | stays, and falls | `a_rider_is_no_longer_carried_…` |
//! | #94928 | a hit drags a body at rest | stays | `a_body_at_rest_stays_when_…` |
//! | #65748 | a hit reverses the speed | stops, or goes on | `a_body_hit_on_its_side_…` |
//! | #77543 | rests on a removed floor | falls | `bodies_at_rest_fall_when_…` |
//! | proposals#15024 | is the whole floor one-way? | one query, or a drop | `a_body_on_one_way_cells_…` |
//!
//! # HaxeFlixel, Phaser, LittleJS, melonJS
//! A number without a name in front is a thread in the library's own repository.
//!
//! | from | problem | bitwall | test |
//! |---|---|---|---|
//! | flixel#1561, #3646, #3647 | a pushed wall, a fall | neither held nor dropped | `a_body_that_pushes_…` |
//! | flixel#1605 | fast bodies fall through | never | `no_speed_goes_through_a_floor_of_one_pixel` |
//! | flixel#3430 | the order of axes matters | a mirrored game moves mirrored | `in_a_mirrored_or_turned_…` |
//! | flixel-addons#490 | one slope is slower | one speed on both | `slopes_are_walked_up_and_down_at_one_…` |
//! | flixel-demos#385 | slope peaks | walked over | `the_peak_and_the_foot_of_a_slope_are_walked_over_at_…` |
//! | FlixelCommunity/flixel#159 | separation of pixels | footprints move | `a_sprite_lands_with_its_…` |
//! | phaser#886 | stacked one-way tiles | each holds | `stacked_one_way_tiles_hold_a_…` |
//! | phaser#4080 | snapped on top from below | never | `a_one_way_tile_does_not_…` |
//! | phaser#4732 | phantom velocity | none | `a_walk_on_a_flat_floor_keeps_its_velocity` |
//! | phaser#2378, phaser-ce#94 | tunnelling | never | `a_wall_of_one_pixel_stops_every_step_at_every_…` |
//! | phaser#467 | callback on corners only | every pixel of a face | `each_contact_names_the_cell_and_…` |
//! | phaser-arcade-slopes#8, #36 | through slopes | held at each speed | `the_peak_and_the_foot_of_a_…` |
//! | LittleJS#141 | stops short of a ceiling | reaches it | `a_fast_jump_ends_exactly_at_the_ceiling` |
//! | LittleJS#60, #157 | a ray names wrong tiles | the first pixel on the line | `a_ray_meets_the_first_…` |
//! | LittleJS#150 | one grid is not enough | areas by category | `a_mover_among_solid_areas_moves_as_in_…` |
//! | melonJS#16 | falls through from a height | no cap of speed | `no_speed_goes_through_a_floor_of_one_…` |
//! | melonJS#169 | jumps into a corner | enters no corner | `a_body_pushed_diagonally_follows_a_passage_…` |
//! | melonJS#538 | one-way on any axis | each side by choice | `a_one_way_cell_stops_motions_…` |
//! | melonJS#755 | held by a ceiling | falls at once | `a_body_does_not_stick_to_a_ceiling` |
//! | melonJS#1590 | settings for each shape | categories of each body | `two_bodies_collide_only_if_each_…` |
//! | melonJS#1591 | a sensor turns solid | it stops nobody | `a_sensor_reports_enter_stay_and_leave_…` |
//!
//! # GameMaker, Nez, Solarus, pygame
//! | from | problem | bitwall | test |
//! |---|---|---|---|
//! | GameMaker-Bugs#5098 | counts from a pixel's middle | touching does not stop | `touching_a_solid_…` |
//! | GameMaker-Bugs#14294 | misses 1 or 2 px | every pixel counts | `a_contact_names_the_cell_met_and_…` |
//! | Feature-Requests#1405 | jitter on pixel slopes | none | `slopes_are_walked_up_and_down_at_one_speed_…` |
//! | Nez#909, #406 | even sizes, off by one | all sizes alike | `boxes_of_even_and_odd_sizes_…` |
//! | Nez#155 | stops on one slope | one speed on both | `slopes_are_walked_up_and_down_at_one_speed_by_…` |
//! | Nez#323 | through a wall at a slope's foot | walks on | `the_peak_and_the_foot_of_a_slope_are_…` |
//! | Nez#331 | one-way stairs, one direction | both directions | `stairs_of_one_way_tiles_are_climbed_by_…` |
//! | Nez#191 | the mover fires no triggers | `Move::entered`, `left` | `a_mover_reports_each_area_…` |
//! | solarus#39 | narrow passages | enters doors of its size | `a_diagonal_walk_along_a_wall_enters_…` |
//! | solarus#479 | a diagonal push enters solids | never | `a_body_pushed_diagonally_follows_a_passage_…` |
//! | solarus#189 | held in a wall after a jump | never in a solid | `a_character_that_starts_in_free_…` |
//! | solarus-quest-editor#317 | stairs as a diagonal | slides along | `a_slide_along_a_slanted_wall_…` |
//! | pygame#410, #1361 | at word edges | each width agrees | `levels_of_every_width_and_height_end_at_…` |
//!
//! # GDevelop, Construct, Tnua, character controllers and games
//! | from | problem | bitwall | test |
//! |---|---|---|---|
//! | GDevelop#5077 | lands on a slope, slower | keeps its speed | `jumps_from_and_onto_slopes_…` |
//! | GDevelop#897 | no walk on a rising lift | walks as on the ground | `a_walk_on_a_rising_lift_…` |
//! | Construct-bugs#2532, #7776 | no jump on a slope | starts at once | `a_jump_starts_at_once_on_…` |
//! | Construct-bugs#4127 | slides up in a jump | lands once it sinks | `a_jump_onto_a_slope_lands_…` |
//! | bevy-tnua#117 | a ramp makes jumps too high | by at most one walked step | `a_jump_starts_at_once_…` |
//! | prime31#96 | rises at a tile's edge | falls, or is up in one step | `a_body_pressed_at_the_edge_of_…` |
//! | prime31#62 | hops on a lift that sinks | stays on it | `a_platform_that_falls_faster_than_…` |
//! | cjddmut#13 | stuck in a moving platform | is pushed, and leaves | `a_body_that_runs_against_an_…` |
//! | Moondust#123, #213 | a lift reverses | stands, may jump | `a_body_on_a_lift_that_turns_back_stands_…` |
//! | Citrus-Engine#8, JoltPhysics#530 | hops off a lift that reverses | stands | `a_body_on_a_lift_that_…` |
//! | platypus#8 | moved off a lift, still carried | is free at once | `a_rider_is_no_longer_carried_…` |
//! | platform_template#2 | bounces at a slope's end | no hop | `a_walk_off_the_end_of_a_slope_…` |
//! | platform_template#46 | no jump on a way down | starts at once | `a_jump_starts_at_once_on_…` |
//! | monkey-shines-java-port#6 | pits: luck | by width and speed alone | `a_body_that_falls_into_a_pit_…` |
//! | Herbi#7 | squeezed bodies are thrown out | reported once, stay | `a_jump_against_a_lift_…` |
//! | trial | a lift just above or below the ground | walked as a step | `a_walk_from_the_ground_onto_a_…` |
//!
//! # Rapier, Parry, Box2D, Avian, Chipmunk
//! | from | problem | bitwall | test |
//! |---|---|---|---|
//! | rapier#669, #809 | ghost contacts on flat floors | none | `no_body_hits_the_seams_of_a_flat_floor_…` |
//! | rapier#418 | the offset is not kept | no offset: it touches | `a_walk_on_a_flat_floor_…` |
//! | rapier#643 | held at a corner | free | `a_corner_that_is_only_touched_…` |
//! | rapier.rs#136 | snap needs a fall | snaps on each walk | `a_walk_without_gravity_follows_the_slope_…` |
//! | rapier.js#191 | slides stop for a frame | even speed | `a_slide_along_a_wall_of_tiles_meets_no_seam` |
//! | parry#336, #339 | voxels without casts | footprints sweep | `no_footprint_ends_in_a_solid` |
//! | parry#344 | inner edges of chunks | no seams | `a_slide_along_a_wall_of_tiles_meets_no_seam` |
//! | box2d#456, #935, #1017, #1098 | ghosts on boxes in a row | none | `no_body_hits_the_seams_of_a_flat_…` |
//! | defold#5076, #12312 | tile shapes have seams | none | `a_slide_along_a_wall_of_tiles_meets_no_seam` |
//! | avian#438, #894 | move and slide wanted | `Mover::step` | `the_slide_response_goes_on_along_the_…` |
//! | avian#949 | drifts down slopes | stays | `a_body_stays_on_a_slope_while_no_key_is_held` |
//! | bevy_ecs_tiled#176 | which tile was hit | `Contact::cell` | `each_contact_names_the_cell_and_the_…` |
//! | avian#273 | thrown by a crate's corner | no faster than asked | `a_jump_against_the_corner_of_…` |
//! | Chipmunk2D#18, reactphysics3d#235 | rests on air | falls | `bodies_at_rest_fall_when_…` |
//!
//! # Others
//! | from | problem | bitwall | test |
//! |---|---|---|---|
//! | hessian#1 | hops through a one-way slope | stays on it | `no_jump_while_running_up_a_one_way_slope_…` |
//! | trial | a drop on a slope is undone | falls past that floor | `a_drop_while_running_down_a_one_way_…` |
//! | tnua#27 | stands up into a ceiling | `Mover::resize` refuses | `a_body_is_not_resized_into_a_solid_…` |
//! | NovaSquirrel#57 | dragged off a ledge | one pixel is enough to ride | `a_body_with_one_pixel_on_…` |
