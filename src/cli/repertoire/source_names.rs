//! The names of files as sources: the ends of their paths, with as few folders as tell them apart.

use std::{
    cmp::Reverse,
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
    let of_known = |(index, file): (usize, &Vec<String>)| {
        let mut ends: Vec<&str> =
            known.iter().copied().filter(|name| ends_with(file, &parts(name))).collect();
        ends.sort_by_key(|name| Reverse(parts(name).len()));
        let same = ends.iter().find(|name| is_same(index, name));
        same.map(|name| (*name, true)).or_else(|| Some((*ends.first()?, false)))
    };
    let claims: Vec<Option<(&str, bool)>> = files.iter().enumerate().map(of_known).collect();
    let is_only = |name: &str, has_lines: bool| {
        let others = || claims.iter().flatten().filter(|claim| claim.0 == name);
        others().count() == 1 || (has_lines && others().filter(|claim| claim.1).count() == 1)
    };
    let name = |(file, claim): (&Vec<String>, &Option<(&str, bool)>)| match claim {
        Some((name, has_lines)) if is_only(name, *has_lines) => (*name).to_owned(),
        _ => own_name(file, files),
    };
    files.iter().zip(&claims).map(name).collect()
}

/// A name as parts of a path.
fn parts(name: &str) -> Vec<&str> {
    name.split('/').collect()
}

fn ends_with(path: &[String], end: &[&str]) -> bool {
    path.len() >= end.len() && path[path.len() - end.len()..].iter().eq(end.iter().copied())
}

/// The shortest end of a path that no other one has.
fn own_name(file: &[String], files: &[Vec<String>]) -> String {
    let end = |length: usize| file[file.len() - length..].to_vec();
    let is_own = |length: &usize| {
        let end = end(*length);
        files.iter().filter(|other| other.ends_with(&end)).count() == 1
    };
    let length = (1..=file.len()).find(is_own).unwrap_or(file.len());
    end(length).join("/")
}

/// A name for a file that no known source has: the end of its path, with as few folders as that
/// takes.
pub(super) fn new_name(file: &[String], known: &[&str]) -> String {
    let ends = (2..=file.len()).map(|length| file[file.len() - length..].join("/"));
    let mut new = ends.filter(|end| !known.contains(&end.as_str()));
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
