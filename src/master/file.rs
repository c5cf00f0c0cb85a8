//! A file that holds openings, and the fingerprint of such files.

use sha2::{Digest, Sha256};

use super::line::Master;

/// A file that holds openings.
#[derive(Debug, Clone, Copy)]
pub struct MasterFile<'a> {
    /// Its name in messages.
    pub name: &'a str,
    /// All of its bytes.
    pub bytes: &'a [u8],
}

impl Master {
    /// SHA-256 of the bytes of all files, one after the other, in hexadecimal.
    #[must_use]
    pub fn fingerprint(files: &[MasterFile<'_>]) -> String {
        let mut hash = Sha256::new();
        files.iter().for_each(|file| hash.update(file.bytes));
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
