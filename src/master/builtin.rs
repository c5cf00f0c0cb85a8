//! The master that is part of this program: lichess's, with its origin in `data/openings/`.

use super::{
    collector::Collector,
    file::MasterFile,
    lichess_tsv,
    line::{Master, MasterInfo, MasterLine},
};

const BUILTIN: [MasterFile<'_>; 5] = [
    MasterFile { name: "a.tsv", bytes: include_bytes!("../../data/openings/a.tsv") },
    MasterFile { name: "b.tsv", bytes: include_bytes!("../../data/openings/b.tsv") },
    MasterFile { name: "c.tsv", bytes: include_bytes!("../../data/openings/c.tsv") },
    MasterFile { name: "d.tsv", bytes: include_bytes!("../../data/openings/d.tsv") },
    MasterFile { name: "e.tsv", bytes: include_bytes!("../../data/openings/e.tsv") },
];

/// The version of the built-in master, which is a day. The data folder gives it.
const BUILTIN_VERSION: &str = "2026-09-11";

impl Master {
    /// The built-in master, without its fingerprint: to compute that takes longer than to read the
    /// master. [`builtin_with_fingerprint`](Self::builtin_with_fingerprint) computes it.
    #[must_use]
    pub fn builtin() -> Self {
        let lines = Self::builtin_lines().flatten().collect();
        Self { info: Self::builtin_info(), lines }
    }

    /// The built-in master with its fingerprint.
    #[must_use]
    pub fn builtin_with_fingerprint() -> Self {
        let mut master = Self::builtin();
        master.info.fingerprint = Self::fingerprint(&BUILTIN);
        master
    }

    /// The files of the built-in master.
    #[must_use]
    pub fn builtin_files() -> &'static [MasterFile<'static>] {
        &BUILTIN
    }

    /// The number of lines of the built-in master.
    pub(crate) const BUILTIN_LINES: usize = 3810;

    /// What is known of the built-in master, without its fingerprint.
    pub(crate) fn builtin_info() -> MasterInfo {
        MasterInfo {
            name: "lichess".to_owned(),
            version: BUILTIN_VERSION.to_owned(),
            date: BUILTIN_VERSION.to_owned(),
            fingerprint: String::new(),
        }
    }

    /// The lines of the built-in master, file by file, for those who need each line only once.
    pub(crate) fn builtin_lines() -> impl Iterator<Item = Vec<MasterLine>> {
        BUILTIN.iter().map(|file| {
            let mut collector = Collector::new(MasterInfo::default());
            collector.begin_file(file.name);
            lichess_tsv::read(file.bytes, &mut collector);
            let mut reading = collector.finish();
            debug_assert_eq!(reading.faults, [], "the built-in master has faults");
            reading.masters.swap_remove(0).lines
        })
    }
}
