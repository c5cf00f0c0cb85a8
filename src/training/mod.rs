//! Repertoires learned by heart: spaced repetition of the positions where it is the own turn.
//!
//! A position is one [`Card`], however many lines lead to it. Its answer is right if the book has
//! the move there, or if it leads to another position of the book. FSRS ([`Scheduler`]) decides
//! from the answers when a card is due again.
//!
//! A [`Deck`] has the positions of a book, or some of them: a scope. A [`Session`] chooses what is
//! asked of one or several: first the positions where the games of the repertoire left what is
//! prepared, then what is due, then what is new, the positions that games meet most often first. It
//! takes a move and the time, and returns a [`Review`] for each answer. [`store`](crate::store)
//! keeps those.
//!
//! Nothing here knows files, terminals or clocks.

mod card;
mod choice;
mod deck;
mod encounters;
mod progress;
mod session;

pub use card::{Card, Memory, Moment, Pause, Rating, Review, Scheduler};
pub use choice::{Mode, Reason, SessionCounts, SessionOptions};
pub use deck::{Deck, KnownMistake, Lesson, PlayedThere, Standing, Today};
pub use progress::{Outlook, Progress, TrainedPosition};
pub use session::{Answer, AnswerKind, Question, Session, SessionScore};

#[cfg(test)]
mod tests;
