//! One position or line: its name, its lines, and the named positions around it.

use super::walk::{Extent, Walk};
use super::{question::Question, trace::PlayedMove, verdict::NamedAt};
use crate::catalogue::{Catalogue, Line, Query};
use crate::chess::{Chess, Position, PositionKey, read_fen};

impl Question {
    /// The position with each en passant square that the FEN may lack.
    fn with_en_passant(&self) -> Vec<PositionKey> {
        let key = self.key();
        let text = key.to_string();
        let is_position = self.is_set_up() && self.moves().is_empty();
        let Some(without) = text.strip_suffix('-').filter(|_| is_position) else {
            return Vec::new();
        };
        let rank = if self.end().turn().is_white() { 6 } else { 3 };
        let squares = ('a'..='h').map(|file| format!("{without}{file}{rank}"));
        let positions = squares.filter_map(|fen| read_fen(fen.as_bytes()).ok());
        positions
            .map(|position| PositionKey::from(&position))
            .filter(|other| *other != key)
            .collect()
    }
}

/// What a catalogue knows of a position.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Lookup<'c> {
    /// The position.
    pub key: PositionKey,
    /// Its name.
    pub named: Option<NamedAt<'c>>,
    /// The named positions along the line, in order; the position itself is the last if it is
    /// named. Of a position that was given by itself there is no other.
    pub trail: Vec<NamedAt<'c>>,
    /// Further lines that name the position, of other masters or by other moves.
    pub others: Vec<&'c Line>,
    /// The moves that lead to a named position, ordered by its code.
    pub next: Vec<Continuation<'c>>,
    /// The named positions that differ only in an en passant square, which the FEN may lack.
    pub with_en_passant: Vec<(PositionKey, &'c Line)>,
}

/// A move to a named position.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Continuation<'c> {
    /// The move.
    pub played: PlayedMove,
    /// The line that names the position it leads to.
    pub line: &'c Line,
}

/// Looks a position up.
///
/// ```
/// use eco::{catalogue::Catalogue, classify::lookup};
///
/// let question = "1. g3 f5 2. d4".parse()?;
/// let answer = lookup(Catalogue::builtin(), &question);
/// assert_eq!(answer.named.unwrap().opening().name(), "Dutch Defense: Fianchetto Attack");
/// assert_eq!(answer.trail.len(), 3);
/// # Ok::<(), eco::classify::QuestionFault>(())
/// ```
pub fn lookup<'c>(catalogue: &'c Catalogue, question: &Question) -> Lookup<'c> {
    let start = question.is_set_up().then(|| question.start());
    let moves = question.moves().iter().map(|played| played.san.as_bytes());
    let trail = named_positions(catalogue, start, moves);
    let named = trail.last().copied().filter(|named| named.ply() == question.moves().len());
    let others = named.map_or_else(Vec::new, |named| {
        let lines = catalogue.lines_of(named.position());
        lines.filter(|line| !std::ptr::eq(*line, named.line())).collect()
    });
    let continuation = |m| {
        let mut after = question.end().clone();
        let played = PlayedMove::play(&mut after, m);
        catalogue.get(&PositionKey::from(&after)).map(|line| Continuation { played, line })
    };
    let legal = question.end().legal_moves().into_iter();
    let mut next: Vec<Continuation<'c>> = legal.filter_map(continuation).collect();
    next.sort_by_cached_key(|c| (c.line.opening.eco().copied(), c.played.san.clone()));
    let with_en_passant = question.with_en_passant().into_iter();
    let with_en_passant =
        with_en_passant.filter_map(|key| catalogue.get(&key).map(|line| (key, line))).collect();
    Lookup { key: question.key(), named, trail, others, next, with_en_passant }
}

/// The openings that a search is for, the best first, and what the search means to the catalogue.
///
/// Words that are moves, two or more, from the initial position stand for the named positions on
/// their way, the last one first; so does one move, unless it is in names. All else is found by
/// [`Catalogue::search`].
///
/// ```
/// use eco::catalogue::{Catalogue, Query};
/// use eco::classify::find_openings;
///
/// let moves = Query::new("1. d4 Nf6 2. c4 e6 3. a3");
/// let (found, _) = find_openings(Catalogue::builtin(), &moves);
/// assert_eq!(found[0].opening.name(), "Indian Defense: Normal Variation");
/// ```
pub fn find_openings<'c>(catalogue: &'c Catalogue, query: &Query) -> (Vec<&'c Line>, Query) {
    let mut question = Question::initial();
    let may_be_line = !query.has_codes() && query.text.contains(|c: char| c.is_ascii_digit());
    let is_line = may_be_line && question.play(&query.text, &[]).is_ok();
    let plies = if is_line { question.moves().len() } else { 0 };
    if plies < 2 {
        let query = catalogue.understand(query);
        let found = catalogue.search(&query);
        if plies == 0 || !found.is_empty() {
            return (found, query);
        }
    }
    let trail = lookup(catalogue, &question).trail.into_iter().rev();
    (trail.map(|named| named.line()).collect(), query.clone())
}

/// The named positions on a line, in order, without the limits that hold for games. It begins in
/// `start`, which may have a name itself, or else in the initial position, which has none. It ends
/// before the first of the `moves`, in SAN, that cannot be played.
pub(crate) fn named_positions<'c, 'm>(
    catalogue: &'c Catalogue,
    start: Option<&Chess>,
    moves: impl Iterator<Item = &'m [u8]>,
) -> Vec<NamedAt<'c>> {
    let mut walk = Walk::new(catalogue, start, Extent::Exhaustive);
    let mut trail: Vec<NamedAt<'c>> =
        walk.name_here().filter(|_| start.is_some()).into_iter().collect();
    for san in moves {
        if walk.step(san).is_err() {
            break;
        }
        trail.extend(walk.name_here());
    }
    trail
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::master::{Master, MasterFile, MasterInfo};

    fn ask(text: &str) -> Lookup<'static> {
        lookup(Catalogue::builtin(), &text.parse().unwrap())
    }

    fn names(trail: &[NamedAt<'_>]) -> Vec<(usize, String)> {
        trail.iter().map(|named| (named.ply(), named.opening().code().to_owned())).collect()
    }

    #[test]
    fn a_line_has_its_trail_and_what_comes_next() {
        let answer = ask("1. c4 d5 2. d4");
        assert_eq!(names(&answer.trail), [(1, "A10".into()), (2, "A10".into()), (3, "D06".into())]);
        assert!(answer.named.unwrap().is_transposed());
        let slav = answer.next.iter().find(|next| next.played.to_string() == "2... c6").unwrap();
        assert_eq!(slav.line.opening.name(), "Slav Defense");
        assert!(answer.next.is_sorted_by_key(|next| next.line.opening.code()));
    }

    #[test]
    fn a_position_is_looked_up_by_itself() {
        let answer = ask("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2");
        assert_eq!(names(&answer.trail), [(0, "B20".into())]);
        assert_eq!(
            answer.key.to_string(),
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
        );
        assert!(answer.next.len() > 10);
    }

    #[test]
    fn an_unknown_position_still_has_named_neighbours() {
        let answer = ask("1. h3 d5 2. a3");
        assert!(answer.named.is_none());
        assert_eq!(names(&answer.trail), [(1, "A00".into())]);
        assert_eq!(answer.next.len(), 1);
        assert_eq!(answer.next[0].played.to_string(), "2... e5");
        // The limits of the rule for games do not hold for questions.
        let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(12) + "e4";
        assert_eq!(ask(&long).named.unwrap().opening().code(), "B00");
    }

    #[test]
    fn an_en_passant_square_that_the_fen_lacks_is_found() {
        // 1. e4 e6 2. d4 d5 3. e5 f5 4. exf6: named with f6 as en passant square, if at all.
        let rows = "eco\tname\tpgn\nC02\tWith f6\t1. e4 e6 2. d4 d5 3. e5 f5\n";
        let file = MasterFile { name: "m", bytes: rows.as_bytes() };
        let masters = Master::read(MasterInfo::default(), &[file], None).unwrap().masters;
        let catalogue = Catalogue::from_masters(masters).0;
        let fen = "rnbqkbnr/ppp3pp/4p3/3pPp2/3P4/8/PPP2PPP/RNBQKBNR w KQkq";
        let without = lookup(&catalogue, &format!("{fen} - 0 4").parse().unwrap());
        assert!(without.named.is_none());
        let (key, line) = &without.with_en_passant[0];
        assert_eq!(key.to_string(), format!("{fen} f6"));
        assert_eq!(line.opening.name(), "With f6");
        let with = lookup(&catalogue, &format!("{fen} f6 0 4").parse().unwrap());
        assert!(with.named.is_some() && with.with_en_passant.is_empty());
    }
}
