//! The fields of rows about games: one table, from which the list of fields, their columns in every
//! format, and what a row of them needs follow.

use std::{borrow::Cow, cell::OnceCell, fmt::Display, str::FromStr};

use super::{ColumnSet, ColumnType, ColumnValue, Value, Width, column::Column, value::sanitize};
use crate::chess::Color::{self, Black, White};
use crate::classify::{BookPath, Classified, Classifier, NamedAt};
use crate::opening::Opening;
use crate::pgn::{Clock, Game, GameDate, Token};
use crate::quoted::{Quoted, meant};
use crate::select::{GameInfo, OpeningPhase, Speed, read_date};

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
    /// What fields show of it besides; without it these are empty.
    pub details: Option<&'a GameDetails<'a>>,
}

/// Writes the enum of fields, the list of them and the column of each, which has a name, a
/// width, a value and what else is said of it.
macro_rules! fields {
    ($($(#[$doc:meta])* $field:ident($($spec:tt)*) $(.$set:ident($($to:path)?))*;)*) => {
        /// A column of what `classify` reports.
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Field {
            $($(#[$doc])* $field,)*
            /// The moves of the main line as they are written, without numbers, and the result
            /// after them.
            Moves,
            /// The tag of this name, written `tag:NAME`.
            Tag(Box<str>),
        }

        impl Field {
            /// All fields but [`Moves`](Self::Moves) and [`Tag`](Self::Tag), which are written
            /// only if they are asked for by name. The order is that of `--fields all`.
            pub const ALL: &[Self] = &[$(Self::$field),*];

            /// Its column alone.
            fn column(&self) -> ColumnSet<FieldValue> {
                match self {
                    $(Self::$field => of_row($($spec)*)$(.$set($($to)?))*,)*
                    Self::Moves => of_row("moves", Width::Share(8), |row| {
                        row.info().map_or(Value::None, moves)
                    }),
                    Self::Tag(name) => {
                        let column = Column::new(format!("tag:{name}"), Width::Share(3));
                        ColumnSet::new().with_column(column, None, FieldValue::Tag(name.clone()))
                    }
                }
            }
        }
    };
}

// A type that is not given is the one that the width suggests. Names of players are as many as
// there are players, and tags can be anything; other fields with text have few values.
fields! {
    /// The file, or `-`.
    Source("source", Width::PathShare(3), |row| row.source.into());
    /// The number of the game in its source, from 1.
    Game("game", Width::Number, |row| Value::Number(row.number));
    /// Who played White.
    White("white", Width::Share(3), |row| row.game.header.white.as_deref().into());
    /// Who played Black.
    Black("black", Width::Share(3), |row| row.game.header.black.as_deref().into());
    /// The result, as the tag has it.
    Result("result", Width::AtMost(7), |row| row.game.header.result.as_deref().into())
        .of(ColumnType::Name);
    /// The date, as the tag has it.
    Date("date", Width::Date, |row| row.game.header.date.as_deref().into());
    /// The year of the date.
    Year("year", Width::AtMost(4), |row| row.date().map(|date| date.number() / 10_000).into())
        .of(ColumnType::UInt16);
    /// Year and month of the date: `2019-03`.
    Month("month", Width::AtMost(7), |row| month(row.date())).of(ColumnType::Name);
    /// The ECO code.
    Eco("eco", Width::AtMost(5), |row| opening(row.named(), code)).of(ColumnType::Name);
    /// The first letter of the ECO code.
    EcoLetter("eco_letter", Width::AtMost(10), |row| opening(row.named(), letter))
        .of(ColumnType::Name);
    /// The full name.
    Opening("opening", Width::NameShare(8), |row| opening(row.named(), Opening::name));
    /// The full name in English, whatever language the others are in.
    OpeningEn("opening_en", Width::NameShare(8), |row| opening(row.named(), Opening::english_name));
    /// The part of the name before the colon.
    Family("family", Width::Share(5), |row| opening(row.named(), Opening::family))
        .of(ColumnType::Name);
    /// The part between the colon and the comma.
    Variation("variation", Width::Share(5), |row| opening(row.named(), Opening::variation))
        .of(ColumnType::Name);
    /// The part after the comma.
    Subvariation("subvariation", Width::Share(5), |row| opening(row.named(), Opening::subvariation))
        .of(ColumnType::Name);
    /// The ply after which the deciding position was reached.
    Ply("ply", Width::Number, |row| row.named().map(NamedAt::ply).into())
        .of(ColumnType::UInt16).or_zero();
    /// Whether no line reaches it by the same move order.
    Transposed("transposed", Width::AtMost(10), |row| {
        row.named().map(NamedAt::is_transposed).into()
    }).of(ColumnType::Bool);
    /// The deciding position.
    Key("key", Width::Share(5), |row| displayed(row.named().map(NamedAt::key)));
    /// What is wrong with the game.
    Error("error", Width::Share(5), |row| displayed(row.game.verdict.error.as_ref()));
    /// The ECO code by the order of the moves alone.
    MoveOrderEco("move_order_eco", Width::AtMost(14), |row| opening(row.by_moves(), code))
        .of(ColumnType::Name);
    /// The name by the order of the moves alone.
    MoveOrderOpening("move_order_opening", Width::NameShare(8), |row| {
        opening(row.by_moves(), Opening::name)
    });
    /// The last ply of the unbroken run of positions that are named, or on a line.
    BookExit("book_exit", Width::Number, |row| row.book().map(|book| book.exit).into())
        .of(ColumnType::UInt16).or_zero();
    /// The master that gave the name.
    Master("master", Width::Share(3), |row| row.named().map(|named| &*named.master().name).into())
        .of(ColumnType::Name);
    /// Its version.
    MasterVersion("master_version", Width::AtMost(14), |row| {
        row.named().map(|named| &*named.master().version).into()
    }).of(ColumnType::Name);
    /// The tag `Event`.
    Event("event", Width::Share(3), |row| row.tag("Event"));
    /// The tag `Site`.
    Site("site", Width::Share(3), |row| row.tag("Site"));
    /// The tag `Round`.
    Round("round", Width::AtMost(7), |row| row.tag("Round"));
    /// The rating of White, as a number.
    WhiteElo("white_elo", Width::Number, |row| row.rating(White))
        .of(ColumnType::UInt16);
    /// The rating of Black, as a number.
    BlackElo("black_elo", Width::Number, |row| row.rating(Black))
        .of(ColumnType::UInt16);
    /// The tag `TimeControl`.
    TimeControl("time_control", Width::AtMost(12), |row| row.tag("TimeControl"));
    /// The [speed](crate::select::Speed) by the time control.
    Speed("speed", Width::AtMost(14), |row| {
        row.info().and_then(GameInfo::speed).map(Speed::name).into()
    }).of(ColumnType::Name);
    /// Whether the game counts for ratings.
    Rated("rated", Width::AtMost(5), |row| row.info().and_then(GameInfo::is_rated).into())
        .of(ColumnType::Bool);
    /// The tag `Termination`.
    Termination("termination", Width::Share(2), |row| row.tag("Termination"));
    /// The tag `UTCTime`.
    UtcTime("utc_time", Width::AtMost(8), |row| row.tag("UTCTime"));
    /// When the game began, by `UTCDate` and `UTCTime`: `2019-03-01T18:22:05Z`.
    UtcStart("utc_start", Width::AtMost(20), |row| row.info().map_or(Value::None, utc_start))
        .of(ColumnType::Timestamp);
    /// The [address](crate::select::GameInfo::link) of the game on the web.
    Link("link", Width::Share(4), |row| {
        row.info().and_then(GameInfo::link).map_or(Value::None, Value::text)
    });
    /// The evaluation of the last named position, in centipawns from White's side.
    EvalBook("eval_book", Width::Number, |row| row.eval(|phase| phase.eval_book))
        .of(ColumnType::Float64);
    /// The evaluation after ply 30.
    Eval15("eval_15", Width::Number, |row| row.eval(|phase| phase.eval_15))
        .of(ColumnType::Float64);
    /// The seconds that White has left at the last named position.
    ClockBookWhite("clock_book_white", Width::Number, |row| row.seconds(White, |of| of.clock_book));
    /// The seconds that Black has left there.
    ClockBookBlack("clock_book_black", Width::Number, |row| row.seconds(Black, |of| of.clock_book));
    /// The seconds that White has left after ply 30.
    Clock15White("clock_15_white", Width::Number, |row| row.seconds(White, |of| of.clock_15));
    /// The seconds that Black has left there.
    Clock15Black("clock_15_black", Width::Number, |row| row.seconds(Black, |of| of.clock_15));
    /// The seconds that White spent up to the last named position.
    TimeBookWhite("time_book_white", Width::Number, |row| row.seconds(White, |of| of.time_book));
    /// The seconds that Black spent up to there.
    TimeBookBlack("time_book_black", Width::Number, |row| row.seconds(Black, |of| of.time_book));
    /// The byte of the unpacked source at which the game begins.
    Offset("offset", Width::Number, |row| Value::Number(row.offset));
}

/// A column with this value of a row.
fn of_row(
    name: &'static str,
    width: Width,
    value: for<'r> fn(&'r GameRow<'_>) -> Value<'r>,
) -> ColumnSet<FieldValue> {
    ColumnSet::new().with(name, width, FieldValue::Row(value))
}

impl Field {
    /// Fields, and those of others that are not among them.
    pub fn united(mut fields: Vec<Self>, others: impl IntoIterator<Item = Self>) -> Vec<Self> {
        for field in others {
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
        fields
    }

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
    pub fn name(&self) -> Cow<'static, str> {
        self.column().entries.swap_remove(0).column.name
    }

    /// The names of fields, with commas between them.
    pub fn names(fields: &[Self]) -> String {
        fields.iter().map(Self::name).collect::<Vec<_>>().join(", ")
    }

    /// The columns of these fields.
    pub fn columns(fields: &[Self]) -> ColumnSet<FieldValue> {
        let entries = fields.iter().flat_map(|field| field.column().entries).collect();
        ColumnSet { entries, ..ColumnSet::new() }
    }
}

/// Where the value of a column about games comes from.
#[derive(Debug, Clone)]
pub enum FieldValue {
    /// Its row.
    Row(for<'r> fn(&'r GameRow<'_>) -> Value<'r>),
    /// The tag of this name.
    Tag(Box<str>),
}

impl<'g> ColumnValue<GameRow<'g>> for FieldValue {
    #[inline(always)]
    fn value<'r>(&'r self, row: &'r GameRow<'g>) -> Value<'r> {
        match self {
            Self::Row(value) => value(row),
            Self::Tag(name) => row.tag(name),
        }
    }
}

impl<'a> GameRow<'a> {
    fn date(&self) -> Option<GameDate> {
        read_date(self.game.header.date.as_deref()?)
    }

    fn book(&self) -> Option<&BookPath<'a>> {
        self.details.map(GameDetails::book)
    }

    fn info(&self) -> Option<&GameInfo<'a>> {
        self.details.map(GameDetails::tags)
    }

    fn phase(&self) -> Option<&OpeningPhase> {
        self.details.map(|details| details.phase(self.game))
    }

    fn tag(&self, name: &str) -> Value<'_> {
        self.info().map_or(Value::None, |info| tag(info, name))
    }

    /// Whole centipawns, which may be negative, as other whole numbers are not.
    fn eval(&self, of: fn(&OpeningPhase) -> Option<i32>) -> Value<'_> {
        let Some(eval) = self.phase().and_then(of) else { return Value::None };
        let negative = Value::Decimal { value: eval.into(), places: 0 };
        u64::try_from(eval).map_or(negative, Value::Number)
    }

    fn seconds(&self, side: Color, of: fn(&OpeningPhase) -> [Option<u32>; 2]) -> Value<'_> {
        self.phase().and_then(|phase| of(phase)[usize::from(side.is_black())]).into()
    }

    fn rating(&self, color: Color) -> Value<'_> {
        self.info().and_then(|info| info.rating(color)).map(u32::from).into()
    }

    fn named(&self) -> Option<&NamedAt<'_>> {
        self.game.verdict.named.as_ref()
    }

    /// What the game is by its move order alone.
    fn by_moves(&self) -> Option<&NamedAt<'_>> {
        self.book()?.by_moves.as_ref()
    }
}

#[inline(always)]
fn opening<'r, T: Into<Value<'r>>>(
    named: Option<&NamedAt<'r>>,
    value: impl FnOnce(&'r Opening) -> T,
) -> Value<'r> {
    named.map(|named| value(named.opening())).into()
}

fn code(opening: &Opening) -> Value<'_> {
    opening.eco().map_or(Value::None, |eco| Value::Bytes(eco.as_bytes()))
}

fn letter(opening: &Opening) -> Value<'_> {
    opening.eco().map_or(Value::None, |eco| Value::Bytes(&eco.as_bytes()[..1]))
}

fn month(date: Option<GameDate>) -> Value<'static> {
    let number = date.map_or(0, GameDate::number) / 100;
    match number % 100 {
        0 => Value::None,
        month => Value::Text(format!("{:04}-{month:02}", number / 100).into()),
    }
}

fn utc_start<'r>(info: &GameInfo<'_>) -> Value<'r> {
    let start = info.played_at();
    let (Some(date), Some((Clock::Utc, time))) = (start.date(), start.time()) else {
        return Value::None;
    };
    let [hours, minutes, seconds] = [time / 3600, time / 60 % 60, time % 60];
    Value::Text(format!("{date}T{hours:02}:{minutes:02}:{seconds:02}Z").into())
}

fn displayed<'r, T: Display>(value: Option<&'r T>) -> Value<'r> {
    value.map_or(Value::None, |value| Value::Display(value))
}

/// What fields show of a game besides its verdict, read once, when the first of them shows it.
#[derive(Debug)]
pub struct GameDetails<'a> {
    game: &'a Game<'a>,
    classifier: &'a Classifier<'a>,
    book: OnceCell<BookPath<'a>>,
    tags: OnceCell<GameInfo<'a>>,
    phase: OnceCell<OpeningPhase>,
}

impl<'a> GameDetails<'a> {
    /// The details of a game, of which the classifier follows the moves.
    pub fn new(game: &'a Game<'a>, classifier: &'a Classifier<'a>) -> Self {
        let (book, tags, phase) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { game, classifier, book, tags, phase }
    }

    fn book(&self) -> &BookPath<'a> {
        self.book.get_or_init(|| self.classifier.book_path(self.game))
    }

    fn tags(&self) -> &GameInfo<'a> {
        self.tags.get_or_init(|| GameInfo::read(self.game))
    }

    /// What its comments say of its opening.
    fn phase(&self, classified: &Classified<'_, '_>) -> &OpeningPhase {
        self.phase.get_or_init(|| {
            let Classified { header, main_line, verdict } = classified;
            let book = verdict.named.map(|named| named.ply());
            OpeningPhase::of_line(main_line.clone(), header, book)
        })
    }
}

/// The value of the tag with this name.
fn tag<'r>(info: &GameInfo<'r>, name: &str) -> Value<'r> {
    match info.tag(name) {
        None => Value::None,
        Some(Cow::Borrowed(bytes)) => Value::Bytes(bytes),
        Some(Cow::Owned(bytes)) => Value::Text(sanitize(&bytes).into_owned().into()),
    }
}

/// The moves of the main line as they are written, and the result after them.
fn moves<'r>(info: &GameInfo<'_>) -> Value<'r> {
    let mut words = Vec::new();
    for token in info.game().tags().into_main_line() {
        let (Token::Move(word) | Token::Result(word)) = token else { continue };
        // A piece may stand apart from its square.
        for part in word.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()) {
            words.extend_from_slice(part);
            words.push(b' ');
        }
    }
    words.pop();
    match words.is_empty() {
        true => Value::None,
        false => Value::Movetext(sanitize(&words).into_owned().into()),
    }
}

/// There is no such field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseFieldError {
    /// No field has that name.
    #[error("no field {}{}; there are {}, moves, tag:NAME and all", Quoted(.0), near(.0), Field::names(Field::ALL))]
    Unknown(String),
    /// A field was named twice.
    #[error("field {} is named twice", Quoted(.0))]
    Twice(String),
    /// No tag can have that name.
    #[error("no tag is called {}: expected letters and digits", Quoted(.0))]
    NoTagName(String),
}

fn near(name: &str) -> String {
    let names: Vec<_> = Field::ALL.iter().chain(&[Field::Moves]).map(Field::name).collect();
    meant(name, names.iter().map(|name| &**name))
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
        let mut named = Self::ALL.iter().chain(&[Self::Moves]);
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
        assert!(parse_fields("eco,foo").unwrap_err().to_string().starts_with("no field 'foo'"));
        assert_eq!(parse_fields("eco,all"), Err(ParseFieldError::Twice("eco".to_owned())));
        assert_eq!(parse_fields("tag:White,eco").map(|f| f[0].name()), Ok("tag:White".into()));
        assert_eq!(parse_fields("moves"), Ok(vec![Field::Moves]));
        assert!(!Field::ALL.contains(&Field::Moves));
        assert!(parse_fields("tag:A,tag:A").is_err());
        assert!(parse_fields("tag:").is_err());
        assert!(parse_fields("tag:a b").is_err());
        assert!(parse_fields("").is_err());
    }

    #[test]
    fn every_field_is_in_the_table_of_the_documentation() {
        let page = include_str!("../../docs/classify.md");
        for field in Field::ALL.iter().chain(&[Field::Moves]) {
            assert!(page.contains(&format!("`{}`", field.name())), "{}", field.name());
        }
    }

    #[test]
    fn moves_are_the_main_line_as_it_is_written() {
        for (pgn, expected) in [
            (
                "[White \"a\"]\n\n1. e4! {best} e5 (1... c5 2. Nf3) 2.Nf3 $1 Nc6 1-0\n",
                "e4 e5 Nf3 Nc6 1-0",
            ),
            ("1. e4 e5 2. Ke9 junk", "e4 e5 Ke9 junk"),
            ("[White \"a\"]\n\n*\n", "*"),
            ("[White \"a\"]\n\n{no move}\n", ""),
        ] {
            let game = Game::from_bytes(pgn.as_bytes());
            let found = match moves(&GameInfo::read(&game)) {
                Value::Movetext(text) => text.into_owned(),
                _ => String::new(),
            };
            assert_eq!(found, expected, "{pgn}");
        }
    }
}
