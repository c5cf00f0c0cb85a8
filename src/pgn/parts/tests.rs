//! The games of the parts are the games of the file.

use std::io::Write;

use proptest::prelude::*;

use super::*;
use crate::pgn::{Block, BlockOptions, Buffers, source::LineEnds};

const OPTIONS: BlockOptions = BlockOptions { block_size: 1000, max_game: 8 << 20 };

/// The bytes of each game, and where it begins.
type Games = Vec<(u64, Vec<u8>)>;

fn games_of(stream: Stream<'_>) -> Games {
    let line_ends = stream.line_ends;
    let (chunks, _) = stream.into_chunks(OPTIONS, &Buffers::default());
    let mut games = Games::new();
    for block in chunks.map(|chunk| chunk.unwrap().into_block()) {
        add_games(&block, line_ends, &mut games);
    }
    games
}

fn split_blocks(file: &[u8], part_size: PartSize) -> io::Result<Parts> {
    split(&file.to_vec(), file.len() as u64, part_size, Listing::Blocks)
}

fn add_games(block: &Block, line_ends: LineEnds, games: &mut Games) {
    for game in block.games() {
        let mut bytes = game.bytes().to_vec();
        line_ends.restore(&mut bytes);
        games.push((block.offset() + game.start() as u64, bytes));
    }
    // What is left of a game that began in the block before.
    let first = block.games().next().map_or(block.bytes().len(), |game| game.start());
    if let Some((_, last)) = games.iter_mut().rev().nth(block.game_count()) {
        last.extend_from_slice(&block.bytes()[..first]);
    }
}

fn whole(file: &[u8]) -> Games {
    let whole = Part { offset: 0, length: file.len() as u64 };
    games_of(open(file, whole).unwrap())
}

fn open(file: &[u8], part: Part) -> Result<Stream<'static>, SourceFault> {
    let (size, file) = (file.len() as u64, Arc::new(file.to_vec()) as Arc<dyn ReadAt>);
    open_part(&file, size, part, "games.pgn".to_owned(), &Arc::default())
}

/// The games of the parts between these cuts.
fn in_parts(file: &[u8], cuts: &[u64]) -> Games {
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([file.len() as u64]);
    let parts = starts.zip(ends).map(|(start, end)| Part { offset: start, length: end - start });
    parts.flat_map(|part| games_of(open(file, part).unwrap())).collect()
}

fn check_plain(text: &[u8], cuts: &[u64]) {
    let (found, expected) = (in_parts(text, cuts), whole(text));
    assert!(
        found == expected,
        "{} instead of {} games in parts at {cuts:?} of {:?}",
        found.len(),
        expected.len(),
        String::from_utf8_lossy(&text[..text.len().min(1500)])
    );
}

/// The offsets of compressed parts are those in their frames.
fn check_frames(file: &[u8], cuts: &[u64]) {
    let bytes = |games: Games| games.into_iter().map(|(_, bytes)| bytes).collect::<Vec<_>>();
    let (found, expected) = (bytes(in_parts(file, cuts)), bytes(whole(file)));
    assert!(found == expected, "{} not {} games, {cuts:?}", found.len(), expected.len());
}

const GAME: &str = "[Event \"x\"]\n[White \"a\"]\n\n1. e4 {[%clk 1:00]} e5 2. Nf3 1-0\n\n";

fn traps() -> Vec<String> {
    let trap = "{\n\n[Event \"in a comment\"]\n[White \"b\"]\n\n1. d4 *\n\n";
    let inside = GAME.replace(['{', '}'], "");
    vec![
        String::new(),
        "no chess in here\n".repeat(20),
        GAME.repeat(6),
        GAME.repeat(6).replace('\n', "\r\n"),
        GAME.repeat(6).replace("\n\n", "\n"),
        GAME.repeat(6).replace("1-0", ""),
        GAME.repeat(6).replace("1. e4 {[%clk 1:00]} e5 2. Nf3 1-0", ""),
        GAME.repeat(6).replace("{[%clk 1:00]} ", ""),
        GAME.repeat(4).replace("[Event", "\u{feff}[Event"),
        GAME.repeat(4).replace("[Event", "  [Event").replace("[White", "[Event"),
        GAME.repeat(4).replace('\n', "\r"),
        format!("Games of the week\n\n{}", GAME.repeat(4)),
        format!("{GAME}{GAME}[Event \"y\"]\n\n1. e4 {trap}}} e5 *\n\n{GAME}{GAME}"),
        format!("[Event \"y\"]\n\n1. e4 {{{}}} e5 *\n\n{GAME}", inside.repeat(3)),
        format!("{GAME}[Event \"y\"]\n\n1. e4 {trap}{GAME}{GAME}"),
        format!("{GAME}% {trap}; {trap}{GAME}"),
        format!(
            "{GAME}[Event \"y\"]\n{{a\n[Site \"s\"]\n{GAME}[White \"apart\"]\n\n1. e4 *\n\n{GAME}"
        ),
        format!(
            "{GAME}[White \"1\"]\n[Site \"2\"]\n\n[White \"3\"]\n[Site \"4\"]\n{inside}{inside}"
        ),
        format!("{GAME}[Event \"never closed\n\n[White \"b\"]\nmore\"]\n\n1. e4 *\n\n{GAME}{GAME}"),
        format!("{GAME}1. d4 d5 0-1\n\n1. c4 c5 *\n{GAME}"),
        "1. e4 e5 1-0\n\n1. d4 d5 0-1\n".repeat(5),
    ]
}

#[test]
fn cut_at_any_byte_plain_games_are_there_once_each() {
    for text in traps() {
        let text = text.as_bytes();
        for cut in 0..=text.len() as u64 {
            check_plain(text, &[cut]);
        }
        for step in [1, 7, 30, 101] {
            let cuts: Vec<u64> = (0..text.len() as u64).step_by(step).collect();
            check_plain(text, &cuts[..cuts.len().min(80)]);
        }
    }
}

#[test]
fn what_is_longer_than_the_window_is_found_in_a_longer_one() {
    let inside = GAME.replace(['{', '}'], "").repeat(2500);
    let long = format!("[Event \"x\"]\n\n1. e4 {{{}}} e5 *\n\n", "z\n".repeat(100_000));
    for text in [
        format!("{GAME}{long}{GAME}"),
        format!("{GAME}{inside}{GAME}"),
        format!("{GAME}[Event \"open\"]\n\n1. e4 {{ {inside}}} {GAME}{inside}"),
    ] {
        let size = text.len() as u64;
        for cuts in [vec![300], vec![size / 3, size / 2]] {
            check_plain(text.as_bytes(), &cuts);
        }
    }
}

#[test]
fn a_file_of_games_is_cut_into_parts_that_have_games() {
    let text = GAME.repeat(100);
    for parts in [1, 3, 10] {
        let found = split_blocks(text.as_bytes(), PartSize::Parts(parts));
        let found = found.unwrap();
        assert_eq!((found.parts.len(), found.compression), (parts as usize, Compression::Plain));
        for part in &found.parts {
            let games = games_of(open(text.as_bytes(), *part).unwrap()).len() as u64;
            assert!((100 / parts - 1..=100 / parts + 2).contains(&games), "{games} of {parts}");
        }
    }
    assert_eq!(split_blocks(b"", PartSize::Bytes(5)).unwrap().parts.len(), 1);
    let zip = b"PK\x03\x04 and more";
    assert_eq!(split_blocks(zip, PartSize::Bytes(5)).unwrap().parts.len(), 1);
}

fn zstd_frame(text: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn pzstd_frame(text: &[u8]) -> Vec<u8> {
    let frame = zstd_frame(text);
    let length = u32::try_from(frame.len()).unwrap().to_le_bytes();
    [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], &length, &frame].concat()
}

fn cuts_of(file: &[u8], size: PartSize) -> Vec<u64> {
    let found = split_blocks(file, size).unwrap();
    assert_eq!(found.parts.iter().map(|part| part.length).sum::<u64>(), file.len() as u64);
    found.parts.iter().skip(1).map(|part| part.offset).collect()
}

#[test]
fn compressed_files_are_cut_at_frames() {
    for text in traps().into_iter().filter(|text| !text.contains('\r')) {
        for pack in [zstd_frame, pzstd_frame] {
            for size in [13, 100, 333] {
                let file: Vec<u8> = text.as_bytes().chunks(size).flat_map(pack).collect();
                let cuts = cuts_of(&file, PartSize::Bytes(1));
                let frames = text.len().div_ceil(size);
                assert_eq!(cuts.len() + 1, frames.max(1));
                check_frames(&file, &cuts);
                for count in [2, 3] {
                    check_frames(&file, &cuts_of(&file, PartSize::Parts(count)));
                }
            }
        }
    }
    // A length that is wrong is not used.
    let mut file = [pzstd_frame(GAME.as_bytes()), pzstd_frame(GAME.as_bytes())].concat();
    let expected = cuts_of(&file, PartSize::Bytes(1));
    file[8] = file[8].wrapping_add(12);
    assert_eq!(cuts_of(&file, PartSize::Bytes(1)), expected);
    check_frames(&file, &expected);
}

/// Neither the list of parts nor their readers believe it.
#[test]
fn a_length_that_goes_beyond_the_end_of_the_file_loses_no_game() {
    let text = GAME.repeat(60);
    let ok: Vec<u8> = text.as_bytes().chunks(300).flat_map(pzstd_frame).collect();
    let frames = [&[0][..], &cuts_of(&ok, PartSize::Bytes(1))].concat();
    let lengths = [frames[frames.len() / 2], frames[frames.len() - 1]];
    for damaged in [&lengths[..1], &lengths[1..], &frames] {
        let mut file = ok.clone();
        for at in damaged {
            let at = *at as usize + 8;
            file[at..at + 4].copy_from_slice(&10_000_000_u32.to_le_bytes());
        }
        for size in [PartSize::Bytes(1), PartSize::Parts(2), PartSize::Parts(8)] {
            check_frames(&file, &cuts_of(&file, size));
            let found = split(&file, file.len() as u64, size, Listing::Lengths).unwrap();
            let cuts: Vec<u64> = found.parts.iter().skip(1).map(|part| part.offset).collect();
            check_frames(&file, &cuts);
        }
    }
}

/// Counts what is read of a file.
struct Counting(Vec<u8>, AtomicU64);

impl ReadAt for Counting {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let count = self.0.read_at(buffer, offset)?;
        self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(count)
    }
}

fn cuts_and_reads(file: &[u8], listing: Listing) -> (Vec<u64>, u64) {
    let counting = Counting(file.to_vec(), AtomicU64::new(0));
    let size = file.len() as u64;
    let found = split(&counting, size, PartSize::Bytes(1), listing).unwrap();
    let cuts = found.parts.iter().skip(1).map(|part| part.offset).collect();
    (cuts, counting.1.into_inner())
}

#[test]
fn lengths_list_the_same_frames_in_few_reads() {
    // Incompressible, so that frames have many blocks.
    let mut seed = 7_u32;
    let mut noise = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    };
    let text: Vec<u8> = (0..3_000_000).map(|_| noise()).collect();
    let file: Vec<u8> = text.chunks(1_000_000).flat_map(pzstd_frame).collect();
    let (by_blocks, many) = cuts_and_reads(&file, Listing::Blocks);
    let (by_lengths, few) = cuts_and_reads(&file, Listing::Lengths);
    assert_eq!((by_blocks.len(), &by_blocks), (2, &by_lengths));
    assert!(few <= 30 && many > 2 * few, "{few} and {many} reads");
    // A length that leads to no frame is not used. The frame after it is found by itself.
    let mut damaged = file.clone();
    damaged[8] = damaged[8].wrapping_add(1);
    let found = cuts_and_reads(&damaged, Listing::Lengths).0;
    assert_eq!(found, [&[12][..], &by_blocks].concat());
}

#[test]
fn a_part_of_a_compressed_file_begins_with_a_frame() {
    let file: Vec<u8> = GAME.repeat(9).as_bytes().chunks(100).flat_map(zstd_frame).collect();
    let error = open(&file, Part { offset: 5, length: 10 }).err().unwrap();
    assert!(error.to_string().starts_with("no frame begins at byte 5;"), "{error}");
}

#[test]
fn damage_in_a_part_is_told_with_its_offset_in_the_file() {
    let text = GAME.repeat(300);
    let mut file: Vec<u8> = text.as_bytes().chunks(500).flat_map(zstd_frame).collect();
    let cuts = cuts_of(&file, PartSize::Parts(3));
    let (start, end) = (cuts[0], cuts[1]);
    file[start as usize + 9] ^= 0xff;
    let part = Part { offset: start, length: end - start };
    let stream = open(&file, part).unwrap();
    let (chunks, position) = stream.into_chunks(OPTIONS, &Buffers::default());
    let errors: Vec<_> = chunks.filter_map(Result::err).collect();
    for error in errors {
        let text = position.broken(error).to_string();
        assert!(text.starts_with("games.pgn: cannot be read beyond byte "), "{text}");
    }
    // The others have their games.
    let last = Part { offset: end, length: file.len() as u64 - end };
    assert!(games_of(open(&file, last).unwrap()).len() > 5);
}

fn fragment() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(vec![
            GAME, "[Event \"x\"]\n", "[Event \"y\"]\n", "[White \"a\"]\n", "[FEN \"a\"", "[Site x]\n",
            "\n", "\n\n", "\r\n", " ", "{", "}", ";", "%", "1. e4 ", "e4", "1-0", "0-1\n", "*\n\n",
            "[", "]", "\"", "\\", "\u{feff}", "text ", "1...", "\n2. c4 {a} ", "\n\n[Event \"z\"]\n",
            "{a}", "{\n\n[Event \"q\"]\n", "*\n\n[Event \"x\"]\r\n\r\n1. d4",
        ]).prop_map(str::to_owned),
        1 => ".{0,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 700, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_cuts_of_any_bytes_have_each_game_once(
        fragments in prop::collection::vec(fragment(), 0..40),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 1..5),
    ) {
        // A file that is not PGN has no parts.
        let text = fragments.concat().replace('\0', "\u{1}").into_bytes();
        let mut cuts: Vec<u64> =
            cuts.into_iter().map(|cut| cut.index(text.len() + 1) as u64).collect();
        cuts.sort_unstable();
        check_plain(&text, &cuts);
    }

    #[test]
    fn any_frames_have_each_game_once(
        fragments in prop::collection::vec(fragment(), 0..40),
        size in 1_usize..200,
        parts in 1_u64..6,
    ) {
        // A file that is not PGN has no parts.
        let text = fragments.concat().replace('\0', "\u{1}").into_bytes();
        let file: Vec<u8> = [&b"\n"[..], &text].concat().chunks(size).flat_map(pzstd_frame).collect();
        check_frames(&file, &cuts_of(&file, PartSize::Parts(parts)));
    }

    #[test]
    fn any_cuts_of_mutated_games_have_each_game_once(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 1..=u8::MAX), 0..20),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 1..5),
    ) {
        let mut text = GAME.repeat(12).into_bytes();
        for (index, byte) in edits {
            let at = index.index(text.len());
            text[at] = byte;
        }
        let mut cuts: Vec<u64> =
            cuts.into_iter().map(|cut| cut.index(text.len() + 1) as u64).collect();
        cuts.sort_unstable();
        check_plain(&text, &cuts);
    }
}
