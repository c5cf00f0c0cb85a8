//! What a file of rows says of itself.

use std::collections::HashMap;

use crate::{
    catalogue::Catalogue,
    master::{Master, MasterInfo},
};

/// The metadata of a file: `eco.version`, the version of this program, and, of the catalogue that
/// named the openings, `eco.catalogue`, its masters with their versions, and
/// `eco.catalogue_fingerprint`, the SHA-256 of the files that each was read from. Several masters
/// are separated by `"; "`.
#[must_use]
pub fn origin(catalogue: Option<&Catalogue>) -> HashMap<String, String> {
    let version = ("eco.version", env!("CARGO_PKG_VERSION").to_owned());
    let masters = catalogue.map(Catalogue::masters).into_iter();
    let masters = masters.flat_map(|masters| {
        let names: Vec<String> = masters.iter().map(ToString::to_string).collect();
        let fingerprints: Vec<String> = masters.iter().map(fingerprint).collect();
        [
            ("eco.catalogue", names.join("; ")),
            ("eco.catalogue_fingerprint", fingerprints.join("; ")),
        ]
    });
    [version].into_iter().chain(masters).map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The fingerprint of a master. That of the built-in one is computed only where it is asked for.
fn fingerprint(master: &MasterInfo) -> String {
    if *master == Master::builtin_info() {
        Master::fingerprint(Master::builtin_files())
    } else {
        master.fingerprint.clone()
    }
}
