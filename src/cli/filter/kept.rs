//! The games of a block that are kept, on the thread that works on it; and what stands between two
//! games that come together and were not neighbours.
//!
//! A game may owe its end to what followed it: without a result, or with a comment that is still
//! open, it would take in the next one. Whether it does is found out by reading it with games that
//! may follow, unless it plainly ends in its result, as nearly all games do.
//!
//! A comment that is open stays so only while no brace follows, also in a game after the next. So
//! it is closed between games that were not neighbours. Between neighbours nothing is written: a
//! later game with a brace that closes nothing could still take in both, where the game that kept
//! them apart is left out.

use std::{ops::Range, sync::Arc};

use eco::pgn::{Game, decode_text, games};
use eco::repertoire::Follower;
use eco::select::{Fingerprint, GameInfo, Match, Player};
use eco::{chess::Color, classify::Classifier, opening::Opening, pgn::source::LineEnds};
use memchr::{memchr, memmem, memrchr, memrchr2};

use crate::cli::{completion::Choice, games::GameBlock, selection::SelectedGames};

/// A stream by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin {
    /// Its number.
    pub(super) stream: u64,
    pub(super) line_ends: LineEnds,
}

/// What is kept of a block.
pub(super) struct Kept {
    /// The name of its stream; no other stream has the same `Arc`.
    pub(super) source: Arc<str>,
    pub(super) line_ends: LineEnds,
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
    /// What it is known by, if duplicates are left out.
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

/// What the files of `--by` are named after.
pub(super) const SPLITS: &[Choice<SplitBy>] = &[
    ("eco", "", SplitBy::Eco(None)),
    ("eco:1", "", SplitBy::Eco(Some(1))),
    ("eco:2", "", SplitBy::Eco(Some(2))),
    ("eco:3", "", SplitBy::Eco(Some(3))),
    ("family", "", SplitBy::Family),
    ("player", "", SplitBy::Player),
    ("year", "", SplitBy::Year),
];

/// Decides which games are kept, and where they go.
pub(super) struct Keeper<'c> {
    pub(super) classifier: Classifier<'c>,
    /// What follows games through a book, and the ply up to which they have to follow it.
    pub(super) follower: Option<(Follower<'c>, usize)>,
    pub(super) split: Option<SplitBy>,
    /// Whether duplicates are left out.
    pub(super) is_unique: bool,
}

impl Keeper<'_> {
    /// Keeps the selected games of a block.
    pub(super) fn block(&self, block: &GameBlock<'_>, selected: &SelectedGames<'_>) -> Kept {
        let GameBlock { source, line_ends, block, .. } = block;
        let all = block.whole_bytes();
        let games: Vec<Game<'_>> = block.games().collect();
        let before = games.first().map_or(all.len(), Game::start);
        let mut kept = Kept {
            source: Arc::clone(source),
            line_ends: *line_ends,
            bytes: all[..before].to_vec(),
            before,
            games: Vec::new(),
            read: games.len() as u64,
            last: games.last().map(Game::number),
        };
        let mut selected = selected.in_block(block);
        let needs_opening = self.split.is_some_and(SplitBy::needs_opening);
        for (index, game) in games.iter().enumerate() {
            let name = || self.classifier.classify(game).verdict.named;
            let found = match &mut selected {
                None => Some((None, None)),
                Some(selected) => selected
                    .select_read(game, name, |named| *named)
                    .map(|(found, named)| (Some(found), named)),
            };
            let Some((found, named)) = found else { continue };
            let is_followed = |(follower, ply): &(Follower<'_>, usize)| {
                follower.follow(game).path.is_ok_and(|path| path.ply >= *ply)
            };
            if !self.follower.as_ref().is_none_or(is_followed) {
                continue;
            }
            let named = if needs_opening { named.unwrap_or_else(name) } else { None };
            let opening = named.map(|named| named.opening());
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

/// What may stand between two games, after the end of a line; the least comes first.
const BETWEEN: [&[u8]; 4] = [b"", b"\n", b"*\n\n", b"} *\n\n"];

/// Games that may follow: those without tags, and those with. A brace ends what is left open.
const FOLLOWING: [[&[u8]; 2]; 2] = [
    [b"1. d4 *\n", b"1. d4 *\n}"],
    [b"[Event \"\"]\n\n1. d4 *\n}", b"[NamedLikeNoOther \"\"]\n\n1. d4 *\n}"],
];

/// Nothing need stand before any game.
const APART: [&[u8]; 2] = [b""; 2];

/// A game that ends in its result.
const ENDED: &[u8] = b"[Event \"\"]\n\n1. e4 *\n";

/// Games longer than this are not read again.
const MAX_READ: usize = 1 << 20;

/// A game: the number of its stream, and its own in that. Text before all games has number 0.
pub(super) type GameId = (u64, u64);

/// The end of what was written last, to one output.
#[derive(Debug, Default)]
pub(super) struct Joint {
    last: Option<Last>,
}

#[derive(Debug)]
struct Last {
    id: GameId,
    ends_line: bool,
    /// What must stand before a game without tags, and before one with tags.
    between: [&'static [u8]; 2],
}

impl Joint {
    /// What must be written before a game. `game` are its bytes and what stands before them.
    pub(super) fn before(&self, id: GameId, game: &[u8]) -> Vec<u8> {
        let Some(last) = self.last.as_ref().filter(|last| (last.id.0, last.id.1 + 1) != id) else {
            return Vec::new();
        };
        let line_end: &[u8] = if last.ends_line { b"" } else { b"\n" };
        [line_end, last.between[usize::from(game.starts_with(b"["))]].concat()
    }

    /// Notes that a game was written.
    pub(super) fn after(&mut self, id: GameId, game: &[u8]) {
        let between = match game.len() > MAX_READ || ends_plainly(game) {
            true => APART,
            false => FOLLOWING.map(|games| least(game, games)),
        };
        self.last = Some(Last { id, ends_line: game.ends_with(b"\n"), between });
    }

    /// Notes that text was written that stands before all games of a stream, and what was written
    /// before it, which has ended the last game.
    pub(super) fn after_text(&mut self, stream: u64, between: &[u8], text: &[u8]) {
        self.after((stream, 0), &[ENDED, between, text].concat());
    }

    /// Notes that more of the same game was written.
    pub(super) fn after_more(&mut self, bytes: &[u8]) {
        if let Some(last) = &mut self.last
            && !bytes.is_empty()
        {
            (last.ends_line, last.between) = (bytes.ends_with(b"\n"), APART);
        }
    }
}

/// The least that keeps a game apart from all of these.
fn least(last: &[u8], following: [&[u8]; 2]) -> &'static [u8] {
    let line_end: &[u8] = if last.ends_with(b"\n") { b"" } else { b"\n" };
    let are_apart = |between: &&&[u8]| {
        following.iter().all(|game| {
            let before = [last, line_end, between].concat();
            let start = games(game).next().map_or(0, |game| game.start());
            let all = [&before, *game].concat();
            games(&all).skip(1).map(|game| game.start()).eq([before.len() + start])
        })
    };
    BETWEEN.iter().find(are_apart).copied().unwrap_or_default()
}

/// Whether the last word of a game is a result that counts: one in no comment and no tag.
fn ends_plainly(game: &[u8]) -> bool {
    let text = game.trim_ascii_end();
    let line = memrchr(b'\n', text).map_or(text, |at| &text[at + 1..]);
    let word = line.rsplit(|byte| matches!(byte, b' ' | b'\t')).next();
    // What may hide a result: a comment up to the end of the line, a tag, an escaped line.
    let is_hidden = matches!(line, [b'[' | b'%', ..]) || memchr(b';', line).is_some();
    let is_in_comment = memrchr2(b'{', b'}', text).is_some_and(|at| text[at] == b'{');
    let has_movetext = text.starts_with(b"1.")
        || text.starts_with(b"[")
            && [&b"\n\n"[..], b"\n\r\n"].iter().any(|line| memmem::find(text, line).is_some());
    let is_result = matches!(word, Some(b"1-0" | b"0-1" | b"1/2-1/2" | b"*"));
    is_result && !is_hidden && !is_in_comment && has_movetext
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Games that depend on their neighbours, and others.
    const GAMES: [&str; 18] = [
        "[Event \"a\"]\n\n1. e4 {)} (1. d4 1-0\n\n",
        "[Event \"a\"]\n\n1. e4 ({)} 1. d4) 1-0\n\n",
        "[Event \"a\"]\n[White \"x\"]\n\n1. e4 e5 1-0\n\n",
        "[Event \"a\"]\r\n\r\n1. e4 {x} e5 1/2-1/2\r\n\r\n",
        "[Event \"a\"]\n\n1. e4 e5\n\n",
        "[Event \"a\"]\n\n1. e4 e5",
        "[White \"only tags\"]\n\n",
        "[Black \"only tags\"]\n[Result \"1-0\"]\n",
        "1. d4 d5 *\n",
        "1. c4 0-1\n\n",
        "[Event \"a\"]\n\n1. e4 {open 1-0\n\n",
        "[Event \"a\"]\n\n1. e4 e5 ; 1-0\n\n",
        "[Event \"a\"]\n\n1. e4 (1. d4 1-0\n\n",
        "[Event \"a\"]\n\n{1-0} *\n",
        "[Event \"a 1-0\n\n*\n",
        "[Event \"a\"]\n\n1. e4 1-0 and some text }\n\n",
        "[Event \"a\"]\n\n*",
        "\u{feff}[Event \"a\"]\n\n1. e4 1-0\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn games_that_come_together_stay_apart(
            texts in prop::collection::vec(prop::sample::select(&GAMES[..]), 1..6),
            is_kept in prop::collection::vec(any::<bool>(), 12),
        ) {
            // Nothing is promised of these, see above.
            let has = |part: &str| texts.iter().any(|text| text.contains(part));
            prop_assume!(!(has("{open") && has("some text }")));
            let input = texts.concat();
            let all: Vec<_> = games(input.as_bytes()).collect();
            let kept: Vec<&[u8]> =
                all.iter().zip(&is_kept).filter(|(_, kept)| **kept).map(|(game, _)| game.bytes()).collect();
            let (mut joint, mut out) = (Joint::default(), Vec::new());
            for (game, _) in all.iter().zip(&is_kept).filter(|(_, kept)| **kept) {
                let id = (0, game.number());
                out.extend(joint.before(id, game.bytes()));
                out.extend_from_slice(game.bytes());
                joint.after(id, game.bytes());
            }
            let found: Vec<_> = games(&out).map(|game| game.bytes()).collect();
            prop_assert_eq!(found.len(), kept.len(), "{:?}", String::from_utf8_lossy(&out));
            for (found, kept) in found.iter().zip(&kept) {
                prop_assert!(found.starts_with(kept), "{:?}", String::from_utf8_lossy(&out));
            }
        }
    }

    #[test]
    fn an_open_comment_is_closed_before_a_later_brace() {
        let games = [GAMES[10], GAMES[2], GAMES[15]];
        let (mut joint, mut out) = (Joint::default(), Vec::new());
        for (game, id) in games.into_iter().zip([(0, 1), (0, 3), (0, 5)]) {
            out.extend(joint.before(id, game.as_bytes()));
            out.extend_from_slice(game.as_bytes());
            joint.after(id, game.as_bytes());
        }
        assert_eq!(eco::pgn::games(&out).count(), 3, "{:?}", String::from_utf8_lossy(&out));
    }

    #[test]
    fn no_game_is_added_to_games_of_tags_alone() {
        let names = ["Event", "White", "Black", "Site", "Round"];
        for (first, next) in names.iter().flat_map(|first| names.map(|next| (first, next))) {
            let game = format!("[{first} \"x\"]\n[Result \"1-0\"]\n");
            let next = format!("[{next} \"a\"]\n\n1. e4 *\n");
            let mut joint = Joint::default();
            joint.after((0, 1), game.as_bytes());
            let between = joint.before((0, 9), next.as_bytes());
            let all = [game.as_bytes(), &between, next.as_bytes()].concat();
            assert_eq!(games(&all).count(), 2, "{first}, {next}");
        }
    }

    #[test]
    fn text_without_games_is_part_of_what_stands_before() {
        let mut joint = Joint::default();
        assert_eq!(joint.before((1, 0), b"text {"), b"");
        joint.after_text(1, b"", b"text {");
        assert_eq!(joint.before((1, 1), b"1. d4 *"), b"", "the first game of that stream");
        assert_eq!(joint.before((2, 1), b"1. d4 *"), b"\n} *\n\n");
        joint.after((2, 1), b"1. e4 e5\n");
        joint.after_text(3, b"", b"text\n");
        assert_ne!(joint.before((4, 1), b"1. d4 *"), b"", "the game before is open still");
    }

    #[test]
    fn neighbours_have_nothing_between_them() {
        let mut joint = Joint::default();
        let open = b"[Event \"a\"]\n\n1. e4 e5";
        assert_eq!(joint.before((1, 5), open), b"");
        joint.after((1, 5), open);
        assert_eq!(joint.before((1, 6), b"\n[Event \"b\"]\n\n*"), b"");
        assert_eq!(joint.before((2, 6), b"[Event \"b\"]\n\n*"), b"\n");
        assert_eq!(joint.before((2, 6), b"1. d4 *"), b"\n*\n\n");
        joint.after_more(b" more\n");
        assert_eq!(joint.before((1, 9), b"1. d4 *"), b"");
    }
}
