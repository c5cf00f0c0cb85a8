//! Tables and indexes of a new SQLite file, made of rows that are sorted already.
//!
//! SQLite adds rows one by one: it decodes a statement's values, searches the tree, and writes a
//! page when its cache wants room. Rows in the order of their keys need none of that. Here their
//! records are packed into pages one after the other, and each page is written once.
//!
//! What is written is documented at <https://sqlite.org/fileformat2.html>, and is the same for
//! all versions of SQLite. Only a file that nobody else can have open yet, in tables that are
//! empty, is written like this: there is no journal, and no lock.

mod page_file;
mod record;
mod tree;

pub(in crate::store) use page_file::PageFile;
pub(in crate::store) use record::{Record, Records};
pub(in crate::store) use tree::{Tree, TreeKind};

#[cfg(test)]
mod tests;
