//! The verdict: the opening of a game.
//!
//! # The rule
//!
//! Play the main line from the start position of the game: the standard one, or that of its FEN
//! tag. The opening is that of the **last** position that the catalogue knows, in any move order.
//! Positions count from the first move on; the start position counts only if a FEN tag sets it. The
//! walk ends
//!
//! * at ply 40, or at the length of the catalogue's longest line if that is more,
//! * at the first position with fewer than 20 pieces, or fewer than any position of the catalogue
//!   has if that is less,
//! * at a null move, an illegal or ambiguous one, or a word that is not a move,
//! * at the end of the main line.
//!
//! Where the master that decides at a position has several lines to it, the line that the game
//! followed gives the name, or else the first.
//!
//! The walk never ends at a position without a name: a third of all games leave the named positions
//! and come back. With lichess's catalogue of the same date this gives the `ECO` and `Opening` that
//! lichess writes.
//!
//! Games of other variants have no opening. `Variant` says so, or, without that tag, `Rules` or an
//! `Event` as lichess writes it, such as `Rated Crazyhouse game`. Errors after the end of the walk
//! are not looked for.
//!
//! # Where the walk ends early
//!
//! A [`Classifier`] stops as soon as no other name can come: at a position that is
//! [decided](crate::catalogue::Catalogue::is_decided), which says why. That changes no verdict but
//! for errors after that point, which are not reported; [`Classifier::exhaustive`] reports them.
//! Master games are decided after 23 plies on average.

mod book;
mod classifier;
mod header;
mod lookup;
mod question;
#[cfg(feature = "oracle")]
pub mod reference;
mod replay;
mod trace;
mod verdict;
mod walk;

pub use book::BookPath;
pub use classifier::{Classified, Classifier, Verification, verify};
pub use header::Header;
pub(crate) use lookup::named_positions;
pub use lookup::{Continuation, Lookup, find_openings, lookup};
pub use question::{Question, QuestionFault};
pub use replay::{Replay, Step, Variations, replay_all};
pub use trace::{PlayedMove, Trace};
pub use verdict::{GameError, NamedAt, Verdict};
pub(crate) use walk::FollowedWalk;

#[cfg(test)]
mod tests;
