//! The answers, field by field, without sockets.

use std::io::{Read, Write};
use std::{net::TcpStream, path::PathBuf, sync::Arc, thread, time::Duration};

use serde_json::Value;
use tempfile::TempDir;

use super::request::Roles;
use super::responder::{Access, Cors, Head, Headers, Responder};
use super::server::{Limits, Server};
use super::site::{Site, Work};
use crate::store::{CollectionBuild, CollectionSettings};
use crate::{collection::Cancellation, pipeline::Options, select::Selection};

const GAMES: &str = r#"[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdEFG1"]
[Date "2024.01.05"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[WhiteElo "2400"]
[BlackElo "2301"]
[TimeControl "180+2"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 1-0

[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdEFG2"]
[Date "2024.03.06"]
[White "Bob"]
[Black "Ann"]
[Result "1/2-1/2"]
[WhiteElo "2100"]
[BlackElo "2201"]
[TimeControl "600+5"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 Nf6 1/2-1/2

[Event "Club \"evening\""]
[Site "Linares"]
[Date "1953"]
[Round "3"]
[White "Carl"]
[Black "Ann"]
[Result "0-1"]
[BlackElo "1900"]

1. d4 f5 2. g3 0-1

[Event "Casual Bullet game"]
[Site "https://lichess.org/abcdEFG4"]
[Date "2024.03.??"]
[White "Ann"]
[Black "Dora"]
[Result "1-0"]
[WhiteElo "1700"]
[BlackElo "1500"]
[TimeControl "60+0"]

1. g3 f5 2. d4 Nf6 1-0
"#;

/// A database of the games, which is gone at the end of the test.
struct Games {
    _folder: TempDir,
    path: PathBuf,
}

thread_local! {
    /// Each test has a thread of its own.
    static DATABASE: Games = {
        let folder = tempfile::tempdir().unwrap();
        let (path, options) = (folder.path().join("games.db"), Options::default());
        let settings = CollectionSettings::default();
        let mut build = CollectionBuild::begin(&path, "games", &settings, &options.workers).unwrap();
        build.add_pgn(GAMES.as_bytes(), &Selection::default(), &options).unwrap();
        build.finish().unwrap();
        Games { _folder: folder, path }
    };
}

fn site() -> Site {
    DATABASE
        .with(|games| {
            Site::open(&games.path, Roles::default(), crate::catalogue::Catalogue::builtin())
        })
        .unwrap()
}

fn responder(access: &Access) -> Responder {
    Responder::new(site(), "127.0.0.1:9002".parse().unwrap(), access)
}

/// The head of a request of the method GET.
fn head(target: &str) -> Head {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    Head {
        method: "GET".to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        hosts: vec!["localhost:9002".to_owned()],
        ..Head::default()
    }
}

/// An answer with its headers, as a server would send it.
struct Response {
    status: u16,
    headers: Headers,
    body: Arc<[u8]>,
}

fn respond(responder: &Responder, head: &Head) -> Response {
    let answer = || responder.answer(head, &[], &Cancellation::default());
    let answer = responder.at_hand(head).unwrap_or_else(answer);
    let headers = responder.headers(head, &answer);
    Response { status: answer.status, headers, body: answer.body }
}

fn get(target: &str) -> Response {
    respond(&responder(&Access::default()), &head(target))
}

fn text(target: &str) -> String {
    String::from_utf8(get(target).body.to_vec()).unwrap()
}

fn json(target: &str) -> Value {
    let response = get(target);
    let text = str::from_utf8(&response.body).unwrap();
    assert_eq!(response.status, 200, "{target}: {text}");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{target}: {error}: {text}"))
}

const ITALIAN: &str = "play=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5";

#[test]
fn masters_answers_field_by_field() {
    let expected = concat!(
        r#"{"white":1,"draws":1,"black":0,"moves":["#,
        r#"{"uci":"d2d3","san":"d3","averageRating":2100,"white":0,"draws":1,"black":0,"#,
        r#""game":{"id":"ID2","winner":null,"black":{"name":"Ann","rating":2201},"#,
        r#""white":{"name":"Bob","rating":2100},"year":2024,"month":"2024-03"},"#,
        r#""opening":{"eco":"C50","name":"Italian Game: Giuoco Pianissimo"}},"#,
        r#"{"uci":"e1h1","san":"O-O","averageRating":2400,"white":1,"draws":0,"black":0,"#,
        r#""game":{"id":"ID1","winner":"white","black":{"name":"Bob","rating":2301},"#,
        r#""white":{"name":"Ann","rating":2400},"year":2024,"month":"2024-01"},"opening":null}],"#,
        r#""topGames":[{"uci":"e1h1","id":"ID1","winner":"white","#,
        r#""black":{"name":"Bob","rating":2301},"white":{"name":"Ann","rating":2400},"#,
        r#""year":2024,"month":"2024-01"}],"#,
        r#""opening":{"eco":"C50","name":"Italian Game: Giuoco Piano"}}"#,
    );
    let found = text(&format!("/masters?{ITALIAN}&topGames=1"));
    assert_eq!(found, with_ids(expected));
    for alias in ["/master", "/masters"] {
        let other = text(&format!("{alias}?variant=standard&since=1952&{ITALIAN}&topGames=1&x=y"));
        assert_eq!(other, found);
    }
}

/// The expected text with the identities of the games in place of `ID1` to `ID4`.
fn with_ids(expected: &str) -> String {
    let mut ids: Vec<(String, String)> = Vec::new();
    for (play, number) in [
        ("e2e4,e7e5,g1f3,b8c6,f1c4,f8c5,e1g1", 1),
        ("e2e4,e7e5,g1f3,b8c6,f1c4,f8c5,d2d3", 2),
        ("d2d4", 3),
        ("g2g3", 4),
    ] {
        let found = json(&format!("/eco/position?play={play}"));
        let id = found["moves"][0]["game"]["id"].as_str().unwrap().to_owned();
        ids.push((format!("ID{number}"), id));
    }
    ids.iter().fold(expected.to_owned(), |text, (name, id)| text.replace(name, id))
}

#[test]
fn lichess_answers_field_by_field() {
    let expected = concat!(
        r#"{"white":1,"draws":1,"black":0,"moves":["#,
        r#"{"uci":"d2d3","san":"d3","averageRating":2100,"white":0,"draws":1,"black":0,"#,
        r#""game":{"id":"abcdEFG2","winner":null,"speed":"rapid","mode":"rated","#,
        r#""black":{"name":"Ann","rating":2201},"#,
        r#""white":{"name":"Bob","rating":2100},"year":2024,"month":"2024-03"},"#,
        r#""opening":{"eco":"C50","name":"Italian Game: Giuoco Pianissimo"}}],"#,
        r#""recentGames":[{"uci":"d2d3","id":"abcdEFG2","winner":null,"speed":"rapid","#,
        r#""mode":"rated","black":{"name":"Ann","rating":2201},"#,
        r#""white":{"name":"Bob","rating":2100},"year":2024,"month":"2024-03"}],"#,
        r#""topGames":[{"uci":"e1h1","id":"abcdEFG1","winner":"white","speed":"blitz","#,
        r#""mode":"rated","black":{"name":"Bob","rating":2301},"#,
        r#""white":{"name":"Ann","rating":2400},"year":2024,"month":"2024-01"}],"#,
        r#""opening":{"eco":"C50","name":"Italian Game: Giuoco Piano"},"#,
        r#""history":[{"month":"2024-01","white":1,"draws":0,"black":0},"#,
        r#"{"month":"2024-02","white":0,"draws":0,"black":0}]}"#,
    );
    let asked = format!("/lichess?{ITALIAN}&moves=1&topGames=1&history=True");
    assert_eq!(text(&asked), expected);
}

#[test]
fn player_answers_with_one_line() {
    let expected = concat!(
        r#"{"white":1,"draws":0,"black":0,"moves":["#,
        r#"{"uci":"e1h1","san":"O-O","averageOpponentRating":2301,"performance":3101,"#,
        r#""white":1,"draws":0,"black":0,"#,
        r#""game":{"id":"abcdEFG1","winner":"white","speed":"blitz","mode":"rated","#,
        r#""black":{"name":"Bob","rating":2301},"#,
        r#""white":{"name":"Ann","rating":2400},"year":2024,"month":"2024-01"},"#,
        r#""opening":null}],"#,
        r#""recentGames":[{"uci":"e1h1","id":"abcdEFG1","winner":"white","speed":"blitz","#,
        r#""mode":"rated","black":{"name":"Bob","rating":2301},"#,
        r#""white":{"name":"Ann","rating":2400},"year":2024,"month":"2024-01"}],"#,
        r#""opening":{"eco":"C50","name":"Italian Game: Giuoco Piano"},"queuePosition":0}"#,
        "\n",
    );
    for route in ["/player", "/personal"] {
        let response = get(&format!("{route}?player=ANN&color=white&{ITALIAN}&variant=standard"));
        assert_eq!(str::from_utf8(&response.body).unwrap(), expected);
        let content_type = response.headers.iter().find(|(name, _)| *name == "content-type");
        assert_eq!(content_type.unwrap().1, "application/x-ndjson");
    }
}

#[test]
fn what_a_game_does_not_say_is_zero_or_left_out() {
    let masters = json("/masters?play=d2d4");
    let game = &masters["moves"][0]["game"];
    assert_eq!((&game["white"]["rating"], &game["year"]), (&0.into(), &1953.into()));
    assert_eq!(
        (&game["month"], &masters["moves"][0]["averageRating"]),
        (&Value::Null, &1900.into())
    );
    let lichess = json("/lichess");
    let recent = lichess["recentGames"].as_array().unwrap();
    let carl = recent.iter().find(|game| game["white"]["name"] == "Carl").unwrap();
    assert_eq!((carl.get("speed"), carl.get("mode")), (None, None));
}

#[test]
fn filters_of_lichess_count() {
    for (query, games, top, recent) in [
        ("", 4, 2, 2),
        ("speeds=blitz,rapid", 2, 2, 0),
        ("speeds=", 0, 0, 0),
        ("ratings=2200", 1, 0, 1),
        ("ratings=2500,2200,2000", 2, 2, 0),
        ("ratings=1600", 1, 0, 1),
        ("ratings=0,1000,1200,1400,1600,1800,2000,2200,2500", 4, 2, 2),
        ("since=2024-02", 2, 1, 1),
        ("since=2024-2&until=2024-3&speeds=rapid", 1, 1, 0),
        ("until=1960-01", 1, 0, 1),
        ("topGames=0", 4, 0, 4),
        ("topGames=0&recentGames=1", 4, 0, 1),
        ("fen=rnbqkbnr/ppppp1pp/8/5p2/3P4/6P1/PPP1PP1P/RNBQKBNR_b_KQkq_-_0_2", 1, 0, 1),
    ] {
        let found = json(&format!("/lichess?{query}"));
        let count = |name: &str| found[name].as_array().unwrap().len();
        let sum: u64 =
            ["white", "draws", "black"].map(|name| found[name].as_u64().unwrap()).iter().sum();
        assert_eq!((sum, count("topGames"), count("recentGames")), (games, top, recent), "{query}");
    }
    let history = json("/lichess/history?since=2024-01&until=2024-04");
    assert_eq!(history["moves"], Value::Array(Vec::new()));
    assert_eq!(history["history"].as_array().unwrap().len(), 3);
}

#[test]
fn what_cannot_be_answered_is_said_in_plain_text() {
    for (target, status, says) in [
        ("/masters?fen=x", 400, "fen: 'x': not a FEN"),
        ("/masters?play=e2e5", 400, "play: move 1, 'e2e5': illegal"),
        ("/masters?since=1900", 400, "since: expected a year from 1952 to 3000, not '1900'"),
        ("/masters?since=2010-01", 400, "since: expected a year from 1952 to 3000, not '2010-01'"),
        ("/lichess?moves=-1", 400, "moves: expected a whole number, not '-1'"),
        ("/lichess?ratings=abc", 400, "ratings: expected a whole number, not 'abc'"),
        ("/masters?variant=atomic", 400, "variant: only standard chess is counted"),
        ("/masters?moves=-1", 400, "moves: "),
        ("/lichess?speeds=fast", 400, "speeds: not a speed"),
        ("/lichess?since=2024-13", 400, "since: expected a month"),
        ("/player?player=Ann", 400, "color: expected, but not there"),
        ("/player?color=white", 400, "player: expected, but not there"),
        ("/player?player=Ann&color=red", 400, "color: expected white or black"),
        ("/masters/pgn/abc", 404, ""),
        ("/masters/pgn/zzzzzzzzzzz", 404, ""),
        ("/masters/pgn/00000000000", 404, ""),
        ("/eco/position?x=1", 400, "no parameter 'x'; there is fen, play, player"),
        ("/eco/position?collection=x", 404, "no collection 'x'; there is games"),
        (
            "/eco/position?player=Anne",
            400,
            "no game has a player 'Anne': the nearest name is 'Ann'",
        ),
        ("/eco/position?player=An%0Ane", 400, "no game has a player 'An ne'"),
        ("/eco/position?opening=qzxv", 400, "no opening is called 'qzxv'"),
        ("/eco/position?rating=abc..", 400, "rating: expected the lowest and the highest rating"),
        ("/masters?play=e4", 400, "play: move 1, 'e4': not a move in UCI notation, such as e2e4"),
        ("/eco/position?topGames=16", 400, "topGames: expected 0 to 15, not '16'"),
        ("/eco/game/00000000000", 404, "no game 00000000000"),
        ("/eco/game/x", 404, "not the identity of a game"),
        ("/eco/line?text=hello", 400, "text: "),
        ("/eco/repertoires?name=x", 404, "no repertoire 'x'"),
        ("/eco", 404, "nothing at '/eco'; there is /"),
        ("//", 404, "nothing at '//'"),
        ("/masters/", 404, "nothing at"),
    ] {
        let response = get(target);
        let text = str::from_utf8(&response.body).unwrap();
        assert_eq!(response.status, status, "{target}: {text}");
        assert!(text.starts_with(says), "{target}: {text}");
        assert!(
            says.is_empty() == text.is_empty() && text.lines().count() <= 1,
            "{target}: {text}"
        );
        assert_eq!(response.headers[0].1, "text/plain; charset=utf-8", "{target}");
    }
}

#[test]
fn masters_pgn_has_nine_tags_and_one_line() {
    let expected = "[Event \"Club \\\"evening\\\"\"]\n[Site \"Linares\"]\n[Date \"1953\"]\n\
        [Round \"3\"]\n[White \"Carl\"]\n[Black \"Ann\"]\n[Result \"0-1\"]\n[BlackElo \"1900\"]\n\n\
        1. d4 f5 2. g3 0-1\n";
    for route in ["/masters/pgn/ID3", "/master/pgn/ID3"] {
        let response = get(&with_ids(route));
        assert_eq!(str::from_utf8(&response.body).unwrap(), expected);
        assert_eq!(response.headers[0].1, "application/x-chess-pgn");
    }
}

/// The names of the fields of an object, in order.
fn names(text: &str) -> Vec<String> {
    let object: std::collections::BTreeMap<String, Value> = serde_json::from_str(text).unwrap();
    let mut names: Vec<String> = object.into_keys().collect();
    names.sort_by_key(|name| text.find(&format!("\"{name}\":")));
    names
}

#[test]
fn a_position_comes_with_what_is_around_it() {
    let asked = "/eco/position?play=g2g3,f7f5,d2d4";
    let found = json(asked);
    assert_eq!(
        names(&text(asked)),
        [
            "fen",
            "turn",
            "check",
            "end",
            "play",
            "opening",
            "path",
            "legal",
            "white",
            "draws",
            "black",
            "ended",
            "moves",
            "topGames",
            "recentGames",
            "notes",
        ]
    );
    assert_eq!(found["fen"], "rnbqkbnr/ppppp1pp/8/5p2/3P4/6P1/PPP1PP1P/RNBQKBNR b KQkq - 0 2");
    assert_eq!(found["opening"]["name"], "Dutch Defense: Fianchetto Attack");
    assert_eq!(found["opening"]["ply"], 3);
    assert_eq!(found["path"].as_array().unwrap().len(), 3);
    assert_eq!(found["play"][2]["san"], "d4");
    assert_eq!(found["legal"].as_array().unwrap().len(), 20);
    // One game went on, another one ended here.
    assert_eq!((&found["white"], &found["ended"]["black"]), (&1.into(), &1.into()));
    let expected = serde_json::json!({
        "uci": "g8f6", "san": "Nf6", "white": 1, "draws": 0, "black": 0, "games": 1, "score": 0.0,
        "rating": 1500, "opponents": 1700, "performance": null, "first": "2024-03", "last": "2024-03",
        "reached": {"white": 1, "draws": 0, "black": 0},
        "opening": {"eco": "A81", "name": "Dutch Defense: Fianchetto Attack"}
    });
    let mut moved = found["moves"][0].clone();
    let game = moved.as_object_mut().unwrap().remove("game").unwrap();
    moved["reached"] = expected["reached"].clone();
    moved["opening"] = expected["opening"].clone();
    assert_eq!(moved, expected);
    assert_eq!((&game["san"], &game["rated"]), (&"Nf6".into(), &false.into()));
    assert_eq!(game["event"], "Casual Bullet game");
    assert_eq!(found["recentGames"], Value::Array(Vec::new()));
    let castling = json(&format!("/eco/position?{ITALIAN}"));
    assert_eq!(castling["moves"][1]["uci"], "e1g1");
    let mate = json("/eco/position?play=f2f3,e7e5,g2g4,d8h4");
    assert_eq!((&mate["end"], &mate["check"]), (&"checkmate".into(), &true.into()));
    let filtered = json("/eco/position?player=Ann&color=white&result=win&history&moves=1");
    assert_eq!((&filtered["white"], filtered["moves"].as_array().unwrap().len()), (&2.into(), 1));
    assert_eq!(filtered["history"][0]["month"], "2024-01");
}

#[test]
fn a_game_comes_from_beginning_to_end() {
    let found = json(&with_ids("/eco/game/ID3"));
    assert_eq!(found["tags"][0], serde_json::json!(["Event", "Club \"evening\""]));
    assert_eq!(found["white"], serde_json::json!({"name": "Carl", "rating": null}));
    assert_eq!((&found["date"], &found["result"]), (&"1953".into(), &"0-1".into()));
    assert_eq!(found["moves"].as_array().unwrap().len(), 3);
    assert_eq!(found["opening"]["eco"], "A81");
    assert_eq!((&found["error"], &found["collection"]), (&Value::Null, &"games".into()));
    assert!(text(&with_ids("/eco/pgn/ID3")).starts_with("[Event \"Club \\\"evening\\\"\"]\n"));
}

#[test]
fn names_are_suggested() {
    let players = text("/eco/players?name=a&limit=2");
    assert_eq!(players, r#"{"players":[{"name":"Ann","games":4},{"name":"Carl","games":1}]}"#);
    let openings = text("/eco/openings?search=fianchetto+dutch&limit=1");
    let expected = r#"{"openings":[{"eco":"A81","name":"Dutch Defense: Fianchetto Attack","#;
    assert!(openings.starts_with(expected), "{openings}");
    let aliases = json("/eco/openings?search=QGD&limit=1");
    assert_eq!(aliases["openings"][0]["foundBy"], "alias: QGD");
    let families = json("/eco/openings");
    assert_eq!(families["openings"][0]["name"], "Sicilian Defense");
    let below = json("/eco/openings?below=Sicilian+Defense");
    let najdorf = |row: &Value| row["part"] == "Najdorf Variation" && row["eco"] == "B90";
    assert!(below["openings"].as_array().unwrap().iter().any(najdorf), "{below}");
    let line = json("/eco/line?text=1.+d4+f5+2.+g3");
    assert_eq!((&line["opening"]["ply"], &line["error"]), (&3.into(), &Value::Null));
    let collections = json("/eco/collections");
    assert_eq!(collections["collections"][0]["games"], 4);
    assert_eq!(collections["collections"][0]["since"], "1953");
    assert_eq!(text("/eco/repertoires"), r#"{"repertoires":[]}"#);
}

#[test]
fn names_are_in_the_language_of_the_request_or_of_the_site() {
    let name = |target: &str| json(target)["opening"]["name"].as_str().unwrap_or("").to_owned();
    assert_eq!(name("/eco/position?play=e2e4,c7c5"), "Sicilian Defense");
    assert_eq!(name("/eco/position?play=e2e4,c7c5&lang=es"), "Defensa siciliana");
    assert_eq!(name("/lichess?play=e2e4,c7c5&lang=de"), "Sizilianische Verteidigung");
    // The first that is known counts; English, if it is known first.
    assert_eq!(name("/eco/position?play=e2e4,c7c5&lang=ja,fr,de"), "Défense sicilienne");
    assert_eq!(name("/eco/line?text=e4+c5&lang=en,de"), "Sicilian Defense");
    assert_eq!(name("/eco/line?text=e4+c5&lang=ja"), "Sicilian Defense");
    assert_eq!(get("/eco/position?lang=ja").status, 400);
    let opening = &json("/eco/position?play=e2e4,c7c5&lang=ru")["opening"];
    assert_eq!(opening["nameEn"], "Sicilian Defense");
    assert!(!text("/eco/position?play=e2e4,c7c5").contains("nameEn"));
    let moves = &json("/eco/position?lang=de")["legal"];
    assert!(moves.as_array().unwrap().iter().any(|legal| legal["san"] == "Nf3"));
    let german = site().in_language(crate::chess::Language::German);
    let answer = |path: &str, query: &str| -> Value {
        let answer = german.answer(path, query, &[], &Cancellation::default());
        serde_json::from_slice(&answer.body).unwrap()
    };
    let of = |path, query| answer(path, query)["opening"]["name"].as_str().unwrap().to_owned();
    assert_eq!(of("/eco/position", "play=e2e4,c7c5"), "Sizilianische Verteidigung");
    assert_eq!(of("/eco/position", "play=e2e4,c7c5&lang=en"), "Sicilian Defense");
    assert_eq!(of("/lichess", "play=e2e4,c7c5"), "Sicilian Defense");
    assert_eq!(answer("/eco/collections", "")["lang"], "de");
}

#[test]
fn only_hosts_that_are_known_are_answered() {
    let ask = |access: &Access, method, hosts: &[&str]| {
        let hosts = hosts.iter().copied().map(str::to_owned).collect();
        let head = Head { method: str::to_owned(method), hosts, ..head("/masters") };
        respond(&responder(access), &head).status
    };
    let access = Access::default();
    for (method, hosts, status) in [
        ("GET", &["localhost:9002"][..], 200),
        ("HEAD", &["127.0.0.1:9002"], 200),
        ("GET", &["localhost:9002", "localhost:9002"], 200),
        ("GET", &["localhost:9002", "evil.example"], 403),
        ("GET", &["evil.example:9002"], 403),
        ("GET", &[], 403),
        ("POST", &["localhost:9002"], 405),
        ("OPTIONS", &["localhost:9002"], 405),
        ("PUT", &["evil.example"], 403),
    ] {
        assert_eq!(ask(&access, method, hosts), status, "{method} {hosts:?}");
    }
    let access = Access { hosts: vec!["chess.example".to_owned()], ..access };
    assert_eq!(ask(&access, "GET", &["chess.example"]), 200);
}

#[test]
fn pages_of_other_sites_are_answered_only_if_they_may_ask() {
    let ask = |cors, path, site: Option<&str>, origins: &[&str]| {
        let origins = origins.iter().copied().map(str::to_owned).collect();
        let fetch_site = site.map(str::to_owned);
        let access = Access { cors, ..Access::default() };
        respond(&responder(&access), &Head { origins, fetch_site, ..head(path) }).status
    };
    for (site, origins, status) in [
        // Programs, an address that was typed, the page.
        (None, &[][..], 200),
        (Some("none"), &[], 200),
        (Some("same-origin"), &[], 200),
        (None, &["http://localhost:9002"], 200),
        // A program that shows a page of its own, as en-croissant does.
        (None, &["tauri://localhost"], 200),
        (Some("cross-site"), &[], 403),
        (Some("same-site"), &[], 403),
        (None, &["http://evil.example"], 403),
        (None, &["https://evil.example"], 403),
        (None, &["http://localhost:9003"], 403),
        (None, &["null"], 403),
        (None, &["http://localhost:9002", "http://evil.example"], 403),
    ] {
        for path in ["/masters", "/lichess", "/eco/collections", "/eco/position"] {
            assert_eq!(ask(Cors::Deny, path, site, origins), status, "{path} {site:?} {origins:?}");
            assert_eq!(ask(Cors::Allow, path, site, origins), 200, "{path} {site:?} {origins:?}");
        }
        // Anybody may link to the page.
        assert_eq!(ask(Cors::Deny, "/", site, origins), 200);
        assert_eq!(ask(Cors::Deny, "/page.css", site, origins), 200);
    }
}

#[test]
fn what_searches_games_is_no_lookup() {
    let responder = responder(&Access::default());
    for (target, work) in [
        ("/masters", Work::Lookup),
        ("/masters?fen=x&play=e2e4&topGames=15&moves=100", Work::Lookup),
        ("/masters?since=1990", Work::Search),
        ("/lichess?speeds=blitz", Work::Search),
        ("/lichess/history?ratings=2000", Work::Search),
        ("/player?player=Ann&color=white", Work::Search),
        ("/eco/position?play=e2e4&recentGames=8&history", Work::Lookup),
        ("/eco/position?tag=Round=8.8", Work::Search),
        ("/eco/position?t%61g=Round=8.8", Work::Search),
        ("/eco/repertoires?player=Ann", Work::Search),
        ("/eco/players?name=Ann", Work::Lookup),
        ("/eco/game/x?tag=y", Work::Lookup),
        ("/nothing?tag=y", Work::Lookup),
    ] {
        assert_eq!(responder.work(&head(target)), work, "{target}");
    }
}

#[test]
fn a_search_that_takes_too_long_is_given_up_and_delays_nothing_else() {
    let server = Server::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let (address, site) = (server.address(), site());
    // No search is ever begun.
    let limits = Limits { threads: 0, answer: Duration::from_millis(200), ..Limits::default() };
    thread::spawn(move || server.run(site, &Access::default(), limits));
    let ask = |target: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
            .unwrap();
        stream
    };
    let status = |mut stream: TcpStream| {
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer[..12]).into_owned()
    };
    let searches: Vec<_> = (0..20).map(|n| ask(&format!("/masters?since={}", 1990 + n))).collect();
    for quick in ["/page.css", "/masters?play=e2e4", "/eco/players?name=Ann"] {
        assert_eq!(status(ask(quick)), "HTTP/1.1 200", "{quick}");
    }
    for search in searches {
        assert_eq!(status(search), "HTTP/1.1 503");
    }
}

#[test]
fn a_request_that_is_cancelled_is_not_answered_from_the_games() {
    let responder = responder(&Access::default());
    let cancelled = Cancellation::default();
    cancelled.cancel();
    for target in [
        "/eco/position?tag=Round=3",
        "/eco/position?player=Nobody",
        "/eco/players?name=ann",
        "/masters",
        "/player?player=Ann&color=white",
    ] {
        let status = |cancellation| responder.answer(&head(target), &[], cancellation).status;
        assert_eq!(status(&cancelled), 503, "{target}");
        assert_ne!(status(&Cancellation::default()), 503, "{target}");
    }
}

#[test]
fn every_answer_has_the_headers_that_keep_others_out() {
    let header = |response: &Response, name: &str| {
        let found = response.headers.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.to_string())
    };
    for target in ["/", "/masters", "/masters?fen=x", "/eco/collections", "/nothing"] {
        let response = get(target);
        let policy = header(&response, "content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("http"));
        assert_eq!(header(&response, "x-content-type-options").unwrap(), "nosniff");
        assert_eq!(header(&response, "referrer-policy").unwrap(), "no-referrer");
        assert_eq!(header(&response, "access-control-allow-origin"), None);
        assert_eq!(header(&response, "etag").is_some(), response.status == 200);
        for (_, value) in &response.headers {
            assert!(value.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{value:?}");
        }
    }
    let access = Access { cors: Cors::Allow, ..Access::default() };
    let open = respond(&responder(&access), &head("/masters?fen=x"));
    assert_eq!(header(&open, "access-control-allow-origin").unwrap(), "*");
}

#[test]
fn what_is_asked_again_comes_from_memory() {
    let responder = responder(&Access::default());
    let at_hand = |target| responder.at_hand(&head(target));
    let ask = |target| responder.answer(&head(target), &[], &Cancellation::default());
    assert_eq!(at_hand("/masters"), None);
    let first = ask("/masters");
    assert_eq!(at_hand("/masters"), Some(first.clone()));
    let known = at_hand("/masters").unwrap().unless_known(first.etag().as_deref());
    assert_eq!((known.status, known.body.len()), (304, 0));
    // Faults are not kept, and the page is always at hand.
    assert_eq!(ask("/masters?fen=x").status, 400);
    assert_eq!(at_hand("/masters?fen=x"), None);
    assert!(at_hand("/").is_some());
}
