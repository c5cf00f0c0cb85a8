//! Who left the book, and with what.

use std::fmt;

use super::follow::{BookPath, Followed, Follower};
use crate::{chess::UciMove, classify::PlayedMove, repertoire::book::NodeId};

/// How the path of a game through a book ended. Prints as its name in reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// With another move than those the book has for its own side.
    Mine,
    /// With a move of the opponent, where the book has others.
    Theirs,
    /// The book has no moves there.
    BookEnded,
    /// With the game, or with what can be read of it.
    Completed,
    /// It had no path through the book.
    Unmatched,
}

impl Status {
    /// All of them.
    pub const ALL: &[Self] =
        &[Self::Mine, Self::Theirs, Self::BookEnded, Self::Completed, Self::Unmatched];

    /// Its name in reports.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Mine => "mine",
            Self::Theirs => "theirs",
            Self::BookEnded => "book ended",
            Self::Completed => "completed",
            Self::Unmatched => "unmatched",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
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
    #[must_use]
    pub fn status(&self, followed: &Followed<'_>) -> Status {
        match &followed.path {
            Err(_) => Status::Unmatched,
            Ok(BookPath { exit: None, .. }) => Status::Completed,
            Ok(path) if !self.book().has_moves(path.last) => Status::BookEnded,
            Ok(path) if self.book().is_own_turn(path.last) => Status::Mine,
            Ok(_) => Status::Theirs,
        }
    }

    /// The move that led a game out of the book, if one did.
    #[must_use]
    pub fn departure(&self, followed: &Followed<'_>) -> Option<Departure> {
        let path = followed.path.as_ref().ok()?;
        let exit = path.exit?;
        let node = self.book().node(path.last);
        let san = node.san([exit.uci]).pop()?;
        Some(Departure {
            from: path.last,
            uci: exit.uci,
            played: PlayedMove { number: exit.number, san },
            book: node.san(self.book().moves(path.last).iter().map(|edge| edge.uci)),
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
        chess::{Color, EnPassantMode, PositionKey},
        classify::replay,
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
        let status = follower.status(&followed).as_str();
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
        let book = follower.book();
        let reached = book.ids().filter(|id| follower.shortest_lines().ply(*id).is_some());
        let keys: Vec<PositionKey> = reached.map(|id| book.node(id).key).collect();
        let (mut plies, mut left, mut back) = (0, false, None);
        replay(&Game::from_bytes(game.as_bytes()), |ply, position| {
            let is_in = keys.contains(&PositionKey::from_position(position, EnPassantMode::Legal));
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
