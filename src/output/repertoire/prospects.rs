//! The rows of `prepare`: what an opponent makes likely against a book, and the games between him
//! and the player; and the tables that people get of them.

use crate::chess::{Color, Language};
use crate::classify::{Classifier, PlayedMove};
use crate::output::scores::{Scores, with_difference, with_results};
use crate::output::value::{code, english_name, name};
use crate::output::{ColumnType, Format, Layout, RowColumns, TableOptions, Value, Width};
use crate::repertoire::{OpponentGame, Prospect, ProspectKind, Prospects};
use crate::{catalogue::Catalogue, opening::Opening, output::format::in_letters_of};

/// A row about an opponent.
#[derive(Debug, Clone)]
pub struct ProspectRow<'a> {
    subject: Subject<'a>,
    /// The language of people who read it.
    language: Language,
    /// The side of the player.
    pub(crate) color: Color,
    pub(crate) opening: Option<&'a Opening>,
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
        prospects.all.iter().map(row).collect()
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

    fn tag(&self, tag: &str) -> Value<'a> {
        self.game().map_or(Value::None, |game| Value::text(game.game.known_tag(tag)))
    }

    /// The columns.
    pub fn columns() -> RowColumns<Self> {
        let columns = RowColumns::<Self>::new()
            .with_name("kind", 6, |row| {
                row.found().map_or(Value::Text("game".into()), |found| Value::Display(&found.kind))
            })
            .with_name("color", 5, |row| Value::text(row.color.to_string()))
            .with("line", Width::LineShare(4), |row| Value::optional_text(row.line()))
            .for_machines("move", ColumnType::Text, |row| Value::optional(row.last_move()))
            .with("met", Width::Percent, |row| {
                Value::share(row.found().map(|found| found.probability))
            });
        let columns = with_results!(columns, Players, |row| row.scores());
        with_difference!(columns, |row| row.found().and_then(|found| found.difference.as_ref()))
            .for_machines("eco", ColumnType::Name, |row| code(row.opening))
            .with("opening", Width::NameShare(3), |row| name(row.opening))
            .opening_en(|row| english_name(row.opening))
            .for_machines("date", ColumnType::Date, |row| {
                Value::optional(row.game().and_then(|game| game.game.details().date))
            })
            .laid_out(Width::Date)
            .for_machines("white", ColumnType::Text, |row| row.tag("White"))
            .laid_out(Width::Share(2))
            .for_machines("black", ColumnType::Text, |row| row.tag("Black"))
            .laid_out(Width::Share(2))
            .for_machines("result", ColumnType::Name, |row| {
                row.game().map_or(Value::None, |game| Value::text(game.game.result().as_str()))
            })
            .laid_out(Width::AtMost(7))
            .for_machines("link", ColumnType::Text, |row| {
                Value::optional(
                    row.game().and_then(|game| game.game.info().link().map(String::from)),
                )
            })
            .laid_out(Width::AtMost(60))
            .for_machines("key", ColumnType::Text, |row| {
                Value::optional(row.found().map(|found| found.key))
            })
    }
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
    pub(super) fn columns<'a>(self) -> RowColumns<ProspectRow<'a>> {
        let names: &[&str] = match self {
            Self::Paths => &["line", "kind", "met", "games", "score", "opening"],
            Self::Chances => &["line", "met", "games", "score", "diff", "opening"],
            Self::NewMoves => &["line", "met", "games", "score", "opening"],
            Self::Games => &["date", "white", "black", "result", "opening", "link"],
        };
        ProspectRow::columns().only(names)
    }
}

impl<'a> ProspectTable<'a> {
    /// The first rows as a table of text, at most this many.
    pub fn text(&self, options: TableOptions, most: usize) -> String {
        self.layout().table_text(self.rows.iter().take(most), options)
    }

    /// For people, in the language of the rows.
    fn layout(&self) -> Layout<for<'r> fn(&'r ProspectRow<'a>) -> Value<'r>> {
        let language = self.rows.first().map(|row| row.language).unwrap_or_default();
        Format::Table.layout(self.section.columns().in_language(language))
    }

    /// The names of the columns, and the cells of the first rows, as people read them.
    pub(crate) fn cells(&self, most: usize) -> (Vec<String>, Vec<Vec<String>>) {
        let columns = self.section.columns().columns();
        let names = columns.iter().map(|column| column.name.to_string()).collect();
        let layout = self.layout();
        let cells = |row| {
            let mut out = Vec::new();
            layout.write(row, &mut out);
            let text = String::from_utf8_lossy(&out).into_owned();
            text.trim_end_matches('\n').split('\t').map(str::to_owned).collect()
        };
        (names, self.rows.iter().take(most).map(cells).collect())
    }
}
