//! ECO masters: files of openings with the lines that define them.
//!
//! A master is read into [`MasterLine`]s. The moves are not played here; the catalogue does that.
//! What cannot be read is collected as [`LineFault`]s with file and line, and the rest is read.
//!
//! Each format has a file here, which reads and writes it. [`MasterFormat`] lists the formats,
//! detects them and chooses between them: a new format is a new file and a new variant.

mod builtin;
mod collector;
mod fault;
mod file;
mod format;
mod line;
mod read;
mod text;

mod eco_json;
mod eco_pgn;
mod ecomast;
mod epd_list;
mod lichess_tsv;
mod scid;

pub use collector::Reading;
pub use fault::{LineError, LineFault, LineReason};
pub use file::MasterFile;
pub use format::{MasterFormat, UnknownFormat};
pub use line::{Alias, LineLocation, Master, MasterInfo, MasterLine};
#[cfg(feature = "sqlite")]
pub(crate) use text::clean;
#[cfg(any(test, feature = "sqlite", target_family = "wasm"))]
pub(crate) use text::has_control;

#[cfg(test)]
mod tests;
