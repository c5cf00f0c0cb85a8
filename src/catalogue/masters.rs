//! A catalogue as masters.

use super::{index::Catalogue, line::Line};
use crate::master::{Master, MasterInfo, MasterLine};

impl Catalogue {
    /// The masters of the catalogue: their lines with their moves in standard notation, and with
    /// keys.
    #[must_use]
    pub fn to_masters(&self) -> Vec<Master> {
        let mut masters: Vec<Master> = self.masters.iter().map(Master::without_lines).collect();
        for line in self.lines() {
            masters[line.master].lines.push(self.to_master_line(line));
        }
        masters
    }

    /// One master of the lines that decide: of each position, the lines of the master that decides
    /// there. It gives games the same names, but not always the same transpositions: other lines of
    /// other masters to a position are lost.
    #[must_use]
    pub fn to_one_master(&self, info: &MasterInfo) -> Master {
        let decides =
            |line: &&Line| self.lines()[self.positions[line.position].line].master == line.master;
        let lines = self.lines().iter().filter(decides).map(|line| self.to_master_line(line));
        Master { info: info.clone(), lines: lines.collect() }
    }

    fn to_master_line(&self, line: &Line) -> MasterLine {
        MasterLine {
            location: line.location.clone(),
            eco: line.opening.eco().copied(),
            name: line.opening.name().to_owned(),
            movetext: self.movetext(line),
            key: Some(self.positions[line.position].key),
            aliases: line.aliases.clone(),
        }
    }
}
