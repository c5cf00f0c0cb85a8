//! Answers of segments, against a count that plays every game.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::{borrow::Cow, cmp::Reverse, sync::Arc};

use proptest::prelude::*;

use super::*;
use crate::chess::{Board, Color, Fen, Position as _, PositionKey, UciMove};
use crate::classify::Question;
use crate::collection::segment::{
    Aside, Blob, BlobKind, BlobSource, Cache, DamagedSegment, MergedSegment, SegmentBuilder,
    SegmentReader, SegmentSink, merge,
};
use crate::collection::{
    FoundGame, GameStart, KeptGame, KeptGameReader, PositionQuery, PositionStats, RatingSum, Score,
};
use crate::executor::{Executor, OneThread};
use crate::select::{GameResult, Player, RatingOf, Selection, Speed, TagPart, VariantName};
use crate::{catalogue::Query, pgn::games, pipeline::Workers};

/// A segment in memory.
struct Blobs {
    key: u64,
    blobs: HashMap<(BlobKind, u32), Vec<u8>>,
}

/// The blobs of a segment that is built, and what is set aside.
#[derive(Debug, Default, PartialEq, Eq)]
struct Built {
    blobs: Vec<Blob>,
    aside: Vec<Vec<u8>>,
}

impl SegmentSink for Built {
    type Error = DamagedSegment;

    fn add(&mut self, blob: Blob) -> Result<(), DamagedSegment> {
        self.blobs.push(blob);
        Ok(())
    }

    fn set_aside(&mut self, bytes: Vec<u8>) -> Result<Aside, DamagedSegment> {
        let (at, len) = (self.aside.len() as u64, bytes.len());
        self.aside.push(bytes);
        Ok(Aside::At(at, len))
    }

    fn take_back(&mut self, aside: Aside) -> Result<Vec<u8>, DamagedSegment> {
        match aside {
            Aside::InMemory(bytes) => Ok(bytes),
            Aside::At(at, len) => {
                let bytes = std::mem::take(&mut self.aside[at as usize]);
                assert_eq!(bytes.len(), len);
                Ok(bytes)
            }
        }
    }
}

fn build(builder: SegmentBuilder, executor: &impl Executor) -> Built {
    let mut built = Built::default();
    let unindexed = builder.finish(executor, &mut built).unwrap();
    unindexed.index(executor, &mut built).unwrap();
    built
}

impl Blobs {
    fn new(key: u64, built: Built) -> Self {
        let blobs = built.blobs.into_iter().map(|blob| ((blob.kind, blob.number), blob.bytes));
        Self { key, blobs: blobs.collect() }
    }
}

/// One segment of the games of others, except those that are left out.
fn merged(blobs: &[Blobs], is_left_out: impl Fn(&KeptGame) -> bool) -> Blobs {
    let caches: Vec<Cache> = blobs.iter().map(|_| Cache::new(1 << 20)).collect();
    let segment = |(blobs, cache)| {
        let reader = SegmentReader::new(blobs, cache).unwrap();
        let games = (0..reader.header().games).map(|number| reader.game(number).unwrap());
        let left_out = games.map(|game| is_left_out(&game)).collect();
        MergedSegment { reader, left_out, arrivals: 0 }
    };
    let segments: Vec<_> = blobs.iter().zip(&caches).map(segment).collect();
    let mut built = Built::default();
    let unindexed = merge(&segments, &OneThread, &mut built).unwrap();
    unindexed.index(&OneThread, &mut built).unwrap();
    Blobs::new(0, built)
}

impl BlobSource for &Blobs {
    type Error = DamagedSegment;

    fn key(&self) -> u64 {
        self.key
    }

    fn read<R>(
        &self,
        kind: BlobKind,
        number: u32,
        read: impl FnOnce(&[u8]) -> Result<R, DamagedSegment>,
    ) -> Result<R, DamagedSegment> {
        read(self.blobs.get(&(kind, number)).ok_or(DamagedSegment::new("a blob is missing"))?)
    }

    fn damaged(&self, fault: DamagedSegment) -> DamagedSegment {
        fault
    }
}

fn kept(pgn: &str) -> Vec<KeptGame> {
    let mut reader = KeptGameReader::new(Selection::default());
    games(pgn.as_bytes()).filter_map(|game| reader.read(&game)).collect()
}

/// Games arrive in their order, and the segments get them in turn.
fn segments(games: &[KeptGame], max_ply: usize, size: usize) -> Vec<Blobs> {
    let count = games.len().div_ceil(size);
    (0..count)
        .zip(0..)
        .map(|(first, key)| {
            let mut builder = SegmentBuilder::new(max_ply);
            let mine = games.iter().zip(0..).skip(first).step_by(count);
            mine.for_each(|(game, arrival)| builder.add(game, arrival));
            Blobs::new(key, build(builder, &OneThread))
        })
        .collect()
}

fn ask(blobs: &[Blobs], position: &PositionKey, query: &PositionQuery) -> PositionStats {
    let cache = Cache::new(1 << 20);
    let segments: Vec<_> = blobs
        .iter()
        .map(|blobs| {
            let reader = SegmentReader::new(blobs, &cache).unwrap();
            let filter = SegmentFilter::new(&reader, query);
            SearchedSegment { filter: Arc::new(filter.unwrap()), reader, collection: "c" }
        })
        .collect();
    search(&segments, position, query).unwrap()
}

/// The games that count, with the last move that each played in the position; `None` if it ended.
fn plain<'g>(
    games: &'g [KeptGame],
    position: &PositionKey,
    query: &PositionQuery,
    max_ply: usize,
) -> Vec<(&'g KeptGame, Option<UciMove>)> {
    let counts = |game: &KeptGame| {
        let starts = match game.start() {
            GameStart::Initial => true,
            GameStart::SetUp => query.from_position,
            GameStart::Unknown => false,
        };
        let info = game.info();
        let mean = info.rating(Color::White).zip(info.rating(Color::Black));
        let mean = mean.map(|(white, black)| white.midpoint(black));
        starts
            && game.result() != GameResult::Unknown
            && query.selection.matches(&info, || game.opening()).is_some()
            && (query.mean_ratings.is_empty()
                || mean.is_some_and(|m| query.mean_ratings.iter().any(|r| r.contains(&m))))
    };
    let visit = |game: &'g KeptGame| {
        let mut last = None;
        // One ply more, since the walk says no move for the last position.
        let mut ply = 0;
        game.walk(max_ply + 1, |key, m| {
            if key == position && ply <= max_ply {
                last = Some((game, m));
            }
            ply += 1;
        });
        last
    };
    games.iter().filter(|game| counts(game)).filter_map(visit).collect()
}

fn add(score: &mut Score, result: GameResult) {
    match result {
        GameResult::WhiteWins => score.white += 1,
        GameResult::Draw => score.draws += 1,
        GameResult::BlackWins => score.black += 1,
        GameResult::Unknown => unreachable!("it does not count"),
    }
}

fn sum(ratings: impl Iterator<Item = Option<u16>>) -> RatingSum {
    let mut sum = RatingSum::default();
    for rating in ratings.flatten() {
        sum.games += 1;
        sum.sum += u64::from(rating);
    }
    sum
}

/// Compares all that is counted in a position.
fn check(
    games: &[KeptGame],
    blobs: &[Blobs],
    position: &PositionKey,
    query: &PositionQuery,
    max_ply: usize,
) {
    let found = ask(blobs, position, query);
    let expected = plain(games, position, query, max_ply);
    let about = format!("in {position} for {query:?}");
    let mut ended = Score::default();
    let mut by_move: BTreeMap<String, Vec<&KeptGame>> = BTreeMap::new();
    for (game, m) in &expected {
        match m {
            Some(m) => by_move.entry(m.to_string()).or_default().push(game),
            None => add(&mut ended, game.result()),
        }
    }
    assert_eq!(found.ended, ended, "{about}");
    let mut order: Vec<_> = by_move.iter().map(|(m, games)| (games.len(), m.clone())).collect();
    order.sort_by_key(|(games, m)| (Reverse(*games), m.clone()));
    let moves: Vec<_> =
        found.moves.iter().map(|m| (m.score.games() as usize, m.uci.to_string())).collect();
    assert_eq!(moves, order, "{about}");
    let mut whole = Score::default();
    for m in &found.moves {
        let played = &by_move[&m.uci.to_string()];
        let mut score = Score::default();
        played.iter().for_each(|game| add(&mut score, game.result()));
        played.iter().for_each(|game| add(&mut whole, game.result()));
        assert_eq!(m.score, score, "{about}");
        let turn = position.turn();
        assert_eq!(m.rating, sum(played.iter().map(|g| g.info().rating(turn))), "{about}");
        let opponents = played.iter().map(|g| g.info().rating(!turn));
        assert_eq!(m.opponent_rating, sum(opponents), "{about}");
        let dates = || played.iter().filter_map(|g| g.info().date());
        assert_eq!(m.dates, dates().min().zip(dates().max()), "{about}");
        assert_eq!(m.only_game.is_some(), played.len() == 1, "{about}");
        if let Some(only) = &m.only_game {
            assert_eq!(only.id, played[0].id(), "{about}");
            assert_eq!(only.link, played[0].info().link().map(Cow::into_owned), "{about}");
        }
        let mut after = position.to_position().unwrap();
        after.play_unchecked(m.uci.to_move(&after).unwrap());
        let mut reached = Score::default();
        let all = plain(games, &PositionKey::from(&after), query, max_ply);
        all.iter().for_each(|(game, _)| add(&mut reached, game.result()));
        assert_eq!(m.reached, query.reached.then_some(reached), "{about}");
    }
    assert_eq!(found.score, whole, "{about}");
    check_games(&found, &expected, query, &about);
}

/// Compares the games that are shown.
fn check_games(
    found: &PositionStats,
    expected: &[(&KeptGame, Option<UciMove>)],
    query: &PositionQuery,
    about: &str,
) {
    let gone_on = expected.iter().filter(|(_, m)| m.is_some()).map(|(game, _)| *game);
    let mut all: Vec<&KeptGame> = gone_on.clone().collect();
    let ratings = |game: &KeptGame| {
        let rating = |color| game.info().rating(color).map(u32::from);
        rating(Color::White).zip(rating(Color::Black)).map(|(white, black)| white + black)
    };
    let date = |game: &KeptGame| game.info().date();
    let played_at = |game: &KeptGame| Reverse(game.info().played_at());
    // Of equal games, those that arrived first come first.
    all.sort_by_key(|game| (Reverse(ratings(game)), played_at(game)));
    let top: Vec<_> = all.iter().take(query.top_games).map(|game| game.id()).collect();
    let mut all: Vec<&KeptGame> = gone_on.filter(|game| !top.contains(&game.id())).collect();
    all.sort_by_key(|game| (played_at(game), Reverse(ratings(game))));
    let recent: Vec<_> = all.iter().take(query.recent_games).map(|game| game.id()).collect();
    let ids = |games: &[FoundGame]| games.iter().map(|game| game.id).collect::<Vec<_>>();
    assert_eq!(ids(&found.top_games), top, "{about}");
    assert_eq!(ids(&found.recent_games), recent, "{about}");
    if query.history {
        let mut months: BTreeMap<u32, Score> = BTreeMap::new();
        for (game, m) in expected {
            let month = date(game).map_or(0, |date| date.number() / 100);
            if m.is_some() && month % 100 > 0 {
                add(months.entry(month).or_default(), game.result());
            }
        }
        let found = found.history.iter().map(|m| (m.month.number() / 100, m.score));
        assert_eq!(found.collect::<Vec<_>>(), months.into_iter().collect::<Vec<_>>(), "{about}");
    }
}

/// Moves that are often legal, so that games repeat positions and diverge again.
const WORDS: [&str; 16] = [
    "e4", "e5", "Nf3", "Nf6", "Ng1", "Ng8", "d4", "d5", "Nc3", "Nc6", "Nb1", "Nb8", "exd5", "Bg5",
    "O-O", "Qxd5",
];

/// A game of legal ones among these words, with tags that these numbers choose.
fn pgn(words: &[usize], tags: &[usize; 8], number: usize) -> String {
    let mut board = Board::default();
    let starts = ["", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"];
    let fen = starts[usize::from(tags[7].is_multiple_of(8))];
    if !fen.is_empty() {
        board = Board::from_position(&fen.parse::<Fen>().unwrap().to_position().unwrap());
    }
    let legal =
        words.iter().map(|word| WORDS[*word]).filter(|word| board.play(word.as_bytes()).is_ok());
    let comments = ["{[%eval 0.31] [%clk 0:03:00]}", "{[%emt 5]}", "{[%clk 9] [%emt 3]}", "{x}"];
    let comment = |ply: usize| comments[(tags[2] / 4 + ply * tags[5]) % comments.len()];
    let with_comment = |(ply, word): (usize, &str)| match tags[2] % 3 {
        0 => word.to_owned(),
        _ => format!("{word} {}", comment(ply)),
    };
    let moves = legal.enumerate().map(with_comment).collect::<Vec<_>>().join(" ");
    let pick = |values: &[&'static str], at: usize| values[tags[at] % values.len()];
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        if !value.is_empty() {
            text += &format!("[{name} \"{value}\"]\n");
        }
    };
    tag("Event", pick(&["Rated Blitz game", "Casual game", "Zürich Open", ""], 0));
    let site = pick(&["https://lichess.org/abcd", "Linares", "https://x.org/", ""], 1);
    tag("Site", &if site.ends_with('d') { format!("{site}{number}") } else { site.to_owned() });
    tag("Date", pick(&["2020.01.05", "2020.01.??", "1999.??.??", "2021.12.31", "", "junk"], 2));
    tag("Time", pick(&["", "10:00:00", "09:00:00", "12:00"], 1));
    tag("UTCDate", pick(&["", "2020.01.05", "2020.01.06"], 3));
    tag("UTCTime", pick(&["08:00:00", "07:59:59", "", "23:00:00"], 4));
    tag("White", pick(&["Zoë, Ann", "Bob", "ann zoe", ""], 3));
    tag("Black", pick(&["Bob", "Carl", "Zoe, Ann", ""], 4));
    tag("WhiteElo", pick(&["2000", "2345?", "1500", "", "02100"], 5));
    tag("BlackElo", pick(&["2100", "1900", "", "2500"], 6));
    tag("TimeControl", pick(&["180+2", "-", "60+0", ""], 1));
    tag("Variant", pick(&["", "", "Standard", "From Position", "Atomic", ""], 6));
    tag("Round", &number.to_string());
    tag("FEN", fen);
    text + "\n" + &moves + " " + pick(&["1-0", "0-1", "1/2-1/2", "1-0", "*"], 7) + "\n\n"
}

fn generated() -> impl Strategy<Value = Vec<KeptGame>> {
    let game = (prop::collection::vec(0..WORDS.len(), 0..14), any::<[u8; 8]>());
    prop::collection::vec(game, 1..24).prop_map(|games| {
        let pgns = games
            .iter()
            .enumerate()
            .map(|(number, (words, tags))| pgn(words, &tags.map(usize::from), number));
        kept(&pgns.collect::<String>())
    })
}

fn query(change: impl FnOnce(&mut PositionQuery)) -> PositionQuery {
    let mut query = PositionQuery::default();
    change(&mut query);
    query
}

/// One of each kind of filter.
fn queries() -> Vec<PositionQuery> {
    let selected = |change: &dyn Fn(&mut Selection)| query(|q| change(&mut q.selection));
    let ann = || vec![Player::new("Ann Zoe")];
    let key = |moves: &str| moves.parse::<Question>().unwrap().key();
    let not = |conditions: &[(&str, &str)]| {
        let left_out = conditions.iter().map(|(name, value)| format!("{name}={value}"));
        let left_out: Vec<String> = left_out.collect();
        let not = left_out.iter().map(|condition| ("not", &**condition));
        query(|q| q.selection = Selection::from_conditions(not).unwrap())
    };
    let asked = |conditions: &[(&str, &str)]| {
        let selection = Selection::from_conditions(conditions.iter().copied()).unwrap();
        query(|q| q.selection = selection)
    };
    vec![
        query(|q| (q.reached, q.history, q.top_games, q.recent_games) = (true, true, 3, 4)),
        query(|q| (q.from_position, q.recent_games) = (true, 2)),
        query(|q| q.mean_ratings = vec![1900..=2050, 2300..=4000]),
        selected(&|s| s.players = ann()),
        selected(&|s| (s.players, s.color) = (ann(), Some(Color::Black))),
        selected(&|s| (s.players, s.results) = (ann(), vec!["win".parse().unwrap()])),
        selected(&|s| (s.opponents, s.rating) = (ann(), Some(1500..=2100))),
        selected(&|s| {
            (s.players, s.rating, s.rating_of) = (ann(), Some(2000..=4000), RatingOf::Opponent);
        }),
        selected(&|s| (s.color, s.results) = (Some(Color::White), vec!["loss".parse().unwrap()])),
        selected(&|s| s.since = Some("2020-01-05".parse().unwrap())),
        selected(&|s| s.until = Some("2020-01-04".parse().unwrap())),
        selected(&|s| s.speeds = vec![Speed::Blitz, Speed::Correspondence]),
        selected(&|s| s.rated = Some(true)),
        selected(&|s| s.events = vec![TagPart::new("ZURICH")]),
        selected(&|s| s.sites = vec![TagPart::new("lichess.org/abcd1")]),
        selected(&|s| s.sites = vec![TagPart::new("lichess"), TagPart::new("LINARES")]),
        selected(&|s| s.variants = vec![VariantName::new("standard")]),
        selected(&|s| s.variants = vec![VariantName::new("From Position")]),
        selected(&|s| s.eco = Some(Query::new("B00-C60"))),
        selected(&|s| s.openings = vec![Query::new("petrov")]),
        selected(&|s| s.tags = vec![("Round".to_owned(), "3".to_owned())]),
        selected(&|s| s.games = vec![1..=1]),
        selected(&|s| s.min_plies = 6),
        selected(&|s| s.positions = vec![key("e2e4")]),
        selected(&|s| (s.positions, s.from_position) = (vec![key("e2e4 e7e5"), key("c2c4")], true)),
        asked(&[("structure", "8/pppp1ppp/?/4p3/4P3/?/PPPP1PPP/8")]),
        asked(&[("structure", "8/?/?/3?4/?/?/?/8"), ("lasting", "3"), ("from-position", "yes")]),
        asked(&[("material", "KQRRBBNNPPPPPPPP v KQRRBBNNPPPPPPP"), ("tag", "Round=3")]),
        not(&[("structure", "8/?/?/???p????/?/?/?/8"), ("material", "KQR*B*N*P*vKR*B*N*P*")]),
        not(&[("player", "Bob")]),
        not(&[("event", "casual")]),
        not(&[("site", "lichess.org/abcd1")]),
        not(&[("eco", "C")]),
        not(&[("tag", "Round=3")]),
        not(&[("position", "e4"), ("rated", "")]),
        query(|q| {
            let not = [("player", "Ann Zoe"), ("not", "color=black"), ("not", "result=loss")];
            q.selection = Selection::from_conditions(not).unwrap();
        }),
    ]
}

/// All positions of some games.
fn positions(games: &[KeptGame]) -> BTreeSet<PositionKey> {
    let mut keys = BTreeSet::new();
    games.iter().for_each(|game| {
        game.walk(usize::MAX, |key, _| {
            keys.insert(*key);
        });
    });
    keys
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..Default::default() })]

    #[test]
    fn answers_are_those_of_playing_every_game(
        games in generated(),
        max_ply in 0..16_usize,
        size in 1..30_usize,
    ) {
        let blobs = segments(&games, max_ply, size);
        for (n, position) in positions(&games).iter().enumerate() {
            check(&games, &blobs, position, &queries()[n % queries().len()], max_ply);
        }
        for query in queries() {
            check(&games, &blobs, &initial(), &query, max_ply);
        }
    }

    #[test]
    fn merged_segments_answer_as_one(
        games in generated(),
        max_ply in 0..16_usize,
        size in 1..30_usize,
        removed in 0..4_u64,
    ) {
        let is_left_out = |game: &KeptGame| removed > 0 && game.id().number() % 4 < removed;
        let blobs = merged(&segments(&games, max_ply, size), is_left_out);
        let games: Vec<_> = games.into_iter().filter(|game| !is_left_out(game)).collect();
        let one = [blobs];
        for (n, position) in positions(&games).iter().enumerate() {
            check(&games, &one, position, &queries()[n % queries().len()], max_ply);
        }
        for query in queries() {
            check(&games, &one, &initial(), &query, max_ply);
        }
        let cache = Cache::new(1 << 20);
        let reader = SegmentReader::new(&one[0], &cache).unwrap();
        for game in &games {
            let number = reader.find_game(game.id()).unwrap();
            prop_assert_eq!(&reader.game(number.unwrap()).unwrap(), game);
        }
        let names = reader.dictionary(DictionaryKind::Players).unwrap();
        let counted: u32 = names.iter().map(|(_, games)| games).sum();
        prop_assert_eq!(counted as usize, 2 * games.len());
        // What is built in one go has the same bytes, but for equally frequent texts.
        let anew = &segments(&games, max_ply, 30)[..];
        for ((kind, number), bytes) in anew.iter().flat_map(|blobs| &blobs.blobs) {
            if matches!(kind, BlobKind::Positions | BlobKind::Ids | BlobKind::Moves) {
                prop_assert_eq!(one[0].blobs.get(&(*kind, *number)), Some(bytes));
            }
        }
    }

    #[test]
    fn games_are_kept_whole(games in generated(), size in 1..30_usize) {
        let cache = Cache::new(1 << 20);
        let mut found = Vec::new();
        for blobs in &segments(&games, 10, size) {
            let reader = SegmentReader::new(blobs, &cache).unwrap();
            for number in 0..reader.header().games {
                let game = reader.game(number).unwrap();
                prop_assert_eq!(reader.find_game(game.id()).unwrap(), Some(number));
                found.push(game);
            }
        }
        let mut games = games;
        found.sort_by_key(KeptGame::fingerprint);
        games.sort_by_key(KeptGame::fingerprint);
        prop_assert_eq!(found, games);
    }
}

fn initial() -> PositionKey {
    Board::default().key()
}

#[test]
fn the_last_visit_of_a_game_decides() {
    let games = kept(
        "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 1-0\n\n1. e4 0-1\n\n1. Nf3 Nf6 2. Ng1 Ng8 1-0\n\n\
         1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. d4 1/2-1/2\n",
    );
    let stats = ask(&segments(&games, 50, 9), &initial(), &PositionQuery::default());
    let moves: Vec<_> = stats.moves.iter().map(|m| (m.uci.to_string(), m.score.games())).collect();
    assert_eq!(moves, [("e2e4".to_owned(), 2), ("d2d4".to_owned(), 1)]);
    assert_eq!(stats.ended, Score { white: 1, ..Score::default() });
}

#[test]
fn moves_from_the_last_position_that_is_found_are_counted() {
    let games = kept("1. e4 e5 1-0\n\n1. e4 e5 2. d4 0-1\n\n1. e4 c5 1-0\n");
    let after_e4 = "e4".parse::<Question>().unwrap().key();
    check(&games, &segments(&games, 1, 9), &after_e4, &PositionQuery::default(), 1);
    check(&games, &segments(&games, 0, 9), &initial(), &PositionQuery::default(), 0);
}

#[test]
fn a_position_that_is_none_has_no_games() {
    let games = kept("1. e4 1-0\n");
    let empty: PositionKey = "8/8/8/8/8/8/8/8 w - -".parse().unwrap();
    let stats = ask(&segments(&games, 50, 9), &empty, &PositionQuery::default());
    assert_eq!(stats, PositionStats::default());
}

/// Most games begin alike, so that whole chunks of facts went on with one move.
#[test]
fn chunks_are_counted_by_their_sums() {
    let random = |n: usize, at: usize| (n * 31 + at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let of_number = |n: usize| {
        let word = |at| random(n, at) % if at < 3 { 1 + at * n % 7 } else { WORDS.len() };
        let words: Vec<usize> = (0..9).map(word).collect();
        let mut tags: [usize; 8] = std::array::from_fn(|at| random(n, 10 + at) % 60);
        tags[7] = if n.is_multiple_of(50) { 0 } else { 1 + tags[7] % 3 };
        pgn(&words, &tags, n)
    };
    let games = kept(&(0..900).map(of_number).collect::<String>());
    let blobs = segments(&games, 12, 1000);
    let mut positions: Vec<_> = positions(&games).into_iter().step_by(97).collect();
    positions.push(initial());
    positions.extend(["e4", "e4 e5"].map(|moves| moves.parse::<Question>().unwrap().key()));
    for (position, query) in
        positions.iter().flat_map(|p| queries().into_iter().map(move |q| (p, q)))
    {
        check(&games, &blobs, position, &query, 12);
    }
}

#[test]
fn segments_are_the_same_on_any_number_of_threads() {
    let games: Vec<_> = (0..200)
        .map(|n: usize| {
            let words: Vec<usize> =
                (0..12).map(|i| (n * 7 + i * (n % 5 + 1)) % WORDS.len()).collect();
            pgn(&words, &[n, n / 2, n / 3, n / 5, n / 7, n, n / 11, 3], n)
        })
        .collect();
    let games = kept(&games.concat());
    let collected = || {
        let mut builder = SegmentBuilder::new(30);
        games.iter().zip(0..).for_each(|(game, arrival)| builder.add(game, arrival));
        builder
    };
    let workers = Workers::new(std::num::NonZeroUsize::new(3).unwrap());
    assert_eq!(build(collected(), &OneThread), build(collected(), &workers));
}
