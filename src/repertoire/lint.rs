//! What looks wrong with a repertoire.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use super::{
    Book, Edge, NodeId, Note, Preparation, PreparedChapter, ShortestLines, book::key_after,
};
use crate::chess::{Chess, Position, UciMove};
use crate::{named::named, pgn::nag_glyph, quoted::counted};

named! {
    /// A kind of finding. Prints as its name in output.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum FindingKind {
        /// A position has more than one own move.
        Choice = "choice",
        /// A line ends on a move of the opponent.
        DeadEnd = "dead end",
        /// A move that the position does not have would lead to a position of the book: the
        /// repertoire avoids here what it plays elsewhere.
        Transposition = "transposition",
        /// A prepared own move was never played, though games went on from its position.
        NeverPlayed = "never played",
        /// The notes on a move or a position contradict each other.
        Contradiction = "contradiction",
        /// A comment calls an own move bad, and no glyph does.
        UnmarkedMistake = "unmarked mistake",
    }
}

/// Something that looks wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The kind.
    pub kind: FindingKind,
    /// The position.
    pub position: NodeId,
    /// The moves in question, as SAN.
    pub moves: Vec<String>,
    /// The details, in words.
    pub detail: String,
}

/// What looks wrong with a book, by kinds: what most games meet first, and of that the shortest
/// lines. `preparation` is what its prepared moves come from, if that is known: where it says which
/// move is the first, two moves are no [choice](FindingKind::Choice), and a
/// [mistake](Book::is_mistake) that a chapter has unmarked is a contradiction.
///
/// Only positions that the moves of the book lead to are checked. The glyphs 1, 3 and 5 (`!`, `!!`,
/// `!?`) speak for a move, 2, 4 and 6 (`?`, `??`, `?!`) against it; from 14 on they say which side
/// is better. Of two moves to one position, one may be good and one bad, but the assessments of the
/// position must agree.
///
/// ```
/// use eco::{chess::Color, repertoire::{Book, BookRule, FindingKind, Preparation, lint}};
///
/// let mut book = Book::new(Color::White, BookRule::default());
/// book.prepare("1. d4 d5 2. c4")?;
/// book.prepare("1. c4 d5")?;
/// let found = lint(&book, &Preparation::default());
/// let kinds: Vec<_> = found.iter().map(|finding| finding.kind).collect();
/// assert_eq!(kinds, [FindingKind::Choice, FindingKind::DeadEnd]);
/// # Ok::<(), eco::pgn::TypedError>(())
/// ```
pub fn lint(book: &Book, preparation: &Preparation) -> Vec<Finding> {
    let lines = ShortestLines::of(book);
    let finals = book.final_positions();
    let mut findings = Vec::new();
    for id in book.ids().filter(|id| lines.ply(*id).is_some()) {
        let turn = OwnTurn { book, preparation, lines: &lines, finals: &finals, id };
        if book.is_own_turn(id) {
            let moves = book.moves(id);
            findings.extend(turn.choice(&moves));
            findings.extend(turn.transpositions_avoided(&moves));
            findings.extend(turn.never_played(&moves));
            findings.extend(turn.unmarked_mistakes(&moves));
            findings.extend(turn.disputed_mistakes());
        }
    }
    findings.extend(contradictions(book, &lines));
    findings.sort_by_key(|finding| {
        let games = book.node(finding.position).tally.games;
        (finding.kind, Reverse(games), lines.ply(finding.position), finding.position)
    });
    findings
}

/// A position in which the side of the book is to move.
struct OwnTurn<'b> {
    book: &'b Book,
    preparation: &'b Preparation,
    lines: &'b ShortestLines,
    finals: &'b HashSet<NodeId>,
    id: NodeId,
}

impl OwnTurn<'_> {
    fn finding(
        &self,
        kind: FindingKind,
        moves: impl IntoIterator<Item = UciMove>,
        detail: String,
    ) -> Finding {
        let moves = self.book.node(self.id).san(moves);
        Finding { kind, position: self.id, moves, detail }
    }

    fn choice(&self, moves: &[&Edge]) -> Option<Finding> {
        let own = moves.iter().map(|edge| edge.uci);
        let games: Vec<String> = moves.iter().map(|edge| edge.played.games.to_string()).collect();
        let has_games = moves.iter().any(|edge| edge.played.games > 0);
        let played =
            if has_games { format!(": {} games", games.join(", ")) } else { String::new() };
        let detail = format!("{} own moves{played}", moves.len());
        let is_choice = moves.len() > 1 && !self.has_first();
        is_choice.then(|| self.finding(FindingKind::Choice, own, detail))
    }

    /// Whether what is prepared says which move is the first: a move was put before the others, or
    /// all chapters that have the position begin with one move.
    fn has_first(&self) -> bool {
        let mut firsts = HashSet::new();
        for chapter in self.preparation.chapters() {
            let Some(id) = chapter.book.find(&self.book.node(self.id).key) else { continue };
            let moves = chapter.book.prepared_edges(id);
            if moves.iter().any(|(_, prepared)| prepared.is_chosen()) {
                return true;
            }
            let mut moves = moves.iter().map(|(edge, _)| edge.uci);
            firsts.extend(moves.find(|uci| self.book.mistake(self.id, *uci).is_none()));
        }
        firsts.len() == 1
    }

    /// Mistakes that a chapter has without a mark.
    fn disputed_mistakes(&self) -> Vec<Finding> {
        let finding = |edge: &Edge| {
            let marks: Vec<Said<'_>> =
                said(edge.notes()).filter(|said| said.claim == Claim::Bad).collect();
            let is_unmarked = |chapter: &&PreparedChapter| {
                let prepares = chapter.book.prepares(&self.book.node(self.id).key, edge.uci);
                prepares && marks.iter().all(|mark| mark.source != chapter.name)
            };
            let chapter = self.preparation.chapters().find(is_unmarked)?;
            let detail = format!("{}, and unmarked ({})", marks.first()?, chapter.name);
            Some(self.finding(FindingKind::Contradiction, [edge.uci], detail))
        };
        self.book.mistakes(self.id).into_iter().filter_map(finding).collect()
    }

    /// Moves of the book that a comment calls bad, and no glyph good or bad.
    fn unmarked_mistakes(&self, moves: &[&Edge]) -> Vec<Finding> {
        let finding = |edge: &&Edge| {
            if said(edge.notes()).any(|said| said.claim.is_of_move()) {
                return None;
            }
            let words = Note::all_words(edge.notes());
            let comment = words.iter().find(|words| calls_bad(words))?;
            let short: String = comment.chars().take(MAX_QUOTED).collect();
            let more = if short.len() < comment.len() { "…" } else { "" };
            let detail = format!("{short}{more} (`eco repertoire edit --glyph mistake` marks it)");
            Some(self.finding(FindingKind::UnmarkedMistake, [edge.uci], detail))
        };
        moves.iter().filter_map(finding).collect()
    }

    /// Where the position has moves, those that would transpose; else the dead end that it is.
    fn transpositions_avoided(&self, moves: &[&Edge]) -> Vec<Finding> {
        let Ok(position) = self.book.node(self.id).key.to_position() else { return Vec::new() };
        let others = self.transpositions(&position, moves);
        if !moves.is_empty() {
            let finding = |(uci, to): (UciMove, NodeId)| {
                let detail = format!("leads to {}", self.line(to));
                self.finding(FindingKind::Transposition, [uci], detail)
            };
            return others.into_iter().map(finding).collect();
        }
        let is_reached = self.lines.ply(self.id).is_some_and(|ply| ply > 0);
        let is_final = self.finals.contains(&self.id) || position.legal_moves().is_empty();
        if !is_reached || is_final {
            return Vec::new();
        }
        let to = others.first().map(|(_, to)| format!("; would lead to {}", self.line(*to)));
        let detail = format!("no answer{}", to.unwrap_or_default());
        vec![self.finding(FindingKind::DeadEnd, others.first().map(|(uci, _)| *uci), detail)]
    }

    /// The moves that are not in the book but lead to a position that is.
    fn transpositions(&self, position: &Chess, moves: &[&Edge]) -> Vec<(UciMove, NodeId)> {
        let leads_to = |m| {
            let uci = UciMove::from_move(m);
            let to = self.book.find(&key_after(position, m))?;
            let is_book = moves.iter().any(|edge| edge.uci == uci);
            (!is_book && self.lines.ply(to).is_some()).then_some((uci, to))
        };
        position.legal_moves().into_iter().filter_map(leads_to).collect()
    }

    fn line(&self, id: NodeId) -> String {
        let line = self.lines.line(id).and_then(|line| line.position_text(self.book));
        line.unwrap_or_else(|| self.book.node(id).key.to_string())
    }

    fn never_played(&self, moves: &[&Edge]) -> Vec<Finding> {
        let games: u32 = self.book.node(self.id).edges.iter().map(|edge| edge.played.games).sum();
        let forgotten =
            moves.iter().filter(|edge| edge.prepared.is_some() && edge.played.games == 0);
        let finding = |edge: &&Edge| {
            let detail = format!("in none of {}", counted(games, "game"));
            self.finding(FindingKind::NeverPlayed, [edge.uci], detail)
        };
        if games == 0 { Vec::new() } else { forgotten.map(finding).collect() }
    }
}

/// Words that call a move bad, at the beginning of a comment.
const BAD_WORDS: &str = "\
    bad blunder dubious error inaccuracy inaccurate loses losing mistake refuted weak \
    fehler patzer schlecht verliert erreur gaffe mauvais perd malo pierde errore perde \
    fout verliest erro błąd ошибка проигрывает";

/// The words of a comment that are looked at.
const FIRST_WORDS: usize = 4;

/// The characters of a comment that are shown.
const MAX_QUOTED: usize = 40;

/// Whether a comment begins by calling its move bad.
fn calls_bad(comment: &str) -> bool {
    let words = comment.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.take(FIRST_WORDS).map(str::to_lowercase).collect();
    let is_denied =
        words.iter().any(|word| ["not", "no", "nicht", "kein", "pas"].contains(&&**word));
    !is_denied && BAD_WORDS.split(' ').any(|bad| words.iter().any(|word| word == bad))
}

/// What a glyph claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    Good,
    Bad,
    WhiteBetter,
    BlackBetter,
}

impl Claim {
    fn of(nag: u8) -> Option<Self> {
        match nag {
            1 | 3 | 5 => Some(Self::Good),
            2 | 4 | 6 => Some(Self::Bad),
            14 | 16 | 18 | 20 => Some(Self::WhiteBetter),
            15 | 17 | 19 | 21 => Some(Self::BlackBetter),
            _ => None,
        }
    }

    /// Whether it is about a move, and not about the position after it.
    fn is_of_move(self) -> bool {
        matches!(self, Self::Good | Self::Bad)
    }
}

/// A glyph, and whose it is.
#[derive(Debug, Clone, Copy)]
struct Said<'n> {
    nag: u8,
    source: &'n str,
    claim: Claim,
}

impl std::fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&nag_glyph(self.nag))?;
        if self.source.is_empty() { Ok(()) } else { write!(f, " ({})", self.source) }
    }
}

fn said(notes: &[Note]) -> impl Iterator<Item = Said<'_>> {
    notes.iter().flat_map(|note| {
        let claim =
            |nag: &u8| Some(Said { nag: *nag, source: &note.source, claim: Claim::of(*nag)? });
        note.nags.iter().filter_map(claim)
    })
}

/// All contradictions among the notes of a book.
fn contradictions(book: &Book, lines: &ShortestLines) -> Vec<Finding> {
    let mut findings = Vec::new();
    // The claims about each position, by its own notes and by those of the moves that lead to it.
    let mut judged: BTreeMap<NodeId, Vec<Said<'_>>> = BTreeMap::new();
    for id in book.ids().filter(|id| lines.ply(*id).is_some()) {
        judged.entry(id).or_default().extend(said(&book.node(id).notes));
        for edge in book.shown_moves(id) {
            let (of_move, of_position): (Vec<_>, Vec<_>) =
                said(edge.notes()).partition(|said| said.claim.is_of_move());
            findings.extend(contradiction(book, id, Some(edge.uci), &of_move));
            judged.entry(edge.to).or_default().extend(of_position);
        }
    }
    findings.extend(judged.iter().filter_map(|(id, said)| contradiction(book, *id, None, said)));
    findings
}

/// A position that is better for both sides, or it or a move that is called good and bad.
fn contradiction(
    book: &Book,
    position: NodeId,
    uci: Option<UciMove>,
    said: &[Said<'_>],
) -> Option<Finding> {
    let first = |claim| said.iter().find(|said| said.claim == claim);
    let pairs = [(Claim::WhiteBetter, Claim::BlackBetter), (Claim::Good, Claim::Bad)];
    let (one, other) = pairs.iter().find_map(|(one, other)| first(*one).zip(first(*other)))?;
    let detail = format!("{one} against {other}");
    let moves = book.node(position).san(uci);
    Some(Finding { kind: FindingKind::Contradiction, position, moves, detail })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{Color, PositionKey, read_move},
        repertoire::BookRule,
    };

    fn prepared(lines: &[&str]) -> Book {
        let mut book = Book::new(Color::White, BookRule::default());
        for line in lines {
            book.prepare(line).unwrap();
        }
        book
    }

    /// A finding about the last move of a line.
    fn note(book: &mut Book, line: &str, source: &str, nags: &[u8]) {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.ends_with('.')).collect();
        let mut id = book.roots()[0];
        for (n, word) in words.iter().enumerate() {
            let position = book.node(id).key.to_position().unwrap();
            let m = read_move(&position, word.as_bytes()).unwrap();
            let to = book.prepare_move(id, &position, m);
            if n + 1 == words.len() {
                let (source, comment) = (source.to_owned(), String::new());
                let note = Note { source, nags: nags.to_vec(), comment };
                book.move_notes_mut(id, UciMove::from_move(m)).unwrap().push(note);
            }
            id = to;
        }
    }

    fn texts(book: &Book) -> Vec<String> {
        let lines = ShortestLines::of(book);
        let text = |finding: Finding| {
            let line = lines.movetext(book, finding.position).unwrap();
            let (kind, moves) = (finding.kind.to_string(), finding.moves.join("/"));
            format!("{kind} | {line} | {moves} | {}", finding.detail)
        };
        lint(book, &Preparation::default()).into_iter().map(text).collect()
    }

    #[test]
    fn what_looks_wrong_is_told_with_its_line() {
        for (lines, expected) in [
            (&["1. e4 e5 2. Nf3", "1. e4 c5 2. Nf3"][..], &[][..]),
            (&["1. e4 e5 2. Nf3", "1. e4 e5 2. f4"], &["choice | 1. e4 e5 | Nf3/f4 | 2 own moves"]),
            (&["1. e4 e5"], &["dead end | 1. e4 e5 |  | no answer"]),
            // The same pieces with the other side to move are another position.
            (&["1. d4 Nf6 2. c4 e6 3. Nf3", "1. d4 e6 2. e4"], &[]),
            (
                &["1. d4 Nf6 2. c4", "1. c4 Nf6 2. Nf3"],
                &[
                    "choice |  | d4/c4 | 2 own moves",
                    "transposition | 1. c4 Nf6 | d4 | leads to 1. d4 Nf6 2. c4",
                ],
            ),
            (
                &["1. d4 Nf6 2. c4", "1. c4 Nf6"],
                &[
                    "choice |  | d4/c4 | 2 own moves",
                    "dead end | 1. c4 Nf6 | d4 | no answer; would lead to 1. d4 Nf6 2. c4",
                ],
            ),
            // Mate needs no answer.
            (&["1. f3 e5 2. g4 Qh4"], &[]),
        ] {
            assert_eq!(texts(&prepared(lines)), expected, "for {lines:?}");
        }
    }

    #[test]
    fn a_line_that_is_marked_as_final_is_no_dead_end() {
        let mut book = Book::new(Color::White, BookRule::default());
        let chapter = "1. e4 g5 {Enough said. [%eco end]} (1... e5) *";
        book.add_chapter(&crate::pgn::Game::from_bytes(chapter.as_bytes()));
        assert_eq!(texts(&book), ["dead end | 1. e4 e5 |  | no answer"]);
    }

    #[test]
    fn prepared_moves_that_nobody_plays_are_reported() {
        let mut book = prepared(&["1. e4 e5 2. Nf3", "1. e4 e5 2. f4"]);
        let root = book.roots()[0];
        let after_e4 = book.moves(root)[0].to;
        let after_e5 = book.moves(after_e4)[0].to;
        for edge in &mut book.node_mut(after_e5).edges {
            edge.played.games = if edge.uci.to_string() == "g1f3" { 7 } else { 0 };
        }
        assert_eq!(
            texts(&book),
            [
                "choice | 1. e4 e5 | Nf3/f4 | 2 own moves: 7, 0 games",
                "never played | 1. e4 e5 | f4 | in none of 7 games",
            ]
        );
    }

    #[test]
    fn notes_that_contradict_each_other_are_reported() {
        for (notes, expected) in [
            (&[("1. e4", "A", &[1_u8][..]), ("1. e4", "B", &[3, 14])][..], &[][..]),
            (&[("1. e4", "A", &[1]), ("1. e4", "B", &[6])], &[" | e4 | ! (A) against ?! (B)"]),
            (&[("1. e4", "", &[5, 4])], &[" | e4 | !? against ??"]),
            (&[("1. e4", "A", &[2])], &[]),
            (&[("1. e4 f6", "A", &[2])], &[]),
            (&[("1. e4", "A", &[14, 15])], &["1. e4 |  | += (A) against =+ (A)"]),
            // Two lines to one position: it cannot be better for both sides, but one line may be
            // the better one.
            (&[("1. d4 d5 2. c4", "A", &[1]), ("1. c4 d5 2. d4", "B", &[6])], &[]),
            (
                &[("1. d4 d5 2. c4", "A", &[16]), ("1. c4 d5 2. d4", "B", &[19])],
                &["1. d4 d5 2. c4 |  | ± (A) against -+ (B)"],
            ),
        ] {
            let mut book = prepared(&[]);
            book.add_root(&PositionKey::from(&Chess::default()));
            for (line, source, nags) in notes {
                note(&mut book, line, source, nags);
            }
            let found = texts(&book);
            let found: Vec<&str> =
                found.iter().filter_map(|text| text.strip_prefix("contradiction | ")).collect();
            assert_eq!(found, expected, "for {notes:?}");
        }
    }
}
