//! Outputs under a name: files that replace others only when they are complete, and never one that
//! is read, nor a database.
//!
//! Each file imports only from those to its left:
//!
//! ```text
//! paths · gate · replacement
//! ```

mod gate;
mod paths;
mod replacement;

pub use self::{
    gate::{Inputs, Refused, is_database},
    paths::{FileId, destination, identity, stdin_identity, stdout_identity},
    replacement::{ReplaceError, Replacement},
};
