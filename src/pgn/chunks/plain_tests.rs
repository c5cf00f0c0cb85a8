//! Plain files that several threads read, against streams.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use super::{
    tests::{GAME, Held, held},
    *,
};
use crate::pgn::source::{SourceFault, StreamPosition, read_at::ReadAt};

/// A file that may be damaged at an offset, where no byte can be read; those after it can.
struct PlainBytes {
    bytes: Vec<u8>,
    damage: Option<u64>,
    /// Whether a read fails that reaches the damage, not only one that begins there.
    fails_whole: bool,
}

impl ReadAt for PlainBytes {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut len = buffer.len();
        if let Some(damage) = self.damage.filter(|damage| offset <= *damage) {
            let good = usize::try_from(damage - offset).unwrap();
            if good == 0 || (self.fails_whole && good < len) {
                return Err(io::Error::other("damaged"));
            }
            len = len.min(good);
        }
        self.bytes.read_at(&mut buffer[..len], offset)
    }
}

/// The chunks of a file that had this size when it was opened, with the position of what is read.
fn chunks(
    file: impl ReadAt + 'static,
    size: u64,
    options: BlockOptions,
) -> (Chunks<io::Empty>, StreamPosition) {
    let position = StreamPosition::new("games.pgn".to_owned(), &Arc::new(AtomicU64::new(7)));
    let file = PlainFile { file: Arc::new(file), size, position: position.clone() };
    (Chunks::of_plain(file, options, &Buffers::default()), position)
}

/// The chunks of a file with these bytes.
pub(super) fn chunks_of_file(bytes: &[u8], options: BlockOptions) -> Chunks<io::Empty> {
    chunks(bytes.to_vec(), bytes.len() as u64, options).0
}

/// What a file with these bytes holds, read by several threads; also if it had another size when it
/// was opened. If it is broken, more games follow the damage. Checks that as many bytes count as
/// read as there are, and that the error names the offset of the damage.
pub(super) fn held_by_file(
    bytes: &[u8],
    is_broken: bool,
    options: BlockOptions,
    threads: usize,
) -> Held {
    let len = bytes.len() as u64;
    let after = if is_broken { GAME.repeat(9) } else { String::new() };
    let file = PlainBytes {
        bytes: [bytes, after.as_bytes()].concat(),
        damage: is_broken.then_some(len),
        fails_whole: false,
    };
    let size = match options.block_size % 3 {
        0 => len + after.len() as u64,
        1 => len / 2,
        _ => 2 * len + 99,
    };
    let (chunks, position) = chunks(file, size, options);
    let held = held(chunks, threads, |error| assert_eq!(offset(&position, error), len));
    assert_eq!(position.counter.load(Ordering::Relaxed), 7 + len, "of {size} bytes");
    held
}

fn offset(position: &StreamPosition, error: io::Error) -> u64 {
    match position.broken(error).fault() {
        SourceFault::Broken { offset, .. } => *offset,
        other => panic!("{other}"),
    }
}

const OPTIONS: BlockOptions = BlockOptions { block_size: 1000, max_game: 8 << 20 };

#[test]
fn bytes_before_the_damage_count_where_reads_fail_as_a_whole() {
    let bytes = GAME.repeat(100).into_bytes();
    for damage in [0, 511, 512, 1000, 1024, 1499, 3000, 3584, 5000] {
        let size = bytes.len() as u64;
        let file = PlainBytes { bytes: bytes.clone(), damage: Some(damage), fails_whole: true };
        let (chunks, position) = chunks(file, size, OPTIONS);
        let found = std::cell::Cell::new(None);
        let held = held(chunks, 2, |error| found.set(Some(offset(&position, error))));
        // Beyond the chunks before the damage, reads end at multiples of 512 then.
        let known = (damage / 512 * 512).max(damage / 1000 * 1000);
        assert_eq!(found.get(), Some(known), "damage at {damage}");
        let known = usize::try_from(known).unwrap();
        assert!(held == held_by_file(&bytes[..known], true, OPTIONS, 1), "damage at {damage}");
    }
}

#[test]
fn a_read_that_fails_once_is_no_damage() {
    struct Unsteady(Vec<u8>, AtomicBool);
    impl ReadAt for Unsteady {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            match offset == 3000 && !self.1.swap(true, Ordering::Relaxed) {
                true => Err(io::Error::other("not now")),
                false => self.0.read_at(buffer, offset),
            }
        }
    }
    let bytes = GAME.repeat(100).into_bytes();
    let size = bytes.len() as u64;
    let (chunks, _) = chunks(Unsteady(bytes.clone(), AtomicBool::new(false)), size, OPTIONS);
    let held = held(chunks, 2, |error| panic!("{error}"));
    assert!(held.bytes == bytes);
}

/// Whoever gathers chunks before any becomes a block has the error of the first that is damaged.
#[test]
fn the_thread_that_hands_out_chunks_reads_those_that_nobody_has() {
    let bytes = GAME.repeat(100).into_bytes();
    for damage in [1500_usize, 4000] {
        let size = bytes.len() as u64;
        let broken_at = Some(damage as u64);
        let file = PlainBytes { bytes: bytes.clone(), damage: broken_at, fails_whole: false };
        let (mut chunks, position) = chunks(file, size, OPTIONS);
        let (mut gathered, mut offsets) = (Vec::new(), Vec::new());
        for chunk in &mut chunks {
            match chunk {
                Ok(chunk) => gathered.push(chunk),
                Err(error) => offsets.push(offset(&position, error)),
            }
        }
        assert_eq!((gathered.len() as u64, offsets), (size / 1000 + 1, vec![damage as u64]));
        assert!(chunks.next().is_none());
        let mut blocks: Vec<Block> = gathered.into_iter().rev().map(Chunk::into_block).collect();
        let mut held = Held { is_broken: true, ..Held::default() };
        blocks.drain(..).rev().for_each(|block| held.add(&block));
        assert!(held == held_by_file(&bytes[..damage], true, OPTIONS, 1), "damage at {damage}");
    }
}

#[test]
fn nobody_waits_for_a_chunk_that_was_dropped() {
    let bytes = GAME.repeat(100).into_bytes();
    let count = bytes.len() / 1000 + 1;
    for dropped in 0..count {
        let size = bytes.len() as u64;
        let file = PlainBytes { bytes: bytes.clone(), damage: None, fails_whole: false };
        let (chunks, _) = chunks(file, size, OPTIONS);
        let mut given = 0;
        for (at, chunk) in chunks.enumerate() {
            match chunk.unwrap() {
                chunk if at == dropped => drop(chunk),
                chunk => given += chunk.into_block().bytes().len(),
            }
        }
        assert!(if dropped == 0 { given > 0 } else { given < dropped * 1000 }, "{dropped}");
    }
}
