//! `eco serve`: a real server, and a client that knows no more of HTTP than a socket does.

use std::{
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::TcpStream,
    process::{Child, ChildStderr, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::harness::Workplace;

const FAMOUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/games/famous.pgn");

/// A server on a port of its own, which ends with the test.
struct Server {
    child: Child,
    port: u16,
    stderr: BufReader<ChildStderr>,
}

/// An answer: its status, its headers in lower case, its body.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

impl Server {
    fn start(place: &Workplace, args: &[&str]) -> Self {
        let args = [&["serve", "--port", "0"], args].concat();
        let mut child = place.command(&args).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut seen = String::new();
        let port = loop {
            let mut line = String::new();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "no server: {seen}");
            seen += &line;
            if let Some((_, rest)) = line.split_once("http://") {
                let port = rest.split('/').next().and_then(|host| host.rsplit(':').next());
                break port.unwrap().parse().unwrap();
            }
        };
        Self { child, port, stderr }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    fn head(&self, request: &str) -> String {
        format!("{request} HTTP/1.1\r\nHost: localhost:{}\r\n", self.port)
    }

    fn get(&self, target: &str) -> Answer {
        self.ask(&format!("{}\r\n", self.head(&format!("GET {target}"))))
    }

    fn ask(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        read_answer(&mut BufReader::new(stream), request.starts_with("HEAD"))
    }

    /// Asks the server to end, as Ctrl-C does, and returns its exit code.
    fn stop(mut self) -> Option<i32> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let mut rest = String::new();
        if thread::panicking() && self.stderr.read_to_string(&mut rest).is_ok() {
            eprintln!("the server said: {rest}");
        }
    }
}

fn read_answer(stream: &mut impl BufRead, is_head: bool) -> Answer {
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    let status = line.split(' ').nth(1).unwrap_or_else(|| panic!("no answer: {line:?}"));
    let status = status.parse().unwrap();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length: usize = length.map_or(0, |(_, length)| length.parse().unwrap());
    let mut body = vec![0; if is_head || status == 304 { 0 } else { length }];
    stream.read_exact(&mut body).unwrap();
    Answer { status, headers, body: String::from_utf8(body).unwrap() }
}

#[test]
fn games_are_served_at_once() {
    let place = Workplace::new();
    let server = Server::start(&place, &[FAMOUS]);
    let page = server.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(page.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    let found = server.get("/eco/position?play=g1f3");
    assert_eq!((found.status, found.header("content-type")), (200, Some("application/json")));
    assert!(found.body.contains(r#""opening":{"eco":"A04","name":"Zukertort Opening","ply":1}"#));
    assert!(found.body.contains("Byrne, Donald"), "{}", found.body);
    let lichess = server
        .get("/lichess?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%20KQkq%20-%200%201");
    assert!(lichess.body.starts_with(r#"{"white":"#), "{}", lichess.body);
    let report = server.get("/eco/report?since=1900");
    assert_eq!((report.status, server.get("/report.css").status), (200, 200));
    let leads = "<a href=\"/?since=1900&amp;opening=";
    assert!(report.body.contains(leads) && !report.body.contains("<style"), "{}", report.body);
    assert_eq!(server.get("/eco/report?moves=3").status, 400);
    assert_eq!(server.get("/masters?play=e2e5").status, 400);
    assert_eq!(server.get("/nothing").status, 404);
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn a_connection_takes_one_request_after_the_other() {
    let place = Workplace::new();
    let server = Server::start(&place, &[FAMOUS]);
    let mut stream = BufReader::new(server.connect());
    let mut etag = String::new();
    for _ in 0..3 {
        let request = format!("{}\r\n", server.head("GET /masters"));
        stream.get_mut().write_all(request.as_bytes()).unwrap();
        let answer = read_answer(&mut stream, false);
        assert_eq!((answer.status, answer.body.is_empty()), (200, false));
        etag = answer.header("etag").unwrap().to_owned();
    }
    let request = format!("{}If-None-Match: {etag}\r\n\r\n", server.head("GET /masters"));
    stream.get_mut().write_all(request.as_bytes()).unwrap();
    assert_eq!(read_answer(&mut stream, false).status, 304);
    let request = format!("{}\r\n", server.head("HEAD /masters"));
    stream.get_mut().write_all(request.as_bytes()).unwrap();
    let answer = read_answer(&mut stream, true);
    assert!(answer.status == 200 && answer.header("content-length").unwrap() != "0");
    // Two requests at once are answered in order.
    let twice = format!("{}\r\n{}\r\n", server.head("GET /masters"), server.head("GET /x"));
    stream.get_mut().write_all(twice.as_bytes()).unwrap();
    let statuses = [(); 2].map(|()| read_answer(&mut stream, false).status);
    assert_eq!(statuses, [200, 404]);
}

#[test]
fn only_this_computer_is_asked_and_nothing_is_written() {
    let place = Workplace::new();
    let server = Server::start(&place, &[FAMOUS, "--allow-host", "chess.example"]);
    let port = server.port;
    for (host, status) in [
        (format!("localhost:{port}"), 200),
        (format!("127.0.0.1:{port}"), 200),
        (format!("[::1]:{port}"), 200),
        ("chess.example".to_owned(), 200),
        ("localhost".to_owned(), 403),
        (format!("evil.example:{port}"), 403),
    ] {
        let answer = server.ask(&format!("GET /masters HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert_eq!(answer.status, status, "{host}");
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    let elsewhere =
        format!("GET http://evil.example/masters HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
    assert_eq!(server.ask(&elsewhere).status, 403);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"] {
        let answer = server.ask(&format!("{}\r\n", server.head(&format!("{method} /masters"))));
        assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, HEAD")), "{method}");
    }
    let body = format!("{}Content-Length: 5\r\n\r\nhello", server.head("GET /masters"));
    assert_eq!(server.ask(&body).status, 413);
    let open = Server::start(&place, &[FAMOUS, "--cors"]);
    assert_eq!(open.get("/masters").header("access-control-allow-origin"), Some("*"));
}

/// The memory of a process in KiB, where the system tells.
fn memory(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn requests_without_end_are_refused_and_cost_no_memory() {
    let place = Workplace::new();
    let server = Server::start(&place, &[FAMOUS]);
    server.get("/masters");
    let before = memory(server.child.id());
    let long = "x".repeat(10 << 20);
    for request in [
        format!("GET /masters?fen={long} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", server.port),
        format!("{}X: {long}\r\n\r\n", server.head("GET /masters")),
        format!("{}{}\r\n", server.head("GET /masters"), "X: y\r\n".repeat(1 << 20)),
        long.clone(),
    ] {
        let mut stream = server.connect();
        // The server closes the connection before all is written.
        let written = stream.write_all(request.as_bytes());
        let mut answer = String::new();
        let read = stream.read_to_string(&mut answer);
        let is_refused = ["414", "431", "400"]
            .iter()
            .any(|status| answer.starts_with(&format!("HTTP/1.1 {status} ")));
        assert!(is_refused || written.is_err() || read.is_err(), "{answer:.200}");
    }
    assert_eq!(server.get("/masters").status, 200);
    if let (Some(before), Some(after)) = (before, memory(server.child.id())) {
        assert!(after < before + (30 << 10), "{before} KiB before, {after} KiB after");
    }
}

#[test]
fn a_thousand_slow_clients_do_not_keep_others_waiting() {
    let place = Workplace::new();
    let server = Server::start(&place, &[FAMOUS]);
    let mut slow = Vec::new();
    for number in 0..1000 {
        // This process has few files open at once, so older ones are let go. The server has 512.
        if slow.len() >= 700 {
            slow.remove(0);
        }
        let mut stream = server.connect();
        let begun = ["", "G", "GET /masters HTTP/1.1\r\nHost: loc"][number % 3];
        // One that gave way is closed already.
        let _ = stream.write_all(begun.as_bytes());
        slow.push(stream);
        if number % 250 == 249 {
            let begin = Instant::now();
            assert_eq!(server.get("/masters").status, 200, "after {number}");
            assert!(begin.elapsed() < Duration::from_secs(20), "after {number}");
        }
    }
    // The last of them may still be on their way to the server.
    let (mut closed, begin) = (0, Instant::now());
    while closed < 100 && begin.elapsed() < Duration::from_secs(20) {
        let before = slow.len();
        slow.retain_mut(|stream| {
            stream.set_nonblocking(true).unwrap();
            stream.read(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
        });
        closed += before - slow.len();
        thread::sleep(Duration::from_millis(20));
    }
    assert!(closed >= 100, "older ones gave way");
}

#[test]
fn what_is_no_http_is_refused() {
    let place = Workplace::new();
    let server = Server::start(&place, &[FAMOUS]);
    for request in [
        "\r\n\r\nhello\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "\0\0\0\0",
        "\u{16}\u{3}\u{1}",
    ] {
        let mut stream = server.connect();
        stream.write_all(request.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{request:?}: {answer}");
    }
    for target in [
        "/%",
        "/%00",
        "/masters?%%%=%zz&play=%00",
        "/eco/game/%2e%2e",
        "/../../etc/passwd",
        "//",
        "/eco/pgn/",
    ] {
        let status = server.get(target).status;
        assert!([200, 400, 404].contains(&status), "{target}: {status}");
    }
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn what_keeps_it_from_starting_is_said_with_what_to_do() {
    let place = Workplace::new();
    let server = Server::start(&place, &[FAMOUS]);
    let port = server.port.to_string();
    place.write("empty.pgn", "");
    place.run(&["index", "empty.pgn", "--db", "empty.db"]).exits(0);
    for (args, says) in [
        (
            &["serve", FAMOUS, "--port", &port][..],
            "is in use, perhaps by another eco serve: choose another with --port",
        ),
        (
            &["serve", FAMOUS, "--listen", "192.0.2.1"],
            "192.0.2.1 is not an address of this computer",
        ),
        (&["serve", "--db", "missing.db"], "missing.db"),
        (
            &["serve", "--db", "empty.db", "--port", "0"],
            "empty.db: has no games to serve: `eco index GAMES.pgn --db empty.db` puts some in",
        ),
        (&["serve", "empty.pgn", "--port", "0"], "the inputs have no game"),
        (&["serve", FAMOUS, "--port", "0", "--masters", "otb"], "no collection 'otb'; there is"),
        (
            &["serve", "--port", "0"],
            "eco.db: No such file or directory; `eco index GAMES.pgn` and `eco repertoire add NAME",
        ),
        (
            &["serve", FAMOUS, "--repertoire", "mine", "--port", "0"],
            "--repertoire is for a repertoire of --db FILE",
        ),
        (
            &[
                "serve",
                "--db",
                "x.db",
                "--repertoire",
                "mine",
                "--listen",
                "0.0.0.0",
                "--port",
                "0",
            ],
            "--repertoire writes, and is for this computer only: leave out --listen 0.0.0.0",
        ),
        (&["serve", "--db", "x.db", "--repertoire", "mine", "--cors"], "cannot be used with"),
        (
            &["serve", FAMOUS, "--db", "missing.db", "--port", "0"],
            "--db missing.db` puts the games into the database, and `eco serve --db missing.db`",
        ),
    ] {
        let run = place.run(args);
        run.exits(2);
        assert!(run.stderr.contains(says), "{args:?}: {}", run.stderr);
    }
    place.run(&["serve", "missing.pgn", "--port", "0"]).exits(1).complains("missing.pgn");
}

#[test]
fn requests_that_have_come_are_answered_before_it_ends() {
    let place = Workplace::new();
    let server = Server::start(&place, &[FAMOUS]);
    // A client that has said nothing does not hold it up.
    let _silent = server.connect();
    let begin = Instant::now();
    assert_eq!(server.get("/lichess").status, 200);
    assert_eq!(server.stop(), Some(0));
    assert!(begin.elapsed() < Duration::from_secs(30));
}

/// A database with the games of two files as collections, and a repertoire.
fn database() -> Workplace {
    let place = Workplace::new();
    let club = concat!(env!("CARGO_MANIFEST_DIR"), "/data/games/club.pgn");
    place.run(&["index", FAMOUS, "--db", "my.db", "--name", "famous"]).exits(0);
    place.run(&["index", club, "--db", "my.db", "--name", "club"]).exits(0);
    place.write("lines.pgn", "1. e4 e5 (1... c5 {sharp} 2. Nf3) (1... d5) 2. Nf3! {best} *\n");
    let add = ["repertoire", "add", "mine", "lines.pgn", "--color", "white", "--db", "my.db"];
    place.run(&add).exits(0);
    place
}

fn json(answer: &Answer) -> serde_json::Value {
    assert_eq!(answer.status, 200, "{}", answer.body);
    serde_json::from_str(&answer.body).unwrap()
}

fn games_of(answer: &Answer) -> u64 {
    let found = json(answer);
    ["white", "draws", "black"].iter().map(|name| found[name].as_u64().unwrap()).sum()
}

#[test]
fn collections_answer_for_what_they_are_chosen_for() {
    let place = database();
    let args = ["--db", "my.db", "--masters", "famous", "--lichess", "club"];
    let server = Server::start(&place, &args);
    let collections = json(&server.get("/eco/collections"));
    let counted = |index: usize| collections["collections"][index]["counted"].as_u64().unwrap();
    let names = [0, 1].map(|index| collections["collections"][index]["name"].clone());
    assert_eq!(names, ["club", "famous"]);
    assert_eq!(
        (&collections["masters"], &collections["lichess"]),
        (&"famous".into(), &"club".into())
    );
    assert_eq!(
        collections["repertoires"][0],
        serde_json::json!({"name": "mine", "color": "white"})
    );
    assert_eq!(games_of(&server.get("/masters")), counted(1));
    assert_eq!(games_of(&server.get("/lichess")), counted(0));
    assert_eq!(games_of(&server.get("/eco/position?collection=club")), counted(0));
    let both = counted(0) + counted(1);
    assert_eq!(games_of(&server.get("/eco/position")), both);
    assert_eq!(games_of(&server.get("/eco/position?collection=club&collection=famous")), both);
    let unknown = server.get("/eco/position?collection=otb");
    assert_eq!(
        (unknown.status, unknown.body.as_str()),
        (404, "no collection 'otb'; there is club, famous\n")
    );
    // A game knows where it is kept, and has all its tags.
    let top = json(&server.get("/eco/position?collection=famous&topGames=1"));
    let id = top["topGames"][0]["id"].as_str().unwrap();
    let game = json(&server.get(&format!("/eco/game/{id}")));
    assert_eq!(game["collection"], "famous");
    let pgn = server.get(&format!("/eco/pgn/{id}"));
    assert!(pgn.body.starts_with("[Event \""), "{}", pgn.body);
    let master = server.get(&format!("/master/pgn/{id}"));
    assert_eq!(
        master.body.lines().filter(|line| !line.starts_with('[')).count(),
        2,
        "{}",
        master.body
    );
    let unfit = place.run(&["serve", "--port", "0", "--db", "my.db", "--lichess", "otb"]);
    assert!(unfit.exits(2).stderr.contains("no collection 'otb'; there is club, famous"));
}

#[test]
fn repertoires_say_what_is_prepared_and_what_is_missing() {
    let place = database();
    let server = Server::start(&place, &["--db", "my.db"]);
    let asked = |query: &str| {
        let found = json(&server.get(&format!("/eco/repertoires?{query}")));
        found["repertoires"][0].clone()
    };
    let start = asked("");
    assert_eq!((&start["known"], &start["own"]), (&true.into(), &true.into()));
    assert_eq!(start["moves"][0]["san"], "e4");
    assert_eq!(start["missing"], serde_json::json!([]));
    let after = asked("play=e2e4");
    assert_eq!(after["own"], false);
    let moves: Vec<(&str, bool)> = after["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| (m["san"].as_str().unwrap(), m["answered"].as_bool().unwrap()))
        .collect();
    assert_eq!(moves, [("e5", true), ("c5", true), ("d5", false)]);
    assert_eq!(after["moves"][1]["comment"], "sharp");
    let played = json(&server.get("/eco/position?play=e2e4"));
    let others: Vec<&str> = played["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["san"].as_str().unwrap())
        .filter(|san| !["e5", "c5"].contains(san))
        .collect();
    let missing: Vec<&str> =
        after["missing"].as_array().unwrap().iter().map(|m| m["san"].as_str().unwrap()).collect();
    assert_eq!(missing, others);
    assert!(!missing.is_empty());
    let none = asked("play=e2e4&min-games=1000");
    assert_eq!(none["missing"], serde_json::json!([]));
    let best = asked("play=e2e4,e7e5");
    let expected = serde_json::json!({
        "uci": "g1f3", "san": "Nf3", "prepared": true, "mistake": false, "answered": true, "glyphs": ["!"],
        "comment": "best"
    });
    assert_eq!(best["moves"], serde_json::json!([expected]));
    assert_eq!(asked("play=a2a3")["known"], false);
    assert_eq!(server.get("/eco/repertoires?name=other").status, 404);
}

#[test]
fn damaged_games_are_an_error_of_what_needs_them() {
    let place = database();
    let sql = "UPDATE segment_blob SET bytes = zeroblob(length(bytes)) WHERE kind = 'facts'";
    rusqlite::Connection::open(place.path("my.db")).unwrap().execute(sql, []).unwrap();
    let server = Server::start(&place, &["--db", "my.db"]);
    for target in ["/masters?play=e2e4", "/eco/position?play=e2e4"] {
        let damaged = server.get(target);
        assert_eq!(damaged.status, 500, "{target}");
        assert!(damaged.body.contains(", facts 0: its checksum differs)"), "{}", damaged.body);
    }
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn a_database_that_is_locked_or_replaced_is_waited_for() {
    let place = database();
    let server = Server::start(&place, &["--db", "my.db"]);
    let all = games_of(&server.get("/masters"));
    let other = rusqlite::Connection::open(place.path("my.db")).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let locked = server.get("/masters?play=e2e4");
    assert_eq!(locked.status, 503);
    assert!(locked.body.contains("in use by another program"), "{}", locked.body);
    other.execute_batch("COMMIT").unwrap();
    drop(other);
    assert!(games_of(&server.get("/masters?play=e2e4")) > 0);
    // Something else takes its place, nothing does, and then a smaller one.
    place.write("junk.db", "this is no database");
    std::fs::rename(place.path("my.db"), place.path("kept.db")).unwrap();
    let gone = server.get("/masters");
    assert_eq!(gone.status, 503, "{}", gone.body);
    std::fs::rename(place.path("junk.db"), place.path("my.db")).unwrap();
    let junk = server.get("/masters");
    assert_eq!(junk.status, 503);
    assert!(junk.body.contains("not a position database"), "{}", junk.body);
    place.write("one.pgn", "1. e4 e5 1-0\n");
    place.run(&["index", "one.pgn", "--db", "new.db"]).exits(0);
    std::fs::rename(place.path("new.db"), place.path("my.db")).unwrap();
    assert_eq!(games_of(&server.get("/masters")), 1);
    // Games that are added are seen.
    place.write("two.pgn", "1. d4 d5 1-0\n");
    place.run(&["index", "two.pgn", "--db", "my.db"]).exits(0);
    assert_eq!(games_of(&server.get("/masters")), 2);
    std::fs::rename(place.path("kept.db"), place.path("my.db")).unwrap();
    assert_eq!(games_of(&server.get("/masters")), all);
}

#[test]
fn games_come_from_folders_and_compressed_files_and_a_pipe() {
    let place = Workplace::new();
    place.write("a/one.pgn", "1. e4 e5 1-0\n");
    place.write(
        "a/two.pgn.zst",
        zstd::encode_all(&b"1. d4 d5 0-1\n\n1. d4 Nf6 1/2-1/2\n"[..], 1).unwrap(),
    );
    let server = Server::start(&place, &["a"]);
    assert_eq!(games_of(&server.get("/masters")), 3);
    assert_eq!(server.stop(), Some(0));
    let partly = Server::start(&place, &["a", "missing.pgn"]);
    assert_eq!(games_of(&partly.get("/masters")), 3);
    assert_eq!(partly.stop(), Some(1));
}

/// What the page sends to train, and what it says of itself.
fn train(server: &Server, body: &str) -> Answer {
    write(server, "/eco/train", body)
}

fn write(server: &Server, path: &str, body: &str) -> Answer {
    let origin = format!("http://localhost:{}", server.port);
    server.ask(&format!(
        "{}Origin: {origin}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        server.head(&format!("POST {path}")),
        body.len()
    ))
}

/// The answers that are kept, by the moves.
fn kept(place: &Workplace) -> Vec<String> {
    let database = eco::store::Database::open(&place.path("my.db")).unwrap();
    let reviews = database.training_reviews("mine").unwrap();
    let given = |review: &eco::training::Review| review.given.map(|uci| uci.to_string());
    reviews.iter().map(|review| given(review).unwrap_or_else(|| "?".to_owned())).collect()
}

#[test]
fn a_repertoire_is_trained_from_the_page() {
    let place = database();
    let server = Server::start(&place, &["--db", "my.db", "--repertoire", "mine"]);
    assert_eq!(json(&server.get("/eco/collections"))["training"], "mine");
    let begun = train(&server, r#"{"do":"begin","new":10,"line":true}"#);
    assert_eq!(begun.header("cache-control"), Some("no-store"));
    let begun = json(&begun);
    let (name, color) = (&begun["question"]["repertoire"], &begun["question"]["color"]);
    assert_eq!((name, color), (&"mine".into(), &"white".into()));
    assert_eq!(begun["outlook"]["new"], 3);
    assert_eq!(begun["counts"], serde_json::json!({"departures": 0, "due": 0, "new": 3}));
    let question = &begun["question"];
    assert_eq!((&question["reason"], &question["moves"]), (&"new".into(), &serde_json::json!([])));
    assert_eq!(question["lesson"]["book"][0]["san"], "e4");
    let number = question["question"].as_u64().unwrap();
    let answer = |number: u64, uci: &str| {
        train(&server, &format!(r#"{{"do":"answer","question":{number},"uci":{uci}}}"#))
    };
    // What is not asked, or no legal move, is not taken.
    assert_eq!(answer(number + 1, "\"e2e4\"").status, 409);
    assert_eq!(answer(number, "\"e2e5\"").status, 400);
    assert_eq!(answer(number, "\"x\"").status, 400);
    assert_eq!(kept(&place), [""; 0]);
    let wrong = json(&answer(number, "\"d2d4\""));
    let answered = &wrong["answered"];
    assert_eq!((&answered["kind"], &answered["right"]), (&"wrong".into(), &false.into()));
    assert_eq!(answered["book"], serde_json::json!([{"uci": "e2e4", "san": "e4"}]));
    assert_eq!(answer(number, "\"e2e4\"").status, 409, "it was answered");
    let mut number = wrong["question"]["question"].as_u64().unwrap();
    let mut last = wrong;
    for _ in 0..20 {
        let moves = last["question"]["moves"].as_array().map_or(0, Vec::len);
        last = json(&answer(number, if moves == 0 { "\"e2e4\"" } else { "\"g1f3\"" }));
        match last["question"]["question"].as_u64() {
            Some(next) => number = next,
            None => break,
        }
    }
    assert_eq!(last["score"], serde_json::json!({"answers": 6, "right": 5}), "{last}");
    let outlook = &last["outlook"];
    assert_eq!(
        (&outlook["new"], &outlook["due"], &outlook["days"]),
        (&0.into(), &0.into(), &1.into())
    );
    // The second line begins with the move that was wrong in the first.
    assert_eq!(kept(&place)[..4], ["d2d4", "g1f3", "e2e4", "g1f3"]);
    assert_eq!(kept(&place).len(), 6);
    // The last answer is taken back and given again; the next one is suspended.
    let undone = json(&train(&server, r#"{"do":"undo"}"#));
    assert_eq!((kept(&place).len(), &undone["score"]["answers"]), (5, &5.into()));
    let number = undone["question"]["question"].as_u64().unwrap();
    assert_eq!(train(&server, r#"{"do":"bury","question":1}"#).status, 409);
    let suspend = format!(r#"{{"do":"suspend","question":{number}}}"#);
    let suspended = json(&train(&server, &suspend));
    assert_eq!(suspended["question"], serde_json::Value::Null);
    assert_eq!(suspended["outlook"]["suspended"], 1);
    let begin = r#"{"do":"begin","new":9,"due":9,"line":false,"from":"1. c4","resume":true}"#;
    assert_eq!(json(&train(&server, begin))["outlook"]["suspended"], 0, "none is in the scope");
    let begin = r#"{"do":"begin","new":9,"due":9,"line":false,"chapter":"","resume":true}"#;
    assert_eq!(json(&train(&server, begin))["outlook"]["suspended"], 0);
    let begin = r#"{"do":"begin","new":9,"line":false,"from":"nonsense"}"#;
    assert_eq!(train(&server, begin).status, 400);
    // The explorer goes on, with the file as it is now.
    assert_eq!(json(&server.get("/eco/repertoires"))["repertoires"][0]["name"], "mine");
    let again = json(&train(&server, r#"{"do":"begin","new":10,"line":false}"#));
    assert_eq!(again["question"], serde_json::Value::Null);
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn a_repertoire_is_edited_from_the_page() {
    let place = database();
    let server = Server::start(&place, &["--db", "my.db", "--repertoire", "mine"]);
    let at = |play: &str| {
        let answer = json(&server.get(&format!("/eco/repertoires?name=mine&play={play}")));
        answer["repertoires"][0].clone()
    };
    let edit = |body: &str| {
        write(&server, "/eco/edit", &format!(r#"{{"do":"edit","repertoire":"mine",{body}}}"#))
    };
    let gaps = || json(&server.get("/eco/gaps?name=mine"))["repertoires"][0].clone();
    let before = std::fs::read(place.path("my.db")).unwrap();
    assert_eq!(at("e2e4,c7c6")["known"], false);
    let added = edit(r#""play":["e2e4","c7c6"]"#);
    assert_eq!((added.status, added.header("cache-control")), (200, Some("no-store")));
    assert_eq!(json(&added)["done"], "1. e4 c6: 1 move added");
    assert_eq!(at("e2e4,c7c6")["last"]["main"], false);
    // What has no answer is a gap until it has one.
    let gap = serde_json::json!(["e2e4", "c7c6"]);
    let has_gap = || gaps()["gaps"].as_array().unwrap().iter().any(|found| found["moves"] == gap);
    assert!(has_gap(), "{}", gaps());
    let answer = r#""play":["e2e4","c7c6","d2d4"],"comment":"[%cal Gd2d4] solid","glyph":1"#;
    assert_eq!(
        json(&edit(answer))["done"],
        "1. e4 c6 2. d4: 1 move added, glyph ! set, comment set"
    );
    assert!(!has_gap(), "{}", gaps());
    let seen = at("e2e4,c7c6,d2d4");
    assert_eq!(
        (&seen["comment"], &seen["shapes"]),
        (&"solid".into(), &serde_json::json!(["Gd2d4"]))
    );
    json(&edit(r#""play":["e2e4","c7c6"],"main":true"#));
    assert_eq!(at("e2e4,c7c6")["last"]["main"], true);
    json(&edit(r#""play":["e2e4","c7c6","d2d4"],"glyph":2"#));
    assert_eq!(at("e2e4,c7c6,d2d4")["last"]["mistake"], true);
    json(&edit(r#""play":["e2e4","c7c6"],"cut":true"#));
    assert_eq!(at("e2e4,c7c6")["known"], false);
    for body in [
        r#""play":[]"#,
        r#""play":["e2e5"]"#,
        r#""play":["x"]"#,
        r#""play":["e2e4","c7c6"],"cut":true"#,
        r#""fen":"x","play":["e2e4"]"#,
        r#""play":["e2e4"],"glyph":256"#,
        r#""play":["e2e4"],"x":1"#,
        r#""play":["e2e4"],"cut":true,"main":true"#,
        r#""play":["e2e4"],"repertoire":"other""#,
    ] {
        assert_eq!(edit(body).status, 400, "{body}");
    }
    let last = || {
        let database = eco::store::Database::open(&place.path("my.db")).unwrap();
        database.history(Some("mine")).unwrap()[0].id
    };
    for left in (0..5).rev() {
        let undo = |change| format!(r#"{{"do":"undo","repertoire":"mine","change":{change}}}"#);
        assert_eq!(write(&server, "/eco/edit", &undo(last() - 1)).status, 409, "not the last one");
        let undone = json(&write(&server, "/eco/edit", &undo(last())));
        assert!(undone["done"].as_str().unwrap().starts_with("undone: 1. e4 c6"), "{left}");
    }
    assert_eq!(at("e2e4,c7c6")["known"], false);
    // The rows are again those that were there, though not the same bytes.
    let rows = |bytes: &[u8]| {
        std::fs::write(place.path("rows.db"), bytes).unwrap();
        let export = place.line("repertoire export mine --format json --db rows.db");
        export.exits(0).stdout.clone()
    };
    assert_eq!(rows(&std::fs::read(place.path("my.db")).unwrap()), rows(&before));
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn only_the_page_itself_can_write() {
    let place = database();
    let server =
        Server::start(&place, &["--db", "my.db", "--repertoire", "mine", "--allow-host", "a.b"]);
    let port = server.port;
    let good = r#"{"do":"begin","new":10,"line":false}"#;
    let begun = json(&train(&server, good));
    let number = begun["question"]["question"].as_u64().unwrap();
    let body = format!(r#"{{"do":"answer","question":{number},"uci":"e2e4"}}"#);
    let here = format!("Host: localhost:{port}\r\n");
    let origin = format!("Origin: http://localhost:{port}\r\n");
    let json_type = "Content-Type: application/json\r\n";
    let length = format!("Content-Length: {}\r\n", body.len());
    let send = |method: &str, path: &str, headers: &[&str], body: &str| {
        server.ask(&format!("{method} {path} HTTP/1.1\r\n{}\r\n{body}", headers.concat()))
    };
    let evil = "Origin: http://evil.example\r\n";
    let other = format!("Origin: http://127.0.0.1:{port}\r\n");
    let rebound = format!("Host: evil.example:{port}\r\nOrigin: http://evil.example:{port}\r\n");
    let cross = "Sec-Fetch-Site: cross-site\r\n";
    let plain = "Content-Type: text/plain\r\n";
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let both = ["/eco/train", "/eco/edit"];
    for (headers, status) in [
        (&[&*here, json_type, &length][..], 403),
        (&[&here, evil, json_type, &length], 403),
        (&[&here, "Origin: null\r\n", json_type, &length], 403),
        (&[&here, &other, json_type, &length], 403),
        (&[&here, &origin, evil, json_type, &length], 403),
        (&[&rebound, json_type, &length], 403),
        (&[&here, &origin, cross, json_type, &length], 403),
        (&[&here, &origin, &length], 415),
        (&[&here, &origin, plain, &length], 415),
        (&[&here, &origin, form, &length], 415),
    ] {
        for path in both {
            let answer = send("POST", path, headers, &body);
            assert_eq!(answer.status, status, "{path} {headers:?}: {}", answer.body);
            assert_eq!(answer.header("access-control-allow-origin"), None);
        }
    }
    for (method, path) in [
        ("POST", "/eco/repertoires"),
        ("POST", "/"),
        ("POST", "/eco/train/"),
        ("PUT", "/eco/train"),
        ("DELETE", "/eco/edit"),
    ] {
        let answer = send(method, path, &[&here, &origin, json_type, &length], &body);
        assert_eq!(answer.status, 405, "{method} {path}");
    }
    let asked = server.get("/eco/train");
    assert_eq!((asked.status, asked.header("allow")), (405, Some("POST")));
    let preflight = send("OPTIONS", "/eco/train", &[&here, evil], "");
    assert_eq!((preflight.status, preflight.header("access-control-allow-headers")), (403, None));
    // Bodies: too long, whatever the length says, cut short, and no JSON of ours.
    let long = format!("{}{}", " ".repeat(20_000), body);
    assert_eq!(train(&server, &long).status, 413);
    let chunked = format!("4e20\r\n{}\r\n0\r\n\r\n", " ".repeat(20_000));
    let headers = [&*here, &origin, json_type, "Transfer-Encoding: chunked\r\n"];
    assert_eq!(send("POST", "/eco/train", &headers, &chunked).status, 413);
    for body in [
        "",
        "x",
        "{}",
        "[]",
        r#"{"do":"end"}"#,
        r#"{"do":"begin","new":-1,"line":true}"#,
        r#"{"do":"begin","new":1,"line":true,"x":1}"#,
        r#"{"do":"answer","question":1}x"#,
    ] {
        assert_eq!(train(&server, body).status, 400, "{body}");
    }
    assert_eq!(kept(&place), [""; 0], "nothing was written");
    // The page itself can.
    let answer = send("POST", "/eco/train", &[&here, &origin, json_type, &length], &body);
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(kept(&place), ["e2e4"]);
    let closed = Server::start(&place, &["--db", "my.db"]);
    assert_eq!(train(&closed, good).status, 405);
    assert_eq!(write(&closed, "/eco/edit", r#"{"do":"undo","repertoire":"mine"}"#).status, 405);
    assert_eq!(closed.get("/eco/train").status, 404);
    assert_eq!(json(&closed.get("/eco/collections"))["training"], serde_json::Value::Null);
}

#[test]
fn bodies_that_do_not_come_hold_nobody_up() {
    let place = database();
    let server = Server::start(&place, &["--db", "my.db", "--repertoire", "mine"]);
    let head = format!(
        "{}Origin: http://localhost:{}\r\nContent-Type: application/json\r\n\
         Content-Length: 500\r\n\r\n{{",
        server.head("POST /eco/train"),
        server.port
    );
    let begin = Instant::now();
    let mut slow: Vec<TcpStream> = (0..600)
        .map(|_| {
            let mut stream = server.connect();
            // One that gave way is closed already.
            let _ = stream.write_all(head.as_bytes());
            stream
        })
        .collect();
    assert_eq!(server.get("/page.css").status, 200);
    assert_eq!(server.get("/eco/openings?search=dutch").status, 200);
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
    // The first of them was waited for, but not for long.
    let late = read_answer(&mut BufReader::new(slow.remove(0)), false);
    assert_eq!((late.status, late.body.as_str()), (408, "the body takes too long\n"));
    let begun = train(&server, r#"{"do":"begin","new":10,"line":false}"#);
    assert_eq!(begun.status, 200, "{}", begun.body);
}
