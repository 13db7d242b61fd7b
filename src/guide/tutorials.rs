//! The collision systems of the five tutorials that bitwall grew out of, with a test of each system.
//!
//! Each system has a test in `tests` (`…` stands for the rest of its name) or an example. If the method of a
//! tutorial is wrong, the test also shows how this method fails.
//!
//! | | system | test or example |
//! |---|---|---|
//! | S1 | two rectangles, and their overlap | `s1_overlap_returns_…`, `s1_touching_…` |
//! | S2 | circle against circle | `s2_circles_that_…` |
//! | S3 | rectangle against circle | `s3_the_nearest_point_of_a_rectangle_decides_if_a_circle_overlaps` |
//! | S4 | a tower's range against a square | `s4_a_circle_near_the_corner_…`; `examples/tower_range.rs` |
//! | S5 | a tile map, walked in pixels | `s5_a_tile_with_a_collision_…`; `examples/platformer.rs` |
//! | S6 | side-view ledges at any place | `s6_ledges_at_any_place_are_met_without_a_test_of_each_ledge` |
//! | S7 | moving platforms | `s7_a_platform_that_only_moves_itself_leaves_its_rider_behind` |
//! | S8 | black and white mask | `s8_a_wall_thinner_…`, `s8_left_is_tested_…`; `examples/walk_a_mask.rs` |
//! | S9 | slopes, isometric maps | `s9_a_walker_climbs_slopes_and_enters_isometric_maps`; `platformer.rs` |
//! | S10 | a sprite's own pixels | `s10_a_sprite_collides_by_its_pixels_instead_of_its_box` |
//! | S11 | an animated walker | `s11_a_walker_does_not_leave_…`; `examples/top_down.rs`, `play.rs` |
//! | S12 | triangle against rectangle | `s12_a_rectangle_…`, `s12_a_shape_…`, `s12_a_triangle_…` |
//! | S13 | segment against segment | `s13_vertical_…`, `s13_slanted_…`, `s13_nearly_parallel_segments_…` |
//! | S14 | square and wall | `s14_a_square_stops_at_the_wall_at_any_speed` |
//! | S15 | strict or touching | `s15_whether_touching_counts_is_the_callers_choice_in_every_test` |
//! | S16 | fixed frame rate, keyboard, drawing | `s16_a_fixed_step_…`; `examples/play.rs` |
//! | S17 | bounding rectangle, point in it | `s17_a_point_in_a_bodys_bounds_…` |
//! | S18 | falling blocks that stack | `s18_blocks_stack_come_to_rest_…`, `s18_the_tutorials_stacking_…` |
//! | S19 | many bodies, each pair once | `s19_each_pair_is_found_once_and_never_a_body_with_itself` |
//! | S20 | elastic balls | `s20_energy_…`, `s20_the_order_…`; `examples/bouncing_balls.rs` |
//! | S21 | separating axes, sectors | `s21_a_slanted_side_…`, `s21_a_sector_…`, `s21_the_push_out_…` |
