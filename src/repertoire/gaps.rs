//! Moves of the opponent that a book has no answer to, and how likely a game meets them.
//!
//! Games go through the book ply by ply; where they leave it, the probabilities of all lines add
//! up.

use std::cmp::Reverse;

use super::flow::{Arrivals, Exits, Flow};
use super::{Book, BookLine, Edge, Frequencies, Tally};
use crate::chess::PositionKey;

/// A position in which a book breaks off: after a move of the opponent that it has no answer to, or
/// at the end of a line.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Gap {
    /// The position.
    pub key: PositionKey,
    /// How likely a game leaves the book there, from 0 to 1.
    pub probability: f64,
    /// The most probable line to it. It has no moves where a book has none in the position it
    /// begins with.
    pub line: BookLine,
    /// The games with the moves that lead to it, in those that the frequencies are from.
    pub tally: Tally,
}

/// The gaps of a book, and the ends of its lines, up to a depth.
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
///   the repertoire's own games, or in those of a reference, smoothed ([`Frequencies`]). Where
///   nothing was played, he plays the moves that the book has for him, all alike. Games that ended
///   in a position say nothing about it.
///
/// A *gap* is a position in which it is the player's turn, and the book has no move, though it has
/// moves in the position before, or ends with the opponent's move itself. Its probability is that
/// of reaching it, by any move order and at any ply.
///
/// An *end* is a position in which it is the opponent's turn, and the book has no move: the line
/// was answered, and simply ends. Its probability is that of a game ending its way through the book
/// there. A game that goes on from there to another line of the book has not ended it.
///
/// Neither is a position in which the game is over, nor one that a comment marks as final with
/// `[%eco end]`, nor an end at the ply up to which gaps are searched: these are covered.
///
/// *Coverage* is the probability that a game meets no gap up to a given ply.
#[derive(Debug, Clone, PartialEq)]
pub struct Gaps {
    /// The gaps, the most probable first.
    pub gaps: Vec<Gap>,
    /// The ends of lines, the most probable first.
    pub ends: Vec<Gap>,
    /// The probability that a game meets no gap; 0 if the book is empty.
    pub coverage: f64,
    /// The probability that a game comes to the end of a line.
    pub ended: f64,
    /// The ply up to which gaps were searched.
    pub depth: usize,
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
    /// assert_eq!((found.coverage, found.ended), (0.5, 0.5));
    /// assert_eq!(found.gaps[0].line.movetext(&book).unwrap(), "1. e4 c5");
    /// assert_eq!(found.ends[0].line.movetext(&book).unwrap(), "1. e4 e5 2. Nf3");
    /// # Ok::<(), eco::pgn::TypedError>(())
    /// ```
    pub fn of(book: &Book, frequencies: Frequencies<'_>, depth: usize) -> Self {
        let flow = Flow::through(book, &frequencies, depth);
        let listed = |exits| listed(&flow, exits, |arrivals| tally(book, frequencies, arrivals));
        let mut found = Self {
            gaps: listed(&flow.gaps),
            ends: listed(&flow.ends),
            coverage: 0.0,
            ended: 0.0,
            depth,
        };
        if book.starts().next().is_some() {
            found.sum_up();
        }
        found
    }

    /// Covers what is deep enough for its opening: gaps after more plies than `depth_of` says of
    /// their lines, and ends after at least as many. Depths beyond the one up to which gaps were
    /// searched change nothing.
    pub fn up_to(mut self, depth_of: impl Fn(&BookLine) -> usize) -> Self {
        if self.coverage == 0.0 && self.gaps.is_empty() {
            return self;
        }
        self.gaps.retain(|gap| gap.line.moves.len() <= depth_of(&gap.line));
        self.ends.retain(|end| end.line.moves.len() < depth_of(&end.line));
        self.sum_up();
        self
    }

    fn sum_up(&mut self) {
        let sum = |of: &[Gap]| of.iter().map(|gap| gap.probability).sum::<f64>();
        self.coverage = (1.0 - sum(&self.gaps)).clamp(0.0, 1.0);
        self.ended = sum(&self.ends).clamp(0.0, 1.0);
    }
}

/// Where games have left a book, the most probable first.
fn listed(flow: &Flow<'_>, exits: &Exits, tally: impl Fn(&Arrivals) -> Tally) -> Vec<Gap> {
    let exits = exits.iter().filter(|(_, arrivals)| arrivals.mass.sum > 0.0);
    let gap = |(key, arrivals): (&PositionKey, &Arrivals)| Gap {
        key: *key,
        probability: arrivals.mass.sum,
        line: flow.line_to(*key, arrivals),
        tally: tally(arrivals),
    };
    let mut gaps: Vec<Gap> = exits.map(gap).collect();
    gaps.sort_by(|a, b| {
        let rest = |gap: &Gap| (Reverse(gap.tally.games), gap.line.moves.len(), gap.key);
        b.probability.total_cmp(&a.probability).then_with(|| rest(a).cmp(&rest(b)))
    });
    gaps
}

/// The games with the moves that lead to where games have left the book.
fn tally(book: &Book, frequencies: Frequencies<'_>, arrivals: &Arrivals) -> Tally {
    let mut sum = Tally::default();
    for (from, uci) in &arrivals.moves {
        let played = match frequencies {
            Frequencies::Own => book.node(*from).edge(*uci).map(Edge::played),
            Frequencies::Reference(counts) => counts.games(*from, *uci),
        };
        played.into_iter().for_each(|tally| sum.merge(tally));
    }
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        chess::{Chess, Color, UciMove},
        collection::KeptGame,
        pgn::Game,
        repertoire::{BookRule, GameFacts, MoveCounts, NodeId, flow::is_over},
    };

    fn games(lines: &[&str]) -> Vec<KeptGame> {
        let games = lines.iter().map(|line| KeptGame::of_pgn(line, 40));
        games.filter(|game| game.plies() > 0).collect()
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
                book.node_mut(id).tally.add(&GameFacts::of(&game, None, Color::White));
                if let Some((from, Some(uci))) = last {
                    let known = book.node(from).edge(uci).map(|edge| *edge.played);
                    let mut played = known.unwrap_or_default();
                    played.add(&GameFacts::of(&game, None, Color::White));
                    book.set_played(from, uci, id, played);
                }
                last = Some((id, uci));
            });
        }
    }

    fn rows(book: &Book, gaps: &Gaps) -> Vec<(String, f64, u32)> {
        told(book, &gaps.gaps)
    }

    fn round(probability: f64) -> f64 {
        (probability * 1e6).round() / 1e6
    }

    fn told(book: &Book, gaps: &[Gap]) -> Vec<(String, f64, u32)> {
        let line = |gap: &Gap| gap.line.movetext(book).unwrap();
        gaps.iter().map(|gap| (line(gap), round(gap.probability), gap.tally.games)).collect()
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
        assert_eq!((gaps.coverage, gaps.ended), (0.25, 0.25));
        assert_eq!(told(&book, &gaps.ends), [row("1. e4 c5 2. Nf3", 0.25, 0)]);
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
        let ends = [row("1. d4 e6 2. c4", 0.5, 0), row("1. d4 Nf6 2. c4", 0.25, 0)];
        assert_eq!(told(&book, &gaps.ends), ends);
        play(&mut book, &["1. d4 e6 2. c4 Nf6", "1. d4 Nf6 2. c4 e6", "1. c4 e6 2. d4 Nf6"]);
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        // The player plays 1. d4 in two games of three; 1... e6 and 1... Nf6 have one each. The
        // game with 1. c4 e6 loses 0.75, and e6 and d5 get half of that.
        let d5 = 0.75 / 2.0 / 3.0;
        assert_eq!(rows(&book, &gaps), [row("1. c4 d5", d5, 0)]);
        let ends = [
            row("1. d4 e6 2. c4", round(1.0 - d5 - 1.0 / 3.0), 2),
            row("1. d4 Nf6 2. c4", round(1.0 / 3.0), 1),
        ];
        assert_eq!(told(&book, &gaps.ends), ends);
    }

    #[test]
    fn moves_that_are_not_in_the_book_are_met_as_often_as_they_are_played() {
        let mut book = prepared(&["1. e4 e5 2. Nf3", "1. e4 c5 2. Nf3"]);
        let own = ["1. e4 e5", "1. e4 e5", "1. e4 c5", "1. e4 a6 0-1"];
        play(&mut book, &own);
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        // One game of four counts a quarter: 1/16.
        assert_eq!(rows(&book, &gaps), [row("1. e4 a6", 0.0625, 1)]);
        assert_eq!((gaps.coverage, gaps.gaps[0].probability), (0.9375, 0.0625));
        assert_eq!(gaps.gaps[0].tally.losses, 1);
        let others = ["1. e4 h5", "1. e4 h5", "1. e4 h5", "1. d4 d5", "1. e4 c5 2. Nf3 d6"];
        let counts = MoveCounts::of(&book, &games(&others));
        let gaps = Gaps::of(&book, Frequencies::Reference(&counts), 20);
        // 2.25 of four; 2... d6 only ends a line.
        assert_eq!(rows(&book, &gaps), [row("1. e4 h5", 0.5625, 3)]);
        // 0.25 of four and half of twice 0.75, and that half alone.
        let ends = [row("1. e4 c5 2. Nf3", 0.25, 1), row("1. e4 e5 2. Nf3", 0.1875, 0)];
        assert_eq!(told(&book, &gaps.ends), ends);
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
        // Of two games one goes to the chapter, one more counts for each start: two of five. Its
        // one game loses 0.75, of which three moves get a third each.
        play(&mut book, &["1. d4 d5 2. c4 dxc4", "1. e4 e5 2. Nf3"]);
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        assert_eq!(rows(&book, &gaps), [row("2... dxc4", 0.2, 1)]);
    }

    #[test]
    fn a_book_without_lines_covers_nothing() {
        let mut book = Book::new(Color::White, BookRule::default());
        assert_eq!(Gaps::of(&book, Frequencies::Own, 20).coverage, 0.0);
        book.add_root(&PositionKey::from(&Chess::default()));
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        assert_eq!((rows(&book, &gaps), gaps.coverage), (vec![row("", 1.0, 0)], 0.0));
    }

    #[test]
    fn lines_end_where_they_are_marked_or_deep_enough() {
        let mut book = Book::new(Color::White, BookRule::default());
        let chapter = "1. e4 e5 (1... c5 2. Nf3 d6 3. d4) (1... g5 {[%eco end]}) \
                       (1... f6 2. d4 {Good. [%eco end]}) 2. Nf3 *";
        book.add_chapter(&Game::from_bytes(chapter.as_bytes()));
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        assert_eq!(rows(&book, &gaps), []);
        let open = [row("1. e4 e5 2. Nf3", 0.25, 0), row("1. e4 c5 2. Nf3 d6 3. d4", 0.25, 0)];
        assert_eq!(told(&book, &gaps.ends), open);
        assert_eq!((gaps.coverage, gaps.ended), (1.0, 0.5));
        let gaps = Gaps::of(&book, Frequencies::Own, 5);
        assert_eq!(told(&book, &gaps.ends), open[..1]);
        let gaps = gaps.up_to(|line| if line.moves[1].to_string() == "e7e5" { 3 } else { 5 });
        assert_eq!((told(&book, &gaps.ends), gaps.ended), (vec![], 0.0));
    }

    #[test]
    fn a_line_does_not_end_in_games_that_come_to_another_one() {
        let mut book = prepared(&["1. d4 d5 2. c4", "1. c4 e6 2. d4 d5 3. Nc3"]);
        play(&mut book, &["1. d4 d5 2. c4 e6 3. Nc3", "1. d4 d5 2. c4 e6", "1. d4 d5 2. c4 c6"]);
        let gaps = Gaps::of(&book, Frequencies::Own, 20);
        // 1.25 of three games go on; with 2... e6 they are in the other line. Of the first moves,
        // 1. c4 has half of the 0.75 games that 1. d4 loses.
        let (d4, goes_on) = (1.0 - 0.375 / 3.0, 1.25 / 3.0);
        let ends = [
            row("1. d4 d5 2. c4", round(d4 * (1.0 - goes_on)), 3),
            row("1. d4 d5 2. c4 e6 3. Nc3", round(1.0 - d4 + d4 * goes_on), 1),
        ];
        assert_eq!((told(&book, &gaps.ends), gaps.coverage), (ends.to_vec(), 1.0));
    }

    /// The obvious implementation, every line by itself: the probabilities of a gap and of an end.
    fn missed_plainly(book: &Book, id: NodeId, depth: usize) -> (f64, f64) {
        let moves = book.moves(id);
        let is_over = is_over(&book.node(id).key);
        if book.is_own_turn(id) && moves.is_empty() {
            return (if is_over { 0.0 } else { 1.0 }, 0.0);
        }
        if depth == 0 || is_over {
            return (0.0, 0.0);
        }
        let edges: Vec<_> = book.node(id).edges.iter().collect();
        let games = |edges: &[&crate::repertoire::Edge]| {
            edges.iter().map(|edge| f64::from(edge.played.games)).sum::<f64>()
        };
        // Of own moves those of the book count, of the opponent's all.
        let counted = if book.is_own_turn(id) { &moves } else { &edges };
        let all = games(counted);
        let kinds = counted.iter().filter(|edge| edge.played.games > 0).count() as f64;
        let lost = if all > 0.0 { 0.75 * kinds / all } else { 1.0 };
        let (mut gap, mut end) = (0.0, 0.0);
        let mut passed = 0.0;
        for edge in &edges {
            let is_book = moves.iter().any(|known| known.uci == edge.uci);
            let n = f64::from(edge.played.games);
            let is_counted = is_book || !book.is_own_turn(id);
            let played = if n > 0.0 && is_counted { (n - 0.75) / all } else { 0.0 };
            let share = played + if is_book { lost / moves.len() as f64 } else { 0.0 };
            if share == 0.0 || moves.is_empty() && !book.has_moves(edge.to) {
                continue;
            }
            passed += share;
            let (gaps, ends) = missed_plainly(book, edge.to, depth - 1);
            (gap, end) = (gap + share * gaps, end + share * ends);
        }
        (gap, if moves.is_empty() { end + 1.0 - passed } else { end })
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
            book.add_root(&PositionKey::from(&Chess::default()));
            for line in &lines {
                // An illegal move ends the line.
                let mut starts = (1..=line.len()).map(|end| line[..end].join(" "));
                while starts.next().is_some_and(|start| book.prepare(&start).is_ok()) {}
            }
            let own: Vec<String> = own.iter().map(|line| line.join(" ")).collect();
            play(&mut book, &own.iter().map(String::as_str).collect::<Vec<_>>());
            let gaps = Gaps::of(&book, Frequencies::Own, depth);
            let (missed, ended) = missed_plainly(&book, book.roots()[0], depth);
            prop_assert!((gaps.coverage + missed - 1.0).abs() < 1e-9, "{gaps:?}, {missed}");
            prop_assert!((gaps.ended - ended).abs() < 1e-9, "{gaps:?}, {ended}");
            for gap in gaps.gaps.iter().chain(&gaps.ends) {
                prop_assert!(gap.line.movetext(&book).is_some());
                prop_assert!(gap.line.moves.len() <= depth);
            }
        }
    }
}
