//! The collection in a package of Anki, with its notes and decks: an SQLite file in schema 11,
//! which every version since 2.0 reads. The door to `rusqlite` for it.
//!
//! The tables are those that Anki itself makes (`rslib/src/storage/schema11.sql`). In the JSON of
//! the note type, the decks and the options, what is not said here is as Anki makes it.

use std::{collections::HashMap, io::Read};

use rusqlite::{Connection, config::DbConfig, params};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::faces::{Faces, svg};
use crate::chess::{Fen, PositionKey};
use crate::output::sanitize;
use crate::repertoire::{Preparation, PreparedChapter};

const SCHEMA: &str = "
CREATE TABLE col (
    id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL, scm integer NOT NULL,
    ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL, ls integer NOT NULL,
    conf text NOT NULL, models text NOT NULL, decks text NOT NULL, dconf text NOT NULL,
    tags text NOT NULL
);
CREATE TABLE notes (
    id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, mod integer NOT NULL,
    usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL, sfld integer NOT NULL,
    csum integer NOT NULL, flags integer NOT NULL, data text NOT NULL
);
CREATE TABLE cards (
    id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, ord integer NOT NULL,
    mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL, queue integer NOT NULL,
    due integer NOT NULL, ivl integer NOT NULL, factor integer NOT NULL, reps integer NOT NULL,
    lapses integer NOT NULL, left integer NOT NULL, odue integer NOT NULL, odid integer NOT NULL,
    flags integer NOT NULL, data text NOT NULL
);
CREATE TABLE revlog (
    id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL, ease integer NOT NULL,
    ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL, time integer NOT NULL,
    type integer NOT NULL
);
CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_cid ON revlog (cid);
CREATE INDEX ix_notes_csum ON notes (csum);
";

/// The version of the schema.
const VERSION: i64 = 11;

/// A collection that is being written, in memory.
pub(super) struct Collection {
    connection: Connection,
    modified: i64,
    notes: i64,
}

impl Collection {
    /// A collection with these decks and no notes, last changed at `modified`, in seconds.
    pub(super) fn new(decks: &Decks, modified: i64) -> rusqlite::Result<Self> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(SCHEMA)?;
        let text = |value: Value| value.to_string();
        connection.execute(
                "INSERT INTO col (id, crt, mod, scm, ver, dty, usn, ls, conf, models, decks, dconf, tags)
                 VALUES (1, ?1, ?2, ?2, ?3, 0, 0, 0, ?4, ?5, ?6, ?7, '{}')",
                params![
                    modified,
                    modified * 1000,
                    VERSION,
                    text(collection_options(decks.root())),
                    text(note_types(decks.root())),
                    text(deck_objects(&decks.decks, modified)),
                    text(deck_options()),
                ],
            )?;
        connection.execute_batch("BEGIN")?;
        Ok(Self { connection, modified, notes: 0 })
    }

    /// Adds a note and its card, which is new, after those that are there.
    pub(super) fn add(&mut self, note: &Note, deck: i64) -> rusqlite::Result<()> {
        self.notes += 1;
        // Anki takes numbers for the milliseconds at which notes were made.
        let id = self.modified * 1000 + self.notes;
        // Anki works out the field to sort by and the checksum as it imports.
        let mut add = self.connection.prepare_cached(
            "INSERT INTO notes (id, guid, mid, mod, usn, tags, flds, sfld, csum, flags, data)
                 VALUES (?1, ?2, ?3, ?4, -1, ?5, ?6, '', 0, 0, '')",
        )?;
        let tags = format!(" {} ", note.tags);
        let fields = note.fields.join(&BETWEEN.to_string());
        add.execute(params![id, note.guid, NOTE_TYPE, self.modified, tags, fields])?;
        let mut add = self.connection.prepare_cached(
            "INSERT INTO cards (id, nid, did, ord, mod, usn, type, queue, due, ivl, factor,
                     reps, lapses, left, odue, odid, flags, data)
                 VALUES (?1, ?1, ?2, 0, ?3, -1, 0, 0, ?4, 0, 0, 0, 0, 0, 0, 0, 0, '')",
        )?;
        add.execute(params![id, deck, self.modified, self.notes]).map(drop)
    }

    /// The bytes of the file.
    pub(super) fn into_bytes(mut self) -> rusqlite::Result<Vec<u8>> {
        self.connection.execute_batch("COMMIT")?;
        Ok(self.connection.serialize("main")?.to_vec())
    }
}

/// The notes of eco's type in a collection of `size` bytes.
///
/// # Errors
///
/// If it is no collection in schema 11, or is damaged.
pub(super) fn read_notes(collection: impl Read, size: usize) -> rusqlite::Result<Vec<Note>> {
    let mut connection = Connection::open_in_memory()?;
    connection.deserialize_read_exact("main", collection, size, true)?;
    // A view in place of a table could run for ever.
    for (config, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    ] {
        connection.set_db_config(config, value)?;
    }
    let mut notes =
        connection.prepare("SELECT guid, flds, tags FROM notes WHERE mid = ?1 ORDER BY id")?;
    let note = |row: &rusqlite::Row<'_>| {
        let fields: String = row.get(1)?;
        Ok(Note::stored(row.get(0)?, &fields, row.get(2)?))
    };
    // A damaged file may have rows without end.
    let most = size;
    let rows = notes.query_map([NOTE_TYPE], note)?.take(most);
    rows.filter_map(Result::transpose).collect()
}

/// The fields of a note. Anki stores them in this order.
const FIELDS: [&str; 7] = ["FEN", "Line", "Diagram", "Question", "Answer", "Solution", "Moves"];

/// The place of the field with the moves in UCI notation, by which an answer is known to be the
/// same.
const MOVES: usize = 6;

/// What Anki has between fields.
const BETWEEN: char = '\u{1f}';

/// The tag of a card whose position has no move any more.
pub(super) const STALE: &str = "eco::stale";

/// The tag of a card whose moves were others before.
pub(super) const CHANGED: &str = "eco::changed";

/// A note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    /// By which Anki knows it again.
    pub(super) guid: String,
    /// As HTML.
    fields: [String; FIELDS.len()],
    /// Between blanks.
    tags: String,
}

/// The pictures of a note: names and SVG.
pub(super) type Pictures = Vec<(String, String)>;

impl Note {
    /// The note of a card, and its pictures.
    pub(super) fn of(faces: &Faces<'_, '_>, guid: String) -> (Self, Pictures) {
        let mut pictures = Pictures::new();
        let mut draw = |diagram: &_| {
            let svg = svg(diagram);
            let name = picture_name(&svg);
            let html = format!("<img src=\"{name}\">");
            pictures.push((name, svg));
            html
        };
        let (diagram, solution) = (draw(&faces.diagram()), draw(&faces.solution()));
        let fields = [
            Fen::from(faces.key()).to_string(),
            faces.line(),
            diagram,
            faces.question(),
            faces.answer(1, &mut draw),
            solution,
            faces.moves(),
        ];
        (Self { guid, fields, tags: faces.tags() }, pictures)
    }

    /// A note as it was stored; `None` if it has other fields.
    fn stored(guid: String, fields: &str, tags: String) -> Option<Self> {
        let fields: Vec<String> = fields.split(BETWEEN).map(str::to_owned).collect();
        Some(Self { guid, fields: fields.try_into().ok()?, tags })
    }

    /// Whether the moves to learn are those of another note.
    pub(super) fn has_moves_of(&self, other: &Self) -> bool {
        self.fields[MOVES] == other.fields[MOVES]
    }

    /// Gives it this tag, in place of what earlier exports said of its age.
    pub(super) fn age(&mut self, tag: &str) {
        let tags = self.tags.split_ascii_whitespace();
        let mut tags: Vec<&str> = tags.filter(|tag| ![STALE, CHANGED].contains(tag)).collect();
        tags.push(tag);
        self.tags = tags.join(" ");
    }

    /// The names of the pictures that it shows.
    pub(super) fn picture_names(&self) -> Vec<&str> {
        let parts = self.fields.iter().flat_map(|field| field.split("<img src=\"").skip(1));
        parts.filter_map(|part| Some(part.split_once('"')?.0)).collect()
    }
}

/// The number of the note type. Anki knows the type by it, so it never changes.
const NOTE_TYPE: i64 = 1_763_856_000_000;

/// When the note type was last changed, in seconds. To raise it replaces what users have made of
/// the templates.
const CHANGED_AT: i64 = 1_763_856_000;

/// The place of the field that Anki sorts by: the line.
const SORTED_BY: usize = 1;

const FRONT: &str = "{{Diagram}}\n<div class=\"line\">{{Line}}</div>\n<div>{{Question}}</div>";

const BACK: &str = "{{#Solution}}{{Solution}}{{/Solution}}{{^Solution}}{{Diagram}}{{/Solution}}\n\
    <div class=\"line\">{{Line}}</div>\n<div>{{Question}}</div>\n<hr id=\"answer\">\n{{Answer}}\n\
    {{#Tags}}<div class=\"tags\">{{Tags}}</div>{{/Tags}}";

const STYLE: &str = ".card { font-family: sans-serif; font-size: 18px; text-align: center; }\n\
    img { max-width: 100%; }\n\
    .tags { color: #888; font-size: 12px; margin-top: 1em; }\n";

/// The note types of a collection, of which there is one.
fn note_types(deck: i64) -> Value {
    let field = |(place, name): (usize, &&str)| {
        json!({
            "name": name, "ord": place, "sticky": false, "rtl": false, "font": "Arial", "size": 20,
            "media": [],
        })
    };
    let template = json!({
        "name": "Card 1", "ord": 0, "qfmt": FRONT, "afmt": BACK, "bqfmt": "", "bafmt": "",
        "did": null,
    });
    let note_type = json!({
        "id": NOTE_TYPE, "name": "Chess position (eco)", "type": 0, "mod": CHANGED_AT, "usn": -1,
        "sortf": SORTED_BY, "did": deck, "tags": [], "vers": [], "css": STYLE,
        "latexPre": "\\documentclass{article}\n\\begin{document}\n",
        "latexPost": "\\end{document}",
        "flds": FIELDS.iter().enumerate().map(field).collect::<Vec<_>>(),
        "tmpls": [template],
        "req": [[0, "any", [1, 2, 3]]],
    });
    Value::Object(Map::from_iter([(NOTE_TYPE.to_string(), note_type)]))
}

/// The decks of a collection, with the default one, which every collection has.
fn deck_objects(decks: &[Deck], modified: i64) -> Value {
    let deck = |id: i64, name: &str| {
        let deck = json!({
            "id": id, "name": name, "mod": modified, "usn": -1, "desc": "", "dyn": 0, "conf": 1,
            "collapsed": false, "extendNew": 0, "extendRev": 50, "lrnToday": [0, 0],
            "newToday": [0, 0], "revToday": [0, 0], "timeToday": [0, 0],
        });
        (id.to_string(), deck)
    };
    let all = decks.iter().map(|known| deck(known.id, &known.name));
    Value::Object(Map::from_iter(all.chain([deck(1, "Default")])))
}

/// The options of decks: the default ones.
fn deck_options() -> Value {
    json!({ "1": {
        "id": 1, "name": "Default", "mod": 0, "usn": 0, "autoplay": true, "maxTaken": 60,
        "replayq": true, "timer": 0,
        "new": {
            "bury": true, "delays": [1, 10], "initialFactor": 2500, "ints": [1, 4, 7], "order": 1,
            "perDay": 20, "separate": true,
        },
        "lapse": { "delays": [10], "leechAction": 0, "leechFails": 8, "minInt": 1, "mult": 0 },
        "rev": {
            "bury": true, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "minSpace": 1,
            "perDay": 100,
        },
    }})
}

/// The options of a collection.
fn collection_options(deck: i64) -> Value {
    json!({
        "activeDecks": [deck], "curDeck": deck, "curModel": NOTE_TYPE.to_string(), "addToCur": true,
        "collapseTime": 1200, "dueCounts": true, "estTimes": true, "newBury": true, "newSpread": 0,
        "nextPos": 1, "sortBackwards": false, "sortType": "noteFld", "timeLim": 0,
    })
}

/// What Anki has between the names of a deck and of one below it.
const BELOW: &str = "::";

/// A deck.
struct Deck {
    id: i64,
    name: String,
}

/// The decks, and the one of each position.
pub(super) struct Decks {
    /// The one of the repertoire first.
    decks: Vec<Deck>,
    places: HashMap<PositionKey, usize>,
}

impl Decks {
    /// The decks below one of this name. A position is in the deck of the first chapter that
    /// prepares a move there, and else in that of the repertoire.
    pub(super) fn new(name: &str, preparation: &Preparation) -> Self {
        let name = plain(name, "eco");
        let root = Deck { id: deck_number(&["repertoire"]), name };
        let mut decks = Self { decks: vec![root], places: HashMap::new() };
        for source in preparation.sources() {
            source.chapters.iter().for_each(|chapter| decks.add(&source.name, chapter));
        }
        decks
    }

    fn add(&mut self, source: &str, chapter: &PreparedChapter) {
        let name = plain(&chapter.name, &format!("Chapter {}", self.decks.len()));
        let name = [&self.decks[0].name, BELOW, &name].concat();
        // Anki knows decks by their names.
        let known = self.decks.iter().position(|deck| deck.name == name);
        let place = known.unwrap_or_else(|| {
            let id = deck_number(&[source, &chapter.identity]);
            self.decks.push(Deck { id, name });
            self.decks.len() - 1
        });
        let book = &chapter.book;
        for id in book.ids().filter(|id| book.is_own_turn(*id) && book.has_moves(*id)) {
            self.places.entry(book.node(id).key).or_insert(place);
        }
    }

    /// The number of the deck of the repertoire.
    pub(super) fn root(&self) -> i64 {
        self.decks[0].id
    }

    /// The number of the deck of a position.
    pub(super) fn of(&self, key: &PositionKey) -> i64 {
        self.decks[self.places.get(key).copied().unwrap_or(0)].id
    }
}

/// A name that makes no deck below another.
fn plain(name: &str, default: &str) -> String {
    let mut name = sanitize(name.as_bytes()).trim().to_owned();
    while name.contains(BELOW) {
        name = name.replace(BELOW, ":");
    }
    // Anki drops empty names, and what a colon at an end could be part of is not clear.
    let name = name.trim_matches(':').trim();
    if name.is_empty() { default.to_owned() } else { name.to_owned() }
}

/// The name of a picture, from its content: two pictures never share a name.
fn picture_name(svg: &str) -> String {
    format!("eco-{:016x}.svg", number(&[svg]))
}

/// The number of a deck. Anki writes such numbers as JSON, where those above 2⁵³ lose digits.
fn deck_number(texts: &[&str]) -> i64 {
    // Numbers below 2³⁰ could be meant as numbers of decks of another kind, such as 1, the default.
    ((number(texts) >> 12) | (1 << 30)).cast_signed()
}

/// The first 64 bits of the SHA-256 of texts.
fn number(texts: &[&str]) -> u64 {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update(text);
        hasher.update([0]);
    }
    let digest = hasher.finalize();
    digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::Color,
        repertoire::{Book, BookRule, PreparedSource},
    };

    #[test]
    fn names_and_numbers_stay_what_they_are() {
        // Anki has stored them.
        assert_eq!(picture_name("<svg/>"), "eco-ca1935de79f0c6f5.svg");
        assert_eq!(deck_number(&["study", "chapter"]), 2_552_815_998_375_323);
        assert_ne!(deck_number(&["a", "bc"]), deck_number(&["ab", "c"]));
    }

    fn chapter(identity: &str, name: &str, line: &str) -> PreparedChapter {
        let mut book = Book::new(Color::White, BookRule::default());
        book.prepare(line).unwrap();
        let (identity, name) = (identity.to_owned(), name.to_owned());
        let book = book.into();
        PreparedChapter { identity, study: String::new(), name, tags: Vec::new(), book }
    }

    #[test]
    fn the_first_chapter_that_answers_a_position_has_it() {
        let chapters = vec![
            chapter("1", "Open::Games:", "1. e4 e5 2. Nf3"),
            chapter("2", "Sicilian", "1. e4 c5 2. Nf3"),
            chapter("3", " ", "1. e4 e6 2. d4"),
            chapter("4", "Sicilian", "1. e4 c6 2. d4"),
        ];
        let source = PreparedSource { name: "s.pgn".to_owned(), chapters };
        let preparation = Preparation::new(vec![source]);
        let decks = Decks::new("mine", &preparation);
        let names: Vec<&str> = decks.decks.iter().map(|deck| deck.name.as_str()).collect();
        assert_eq!(names, ["mine", "mine::Open:Games", "mine::Sicilian", "mine::Chapter 3"]);
        let book = preparation.to_book(Color::White);
        let key = |line: &str| {
            let mut book = book.clone();
            let id = book.prepare(line).unwrap();
            book.node(id).key
        };
        for (line, place) in [("", 1), ("1. e4 c5", 2), ("1. e4 e6", 3), ("1. e4 c6", 2)] {
            assert_eq!(decks.of(&key(line)), decks.decks[place].id, "after {line:?}");
        }
        assert_eq!(decks.of(&key("1. d4 d5")), decks.root());
    }

    #[test]
    fn numbers_of_decks_outlive_names_and_places() {
        let ids = |name: &str, chapters: Vec<PreparedChapter>| {
            let source = PreparedSource { name: "s.pgn".to_owned(), chapters };
            let decks = Decks::new(name, &Preparation::new(vec![source]));
            let mut ids: Vec<i64> = decks.decks.iter().map(|deck| deck.id).collect();
            ids.sort_unstable();
            ids
        };
        let (a, b) = (chapter("a", "A", "1. e4"), chapter("b", "B", "1. d4"));
        let renamed = chapter("a", "Other", "1. e4");
        assert_eq!(ids("x", vec![a, b.clone()]), ids("y", vec![b, renamed]));
    }
}
