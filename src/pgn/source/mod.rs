//! Where PGN comes from: files, folders and standard input, plain or compressed.
//!
//! The compression is detected from the first bytes, not from the name. A damaged stream gives
//! every byte before the damage and then an error, to which [`StreamPosition::broken`] adds the
//! name of the file and the offset. What is not PGN is refused by its first bytes; see `foreign`.
//!
//! Without the feature `codecs`, plain files and standard input are read. Folders, zip archives and
//! compressed files are errors then, which say so.

#[cfg(feature = "codecs")]
mod archive;
pub(in crate::pgn) mod counted;
mod error;
#[cfg(feature = "codecs")]
mod file_name;
mod find;
pub(in crate::pgn) mod foreign;
#[cfg(feature = "codecs")]
pub(in crate::pgn) mod framed_file;
mod input;
mod line_ends;
#[cfg(feature = "codecs")]
pub(in crate::pgn) mod part;
pub(in crate::pgn) mod position;
pub(in crate::pgn) mod read_at;
mod recovering;
pub(in crate::pgn) mod shared_file;
pub(in crate::pgn) mod stream;
mod streams;

pub use error::{SourceError, SourceFault};
pub use find::find_sources;
pub use input::Source;
pub use line_ends::LineEnds;
#[cfg(feature = "codecs")]
pub use part::Part;
pub use position::StreamPosition;
pub use read_at::ReadAt;
pub use stream::Stream;
pub use streams::Streams;
