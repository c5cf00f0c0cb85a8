//! Whose games are counted.

/// Whether chosen players are counted, or an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// An archive from White's side.
    Archive,
    /// Chosen players.
    Players,
}
