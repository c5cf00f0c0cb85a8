//! Where games begin: the rule of [`crate::pgn`], as a state machine that can stop at any byte and
//! go on with more bytes.
//!
//! It looks at nothing but tags, the starts and ends of lines, braces and semicolons, so it runs at
//! nearly the speed of `memchr`. Its result does not depend on how the bytes were cut. The tests
//! hold it against a plain version that sees everything at once.

mod lines;
#[cfg(feature = "codecs")]
mod resume;
mod speculative;
mod splitter;
mod starts;

#[cfg(feature = "codecs")]
pub(super) use self::resume::{RESUME_WINDOW, Resume, find_resume};
pub(super) use self::{
    lines::More, speculative::SpeculativeSplit, splitter::Splitter, starts::Starts,
};

#[cfg(test)]
mod tests;
