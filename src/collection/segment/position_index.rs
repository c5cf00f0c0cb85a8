//! From positions to games: the building.
//!
//! 1. Games are looked at in the order of their numbers, each from where it leaves the one before.
//!    Every position on the way is a [`Node`]: its hash, and the games that came there by the same
//!    moves.
//! 2. Nodes are sorted by hash. One of a single game whose hash no other has is an entry.
//! 3. Nodes with the same hash are played, to see whether they are the same position. So
//!    an entry with several intervals is right if its first game is, which a query verifies.
//! 4. Entries are written bucket by bucket.
//!
//! Each step is done for parts of the games or of the hashes, which may be done at the same time.

use std::ops::Range;

use super::bucket::{BucketShape, BucketWriter, Interval, Node};
use super::game_moves::SortedMoves;
use crate::chess::{CodedBoard, PositionKey};
use crate::{executor::Executor, lists::Lists};

/// The number of parts that nodes are divided into by their hash, as a power of two.
const PART_BITS: u32 = 6;
const PARTS: usize = 1 << PART_BITS;

/// The number of games that are one piece of work.
const GAMES_A_CHUNK: u32 = 4096;

/// The index of the positions of games: its shape, and its buckets.
pub(super) fn index_positions(
    games: &SortedMoves<'_>,
    positions: Lists<u64>,
    max_ply: usize,
    executor: &impl Executor,
) -> (BucketShape, Vec<Vec<u8>>) {
    let chunks = || -> Vec<Range<u32>> {
        let starts = (0..games.counted).step_by(GAMES_A_CHUNK as usize);
        starts.map(|start| start..(start + GAMES_A_CHUNK).min(games.counted)).collect()
    };
    let nodes = executor.map(chunks(), |chunk| find_nodes(games, &positions, chunk));
    // They take much memory.
    drop(positions);
    let count = nodes.iter().flatten().map(Vec::len).sum();
    let shape = BucketShape::new(count, games.order.len(), max_ply).with_buckets(PART_BITS);

    let parts = executor.map(by_part(nodes), |chunks| sorted(&chunks));
    let doubts = executor.map(parts.iter().collect(), |nodes| find_doubts(nodes));
    let keys = executor.map(chunks(), |chunk| resolve_doubts(games, chunk, &doubts));
    let parts = executor.map(parts.into_iter().enumerate().collect(), |(part, nodes)| {
        let mut keys: Vec<(u32, PositionKey)> =
            keys.iter().flat_map(|chunk| chunk[part].iter().copied()).collect();
        keys.sort_unstable_by_key(|(node, _)| *node);
        write_buckets(&shape, part, &nodes, &keys)
    });
    (shape, parts.into_iter().flatten().collect())
}

/// The nodes of chunks, part by part, so that those of a part can be dropped by themselves.
fn by_part(chunks: Vec<Vec<Vec<Node>>>) -> Vec<Vec<Vec<Node>>> {
    let mut parts: Vec<Vec<Vec<Node>>> = (0..PARTS).map(|_| Vec::new()).collect();
    for chunk in chunks {
        parts.iter_mut().zip(chunk).for_each(|(part, nodes)| part.push(nodes));
    }
    parts
}

fn part_of(hash: u64) -> usize {
    (hash >> (64 - PART_BITS)) as usize
}

/// All nodes of a part, sorted.
///
/// Hashes are spread evenly, so nodes are put into bins by bits of theirs, a few in each, and only
/// those of a bin are compared.
fn sorted(chunks: &[Vec<Node>]) -> Vec<Node> {
    const NODES_A_BIN: usize = 2;
    let count: usize = chunks.iter().map(Vec::len).sum();
    let bits = (count / NODES_A_BIN).max(2).ilog2();
    // The bits after those that all nodes of the part have.
    let bin_of = |node: &Node| (node.hash << PART_BITS >> (64 - bits)) as usize;
    let mut ends = vec![0_u32; 1 << bits];
    chunks.iter().flatten().for_each(|node| ends[bin_of(node)] += 1);
    let mut end = 0;
    for bin in &mut ends {
        // For now where the bin begins; it moves to its end as nodes come in.
        end += std::mem::replace(bin, end);
    }
    let mut nodes = vec![Node::default(); count];
    for node in chunks.iter().flatten() {
        let next = &mut ends[bin_of(node)];
        nodes[*next as usize] = *node;
        *next += 1;
    }
    let mut start = 0;
    for end in ends {
        nodes[start..end as usize].sort_unstable();
        start = end as usize;
    }
    nodes
}

/// The nodes that begin in some of the games, part by part.
fn find_nodes(
    games: &SortedMoves<'_>,
    positions: &Lists<u64>,
    chunk: Range<u32>,
) -> Vec<Vec<Node>> {
    // A game has about thirty positions that are its own.
    let expected = chunk.len() * 32 / PARTS + 16;
    let mut parts: Vec<Vec<Node>> = (0..PARTS).map(|_| Vec::with_capacity(expected)).collect();
    let mut add = |hash: u64, interval: Interval| {
        parts[part_of(hash)].push(Node::new(hash, interval));
    };
    // Nodes that later games may share, with their hashes; the deepest one last.
    let mut open: Vec<(u64, Interval)> = Vec::new();
    for number in chunk.clone() {
        let (shared, after) = (games.shared[number as usize], shared_after(games, number));
        close(&mut open, number, shared, &mut add);
        let hashes = positions.get(games.order[number as usize] as usize);
        // What it shares with the game before is a node of that.
        let first = shared.map_or(0, |shared| usize::from(shared) + 1).min(hashes.len());
        let mut codes = games.codes(number).get(first..).unwrap_or_default().iter().copied();
        for (ply, hash) in (first..).zip(&hashes[first..]) {
            let code = codes.next();
            let interval = Interval { first: number, ply: ply as u16, games: 1, code };
            if after.is_some_and(|after| ply <= usize::from(after)) {
                open.push((*hash, interval));
            } else {
                add(*hash, interval);
            }
        }
    }
    let mut next = chunk.end;
    while !open.is_empty() {
        let shared = if next < games.counted { games.shared[next as usize] } else { None };
        close(&mut open, next, shared, &mut add);
        next += 1;
    }
    parts
}

/// The moves that a game shares with the one after it.
fn shared_after(games: &SortedMoves<'_>, number: u32) -> Option<u16> {
    let next = number + 1;
    (next < games.counted).then(|| games.shared[next as usize]).flatten()
}

/// Ends the nodes that a game does not share with the one before.
fn close(
    open: &mut Vec<(u64, Interval)>,
    number: u32,
    shared: Option<u16>,
    add: &mut impl FnMut(u64, Interval),
) {
    let is_left = |node: &mut (u64, Interval)| shared.is_none_or(|shared| node.1.ply > shared);
    while let Some((hash, mut interval)) = open.pop_if(is_left) {
        interval.games = number - interval.first;
        add(hash, interval);
    }
}

/// The positions of a game; of the next game only those are played that are new.
#[derive(Default)]
struct Line {
    /// The boards by ply, as far as the last game was played.
    boards: Vec<CodedBoard>,
    last: Option<u32>,
}

impl Line {
    /// Plays a game up to a ply, from where it leaves the last one. Games come in order.
    fn advance(&mut self, games: &SortedMoves<'_>, number: u32, max_ply: usize) {
        let codes = games.codes(number);
        let shared = self.last.and_then(|last| {
            let between = &games.shared[last as usize + 1..=number as usize];
            between.iter().copied().try_fold(u16::MAX, |least, shared| Some(least.min(shared?)))
        });
        self.last = Some(number);
        self.boards.truncate(shared.map_or(0, |shared| usize::from(shared) + 1));
        if self.boards.is_empty() {
            self.boards.push(CodedBoard::from(games.start(number)));
        }
        for ply in self.boards.len()..=codes.len().min(max_ply) {
            let mut board = self.boards[ply - 1];
            // All were played when the game was read.
            if board.play_code(codes[ply - 1]).is_none() {
                break;
            }
            self.boards.push(board);
        }
    }
}

/// A node that has the same hash as others: its first game and ply, and its index in its part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Doubt {
    game: u32,
    ply: u16,
    part: u8,
    node: u32,
}

/// The nodes with one hash.
fn groups(nodes: &[Node]) -> impl Iterator<Item = &[Node]> {
    nodes.chunk_by(|a, b| a.hash == b.hash)
}

/// Whether all of the nodes are of one game.
fn is_one_game(nodes: &[Node]) -> bool {
    let first = nodes[0].interval().first;
    nodes.iter().map(Node::interval).all(|i| i.games == 1 && i.first == first)
}

/// The nodes that have a hash with others.
fn find_doubts(nodes: &[Node]) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let mut start = 0;
    for group in groups(nodes) {
        if group.len() > 1 && !is_one_game(group) {
            doubts.extend((start..).zip(group).map(|(node, n)| {
                let Interval { first, ply, .. } = n.interval();
                Doubt { game: first, ply, part: part_of(n.hash) as u8, node }
            }));
        }
        start += group.len() as u32;
    }
    doubts.sort_unstable();
    doubts
}

/// Plays games as far as there are doubts, and returns for each part the indices of its nodes with
/// their positions.
fn resolve_doubts(
    games: &SortedMoves<'_>,
    chunk: Range<u32>,
    doubts: &[Vec<Doubt>],
) -> Vec<Vec<(u32, PositionKey)>> {
    let of_chunk = doubts.iter().flat_map(|doubts| {
        let start = doubts.partition_point(|doubt| doubt.game < chunk.start);
        let end = doubts.partition_point(|doubt| doubt.game < chunk.end);
        doubts[start..end].iter().copied()
    });
    let mut of_chunk: Vec<Doubt> = of_chunk.collect();
    of_chunk.sort_unstable();
    let mut keys = vec![Vec::new(); PARTS];
    let mut line = Line::default();
    for doubts in of_chunk.chunk_by(|a, b| a.game == b.game) {
        let deepest = doubts.iter().map(|doubt| doubt.ply).max().unwrap_or(0);
        line.advance(games, doubts[0].game, usize::from(deepest));
        for doubt in doubts {
            // A node was made from this very board.
            if let Some(board) = line.boards.get(usize::from(doubt.ply)) {
                keys[usize::from(doubt.part)].push((doubt.node, board.board().key()));
            }
        }
    }
    keys
}

/// Writes the buckets of a part, given the positions of those of its nodes that were in doubt.
fn write_buckets(
    shape: &BucketShape,
    part: usize,
    nodes: &[Node],
    keys: &[(u32, PositionKey)],
) -> Vec<Vec<u8>> {
    let buckets = shape.buckets() / PARTS;
    let mut writers: Vec<_> = (0..buckets).map(|_| BucketWriter::new(*shape)).collect();
    let mut keys = keys.iter().peekable();
    let mut start = 0;
    for group in groups(nodes) {
        let hash = group[0].hash;
        let writer = &mut writers[shape.bucket_of(hash) - part * buckets];
        let next = start + group.len() as u32;
        let mut of_group: Vec<(PositionKey, Interval)> = Vec::new();
        while let Some((node, key)) = keys.next_if(|(node, _)| *node < next) {
            of_group.push((*key, group[(node - start) as usize].interval()));
        }
        start = next;
        if of_group.is_empty() {
            // All nodes are of one game, or there is only one.
            let first = group[0].interval();
            match first.games {
                1 => writer.push_game(hash, first.first),
                _ => writer.push_intervals(hash, std::iter::once(first)),
            }
            continue;
        }
        of_group.sort_unstable();
        for same in of_group.chunk_by(|a, b| a.0 == b.0) {
            writer.push_intervals(hash, same.iter().map(|(_, interval)| *interval));
        }
    }
    writers.into_iter().map(BucketWriter::finish).collect()
}

/// The index of games by their identities: its shape, and its buckets.
pub(super) fn index_ids(
    mut ids: Vec<(u64, u32)>,
    executor: &impl Executor,
) -> (BucketShape, Vec<Vec<u8>>) {
    const BUCKETS_A_PIECE: usize = 256;
    ids.sort_unstable();
    let shape = BucketShape::new(ids.len(), ids.len(), 0);
    let firsts: Vec<usize> = (0..shape.buckets()).step_by(BUCKETS_A_PIECE).collect();
    let buckets = executor.map(firsts, |first| -> Vec<Vec<u8>> {
        let end = (first + BUCKETS_A_PIECE).min(shape.buckets());
        // The bucket is the first bits of a hash.
        let place =
            |bucket: usize| ids.partition_point(|(hash, _)| shape.bucket_of(*hash) < bucket);
        let mut writers: Vec<_> = (first..end).map(|_| BucketWriter::new(shape)).collect();
        for (hash, game) in &ids[place(first)..place(end)] {
            writers[shape.bucket_of(*hash) - first].push_game(*hash, *game);
        }
        writers.into_iter().map(BucketWriter::finish).collect()
    });
    (shape, buckets.concat())
}
