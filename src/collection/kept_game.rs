//! A game as a collection keeps it.
//!
//! All tags are kept, as bytes of the file, all moves of the main line, and the evaluations and
//! clocks that say how the [opening](super::kept_commands) went. Other comments, variations,
//! glyphs, the spelling of moves and the layout are not.
//!
//! Its texts are in memory that serves one game after the other: games are read on some threads and
//! dropped on another, and an allocator that must take memory back from another thread is slow.
//! With memory that goes back to where games are read, `eco index -j2` takes 0.93 of the time
//! (84,849 games, x86-64 with glibc, medians of 13, 2026-11).

use std::sync::{Arc, Mutex};
use std::{borrow::Cow, mem};

use super::{GameId, kept_commands};
use crate::chess::{Board, Chess, CodedBoard, Color, PositionKey, UciMove, without_checks};
use crate::pgn::{Commands, GameDate, PlayedAt, Tag, decode_text};
use crate::select::{
    Fingerprint, GameInfo, GameResult, Player, SameGame, Selection, Speed, Traces,
};
use crate::{classify::Header, executor::lock, lists::Lists, opening::Opening};

/// A game as a collection keeps it: its tags, its moves, and its opening.
///
/// ```
/// use eco::{collection::KeptGameReader, pgn::Game, select::Selection};
///
/// let pgn = b"[White \"Byrne\"]\n[Event \"New York\"]\n\n1.Nf3 {Reti} Nf6 2. c4 (2. g3) g6 0-1";
/// let mut reader = KeptGameReader::new(Selection::default());
/// let game = reader.read(&Game::from_bytes(pgn)).expect("all games are selected");
/// assert_eq!(game.tag("White"), Some(&b"Byrne"[..]));
/// assert_eq!(game.opening().map(|opening| opening.code()), Some("A15"));
/// let pgn = "[Event \"New York\"]\n[White \"Byrne\"]\n\n1. Nf3 Nf6 2. c4 g6 0-1\n";
/// assert_eq!(game.to_pgn(), pgn.as_bytes());
/// ```
#[derive(Debug, Clone)]
pub struct KeptGame {
    pub(super) fingerprint: Fingerprint,
    pub(super) texts: GameTexts,
    /// Where the texts go when the game is dropped, if they came from there.
    pub(super) home: Option<SpareTexts>,
    pub(super) start: GameStart,
    pub(super) details: Details,
    pub(super) opening: Option<Opening>,
    /// Those of its positions, if they were read together with it.
    pub(super) traces: Option<Traces>,
}

/// Games are equal if all that is kept of them is.
impl PartialEq for KeptGame {
    fn eq(&self, other: &Self) -> bool {
        let parts = |game: &Self| (game.fingerprint, game.start, game.details);
        parts(self) == parts(other) && self.texts == other.texts && self.opening == other.opening
    }
}

impl Eq for KeptGame {}

impl Drop for KeptGame {
    fn drop(&mut self) {
        if let Some(SpareTexts(spare)) = &self.home {
            lock(spare).push(mem::take(&mut self.texts));
        }
    }
}

/// What a game says of itself in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Details {
    /// How it ended: as its tags say, or else as the end of its moves does.
    pub(crate) result: GameResult,
    /// The number of half-moves of its main line, also of those that cannot be played.
    pub(crate) plies: usize,
    /// The date.
    pub(crate) date: Option<GameDate>,
    /// When it was played.
    pub(crate) played_at: PlayedAt,
    /// The ratings of White and Black.
    pub(crate) ratings: [Option<u16>; 2],
    /// The speed.
    pub(crate) speed: Option<Speed>,
    /// Whether it counts for ratings.
    pub(crate) is_rated: Option<bool>,
}

impl Details {
    /// Those of a game with these tags, this result and this number of half-moves.
    pub(super) fn read(info: &GameInfo<'_>, result: GameResult, plies: usize) -> Self {
        Self {
            result,
            plies,
            date: info.date(),
            played_at: info.played_at(),
            ratings: [Color::White, Color::Black].map(|color| info.rating(color)),
            speed: info.speed(),
            is_rated: info.is_rated(),
        }
    }
}

/// Where a game begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameStart {
    /// In the initial position.
    Initial,
    /// In another position, which its tag `FEN` has.
    SetUp,
    /// It is a game of another variant, or its `FEN` is no position. None of its moves are played.
    Unknown,
}

/// Where a game with these tags begins, and the position if it is not the initial one.
pub(super) fn start_of(header: &Header<'_>) -> (GameStart, Option<Chess>) {
    match header.start() {
        Ok(None) => (GameStart::Initial, None),
        Ok(Some(start)) if Board::from_position(&start) == Board::default() => {
            (GameStart::Initial, None)
        }
        Ok(Some(start)) => (GameStart::SetUp, Some(start)),
        Err(_) => (GameStart::Unknown, None),
    }
}

impl KeptGame {
    /// The game of stored texts, and of what they say in numbers.
    pub(super) fn stored(
        fingerprint: Fingerprint,
        texts: GameTexts,
        details: Details,
        opening: Option<Opening>,
    ) -> Self {
        let start = start_of(&Header::read(texts.tags.tags())).0;
        Self { fingerprint, texts, home: None, start, details, opening, traces: None }
    }

    /// Its identity in a collection.
    pub fn id(&self) -> GameId {
        GameId::from(self.fingerprint)
    }

    /// Its identity.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The names and values of its tags: those of the Seven Tag Roster first, then the others as
    /// the game had them. Values are without the backslashes that PGN needs.
    pub fn tags(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.texts.tags.iter()
    }

    /// The evaluations and clocks that are kept, by the plies of their moves.
    pub(super) fn commands(&self) -> impl Iterator<Item = (usize, Commands)> {
        kept_commands::unpack(self.texts.tags.commands())
    }

    /// The value of the first tag of this name.
    pub fn tag(&self, name: &str) -> Option<&[u8]> {
        self.tags().find(|(other, _)| *other == name.as_bytes()).map(|(_, value)| value)
    }

    /// What the game says of itself: whatever can be asked of a game that is read from PGN.
    pub fn info(&self) -> GameInfo<'_> {
        GameInfo::of_tags(self.texts.tags.tags(), (self.plies(), self.result()), self.codes())
    }

    /// Whether it is selected, by what it says of itself and by its opening.
    pub fn is_selected(&self, selection: &Selection) -> bool {
        selection.matches(&self.info(), || self.opening()).is_some()
    }

    /// The text of a tag, without the blanks around it; empty if it is `?` or not there.
    pub fn known_tag(&self, name: &str) -> Cow<'_, str> {
        match decode_text(self.tag(name).unwrap_or_default()) {
            Cow::Borrowed(text) => Cow::Borrowed(known(text)),
            Cow::Owned(text) => Cow::Owned(known(&text).to_owned()),
        }
    }

    /// How it ended: as `Result` says, or else as the end of its moves does.
    pub fn result(&self) -> GameResult {
        self.details.result
    }

    /// What it says of itself in numbers.
    pub(crate) fn details(&self) -> Details {
        self.details
    }

    /// Where it begins.
    pub fn start(&self) -> GameStart {
        self.start
    }

    /// Its opening, as it was classified when the game was read.
    pub fn opening(&self) -> Option<&Opening> {
        self.opening.as_ref()
    }

    /// The number of half-moves of its main line, also of those that cannot be played.
    pub fn plies(&self) -> usize {
        self.details.plies
    }

    /// The game up to a ply, without the moves that cannot be played. Its identity stays that of
    /// the whole game.
    #[must_use]
    pub fn cut_at(mut self, max_ply: usize) -> Self {
        self.texts.codes.truncate(max_ply);
        self.texts.rest.clear();
        self.details.plies = self.texts.codes.len();
        self
    }

    /// The moves of its main line, as far as they can be played.
    pub fn moves(&self) -> impl Iterator<Item = UciMove> {
        self.line(usize::MAX).map_while(|(_, m)| m)
    }

    /// The traces of the positions of its main line.
    pub(crate) fn traces(&self) -> Traces {
        self.traces.unwrap_or_else(|| Traces::of(self.line(usize::MAX).map(|(board, _)| board)))
    }

    /// The positions up to a ply, each with the move that is played there.
    fn line(&self, max_ply: usize) -> impl Iterator<Item = (Board, Option<UciMove>)> {
        let codes = &self.codes()[..self.codes().len().min(max_ply)];
        let start = self.start_board().map(CodedBoard::from);
        start.into_iter().flat_map(|start| start.line(codes))
    }

    /// Calls `visit` with each position up to a ply and the move played there, and with the last
    /// position without a move.
    pub(crate) fn walk(
        &self,
        max_ply: usize,
        mut visit: impl FnMut(&PositionKey, Option<UciMove>),
    ) {
        self.line(max_ply).for_each(|(board, m)| visit(&board.key(), m));
    }

    /// The moves that can be played, a [code](CodedBoard::play_code) each: the code at index 0 is
    /// that of the first ply.
    pub(crate) fn codes(&self) -> &[u8] {
        &self.texts.codes
    }

    /// The words of its main line after the last move that can be played, each with a line end
    /// after it.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.texts.rest
    }

    pub(super) fn rest_words(&self) -> impl Iterator<Item = &[u8]> {
        words(self.rest())
    }

    /// The start position; `None` if it is not known.
    pub(crate) fn start_position(&self) -> Option<Chess> {
        match self.start {
            GameStart::Initial => Some(Chess::default()),
            GameStart::SetUp => start_of(&Header::read(self.texts.tags.tags())).1,
            GameStart::Unknown => None,
        }
    }

    /// The start position, if it is another than the initial one.
    pub(crate) fn set_up(&self) -> Option<Chess> {
        (self.start == GameStart::SetUp).then(|| self.start_position()).flatten()
    }

    /// The board that its moves are played on; `None` if the start position is not known.
    pub(crate) fn start_board(&self) -> Option<Board> {
        match self.start {
            GameStart::Initial => Some(Board::default()),
            _ => self.start_position().map(|start| Board::from_position(&start)),
        }
    }

    /// The identity that all games have in common that are the same by a rule.
    pub(crate) fn identity(&self, rule: SameGame) -> GameId {
        match rule {
            SameGame::Strict => self.id(),
            SameGame::Moves => self.identity_of_moves(),
        }
    }

    /// That of the players, whatever the spelling of their names, of the date, the start position
    /// and the moves.
    fn identity_of_moves(&self) -> GameId {
        let mut content = Vec::new();
        let mut add = |part: &[u8]| {
            content.extend_from_slice(&(part.len() as u64).to_be_bytes());
            content.extend_from_slice(part);
        };
        for color in ["White", "Black"] {
            let name = decode_text(self.tag(color).unwrap_or_default());
            add(Player::new(&name).as_str().as_bytes());
        }
        add(self.details().date.map(|date| date.to_string()).unwrap_or_default().as_bytes());
        match self.start_board() {
            Some(board) => add(board.key().to_string().as_bytes()),
            // Of another variant: nothing of it is played.
            None => {
                ["Variant", "FEN"].iter().for_each(|name| add(self.tag(name).unwrap_or_default()));
            }
        }
        add(self.codes());
        // A sign of check is no part of a move: the same content is the same game by every rule.
        self.rest_words().for_each(|word| add(without_checks(word)));
        Fingerprint::of_bytes(&content).into()
    }
}

impl From<Fingerprint> for GameId {
    fn from(fingerprint: Fingerprint) -> Self {
        let [a, b, c, d, e, f, g, h, ..] = fingerprint.0;
        Self::from_number(u64::from_be_bytes([a, b, c, d, e, f, g, h]))
    }
}

fn known(text: &str) -> &str {
    let text = text.trim();
    if text == "?" { "" } else { text }
}

/// The words of a text in which each has a line end after it.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').filter(|word| !word.is_empty())
}

/// The texts of a kept game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GameTexts {
    /// Its tags, in order.
    pub(super) tags: KeptTags,
    /// The moves that can be played, a [code](CodedBoard::play_code) each.
    pub(super) codes: Vec<u8>,
    /// The words of the main line after those, each with a line end after it.
    pub(super) rest: Vec<u8>,
}

/// Texts of games that were dropped. Clones share them. There are never more than there were games
/// at one time.
#[derive(Debug, Clone, Default)]
pub(super) struct SpareTexts(Arc<Mutex<Vec<GameTexts>>>);

impl SpareTexts {
    /// The texts of a game that was dropped, or new ones. Their contents mean nothing.
    pub(super) fn take(&self) -> GameTexts {
        lock(&self.0).pop().unwrap_or_default()
    }
}

/// Tags of a game: a name and a value each. Its evaluations and clocks are among them, packed,
/// under [a name](kept_commands::NAME) that no tag has: so games without them need no room.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct KeptTags(Lists<u8>);

impl KeptTags {
    /// Takes all tags away, and makes room for others.
    pub(crate) fn reset(&mut self, tags: usize, bytes: usize) {
        self.0.reset(2 * tags, bytes);
    }

    /// Adds a tag after the others.
    pub(crate) fn push(&mut self, name: &[u8], value: &[u8]) {
        self.0.push(name);
        self.0.push(value);
    }

    /// Names and values of all that is kept.
    pub(super) fn all(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        (0..self.0.len()).step_by(2).map(|name| (self.0.get(name), self.0.get(name + 1)))
    }

    /// Names and values of tags.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.all().filter(|(name, _)| *name != kept_commands::NAME)
    }

    /// The evaluations and clocks, packed; empty if there are none.
    pub(super) fn commands(&self) -> &[u8] {
        let mut all = self.all();
        all.find(|(name, _)| *name == kept_commands::NAME).map_or(&[], |(_, packed)| packed)
    }

    /// The tags as those of a game that is read.
    pub(crate) fn tags(&self) -> impl Iterator<Item = Tag<'_>> {
        self.iter().map(|(name, value)| Tag::unescaped(name, value))
    }
}

#[cfg(test)]
impl KeptGame {
    /// The game of this text, up to a ply.
    pub(crate) fn of_pgn(pgn: &str, max_ply: usize) -> Self {
        let mut reader = super::KeptGameReader::new(Selection::default());
        let game = reader.read(&crate::pgn::Game::from_bytes(pgn.as_bytes()));
        game.expect("all games are selected").cut_at(max_ply)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        collection::KeptGameReader,
        pgn::{Game, games},
        select::{Player, RatingOf, Selection, Selector, WantedResult},
    };

    fn keep(pgn: &str) -> KeptGame {
        let mut reader = KeptGameReader::new(Selection::default());
        reader.read(&Game::from_bytes(pgn.as_bytes())).expect("all games are selected")
    }

    /// What is exported, and what is kept of that.
    fn round_trip(pgn: &str) -> String {
        let mut game = keep(pgn);
        let written = game.to_pgn();
        if game.tags().next().is_none() {
            // Something must divide games.
            let result = game.result();
            game.texts.tags.push(b"Result", result.as_str().as_bytes());
        }
        let again = keep(str::from_utf8(&written).unwrap());
        game.fingerprint = again.fingerprint;
        assert_eq!(again, game, "for {pgn}");
        String::from_utf8(written).unwrap()
    }

    /// Wherever the line is full.
    #[test]
    fn a_piece_apart_from_its_square_stays_on_the_line_of_its_number() {
        for moves in 0..20 {
            let pgn = format!("1. e4 e5 2. Ke3 {}... N f3Nc6 c4", "a6 ".repeat(moves));
            let written = round_trip(&pgn.replace("...", "37..."));
            assert!(written.contains("N f3Nc6"), "{written}");
        }
    }

    #[test]
    fn tags_of_the_roster_come_first_and_no_tag_is_made_up() {
        let pgn = "[White \"A \\\"x\\\" \\\\\"]\n[WhiteElo \"2345?\"]\n[Event \"?\"]\n\
                   [X \"1\"]\n[X \"2\"]\n\n1. e4 *";
        assert_eq!(
            round_trip(pgn),
            "[Event \"?\"]\n[White \"A \\\"x\\\" \\\\\"]\n[WhiteElo \"2345?\"]\n[X \"1\"]\n\
             [X \"2\"]\n\n1. e4 *\n"
        );
    }

    #[test]
    fn a_first_tag_that_is_repeated_begins_no_other_game() {
        let pgn = "[White \"A\"]\n[Event \"1\"][Event \"2\"]\n\n*";
        assert_eq!(round_trip(pgn), "[Event \"1\"][Event \"2\"]\n[White \"A\"]\n\n*\n");
    }

    #[test]
    fn games_that_cannot_be_played_keep_their_words() {
        for (pgn, moves) in [
            ("1. e4 e5 2. Ke3 Nf6 3. junk *", "1. e4 e5 2. Ke3 Nf6 3. junk *"),
            ("1. e4 -- 2. d4 1-0", "1. e4 1... -- 2. d4 1-0"),
            ("[Variant \"Atomic\"]\n\n1. e4 e5 2. Qh5+ g6 0-1", "1. e4 e5 2. Qh5+ g6 0-1"),
            ("[FEN \"no position\"]\n\n1. e4 e5 *", "1. e4 e5 *"),
            (
                "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 3 17\"]\n\n17... Kd7 18. Kd2 Kd9 *",
                "17... Kd7 18. Kd2 18... Kd9 *",
            ),
            ("1. Nf3 Nf6 2. ♘ a8 ♞ a1 *", "1. Nf3 Nf6 2. ♘ a8 2... ♞ a1 *"),
            ("1. Nf3 Nf6 2. ♘\na8 *", "1. Nf3 Nf6 2. ♘ 2... a8 *"),
            ("1. e4 ch, e5 N= 2. Ke3 ch= eep Zz, *", "1. e4 e5 2. Ke3 Zz *"),
            ("", "*"),
        ] {
            let written = round_trip(pgn);
            let (_, movetext) = written.split_once("\n\n").unwrap();
            assert_eq!(movetext, format!("{moves}\n"), "for {pgn}");
        }
    }

    #[test]
    fn moves_are_written_in_standard_san_on_short_lines() {
        let pgn = "1. g1f3 g8f6 2. Ng1 Ng8 3. e2-e4 e7e5 4. f4 exf4 5. Bc4 Qh4 6. Kf1 b5 7. Bxb5 Nf6 \
                   8. Nf3 Qh6 9. d3 Nh5 10. Nh4 Qg5 11. Nf5 c6 12. g4 Nf6 13. Rg1 cxb5 14. 0-0 *";
        assert_eq!(
            round_trip(pgn),
            "[Result \"*\"]\n\n\
             1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5 4. f4 exf4 5. Bc4 Qh4+ 6. Kf1 b5 7. Bxb5 Nf6 8.\n\
             Nf3 Qh6 9. d3 Nh5 10. Nh4 Qg5 11. Nf5 c6 12. g4 Nf6 13. Rg1 cxb5 14. 0-0 *\n"
        );
    }

    #[test]
    fn a_kept_game_says_what_the_game_says() {
        let pgn = "[White \"B\"]\n[UTCDate \"2020.01.02\"]\n[Site \"https://lichess.org/abcdefgh\"]\n\
                   [WhiteElo \"2000\"]\n[Event \"Rated Blitz game\"]\n[TimeControl \"180+2\"]\n\n\
                   1. e4 e5 2. Ke3 1-0";
        let game = keep(pgn);
        let (kept, game_bytes) = (game.info(), Game::from_bytes(pgn.as_bytes()));
        let read = GameInfo::read(&game_bytes);
        for color in [crate::chess::Color::White, crate::chess::Color::Black] {
            assert_eq!(kept.name(color), read.name(color));
            assert_eq!(kept.rating(color), read.rating(color));
        }
        assert_eq!(kept.date(), read.date());
        assert_eq!(kept.link(), read.link());
        assert_eq!(kept.speed(), read.speed());
        assert_eq!(kept.is_rated(), read.is_rated());
        assert_eq!((kept.plies(), kept.result()), (read.plies(), read.result()));
        assert_eq!((game.plies(), game.result()), (3, GameResult::WhiteWins));
    }

    #[test]
    fn games_are_made_again_from_their_parts() {
        for pgn in [
            "[White \"B\"]\n\n1. e4 e5 2. Ke3 1-0",
            "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 3 17\"]\n\n17... Kd7",
            "[Variant \"Chess960\"]\n\n1. e4",
        ] {
            let game = keep(pgn);
            let texts = game.texts.clone();
            let opening = game.opening().cloned();
            let again = KeptGame::stored(game.fingerprint(), texts, game.details(), opening);
            assert_eq!(again, game, "for {pgn}");
        }
    }

    fn print_of(game: &str) -> Fingerprint {
        keep(game).fingerprint()
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

    /// Its moves, separated by blanks.
    fn moves_of(game: &KeptGame) -> String {
        game.moves().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
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
            (all.clone(), &["e2e4", "d2d4", "c2c4", "e2e4 e7e5"][..]),
            (
                change(&|s| (s.players, s.color) = (player("Fischer"), white)),
                &["d2d4", "e2e4 e7e5"],
            ),
            (change(&|s| (s.players, s.color) = (player("D. Byrne"), black)), &["d2d4", "c2c4"]),
            (change(&|s| s.since = date("1956-10-18")), &["d2d4"]),
            (change(&|s| s.until = date("1957-06")), &["e2e4", "d2d4"]),
            (change(&|s| s.rating = Some(2300..=u16::MAX)), &["c2c4"]),
            (change(&|s| s.rating = Some(0..=2599)), &[]),
            (
                change(&|s| {
                    (s.players, s.color) = (player("Fischer"), white);
                    (s.rating, s.rating_of) = (Some(2450..=u16::MAX), RatingOf::Opponent);
                }),
                &["d2d4"],
            ),
            (
                change(&|s| {
                    let results = [GameResult::Draw, GameResult::BlackWins];
                    s.results = results.map(WantedResult::Is).to_vec();
                }),
                &["e2e4", "c2c4"],
            ),
        ] {
            let selector = Selector::from(selection.clone());
            let is_selected = |game: &&&str| {
                selector.select(&GameInfo::read(&Game::from_bytes(game.as_bytes()))).is_some()
            };
            let taken = games.iter().filter(is_selected).map(|game| keep(game).cut_at(4));
            let taken = taken.filter(|game| game.plies() > 0);
            let taken: Vec<String> = taken.map(|game| moves_of(&game)).collect();
            assert_eq!(taken, moves, "for {selection:?}");
        }
    }

    #[test]
    fn only_what_is_selected_is_read() {
        let players = vec![Player::new("Fischer")];
        let eco = Some(crate::catalogue::Query::new("B"));
        let selection = Selection { players, eco, ..Selection::default() };
        let mut reader = KeptGameReader::new(selection);
        let pgn = b"[White \"Fischer\"]\n\n1. e4 c5 *\n\n[White \"Fischer\"]\n\n1. e4 e5 *\n\n\
                    [White \"Spassky\"]\n\n1. e4 c5 *\n";
        let read: Vec<_> = games(pgn).filter_map(|game| reader.read(&game)).collect();
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].moves().map(|m| m.to_string()).collect::<Vec<_>>(), ["e2e4", "c7c5"]);
    }

    #[test]
    fn a_walk_visits_each_position() {
        let game = keep("1. e4 e5 2. Ke2 Ke7 3. Ke4");
        let mut walked = Vec::new();
        game.walk(3, |key, m| walked.push((key.to_string(), m.map(|m| m.to_string()))));
        let moves: Vec<_> = walked.iter().map(|(_, m)| m.as_deref()).collect();
        assert_eq!(moves, [Some("e2e4"), Some("e7e5"), Some("e1e2"), None]);
        assert!(walked[3].0.ends_with(" b kq -"));
    }

    /// What stands in files, well or badly.
    fn scraps() -> impl Strategy<Value = Vec<u8>> {
        const SCRAPS: [&str; 45] = [
            "[White \"",
            "[Event \"",
            "[Site",
            "[Result \"1-0\"]",
            "[FEN \"",
            "\"]",
            "]",
            "\"",
            "\\",
            "\n",
            "\r\n",
            " ",
            " ",
            "1.",
            "1...",
            "e4",
            "e5",
            "Nf3",
            "Nc6",
            "O-O",
            "0-0",
            "e8=Q",
            "--",
            "N",
            "D",
            "f3",
            "♘",
            "♞ ",
            "ch",
            ",",
            "=",
            "{",
            "}",
            "(",
            ")",
            ";",
            "%",
            "$1",
            "1-0",
            "1/2-1/2",
            "*",
            "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
            "\u{feff}",
            "{[%eval 0.3] [%clk 9]}",
            "{[%eval -#2] [%emt 5]}",
        ];
        let scrap = prop_oneof![
            20 => prop::sample::select(SCRAPS.to_vec()).prop_map(|scrap| scrap.as_bytes().to_vec()),
            1 => prop::collection::vec(any::<u8>(), 1..4),
        ];
        prop::collection::vec(scrap, 0..40).prop_map(|scraps| scraps.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 2000,
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn whatever_is_kept_is_exported_and_read_again(pgn in scraps()) {
            let mut reader = KeptGameReader::new(Selection::default());
            for game in games(&pgn) {
                let kept = reader.read(&game).unwrap();
                let written = kept.to_pgn();
                let mut all = games(&written);
                let again = all.next().map(|game| reader.read(&game).unwrap());
                prop_assert!(
                    all.next().is_none(),
                    "two games of {}: {}", game.bytes().escape_ascii(), written.escape_ascii()
                );
                let again = again.expect("a game is written");
                let text = written.escape_ascii();
                if kept.tags().next().is_some() {
                    prop_assert_eq!(&again.texts.tags, &kept.texts.tags, "{}", text);
                }
                prop_assert_eq!(again.codes(), kept.codes(), "{}", text);
                prop_assert_eq!(
                    again.rest().escape_ascii().to_string(),
                    kept.rest().escape_ascii().to_string(),
                    "{}", text
                );
                prop_assert_eq!(again.result(), kept.result(), "{}", text);
                prop_assert_eq!(again.to_pgn(), written.clone(), "{}", text);
            }
        }
    }

    #[test]
    fn games_of_one_content_are_the_same_by_every_rule() {
        let mut reader = KeptGameReader::new(Selection::default());
        let mut ids = |pgn: &str| {
            let game = reader.read(&Game::from_bytes(pgn.as_bytes())).unwrap();
            [SameGame::Strict, SameGame::Moves].map(|rule| game.identity(rule))
        };
        for (pgn, other, is_same) in [
            ("1. e4 e5 2. Ke2 *", "1. e4 e5 2. Ke2+ *", true),
            ("1. e4 e5 2. Ke3 *", "1. e4 e5 2. Ke3+ *", true),
            ("1. e4 e5 2. Ke3 Kd4# *", "1. e4 e5 2. Ke3 Kd4 *", true),
            ("1. e4 e5 2. Ke3 *", "1. e4 e5 2. Kd3 *", false),
            ("1. e4 e5 2. Ke3 *", "1. e4 e5 2. Ke3 Ke6 *", false),
        ] {
            let same = ids(pgn).into_iter().zip(ids(other)).map(|(a, b)| a == b);
            assert_eq!(same.collect::<Vec<_>>(), [is_same; 2], "{pgn} and {other}");
        }
    }
}
