//! What a file of rows says of itself.

use std::collections::HashMap;

use crate::{catalogue::Catalogue, master::MasterInfo};

/// The metadata of a file: `eco.program`, this program and its version, and, of the catalogues
/// that named openings, `eco.catalogue`, their masters with their versions, and
/// `eco.catalogue_fingerprint`, the SHA-256 of the files that each was read from. Several masters
/// are separated by `"; "`.
#[must_use]
pub fn origin<'c>(catalogues: impl IntoIterator<Item = &'c Catalogue>) -> HashMap<String, String> {
    let masters: Vec<&MasterInfo> = catalogues.into_iter().flat_map(Catalogue::masters).collect();
    let join = |text: fn(&MasterInfo) -> String| {
        let texts: Vec<String> = masters.iter().map(|master| text(master)).collect();
        texts.join("; ")
    };
    let mut metadata = HashMap::from([("eco.program".to_owned(), PROGRAM.to_owned())]);
    if !masters.is_empty() {
        metadata.insert("eco.catalogue".to_owned(), join(ToString::to_string));
        metadata.insert(
            "eco.catalogue_fingerprint".to_owned(),
            join(|master| master.fingerprint.clone()),
        );
    }
    metadata
}

const PROGRAM: &str = concat!("eco ", env!("CARGO_PKG_VERSION"));
