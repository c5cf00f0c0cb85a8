//! A catalogue as bytes, from which it is there at once: nothing is read as text, played or hashed.
//!
//! All numbers are little-endian, and nothing is aligned. First comes what the compiler turns into
//! tables for the built-in catalogue, so these functions are `const`:
//!
//! ```text
//! header     MAGIC, then as u32: nodes, keys, positions, bytes of texts, the last ply and the
//!            fewest pieces of games that are looked at
//! nodes      14 bytes each, breadth first: the move as packed (8), the number of children (2),
//!            twice the naming line plus one, and one more if a line ends there (4)
//! keys       34 bytes each: of the nodes, as what differs from the key of the parent, then of
//!            positions that no line leads to
//! positions  8 bytes each: the index of the key; the line, less the index of the position
//! texts      UTF-8
//! details    masters, names of files, duplicates, lines: a number, and that many
//! checksum   8 bytes
//! ```
//!
//! A code is its characters, padded with zeros; zeros alone are no code. A text is two numbers: its
//! length, and where it begins, counted from the end of the text before it. Lines and positions,
//! too, are counted from those that are expected. So most of it is zeros, and little is left when
//! it is compressed. What follows from all this (hashes, the first child and the parent of a node,
//! the counts of a board) is computed.

use std::sync::Arc;

use super::index::{Duplicate, Line, NamedPosition};
use super::table::{self, KeyTable};
use super::tree::{Node, NodeId, NodeName, TOO_MANY, TreeEdge};
use crate::chess::{PackedSan, PositionKey};
use crate::master::{Alias, LineLocation, MasterInfo};
use crate::opening::{EcoCode, Opening};

/// What the bytes begin with. The last two are the [version](VERSION) of the format.
pub(super) const MAGIC: [u8; 8] = *b"ECOcat01";

/// The version of the format. Bytes of another version are made anew from what they were made of.
pub(crate) const VERSION: u8 = 10 * (MAGIC[6] - b'0') + (MAGIC[7] - b'0');

/// The number of bytes of the header.
const HEADER: usize = MAGIC.len() + 6 * size_of::<u32>();

/// The number of bytes of the checksum.
pub(super) const CHECKSUM: usize = size_of::<u64>();

/// The parts of such bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Image<'b> {
    pub(super) nodes: &'b [[u8; 14]],
    keys: &'b [[u8; 34]],
    pub(super) positions: &'b [[u8; 8]],
    pub(super) texts: &'b [u8],
    pub(super) details: &'b [u8],
    pub(super) max_ply: usize,
    pub(super) min_pieces: usize,
}

const fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

const fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u32_at(bytes, at) as u64 | (u32_at(bytes, at + 4) as u64) << 32
}

/// The first `len` records of `N` bytes, and what follows.
const fn records<const N: usize>(bytes: &[u8], len: u32) -> Option<(&[[u8; N]], &[u8])> {
    match bytes.split_at_checked(len as usize * N) {
        Some((records, rest)) => Some((records.as_chunks().0, rest)),
        None => None,
    }
}

impl<'b> Image<'b> {
    /// What stands for bytes of another version until they are made anew.
    #[cfg(not(target_family = "wasm"))]
    pub(super) const EMPTY: Self = Self {
        nodes: &[],
        keys: &[],
        positions: &[],
        texts: &[],
        details: &[],
        max_ply: 0,
        min_pieces: 0,
    };

    /// Takes bytes apart. The checksum is not looked at.
    pub(super) const fn split(bytes: &'b [u8]) -> Option<Self> {
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else { return None };
        if u64_at(header, 0) != u64::from_le_bytes(MAGIC) {
            return None;
        }
        let Some((nodes, rest)) = records(rest, u32_at(header, 8)) else { return None };
        let Some((keys, rest)) = records(rest, u32_at(header, 12)) else { return None };
        let Some((positions, rest)) = records(rest, u32_at(header, 16)) else { return None };
        let texts = u32_at(header, 20) as usize;
        let Some((texts, rest)) = rest.split_at_checked(texts) else { return None };
        let Some((details, _)) = rest.split_last_chunk::<CHECKSUM>() else { return None };
        let (max_ply, min_pieces) = (u32_at(header, 24) as usize, u32_at(header, 28) as usize);
        Some(Self { nodes, keys, positions, texts, details, max_ply, min_pieces })
    }

    /// The key with this index, which is stored as what differs from another.
    const fn key(&self, index: usize, other: &PositionKey) -> PositionKey {
        let (key, [p0, p1, p2, p3, state]) = (&self.keys[index], other.to_words());
        PositionKey::from_words([
            p0 ^ u64_at(key, 0),
            p1 ^ u64_at(key, 8),
            p2 ^ u64_at(key, 16),
            p3 ^ u64_at(key, 24),
            state ^ u16::from_le_bytes([key[32], key[33]]) as u64,
        ])
    }

    /// Fills the tables of the tree, one entry for each node and one more edge. `None` if the nodes
    /// are no tree.
    pub(super) const fn fill_tree(
        &self,
        edges: &mut [TreeEdge],
        sans: &mut [PackedSan],
        nodes: &mut [Node],
    ) -> Option<()> {
        let node_count = self.nodes.len();
        if self.keys.len() < node_count || node_count >= TOO_MANY {
            return None;
        }
        // Breadth first: the children of a node come after those of the node before it.
        let (mut at, mut first_child) = (0, 1);
        let (mut ply, mut next_ply) = (0, 1);
        while at < node_count {
            if at == next_ply {
                (ply, next_ply) = (ply + 1, first_child);
            }
            let node = &self.nodes[at];
            // The board of the root is still empty, and it is its own parent.
            let number = nodes[at].parent;
            let parent = nodes[number.index()];
            let key = &self.key(at, &parent.key);
            let child_count = u16::from_le_bytes([node[8], node[9]]);
            let name = NodeName(u32_at(node, 10));
            sans[at] = PackedSan::from_bits(u64_at(node, 0));
            edges[at] = TreeEdge::new(sans[at], first_child);
            nodes[at] = match at {
                0 => Node::root(name, key),
                _ => Node::child((number, parent), ply, name, key),
            };
            let next = first_child + child_count as usize;
            if next > node_count {
                return None;
            }
            while first_child < next {
                if first_child <= at {
                    return None;
                }
                nodes[first_child].parent = NodeId::from_u32(at as u32);
                first_child += 1;
            }
            at += 1;
        }
        edges[node_count] = TreeEdge::end(node_count);
        if first_child == node_count { Some(()) } else { None }
    }

    /// Fills the table of positions, one entry for each. `None` if there is no such key.
    pub(super) const fn fill_positions(
        &self,
        nodes: &[Node],
        positions: &mut [NamedPosition],
    ) -> Option<()> {
        let mut at = 0;
        while at < self.positions.len() {
            let position = &self.positions[at];
            let (key, line) = (u32_at(position, 0) as usize, u32_at(position, 4));
            let key = if key < nodes.len() {
                nodes[key].key
            } else if key < self.keys.len() {
                self.key(key, &PositionKey::from_words([0; 5]))
            } else {
                return None;
            };
            positions[at] = NamedPosition { key, line: line.wrapping_add(at as u32) as usize };
            at += 1;
        }
        Some(())
    }
}

/// Fills the tables that find positions.
pub(super) const fn fill_key_table(
    positions: &[NamedPosition],
    slots: &mut [u32],
    prefilter: &mut [u64],
) {
    let mut at = 0;
    while at < positions.len() {
        table::take_slot(slots, positions[at].key.hash64(), at as u32 + 1);
        table::mark(prefilter, &positions[at].key);
        at += 1;
    }
}

/// The table that finds these positions, made while the program runs.
pub(super) fn key_table(positions: &[NamedPosition]) -> KeyTable {
    let mut slots = vec![0; table::slots_for(positions.len())];
    let mut prefilter = table::NO_BITS.to_vec();
    fill_key_table(positions, &mut slots, &mut prefilter);
    KeyTable { hash: PositionKey::hash64, slots: slots.into(), prefilter: prefilter.into() }
}

/// What is seldom asked for: masters, duplicates and lines.
type Details = (Vec<MasterInfo>, Vec<Duplicate>, Vec<Line>);

/// Reads details. `open` makes an opening of a code and a part of `texts`.
pub(super) fn read_details<'t>(
    bytes: &[u8],
    texts: &'t str,
    open: impl Fn(Option<EcoCode>, &'t str) -> Opening,
) -> Option<Details> {
    let mut reader = Reader { rest: bytes, texts, expected: Expected::default() };
    let masters = reader.list(Reader::master)?;
    let files = reader.list(|reader| reader.text().map(Arc::from))?;
    let duplicates =
        reader.list(|reader| Some(Duplicate { line: reader.index()?, first: reader.index()? }))?;
    let lines = reader.list(|reader| reader.line(&files, &open))?;
    reader.rest.is_empty().then_some((masters, duplicates, lines))
}

/// What is likely to come next; what comes is stored as its distance from it.
#[derive(Default)]
pub(super) struct Expected {
    pub(super) text: u32,
    pub(super) line: u32,
    pub(super) position: u32,
}

/// The code of these bytes, or that there is none; `None` if they are no code.
fn code(padded: [u8; EcoCode::MAX_LEN]) -> Option<Option<EcoCode>> {
    match padded {
        EcoCode::NO_CODE => Some(None),
        padded => EcoCode::from_padded(padded).map(Some),
    }
}

/// Reads details. `None` is the end of the bytes, or what is no text, or no code.
struct Reader<'d, 't> {
    rest: &'d [u8],
    texts: &'t str,
    expected: Expected,
}

impl<'t> Reader<'_, 't> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*taken)
    }

    fn number(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn index(&mut self) -> Option<usize> {
        self.number().map(|number| number as usize)
    }

    /// A number, and that many.
    fn list<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let len = self.index()?;
        self.items(len, read)
    }

    fn items<T>(&mut self, len: usize, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        if len == 0 {
            return Some(Vec::new());
        }
        // None takes fewer than eight bytes, so damage does not ask for all memory.
        let mut list = Vec::with_capacity(len.min(self.rest.len() / 8));
        for _ in 0..len {
            list.push(read(self)?);
        }
        Some(list)
    }

    fn text(&mut self) -> Option<&'t str> {
        let (distance, len) = (self.number()?, self.number()?);
        self.text_at(distance, len)
    }

    fn text_at(&mut self, distance: u32, len: u32) -> Option<&'t str> {
        let start = self.expected.text.wrapping_add(distance);
        let end = start.checked_add(len)?;
        self.expected.text = end;
        self.texts.get(start as usize..end as usize)
    }

    fn master(&mut self) -> Option<MasterInfo> {
        Some(MasterInfo {
            name: self.text()?.to_owned(),
            version: self.text()?.to_owned(),
            date: self.text()?.to_owned(),
            fingerprint: self.text()?.to_owned(),
        })
    }

    fn line(
        &mut self,
        files: &[Arc<str>],
        open: impl Fn(Option<EcoCode>, &'t str) -> Opening,
    ) -> Option<Line> {
        // All at once: to ask for each number whether it is there takes twice as long.
        let record: [u8; 40] = self.take()?;
        let number = |at| u32_at(&record, at);
        let file = Arc::clone(files.get(number(4) as usize)?);
        let line = self.expected.line.wrapping_add(number(8));
        self.expected.line = line.wrapping_add(1);
        let eco = code(u64_at(&record, 12).to_le_bytes())?;
        let name = self.text_at(number(20), number(24))?;
        let position = self.expected.position.wrapping_add(number(28));
        self.expected.position = position.wrapping_add(1);
        Some(Line {
            master: number(0) as usize,
            location: LineLocation { file, line },
            opening: open(eco, name),
            position: position as usize,
            end: number(32).checked_sub(1).map(NodeId::from_u32),
            aliases: match number(36) {
                0 => Box::default(),
                count => self.items(count as usize, Self::alias)?.into(),
            },
        })
    }

    fn alias(&mut self) -> Option<Alias> {
        let source = self.text()?.to_owned();
        let eco = code(self.take()?)?;
        Some(Alias { source, eco, name: self.text()?.to_owned() })
    }
}
