//! How games are tagged.

use super::ExtendedTag;

/// Which games are changed, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Every game with an opening gets its tags.
    #[default]
    All,
    /// Only games whose tags contradict nothing: absent tags are added, a tag that has a value
    /// stays.
    Missing,
    /// Only games whose tags contradict the opening.
    Changed,
    /// Every game loses its managed tags. No game is classified.
    Strip,
}

/// How a name is spread over tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Names {
    /// The whole name in `Opening`, as lichess does.
    #[default]
    Full,
    /// Family, variation and subvariation in separate tags, as in the PGN standard.
    Split,
}

/// What happens to the managed tags of a game that has no opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unknown {
    /// They stay.
    #[default]
    Keep,
    /// They are removed.
    Clear,
}

/// How games are tagged.
#[derive(Debug, Clone, Default)]
pub struct TagOptions {
    /// Which games are changed, and how.
    pub policy: Policy,
    /// How a name is spread over tags.
    pub names: Names,
    /// What happens to the managed tags of a game that has no opening.
    pub unknown: Unknown,
    /// The tag for codes that are longer than three characters.
    pub extended: Option<ExtendedTag>,
    /// Whether games also get their name by move order.
    pub with_move_order: bool,
    /// Whether games get the name of the master that named them, in `ECOSource`.
    pub with_mark: bool,
}
