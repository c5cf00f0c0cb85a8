//! What a report is about.

/// What a report is about. Texts may be from files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Topic {
    /// The title of the page.
    pub title: String,
    /// The names of the files with the games; `-` is standard input.
    pub sources: Vec<String>,
    /// How the games were selected, a condition each; none for all games.
    pub selection: Vec<String>,
    /// The number of games of the files, selected or not.
    pub games_read: u64,
}

impl Topic {
    /// The file with the games, if there is one alone.
    pub(super) fn only_source(&self) -> Option<&str> {
        match &self.sources[..] {
            [source] => Some(source),
            _ => None,
        }
    }
}
