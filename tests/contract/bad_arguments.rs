//! The rows of `bindings/bad_arguments.tsv` that say what Rust answers. The other doors have the same rows in tests of
//! their own.

use std::fmt::Debug;

use bitwall::character::{Feel, Input, Platformer};
use bitwall::engine::FixedSteps;
use bitwall::glam::{IVec2, UVec2};
use bitwall::grid::GridError;
use bitwall::shapes::Circle;
use bitwall::world::Body;
use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings, Rate};

fn level() -> Level {
    let mut level = Level::from_grid(Grid::new(40, 20).unwrap(), UVec2::new(16, 8)).unwrap();
    level.paint(&Aabb::from_xywh(0, 100, 640, 8), IVec2::ZERO).unwrap();
    level
}

fn printed<T: Debug, E: ToString>(answer: Result<T, E>) -> Result<String, String> {
    answer.map(|answer| format!("{answer:?}")).map_err(|error| error.to_string())
}

/// One call of a function with all arguments good but one.
struct Call<'a> {
    argument: &'a str,
    value: &'a str,
}

impl Call<'_> {
    /// The value of the argument `name`, which is `usual` unless it is the bad one.
    fn number(&self, name: &str, usual: i64) -> i64 {
        if self.argument == name { self.value.parse().unwrap() } else { usual }
    }

    fn real(&self) -> f32 {
        self.value.parse().unwrap()
    }

    fn body(&self) -> Aabb {
        Aabb::from_xywh(0, 0, self.number("w", 12) as i32, self.number("h", 20) as i32)
    }

    fn settings(&self) -> MoverSettings {
        MoverSettings {
            step_height: self.number("step_height", 4) as u32,
            snap_distance: self.number("snap_distance", 4) as u32,
            ..MoverSettings::platformer()
        }
    }

    fn new_level(&self) -> Result<Level, GridError> {
        let usual = self.number("size", 4);
        let columns = self.number("columns", usual) as u32;
        let grid = Grid::new(columns, self.number("rows", usual) as u32)?;
        let width = self.number("cell_width", 8) as u32;
        Level::from_grid(grid, UVec2::new(width, self.number("cell_height", 8) as u32))
    }

    /// Steps against a stair of 257 px, which 256 does not climb, and down from it.
    fn steps(&self) -> String {
        let mut stair = Level::from_grid(Grid::new(200, 400).unwrap(), UVec2::ONE).unwrap();
        stair.paint(&Aabb::from_xywh(0, 300, 200, 100), IVec2::ZERO).unwrap();
        stair.paint(&Aabb::from_xywh(100, 43, 100, 257), IVec2::ZERO).unwrap();
        let size = self.body().size().as_ivec2();
        let starts = [(80, 300, 40.0), (101, 43, -40.0)];
        let ends = starts.map(|(x, floor, speed)| {
            let body = Aabb::from_xywh(x, floor - size.y, size.x, size.y);
            let mut mover = Mover::new(body, self.settings());
            (mover.step(&stair, [speed, 1.0]), mover.body)
        });
        format!("{ends:?}")
    }

    /// The answer of `function`, or the text of its error.
    fn answer(&self, function: &str) -> Result<String, String> {
        let mut level = level();
        Ok(match (function, self.argument) {
            ("level_new", _) => return printed(self.new_level()),
            ("sweep", "dir") => return printed(self.value.trim_matches('"').parse::<Dir>()),
            ("sweep", _) => format!("{:?}", level.sweep(self.body(), Dir::Down, 200)),
            ("overlaps" | "area_overlaps", _) => level.overlaps(self.body()).to_string(),
            ("can_move", _) => level.can_move(self.body(), Dir::Down, 200).to_string(),
            ("set_box", _) => format!("{:?}", level.paint(&self.body(), IVec2::ZERO)),
            ("set_disc", _) => {
                let radius = self.number("radius", 3) as i32;
                let disc = Circle { center: IVec2::new(9, 9), radius };
                assert_eq!(level.paint(&disc, IVec2::ZERO), Ok(None));
                "changes nothing".to_owned()
            }
            ("mover_new" | "mover_steps", _) => self.steps(),
            ("mover_step", _) => {
                let mut mover = Mover::new(self.body(), self.settings());
                let down = mover.step(&level, [0.0, self.real()]);
                assert_eq!(down, mover.step(&level, [self.real(), 0.0]));
                return printed(down);
            }
            ("set_velocity", _) => {
                let mut body = Body::platform(self.body());
                body.set_velocity([0.0, self.real()]);
                format!("{body:?}")
            }
            ("add_pushable", _) => {
                format!("{:?}", Body::pushable(self.body(), 0, self.real()))
            }
            ("platformer", "fps") => {
                format!("{:?}", Platformer::new(Rate::per_second(self.number("fps", 60) as u16)))
            }
            ("platformer", "jump_height") => {
                jump(&Feel { jump_height: self.real(), ..Feel::default() })
            }
            ("platformer", _) => jump(&Feel { jump_time: self.real(), ..Feel::default() }),
            ("advance", "seconds") => FixedSteps::new(60).advance(self.real()).to_string(),
            ("advance", "x") => format!("{:?}", Input::from_axes(self.real(), 0.0, false)),
            ("advance", _) => format!("{:?}", Input::from_axes(0.0, self.real(), false)),
            _ => panic!("the table has a function {function} that this test does not know"),
        })
    }
}

/// The state after each step of a jump from the level's bottom.
fn jump(feel: &Feel) -> String {
    let level = Level::from_grid(Grid::new(50, 50).unwrap(), UVec2::splat(16)).unwrap();
    let body = Aabb::from_xywh(100, 780, 12, 20);
    let mut mover = Mover::new(body, MoverSettings::platformer());
    let mut player = Platformer::new(Rate::per_second(60));
    let steps = [Input::NONE, Input::from_keys(false, false, false, false, true)];
    let states = steps.into_iter().cycle().take(60).map(|input| {
        player.step(&level, &mut mover, input, feel);
        format!("{mover:?} {player:?}")
    });
    states.collect()
}

#[test]
fn every_bad_argument_of_the_table_is_refused_or_counts_as_the_table_says() {
    let table = include_str!("../../bindings/bad_arguments.tsv");
    let mut tried = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let &[function, argument, value, rust, ..] = &cells[..] else { panic!("{line}") };
        if rust == "-" {
            continue;
        }
        let found = Call { argument, value }.answer(function);
        if let Some(other) = rust.strip_prefix("counts as ") {
            assert_eq!(found, Call { argument, value: other }.answer(function), "{line}");
        } else if rust == "changes nothing" {
            assert_eq!(found.as_deref(), Ok(rust), "{line}");
        } else {
            let said = rust.replace('=', cells.get(7).unwrap_or(&""));
            let error = found.expect_err(line);
            assert!(error.contains(&said), "{line}\n{error}");
        }
        tried += 1;
    }
    assert!(tried > 40, "{tried} rows");
}
