//! A written book is read back unchanged.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::catalogue::Catalogue;
use crate::chess::{Color, Position, UciMove, read_fen, read_move};
use crate::pgn::plain::read_plainly;
use crate::pgn::{BlockOptions, Chunks, Game, Item, Token};
use crate::repertoire::{BookRule, NodeId, Note, Prepared};

/// Moves that are often legal, so that lines repeat positions and transpose.
const WORDS: [&str; 14] =
    ["e4", "e5", "d4", "d5", "Nf3", "Nf6", "Nc3", "Nc6", "Ng1", "Ng8", "Nb1", "Nb8", "exd5", "O-O"];

const COMMENTS: [&str; 10] = [
    "good",
    "two lines:\nthis one\n\n  and, after a blank one, the last\n[%cal Ge2e4]",
    "no\n  * result, no (\nmove 1. e4 nor $1",
    "a } brace { and another }",
    "[%cal Ge2e4,Rd2d4] [%csl Ge4] with arrows",
    "see [Event \"x\"] and [White \"y\"] and % and 1. e4 * and (this)",
    "a comment that is much longer than a line of eighty columns has room for, and stays one \
     line: with [a bracket] and [%clk 0:01:02] and ; and %eval",
    "Grünfeld – ∞",
    "*",
    "}",
];

fn empty(color: Color) -> Book {
    Book::new(color, BookRule::default())
}

/// Prepares the words that can be played, as moves from a position, and adds notes by the numbers
/// with them.
fn prepare(book: &mut Book, start: &Chess, words: &[(&str, u8)]) {
    if !words.iter().any(|(word, _)| read_move(start, word.as_bytes()).is_ok()) {
        return;
    }
    let mut position = start.clone();
    let mut id = book.add_root(&PositionKey::from(start));
    for (word, note) in words {
        let Ok(m) = read_move(&position, word.as_bytes()) else { continue };
        let to = book.prepare_move(id, &position, m);
        if let Some(note) = some_note(*note) {
            note.merge_into(book.move_notes_mut(id, UciMove::from_move(m)).unwrap());
        }
        position.play_unchecked(m);
        id = to;
    }
}

fn some_note(number: u8) -> Option<Note> {
    let comment = COMMENTS.get(usize::from(number % 32)).copied().unwrap_or_default();
    let nags = if number.is_multiple_of(3) { vec![1 + number % 7] } else { Vec::new() };
    let source = format!("source {}", number % 2);
    (!comment.is_empty() || !nags.is_empty()).then(|| Note {
        source,
        nags,
        comment: comment.to_owned(),
    })
}

fn read(pgn: &str) -> Book {
    let mut book = empty(Color::White);
    for block in Chunks::new(pgn.as_bytes(), BlockOptions::default()).blocks() {
        for game in block.unwrap().games() {
            let chapter = book.add_chapter(&game);
            assert_eq!(chapter.faults, [], "in {pgn}");
        }
    }
    book
}

/// `pgn-reader` reads the main lines that we read.
fn is_read_alike(pgn: &str) {
    for block in Chunks::new(pgn.as_bytes(), BlockOptions::default()).blocks() {
        for game in block.unwrap().games() {
            let plain = read_plainly(game.bytes());
            let main_line = game.tags().into_main_line();
            let count = main_line.filter(|token| matches!(token, Token::Move(_))).count();
            assert_eq!((plain.moves.len(), plain.fault), (count, None), "in {pgn}");
        }
    }
}

/// A position that a line of a PGN comes to.
struct Visit {
    position: Chess,
    has_pointer: bool,
    goes_on: bool,
}

impl Visit {
    fn of(position: Chess) -> Self {
        Self { position, has_pointer: false, goes_on: false }
    }

    fn key(&self) -> PositionKey {
        PositionKey::from(&self.position)
    }
}

/// The positions of a game, each once for each line that comes there.
fn visits(game: &Game<'_>) -> Vec<Visit> {
    let tags = game.tags();
    let fen = tags.clone().find(|tag| tag.name == b"FEN").map(|tag| tag.value().into_owned());
    let start = fen.map_or_else(Chess::default, |fen| read_fen(&fen).unwrap());
    let mut visits = vec![Visit::of(start)];
    // Of each open line, the positions before and after its last move.
    let mut lines = vec![(0, 0)];
    for item in tags.into_movetext() {
        let (before, at) = *lines.last().unwrap();
        match item {
            Item::Move(word) => {
                let mut position = visits[at].position.clone();
                position.play_unchecked(read_move(&position, word).unwrap());
                visits[at].goes_on = true;
                *lines.last_mut().unwrap() = (at, visits.len());
                visits.push(Visit::of(position));
            }
            Item::Comment(text) => {
                visits[at].has_pointer |= text.starts_with(b"[%eco transposes to ");
            }
            Item::Open => lines.push((before, before)),
            Item::Close => drop(lines.pop()),
            _ => {}
        }
    }
    visits
}

/// A pointer stands where a line ends and its position goes on in another place. In a book that is
/// one game it stands wherever that is so; the start of a game has no move that it could follow.
fn pointers_stand_where_lines_go_on_elsewhere(pgn: &str, whole: Option<&Book>) {
    let blocks = Chunks::new(pgn.as_bytes(), BlockOptions::default()).blocks();
    let blocks: Vec<_> = blocks.map(Result::unwrap).collect();
    let games: Vec<Vec<Visit>> =
        blocks.iter().flat_map(|block| block.games().map(|game| visits(&game))).collect();
    let written: Vec<PositionKey> =
        games.iter().flatten().filter(|visit| visit.goes_on).map(Visit::key).collect();
    for visit in games.iter().flat_map(|visits| &visits[1..]) {
        let (key, ends) = (visit.key(), !visit.goes_on);
        assert!(!visit.has_pointer || ends && written.contains(&key), "at {key} in {pgn}");
        if let Some(book) = whole {
            let ends_early = ends && !book.shown_moves(book.find(&key).unwrap()).is_empty();
            assert_eq!(visit.has_pointer, ends_early, "at {key} in {pgn}");
        }
    }
}

/// Remarks, regardless of their source.
type Remarks = (Vec<u8>, Vec<String>);

fn remarks(notes: &[Note]) -> Remarks {
    let mut nags: Vec<u8> = notes.iter().flat_map(|note| note.nags.clone()).collect();
    nags.sort_unstable();
    nags.dedup();
    let mut comments: Vec<String> = Vec::new();
    for comment in notes.iter().map(|note| &note.comment).filter(|comment| !comment.is_empty()) {
        if !comments.contains(comment) {
            comments.push(comment.clone());
        }
    }
    (nags, comments)
}

/// Every position with its remarks, and its moves in order with theirs.
type Graph = BTreeMap<PositionKey, (Remarks, Vec<(UciMove, PositionKey, Remarks)>)>;

fn graph(book: &Book) -> Graph {
    let moves = |id: NodeId| {
        let moves = book.shown_moves(id).into_iter();
        let prepared_remarks =
            |prepared: Option<&Prepared>| remarks(prepared.map_or(&[], |p| &p.notes));
        let remarked =
            moves.map(|e| (e.uci, book.node(e.to).key, prepared_remarks(e.prepared.as_ref())));
        remarked.collect()
    };
    let node = |id| (book.node(id).key, (remarks(&book.node(id).notes), moves(id)));
    book.ids().map(node).collect()
}

fn roots(book: &Book) -> Vec<PositionKey> {
    book.roots().iter().map(|root| book.node(*root).key).collect()
}

fn edge_count(book: &Book) -> usize {
    book.ids().map(|id| book.shown_moves(id).len()).sum()
}

/// The number of moves in each game of a PGN, with those of its variations.
fn move_counts(pgn: &str) -> Vec<usize> {
    let mut counts = Vec::new();
    for block in Chunks::new(pgn.as_bytes(), BlockOptions::default()).blocks() {
        for game in block.unwrap().games() {
            let items = game.tags().into_movetext();
            counts.push(items.filter(|item| matches!(item, Item::Move(_))).count());
        }
    }
    counts
}

fn open_game() -> Chess {
    read_fen(b"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2").unwrap()
}

fn ending() -> Chess {
    read_fen(b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 60").unwrap()
}

/// Where a line begins, its words, and with each the number of a note.
type Line = (usize, Vec<(&'static str, u8)>);

fn some_line() -> impl Strategy<Value = Line> {
    let word = (prop::sample::select(&WORDS[..]), any::<u8>());
    (0..12_usize, prop::collection::vec(word, 1..24))
}

fn book_of(lines: &[Line]) -> Book {
    let mut book = empty(Color::White);
    for (start, words) in lines {
        let start = match start {
            0 => open_game(),
            1 => ending(),
            _ => Chess::default(),
        };
        prepare(&mut book, &start, words);
    }
    for (place, root) in book.roots().to_vec().into_iter().enumerate() {
        let note = some_note(words_sum(lines).wrapping_add(place as u8));
        note.into_iter().for_each(|note| note.merge_into(&mut book.node_mut(root).notes));
    }
    book
}

fn words_sum(lines: &[Line]) -> u8 {
    lines.iter().flat_map(|(_, words)| words).fold(0, |sum, (_, number)| sum ^ number)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_book_is_read_back_from_one_game(lines in prop::collection::vec(some_line(), 1..12)) {
        let book = book_of(&lines);
        let pgn = book.to_pgn("Test", PgnLayout::Whole).unwrap();
        let back = read(&pgn);
        prop_assert_eq!(graph(&back), graph(&book), "{}", pgn);
        let (roots, of) = (roots(&back), roots(&book));
        prop_assert_eq!(roots.first(), of.first(), "{}", pgn);
        prop_assert!(roots.iter().all(|root| of.contains(root)), "{}", pgn);
        prop_assert_eq!(move_counts(&pgn).iter().sum::<usize>(), edge_count(&book), "{}", pgn);
        is_read_alike(&pgn);
        pointers_stand_where_lines_go_on_elsewhere(&pgn, Some(&book));
        let again = back.to_pgn("Test", PgnLayout::Whole).unwrap();
        prop_assert_eq!(again, pgn);
    }

    #[test]
    fn a_book_is_read_back_from_chapters(
        lines in prop::collection::vec(some_line(), 1..12),
        max_moves in 1..60_usize,
    ) {
        let book = book_of(&lines);
        let limits = ChapterLimits { max_chapters: 1000, max_moves };
        let pgn = book.to_pgn("Test", PgnLayout::Chapters(limits)).unwrap();
        let back = read(&pgn);
        prop_assert_eq!(graph(&back), graph(&book), "{}", pgn);
        pointers_stand_where_lines_go_on_elsewhere(&pgn, None);
        let counts = move_counts(&pgn);
        prop_assert!(counts.iter().all(|count| *count <= max_moves), "{counts:?} moves in {pgn}");
        let needed = counts.len();
        prop_assume!(needed > 0);
        let limits = ChapterLimits { max_chapters: needed - 1, max_moves };
        let refused = book.to_pgn("Test", PgnLayout::Chapters(limits));
        prop_assert_eq!(refused, Err(TooManyChapters { needed, allowed: needed - 1 }));
    }

    #[test]
    fn a_book_is_read_back_from_chapters_by_openings(
        lines in prop::collection::vec(some_line(), 1..40),
        max_moves in 20..60_usize,
        max_chapters in 1..20_usize,
    ) {
        let book = book_of(&lines);
        let Ok(pgn) = study(&book, ChapterLimits { max_chapters, max_moves }) else {
            return Ok(());
        };
        prop_assert_eq!(graph(&read(&pgn)), graph(&book), "{}", pgn);
        pointers_stand_where_lines_go_on_elsewhere(&pgn, None);
        let counts = move_counts(&pgn);
        prop_assert!(counts.iter().all(|count| *count <= max_moves), "{counts:?} moves in {pgn}");
        prop_assert!(counts.len() <= max_chapters);
        let mut names = chapter_names(&pgn);
        prop_assert!(names.iter().all(|name| name.chars().count() <= 80), "{names:?}");
        names.sort_unstable();
        names.dedup();
        prop_assert_eq!(names.len(), counts.len(), "{}", pgn);
    }
}

/// A book as a study whose chapters are cut by openings.
fn study(book: &Book, limits: ChapterLimits) -> Result<String, TooManyChapters> {
    let options = ExtractOptions { mistakes: true, ..ExtractOptions::default() };
    let extract = Extract::new(book, options, Some(Catalogue::builtin()));
    extract.to_pgn("Test", PgnLayout::Chapters(limits))
}

fn chapter_names(pgn: &str) -> Vec<&str> {
    let names = pgn.lines().filter_map(|line| line.strip_prefix("[ChapterName \""));
    names.filter_map(|name| name.strip_suffix("\"]")).collect()
}

fn chapter_names_of(book: &Book, limits: ChapterLimits) -> Vec<String> {
    let pgn = study(book, limits).unwrap();
    chapter_names(&pgn).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_study_has_a_chapter_for_each_opening_that_is_large_enough() {
    let najdorf = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6";
    let mut book = empty(Color::White);
    for line in [
        &format!("{najdorf} 6. Be3 e5 7. Nb3 Be6 8. f3 Be7 9. Qd2 O-O 10. O-O-O Nbd7"),
        &format!("{najdorf} 6. Bg5 e6 7. f4 Be7 8. Qf3 Qc7 9. O-O-O Nbd7 10. g4 b5"),
        "1. e4 e6 2. d4 d5 3. exd5 exd5 4. Nf3 Nf6 5. Bd3 Bd6 6. O-O O-O 7. Bg5 Bg4",
        "1. e4 c6 2. d4 d5 3. exd5 cxd5 4. Bd3 Nc6 5. c3 Nf6 6. Bf4 Bg4 7. Qb3 Qd7",
        "1. e4 Nf6 2. e5 Nd5 3. d4",
        "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5",
    ] {
        book.prepare(line).unwrap();
    }
    let pgn = study(&book, ChapterLimits::default()).unwrap();
    let names = [
        "Najdorf",
        "French: Exchange",
        "Caro-Kann: Exchange, Rubinstein Variation",
        "King's Pawn Game",
    ];
    assert_eq!(chapter_names(&pgn), names);
    // A chapter has the moves that lead to its lines; what is said of them is in the first.
    assert!(pgn.contains("\n1. e4 e6 2. d4 d5 3. exd5"), "{pgn}");
    assert!(pgn.contains("1. e4 Nf6 (1... d5 2. exd5 Qxd5 3. Nc3 Qa5) 2. e5 Nd5 3. d4 *"), "{pgn}");
    // Of many moves, variations have chapters.
    let limits = ChapterLimits { max_moves: 25, ..ChapterLimits::default() };
    let names = chapter_names_of(&book, limits);
    assert_eq!(names[..2], ["Najdorf: English Attack", "Najdorf: Main Line"]);
    let limits = ChapterLimits { max_chapters: 3, ..ChapterLimits::default() };
    let names = chapter_names_of(&book, limits);
    assert_eq!(names, ["Najdorf", "French: Exchange", "King's Pawn Game"]);
    assert_eq!(chapter_names_of(&book, ChapterLimits { max_chapters: 1, ..limits }), ["Test"]);
}

#[test]
fn an_export_that_is_read_is_exported_as_the_same_bytes() {
    for (comments, written) in [
        (&["{1-0\n\n [Event \"x\"]}"][..], "1. e4 {1-0 [Event \"x\"]} 1... e5 *\n"),
        (&["{a\n\n\n%b\n\n[c \"d\"]\n\ne}"], "1. e4 {a %b [c \"d\"]\n\ne} 1... e5 *\n"),
        // Two comments that are written alike are one.
        (
            &["{a\n [c \"d\"]}", "{a [c \"d\"]}", "{a\n\n[c \"d\"]}"],
            "1. e4 {a [c \"d\"]} 1... e5 *\n",
        ),
        (&["; a } b\n", ";a  }  b\n"], "1. e4\n; a } b\n1... e5 *\n"),
        (&["{[%eco [%eco transposes to x]transposes to y] a}"], "1. e4 {a} 1... e5 *\n"),
        (&["; [%eco  transposes } to] a\n"], "1. e4 {a} 1... e5 *\n"),
    ] {
        let mut book = empty(Color::White);
        for (number, comment) in comments.iter().enumerate() {
            let game = format!("[Event \"{number}\"]\n\n1. e4 {comment} e5 *");
            book.add_chapter(&Game::from_bytes(game.as_bytes()));
        }
        let pgn = book.to_pgn("Test", PgnLayout::Whole).unwrap();
        let movetext = pgn.split_once("\n\n").map(|(_, text)| text);
        assert_eq!(movetext, Some(written), "for {comments:?}");
        assert_eq!(read(&pgn).to_pgn("Test", PgnLayout::Whole).unwrap(), pgn);
    }
}

fn movetext(lines: &[&str], layout: PgnLayout) -> Vec<String> {
    let mut book = empty(Color::White);
    for line in lines {
        book.prepare(line).unwrap();
    }
    let pgn = book.to_pgn("Test", layout).unwrap();
    pgn.split("\n\n").skip(1).step_by(2).map(|text| text.trim_end().replace('\n', " ")).collect()
}

#[test]
fn main_lines_are_written_out_and_others_point_to_them() {
    for (lines, expected) in [
        (&["1. e4 e5 2. Nf3", "1. e4 c5"][..], "1. e4 e5 (1... c5) 2. Nf3 *"),
        (
            &["1. e4 c5", "1. e4 e5 2. Nf3 Nc6", "1. e4 e5 2. Nc3", "1. d4"],
            "1. e4 (1. d4) 1... c5 (1... e5 2. Nf3 (2. Nc3) 2... Nc6) *",
        ),
        // The main line reaches a position after a variation in the text does, and has it.
        (
            &["1. d4 d5 2. e4 dxe4", "1. e4 d5 2. d4 Nc6"],
            "1. d4 (1. e4 d5 2. d4 {[%eco transposes to 1. d4 d5 2. e4]}) 1... d5 2. e4 dxe4 (2... Nc6) *",
        ),
        // In a cycle, the start is a position like others.
        (&["1. Nf3 Nf6 2. Ng1 Ng8"], "1. Nf3 Nf6 2. Ng1 Ng8 {[%eco transposes to the start]} *"),
        // Where nothing follows there is nothing to point to.
        (&["1. e4 e5 2. d4", "1. d4 e5 2. e4"], "1. e4 (1. d4 e5 2. e4) 1... e5 2. d4 *"),
    ] {
        assert_eq!(movetext(lines, PgnLayout::Whole), [expected], "for {lines:?}");
    }
}

#[test]
fn chapters_part_where_lines_part() {
    let lines =
        ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6", "1. e4 c5 2. Nf3 d6", "1. e4 c5 2. d4 cxd4"];
    let limits = ChapterLimits { max_moves: 9, ..ChapterLimits::default() };
    assert_eq!(
        movetext(&lines, PgnLayout::Chapters(limits)),
        ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *", "1. e4 c5 2. Nf3 (2. d4 cxd4) 2... d6 *"]
    );
    let limits = ChapterLimits { max_moves: 4, ..limits };
    assert_eq!(
        movetext(&lines, PgnLayout::Chapters(limits)),
        [
            "1. e4 e5 2. Nf3 Nc6 *",
            "3. Bb5 a6 4. Ba4 Nf6 *",
            "1. e4 c5 2. Nf3 d6 *",
            "1. e4 c5 2. d4 cxd4 *"
        ]
    );
}

#[test]
fn the_tags_are_those_of_a_study() {
    let mut book = empty(Color::Black);
    prepare(&mut book, &Chess::default(), &[("e4", 255), ("e5", 255)]);
    prepare(&mut book, &ending(), &[("e4", 255)]);
    // A line that begins where another line leads is part of that line.
    prepare(&mut book, &open_game(), &[("Nf3", 255)]);
    let pgn = book.to_pgn("My \"lines\"\n", PgnLayout::Chapters(ChapterLimits::default())).unwrap();
    assert_eq!(
        pgn,
        r#"[Event "My \"lines\" "]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]
[Orientation "black"]
[StudyName "My \"lines\" "]
[ChapterName "My \"lines\" "]

1. e4 $4 e5 $4 2. Nf3 $4 *

[Event "My \"lines\" "]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[Orientation "black"]
[StudyName "My \"lines\" "]
[ChapterName "My \"lines\"  (2)"]

1. e4 $4 *
"#
    );
}

#[test]
fn lines_stay_under_80_columns() {
    let words: Vec<_> =
        (0..60).map(|n| (["Nf3", "Nf6", "Ng1", "Ng8", "e4", "e5"][n % 6], n as u8)).collect();
    let mut book = empty(Color::White);
    prepare(&mut book, &Chess::default(), &words);
    let pgn = book.to_pgn("Test", PgnLayout::Whole).unwrap();
    // A comment has the lines that it has.
    let is_long = |line: &&str| line.chars().count() > 79 && !line.starts_with('{');
    let long: Vec<_> = pgn.lines().filter(is_long).collect();
    assert_eq!(long, [""; 0]);
}

#[test]
fn an_empty_book_is_no_game() {
    let mut book = empty(Color::White);
    assert_eq!(book.to_pgn("Test", PgnLayout::Whole).unwrap(), "");
    book.add_root(&PositionKey::from(&ending()));
    assert_eq!(book.to_pgn("Test", PgnLayout::Whole).unwrap(), "");
}

#[test]
fn a_line_without_end_is_written_without_stack() {
    let mut book = empty(Color::White);
    let mut text = String::new();
    // Pawn moves in between, so that no position comes twice.
    for pawn in ["a3 a6", "a4 a5", "b3 b6", "b4 bxa4", "c3 c6", "c4 c5"] {
        for _ in 0..10 {
            text.push_str("Nf3 Nf6 Ng1 Ng8 ");
        }
        text.push_str(pawn);
        text.push(' ');
    }
    book.add_chapter(&Game::from_bytes(text.as_bytes()));
    let pgn = book.to_pgn("Test", PgnLayout::Whole).unwrap();
    assert_eq!(graph(&read(&pgn)), graph(&book));
}
