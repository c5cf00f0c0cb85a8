//! eco.json: objects with `fen`, `eco`, `moves`, `name` and `aliases`.
//!
//! They may be the items of an array, the values of an object with the positions as its keys, or
//! stand one on a line (JSON lines). `scid` is the code under which the alias of source `scid` is
//! known. Other members are passed over, except for those that this program writes itself:
//! `master`, `version`, `date` and `fingerprint` say which master an opening is from, `file` and
//! `line` where it stood there.

use std::{
    collections::BTreeMap,
    fmt,
    io::{self, Write},
    sync::Arc,
};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use super::{Alias, Entry, LinePlace, LineReason, Master, MasterInfo, Reader, read_key};
use crate::pgn::decode_text;

const EXPECTED: &str = "an object with eco, name, and moves or fen";

/// An opening as it stands in the file.
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Object {
    #[serde(skip_serializing_if = "String::is_empty")]
    fen: String,
    eco: String,
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    moves: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    aliases: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    scid: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    master: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    version: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    date: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    fingerprint: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    file: String,
    #[serde(skip_serializing_if = "is_zero")]
    line: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands in a reference")]
fn is_zero(line: &u32) -> bool {
    *line == 0
}

/// The source whose codes the member `scid` has.
const SCID: &str = "scid";

pub(super) fn read(bytes: &[u8], reader: &mut Reader) {
    let text = decode_text(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    let values = serde_json::Deserializer::from_str(&text).into_iter::<&RawValue>();
    let mut lines = LineCounter { text: &text, at: 0, line: 1 };
    for value in values {
        match value {
            Ok(value) => read_value(value, &mut lines, reader),
            Err(error) => {
                let line = u32::try_from(error.line()).unwrap_or(u32::MAX);
                reader.take(line, Err(LineReason::Json(without_place(&error))));
                break;
            }
        }
    }
}

/// An array of openings, openings by position, or one opening.
fn read_value(value: &RawValue, lines: &mut LineCounter<'_>, reader: &mut Reader) {
    let is_opening = || serde_json::from_str::<Members>(value.get()).is_ok_and(|m| m.has_eco);
    let items = if value.get().starts_with('{') && is_opening() {
        vec![(None, value)]
    } else {
        match serde_json::from_str::<Items<'_>>(value.get()) {
            Ok(items) => items.0,
            Err(_) => return reader.take(lines.of(value.get()), Err(LineReason::Form(EXPECTED))),
        }
    };
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
    let Object { master: name, version, date, fingerprint, file, .. } = object;
    let place = match object.line {
        0 => reader.place(line),
        line => LinePlace { file: Arc::from(file), line },
    };
    let info = MasterInfo { name, version, date, fingerprint };
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
    if object.name.trim().is_empty() {
        return missing("name");
    }
    let mut entry = Entry::new(&object.eco, &object.name)?;
    match (object.moves.trim(), object.fen.as_str()) {
        ("", "") => return missing("moves"),
        ("", fen) => entry = entry.with_key(read_key(fen)?),
        (moves, "") => entry = entry.with_moves(moves),
        (moves, fen) => entry = entry.with_moves(moves).with_key(read_key(fen)?),
    }
    for (source, name) in &object.aliases {
        let eco = Some(&object.scid).filter(|eco| source == SCID && !eco.is_empty());
        let eco = eco.map(|eco| eco.parse()).transpose()?;
        entry.aliases.push(Alias { source: source.clone(), eco, name: super::clean(name) });
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

/// Whether an object has a member `eco`.
struct Members {
    has_eco: bool,
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = BTreeMap::<String, de::IgnoredAny>::deserialize(deserializer)?;
        Ok(Self { has_eco: members.contains_key("eco") })
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
                file: line.place.file.to_string(),
                line: line.place.line,
            };
            serde_json::to_writer(&mut *out, &object)?;
            writeln!(out)?;
        }
    }
    Ok(())
}
