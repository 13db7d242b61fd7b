//! The imports between files: the modules of a crate, the names in them, and the arrows between their files.
//!
//! An arrow goes from a file that uses a name, in a `use` or in a path in the code, to the file that defines
//! the name. Names that a module only re-exports (`pub use`) are followed to the file that defines them. So a
//! parent file that declares its children and re-exports their names has no arrow to them, unless its own
//! code uses one of the names. A child that imports from its parent's file has an arrow to it. Method calls
//! do not count.

use std::collections::{BTreeMap, BTreeSet};

use super::tokens::tokens;

type Path = Vec<String>;

/// The contents of a module: of a file, or of a `mod` block in a file.
#[derive(Default)]
struct Module {
    file: String,
    items: BTreeSet<String>,
    uses: Vec<Use>,
    /// The paths in the code that have two names or more.
    paths: BTreeSet<Path>,
    /// All words of the code outside `use` items.
    words: BTreeSet<String>,
    /// The types that have methods in this module.
    methods: Vec<Path>,
}

/// A name that a `use` imports; `*` for all names of a module.
struct Use {
    name: String,
    path: Path,
    is_public: bool,
}

/// The item or module that a path names.
enum Target {
    Module(Path),
    Item(String, String),
}

/// The modules of a crate, by path.
#[derive(Default)]
pub(super) struct Modules(BTreeMap<Path, Module>);

/// The file that uses names and the file that defines them -> these names.
pub(super) type Arrows = BTreeMap<(String, String), BTreeSet<String>>;

impl Modules {
    /// Reads the modules from sources. Each comes with its path in `src`.
    pub(super) fn of<'s>(sources: impl IntoIterator<Item = (&'s str, &'s str)>) -> Self {
        let mut modules = Self::default();
        for (file, source) in sources {
            let path = file.trim_end_matches(".rs").split('/');
            let path = path.filter(|name| *name != "lib").map(str::to_owned);
            modules.read(file, path.collect(), &tokens(source));
        }
        modules
    }

    fn read(&mut self, file: &str, path: Path, all: &[&str]) {
        let mut module = Module { file: file.to_owned(), ..Module::default() };
        let (mut at, mut depth) = (0, 0);
        while at < all.len() {
            let next = all.get(at + 1).copied().unwrap_or_default();
            match all[at] {
                "{" => depth += 1,
                "}" => depth -= 1,
                "use" if next != "<" => {
                    let end = at + position(&all[at..], ";");
                    let is_public = at > 0 && matches!(all[at - 1], "pub" | ")");
                    let mut tree = all[at + 1..end].iter().copied().peekable();
                    add_uses(&mut tree, &Path::new(), is_public, &mut module.uses);
                    at = end;
                }
                "mod" if all.get(at + 2) == Some(&"{") => {
                    let length = closed(&all[at + 2..]);
                    let inner = [&path[..], &[next.to_owned()]].concat();
                    self.read(file, inner, &all[at + 3..at + 2 + length]);
                    at += 2 + length;
                }
                "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" if depth == 0 => {
                    module.items.insert(next.to_owned());
                }
                "macro_rules" => {
                    module.items.insert(all[at + 2].to_owned());
                }
                "impl" if depth == 0 && starts_item(&all[..at]) => {
                    module.methods.extend(type_with_methods(&all[at + 1..]))
                }
                _ => {}
            }
            if at < all.len() && is_name(all[at]) && all[at] != "use" {
                let behind = if at > 0 { all[at - 1] } else { "" };
                if behind != "::" && behind != "." {
                    module.words.insert(all[at].to_owned());
                    let named = named_from(&all[at..]);
                    if named.len() > 1 {
                        module.paths.insert(named);
                    }
                }
            }
            at += 1;
        }
        self.0.insert(path, module);
    }

    /// Returns the target of a path in the module `from`; `None` if it is in another crate.
    fn resolve(&self, from: &[String], path: &[String], depth: u32) -> Option<Target> {
        let mut target = Target::Module(from.to_vec());
        for (index, name) in path.iter().enumerate() {
            let Target::Module(module) = &mut target else {
                break;
            };
            match name.as_str() {
                "crate" | "bitwall" if index == 0 => module.clear(),
                "self" => {}
                "super" => drop(module.pop()),
                name if self.0.contains_key(&*module) => match self.look_up(module, name, depth) {
                    Some(found) => target = found,
                    None if index == 0 || self.is_foreign(module, name) => return None,
                    None => target = Target::Item(self.0[&*module].file.clone(), name.to_owned()),
                },
                _ => return None,
            }
        }
        Some(target)
    }

    fn look_up(&self, module: &[String], name: &str, depth: u32) -> Option<Target> {
        let child = [module, &[name.to_owned()]].concat();
        if self.0.contains_key(&child) {
            return Some(Target::Module(child));
        }
        let here = &self.0[module];
        if here.items.contains(name) {
            return Some(Target::Item(here.file.clone(), name.to_owned()));
        }
        // Real chains of re-exports are shorter. A re-export that leads to itself, such as `pub use glam`,
        // ends here.
        if depth > 8 {
            return None;
        }
        let follow = |path: &Path| self.resolve(module, path, depth + 1);
        if let Some(named) = here.uses.iter().find(|known| known.name == name) {
            return follow(&named.path);
        }
        let globs = here.uses.iter().filter(|known| known.name == "*");
        globs.filter_map(|glob| follow(&glob.path)).find_map(|target| match target {
            Target::Module(inner) if inner != module => self.look_up(&inner, name, depth + 1),
            _ => None,
        })
    }

    /// True if the module imports this name from another crate.
    fn is_foreign(&self, module: &[String], name: &str) -> bool {
        let uses = &self.0[module].uses;
        uses.iter().any(|known| known.name == name)
    }

    /// Returns the file that a path leads to, and the name in it.
    fn home(&self, from: &[String], path: &[String]) -> Option<(String, String)> {
        match self.resolve(from, path, 0)? {
            Target::Item(file, name) => Some((file, name)),
            Target::Module(module) => Some((self.0.get(&module)?.file.clone(), "self".to_owned())),
        }
    }

    pub(super) fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (path, module) in &self.0 {
            let is_said = |known: &&Use| match self.resolve(path, &known.path, 0) {
                Some(Target::Module(_)) if known.name != "*" => {
                    let mut paths = module.paths.iter();
                    !known.is_public && !paths.any(|path| path[0] == known.name)
                }
                _ => !known.is_public || module.words.contains(&known.name),
            };
            let uses = module.uses.iter().filter(is_said).map(|known| &known.path);
            for said in uses.chain(&module.paths) {
                if let Some((file, name)) = self.home(path, said)
                    && file != module.file
                {
                    let arrow = (module.file.clone(), file);
                    arrows.entry(arrow).or_default().insert(name);
                }
            }
        }
        arrows
    }

    /// Returns each type that has methods, with its file, and the files that contain the methods.
    pub(super) fn methods(&self) -> BTreeMap<(String, String), BTreeSet<String>> {
        let mut found = BTreeMap::<_, BTreeSet<String>>::new();
        for (path, module) in &self.0 {
            for named in &module.methods {
                let home = self.home(path, named).unwrap_or_default();
                found.entry(home).or_default().insert(module.file.clone());
            }
        }
        found
    }
}

/// Finds cycles: for each arrow, the shortest path back to its start. Returns each cycle as a line of files,
/// with the names that lead to the next file.
///
/// A cycle that contains a module's own file, and otherwise only files in the folder of this module, is left
/// out.
pub(super) fn circles(arrows: &Arrows) -> Vec<String> {
    let mut found = BTreeMap::<BTreeSet<&String>, String>::new();
    for (from, to) in arrows.keys() {
        if is_above(from, to) || is_above(to, from) {
            continue;
        }
        if let Some(path) = shortest(arrows, to, from) {
            let line = || {
                let mut line = path[0].clone();
                for (one, next) in path.iter().zip(path.iter().cycle().skip(1)) {
                    let names: Vec<&str> = arrows[&((*one).clone(), (*next).clone())]
                        .iter()
                        .map(String::as_str)
                        .collect();
                    line += &format!(" -> {next} ({})", names.join(", "));
                }
                line
            };
            found.entry(path.iter().copied().collect()).or_insert_with(line);
        }
    }
    found.into_values().collect()
}

/// True if `file` is the own file of a module whose folder contains `other`.
fn is_above(file: &str, other: &str) -> bool {
    let rest = other.strip_prefix(file.trim_end_matches(".rs"));
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// Returns the files on the shortest path from `start` to `end`, both included. The path contains no file
/// that is above both of them.
fn shortest<'a>(arrows: &'a Arrows, start: &'a String, end: &String) -> Option<Vec<&'a String>> {
    let mut open = vec![vec![start]];
    let mut seen = BTreeSet::from([start]);
    while !open.is_empty() {
        let mut longer = Vec::new();
        for path in open {
            let last = path[path.len() - 1];
            if last == end {
                return Some(path);
            }
            for (_, to) in arrows.keys().filter(|(from, _)| from == last) {
                let is_above_both = is_above(to, start) && is_above(to, end);
                if !is_above_both && seen.insert(to) {
                    longer.push([&path[..], &[to]].concat());
                }
            }
        }
        open = longer;
    }
    None
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn position(all: &[&str], token: &str) -> usize {
    all.iter().position(|found| *found == token).unwrap()
}

/// Returns the index of the `}` that closes the first token, a `{`.
fn closed(all: &[&str]) -> usize {
    let mut depth = 0;
    let closes = |token: &&str| {
        depth += i32::from(*token == "{") - i32::from(*token == "}");
        depth == 0
    };
    all.iter().position(closes).unwrap()
}

/// True if an item may start after these tokens.
fn starts_item(before: &[&str]) -> bool {
    before.last().is_none_or(|last| ["}", ";", "]"].contains(last))
}

/// Returns the names, separated by `::`, at the start of the tokens.
fn named_from(all: &[&str]) -> Path {
    let mut path = vec![all[0].to_owned()];
    for pair in all[1..].chunks(2) {
        match pair {
            ["::", name] if is_name(name) => path.push((*name).to_owned()),
            _ => break,
        }
    }
    path
}

/// Returns the type of an `impl` block without a trait.
fn type_with_methods(all: &[&str]) -> Option<Path> {
    let mut head = &all[..position(all, "{")];
    if head.contains(&"for") {
        return None;
    }
    if head[0] == "<" {
        let mut depth = 0;
        let end = (0..head.len()).find(|at| {
            let closes = head[*at] == ">" && head[*at - 1] != "-";
            depth += i32::from(head[*at] == "<") - i32::from(closes);
            depth == 0
        });
        head = &head[end.unwrap() + 1..];
    }
    is_name(head.first()?).then(|| named_from(head))
}

/// Adds the names of one `use` tree, up to its end or the next comma. `before` are the names in front of it.
fn add_uses<'s>(
    tree: &mut std::iter::Peekable<impl Iterator<Item = &'s str>>,
    before: &Path,
    is_public: bool,
    uses: &mut Vec<Use>,
) {
    let mut path = before.clone();
    let mut alias = None;
    while let Some(token) = tree.next() {
        match token {
            "::" => {}
            "{" => {
                while tree.peek().is_some_and(|token| *token != "}") {
                    add_uses(tree, &path, is_public, uses);
                }
                tree.next();
                tree.next_if(|token| *token == ",");
                return;
            }
            "," => break,
            "as" => alias = tree.next(),
            name => path.push(name.to_owned()),
        }
        if tree.peek() == Some(&"}") {
            break;
        }
    }
    let last = path.pop().unwrap();
    let name = alias.unwrap_or(&last).to_owned();
    match last.as_str() {
        "*" | "self" => {}
        _ => path.push(last.clone()),
    }
    let name = match last.as_str() {
        "self" if alias.is_none() => path.last().unwrap().clone(),
        _ => name,
    };
    uses.push(Use { name, path, is_public });
}
