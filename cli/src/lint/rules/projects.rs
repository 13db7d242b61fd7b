//! The rules that compare the maps of a project: cells that are solid where cells like them are passable, or
//! the reverse; tiny pockets; and tiles in layers where the project has none of their tileset.
//!
//! No word decides. [`Comparison`] counts over all maps of a run how often a cell is solid beside certain
//! tiles and solid cells (its contexts), learns from a sample of the same cells how far each context can be
//! trusted, and states the confidence of a finding. It keeps at most 64 MiB of counts and 128 MiB of
//! sketches, whatever the number of maps. The order in which maps are added does not change its findings.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::lint::finding::Finding;
use crate::lint::rule::{LintRule, rule};
use crate::lint::rules::{Check, MOST_FINDINGS};
use crate::lint::sketch::{LAYERS, Sketch, State, mix};
use bitwall::load::Place;
use bitwall::text::{counted, printable};

// A single map has no findings of these rules, because they compare maps.
pub(in crate::lint::rules) static CHECKS: &[(&LintRule, Check)] =
    &[(&ODD_CELL, |_, _| None), (&POCKET, |_, _| None), (&STRAY_TILE, |_, _| None)];

/// The rules of this file.
pub(in crate::lint) static COMPARED: [&LintRule; 3] = [&ODD_CELL, &POCKET, &STRAY_TILE];

rule! {
    /// # What it finds
    /// A cell that is passable although nearly all cells like it are solid, or the reverse. Cells are alike
    /// if they show the same tiles, also beside them, and have the same solid cells around them. The rule
    /// counts over all maps of the run in which a layer of at most four different tiles, or of objects,
    /// marks the walls, and reports a cell if its state is wrong with a confidence of 95%. Further cells of
    /// the same map need more (the second 98.7%, the third 99.4%), because a map with many such cells has a
    /// custom of its own. Cells under objects do not count. A map whose art does not tell where its walls
    /// are has no odd cells and no pockets.
    ///
    /// With `--diff`, all maps are counted, and only cells that changed are reported.
    ///
    /// # Why it matters
    /// This is the hole in a wall or the invisible wall that players report. Of the cells that the rule names
    /// in the maps of a real game, the game's makers changed a third later.
    ///
    /// # How to fix
    /// Look at the cell in Tiled, with its layer of walls shown. Repair it, or allow the rule for the map. A
    /// note does not fail a run; `[verify.severity]` can make it a warning or an error.
    ODD_CELL = "LVL314" "odd-cell" Note on(Map)
}

rule! {
    /// # What it finds
    /// A pocket: at most four passable cells, with tiles, that no step along a row or a column leaves. A
    /// map with more than three pockets, and a run in which more than a quarter of the maps have pockets,
    /// has them on purpose. A pocket with an object in it is none.
    ///
    /// # Why it matters
    /// Nobody walks into a pocket, but a body that starts, is thrown or is moved into it is stuck. Mostly a
    /// wall was drawn around and not filled, or it has a cell too many.
    ///
    /// # How to fix
    /// Fill the cells in the layer of walls, or open a way to them.
    POCKET = "LVL315" "pocket" Note on(Map)
}

rule! {
    /// # What it finds
    /// Up to three cells with tiles of a tileset in a kind of layers (solid, or not solid) that holds no tile
    /// of it in any other map, while at least 98% of its cells are in layers of the other kind: a tile of
    /// scenery in the layer of walls, a tile of walls in the scenery.
    ///
    /// # Why it matters
    /// The tile was painted while the wrong layer was selected. In the layer of walls it is an invisible
    /// wall; in the scenery the wall is missing, and a red square may show.
    ///
    /// # How to fix
    /// Move the tile to the layer that it was meant for.
    STRAY_TILE = "TMX127" "stray-tile" Note on(Map)
}

/// The eight cells around a cell, the four at its sides first.
const AROUND: [(i32, i32); 8] =
    [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, 1), (-1, 1), (1, -1)];

const SIDES: usize = 4;

/// The number of contexts of a cell: see [`View::contexts`].
const CONTEXTS: usize = 2 + SIDES + LAYERS;

/// The contexts in words that follow "other cells with".
const WORDS: [&str; CONTEXTS] = [
    "the same tiles",
    "the same tiles there and on all four sides",
    "the same tiles there and above, and the same walls around",
    "the same tiles there and below, and the same walls around",
    "the same tiles there and to the left, and the same walls around",
    "the same tiles there and to the right, and the same walls around",
    "the same tile in the lowest layer, and the same walls around",
    "the same tile in the second layer, and the same walls around",
    "the same tile in the third layer, and the same walls around",
    "the same tile in the fourth layer, and the same walls around",
];

/// The least odds that the state of a reported cell is wrong: a confidence of 95%.
const LEAST_ODDS: f64 = 19.0;

/// The odds that the n-th cell of a map needs are n to this power times those of the first.
const MORE_ODDS: f64 = 2.0;

/// This count is added to the solid and to the passable cells of each context, so that few cells prove
/// little (Laplace smoothing).
const UNSEEN: f64 = 1.0;

/// The least other cells in the context that decides: a cell that few others are like may be a custom.
const LEAST_ALIKE: f64 = 30.0;

/// The most samples from which the weights are learned, and the most steps of learning.
const SAMPLES: usize = 1 << 16;
const STEPS: usize = 1 << 18;

/// The most slots for counts; a slot has 8 bytes.
const MOST_SLOTS: usize = 1 << 23;

/// The most cells of sketches that are kept; a cell has 4 bytes.
const KEPT_CELLS: i64 = 1 << 25;

const MOST_IN_POCKET: usize = 4;
const MOST_POCKETS: usize = 3;
const MOST_STRAY: u64 = 3;

/// A sketch with a border of one cell, for fast steps to the cells around a cell.
struct View<'s> {
    sketch: &'s Sketch,
    width: usize,
    /// The hashes of the stacks with and without names, and the state; outside the map 1, 1 and 3.
    cells: Vec<(u64, u64, u8)>,
}

impl<'s> View<'s> {
    fn new(sketch: &'s Sketch) -> Self {
        let (columns, rows) = (sketch.size.x as usize, sketch.size.y as usize);
        let mut cells = vec![(1, 1, 3); (columns + 2) * (rows + 2)];
        for index in 0..sketch.len() {
            let stack = sketch.stack(index);
            let at = (index / columns + 1) * (columns + 2) + index % columns + 1;
            cells[at] = (stack.named, stack.plain, sketch.state(index) as u8);
        }
        Self { sketch, width: columns + 2, cells }
    }

    /// The place of a cell of the sketch in `cells`.
    fn at(&self, index: usize) -> usize {
        let columns = self.width - 2;
        (index / columns + 1) * self.width + index % columns + 1
    }

    fn around(&self, at: usize) -> impl Iterator<Item = &(u64, u64, u8)> {
        let to = move |(x, y): (i32, i32)| at + (y + 1) as usize * self.width + (x + 1) as usize;
        AROUND.iter().map(move |by| &self.cells[to(*by) - self.width - 1])
    }

    /// True if a step from a passable cell can touch the cell: it is passable itself, or a cell around it is.
    fn is_at_edge(&self, at: usize) -> bool {
        let (named, _, state) = self.cells[at];
        named != 0 && state < 2 && (state == 0 || self.around(at).any(|cell| cell.2 == 0))
    }

    /// The contexts of a cell as hashes: its tiles; these with the tiles at its four sides; with the tiles at
    /// one side and the solid cells around it, for each side; the tile of one layer with the solid cells
    /// around it, for each of the lowest layers.
    fn contexts(&self, index: usize, at: usize) -> [u64; CONTEXTS] {
        let (named, plain, _) = self.cells[at];
        let solids = self.around(at).fold(0, |solids, cell| solids * 4 + u64::from(cell.2));
        let mut contexts = [named; CONTEXTS];
        for (side, cell) in self.around(at).take(SIDES).enumerate() {
            contexts[1] = mix(contexts[1], cell.0);
            contexts[2 + side] = mix(mix(plain, cell.1), solids);
        }
        for (layer, tile) in self.sketch.stack(index).lowest.iter().enumerate() {
            contexts[2 + SIDES + layer] = mix(*tile, solids);
        }
        std::array::from_fn(|context| mix(contexts[context], context as u64))
    }

    fn edge(&self) -> impl Iterator<Item = (usize, usize)> {
        let all = (0..self.sketch.len()).map(|index| (index, self.at(index)));
        all.filter(|(_, at)| self.is_at_edge(*at))
    }
}

/// A cell from which the weights are learned: the slots of its contexts, and whether it is solid.
type Sample = ([u32; CONTEXTS], bool);

/// What was counted over the maps of a run.
pub(crate) struct Comparison {
    /// The cells in a context by state: the passable ones in the low half, the solid ones in the high half.
    slots: Vec<AtomicU64>,
    cells_left: AtomicI64,
    samples_of_map: usize,
    maps: Mutex<Maps>,
}

#[derive(Default)]
struct Maps {
    samples: BTreeMap<usize, Vec<Sample>>,
    with_pockets: usize,
    /// For each tileset and kind of layers, the number of cells and of maps.
    tilesets: HashMap<u64, [(u64, u32); 2]>,
}

impl Comparison {
    /// Starts the comparison of at most `maps` maps.
    pub(crate) fn new(maps: usize) -> Self {
        let slots = maps.saturating_mul(1 << 14).next_power_of_two().clamp(1 << 16, MOST_SLOTS);
        Self {
            slots: (0..slots).map(|_| AtomicU64::new(0)).collect(),
            cells_left: AtomicI64::new(KEPT_CELLS),
            samples_of_map: (SAMPLES / maps.max(1)).max(16),
            maps: Mutex::default(),
        }
    }

    /// Adds map number `map` to the counts. `None` if the limit of memory for sketches is reached.
    pub(crate) fn add(&self, map: usize, sketch: Box<Sketch>) -> Option<Box<Sketch>> {
        let view = View::new(&sketch);
        let edge: Vec<(usize, usize)> = view.edge().collect();
        let every = edge.len().div_ceil(self.samples_of_map).max(1);
        let mut samples = Vec::new();
        for (number, (index, at)) in edge.into_iter().enumerate() {
            let slots = self.slots_of(&view, index, at);
            let is_solid = sketch.state(index) == State::Solid;
            for slot in slots {
                self.slots[slot as usize].fetch_add(one(is_solid), Relaxed);
            }
            // Spread over the columns, because a step of fixed length follows the columns of some maps.
            if mix(number as u64, map as u64).is_multiple_of(every as u64) {
                samples.push((slots, is_solid));
            }
        }
        let has_pockets = !pockets(&sketch).is_empty();
        let mut maps = self.maps.lock().unwrap_or_else(PoisonError::into_inner);
        maps.samples.insert(map, samples);
        maps.with_pockets += usize::from(has_pockets);
        for (tileset, of_map) in &sketch.tilesets {
            let known = maps.tilesets.entry(*tileset).or_default();
            for (known, count) in known.iter_mut().zip(of_map.counts) {
                *known = (known.0 + count, known.1 + u32::from(count > 0));
            }
        }
        drop(maps);
        let cells = sketch.len() as i64;
        (self.cells_left.fetch_sub(cells, Relaxed) >= cells).then_some(sketch)
    }

    fn slots_of(&self, view: &View<'_>, index: usize, at: usize) -> [u32; CONTEXTS] {
        let mask = self.slots.len() as u64 - 1;
        view.contexts(index, at).map(|context| ((context ^ (context >> 32)) & mask) as u32)
    }

    /// The numbers of other passable and solid cells in a context of a cell.
    fn others(&self, slot: u32, is_solid: bool) -> [f64; 2] {
        let count = self.slots[slot as usize].load(Relaxed) - one(is_solid);
        [count as u32, (count >> 32) as u32].map(f64::from)
    }

    /// The inputs for the prediction of a cell: for each context the logarithm of the odds that the cell is
    /// solid, and the same again if all other cells in the context agree, which is worth more.
    fn inputs(&self, slots: &[u32; CONTEXTS], is_solid: bool) -> [f64; 2 * CONTEXTS] {
        let mut inputs = [0.0; 2 * CONTEXTS];
        for (inputs, slot) in inputs.chunks_exact_mut(2).zip(slots) {
            let [passable, solid] = self.others(*slot, is_solid);
            inputs[0] = ((solid + UNSEEN) / (passable + UNSEEN)).ln();
            inputs[1] = if passable == 0.0 || solid == 0.0 { inputs[0] } else { 0.0 };
        }
        inputs
    }

    /// Ends the counting, and learns the weights of the contexts: the logistic regression of the states of
    /// the samples. O(1) for any number of maps.
    pub(crate) fn learned(self) -> Learned {
        let mut weights = [0.3 / CONTEXTS as f64; 2 * CONTEXTS];
        let maps = self.maps.lock().unwrap_or_else(PoisonError::into_inner);
        let samples: Vec<&Sample> = maps.samples.values().flatten().take(SAMPLES).collect();
        let rounds = (STEPS / samples.len().max(1)).clamp(1, 64);
        let inputs: Vec<_> = samples.iter().map(|it| self.inputs(&it.0, it.1)).collect();
        for round in 0..rounds {
            let rate = 0.002 / f64::from(1 << (round * 5 / rounds));
            // Neighbours in a map are alike; a step that is prime to most counts mixes them.
            for number in 0..samples.len() {
                let number = number * 7_919 % samples.len();
                let (inputs, is_solid) = (&inputs[number], samples[number].1);
                let error = f64::from(u8::from(is_solid)) - chance(odds(&weights, inputs));
                for (weight, input) in weights.iter_mut().zip(inputs) {
                    *weight += rate * error * input;
                }
            }
        }
        drop(maps);
        Learned { counted: self, weights }
    }
}

fn one(is_solid: bool) -> u64 {
    if is_solid { 1 << 32 } else { 1 }
}

/// The logarithm of the odds that a cell is solid.
fn odds(weights: &[f64; 2 * CONTEXTS], inputs: &[f64; 2 * CONTEXTS]) -> f64 {
    weights.iter().zip(inputs).map(|(weight, input)| weight * input).sum()
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// The counts of all maps with the weights of the contexts.
pub(crate) struct Learned {
    counted: Comparison,
    weights: [f64; 2 * CONTEXTS],
}

/// Odd cells that touch each other, and the logarithm of the odds that the state of the first one is wrong.
struct OddCells {
    cells: Vec<usize>,
    odds: f64,
}

impl Learned {
    /// True if the map with this number was counted.
    pub(crate) fn knows(&self, map: usize) -> bool {
        self.maps(|maps| maps.samples.contains_key(&map))
    }

    fn maps<T>(&self, read: impl FnOnce(&Maps) -> T) -> T {
        read(&self.counted.maps.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The findings in the map at `path`. With `before`, an earlier state of the map, only those at cells
    /// that changed. O(cells).
    pub(crate) fn findings(
        &self,
        path: &Path,
        sketch: &Sketch,
        before: Option<&Sketch>,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        let is_new = |index: &usize| before.is_none_or(|before| sketch.differs_at(before, *index));
        let view = View::new(sketch);
        let odd = self.odd_cells(&view);
        let are_drawn = odd.is_some();
        if let Some(severity) = sketch.severity_of(&ODD_CELL) {
            let odd = odd.unwrap_or_default().into_iter();
            let odd = odd.filter(|odd| odd.cells.iter().any(is_new));
            let found = odd.filter_map(|odd| self.odd_cell(path, &view, &odd));
            findings.extend(found.map(|it| Finding { severity, ..it }).take(MOST_FINDINGS));
        }
        let (maps, with_pockets) = self.maps(|maps| (maps.samples.len(), maps.with_pockets));
        let are_rare = are_drawn && with_pockets.saturating_sub(1) * 4 <= maps;
        if let Some(severity) = sketch.severity_of(&POCKET).filter(|_| are_rare) {
            let pockets = pockets(sketch).into_iter().filter(|cells| cells.iter().any(is_new));
            let found = pockets.map(|cells| Finding { severity, ..pocket(path, sketch, &cells) });
            findings.extend(found);
        }
        if let Some(severity) = sketch.severity_of(&STRAY_TILE) {
            let mut found = self.stray_tiles(path, sketch, before);
            found.iter_mut().for_each(|finding| finding.severity = severity);
            // The tile is the cause of the odd cell.
            let is_stray =
                |it: &Finding| found.iter().any(|stray| stray.place.cell == it.place.cell);
            findings.retain(|it| it.rule.code != ODD_CELL.code || !is_stray(it));
            findings.append(&mut found);
        }
        findings
    }

    /// The odd cells of a map, the oddest first; `None` if the art does not tell where its walls are: if the
    /// tiles of a cell alone predict the cells at the edges of walls less than twice as well as a guess.
    fn odd_cells(&self, view: &View<'_>) -> Option<Vec<OddCells>> {
        let sketch = view.sketch;
        let mut odd: Vec<(f64, usize)> = Vec::new();
        let (mut counts, mut wrong) = ([0u64; 2], 0);
        for (index, at) in view.edge() {
            let is_solid = sketch.state(index) == State::Solid;
            let slots = self.counted.slots_of(view, index, at);
            let inputs = self.counted.inputs(&slots, is_solid);
            let odds = odds(&self.weights, &inputs);
            let odds = if is_solid { -odds } else { odds };
            if view.around(at).any(|cell| cell.2 != u8::from(is_solid)) {
                let [passable, solid] = self.counted.others(slots[0], is_solid);
                counts[usize::from(is_solid)] += 1;
                wrong += u64::from(is_solid == (passable >= solid));
            }
            let can_touch = view.around(at).take(SIDES).any(|cell| cell.2 == 0);
            if can_touch && odds > LEAST_ODDS.ln() {
                odd.push((odds, index));
            }
        }
        if wrong * 2 > counts[0].min(counts[1]) {
            return None;
        }
        odd.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut together: Vec<OddCells> = Vec::new();
        let mut known = HashMap::<usize, usize>::new();
        for (odds, index) in odd {
            let beside = AROUND.iter().filter_map(|by| sketch.beside(index, *by));
            let mut beside = beside.filter(|it| sketch.state(*it) == sketch.state(index));
            let number = beside.find_map(|it| known.get(&it).copied()).unwrap_or(together.len());
            match together.get_mut(number) {
                Some(others) => others.cells.push(index),
                None => together.push(OddCells { cells: vec![index], odds }),
            }
            known.insert(index, number);
        }
        let least = |number: usize| LEAST_ODDS.ln() + MORE_ODDS * (number as f64 + 1.0).ln();
        let mut number = 0;
        together.retain(|odd| {
            number += 1;
            odd.odds > least(number - 1)
        });
        Some(together)
    }

    /// `None` if fewer than [`LEAST_ALIKE`] cells are like it.
    fn odd_cell(&self, path: &Path, view: &View<'_>, odd: &OddCells) -> Option<Finding> {
        let (sketch, first) = (view.sketch, odd.cells[0]);
        let is_solid = sketch.state(first) == State::Solid;
        let slots = self.counted.slots_of(view, first, view.at(first));
        let inputs = self.counted.inputs(&slots, is_solid);
        // The context that says most against the state of the cell.
        let worth = |context: usize| {
            let worth = odds(
                &self.weights,
                &std::array::from_fn(
                    |input| {
                        if input / 2 == context { inputs[input] } else { 0.0 }
                    },
                ),
            );
            if is_solid { -worth } else { worth }
        };
        let best = (0..CONTEXTS).max_by(|a, b| worth(*a).total_cmp(&worth(*b))).unwrap_or(0);
        let [passable, solid] = self.counted.others(slots[best], is_solid);
        if passable + solid < LEAST_ALIKE {
            return None;
        }
        let (state, other, count) = match is_solid {
            true => ("solid", "passable", passable),
            false => ("passable", "solid", solid),
        };
        let percent = (chance(odd.odds) * 1_000.0).floor().min(999.0) / 10.0;
        let layer = printable(sketch.walls.layer.as_deref().unwrap_or_default()).to_string();
        let cell = sketch.cell(first);
        let headline =
            format!("the cell `{},{}` is {state}, but cells like it are {other}", cell.x, cell.y);
        let more = odd.cells.len() as u64 - 1;
        let more =
            (more > 0).then(|| format!("the same holds for {} beside it", counted(more, "cell")));
        let finding = Finding::new(&ODD_CELL, path, headline)
            .place(Place { cell: Some((cell.x, cell.y)), ..sketch.walls.clone() })
            .area(sketch.area(&odd.cells))
            .excerpt(sketch.excerpt(&odd.cells))
            .note(format!(
                "{count} of {} other cells with {} are {other}",
                passable + solid,
                WORDS[best]
            ))
            .note(format!("confidence {percent}%, from all maps of this run"))
            .notes(more)
            .help(match is_solid {
                true => format!("clear the cell in layer `{layer}` if nothing there stops a body"),
                false => format!("fill the cell in layer `{layer}` if a body must not pass there"),
            });
        Some(finding)
    }

    fn stray_tiles(&self, path: &Path, sketch: &Sketch, before: Option<&Sketch>) -> Vec<Finding> {
        let cells_in =
            |kind: usize| sketch.tilesets.values().map(|of| of.counts[kind]).sum::<u64>();
        let mut found = Vec::new();
        for (tileset, of_map) in &sketch.tilesets {
            for kind in [0, 1] {
                let count = of_map.counts[kind];
                let (Some((layer, line, cell)), 1..=MOST_STRAY) = (&of_map.first[kind], count)
                else {
                    continue;
                };
                let known =
                    self.maps(|maps| maps.tilesets.get(tileset).copied()).unwrap_or_default();
                let (here, there) = (known[kind], known[1 - kind]);
                let is_new = before.and_then(|before| before.tilesets.get(tileset));
                let is_new = is_new.is_none_or(|before| before.counts[kind] < count);
                let is_stray = here.1 == 1 && there.0 >= 49 * count && cells_in(kind) >= 50 * count;
                if !is_stray || !is_new {
                    continue;
                }
                let kinds = ["not solid", "solid"];
                let name = printable(&of_map.name);
                let (here, other) = (kinds[kind], kinds[1 - kind]);
                let headline = format!("a tile of `{name}` is in a layer that is {here}");
                let place = Place {
                    cell: Some((cell.x, cell.y)),
                    layer: Some(layer.clone()),
                    ..Place::default()
                };
                let line = (*line > 0).then_some((*line, 1));
                let index = cell.y as usize * sketch.size.x as usize + cell.x as usize;
                found.push(
                    Finding::new(&STRAY_TILE, path, headline)
                        .place(Place { line, ..place })
                        .area(sketch.area(&[index]))
                        .note(format!(
                            "{} of this tileset in all maps of the run are in layers that are {other}; here \
                             it is {}",
                            counted(there.0, "cell"),
                            counted(count, "cell")
                        ))
                        .help("move the tile to the layer that it was meant for, or erase it"),
                );
            }
        }
        found
    }
}

/// The pockets of a map, in the order of their first cells; none if there are more than [`MOST_POCKETS`].
fn pockets(sketch: &Sketch) -> Vec<Vec<usize>> {
    let (mut seen, mut passable) = (vec![false; sketch.len()], 0);
    let mut pockets = Vec::new();
    for start in 0..sketch.len() {
        if seen[start] || sketch.state(start) == State::Solid {
            continue;
        }
        let (mut part, mut next) = (vec![start], 0);
        seen[start] = true;
        while let Some(index) = part.get(next).copied() {
            next += 1;
            for by in &AROUND[..SIDES] {
                let beside = sketch.beside(index, *by);
                let beside = beside.filter(|it| !seen[*it] && sketch.state(*it) != State::Solid);
                part.extend(beside.inspect(|it| seen[*it] = true));
            }
        }
        passable += part.len();
        let is_pocket = |index: &usize| {
            sketch.state(*index) == State::Passable && sketch.stack(*index).named != 0
        };
        if part.len() <= MOST_IN_POCKET && part.iter().all(is_pocket) {
            pockets.push(part);
        }
    }
    if pockets.len() > MOST_POCKETS || passable < 32 { Vec::new() } else { pockets }
}

fn pocket(path: &Path, sketch: &Sketch, cells: &[usize]) -> Finding {
    let first = sketch.cell(cells[0]);
    let count = counted(cells.len() as u64, "passable cell");
    let are = if cells.len() == 1 { "is" } else { "are" };
    Finding::new(&POCKET, path, format!("{count} at `{},{}` {are} closed in", first.x, first.y))
        .place(Place { cell: Some((first.x, first.y)), ..sketch.walls.clone() })
        .area(sketch.area(cells))
        .excerpt(sketch.excerpt(cells))
        .note("no step leaves the place, and no object is there")
        .help("fill the place in the layer of walls, or open a way to it")
}
