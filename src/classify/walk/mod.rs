//! A game followed through the catalogue, move by move.
//!
//! [`step`] holds the whole meaning. [`fast`] plays the moves that are written as programs write
//! them, several at a time, and gives up at the first other one. [`play`] tries both.

mod fast;
mod step;

use fast::FastMoves;

use super::verdict::GameError;
use crate::pgn::CountedLine;
use crate::simd::{self, Kernel, Simd};
pub(crate) use step::FollowedWalk;
pub(super) use step::{Extent, State, Walk};

/// Plays a main line until the walk ends. What is taken from the line and counted are moves that
/// were played, nearly all of them.
///
/// # Errors
///
/// If the main line cannot be played or read that far.
pub(super) fn play(walk: &mut Walk<'_>, line: &mut CountedLine<'_>) -> Result<(), GameError> {
    simd::run(Play { walk, line })
}

/// [`play`] as a kernel.
struct Play<'p, 'c, 'g> {
    walk: &'p mut Walk<'c>,
    line: &'p mut CountedLine<'g>,
}

impl Kernel for Play<'_, '_, '_> {
    type Output = Result<(), GameError>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let Self { walk, line } = self;
        if walk.visit_start().is_break() {
            return Ok(());
        }
        let mut fast = FastMoves::new();
        loop {
            if let Some(()) = fast.play(simd, walk, line) {
                return Ok(());
            }
            let mut rest = line.rest.clone();
            let ply = walk.ply;
            let played = walk.play_next(&mut rest);
            if walk.ply > ply {
                line.pass(1, rest);
            }
            if played?.is_break() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests;
