//! The games of a block that are kept, on the thread that works on it.

use std::{ops::Range, str::FromStr, sync::Arc};

use eco::{
    chess::Color,
    classify::Classifier,
    opening::Opening,
    pgn::{Game, decode_text, source::LineEnds},
    select::{Fingerprint, GameInfo, Match, Player},
};

use crate::cli::{
    games::GameBlock,
    selection::{Read, SelectedGames},
};

/// The stream that games come from.
#[derive(Debug, Clone)]
pub(super) struct Stream {
    /// Its name; no other stream has the same `Arc`.
    pub(super) name: Arc<str>,
    pub(super) line_ends: LineEnds,
}

/// A stream by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin {
    /// Its number.
    pub(super) stream: u64,
    pub(super) line_ends: LineEnds,
}

/// What is kept of a block.
pub(super) struct Kept {
    pub(super) stream: Stream,
    /// All bytes that are kept, and those before the first game.
    pub(super) bytes: Vec<u8>,
    /// The bytes before the first game: more of the last game of the stream, or what stands before
    /// all games.
    pub(super) before: usize,
    pub(super) games: Vec<KeptGame>,
    /// The number of games in the block.
    pub(super) read: u64,
    /// The number of its last game.
    pub(super) last: Option<u64>,
}

/// A game that is kept.
pub(super) struct KeptGame {
    pub(super) number: u64,
    pub(super) range: Range<usize>,
    /// The files that it goes to; none if there is one output.
    pub(super) keys: Vec<Key>,
    /// What it is known by, if games that come again are left out.
    pub(super) fingerprint: Option<Fingerprint>,
}

/// What decides about the file of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// Games with the same go to one file.
    pub(super) identity: String,
    /// What the file is named after.
    pub(super) name: String,
}

impl Key {
    fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        Self { identity: name.clone(), name }
    }
}

/// What decides about the file of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SplitBy {
    /// The code, or as many of its first characters.
    Eco(Option<usize>),
    Family,
    Player,
    Year,
}

impl SplitBy {
    /// Whether games must be classified.
    pub(super) fn needs_opening(self) -> bool {
        matches!(self, Self::Eco(_) | Self::Family)
    }
}

impl FromStr for SplitBy {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match &*text.to_ascii_lowercase() {
            "eco" => Self::Eco(None),
            "eco:1" => Self::Eco(Some(1)),
            "eco:2" => Self::Eco(Some(2)),
            "eco:3" => Self::Eco(Some(3)),
            "family" => Self::Family,
            "player" => Self::Player,
            "year" => Self::Year,
            _ => return Err("expected eco, eco:1, eco:2, eco:3, family, player or year"),
        })
    }
}

/// Decides which games are kept, and where they go.
pub(super) struct Keeper<'c> {
    pub(super) classifier: Classifier<'c>,
    pub(super) split: Option<SplitBy>,
    /// Whether games that come again are left out.
    pub(super) is_unique: bool,
}

impl Keeper<'_> {
    /// Keeps the selected games of a block.
    pub(super) fn block(&self, block: &GameBlock<'_>, selected: &SelectedGames<'_>) -> Kept {
        let GameBlock { source, line_ends, block, .. } = block;
        let stream = Stream { name: Arc::clone(source), line_ends: *line_ends };
        let all = block.whole_bytes();
        let games: Vec<Game<'_>> = block.games().collect();
        let before = games.first().map_or(all.len(), Game::start);
        let mut kept = Kept {
            stream,
            bytes: all[..before].to_vec(),
            before,
            games: Vec::new(),
            read: games.len() as u64,
            last: games.last().map(Game::number),
        };
        let mut selected = selected.in_block(block);
        let when = match self.split {
            Some(by) if by.needs_opening() => Read::Always,
            _ => Read::ToSelect,
        };
        for (index, game) in games.iter().enumerate() {
            let name = || self.classifier.classify(game).verdict.named;
            let found = match &mut selected {
                None => Some((None, (when == Read::Always).then(name))),
                Some(selected) => selected
                    .select_read(game, when, name, |named| *named)
                    .map(|(found, named)| (Some(found), named)),
            };
            let Some((found, named)) = found else { continue };
            let opening = named.flatten().map(|named| named.opening());
            // A game longer than what is looked at goes on up to the next.
            let end = games.get(index + 1).map_or(all.len(), Game::start);
            let start = kept.bytes.len();
            kept.bytes.extend_from_slice(&all[game.start()..end]);
            let range = start..kept.bytes.len();
            let keys = self.split.map_or_else(Vec::new, |by| keys(by, game, found, opening));
            let fingerprint = self.is_unique.then(|| Fingerprint::of_game(game));
            kept.games.push(KeptGame { number: game.number(), range, keys, fingerprint });
        }
        kept
    }
}

/// The files that a game goes to.
fn keys(by: SplitBy, game: &Game<'_>, found: Option<Match>, opening: Option<&Opening>) -> Vec<Key> {
    match by {
        SplitBy::Eco(length) => {
            let code = opening.map_or("", Opening::code);
            vec![Key::new(length.map_or(code, |length| &code[..code.len().min(length)]))]
        }
        SplitBy::Family => vec![Key::new(opening.map_or("", Opening::family))],
        SplitBy::Year => {
            let date = GameInfo::read(game).date();
            vec![Key::new(date.map_or(String::new(), |date| (date.number() / 10_000).to_string()))]
        }
        SplitBy::Player => {
            let info = GameInfo::read(game);
            let colors = [Color::White, Color::Black].into_iter();
            let asked = found.and_then(|found| found.color);
            let colors = colors.filter(|color| asked.is_none_or(|asked| asked == *color));
            let mut keys: Vec<Key> = colors.map(|color| player(&info, color)).collect();
            keys.dedup_by(|a, b| a.identity == b.identity);
            keys
        }
    }
}

/// The player of a colour, in whatever spelling.
fn player(info: &GameInfo<'_>, color: Color) -> Key {
    let name = decode_text(&info.name(color).unwrap_or_default()).trim().to_owned();
    let player = Player::new(&name);
    if player.is_nobody() || player.as_str() == "?" {
        return Key::new("");
    }
    Key { identity: player.as_str().to_owned(), name }
}
