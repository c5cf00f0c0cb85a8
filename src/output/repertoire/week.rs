//! The rows of `eco week`: where the latest games left the books, what to learn, what opponents
//! play more often, and what is due.

use crate::chess::{Color, Language, PositionKey};
use crate::output::{ColumnType, RowColumns, Value, Width, percent};
use crate::repertoire::{Book, BookLine, Cost, Gap, ShortestLines, Trend, Week};
use crate::{named::named, quoted::counted};

named! {
    /// What a row is about.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum WeekKind {
        /// A move by which the latest games left a book, and what it cost.
        Left = "left",
        /// Something to learn, and why.
        Learn = "learn",
        /// A move that opponents play more often than before.
        More = "more",
        /// What is due in training.
        Due = "due",
    }
}

impl WeekKind {
    /// The heading of its rows.
    pub fn title(self) -> &'static str {
        match self {
            Self::Left => "Where your games left the book",
            Self::Learn => "To learn",
            Self::More => "Played more often against you",
            Self::Due => "Training",
        }
    }

    /// What is said in place of rows.
    pub fn nothing(self) -> &'static str {
        match self {
            Self::Left => "nowhere that cost points",
            Self::Learn => "nothing: no game lost points, and the book has no gap",
            Self::More => "nothing that two of the latest games have",
            Self::Due => "nothing",
        }
    }

    /// The number of rows that fit one screen with the others.
    fn most(self) -> usize {
        if self == Self::Left { 5 } else { 3 }
    }
}

/// A row of `eco week`.
#[derive(Debug, Clone)]
pub struct WeekRow<'a> {
    /// What it is about.
    pub kind: WeekKind,
    /// What it says, in a sentence.
    pub text: String,
    /// The position that it is about, if it is one.
    pub key: Option<PositionKey>,
    /// The side of the repertoire.
    pub color: Color,
    repertoire: &'a str,
    line: Option<String>,
    book: Vec<String>,
    games: Option<u32>,
    score: Option<f64>,
    cost: Option<f64>,
    /// The share of games, from 0 to 1, and that before.
    met: [Option<f64>; 2],
}

/// Less is not worth a row, in points.
const LEAST_COST: f64 = 0.01;

/// A repertoire with what its latest games say.
#[derive(Debug, Clone)]
pub struct WeekOf<'a> {
    /// Its name.
    pub name: &'a str,
    /// What the games say.
    pub week: Week<'a>,
}

impl<'a> WeekRow<'a> {
    fn new(kind: WeekKind, repertoire: &'a str, color: Color) -> Self {
        let (text, key, line, book) = (String::new(), None, None, Vec::new());
        let (games, score, cost, met) = (None, None, None, [None; 2]);
        Self { kind, text, key, color, repertoire, line, book, games, score, cost, met }
    }

    /// The rows of repertoires, in the order of their kinds. What they say has the piece letters of
    /// the language.
    pub fn all(weeks: &'a [WeekOf<'a>], language: Language) -> Vec<Self> {
        let (mut costs, mut gaps, mut more) = (Vec::new(), Vec::new(), Vec::new());
        for WeekOf { name, week } in weeks {
            let lines = ShortestLines::of(week.book);
            let costly = week.costs.iter().filter(|cost| cost.points >= LEAST_COST);
            costs.extend(costly.map(|cost| {
                let line = lines.line(cost.from);
                let row = |kind| Self::left(kind, name, week.book, cost, line.as_ref(), language);
                (cost.points, [WeekKind::Left, WeekKind::Learn].map(row))
            }));
            gaps.extend(week.gaps.iter().map(|gap| (*name, week.book, gap)));
            let trends = week.trends.iter().take(WeekKind::More.most());
            more.extend(
                trends.map(|trend| {
                    Self::more(name, week.book, trend, lines.line(trend.from), language)
                }),
            );
        }
        costs.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        gaps.sort_by(|a, b| b.2.probability.total_cmp(&a.2.probability));
        let (mut rows, learn): (Vec<Self>, Vec<Self>) =
            costs.into_iter().map(|(_, [left, learn])| (left, learn)).unzip();
        rows.truncate(WeekKind::Left.most());
        let gaps = gaps.iter().map(|(name, book, gap)| Self::gap(name, book, gap, language));
        rows.extend(without_repeats(learn.into_iter().chain(gaps)));
        more.truncate(WeekKind::More.most());
        rows.extend(more);
        rows
    }

    /// What is due of a repertoire, in words.
    pub fn due(repertoire: &'a str, color: Color, what: &str) -> Self {
        let text = format!("{repertoire}: {what}");
        Self { text, ..Self::new(WeekKind::Due, repertoire, color) }
    }

    fn more(
        name: &'a str,
        book: &Book,
        trend: &Trend,
        line: Option<BookLine>,
        language: Language,
    ) -> Self {
        let line = line.and_then(|line| line.followed_by(trend.uci).movetext(book));
        let [now, before] = trend.shares();
        let text = format!(
            "{}: {} of {}, {} before",
            language.translated(line.as_deref().unwrap_or_default()),
            percent(now),
            counted(trend.latest[1], "game"),
            percent(before)
        );
        Self {
            text,
            line,
            games: Some(trend.latest[0]),
            met: [Some(now), Some(before)],
            key: Some(book.node(trend.from).key),
            ..Self::new(WeekKind::More, name, book.color())
        }
    }

    fn gap(name: &'a str, book: &Book, gap: &Gap, language: Language) -> Self {
        let line = gap.line.movetext(book);
        let text = format!(
            "an answer to {}: {} of games come there",
            language.translated(line.as_deref().unwrap_or_default()),
            percent(gap.probability)
        );
        Self {
            text,
            line,
            met: [Some(gap.probability), None],
            key: Some(gap.key),
            ..Self::new(WeekKind::Learn, name, book.color())
        }
    }

    /// A move by which games left a book, after the line to its position.
    fn left(
        kind: WeekKind,
        name: &'a str,
        book: &Book,
        cost: &Cost,
        line: Option<&BookLine>,
        language: Language,
    ) -> Self {
        let node = book.node(cost.from);
        let moves = node.san(book.moves(cost.from).iter().map(|edge| edge.uci));
        let before = line.and_then(|line| line.movetext(book));
        let before = before.filter(|line| !line.is_empty());
        let line = line.and_then(|line| line.clone().followed_by(cost.uci).movetext(book));
        let games = counted(cost.tally.games, "game");
        let letters = |moves: &str| language.translated(moves);
        let shown = letters(line.as_deref().unwrap_or_default());
        let points = cost.points;
        let is_own = book.is_own_turn(cost.from);
        let text = match kind {
            WeekKind::Learn if is_own => {
                let played = letters(&node.san([cost.uci]).concat());
                let there =
                    before.map_or_else(|| "the beginning".to_owned(), |line| letters(&line));
                let moves = moves.iter().map(|san| letters(san)).collect::<Vec<_>>().join(" or ");
                format!("{moves} after {there}, not {played}: {games} cost {points:.2} points")
            }
            WeekKind::Learn => format!("an answer to {shown}: {games} cost {points:.2} points"),
            _ => {
                let book = match moves.is_empty() {
                    true => String::new(),
                    false => format!(" (book: {})", letters(&moves.join(", "))),
                };
                format!("{shown}{book}: {games}, cost {points:.2}")
            }
        };
        // What is to be learned is the position after a move of the opponent.
        let after = || {
            node.edges.iter().find(|edge| edge.uci == cost.uci).map(|edge| book.node(edge.to).key)
        };
        let key = if is_own { Some(node.key) } else { after() };
        Self {
            text,
            line,
            book: moves,
            games: Some(cost.tally.games),
            score: cost.tally.score(),
            cost: Some(points),
            key,
            ..Self::new(kind, name, book.color())
        }
    }
}

/// The rows about different positions.
fn without_repeats<'a>(rows: impl Iterator<Item = WeekRow<'a>>) -> Vec<WeekRow<'a>> {
    let mut kept: Vec<WeekRow<'a>> = Vec::new();
    for row in rows {
        if kept.len() < WeekKind::Learn.most() && !kept.iter().any(|other| other.key == row.key) {
            kept.push(row);
        }
    }
    kept
}

impl WeekRow<'_> {
    /// The columns.
    pub fn columns() -> RowColumns<Self> {
        RowColumns::<Self>::new()
            .with_name("kind", 5, |row| Value::text(row.kind.name()))
            .with("repertoire", Width::Share(1), |row| Value::text(row.repertoire))
            .of(ColumnType::Name)
            .with("text", Width::Share(6), |row| Value::text(&row.text))
            .with("line", Width::LineShare(3), |row| Value::optional_text(row.line.clone()))
            .with_moves("book", Width::Share(1), |row| Value::list(&row.book, ", "))
            .of(ColumnType::List)
            .with("games", Width::Number, |row| row.games.into())
            .with("score", Width::Score, |row| Value::score(row.score))
            .with("cost", Width::Number, |row| {
                row.cost.map_or(Value::None, |value| Value::Decimal { value, places: 2 })
            })
            .of(ColumnType::Float64)
            .with("met", Width::Percent, |row| Value::share(row.met[0]))
            .with("before", Width::Percent, |row| Value::share(row.met[1]))
            .for_machines("key", ColumnType::Text, |row| Value::optional(row.key))
    }
}
