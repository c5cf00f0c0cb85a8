//! How far games go through a book, who left it, and with what.

use std::borrow::Cow;
use std::num::{NonZeroU16, NonZeroU32};

use super::{Book, GameFacts, NodeId, ShortestLines};
use crate::chess::{Board, Color, MoveNumber, PositionKey, UciMove};
use crate::classify::{GameError, Header, PlayedMove};
use crate::pgn::{Game, MainLine, Token, decode_word};
use crate::select::{GameInfo, GameResult, Selection, Selector};
use crate::{named::named, quoted::counted};

/// Follows games through a book.
///
/// A game is *in the book* as long as its position is one that the moves of the book lead to,
/// however the game reached it: a move that the position does not list, but that leads to another
/// position of the book, is a transposition and no departure. Faults of a game after its path
/// through the book are not looked for.
///
/// ```
/// use eco::{chess::Color, pgn::Game, repertoire::{Book, BookRule, Follower}, select::Selection};
///
/// let mut book = Book::new(Color::White, BookRule::default());
/// book.prepare("1. d4 Nf6 2. c4 e6 3. Nc3")?;
/// let follower = Follower::new(&book, Selection::default());
/// let followed = follower.follow(&Game::from_bytes(b"1. c4 e6 2. Nc3 Nf6 3. d4 Bb4"));
/// let left = follower.departure(&followed).expect("it left the book");
/// assert_eq!(left.played.to_string(), "1. c4"); // is not in the book, but
/// assert_eq!(left.reentry, Some(5)); // 3. d4 comes to where it ends
/// # Ok::<(), eco::pgn::TypedError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Follower<'b> {
    pub(crate) book: &'b Book,
    lines: ShortestLines,
    selector: Selector<'b>,
    /// No position of the book has fewer pieces; a game never gets any back.
    pieces: usize,
}

/// Why a game has no path through a book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unmatched {
    /// It is not selected, for its players most often, or those who are play the other side.
    #[error("not selected")]
    NotSelected,
    /// It is of another variant, or its FEN is invalid.
    #[error("{0}")]
    NoStart(GameError),
    /// It starts from a position that the book does not have.
    #[error("the book does not have its first position")]
    OtherStart,
}

/// The outcome for a game.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Followed<'g> {
    /// What its tags say.
    pub header: Header<'g>,
    /// How it ended.
    pub result: GameResult,
    /// The facts that counts need; its number is that in its source.
    pub(crate) facts: GameFacts,
    /// The ratings of White and of Black.
    pub(crate) ratings: [Option<u16>; 2],
    /// Where it is on the web.
    pub(crate) link: Option<String>,
    /// Its path through the book, or why it has none.
    pub path: Result<BookPath, Unmatched>,
}

/// The path of a game through a book.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BookPath {
    /// The number of plies for which it was in the book, from its start.
    pub ply: usize,
    /// Its last position in the book before it left.
    pub(crate) last: NodeId,
    /// How it left; `None` if it ended in the book, or what can be read of it did.
    pub(crate) exit: Option<BookExit>,
    /// What is wrong with it.
    pub error: Option<GameError>,
}

/// How a game left a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct BookExit {
    /// The move that led out of it.
    pub(crate) uci: UciMove,
    /// The number of that move.
    pub(crate) number: MoveNumber,
    /// The ply at which it returned to a position of the book.
    pub(crate) reentry: Option<usize>,
}

impl<'b> Follower<'b> {
    /// Follows those games that are selected.
    pub fn new(book: &'b Book, selector: impl Into<Selector<'b>>) -> Self {
        let lines = ShortestLines::of(book);
        let reached = lines.reached.iter();
        let pieces = reached.map(|id| book.node(*id).key.piece_count()).min().unwrap_or(0);
        Self { book, lines, selector: selector.into(), pieces }
    }

    /// Which games are followed.
    pub fn selection(&self) -> &Selection {
        self.selector.selection()
    }

    /// Follows one game.
    pub fn follow<'g>(&self, game: &Game<'g>) -> Followed<'g> {
        let info = GameInfo::read(game);
        let header = Header::read(info.tags());
        let tag_result = header.result.as_deref().map_or(GameResult::Unknown, GameResult::read);
        let (path, result) = match self.begin(&info, &header) {
            Err(unmatched) => (Err(unmatched), tag_result),
            Ok(mut walk) => {
                let result = walk.play(info.main_line(), tag_result);
                (Ok(walk.into_path(game, &header)), result)
            }
        };
        let number = u32::try_from(game.number()).ok().and_then(NonZeroU32::new);
        let number = number.unwrap_or(NonZeroU32::MAX);
        let side = self.book.color();
        let rating = |color| info.rating(color).and_then(NonZeroU16::new);
        let facts = GameFacts {
            number: Some(number),
            arrival: number.get(),
            date: info.date(),
            played_at: info.played_at(),
            half_points: result.half_points(side),
            own: rating(side),
            opponent: rating(!side),
        };
        let ratings = [Color::White, Color::Black].map(|color| info.rating(color));
        let link = info.link().map(Cow::into_owned);
        Followed { header, result, facts, ratings, link, path }
    }

    /// The position of the book with this key.
    fn reached(&self, key: &PositionKey) -> Option<NodeId> {
        self.book.find(key).filter(|id| self.lines.ply(*id).is_some())
    }

    fn begin(&self, info: &GameInfo<'_>, header: &Header<'_>) -> Result<Walk<'_>, Unmatched> {
        let found = self.selector.select(info).ok_or(Unmatched::NotSelected)?;
        // The moves of the other side are those of somebody who was not asked for.
        let is_own = found.color.is_none() || found.sides().any(|side| side == self.book.color());
        is_own.then_some(()).ok_or(Unmatched::NotSelected)?;
        let start = header.start().map_err(Unmatched::NoStart)?;
        let board = start.as_ref().map_or_else(Board::default, Board::from_position);
        let last = self.reached(&board.key()).ok_or(Unmatched::OtherStart)?;
        let first = start.as_ref().map_or(MoveNumber::after(0), MoveNumber::next_in);
        let path = BookPath { ply: 0, last, exit: None, error: None };
        Ok(Walk { follower: self, board, first, plies: 0, is_over: false, path })
    }
}

/// A game in progress.
struct Walk<'f> {
    follower: &'f Follower<'f>,
    board: Board,
    /// The number of the first move.
    first: MoveNumber,
    plies: usize,
    /// Whether the search is over.
    is_over: bool,
    path: BookPath,
}

impl Walk<'_> {
    /// Plays the moves, and returns the result, if one follows them.
    fn play(&mut self, line: MainLine<'_>, tag_result: GameResult) -> GameResult {
        for token in line {
            match token {
                Token::Move(_) if self.is_over && tag_result != GameResult::Unknown => break,
                Token::Move(_) if self.is_over => {}
                Token::Move(word) => self.step(word),
                Token::Result(result) if tag_result == GameResult::Unknown => {
                    return GameResult::read(result);
                }
                Token::Result(_) => break,
                Token::OpenComment => self.fail(GameError::OpenComment),
                Token::OpenVariation => self.fail(GameError::OpenVariation),
            }
        }
        tag_result
    }

    fn fail(&mut self, error: GameError) {
        if !self.is_over {
            self.path.error = Some(error);
            self.is_over = true;
        }
    }

    fn step(&mut self, word: &[u8]) {
        let before = self.board.key();
        let number = self.first.later(self.plies);
        if let Err(fault) = self.board.play(word) {
            return self.fail(GameError::Move { number, word: decode_word(word), fault });
        }
        self.plies += 1;
        let here = self.follower.reached(&self.board.key());
        match (&mut self.path.exit, here) {
            (None, Some(id)) => (self.path.last, self.path.ply) = (id, self.plies),
            (None, None) => {
                let uci = UciMove::between(&before, &self.board.key());
                self.path.exit = uci.map(|uci| BookExit { uci, number, reentry: None });
            }
            (Some(exit), Some(_)) => {
                exit.reentry = Some(self.plies);
                self.is_over = true;
            }
            (Some(_), None) => {}
        }
        let is_beyond = self.board.key().piece_count() < self.follower.pieces;
        self.is_over |= is_beyond;
    }

    fn into_path(self, game: &Game<'_>, header: &Header<'_>) -> BookPath {
        let Self { mut path, is_over, .. } = self;
        if game.is_cut() && !is_over {
            path.error = Some(GameError::TooLong { bytes: game.bytes().len() });
        }
        path.error = header.damage.as_ref().map(GameError::from).or(path.error);
        path
    }
}

named! {
    /// How the path of a game through a book ended. Prints as its name in reports.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Status {
        /// With another move than those the book has for its own side.
        Mine = "mine",
        /// With a [mistake](Book::is_mistake) that the book knows.
        Mistake = "known mistake",
        /// With a move of the opponent, where the book has others.
        Theirs = "theirs",
        /// The book has no moves there.
        BookEnded = "book ended",
        /// With the game, or with what can be read of it.
        Completed = "completed",
        /// It had no path through the book.
        Unmatched = "unmatched",
    }
}

impl Status {
    /// What is said of this number of games: `4 mine`. Of known mistakes nothing is said if there
    /// are none, as in most repertoires.
    pub fn counted(self, games: u64) -> Option<String> {
        match (self, games) {
            (Self::Mistake, 0) => None,
            (Self::Mistake, games) => Some(counted(games, "known mistake")),
            (status, games) => Some(format!("{games} {status}")),
        }
    }
}

/// A move that has led out of the book.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Departure {
    /// The position where it was played.
    pub from: NodeId,
    /// The move.
    pub uci: UciMove,
    /// The move as SAN.
    pub played: PlayedMove,
    /// The moves of the book there, the main one first.
    pub book: Vec<String>,
    /// The ply at which the game returned.
    pub reentry: Option<usize>,
}

impl Follower<'_> {
    /// How the path of a game ended.
    pub fn status(&self, followed: &Followed<'_>) -> Status {
        match &followed.path {
            Err(_) => Status::Unmatched,
            Ok(BookPath { exit: None, .. }) => Status::Completed,
            Ok(BookPath { exit: Some(exit), last, .. })
                if self.book.mistake(*last, exit.uci).is_some() =>
            {
                Status::Mistake
            }
            Ok(path) if !self.book.has_moves(path.last) => Status::BookEnded,
            Ok(path) if self.book.is_own_turn(path.last) => Status::Mine,
            Ok(_) => Status::Theirs,
        }
    }

    /// The move that led a game out of the book, if one did.
    pub fn departure(&self, followed: &Followed<'_>) -> Option<Departure> {
        let path = followed.path.as_ref().ok()?;
        let exit = path.exit?;
        let node = self.book.node(path.last);
        let san = node.san([exit.uci]).pop()?;
        Some(Departure {
            from: path.last,
            uci: exit.uci,
            played: PlayedMove { number: exit.number, san },
            book: node.san(self.book.moves(path.last).iter().map(|edge| edge.uci)),
            reentry: exit.reentry,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use proptest::prelude::*;

    use super::*;
    use crate::{
        chess::{Color, PositionKey},
        classify::{Variations, replay_all},
        pgn::Game,
        repertoire::{Book, BookRule},
        select::{Player, Selection},
    };

    /// A book of lines that come to the same positions by different moves.
    fn book() -> Book {
        let mut book = Book::new(Color::White, BookRule::default());
        book.prepare("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3").unwrap();
        book.prepare("1. d4 e6 2. c4 Nf6").unwrap();
        book.prepare("1. d4 d5 2. c4").unwrap();
        book
    }

    /// Status, plies in the book, the move that left it, what the book has, and re-entry.
    fn summary(follower: &Follower<'_>, game: &str) -> String {
        let followed = follower.follow(&Game::from_bytes(game.as_bytes()));
        let status = follower.status(&followed).to_string();
        let Ok(path) = &followed.path else {
            return format!("{status}: {}", followed.path.unwrap_err());
        };
        let mut text = format!("{status} {}", path.ply);
        if let Some(departure) = follower.departure(&followed) {
            text += &format!(", {} for {}", departure.played, departure.book.join("/"));
            text += &departure.reentry.map_or(String::new(), |ply| format!(", back at {ply}"));
        }
        text + &path.error.as_ref().map_or(String::new(), |error| format!(", {error}"))
    }

    #[test]
    fn games_leave_the_book_as_they_should() {
        let book = book();
        let follower = Follower::new(&book, Selection::default());
        for (game, expected) in [
            ("1. d4 Nf6 2. c4 e6 3. Nf3 d5", "mine 4, 3. Nf3 for Nc3"),
            ("1. d4 f5 2. c4", "theirs 1, 1... f5 for Nf6/e6/d5"),
            // Another order of moves is no departure.
            ("1. d4 e6 2. c4 Nf6 3. Nc3 Bb4 4. Qc2", "mine 6, 4. Qc2 for e3"),
            ("1. c4 e6 2. d4 Nf6 3. Nc3 Bb4", "mine 0, 1. c4 for d4, back at 3"),
            ("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 O-O", "book ended 7, 4... O-O for "),
            ("1. d4 d5 2. c4 e6 3. Nc3", "book ended 3, 2... e6 for "),
            // The same positions come once more: it never left.
            ("1. d4 Nf6 2. c4 Ng8 3. d5", "theirs 3, 2... Ng8 for e6"),
            ("1. d4 d5 2. c4 *", "completed 3"),
            ("1. d4 d5 1-0", "completed 2"),
            ("*", "completed 0"),
            ("", "completed 0"),
            ("1. d4 Ke7", "completed 1, move 1... Ke7: illegal"),
            ("1. d4 -- 2. c4", "completed 1, move 1... --: null move"),
            ("1. d4 d5 {", "completed 2, comment never closed"),
            ("1. d4 f5 2. Ke8", "theirs 1, 1... f5 for Nf6/e6/d5, move 2. Ke8: illegal"),
            // Faults after the path through the book are not looked for.
            ("1. c4 e6 2. d4 Zz", "mine 0, 1. c4 for d4, back at 3"),
            ("[Variant \"Chess960\"]\n\n1. d4", "unmatched: variant Chess960: not classified"),
            (
                "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Ke2",
                "unmatched: the book does not have its first position",
            ),
            (
                "[FEN \"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\"]\n\n1... d6",
                "theirs 0, 1... d6 for Nf6/e6/d5",
            ),
        ] {
            assert_eq!(summary(&follower, game), expected, "for {game}");
        }
        let broken = summary(&follower, "[FEN \"x\"]\n\n1. d4");
        assert!(broken.starts_with("unmatched: FEN: "), "{broken}");
    }

    #[test]
    fn only_games_of_the_players_are_matched() {
        let book = book();
        let selection = Selection {
            players: vec![Player::new("Capablanca, José"), Player::new("Capa")],
            since: Some("1920".parse().unwrap()),
            ..Selection::default()
        };
        // Whether or not the colour is named: the other side's moves are somebody else's.
        let of_color = Selection { color: Some(Color::White), ..selection.clone() };
        let followers = [selection, of_color].map(|selection| Follower::new(&book, selection));
        let game = |white: &str, black: &str, year: u32| {
            format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{year}\"]\n\n1. d4 d5")
        };
        for (white, black, year, expected) in [
            ("Jose Capablanca", "Lasker", 1921, "completed 2"),
            ("capa", "Lasker", 1921, "completed 2"),
            ("Lasker", "Capa", 1921, "unmatched: not selected"),
            ("Capa", "Lasker", 1914, "unmatched: not selected"),
        ] {
            for follower in &followers {
                assert_eq!(summary(follower, &game(white, black, year)), expected);
            }
        }
        let black = Selection { color: Some(Color::Black), ..Selection::default() };
        let follower = Follower::new(&book, black);
        assert_eq!(summary(&follower, &game("A", "B", 1921)), "unmatched: not selected");
    }

    /// The obvious implementation: the keys of the book in a list, and a `shakmaty` position played
    /// forward.
    fn plies_plainly(follower: &Follower<'_>, game: &str) -> (usize, Option<usize>) {
        let book = follower.book;
        let reached = book.ids().filter(|id| follower.lines.ply(*id).is_some());
        let keys: Vec<PositionKey> = reached.map(|id| book.node(id).key).collect();
        let (mut plies, mut left, mut back) = (0, false, None);
        replay_all(&Game::from_bytes(game.as_bytes()), Variations::Skipped, |step| {
            let (ply, position) = (step.ply, step.position);
            let is_in = keys.contains(&PositionKey::from(position));
            left |= !is_in;
            plies = if left { plies } else { ply };
            back = back.or((left && is_in).then_some(ply));
            ControlFlow::Continue(())
        });
        (plies, back)
    }

    const WORDS: [&str; 12] =
        ["d4", "d5", "c4", "e6", "Nf6", "Nc3", "Bb4", "Nf3", "e3", "Ng8", "Ng1", "Nb1"];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn games_are_followed_as_by_the_obvious_implementation(
            words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..14),
        ) {
            let book = book();
            let follower = Follower::new(&book, Selection::default());
            let game = words.join(" ");
            let followed = follower.follow(&Game::from_bytes(game.as_bytes()));
            let path = followed.path.clone().unwrap();
            let back = path.exit.and_then(|exit| exit.reentry);
            prop_assert_eq!((path.ply, back), plies_plainly(&follower, &game), "{}", game);
            // Each status is what it says.
            let has_moves = book.has_moves(path.last);
            let is_own = book.is_own_turn(path.last);
            let expected = match path.exit {
                None => Status::Completed,
                Some(_) if !has_moves => Status::BookEnded,
                Some(_) => if is_own { Status::Mine } else { Status::Theirs },
            };
            prop_assert_eq!(follower.status(&followed), expected);
        }
    }

    #[test]
    fn an_empty_book_matches_nothing() {
        let book = Book::new(Color::Black, BookRule::default());
        let follower = Follower::new(&book, Selection::default());
        let expected = "unmatched: the book does not have its first position";
        assert_eq!(summary(&follower, "1. e4 e5"), expected);
    }
}
