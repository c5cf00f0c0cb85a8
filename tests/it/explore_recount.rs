//! The answers of collections of real games, against an independent recount: games read by
//! `pgn-reader`, played on `shakmaty` positions, counted in a map.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    path::Path,
};

use eco::{
    chess::{Chess, Color, EnPassantMode, Position, PositionKey, UciMove},
    collection::{FoundGame, GameId, PositionQuery, PositionStats, Score},
    pgn::{BlockOptions, Chunks, Game, decode_text, plain::read_plainly},
    pipeline,
    select::{Fingerprint, Player, Selection, Speed, TagPart, parse_ratings},
    store::{CollectionBuild, CollectionSettings, Explorer},
};

use crate::real_games::{games_folder, unpacked};

/// The depth of the collections.
const MAX_PLY: usize = 50;

type PlayedAt = (String, u8, String);

/// A game that counts.
struct Plain {
    id: GameId,
    tags: HashMap<String, String>,
    /// All moves, for telling games apart.
    words: String,
    moves: Vec<UciMove>,
    positions: Vec<PositionKey>,
}

impl Plain {
    fn read(game: &Game<'_>) -> Self {
        let plain = read_plainly(game.bytes());
        let words: Vec<String> = plain.moves.iter().map(|san| san.san.to_string()).collect();
        let mut tags = HashMap::new();
        for (name, value) in plain.tags {
            tags.entry(name).or_insert(decode_text(&value).trim().to_owned());
        }
        let mut position = Chess::default();
        let key = |position: &Chess| PositionKey::from_position(position, EnPassantMode::Legal);
        let (mut moves, mut positions) = (Vec::new(), vec![key(&position)]);
        for san in plain.moves.iter().take(MAX_PLY + 1) {
            let Ok(m) = san.san.to_move(&position) else { break };
            position.play_unchecked(m);
            positions.push(key(&position));
            moves.push(UciMove::from_move(m));
        }
        positions.truncate(MAX_PLY + 1);
        let id = GameId::from(Fingerprint::of_game(game));
        Self { id, tags, words: words.join(" "), moves, positions }
    }

    fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    fn counts(&self) -> bool {
        let is_standard = matches!(self.tag("Variant"), "" | "Standard" | "From Position");
        is_standard && self.tag("FEN").is_empty() && self.half_points().is_some()
    }

    /// The score of White.
    fn half_points(&self) -> Option<u64> {
        ["0-1", "1/2-1/2", "1-0"]
            .iter()
            .zip(0..)
            .find_map(|(text, points)| (self.tag("Result") == *text).then_some(points))
    }

    fn rating(&self, color: Color) -> Option<u64> {
        let tag = self.tag(if color.is_white() { "WhiteElo" } else { "BlackElo" });
        tag.parse().ok().filter(|rating| (1..=4000).contains(rating))
    }

    fn year(&self) -> Option<u64> {
        let date = if self.tag("Date").is_empty() { self.tag("UTCDate") } else { self.tag("Date") };
        date.get(..4)?.parse().ok().filter(|year| *year > 0)
    }

    /// The date as far as it is known: `2021`, `2021.05` or `2021.05.13`.
    fn date(&self) -> String {
        let date = if self.tag("Date").is_empty() { self.tag("UTCDate") } else { self.tag("Date") };
        let known = date.split('.').take_while(|part| !part.contains('?') && *part != "00");
        known.collect::<Vec<_>>().join("-")
    }

    /// What games are ordered by: the date, the clock (UTC is greater than local, both than none),
    /// and the time as text.
    fn played_at(&self) -> PlayedAt {
        let is_known = |text: &str| !text.is_empty() && !text.contains('?');
        let [utc_date, utc_time, time] = ["UTCDate", "UTCTime", "Time"].map(|tag| self.tag(tag));
        if is_known(utc_date) && is_known(utc_time) {
            return (utc_date.replace('.', "-"), 2, utc_time.to_owned());
        }
        let has_time = is_known(time) && is_known(self.tag("Date"));
        (self.date(), u8::from(has_time), if has_time { time.to_owned() } else { String::new() })
    }

    fn seconds(&self) -> Option<u64> {
        let (base, increment) = self.tag("TimeControl").split_once('+')?;
        Some(base.parse::<u64>().ok()? + 40 * increment.parse::<u64>().ok()?)
    }

    fn identity(&self) -> [&str; 7] {
        ["White", "Black", "Date", "UTCTime", "Site", "Round", "Result"].map(|tag| self.tag(tag))
    }
}

/// Of a move: the results, ratings of those who played it and of the others (number and sum), and
/// half points against rated opponents.
#[derive(Debug, Default, PartialEq, Eq)]
struct MoveCount {
    results: [u64; 3],
    ratings: [u64; 4],
    half_points: u64,
}

/// Sum of the ratings of a game, when it was played, and its number in the file; 0 and empty if not
/// known.
type Rank = (u64, PlayedAt, Reverse<usize>);

#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    moves: BTreeMap<String, MoveCount>,
    ended: [u64; 3],
    /// The ranks of the games that went on.
    ranks: Vec<Rank>,
}

/// The number of games of each list.
const LISTED: usize = 4;

impl Count {
    fn add(&mut self, number: usize, game: &Plain, ply: usize) {
        let Some(white) = game.half_points() else { return };
        let result = 2 - white as usize;
        let Some(m) = game.moves.get(ply) else {
            self.ended[result] += 1;
            return;
        };
        let side = Color::from_white(ply.is_multiple_of(2));
        let own = if side.is_white() { white } else { 2 - white };
        let count = self.moves.entry(m.to_string()).or_default();
        count.results[result] += 1;
        let [own_rating, opponent] = [side, !side].map(|color| game.rating(color));
        for (at, rating) in [(0, own_rating), (2, opponent)] {
            count.ratings[at] += u64::from(rating.is_some());
            count.ratings[at + 1] += rating.unwrap_or(0);
        }
        count.half_points += opponent.map_or(0, |_| own);
        let sum = own_rating.zip(opponent).map_or(0, |(a, b)| a + b);
        self.ranks.push((sum, game.played_at(), Reverse(number)));
    }

    /// The top games: the highest ratings, of equal ones the latest, of these the first of the
    /// file.
    fn top(&self) -> Vec<Rank> {
        let mut ranks = self.ranks.clone();
        ranks.sort_by(|a, b| b.cmp(a));
        ranks.truncate(LISTED);
        ranks
    }

    /// The latest games without the top games, of equal ones those with the highest ratings, of
    /// those the first in the file.
    fn recent(&self) -> Vec<Rank> {
        let mut ranks = self.ranks.clone();
        ranks.sort_by(|a, b| b.cmp(a));
        let mut ranks = ranks.split_off(LISTED.min(ranks.len()));
        ranks.sort_by(|a, b| (&b.1, b.0, b.2).cmp(&(&a.1, a.0, a.2)));
        ranks.truncate(LISTED);
        ranks
    }

    /// The same of the games that were found, with what their tags say.
    fn found(numbers: &HashMap<GameId, usize>, all: &[Plain], games: &[FoundGame]) -> Vec<Rank> {
        let rank = |game: &FoundGame| {
            let [white, black] = game.ratings.map(|rating| rating.map(u64::from));
            let sum = white.zip(black).map_or(0, |(a, b)| a + b);
            let number = numbers[&game.id];
            (sum, all[number].played_at(), Reverse(number))
        };
        games.iter().map(rank).collect()
    }

    fn of(stats: &PositionStats) -> Self {
        let results = |score: Score| [score.white, score.draws, score.black];
        let moves = stats.moves.iter().map(|m| {
            let count = MoveCount {
                results: results(m.score),
                ratings: [
                    m.rating.games,
                    m.rating.sum,
                    m.opponent_rating.games,
                    m.opponent_rating.sum,
                ],
                half_points: m.half_points,
            };
            (m.uci.to_string(), count)
        });
        Self { moves: moves.collect(), ended: results(stats.ended), ranks: Vec::new() }
    }
}

type Filter = (&'static str, fn(&mut Selection, &str), fn(&Plain, &str) -> bool);

/// Filters by what they are, as a selection and as a condition. Both are about a player.
const FILTERS: [Filter; 6] = [
    ("nothing", |_, _| (), |_, _| true),
    (
        "a player",
        |s, name| s.players = vec![Player::new(name)],
        |game, name| {
            ["White", "Black"].iter().any(|tag| Player::new(game.tag(tag)) == Player::new(name))
        },
    ),
    (
        "ratings",
        |s, _| s.rating = Some(parse_ratings("2300..2600").unwrap()),
        |game, _| {
            let fits = |color| game.rating(color).is_some_and(|r| (2300..=2600).contains(&r));
            fits(Color::White) && fits(Color::Black)
        },
    ),
    (
        "dates",
        |s, _| (s.since, s.until) = ("1985".parse().ok(), "2021".parse().ok()),
        |game, _| game.year().is_some_and(|year| (1985..=2021).contains(&year)),
    ),
    (
        "a speed",
        |s, _| s.speeds = vec![Speed::Blitz],
        |game, _| game.seconds().is_some_and(|seconds| (180..480).contains(&seconds)),
    ),
    (
        "an event",
        |s, _| s.events = vec![TagPart::new("Ch")],
        |game, _| game.tag("Event").to_ascii_lowercase().contains("ch"),
    ),
];

/// The positions that are asked, each with a player who had it.
fn chosen(games: &[Plain], count: usize) -> BTreeMap<PositionKey, String> {
    let chosen = (0..count).map(|n: usize| {
        let ply = n % 46;
        let mut game = n * 40_009 % games.len();
        while games[game].positions.len() <= ply {
            game = (game + 1) % games.len();
        }
        let game = &games[game];
        (
            game.positions[ply],
            game.tag(if n.is_multiple_of(2) { "White" } else { "Black" }).to_owned(),
        )
    });
    chosen.collect()
}

/// Compares answers at positions of all games of a file.
fn check(pgn: &[u8], positions: usize) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("games.db");
    build(&path, pgn);
    let explorer = Explorer::open(&path, &[]).unwrap();

    let mut games: Vec<Plain> = Chunks::new(pgn, BlockOptions::default())
        .blocks()
        .flat_map(|block| block.unwrap().games().map(|game| Plain::read(&game)).collect::<Vec<_>>())
        .filter(Plain::counts)
        .collect();
    let mut known = HashSet::new();
    games.retain(|game| known.insert(format!("{:?}{}", game.identity(), game.words)));
    let chosen = chosen(&games, positions);
    let mut counts: HashMap<(PositionKey, usize), Count> = HashMap::new();
    for (number, game) in games.iter().enumerate() {
        // The last visit decides.
        let visits: HashMap<&PositionKey, usize> = game.positions.iter().zip(0..).collect();
        for (key, ply) in visits {
            let Some(player) = chosen.get(key) else { continue };
            for (at, (_, _, fits)) in FILTERS.iter().enumerate() {
                if fits(game, player) {
                    counts.entry((*key, at)).or_default().add(number, game, ply);
                }
            }
        }
    }
    let numbers = games.iter().map(|game| game.id).zip(0..).collect();
    let mut several = BTreeSet::new();
    for (key, player) in &chosen {
        for (at, (what, select, _)) in FILTERS.iter().enumerate() {
            let mut query = PositionQuery::default();
            select(&mut query.selection, player);
            (query.top_games, query.recent_games) = (LISTED, LISTED);
            let stats = explorer.query(key, &query).unwrap();
            let found = Count::of(&stats);
            let mut expected = counts.remove(&(*key, at)).unwrap_or_default();
            for (listed, ranks) in
                [(&stats.top_games, expected.top()), (&stats.recent_games, expected.recent())]
            {
                let found = Count::found(&numbers, &games, listed);
                let about = format!("at {key} with {what} ({player}): {found:#?}");
                assert!(found == ranks, "{about} instead of {ranks:#?}");
            }
            expected.ranks.clear();
            assert_eq!(found, expected, "at {key} with {what} ({player})");
            if found.moves.len() > 1 {
                several.insert(*what);
            }
        }
    }
    assert!(several.len() >= 4, "hardly a filter leaves games: {several:?}");
}

fn build(path: &Path, pgn: &[u8]) {
    let options = pipeline::Options::default();
    let settings = CollectionSettings::default();
    let mut build = CollectionBuild::begin(path, "all", &settings, &options.workers).unwrap();
    build.add_pgn(pgn, &Selection::default(), &options).unwrap();
    build.finish().unwrap();
}

#[test]
fn positions_of_all_games_over_the_board_are_counted_right() {
    let Some(folder) = games_folder() else { return };
    check(&unpacked(&folder.join("otb.pgn.zst")), 200);
}

#[test]
fn positions_of_all_games_of_lichess_are_counted_right() {
    let Some(folder) = games_folder() else { return };
    check(&unpacked(&folder.join("lichess.pgn.zst")), 100);
}
