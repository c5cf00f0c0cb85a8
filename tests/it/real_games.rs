//! Real games with independently computed answers, where they are at hand.

use std::{
    collections::BTreeSet,
    convert::Infallible,
    fs::File,
    io::{Read, Write},
    num::NonZeroUsize,
    path::PathBuf,
};

use eco::{
    catalogue::Catalogue,
    chess::Color,
    classify::{Classifier, reference::Reference},
    executor::Executor,
    opening::EcoCode,
    pgn::{Block, BlockOptions, Chunk, Chunks},
    pipeline::Workers,
    repertoire::{Book, BookRule, Chapter, ChapterLimits, PgnLayout},
    tag::{Policy, TagOptions, Tagger},
};

use crate::harness::Facts;

#[path = "../../src/tag/tests/plain.rs"]
mod plain;

/// The folder with real games beside the project, or `None` after saying so.
pub fn games_folder() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/games");
    if folder.is_dir() {
        return Some(folder);
    }
    // Not by `println!`, which a test that passes keeps to itself.
    let _ = writeln!(std::io::stderr(), "SKIPPED: no folder of real games at {}", folder.display());
    None
}

pub fn unpacked(path: &std::path::Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = File::open(path).unwrap();
    if path.extension().is_some_and(|e| e == "zst") {
        zstd::Decoder::new(file).unwrap().read_to_end(&mut bytes).unwrap();
    } else {
        { file }.read_to_end(&mut bytes).unwrap();
    }
    bytes
}

/// Classifies every game and hands game number, bytes and verdict to `check`.
fn for_each_game(pgn: &[u8], check: impl FnMut(u64, &[u8], Facts)) -> u64 {
    for_each_game_by(Classifier::new(Catalogue::builtin()), pgn, check)
}

fn for_each_game_by(
    classifier: Classifier<'_>,
    pgn: &[u8],
    mut check: impl FnMut(u64, &[u8], Facts),
) -> u64 {
    let mut count = 0;
    for block in Chunks::new(pgn, BlockOptions::default()).blocks() {
        for game in block.unwrap().games() {
            count += 1;
            let verdict = classifier.classify(&game).verdict;
            check(game.number(), game.bytes(), Facts::from(&verdict));
        }
    }
    count
}

#[test]
fn every_expected_row_is_met() {
    let Some(folder) = games_folder() else { return };
    for name in ["otb", "lichess"] {
        let expected =
            std::fs::read_to_string(folder.join(format!("{name}.expected.tsv"))).unwrap();
        let mut rows = expected.lines().skip(1);
        let pgn = unpacked(&folder.join(format!("{name}.pgn.zst")));
        let mut differing = Vec::new();
        let count = for_each_game(&pgn, |number, _, v| {
            let row = format!("{number}\t{}\t{}\t{}", v.eco, v.name, v.ply);
            let expected = rows.next().unwrap_or("no such row");
            if row != expected {
                differing.push(format!("found {row}, expected {expected}"));
            }
        });
        assert_eq!(rows.next(), None, "{name}: rows are left over after {count} games");
        assert!(
            differing.is_empty(),
            "{name}: {} differ: {:#?}",
            differing.len(),
            &differing[..5.min(differing.len())]
        );
        println!("{name}: {count} games, every row as expected");
    }
}

#[test]
fn the_reference_says_the_same_of_every_real_game() {
    let Some(folder) = games_folder() else { return };
    let (reference, classifier) =
        (Reference::new(Catalogue::builtin()), Classifier::new(Catalogue::builtin()));
    the_reference_says_the_same("default", &reference, classifier, &folder);
    let (reference, classifier) = (reference.exhaustive(), classifier.exhaustive());
    the_reference_says_the_same("exhaustive", &reference, classifier, &folder);
}

fn the_reference_says_the_same(
    extent: &str,
    reference: &Reference<'_>,
    classifier: Classifier<'_>,
    folder: &std::path::Path,
) {
    for path in all_files(folder) {
        let (mut errors, mut transposed) = (0, 0);
        let pgn = unpacked(&path);
        let count = for_each_game_by(classifier, &pgn, |number, bytes, verdict| {
            assert_eq!(
                Facts::from(&reference.verdict(bytes)),
                verdict,
                "{}: game {number}",
                path.display()
            );
            errors += u64::from(!verdict.error.is_empty());
            transposed += u64::from(verdict.transposed);
        });
        let name = path.file_name().unwrap().display();
        println!(
            "{name}, {extent}: {count} games alike, {transposed} transposed, {errors} with errors"
        );
    }
}

fn all_files(folder: &std::path::Path) -> Vec<PathBuf> {
    let mut paths = vec![folder.join("otb.pgn.zst"), folder.join("lichess.pgn.zst")];
    paths.extend(std::fs::read_dir(folder.join("odd")).unwrap().map(|e| e.unwrap().path()));
    paths
}

/// All games of a file, with their tags set or removed.
fn tagged(pgn: &[u8], policy: Policy) -> Vec<u8> {
    let options = TagOptions { policy, ..TagOptions::default() };
    let tagger = Tagger::new(Classifier::new(Catalogue::builtin()), options);
    let blocks = Chunks::new(pgn, BlockOptions::default()).blocks();
    let tag = |block: Block| tagger.tag_block(block, |_, _| {}).to_vec();
    blocks.flat_map(|block| tag(block.unwrap())).collect()
}

#[test]
fn tags_come_out_to_the_byte_and_change_no_verdict() {
    let Some(folder) = games_folder() else { return };
    for path in all_files(&folder) {
        let name = path.display();
        let pgn = unpacked(&path);
        let once = tagged(&pgn, Policy::All);
        assert!(tagged(&once, Policy::All) == once, "{name}: tagged twice");
        let bare = tagged(&pgn, Policy::Strip);
        assert!(tagged(&once, Policy::Strip) == bare, "{name}: stripped");
        let verdicts = |pgn: &[u8]| {
            let mut verdicts = Vec::new();
            for_each_game(pgn, |_, _, verdict| verdicts.push(verdict));
            verdicts
        };
        let before = verdicts(&pgn);
        assert!(before == verdicts(&once), "{name}: verdicts");
        assert!(before == verdicts(&bare), "{name}: verdicts without tags");
        println!("{name}: {} games", before.len());
    }
}

#[test]
fn workers_split_a_stream_as_one_look_does() {
    let Some(folder) = games_folder() else { return };
    for path in all_files(&folder) {
        let pgn = unpacked(&path);
        let mut expected = Vec::new();
        for block in Chunks::new(&pgn[..], BlockOptions::default()).blocks() {
            expected.extend(block.unwrap().games().map(|game| (game.number(), game.bytes().len())));
        }
        for (block_size, threads) in [(5000, 1), (60_000, 2), (60_000, 5), (1 << 20, 2)] {
            let options = BlockOptions { block_size, ..BlockOptions::default() };
            let (mut read, mut games) = (Vec::new(), Vec::new());
            let Ok(()) = Workers::new(NonZeroUsize::new(threads).unwrap()).run(
                |push| Chunks::new(&pgn[..], options).try_for_each(|chunk| push(chunk.unwrap())),
                Chunk::into_block,
                |block| {
                    read.extend_from_slice(block.bytes());
                    games.extend(block.games().map(|game| (game.number(), game.bytes().len())));
                    Ok::<(), Infallible>(())
                },
            );
            let name = path.display();
            let case = format!("{name} in chunks of {block_size} bytes, {threads} threads");
            assert!(read == pgn, "{case}: bytes");
            assert!(games == expected, "{case}: games");
        }
    }
}

#[test]
fn usual_real_games_are_tagged_as_the_obvious_version_does() {
    let Some(folder) = games_folder() else { return };
    let tagger = Tagger::new(Classifier::new(Catalogue::builtin()), TagOptions::default());
    for name in ["otb", "lichess"] {
        let pgn = unpacked(&folder.join(format!("{name}.pgn.zst")));
        let mut usual = 0_u64;
        for block in Chunks::new(&pgn[..], BlockOptions::default()).blocks() {
            for game in block.unwrap().games() {
                let bytes = game.bytes();
                let tagged = tagger.tag_game(&game);
                let named = tagged.plan.named();
                let lines = bytes.split(|b| *b == b'\n').take_while(|line| line.starts_with(b"["));
                // The obvious version writes UTF-8, and knows no gaps between tags.
                let is_usual =
                    lines.count() == game.tags().count() && str::from_utf8(bytes).is_ok();
                let Some(named) = named.filter(|_| is_usual) else { continue };
                usual += 1;
                let opening = named.opening();
                let code = opening.eco().map(EcoCode::base);
                let expected = plain::set(bytes, &plain::wanted(code, Some(opening.name())));
                assert!(tagged.bytes == expected, "{name}: game {}", game.number());
            }
        }
        println!("{name}: {usual} usual games alike");
        assert!(usual > 9_000, "{name}: {usual} usual games");
    }
}

#[test]
fn a_real_repertoire_is_read_and_written_whole() {
    let Some(folder) = games_folder() else { return };
    let pgn = unpacked(&folder.join("odd/repertoire-variations.pgn"));
    let (book, chapters) = prepared(&pgn);
    let faults: Vec<String> =
        chapters.iter().flat_map(|chapter| &chapter.faults).map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "game 32: move 10. Ne6: illegal",
            "game 33: move 13... Nf6: ambiguous",
            "game 67: move 10... Nb6: illegal",
        ]
    );
    // As python-chess finds them, with its own tree of positions.
    let moves: usize = chapters.iter().map(|chapter| chapter.moves).sum();
    assert_eq!((chapters.len(), moves, book.len()), (81, 3609, 3031));
    assert_eq!(figures(&book), [3041, 113, 109]);
    let limits = ChapterLimits { max_moves: 250, ..ChapterLimits::default() };
    for layout in [PgnLayout::Whole, PgnLayout::Chapters(limits)] {
        let written = book.to_pgn("Real", layout).unwrap();
        let (back, chapters) = prepared(written.as_bytes());
        assert!(chapters.iter().all(|chapter| chapter.faults.is_empty()), "{layout:?}");
        assert_eq!((back.len(), figures(&back)), (book.len(), figures(&book)), "{layout:?}");
        println!("{} chapters written", chapters.len());
    }
}

/// All prepared games of a PGN.
fn prepared(pgn: &[u8]) -> (Book, Vec<Chapter>) {
    let mut book = Book::new(Color::White, BookRule::default());
    let mut chapters = Vec::new();
    for block in Chunks::new(pgn, BlockOptions::default()).blocks() {
        chapters.extend(block.unwrap().games().map(|game| book.add_chapter(&game)));
    }
    (book, chapters)
}

/// How many moves, glyphs and comments a book has.
fn figures(book: &Book) -> [usize; 3] {
    let mut figures = [0; 3];
    for id in book.ids() {
        for edge in book.moves(id) {
            let notes = &edge.prepared().unwrap().notes;
            let nags: BTreeSet<u8> = notes.iter().flat_map(|note| note.nags.clone()).collect();
            let comments: BTreeSet<&str> = notes.iter().map(|note| note.comment.as_str()).collect();
            figures[0] += 1;
            figures[1] += nags.len();
            figures[2] += comments.iter().filter(|comment| !comment.is_empty()).count();
        }
    }
    figures
}
