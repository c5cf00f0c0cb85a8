//! The names of files as sources: the ends of their paths, with as few folders as tell them apart.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Component, Path},
};

/// The path of a file, from the root, as its parts. A link keeps its own name, whatever it leads
/// to; folders are those that links lead to.
pub(super) fn path_parts(file: &str) -> Vec<String> {
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
pub(super) fn source_names(
    files: &[Vec<String>],
    known: &[&str],
    is_same: impl Fn(usize, &str) -> bool,
) -> Vec<String> {
    let known: HashSet<&str> = known.iter().copied().collect();
    let claim = |(index, file): (usize, &Vec<String>)| {
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
    let name = |(file, claim): (&Vec<String>, Option<(String, bool)>)| match claim {
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
pub(super) fn new_name(file: &[String], known: &[&str]) -> String {
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
            assert_eq!(source_names(&files, known, |_, _| true), names, "{files:?} {known:?}");
        }
    }

    #[test]
    fn the_lines_decide_between_files_and_between_names() {
        let files = ["x/a/s.pgn", "x/b/s.pgn"]
            .map(|path| path.split('/').map(str::to_owned).collect::<Vec<_>>());
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
