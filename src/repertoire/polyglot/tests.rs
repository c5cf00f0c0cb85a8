//! Polyglot's published keys, and books that survive a round trip.

use proptest::prelude::*;

use super::*;
use crate::chess::{
    Chess, Color, EnPassantMode, Fen, Position, PositionKey, polyglot_hash, read_move,
};
use crate::repertoire::tests::random::{self, moves, root_of};
use crate::repertoire::{Book, BookRule, Extract, ExtractOptions, MovesOf, NodeId};

fn play(position: &Chess, words: &str) -> Chess {
    let mut position = position.clone();
    for word in words.split_whitespace() {
        let m = read_move(&position, word.as_bytes()).unwrap();
        position.play_unchecked(m);
    }
    position
}

#[test]
fn keys_are_the_published_ones() {
    for (line, key) in [
        ("", 0x463b_9618_1691_fc9c_u64),
        ("e4", 0x823c_9b50_fd11_4196),
        ("e4 d5", 0x0756_b944_61c5_0fb0),
        ("e4 d5 e5", 0x662f_afb9_65db_29d4),
        ("e4 d5 e5 f5", 0x22a4_8b5a_8e47_ff78),
        ("e4 d5 e5 f5 Ke2", 0x652a_607c_a3f2_42c1),
        ("e4 d5 e5 f5 Ke2 Kf7", 0x00fd_d303_c946_bdd9),
        ("a4 b5 h4 b4 c4", 0x3c81_23ea_7b06_7637),
        ("a4 b5 h4 b4 c4 bxc3 Ra3", 0x5c3f_9b82_9b27_9560),
    ] {
        assert_eq!(hash_of(&play(&Chess::default(), line)), key, "after {line:?}");
    }
}

#[test]
fn moves_are_written_as_the_format_has_them() {
    for (fen, word, bits) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", 4 << 6 | 7),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O", 4 << 6),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "O-O", 60 << 6 | 63),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "O-O-O", 60 << 6 | 56),
        ("k7/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=N", 1 << 12 | 52 << 6 | 60),
        ("k7/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=Q", 4 << 12 | 52 << 6 | 60),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 36 << 6 | 43),
    ] {
        let position = fen.parse::<Fen>().unwrap().to_position().unwrap();
        let m = read_move(&position, word.as_bytes()).unwrap();
        assert_eq!(bits_of(m), bits, "{word} in {fen}");
    }
}

#[test]
fn entries_keep_their_bytes() {
    let bytes = *b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x12\x34\0\0\0\0";
    let entry = PolyglotEntry::from_bytes(bytes);
    assert_eq!((entry.m, entry.weight), (0x031c, 0x1234));
    assert_eq!(entry.to_bytes(), bytes);
}

/// The entry of a position after a move was played this often.
fn played(book: &mut Book, from: NodeId, edge: usize, [wins, draws, losses]: [u32; 3]) {
    let tally = &mut book.node_mut(from).edges[edge].played;
    (tally.games, tally.wins, tally.draws, tally.losses) =
        (wins + draws + losses, wins, draws, losses);
}

#[test]
fn weights_are_what_the_side_to_move_has_scored() {
    for (name, color, results, weights) in [
        ("own moves", Color::White, [[3, 1, 9], [0, 0, 2]], [7, 0]),
        ("a move without games", Color::White, [[3, 1, 9], [0; 3]], [7, 1]),
        ("those of the opponent", Color::Black, [[3, 1, 9], [0, 0, 2]], [19, 4]),
        ("too many games", Color::White, [[65_535, 0, 0], [13, 1, 0]], [65_535, 13]),
        ("no games", Color::White, [[0; 3]; 2], [2, 1]),
        ("nothing scored", Color::White, [[0, 0, 4], [0, 0, 1]], [2, 1]),
    ] {
        let mut book = Book::new(color, BookRule::default());
        book.prepare("1. e4").unwrap();
        book.prepare("1. d4").unwrap();
        let root = book.roots()[0];
        (0..2).for_each(|edge| played(&mut book, root, edge, results[edge]));
        let bytes = to_polyglot(&Extract::new(&book, ExtractOptions::default(), None));
        let file = PolyglotBook::from_bytes(&bytes).unwrap();
        let found: Vec<u16> = file.entries.iter().map(|entry| entry.weight).collect();
        assert_eq!(found, weights, "{name}");
    }
}

/// After f5 the pawn cannot take, for that would lay its king bare to the rook: a hash counts it, a
/// key does not.
const PINNED: &str = "8/5p2/8/K3P2r/8/8/8/3k4 b - - 0 1";

#[test]
fn moves_are_found_under_every_hash_with_which_a_position_arises() {
    let start = PINNED.parse::<Fen>().unwrap().to_position().unwrap();
    let after = play(&start, "f5");
    assert_ne!(hash_of(&after), polyglot_hash(&after, EnPassantMode::Legal));
    let mut book = Book::new(Color::White, BookRule::default());
    let root = book.add_root(&PositionKey::from(&start));
    let f5 = read_move(&start, b"f5").unwrap();
    let at = book.prepare_move(root, &start, f5);
    book.prepare_move(at, &after, read_move(&after, b"Kb4").unwrap());
    let bytes = to_polyglot(&Extract::new(&book, ExtractOptions::default(), None));
    let file = PolyglotBook::from_bytes(&bytes).unwrap();
    let quiet = book.node(at).key.to_position().unwrap();
    assert_eq!(file.entries.len(), 3);
    assert_eq!(file.moves(&after).len(), 1);
    assert_eq!(file.moves(&after), file.moves(&quiet));
}

#[test]
fn a_file_that_is_not_quite_right_is_read_as_far_as_it_is() {
    let key = hash_of(&Chess::default());
    let entry = |key, m, weight| PolyglotEntry { key, m, weight }.to_bytes();
    let (e4, d4, a4) = (0o1434, 0o1333, 0o1030);
    let castled = play(&Chess::default(), "e4 e5 Nf3 Nf6 Be2 Be7");
    let bytes = [
        entry(u64::MAX, e4, 1),
        entry(key, e4, 3),
        entry(key, d4, 9),
        entry(key, a4, 0),
        entry(key, 0, 2),
        entry(hash_of(&castled), 0o0406, 1),
    ];
    let bytes = bytes.concat();
    assert!(!is_sorted(&bytes));
    let file = PolyglotBook::from_bytes(&bytes).unwrap();
    let reading = file.to_book(Color::White, MovesOf::Both, &[Chess::default(), castled]);
    let found = reading.book.roots().iter().map(|root| moves(&reading.book, *root));
    let found: Vec<String> = found.map(|moves| format!("{moves:?}")).collect();
    assert_eq!(found, ["[UciMove(d2d4), UciMove(e2e4)]", "[UciMove(e1g1)]"]);
    assert_eq!((reading.illegal, reading.deleted, reading.unreached), (1, 1, 1));
    let fault = PolyglotBook::from_bytes(&[0; 17]).unwrap_err();
    assert!(fault.to_string().starts_with("17 bytes"), "{fault}");
}

/// Whether the entries of a file are in the order that programs with a binary search require.
fn is_sorted(bytes: &[u8]) -> bool {
    bytes.as_chunks::<16>().0.is_sorted_by(|a, b| a[..8] <= b[..8])
}

#[test]
fn cycles_come_to_an_end() {
    let mut book = Book::new(Color::White, BookRule::default());
    book.prepare("1. Nf3 Nf6 2. Ng1 Ng8 3. e4").unwrap();
    let bytes = to_polyglot(&Extract::new(&book, ExtractOptions::default(), None));
    let file = PolyglotBook::from_bytes(&bytes).unwrap();
    let reading = file.to_book(Color::White, MovesOf::Both, &[Chess::default()]);
    assert_eq!(reading.book.len(), book.len());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_book_comes_back_from_its_file(
        book in random::lines(),
        whose in prop::sample::select(vec![MovesOf::Own, MovesOf::Both]),
    ) {
        let extract = Extract::new(&book, ExtractOptions { moves: whose, ..ExtractOptions::default() }, None);
        let bytes = to_polyglot(&extract);
        let file = PolyglotBook::from_bytes(&bytes).unwrap();
        prop_assert!(is_sorted(&bytes));
        let again = file.to_book(book.color(), whose, &[root_of(&book)]);
        prop_assert_eq!((again.illegal, again.deleted), (0, 0));
        for id in extract.positions() {
            let Some(found) = again.book.find(&book.node(id).key) else {
                prop_assert!(extract.moves(id).is_empty(), "{:?}", book.node(id).key);
                continue;
            };
            prop_assert_eq!(moves(&again.book, found), moves(&book, id));
        }
        if whose == MovesOf::Both {
            prop_assert_eq!(again.book.len(), book.len());
        }
    }

    #[test]
    fn no_bytes_are_too_bad(
        mut bytes in prop::collection::vec(any::<u8>(), 0..200),
        m in prop::collection::vec(any::<u16>(), 0..9),
    ) {
        let key = hash_of(&Chess::default());
        let entries = m.into_iter().map(|m| PolyglotEntry { key, m, weight: m });
        bytes.extend(entries.flat_map(PolyglotEntry::to_bytes));
        if let Ok(file) = PolyglotBook::from_bytes(&bytes) {
            let reading = file.to_book(Color::Black, MovesOf::Both, &[Chess::default()]);
            let edges: usize = reading.book.ids().map(|id| moves(&reading.book, id).len()).sum();
            let count = edges + reading.illegal + reading.deleted + reading.unreached;
            prop_assert!(count <= bytes.len() / ENTRY_BYTES);
        }
    }
}
