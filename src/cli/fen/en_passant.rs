//! `--ep`: the en passant squares that are written.

use clap::ValueEnum;
use eco::chess::EnPassantMode;

/// The en passant squares that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum EnPassant {
    /// Only where a pawn can capture without leaving its king in check
    Legal,
    /// Where an opposing pawn stands beside, pinned or not
    PseudoLegal,
    /// After every double step, as the FEN standard has it
    Always,
}

impl From<EnPassant> for EnPassantMode {
    fn from(choice: EnPassant) -> Self {
        match choice {
            EnPassant::Legal => Self::Legal,
            EnPassant::PseudoLegal => Self::PseudoLegal,
            EnPassant::Always => Self::Always,
        }
    }
}
