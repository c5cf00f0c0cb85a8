//! Moves of the opponent that a book has no answer to, and how likely a game meets them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
};

use super::move_counts::MoveCounts;
use crate::{
    chess::{Board, EnPassantMode, Position, PositionKey, UciMove},
    repertoire::{
        book::{Book, BookLine, NodeId, ShortestLines},
        games::Tally,
    },
};

/// The games that the frequencies of the opponents' moves are from.
#[derive(Debug, Clone, Copy)]
pub enum Frequencies<'f> {
    /// Those of the repertoire.
    Own,
    /// Others.
    Reference(&'f MoveCounts),
}

/// A position that the book has no answer to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Gap {
    /// The position.
    pub key: PositionKey,
    /// How likely a game meets it, from 0 to 1.
    pub probability: f64,
    /// The most probable line to it. Its last move is the opponent's; it has none where a book has
    /// no move in the position it begins with.
    pub line: BookLine,
    /// The games with the moves that lead to it, in those that the frequencies are from.
    pub tally: Tally,
}

/// The gaps of a book, up to a depth.
///
/// # The model
///
/// A game starts in the initial position, if lines of the book begin there, or in another position
/// with which they begin and which no line leads to from the initial one: in each as often as games
/// have it, one game more added to each, so that none is left out. Ply by ply it continues:
///
/// * The player follows the book. Of several own moves each is played as often as it was in the
///   repertoire's own games; if none of them ever was, all alike.
/// * The opponent plays what was played there before, in the book or not, as often as it was: in
///   the repertoire's own games, or in those of a reference ([`Frequencies`]). Where nothing was
///   played, he plays the moves that the book has for him, all alike. Games that ended in a
///   position say nothing about it.
///
/// A *gap* is a position in which it is the player's turn, and the book has no move. Its
/// probability is that of reaching it, by any move order and at any ply. A position in which the
/// game is over is not a gap. Where neither games nor book know a move of the opponent, the line
/// ends, and is covered.
///
/// *Coverage* is the probability that a game meets no gap up to a given ply.
#[derive(Debug, Clone, PartialEq)]
pub struct Gaps {
    /// The gaps, the most probable first.
    pub gaps: Vec<Gap>,
    /// The probability that a game meets none of them; 0 if the book is empty.
    pub coverage: f64,
    /// The ply up to which gaps were searched.
    pub depth: usize,
}

impl Gap {
    /// The average number of games until one meets it.
    #[must_use]
    pub fn one_in(&self) -> f64 {
        1.0 / self.probability
    }
}

impl Gaps {
    /// The gaps of a book.
    ///
    /// ```
    /// use eco::{chess::Color, repertoire::{Book, BookRule, Frequencies, Gaps}};
    ///
    /// let mut book = Book::new(Color::White, BookRule::default());
    /// book.prepare("1. e4 e5 2. Nf3")?;
    /// book.prepare("1. e4 c5")?;
    /// let found = Gaps::of(&book, Frequencies::Own, 20);
    /// assert_eq!(found.coverage, 0.5);
    /// assert_eq!(found.gaps[0].line.movetext(&book).unwrap(), "1. e4 c5");
    /// # Ok::<(), eco::pgn::TypedError>(())
    /// ```
    #[must_use]
    pub fn of(book: &Book, frequencies: Frequencies<'_>, depth: usize) -> Self {
        let mut flow = Flow { book, frequencies, layers: Vec::new(), open: BTreeMap::new() };
        flow.start();
        for _ in 0..depth {
            flow.step();
        }
        let gaps = flow.into_gaps();
        let missed: f64 = gaps.iter().map(|gap| gap.probability).sum();
        let coverage =
            if book.starts().next().is_none() { 0.0 } else { (1.0 - missed).clamp(0.0, 1.0) };
        Self { gaps, coverage, depth }
    }
}

/// The probability that games are in a position at a ply.
#[derive(Debug, Clone, Copy)]
struct Mass {
    sum: f64,
    /// The most probable single line, and its last step.
    best: f64,
    last: Option<(NodeId, UciMove)>,
}

impl Mass {
    /// The part that continues with a move of this share.
    fn after(&self, share: f64, last: (NodeId, UciMove)) -> Self {
        Self { sum: self.sum * share, best: self.best * share, last: Some(last) }
    }

    fn add(&mut self, other: &Self) {
        self.sum += other.sum;
        if other.best > self.best {
            (self.best, self.last) = (other.best, other.last);
        }
    }
}

/// The games that have arrived at a gap.
struct Arrivals {
    mass: Mass,
    /// The ply at which the most probable line arrives.
    ply: usize,
    moves: BTreeSet<(NodeId, UciMove)>,
}

/// Games in progress through a book, ply by ply. Each ply has its own layer, so the same position
/// after 4 and after 6 plies is two, and repetitions end with the depth.
struct Flow<'f> {
    book: &'f Book,
    frequencies: Frequencies<'f>,
    layers: Vec<BTreeMap<NodeId, Mass>>,
    open: BTreeMap<PositionKey, Arrivals>,
}

impl Flow<'_> {
    fn start(&mut self) {
        let mut roots: Vec<NodeId> = self.book.starts().collect();
        if roots.len() > 1 {
            roots = ShortestLines::of(self.book).starts().collect();
            // Of games that begin elsewhere, those alone that lines are prepared for.
            let is_initial = |id: &NodeId| self.book.node(*id).key == *Board::default().key();
            if !self.book.has_prepared() && roots.first().is_some_and(is_initial) {
                roots.truncate(1);
            }
        }
        let weights: Vec<f64> = roots.iter().map(|id| 1.0 + self.games(*id) as f64).collect();
        let all: f64 = weights.iter().sum();
        self.layers.push(BTreeMap::new());
        for (id, weight) in roots.iter().zip(weights) {
            let sum = weight / all;
            let mass = Mass { sum, best: sum, last: None };
            self.arrive(Some(*id), &self.book.node(*id).key, mass, 0);
        }
    }

    /// The games that have a position, in those that the frequencies are from.
    fn games(&self, id: NodeId) -> u64 {
        match self.frequencies {
            Frequencies::Own => self.book.node(id).tally.games.into(),
            Frequencies::Reference(counts) => {
                counts.moves(id).map(|(_, tally)| u64::from(tally.games)).sum()
            }
        }
    }

    /// Plays one ply.
    fn step(&mut self) {
        let ply = self.layers.len();
        let Some(layer) = self.layers.last().cloned() else { return };
        self.layers.push(BTreeMap::new());
        for (id, mass) in layer {
            for (uci, share) in self.shares(id) {
                let (to, key) = self.destination(id, uci);
                self.arrive(to, &key, mass.after(share, (id, uci)), ply);
            }
        }
    }

    /// The moves that are played in a position, and their shares.
    fn shares(&self, id: NodeId) -> Vec<(UciMove, f64)> {
        let book = self.book.moves(id);
        let own = book.iter().map(|edge| (edge.uci, edge.played.games));
        if self.book.is_own_turn(id) {
            return shared(own.collect());
        }
        let played: Vec<(UciMove, u32)> = match self.frequencies {
            Frequencies::Own => {
                let edges = self.book.node(id).edges.iter();
                edges.map(|edge| (edge.uci, edge.played.games)).collect()
            }
            Frequencies::Reference(counts) => {
                counts.moves(id).map(|(uci, tally)| (uci, tally.games)).collect()
            }
        };
        let is_known = played.iter().any(|(_, games)| *games > 0);
        shared(if is_known { played } else { own.map(|(uci, _)| (uci, 0)).collect() })
    }

    /// Where a move leads: to a position that the book may have.
    fn destination(&self, from: NodeId, uci: UciMove) -> (Option<NodeId>, PositionKey) {
        let node = self.book.node(from);
        if let Some(edge) = node.edge(uci) {
            return (Some(edge.to), self.book.node(edge.to).key);
        }
        let mut after = node.key.to_position().expect("games have it");
        after.play_unchecked(uci.to_move(&after).expect("it was played"));
        let key = PositionKey::from_position(&after, EnPassantMode::Legal);
        (self.book.find(&key), key)
    }

    fn arrive(&mut self, to: Option<NodeId>, key: &PositionKey, mass: Mass, ply: usize) {
        let goes_on = |id: &NodeId| !self.book.is_own_turn(*id) || self.book.has_moves(*id);
        if let Some(id) = to.filter(goes_on) {
            let layer = self.layers.last_mut().expect("there is one from the start on");
            layer.entry(id).and_modify(|there| there.add(&mass)).or_insert(mass);
        } else if !is_over(key) {
            self.arrive_at_gap(key, mass, ply);
        }
    }

    fn arrive_at_gap(&mut self, key: &PositionKey, mass: Mass, ply: usize) {
        let arrivals = match self.open.entry(*key) {
            Entry::Vacant(entry) => entry.insert(Arrivals { mass, ply, moves: BTreeSet::new() }),
            Entry::Occupied(entry) => {
                let arrivals = entry.into_mut();
                if mass.best > arrivals.mass.best {
                    arrivals.ply = ply;
                }
                arrivals.mass.add(&mass);
                arrivals
            }
        };
        arrivals.moves.extend(mass.last);
    }

    fn into_gaps(self) -> Vec<Gap> {
        let gap = |(key, arrivals): (&PositionKey, &Arrivals)| Gap {
            key: *key,
            probability: arrivals.mass.sum,
            line: self.line_to(*key, arrivals),
            tally: self.tally(arrivals),
        };
        let mut gaps: Vec<Gap> =
            self.open.iter().filter(|(_, a)| a.mass.sum > 0.0).map(gap).collect();
        gaps.sort_by(|a, b| {
            let rest = |gap: &Gap| (Reverse(gap.tally.games), gap.line.moves.len(), gap.key);
            b.probability.total_cmp(&a.probability).then_with(|| rest(a).cmp(&rest(b)))
        });
        gaps
    }

    /// The most probable line, from its end.
    fn line_to(&self, key: PositionKey, arrivals: &Arrivals) -> BookLine {
        let mut moves = Vec::new();
        let mut root = self.book.find(&key);
        let (mut last, mut ply) = (arrivals.mass.last, arrivals.ply);
        while let Some((before, uci)) = last {
            moves.push(uci);
            ply -= 1;
            root = Some(before);
            last = self.layers[ply][&before].last;
        }
        moves.reverse();
        BookLine { root: root.expect("a line begins in the book"), moves }
    }

    fn tally(&self, arrivals: &Arrivals) -> Tally {
        let mut sum = Tally::default();
        for (from, uci) in &arrivals.moves {
            match self.frequencies {
                Frequencies::Own => {
                    let edges = self.book.node(*from).edges.iter();
                    edges.filter(|edge| edge.uci == *uci).for_each(|edge| sum.merge(&edge.played));
                }
                Frequencies::Reference(counts) => counts
                    .moves(*from)
                    .filter(|(played, _)| played == uci)
                    .for_each(|(_, tally)| sum.merge(tally)),
            }
        }
        sum
    }
}

/// Moves with their shares of all games, or with equal ones if there are no games.
fn shared(moves: Vec<(UciMove, u32)>) -> Vec<(UciMove, f64)> {
    let games: f64 = moves.iter().map(|(_, games)| f64::from(*games)).sum();
    let equal = 1.0 / moves.len() as f64;
    let share = |n: u32| if games > 0.0 { f64::from(n) / games } else { equal };
    let shares = moves.into_iter().map(|(uci, n)| (uci, share(n)));
    shares.filter(|(_, share)| *share > 0.0).collect()
}

/// Whether nothing can be played any more.
fn is_over(key: &PositionKey) -> bool {
    key.to_position().is_ok_and(|position| position.legal_moves().is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        chess::{Chess, Color},
        pgn::Game,
        repertoire::{BookRule, GameReader, PlayedGame},
        select::Selection,
    };

    fn games(lines: &[&str]) -> Vec<PlayedGame> {
        let mut reader = GameReader::new(Selection::default(), 40);
        lines.iter().for_each(|line| reader.read(&Game::from_bytes(line.as_bytes())));
        reader.into_batch().games
    }

    fn prepared(lines: &[&str]) -> Book {
        let mut book = Book::new(Color::White, BookRule::default());
        for line in lines {
            book.prepare(line).unwrap();
        }
        book
    }

    /// Lets the book know games as its own.
    fn play(book: &mut Book, lines: &[&str]) {
        for game in games(lines) {
            let mut last: Option<(NodeId, Option<UciMove>)> = None;
            game.walk(usize::MAX, |key, uci| {
                let id = book.add_position(key);
                book.node_mut(id).tally.add(&game.facts(None, Color::White));
                if let Some((from, Some(uci))) = last {
                    let known = book.node(from).edge(uci).map(|edge| edge.played);
                    let mut played = known.unwrap_or_default();
                    played.add(&game.facts(None, Color::White));
                    book.set_played(from, uci, id, played);
                }
                last = Some((id, uci));
            });
        }
    }

    fn rows(book: &Book, gaps: &Gaps) -> Vec<(String, f64, u32)> {
        let line = |gap: &Gap| gap.line.movetext(book).unwrap();
        let round = |p: f64| (p * 1e6).round() / 1e6;
        gaps.gaps.iter().map(|gap| (line(gap), round(gap.probability), gap.tally.games)).collect()
    }

    fn row(line: &str, probability: f64, games: u32) -> (String, f64, u32) {
        (line.to_owned(), probability, games)
    }

    #[test]
    fn without_games_all_moves_are_alike() {
        let book = prepared(&["1. e4 e5 2. Nf3 Nc6", "1. e4 c5 2. Nf3", "1. e4 e6", "1. e4 c6"]);
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        let expected = [
            row("1. e4 e6", 0.25, 0),
            row("1. e4 c6", 0.25, 0),
            row("1. e4 e5 2. Nf3 Nc6", 0.25, 0),
        ];
        assert_eq!(rows(&book, &gaps), expected);
        assert_eq!(gaps.coverage, 0.25);
        assert_eq!(Gaps::of(&book, Frequencies::Own, 2).coverage, 0.5);
        assert_eq!(Gaps::of(&book, Frequencies::Own, 1).coverage, 1.0);
    }

    #[test]
    fn probability_is_summed_over_all_orders_of_moves() {
        // 1. c4 and 1. d4 are played alike; each meets ... e6 and ... Nf6, which then come
        //    together.
        let mut book =
            prepared(&["1. d4 e6 2. c4", "1. d4 Nf6 2. c4", "1. c4 e6 2. d4", "1. c4 d5"]);
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        assert_eq!(rows(&book, &gaps), [row("1. c4 d5", 0.25, 0)]);
        play(&mut book, &["1. d4 e6 2. c4 Nf6", "1. d4 Nf6 2. c4 e6", "1. c4 e6 2. d4 Nf6"]);
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        // All games come to one position, by three lines.
        assert_eq!(rows(&book, &gaps), [row("1. d4 e6 2. c4 Nf6", 1.0, 3)]);
        assert_eq!(gaps.coverage, 0.0);
    }

    #[test]
    fn moves_that_are_not_in_the_book_are_met_as_often_as_they_are_played() {
        let mut book = prepared(&["1. e4 e5 2. Nf3", "1. e4 c5 2. Nf3"]);
        let own = ["1. e4 e5", "1. e4 e5", "1. e4 c5", "1. e4 a6 0-1"];
        play(&mut book, &own);
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        assert_eq!(rows(&book, &gaps), [row("1. e4 a6", 0.25, 1)]);
        assert_eq!((gaps.coverage, gaps.gaps[0].one_in()), (0.75, 4.0));
        assert_eq!(gaps.gaps[0].tally.losses, 1);
        let others = ["1. e4 h5", "1. e4 h5", "1. e4 h5", "1. d4 d5", "1. e4 c5 2. Nf3 d6"];
        let counts = MoveCounts::of(&book, &games(&others));
        let gaps = Gaps::of(&book, Frequencies::Reference(&counts), 20);
        assert_eq!(
            rows(&book, &gaps),
            [row("1. e4 h5", 0.75, 3), row("1. e4 c5 2. Nf3 d6", 0.25, 1)]
        );
    }

    #[test]
    fn a_position_in_which_the_game_is_over_is_no_gap() {
        let book = prepared(&["1. f3 e5 2. g4 Qh4#", "1. f3 d5"]);
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        assert_eq!(rows(&book, &gaps), [row("1. f3 d5", 0.5, 0)]);
    }

    #[test]
    fn chapters_from_a_position_have_gaps_too() {
        let mut book = prepared(&["1. e4 e5 2. Nf3"]);
        let pgn = "[FEN \"rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2\"]\n\n\
                   2... c6 (2... e6 3. Nc3) 3. Nf3 *";
        book.add_chapter(&Game::from_bytes(pgn.as_bytes()));
        let pgn = pgn.replace("2... c6 (2... e6 3. Nc3)", "2... dxc4").replace(" 3. Nf3", "");
        book.add_chapter(&Game::from_bytes(pgn.as_bytes()));
        // Half of the games begin with the chapter, as nothing is known of games.
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        assert_eq!(rows(&book, &gaps), [row("2... dxc4", 0.166667, 0)]);
        // One game in three goes to the chapter.
        play(&mut book, &["1. d4 d5 2. c4 dxc4", "1. e4 e5 2. Nf3"]);
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        assert_eq!(rows(&book, &gaps), [row("2... dxc4", 0.4, 1)]);
    }

    #[test]
    fn a_book_without_lines_covers_nothing() {
        let mut book = Book::new(Color::White, BookRule::default());
        assert_eq!(Gaps::of(&book, Frequencies::Own, 20).coverage, 0.0);
        book.add_root(&PositionKey::from_position(&Chess::default(), EnPassantMode::Legal));
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        assert_eq!((rows(&book, &gaps), gaps.coverage), (vec![row("", 1.0, 0)], 0.0));
    }

    /// The obvious implementation: every line by itself.
    fn missed_plainly(book: &Book, id: NodeId, depth: usize) -> f64 {
        let moves = book.moves(id);
        if book.is_own_turn(id) && moves.is_empty() {
            return if is_over(&book.node(id).key) { 0.0 } else { 1.0 };
        }
        let edges: Vec<_> = book.node(id).edges.iter().collect();
        let is_played = edges.iter().any(|edge| edge.played.games > 0);
        let choice = if book.is_own_turn(id) || !is_played { moves } else { edges };
        let all: u32 = choice.iter().map(|edge| edge.played.games).sum();
        if depth == 0 {
            return 0.0;
        }
        let share = |n: u32| match all {
            0 => 1.0 / choice.len() as f64,
            all => f64::from(n) / f64::from(all),
        };
        let missed = |to| missed_plainly(book, to, depth - 1);
        choice.iter().map(|edge| share(edge.played.games) * missed(edge.to)).sum()
    }

    const WORDS: [&str; 10] = ["Nf3", "Nf6", "Ng1", "Ng8", "d4", "d5", "c4", "e6", "Nc3", "Bb4"];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn gaps_and_coverage_are_those_of_the_obvious_implementation(
            lines in prop::collection::vec(prop::collection::vec(prop::sample::select(WORDS.to_vec()), 1..9), 1..8),
            own in prop::collection::vec(prop::collection::vec(prop::sample::select(WORDS.to_vec()), 1..9), 0..8),
            depth in 0..8_usize,
        ) {
            let mut book = Book::new(Color::White, BookRule::default());
            book.add_root(&PositionKey::from_position(&Chess::default(), EnPassantMode::Legal));
            for line in &lines {
                // An illegal move ends the line.
                let mut starts = (1..=line.len()).map(|end| line[..end].join(" "));
                while starts.next().is_some_and(|start| book.prepare(&start).is_ok()) {}
            }
            let own: Vec<String> = own.iter().map(|line| line.join(" ")).collect();
            play(&mut book, &own.iter().map(String::as_str).collect::<Vec<_>>());
            let gaps = Gaps::of(&book, Frequencies::Own, depth);
            let plainly = missed_plainly(&book, book.roots()[0], depth);
            let sum: f64 = gaps.gaps.iter().map(|gap| gap.probability).sum();
            prop_assert!((sum - plainly).abs() < 1e-9, "{sum} and {plainly}");
            prop_assert!((gaps.coverage + sum - 1.0).abs() < 1e-9);
            for gap in &gaps.gaps {
                prop_assert!(gap.line.movetext(&book).is_some());
                prop_assert!(gap.line.moves.len() <= depth);
            }
        }
    }
}
