//! The rules that compare the maps of a project. They find cells that are solid where similar cells are
//! passable, or the reverse; tiny pockets; and tiles in layers where the project has no other tile of their
//! tileset.
//!
//! The rules use no names, only statistics. [`Comparison`] counts over all maps of a run how often a cell is
//! solid in each of its contexts: combinations of tiles and solid cells at and around the cell. It learns
//! from a sample of the same cells how reliable each context is, and states the confidence of a finding. It
//! counts at most 1,024 maps, evenly spread over the maps of the run, and keeps at most 64 MiB of counts and
//! 128 MiB of sketches. The order in which maps are added does not change the findings.

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::lint::finding::Finding;
use crate::lint::rule::{LintRule, rule};
use crate::lint::rules::{Check, MOST_FINDINGS};
use crate::lint::sketch::{LAYERS, Numbered, Sketch, Stack, mix};
use bitwall::load::Place;
use bitwall::text::{counted, printable};

// The checks find nothing in a single map, because these rules compare maps.
pub(in crate::lint::rules) static CHECKS: &[(&LintRule, Check)] =
    &[(&ODD_CELL, |_, _| None), (&POCKET, |_, _| None), (&STRAY_TILE, |_, _| None)];

/// The rules that compare the cells of all maps of a project. [`Sketch::of`] prepares a map for them.
pub(in crate::lint) static COMPARED: [&LintRule; 3] = [&ODD_CELL, &POCKET, &STRAY_TILE];

rule! {
    /// # What it finds
    /// A cell that is passable although nearly all similar cells are solid, or the reverse. Cells are similar
    /// if they and their neighbours show the same tiles, and if the same cells around them are solid. The
    /// rule counts over all maps of the run, but over at most 1,024. It uses only maps in which a layer of at
    /// most four different tiles, or of objects, marks the walls.
    ///
    /// A cell is reported if its state is wrong with a confidence of 95%. With few maps more is required:
    /// 97.5% with three, 99.5% with one. Further cells of the same map also require more (the second 98.7%,
    /// the third 99.4%), because a map with many such cells follows a custom of its own. Cells under objects
    /// do not count. In a map whose art does not show where its walls are, no odd cells and no pockets are
    /// reported.
    ///
    /// With `--diff`, all maps are counted, and only changed cells are reported.
    ///
    /// # Why it matters
    /// This is the hole in a wall, or the invisible wall, that players report. The makers of a real game
    /// later changed a third of the cells that the rule names in its maps.
    ///
    /// # How to fix
    /// Look at the cell in Tiled, with its layer of walls visible. Repair it, or allow the rule for the map.
    /// A note does not fail a run; `[verify.severity]` can make it a warning or an error.
    ODD_CELL = "LVL314" "odd-cell" Note on(Map)
}

rule! {
    /// # What it finds
    /// A pocket: one to four passable cells with tiles that have no passable neighbour in a row or a column
    /// outside the pocket. A pocket with an object in it does not count. If a map has more than three
    /// pockets, or more than a quarter of the maps of the run have pockets, the pockets count as intended.
    ///
    /// # Why it matters
    /// Nobody walks into a pocket, but a body that starts there, or is thrown or moved into it, is stuck. In
    /// most cases a wall was outlined and not filled, or it has one cell too many.
    ///
    /// # How to fix
    /// Fill the cells in the layer of walls, or open a way to them.
    POCKET = "LVL315" "pocket" Note on(Map)
}

rule! {
    /// # What it finds
    /// Up to three cells whose tileset is otherwise used only in layers of the other kind. The two kinds are
    /// solid layers and layers that are not solid. No other map has a tile of the tileset in this kind, and
    /// at least 98% of its cells are in the other kind. Examples: a tile of scenery in the layer of walls, a
    /// tile of walls in the scenery.
    ///
    /// # Why it matters
    /// The tile was painted while the wrong layer was selected. In the layer of walls it is an invisible
    /// wall. In the scenery the wall is missing, and a red square may be visible.
    ///
    /// # How to fix
    /// Move the tile to the layer that it was meant for.
    STRAY_TILE = "TMX127" "stray-tile" Note on(Map)
}

/// The offsets in columns and rows from a cell to the eight cells around it. The four at its sides come
/// first.
const AROUND: [(i32, i32); 8] =
    [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, 1), (-1, 1), (1, -1)];

const SIDES: usize = 4;

/// The number of contexts of a cell. A context is a combination of tiles and solid cells at and around a
/// cell. Cells of all maps with the same combination count as similar. [`Kinds::new`] lists the contexts.
const CONTEXTS: usize = 2 + SIDES + LAYERS;

/// Words for each context of a cell, in the order of [`Kinds::new`]. They follow "other cells with" in a
/// finding.
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

/// The smallest odds at which a cell is reported as wrong: 19 to 1, a confidence of 95%.
const LEAST_ODDS: f64 = 19.0;

/// A number that raises the odds at which a cell is reported if few maps are compared. The odds are
/// multiplied by 1 + `FEW_MAPS` / n² for n maps, which is nearly 1 for many maps. In runs over three maps of
/// real games, new scenery in one map made cells of the others odd.
const FEW_MAPS: f64 = 10.0;

/// A number that raises the odds at which cells are reported if much of their map is. The n-th group of odd
/// cells of a map needs odds of at least [`LEAST_ODDS`] times n to the power of `MORE_ODDS`.
const MORE_ODDS: f64 = 2.0;

/// A number that is added both to the number of solid cells and to the number of passable cells in each
/// context, so that few cells prove little (Laplace smoothing).
const UNSEEN: f64 = 1.0;

/// The smallest number of other cells that a finding about an odd cell refers to: the cells with the same
/// tiles and solid cells around. With fewer, the cell may be a special case.
const LEAST_ALIKE: f64 = 30.0;

/// The largest number of cells from which a run learns how well each context of a cell predicts whether it is
/// solid, and the largest number of learning steps.
const SAMPLES: usize = 1 << 16;
const STEPS: usize = 1 << 18;

/// The largest number of maps of a run in which solid and passable cells are counted. More maps need more
/// time and hardly improve the results.
const MOST_MAPS: usize = 1_024;

/// The largest number of entries in the hash table of [`Comparison`], which counts the solid and passable
/// cells in each context. An entry has 8 bytes.
const MOST_SLOTS: usize = 1 << 23;

/// The largest total number of cells in the [`Sketch`]es of a run that stay in memory. A cell has 4 bytes.
const KEPT_CELLS: i64 = 1 << 25;

const MOST_IN_POCKET: usize = 4;
const MOST_POCKETS: usize = 3;
const MOST_STRAY: u64 = 3;

/// A group of cells of one map that are equal in every context (combination of tiles and solid cells around a
/// cell), and that are all solid or all passable. A group is counted at once.
struct Kind {
    contexts: [u64; CONTEXTS],
    is_solid: bool,
    /// True if one of the eight cells around a cell of this kind is not passable (for passable cells) or not
    /// solid (for solid cells).
    is_at_wall: bool,
    /// True if one of the four cells at the sides of a cell of this kind is passable.
    can_be_touched: bool,
    cells: u64,
}

/// The cells of a map that can be odd, which means solid where similar cells are passable, or the reverse.
/// `cells` holds for each of them its index in the [`Sketch`] and the index of its [`Kind`] in `kinds`.
///
/// These are the cells with tiles that are wholly solid or wholly passable, except solid cells with no
/// passable cell around them.
struct Kinds {
    cells: Vec<(usize, usize)>,
    kinds: Vec<Kind>,
}

impl Kinds {
    /// Finds the kinds of cells in the map of `sketch`, and the contexts of each kind as hashes. O(cells).
    ///
    /// The contexts of a cell are:
    /// - the tiles of the cell
    /// - the tiles of the cell and of the four cells at its sides
    /// - for each side: the tiles of the cell and of the cell at that side, and which cells around are solid
    /// - for each of the lowest layers: the tile of the cell in that layer, and which cells around are solid
    fn new(sketch: &Sketch) -> Self {
        let (numbers, stacks, width) = (sketch.numbers(), sketch.stacks(), sketch.width());
        let around = around(width);
        let (mut cells, mut kinds) = (Vec::new(), Vec::<Kind>::new());
        let mut known = Numbered::new();
        for index in width..numbers.len() - width {
            let number = numbers[index];
            let state = number & 3;
            if state > 1 || stacks[(number >> 2) as usize].named == 0 {
                continue;
            }
            // Packs the states of the eight cells around into two bits each, with the cell above in the
            // highest bits.
            let mut states = 0;
            for by in around {
                states = states << 2 | numbers[index.wrapping_add(by)] & 3;
            }
            const LOW: u32 = 0x5555;
            let stopped = (states | states >> 1) & LOW;
            if state == 1 && stopped == LOW {
                continue;
            }
            let stack = |side: usize| numbers[index.wrapping_add(around[side])] >> 2;
            let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
            let key = [pair(number, stack(0)), pair(stack(1), stack(2)), pair(stack(3), states)];
            let kind = known.number(key);
            if kind == kinds.len() {
                let sides = [0, 1, 2, 3].map(|side| &stacks[stack(side) as usize]);
                kinds.push(Kind {
                    contexts: contexts(&stacks[(number >> 2) as usize], sides, states.into()),
                    is_solid: state == 1,
                    is_at_wall: states != LOW * state,
                    can_be_touched: stopped >> (2 * SIDES) != LOW >> (2 * SIDES),
                    cells: 0,
                });
            }
            kinds[kind].cells += 1;
            cells.push((index, kind));
        }
        Self { cells, kinds }
    }
}

/// Returns the differences in index between a cell of a [`Sketch`] with `width` columns and the eight cells
/// around it. They are added with `wrapping_add`.
fn around(width: usize) -> [usize; 8] {
    AROUND.map(|(x, y)| (x as usize).wrapping_add((y as usize).wrapping_mul(width)))
}

fn contexts(stack: &Stack, sides: [&Stack; SIDES], states: u64) -> [u64; CONTEXTS] {
    let mut contexts = [stack.named; CONTEXTS];
    for (side, beside) in sides.into_iter().enumerate() {
        contexts[1] = mix(contexts[1], beside.named);
        contexts[2 + side] = mix(mix(stack.plain, beside.plain), states);
    }
    for (layer, tile) in stack.lowest.iter().enumerate() {
        contexts[2 + SIDES + layer] = mix(*tile, states);
    }
    for (number, context) in contexts.iter_mut().enumerate() {
        *context = mix(*context, number as u64);
    }
    contexts
}

/// A cell from which [`Comparison::learned`] learns: for each of its contexts the index in [`Comparison`]'s
/// `slots`, and true if the cell is solid.
type Sample = ([u32; CONTEXTS], bool);

/// The numbers of solid and passable cells in each context (combination of tiles and solid cells around a
/// cell), counted over the maps of a run.
pub(crate) struct Comparison {
    /// A hash table without keys: at the hash of each context, the number of its passable cells in the low 32
    /// bits and of its solid cells in the high 32 bits.
    slots: Vec<AtomicU64>,
    cells_left: AtomicI64,
    /// The number of maps in the run.
    all: usize,
    samples_of_map: usize,
    maps: Mutex<Maps>,
}

#[derive(Default)]
struct Maps {
    samples: BTreeMap<usize, Vec<Sample>>,
    with_pockets: usize,
    /// For each tileset, by a hash of its name: the numbers of cells and of maps that use it in layers that
    /// are not solid, and the same numbers for solid layers.
    tilesets: HashMap<u64, [(u64, u32); 2]>,
}

impl Comparison {
    /// Creates a comparison in which no cells are counted yet, for a run over `all` maps.
    pub(crate) fn new(all: usize) -> Self {
        let maps = all.min(MOST_MAPS);
        let slots = maps.saturating_mul(1 << 14).next_power_of_two().clamp(1 << 16, MOST_SLOTS);
        Self {
            slots: (0..slots).map(|_| AtomicU64::new(0)).collect(),
            cells_left: AtomicI64::new(KEPT_CELLS),
            all,
            samples_of_map: (SAMPLES / maps.max(1)).max(16),
            maps: Mutex::default(),
        }
    }

    /// True if the cells of the map with this index in the run are counted. In a run of more than
    /// [`MOST_MAPS`] maps, only this many are.
    pub(crate) fn counts(&self, map: usize) -> bool {
        let before = |map: usize| map * MOST_MAPS / self.all.max(1);
        self.all <= MOST_MAPS || before(map) < before(map + 1)
    }

    /// Counts the cells of a map, which has the index `map` in the run. Returns `sketch` if it may stay in
    /// memory, or `None` if the sketches of the run have more than [`KEPT_CELLS`] cells.
    pub(crate) fn add(&self, map: usize, sketch: Box<Sketch>) -> Option<Box<Sketch>> {
        let kinds = Kinds::new(&sketch);
        let every = kinds.cells.len().div_ceil(self.samples_of_map).max(1);
        let slots: Vec<_> = kinds.kinds.iter().map(|kind| self.slots_of(kind)).collect();
        let all: &[AtomicU64] = &self.slots;
        for (kind, slots) in kinds.kinds.iter().zip(&slots) {
            // Reads the slots first: cache misses of reads overlap, but atomic additions wait for each other.
            black_box(slots.map(|slot| all[slot as usize].load(Relaxed)));
            let added = one(kind.is_solid) * kind.cells;
            for slot in slots {
                all[*slot as usize].fetch_add(added, Relaxed);
            }
        }
        let mut samples = Vec::new();
        for (number, (_, kind)) in kinds.cells.iter().enumerate() {
            // Chooses cells by a hash, because a fixed step would follow the columns of some maps.
            if mix(number as u64, map as u64).is_multiple_of(every as u64) {
                samples.push((slots[*kind], kinds.kinds[*kind].is_solid));
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

    fn slots_of(&self, kind: &Kind) -> [u32; CONTEXTS] {
        let mask = self.slots.len() as u64 - 1;
        kind.contexts.map(|context| ((context ^ (context >> 32)) & mask) as u32)
    }

    /// Returns how many other cells in the context at the index `slot` of `slots` are passable, and how many
    /// are solid. Subtracts `own`, which counts the cell itself, or is 0.
    fn others(&self, slot: u32, own: u64) -> [f64; 2] {
        let count = self.slots[slot as usize].load(Relaxed) - own;
        [count as u32, (count >> 32) as u32].map(f64::from)
    }

    /// Returns two numbers for each context, from which [`odds`] predicts whether a cell is solid. The first
    /// is the logarithm of the odds that other cells in the context are solid. The second is the same value
    /// if all these cells are solid or all passable, or else 0.
    fn inputs(&self, slots: &[u32; CONTEXTS], own: u64) -> [f64; 2 * CONTEXTS] {
        let mut inputs = [0.0; 2 * CONTEXTS];
        for (inputs, slot) in inputs.chunks_exact_mut(2).zip(slots) {
            let [passable, solid] = self.others(*slot, own);
            inputs[0] = ((solid + UNSEEN) / (passable + UNSEEN)).ln();
            inputs[1] = if passable == 0.0 || solid == 0.0 { inputs[0] } else { 0.0 };
        }
        inputs
    }

    /// Learns from the counted cells how much each context tells about whether a cell is solid: a weight for
    /// each number of `inputs`, by a logistic regression on at most [`SAMPLES`] cells. O(1), independent of
    /// the number of maps.
    pub(crate) fn learned(self) -> Learned {
        let mut weights = [0.3 / CONTEXTS as f64; 2 * CONTEXTS];
        let maps = self.maps.lock().unwrap_or_else(PoisonError::into_inner);
        let samples: Vec<&Sample> = maps.samples.values().flatten().take(SAMPLES).collect();
        let rounds = (STEPS / samples.len().max(1)).clamp(1, 64);
        let inputs: Vec<_> = samples.iter().map(|it| self.inputs(&it.0, one(it.1))).collect();
        for round in 0..rounds {
            let rate = 0.002 / f64::from(1 << (round * 5 / rounds));
            // Neighbouring samples are similar. A step by a prime mixes them for nearly every number of
            // samples.
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

/// Returns the predicted logarithm of the odds that a cell is solid, from [`Comparison::inputs`] and a
/// learned weight for each of them.
fn odds(weights: &[f64; 2 * CONTEXTS], inputs: &[f64; 2 * CONTEXTS]) -> f64 {
    weights.iter().zip(inputs).map(|(weight, input)| weight * input).sum()
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// The cells of a run that are counted in each context, and the learned weights of the contexts for [`odds`].
pub(crate) struct Learned {
    counted: Comparison,
    weights: [f64; 2 * CONTEXTS],
}

/// A group of odd cells of a map, each beside another one. They are solid where similar cells are passable,
/// or the reverse. `kind` is the [`Kind`] of the first of `cells`. `odds` is the logarithm of the odds that
/// this first cell is wrongly solid or wrongly passable.
struct OddCells<'k> {
    cells: Vec<usize>,
    kind: &'k Kind,
    odds: f64,
}

/// A map that is searched for odd cells, pockets and stray tiles, by comparison with all maps of a run.
#[derive(Clone, Copy)]
pub(crate) struct Compared<'a> {
    pub(crate) path: &'a Path,
    pub(crate) sketch: &'a Sketch,
    /// An earlier version of the map. If given, only cells that differ from it are reported.
    pub(crate) before: Option<&'a Sketch>,
    /// True if [`Comparison::add`] has counted the cells of this map.
    pub(crate) is_counted: bool,
}

impl Learned {
    fn maps<T>(&self, read: impl FnOnce(&Maps) -> T) -> T {
        read(&self.counted.maps.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the findings in `map` of the rules `odd-cell`, `pocket` and `stray-tile`. O(cells).
    pub(crate) fn findings(&self, map: Compared<'_>) -> Vec<Finding> {
        let Compared { path, sketch, before, is_counted } = map;
        let mut findings = Vec::new();
        let is_new = |index: &usize| before.is_none_or(|before| sketch.differs_at(before, *index));
        let kinds = Kinds::new(sketch);
        let odd = self.odd_cells(sketch, &kinds, is_counted);
        let are_drawn = odd.is_some();
        if let Some(severity) = sketch.severity_of(&ODD_CELL) {
            let odd = odd.unwrap_or_default().into_iter();
            let odd = odd.filter(|odd| odd.cells.iter().any(is_new));
            let found = odd.filter_map(|odd| self.odd_cell(map, &odd));
            findings.extend(found.map(|it| Finding { severity, ..it }).take(MOST_FINDINGS));
        }
        let (maps, with_pockets) = self.maps(|maps| (maps.samples.len(), maps.with_pockets));
        let others = with_pockets.saturating_sub(usize::from(is_counted));
        let are_rare = are_drawn && others * 4 <= maps;
        if let Some(severity) = sketch.severity_of(&POCKET).filter(|_| are_rare) {
            let pockets = pockets(sketch).into_iter().filter(|cells| cells.iter().any(is_new));
            let found = pockets.map(|cells| Finding { severity, ..pocket(path, sketch, &cells) });
            findings.extend(found);
        }
        if let Some(severity) = sketch.severity_of(&STRAY_TILE) {
            let mut found = self.stray_tiles(map);
            found.iter_mut().for_each(|finding| finding.severity = severity);
            // If a stray tile makes a cell odd, only the stray tile is reported.
            let is_stray =
                |it: &Finding| found.iter().any(|stray| stray.place.cell == it.place.cell);
            findings.retain(|it| it.rule.code != ODD_CELL.code || !is_stray(it));
            findings.append(&mut found);
        }
        findings
    }

    /// Returns the odd cells of a map (solid where similar cells are passable, or the reverse). The cells
    /// that are most probably wrong come first.
    ///
    /// `None` if the art does not show where the walls are: at the edges of walls, a prediction from the
    /// tiles of a cell alone is wrong more than half as often as a guess.
    fn odd_cells<'k>(
        &self,
        sketch: &Sketch,
        kinds: &'k Kinds,
        is_counted: bool,
    ) -> Option<Vec<OddCells<'k>>> {
        let (mut counts, mut wrong) = ([0u64; 2], 0);
        let odds_of = |kind: &Kind| {
            let own = if is_counted { one(kind.is_solid) } else { 0 };
            let slots = self.counted.slots_of(kind);
            let odds = odds(&self.weights, &self.counted.inputs(&slots, own));
            if kind.is_at_wall {
                let [passable, solid] = self.counted.others(slots[0], own);
                counts[usize::from(kind.is_solid)] += kind.cells;
                wrong += u64::from(kind.is_solid == (passable >= solid)) * kind.cells;
            }
            if kind.is_solid { -odds } else { odds }
        };
        let of_kinds: Vec<f64> = kinds.kinds.iter().map(odds_of).collect();
        if wrong * 2 > counts[0].min(counts[1]) {
            return None;
        }
        let maps = self.maps(|maps| maps.samples.len()).max(1);
        let least_odds = (LEAST_ODDS * (1.0 + FEW_MAPS / (maps * maps) as f64)).ln();
        let is_odd = |kind: usize| kinds.kinds[kind].can_be_touched && of_kinds[kind] > least_odds;
        let mut odd: Vec<(usize, usize)> = Vec::new();
        odd.extend(kinds.cells.iter().filter(|(_, kind)| is_odd(*kind)));
        odd.sort_by(|a, b| of_kinds[b.1].total_cmp(&of_kinds[a.1]).then(a.0.cmp(&b.0)));
        let mut together: Vec<OddCells<'_>> = Vec::new();
        let mut known = HashMap::<usize, usize>::new();
        for (index, kind) in odd {
            let beside = AROUND.iter().map(|by| sketch.beside(index, *by));
            let mut beside = beside.filter(|it| sketch.state(*it) == sketch.state(index));
            let number = beside.find_map(|it| known.get(&it).copied()).unwrap_or(together.len());
            match together.get_mut(number) {
                Some(others) => others.cells.push(index),
                None => {
                    let (odds, kind) = (of_kinds[kind], &kinds.kinds[kind]);
                    together.push(OddCells { cells: vec![index], kind, odds });
                }
            }
            known.insert(index, number);
        }
        let more = |number: usize| LEAST_ODDS.ln() + MORE_ODDS * (number as f64 + 1.0).ln();
        let mut number = 0;
        together.retain(|odd| {
            number += 1;
            odd.odds > more(number - 1).max(least_odds)
        });
        Some(together)
    }

    /// Returns the finding about the cells in `odd`. It compares them with the other cells in one context,
    /// the one that contradicts them most. `None` if these are fewer than [`LEAST_ALIKE`].
    fn odd_cell(&self, map: Compared<'_>, odd: &OddCells<'_>) -> Option<Finding> {
        let (sketch, first, is_solid) = (map.sketch, odd.cells[0], odd.kind.is_solid);
        let own = if map.is_counted { one(is_solid) } else { 0 };
        let slots = self.counted.slots_of(odd.kind);
        let inputs = self.counted.inputs(&slots, own);
        // Returns how strongly the other cells in a context contradict that the cell is solid, or passable.
        // The finding names the context with the largest value.
        let worth = |context: usize| {
            let of = 2 * context..2 * context + 2;
            let worth = self.weights[of.clone()].iter().zip(&inputs[of]);
            let worth: f64 = worth.map(|(weight, input)| weight * input).sum();
            if is_solid { -worth } else { worth }
        };
        let best = (0..CONTEXTS).max_by(|a, b| worth(*a).total_cmp(&worth(*b))).unwrap_or(0);
        let [passable, solid] = self.counted.others(slots[best], own);
        if passable + solid < LEAST_ALIKE {
            return None;
        }
        let (state, other, count) = match is_solid {
            true => ("solid", "passable", passable),
            false => ("passable", "solid", solid),
        };
        let percent = (chance(odd.odds) * 1_000.0).floor().min(999.0) / 10.0;
        let layer = printable(sketch.walls.layer.as_deref().unwrap_or_default()).to_string();
        let place = sketch.place(first);
        let (column, row) = place.cell.unwrap_or_default();
        let headline =
            format!("the cell `{column},{row}` is {state}, but cells like it are {other}");
        let more = odd.cells.len() as u64 - 1;
        let more =
            (more > 0).then(|| format!("the same holds for {} beside it", counted(more, "cell")));
        let finding = Finding::new(&ODD_CELL, map.path, headline)
            .of_places(
                format!("{state} `{}`", sketch.surroundings(first)),
                &mut [format!("{column},{row}")].into_iter(),
            )
            .place(place)
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

    fn stray_tiles(&self, map: Compared<'_>) -> Vec<Finding> {
        let Compared { path, sketch, before, is_counted } = map;
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
                let is_alone = here.1 == u32::from(is_counted);
                let is_stray = is_alone && there.0 >= 49 * count && cells_in(kind) >= 50 * count;
                if !is_stray || !is_new {
                    continue;
                }
                let kinds = ["not solid", "solid"];
                let name = printable(&of_map.name);
                let (here, other) = (kinds[kind], kinds[1 - kind]);
                let headline = format!("a tile of `{name}` is in a layer that is {here}");
                let index = sketch.index(cell.as_uvec2());
                let place = Place { layer: Some(layer.clone()), ..sketch.place(index) };
                let line = (*line > 0).then_some((*line, 1));
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

/// Returns the pockets of a map, each as the indices of its cells in `sketch`. A pocket is a small group of
/// passable cells without a way out. Sorted by first cell. Empty if there are more than [`MOST_POCKETS`].
fn pockets(sketch: &Sketch) -> Vec<Vec<usize>> {
    let (numbers, stacks, width) = (sketch.numbers(), sketch.stacks(), sketch.width());
    let is_free = |index: usize| numbers[index] & 1 == 0;
    let around = around(width);
    let (mut free, mut pockets) = (0, Vec::new());
    for start in width..numbers.len() - width {
        free += usize::from(is_free(start));
        // The search for a pocket starts at a passable cell whose neighbours above and on the left are not
        // passable.
        if !is_free(start) || is_free(start - width) || is_free(start - 1) {
            continue;
        }
        let (mut part, mut next) = (vec![start], 0);
        while let Some(index) = part.get(next).copied().filter(|_| part.len() <= MOST_IN_POCKET) {
            next += 1;
            for by in &around[..SIDES] {
                let beside = index.wrapping_add(*by);
                if is_free(beside) && !part.contains(&beside) {
                    part.push(beside);
                }
            }
        }
        let is_pocket = |index: &usize| {
            let number = numbers[*index];
            *index >= start && number & 3 == 0 && stacks[(number >> 2) as usize].named != 0
        };
        if part.len() <= MOST_IN_POCKET && part.iter().all(is_pocket) {
            pockets.push(part);
        }
    }
    if pockets.len() > MOST_POCKETS || free < 32 { Vec::new() } else { pockets }
}

fn pocket(path: &Path, sketch: &Sketch, cells: &[usize]) -> Finding {
    let place = sketch.place(cells[0]);
    let (column, row) = place.cell.unwrap_or_default();
    let count = counted(cells.len() as u64, "passable cell");
    let are = if cells.len() == 1 { "is" } else { "are" };
    Finding::new(&POCKET, path, format!("{count} at `{column},{row}` {are} closed in"))
        .of_places(
            format!("`{}`", sketch.surroundings(cells[0])),
            &mut [format!("{column},{row}")].into_iter(),
        )
        .place(place)
        .area(sketch.area(cells))
        .excerpt(sketch.excerpt(cells))
        .note("no step leaves the place, and no object is there")
        .help("fill the place in the layer of walls, or open a way to it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_maps_1024_are_counted_and_they_are_evenly_spread() {
        for all in [1, 1_023, 1_024, 1_025, 1_500, 3_000, 100_000] {
            let maps = Mutex::default();
            let comparison = Comparison {
                slots: Vec::new(),
                cells_left: AtomicI64::new(0),
                all,
                samples_of_map: 1,
                maps,
            };
            let counted: Vec<usize> = (0..all).filter(|map| comparison.counts(*map)).collect();
            assert_eq!(counted.len(), all.min(MOST_MAPS), "{all}");
            let most = all.div_ceil(MOST_MAPS);
            let is_even = counted.windows(2).all(|two| two[1] - two[0] <= most);
            assert!(
                is_even && counted[0] < most && all - counted[counted.len() - 1] <= most,
                "{all}"
            );
        }
    }
}
