//! The architecture: rooms import in one direction, no two files need each other, and each outside
//! crate is named in one place.
//!
//! The order of the rooms is that in which `src/lib.rs` declares them; the program (`cli`, then
//! `main`) comes last. An edge between two files is a path in the code of the first that names
//! something the second defines. A `pub use` is looked through: who takes `super::Item` from a room
//! needs the file that defines `Item`, and the room's `mod.rs` only passes it on. Tests may use
//! anything.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path as FilePath, PathBuf},
};

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    Attribute, ItemFn, ItemImpl, ItemMod, ItemUse, UseTree, Visibility,
    visit::{self, Visit},
};

/// Crates, and the only files that may name them. A path ends where a folder may be meant.
const DOORS: &[(&str, &str)] = &[
    ("shakmaty", "chess/"),
    ("pgn_reader", "pgn/plain.rs"),
    ("percent_encoding", "chess/fen/wrapped.rs"),
    ("rusqlite", "store/"),
    // Anki's file format is SQLite in a zip archive.
    ("rusqlite", "output/repertoire/anki/collection.rs"),
    ("rusqlite", "output/repertoire/sqlite.rs"),
    ("crc32fast", "store/collection/checksum.rs"),
    ("rayon", "pipeline/"),
    ("fearless_simd", "simd.rs"),
    ("zstd", "pgn/codecs.rs"),
    ("zstd", "pgn/frame_encoder.rs"),
    ("zstd", "collection/segment/bytes.rs"),
    ("zstd", "store/repertoire/journal.rs"),
    ("zstd", "output/columns/parquet/names.rs"),
    ("miniz_oxide", "packed.rs"),
    ("flate2", "pgn/codecs.rs"),
    ("flate2", "diagram/pdf.rs"),
    ("bzip2", "pgn/codecs.rs"),
    ("liblzma", "pgn/codecs.rs"),
    ("zip", "pgn/source/archive.rs"),
    ("zip", "output/repertoire/anki/package.rs"),
    ("walkdir", "pgn/source/mod.rs"),
    ("clap", "cli/"),
    ("indicatif", "cli/progress.rs"),
    ("csv_core", "output/format.rs"),
    ("arrow_array", "output/columns/"),
    ("arrow_buffer", "output/columns/"),
    ("arrow_data", "output/columns/encoder.rs"),
    ("arrow_ipc", "output/columns/encoder.rs"),
    ("arrow_ipc", "output/columns/parquet/"),
    ("arrow_schema", "output/columns/"),
    ("parquet", "output/columns/parquet/"),
    ("sha2", "master/mod.rs"),
    ("sha2", "select/"),
    ("sha2", "output/repertoire/anki/collection.rs"),
    ("sha2", "output/columns/dataset.rs"),
    // What stands in a foreign file must not be able to pass for the schema.
    ("sha2", "store/schema.rs"),
    // Its derive reads and writes JSON; what JSON is read is each room's own, and what is written
    // belongs to the rows of `output` and of the commands.
    ("serde", "store/repertoire/journal.rs"),
    ("serde", "master/eco_json.rs"),
    ("serde", "chess/fen/table.rs"),
    ("serde", "repertoire/json.rs"),
    ("serde", "repertoire/note.rs"),
    ("serde", "chess/mod.rs"),
    ("serde", "opening.rs"),
    ("serde", "output/"),
    ("serde", "web/eco_api/"),
    ("serde", "web/lichess_api/"),
    ("serde", "web/answer.rs"),
    ("serde", "web/line.rs"),
    ("serde", "web/training.rs"),
    ("serde", "web/editing.rs"),
    ("serde", "cli/"),
    ("clap_complete", "cli/completion.rs"),
    ("clap_mangen", "cli/completion.rs"),
    ("etcetera", "cli/home.rs"),
    ("toml_edit", "cli/settings.rs"),
    ("xattr", "cli/replace.rs"),
    ("humantime", "cli/masters.rs"),
    ("signal_hook", "cli/interrupt.rs"),
    ("winapi_util", "new_file/identity.rs"),
    ("mimalloc", "main.rs"),
    ("resvg", "diagram/png.rs"),
    ("skrifa", "diagram/png.rs"),
    ("png", "diagram/png.rs"),
    ("resvg", "diagram/pdf.rs"),
    ("pdf_writer", "diagram/pdf.rs"),
    ("form_urlencoded", "web/request.rs"),
    ("http_body_util", "web/server/"),
    ("hyper", "web/server/"),
    ("hyper_util", "web/server/"),
    ("tokio", "web/server/"),
    // Ctrl-C, which ends a session of training with a word.
    ("tokio", "cli/repertoire/train/dialogue.rs"),
    ("tokio", "cli/interrupt.rs"),
    ("fsrs", "training/card.rs"),
    ("fastrand", "training/"),
];

/// A module's place in its crate: `["pgn", "tags"]`. The library and the program are two crates,
/// but no module of the library is called `cli`, so their paths do not mix.
type ModulePath = Vec<String>;

/// A source file: what it is, and what its code names.
struct SourceFile {
    name: String,
    module: ModulePath,
    names: Names,
}

/// What a file names, outside its tests.
#[derive(Default)]
struct Names {
    /// Paths that are passed on: the name they have here, and what they stand for.
    exports: Vec<(String, Vec<String>)>,
    /// Private imports, in the same way.
    imports: Vec<(String, Vec<String>)>,
    /// Paths in the code.
    paths: Vec<Vec<String>>,
    /// The modules it declares, in order.
    children: Vec<String>,
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_cfg = attribute.path().is_ident("cfg");
        is_cfg && attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test")
    })
}

/// Adds every path of a `use`, with its name here; that of a glob is `*`.
fn flatten(tree: &UseTree, prefix: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    let mut add = |prefix: &[String], last: &syn::Ident, alias: &syn::Ident| {
        let mut path = prefix.to_vec();
        let (last, alias) = (last.to_string(), alias.to_string());
        if last == "self" {
            found.push((path.last().cloned().unwrap_or_default(), path));
        } else {
            path.push(last);
            found.push((alias, path));
        }
    };
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            flatten(&path.tree, prefix, found);
            prefix.pop();
        }
        UseTree::Name(name) => add(prefix, &name.ident, &name.ident),
        UseTree::Rename(rename) => add(prefix, &rename.ident, &rename.rename),
        UseTree::Glob(_) => found.push(("*".to_owned(), prefix.clone())),
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, prefix, found);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if is_test(&item.attrs) {
            return;
        }
        if item.content.is_none() {
            self.children.push(item.ident.to_string());
        }
        visit::visit_item_mod(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        if !is_test(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if is_test(&item.attrs) {
            return;
        }
        let is_private = matches!(item.vis, Visibility::Inherited);
        let found = if is_private { &mut self.imports } else { &mut self.exports };
        flatten(&item.tree, &mut Vec::new(), found);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        paths_of_tokens(item.tokens.clone(), &mut self.paths);
        visit::visit_macro(self, item);
    }
}

/// The paths in what a macro is given, which need not be an expression.
fn paths_of_tokens(tokens: TokenStream, found: &mut Vec<Vec<String>>) {
    let mut path = Vec::new();
    let mut goes_on = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                if !goes_on {
                    found.push(std::mem::take(&mut path));
                }
                path.push(ident.to_string());
                goes_on = false;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => goes_on = true,
            TokenTree::Group(group) => {
                goes_on = false;
                paths_of_tokens(group.stream(), found);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => goes_on = false,
        }
    }
    found.push(path);
    found.retain(|path| !path.is_empty());
}

fn root() -> PathBuf {
    FilePath::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(folder: &FilePath, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn read_names(text: &str) -> Names {
    let file = syn::parse_file(text).expect("a source file of this crate is Rust");
    let mut names = Names::default();
    if !is_test(&file.attrs) {
        names.visit_file(&file);
    }
    names
}

/// All source files but those of tests.
fn sources() -> Vec<SourceFile> {
    let mut files = Vec::new();
    rust_files(&root(), &mut files);
    files.sort();
    assert!(files.len() > 20, "the sources were not found");
    let named = files.iter().map(|file| {
        let name = file.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
        let module = name.trim_end_matches(".rs").trim_end_matches("/mod");
        let module = module.split('/').map(str::to_owned).collect();
        (name, module, file)
    });
    named
        .filter(|(name, ..)| !name.ends_with("tests.rs"))
        .map(|(name, module, file)| SourceFile {
            names: read_names(&fs::read_to_string(file).unwrap()),
            name,
            module: if module == ["lib"] || module == ["main"] { Vec::new() } else { module },
        })
        .collect()
}

/// Files by the module they are. Both crates' roots are the empty path, which stands for `lib.rs`.
struct House<'a> {
    files: BTreeMap<&'a [String], &'a SourceFile>,
}

impl<'a> House<'a> {
    fn new(sources: &'a [SourceFile]) -> Self {
        let inside = sources.iter().filter(|file| !file.module.is_empty());
        Self { files: inside.map(|file| (file.module.as_slice(), file)).collect() }
    }

    /// The module whose file defines what `path` names in `from`; `None` if that is not of this
    /// crate, or only a module.
    fn definer(&self, from: &SourceFile, path: &[String], depth: usize) -> Option<&'a [String]> {
        if depth > 20 {
            return None;
        }
        let (first, rest) = path.split_first()?;
        let here = from.module.as_slice();
        let start = match first.as_str() {
            "crate" | "eco" => &[],
            "self" => here,
            "super" => {
                let above = rest.iter().take_while(|name| *name == "super").count();
                let base = &here[..here.len().checked_sub(1 + above)?];
                return self.descend(base, &rest[above..], depth);
            }
            _ if from.names.children.contains(first) => return self.descend(here, path, depth),
            _ => {
                let (_, whole) = from.names.imports.iter().find(|(name, _)| name == first)?;
                // Where a name is that of a module, what follows is in that module.
                let is_outside = whole.first() == Some(first) && whole.len() == 1;
                let path = [whole.as_slice(), rest].concat();
                return if is_outside { None } else { self.definer(from, &path, depth + 1) };
            }
        };
        self.descend(start, rest, depth)
    }

    /// Follows `names` from a module down.
    fn descend(&self, start: &[String], names: &[String], depth: usize) -> Option<&'a [String]> {
        let mut module = start.to_vec();
        for (index, name) in names.iter().enumerate() {
            module.push(name.clone());
            if self.files.contains_key(module.as_slice()) {
                continue;
            }
            module.pop();
            let (key, file) = self.files.get_key_value(module.as_slice())?;
            let exports = file.names.exports.iter();
            let mut passed = exports.filter(|(alias, _)| alias == name || alias == "*");
            let through = passed.find_map(|(alias, path)| {
                let last = if alias == "*" { &names[index..] } else { &names[index + 1..] };
                let path = [path.as_slice(), last].concat();
                self.definer(file, &path, depth + 1).filter(|found| *found != *key || alias != "*")
            });
            return through.or(Some(*key));
        }
        None
    }

    /// The files that a file needs.
    fn needs(&self, file: &SourceFile) -> BTreeSet<&'a [String]> {
        let imports = file.names.imports.iter().map(|(_, path)| path);
        let paths = imports.chain(&file.names.paths);
        let found = paths.filter_map(|path| self.definer(file, path, 0));
        found.filter(|module| *module != file.module).collect()
    }
}

/// The rooms in order: as `lib.rs` declares them, then the program.
fn order(sources: &[SourceFile]) -> Vec<String> {
    let library = sources.iter().find(|file| file.name == "lib.rs").expect("there is a library");
    let mut order = library.names.children.clone();
    order.push("cli".to_owned());
    order
}

#[test]
fn rooms_use_only_rooms_before_them() {
    let sources = sources();
    let house = House::new(&sources);
    let order = order(&sources);
    let rank = |module: &[String]| {
        let room = &module[0];
        order.iter().position(|r| r == room).unwrap_or_else(|| panic!("{room} is in no order"))
    };
    for file in house.files.values() {
        for needed in house.needs(file) {
            assert!(
                rank(needed) <= rank(&file.module),
                "src/{} uses {}, which comes after {}",
                file.name,
                needed.join("::"),
                file.module[0]
            );
        }
    }
}

/// Every file that a file needs, and that those need in turn.
fn reached_from<'a>(
    start: &[String],
    needs: &BTreeMap<&'a [String], BTreeSet<&'a [String]>>,
) -> BTreeSet<&'a [String]> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&[String]> = needs[start].iter().copied().collect();
    while let Some(module) = open.pop() {
        if reached.insert(module) {
            open.extend(&needs[module]);
        }
    }
    reached
}

#[test]
fn no_two_files_need_each_other() {
    let sources = sources();
    let house = House::new(&sources);
    let needs: BTreeMap<&[String], BTreeSet<&[String]>> =
        house.files.iter().map(|(module, file)| (*module, house.needs(file))).collect();
    let reached: BTreeMap<&[String], BTreeSet<&[String]>> =
        needs.keys().map(|module| (*module, reached_from(module, &needs))).collect();
    let is_circle =
        |from: &[String], to: &[String]| reached[to].contains(from) && reached[from].contains(to);
    let circles: Vec<String> = needs
        .iter()
        .filter(|(module, _)| is_circle(module, module))
        .map(|(module, needs)| {
            let needs = needs.iter().filter(|needed| is_circle(module, needed));
            let needs = needs.map(|needed| needed.join("::")).collect::<Vec<_>>().join(", ");
            format!("{} needs {needs}", module.join("::"))
        })
        .collect();
    assert!(circles.is_empty(), "circles among files:\n{}", circles.join("\n"));
}

#[test]
fn each_outside_crate_has_one_door() {
    for file in sources() {
        let used = file.names.imports.iter().chain(&file.names.exports).map(|(_, path)| path);
        for path in used.chain(&file.names.paths) {
            let Some(first) = path.first() else { continue };
            let doors: Vec<&str> = DOORS
                .iter()
                .filter(|(outside, _)| outside == first)
                .map(|(_, door)| *door)
                .collect();
            // A path of one segment is a name of our own.
            let is_ours = path.len() == 1 || file.names.children.contains(first);
            let is_door = doors.iter().any(|door| match door.strip_suffix('/') {
                Some(_) => file.name.starts_with(door),
                None => file.name == *door,
            });
            assert!(
                doors.is_empty() || is_ours || is_door,
                "src/{} names {first}, whose door is src/{}",
                file.name,
                doors.join(" or src/")
            );
        }
    }
}

/// rustfmt fits code into this width; comments it leaves as they are.
const COMMENT_WIDTH: usize = 100;

#[test]
fn comments_fit_the_width_of_the_code() {
    let (mut files, mut wide) = (Vec::new(), Vec::new());
    rust_files(&root(), &mut files);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let is_comment = line.trim_start().starts_with("//");
            let width = line.chars().count();
            if is_comment && width > COMMENT_WIDTH {
                wide.push(format!("{}:{number}: a comment of {width} columns", file.display()));
            }
        }
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

#[test]
fn the_check_sees_what_it_should() {
    let file = |module: &str, text: &str| SourceFile {
        name: format!("{module}.rs"),
        module: module.split("::").map(str::to_owned).collect(),
        names: read_names(text),
    };
    let sources = [
        file("room", "mod one; mod two; pub use one::One; pub use two::*; fn f(_: two::Two) {}"),
        file("room::one", "use super::{Two, other::{self, Thing as T}}; fn f() { other::g(); }"),
        file("room::two", "pub struct Two; fn f() { assert!(super::One == crate::door::open()); }"),
        file("room::other", "#[cfg(test)] mod tests { use super::super::one::One; } use std::fmt;"),
        file("door", "use room::x; impl std::fmt::Debug for eco::room::One {}"),
    ];
    let house = House::new(&sources);
    let needs = |index: usize| {
        let needs = house.needs(&sources[index]);
        needs.iter().map(|module| module.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(needs(0), ["room::two"]);
    assert_eq!(needs(1), ["room::other", "room::two"]);
    assert_eq!(needs(2), ["door", "room::one"]);
    assert!(needs(3).is_empty());
    assert_eq!(needs(4), ["room::one"]);
}
