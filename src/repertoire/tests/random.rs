//! Random books, for tests of what goes out and comes back.

use proptest::prelude::*;

use crate::chess::{Chess, Color, Fen, Position, PositionKey, UciMove};
use crate::repertoire::{Book, BookRule, NodeId, Note, Prepared, ShortestLines, Tally};

/// Positions with much castling and en passant, some of it by pinned pawns.
const ROOTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/5p2/8/K3P2r/8/8/8/3k4 b - - 0 1",
];

/// A book of lines that begin with the root, each a list of choices among the legal moves.
fn book_of(root: &str, color: Color, lines: &[Vec<u8>]) -> Book {
    let mut book = Book::new(color, BookRule::default());
    let start: Fen = root.parse().unwrap();
    let id = book.add_root(&PositionKey::from(&start.to_position().unwrap()));
    for line in lines {
        let (mut at, mut position) = (id, root_of(&book));
        for choice in line {
            let legal = position.legal_moves();
            let Some(m) = legal.get(usize::from(*choice) % legal.len().max(1)) else { break };
            at = book.prepare_move(at, &position, *m);
            position.play_unchecked(*m);
        }
    }
    book
}

/// Prepared lines from one position.
pub(in crate::repertoire) fn lines() -> impl Strategy<Value = Book> {
    let root = prop::sample::select(ROOTS.to_vec());
    let color = prop::sample::select(vec![Color::White, Color::Black]);
    let lines = prop::collection::vec(prop::collection::vec(0..40_u8, 0..9), 0..9);
    (root, color, lines).prop_map(|(root, color, lines)| book_of(root, color, &lines))
}

/// Prepared lines with notes and counts.
pub(in crate::repertoire) fn book() -> impl Strategy<Value = Book> {
    let comment = prop::sample::select(vec!["", "good", "a \"quote\"; <b>, {brace}", "ü\u{0}\n\t"]);
    let note = (0..3_u8, prop::collection::vec(any::<u8>(), 0..3), comment);
    let notes = prop::collection::vec((any::<prop::sample::Index>(), note), 0..20);
    let counts = prop::collection::vec((any::<prop::sample::Index>(), 0..9_u32), 0..20);
    (lines(), notes, counts).prop_map(|(mut book, notes, counts)| {
        let ids: Vec<NodeId> = book.ids().collect();
        for (at, (source, nags, comment)) in notes {
            let note =
                Note { source: format!("chapter {source}"), nags, comment: comment.to_owned() };
            let node = book.node_mut(ids[at.index(ids.len())]);
            match node.edges.first_mut().and_then(|edge| edge.prepared.as_mut()) {
                Some(prepared) if source > 0 => prepared.notes.push(note),
                _ => node.notes.push(note),
            }
        }
        for (at, games) in counts {
            let node = book.node_mut(ids[at.index(ids.len())]);
            let tally = Tally {
                games: 2 * games,
                wins: games,
                draws: games / 2,
                rated: games,
                rated_half_points: games,
                rating_sum: u64::from(games) * 1999,
                first: "2020-01".parse().ok().filter(|_| games > 0),
                ..Tally::default()
            };
            node.tally = tally.into();
            if let Some(edge) = node.edges.first_mut() {
                edge.played = tally.into();
            }
        }
        book
    })
}

/// Where lines begin.
pub(in crate::repertoire) fn root_of(book: &Book) -> Chess {
    book.node(book.roots()[0]).key.to_position().unwrap()
}

/// The moves of a position.
pub(in crate::repertoire) fn moves(book: &Book, id: NodeId) -> Vec<UciMove> {
    book.moves(id).iter().map(|edge| edge.uci).collect()
}

type Contents = (PositionKey, Tally, Vec<Note>, Vec<(UciMove, Tally, Option<Prepared>)>);

/// The full contents of the positions that the moves of a book reach.
pub(in crate::repertoire) fn contents(book: &Book) -> Vec<Contents> {
    let lines = ShortestLines::of(book);
    let contents = lines.reached.iter().map(|id| {
        let node = book.node(*id);
        let moves = book.moves(*id).into_iter();
        let moves = moves.map(|edge| (edge.uci, *edge.played, edge.prepared.clone()));
        (node.key, *node.tally, node.notes.clone(), moves.collect())
    });
    contents.collect()
}
