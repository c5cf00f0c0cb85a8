//! The files that `build.rs` packs: most runs need none of them.

use std::sync::OnceLock;

use miniz_oxide::inflate::decompress_to_vec;

/// A file that is unpacked when it is first read.
pub(crate) struct Packed {
    packed: &'static [u8],
    bytes: OnceLock<Vec<u8>>,
}

impl Packed {
    pub(crate) const fn new(packed: &'static [u8]) -> Self {
        Self { packed, bytes: OnceLock::new() }
    }

    pub(crate) fn bytes(&'static self) -> &'static [u8] {
        self.bytes.get_or_init(|| decompress_to_vec(self.packed).expect("the build packed it"))
    }

    pub(crate) fn text(&'static self) -> &'static str {
        str::from_utf8(self.bytes()).expect("it is read as text only where it is")
    }
}

/// A packed file by its name.
macro_rules! packed {
    ($file:literal) => {
        crate::packed::Packed::new(include_bytes!(concat!(env!("OUT_DIR"), "/", $file)))
    };
}

pub(crate) use packed;
