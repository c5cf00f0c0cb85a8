//! The rows of `prepare`: what an opponent makes likely against a book, and the games between him
//! and the player; and the tables that people get of them.

use crate::chess::{Color, Language};
use crate::classify::{Classifier, PlayedMove};
use crate::output::column::Column;
use crate::output::format::in_letters_of;
use crate::output::scores::Scores;
use crate::output::value::{code, english_name, name};
use crate::output::{ColumnSet, ColumnType, Format, Layout, Row, TableOptions, Value, Width};
use crate::repertoire::{OpponentGame, Prospect, ProspectKind, Prospects};
use crate::{catalogue::Catalogue, opening::Opening, stats::Difference};

/// A row about an opponent.
#[derive(Debug, Clone)]
pub struct ProspectRow<'a> {
    subject: Subject<'a>,
    /// The language of people who read it.
    language: Language,
    /// The side of the player.
    color: Color,
    opening: Option<&'a Opening>,
}

#[derive(Debug, Clone)]
enum Subject<'a> {
    Prospect(&'a Prospects<'a>, &'a Prospect),
    /// A game between the opponent and the player.
    Game(&'a OpponentGame),
}

impl<'a> ProspectRow<'a> {
    /// The rows of what was found against a book.
    pub fn all(prospects: &'a Prospects<'a>, catalogue: &'a Catalogue) -> Vec<Self> {
        let (book, classifier) = (prospects.book, Classifier::new(catalogue));
        let row = |found: &'a Prospect| Self {
            subject: Subject::Prospect(prospects, found),
            language: catalogue.language(),
            color: book.color(),
            opening: match &found.line {
                Some(line) => line.opening(book, classifier),
                None => catalogue.get(&found.key).map(|line| &line.opening),
            },
        };
        prospects.all().iter().map(row).collect()
    }

    /// The row of a game between the opponent and the player.
    pub fn of_game(game: &'a OpponentGame) -> Self {
        let opening = game.game.opening();
        Self {
            subject: Subject::Game(game),
            language: Language::English,
            color: !game.color,
            opening,
        }
    }

    /// Whether the row is of this section.
    pub fn is_of(&self, section: ProspectSection) -> bool {
        let section_of = match self.found().map(|found| found.kind) {
            Some(kind) if kind.is_path() => ProspectSection::Paths,
            Some(ProspectKind::Chance) => ProspectSection::Chances,
            Some(_) => ProspectSection::NewMoves,
            None => ProspectSection::Games,
        };
        section_of == section
    }

    pub(crate) fn color(&self) -> Color {
        self.color
    }

    pub(crate) fn found(&self) -> Option<&'a Prospect> {
        match &self.subject {
            Subject::Prospect(_, found) => Some(found),
            Subject::Game(_) => None,
        }
    }

    pub(crate) fn game(&self) -> Option<&'a OpponentGame> {
        match &self.subject {
            Subject::Prospect(..) => None,
            Subject::Game(game) => Some(game),
        }
    }

    pub(crate) fn opening(&self) -> Option<&'a Opening> {
        self.opening
    }

    /// The line as text, or else the position.
    pub(crate) fn line(&self) -> Option<String> {
        let Subject::Prospect(prospects, found) = &self.subject else { return None };
        let line = found.line.as_ref().and_then(|line| line.position_text(prospects.book));
        Some(line.unwrap_or_else(|| found.key.to_string()))
    }

    /// The same, for people, in their language.
    pub(crate) fn line_for_people(&self) -> Option<String> {
        self.line().map(|line| in_letters_of(self.language, &line))
    }

    fn last_move(&self) -> Option<PlayedMove> {
        let Subject::Prospect(prospects, found) = &self.subject else { return None };
        found.line.as_ref()?.last_move(prospects.book)
    }

    fn scores(&self) -> Option<Scores> {
        self.found().map(|found| Scores::from(&found.tally))
    }

    fn difference(&self, figure: fn(&Difference) -> f64) -> Value<'static> {
        let found = self.found().and_then(|found| found.difference.as_ref());
        Value::score(found.map(figure))
    }

    fn tag(&self, tag: &str) -> Value<'a> {
        self.game().map_or(Value::None, |game| Value::text(game.game.known_tag(tag)))
    }
}

type ProspectValue = for<'r, 'a> fn(&'r ProspectRow<'a>) -> Value<'r>;

type Columns = ColumnSet<ProspectValue>;

impl Row for ProspectRow<'_> {
    type Columns = Columns;

    fn columns() -> Self::Columns {
        let columns = Columns::new()
            .with("kind", Width::AtMost(6), kind)
            .of(ColumnType::Name)
            .with("color", Width::AtMost(5), |row| Value::text(row.color.to_string()))
            .of(ColumnType::Name)
            .with("line", Width::LineShare(4), line)
            .for_machines("move", ColumnType::Text, |row| Value::optional(row.last_move()))
            .with("met", Width::Percent, met);
        let columns = columns
            .with("games", Width::Number, games)
            .for_machines("won", ColumnType::UInt64, |row| result(row, 0))
            .for_machines("drawn", ColumnType::UInt64, |row| result(row, 1))
            .for_machines("lost", ColumnType::UInt64, |row| result(row, 2))
            .with("score", Width::Score, score);
        columns
            .for_machines("expected", ColumnType::Float64, |row| row.difference(|d| d.expected))
            .for_machines("diff", ColumnType::Float64, diff)
            .for_machines("diff_low", ColumnType::Float64, |row| row.difference(|d| d.interval.low))
            .for_machines("diff_high", ColumnType::Float64, |row| {
                row.difference(|d| d.interval.high)
            })
            .for_machines("eco", ColumnType::Name, |row| code(row.opening))
            .with("opening", Width::NameShare(3), |row| name(row.opening))
            .opening_en(|row| english_name(row.opening))
            .for_machines("date", ColumnType::Date, date)
            .for_machines("white", ColumnType::Text, |row| row.tag("White"))
            .for_machines("black", ColumnType::Text, |row| row.tag("Black"))
            .for_machines("result", ColumnType::Name, result_of_game)
            .for_machines("link", ColumnType::Text, link)
            .for_machines("key", ColumnType::Text, |row| {
                Value::optional(row.found().map(|found| found.key))
            })
    }
}

fn kind<'r>(row: &'r ProspectRow<'_>) -> Value<'r> {
    row.found().map_or(Value::Text("game".into()), |found| Value::Display(&found.kind))
}

fn line<'r>(row: &'r ProspectRow<'_>) -> Value<'r> {
    Value::optional_text(row.line())
}

fn met<'r>(row: &'r ProspectRow<'_>) -> Value<'r> {
    Value::share(row.found().map(|found| found.probability))
}

fn games<'r>(row: &'r ProspectRow<'_>) -> Value<'r> {
    row.scores().map(|scores| scores.games).into()
}

fn result<'r>(row: &'r ProspectRow<'_>, at: usize) -> Value<'r> {
    row.scores().map(|scores| scores.results[at]).into()
}

fn score<'r>(row: &'r ProspectRow<'_>) -> Value<'r> {
    Value::score(row.scores().and_then(|scores| scores.score))
}

fn diff<'r>(row: &'r ProspectRow<'_>) -> Value<'r> {
    row.difference(|difference| difference.value)
}

fn date<'r>(row: &'r ProspectRow<'_>) -> Value<'r> {
    Value::optional(row.game().and_then(|game| game.game.details().date))
}

fn result_of_game<'r>(row: &'r ProspectRow<'_>) -> Value<'r> {
    row.game().map_or(Value::None, |game| Value::text(game.game.result().as_str()))
}

fn link<'r>(row: &'r ProspectRow<'_>) -> Value<'r> {
    Value::optional(row.game().and_then(|game| game.game.info().link().map(String::from)))
}

/// A table about an opponent: rows of one section.
#[derive(Debug, Clone)]
pub struct ProspectTable<'a> {
    /// What the rows are about, which decides on the columns.
    pub section: ProspectSection,
    /// The heading, in words.
    pub title: String,
    /// What is to be said before the rows, or in their place.
    pub lead: String,
    /// The rows.
    pub rows: Vec<ProspectRow<'a>>,
}

/// What a table about an opponent shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProspectSection {
    /// Paths through the book.
    Paths,
    /// Positions in which the opponent scores badly.
    Chances,
    /// Moves that the opponent has begun to play.
    NewMoves,
    /// Games between the opponent and the player.
    Games,
}

impl ProspectSection {
    /// The columns that people get.
    pub(super) fn columns(self) -> Columns {
        if self == Self::Games {
            let link_column = Column { rank: 1, ..Column::new("link", Width::AtMost(60)) };
            return Columns::new()
                .with("date", Width::Date, date)
                .with("white", Width::Share(2), |row| row.tag("White"))
                .with("black", Width::Share(2), |row| row.tag("Black"))
                .with("result", Width::AtMost(7), result_of_game)
                .with("opening", Width::NameShare(3), |row| name(row.opening))
                .with_column(link_column, None, link);
        }
        let columns = Columns::new().with("line", Width::LineShare(4), line);
        let columns = match self {
            Self::Paths => columns.with("kind", Width::AtMost(5), kind),
            _ => columns,
        };
        let columns = columns.with("met", Width::Percent, met).with("games", Width::Number, games);
        let columns = columns.with("score", Width::Score, score);
        let columns = match self {
            Self::Chances => columns.with("diff", Width::Score, diff),
            _ => columns,
        };
        columns.with("opening", Width::NameShare(3), |row| name(row.opening))
    }
}

impl ProspectTable<'_> {
    /// The first rows as a table of text, at most this many.
    pub fn text(&self, options: TableOptions, most: usize) -> String {
        let layout = self.layout(self.section.columns());
        let Some(mut table) = layout.table(options) else { return String::new() };
        let (mut rows, mut out) = (Vec::new(), Vec::new());
        self.rows.iter().take(most).for_each(|row| layout.write(row, &mut rows));
        table.push(&rows, &mut out);
        table.finish(&mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// For people, in the language of the rows.
    fn layout(&self, columns: Columns) -> Layout<ProspectValue> {
        let language = self.rows.first().map(|row| row.language).unwrap_or_default();
        Format::Table.layout(columns).in_language(language)
    }

    /// The names of the columns, and the cells of the first rows, as people read them.
    pub(crate) fn cells(&self, most: usize) -> (Vec<String>, Vec<Vec<String>>) {
        let columns = self.section.columns();
        let names = columns.columns().iter().map(|column| column.name.to_string()).collect();
        let layout = self.layout(columns);
        let cells = |row: &ProspectRow<'_>| {
            let mut out = Vec::new();
            layout.write(row, &mut out);
            let text = String::from_utf8_lossy(&out).into_owned();
            text.trim_end_matches('\n').split('\t').map(str::to_owned).collect()
        };
        (names, self.rows.iter().take(most).map(cells).collect())
    }
}
