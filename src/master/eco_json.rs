//! eco.json: objects with `fen`, `eco`, `moves`, `name` and `aliases`.
//!
//! They may be the items of an array, the values of an object with the positions as its keys, or
//! stand one on a line (JSON lines). `scid` is the code under which the alias of source `scid` is
//! known; without such an alias it is one of the same name. `null` is nothing, and other members are
//! passed over, except for those that this program writes itself: `master`, `version`, `date` and
//! `fingerprint` say which master an opening is from.
//!
//! A line that is no JSON is left out of JSON lines; elsewhere nothing behind it can be read.

use std::{
    collections::BTreeMap,
    fmt,
    io::{self, Write},
};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use super::{Alias, Entry, LineReason, Master, MasterInfo, Reader, clean, read_key};
use crate::pgn::decode_text;

const EXPECTED: &str = "an object with eco, name, and moves or fen";

/// An opening as it stands in the file.
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Object {
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    fen: String,
    #[serde(deserialize_with = "text")]
    eco: String,
    #[serde(deserialize_with = "text")]
    name: String,
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    moves: String,
    #[serde(deserialize_with = "names", skip_serializing_if = "BTreeMap::is_empty")]
    aliases: BTreeMap<String, String>,
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    scid: String,
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    master: String,
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    version: String,
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    date: String,
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    fingerprint: String,
}

/// Text, a number as text, or nothing.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::Null => Ok(String::new()),
        serde_json::Value::String(text) => Ok(text),
        serde_json::Value::Number(number) => Ok(number.to_string()),
        other => Err(de::Error::custom(format_args!("found {other}, expected text"))),
    }
}

/// Names by who calls it so, or nothing.
fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// The source whose codes the member `scid` has.
const SCID: &str = "scid";

/// By any of these an object is told from one that has openings as its members.
const MEMBERS: [&str; 4] = ["fen", "eco", "name", "moves"];

pub(super) fn read(bytes: &[u8], reader: &mut Reader) {
    let text = decode_text(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    let mut lines = LineCounter { text: &text, at: 0, line: 1 };
    let mut rest: &str = &text;
    loop {
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        let error = values.by_ref().find_map(|value| match value {
            Ok(value) => {
                read_value(value, &mut lines, reader);
                None
            }
            Err(error) => Some(error),
        });
        let Some(error) = error else { return };
        let bad = rest[values.byte_offset()..].trim_start();
        let behind = bad.split_once('\n').map_or("", |(_, behind)| behind);
        let is_array = bad.starts_with('[');
        let next = behind.trim_start();
        let is_line = next.is_empty() || !is_array && next.starts_with('{');
        let lost = if is_line { "" } else { "; what follows was not read" };
        let told = format!("not JSON: {}{lost}", without_place(&error));
        reader.take(lines.of(bad), Err(LineReason::Json(told)));
        if !is_line {
            return;
        }
        rest = behind;
    }
}

/// An array of openings, openings by position, or one opening.
fn read_value(value: &RawValue, lines: &mut LineCounter<'_>, reader: &mut Reader) {
    let items = match serde_json::from_str::<Items<'_>>(value.get()) {
        Ok(Items(items)) => items,
        Err(_) => return reader.take(lines.of(value.get()), Err(LineReason::Form(EXPECTED))),
    };
    let is_member = |(key, _): &(Option<String>, &RawValue)| {
        key.as_deref().is_some_and(|key| MEMBERS.contains(&key))
    };
    let items = if items.iter().any(is_member) { vec![(None, value)] } else { items };
    for (key, item) in items {
        let line = lines.of(item.get());
        match read_object(item.get(), key) {
            Ok((entry, object)) if object.master.is_empty() => reader.take(line, Ok(entry)),
            Ok((entry, object)) => take_of_master(line, entry, object, reader),
            Err(reason) => reader.take(line, Err(reason)),
        }
    }
}

fn take_of_master(line: u32, entry: Entry, object: Object, reader: &mut Reader) {
    let Object { master, version, date, fingerprint, .. } = object;
    let place = reader.place(line);
    let info = MasterInfo { name: clean(&master), version, date, fingerprint };
    reader.master(info).lines.push(entry.at(place));
}

fn read_object(text: &str, key: Option<String>) -> Result<(Entry, Object), LineReason> {
    let mut object: Object =
        serde_json::from_str(text).map_err(|error| LineReason::Json(without_place(&error)))?;
    let missing = |what| Err(LineReason::Missing { what, expected: EXPECTED });
    if object.fen.is_empty() {
        object.fen = key.unwrap_or_default();
    }
    if object.eco.is_empty() {
        return missing("eco");
    }
    let mut entry = Entry::new(&object.eco, &object.name)?;
    match (object.moves.trim(), object.fen.as_str()) {
        ("", "") => return missing("moves"),
        ("", fen) => entry = entry.with_key(read_key(fen)?),
        (moves, "") => entry = entry.with_moves(moves),
        (moves, fen) => entry = entry.with_moves(moves).with_key(read_key(fen)?),
    }
    if !object.scid.is_empty() {
        object.aliases.entry(SCID.to_owned()).or_insert_with(|| object.name.clone());
    }
    for (source, name) in &object.aliases {
        let eco = Some(&object.scid).filter(|eco| source == SCID && !eco.is_empty());
        let eco = eco.map(|eco| eco.parse()).transpose()?;
        entry.aliases.push(Alias { source: clean(source), eco, name: clean(name) });
    }
    Ok((entry, object))
}

/// What serde says, without the place, which is told apart and is that of the file.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// Counts lines up to pieces of a text, which are asked for in order.
struct LineCounter<'t> {
    text: &'t str,
    at: usize,
    line: u32,
}

impl LineCounter<'_> {
    /// The line in which a piece of the text begins.
    fn of(&mut self, piece: &str) -> u32 {
        let at = piece.as_ptr() as usize - self.text.as_ptr() as usize;
        let between = self.text.as_bytes()[self.at..at].iter().filter(|b| **b == b'\n').count();
        self.line += u32::try_from(between).unwrap_or(u32::MAX);
        self.at = at;
        self.line
    }
}

/// The items of an array, or the members of an object with their names, in order.
struct Items<'a>(Vec<(Option<String>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Items<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Items<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array or an object")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Items<'de>, A::Error> {
                let mut found = Vec::new();
                while let Some(item) = items.next_element()? {
                    found.push((None, item));
                }
                Ok(Items(found))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Items<'de>, A::Error> {
                let mut found = Vec::new();
                while let Some((key, item)) = members.next_entry()? {
                    found.push((Some(key), item));
                }
                Ok(Items(found))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// Writes an object on a line for each opening, with the master it is from.
pub(super) fn write(masters: &[Master], out: &mut dyn Write) -> io::Result<()> {
    for Master { info, lines } in masters {
        for line in lines {
            let scid = line.aliases.iter().find(|alias| alias.source == SCID);
            let object = Object {
                fen: line.key.map(|key| key.to_string()).unwrap_or_default(),
                eco: line.eco.to_string(),
                name: line.name.clone(),
                moves: line.movetext.clone().unwrap_or_default(),
                aliases: line
                    .aliases
                    .iter()
                    .map(|alias| (alias.source.clone(), alias.name.clone()))
                    .collect(),
                scid: scid
                    .and_then(|alias| alias.eco)
                    .map(|eco| eco.to_string())
                    .unwrap_or_default(),
                master: info.name.clone(),
                version: info.version.clone(),
                date: info.date.clone(),
                fingerprint: info.fingerprint.clone(),
            };
            serde_json::to_writer(&mut *out, &object)?;
            writeln!(out)?;
        }
    }
    Ok(())
}
