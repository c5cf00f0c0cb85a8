//! The master that is part of this program: lichess's, with its origin in `data/openings/`.

use super::{Master, MasterFile, MasterInfo, lichess_tsv, reading::Collector};

const BUILTIN: [MasterFile<'_>; 5] = [
    MasterFile { name: "a.tsv", bytes: include_bytes!("../../data/openings/a.tsv") },
    MasterFile { name: "b.tsv", bytes: include_bytes!("../../data/openings/b.tsv") },
    MasterFile { name: "c.tsv", bytes: include_bytes!("../../data/openings/c.tsv") },
    MasterFile { name: "d.tsv", bytes: include_bytes!("../../data/openings/d.tsv") },
    MasterFile { name: "e.tsv", bytes: include_bytes!("../../data/openings/e.tsv") },
];

/// The version of the built-in master, which is a day. The data folder gives it.
const BUILTIN_VERSION: &str = "2026-09-11";

/// Its [fingerprint](Master::fingerprint): to compute it takes longer than to classify a small
/// file.
const BUILTIN_FINGERPRINT: &str =
    "9bead1d246893e01b7be2dbbee4fc207ae177b04c509dcedbfec054aecce7cfa";

impl Master {
    /// The built-in master, read from its files. The built-in catalogue is made of the same lines,
    /// and is there without reading any.
    #[must_use]
    pub fn builtin() -> Self {
        let mut collector = Collector::new(Self::builtin_info());
        for file in &BUILTIN {
            collector.begin_file(file.name);
            lichess_tsv::read(file.bytes, &mut collector);
        }
        let mut reading = collector.finish();
        debug_assert_eq!(reading.faults, [], "the built-in master has faults");
        reading.masters.swap_remove(0)
    }

    /// The files of the built-in master.
    #[must_use]
    pub fn builtin_files() -> &'static [MasterFile<'static>] {
        &BUILTIN
    }

    /// The number of lines of the built-in master.
    #[cfg(test)]
    pub(crate) const BUILTIN_LINES: usize = 3810;

    /// What is known of the built-in master.
    pub(crate) fn builtin_info() -> MasterInfo {
        MasterInfo {
            name: "lichess".to_owned(),
            version: BUILTIN_VERSION.to_owned(),
            date: BUILTIN_VERSION.to_owned(),
            fingerprint: BUILTIN_FINGERPRINT.to_owned(),
        }
    }
}
