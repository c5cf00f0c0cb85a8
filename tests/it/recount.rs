//! The counts of a repertoire of real games, against an independent recount: games read by
//! `pgn-reader`, played on `shakmaty` positions, counted in a map, no SQL.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs::File,
};

use eco::{
    chess::{Chess, Color, EnPassantMode, Position, PositionKey},
    pgn::{BlockOptions, Chunks, plain::read_plainly},
    pipeline::{self, Workers},
    repertoire::BookRule,
    select::Selection,
    store::{Database, RepertoireBuild, RepertoireSettings},
};

use crate::real_games::games_folder;

const MAX_PLY: usize = 40;

/// Of a position: games, and by move games, wins, draws, losses, rated games, sum of ratings, first
/// and last year.
#[derive(Debug, Default, PartialEq, Eq)]
struct Recount {
    games: u32,
    moves: BTreeMap<String, [u64; 8]>,
}

struct Plain {
    tags: HashMap<String, String>,
    /// All moves as they are written, for telling games apart.
    words: String,
    moves: Vec<String>,
    positions: Vec<PositionKey>,
}

fn read(game: &[u8]) -> Plain {
    let plain = read_plainly(game);
    let words: Vec<String> = plain.moves.iter().map(|san| san.san.to_string()).collect();
    let mut tags = HashMap::new();
    for (name, value) in plain.tags {
        tags.entry(name).or_insert(eco::pgn::decode_text(&value).trim().to_owned());
    }
    let mut position = Chess::default();
    let key = |position: &Chess| PositionKey::from_position(position, EnPassantMode::Legal);
    let mut positions = vec![key(&position)];
    let mut moves = Vec::new();
    for san in plain.moves.iter().take(MAX_PLY) {
        let Ok(m) = san.san.to_move(&position) else { break };
        position.play_unchecked(m);
        positions.push(key(&position));
        moves.push(eco::chess::UciMove::from_move(m).to_string());
    }
    Plain { tags, words: words.join(" "), moves, positions }
}

impl Plain {
    fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    fn count(&self, counts: &mut HashMap<PositionKey, Recount>) {
        let year = self.tag("Date").get(..4).and_then(|year| year.parse::<u64>().ok());
        let rating =
            self.tag("BlackElo").parse::<u64>().ok().filter(|elo| (1..=4000).contains(elo));
        let points = match self.tag("Result") {
            "1-0" => Some(2),
            "0-1" => Some(0),
            "1/2-1/2" => Some(1),
            _ => None,
        };
        let mut seen = HashSet::new();
        for (n, key) in self.positions.iter().enumerate() {
            let Some(count) = counts.get_mut(key) else { continue };
            count.games += u32::from(seen.insert((key, None)));
            let Some(m) = self.moves.get(n).filter(|m| seen.insert((key, Some(*m)))) else {
                continue;
            };
            let [games, wins, draws, losses, rated, sum, first, last] =
                count.moves.entry(m.clone()).or_insert([0, 0, 0, 0, 0, 0, 9999, 0]);
            *games += 1;
            *wins += u64::from(points == Some(2));
            *draws += u64::from(points == Some(1));
            *losses += u64::from(points == Some(0));
            if let (Some(rating), Some(_)) = (rating, points) {
                *rated += 1;
                *sum += rating;
            }
            if let Some(year) = year.filter(|year| *year > 0) {
                *first = year.min(*first);
                *last = year.max(*last);
            }
        }
    }
}

#[test]
fn twenty_positions_of_all_games_are_counted_right() {
    let Some(folder) = games_folder() else { return };
    let pgn = zstd::decode_all(File::open(folder.join("otb.pgn.zst")).unwrap()).unwrap();
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("otb.db");
    build(&path, &pgn);

    let games: Vec<Plain> = Chunks::new(&pgn[..], BlockOptions::default())
        .blocks()
        .flat_map(|block| block.unwrap().games().map(|game| read(game.bytes())).collect::<Vec<_>>())
        .collect();
    // Twenty positions from the start to ply 38, most of them met by few.
    let keys = (0..20).map(|n| {
        let mut game = n * 4001 % games.len();
        while games[game].positions.len() <= 2 * n {
            game += 1;
        }
        games[game].positions[2 * n]
    });
    let mut counts: HashMap<PositionKey, Recount> =
        keys.map(|key| (key, Recount::default())).collect();
    let mut known = HashSet::new();
    for game in games.iter().filter(|game| !game.moves.is_empty() && !game.tags.contains_key("FEN"))
    {
        let tags = ["White", "Black", "Date", "Site", "Round", "Result"].map(|tag| game.tag(tag));
        if known.insert((tags, &game.words)) {
            game.count(&mut counts);
        }
    }
    let database = Database::open(&path).unwrap();
    assert_eq!(counts.len(), 20);
    for (key, expected) in counts {
        assert_eq!(stored(&database, &key), expected, "at {key}");
    }
}

fn build(path: &std::path::Path, pgn: &[u8]) {
    let settings = RepertoireSettings {
        color: Some(Color::White),
        rule: Some(BookRule::default()),
        ..RepertoireSettings::default()
    };
    let options = pipeline::Options::default();
    let mut build = RepertoireBuild::begin(path, "all", &settings, &options.workers).unwrap();
    build.add_pgn(pgn, &Selection::default(), &options).unwrap();
    build.finish(0).unwrap();
}

fn stored(database: &Database, key: &PositionKey) -> Recount {
    let book = database.book_at("all", key, BookRule::USUAL, &Workers::default()).unwrap();
    let node = book.node(book.find(key).unwrap());
    let year = |date: Option<eco::pgn::GameDate>, none: u64| {
        date.map_or(none, |date| u64::from(date.number() / 10_000))
    };
    let played = node.edges.iter().filter(|edge| edge.played().games > 0);
    let moves = played.map(|edge| {
        let tally = edge.played();
        let counts = [tally.games, tally.wins, tally.draws, tally.losses, tally.rated];
        let [games, wins, draws, losses, rated] = counts.map(u64::from);
        let (first, last) = (year(tally.first, 9999), year(tally.last, 0));
        let facts = [games, wins, draws, losses, rated, tally.rating_sum, first, last];
        (edge.uci.to_string(), facts)
    });
    Recount { games: node.tally().games, moves: moves.collect() }
}
