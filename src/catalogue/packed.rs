//! The tables of `data/names`, which `build.rs` packs: most runs need none of them.

use std::sync::OnceLock;

use miniz_oxide::inflate::decompress_to_vec;

/// A text that is unpacked when it is first read.
pub(super) struct PackedText {
    packed: &'static [u8],
    text: OnceLock<String>,
}

impl PackedText {
    pub(super) const fn new(packed: &'static [u8]) -> Self {
        Self { packed, text: OnceLock::new() }
    }

    pub(super) fn get(&'static self) -> &'static str {
        self.text.get_or_init(|| {
            let bytes = decompress_to_vec(self.packed).expect("the build packed it");
            String::from_utf8(bytes).expect("a table is text")
        })
    }
}

/// A table of `data/names` by its file.
macro_rules! packed {
    ($file:literal) => {
        crate::catalogue::packed::PackedText::new(include_bytes!(concat!(
            env!("OUT_DIR"),
            "/",
            $file
        )))
    };
}

pub(super) use packed;
