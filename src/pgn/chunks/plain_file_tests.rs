//! Plain files that several threads read, against streams.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::{io, sync::Arc};

use super::tests::{GAME, Held, held};
use super::*;
use crate::pgn::source::{ReadAt, Source, SourceFault, StreamPosition};

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
    let peeked = 5;
    position.advance(peeked);
    let file = SharedFile {
        file: Arc::new(file),
        size,
        compression: Compression::Plain,
        position: position.clone(),
    };
    (Chunks::of_file(file, peeked, options, &Buffers::default()), position)
}

/// The chunks of a file with these bytes.
pub(super) fn chunks_of_file(bytes: &[u8], options: BlockOptions) -> Chunks<io::Empty> {
    chunks(bytes.to_vec(), bytes.len() as u64, options).0
}

/// What a file with these bytes holds, read by several threads. If it is broken, more games follow
/// the damage. Checks that it holds the same if it had another size when it was opened; that as
/// many bytes count as read as there are; and that the error names the offset of the damage.
pub(super) fn held_by_file(
    bytes: &[u8],
    is_broken: bool,
    options: BlockOptions,
    threads: usize,
) -> Held {
    let len = bytes.len() as u64;
    let after = if is_broken { GAME.repeat(9) } else { String::new() };
    let [whole, grown, shortened] = [len + after.len() as u64, len / 2, 2 * len + 99].map(|size| {
        let file = PlainBytes {
            bytes: [bytes, after.as_bytes()].concat(),
            damage: is_broken.then_some(len),
            fails_whole: false,
        };
        let (chunks, position) = chunks(file, size, options);
        let held = held(chunks, threads, |error| assert_eq!(offset(&position, error), len));
        assert_eq!(position.counter.load(Ordering::Relaxed), 7 + len, "of {size} bytes");
        held
    });
    assert!(whole == grown && whole == shortened, "{len} bytes, broken: {is_broken}");
    whole
}

fn offset(position: &StreamPosition, error: io::Error) -> u64 {
    match position.broken(error).fault {
        SourceFault::Broken { offset, .. } => offset,
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
    struct Unsteady(Vec<u8>, Arc<AtomicBool>);
    impl ReadAt for Unsteady {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            match offset == 3000 && !self.1.swap(true, Ordering::Relaxed) {
                true => Err(io::Error::other("not now")),
                false => self.0.read_at(buffer, offset),
            }
        }
    }
    let bytes = GAME.repeat(100).into_bytes();
    let has_failed = Arc::new(AtomicBool::new(false));
    let file = Unsteady(bytes.clone(), Arc::clone(&has_failed));
    let (chunks, _) = chunks(file, bytes.len() as u64, OPTIONS);
    let held = held(chunks, 2, |error| panic!("{error}"));
    assert!(held.bytes == bytes && has_failed.load(Ordering::Relaxed));
}

/// The chunks of a hundred games, damaged at this offset; and how many there would be.
fn damaged(damage: u64) -> (Chunks<io::Empty>, StreamPosition, usize) {
    let bytes = GAME.repeat(100).into_bytes();
    let size = bytes.len();
    let file = PlainBytes { bytes, damage: Some(damage), fails_whole: false };
    let (chunks, position) = chunks(file, size as u64, OPTIONS);
    (chunks, position, size / OPTIONS.block_size + 1)
}

/// All chunks but the one with this number, and the offsets of errors.
fn gather(
    chunks: &mut Chunks<io::Empty>,
    position: &StreamPosition,
    dropped: Option<usize>,
) -> (Vec<Chunk>, Vec<u64>) {
    let (mut gathered, mut offsets) = (Vec::new(), Vec::new());
    for (at, chunk) in chunks.enumerate() {
        match chunk {
            Ok(chunk) if Some(at) == dropped => drop(chunk),
            Ok(chunk) => gathered.push(chunk),
            Err(error) => offsets.push(offset(position, error)),
        }
    }
    (gathered, offsets)
}

/// What these chunks of a damaged file hold, made blocks from the last one on: a chunk that is
/// unread is read before those before it.
fn held_backwards(chunks: Vec<Chunk>) -> Held {
    let mut blocks: Vec<Block> = chunks.into_iter().rev().map(Chunk::into_block).collect();
    let mut held = Held { is_broken: true, ..Held::default() };
    blocks.drain(..).rev().for_each(|block| held.add(&block));
    held
}

/// What a stream of a hundred games holds that is damaged at this offset.
fn expected(damage: u64) -> Held {
    let bytes = GAME.repeat(100).into_bytes();
    held_by_file(&bytes[..usize::try_from(damage).unwrap()], true, OPTIONS, 1)
}

/// Whoever gathers chunks before any becomes a block has the error of the first that is damaged.
#[test]
fn the_thread_that_hands_out_chunks_reads_those_that_nobody_has() {
    for damage in [1500, 4000] {
        let (mut chunks, position, count) = damaged(damage);
        let (gathered, offsets) = gather(&mut chunks, &position, None);
        assert_eq!((gathered.len(), offsets), (count, vec![damage]));
        assert!(chunks.next().is_none());
        assert!(held_backwards(gathered) == expected(damage), "damage at {damage}");
    }
}

#[test]
fn what_was_read_beyond_the_damage_is_in_no_block() {
    for damage in [1500, 4000] {
        let (mut chunks, position, _) = damaged(damage);
        let gathered = chunks.by_ref().take(5).map(Result::unwrap).collect();
        assert!(held_backwards(gathered) == expected(damage), "damage at {damage}");
        assert_eq!(gather(&mut chunks, &position, None).1, [damage]);
    }
}

#[test]
fn a_chunk_that_is_dropped_hides_no_damage_in_others() {
    let count = damaged(1500).2;
    for (damage, dropped) in (2..count).map(|dropped| (1500, dropped)).chain([(3500, 1)]) {
        let (mut chunks, position, _) = damaged(damage);
        let (_, offsets) = gather(&mut chunks, &position, Some(dropped));
        assert_eq!(offsets, [damage], "without chunk {dropped}");
        assert_eq!(position.counter.load(Ordering::Relaxed), 7 + damage);
    }
}

/// A file that remembers where it was read.
struct Watched(PlainBytes, Arc<AtomicU64>);

impl ReadAt for Watched {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.1.fetch_max(offset, Ordering::Relaxed);
        self.0.read_at(buffer, offset)
    }
}

#[test]
fn nothing_is_read_beyond_the_damage_once_it_is_known() {
    let watched = |text: &str| {
        let last = Arc::new(AtomicU64::new(0));
        let bytes = text.repeat(2000).into_bytes();
        let size = bytes.len() as u64;
        let file = PlainBytes { bytes, damage: Some(3500), fails_whole: false };
        (chunks(Watched(file, Arc::clone(&last)), size, OPTIONS).0, last)
    };
    for text in [GAME, "no chess in here\n"] {
        let (chunks, last) = watched(text);
        let count = chunks.filter_map(Result::ok).map(Chunk::into_block).count();
        assert_eq!((count, last.load(Ordering::Relaxed)), (4, 3500), "{text}");
    }
    // What is under way may be read.
    let (chunks, last) = watched(GAME);
    assert!(held(chunks, 2, |_| ()).is_broken);
    assert!(last.load(Ordering::Relaxed) < 60_000);
}

#[test]
fn chunks_that_are_read_are_not_remembered() {
    let bytes = GAME.repeat(2000).into_bytes();
    let mut chunks = chunks_of_file(&bytes, OPTIONS);
    while let Some(chunk) = chunks.next() {
        drop(chunk.unwrap().into_block());
        assert!(chunks.unread.len() <= 1);
    }
}

#[test]
#[cfg(feature = "codecs")]
fn plain_files_of_known_size_are_read_by_several_threads() {
    let folder = tempfile::tempdir().unwrap();
    let games = GAME.repeat(50);
    let files = [
        ("games", games.clone(), true),
        ("more", games.replace('\n', "\r\n"), true),
        ("mac", games.replace('\n', "\r"), false),
        ("empty", String::new(), false),
    ];
    let counter = Arc::new(AtomicU64::new(7));
    let mut count = 7;
    let mut opened: Vec<_> = files
        .iter()
        .map(|(name, text, _)| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            Source::File(path).open(&counter).unwrap()
        })
        .collect();
    for ((name, text, is_shared), streams) in files.iter().zip(&mut opened) {
        let stream = streams.next_stream().unwrap();
        let (chunks, _) = stream.into_chunks(OPTIONS, &Buffers::default());
        assert_eq!(matches!(chunks.input, Input::Plain(_)), *is_shared, "{name}");
        let held = held(chunks, 2, |error| panic!("{error}"));
        assert_eq!(held.games.len(), text.matches("[Event").count(), "{name}");
        count += text.len() as u64;
    }
    assert_eq!(counter.load(Ordering::Relaxed), count);
}
