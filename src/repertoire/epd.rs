//! A book as lines of EPD, which engines and their testers read: a position, `bm` with its own
//! moves, the main one first, and `am` with its mistakes.
//!
//! `id` is the name of the opening; `c0` to `c9` are comments, those of the position first, then
//! those of moves, which begin with the move: `Nf3! the best`. A tenth and all further comments
//! share `c9`. Where lines begin with other counters than those of the initial position, `hmvc` and
//! `fmvn` have them. EPD has no place for the sources of notes or for moves of the opponent.
//!
//! Reading takes `bm` as prepared moves, `am` as mistakes, and comments as notes of the position.
//! It forgives blank lines, comments with `#`, and lines in any order; a line or a move that cannot
//! be read is reported and left out.

use std::io::{self, Write};

use super::note::MISTAKE;
use super::{Book, BookRule, Extract, ExtractMove, MoveCounters, NodeId, Note, book::key_after};
use crate::chess::epd::{EpdFault, Operation};
use crate::chess::{
    Color, Epd, Fen, FenFault, MoveFault, Position, PositionKey, UciMove, read_move,
};
use crate::pgn::{decode_text, nag_glyph};

/// The number of comments with an operation of their own.
const COMMENTS: usize = 10;

const IS_OPCODE: &str = "these are opcodes, and all text can be quoted";

/// Writes a line for each position of the extract in which it is one's own turn and there is a move
/// or a mistake.
///
/// # Errors
///
/// Those of `out`.
pub fn write_epd(extract: &Extract<'_>, out: &mut impl Write) -> io::Result<()> {
    for id in extract.positions().filter(|id| extract.book.is_own_turn(*id)) {
        let (choices, mistakes) = (extract.moves(id), extract.mistakes(id));
        if !choices.is_empty() || !mistakes.is_empty() {
            writeln!(out, "{}", epd(extract, id, choices, mistakes))?;
        }
    }
    Ok(())
}

fn epd<'b>(
    extract: &Extract<'b>,
    id: NodeId,
    mut moves: Vec<ExtractMove<'b>>,
    mistakes: Vec<ExtractMove<'b>>,
) -> Epd {
    let node = extract.book.node(id);
    let mut epd = Epd::new(Fen::from(&node.key));
    for (opcode, moves) in [("bm", &moves), ("am", &mistakes)] {
        let sans: Vec<&str> = moves.iter().map(|choice| choice.san.as_str()).collect();
        if !sans.is_empty() {
            let operation = Operation::new(opcode, &sans.join(" "));
            epd.set(operation.expect("SAN has no quotes and semicolons"));
        }
    }
    if let Some(opening) = extract.opening(id) {
        epd.set(Operation::quoted("id", opening.name()).expect(IS_OPCODE));
    }
    let counters = extract.book.counters(id);
    if counters != MoveCounters::default() {
        for (opcode, count) in [("hmvc", counters.halfmoves), ("fmvn", counters.fullmoves.get())] {
            epd.set(Operation::new(opcode, &count.to_string()).expect(IS_OPCODE));
        }
    }
    moves.extend(mistakes);
    for (index, comment) in comments(&node.notes, &moves).iter().enumerate() {
        epd.set(Operation::quoted(&format!("c{index}"), comment).expect(IS_OPCODE));
    }
    epd
}

/// The notes on a position and its moves, in at most ten texts.
fn comments(notes: &[Note], choices: &[ExtractMove<'_>]) -> Vec<String> {
    let of_position = notes.iter().filter_map(|note| note_text("", note));
    let of_moves = choices.iter().flat_map(|choice| {
        choice.edge.notes().iter().filter_map(|note| note_text(&choice.san, note))
    });
    let mut comments: Vec<String> = of_position.chain(of_moves).collect();
    if comments.len() > COMMENTS {
        let rest = comments.split_off(COMMENTS - 1).join(" / ");
        comments.push(rest);
    }
    comments
}

fn note_text(san: &str, note: &Note) -> Option<String> {
    let glyphs: String = note.nags.iter().map(|nag| nag_glyph(*nag)).collect();
    // An EPD is one line.
    let words: Vec<&str> = note.comment.split_whitespace().collect();
    let is_said = !glyphs.is_empty() || !words.is_empty();
    let subject = format!("{san}{glyphs}");
    let subject = Some(subject.as_str()).filter(|subject| !subject.is_empty());
    is_said.then(|| subject.into_iter().chain(words).collect::<Vec<_>>().join(" "))
}

/// What was read of lines of EPD.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EpdReading {
    /// The moves, prepared. Its lines begin with the positions to which no move leads.
    pub book: Book,
    /// What could not be read.
    pub faults: Vec<EpdLineFault>,
}

/// What is wrong with a line of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
#[non_exhaustive]
pub struct EpdLineFault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: EpdLineReason,
}

/// Why a line, or a move of it, was left out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpdLineReason {
    /// It is not an EPD.
    #[error(transparent)]
    Epd(#[from] EpdFault),
    /// Its position is illegal.
    #[error(transparent)]
    Position(#[from] FenFault),
    /// It has neither `bm` nor `am`.
    #[error("there is no bm, which would have the moves")]
    NoMoves,
    /// A move of `bm` or `am` cannot be played.
    #[error("{opcode} {word}: {fault}")]
    Move {
        /// `bm` or `am`.
        opcode: &'static str,
        /// The move as written.
        word: String,
        /// Why not.
        fault: MoveFault,
    },
}

/// Reads lines of EPD as a book for a side.
///
/// EPD has no moves of the opponent. So where a move of the book leads to a position the file does
/// not have, all legal moves that lead to one count as prepared.
///
/// ```
/// use eco::{chess::Color, repertoire::read_epd};
///
/// let text = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4;";
/// let reading = read_epd(text, Color::White);
/// let root = reading.book.roots()[0];
/// assert_eq!(reading.book.moves(root).len(), 2);
/// assert_eq!(reading.faults, []);
/// ```
pub fn read_epd(text: &[u8], color: Color) -> EpdReading {
    let mut book = Book::new(color, BookRule::default());
    let mut faults = Vec::new();
    for (line, bytes) in (1..).zip(text.split(|byte| *byte == b'\n')) {
        let text = decode_text(bytes);
        if text.trim().is_empty() || text.starts_with('#') {
            continue;
        }
        let mut fault = |reason| faults.push(EpdLineFault { line, reason });
        if let Err(reason) = add_line(&mut book, text.trim(), &mut fault) {
            fault(reason);
        }
    }
    link(&mut book);
    book.add_roots();
    EpdReading { book, faults }
}

fn add_line(
    book: &mut Book,
    line: &str,
    fault: &mut impl FnMut(EpdLineReason),
) -> Result<(), EpdLineReason> {
    let epd: Epd = line.parse()?;
    let position = epd.fen().to_position()?;
    let [best, avoided] = ["bm", "am"].map(|opcode| epd.operation(opcode));
    if best.is_none() && avoided.is_none() {
        return Err(EpdLineReason::NoMoves);
    }
    let key = PositionKey::from(&position);
    let id = book.add_position(&key);
    book.set_counters(&key, MoveCounters::of(&position));
    let best = best.iter().flat_map(|best| best.operands()).map(|word| ("bm", word));
    let avoided = avoided.iter().flat_map(|avoided| avoided.operands()).map(|word| ("am", word));
    for (opcode, word) in best.chain(avoided) {
        match read_move(&position, word.as_bytes()) {
            Ok(m) => {
                let to = book.add_position(&key_after(&position, m));
                let notes = book.prepare_edge(id, UciMove::from_move(m), to);
                notes.extend((opcode == "am").then(|| Note::of_nag("", MISTAKE)));
            }
            Err(fault_of_move) => {
                let word = word.into_owned();
                fault(EpdLineReason::Move { opcode, word, fault: fault_of_move });
            }
        }
    }
    let comments = (0..COMMENTS).filter_map(|index| epd.operation(&format!("c{index}")));
    let texts = comments.map(|comment| comment.text().into_owned());
    let notes = texts.map(|comment| Note { comment, ..Note::default() });
    book.node_mut(id).notes.extend(notes);
    Ok(())
}

/// Prepares the moves of the opponent that lead from one position of the book to another.
fn link(book: &mut Book) {
    for id in book.ids() {
        if book.is_own_turn(id) || !book.node(id).edges.is_empty() {
            continue;
        }
        let Ok(position) = book.node(id).key.to_position() else { continue };
        let leads_on = |book: &Book, m| {
            let to = book.find(&key_after(&position, m));
            to.is_some_and(|to| !book.node(to).edges.is_empty())
        };
        for m in position.legal_moves() {
            if leads_on(book, m) {
                book.prepare_move(id, &position, m);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        catalogue::Catalogue,
        repertoire::{ExtractOptions, ShortestLines, tests::random},
    };

    fn written(book: &Book, catalogue: Option<&Catalogue>) -> String {
        let mut out = Vec::new();
        write_epd(&Extract::new(book, ExtractOptions::default(), catalogue), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn note(nags: &[u8], comment: &str) -> Note {
        Note { source: "a".to_owned(), nags: nags.to_vec(), comment: comment.to_owned() }
    }

    #[test]
    fn lines_have_moves_names_and_comments() {
        let mut book = Book::new(Color::Black, BookRule::default());
        book.prepare("1. e4 c5 2. Nf3 d6").unwrap();
        book.prepare("1. e4 e5").unwrap();
        let root = book.roots()[0];
        let e4 = book.moves(root)[0].to;
        book.node_mut(e4).notes = vec![note(&[], "say \"e4\"; so\nwhat")];
        let notes = vec![note(&[1, 14], ""), note(&[], "sharp"), note(&[], " ")];
        book.node_mut(e4).edges[0].prepared.as_mut().unwrap().notes = notes;
        assert_eq!(
            written(&book, Some(Catalogue::builtin())),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm c5 e5; id \"King's Pawn Game\"; \
             c0 \"say \\\"e4\\\"; so what\"; c1 \"c5!+=\"; c2 \"c5 sharp\";\n\
             rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - bm d6; id \"Sicilian Defense\";\n"
        );
    }

    #[test]
    fn what_is_said_beyond_ten_comments_shares_the_last() {
        let mut book = Book::new(Color::White, BookRule::default());
        book.prepare("1. e4").unwrap();
        let root = book.roots()[0];
        book.node_mut(root).notes = (0..12).map(|n| note(&[], &n.to_string())).collect();
        assert!(written(&book, None).ends_with(" c8 \"8\"; c9 \"9 / 10 / 11\";\n"));
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_line() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let text = format!(
            "# a comment\n\n{start} bm e4 Nf6 x;\r\n8/8/8/8/8/8/8/8 w - - bm e4;\n{start} id \"x\";\n\
             {start} bm \"e4;\n{start} c0 \"open\"; bm d4;"
        );
        let reading = read_epd(text.as_bytes(), Color::White);
        let faults: Vec<String> = reading.faults.iter().map(ToString::to_string).collect();
        let [nf6, x, empty, id, quote] = &faults[..] else { panic!("{faults:?}") };
        assert_eq!(nf6, "line 3: bm Nf6: illegal");
        assert_eq!(x, "line 3: bm x: not a move");
        assert!(empty.starts_with("line 4: "), "{empty}");
        assert_eq!(id, "line 5: there is no bm, which would have the moves");
        assert!(quote.ends_with("this quote is never closed"), "{quote}");
        let root = reading.book.roots()[0];
        assert_eq!(reading.book.moves(root).len(), 2);
        assert_eq!(reading.book.node(root).notes[0].comment, "open");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn own_moves_come_back(book in random::book()) {
            let reading = read_epd(written(&book, None).as_bytes(), book.color());
            prop_assert_eq!(&reading.faults, &[]);
            let lines = ShortestLines::of(&book);
            for id in lines.reached.iter().copied().filter(|id| book.is_own_turn(*id)) {
                let moves = random::moves(&book, id);
                let found = reading.book.find(&book.node(id).key);
                let found = found.map(|found| random::moves(&reading.book, found));
                prop_assert_eq!(found.unwrap_or_default(), moves);
            }
            let again = read_epd(written(&reading.book, None).as_bytes(), book.color());
            prop_assert_eq!(again.book.len(), reading.book.len());
        }

        #[test]
        fn no_lines_are_too_bad(bytes in prop::collection::vec(any::<u8>(), 0..200), line in ".{0,60}") {
            let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm ";
            let text = [&bytes[..], b"\n", start.as_bytes(), line.as_bytes()].concat();
            let reading = read_epd(&text, Color::White);
            written(&reading.book, None);
        }
    }
}
