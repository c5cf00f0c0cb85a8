//! Making a catalogue from masters: positions by key, and the tree of lines.

use hashbrown::HashMap;

use super::image::key_table;
use super::index::{Catalogue, Duplicate, Line, NamedPosition, OnDemand, RULE_PIECES, RULE_PLIES};
use super::tree::{LineTree, Node, NodeId, NodeName, TreeEdge};
use crate::chess::{Board, Language, MoveNumber, PackedSan, PositionKey};
use crate::master::{LineError, LineFault, LineReason, Master, MasterInfo, MasterLine};
use crate::opening::Opening;
use crate::pgn::{MainLine, Token};

impl Catalogue {
    /// A catalogue of these masters; earlier ones decide before later ones. Lines that cannot be
    /// replayed are left out, and their faults returned.
    pub fn from_masters(masters: impl IntoIterator<Item = Master>) -> (Self, Vec<LineFault>) {
        let (mut builder, mut faults) = (CatalogueBuilder::default(), Vec::new());
        for Master { info, lines } in masters {
            builder.masters.push(info);
            builder.add_lines(lines, &mut faults);
        }
        (builder.finish(), faults)
    }
}

/// A catalogue to which masters are still added.
#[derive(Default)]
struct CatalogueBuilder {
    masters: Vec<MasterInfo>,
    lines: Vec<Line>,
    positions: Vec<NamedPosition>,
    /// For each position, the first line to it of the master that named it last.
    latest: Vec<usize>,
    duplicates: Vec<Duplicate>,
    by_key: HashMap<PositionKey, usize>,
    tree: TreeBuilder,
}

impl CatalogueBuilder {
    /// Adds lines to the last master.
    fn add_lines(&mut self, lines: Vec<MasterLine>, faults: &mut Vec<LineFault>) {
        for line in lines {
            match self.replay(&line) {
                Ok((key, end)) => self.add_line(line, key, end),
                Err(reason) => faults.push(LineFault { location: line.location, reason }),
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
        let position = *self.by_key.entry(key).or_insert_with(|| {
            self.positions.push(NamedPosition { key, line });
            self.positions.len() - 1
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
        }
        let opening = Opening::new(eco, name);
        self.lines.push(Line { master, location, opening, position, aliases: aliases.into(), end });
    }

    fn finish(self) -> Catalogue {
        let Self { masters, mut lines, positions, duplicates, by_key, tree, .. } = self;
        let plies = lines.iter().filter_map(|line| line.end).map(|end| tree.node(end).ply);
        let max_ply = plies.fold(RULE_PLIES, usize::max);
        let pieces = positions.iter().map(|position| position.key.piece_count());
        let min_pieces = pieces.fold(RULE_PIECES, usize::min);
        let followed = lines_by_end(&lines, &positions, tree.nodes.len());
        let (tree, new_ids) = tree.finish(|node, board| {
            let position = *by_key.get(&board.key())?;
            Some(followed[node.index()].unwrap_or(positions[position].line))
        });
        for end in lines.iter_mut().filter_map(|line| line.end.as_mut()) {
            *end = new_ids[end.index()];
        }
        Catalogue {
            masters,
            lines: lines.into(),
            language: Language::English,
            table: key_table(&positions),
            positions: positions.into(),
            duplicates,
            tree,
            max_ply,
            min_pieces,
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

/// The tree while lines are added.
struct TreeBuilder {
    nodes: Vec<BuilderNode>,
}

struct BuilderNode {
    /// The move that leads here.
    san: PackedSan,
    board: Board,
    parent: NodeId,
    ply: usize,
    children: Vec<NodeId>,
    /// How many lines go through here.
    lines: u32,
    ends_line: bool,
}

impl BuilderNode {
    fn new(san: PackedSan, board: Board, parent: NodeId, ply: usize) -> Self {
        Self { san, board, parent, ply, children: Vec::new(), lines: 0, ends_line: false }
    }
}

impl Default for TreeBuilder {
    fn default() -> Self {
        let root = BuilderNode::new(PackedSan::NONE, Board::default(), NodeId::ROOT, 0);
        Self { nodes: vec![root] }
    }
}

impl TreeBuilder {
    fn node(&self, id: NodeId) -> &BuilderNode {
        &self.nodes[id.index()]
    }

    /// The nodes that moves lead to from here, the last that was added first.
    fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.node(id).children.iter().rev().copied()
    }

    fn board(&self, id: NodeId) -> &Board {
        &self.node(id).board
    }

    /// Plays the moves of `movetext` and returns the node where they end. They become a line of the
    /// tree by [`add`](Self::add).
    fn play(&mut self, movetext: &str) -> Result<NodeId, LineError> {
        let mut at = NodeId::ROOT;
        for token in MainLine::from_movetext(movetext.as_bytes()) {
            match token {
                Token::Move(written) => at = self.step(at, written)?,
                Token::Result(_) => break,
                Token::OpenComment | Token::OpenVariation => return Err(LineError::Open),
            }
        }
        if at == NodeId::ROOT { Err(LineError::Empty) } else { Ok(at) }
    }

    /// Makes the moves that lead to `end` a line.
    fn add(&mut self, end: NodeId) {
        self.nodes[end.index()].ends_line = true;
        let mut at = end;
        while at != NodeId::ROOT {
            self.nodes[at.index()].lines += 1;
            at = self.node(at).parent;
        }
    }

    fn step(&mut self, at: NodeId, written: &[u8]) -> Result<NodeId, LineError> {
        let san = PackedSan::new(written);
        let known = self.children(at).find(|child| self.node(*child).san == san);
        if let Some(child) = known.filter(|_| san != PackedSan::NONE) {
            return Ok(child);
        }
        let mut board = *self.board(at);
        let ply = self.node(at).ply;
        let number = MoveNumber::after(ply);
        board.play(written).map_err(|fault| LineError::bad_move(number, written, fault))?;
        // The same move in another spelling.
        if let Some(child) = self.children(at).find(|child| *self.board(*child) == board) {
            return Ok(child);
        }
        let id = NodeId::new(self.nodes.len());
        self.nodes[at.index()].children.push(id);
        self.nodes.push(BuilderNode::new(san, board, at, ply + 1));
        Ok(id)
    }

    /// The finished tree, and for each node of the builder its id in the tree. `name_of` returns
    /// the line, if any, that names the board at a node.
    fn finish(self, name_of: impl Fn(NodeId, &Board) -> Option<usize>) -> (LineTree, Vec<NodeId>) {
        let room = self.nodes.len();
        let (mut edges, mut sans) = (Vec::with_capacity(room + 1), Vec::with_capacity(room));
        let mut nodes = Vec::<Node>::with_capacity(room);
        let mut new_ids = vec![NodeId::ROOT; room];
        let mut order = Vec::with_capacity(room);
        order.push(NodeId::ROOT);
        let mut at = 0;
        // Breadth first, so that the children of a node lie side by side.
        while let Some(id) = order.get(at).copied() {
            // Moves of lines that were left out lead to no line.
            let leads_to_line = |child: &NodeId| self.node(*child).lines > 0;
            let mut children: Vec<NodeId> = self.children(id).filter(leads_to_line).collect();
            children.sort_by_key(|child| std::cmp::Reverse(self.node(*child).lines));
            let node = self.node(id);
            new_ids[id.index()] = NodeId::new(at);
            let name = name_of(id, &node.board).map_or(0, |line| line as u32 + 1);
            edges.push(TreeEdge::new(node.san, order.len()));
            sans.push(node.san);
            let name = NodeName(name << 1 | u32::from(node.ends_line));
            let (parent, key) = (new_ids[node.parent.index()], &node.board.key());
            nodes.push(match nodes.get(parent.index()) {
                Some(above) => Node::child((parent, *above), node.ply as u32, name, key),
                None => Node::root(name, key),
            });
            order.extend(children);
            at += 1;
        }
        edges.push(TreeEdge::end(nodes.len()));
        let tree = LineTree { edges: edges.into(), sans: sans.into(), nodes: nodes.into() };
        (tree, new_ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_leads_where_it_does_alone_whatever_was_played_before() {
        let lines = [
            "",
            "1. e4",
            "1. e4 e5 2. Nf3 Nc6",
            "1. e4 e5 2. Nf3 Nc6 3. Bb5",
            "1. e4 e5 2. Nf3 Nc6 3. Bc4",
            "1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5",
            "1. e4 e5 2. Nf3 Nc6 (2... d6 3. c3) 3. Bc4",
            "1. e4 e5 2. Nf3 {not 2... d6 } Nc6",
            "1. e4 e5 2. Nf3 {not 2... d6 3. d4} d6",
            "1. e4 e5 2. Nf3 {not 2... d6 ",
            "1. e4 e5 2. Nf3 (2. d4 exd4 ",
            "1. e4 e5! 2. Nf3 d6",
            "1. e4 e5 2. Nf6 d6",
            "1. e4 e5 2. Nf3 * 3. d4",
            "1. e4 e5 2. Nf3 * 3. Bb5",
        ];
        let played = |builder: &mut TreeBuilder, line: &str| {
            builder.play(line).map(|end| (*builder.board(end), builder.node(end).ply))
        };
        let mut one_after_another = TreeBuilder::default();
        for before in lines {
            for line in lines {
                let alone = played(&mut TreeBuilder::default(), line);
                let _ = one_after_another.play(before);
                assert_eq!(
                    played(&mut one_after_another, line),
                    alone,
                    "{line:?} after {before:?}"
                );
            }
        }
    }
}
