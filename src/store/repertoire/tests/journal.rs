//! Changes that are undone.

use std::fmt::Debug;

use super::preparation::{Outline, source, study};
use super::*;
use crate::repertoire::{Edit, EditKind, Preparation, PreparedSource};

/// Something that is done to a repertoire.
#[derive(Debug, Clone)]
enum Act {
    Replace(bool, Vec<Outline>),
    Edit(usize, EditKind),
    Build(Vec<String>),
    Settings(u32, String),
    Rename,
    Remove,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let comment = prop::sample::select(vec!["", "good", "[%cal Gd2d4]", "\u{e9}\"\n"]);
    let kind = prop_oneof![
        Just(EditKind::Cut),
        Just(EditKind::Main),
        Just(EditKind::NoGlyphs),
        (1..20_u8).prop_map(EditKind::Glyph),
        comment.prop_map(|text| EditKind::Comment(text.to_owned())),
    ];
    let act = prop_oneof![
        3 => (any::<bool>(), study()).prop_map(|(which, study)| Act::Replace(which, study)),
        3 => (0..40_usize, kind).prop_map(|(at, kind)| Act::Edit(at, kind)),
        2 => games().prop_map(Act::Build),
        1 => (1..4_u32, prop::sample::select(vec!["A, B", "C, D"]))
            .prop_map(|(top, name)| Act::Settings(top, name.to_owned())),
        1 => Just(Act::Rename),
        1 => Just(Act::Remove),
    ];
    prop::collection::vec(act, 0..8)
}

impl Place {
    /// Does something to the only repertoire.
    fn act(&self, act: &Act, name: &mut String) {
        let change = |name: &str, change: &dyn Fn(&mut Preparation)| {
            let change = |preparation: &mut Preparation| {
                change(preparation);
                Ok::<_, StoreError>(format!("{act:?}"))
            };
            let settings = RepertoireSettings::default();
            Database::change_preparation(&self.path, name, &settings, 0, change).unwrap();
        };
        match act {
            Act::Replace(which, study) => change(name, &|preparation| {
                preparation.replace(source(if *which { "a" } else { "b" }, study));
                preparation.edit_again();
            }),
            Act::Edit(at, kind) => change(name, &|preparation| {
                let book = preparation.to_book(Color::White);
                let moves = book.ids().flat_map(|id| {
                    let node = book.node(id);
                    node.edges.iter().map(|edge| (node.key, edge.uci)).collect::<Vec<_>>()
                });
                if let Some((key, uci)) = moves.collect::<Vec<_>>().into_iter().nth(*at) {
                    assert!(preparation.edit(&key, uci, kind.clone()));
                }
            }),
            Act::Build(games) => {
                let settings = RepertoireSettings::default();
                let build = RepertoireBuild::begin(&self.path, name, &settings, &one_thread());
                let mut build = build.unwrap();
                let mut reader = build.reader(&Selection::default(), classifier());
                build
                    .add(games.iter().map(|game| reader.read(&Game::from_bytes(game.as_bytes()))))
                    .unwrap();
                build.finish(0).unwrap();
            }
            Act::Settings(top, player) => {
                let mut rule = BookRule::USUAL;
                rule.mine.top = Some(*top);
                let players = vec![player.clone()];
                let rule = Some(rule);
                let settings = RepertoireSettings { rule, players, ..Default::default() };
                RepertoireBuild::begin(&self.path, name, &settings, &one_thread())
                    .unwrap()
                    .finish(0)
                    .unwrap();
            }
            Act::Rename => {
                let new = format!("{name}x");
                Database::rename(&self.path, Kind::Repertoire, name, &new, 0).unwrap();
                *name = new;
            }
            Act::Remove => {
                Database::remove(&self.path, &[(Kind::Repertoire, name.clone())], 0).unwrap();
                let color = Some(Color::White);
                let settings = RepertoireSettings { color, ..RepertoireSettings::default() };
                let book = Book::new(Color::White, BookRule::default());
                Database::prepare(&self.path, name, &settings, 0, &book).unwrap();
            }
        }
    }

    /// All that can be asked of the repertoires.
    fn state(&self) -> Vec<impl Debug + PartialEq> {
        let database = self.open();
        let repertoires = database.repertoires().unwrap().into_iter();
        let state = repertoires.map(|info| {
            let games = database.games_of(&info).unwrap();
            let mut ids = Vec::new();
            for game in games.iter().flat_map(|games| {
                let mut all = Vec::new();
                database.kept_games(games, &mut |game| all.push(game.to_pgn())).unwrap();
                all
            }) {
                ids.push(game);
            }
            ids.sort();
            let mut preparation = database.preparation(&info.name).unwrap();
            // The order of positions within a chapter says nothing.
            let edits: Vec<Edit> = preparation.edits().to_vec();
            preparation.edit_again();
            (info.name.clone(), info.rule, info.players, preparation.to_pgn("r"), edits, ids)
        });
        state.collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// A repertoire that a change made is gone with it, and one that was removed is there again.
    #[test]
    fn each_change_is_undone_to_what_was_before(first in study(), acts in acts()) {
        let place = Place::new();
        place.replace(source("a", &first));
        let (mut name, mut states) = ("r".to_owned(), Vec::new());
        for act in &acts {
            let is_noted = place.open().history(None).unwrap().len();
            let state = place.state();
            place.act(act, &mut name);
            let now = place.open().history(None).unwrap().len();
            // To remove one and make another is two changes, or three where one was removed before.
            match act {
                Act::Remove => states = vec![(None, state)],
                _ if now > is_noted => states.push((Some(()), state)),
                _ => prop_assert_eq!(place.state(), state, "{:?} is noted", act),
            }
        }
        while let Some((single, state)) = states.pop() {
            let undo = || Database::undo(&place.path, None, &one_thread());
            undo().unwrap().unwrap();
            if single.is_none() {
                undo().unwrap().unwrap();
            }
            prop_assert_eq!(place.state(), state);
        }
    }
}

#[test]
fn nothing_is_undone_that_was_changed_by_other_means() {
    for sql in [
        "UPDATE prepared_move SET san = 'Nf3' WHERE san = 'e4'",
        "DELETE FROM prepared_move WHERE san = 'e4'",
        "UPDATE repertoire_change SET rows = x'00'",
        "UPDATE repertoire_change SET rows = substr(rows, 1, length(rows) - 1)",
    ] {
        let place = Place::new();
        place.prepare(&["1. d4 d5"]);
        place.prepare(&["1. e4 e5"]);
        Connection::open(&place.path).unwrap().execute_batch(sql).unwrap();
        let before = std::fs::read(&place.path).unwrap();
        let error = Database::undo(&place.path, None, &one_thread()).unwrap_err().to_string();
        assert!(error.contains("by other means") || error.contains("damaged"), "{sql}: {error}");
        assert!(std::fs::read(&place.path).unwrap() == before, "{sql}");
    }
}

#[test]
fn edits_outlive_the_source_that_they_change() {
    let chapter = |pgn: &str| {
        let mut book = Book::new(Color::White, BookRule::default());
        let chapter = book.add_chapter(&Game::from_bytes(pgn.as_bytes()));
        assert_eq!(chapter.faults, []);
        PreparedSource::of_book("study", book)
    };
    let at = |line: &str| {
        let mut book = Book::new(Color::White, BookRule::default());
        let end = book.prepare(line).unwrap();
        let before = book.ids().find(|id| book.node(*id).edges.iter().any(|edge| edge.to == end));
        let node = book.node(before.unwrap());
        (node.key, node.edges[0].uci)
    };
    let mut preparation = Preparation::default();
    let first = "1. e4 e5 (1... c5 {sharp}) (1... c6 2. d4) (1... g6) 2. Nf3 *";
    preparation.replace(chapter(first));
    for (line, kind) in [
        ("1. e4 c5", EditKind::Main),
        ("1. e4 c5", EditKind::Comment("best".to_owned())),
        ("1. e4 c6", EditKind::Cut),
        ("1. e4 g6", EditKind::Glyph(6)),
        ("1. e4 e5 2. Nf3", EditKind::Comment("main".to_owned())),
    ] {
        let (key, uci) = at(line);
        assert!(preparation.edit(&key, uci, kind), "{line}");
    }
    let edited = preparation.to_pgn("r");
    // The same again: nothing is to be said.
    preparation.replace(chapter(first));
    let [cut] = &preparation.edit_again()[..] else { panic!("only the cut is said") };
    assert_eq!((&cut.edit.kind, cut.now.as_deref()), (&EditKind::Cut, Some("")));
    assert_eq!(preparation.to_pgn("r"), edited);
    assert_eq!(preparation.edit_again(), [], "they are done already");
    // Another comment and another main move; one move is gone, and one comes again.
    preparation.replace(chapter("1. e4 d5 (1... c5 {calm}) (1... c6 2. Nc3) (1... g6) *"));
    let conflicts: Vec<(String, Option<String>)> = preparation
        .edit_again()
        .into_iter()
        .map(|conflict| (conflict.edit.uci.to_string(), conflict.now))
        .collect();
    let expected = [
        ("c7c5".to_owned(), Some("d7d5".to_owned())),
        ("c7c5".to_owned(), Some("calm".to_owned())),
        ("c7c6".to_owned(), Some(String::new())),
        ("g1f3".to_owned(), None),
    ];
    assert_eq!(conflicts, expected);
    let pgn = preparation.to_pgn("r");
    assert!(pgn.contains("1. e4 c5 {best} (1... d5) (1... g6 $6) *"), "{pgn}");
    assert_eq!(preparation.edits().len(), 4);
    // What is put again is no longer cut.
    let mut book = Book::new(Color::White, BookRule::default());
    book.prepare("1. e4 c6").unwrap();
    assert_eq!(preparation.put("edit", book), 1);
    preparation.edit_again();
    let (key, uci) = at("1. e4 c6");
    assert!(preparation.prepares(&key, uci));
}
