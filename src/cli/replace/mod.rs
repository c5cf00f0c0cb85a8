//! Files that replace others only when they are complete, and never one that is read.
//!
//! Each file imports only from those to its left:
//!
//! ```text
//! paths · gate · original · replacement
//! ```

mod gate;
mod original;
mod paths;
mod replacement;

pub(super) use self::{
    gate::{Inputs, is_database},
    original::{Original, Refusal},
    paths::{destination, identity, stdout_identity},
    replacement::{Replacement, cannot_write},
};
