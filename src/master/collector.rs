//! Collects the openings and faults that the formats find.

use std::sync::Arc;

use super::{
    fault::{LineFault, LineReason},
    line::{Alias, LineLocation, Master, MasterInfo, MasterLine},
    text::clean,
};
use crate::{chess::PositionKey, opening::EcoCode};

/// What files of openings hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The masters: one, unless the files name the master of each opening.
    pub masters: Vec<Master>,
    /// What could not be read.
    pub faults: Vec<LineFault>,
}

/// Collects what is read, file after file.
pub(super) struct Collector {
    file: Arc<str>,
    /// The first is the one that openings belong to unless they name another.
    masters: Vec<Master>,
    faults: Vec<LineFault>,
}

impl Collector {
    pub(super) fn new(info: MasterInfo) -> Self {
        let masters = vec![Master { info, lines: Vec::new() }];
        Self { file: Arc::from(""), masters, faults: Vec::new() }
    }

    pub(super) fn begin_file(&mut self, name: &str) {
        self.file = Arc::from(name);
    }

    fn location(&self, line: u32) -> LineLocation {
        LineLocation { file: Arc::clone(&self.file), line }
    }

    /// Adds the opening at `line`, or what is wrong with it.
    pub(super) fn add(&mut self, line: u32, entry: Result<Entry, LineReason>) {
        let location = self.location(line);
        match entry {
            Ok(entry) => self.masters[0].lines.push(entry.at(location)),
            Err(reason) => self.faults.push(LineFault::new(location, reason)),
        }
    }

    /// Adds the opening at `line` to the master that it names.
    pub(super) fn add_to(&mut self, info: MasterInfo, line: u32, entry: Entry) {
        let location = self.location(line);
        let known = self.masters[1..].iter().position(|master| master.info == info);
        let index = known.map_or(self.masters.len(), |index| index + 1);
        if index == self.masters.len() {
            self.masters.push(Master { info, lines: Vec::new() });
        }
        self.masters[index].lines.push(entry.at(location));
    }

    pub(super) fn finish(mut self) -> Reading {
        if self.masters.len() > 1 && self.masters[0].lines.is_empty() {
            self.masters.remove(0);
        }
        Reading { masters: self.masters, faults: self.faults }
    }
}

/// An opening as it is read, without its location.
pub(super) struct Entry {
    eco: Option<EcoCode>,
    name: String,
    movetext: Option<String>,
    key: Option<PositionKey>,
    aliases: Vec<Alias>,
}

impl Entry {
    /// An opening of this name, and of this code unless it is empty.
    pub(super) fn new(eco: &str, name: &str) -> Result<Self, LineReason> {
        let (eco, name) = (EcoCode::from_text(eco)?, clean(name));
        // The PGN standard's mark for an unknown value names nothing.
        if matches!(&*name, "" | "?") {
            return Err(LineReason::NoName);
        }
        Ok(Self { eco, name, movetext: None, key: None, aliases: Vec::new() })
    }

    pub(super) fn with_moves(self, movetext: impl Into<String>) -> Self {
        Self { movetext: Some(movetext.into()), ..self }
    }

    pub(super) fn with_key(self, key: PositionKey) -> Self {
        Self { key: Some(key), ..self }
    }

    pub(super) fn with_aliases(self, aliases: Vec<Alias>) -> Self {
        Self { aliases, ..self }
    }

    fn at(self, location: LineLocation) -> MasterLine {
        let Self { eco, name, movetext, key, aliases } = self;
        MasterLine { location, eco, name, movetext, key, aliases }
    }
}
