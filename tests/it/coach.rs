//! A coach's study of 40 chapters, made of the openings of the catalogue: mistakes with their
//! refutations, null moves, transpositions, arrows, variations within variations, comments in UTF-8
//! and in Latin-1. No mistake is an answer, a move of the book, a weight, a best move or coverage in
//! any command or export, and PGN brings all of it back.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use eco::chess::{Chess, Position, PositionKey, read_move};

use crate::harness::{Run, Workplace};

/// A move of a chapter, and what follows it.
struct Step {
    san: String,
    /// `?` or `??`.
    mark: &'static str,
    next: Vec<Step>,
}

/// Moves by position.
type Moves = BTreeMap<String, BTreeSet<String>>;

struct Study {
    pgn: Vec<u8>,
    /// White's moves that are marked, and all others.
    mistakes: Moves,
    good: Moves,
    /// A line to each mistake to which no other one leads, with the mistake as its last move.
    lines: Vec<Vec<String>>,
}

static STUDY: LazyLock<Study> = LazyLock::new(Study::new);

const CHAPTERS: usize = 40;

/// The comments of chapters in UTF-8, and in Latin-1.
const COMMENTS: [[&str; 4]; 2] = [
    ["Grünfeld – ∞", "[%cal Gc2c4,Rd1h5] [%csl Ye4] with arrows", "two\nlines", "[%cal Bf1b5]"],
    ["Grünfeld, à la Réti", "[%csl Rf7] naïve", "plain", "garçon [%cal Gg1f3]"],
];

fn key(position: &Chess) -> String {
    PositionKey::from(position).to_string()
}

fn play(position: &Chess, san: &str) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(read_move(position, san.as_bytes()).unwrap());
    after
}

/// The lines of the catalogue that begin with 1. e4.
fn lines() -> Vec<Vec<String>> {
    let files =
        [include_str!("../../data/openings/b.tsv"), include_str!("../../data/openings/c.tsv")];
    let moves = files.iter().flat_map(|file| file.lines().filter_map(|row| row.split('\t').nth(2)));
    let words = moves.filter(|moves| moves.starts_with("1. e4 ")).map(|moves| {
        let words = moves.split(' ').filter(|word| !word.ends_with('.'));
        words.map(str::to_owned).collect()
    });
    words.collect()
}

/// White's moves: in each position that of most lines.
struct Repertoire(HashMap<String, String>);

impl Repertoire {
    fn of(lines: &[Vec<String>]) -> Self {
        let mut counts: HashMap<String, BTreeMap<&String, usize>> = HashMap::new();
        for line in lines {
            let mut position = Chess::default();
            for san in line {
                if position.turn().is_white() {
                    *counts.entry(key(&position)).or_default().entry(san).or_default() += 1;
                }
                position = play(&position, san);
            }
        }
        let most = |moves: BTreeMap<&String, usize>| {
            let (san, _) = moves.into_iter().max_by_key(|(_, count)| *count).unwrap();
            san.clone()
        };
        Self(counts.into_iter().map(|(key, moves)| (key, most(moves))).collect())
    }

    /// The ply at which White leaves the repertoire.
    fn departure(&self, line: &[String]) -> Option<usize> {
        let mut position = Chess::default();
        line.iter().position(|san| {
            let after = play(&position, san);
            let before = std::mem::replace(&mut position, after);
            before.turn().is_white() && self.0[&key(&before)] != *san
        })
    }
}

/// Adds the moves of a line to those of a chapter. The one at a ply has a mark.
fn insert(steps: &mut Vec<Step>, line: &[String], ply: Option<usize>, mark: &'static str) {
    let Some((san, rest)) = line.split_first() else { return };
    let at = steps.iter().position(|step| step.san == *san).unwrap_or_else(|| {
        let mark = if ply == Some(0) { mark } else { "" };
        steps.push(Step { san: san.clone(), mark, next: Vec::new() });
        steps.len() - 1
    });
    insert(&mut steps[at].next, rest, ply.and_then(|ply| ply.checked_sub(1)), mark);
}

/// Whether a chapter has a position in which White's own move and fewer than three are known.
fn takes_mistake(mut steps: &[Step], line: &[String]) -> bool {
    for san in line {
        let Some(step) = steps.iter().find(|step| step.san == *san) else { return false };
        steps = &step.next;
    }
    (1..3).contains(&steps.len())
}

impl Study {
    fn new() -> Self {
        let lines = lines();
        let own = Repertoire::of(&lines);
        let (mut prepared, mut others) = (Vec::new(), Vec::new());
        for line in lines {
            match own.departure(&line) {
                None => prepared.push(line),
                Some(ply) => others.push((line, ply)),
            }
        }
        prepared.sort();
        let mut chapters: Vec<Vec<Step>> = Vec::new();
        for number in 0..CHAPTERS {
            let [start, end] = [number, number + 1].map(|n| n * prepared.len() / CHAPTERS);
            let mut steps = Vec::new();
            prepared[start..end].iter().for_each(|line| insert(&mut steps, line, None, ""));
            chapters.push(steps);
        }
        for (number, (line, ply)) in others.iter().enumerate() {
            let takes = |steps: &&mut Vec<Step>| takes_mistake(steps, &line[..*ply]);
            if let Some(steps) = chapters.iter_mut().find(takes) {
                insert(steps, line, Some(*ply), ["?", "??"][number % 2]);
            }
        }
        let mut study =
            Self { pgn: Vec::new(), mistakes: Moves::new(), good: Moves::new(), lines: Vec::new() };
        for (number, steps) in (1..).zip(&mut chapters) {
            end_with_mistake(steps, &Chess::default());
            let mut writer =
                Writer { comments: &COMMENTS[number % 2], count: 0, text: String::new() };
            writer.write(steps, &Chess::default(), 0);
            study.add(number, &writer.text);
            study.note(steps, &Chess::default(), &mut Vec::new());
        }
        study
    }

    /// Adds a chapter in its encoding.
    fn add(&mut self, number: usize, movetext: &str) {
        let tags = format!(
            "[Event \"Coach: {number}\"]\n[StudyName \"Coach\"]\n[ChapterName \"Chapter {number}\"]\n\
             [Orientation \"white\"]\n\n"
        );
        self.pgn.extend(tags.bytes());
        if number.is_multiple_of(2) {
            self.pgn.extend(movetext.bytes());
        } else {
            self.pgn.extend(movetext.chars().map(|c| u8::try_from(c).unwrap()));
        }
        self.pgn.extend(b" *\n\n");
    }

    fn note(&mut self, steps: &[Step], position: &Chess, line: &mut Vec<String>) {
        for step in steps {
            line.push(step.san.clone());
            let moves = if step.mark.is_empty() { &mut self.good } else { &mut self.mistakes };
            if position.turn().is_white() {
                moves.entry(key(position)).or_default().insert(step.san.clone());
            }
            if step.mark.is_empty() {
                self.note(&step.next, &play(position, &step.san), line);
            } else {
                self.lines.push(line.clone());
                self.note_refutation(&step.next, &play(position, &step.san));
            }
            line.pop();
        }
    }

    fn note_refutation(&mut self, steps: &[Step], position: &Chess) {
        for step in steps {
            if position.turn().is_white() {
                self.good.entry(key(position)).or_default().insert(step.san.clone());
            }
            self.note_refutation(&step.next, &play(position, &step.san));
        }
    }

    fn is_mistake(&self, key: &str, san: &str) -> bool {
        self.mistakes.get(key).is_some_and(|moves| moves.contains(san))
    }
}

/// Ends the first line that a move of Black ends with a mistake: all of White's moves are mistakes.
fn end_with_mistake(steps: &mut Vec<Step>, position: &Chess) -> bool {
    if steps.is_empty() {
        return false;
    }
    for step in steps {
        let after = play(position, &step.san);
        let is_end = step.next.is_empty() && after.turn().is_white() && step.mark.is_empty();
        if let Some(m) = after.legal_moves().first().filter(|_| is_end) {
            let san = eco::chess::SanPlus::from_move(after.clone(), *m).to_string();
            step.next.push(Step { san, mark: "?", next: Vec::new() });
            return true;
        }
        if step.mark.is_empty() && end_with_mistake(&mut step.next, &after) {
            return true;
        }
    }
    false
}

/// Writes a chapter.
struct Writer {
    comments: &'static [&'static str; 4],
    count: usize,
    text: String,
}

impl Writer {
    fn write(&mut self, steps: &[Step], position: &Chess, ply: usize) {
        let Some((main, others)) = steps.split_first() else { return };
        self.write_move(main, ply);
        for other in others {
            self.text += "(";
            self.write_move(other, ply);
            self.write(&other.next, &play(position, &other.san), ply + 1);
            self.text += ") ";
        }
        // What would happen if the other side did nothing.
        if self.count.is_multiple_of(9) {
            self.text += &format!("({} -- {} h6) ", number(ply), number(ply + 1));
        }
        self.write(&main.next, &play(position, &main.san), ply + 1);
    }

    fn write_move(&mut self, step: &Step, ply: usize) {
        self.count += 1;
        let mark = match (step.mark, self.count % 2) {
            ("?", 0) => " $2",
            ("??", 0) => " $4",
            // A mark on a move of the opponent changes nothing.
            ("", _) if ply % 2 == 1 && self.count.is_multiple_of(13) => "?",
            (mark, _) => mark,
        };
        self.text += &format!("{} {}{mark} ", number(ply), step.san);
        if !step.mark.is_empty() {
            self.text += &format!("{{Not this: {}.}} ", self.comments[0]);
        } else if self.count.is_multiple_of(5) {
            self.text += &format!("{{{}}} ", self.comments[self.count % 4]);
        }
    }
}

fn number(ply: usize) -> String {
    format!("{}{}", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." })
}

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("study.pgn", &STUDY.pgn);
    run(&place, "repertoire add mine study.pgn --color white --db r.db").exits(0);
    place
}

fn run(place: &Workplace, command: &str) -> Run {
    place.run(&command.split_whitespace().collect::<Vec<_>>())
}

fn export(place: &Workplace, db: &str, options: &str) -> String {
    run(place, &format!("repertoire export mine --db {db} {options}")).exits(0).stdout.clone()
}

#[test]
fn the_study_has_what_studies_have() {
    let (study, place) = (&*STUDY, place());
    let pgn = String::from_utf8_lossy(&study.pgn);
    assert_eq!(pgn.matches("[ChapterName").count(), CHAPTERS);
    assert!(study.lines.len() > 100, "{} mistakes", study.lines.len());
    for (part, least) in [("? ", 50), ("$4 ", 10), (" -- ", 50), ("%cal", 50), ("Gr\u{fffd}", 50)] {
        assert!(pgn.matches(part).count() > least, "{part}: {}", pgn.matches(part).count());
    }
    let depth = pgn.chars().scan(0, |open, c| {
        *open += i32::from(c == '(') - i32::from(c == ')');
        Some(*open)
    });
    assert!(depth.max() >= Some(3));
    let whole = export(&place, "r.db", "--chapters=none");
    assert!(whole.matches("[%eco transposes").count() > 10);
    // It is a book for White, as its lines say too.
    place.write("plain.pgn", pgn.replace("[Orientation \"white\"]\n", ""));
    let add = run(&place, "repertoire add other plain.pgn --color black --db other.db");
    add.exits(2).complains("seems to be for white: black has several moves in");
    run(&place, "repertoire add other plain.pgn --color white --db other.db").exits(0);
}

#[test]
fn no_export_has_a_mistake_among_the_moves_to_play() {
    let (study, place) = (&*STUDY, place());
    let csv = export(&place, "r.db", "--format csv");
    let mut answered = BTreeSet::new();
    for row in csv.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let (key, san) = (cells[0], cells[2]);
        assert!(!study.is_mistake(key, san), "{row}");
        if cells[4] == "true" {
            assert!(study.good[key].contains(san), "{row}");
            answered.insert(key);
        }
    }
    assert!(answered.len() > 200);
    let epd = export(&place, "r.db", "--format epd");
    let (mut best, mut avoided) = (0, 0);
    for line in epd.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let key = words[..4].join(" ");
        let moves = |code: &str| {
            let operation = line.split("; ").map(|part| part.trim_start_matches(&key).trim());
            let found = operation.filter_map(|part| part.strip_prefix(code)).next();
            let moves = found.map(|moves| moves.trim_end_matches(';').split_whitespace());
            moves.into_iter().flatten().map(str::to_owned).collect::<BTreeSet<_>>()
        };
        best += usize::from(!moves("bm ").is_empty());
        assert!(moves("bm ").iter().all(|san| !study.is_mistake(&key, san)), "{line}");
        let mistakes = study.mistakes.get(&key).cloned().unwrap_or_default();
        assert_eq!(moves("am "), mistakes, "{line}");
        avoided += mistakes.len();
    }
    assert_eq!((best, avoided > 100), (answered.len(), true));
    run(&place, "repertoire export mine -o book.bin --db r.db").exits(0);
    let add = "repertoire add mine book.bin --format polyglot --color white --db bin.db";
    run(&place, add).exits(0);
    for row in export(&place, "bin.db", "--format csv").lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        assert!(!study.is_mistake(cells[0], cells[2]), "{row}");
    }
    for (format, file) in [("apkg", "a.apkg"), ("anki", "a.csv")] {
        let command = format!("repertoire export mine --format {format} -o {file} --db r.db");
        let cards = format!("{file}: {} cards\n", answered.len());
        assert_eq!(run(&place, &command).exits(0).stderr, cards);
    }
    run(&place, "repertoire export mine -o moves.db --format sqlite --db r.db").exits(0);
    let mut marked = Moves::new();
    for [key, san] in pairs(&place, "moves.db", "SELECT key, move FROM move WHERE mistake") {
        marked.entry(key).or_default().insert(san);
    }
    assert_eq!(marked, study.mistakes);
}

fn pairs(place: &Workplace, file: &str, sql: &str) -> Vec<[String; 2]> {
    let file = rusqlite::Connection::open(place.path(file)).unwrap();
    let mut statement = file.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok([row.get(0)?, row.get(1)?])).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn a_game_with_a_mistake_leaves_the_book_and_a_position_of_mistakes_is_a_gap() {
    let (study, place) = (&*STUDY, place());
    let games = study.lines.iter().map(|line| format!("[Event \"x\"]\n\n{} *\n\n", line.join(" ")));
    place.write("games.pgn", games.collect::<String>());
    let count = study.lines.len();
    let check = "repertoire check mine games.pgn --db r.db --games --no-header --limit 0";
    let games = run(&place, check);
    games.exits(0).complains(&format!("{count} games: 0 mine, {count} known mistakes, 0 theirs"));
    assert!(games.stdout.lines().all(|row| row.contains("Not this")), "{}", games.stdout);
    // It follows the book up to the mistake, and no further.
    let plies = study.lines.iter().map(Vec::len).max().unwrap();
    let filter = format!("filter games.pgn --follows mine:{plies} --db r.db");
    assert_eq!(run(&place, &filter).exits(0).stdout, "");
    place.write("one.pgn", format!("{} *\n", study.lines[0].join(" ")));
    let filter = format!("filter one.pgn --follows mine:{} --db r.db", study.lines[0].len() - 1);
    assert!(run(&place, &filter).exits(0).stdout.contains('*'));
    // Where all of White's moves are mistakes there is no answer.
    let csv = export(&place, "r.db", "--format csv");
    let is_met = |key: &&String| csv.contains(&format!(",{key},"));
    let unanswered = study.mistakes.keys().filter(|key| !study.good.contains_key(*key));
    let unanswered: BTreeSet<&String> = unanswered.filter(is_met).collect();
    assert!(unanswered.len() > 20, "{} positions", unanswered.len());
    let gaps = run(&place, "repertoire gaps mine --db r.db --depth 60 --limit 0 --no-header");
    let keys: BTreeSet<&str> =
        gaps.exits(0).stdout.lines().filter_map(|row| row.rsplit('\t').next()).collect();
    let covered: Vec<_> = unanswered.iter().filter(|key| !keys.contains(key.as_str())).collect();
    assert!(covered.is_empty(), "{covered:?} are not in {}", gaps.stdout);
    let is_answered = |key: &&str| {
        let moves = study.good.get(*key).into_iter().flatten();
        moves.filter(|san| !study.is_mistake(key, san)).count() > 0
    };
    assert!(!keys.iter().any(is_answered), "{}", gaps.stdout);
}

#[test]
fn no_answer_of_training_and_no_choice_is_a_mistake() {
    let (study, place) = (&*STUDY, place());
    let args = ["train", "mine", "--db", "r.db", "--now", "2026-01-01", "--new", "60"];
    let said = place.pipe(&args, "?\n".repeat(60).as_bytes()).exits(0).stdout.clone();
    let mut asked = (String::new(), 0);
    for line in said.lines() {
        if let Some((moves, _)) = line.split_once("  (new") {
            asked.0 = moves.to_owned();
        }
        let Some((_, moves)) = line.split_once("The book has ") else { continue };
        let words = asked.0.split(' ').filter(|word| !word.ends_with('.') && word.len() > 1);
        if asked.0.starts_with('…') {
            continue;
        }
        let words = words.filter(|_| asked.0.starts_with("1."));
        let position = words.fold(Chess::default(), |position, san| play(&position, san));
        for san in moves.split([' ', ',']).filter(|word| !word.is_empty() && *word != "also") {
            assert!(!study.is_mistake(&key(&position), san), "{}: {line}", asked.0);
        }
        asked.1 += 1;
    }
    assert!(asked.1 > 20, "{said}");
    let lint = run(&place, "repertoire lint mine --db r.db --only choice --no-header");
    for row in lint.exits(0).stdout.lines() {
        let cells: Vec<&str> = row.split('\t').collect();
        let key = cells.last().unwrap();
        assert!(!cells[2].split(", ").any(|san| study.is_mistake(key, san)), "{row}");
    }
    for line in study.lines.iter().step_by(20) {
        let (mistake, before) = line.split_last().unwrap();
        let moves = before.join(",");
        let tree = format!("repertoire tree mine {moves} --depth 1 --db r.db -f tsv");
        let rows = run(&place, &tree).exits(0).stdout.clone();
        let header: Vec<&str> = rows.lines().next().unwrap().split('\t').collect();
        let values = |name: &str| {
            let at = header.iter().position(|column| *column == name).unwrap();
            rows.lines().skip(1).map(|row| row.split('\t').nth(at).unwrap()).collect::<Vec<_>>()
        };
        let place = values("move").iter().position(|san| san == mistake).unwrap();
        assert_eq!((values("book")[place], values("mistake")[place]), ("false", "true"), "{rows}");
    }
}

/// What a repertoire says of each move, in the order of the moves of a position.
fn everything(place: &Workplace, db: &str) -> Vec<[String; 2]> {
    let file = format!("{db}.sqlite");
    let command = format!("repertoire export mine -o {file} --format sqlite --db {db}");
    run(place, &command).exits(0);
    let sql = "SELECT key, move || ' ' || mistake || ' ' || ifnull(nags, '') || ' ' || \
               ifnull(comment, '') FROM move \
               ORDER BY key, rowid";
    pairs(place, &file, sql)
}

#[test]
fn each_pgn_brings_all_of_it_back() {
    let place = place();
    let all = everything(&place, "r.db");
    let json = export(&place, "r.db", "--format json");
    for (name, options) in [("same", ""), ("one", "--chapters=none"), ("study", "--chapters")] {
        let pgn = export(&place, "r.db", &format!("--format pgn {options}"));
        assert!(!pgn.contains('\u{fffd}') && pgn.contains("Grünfeld, à la Réti"), "{name}");
        assert!(pgn.contains("(1... -- ") || pgn.contains(" -- "), "{name}");
        let (file, db) = (format!("{name}.pgn"), format!("{name}.db"));
        place.write(&file, &pgn);
        run(&place, &format!("repertoire add mine {file} --color white --db {db}")).exits(0);
        let back = everything(&place, &db);
        for (row, expected) in back.iter().zip(&all) {
            assert_eq!(row, expected, "{name}");
        }
        assert_eq!(back.len(), all.len(), "{name}");
        assert!(name != "same" || export(&place, &db, "--format json") == json);
        if name == "study" {
            let names: Vec<&str> =
                pgn.lines().filter_map(|line| line.strip_prefix("[ChapterName \"")).collect();
            assert!(names.len() > 10 && names.len() <= 64, "{names:?}");
            assert!(!names.iter().any(|name| name.starts_with("Chapter ")), "{names:?}");
        }
    }
}
