//! `eco filter`: the selected games, byte for byte.
//!
//! Each file imports only from those to its left:
//!
//! ```text
//! args · file_names · joint · kept · split │ run
//! ```

mod args;
mod file_names;
mod joint;
mod kept;
mod run;
mod split;

pub(super) use self::{args::FilterArgs, run::run};
