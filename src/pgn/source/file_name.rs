//! Which files hold games, by their names.

use std::path::Path;

/// Whether a file in a folder is to be read: PGN, compressed PGN, or a zip archive.
pub(super) fn is_input(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_compressed = [".gz", ".bz2", ".xz", ".zst"]
        .iter()
        .any(|end| name.strip_suffix(end).is_some_and(|plain| plain.ends_with(".pgn")));
    is_compressed || name.ends_with(".pgn") || name.ends_with(".zip")
}

/// Whether an entry of an archive is PGN, and not one of those that macOS adds.
pub(super) fn is_pgn_entry(name: &str) -> bool {
    file_of(name).to_lowercase().ends_with(".pgn") && !is_litter(name)
}

/// Whether an entry of an archive is itself compressed.
pub(super) fn is_compressed_entry(name: &str) -> bool {
    is_input(Path::new(name)) && !is_pgn_entry(name)
}

/// Whether an entry of an archive is one of those that macOS adds.
pub(super) fn is_litter(name: &str) -> bool {
    name.starts_with("__MACOSX/") || file_of(name).starts_with("._")
}

fn file_of(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
