//! A repertoire as a table of contents: `tree`.

mod line;
mod outline;
mod text;

pub use line::ContentsLine;
pub use outline::{ContentsOptions, ContentsOrder, ContentsRow, contents, whole_contents};
pub use text::{contents_text, contents_text_within};

#[cfg(test)]
mod tests;
