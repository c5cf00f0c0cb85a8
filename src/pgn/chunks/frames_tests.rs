//! Files of frames, unpacked side by side, against the same files as streams.

use std::sync::atomic::{AtomicU64, Ordering};
use std::{convert::Infallible, io, io::Write, num::NonZeroUsize, path::Path, sync::Arc};

use proptest::prelude::*;

use super::*;
use crate::pgn::source::{Source, Stream};
use crate::{executor::Executor, pgn::Compression, pipeline::Workers};

/// What a file holds, and what is said about it.
#[derive(Debug, PartialEq, Eq)]
struct Held {
    bytes: Vec<u8>,
    /// Number and length of each game.
    games: Vec<(u64, usize)>,
    has_only_text: bool,
    error: Option<String>,
    /// The compressed bytes that were read.
    read: u64,
}

const OPTIONS: BlockOptions = BlockOptions { block_size: 700, max_game: 8 << 20 };

/// Opens a file, and reads it with these threads: side by side if it can be, or as a stream.
fn held(path: &Path, threads: usize, as_stream: bool) -> (Held, bool) {
    let counter = Arc::new(AtomicU64::new(7));
    let mut streams = Source::File(path.to_owned()).open(&counter).unwrap();
    let stream: Stream<'_> = streams.next_stream().unwrap();
    let (mut chunks, position) = if as_stream {
        let Stream { reader, position, .. } = stream;
        (Chunks::in_buffers(reader, OPTIONS, &Buffers::default()), position)
    } else {
        stream.into_chunks(OPTIONS, &Buffers::default())
    };
    let is_framed = matches!(chunks.input, Input::Frames(_));
    let (mut bytes, mut games, mut error) = (Vec::new(), Vec::new(), None);
    let Ok(()) = Workers::new(NonZeroUsize::new(threads).unwrap()).run(
        |push| {
            for chunk in &mut chunks {
                match chunk {
                    Ok(chunk) => push(chunk)?,
                    Err(broken) => error = Some(position.broken(broken).to_string()),
                }
            }
            Ok(())
        },
        Chunk::into_block,
        |block| {
            bytes.extend_from_slice(block.bytes());
            games.extend(block.games().map(|game| (game.number(), game.bytes().len())));
            Ok::<(), Infallible>(())
        },
    );
    let has_only_text = chunks.has_only_text();
    let read = counter.load(Ordering::Relaxed);
    (Held { bytes, games, has_only_text, error, read }, is_framed)
}

/// That a file holds the same by frames as it does as a stream. Returns what, and whether its
/// frames were told apart.
fn check(file: &[u8]) -> (Held, bool) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn.x");
    std::fs::write(&path, file).unwrap();
    let (expected, _) = held(&path, 1, true);
    let mut is_framed = false;
    for threads in [1, 2, 5] {
        let found = held(&path, threads, false);
        is_framed = found.1;
        assert!(
            found.0 == expected,
            "{threads} threads, frames {is_framed}: {:?} instead of {:?}",
            summary(&found.0),
            summary(&expected)
        );
    }
    (expected, is_framed)
}

fn summary(held: &Held) -> impl std::fmt::Debug {
    (held.bytes.len(), held.games.len(), held.games.last().copied(), &held.error, held.read)
}

fn zstd_frame(text: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn pzstd_frame(text: &[u8]) -> Vec<u8> {
    let frame = zstd_frame(text);
    let length = u32::try_from(frame.len()).unwrap().to_le_bytes();
    [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], &length, &frame].concat()
}

fn bgzip_member(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::GzBuilder::new()
        .extra(b"BC\x02\x00\x00\x00".to_vec())
        .write(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    let mut member = encoder.finish().unwrap();
    let size = u16::try_from(member.len() - 1).unwrap().to_le_bytes();
    member[16..18].copy_from_slice(&size);
    member
}

/// A table as the seekable format has it at the end of the file.
fn seek_table(frames: &[(usize, usize)]) -> Vec<u8> {
    let mut table = Vec::new();
    for (packed, unpacked) in frames {
        table.extend_from_slice(&u32::try_from(*packed).unwrap().to_le_bytes());
        table.extend_from_slice(&u32::try_from(*unpacked).unwrap().to_le_bytes());
    }
    table.extend_from_slice(&u32::try_from(frames.len()).unwrap().to_le_bytes());
    table.extend_from_slice(&[0, 0xb1, 0xea, 0x92, 0x8f]);
    let length = u32::try_from(table.len()).unwrap().to_le_bytes();
    [&[0x5e, 0x2a, 0x4d, 0x18][..], &length, &table].concat()
}

/// Games that differ, so that they are not packed into nothing.
fn games(count: usize) -> Vec<u8> {
    let mut text = String::new();
    for n in 0..count {
        let m = n * 7919 % 1000;
        text += &format!(
            "[Event \"{m} of {n}\"]\n[White \"a\"]\n\n1. e4 {{{m} {n}}} e5 2. Nf3 {}\n\n",
            ["1-0", "0-1", "1/2-1/2", "*"][n % 4]
        );
    }
    text.into_bytes()
}

type Pack = fn(&[u8]) -> Vec<u8>;

const LAYOUTS: [Pack; 3] = [zstd_frame, pzstd_frame, bgzip_member];

#[test]
fn frames_side_by_side_hold_the_games_of_the_stream() {
    let text = games(300);
    for pack in LAYOUTS {
        for size in [300, 1000, 1400, 5000, text.len() / 2 + 1] {
            let file: Vec<u8> = text.chunks(size).flat_map(pack).collect();
            let (held, is_framed) = check(&file);
            assert!(is_framed && held.error.is_none() && held.games.len() == 300, "{size}");
            assert_eq!(held.read, 7 + file.len() as u64);
        }
        let (held, is_framed) = check(&pack(&text));
        assert!(!is_framed && held.games.len() == 300, "one frame");
    }
    let frames: Vec<_> = text.chunks(2000).map(|part| (zstd_frame(part), part.len())).collect();
    let sizes: Vec<_> = frames.iter().map(|(frame, size)| (frame.len(), *size)).collect();
    let mut file: Vec<u8> = frames.into_iter().flat_map(|(frame, _)| frame).collect();
    file.extend(seek_table(&sizes));
    let (held, is_framed) = check(&file);
    assert!(is_framed && held.games.len() == 300, "seekable");
}

#[test]
fn empty_frames_and_games_over_many_frames_are_no_different() {
    let text = games(20);
    let long = format!("[Event \"long\"]\n\n1. e4 {{{}}} *\n\n", "one two three\n".repeat(500));
    let long = [&text[..], long.as_bytes(), &text].concat();
    for pack in LAYOUTS {
        let mut file = Vec::new();
        for part in long.chunks(2500) {
            file.extend(pack(b""));
            file.extend(pack(part));
            file.extend(pack(b"").repeat(9));
        }
        let (held, is_framed) = check(&file);
        assert!(is_framed && held.games.len() == 41);
        check(&pack(b"").repeat(30));
        check(&[pack(b"no chess\n").repeat(30), pack(b"more text")].concat());
        check(&text.replace_line_ends().chunks(900).flat_map(pack).collect::<Vec<u8>>());
    }
}

trait ReplaceLineEnds {
    fn replace_line_ends(&self) -> Vec<u8>;
}

impl ReplaceLineEnds for Vec<u8> {
    fn replace_line_ends(&self) -> Vec<u8> {
        self.iter().map(|byte| if *byte == b'\n' { b'\r' } else { *byte }).collect()
    }
}

#[test]
fn damage_is_answered_as_in_a_stream() {
    let text = games(100);
    for pack in LAYOUTS {
        let file: Vec<u8> = text.chunks(1800).flat_map(pack).collect();
        for cut in (1..file.len()).step_by(173) {
            check(&file[..cut]);
        }
        for at in (0..file.len()).step_by(97) {
            let mut damaged = file.clone();
            damaged[at] ^= 0x55;
            if Compression::of_magic(&damaged[..6]) == Compression::of_magic(&file[..6]) {
                check(&damaged);
            }
        }
        for more in [&b"\0\0\0\0\0"[..], b"garbage", b"\x28\xb5\x2f\xfd", b"\x1f\x8b"] {
            check(&[&file[..], more].concat());
        }
    }
}

#[test]
fn a_wrong_length_before_a_frame_changes_nothing() {
    let text = games(100);
    let frames: Vec<_> = text.chunks(1500).map(zstd_frame).collect();
    for wrong in 0..frames.len() {
        // Too short, too long, and just over the next frame.
        for delta in [-5, 5, 12 + frames.get(wrong + 1).map_or(0, Vec::len) as i64] {
            let mut file = Vec::new();
            for (n, frame) in frames.iter().enumerate() {
                let length = frame.len() as i64 + if n == wrong { delta } else { 0 };
                file.extend_from_slice(&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0]);
                file.extend_from_slice(&u32::try_from(length).unwrap().to_le_bytes());
                file.extend_from_slice(frame);
            }
            let (held, _) = check(&file);
            assert_eq!((held.games.len(), held.error), (100, None), "frame {wrong}, {delta}");
        }
    }
    // What would be a frame is within one.
    let trap =
        [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 9, 0, 0, 0][..], &zstd_frame(b"1. d4")].concat();
    let outer = zstd_frame(&[b"[A \"1\"]\n", &trap.repeat(20)[..]].concat());
    let length = u32::try_from(outer.len() / 2).unwrap().to_le_bytes();
    let file =
        [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], &length, &outer, &frames.concat()].concat();
    check(&file);
}

#[test]
fn a_file_that_merely_begins_like_pzstd_is_a_stream() {
    let header = &[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 100, 0, 0, 0][..];
    let (held, _) = check(&[header, &zstd_frame(&games(100))].concat());
    assert_eq!((held.games.len(), held.error), (100, None));
    for file in
        [header.to_vec(), [header, b"[Event \"x\"]\n\n1. e4 *\n"].concat(), header[..9].to_vec()]
    {
        check(&file);
    }
}

#[test]
fn nobody_waits_after_the_end_of_an_unpacker() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn.zst");
    let file: Vec<u8> = games(300).chunks(2000).flat_map(pzstd_frame).collect();
    std::fs::write(&path, file).unwrap();
    for room in [1, 5, 20] {
        let mut streams = Source::File(path.clone()).open(&Arc::default()).unwrap();
        let stream = streams.next_stream().unwrap();
        let (chunks, _) = stream.into_chunks(OPTIONS, &Buffers::default());
        let mut given = 0;
        let result = Workers::new(NonZeroUsize::new(3).unwrap()).run(
            |push| chunks.into_iter().try_for_each(|chunk| push(chunk.unwrap())),
            Chunk::into_block,
            |_| {
                given += 1;
                if given == room { Err(io::Error::other("full")) } else { Ok(()) }
            },
        );
        assert!(result.is_err() && given == room);
    }
}

/// Only the stream has all of the game in one chunk.
#[test]
fn a_file_that_ends_in_its_first_game_has_a_game() {
    let text = format!("[Event \"x\"]\n\n{}", "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(20));
    let parts = [&text[..16], &text[16..100], &text[100..]];
    let mut file = parts.map(|part| pzstd_frame(part.as_bytes())).concat();
    file.truncate(file.len() - 10);
    let (held, is_framed) = check(&file);
    assert!(is_framed && held.error.is_some() && !held.has_only_text);
    assert_eq!(held.games, []);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_frames_hold_the_games_of_the_stream(
        sizes in prop::collection::vec(0_usize..3000, 2..30),
        layouts in prop::collection::vec(prop::sample::select(vec![0_usize, 1]), 1..5),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        keep in any::<prop::sample::Index>(),
        is_cut in prop::bool::weighted(0.3),
    ) {
        let text = games(150);
        let (mut file, mut rest) = (Vec::new(), &text[..]);
        for (size, layout) in sizes.iter().zip(layouts.iter().cycle()) {
            let (part, after) = rest.split_at((*size).min(rest.len()));
            file.extend(LAYOUTS[*layout](part));
            rest = after;
        }
        file.extend(zstd_frame(rest));
        for (index, byte) in edits {
            let at = index.index(file.len());
            file[at] = byte;
        }
        if is_cut {
            file.truncate(keep.index(file.len()).max(12));
        }
        if Compression::of_magic(&file[..6]) == Compression::Zstd {
            check(&file);
        }
    }
}
