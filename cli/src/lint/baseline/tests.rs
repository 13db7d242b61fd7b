use super::*;
use crate::lint::rules::{GRAY_PIXELS, OPEN_BORDER};
use crate::lint::{Finding, LintRule, Report};
use bitwall::error::Place;

fn report(findings: Vec<Finding>) -> Report {
    Report { findings, solid_share: Some(SolidShare::new(3, 9)), ..Report::default() }
}

fn found(rule: &'static LintRule, path: &str, headline: &str) -> Finding {
    Finding::new(rule, Path::new(path), headline)
}

fn checked(reports: Vec<(&str, Vec<Finding>)>) -> Checked {
    let reports = reports.into_iter().map(|(path, findings)| (path.into(), report(findings)));
    Checked::new(reports, [], Path::to_owned)
}

fn numbers(known: usize, fixed: usize) -> KnownCounts {
    KnownCounts { known, fixed }
}

fn before() -> Checked {
    checked(vec![
        ("a.png", vec![found(&GRAY_PIXELS, "a.png", "1 pixel is gray")]),
        ("b.tmx", vec![found(&OPEN_BORDER, "b.tmx", "the left side is open").of_many("left", 1)]),
        ("gone.tmx", vec![found(&OPEN_BORDER, "gone.tmx", "the left side is open")]),
    ])
}

#[test]
fn a_comparison_keeps_new_findings_and_counts_gone_ones_as_fixed() {
    let baseline = Baseline::new(&before());
    let read = Baseline::decode(baseline.to_json().as_bytes()).unwrap();
    assert_eq!((read.len(), read.is_empty()), (3, false));
    assert_eq!(read.share_of(Path::new("./a.png")), Some(SolidShare::new(3, 9)));

    let moved = Place { pixel: Some((7, 8)), ..Place::default() };
    let now = checked(vec![
        ("a.png", vec![found(&GRAY_PIXELS, "a.png", "5 pixels are gray").place(moved)]),
        ("b.tmx", vec![found(&OPEN_BORDER, "b.tmx", "the top side is open").of_many("top", 1)]),
    ]);
    let now = now.since(&read, |path| path == Path::new("gone.tmx"));
    assert_eq!(now.known, Some(numbers(1, 2)));
    assert_eq!(now.findings.len(), 1);
    assert_eq!(now.findings[0].finding.headline, "the top side is open");
}

#[test]
fn findings_of_an_unchecked_file_are_not_fixed() {
    let compared = checked(vec![("a.png", vec![])]).since(&Baseline::new(&before()), |_| false);
    assert_eq!(compared.known, Some(numbers(0, 1)));
}

#[test]
fn a_third_equal_finding_is_new_if_the_baseline_has_two() {
    let open = || found(&OPEN_BORDER, "b.tmx", "an object is outside");
    let at = |x| open().place(Place { pixel: Some((x, 0)), ..Place::default() });
    let baseline = Baseline::new(&checked(vec![("b.tmx", vec![at(1), at(2)])]));
    let now = checked(vec![("b.tmx", vec![at(5), at(6), at(7)])]).since(&baseline, |_| false);
    assert_eq!(now.known, Some(numbers(2, 0)));
    assert_eq!(now.findings.len(), 1);
}

#[test]
fn a_headline_states_how_many_faults_of_a_group_are_new() {
    let walled = |count, first: &str| {
        let headline = match count {
            1 => format!("the spawn `{first}` is in a solid"),
            _ => format!("{count} spawns are in solids, first `{first}`"),
        };
        let finding = found(&OPEN_BORDER, "b.tmx", &headline).of_many("", count);
        checked(vec![("b.tmx", vec![finding])])
    };
    let text = Baseline::new(&walled(2, "a")).to_json();
    let baseline = Baseline::decode(text.as_bytes()).unwrap();
    for fewer in [walled(2, "b"), walled(1, "b")] {
        assert_eq!(fewer.since(&baseline, |_| false).known, Some(numbers(1, 0)));
    }
    let more = walled(5, "a").since(&baseline, |_| false);
    assert_eq!(more.known, Some(numbers(0, 0)));
    assert_eq!(more.findings[0].finding.headline, "5 spawns are in solids, first `a`; 3 new");
}

/// Returns a run with one finding in a level of `cells` cells. The finding has a fault for each of the
/// `names`, which are coordinates in the level if `are_places` is true.
fn spawns(names: &[&str], are_places: bool, cells: u64) -> Checked {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    let finding = found(&OPEN_BORDER, "b.tmx", "spawns are in solids");
    let mut finding = finding.of_named(names);
    if let Some(group) = &mut finding.group {
        group.are_places = are_places;
    }
    let solid_share = Some(SolidShare::new(1, cells));
    let report = Report { findings: vec![finding], solid_share, ..Report::default() };
    Checked::new([("b.tmx".into(), report)], [], Path::to_owned)
}

#[test]
fn a_fault_with_another_name_is_new_even_if_the_count_is_unchanged() {
    let baseline = |names: &[&str], are_places| {
        let text = Baseline::new(&spawns(names, are_places, 9)).to_json();
        Baseline::decode(text.as_bytes()).unwrap()
    };
    for are_places in [false, true] {
        let before = baseline(&["a", "b", "b"], are_places);
        let now = spawns(&["c", "b", "b"], are_places, 9).since(&before, |_| false);
        assert_eq!(now.known, Some(numbers(0, 0)));
        let finding = &now.findings[0].finding;
        assert_eq!(finding.headline, "spawns are in solids; 1 new: c");
        let fewer = spawns(&["b", "a"], are_places, 9).since(&before, |_| false);
        assert_eq!(fewer.known, Some(numbers(1, 0)));
        let twice = spawns(&["a", "a"], are_places, 9).since(&before, |_| false);
        assert_eq!(twice.findings[0].finding.headline, "spawns are in solids; 1 new: a");
    }
}

#[test]
fn the_pixel_of_a_finding_is_removed_if_its_first_fault_is_known() {
    let at = |names: [&str; 2]| {
        let place = Place { layer: Some("l".into()), pixel: Some((3, 4)), ..Place::default() };
        let finding = found(&OPEN_BORDER, "b.tmx", "two").place(place);
        checked(vec![("b.tmx", vec![finding.of_named(names.map(str::to_owned).into())])])
    };
    let known = Baseline::new(&at(["a", "b"]));
    let place = |names| at(names).since(&known, |_| false).findings[0].finding.place.clone();
    assert_eq!((place(["a", "c"]).pixel, place(["a", "c"]).layer.as_deref()), (None, Some("l")));
    assert_eq!(place(["c", "a"]).pixel, Some((3, 4)));
}

#[test]
fn faults_named_by_coordinates_are_compared_by_number_if_the_level_size_changes() {
    let before = Baseline::new(&spawns(&["a", "b"], true, 9));
    let moved = |names: &[&str]| spawns(names, true, 12).since(&before, |_| false);
    assert_eq!(moved(&["c", "d"]).known, Some(numbers(1, 0)));
    let more = moved(&["c", "d", "e"]);
    assert_eq!(more.findings[0].finding.headline, "spawns are in solids; 1 new");
    let named = Baseline::new(&spawns(&["a", "b"], false, 9));
    assert_eq!(spawns(&["c"], false, 12).since(&named, |_| false).findings.len(), 1);
}

#[test]
fn more_than_1000_faults_are_compared_by_number() {
    let names: Vec<String> = (0..1_001).map(|name| name.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let before = Baseline::new(&spawns(&names, false, 9));
    assert!(!before.to_json().contains("faults"));
    assert_eq!(spawns(&["x"], false, 9).since(&before, |_| false).known, Some(numbers(1, 0)));
    let fewer = Baseline::new(&spawns(&names[1..], false, 9));
    let now = spawns(&names, false, 9).since(&fewer, |_| false);
    assert_eq!(now.findings[0].finding.headline, "spawns are in solids; 1 new");
}

#[test]
fn decoding_a_file_that_is_no_baseline_fails_with_the_reason() {
    for (bytes, expected) in [
        (&b"{}"[..], "not a baseline: missing field `version`"),
        (b"\xff", "not a baseline: "),
        (b"{\"version\": 1, \"findings\": []}", "a baseline of version 1; this program reads 2"),
    ] {
        let error = Baseline::decode(bytes).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn baseline_json_is_independent_of_finding_order_and_has_no_ci_commands() {
    let mut reversed = before();
    reversed.findings.reverse();
    assert_eq!(Baseline::new(&before()).to_json(), Baseline::new(&reversed).to_json());
    let hostile = found(&GRAY_PIXELS, "##[error]\n::error::x.png", "x `\u{1b}[31m`");
    let text = Baseline::new(&checked(vec![("a.png", vec![hostile])])).to_json();
    assert!(!text.contains("##") && !text.contains('\u{1b}'), "{text}");
    assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");
}

#[test]
fn a_renamed_file_keeps_its_known_findings() {
    let renamed = BTreeMap::from([("new.png".into(), "a.png".into())]);
    let baseline = Baseline::new(&before()).renamed(&renamed);
    assert_eq!(baseline.share_of(Path::new("new.png")), Some(SolidShare::new(3, 9)));
    let gray = found(&GRAY_PIXELS, "new.png", "2 pixels are gray");
    let now = checked(vec![("new.png", vec![gray])]).since(&baseline, |_| false);
    assert_eq!(now.known, Some(numbers(1, 0)));
}
