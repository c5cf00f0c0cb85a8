//! Reading files of openings as a master.

use super::{
    collector::{Collector, Reading},
    file::MasterFile,
    format::{MasterFormat, UnknownFormat},
    line::{Master, MasterInfo},
};

impl Master {
    /// Reads files of openings as one master, described by `info`; its fingerprint is computed.
    ///
    /// The format of each file is detected from its content unless `format` is given. Files of
    /// [`MasterFormat::Json`] may name the master of each opening, and then give several masters.
    ///
    /// # Errors
    ///
    /// If a file has none of the formats.
    pub fn read(
        info: MasterInfo,
        files: &[MasterFile<'_>],
        format: Option<MasterFormat>,
    ) -> Result<Reading, UnknownFormat> {
        let info = MasterInfo { fingerprint: Self::fingerprint(files), ..info };
        let mut collector = Collector::new(info);
        for file in files {
            let format = format.map_or_else(|| MasterFormat::of(file), Ok)?;
            collector.begin_file(file.name);
            format.read(file.bytes, &mut collector);
        }
        Ok(collector.finish())
    }
}
