//! The formats that books are read from and written to.

mod epd;
mod json;
mod pgn_export;
mod pgn_import;
mod polyglot;

pub use epd::{EpdLineFault, EpdLineReason, EpdReading, read_epd, write_epd};
pub use json::{JsonBookError, read_json, write_json};
pub use pgn_export::{ChapterLimits, PgnLayout, TooManyChapters};
pub use pgn_import::{Chapter, ChapterFault, ChapterFaultKind};
pub use polyglot::{PolyglotBook, PolyglotError, PolyglotReading, to_polyglot};
