//! Which games a command is about: one set of flags, and what becomes of them.
//!
//! Each file imports only from those to its left:
//!
//! ```text
//! args · people │ selected
//! ```

mod args;
mod people;
mod selected;

pub(super) use self::{
    args::{ConditionArgs, SelectionArgs},
    selected::{Read, SelectedGames},
};
