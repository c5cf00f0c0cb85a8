//! All named positions of a game: why it has its name.

use std::fmt;

use super::{
    book::{BookPath, BookWalk},
    classifier::Classifier,
    header::Header,
    verdict::NamedAt,
};
use crate::chess::{Chess, Language, Move, MoveNumber, play_as_san, read_move};
use crate::pgn::{Game, Token};

/// A move with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlayedMove {
    /// Its number on the score sheet.
    pub number: MoveNumber,
    /// The move in standard algebraic notation, `Nf3` or `Qxf7#`.
    pub san: String,
}

impl PlayedMove {
    /// Plays a legal move.
    pub(crate) fn play(position: &mut Chess, m: Move) -> Self {
        let number = MoveNumber::next_in(position);
        Self { number, san: play_as_san(position, m).to_string() }
    }

    /// The moves with the piece letters of a language.
    pub(crate) fn all_in_language(moves: &[Self], language: Language) -> Vec<Self> {
        let translated =
            |played: &Self| Self { number: played.number, san: language.translated(&played.san) };
        moves.iter().map(translated).collect()
    }
}

/// As on a score sheet: `12. Nf3`, `12... Qxf7#`.
impl fmt::Display for PlayedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, self.san)
    }
}

/// A game as far as the [rule](super) looks.
///
/// ```
/// use eco::{catalogue::Catalogue, classify::Classifier, pgn::Game};
///
/// let classifier = Classifier::new(Catalogue::builtin());
/// let trace = classifier.trace(&Game::from_bytes(b"1. g3 f5 2. d4 h5 3. h4"));
/// let codes: Vec<_> = trace.trail.iter().map(|named| named.opening().code()).collect();
/// assert_eq!(codes, ["A00", "A00", "A81"]);
/// assert_eq!(trace.book.by_moves.unwrap().ply(), 2);
/// assert_eq!(trace.moves[3].to_string(), "2... h5");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Trace<'c> {
    /// The moves that were looked at, one for each ply, and the one after them if the walk ended at
    /// a position and not at a move.
    pub moves: Vec<PlayedMove>,
    /// The named positions, in order; the last one decides.
    pub trail: Vec<NamedAt<'c>>,
    /// How far the game follows the catalogue.
    pub book: BookPath<'c>,
}

impl Trace<'_> {
    /// The move with which the game left the named positions for good, if it went on after the
    /// last.
    pub(crate) fn left_with(&self) -> Option<&PlayedMove> {
        self.moves.get(self.trail.last()?.ply())
    }
}

impl<'c> Classifier<'c> {
    /// All named positions of one game. The last of them is that of the verdict which
    /// [`classify`](Self::classify) returns.
    pub fn trace(&self, game: &Game<'_>) -> Trace<'c> {
        let mut header = Header::default();
        let main_line = game.tags().visit(&mut header);
        let Ok(walk) = self.exhaustive().begin(&header) else { return Trace::default() };
        let mut position = header.start().ok().flatten().unwrap_or_default();
        let (mut book, mut trace) = (BookWalk::new(walk), Trace::default());
        let mut flow = book.visit_start();
        trace.trail.extend(book.walk.named);
        for token in main_line {
            let Token::Move(written) = token else { break };
            let Ok(()) = book.walk.step(written) else { break };
            let Ok(m) = read_move(&position, written) else { break };
            trace.moves.push(PlayedMove::play(&mut position, m));
            if flow.is_break() {
                break;
            }
            let before = book.walk.named;
            flow = book.visit();
            trace.trail.extend(book.walk.named.filter(|named| before != Some(*named)));
        }
        Trace { book: book.path, ..trace }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    fn trace(game: &str) -> Trace<'static> {
        let (classifier, game) =
            (Classifier::new(Catalogue::builtin()), Game::from_bytes(game.as_bytes()));
        let trace = classifier.trace(&game);
        assert_eq!(classifier.book_path(&game), trace.book);
        trace
    }

    fn trail(trace: &Trace<'_>) -> Vec<(usize, String)> {
        trace.trail.iter().map(|n| (n.ply(), n.opening().code().to_owned())).collect()
    }

    #[test]
    fn named_positions_are_listed_ply_by_ply() {
        let trace = trace("1. c4 d5 2. d4 a5 3. h4 h5 {x} 4. a4 (4. Nc3) Ra6 *");
        assert_eq!(
            trail(&trace),
            [(1, "A10".to_owned()), (2, "A10".to_owned()), (3, "D06".to_owned())]
        );
        assert_eq!(trace.book.by_moves.map(|named| named.ply()), Some(2));
        assert_eq!(trace.left_with().unwrap().to_string(), "2... a5");
        assert_eq!(trace.book.exit, 3);
        assert_eq!(trace.moves.len(), 8);
        assert_eq!(trace.moves[7].to_string(), "4... Ra6");
    }

    #[test]
    fn a_position_on_a_line_is_in_the_book() {
        // No name after 1. h3 d5 2. a3, but 2... e5 makes it the Creepy Crawly Formation.
        let trace = trace("1. h3 d5 2. a3 e5");
        assert_eq!(trace.book.exit, 4);
        let plies: Vec<usize> = trace.trail.iter().map(NamedAt::ply).collect();
        assert_eq!(plies, [1, 4]);
        assert_eq!(trace.left_with(), None);
    }

    #[test]
    fn the_move_after_the_last_ply_is_listed() {
        let dance = "Nf3 Nf6 Ng1 Ng8 ".repeat(10);
        let long = trace(&format!("{dance} e4 c5"));
        assert_eq!(long.moves.len(), 41);
        assert_eq!(long.moves[40].to_string(), "21. e4");
        assert_eq!(long.trail.last().unwrap().ply(), 38);
        let shorter = trace(&format!("{} Nf3 e4 c5", "Nf3 Nf6 Ng1 Ng8 ".repeat(9)));
        assert_eq!(shorter.left_with(), None, "what cannot be played leaves nothing");
    }

    #[test]
    fn games_with_a_start_of_their_own_and_broken_ones_are_traced() {
        let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let from_fen = trace(&format!("[FEN \"{fen}\"]\n\n2. Nf3 Zz"));
        assert_eq!(trail(&from_fen), [(0, "B20".to_owned()), (1, "B27".to_owned())]);
        assert_eq!(from_fen.book.by_moves, None);
        assert_eq!((from_fen.book.exit, from_fen.moves.len()), (1, 1));
        for nothing in ["", "[Variant \"Atomic\"]\n\n1. e4", "[FEN \"x\"]\n\n1. e4", "1. Ke2"] {
            let trace = trace(nothing);
            assert_eq!((trace.moves.len(), trace.trail.len(), trace.book.exit), (0, 0, 0));
        }
    }
}
