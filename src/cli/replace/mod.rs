//! Files that replace others only when they are complete, and never one that is read. What may be
//! written over is decided in the library; what is changed in place is of the program.
//!
//! Each file imports only from those to its left:
//!
//! ```text
//! original · replacement
//! ```

mod original;
mod replacement;

pub(super) use eco::replace::{Inputs, destination, identity, is_database, stdout_identity};

pub(super) use self::{
    original::{Original, Refusal},
    replacement::{Replacement, cannot_write},
};
