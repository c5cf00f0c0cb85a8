//! `eco tag`: writes the opening into the tags of games.
//!
//! Each file imports only from those to its left:
//!
//! ```text
//! args · targets · report · writer · stream · counts │ run
//! ```

mod args;
mod counts;
mod report;
mod run;
mod stream;
mod targets;
mod writer;

pub(super) use self::{args::TagArgs, run::run};
