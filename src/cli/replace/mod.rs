//! Files that replace others only when they are complete.
//!
//! Each file imports only from those to its left:
//!
//! ```text
//! paths · original · replacement
//! ```

mod original;
mod paths;
mod replacement;

pub(super) use self::{
    original::{Original, Refusal},
    paths::{destination, identity},
    replacement::Replacement,
};
