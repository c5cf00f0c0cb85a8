//! What is prepared: sources that are added again, lines that are changed, and rows that are gone.

use super::*;
use crate::pgn::games as games_of;
use crate::repertoire::{
    Chapter, EditKind, Extract, ExtractOptions, Note, Preparation, PreparedChapter, PreparedSource,
    write_json,
};

/// A chapter: the number of its name, its main line, a variation, and whether it has a comment.
pub(super) type Outline = (u8, Vec<&'static str>, Vec<&'static str>, bool);

pub(super) fn study() -> impl Strategy<Value = Vec<Outline>> {
    let line = || prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..7);
    prop::collection::vec((0..4_u8, line(), line(), any::<bool>()), 0..5)
}

pub(super) fn source(name: &str, study: &[Outline]) -> PreparedSource {
    let chapters = study.iter().map(|(number, line, variation, has_comment)| {
        let comment = if *has_comment { "$1 {good}" } else { "" };
        let (line, variation) = (line.join(" "), variation.join(" "));
        let fen = match number {
            0 => "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 3 5\"]\n",
            _ => "",
        };
        let pgn =
            format!("[ChapterName \"{number}\"]\n{fen}\ne4 {comment} (d4 {variation}) {line} *");
        let mut book = Book::new(Color::White, BookRule::default());
        let chapter = book.add_chapter(&Game::from_bytes(pgn.as_bytes()));
        let Chapter { identity, study, name, tags, .. } = chapter;
        PreparedChapter { identity, study, name, tags, book: book.into() }
    });
    PreparedSource { name: name.to_owned(), chapters: chapters.collect() }
}

impl Place {
    pub(super) fn replace(&self, source: PreparedSource) {
        let change = |preparation: &mut Preparation| {
            preparation.replace(source);
            Ok::<_, StoreError>("replaced".to_owned())
        };
        Database::change_preparation(&self.path, "r", &white(), 0, change).unwrap();
    }

    /// All that can be asked of it: the book as JSON, and the rows of what is prepared.
    pub(super) fn contents(&self) -> (String, Vec<String>) {
        let database = self.open();
        let info = database.repertoire("r").unwrap();
        let plain = database.preparation("r").unwrap().to_book(Color::White);
        let json = |book: &Book| {
            let mut json = Vec::new();
            let extract = Extract::new(book, ExtractOptions::default(), None);
            write_json(&extract, &mut json).unwrap();
            String::from_utf8(json).unwrap()
        };
        assert_eq!(json(&database.read_book(&info).unwrap()), json(&plain));
        let book = database.book_by("r", database.repertoire("r").unwrap().rule).unwrap();
        let mut json = Vec::new();
        let extract = Extract::new(&book, ExtractOptions::default(), None);
        write_json(&extract, &mut json).unwrap();
        let rows = |sql: &str| -> Vec<String> {
            let mut rows = database.connection.prepare(sql).unwrap();
            rows.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        };
        let all = rows(
            "SELECT key || san || chapter.name || prepared_move.ordinal
             FROM prepared_move JOIN chapter ON chapter.id = chapter_id
             JOIN prepared_source AS source ON source.id = source_id
             ORDER BY source.ordinal, chapter.ordinal, key, san",
        );
        (String::from_utf8(json).unwrap(), all)
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Chapters that are changed, reordered, renamed or taken out leave no trace.
    #[test]
    fn a_source_added_again_is_as_if_it_were_added_alone(
        a in study(), b in study(), other in study(), edit in 0..4_u8, games in games(), games_first: bool,
    ) {
        let edited = match edit {
            0 => b,
            1 => a.iter().rev().cloned().collect(),
            2 => a.iter().cloned().map(|(number, l, v, c)| ((number + 1) % 4, l, v, c)).collect(),
            _ => a.iter().skip(1).cloned().collect(),
        };
        let (twice, alone) = (Place::new(), Place::new());
        for (place, first) in [(&twice, Some(&a)), (&alone, None)] {
            if games_first {
                place.build(&games);
            }
            place.replace(source("other", &other));
            first.into_iter().for_each(|first| place.replace(source("study", first)));
            place.replace(source("study", &edited));
            if !games_first {
                place.build(&games);
            }
        }
        prop_assert_eq!(twice.contents(), alone.contents());
        prop_assert_eq!(twice.book().differences(&alone.book()), []);
        let once = twice.contents();
        twice.replace(source("study", &edited));
        prop_assert_eq!(twice.contents(), once);
    }

    #[test]
    fn the_same_input_makes_the_same_bytes(study in study(), other in study(), games in games()) {
        let from_positions = (2..8).map(|number| {
            let fen = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/{number}K{} b kq - 0 1", 7 - number);
            format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1... e5 1-0\n")
        });
        let from_positions: Vec<String> = from_positions.collect();
        let files = [(); 2].map(|()| {
            let place = Place::new();
            place.build(&games);
            place.build(&from_positions);
            place.replace(source("study", &study));
            place.replace(source("study", &other));
            std::fs::read(&place.path).unwrap()
        });
        prop_assert!(files[0] == files[1]);
    }

    /// As PGN and back.
    #[test]
    fn chapters_come_back_from_pgn(study in study()) {
        let mut preparation = Preparation::default();
        preparation.replace(source("study", &study));
        let pgn = preparation.to_pgn("r");
        let read = games_of(pgn.as_bytes()).map(|game| {
            let mut book = Book::new(Color::White, BookRule::default());
            let chapter = book.add_chapter(&game);
            prop_assert_eq!(&chapter.faults, &[]);
            let Chapter { identity, study, name, tags, .. } = chapter;
            Ok(PreparedChapter { identity, study, name, tags, book: book.into() })
        });
        let chapters = read.collect::<Result<Vec<_>, _>>()?;
        let names = |chapters: &[PreparedChapter]| -> Vec<(String, String)> {
            let name = |c: &PreparedChapter| (c.identity.clone(), c.name.clone());
            chapters.iter().map(name).collect()
        };
        let expected: Vec<PreparedChapter> = preparation.chapters().cloned().collect();
        prop_assert_eq!(names(&chapters), names(&expected));
        let again = Preparation::new(vec![PreparedSource { name: "study".to_owned(), chapters }]);
        let json = |preparation: &Preparation| {
            let mut json = Vec::new();
            let book = preparation.to_book(Color::White);
            write_json(&Extract::new(&book, ExtractOptions::default(), None), &mut json).unwrap();
            String::from_utf8(json).unwrap()
        };
        prop_assert_eq!(json(&again), json(&preparation));
    }
}

/// With the tags of chapters and the counters of their FEN.
#[test]
fn what_is_prepared_is_read_as_it_was_written() {
    let place = Place::new();
    let study = source("study", &[(0, vec!["d4"], vec![], true), (1, vec![], vec!["d5"], false)]);
    place.replace(study.clone());
    let read = place.open().preparation("r").unwrap();
    let [found] = read.sources() else { panic!("{read:?}") };
    let [first, second] = &found.chapters[..] else { panic!("{found:?}") };
    assert_eq!((&first.tags, &second.tags), (&study.chapters[0].tags, &study.chapters[1].tags));
    assert_eq!(first.tags[0], ("ChapterName".to_owned(), "0".to_owned()));
    let expected = Preparation::new(vec![study]);
    assert_eq!(read.to_pgn("r"), expected.to_pgn("r"));
    let pgn = read.to_pgn("r");
    assert!(pgn.contains("w KQkq - 3 5\"]"), "{pgn}");
}

#[test]
fn what_is_deleted_in_sql_leaves_a_file_that_opens() {
    // As the `sqlite3` shell does it, and with foreign keys.
    for sql in [
        "PRAGMA foreign_keys = OFF; DELETE FROM prepared_move WHERE san = 'e5'",
        "PRAGMA foreign_keys = OFF; DELETE FROM chapter",
        "PRAGMA foreign_keys = OFF; DELETE FROM prepared_source",
        "PRAGMA foreign_keys = OFF; DELETE FROM prepared_move WHERE key LIKE '% b %'",
        "PRAGMA foreign_keys = ON; DELETE FROM prepared_move WHERE san = 'e5'",
        "PRAGMA foreign_keys = ON; DELETE FROM chapter",
        "PRAGMA foreign_keys = ON; DELETE FROM chapter_start",
    ] {
        let place = Place::new();
        place.replace(source("study", &[(1, vec!["e5", "Nf3", "Nc6"], vec!["d5"], true)]));
        Connection::open(&place.path).unwrap().execute_batch(sql).unwrap();
        let database = Database::open(&place.path).unwrap();
        let rule = database.repertoire("r").unwrap().rule;
        database.book_by("r", rule).unwrap_or_else(|error| panic!("{sql}: {error}"));
        database.book_at("r", &Board::default().key(), BookRule::USUAL, &one_thread()).unwrap();
        database.preparation("r").unwrap_or_else(|error| panic!("{sql}: {error}"));
        drop(database);
        place.replace(source("study", &[(1, vec!["c5"], vec![], false)]));
        assert_eq!(place.book().prepared_moves(), 3, "{sql}");
    }
}

#[test]
fn lines_are_cut_made_main_and_commented() {
    let place = Place::new();
    place.replace(source("a", &[(1, vec!["e5", "Nf3"], vec!["d5", "c4"], false)]));
    place.replace(source("b", &[(2, vec!["c5", "Nf3"], vec!["Nf6"], true)]));
    let mut preparation = place.open().preparation("r").unwrap();
    let line = |text: &str| {
        let mut book = Book::new(Color::White, BookRule::default());
        let end = book.prepare(text).unwrap();
        let before = book.ids().find(|id| book.node(*id).edges.iter().any(|edge| edge.to == end));
        let before = before.unwrap();
        (book.node(before).key, book.node(before).edges[0].uci, book.node(end).key)
    };
    let book = |preparation: &Preparation| preparation.to_book(Color::White);
    let first = |preparation: &Preparation, key| {
        let book = book(preparation);
        let moves = book.moves(book.find(&key).unwrap());
        moves.iter().map(|edge| edge.uci.to_string()).collect::<Vec<_>>()
    };
    let (e4, c5, _) = line("1. e4 c5");
    assert_eq!(first(&preparation, e4), ["e7e5", "c7c5"]);
    assert!(preparation.edit(&e4, c5, EditKind::Main));
    assert_eq!(first(&preparation, e4), ["c7c5", "e7e5"]);
    let comment = |text: &str| EditKind::Comment(text.to_owned());
    let (start, d4, after_d4) = line("1. d4");
    assert!(preparation.edit(&start, d4, comment("solid")));
    for nag in [3, 1, 14] {
        assert!(preparation.edit(&start, d4, EditKind::Glyph(nag)));
    }
    let notes = |preparation: &Preparation| {
        let book = book(preparation);
        let edge = book.node(book.roots()[0]).edge(d4).unwrap();
        edge.prepared().unwrap().notes.clone()
    };
    let said = Note { source: "1".to_owned(), nags: vec![1, 14], comment: "solid".to_owned() };
    assert_eq!(notes(&preparation), [said]);
    assert!(preparation.edit(&start, d4, EditKind::NoGlyphs));
    assert!(preparation.edit(&start, d4, comment("")));
    assert_eq!(notes(&preparation), []);
    let moves = book(&preparation).prepared_moves();
    assert!(preparation.edit(&start, d4, EditKind::Cut), "it and what follows is in both chapters");
    assert_eq!(book(&preparation).prepared_moves(), moves - 4);
    assert!(book(&preparation).find(&after_d4).is_none());
    assert!(!preparation.edit(&start, d4, EditKind::Cut));
    assert!(!preparation.edit(&start, d4, EditKind::Main));
    assert!(preparation.remove("a") && preparation.remove("b") && !preparation.remove("a"));
    assert!(book(&preparation).is_blank());
}
