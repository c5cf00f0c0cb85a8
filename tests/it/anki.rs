//! Packages of cards for Anki, read back by what they are made of: zip and SQLite. Anki itself
//! imports them in `tests/python/anki_imports_packages.py`.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Read,
    time::{Duration, SystemTime},
};

use rusqlite::Connection;
use serde_json::Value;
use zip::ZipArchive;

use crate::harness::Workplace;

const STUDY: &str = "[Event \"x\"]\n[ChapterName \"Open Games\"]\n\n\
    1. e4 e5 {[%cal Gd2d4] <b>zap</b> \\(x\\) [sound:x.mp3]} 2. Nf3 $1 {[%cal Gf3e5][%csl Rd4] solid} \
    Nc6 3. Bb5 (3. d4 {sharp}) *\n\n\
    [Event \"x\"]\n[ChapterName \"Sicilian::Open\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 *\n";

/// A note: its fields by name, and its tags and deck.
#[derive(Debug, Clone, PartialEq)]
struct Note {
    fields: BTreeMap<String, String>,
    tags: String,
    deck: String,
    modified: i64,
}

struct Package {
    notes: BTreeMap<String, Note>,
    decks: BTreeMap<String, String>,
    media: BTreeMap<String, String>,
}

fn workplace(study: &str) -> Workplace {
    let place = Workplace::new();
    place.write("study.pgn", study);
    let add = ["repertoire", "add", "mine", "study.pgn", "--db", "x.db", "--color", "white", "-q"];
    place.run(&add).exits(0);
    place
}

fn export<'a>(name: &'a str, args: &[&'a str]) -> Vec<&'a str> {
    let export = ["repertoire", "export", name, "--db", "x.db", "--format", "apkg"];
    [&export[..], args].concat()
}

fn read(place: &Workplace, name: &str) -> Package {
    let mut zip = ZipArchive::new(File::open(place.path(name)).unwrap()).unwrap();
    let mut entry = |name: &str| {
        let mut bytes = Vec::new();
        zip.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    };
    fs::write(place.path("collection"), entry("collection.anki2")).unwrap();
    let names: BTreeMap<String, String> = serde_json::from_slice(&entry("media")).unwrap();
    let svg = |(number, name): (&String, &String)| {
        (name.clone(), String::from_utf8(entry(number)).unwrap())
    };
    let media = names.iter().map(svg).collect();
    let collection = Connection::open(place.path("collection")).unwrap();
    let json = |column: &str| -> Value {
        let sql = format!("SELECT {column} FROM col");
        let text: String = collection.query_row(&sql, [], |row| row.get(0)).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let (types, decks) = (json("models"), json("decks"));
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let decks: BTreeMap<String, String> = decks
        .as_object()
        .unwrap()
        .iter()
        .map(|(id, deck)| (id.clone(), text(&deck["name"])))
        .collect();
    let mut rows = collection
        .prepare(
            "SELECT guid, flds, tags, did, mid, notes.mod FROM notes
             JOIN cards ON cards.nid = notes.id ORDER BY due",
        )
        .unwrap();
    let mut notes = BTreeMap::new();
    let mut rows = rows.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let (guid, fields): (String, String) = (row.get(0).unwrap(), row.get(1).unwrap());
        let (deck, note_type): (i64, i64) = (row.get(3).unwrap(), row.get(4).unwrap());
        let names = types[note_type.to_string()]["flds"].as_array().unwrap();
        assert_eq!(names.len(), fields.split('\x1f').count());
        let names = names.iter().map(|field| text(&field["name"]));
        let note = Note {
            fields: names.zip(fields.split('\x1f').map(str::to_owned)).collect(),
            tags: row.get(2).unwrap(),
            deck: decks[&deck.to_string()].clone(),
            modified: row.get(5).unwrap(),
        };
        assert_eq!(notes.insert(guid, note), None, "two notes are the same for Anki");
    }
    Package { notes, decks, media }
}

impl Package {
    /// The note whose line ends so.
    fn note(&self, line: &str) -> &Note {
        let mut found = self.notes.values().filter(|note| note.fields["Line"].ends_with(line));
        found.next().unwrap_or_else(|| panic!("no {line:?} in {:#?}", self.notes))
    }

    fn picture(&self, html: &str) -> &str {
        let name = html.split("<img src=\"").nth(1).unwrap().split('"').next().unwrap();
        &self.media[name]
    }
}

#[test]
fn a_package_has_a_card_for_each_position_in_the_deck_of_its_chapter() {
    let place = workplace(STUDY);
    place.run(&export("mine", &["-o", "x.apkg"])).exits(0).prints("");
    let package = read(&place, "x.apkg");
    let names: Vec<&str> = package.decks.values().map(String::as_str).collect();
    for name in ["Default", "mine", "mine::Open Games", "mine::Sicilian:Open"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert_eq!(package.notes.len(), 5);
    let note = package.note("<b>e5</b>");
    assert_eq!(note.deck, "mine::Open Games");
    assert_eq!(package.note("<b>c5</b>").deck, "mine::Sicilian:Open");
    assert_eq!(note.fields["FEN"], "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(note.fields["Question"], "King's Pawn Game. White to move");
    assert_eq!(note.fields["Moves"], "g1f3");
    assert_eq!(package.note("move").fields["Moves"], "e2e4");
    assert!(note.tags.contains(" kings-pawn-game C20 "), "{}", note.tags);
    let two = package.note("<b>Nc6</b>");
    assert_eq!(two.fields["Moves"], "f1b5 d2d4");
    assert!(two.fields["Answer"].contains("<b>3. d4</b></div><div>sharp</div>"));
    // Every picture that is shown is in the package, and no other.
    let shown = package.notes.values().flat_map(|note| note.fields.values());
    let shown: usize = shown.map(|field| field.matches("<img src=\"eco-").count()).sum();
    assert_eq!(shown, 11, "two of each card, and one with what the opponent's comment draws");
    assert_eq!(package.media.len(), 11);
}

#[test]
fn the_card_where_a_chapter_begins_says_so() {
    let place = workplace(
        "[ChapterName \"Ending\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 3 40\"]\n\n40. e4 Ke7 41. e5 *\n",
    );
    place.run(&export("mine", &["-o", "x.apkg"])).exits(0);
    let package = read(&place, "x.apkg");
    assert_eq!(package.note("begins").fields["Line"], "Where a chapter begins");
    assert_eq!(package.note("<b>Ke7</b>").fields["Line"], "40. e4 <b>Ke7</b>");
    let text = ["repertoire", "export", "mine", "--db", "x.db", "--format", "anki", "-q"];
    place.run(&text).exits(0).is_silent().prints_part("<div>Where a chapter begins</div>");
}

#[test]
fn the_front_gives_nothing_away_and_the_back_shows_arrows_and_comments() {
    let place = workplace(STUDY);
    place.run(&export("mine", &["-o", "x.apkg"])).exits(0);
    let package = read(&place, "x.apkg");
    let note = package.note("<b>e5</b>");
    let arrows = |html: &str| package.picture(html).matches("fill-opacity=\".8\"").count();
    assert_eq!(arrows(&note.fields["Diagram"]), 0);
    assert_eq!(arrows(&note.fields["Solution"]), 1);
    assert!(package.picture(&note.fields["Solution"]).contains("fill=\"none\" stroke=\"#"));
    assert_eq!(arrows(&note.fields["Answer"]), 1, "of the opponent's comment");
    let answer = &note.fields["Answer"];
    assert!(answer.starts_with("<div><b>2. Nf3!</b></div><div>solid</div>"), "{answer}");
    assert!(answer.contains("<div><i>1... e5</i> &lt;b&gt;zap&lt;/b&gt; "), "{answer}");
    assert!(!answer.contains(['[', '\\']), "{answer}");
    assert!(!note.fields["Diagram"].contains("zap") && !note.fields["Question"].contains("zap"));
}

#[test]
fn the_same_file_gives_the_same_package() {
    let place = workplace(STUDY);
    for name in ["a.apkg", "b.apkg"] {
        place.run(&export("mine", &["-o", name])).exits(0);
    }
    let package = fs::read(place.path("a.apkg")).unwrap();
    assert_eq!(fs::read(place.path("b.apkg")).unwrap(), package);
    let out = place.command(&export("mine", &[])).output().unwrap();
    assert_eq!(out.stdout, package);
}

#[test]
fn cards_keep_their_identity_when_names_and_comments_change() {
    let place = workplace(STUDY);
    place.run(&export("mine", &["-o", "before.apkg"])).exits(0);
    place.run(&["db", "rename", "mine", "other", "--db", "x.db"]).exits(0);
    place.write("study.pgn", STUDY.replace("solid", "best").replace("Open Games", "1. e4 e5"));
    place.run(&["repertoire", "add", "other", "study.pgn", "--db", "x.db", "-q"]).exits(0);
    let later = SystemTime::now() + Duration::from_secs(100);
    let database = File::options().write(true).open(place.path("x.db")).unwrap();
    database.set_modified(later).unwrap();
    place.run(&export("other", &["-o", "after.apkg"])).exits(0);
    let (before, after) = (read(&place, "before.apkg"), read(&place, "after.apkg"));
    assert_eq!(
        before.notes.keys().collect::<Vec<_>>(),
        after.notes.keys().collect::<Vec<_>>(),
        "Anki would add them as new"
    );
    assert_eq!(after.note("<b>e5</b>").deck, "other::1. e4 e5");
    assert!(after.note("<b>e5</b>").fields["Answer"].contains("<div>best</div>"));
    for (guid, note) in &before.notes {
        assert!(after.notes[guid].modified > note.modified, "Anki would keep the old text");
    }
    // A second repertoire has the same cards, unless it is told to have its own.
    place.run(&export("other", &["--separate", "-o", "own.apkg"])).exits(0);
    let own = read(&place, "own.apkg");
    assert!(own.notes.keys().all(|guid| guid.starts_with("eco:other:")));
    place.run(&export("other", &["--deck", "old", "-o", "named.apkg"])).exits(0);
    assert_eq!(read(&place, "named.apkg").note("<b>e5</b>").deck, "old::1. e4 e5");
}

#[test]
fn cards_of_an_earlier_package_that_left_the_book_are_tagged() {
    let place = workplace(STUDY);
    place.run(&export("mine", &["-o", "x.apkg"])).exits(0);
    let before = read(&place, "x.apkg");
    place.write("study.pgn", STUDY.replace("2. Nf3 d6 3. d4", "2. c3"));
    place.run(&["repertoire", "add", "mine", "study.pgn", "--db", "x.db", "-q"]).exits(0);
    let again = export("mine", &["--stale-from", "x.apkg", "-o", "x.apkg"]);
    place.run(&again).exits(0);
    let after = read(&place, "x.apkg");
    let tagged = |package: &Package, tag: &str| -> Vec<String> {
        let has_tag = |note: &&Note| note.tags.split(' ').any(|other| other == tag);
        let notes = package.notes.values().filter(has_tag);
        notes.map(|note| note.fields["Line"].clone()).collect()
    };
    assert_eq!(tagged(&after, "eco::stale"), ["1. e4 c5 2. Nf3 <b>d6</b>"]);
    assert_eq!(tagged(&after, "eco::changed"), ["1. e4 <b>c5</b>"]);
    let (stale, known) = (after.note("<b>d6</b>"), before.note("<b>d6</b>"));
    assert_eq!(stale.fields, known.fields);
    assert_eq!(after.picture(&stale.fields["Solution"]), before.picture(&known.fields["Solution"]));
    // Next time what was stale is that still, and what had changed is not.
    place.run(&again).exits(0);
    let third = read(&place, "x.apkg");
    assert_eq!(tagged(&third, "eco::stale"), ["1. e4 c5 2. Nf3 <b>d6</b>"]);
    assert_eq!(third.note("<b>d6</b>").tags.matches("eco::").count(), 1);
    assert!(tagged(&third, "eco::changed").is_empty());
    // The line comes back.
    place.write("study.pgn", STUDY);
    place.run(&["repertoire", "add", "mine", "study.pgn", "--db", "x.db", "-q"]).exits(0);
    place.run(&again).exits(0);
    assert!(tagged(&read(&place, "x.apkg"), "eco::stale").is_empty());
}

#[test]
fn files_that_are_no_earlier_package_are_refused() {
    let place = workplace(STUDY);
    place.write("text.apkg", "no archive");
    for (args, reason) in [
        (
            &["--stale-from", "text.apkg"][..],
            "text.apkg: is no package of cards that eco has written",
        ),
        (&["--stale-from", "x.db"], "x.db: is no package of cards"),
        (&["--stale-from", "none.apkg"], "none.apkg: No such file"),
    ] {
        place.run(&export("mine", &[args, &["-o", "x.apkg"]].concat())).exits(2).complains(reason);
    }
    for flags in [&["--stale-from", "x.apkg"][..], &["--separate"], &["--deck", "d"]] {
        let csv = ["repertoire", "export", "mine", "--db", "x.db", "--format", "csv"];
        place.run(&[&csv[..], flags].concat()).exits(2).complains("for apkg");
    }
    assert_eq!(place.files(), ["study.pgn", "text.apkg", "x.db"]);
}
