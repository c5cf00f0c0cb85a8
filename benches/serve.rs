//! `eco serve` under the load of many clients, each of which walks along played moves.
//!
//! ```text
//! cargo bench --bench serve
//! cargo bench --bench serve -- --db games.db --clients 50 --seconds 60
//! cargo bench --bench serve -- games.pgn
//! cargo bench --bench serve -- --db games.db --questions otb.pgn
//! ```
//!
//! Each client keeps one connection. It asks for a position, follows one of the moves of the
//! answer (those of many games more often), asks again, and begins anew where a line ends, or
//! after a while. There are two rounds: in the first, every request has a value of its own for a
//! parameter, which means no as any other, so that no answer is known before; in the second, what
//! was answered before may be known. Every request must have its answer. The memory of the server
//! is shown where there is `/proc`, before and after. Clients run in this process, on the same
//! cores as the server; only this computer is asked.
//!
//! With `--questions` there is one client, which asks for 400 positions of these games, of each ply
//! up to the 24th, once each; without a filter and with some, of a server that has just begun.

use std::{
    env, fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

/// What is asked for.
struct Load {
    /// What `eco serve` serves.
    args: Vec<String>,
    clients: usize,
    seconds: u64,
    /// The file of games whose positions are asked for, if there is one.
    questions: Option<String>,
}

impl Load {
    fn read() -> Self {
        let mut load = Self { args: Vec::new(), clients: 50, seconds: 5, questions: None };
        let mut words = env::args().skip(1).filter(|word| word != "--bench");
        while let Some(word) = words.next() {
            let mut next = || words.next().unwrap_or_else(|| panic!("{word} needs a value"));
            match word.as_str() {
                "--clients" => load.clients = next().parse().expect("a number of clients"),
                "--seconds" => load.seconds = next().parse().expect("a number of seconds"),
                "--questions" => load.questions = Some(next()),
                "--db" => load.args.extend([word.clone(), next()]),
                _ => load.args.push(word),
            }
        }
        // More would measure the clients.
        load.clients = load.clients.min(400);
        load.seconds = load.seconds.min(600);
        if load.args.is_empty() {
            let games = ["famous.pgn", "club.pgn"];
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/games/");
            load.args.extend(games.map(|name| format!("{folder}{name}")));
        }
        load
    }
}

/// The server, which ends with this process.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(args: &[String]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eco"));
        command.args(["serve", "--port", "0"]).args(args).stderr(Stdio::piped());
        let mut child = command.spawn().expect("eco runs");
        let lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        let mut lines = lines.map_while(Result::ok);
        let port = lines.find_map(|line| {
            let rest = line.split_once("http://")?.1;
            rest.split('/').next()?.rsplit(':').next()?.parse().ok()
        });
        Self { child, port: port.expect("eco serve says where it listens") }
    }

    /// The resident memory in MiB.
    fn memory(&self) -> Option<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
    }

    /// The processor time that it has used so far, in seconds.
    fn processor_seconds(&self) -> Option<f64> {
        /// Of the kernel, for whoever reads `/proc`.
        const TICKS_A_SECOND: f64 = 100.0;
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
        Some((ticks(11)? + ticks(12)?) / TICKS_A_SECOND)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Numbers that look drawn at random (xorshift), the same ones in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound.max(1)
    }
}

/// One connection.
struct Client {
    stream: BufReader<TcpStream>,
    port: u16,
    random: Random,
    line: Vec<String>,
}

impl Client {
    fn new(port: u16, number: usize) -> io::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let random = Random(0x9e37_79b9_7f4a_7c15 ^ (number as u64 + 1) << 20);
        Ok(Self { stream: BufReader::new(stream), port, random, line: Vec::new() })
    }

    fn get(&mut self, target: &str) -> io::Result<Value> {
        let head = format!("GET {target} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", self.port);
        self.stream.get_mut().write_all(head.as_bytes())?;
        let (mut status, mut length) = (String::new(), 0);
        self.stream.read_line(&mut status)?;
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            match line.trim_end().split_once(": ") {
                Some(("content-length", value)) => length = value.parse().unwrap_or(0),
                Some(_) => (),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        if !status.starts_with("HTTP/1.1 200 ") {
            let text = String::from_utf8_lossy(&body);
            return Err(io::Error::other(format!("{target}: {}: {text}", status.trim_end())));
        }
        Ok(serde_json::from_slice(&body)?)
    }

    /// Asks for the position, and goes on to another one.
    fn step(&mut self, parameter: &str) -> io::Result<()> {
        let route = ["/masters", "/lichess", "/eco/position"][self.random.below(3) as usize];
        let answer = self.get(&format!("{route}?play={}{parameter}", self.line.join(",")))?;
        let moves = answer["moves"].as_array().map(Vec::as_slice).unwrap_or_default();
        let games = |m: &Value| -> u64 {
            ["white", "draws", "black"].iter().filter_map(|name| m[*name].as_u64()).sum()
        };
        let all: u64 = moves.iter().map(games).sum();
        let mut chosen = self.random.below(all);
        let next = moves.iter().find(|m| {
            let count = games(m);
            let is_it = chosen < count;
            chosen = chosen.saturating_sub(count);
            is_it
        });
        match next.and_then(|m| m["uci"].as_str()) {
            Some(uci) if self.line.len() < 60 && self.random.below(40) > 0 => {
                self.line.push(uci.to_owned());
            }
            _ => self.line.clear(),
        }
        Ok(())
    }
}

/// What one client saw.
#[derive(Default)]
struct Seen {
    answers: u64,
    lost: Vec<String>,
    times: Vec<Duration>,
}

fn walk(port: u16, number: usize, until: Instant, is_fresh: bool) -> Seen {
    let mut seen = Seen::default();
    let mut client = match Client::new(port, number) {
        Ok(client) => client,
        Err(error) => {
            seen.lost.push(error.to_string());
            return seen;
        }
    };
    while Instant::now() < until && seen.lost.len() < 10 {
        let parameter = match is_fresh {
            true => format!("&history={number}.{}", seen.answers),
            false => String::new(),
        };
        let begun = Instant::now();
        match client.step(&parameter) {
            Ok(()) => seen.answers += 1,
            Err(error) => seen.lost.push(error.to_string()),
        }
        seen.times.push(begun.elapsed());
    }
    seen
}

fn round(server: &Server, load: &Load, is_fresh: bool) -> bool {
    let before = server.memory();
    let begun = Instant::now();
    let until = begun + Duration::from_secs(load.seconds);
    let seen: Vec<Seen> = thread::scope(|scope| {
        let clients = (0..load.clients)
            .map(|number| scope.spawn(move || walk(server.port, number, until, is_fresh)));
        let clients: Vec<_> = clients.collect();
        clients.into_iter().map(|client| client.join().expect("a client ends")).collect()
    });
    let time = begun.elapsed().as_secs_f64();
    let answers: u64 = seen.iter().map(|seen| seen.answers).sum();
    let mut times: Vec<Duration> = seen.iter().flat_map(|seen| &seen.times).copied().collect();
    times.sort_unstable();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied();
    let lost: Vec<&String> = seen.iter().flat_map(|seen| &seen.lost).collect();
    println!(
        "{}: {} clients, {answers} answers in {time:.1} s, {:.0} a second, {} lost",
        if is_fresh { "nothing known" } else { "known where asked before" },
        load.clients,
        answers as f64 / time,
        lost.len()
    );
    let in_ms = |time: Option<Duration>| time.unwrap_or_default().as_secs_f64() * 1000.0;
    println!("  p50 {:.2} ms, p99 {:.2} ms", in_ms(at(0.5)), in_ms(at(0.99)));
    if let (Some(before), Some(after)) = (before, server.memory()) {
        println!("  memory of the server: {before:.0} MiB before, {after:.0} MiB after");
    }
    lost.iter().take(3).for_each(|error| println!("  lost: {error}"));
    lost.is_empty()
}

/// Positions of games, as FEN: as many of each ply.
fn positions(games: &str) -> Vec<String> {
    const PLIES: usize = 25;
    const EACH: usize = 16;
    let of_ply = |ply: usize| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eco"));
        let args = ["fen", "from-pgn", games, "--ply", &ply.to_string()];
        let done = command.args(args).output().expect("eco runs");
        let text = String::from_utf8(done.stdout).expect("positions are ASCII");
        let all: Vec<&str> = text.lines().collect();
        assert!(all.len() >= EACH, "{games} has too few games of {ply} plies");
        // Those of one ply and of the next are of different games.
        let number = |n: usize| (n * PLIES + ply) * all.len() / (EACH * PLIES);
        (0..EACH).map(|n| all[number(n)].replace(' ', "_")).collect::<Vec<_>>()
    };
    (0..PLIES).flat_map(of_ply).collect()
}

/// Asks each question once.
fn ask_once(load: &Load, positions: &[String], filter: &str) -> io::Result<()> {
    let server = Server::start(&load.args);
    let mut client = Client::new(server.port, 0)?;
    let before = server.processor_seconds();
    let mut times = Vec::new();
    for fen in positions {
        let begun = Instant::now();
        client.get(&format!("/eco/position?fen={fen}{filter}"))?;
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
    }
    let (first, count) = (times[0], times.len());
    times.sort_unstable_by(f64::total_cmp);
    let (p50, p99, most) = (times[count / 2], times[count * 99 / 100], times[count - 1]);
    println!(
        "{count} questions{}: first {first:.1} ms, p50 {p50:.2} ms, p99 {p99:.1} ms, \
         longest {most:.0} ms",
        if filter.is_empty() { String::new() } else { format!(" with {}", &filter[1..]) },
    );
    if let (Some(before), Some(after)) = (before, server.processor_seconds()) {
        let each = (after - before) / count as f64 * 1000.0;
        println!("  {each:.2} ms of processor time each");
    }
    server.memory().inspect(|memory| println!("  memory of the server: {memory:.0} MiB"));
    Ok(())
}

fn main() {
    let load = Load::read();
    if let Some(games) = &load.questions {
        let positions = positions(games);
        for filter in ["", "&since=2010", "&rating=2500..", "&rating=2300..&until=2005"] {
            ask_once(&load, &positions, filter).expect("every question has its answer");
        }
        return;
    }
    let server = Server::start(&load.args);
    let whole = [true, false].map(|is_fresh| round(&server, &load, is_fresh));
    assert_eq!(whole, [true, true], "every request has its answer");
}
