//! The counts of games, against the obvious count.

use std::collections::BTreeMap;
use std::num::{NonZeroU16, NonZeroU32};

use proptest::prelude::*;

use crate::chess::{Chess, Color, Position, PositionKey, UciMove};
use crate::collection::KeptGame;
use crate::pgn::{Game, GameDate, PlayedAt};
use crate::repertoire::{
    Book, BookRule, GameFacts, GameLines, PositionCount, SeveralGames, ShortestLines, Tally, plain,
    tally::MoveCount,
};

/// Moves that are often legal, so that games repeat positions and diverge again.
const WORDS: [&str; 16] = [
    "e4", "e5", "Nf3", "Nf6", "Ng1", "Ng8", "d4", "d5", "Nc3", "Nc6", "c4", "g6", "exd5", "Bg5",
    "O-O", "Qxd5",
];

fn facts(number: u32) -> GameFacts {
    GameFacts {
        number: NonZeroU32::new(number),
        arrival: number,
        date: GameDate::from_number(20_000_000 + number % 7 * 10_000),
        played_at: PlayedAt::from_numbers([20_000_000 + number % 7 * 10_000, 0]),
        half_points: [Some(0), Some(1), Some(2), None][number as usize % 4],
        own: None,
        opponent: NonZeroU16::new((number % 5 * 500) as u16),
    }
}

/// Counts games in blocks, and returns the positions that enough of them have.
fn counted(games: &[String], max_ply: usize, block: usize, least: u32) -> Vec<PositionCount> {
    let games = games.iter().map(|game| KeptGame::of_pgn(game, max_ply));
    let games: Vec<_> = (1..).zip(games.filter(|game| game.plies() > 0)).collect();
    let blocks: Vec<GameLines> = games
        .chunks(block)
        .map(|games| {
            let mut lines = GameLines::new(max_ply);
            games.iter().for_each(|(number, game)| lines.push(game.codes(), None, facts(*number)));
            lines
        })
        .collect();
    let several = SeveralGames::with_room(1);
    blocks.iter().for_each(|lines| lines.each_hash(|hash, games| several.add(hash, games)));
    let mut counts: BTreeMap<PositionKey, PositionCount> = BTreeMap::new();
    for count in
        blocks.iter().flat_map(|lines| lines.counts(|hash, _| least < 2 || several.may_have(hash)))
    {
        let known = counts.entry(count.key).or_insert_with(|| none(count.key));
        known.merge(&count);
    }
    counts.values_mut().for_each(PositionCount::sort_moves);
    counts.into_values().filter(|count| count.tally.games >= least).collect()
}

/// A position that no game has.
fn none(key: PositionKey) -> PositionCount {
    PositionCount { key, tally: Tally::default(), moves: Vec::new() }
}

fn counted_plainly(games: &[String], max_ply: usize, least: u32) -> Vec<PositionCount> {
    let games: Vec<_> =
        (1..).zip(games).map(|(n, game)| (Game::from_bytes(game.as_bytes()), facts(n))).collect();
    let counts = plain::count_plainly(&games, max_ply).into_iter();
    let counts = counts.filter(|(_, count)| count.tally.games >= least);
    let counts = counts.map(|(key, count)| {
        let position = key.to_position().unwrap();
        let played = |(uci, tally): (UciMove, Tally)| {
            let mut after = position.clone();
            after.play_unchecked(uci.to_move(&position).unwrap());
            let to = PositionKey::from(&after);
            MoveCount { uci, to, tally }
        };
        let moves = count.moves.into_iter().map(played).collect();
        let mut count = PositionCount { key, tally: count.tally, moves };
        count.sort_moves();
        count
    });
    counts.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn counts_are_those_of_the_obvious_count(
        lines in prop::collection::vec(prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..12), 0..12),
        max_ply in 1..12_usize,
        least in 1..4_u32,
        block in 1..13_usize,
        is_sorted: bool,
    ) {
        // A first move that can be played: games without one are not taken.
        let mut games: Vec<String> =
            lines.iter().map(|line| format!("e4 e5 {}", line.join(" "))).collect();
        if is_sorted {
            games.sort();
        }
        let expected = counted_plainly(&games, max_ply, least);
        prop_assert_eq!(counted(&games, max_ply, block, least), expected);
    }
}

#[test]
fn a_game_that_comes_back_to_a_position_counts_once() {
    let games = ["Nf3 Nf6 Ng1 Ng8 Nf3 d5".to_owned(), "Nf3 Nf6 Ng1 Ng8 e4".to_owned()];
    let counts = counted(&games, 40, 2, 1);
    let start = counts.iter().find(|count| count.key == initial()).unwrap();
    assert_eq!(start.tally.games, 2);
    let moves: Vec<_> = start.moves.iter().map(|m| (m.uci.to_string(), m.tally.games)).collect();
    assert_eq!(moves, [("g1f3".to_owned(), 2), ("e2e4".to_owned(), 1)]);
}

fn initial() -> PositionKey {
    PositionKey::from(&Chess::default())
}

#[test]
fn ways_are_the_shortest_and_keep_to_main_lines() {
    let mut book = Book::new(Color::White, BookRule::default());
    book.prepare("1. d4 d5 2. c4 e6").unwrap();
    let end = book.prepare("1. c4 e6 2. d4 d5 3. Nc3").unwrap();
    book.prepare("1. Nf3 Nf6 2. Ng1 Ng8").unwrap();
    let lines = ShortestLines::of(&book);
    assert_eq!(lines.movetext(&book, end).unwrap(), "1. d4 d5 2. c4 e6 3. Nc3");
    assert_eq!(lines.ply(book.roots()[0]), Some(0));
    assert_eq!(lines.movetext(&book, book.roots()[0]).unwrap(), "");
}

#[test]
fn prepared_moves_are_the_book_if_there_are_any() {
    let mut book =
        Book::new(Color::White, BookRule::both("share:50%,min-games:2".parse().unwrap()));
    for count in
        counted(&["e4 e5", "e4 c5", "e4 c5", "e4 c5", "d4 d5"].map(str::to_owned), 40, 2, 1)
    {
        book.add_count(&count);
    }
    let root = book.add_root(&initial());
    let moves = |book: &Book, id| {
        book.moves(id).iter().map(|edge| edge.uci.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(moves(&book, root), ["e2e4"]);
    let after_e4 = book.moves(root)[0].to;
    assert_eq!(moves(&book, after_e4), ["c7c5"]);
    book.set_rule(BookRule::default());
    assert_eq!(moves(&book, root), ["e2e4", "d2d4"]);
    book.prepare("1. c4 e5").unwrap();
    assert_eq!(moves(&book, root), ["c2c4"]);
    assert_eq!(book.node(root).edges.len(), 3);
}
