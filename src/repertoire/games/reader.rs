//! Games as a repertoire takes them: who played, and their first moves.

use std::{
    borrow::Cow,
    num::{NonZeroU16, NonZeroU32},
};

use sha2::{Digest, Sha256};

use super::{
    counter::{Visits, VisitsBuilder},
    date::GameDate,
    result::GameResult,
    selection::Selection,
    tally::GameFacts,
};
use crate::{
    chess::{Board, Chess, Color, EnPassantMode, Fen, PositionKey, UciMove},
    classify::Header,
    pgn::{Game, MainLine, Tag, Token, decode_text},
};

/// Ratings beyond this are no ratings.
const MAX_RATING: u16 = 4000;

/// What a game is known by: 16 bytes of the SHA-256 of its content.
///
/// That is its players, date and time, site, round, result and start position, and all moves of its main
/// line as they are written, but for signs of check. Comments, variations, other tags, and how the bytes are laid out
/// make no other game of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub [u8; 16]);

/// A game that was played, as far as a repertoire wants to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    /// What it is known by.
    pub fingerprint: Fingerprint,
    /// Who played White; empty if that is not told.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// The rating of White.
    pub white_rating: Option<NonZeroU16>,
    /// The rating of Black.
    pub black_rating: Option<NonZeroU16>,
    /// When it was played.
    pub date: Option<GameDate>,
    /// How it ended.
    pub result: GameResult,
    /// Where it was played: the `Site` tag, on the web often a link to it.
    pub site: String,
    /// Where it starts, unless that is the initial position.
    pub start: Option<Fen>,
    /// Its first moves as they are written, with blanks between.
    pub moves: String,
    /// How many.
    pub plies: usize,
}

impl PlayedGame {
    /// The key of its start position.
    #[must_use]
    pub fn start_key(&self) -> PositionKey {
        self.start.as_ref().map_or_else(|| *Board::default().key(), Fen::key)
    }

    /// Plays its moves, up to a ply. `visit` is given each position with the move that was played there,
    /// and the last one without. A move that cannot be played ends it.
    pub fn walk(&self, max_ply: usize, mut visit: impl FnMut(&PositionKey, Option<UciMove>)) {
        let start =
            self.start.as_ref().map(|start| start.to_position().map(|p| Board::from_position(&p)));
        let Ok(mut board) = start.unwrap_or_else(|| Ok(Board::default())) else { return };
        for word in self.moves.split_ascii_whitespace().take(max_ply) {
            let before = *board.key();
            if board.play(word.as_bytes()).is_err() {
                break;
            }
            visit(&before, UciMove::between(&before, board.key()));
        }
        visit(board.key(), None);
    }

    /// What a count for a side needs to know of it.
    ///
    /// # Panics
    ///
    /// If `number` is 0.
    #[must_use]
    pub fn facts(&self, number: u32, side: Color) -> GameFacts {
        GameFacts {
            number: NonZeroU32::new(number).expect("games are numbered from 1"),
            date: self.date,
            half_points: self.result.half_points(side),
            opponent: if side.is_white() { self.black_rating } else { self.white_rating },
        }
    }
}

/// Games that were not taken, or not to their end, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SkippedGames {
    /// Those that were not selected.
    pub not_selected: u64,
    /// Those of other variants, or with a start position that is none.
    pub other_variants: u64,
    /// Those without a move that can be played.
    pub without_moves: u64,
    /// Those with a move that cannot be played, or damage; they count up to there.
    pub cut_short: u64,
}

impl SkippedGames {
    /// Adds those of other games.
    pub fn merge(&mut self, other: Self) {
        self.not_selected += other.not_selected;
        self.other_variants += other.other_variants;
        self.without_moves += other.without_moves;
        self.cut_short += other.cut_short;
    }
}

/// What was read of a block of games.
#[derive(Debug, Clone)]
pub struct GameBatch {
    /// The games that are taken.
    pub games: Vec<PlayedGame>,
    /// The positions they have, each up to so many plies, by their places among the games.
    pub visits: Visits,
    /// The others.
    pub skipped: SkippedGames,
}

/// Reads games for a repertoire.
#[derive(Debug, Clone)]
pub struct GameReader {
    selection: Selection,
    max_ply: usize,
    games: Vec<PlayedGame>,
    visiting: VisitsBuilder,
    skipped: SkippedGames,
}

/// The tags of a game that matter here.
#[derive(Default)]
pub(in crate::repertoire) struct GameTags<'a> {
    pub(in crate::repertoire) header: Header<'a>,
    white_elo: Option<Cow<'a, [u8]>>,
    black_elo: Option<Cow<'a, [u8]>>,
    site: Option<Cow<'a, [u8]>>,
    round: Option<Cow<'a, [u8]>>,
    time: Option<Cow<'a, [u8]>>,
}

impl<'a> GameTags<'a> {
    pub(in crate::repertoire) fn read(tags: impl Iterator<Item = Tag<'a>>) -> Self {
        let mut read = Self::default();
        let mut others = Self::default();
        read.header = Header::read(tags.inspect(|tag| {
            let field = match tag.name {
                b"WhiteElo" => &mut others.white_elo,
                b"BlackElo" => &mut others.black_elo,
                b"Site" => &mut others.site,
                b"Round" => &mut others.round,
                b"UTCTime" | b"Time" => &mut others.time,
                _ => return,
            };
            field.get_or_insert_with(|| tag.value());
        }));
        Self { header: read.header, ..others }
    }

    pub(in crate::repertoire) fn date(&self) -> Option<GameDate> {
        str::from_utf8(self.header.date.as_deref()?).ok()?.parse().ok()
    }

    /// What the `Result` tag says.
    pub(in crate::repertoire) fn result(&self) -> GameResult {
        self.header.result.as_deref().map_or(GameResult::Unknown, GameResult::read)
    }

    /// What a count for a side needs to know, given what else is known of the game.
    pub(in crate::repertoire) fn facts(
        &self,
        number: NonZeroU32,
        result: GameResult,
        side: Color,
    ) -> GameFacts {
        let opponent = if side.is_white() { self.black_rating() } else { self.white_rating() };
        GameFacts { number, date: self.date(), half_points: result.half_points(side), opponent }
    }

    pub(in crate::repertoire) fn white_rating(&self) -> Option<NonZeroU16> {
        rating(self.white_elo.as_deref())
    }

    pub(in crate::repertoire) fn black_rating(&self) -> Option<NonZeroU16> {
        rating(self.black_elo.as_deref())
    }
}

fn rating(value: Option<&[u8]>) -> Option<NonZeroU16> {
    let text = str::from_utf8(value?.trim_ascii()).ok()?;
    NonZeroU16::new(text.parse().ok()?).filter(|rating| rating.get() <= MAX_RATING)
}

fn text(value: Option<&[u8]>) -> String {
    let text = decode_text(value.unwrap_or_default());
    // What the PGN standard writes for nothing.
    if text.trim() == "?" { String::new() } else { text.trim().to_owned() }
}

impl GameReader {
    /// Reads those games that are selected, up to a ply.
    #[must_use]
    pub fn new(selection: Selection, max_ply: usize) -> Self {
        Self {
            selection,
            max_ply,
            games: Vec::new(),
            visiting: VisitsBuilder::default(),
            skipped: SkippedGames::default(),
        }
    }

    /// Reads one game.
    pub fn read(&mut self, game: &Game<'_>) {
        let mut tags = game.tags();
        let read = GameTags::read(tags.by_ref());
        let line = tags.into_main_line();
        let told = read.result();
        // Without a result in the tags, the end of the moves may have one.
        if told != GameResult::Unknown && !self.selection.takes(&read, told) {
            self.skipped.not_selected += 1;
            return;
        }
        let Ok(start) = read.header.start() else {
            self.skipped.other_variants += 1;
            return;
        };
        let visited = self.visiting.len();
        let place = self.games.len() as u32;
        let mut walk = FirstMoves::new(start.as_ref(), self.max_ply);
        walk.play(line, |key, m| self.visiting.push(key, m, place));
        let result = if told == GameResult::Unknown { walk.result } else { told };
        let is_taken = self.selection.takes(&read, result);
        if is_taken && walk.plies > 0 {
            self.skipped.cut_short += u64::from(walk.is_broken);
            self.games.push(walk.into_game(&read, start.as_ref(), result));
        } else {
            self.visiting.truncate(visited);
            self.skipped.not_selected += u64::from(!is_taken);
            self.skipped.without_moves += u64::from(is_taken);
        }
    }

    /// How many games were taken so far.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.games.len()
    }

    /// What was read.
    #[must_use]
    pub fn into_batch(self) -> GameBatch {
        GameBatch { games: self.games, visits: self.visiting.build(), skipped: self.skipped }
    }
}

/// The first moves of a game, and all its words.
struct FirstMoves {
    board: Board,
    max_ply: usize,
    plies: usize,
    moves: String,
    content: Sha256,
    result: GameResult,
    is_broken: bool,
}

impl FirstMoves {
    fn new(start: Option<&Chess>, max_ply: usize) -> Self {
        Self {
            board: start.map_or_else(Board::default, Board::from_position),
            max_ply,
            plies: 0,
            moves: String::new(),
            content: Sha256::new(),
            result: GameResult::Unknown,
            is_broken: false,
        }
    }

    /// `visit` is given each position with the move that was played there, and the last one without.
    fn play(&mut self, line: MainLine<'_>, mut visit: impl FnMut(&PositionKey, Option<UciMove>)) {
        for token in line {
            match token {
                Token::Move(word) => {
                    let checks = word.iter().rev().take_while(|b| matches!(b, b'+' | b'#')).count();
                    self.content.update(&word[..word.len() - checks]);
                    self.content.update(b" ");
                    if self.plies < self.max_ply && !self.is_broken {
                        self.step(word, &mut visit);
                    }
                }
                Token::Result(result) => self.result = GameResult::read(result),
                Token::OpenComment | Token::OpenVariation => self.is_broken = true,
            }
        }
        visit(self.board.key(), None);
    }

    fn step(&mut self, word: &[u8], visit: &mut impl FnMut(&PositionKey, Option<UciMove>)) {
        let before = *self.board.key();
        if self.board.play(word).is_err() {
            self.is_broken = true;
            return;
        }
        visit(&before, UciMove::between(&before, self.board.key()));
        if self.plies > 0 {
            self.moves.push(' ');
        }
        self.moves.push_str(&decode_text(word));
        self.plies += 1;
    }

    fn into_game(
        mut self,
        tags: &GameTags<'_>,
        start: Option<&Chess>,
        result: GameResult,
    ) -> PlayedGame {
        let start = start.filter(|start| Board::from_position(start) != Board::default());
        let start = start.map(|start| Fen::from_position(start, EnPassantMode::Legal));
        let header = &tags.header;
        let [white, black, date, site, round, time] =
            [&header.white, &header.black, &header.date, &tags.site, &tags.round, &tags.time]
                .map(|value| text(value.as_deref()));
        let start_text = start.as_ref().map(ToString::to_string).unwrap_or_default();
        for value in [&white, &black, &date, &site, &round, &time, result.as_str(), &start_text] {
            self.content.update(b"\n");
            self.content.update(value);
        }
        let digest = self.content.finalize();
        PlayedGame {
            fingerprint: Fingerprint(std::array::from_fn(|n| digest[n])),
            white,
            black,
            white_rating: tags.white_rating(),
            black_rating: tags.black_rating(),
            date: tags.date(),
            result,
            site,
            start,
            moves: self.moves,
            plies: self.plies,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repertoire::Player;

    fn read(selection: &Selection, games: &[&str]) -> GameBatch {
        let mut reader = GameReader::new(selection.clone(), 4);
        games.iter().for_each(|game| reader.read(&Game::from_bytes(game.as_bytes())));
        reader.into_batch()
    }

    fn print_of(game: &str) -> Fingerprint {
        read(&Selection::all(Color::White), &[game]).games[0].fingerprint
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

    /// What is in databases must be known again by every later release.
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
        let all = Selection::all(Color::White);
        let player = |name| vec![Player::new(name)];
        let date = |text: &str| Some(text.parse().unwrap());
        for (selection, moves) in [
            (all.clone(), &["e4", "d4", "c4", "e4 e5"][..]),
            (Selection { players: player("Fischer"), ..all.clone() }, &["d4", "e4 e5"]),
            (
                Selection { players: player("D. Byrne"), color: Color::Black, ..all.clone() },
                &["d4", "c4"],
            ),
            (Selection { since: date("1956-10-18"), ..all.clone() }, &["d4"]),
            (Selection { until: date("1957-06"), ..all.clone() }, &["e4", "d4"]),
            (Selection { min_rating: Some(2300), ..all.clone() }, &["c4"]),
            (Selection { max_rating: Some(2599), ..all.clone() }, &[]),
            (
                Selection { min_rating: Some(2450), players: player("Fischer"), ..all.clone() },
                &["d4"],
            ),
            (
                Selection { results: vec![GameResult::Draw, GameResult::BlackWins], ..all.clone() },
                &["e4", "c4"],
            ),
        ] {
            let batch = read(&selection, &games);
            let taken: Vec<_> = batch.games.iter().map(|game| game.moves.as_str()).collect();
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
        let batch = read(&Selection::all(Color::White), &["1. e4 e5 2. Ke2 Ke7 3. Ke3", "1. Ke4"]);
        let mut walked = Vec::new();
        batch.games[0].walk(40, |key, m| walked.push((*key, m.map(|m| m.to_string()))));
        let moves: Vec<_> = walked.iter().filter_map(|(_, m)| m.as_deref()).collect();
        assert_eq!(moves, ["e2e4", "e7e5", "e1e2", "e8e7"]);
        let mut keys: Vec<_> = walked.iter().map(|(key, _)| *key).collect();
        let mut visited: Vec<_> = batch.visits.keys().collect();
        keys.sort();
        visited.sort();
        assert_eq!(keys, visited);
    }
}
