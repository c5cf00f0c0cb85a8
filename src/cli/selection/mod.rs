//! Which games a command is about: one set of flags, and what becomes of them.
//!
//! Each file imports only from those to its left:
//!
//! ```text
//! args · selected │ kept
//! ```

mod args;
mod kept;
mod selected;

pub(super) use self::{
    args::{ConditionArgs, SelectionArgs},
    kept::{check_kept_openings, check_kept_people, check_named_people},
    selected::{Read, SelectedGames},
};
