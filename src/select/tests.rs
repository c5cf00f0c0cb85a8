//! Which games are selected, row by row, and that nothing is played in vain.

use std::cell::Cell;

use proptest::prelude::*;

use super::*;
use crate::catalogue::{Catalogue, Query};
use crate::chess::Color;
use crate::classify::{Classifier, NamedAt};
use crate::pgn::{Game, GameDate, games};

const GAMES: &str = r#"
[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdefgh"]
[Date "2020.05.13"]
[White "Zoë, Ann"]
[Black "Bob"]
[Result "1-0"]
[WhiteElo "2400"]
[BlackElo "2000"]
[TimeControl "180+2"]
[Variant "Standard"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1-0

[Event "Casual Rapid game"]
[Site "https://lichess.org/hgfedcba"]
[Date "2020.??.??"]
[White "Bob"]
[Black "Ann Zoe"]
[Result "*"]
[WhiteElo "2100"]
[BlackElo "2450"]
[TimeControl "600+0"]

1. d4 nonsense 0-1

[Event "Zürich \"Open\""]
[Date "2019.12"]
[White "Bob"]
[Black "Carl"]
[Result "1/2-1/2"]
[BlackElo "?"]
[TimeControl "-"]
[Variant "Three-check"]

1. e4 e5 1/2-1/2

[White "Carl"]
[Black "Zoe, Ann"]
[Result "1-0"]
[Variant "From Position"]

1. e4 e5 2. Ke3 1-0
"#;

fn selection(change: impl FnOnce(&mut Selection)) -> Selection {
    let mut selection = Selection::default();
    change(&mut selection);
    selection
}

fn players(names: &[&str]) -> Vec<Player> {
    names.iter().map(|name| Player::new(name)).collect()
}

/// The numbers of the games that are selected, each with the colour of who was asked for.
fn found(selection: &Selection) -> Vec<(u64, Option<Color>)> {
    let selector = Selector::new(selection.clone(), Classifier::new(Catalogue::builtin()));
    let mut info = GameInfo::default();
    let all = games(GAMES.as_bytes()).filter_map(|game| {
        info.read_next(&game);
        let found = selector.select(&info);
        let classifier = Classifier::new(Catalogue::builtin());
        let named = classifier.classify(&game).verdict.named;
        assert_eq!(selection.matches(&info, || named.as_ref().map(NamedAt::opening)), found);
        Some((game.number(), found?.color))
    });
    all.collect()
}

fn numbers(change: impl FnOnce(&mut Selection)) -> Vec<u64> {
    found(&selection(change)).into_iter().map(|(number, _)| number).collect()
}

#[test]
fn players_are_found_with_their_colour() {
    let (white, black) = (Some(Color::White), Some(Color::Black));
    for (names, color, opponents, expected) in [
        (&["ann zoe"][..], None, &[][..], &[(1, white), (2, black), (4, black)][..]),
        (&["Zoe, Ann"], white, &[], &[(1, white)]),
        (&["Ann Zoë"], None, &["CARL"], &[(4, black)]),
        (&["Ann Zoe", "Bob"], None, &[], &[(1, white), (2, white), (3, white), (4, black)]),
        (&["Ann Zoe", "Bob"], black, &[], &[(1, black), (2, black), (4, black)]),
        (&[], None, &["bob"], &[(1, white), (2, black), (3, black)]),
        (&[], black, &[], &[(1, black), (2, black), (3, black), (4, black)]),
        (&["Zoe"], None, &[], &[]),
    ] {
        let found = found(&selection(|s| {
            (s.players, s.color, s.opponents) = (players(names), color, players(opponents));
        }));
        assert_eq!(found, expected, "for {names:?} as {color:?} against {opponents:?}");
    }
}

#[test]
fn both_sides_are_seen_if_both_are_asked_for() {
    let sides = |names: &[&str], results: &[WantedResult]| -> Vec<Vec<Color>> {
        let selection = selection(|s| {
            (s.players, s.results) = (players(names), results.to_vec());
        });
        let infos = games(GAMES.as_bytes()).map(|game| GameInfo::read(&game));
        infos
            .filter_map(|info| Some(selection.matches(&info, || None)?.sides().collect()))
            .collect()
    };
    let (white, black) = (Color::White, Color::Black);
    let both = vec![white, black];
    assert_eq!(sides(&["Ann Zoe", "Bob"], &[]), [both.clone(), both, vec![white], vec![black]]);
    assert_eq!(sides(&["Ann Zoe", "Bob"], &[WantedResult::Win]), [[white], [black]]);
    assert_eq!(sides(&[], &[]), [[]; 4] as [[Color; 0]; 4]);
}

#[test]
fn results_are_seen_from_the_player() {
    for (result, ann, everybody) in [
        ("1-0", &[1, 4][..], &[1, 4][..]),
        ("0-1", &[2], &[2]),
        ("1/2-1/2", &[], &[3]),
        ("*", &[], &[]),
        ("win", &[1, 2], &[]),
        ("loss", &[4], &[]),
        ("draw", &[], &[]),
    ] {
        let results = vec![result.parse().unwrap()];
        let of_ann = numbers(|s| {
            (s.players, s.results) = (players(&["Ann Zoe"]), results.clone());
        });
        assert_eq!(of_ann, ann, "{result} of Ann");
        assert_eq!(numbers(|s| s.results = results), everybody, "{result}");
    }
    let results = vec![WantedResult::Draw, WantedResult::Loss];
    assert_eq!(numbers(|s| (s.players, s.results) = (players(&["Bob"]), results)), [1, 2, 3]);
    assert!("won".parse::<WantedResult>().is_err());
}

#[test]
fn ratings_are_those_of_both_players_or_of_one() {
    let rated = |rating_of, names: &[&str], range: &str| {
        let (players, range) = (players(names), parse_ratings(range).unwrap());
        numbers(|s| (s.players, s.rating, s.rating_of) = (players, Some(range), rating_of))
    };
    assert_eq!(rated(RatingOf::Both, &[], "2000.."), [1, 2]);
    assert_eq!(rated(RatingOf::Both, &[], "2050.."), [2]);
    assert_eq!(rated(RatingOf::Both, &["Bob"], "2050.."), [2]);
    assert_eq!(rated(RatingOf::Player, &["Bob"], "..2050"), [1]);
    assert_eq!(rated(RatingOf::Opponent, &["Bob"], "2420..2450"), [2]);
    assert_eq!(rated(RatingOf::Opponent, &[], "2050.."), [2]);
    assert_eq!(rated(RatingOf::Both, &[], "0.."), [1, 2]);
}

#[test]
fn dates_speeds_and_tags_select() {
    let date = |text: &str| Some(text.parse().unwrap());
    assert_eq!(numbers(|s| s.since = date("2020-06")), [2]);
    assert_eq!(numbers(|s| s.until = date("2020-04")), [2, 3]);
    assert_eq!(numbers(|s| (s.since, s.until) = (date("2020"), date("2020"))), [1, 2]);
    assert_eq!(numbers(|s| s.speeds = vec![Speed::Blitz, Speed::Correspondence]), [1, 3]);
    assert_eq!(numbers(|s| s.rated = Some(true)), [1]);
    assert_eq!(numbers(|s| s.rated = Some(false)), [2]);
    assert_eq!(numbers(|s| s.events = vec![TagPart::new("zurich \"open")]), [3]);
    assert_eq!(numbers(|s| s.events = vec![TagPart::new("RAPID"), TagPart::new("blitz")]), [1, 2]);
    assert_eq!(numbers(|s| s.sites = vec![TagPart::new("lichess")]), [1, 2]);
    assert_eq!(numbers(|s| s.variants = vec![VariantName::new("standard")]), [1, 2, 4]);
    assert_eq!(numbers(|s| s.variants = vec![VariantName::new("From Position")]), [4]);
    assert_eq!(numbers(|s| s.variants = vec![VariantName::new("three check")]), [3]);
    assert_eq!(numbers(|s| s.games = vec![2..=3, 4..=u64::MAX]), [2, 3, 4]);
    let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(numbers(|s| s.tags = vec![tag("Event", "Zürich \"Open\"")]), [3]);
    assert_eq!(numbers(|s| s.tags = vec![tag("Event", "")]), [4]);
    assert_eq!(
        numbers(|s| s.tags = vec![tag("White", "Bob"), tag("White", "Carl"), tag("Event", "")]),
        [4]
    );
    assert_eq!(numbers(|s| s.min_plies = 3), [1, 4]);
    assert_eq!(numbers(|_| {}), [1, 2, 3, 4]);
    assert!(Selection::default().is_everything());
}

#[test]
fn openings_are_those_of_the_verdict() {
    for (codes, words, expected) in [
        (Some("B9"), &[][..], &[1][..]),
        (Some("B90-B99 C20"), &[], &[1, 4]),
        (None, &["najdorf sicilian"], &[1]),
        (None, &["najdorf", "king's pawn game"], &[1, 4]),
        (Some("C"), &["najdorf"], &[]),
        (Some("E"), &[], &[]),
    ] {
        let found = numbers(|s| {
            s.eco = codes.map(Query::new);
            s.openings = words.iter().map(|words| Query::new(words)).collect();
        });
        assert_eq!(found, expected, "for {codes:?} and {words:?}");
    }
}

#[test]
fn games_reach_positions_by_any_order_of_moves() {
    for (conditions, expected) in [
        (&[("position", "Nf3 d6 e4 c5")][..], &[1][..]),
        (&[("position", "e4")], &[1, 4]),
        (&[("position", "d4"), ("position", "e4 c5")], &[1, 2]),
        (&[("position", "d4 d5")], &[]),
        (&[("position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")], &[1, 2, 4]),
        (&[("position", "e4 e5")], &[4]),
    ] {
        let selection = Selection::from_conditions(conditions.iter().copied()).unwrap();
        let found: Vec<u64> = found(&selection).into_iter().map(|(number, _)| number).collect();
        assert_eq!(found, expected, "{conditions:?}");
    }
}

#[test]
fn games_from_a_position_reach_others_if_that_is_asked_for() {
    let pgn = b"[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 *\n";
    let reaches = |from_position: &str| {
        let conditions =
            [("position", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"), ("from-position", from_position)];
        let selection = Selection::from_conditions(conditions).unwrap();
        selection.matches(&GameInfo::read(&Game::from_bytes(pgn)), || None).is_some()
    };
    assert!(reaches("yes") && !reaches("no"));
}

#[test]
fn games_are_left_out_by_each_condition_alone() {
    let not = |conditions: &[(&str, &str)]| {
        let selection = Selection::from_conditions(conditions.iter().copied()).unwrap();
        found(&selection).into_iter().map(|(number, _)| number).collect::<Vec<_>>()
    };
    for (condition, expected) in [
        ("player=Bob", &[4][..]),
        ("against=Carl", &[1, 2]),
        ("eco=B", &[2, 3, 4]),
        ("opening=king's pawn", &[1, 2, 3]),
        ("result=1-0", &[2, 3]),
        ("since=2020", &[3, 4]),
        ("until=2019", &[1, 2, 4]),
        ("rating=2100..", &[1, 3, 4]),
        ("speed=blitz", &[2, 3, 4]),
        ("rated", &[2, 3, 4]),
        ("rated=no", &[1, 3, 4]),
        ("event=rapid", &[1, 3, 4]),
        ("site=lichess", &[3, 4]),
        ("variant=standard", &[3]),
        ("game=2-", &[1]),
        ("tag=Event=", &[1, 2, 3]),
        ("min-plies=3", &[2, 3]),
        ("position=e4", &[2, 3]),
    ] {
        assert_eq!(not(&[("not", condition)]), expected, "{condition}");
    }
    let ann = ("player", "Zoe, Ann");
    assert_eq!(not(&[ann, ("not", "color=black")]), [1]);
    assert_eq!(not(&[ann, ("not", "result=loss")]), [1, 2]);
    assert_eq!(not(&[("not", "event=rapid"), ("not", "eco=B")]), [3, 4]);
    assert_eq!(not(&[("eco", "B,C"), ("not", "opening=najdorf")]), [4]);
}

#[test]
fn a_game_is_played_only_if_its_opening_decides() {
    let played = Cell::new(0);
    let select = |selection: &Selection| {
        let infos = games(GAMES.as_bytes()).map(|game| GameInfo::read(&game));
        let count = || {
            played.set(played.get() + 1);
            None
        };
        infos.filter(|info| selection.matches(info, count).is_some()).count()
    };
    let mut by_tags = selection(|s| {
        s.players = players(&["Ann Zoe"]);
        s.results = vec![WantedResult::Loss];
        s.min_plies = 1;
        s.since = None;
    });
    assert_eq!((select(&by_tags), played.get()), (1, 0), "tags alone");
    by_tags.eco = Some(Query::new("B"));
    assert_eq!((select(&by_tags), played.get()), (0, 1), "the one game that fits otherwise");
    by_tags.games = vec![9..=9];
    assert_eq!((select(&by_tags), played.get()), (0, 1), "none fits otherwise");
}

#[test]
fn hostile_tags_select_nothing_and_break_nothing() {
    let long =
        format!("[White \"{}\"]\n[Date \"{}\"]\n\n*", "x".repeat(70_000), "9".repeat(50_000));
    for game in [
        &b"[White \"\xff\xfe\"]\n[Date \"\xff\"]\n[WhiteElo \"-1\"]\n[TimeControl \"\xff+\"]\n\n*"
            [..],
        b"[White \"\0\"]\n[Event \"\x1b[31m\"]\n[Result \"2-0\"]\n[TimeControl \"1/0\"]\n\n1. e4",
        b"[White \"a\n[Black \"b\"]\n\n{",
        b"[White]\n[WhiteElo 2000]\n\n*",
        b"",
        long.as_bytes(),
    ] {
        let info = GameInfo::read(&Game::from_bytes(game));
        for narrow in [
            selection(|s| s.players = players(&["a b"])),
            selection(|s| s.since = Some("1900".parse().unwrap())),
            selection(|s| s.rating = Some(0..=4000)),
            selection(|s| s.speeds = Speed::ALL.to_vec()),
            selection(|s| s.rated = Some(false)),
            selection(|s| s.results = vec![WantedResult::Is(GameResult::WhiteWins)]),
            selection(|s| s.sites = vec![TagPart::new("lichess")]),
        ] {
            assert_eq!(narrow.matches(&info, || None), None, "{narrow:?}");
        }
        assert!(Selection::default().matches(&info, || None).is_some());
    }
}

/// A date with its parts, which may be unknown, and its text in PGN.
fn partial_date() -> impl Strategy<Value = (GameDate, String)> {
    (1990..1994_u16, 0..=12_u8, 0..=31_u8).prop_map(|(year, month, day)| {
        let part = |n: u8| if n == 0 { "??".to_owned() } else { format!("{n:02}") };
        let text = format!("{year}.{}.{}", part(month), part(day));
        (text.parse().unwrap(), text)
    })
}

/// The days that a date may mean, as numbers; every month has 31.
fn days(text: &str) -> std::ops::RangeInclusive<u32> {
    let parts: Vec<Option<u32>> = text.split('.').map(|part| part.parse().ok()).collect();
    let day = |month: u32, day: u32| (parts[0].unwrap() * 12 + month - 1) * 31 + day;
    match (parts[1], parts[2]) {
        (Some(month), Some(d)) => day(month, d)..=day(month, d),
        (Some(month), None) => day(month, 1)..=day(month, 31),
        (None, _) => day(1, 1)..=day(12, 31),
    }
}

proptest! {
    #[test]
    fn a_game_is_kept_if_one_of_its_days_is_in_the_range(
        played in partial_date(), since in partial_date(), until in partial_date(),
    ) {
        let game = format!("[Date \"{}\"]\n\n*", played.1);
        let info = GameInfo::read(&Game::from_bytes(game.as_bytes()));
        let fits = |change: &dyn Fn(&mut Selection)| {
            selection(change).matches(&info, || None).is_some()
        };
        let days_of = days(&played.1);
        prop_assert_eq!(fits(&|s| s.since = Some(since.0)), days_of.end() >= days(&since.1).start());
        prop_assert_eq!(fits(&|s| s.until = Some(until.0)), days_of.start() <= days(&until.1).end());
    }
}
