//! The sources of what `eco repertoire add` reads. Files are named by the ends of their paths, with
//! as few folders as tell them apart. Whether a source is for the side of the repertoire is said by
//! `Orientation` tags of its chapters, or else by their lines.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path};
use std::{fs, sync::Arc};

use clap::ValueEnum;
use eco::repertoire::{
    Book, Chapter, Preparation, PreparationChange, PreparedChapter, PreparedSource,
};
use eco::{chess::Color, output::sanitize, quoted};

use crate::cli::outcome::{Failure, refuse};

/// What becomes of what a source has when it is added again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Renewal {
    /// It is replaced, if the input does not look like a part of a study.
    #[value(skip)]
    Whole,
    /// It stays, and what is new is added after it
    Merge,
    /// The chapters of the input are replaced, the others stay
    Part,
    /// All of it is replaced, whatever the input lacks
    Replace,
}

/// The sources that were read.
pub(super) struct Sources {
    read: Vec<Read>,
    /// The places of the sources.
    places: HashMap<Origin, usize>,
    renewal: Renewal,
    /// The names of chapters that were read more than once.
    pub(super) repeated: Vec<String>,
    /// The lines with null moves, which are kept as comments.
    pub(super) null_lines: usize,
}

/// A source that was read.
struct Read {
    origin: Origin,
    source: PreparedSource,
    /// The places of its chapters by identity.
    places: HashMap<String, usize>,
}

/// What a source is known by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Origin {
    /// The name of a study, or one that was given.
    Name(String),
    /// The path of a file, as its parts.
    File(Vec<String>),
    /// Standard input: what it had before stays.
    Stdin,
}

/// What standard input is called.
const STDIN: &str = "-";

impl Origin {
    fn new(name: Option<&str>, file: &str) -> Self {
        match name {
            Some(name) => Self::Name(name.to_owned()),
            None if file == STDIN => Self::Stdin,
            None => Self::File(path_parts(file)),
        }
    }
}

impl Sources {
    /// No sources yet.
    pub(super) fn new(renewal: Renewal) -> Self {
        let (read, places, repeated) = (Vec::new(), HashMap::new(), Vec::new());
        Self { read, places, renewal, repeated, null_lines: 0 }
    }

    /// Adds a chapter of a file to its source: the one of this name, if there is a name, else its
    /// study, else the file. A chapter with nothing in it is none. Of one that is read again, as
    /// its address says, the last text counts.
    pub(super) fn add(&mut self, name: Option<&str>, file: &str, chapter: Chapter, book: Book) {
        self.null_lines += chapter.null_lines;
        if book.is_blank() {
            return;
        }
        let study = Some(chapter.study.as_str()).filter(|study| !study.is_empty());
        let merges = self.renewal == Renewal::Merge;
        let Read { source, places, .. } = self.source(name.or(study), file);
        let place = source.chapters.len() + 1;
        let has_address = chapter.identity.contains("://") && chapter.identity != chapter.study;
        let Chapter { mut identity, study, name, tags, .. } = chapter;
        let book = Arc::new(book);
        if identity.is_empty() {
            identity = place.to_string();
        }
        let known = places.get(&identity).copied();
        if let Some(known) = known.filter(|_| has_address) {
            let known = &mut source.chapters[known];
            if merges {
                Arc::make_mut(&mut known.book).merge_prepared(&book);
            } else {
                *known = PreparedChapter { identity, study, name: name.clone(), tags, book };
            }
            self.repeated.push(name);
            return;
        }
        // Two chapters of one name are two.
        if known.is_some() {
            identity = format!("{identity} #{place}");
        }
        places.entry(identity.clone()).or_insert(place - 1);
        source.chapters.push(PreparedChapter { identity, study, name, tags, book });
    }

    /// Adds a book as a source with one chapter.
    pub(super) fn add_book(&mut self, name: Option<&str>, file: &str, book: Book) {
        let base = Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file);
        let chapters = PreparedSource::of_book(name.unwrap_or(base), book).chapters;
        self.source(name, file).source.chapters.extend(chapters);
    }

    fn source(&mut self, name: Option<&str>, file: &str) -> &mut Read {
        let origin = Origin::new(name, file);
        let at = *self.places.entry(origin.clone()).or_insert_with(|| {
            let name = name.unwrap_or(file).to_owned();
            let source = PreparedSource { name, chapters: Vec::new() };
            self.read.push(Read { origin, source, places: HashMap::new() });
            self.read.len() - 1
        });
        &mut self.read[at]
    }

    /// Gives the files that were read the names of sources that a preparation has, if they are
    /// those, or new ones.
    pub(super) fn name_files<'r>(&'r mut self, preparation: &Preparation) {
        let known: Vec<&str> = preparation.sources().iter().map(|s| s.name.as_str()).collect();
        let file = |read: &'r mut Read| match &read.origin {
            Origin::File(path) => Some((path, &mut read.source)),
            Origin::Name(_) | Origin::Stdin => None,
        };
        let (paths, sources): (Vec<_>, Vec<_>) = self.read.iter_mut().filter_map(file).unzip();
        let is_same = |index: usize, name: &str| {
            let known = preparation.source(name);
            known.is_some_and(|known| has_most(kept_moves(known, sources[index])))
        };
        let names = source_names(&paths, &known, is_same);
        sources.into_iter().zip(names).for_each(|(source, name)| source.name = name);
    }

    /// Whether nothing was read.
    pub(super) fn are_blank(&self) -> bool {
        self.read.is_empty()
    }

    /// The number of chapters.
    pub(super) fn chapters(&self) -> usize {
        self.read.iter().map(|read| read.source.chapters.len()).sum()
    }

    /// What says that a source is for the other side than this one; `None` if nothing does.
    pub(super) fn contradiction(&self, side: Color) -> Option<String> {
        self.read.iter().find_map(|read| contradiction(&read.source, side))
    }

    /// The names of the sources.
    pub(super) fn names(&self) -> Vec<&str> {
        self.read.iter().map(|read| read.source.name.as_str()).collect()
    }

    /// The number of moves, each once.
    pub(super) fn moves(&self) -> usize {
        let sources = self.read.iter().map(|read| read.source.clone()).collect();
        Preparation::new(sources).to_book(Color::White).prepared_moves()
    }

    /// The names of those of which a preparation has something already.
    pub(super) fn known(&self, preparation: &Preparation) -> Vec<String> {
        let names = self.read.iter().map(|read| read.source.name.clone());
        names.filter(|name| preparation.source(name).is_some()).collect()
    }

    /// Puts the sources into a preparation.
    ///
    /// # Errors
    ///
    /// If chapters of a study would go, and the input looks like a part of it; or if a file has
    /// little of what came from one of its name.
    pub(super) fn write(self, preparation: &mut Preparation) -> Result<(), Failure> {
        for Read { source, origin, .. } in self.read {
            match self.renewal {
                _ if origin == Origin::Stdin => preparation.merge(source),
                Renewal::Merge => preparation.merge(source),
                Renewal::Part => preparation.replace_chapters(source),
                Renewal::Replace => preparation.replace(source),
                Renewal::Whole => {
                    check_whole(preparation, &source)?;
                    if let Origin::File(path) = &origin {
                        check_same(preparation, &source, path)?;
                    }
                    preparation.replace(source);
                }
            }
        }
        Ok(())
    }
}

/// The tag that says which side a chapter is seen from.
const TAG: &str = "Orientation";

/// The side that a chapter is for, as its tags say.
fn side_of(chapter: &PreparedChapter) -> Option<Color> {
    let value = chapter.tags.iter().find(|(name, _)| name == TAG).map(|(_, value)| value.trim())?;
    let is_named = |side: &Color| value.eq_ignore_ascii_case(&side.to_string());
    [Color::White, Color::Black].into_iter().find(is_named)
}

/// What says that a source is for the other side than this one; `None` if nothing does.
fn contradiction(source: &PreparedSource, side: Color) -> Option<String> {
    let chapters = source.chapters.len();
    let (other, name) = (!side, sanitize(source.name.as_bytes()).into_owned());
    let is_for = |wanted: Option<Color>| move |c: &&PreparedChapter| side_of(c) == wanted;
    let turned = source.chapters.iter().filter(is_for(Some(other))).count();
    let reason = if turned > 0 {
        let of = quoted::counted(chapters, "chapter");
        format!("[{TAG} \"{other}\"] in {turned} of {of}")
    } else {
        let silent = source.chapters.iter().filter(is_for(None)).cloned().collect();
        let source = PreparedSource { name: String::new(), chapters: silent };
        let book = Preparation::new(vec![source]).to_book(side);
        if book.owner() != Some(other) {
            return None;
        }
        let [own, of_other] = [side, other].map(|side| book.choices(side));
        let positions = quoted::counted(own, "position");
        format!("{side} has several moves in {positions}, {other} in {of_other}")
    };
    Some(format!("{name} seems to be for {other}: {reason}"))
}

/// The most chapters that a message names.
const MAX_NAMED: usize = 5;

/// Refuses to take chapters of a study away, unless the input has both chapters that are known and
/// new ones: a site gives single chapters of a study as well, and those say nothing of the others.
fn check_whole(preparation: &Preparation, source: &PreparedSource) -> Result<(), Failure> {
    let Some(known) = preparation.source(&source.name) else {
        return Ok(());
    };
    let [before, after] = [known, source].map(|source| {
        source.chapters.iter().map(|chapter| &chapter.identity).collect::<HashSet<_>>()
    });
    let is_gone = |chapter: &&PreparedChapter| !after.contains(&chapter.identity);
    let gone: Vec<&PreparedChapter> =
        known.chapters.iter().filter(is_gone).filter(|c| !c.study.is_empty()).collect();
    let kept = source.chapters.iter().filter(|c| before.contains(&c.identity)).count();
    if gone.is_empty() || (0 < kept && kept < source.chapters.len()) {
        return Ok(());
    }
    let mut names: Vec<String> = gone.iter().take(MAX_NAMED).map(|c| c.name.clone()).collect();
    if gone.len() > MAX_NAMED {
        names.push(format!("and {} more", gone.len() - MAX_NAMED));
    }
    let name = sanitize(source.name.as_bytes());
    let them = if gone.len() == 1 { "it" } else { "them" };
    refuse(format!(
        "{name}: the input lacks chapters that the repertoire has from there: {}; nothing was \
         written: --existing part keeps {them} and replaces only the chapters of the input, replace \
         removes {them}, merge removes nothing",
        names.join(", ")
    ))
}

/// The number of the moves of a source that another has too, and of all of them.
fn kept_moves(known: &PreparedSource, source: &PreparedSource) -> (usize, usize) {
    let [before, after] = [known, source].map(|source| Preparation::new(vec![source.clone()]));
    // The side does not matter for what is prepared.
    let books = [&before, &after].map(|all| all.to_book(Color::White));
    let change = PreparationChange::between(&before, &after, books.each_ref());
    let all = books[0].prepared_moves();
    (all - change.moves_gone, all)
}

/// Whether a source has at least half of the moves of another.
fn has_most((kept, all): (usize, usize)) -> bool {
    2 * kept >= all
}

/// Refuses to replace what came from a file by one that has less than half of its moves: it may be
/// another file of that name.
fn check_same(
    preparation: &Preparation,
    source: &PreparedSource,
    path: &[String],
) -> Result<(), Failure> {
    let Some(known) = preparation.source(&source.name) else {
        return Ok(());
    };
    let (kept, all) = kept_moves(known, source);
    if has_most((kept, all)) {
        return Ok(());
    }
    let names: Vec<&str> = preparation.sources().iter().map(|s| s.name.as_str()).collect();
    let other = new_name(path, &names);
    let [name, other] = [&source.name, &other].map(|name| sanitize(name.as_bytes()));
    refuse(format!(
        "{name}: the file has {kept} of the {all} moves that the repertoire has from a file of this \
         name; nothing was written: --existing replace removes the others, merge removes nothing, \
         --source '{other}' makes it another source"
    ))
}

/// The path of a file, from the root, as its parts. A link keeps its own name, whatever it leads
/// to; folders are those that links lead to.
fn path_parts(file: &str) -> Vec<String> {
    let path = Path::new(file);
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = absolute.parent().and_then(|folder| fs::canonicalize(folder).ok());
    let whole = match (folder, absolute.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => absolute,
    };
    let parts = whole.components().filter(|part| *part != Component::RootDir);
    parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
}

/// The names of the sources that files are, in a repertoire that has the known ones. A file may be
/// a known source whose name is the end of its path. It is the longest such name of which it has
/// the lines, as `is_same` says of the file of this index, or else the longest. Where that is
/// several files, it is the one that has the lines. Any other file is the shortest end of its path
/// that no other file has.
fn source_names(
    files: &[&Vec<String>],
    known: &[&str],
    is_same: impl Fn(usize, &str) -> bool,
) -> Vec<String> {
    let known: HashSet<&str> = known.iter().copied().collect();
    let claim = |(index, file): (usize, &&Vec<String>)| {
        let known: Vec<String> =
            ends(file).rev().filter(|end| known.contains(end.as_str())).collect();
        let same = known.iter().find(|name| is_same(index, name));
        same.map(|name| (name.clone(), true)).or_else(|| Some((known.first()?.clone(), false)))
    };
    let claims: Vec<Option<(String, bool)>> = files.iter().enumerate().map(claim).collect();
    let claimed = counted(claims.iter().flatten().map(|(name, _)| name.clone()));
    let with_lines = claims.iter().flatten().filter(|(_, has_lines)| *has_lines);
    let with_lines = counted(with_lines.map(|(name, _)| name.clone()));
    let all_ends = counted(files.iter().flat_map(|file| ends(file)));
    let name = |(file, claim): (&&Vec<String>, Option<(String, bool)>)| match claim {
        Some((name, has_lines)) if claimed[&name] == 1 || (has_lines && with_lines[&name] == 1) => {
            name
        }
        _ => ends(file).find(|end| all_ends[end] == 1).unwrap_or_else(|| file.join("/")),
    };
    files.iter().zip(claims).map(name).collect()
}

/// The ends of a path, the shortest first.
fn ends(file: &[String]) -> impl DoubleEndedIterator<Item = String> {
    (0..file.len()).rev().map(|first| file[first..].join("/"))
}

/// How often each text occurs.
fn counted(texts: impl Iterator<Item = String>) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    texts.for_each(|text| *counts.entry(text).or_default() += 1);
    counts
}

/// A name for a file that no known source has: the end of its path, with as few folders as that
/// takes.
fn new_name(file: &[String], known: &[&str]) -> String {
    let mut new = ends(file).skip(1).filter(|end| !known.contains(&end.as_str()));
    new.next().unwrap_or_else(|| format!("/{}", file.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_the_end_of_its_path() {
        for (files, known, names) in [
            (&["/a/s.pgn"][..], &[][..], &["s.pgn"][..]),
            (&["/a/s.pgn"], &["s.pgn", "t.pgn"], &["s.pgn"]),
            (&["/x/s.pgn"], &["a/s.pgn"], &["s.pgn"]),
            (&["/x/a/s.pgn"], &["a/s.pgn", "s.pgn"], &["a/s.pgn"]),
            (&["/xa/s.pgn"], &["a/s.pgn"], &["s.pgn"]),
            (&["/a/s.pgn", "/b/s.pgn"], &[], &["a/s.pgn", "b/s.pgn"]),
            (&["/a/s.pgn", "/b/s.pgn"], &["s.pgn"], &["a/s.pgn", "b/s.pgn"]),
            (&["/a/s.pgn", "/b/s.pgn"], &["a/s.pgn", "b/s.pgn"], &["a/s.pgn", "b/s.pgn"]),
            (&["/a/s.pgn", "/b/s.pgn"], &["s.pgn", "a/s.pgn"], &["a/s.pgn", "s.pgn"]),
            (&["/s.pgn"], &[], &["s.pgn"]),
        ] {
            let split = |path: &&str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
            let files: Vec<Vec<String>> = files.iter().map(split).collect();
            let files: Vec<&Vec<String>> = files.iter().collect();
            assert_eq!(source_names(&files, known, |_, _| true), names, "{files:?} {known:?}");
        }
    }

    #[test]
    fn the_lines_decide_between_files_and_between_names() {
        let files = ["x/a/s.pgn", "x/b/s.pgn"]
            .map(|path| path.split('/').map(str::to_owned).collect::<Vec<_>>());
        let files = files.each_ref();
        let is_first = |index: usize, _: &str| index == 0;
        assert_eq!(source_names(&files, &["s.pgn"], is_first), ["s.pgn", "b/s.pgn"]);
        let known = ["s.pgn", "a/s.pgn"];
        let has_short = |_: usize, name: &str| name == "s.pgn";
        assert_eq!(source_names(&files[..1], &known, has_short), ["s.pgn"]);
        assert_eq!(source_names(&files[..1], &known, |_, _| false), ["a/s.pgn"]);
    }

    #[test]
    fn a_new_name_is_that_of_no_source() {
        let file = ["x", "a", "s.pgn"].map(str::to_owned);
        for (known, name) in [
            (&["s.pgn"][..], "a/s.pgn"),
            (&["s.pgn", "a/s.pgn"], "x/a/s.pgn"),
            (&["s.pgn", "a/s.pgn", "x/a/s.pgn"], "/x/a/s.pgn"),
        ] {
            assert_eq!(new_name(&file, known), name, "{known:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_keeps_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("v1.pgn"), folder.path().join("current.pgn"));
        fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(path_parts(link.to_str().unwrap()).last().unwrap(), "current.pgn");
    }
}
