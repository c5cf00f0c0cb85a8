//! What was played, against the obvious count and the explorer.

use super::*;
use crate::collection::KeptGame;
use crate::collection::{PositionQuery, Score};
use crate::repertoire::plain::{PlainCount, count_plainly};
use crate::repertoire::{GameFacts, Tally};
use crate::{select::GameResult, store::Explorer};

/// The contents of a position, without the example games, which depend on the order in which games
/// were added.
type Facts = (Tally, BTreeMap<UciMove, Tally>);

fn node_facts(node: &Node) -> Facts {
    let moves = node.edges.iter().filter(|edge| edge.played.games > 0);
    let moves = moves.map(|edge| (edge.uci, edge.played.without_examples()));
    (node.tally.without_examples(), moves.collect())
}

fn book_facts(book: &Book) -> BTreeMap<PositionKey, Facts> {
    let nodes = book.ids().map(|id| book.node(id)).filter(|node| node.tally.games > 0);
    nodes.map(|node| (node.key, node_facts(node))).collect()
}

/// What games that differ have, counted in the obvious way.
fn plain_counts(games: &[String]) -> BTreeMap<PositionKey, PlainCount> {
    let mut read = Vec::new();
    for game in games {
        let kept = KeptGame::of_pgn(game, MAX_PLY as usize);
        let facts = GameFacts::of(&kept, None, Color::White);
        read.push((Game::from_bytes(game.as_bytes()), facts));
    }
    count_plainly(&read, MAX_PLY as usize)
}

/// The same facts, from games that differ, counted in the obvious way.
fn plain_facts(games: &[String]) -> BTreeMap<PositionKey, Facts> {
    let facts = plain_counts(games).into_iter().map(|(key, count)| {
        let moves = count.moves.into_iter().map(|(m, tally)| (m, tally.without_examples()));
        (key, (count.tally.without_examples(), moves.collect()))
    });
    facts.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_stored_repertoire_has_the_counts_of_its_games(games in games(), cut in 0..12_usize) {
        let place = Place::new();
        let cut = cut.min(games.len());
        // The first ones, then all: known games change nothing.
        place.build(&games[..cut]);
        let report = place.build(&games);
        prop_assert_eq!((report.added, report.known), ((games.len() - cut) as u64, cut as u64));
        let book = place.book();
        prop_assert_eq!(book_facts(&book), plain_facts(&games));
        // Each position alone is what it is in the whole book.
        for id in book.ids().filter(|id| book.node(*id).tally.games > 0) {
            let node = book.node(id);
            let alone = place.open().book_at("r", &node.key, BookRule::USUAL, &one_thread()).unwrap();
            let found = alone.node(alone.find(&node.key).unwrap());
            prop_assert_eq!(node_facts(found), node_facts(node));
        }
    }

    #[test]
    fn it_is_one_repertoire_in_whatever_order_it_was_made(games in games(), cut in 0..12_usize) {
        let lines = ["1. e4 e5 2. Nf3 Nc6 3. d4", "1. d4 d5 2. e4", "1. e4 e5 2. Nc3 Nf6 3. Nf3 Nc6"];
        let cut = cut.min(games.len());
        let (first, second) = (Place::new(), Place::new());
        first.build(&games);
        first.prepare(&lines);
        second.build(&games[cut..]);
        second.prepare(&lines[..1]);
        second.build(&games[..cut]);
        second.prepare(&lines);
        let (a, b) = (first.book(), second.book());
        prop_assert_eq!(book_facts(&a), book_facts(&b));
        prop_assert_eq!(book_facts(&a), plain_facts(&games));
        prop_assert_eq!(a.differences(&b), []);
    }

    /// Of whole games with results that come to no position twice: there the explorer takes the
    /// last visit only.
    #[test]
    fn counts_are_those_of_the_explorer(games in games()) {
        let mut reader = KeptGameReader::new(Selection::default());
        let mut is_simple = |game: &String| {
            let kept = reader.read(&Game::from_bytes(game.as_bytes())).unwrap();
            let mut keys = Vec::new();
            kept.walk(40, |key, _| keys.push(*key));
            let plies = keys.len();
            keys.sort();
            keys.dedup();
            let is_whole = kept.codes().len() <= MAX_PLY as usize;
            is_whole && keys.len() == plies && kept.result() != GameResult::Unknown
        };
        let games: Vec<String> = games.into_iter().filter(|game| is_simple(game)).collect();
        let place = Place::new();
        place.build(&games);
        collect(&place.path, games.join("\n").as_bytes());
        assert_explored(&place, &place.book(), Selection::default());
    }

    #[test]
    fn merging_is_building_from_both(games in games(), cuts in (0..12_usize, 0..12_usize)) {
        let [a, b] = [cuts.0.min(games.len()), cuts.1.min(games.len())];
        let place = Place::new();
        place.build(&games[..a]);
        Database::rename(&place.path, Kind::Repertoire, "r", "other", 0).unwrap();
        place.build(&games[b..]);
        place.prepare(&["1. e4 e5 2. Nf3"]);
        Database::merge_repertoires(&place.path, "other", "r", 0, &one_thread()).unwrap();
        let merged = place.open().book("other", Counted::All, &one_thread()).unwrap();
        let mut both = games[..a].to_vec();
        both.extend_from_slice(&games[b.max(a)..]);
        prop_assert_eq!(book_facts(&merged), plain_facts(&both));
        prop_assert_eq!(merged.moves(merged.roots()[0]).len(), 1);
        Database::remove(&place.path, &[(Kind::Repertoire, "r".to_owned())], 0).unwrap();
        let left = place.open();
        prop_assert_eq!(left.repertoires().unwrap().len(), 1);
        prop_assert_eq!(left.book("other", Counted::All, &one_thread()).unwrap(), merged);
    }
}

/// What the games of a player with White have played everywhere, by the repertoire and by the
/// explorer of a collection with the same games and others.
fn assert_explored(place: &Place, book: &Book, selection: Selection) {
    let explorer = Explorer::open(&place.path, &["all".to_owned()]).unwrap();
    let query = PositionQuery { selection, reached: false, ..PositionQuery::default() };
    for id in book.ids().filter(|id| book.node(*id).tally.games > 0) {
        let node = book.node(id);
        let stats = explorer.query(&node.key, &query).unwrap();
        let explored = stats.moves.iter().map(|m| {
            let Score { white, draws, black, .. } = m.score;
            (m.uci, [white, draws, black].map(|games| games as u32))
        });
        let played = node.edges.iter().filter(|edge| edge.played.games > 0);
        let counted = played.map(|edge| {
            let Tally { games, wins, draws, losses, .. } = *edge.played;
            assert_eq!(games, wins + draws + losses);
            (edge.uci, [wins, draws, losses])
        });
        let (explored, counted): (BTreeMap<_, _>, BTreeMap<_, _>) =
            (explored.collect(), counted.collect());
        assert_eq!(counted, explored, "in {}", node.key);
    }
}

#[test]
fn a_repertoire_is_a_view_of_a_collection_and_a_selection() {
    let place = Place::new();
    let pgn = include_bytes!("../../../../data/games/club.pgn");
    let player = "Novak, Ana".to_owned();
    let settings = RepertoireSettings {
        color: Some(Color::White),
        max_ply: Some(300),
        players: vec![player],
        ..RepertoireSettings::default()
    };
    let mut build = RepertoireBuild::begin(&place.path, "r", &settings, &one_thread()).unwrap();
    build.add_pgn(&pgn[..], &Selection::default(), &Options::default()).unwrap();
    assert_eq!(build.finish(0).unwrap().added, 16);
    collect(&place.path, pgn);
    let database = place.open();
    // The games of the repertoire are no collection to others.
    assert_eq!(database.collections().unwrap().len(), 1);
    let own = database.repertoire("r").unwrap().own_games(&Selection::default());
    assert_explored(&place, &place.book(), own);
}
