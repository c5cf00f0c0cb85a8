//! The summary at the end: counts of games and files.

use eco::tag::Changes;

/// What became of files that are changed in place or have an output of their own.
#[derive(Debug, Default)]
pub(super) struct FileCounts {
    pub(super) changed: u64,
    pub(super) unchanged: u64,
    pub(super) broken: u64,
    pub(super) tagged_before: u64,
}

/// What was done, in one line.
pub(super) fn summary(changes: &Changes, copied: u64, files: &FileCounts) -> String {
    let games = changes.games + copied;
    let mut text = format!("{games} games: {} changed", changes.changed);
    for (count, what) in [
        (changes.correct, "already correct"),
        (changes.no_opening, "without an opening"),
        (copied, "not selected"),
        (changes.excluded, "excluded by --only"),
        (changes.no_tags, "skipped for lack of tags and result"),
        (changes.damaged, "skipped for damaged tags"),
    ] {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    }
    for (count, what) in [
        (files.changed, "changed"),
        (files.unchanged, "with nothing to change"),
        (files.broken, "skipped, not read to the end"),
        (files.tagged_before, "already tagged"),
    ] {
        if count > 0 {
            let noun = if count == 1 { "file" } else { "files" };
            text += &format!("; {count} {noun} {what}");
        }
    }
    text
}
