//! Reads games as a repertoire takes them.

use super::{first_moves::FirstMoves, played_game::PlayedGame, tags::GameTags};
use crate::{
    pgn::Game,
    select::{GameResult, Selector},
};

/// Games that were not taken, or not to their end, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedGames {
    /// Those that were not selected.
    pub not_selected: u64,
    /// Those of other variants, or with an invalid start position.
    pub other_variants: u64,
    /// Those from another position than the initial one, where those are left out.
    pub from_position: u64,
    /// Those without a move that can be played.
    pub without_moves: u64,
    /// Those with a move that cannot be played, or damage; they are counted up to there.
    pub cut_short: u64,
}

/// The games of a block that were taken.
#[derive(Debug, Clone)]
pub struct GameBatch {
    /// The games that were taken.
    pub games: Vec<PlayedGame>,
    /// The games that were not.
    pub skipped: SkippedGames,
}

/// Reads games for a repertoire.
#[derive(Debug, Clone)]
pub struct GameReader<'c> {
    selector: Selector<'c>,
    max_ply: usize,
    games: Vec<PlayedGame>,
    skipped: SkippedGames,
}

impl<'c> GameReader<'c> {
    /// Reads those games that are selected, up to a ply.
    #[must_use]
    pub fn new(selector: impl Into<Selector<'c>>, max_ply: usize) -> Self {
        Self {
            selector: selector.into(),
            max_ply,
            games: Vec::new(),
            skipped: SkippedGames::default(),
        }
    }

    /// Reads one game.
    pub fn read(&mut self, game: &Game<'_>) {
        let read = GameTags::read(game);
        if self.selector.select(&read.info).is_none() {
            self.skipped.not_selected += 1;
            return;
        }
        let Ok(start) = read.header.start() else {
            self.skipped.other_variants += 1;
            return;
        };
        let mut first = FirstMoves::new(start.as_ref(), self.max_ply);
        first.play(read.main_line());
        // Without a result in the tags, the end of the moves may have one.
        let result = match read.result() {
            GameResult::Unknown => first.result,
            known => known,
        };
        if !first.codes.is_empty() {
            self.skipped.cut_short += u64::from(first.is_broken);
            self.games.push(first.into_game(&read, start.as_ref(), result));
        } else {
            self.skipped.without_moves += 1;
        }
    }

    /// The number of games taken so far.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.games.len()
    }

    /// The games read.
    #[must_use]
    pub fn into_batch(self) -> GameBatch {
        let Self { games, skipped, .. } = self;
        GameBatch { games, skipped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::Color,
        repertoire::Fingerprint,
        select::{Player, RatingOf, Selection, WantedResult},
    };

    fn read(selection: &Selection, games: &[&str]) -> GameBatch {
        let mut reader = GameReader::new(selection.clone(), 4);
        games.iter().for_each(|game| reader.read(&Game::from_bytes(game.as_bytes())));
        reader.into_batch()
    }

    fn print_of(game: &str) -> Fingerprint {
        read(&Selection::default(), &[game]).games[0].fingerprint
    }

    #[test]
    fn a_game_is_known_by_its_content() {
        let game =
            "[White \"Byrne\"]\n[Date \"1956.10.17\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3+ Bg7 0-1\n";
        for same in [
            "[Date \"1956.10.17\"]\r\n[ECO \"A15\"]\r\n[White \"Byrne\"]\r\n\r\n1.Nf3 {!} Nf6 2.c4 $1 g6 (2... d5) 3.Nc3 Bg7 0-1",
            "[White \"Byrne\"]\n[Date \"1956.10.17\"]\n[Result \"0-1\"]\n\nNf3 Nf6 c4 g6 Nc3 Bg7",
            "[White \" Byrne\"]\n[Black \"?\"]\n[Date \"1956.10.17\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3# Bg7 0-1",
        ] {
            assert_eq!(print_of(same), print_of(game), "for {same}");
        }
        for other in [
            "[White \"Byrne\"]\n[Date \"1956.10.17\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3+ Bg7 1-0",
            "[White \"Byrne\"]\n[Date \"1956.10.17\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3+ Bg7 4. d4 0-1",
            "[White \"Byrne\"]\n[Date \"1956.10.18\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3+ Bg7 0-1",
            "[White \"Byrne\"]\n[Date \"1956.10.17\"]\n[Round \"2\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3+ Bg7 0-1",
            "[Black \"Byrne\"]\n[Date \"1956.10.17\"]\n\n1. Nf3 Nf6 2. c4 g6 3. Nc3+ Bg7 0-1",
        ] {
            assert_ne!(print_of(other), print_of(game), "for {other}");
        }
    }

    /// Databases store these hashes, so every later release must compute the same.
    #[test]
    fn fingerprints_stay_what_they_are() {
        let game = "[White \"Byrne, Donald\"]\n[Black \"Fischer\"]\n\n1. Nf3 Nf6 0-1";
        let hex: String = print_of(game).0.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "7ff1851b1dbb530ded0e21db40a615a0");
    }

    #[test]
    fn only_what_is_selected_is_taken() {
        let games = [
            "[White \"Byrne, D.\"]\n[Black \"Fischer\"]\n[Date \"1956.10.17\"]\n[WhiteElo \"2400\"]\n\n1. e4 0-1",
            "[White \"Fischer\"]\n[Black \"Byrne, D.\"]\n[Date \"1957.??.??\"]\n[BlackElo \"2500\"]\n\n1. d4 1-0",
            "[White \"Spassky\"]\n[Black \"D. Byrne\"]\n[WhiteElo \"2600\"]\n[BlackElo \"2300\"]\n\n1. c4 1/2-1/2",
            "[White \"Fischer\"]\n[Variant \"Chess960\"]\n\n1. g4 1-0",
            "[White \"Fischer\"]\n\n*",
            "[White \"fischer\"]\n\n1. e4 e5 2. Ke3 1-0",
        ];
        let all = Selection::default();
        let change = |change: &dyn Fn(&mut Selection)| {
            let mut selection = Selection::default();
            change(&mut selection);
            selection
        };
        let player = |name| vec![Player::new(name)];
        let date = |text: &str| Some(text.parse().unwrap());
        let (white, black) = (Some(Color::White), Some(Color::Black));
        for (selection, moves) in [
            (all.clone(), &["e4", "d4", "c4", "e4 e5"][..]),
            (change(&|s| (s.players, s.color) = (player("Fischer"), white)), &["d4", "e4 e5"]),
            (change(&|s| (s.players, s.color) = (player("D. Byrne"), black)), &["d4", "c4"]),
            (change(&|s| s.since = date("1956-10-18")), &["d4"]),
            (change(&|s| s.until = date("1957-06")), &["e4", "d4"]),
            (change(&|s| s.rating = Some(2300..=u16::MAX)), &["c4"]),
            (change(&|s| s.rating = Some(0..=2599)), &[]),
            (
                change(&|s| {
                    (s.players, s.color) = (player("Fischer"), white);
                    (s.rating, s.rating_of) = (Some(2450..=u16::MAX), RatingOf::Opponent);
                }),
                &["d4"],
            ),
            (
                change(&|s| {
                    let results = [GameResult::Draw, GameResult::BlackWins];
                    s.results = results.map(WantedResult::Is).to_vec();
                }),
                &["e4", "c4"],
            ),
        ] {
            let batch = read(&selection, &games);
            let taken: Vec<_> = batch.games.iter().map(PlayedGame::movetext).collect();
            assert_eq!(taken, moves, "for {selection:?}");
        }
        let skipped = read(&all, &games).skipped;
        assert_eq!(
            (
                skipped.not_selected,
                skipped.other_variants,
                skipped.without_moves,
                skipped.cut_short
            ),
            (0, 1, 1, 1)
        );
    }

    #[test]
    fn a_game_walks_again_as_it_was_read() {
        let batch = read(&Selection::default(), &["1. e4 e5 2. Ke2 Ke7 3. Ke3", "1. Ke4"]);
        let mut walked = Vec::new();
        batch.games[0].walk(40, |key, m| walked.push((*key, m.map(|m| m.to_string()))));
        let moves: Vec<_> = walked.iter().filter_map(|(_, m)| m.as_deref()).collect();
        assert_eq!(moves, ["e2e4", "e7e5", "e1e2", "e8e7"]);
        assert_eq!(batch.games.len(), 1);
        assert_eq!(batch.games[0].movetext(), "e4 e5 Ke2 Ke7");
    }
}
