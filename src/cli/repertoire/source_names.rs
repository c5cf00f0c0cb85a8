//! The names by which files are known again as sources: with as many folders as tell them apart.

use std::{fs, path::Path};

/// The path of a file, from the root, as its parts. Two names of one file have one path.
pub(super) fn path_parts(file: &str) -> Vec<String> {
    let path = Path::new(file);
    let whole = fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    let whole = whole.unwrap_or_else(|_| path.to_owned());
    whole.iter().map(|part| part.to_string_lossy().into_owned()).collect()
}

/// The names of the sources that files are, in a repertoire that has the known ones. A file is the
/// known source whose name is the end of its path, the longest such name; where that is several
/// files, or none is known, it is the shortest end of its path that no other file has.
pub(super) fn source_names(files: &[Vec<String>], known: &[&str]) -> Vec<String> {
    let of_known = |file: &Vec<String>| {
        let ends = known.iter().filter(|name| ends_with(file, &parts(name)));
        ends.max_by_key(|name| parts(name).len()).copied()
    };
    let claims: Vec<Option<&str>> = files.iter().map(of_known).collect();
    let is_claimed_once = |name: &str| claims.iter().filter(|c| **c == Some(name)).count() == 1;
    let name = |(file, claim): (&Vec<String>, &Option<&str>)| match claim {
        Some(name) if is_claimed_once(name) => (*name).to_owned(),
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

/// A name that tells a file from another one of its name: with its folder.
pub(super) fn with_folder(file: &[String]) -> String {
    file[file.len().saturating_sub(2)..].join("/")
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
            assert_eq!(source_names(&files, known), names, "{files:?} {known:?}");
        }
    }
}
