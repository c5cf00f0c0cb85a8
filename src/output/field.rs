//! The columns of rows about games, and which of them are asked for.

use std::{borrow::Cow, fmt::Display, str::FromStr};

use super::{Column, ColumnSet, ColumnType, ColumnValue, RowTags, Value, Width};
use crate::{
    chess::Color,
    classify::{Classified, NamedAt, Trace, Verdict},
    opening::Opening,
};

/// A row about a game: the game, its verdict, and its source.
#[derive(Debug, Clone, Copy)]
pub struct GameRow<'a> {
    /// The name of the source, [sanitized](super::sanitize).
    pub source: &'a str,
    /// The number of the game in its source, from 1.
    pub number: u64,
    /// The byte of the unpacked source at which the game begins.
    pub offset: u64,
    /// The game.
    pub game: &'a Classified<'a, 'a>,
    /// The trace of the game, for fields that [need](Field::needs_trace) it.
    pub trace: Option<&'a Trace<'a>>,
    /// The tags of the game, for fields that [need](Field::needs_tags) them.
    pub tags: Option<&'a RowTags<'a>>,
}

/// The value of a column for a game.
type GameValue = for<'r> fn(&'r GameRow<'_>) -> Value<'r>;

/// Which opening of a game.
type Naming = for<'r> fn(&'r GameRow<'_>) -> Option<&'r NamedAt<'r>>;

/// The value of a column for an opening.
type OpeningValue = for<'r> fn(&'r Opening) -> Value<'r>;

/// Where the value of a column about games comes from.
#[derive(Debug, Clone, Copy)]
pub struct FieldValue(Source);

#[derive(Debug, Clone, Copy)]
enum Source {
    /// A function of the row.
    Row(GameValue),
    /// A function of an opening of the row.
    Opening(Naming, OpeningValue),
    /// The tag at this place among those that are asked for by name.
    Tag(usize),
}

impl<'g> ColumnValue<GameRow<'g>> for FieldValue {
    #[inline(always)]
    fn value<'r>(&'r self, row: &'r GameRow<'g>) -> Value<'r> {
        match self.0 {
            Source::Row(value) => value(row),
            // `map_or` is not always compiled into the loop over columns.
            Source::Opening(named, value) => match named(row) {
                Some(named) => value(named.opening()),
                None => Value::None,
            },
            Source::Tag(place) => row.tags.map_or(Value::None, |tags| tags.nth(place)),
        }
    }

    #[inline(always)]
    fn named<'r>(&'r self, row: &'r GameRow<'g>) -> Option<&'r NamedAt<'r>> {
        match self.0 {
            Source::Opening(named, _) => named(row),
            Source::Row(_) | Source::Tag(_) => None,
        }
    }
}

impl FieldValue {
    /// The function of openings that returns the value, if it is one.
    #[cfg(feature = "arrow")]
    pub(super) fn of_openings(&self) -> Option<OpeningValue> {
        match self.0 {
            Source::Opening(_, value) => Some(value),
            Source::Row(_) | Source::Tag(_) => None,
        }
    }
}

/// A column of what `classify` reports.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Field {
    /// The file, or `-`.
    Source,
    /// The number of the game in its source, from 1.
    Game,
    /// Who played White.
    White,
    /// Who played Black.
    Black,
    /// The result, as the tag has it.
    Result,
    /// The date, as the tag has it.
    Date,
    /// The ECO code.
    Eco,
    /// The full name.
    Opening,
    /// The part of the name before the colon.
    Family,
    /// The part between the colon and the comma.
    Variation,
    /// The part after the comma.
    Subvariation,
    /// The ply after which the deciding position was reached.
    Ply,
    /// Whether no line reaches it by the same move order.
    Transposed,
    /// The deciding position.
    Key,
    /// What is wrong with the game.
    Error,
    /// The ECO code by the order of the moves alone.
    MoveOrderEco,
    /// The name by the order of the moves alone.
    MoveOrderOpening,
    /// The last ply of the unbroken run of positions that are named, or on a line.
    BookExit,
    /// The master that gave the name.
    Master,
    /// Its version.
    MasterVersion,
    /// The tag `Event`.
    Event,
    /// The tag `Site`.
    Site,
    /// The tag `Round`.
    Round,
    /// The rating of White, as a number.
    WhiteElo,
    /// The rating of Black, as a number.
    BlackElo,
    /// The tag `TimeControl`.
    TimeControl,
    /// The [speed](crate::select::Speed) by the time control.
    Speed,
    /// Whether the game counts for ratings.
    Rated,
    /// The tag `Termination`.
    Termination,
    /// The tag `UTCTime`.
    UtcTime,
    /// The [address](crate::select::GameInfo::link) of the game on the web.
    Link,
    /// The byte of the unpacked source at which the game begins.
    Offset,
    /// The moves of the main line as they are written, without numbers, and the result after them.
    Moves,
    /// The tag of this name, written `tag:NAME`.
    Tag(Box<str>),
}

impl Field {
    /// All fields but [`Moves`](Self::Moves) and [`Tag`](Self::Tag), in the order of
    /// `--fields all`.
    pub const ALL: &[Self] = &[
        Self::Source,
        Self::Game,
        Self::White,
        Self::Black,
        Self::Result,
        Self::Date,
        Self::Eco,
        Self::Opening,
        Self::Family,
        Self::Variation,
        Self::Subvariation,
        Self::Ply,
        Self::Transposed,
        Self::Key,
        Self::Error,
        Self::MoveOrderEco,
        Self::MoveOrderOpening,
        Self::BookExit,
        Self::Master,
        Self::MasterVersion,
        Self::Event,
        Self::Site,
        Self::Round,
        Self::WhiteElo,
        Self::BlackElo,
        Self::TimeControl,
        Self::Speed,
        Self::Rated,
        Self::Termination,
        Self::UtcTime,
        Self::Link,
        Self::Offset,
    ];

    /// The default for programs.
    pub const FOR_PROGRAMS: &[Self] = &[
        Self::Source,
        Self::Game,
        Self::White,
        Self::Black,
        Self::Result,
        Self::Date,
        Self::Eco,
        Self::Opening,
        Self::Ply,
        Self::Transposed,
        Self::Error,
    ];

    /// The default for tables: what fits on a terminal.
    pub const FOR_TABLES: &[Self] =
        &[Self::Game, Self::White, Self::Black, Self::Result, Self::Eco, Self::Opening];

    /// Its name, in headers and on the command line.
    #[must_use]
    pub fn name(&self) -> Cow<'static, str> {
        match self {
            Self::Tag(name) => format!("tag:{name}").into(),
            _ => self.entry().0.into(),
        }
    }

    /// Whether its value is known only from [`GameRow::trace`].
    #[must_use]
    pub fn needs_trace(&self) -> bool {
        matches!(self, Self::MoveOrderEco | Self::MoveOrderOpening | Self::BookExit)
    }

    /// Whether its value is known only from [`GameRow::tags`].
    #[must_use]
    pub fn needs_tags(&self) -> bool {
        use Field::{
            BlackElo, Event, Link, Moves, Rated, Round, Site, Speed, Tag, Termination, TimeControl,
            UtcTime, WhiteElo,
        };
        matches!(
            self,
            Event
                | Site
                | Round
                | WhiteElo
                | BlackElo
                | TimeControl
                | Speed
                | Rated
                | Termination
                | UtcTime
                | Link
                | Moves
                | Tag(_)
        )
    }

    /// The tag that is asked for by name.
    #[must_use]
    pub fn tag(&self) -> Option<&str> {
        match self {
            Self::Tag(name) => Some(name),
            _ => None,
        }
    }

    /// The columns of these fields.
    #[must_use]
    pub fn columns(fields: &[Self]) -> ColumnSet<FieldValue> {
        let tags_before = |place: usize| fields[..place].iter().filter_map(Self::tag).count();
        fields.iter().enumerate().fold(ColumnSet::<FieldValue>::new(), |columns, (place, field)| {
            let (_, width, value) = field.entry();
            let source = match (field, field.of_opening()) {
                (Self::Tag(_), _) => Source::Tag(tags_before(place)),
                (_, Some((named, value))) => Source::Opening(named, value),
                (_, None) => Source::Row(value),
            };
            let absent = if matches!(field, Self::Ply | Self::BookExit) { "0" } else { "" };
            let column = Column { absent, ..Column::new(field.name(), width) };
            columns.with_column(column, None, FieldValue(source)).of(field.kind())
        })
    }

    /// The type of its values. Names of players are as many as there are players, and tags can be
    /// anything; the others with text have few values.
    fn kind(&self) -> ColumnType {
        match self {
            Self::Game | Self::Offset => ColumnType::UInt64,
            Self::Ply | Self::BookExit | Self::WhiteElo | Self::BlackElo => ColumnType::UInt16,
            Self::Transposed | Self::Rated => ColumnType::Bool,
            Self::Date => ColumnType::Date,
            Self::Source
            | Self::Result
            | Self::Eco
            | Self::Opening
            | Self::Family
            | Self::Variation
            | Self::Subvariation
            | Self::MoveOrderEco
            | Self::MoveOrderOpening
            | Self::Master
            | Self::MasterVersion
            | Self::Speed => ColumnType::Name,
            Self::White
            | Self::Black
            | Self::Key
            | Self::Error
            | Self::Event
            | Self::Site
            | Self::Round
            | Self::TimeControl
            | Self::Termination
            | Self::UtcTime
            | Self::Link
            | Self::Moves
            | Self::Tag(_) => ColumnType::Text,
        }
    }

    /// Which opening has the value of its column, and the value.
    fn of_opening(&self) -> Option<(Naming, OpeningValue)> {
        let code: OpeningValue =
            |opening| opening.eco().map_or(Value::None, |eco| Value::Bytes(eco.as_bytes()));
        let name: OpeningValue = |opening| text(opening.name());
        let (verdict, by_moves): (Naming, Naming) = (|row| row.named(), |row| row.by_moves());
        Some(match self {
            Self::Eco => (verdict, code),
            Self::Opening => (verdict, name),
            Self::Family => (verdict, |opening| text(opening.family())),
            Self::Variation => (verdict, |opening| text(opening.variation())),
            Self::Subvariation => (verdict, |opening| text(opening.subvariation())),
            Self::MoveOrderEco => (by_moves, code),
            Self::MoveOrderOpening => (by_moves, name),
            _ => return None,
        })
    }

    /// The name, the width and the value of its column, if it is not [that of an
    /// opening](Self::of_opening) or a tag.
    fn entry(&self) -> (&'static str, Width, GameValue) {
        let elsewhere: GameValue = |_| Value::None;
        match self {
            Self::Source => {
                ("source", Width::PathShare(3), |row| Value::Bytes(row.source.as_bytes()))
            }
            Self::Game => ("game", Width::Number, |row| Value::Number(row.number)),
            Self::White => ("white", Width::Share(3), |row| tag(&row.game.header.white)),
            Self::Black => ("black", Width::Share(3), |row| tag(&row.game.header.black)),
            Self::Result => ("result", Width::AtMost(7), |row| tag(&row.game.header.result)),
            Self::Date => ("date", Width::Date, |row| tag(&row.game.header.date)),
            Self::Eco => ("eco", Width::AtMost(5), elsewhere),
            Self::Opening => ("opening", Width::NameShare(8), elsewhere),
            Self::Family => ("family", Width::Share(5), elsewhere),
            Self::Variation => ("variation", Width::Share(5), elsewhere),
            Self::Subvariation => ("subvariation", Width::Share(5), elsewhere),
            Self::Ply => ("ply", Width::Number, |row| row.named().map(NamedAt::ply).into()),
            Self::Transposed => {
                let value: GameValue = |row| row.named().map(NamedAt::is_transposed).into();
                ("transposed", Width::AtMost(10), value)
            }
            Self::Key => ("key", Width::Share(5), |row| displayed(row.named().map(NamedAt::key))),
            Self::Error => {
                ("error", Width::Share(5), |row| displayed(row.verdict().error.as_ref()))
            }
            Self::MoveOrderEco => ("move_order_eco", Width::AtMost(14), elsewhere),
            Self::MoveOrderOpening => ("move_order_opening", Width::NameShare(8), elsewhere),
            Self::BookExit => {
                ("book_exit", Width::Number, |row| row.trace.map(|trace| trace.book_exit).into())
            }
            Self::Master => ("master", Width::Share(3), |row| {
                row.named().map_or(Value::None, |named| text(&named.master().name))
            }),
            Self::MasterVersion => ("master_version", Width::AtMost(14), |row| {
                row.named().map_or(Value::None, |named| text(&named.master().version))
            }),
            Self::Event => ("event", Width::Share(3), |row| row.tag("Event")),
            Self::Site => ("site", Width::Share(3), |row| row.tag("Site")),
            Self::Round => ("round", Width::AtMost(7), |row| row.tag("Round")),
            Self::WhiteElo => ("white_elo", Width::Number, |row| row.rating(Color::White)),
            Self::BlackElo => ("black_elo", Width::Number, |row| row.rating(Color::Black)),
            Self::TimeControl => ("time_control", Width::AtMost(12), |row| row.tag("TimeControl")),
            Self::Speed => ("speed", Width::AtMost(14), |row| {
                let speed = row.tags.and_then(|tags| tags.info.speed());
                speed.map_or(Value::None, |speed| text(speed.name()))
            }),
            Self::Rated => {
                ("rated", Width::AtMost(5), |row| row.tags.and_then(|t| t.info.is_rated()).into())
            }
            Self::Termination => ("termination", Width::Share(2), |row| row.tag("Termination")),
            Self::UtcTime => ("utc_time", Width::AtMost(8), |row| row.tag("UTCTime")),
            Self::Link => ("link", Width::Share(4), |row| {
                row.tags.and_then(|tags| tags.info.link()).map_or(Value::None, Value::text)
            }),
            Self::Offset => ("offset", Width::Number, |row| Value::Number(row.offset)),
            Self::Moves => {
                ("moves", Width::Share(8), |row| row.tags.map_or(Value::None, RowTags::moves))
            }
            Self::Tag(_) => ("tag", Width::Share(3), elsewhere),
        }
    }
}

impl GameRow<'_> {
    fn tag(&self, name: &str) -> Value<'_> {
        self.tags.map_or(Value::None, |tags| tags.value(name))
    }

    fn rating(&self, color: Color) -> Value<'_> {
        self.tags.and_then(|tags| tags.info.rating(color)).map(u32::from).into()
    }

    fn verdict(&self) -> &Verdict<'_> {
        &self.game.verdict
    }

    fn named(&self) -> Option<&NamedAt<'_>> {
        self.game.verdict.named.as_ref()
    }

    /// What the game is by its move order alone.
    fn by_moves(&self) -> Option<&NamedAt<'_>> {
        self.trace?.by_moves.as_ref()
    }
}

fn text(text: &str) -> Value<'_> {
    Value::Bytes(text.as_bytes())
}

fn tag<'r>(bytes: &'r Option<Cow<'_, [u8]>>) -> Value<'r> {
    bytes.as_deref().map_or(Value::None, Value::Bytes)
}

fn displayed<'r, T: Display>(value: Option<&'r T>) -> Value<'r> {
    value.map_or(Value::None, |value| Value::Display(value))
}

/// There is no such field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseFieldError {
    /// No field has that name.
    #[error("no field {0:?}; there are {names}, moves, \"tag:NAME\" and \"all\"", names = all_names())]
    Unknown(String),
    /// A field was named twice.
    #[error("field {0:?} is named twice")]
    Twice(String),
    /// No tag can have that name.
    #[error("no tag is called {0:?}: expected letters and digits")]
    NoTagName(String),
}

fn all_names() -> String {
    Field::ALL.iter().map(Field::name).collect::<Vec<_>>().join(", ")
}

impl FromStr for Field {
    type Err = ParseFieldError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if let Some(tag) = name.strip_prefix("tag:") {
            let is_name = tag.starts_with(|c: char| c.is_ascii_alphabetic())
                && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-+.#=:".contains(&b));
            let field = is_name.then(|| Self::Tag(tag.into()));
            return field.ok_or_else(|| ParseFieldError::NoTagName(tag.to_owned()));
        }
        let mut named = Self::ALL.iter().chain([&Self::Moves]);
        let found = named.find(|field| field.name().eq_ignore_ascii_case(name)).cloned();
        found.ok_or_else(|| ParseFieldError::Unknown(name.to_owned()))
    }
}

/// Reads a list of field names separated by commas; `all` stands for [`Field::ALL`].
///
/// # Errors
///
/// If a name is unknown, or occurs twice.
pub fn parse_fields(list: &str) -> Result<Vec<Field>, ParseFieldError> {
    let mut fields = Vec::<Field>::new();
    for name in list.split(',').map(str::trim) {
        if name.eq_ignore_ascii_case("all") {
            fields.extend_from_slice(Field::ALL);
        } else {
            fields.push(name.parse()?);
        }
    }
    for (index, field) in fields.iter().enumerate() {
        if fields[..index].contains(field) {
            return Err(ParseFieldError::Twice(field.name().into_owned()));
        }
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_fields_are_read() {
        assert_eq!(parse_fields("eco, game"), Ok(vec![Field::Eco, Field::Game]));
        assert_eq!(parse_fields("all").map(|f| f.len()), Ok(Field::ALL.len()));
        assert!(parse_fields("eco,foo").unwrap_err().to_string().starts_with("no field \"foo\""));
        assert_eq!(parse_fields("eco,all"), Err(ParseFieldError::Twice("eco".to_owned())));
        assert_eq!(parse_fields("tag:White,eco").map(|f| f[0].name()), Ok("tag:White".into()));
        assert_eq!(parse_fields("moves"), Ok(vec![Field::Moves]));
        assert!(!Field::ALL.contains(&Field::Moves));
        assert!(parse_fields("tag:A,tag:A").is_err());
        assert!(parse_fields("tag:").is_err());
        assert!(parse_fields("tag:a b").is_err());
        assert!(parse_fields("").is_err());
    }
}
