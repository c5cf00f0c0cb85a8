//! Repertoires learned by heart: spaced repetition of the positions where it is the own turn.
//!
//! A position is one [`Card`], however many lines lead to it. Its answer is right if the book has
//! the move there, or if it leads to another position of the book. FSRS ([`Scheduler`]) decides
//! from the answers when a card is due again.
//!
//! A [`Session`] chooses what is asked: first the positions where the games of the repertoire left
//! what is prepared, then what is due, then what is new, the positions that games meet most often
//! first. It takes a move and the time, and returns a [`Review`] for each answer.
//! [`store`](crate::store) keeps those.
//!
//! Nothing here knows files, terminals or clocks.

mod card;
mod deck;
mod encounters;
mod progress;
mod session;

pub use card::{Card, Memory, Moment, Rating, Review, Scheduler};
pub use deck::{Deck, KnownMistake, Lesson, PlayedThere, Standing};
pub use progress::{CardProgress, Progress};
pub use session::SessionOptions;
pub use session::{Answer, AnswerKind, Mode, Question, Reason, Session, SessionCounts};

#[cfg(test)]
mod tests;
