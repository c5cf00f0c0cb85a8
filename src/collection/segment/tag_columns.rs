//! The tags of games: the names of each game, and the values that its facts do not have.
//!
//! The *form* of a game is the list of the names of its tags, with where each value is: in the
//! facts, which have players, ratings, date, result, event and opening, or in a column of all
//! values of one name. A column of few different values has them in a dictionary. Forms are few as
//! well, and have a dictionary of their own.
//!
//! The tags whose values are in the facts of a game.

use std::io::Write as _;

use hashbrown::HashMap;

use super::bytes::{ByteReader, DamagedSegment, push_number, push_packed, push_string};
use super::dictionary::{Dictionary, Interner};
use super::facts::index_of;
use crate::pgn::{Clock, GameDate};
use crate::{collection::Details, lists::Lists, opening::Opening};

/// The number of games whose tags are packed together.
pub(crate) const TAGS_A_FRAME: usize = 64;

/// More names than these share the last column.
pub(super) const MAX_COLUMNS: usize = 250;

pub(super) const NO_TAGS: DamagedSegment = DamagedSegment::new("a game has no tags");

/// Where the value of a tag is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueSource {
    /// The facts of the game have it.
    Facts,
    /// The column of its name has it.
    Column,
    /// The facts have the first part, the column the rest.
    Both,
}

const SOURCES: [ValueSource; 3] = [ValueSource::Facts, ValueSource::Column, ValueSource::Both];

/// A tag of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FormTag<'a> {
    pub(super) name: &'a [u8],
    pub(super) source: ValueSource,
    /// The index of the column.
    pub(super) column: usize,
}

/// Adds a tag to a form.
pub(super) fn push_form_tag(form: &mut Vec<u8>, tag: &FormTag<'_>) {
    push_string(form, tag.name);
    form.push(index_of(&SOURCES, &tag.source));
    push_number(form, tag.column as u64);
}

/// Reads a form.
pub(super) fn read_form<'a>(
    form: &'a [u8],
) -> impl Iterator<Item = Result<FormTag<'a>, DamagedSegment>> {
    let mut reader = ByteReader::new(form);
    let next = |reader: &mut ByteReader<'a>| {
        let name = reader.string()?;
        let source = SOURCES[reader.number_to(SOURCES.len() - 1)?];
        Ok(FormTag { name, source, column: reader.number_to(MAX_COLUMNS)? })
    };
    // Damage takes bytes away as well, so it comes to an end.
    std::iter::from_fn(move || (!reader.is_empty()).then(|| next(&mut reader)))
}

/// Which column the values of tags of a name are in.
#[derive(Debug, Default)]
pub(super) struct ColumnNames(HashMap<Vec<u8>, usize>);

impl ColumnNames {
    /// The index of the column, which is new or known. They come in order.
    pub(super) fn column_of(&mut self, name: &[u8]) -> usize {
        if let Some(column) = self.0.get(name) {
            return *column;
        }
        let column = self.0.len().min(MAX_COLUMNS);
        if column < MAX_COLUMNS {
            self.0.insert(name.to_owned(), column);
        }
        column
    }
}

/// Collects the tags of games.
#[derive(Debug, Default)]
pub(super) struct TagCollector {
    forms: Interner,
    names: ColumnNames,
    columns: Vec<Interner>,
    /// The values in columns, game by game.
    values: Vec<u32>,
    /// For each game, its form, and where its values begin.
    games: Vec<(u32, u32)>,
    form: Vec<u8>,
}

impl TagCollector {
    /// Begins the next game.
    pub(super) fn begin(&mut self) {
        self.form.clear();
        self.games.push((0, self.values.len() as u32));
    }

    /// Adds a tag to the game. `value` is what the column must hold.
    pub(super) fn push(&mut self, name: &[u8], source: ValueSource, value: &[u8]) {
        let column = match source {
            ValueSource::Facts => 0,
            ValueSource::Column | ValueSource::Both => {
                let column = self.names.column_of(name);
                if column == self.columns.len() {
                    self.columns.push(Interner::default());
                }
                self.values.push(self.columns[column].add(value));
                column
            }
        };
        push_form_tag(&mut self.form, &FormTag { name, source, column });
    }

    /// Ends the game.
    pub(super) fn end(&mut self) {
        let form = self.forms.add(&self.form);
        self.games.last_mut().expect("a game was begun").0 = form;
    }

    /// The tags, ready to be packed.
    pub(super) fn finish(self) -> TagColumns {
        let (forms, form_numbers) = self.forms.sorted();
        let columns = self.columns.into_iter().map(Column::new).collect();
        TagColumns { forms, form_numbers, columns, values: self.values, games: self.games }
    }
}

/// A column, and how its values are kept.
enum Column {
    /// As numbers of a dictionary.
    Shared(Dictionary, Vec<u32>),
    /// Each as it is.
    Own(Interner),
}

impl Column {
    /// A dictionary pays if a text is used several times.
    fn new(texts: Interner) -> Self {
        if texts.len() * 4 > texts.added() {
            return Self::Own(texts);
        }
        let (dictionary, numbers) = texts.sorted();
        Self::Shared(dictionary, numbers)
    }

    fn push_value(&self, out: &mut Vec<u8>, value: u32) {
        match self {
            Self::Shared(_, numbers) => push_number(out, u64::from(numbers[value as usize])),
            Self::Own(texts) => push_string(out, texts.text(value)),
        }
    }
}

/// The tags of all games of a segment.
pub(super) struct TagColumns {
    pub(super) forms: Dictionary,
    form_numbers: Vec<u32>,
    columns: Vec<Column>,
    values: Vec<u32>,
    games: Vec<(u32, u32)>,
}

impl TagColumns {
    /// The dictionaries of the columns; `None` where values are kept as they are.
    pub(super) fn dictionaries(&self) -> impl Iterator<Item = Option<&Dictionary>> {
        self.columns.iter().map(|column| match column {
            Column::Shared(dictionary, _) => Some(dictionary),
            Column::Own(_) => None,
        })
    }

    /// The parts of the frame of these games.
    pub(super) fn parts(&self, games: &[u32]) -> TagParts {
        let mut forms = Vec::new();
        let mut columns = vec![Vec::new(); self.columns.len()];
        for game in games {
            let (form, start) = self.games[*game as usize];
            let form = self.form_numbers[form as usize];
            push_number(&mut forms, u64::from(form));
            let mut values = self.values[start as usize..].iter();
            for tag in read_form(self.forms.text(form)).flatten() {
                if tag.source != ValueSource::Facts
                    && let Some(value) = values.next()
                {
                    self.columns[tag.column].push_value(&mut columns[tag.column], *value);
                }
            }
        }
        TagParts { forms, columns }
    }
}

/// What a frame is packed from: the numbers of forms, and the values of columns.
#[derive(Debug, Default)]
pub(super) struct TagParts {
    pub(super) forms: Vec<u8>,
    pub(super) columns: Vec<Vec<u8>>,
}

impl TagParts {
    /// The frame.
    pub(super) fn pack(&self) -> Vec<u8> {
        let mut parts = Vec::new();
        push_string(&mut parts, &self.forms);
        for (index, column) in self.columns.iter().enumerate().filter(|(_, c)| !c.is_empty()) {
            push_number(&mut parts, index as u64);
            push_string(&mut parts, column);
        }
        let mut frame = Vec::new();
        push_packed(&mut frame, &parts);
        frame
    }
}

/// The tags of the games of a frame.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TagsFrame {
    /// The number of the form of each game.
    pub(super) forms: Vec<u32>,
    /// For each game its values in columns: the number in the dictionary, or in the texts.
    pub(super) values: Lists<u32>,
    pub(super) texts: Lists<u8>,
}

/// A tag of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FrameTag<'f> {
    pub(super) name: &'f [u8],
    pub(super) source: ValueSource,
    pub(super) value: ColumnValue<'f>,
}

/// The value of a tag in its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnValue<'f> {
    /// The facts have all.
    None,
    /// A number of the dictionary of this column.
    Number(usize, u32),
    /// A value that is kept as it is.
    Text(&'f [u8]),
}

impl TagsFrame {
    /// Unpacks a frame. `is_shared` knows the columns that have a dictionary.
    pub(super) fn unpack(
        frame: &[u8],
        forms: &Dictionary,
        is_shared: impl Fn(usize) -> bool,
    ) -> Result<Self, DamagedSegment> {
        let parts = ByteReader::new(frame).unpacked()?;
        let mut games = FrameReader::new(&parts, forms, is_shared, |_| true)?;
        let mut unpacked = Self::default();
        while unpacked.forms.len() < TAGS_A_FRAME
            && let Some((form, tags)) = games.next_game()?
        {
            unpacked.forms.push(form);
            let Self { values, texts, .. } = &mut unpacked;
            values.push_with(|values| {
                values.extend(tags.iter().filter_map(|tag| match tag.value {
                    ColumnValue::None => None,
                    ColumnValue::Number(_, number) => Some(number),
                    ColumnValue::Text(text) => {
                        texts.push(text);
                        Some(texts.len() as u32 - 1)
                    }
                }));
            });
        }
        unpacked.values.shrink_to_fit();
        unpacked.texts.shrink_to_fit();
        Ok(unpacked)
    }

    /// The tags of a game by its index in the frame, with the forms and columns that it was
    /// unpacked with.
    pub(super) fn tags<'f>(
        &'f self,
        index: usize,
        forms: &'f Dictionary,
        is_shared: impl Fn(usize) -> bool,
    ) -> Result<Vec<FrameTag<'f>>, DamagedSegment> {
        let form = *self.forms.get(index).ok_or(NO_TAGS)?;
        let mut values = self.values.get(index).iter().copied();
        let tag = |tag: Result<FormTag<'f>, DamagedSegment>| {
            let FormTag { name, source, column } = tag?;
            let value = match source {
                ValueSource::Facts => ColumnValue::None,
                ValueSource::Column | ValueSource::Both => {
                    let value = values.next().ok_or(NO_TAGS)?;
                    if is_shared(column) {
                        ColumnValue::Number(column, value)
                    } else {
                        ColumnValue::Text(self.texts.get(value as usize))
                    }
                }
            };
            Ok(FrameTag { name, source, value })
        };
        read_form(forms.text(form)).map(tag).collect()
    }

    /// The memory that they take.
    pub(super) fn memory(&self) -> usize {
        self.texts.memory() + self.values.memory() + size_of_val(&*self.forms)
    }
}

/// Reads the tags of a frame, game by game, as far as their names are read. Games have few forms,
/// and the columns of other names are not looked at.
pub(super) struct FrameReader<'f, S, R> {
    forms: &'f Dictionary,
    is_shared: S,
    is_read: R,
    numbers: ByteReader<'f>,
    columns: HashMap<usize, ByteReader<'f>>,
    /// Of the forms that were met, the tags that are read.
    met: HashMap<u32, Vec<FormTag<'f>>>,
    tags: Vec<FrameTag<'f>>,
}

impl<'f, S: Fn(usize) -> bool, R: Fn(&[u8]) -> bool> FrameReader<'f, S, R> {
    /// Reads the parts of a frame, unpacked. `is_shared` knows the columns that have a dictionary.
    pub(super) fn new(
        parts: &'f [u8],
        forms: &'f Dictionary,
        is_shared: S,
        is_read: R,
    ) -> Result<Self, DamagedSegment> {
        let mut parts = ByteReader::new(parts);
        let numbers = ByteReader::new(parts.string()?);
        let (mut columns, met, tags) = (HashMap::new(), HashMap::new(), Vec::new());
        while !parts.is_empty() {
            let column = parts.number_to(MAX_COLUMNS)?;
            columns.insert(column, ByteReader::new(parts.string()?));
        }
        Ok(Self { forms, is_shared, is_read, numbers, columns, met, tags })
    }

    /// The form of the next game, and its tags; `None` after the last.
    pub(super) fn next_game(&mut self) -> Result<Option<(u32, &[FrameTag<'f>])>, DamagedSegment> {
        if self.numbers.is_empty() {
            return Ok(None);
        }
        let form = self.numbers.number_to(u32::MAX as usize)? as u32;
        if !self.met.contains_key(&form) {
            // Names share the last column.
            let is_needed =
                |tag: &FormTag<'f>| tag.column == MAX_COLUMNS || (self.is_read)(tag.name);
            let read = read_form(self.forms.text(form));
            let needed = read.filter(|tag| tag.as_ref().map_or(true, is_needed));
            self.met.insert(form, needed.collect::<Result<_, _>>()?);
        }
        self.tags.clear();
        for FormTag { name, source, column } in self.met.get(&form).into_iter().flatten().copied() {
            let value = match source {
                ValueSource::Facts => ColumnValue::None,
                ValueSource::Column | ValueSource::Both => {
                    const NO_VALUE: DamagedSegment = DamagedSegment::new("a tag has no value");
                    let values = self.columns.get_mut(&column).ok_or(NO_VALUE)?;
                    match (self.is_shared)(column) {
                        true => {
                            ColumnValue::Number(column, values.number_to(u32::MAX as usize)? as u32)
                        }
                        false => ColumnValue::Text(values.string()?),
                    }
                }
            };
            if column != MAX_COLUMNS || (self.is_read)(name) {
                self.tags.push(FrameTag { name, source, value });
            }
        }
        Ok(Some((form, &self.tags)))
    }
}

/// The tags whose values are texts that games share.
pub(super) const SHARED_TAGS: [&str; 5] = ["White", "Black", "Event", "Site", "Variant"];

const SITE: usize = 3;

/// What the facts say, as far as tags have the same.
#[derive(Debug, Clone)]
pub(super) struct FactValues<'a> {
    /// The values of [`SHARED_TAGS`]; of `Site` the whole one, or the first part of an address.
    pub(super) texts: [&'a [u8]; SHARED_TAGS.len()],
    pub(super) details: Details,
    pub(super) opening: Option<&'a Opening>,
}

impl FactValues<'_> {
    /// The value of a tag of this name, as the facts have it; empty if they do not. What is written
    /// here is in `room`: made for each tag of each game, it takes no memory.
    pub(super) fn value<'v>(&'v self, name: &[u8], room: &'v mut [u8; 10]) -> &'v [u8] {
        if let Some(at) = SHARED_TAGS.iter().position(|tag| tag.as_bytes() == name) {
            return self.texts[at];
        }
        let opening = |part: fn(&Opening) -> &str| self.opening.map_or("", part).as_bytes();
        let Details { result, ratings, date, .. } = &self.details;
        let length = match name {
            b"Result" => return result.as_str().as_bytes(),
            b"ECO" => return opening(Opening::code),
            b"Opening" => return opening(Opening::name),
            b"WhiteElo" => put_number(ratings[0], room),
            b"BlackElo" => put_number(ratings[1], room),
            b"Date" => put(date.map(pgn_date), room),
            b"UTCDate" => put(self.utc_date().map(pgn_date), room),
            b"Time" => put(self.time(Clock::Local), room),
            b"UTCTime" => put(self.time(Clock::Utc), room),
            _ => 0,
        };
        &room[..length]
    }

    /// Where the value of a tag is, and what is left of it for its column. `Site` may be there in
    /// part; any other is there as it is, or not at all.
    pub(super) fn source<'v>(&self, name: &[u8], value: &'v [u8]) -> (ValueSource, &'v [u8]) {
        if name == b"Site" && !self.texts[SITE].is_empty() {
            return match value.strip_prefix(self.texts[SITE]) {
                Some([]) => (ValueSource::Facts, b""),
                Some(rest) => (ValueSource::Both, rest),
                None => (ValueSource::Column, value),
            };
        }
        let is_there = !value.is_empty() && self.value(name, &mut [0; 10]) == value;
        (if is_there { ValueSource::Facts } else { ValueSource::Column }, value)
    }

    fn utc_date(&self) -> Option<GameDate> {
        let Details { played_at, date, .. } = self.details;
        let utc = played_at.time().filter(|(clock, _)| *clock == Clock::Utc);
        utc.map_or(date, |_| played_at.date())
    }

    /// The time of a clock as PGN writes it.
    fn time(&self, of: Clock) -> Option<[u8; 8]> {
        let (_, seconds) = self.details.played_at.time().filter(|(clock, _)| *clock == of)?;
        let [hours, minutes, seconds] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
        let [[a, b], [c, d], [e, f]] = [hours, minutes, seconds].map(digits);
        Some([a, b, b':', c, d, b':', e, f])
    }
}

/// Writes a text, if there is one, and returns its length.
fn put<const N: usize>(text: Option<[u8; N]>, room: &mut [u8; 10]) -> usize {
    let Some(text) = text else { return 0 };
    room[..N].copy_from_slice(&text);
    N
}

fn put_number(number: Option<u16>, room: &mut [u8; 10]) -> usize {
    let Some(number) = number.filter(|number| *number > 0) else { return 0 };
    let mut left = &mut room[..];
    write!(left, "{number}").expect("a number of 16 bits has five digits at most");
    10 - left.len()
}

/// The part of `Site` that many games have: all of it, or what leads to the games of a web site.
pub(super) fn shared_site(site: &[u8]) -> &[u8] {
    let is_address = site.starts_with(b"http://") || site.starts_with(b"https://");
    let slash = site.iter().rposition(|byte| *byte == b'/').filter(|_| is_address);
    slash.map_or(site, |slash| &site[..=slash])
}

/// A number below 100 as two digits.
fn digits(number: u32) -> [u8; 2] {
    [number / 10, number % 10].map(|digit| b'0' + digit as u8)
}

/// A date as PGN writes it.
fn pgn_date(date: GameDate) -> [u8; 10] {
    let number = date.number();
    let part = |number: u32| if number == 0 { *b"??" } else { digits(number) };
    let ([a, b], [c, d]) = (digits(number / 1_000_000), digits(number / 10_000 % 100));
    let ([e, f], [g, h]) = (part(number / 100 % 100), part(number % 100));
    [a, b, c, d, b'.', e, f, b'.', g, h]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{pgn::PlayedAt, select::GameResult};

    type GameTags = Vec<(String, usize, String)>;

    fn tags() -> impl Strategy<Value = Vec<GameTags>> {
        // The values of `C` are all different, those of the others are not.
        let tag = ("[ABC]", 0..SOURCES.len(), "[ab]", any::<u64>()).prop_map(
            |(name, source, value, number)| {
                let value = if name == "C" { number.to_string() } else { value };
                (name, source, if source == 0 { String::new() } else { value })
            },
        );
        prop::collection::vec(prop::collection::vec(tag, 0..5), 1..40)
    }

    proptest! {
        #[test]
        fn tags_are_read_as_they_were_written(games in tags()) {
            let mut collector = TagCollector::default();
            for game in &games {
                collector.begin();
                for (name, source, value) in game {
                    collector.push(name.as_bytes(), SOURCES[*source], value.as_bytes());
                }
                collector.end();
            }
            let columns = collector.finish();
            let dictionaries: Vec<_> = columns.dictionaries().collect();
            let order: Vec<u32> = (0..games.len() as u32).rev().collect();
            let frame = columns.parts(&order).pack();
            let is_shared = |column: usize| dictionaries[column].is_some();
            let read = TagsFrame::unpack(&frame, &columns.forms, is_shared).unwrap();
            for (index, game) in games.iter().rev().enumerate() {
                let tags = read.tags(index, &columns.forms, is_shared).unwrap();
                let tags: GameTags = tags.into_iter().map(|tag| {
                    let value = match tag.value {
                        ColumnValue::None => b"",
                        ColumnValue::Number(column, number) => {
                            dictionaries[column].unwrap().text(number)
                        }
                        ColumnValue::Text(text) => text,
                    };
                    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
                    (text(tag.name), usize::from(index_of(&SOURCES, &tag.source)), text(value))
                }).collect();
                prop_assert_eq!(&tags, game);
            }
        }

        #[test]
        fn any_frame_is_read_or_refused(
            frame in prop::collection::vec(any::<u8>(), 0..60),
            index in 0..9_usize,
        ) {
            let mut interner = Interner::default();
            interner.add(b"\x01A\x01\x00");
            let forms = interner.sorted().0;
            let read = TagsFrame::unpack(&frame, &forms, |_| true);
            let _ = read.and_then(|read| read.tags(index, &forms, |_| true).map(drop));
        }
    }

    #[test]
    fn facts_give_back_what_they_take() {
        let opening = Opening::new("A00".parse().ok(), "Grob");
        let values = FactValues {
            texts: [b"W", b"", b"E", b"https://x.org/", b""],
            details: Details {
                result: GameResult::Draw,
                plies: 0,
                date: "1956-10".parse().ok(),
                played_at: PlayedAt::new("1956-10-17".parse().ok(), Some((Clock::Utc, 3607))),
                ratings: [Some(2345), Some(1000)],
                speed: None,
                is_rated: None,
            },
            opening: Some(&opening),
        };
        for (name, value, is_there) in [
            ("White", "W", true),
            ("White", "V", false),
            ("Black", "", false),
            ("WhiteElo", "2345", true),
            ("WhiteElo", "02345", false),
            ("WhiteElo", "345", false),
            ("BlackElo", "1000", true),
            ("BlackElo", "", false),
            ("Date", "1956.10.??", true),
            ("UTCDate", "1956.10", false),
            ("UTCDate", "1956.10.??", false),
            ("UTCDate", "1956.10.17", true),
            ("UTCTime", "01:00:07", true),
            ("UTCTime", "1:00:07", false),
            ("Time", "01:00:07", false),
            ("Result", "1/2-1/2", true),
            ("Result", "1/2", false),
            ("ECO", "A00", true),
            ("Opening", "Grob", true),
            ("Round", "1", false),
        ] {
            let (source, rest) = values.source(name.as_bytes(), value.as_bytes());
            assert_eq!(source == ValueSource::Facts, is_there, "{name} {value}");
            assert_eq!(rest, value.as_bytes());
            if is_there {
                assert_eq!(values.value(name.as_bytes(), &mut [0; 10]), value.as_bytes());
            }
        }
        let site = values.source(b"Site", b"https://x.org/7");
        assert_eq!(site, (ValueSource::Both, &b"7"[..]));
        assert_eq!(shared_site(b"https://x.org/7"), values.texts[SITE]);
        assert_eq!(shared_site(b"a/b"), b"a/b");
    }
}
