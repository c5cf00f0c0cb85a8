//! Making a catalogue from masters.

use super::{
    index::{Catalogue, OnDemand, RULE_PIECES, RULE_PLIES},
    line::{Duplicate, Line, NamedPosition},
    table::KeyTable,
    tree::NodeId,
    tree_builder::TreeBuilder,
};
use crate::{
    chess::PositionKey,
    master::{LineError, LineFault, LineReason, Master, MasterInfo, MasterLine},
    opening::Opening,
};

impl Catalogue {
    /// A catalogue of these masters; earlier ones decide before later ones. Lines that cannot be
    /// replayed are left out, and their faults returned.
    pub fn from_masters(masters: impl IntoIterator<Item = Master>) -> (Self, Vec<LineFault>) {
        let (mut builder, mut faults) = (CatalogueBuilder::new(), Vec::new());
        for Master { info, lines } in masters {
            builder.begin(info, lines.len());
            builder.add_lines(lines, &mut faults);
        }
        (builder.finish(), faults)
    }
}

/// A catalogue to which masters are still added.
struct CatalogueBuilder {
    masters: Vec<MasterInfo>,
    lines: Vec<Line>,
    positions: Vec<NamedPosition>,
    /// For each position, the first line to it of the master that named it last.
    latest: Vec<usize>,
    duplicates: Vec<Duplicate>,
    table: KeyTable,
    tree: TreeBuilder,
    max_ply: usize,
    min_pieces: usize,
}

impl CatalogueBuilder {
    fn new() -> Self {
        Self {
            masters: Vec::new(),
            lines: Vec::new(),
            positions: Vec::new(),
            latest: Vec::new(),
            duplicates: Vec::new(),
            table: KeyTable::new(PositionKey::hash64),
            tree: TreeBuilder::new(),
            max_ply: RULE_PLIES,
            min_pieces: RULE_PIECES,
        }
    }

    /// Begins another master, with room for this number of lines.
    fn begin(&mut self, info: MasterInfo, lines: usize) {
        self.masters.push(info);
        self.tree.reserve(lines);
        self.lines.reserve(lines);
        self.positions.reserve(lines);
        self.latest.reserve(lines);
        let positions = &self.positions;
        self.table.reserve(lines, |index| &positions[index].key);
    }

    /// Adds lines to the last master.
    fn add_lines(&mut self, lines: Vec<MasterLine>, faults: &mut Vec<LineFault>) {
        for line in lines {
            match self.replay(&line) {
                Ok((key, end)) => self.add_line(line, key, end),
                Err(reason) => faults.push(LineFault::new(line.location, reason)),
            }
        }
    }

    /// The position that a line names, and the node of the tree where it ends.
    fn replay(&mut self, line: &MasterLine) -> Result<(PositionKey, Option<NodeId>), LineReason> {
        let end = line.movetext.as_ref().map(|moves| self.tree.play(moves)).transpose()?;
        let led = end.map(|end| self.tree.board(end).key());
        match (led, line.key) {
            (Some(led), Some(said)) if led != said => Err(LineReason::LeadsElsewhere { led, said }),
            (Some(key), _) | (None, Some(key)) => Ok((key, end)),
            (None, None) => Err(LineError::Empty.into()),
        }
    }

    fn add_line(
        &mut self,
        MasterLine { location, eco, name, aliases, .. }: MasterLine,
        key: PositionKey,
        end: Option<NodeId>,
    ) {
        let (line, master) = (self.lines.len(), self.masters.len() - 1);
        let positions = &self.positions;
        let known = self.table.find(&key, |index| &positions[index].key);
        let position = known.unwrap_or_else(|| {
            self.positions.push(NamedPosition { key, line });
            let positions = &self.positions;
            self.table.insert(positions.len() - 1, |index| &positions[index].key);
            positions.len() - 1
        });
        match self.latest.get_mut(position) {
            None => self.latest.push(line),
            Some(latest) if self.lines[*latest].master == master => {
                self.duplicates.push(Duplicate { line, first: *latest });
            }
            Some(latest) => *latest = line,
        }
        if let Some(end) = end {
            self.tree.add(end);
            self.max_ply = self.max_ply.max(self.tree.ply(end));
        }
        self.min_pieces = self.min_pieces.min(key.piece_count());
        let opening = Opening::new(eco, name);
        self.lines.push(Line { master, location, opening, position, aliases, end });
    }

    fn finish(self) -> Catalogue {
        let Self { masters, mut lines, positions, duplicates, table, tree, .. } = self;
        let followed = lines_by_end(&lines, &positions, tree.len());
        let (tree, new_ids) = tree.finish(|node, board| {
            let position = table.find(&board.key(), |index| &positions[index].key)?;
            Some(followed[node.index()].unwrap_or(positions[position].line))
        });
        for end in lines.iter_mut().filter_map(|line| line.end.as_mut()) {
            *end = new_ids[end.index()];
        }
        Catalogue {
            masters,
            lines: lines.into(),
            positions: positions.into(),
            duplicates,
            table,
            tree,
            max_ply: self.max_ply,
            min_pieces: self.min_pieces,
            on_demand: OnDemand::default(),
        }
    }
}

/// For each node of the tree, the first line that ends there, of the master that decides there.
fn lines_by_end(lines: &[Line], positions: &[NamedPosition], nodes: usize) -> Vec<Option<usize>> {
    let mut followed = vec![None; nodes];
    for (index, line) in lines.iter().enumerate() {
        let decides = lines[positions[line.position].line].master == line.master;
        if let Some(end) = line.end.filter(|_| decides) {
            followed[end.index()].get_or_insert(index);
        }
    }
    followed
}
