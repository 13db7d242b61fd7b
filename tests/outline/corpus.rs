//! Tests the shapes of every level of the corpus, which lies beside the repository.

use bitwall::{Aabb, LoadedLevel};

use super::cover::check_cover;
use super::exact::check_exact;
use crate::support::{corpus, even_blank, is_long};

#[test]
fn rectangles_and_outlines_rebuild_the_cells_of_every_real_level() {
    let Some(files) = corpus() else { return };
    let (mut count, mut most) = (0, 0);
    for (name, path) in files {
        let Ok(loaded) = LoadedLevel::load(&path, &even_blank()) else { continue };
        let terrain = loaded.level.terrain();
        if terrain.grid().cell_count() > 1 << if is_long() { 24 } else { 18 } {
            continue;
        }
        println!("{name}");
        check_cover(terrain, &terrain.rectangles());
        let outlines = terrain.outlines();
        if terrain.grid().cell_count() < 1 << 18 {
            check_exact(terrain, &outlines);
        }
        let all = terrain.chains_in(Aabb { min: [0, 0].into(), max: terrain.size().as_ivec2() });
        assert_eq!(all.len(), outlines.loops().len());
        (count, most) = (count + 1, most.max(outlines.loops().len()));
    }
    println!("{count} levels, at most {most} loops");
    assert!(count > 50);
}
