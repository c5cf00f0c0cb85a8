//! The selection that all commands share, against an obvious program, which splits text at its
//! tags and knows nothing of the library.

use std::{collections::BTreeMap, fs, io::Read};

use crate::{filter::bytes, harness::Workplace, real_games::games_folder};

/// A game as the obvious program sees it.
struct Seen {
    text: Vec<u8>,
    tags: BTreeMap<String, String>,
    plies: usize,
    number: usize,
    eco: String,
    opening: String,
}

impl Seen {
    fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    fn rating(&self, name: &str) -> Option<u32> {
        self.tag(name).parse().ok().filter(|rating| (1..=4000).contains(rating))
    }

    /// The first and the last day that the date may be, as texts that sort.
    fn days(&self) -> Option<(String, String)> {
        let date = self.tag(if self.tags.contains_key("Date") { "Date" } else { "UTCDate" });
        date.starts_with(|c: char| c.is_ascii_digit())
            .then(|| (date.replace('?', "0"), date.replace('?', "9")))
    }

    fn seconds(&self) -> Option<u32> {
        let (base, increment) = self.tag("TimeControl").split_once('+')?;
        Some(base.parse::<u32>().ok()? + 40 * increment.parse::<u32>().ok()?)
    }

    fn has(&self, name: &str) -> bool {
        self.tag("White") == name || self.tag("Black") == name
    }
}

/// Reads games whose first tag is `Event`, in export format.
fn see(pgn: &[u8], named: &[(String, String)]) -> Vec<Seen> {
    let event =
        |at: &usize| pgn[*at..].starts_with(b"[Event ") && (*at == 0 || pgn[*at - 1] == b'\n');
    let starts: Vec<usize> = (0..pgn.len()).filter(event).collect();
    let ends = starts.iter().skip(1).copied().chain([pgn.len()]);
    let games = starts.iter().zip(ends).zip(1..).zip(named);
    let seen = games.map(|(((start, end), number), (eco, opening))| {
        let text = pgn[*start..end].to_vec();
        let all = String::from_utf8_lossy(&text).replace('\r', "");
        let (head, moves) = all.split_once("\n\n").unwrap_or((&all, ""));
        let mut tags = BTreeMap::new();
        for line in head.lines() {
            let (name, value) = line[1..].split_once(" \"").unwrap();
            tags.entry(name.to_owned()).or_insert(value.trim_end_matches("\"]").to_owned());
        }
        let (eco, opening) = (eco.clone(), opening.clone());
        Seen { plies: plies(moves), text, tags, number, eco, opening }
    });
    let seen: Vec<Seen> = seen.collect();
    assert_eq!((seen.len(), starts.len()), (named.len(), named.len()));
    seen
}

/// The words of movetext that begin with a letter, outside of comments and variations.
fn plies(moves: &str) -> usize {
    let (mut depth, mut plain) = (0, String::new());
    for c in moves.chars() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            '.' => plain.push(' '),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain.split_whitespace().filter(|word| word.starts_with(|c: char| c.is_alphabetic())).count()
}

/// Who is in most games, and who has played most against them.
fn commonest(games: &[Seen]) -> (String, String) {
    let most = |names: Vec<&str>| {
        let mut counts = BTreeMap::<&str, usize>::new();
        names
            .iter()
            .filter(|name| name.len() > 3)
            .for_each(|name| *counts.entry(*name).or_default() += 1);
        counts.into_iter().max_by_key(|(_, count)| *count).unwrap().0.to_owned()
    };
    let player = most(games.iter().flat_map(|g| [g.tag("White"), g.tag("Black")]).collect());
    let of_player = games.iter().filter(|game| game.has(&player));
    let both = of_player.flat_map(|g| [g.tag("White"), g.tag("Black")]);
    let opponent = most(both.filter(|name| *name != player).collect());
    (player, opponent)
}

type Condition<'a> = Box<dyn Fn(&Seen) -> bool + 'a>;

/// Selections as they are typed, and what the obvious program makes of them.
fn selections<'a>(player: &'a str, opponent: &'a str) -> Vec<(Vec<&'a str>, Condition<'a>)> {
    let won = move |game: &Seen, white: &str, black: &str| {
        let result = game.tag("Result");
        (game.tag("White") == player && result == white)
            || (game.tag("Black") == player && result == black)
    };
    let since =
        |text: &'static str| move |game: &Seen| game.days().is_some_and(|(_, last)| *last >= *text);
    let until = |text: &'static str| {
        move |game: &Seen| game.days().is_some_and(|(first, _)| *first <= *text)
    };
    let speed = |from: u32, to: u32| {
        move |game: &Seen| game.seconds().is_some_and(|s| (from..to).contains(&s))
    };
    let both = |game: &Seen, min: u32, max: u32| {
        let fits = |name| game.rating(name).is_some_and(|rating| (min..=max).contains(&rating));
        fits("WhiteElo") && fits("BlackElo")
    };
    let of_player = move |game: &Seen, is_own: bool| {
        let is_white = game.tag("White") == player;
        game.rating(if is_white == is_own { "WhiteElo" } else { "BlackElo" })
    };
    let mut all: Vec<(Vec<&str>, Condition<'a>)> = vec![(vec![], Box::new(|_| true))];
    let mut add = |args: &[&'a str], fits: Condition<'a>| all.push((args.to_vec(), fits));
    add(&["--player", player], Box::new(move |g| g.has(player)));
    add(&["--player", player, "--color", "white"], Box::new(move |g| g.tag("White") == player));
    add(&["--player", player, "--color", "black"], Box::new(move |g| g.tag("Black") == player));
    add(
        &["--player", player, "--against", opponent],
        Box::new(move |g| g.has(player) && g.has(opponent)),
    );
    add(
        &["--player", player, "--player", opponent],
        Box::new(move |g| g.has(player) || g.has(opponent)),
    );
    for result in ["1-0", "0-1", "1/2-1/2", "*"] {
        add(&["--result", result], Box::new(move |g| g.tag("Result") == result));
    }
    add(&["--result", "1-0,0-1"], Box::new(|g| matches!(g.tag("Result"), "1-0" | "0-1")));
    add(&["--player", player, "--result", "win"], Box::new(move |g| won(g, "1-0", "0-1")));
    add(&["--player", player, "--result", "loss"], Box::new(move |g| won(g, "0-1", "1-0")));
    add(&["--player", player, "--result", "draw"], Box::new(move |g| won(g, "1/2-1/2", "1/2-1/2")));
    add(&["--since", "1950"], Box::new(since("1950")));
    add(&["--since", "2022-04"], Box::new(since("2022.04.00")));
    add(&["--since", "1851-06-21"], Box::new(since("1851.06.21")));
    add(&["--until", "1959"], Box::new(until("1959.99.99")));
    add(&["--until", "2026.02"], Box::new(until("2026.02.99")));
    add(&["--rating", "1800..1900"], Box::new(move |g| both(g, 1800, 1900)));
    add(&["--rating", "2900.."], Box::new(move |g| both(g, 2900, 9999)));
    add(&["--rating", "..2500"], Box::new(move |g| both(g, 0, 2500)));
    add(
        &["--player", player, "--rating", "1860..", "--rating-of", "opponent"],
        Box::new(move |g| g.has(player) && of_player(g, false).is_some_and(|r| r >= 1860)),
    );
    add(
        &["--player", player, "--rating", "..2700", "--rating-of", "player"],
        Box::new(move |g| g.has(player) && of_player(g, true).is_some_and(|r| r <= 2700)),
    );
    add(&["--speed", "ultrabullet"], Box::new(speed(1, 30)));
    add(&["--speed", "bullet"], Box::new(speed(30, 180)));
    add(&["--speed", "blitz,rapid"], Box::new(speed(180, 1500)));
    add(&["--speed", "correspondence"], Box::new(|g| g.tag("TimeControl") == "-"));
    add(&["--rated"], Box::new(|g| g.tag("Event").starts_with("Rated ")));
    add(&["--rated=no"], Box::new(|g| g.tag("Event").starts_with("Casual ")));
    let has = |tag: &'static str, part: &'static str| {
        move |g: &Seen| g.tag(tag).to_lowercase().contains(part)
    };
    add(&["--event", "CHAMPIONSHIP"], Box::new(has("Event", "championship")));
    add(
        &["--site", "lon", "--site", "lichess.org/a"],
        Box::new(move |g| has("Site", "lon")(g) || has("Site", "lichess.org/a")(g)),
    );
    add(
        &["--variant", "standard"],
        Box::new(|g| matches!(g.tag("Variant"), "" | "Standard" | "From Position")),
    );
    add(&["--variant", "from position"], Box::new(|g| g.tag("Variant") == "From Position"));
    add(&["--variant", "chess960"], Box::new(|g| g.tag("Variant") == "Chess960"));
    add(
        &["--game", "3,5-7,20-"],
        Box::new(|g| g.number == 3 || (5..=7).contains(&g.number) || g.number >= 20),
    );
    add(&["--tag", "Round=1"], Box::new(|g| g.tag("Round") == "1"));
    add(&["--tag", "WhiteElo="], Box::new(|g| g.tag("WhiteElo").is_empty()));
    add(&["--min-plies", "80"], Box::new(|g| g.plies >= 80));
    add(&["--eco", "B90"], Box::new(|g| g.eco == "B90"));
    add(&["--eco", "B2-B9"], Box::new(|g| *g.eco >= *"B20" && *g.eco <= *"B99"));
    add(&["--eco", "C,D3"], Box::new(|g| g.eco.starts_with('C') || g.eco.starts_with("D3")));
    add(
        &["--opening", "sicilian defence"],
        Box::new(|g| g.opening.contains("Sicilian") && g.opening.contains("Defense")),
    );
    add(&["--not", "eco=B"], Box::new(|g| !g.eco.starts_with('B')));
    add(
        &["--player", player, "--not", "color=black", "--not", "result=1-0"],
        Box::new(move |g| g.tag("White") == player && g.tag("Result") != "1-0"),
    );
    add(
        &["--not", "min-plies=80", "--not", "event=CHAMPIONSHIP"],
        Box::new(move |g| g.plies < 80 && !has("Event", "championship")(g)),
    );
    add(
        &["--eco", "B", "--result", "1-0", "--min-plies", "40"],
        Box::new(|g| g.eco.starts_with('B') && g.tag("Result") == "1-0" && g.plies >= 40),
    );
    all
}

/// Checks every flag on a file of games. Returns how many selections kept some games, but not all.
fn check(place: &Workplace, pgn: &[u8], named: &[(String, String)]) -> usize {
    place.write("all.pgn", pgn);
    let games = see(pgn, named);
    let (player, opponent) = commonest(&games);
    let mut telling = 0;
    for (args, fits) in selections(&player, &opponent) {
        let run = bytes(place, &[&["filter", "all.pgn"], &args[..]].concat());
        let kept: Vec<&Seen> = games.iter().filter(|game| fits(game)).collect();
        let expected: Vec<u8> = kept.iter().flat_map(|game| game.text.iter().copied()).collect();
        let are = if kept.len() == 1 { "is" } else { "are" };
        let counts = format!("{} of {} games {are} selected\n", kept.len(), games.len());
        assert!(run.1.contains(&counts), "{args:?}: expected {counts}found {}", run.1);
        assert!(
            run.0 == expected,
            "{args:?}: other games, {} bytes for {}",
            run.0.len(),
            expected.len()
        );
        telling += usize::from(!kept.is_empty() && kept.len() < games.len());
    }
    let asked = selections(&player, &opponent).into_iter().map(|(args, _)| args).collect();
    check_database(place, asked, &player);
    telling
}

/// Checks that the index of a database, which says which games are to be read, selects what the
/// games themselves say.
fn check_database<'a>(place: &Workplace, mut asked: Vec<Vec<&'a str>>, player: &'a str) {
    place.run(&["index", "all.pgn", "--db", "x.db"]).exits(0);
    place.run(&["filter", "x.db", "-q", "-o", "kept.pgn"]).exits(0);
    let surname = player.split(',').next().unwrap();
    asked.extend([
        vec!["--structure", "8/??3???/??2p???/??3???/??1P1???/??3???/??3???/8"],
        vec!["--material", "KR*P*vKR*P*", "--lasting", "4", "--result", "1-0"],
        vec!["--position", "1. d4 Nf6", "--not", "eco=D", "--since", "1900"],
        vec!["--player", surname],
        vec!["--player", surname, "--player", "Nobody, At All", "--rating", "2000.."],
        vec!["--player", "Nobody, At All"],
        vec!["--player", player, "--unique"],
    ]);
    let answer = |args: &[&str]| {
        let run = place.command(args).output().unwrap();
        let said = String::from_utf8(run.stderr).unwrap();
        let lines = said.lines().filter(|line| !line.starts_with("a collection keeps"));
        (run.status.code(), run.stdout, lines.map(str::to_owned).collect::<Vec<_>>())
    };
    for args in asked {
        let fields = ["classify", "--fields", "game,white,black,date,eco"];
        for command in [&["filter"][..], &fields, &["stats", "--by", "eco,year"]] {
            if command[0] == "classify" && args.contains(&"--unique") {
                continue;
            }
            let of = |file| answer(&[command, &[file], &args].concat());
            let (stored, kept) = (of("x.db"), of("kept.pgn"));
            assert_eq!((stored.0, &stored.2), (kept.0, &kept.2), "{command:?} {args:?}");
            assert!(stored.1 == kept.1, "{command:?} {args:?}: other rows or games");
        }
    }
}

#[test]
fn every_flag_selects_what_an_obvious_program_selects() {
    let place = Workplace::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data/games");
    for (name, least) in [("famous.pgn", 15), ("club.pgn", 15)] {
        let pgn = fs::read(format!("{data}/{name}")).unwrap();
        place.write("g.pgn", &pgn);
        let fields = ["classify", "g.pgn", "--reference", "--no-header", "--fields", "eco,opening"];
        let rows = place.run(&fields).exits(0).stdout.clone();
        let named = rows.lines().map(|row| row.split_once('\t').unwrap());
        let named: Vec<_> = named.map(|(eco, name)| (eco.to_owned(), name.to_owned())).collect();
        let telling = check(&place, &pgn, &named);
        assert!(telling >= least, "{name}: only {telling} selections tell games apart");
    }
}

#[test]
fn every_flag_selects_what_an_obvious_program_selects_of_real_games() {
    let Some(folder) = games_folder() else { return };
    for name in ["otb", "lichess"] {
        let place = Workplace::new();
        let file = fs::File::open(folder.join(format!("{name}.pgn.zst"))).unwrap();
        let mut pgn = Vec::new();
        zstd::Decoder::new(file).unwrap().take(1 << 20).read_to_end(&mut pgn).unwrap();
        // The last game is cut.
        let end = memchr::memmem::rfind(&pgn, b"\n[Event ").unwrap() + 1;
        pgn.truncate(end);
        let rows = fs::read_to_string(folder.join(format!("{name}.expected.tsv"))).unwrap();
        let count = memchr::memmem::find_iter(&pgn, b"\n[Event ").count() + 1;
        let named = rows.lines().skip(1).take(count).map(|row| {
            let fields: Vec<&str> = row.split('\t').collect();
            (fields[1].to_owned(), fields[2].to_owned())
        });
        let telling = check(&place, &pgn, &named.collect::<Vec<_>>());
        assert!(telling >= 15, "{name}: only {telling} selections tell games apart");
    }
}
