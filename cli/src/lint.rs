//! Verification of levels: finds faults before a player does.
//!
//! Each [`LintRule`] checks a level and returns [`Finding`]s: data that [`output`] writes as text. A load
//! error becomes a finding too, so [`verify_file`] never fails. The functions print nothing and search no
//! folders.
//!
//! This file has what all rules share: the input of a check, with facts that are computed when a rule first
//! asks for them, and the parts of a finding.

mod baseline;
pub(crate) mod cells;
mod check;
pub(crate) mod checked;
pub mod config;
mod finding;
pub mod fix;
pub mod output;
mod pixels;
mod rule;
pub mod rules;
mod trace;

use std::cell::{OnceCell, RefCell, RefMut};
use std::collections::BTreeSet;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use bitwall::analyze::TooComplex;
use bitwall::convert::Survey;
use bitwall::error::{Place, WarningCause};
use bitwall::glam::{IVec2, UVec2};
use bitwall::image::RgbaImage;
use bitwall::load::{
    Disk, Files, Links, Source, decode_picture, open_file, picture_size, read_file,
};
use bitwall::mask::MaskSource;
use bitwall::text::words_in;
use bitwall::tmx::{Map, PlacedMap};
use bitwall::{Aabb, Grid, LoadError, LoadedLevel, Marker};

pub use baseline::Baseline;
pub(crate) use check::verify_file_with;
pub use check::{verify_bytes, verify_bytes_with, verify_file};
pub use checked::{Checked, KnownCounts, Reported, SkippedRule};
pub use config::{
    BodySpec, MarkerRole, MarkerSpec, Moves, SolidShare, VerifyConfig, VerifyOptions,
};
pub use finding::{Excerpt, FaultGroup, Finding, Report, SkipReason, Skipped};
use pixels::causes::causes;
use pixels::pair::drift;
pub use rule::{FileKind, LintRule, Need, RuleLevel, RuleSet, Selection, Severity};
pub use rules::configs::verify_config;
pub use rules::{RULES, rule_by_name};
pub(crate) use trace::map_head;
pub use trace::trace_map;

use crate::mask_facts::{GrayColor, MaskFacts};

/// The largest number of findings of a rule in a file. Limits the size of baselines, which have all findings.
const MOST_FINDINGS: usize = 64;

/// The largest number of faults of a group that are kept by name.
const MOST_NAMES: usize = 1_000;

/// The largest number of other faults of a group whose places are kept.
const MOST_PLACES: usize = 64;

/// The largest number of other faults that a note of a finding names.
const MOST_OTHERS: usize = 4;

/// The number of bytes that are read from a picture to find its size. Nearly every picture states it in the
/// first 4,096.
const HEADER_BYTES: usize = 1 << 16;

/// The largest art that is compared with a mask, in pixels. It takes 128 MiB of memory.
const MOST_PIXELS: u64 = 1 << 25;

/// The default names of markers where a body starts.
const SPAWN_NAMES: [&str; 6] = ["player", "spawn", "start", "player start", "playerstart", "hero"];

pub(crate) fn is_spawn_name(name: &str) -> bool {
    SPAWN_NAMES.contains(&&*name.to_lowercase())
}

/// True for a default name of a spawn, and for a name made of words such as `player`, `spawn` and `point`
/// that contains `spawn` or `start`: `PlayerSpawn`, `start_pos 2`.
pub(crate) fn is_like_spawn(name: &str) -> bool {
    const WORDS: [&str; 10] = [
        "player", "hero", "spawn", "start", "starting", "initial", "point", "position", "pos",
        "location",
    ];
    let mut words = words_in(name);
    words.retain(|word| !word.chars().all(char::is_numeric));
    let is_start = |word: &String| word.starts_with("start") || word == "spawn";
    is_spawn_name(name)
        || words.iter().any(is_start) && words.iter().all(|word| WORDS.contains(&&**word))
}

/// A file, its level or load error, and the options of the check.
struct Subject<'a> {
    path: &'a Path,
    /// The content of the file; empty if the file cannot be read.
    bytes: &'a [u8],
    level: Result<&'a LoadedLevel, &'a LoadError>,
    options: &'a VerifyOptions,
    /// The level, if it has no solids and is an error for that reason alone.
    blank: Option<&'a LoadedLevel>,
    /// The error for which a game refuses the level, if a lenient load has passed over it: `level` then lacks
    /// what is at fault.
    refusal: Option<&'a LoadError>,
    may_have_nothing_solid: bool,
    /// The files that the level names.
    files: &'a RefCell<dyn Files + 'a>,
    /// True if `files` are on the disk, not provided by a caller.
    is_on_disk: bool,
    facts: Facts<'a>,
}

#[derive(Debug, Default)]
struct Facts<'a> {
    art: OnceCell<Option<Art>>,
    art_picture: OnceCell<Option<RgbaImage>>,
    drift: OnceCell<Option<Drift>>,
    mask_facts: OnceCell<Option<MaskFacts>>,
    gray_causes: OnceCell<Vec<Counted>>,
    missing_pictures: OnceCell<Vec<PathBuf>>,
    survey: OnceCell<Option<Survey<'a>>>,
    given_up: RefCell<Vec<Skipped>>,
}

/// The art of a mask: the picture that the player sees, which must have the mask's size.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Art {
    path: PathBuf,
    /// The width and height of the art in pixels, or the reason that they are unknown.
    size: Result<UVec2, String>,
    bytes: Vec<u8>,
}

impl<'a> Subject<'a> {
    fn new(
        path: &'a Path,
        bytes: &'a [u8],
        level: Result<&'a LoadedLevel, &'a LoadError>,
        options: &'a VerifyOptions,
        files: &'a RefCell<dyn Files + 'a>,
    ) -> Self {
        let may_have_nothing_solid = options.load.allow_nothing_solid;
        Self {
            path,
            bytes,
            level,
            options,
            blank: None,
            refusal: None,
            may_have_nothing_solid,
            files,
            is_on_disk: false,
            facts: Facts::default(),
        }
    }

    /// Returns a reader for the files that the level names.
    fn files(&self) -> RefMut<'a, dyn Files + 'a> {
        self.files.borrow_mut()
    }

    /// Returns the disk, if the files are on it.
    fn disk(&self) -> Option<Disk> {
        self.is_on_disk.then(|| Disk::new(self.path, &self.options.load))
    }

    /// Returns the width and height of a picture in pixels, from its first 64 KiB. `None` if these do not
    /// state them.
    fn picture_size(&self, path: &Path) -> Option<UVec2> {
        picture_size(path, &self.files().read_start(path, HEADER_BYTES).ok()?).ok()
    }

    fn loaded(&self) -> Option<&'a LoadedLevel> {
        self.level.ok()
    }

    /// Returns the error for which a game refuses the level.
    fn error(&self) -> Option<&'a LoadError> {
        self.level.err().or(self.refusal)
    }

    fn mask(&self) -> Option<(&'a LoadedLevel, &'a MaskSource)> {
        let loaded = self.level.ok()?;
        match &loaded.source {
            Source::Mask(source) => Some((loaded, source)),
            _ => None,
        }
    }

    /// Returns the numbers of solid cells and of all cells in the level; `None` for a level that a game
    /// refuses.
    fn solid_share(&self) -> Option<SolidShare> {
        let loaded = self.loaded().filter(|_| self.refusal.is_none())?;
        let grid = loaded.level.grid();
        Some(SolidShare::new(grid.solid_count(), grid.cell_count()))
    }

    /// Returns the names in the options' list of markers that match a marker of the level, which may lack
    /// solids; `None` after a load error.
    fn met_markers(&self) -> Option<BTreeSet<String>> {
        let markers = self.loaded().or(self.blank)?.level.markers();
        let mut met = BTreeSet::new();
        for spec in &self.options.markers {
            if markers.iter().any(|marker| spec.matches(&marker.name)) {
                met.insert(spec.name.clone());
            }
        }
        Some(met)
    }

    /// Returns the maps of the level as parsed; empty for a mask and after a load error.
    fn maps(&self) -> &'a [PlacedMap] {
        self.level.map_or(&[], |loaded| &loaded.maps)
    }

    /// Returns the map of a single-map level. `None` for a mask, a load error, and a world, whose maps are
    /// checked separately.
    fn map(&self) -> Option<&'a Map> {
        match self.level.ok()? {
            loaded if matches!(loaded.source, Source::Map) => loaded.map(),
            _ => None,
        }
    }

    /// Returns for each layer and object whether it is solid, one-way or an area, computed once. `None` for a
    /// world, a mask and a load error.
    fn survey(&self) -> Option<&Survey<'a>> {
        self.facts.survey.get_or_init(|| self.level.ok()?.survey()).as_ref()
    }

    fn bodies(&self) -> &'a [BodySpec] {
        &self.options.bodies
    }

    /// Returns the markers that the options name as spawns, or else the markers with [`SPAWN_NAMES`].
    fn spawns(&self) -> Vec<&Marker> {
        if self.options.markers.iter().any(|spec| spec.role == MarkerRole::Spawn) {
            return self.markers_of(&[MarkerRole::Spawn]);
        }
        self.markers().iter().filter(|marker| is_spawn_name(&marker.name)).collect()
    }

    /// True if the solids of the level are a guess, which the rule `guessed-solids` reports.
    fn has_guessed_solids(&self) -> bool {
        let mut warnings = self.loaded().into_iter().flat_map(|loaded| &loaded.warnings);
        warnings.any(|warning| warning.cause == WarningCause::LastResort)
            && self.options.levels.severity_of(&rules::GUESSED_SOLIDS).is_some()
    }

    /// Returns the markers that the options name as goals, then the markers that they name as pickups.
    fn goals(&self) -> Vec<&Marker> {
        self.markers_of(&[MarkerRole::Goal, MarkerRole::Pickup])
    }

    fn markers_of(&self, roles: &[MarkerRole]) -> Vec<&Marker> {
        let mut all = Vec::new();
        for role in roles {
            all.extend(self.markers().iter().filter(|marker| {
                let mut specs = self.options.markers.iter().filter(|spec| spec.role == *role);
                specs.any(|spec| spec.matches(&marker.name))
            }));
        }
        all
    }

    /// Returns the markers of the level; none after a load error.
    fn markers(&self) -> &'a [Marker] {
        self.loaded().map_or(&[], |loaded| loaded.level.markers())
    }

    /// Returns the art of the mask: the picture that the options name, even if it cannot be read, or else the
    /// picture beside the mask. `None` if there is no picture, or if the level is not a mask.
    fn art(&self) -> Option<&Art> {
        self.facts.art.get_or_init(|| self.mask().and_then(|_| self.find_art())).as_ref()
    }

    fn find_art(&self) -> Option<Art> {
        let files = &mut *self.files();
        let path = match &self.options.art {
            Some(art) => art.clone(),
            None if self.is_on_disk => art_beside(self.path)?,
            None => arts_beside(self.path).find(|art| has(files, art))?,
        };
        let is_sure = self.options.art.is_some() || is_sure_pair(self.path, &path);
        let bytes = if self.is_on_disk {
            let is_named = self.options.art.is_some();
            let links = if is_named { Links::Followed } else { Links::Refused };
            read_file(&path, links, self.options.load.limits.file_bytes())
        } else {
            files.read(&path)
        };
        let sized = bytes.and_then(|bytes| Ok((picture_size(&path, &bytes)?, bytes)));
        let (size, bytes) = match sized {
            Ok((size, bytes)) => (Ok(size), bytes),
            Err(kind) => (Err(kind.to_string()), Vec::new()),
        };
        let own = self.mask()?.0.level.grid().size();
        (is_sure || size == Ok(own)).then_some(Art { path, size, bytes })
    }

    /// Returns the pixels of the art; `None` if absent, too large, broken, or not of the mask's size.
    fn art_picture(&self) -> Option<&RgbaImage> {
        self.facts.art_picture.get_or_init(|| self.decode_art()).as_ref()
    }

    fn decode_art(&self) -> Option<RgbaImage> {
        let art = self.art()?;
        let size = *art.size.as_ref().ok()?;
        let is_small = u64::from(size.x) * u64::from(size.y) <= MOST_PIXELS;
        if size != self.solid_pixels()?.size() || !is_small {
            return None;
        }
        decode_picture(&art.path, &art.bytes).ok()
    }

    /// Returns the shift that would make the mask fit its art clearly better; `None` if there is none.
    fn drift(&self) -> Option<Drift> {
        *self.facts.drift.get_or_init(|| drift(self.art_picture()?, self.solid_pixels()?))
    }

    /// Returns the solid pixels of the mask; `None` for a map.
    fn solid_pixels(&self) -> Option<&'a Grid> {
        Some(self.mask()?.0.level.grid())
    }

    /// Returns facts about the pixels of the mask. `None` for a map, for a mask in black and white, and for a
    /// picture that is too large.
    fn mask_facts(&self) -> Option<&MaskFacts> {
        let facts = &self.facts.mask_facts;
        facts.get_or_init(|| MaskFacts::read(self.mask()?.1, self.bytes)).as_ref()
    }

    fn gray_causes(&self) -> &[Counted] {
        self.facts.gray_causes.get_or_init(|| match self.mask() {
            Some((loaded, source)) => causes(source, self.mask_facts(), loaded.level.grid()),
            None => Vec::new(),
        })
    }

    /// Returns the pictures of a single map that are missing or outside the root folder. Empty for other
    /// levels.
    fn missing_pictures(&self) -> &[PathBuf] {
        self.facts.missing_pictures.get_or_init(|| {
            let loaded = self.loaded().filter(|loaded| matches!(loaded.source, Source::Map));
            let map = loaded.and_then(LoadedLevel::map);
            map.map_or_else(Vec::new, |map| lost(map, &mut *self.files()))
        })
    }

    fn is_of(&self, kind: FileKind) -> bool {
        match kind {
            FileKind::Any => true,
            FileKind::Map => self.level.is_ok() && self.mask().is_none(),
            FileKind::Mask => self.mask().is_some(),
            FileKind::Config => false,
        }
    }

    fn has(&self, need: Need) -> bool {
        match need {
            Need::Body => !self.bodies().is_empty(),
            Need::Spawn => !self.spawns().is_empty(),
            Need::Goal => !self.goals().is_empty(),
            Need::Marker => !self.options.markers.is_empty(),
            Need::Art => self.art().is_some(),
            Need::Base => self.options.base.is_some(),
        }
    }
}

/// The check of a file for one rule, with the findings so far.
struct Check<'c, 'a> {
    rule: &'static LintRule,
    subject: &'c Subject<'a>,
    /// Each finding and, for one made by [`add`](Self::add), the faults that it stands for.
    found: RefCell<Vec<(Finding, Option<FaultGroup>)>>,
}

impl<'a> Deref for Check<'_, 'a> {
    type Target = Subject<'a>;

    fn deref(&self) -> &Subject<'a> {
        self.subject
    }
}

impl Check<'_, '_> {
    fn finding(&self, headline: impl Into<String>) -> Finding {
        self.finding_in(self.path, headline)
    }

    fn finding_in(&self, path: &Path, headline: impl Into<String>) -> Finding {
        Finding::new(self.rule, path, headline)
    }

    /// Adds a fault of a kind. Faults of one kind become one finding: that of the first fault, with the
    /// number of the others and the names of a few. `name` describes what is at fault, such as an object or a
    /// path; it is empty if nothing does. Calls `finding` for the faults whose places are kept.
    fn add(&self, kind: &str, name: String, finding: impl FnOnce() -> Finding) {
        self.add_named(kind, name, false, finding);
    }

    /// Adds a fault of a kind as [`Self::add`] does. `place` is its place in the level.
    fn add_at(&self, kind: &str, place: String, finding: impl FnOnce() -> Finding) {
        self.add_named(kind, place, true, finding);
    }

    fn add_named(
        &self,
        kind: &str,
        name: String,
        are_places: bool,
        finding: impl FnOnce() -> Finding,
    ) {
        let found = &mut *self.found.borrow_mut();
        let mut groups = found.iter_mut().filter_map(|(_, group)| group.as_mut());
        if let Some(group) = groups.find(|group| group.kind == kind) {
            group.count += 1;
            if !name.is_empty() && group.names.len() <= MOST_NAMES {
                group.names.push(name);
            }
            if group.others.len() < MOST_PLACES {
                let other = finding();
                group.others.push((other.place, other.area));
            }
        } else if found.len() < MOST_FINDINGS {
            let names = if name.is_empty() { Vec::new() } else { vec![name] };
            let kind = kind.to_owned();
            let group = FaultGroup { kind, count: 1, names, are_places, others: Vec::new() };
            found.push((finding(), Some(group)));
        }
    }

    /// Adds a fault that forms a finding by itself.
    fn push(&self, finding: Finding) {
        if !self.is_full() {
            self.found.borrow_mut().push((finding, None));
        }
    }

    /// True if no more findings are kept.
    fn is_full(&self) -> bool {
        self.found.borrow().len() == MOST_FINDINGS
    }

    /// Records that the rule gave no result for some or all of the file, with the reason in words.
    fn give_up(&self, reason: impl Into<String>) {
        let reason = SkipReason::Unknown(reason.into());
        self.facts.given_up.borrow_mut().push(Skipped { rule: self.rule, reason });
    }

    /// Returns the result of an analysis. `None` for a level that is too complex; records that the rule gave
    /// no result for it.
    fn known<T>(&self, found: Result<T, TooComplex>) -> Option<T> {
        found.map_err(|error| self.give_up(error.to_string())).ok()
    }

    /// Returns the first `most` of `items`. If there are more, records that the rule gave no result for the
    /// others. `name` is the plural of the items, such as `spawns`.
    fn first<T>(&self, mut items: Vec<T>, most: usize, name: &str) -> Vec<T> {
        if items.len() > most {
            let count = items.len();
            self.give_up(format!("of {count} {name} only the first {most} were looked at"));
            items.truncate(most);
        }
        items
    }
}

/// Returns a finding that stands for the faults of `group`.
fn of_group(mut finding: Finding, mut group: FaultGroup) -> Finding {
    if group.count > 1 {
        finding.headline += &format!(", and {} more", group.count - 1);
    }
    if let [_, others @ ..] = &*group.names
        && !others.is_empty()
    {
        let named = &others[..others.len().min(MOST_OTHERS)];
        let rest = group.count - 1 - named.len() as u64;
        let rest = if rest > 0 { format!("; and {rest} more") } else { String::new() };
        finding.notes.push(format!("the others: {}{rest}", named.join("; ")));
    }
    if group.names.len() > MOST_NAMES {
        group.names.clear();
    }
    Finding { group: Some(group), ..finding }
}

/// The endings of a mask's file name without its extension: `harbor_mask` is the mask of the art `harbor`.
const MASK_ENDINGS: [&str; 3] = ["_mask", "-mask", ".mask"];

/// Further endings of masks, and names of folders for masks. Other files have such names too, so such a mask
/// has an art only if both have the same size.
const OTHER_ENDINGS: [&str; 6] =
    ["_collision", "-collision", ".collision", "_collisions", "-collisions", ".collisions"];
const MASK_FOLDERS: [&str; 4] = ["mask", "masks", "collision", "collisions"];

/// The file endings of art, in the order in which [`art_beside`] tries them.
const ART_EXTENSIONS: [&str; 7] = ["png", "jpg", "jpeg", "bmp", "gif", "webp", "tga"];

/// Returns the art beside a mask: `harbor.png` for `harbor_mask.png`. `None` if there is none. Follows no
/// links.
pub(crate) fn art_beside(mask: &Path) -> Option<PathBuf> {
    arts_beside(mask).find(|art| open_file(art, Links::Refused, u64::MAX).is_ok())
}

/// Returns the picture files that a map names and `files` lacks, sorted and without repeats.
fn lost(map: &Map, files: &mut dyn Files) -> Vec<PathBuf> {
    picture_files(map).into_iter().filter(|path| !has(files, path)).cloned().collect()
}

/// Returns the picture files that a map names.
fn picture_files(map: &Map) -> BTreeSet<&PathBuf> {
    map.images().map(|image| &image.path).filter(|path| !path.as_os_str().is_empty()).collect()
}

fn has(files: &mut dyn Files, path: &Path) -> bool {
    files.read_start(path, 1).is_ok()
}

/// Yields the paths where the art of a mask may be, in the order in which the art is searched for. The files
/// may be missing.
pub(crate) fn arts_beside(mask: &Path) -> impl Iterator<Item = PathBuf> {
    let stem = mask.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let mut endings = MASK_ENDINGS.iter().chain(&OTHER_ENDINGS);
    let name = endings.find_map(|ending| stem.strip_suffix(ending)).filter(|it| !it.is_empty());
    let mut places = Vec::new();
    places.extend(name.map(|name| (name, mask.to_owned())));
    let folder = mask.parent().unwrap_or(Path::new(""));
    let of_folder = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if MASK_FOLDERS.iter().any(|known| known.eq_ignore_ascii_case(of_folder)) {
        for name in [Some(stem), name].into_iter().flatten() {
            places.push((name, folder.to_owned()));
        }
    }
    let mut arts = Vec::new();
    for (name, beside) in places {
        let endings = ART_EXTENSIONS.iter();
        arts.extend(endings.map(|ending| beside.with_file_name(format!("{name}.{ending}"))));
    }
    arts.into_iter()
}

/// True if the names alone prove that the second picture is the art of the first.
fn is_sure_pair(mask: &Path, art: &Path) -> bool {
    let stem = mask.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    mask.parent() == art.parent() && MASK_ENDINGS.iter().any(|ending| stem.ends_with(ending))
}

/// The cause of gray pixels in a mask.
#[derive(Clone, Debug, PartialEq)]
enum GrayCause {
    /// Smoothed edges between black and white.
    SoftEdge,
    /// Noise, as of lossy compression: nearly black and nearly white pixels, or pixels strewn over the mask.
    LossyNoise,
    /// Pixels in these colours, drawn on purpose to mark something, such as water.
    StrayColors(Vec<GrayColor>),
    /// A mask in exactly these two colours. At least one of them is neither black nor white.
    TwoLevels([[u8; 3]; 2]),
    /// A shape on a transparent ground. It has colours other than black and white, or its black or white
    /// pixels count as passable.
    ShapeInAlpha,
    /// A painting or a photo.
    Painting,
    /// Other gray pixels, or too few to judge.
    Other,
}

type Counted = (GrayCause, u64);

/// A shift of a mask, with the fit of mask and art before and after the shift.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Drift {
    /// The shift in pixels that moves the mask back over its art.
    shift: IVec2,
    before: f64,
    after: f64,
}

impl Finding {
    fn new(rule: &'static LintRule, path: &Path, headline: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            rule,
            severity: rule.severity,
            headline: headline.into(),
            group: None,
            place: Place::default(),
            area: None,
            trace: Vec::new(),
            excerpt: None,
            notes: Vec::new(),
            help: String::new(),
        }
    }

    fn place(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// Makes this finding a group of `count` faults without names; `kind` is [`FaultGroup::kind`].
    fn of_many(mut self, kind: impl Into<String>, count: u64) -> Self {
        self.group = Some(FaultGroup { kind: kind.into(), count, ..FaultGroup::default() });
        self
    }

    fn of_named(mut self, names: Vec<String>) -> Self {
        let count = names.len() as u64;
        let names = if names.len() > MOST_NAMES { Vec::new() } else { names };
        self.group = Some(FaultGroup { count, names, ..FaultGroup::default() });
        self
    }

    fn count(&self) -> u64 {
        self.group.as_ref().map_or(1, |group| group.count)
    }

    fn area(mut self, area: Aabb) -> Self {
        self.area = Some(area);
        self
    }

    fn trace(mut self, trace: Vec<IVec2>) -> Self {
        self.trace = trace;
        self
    }

    fn excerpt(mut self, excerpt: Excerpt) -> Self {
        self.excerpt = Some(excerpt);
        self
    }

    fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    fn notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }
}

impl LintRule {
    /// Returns the code and the name of the rule: `MSK202 gray-pixels`.
    fn title(&self) -> String {
        format!("{} {}", self.code, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_made_of_start_words_count_as_spawns() {
        for name in ["PlayerSpawn", "start_pos 2", "Hero", "SPAWN POINT", "playerstart"] {
            assert!(is_like_spawn(name), "{name}");
        }
        for name in ["EnemySpawn", "spawner", "players", "", "point", "restart", "playerposition"] {
            assert!(!is_like_spawn(name), "{name}");
        }
    }

    #[test]
    fn the_art_of_a_mask_is_searched_by_each_usual_name() {
        let first = |mask: &str| {
            let arts = arts_beside(Path::new(mask));
            arts.step_by(ART_EXTENSIONS.len())
                .map(|art| art.display().to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(first("a/cave_mask.png"), ["a/cave.png"]);
        assert_eq!(first("a/cave-collision.png"), ["a/cave.png"]);
        assert_eq!(first("a/Masks/cave.bmp"), ["a/cave.png"]);
        let both = ["a/masks/cave.png", "a/cave_mask.png", "a/cave.png"];
        assert_eq!(first("a/masks/cave_mask.png"), both);
        assert!(first("a/cave.png").is_empty() && first("a/_mask.png").is_empty());
        assert!(is_sure_pair(Path::new("a/b_mask.png"), Path::new("a/b.png")));
        assert!(!is_sure_pair(Path::new("a/b_collision.png"), Path::new("a/b.png")));
    }
}
