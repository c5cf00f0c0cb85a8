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
//! Nodes are set aside between the first step and the others, of which some parts at a time are
//! taken back: so the memory does not grow with the games.

use std::ops::Range;

use super::blobs::{BUCKETS_A_BLOB, BlobKind};
use super::bucket::{BucketShape, BucketWriter, Interval, NODE_BYTES, Node};
use super::first_moves::FirstMoves;
use super::sink::{Aside, JoinedItems, SegmentSink};
use crate::{chess::PositionKey, executor::Executor};

/// The number of parts that nodes are divided into by their hash, as a power of two.
const PART_BITS: u32 = 7;
const PARTS: usize = 1 << PART_BITS;

/// The number of games that are one piece of work.
const GAMES_A_CHUNK: u32 = 4096;

/// The pieces of work whose nodes are in memory before they are set aside.
const CHUNKS_AT_ONCE: usize = 16;

/// Parts with no more nodes than this together are sorted and written at once.
const NODES_AT_ONCE: usize = 3 << 20;

/// Writes the index of the positions of games, and returns its shape. Only those before `counted`
/// count.
pub(super) fn index_positions<K: SegmentSink>(
    games: &FirstMoves,
    counted: u32,
    sink: &mut K,
    executor: &impl Executor,
) -> Result<BucketShape, K::Error> {
    let starts = (0..counted).step_by(GAMES_A_CHUNK as usize);
    let chunks: Vec<Range<u32>> =
        starts.map(|start| start..(start + GAMES_A_CHUNK).min(counted)).collect();
    let mut parts: Vec<Vec<Aside>> = (0..PARTS).map(|_| Vec::new()).collect();
    let mut counts = [0; PARTS];
    for some in chunks.chunks(CHUNKS_AT_ONCE) {
        executor.run(
            |push| some.iter().cloned().try_for_each(push),
            |chunk| find_nodes(games, counted, chunk),
            |chunk| {
                for ((part, nodes), count) in parts.iter_mut().zip(chunk).zip(&mut counts) {
                    *count += nodes.len() / NODE_BYTES;
                    part.push(sink.set_aside(nodes)?);
                }
                Ok(())
            },
        )?;
    }
    let all = counts.iter().sum();
    let shape = BucketShape::new(all, games.len() as usize, games.max_ply());
    let shape = shape.with_buckets(PART_BITS);
    let mut buckets = JoinedItems::new(BlobKind::Positions, BUCKETS_A_BLOB);
    let mut first = 0;
    while first < PARTS {
        let mut nodes = 0;
        let fits = |count: &&usize| {
            nodes += **count;
            nodes <= NODES_AT_ONCE
        };
        let end = first + counts[first..].iter().take_while(fits).count().max(1);
        let (mut sorted, mut doubts) = (Vec::new(), Vec::new());
        executor.run(
            |push| {
                (0..).zip(&mut parts[first..end]).try_for_each(|(part, chunks)| {
                    let chunks = std::mem::take(chunks).into_iter();
                    let chunks = chunks.map(|nodes| sink.take_back(nodes));
                    push((part, chunks.collect::<Result<Vec<_>, _>>()?))
                })
            },
            |(part, chunks)| {
                let nodes = sort(&chunks);
                let doubts = find_doubts(part, &nodes);
                (nodes, doubts)
            },
            |(nodes, of_part)| {
                sorted.push(nodes);
                doubts.push(of_part);
                Ok(())
            },
        )?;
        let keys = executor.map(chunks.clone(), |chunk| resolve_doubts(games, chunk, &doubts));
        executor.run(
            |push| sorted.into_iter().enumerate().try_for_each(push),
            |(part, nodes)| {
                let mut keys: Vec<(u32, PositionKey)> =
                    keys.iter().flat_map(|chunk| chunk[part].iter().copied()).collect();
                keys.sort_unstable_by_key(|(node, _)| *node);
                write_buckets(&shape, first + part, &nodes, &keys)
            },
            |written| written.into_iter().try_for_each(|bucket| buckets.push(bucket, sink)),
        )?;
        first = end;
    }
    buckets.finish(sink)?;
    Ok(shape)
}

fn part_of(hash: u64) -> usize {
    (hash >> (64 - PART_BITS)) as usize
}

/// All nodes of a part, sorted.
///
/// Hashes are spread evenly, so nodes are put into bins by bits of theirs, a few in each, and only
/// those of a bin are compared.
fn sort(chunks: &[Vec<u8>]) -> Vec<Node> {
    const NODES_A_BIN: usize = 2;
    let all = || {
        let chunks = chunks.iter().flat_map(|chunk| chunk.as_chunks::<NODE_BYTES>().0);
        chunks.map(|bytes| Node::from_bytes(*bytes))
    };
    let count = chunks.iter().map(Vec::len).sum::<usize>() / NODE_BYTES;
    let bits = (count / NODES_A_BIN).max(2).ilog2();
    // The bits after those that all nodes of the part have.
    let bin_of = |node: &Node| (node.hash << PART_BITS >> (64 - bits)) as usize;
    let mut ends = vec![0_u32; 1 << bits];
    all().for_each(|node| ends[bin_of(&node)] += 1);
    let mut end = 0;
    for bin in &mut ends {
        // For now where the bin begins; it moves to its end as nodes come in.
        end += std::mem::replace(bin, end);
    }
    let mut nodes = vec![Node::default(); count];
    for node in all() {
        let next = &mut ends[bin_of(&node)];
        nodes[*next as usize] = node;
        *next += 1;
    }
    let mut start = 0;
    for end in ends {
        nodes[start..end as usize].sort_unstable();
        start = end as usize;
    }
    nodes
}

/// The nodes that begin in some of the games, part by part, as bytes.
fn find_nodes(games: &FirstMoves, counted: u32, chunk: Range<u32>) -> Vec<Vec<u8>> {
    // A game has about thirty positions that are its own.
    let expected = (chunk.len() * 32 / PARTS + 16) * NODE_BYTES;
    let mut parts: Vec<Vec<u8>> = (0..PARTS).map(|_| Vec::with_capacity(expected)).collect();
    let mut add = |hash: u64, interval: Interval| {
        parts[part_of(hash)].extend_from_slice(&Node::new(hash, interval).to_bytes());
    };
    let shared = |number| if number < counted { games.shared(number) } else { None };
    // Nodes that later games may share, with their hashes; the deepest one last.
    let mut open: Vec<(u64, Interval)> = Vec::new();
    let mut walk = games.walk();
    for number in chunk.clone() {
        let (before, after) = (shared(number), shared(number + 1));
        close(&mut open, number, before, &mut add);
        walk.play(number, games.max_ply());
        // What it shares with the game before is a node of that.
        let first = before.map_or(0, |shared| usize::from(shared) + 1).min(walk.boards.len());
        let mut codes = walk.codes.get(first..).unwrap_or_default().iter().copied();
        for (ply, board) in (first..).zip(&walk.boards[first..]) {
            let (hash, code) = (board.board().key().hash64(), codes.next());
            let interval = Interval { first: number, ply: ply as u16, games: 1, code };
            if after.is_some_and(|after| ply <= usize::from(after)) {
                open.push((hash, interval));
            } else {
                add(hash, interval);
            }
        }
    }
    let mut next = chunk.end;
    while !open.is_empty() {
        close(&mut open, next, shared(next), &mut add);
        next += 1;
    }
    parts
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

/// A node that has the same hash as others: its first game and ply, its part among those that are
/// written at once, and its index there.
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

/// The nodes of a part that have a hash with others.
fn find_doubts(part: u8, nodes: &[Node]) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let mut start = 0;
    for group in groups(nodes) {
        if group.len() > 1 && !is_one_game(group) {
            doubts.extend((start..).zip(group).map(|(node, n)| {
                let Interval { first, ply, .. } = n.interval();
                Doubt { game: first, ply, part, node }
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
    games: &FirstMoves,
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
    let mut keys = vec![Vec::new(); doubts.len()];
    let mut walk = games.walk();
    for doubts in of_chunk.chunk_by(|a, b| a.game == b.game) {
        let deepest = doubts.iter().map(|doubt| doubt.ply).max().unwrap_or(0);
        walk.play(doubts[0].game, usize::from(deepest));
        for doubt in doubts {
            // A node was made from this very board.
            if let Some(board) = walk.boards.get(usize::from(doubt.ply)) {
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
