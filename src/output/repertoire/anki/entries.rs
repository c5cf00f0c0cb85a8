//! The names of the entries of a package.

/// The collection, in the format that every version of Anki since 2.0 reads.
pub(super) const COLLECTION: &str = "collection.anki2";

/// Which entry is which picture, as JSON.
pub(super) const MEDIA: &str = "media";
